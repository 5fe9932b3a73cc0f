"""The packages: the sdist has all that its tests need, and the wheel made of it runs anywhere."""

import os
import shutil
import subprocess
import sys
import sysconfig
import time
import venv
from pathlib import Path

import pytest

from tests.running import PATIENCE

pytestmark = pytest.mark.long

HERE = Path(__file__).parents[1]


def run(*command: object, cwd: Path | str) -> str:
    """What a command prints, having ended well."""
    done = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=3 * PATIENCE,  # to collect all tests takes a busy machine minutes
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution of this folder, built and unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    source = folder / "source"
    ignore = shutil.ignore_patterns("__pycache__", "*.egg-info", ".venv", ".git", ".*_cache")
    shutil.copytree(HERE, source, ignore=ignore)
    run(sys.executable, "-m", "build", "--sdist", "--outdir", folder, source, cwd=folder)
    (archive,) = folder.glob("*.tar.gz")
    shutil.unpack_archive(archive, folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def installed(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a venv that has the wheel, and this one's libraries beside it."""
    folder = tmp_path_factory.mktemp("wheel")
    run(*PIP, "wheel", "--no-deps", "--wheel-dir", folder, unpacked, cwd=folder)
    (wheel,) = folder.glob("*.whl")
    return made(folder / "venv", "--no-index", wheel)


def made(home: Path, *what: object) -> Path:
    """The `bin` folder of a new venv into which this is installed; it sees this one's libraries."""
    venv.create(home, symlinks=True)
    python = home / "bin" / "python"
    run(*PIP, "--python", python, "install", "--no-deps", *what, cwd=home)
    libraries = Path(run(python, "-c", PURELIB, cwd=home).strip())
    # A plain path: the editable hexboard beside those libraries is not found through it.
    (libraries / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return home / "bin"


PURELIB = "import sysconfig; print(sysconfig.get_path('purelib'))"


def test_everything_runs_from_another_folder(installed: Path, tmp_path: Path) -> None:
    hexboard = installed / "hexboard"
    where = "import hexboard; print(hexboard.__file__)"
    assert run(installed / "python", "-c", where, cwd=tmp_path).startswith(
        str(installed.parent.resolve())
    )
    boards = run(hexboard, "show", cwd=tmp_path).splitlines()
    assert len(boards) == len(list((HERE / "hardware" / "boards").glob("*.toml")))
    assert "22 cells" in run(hexboard, "show", "hextraction-22", cwd=tmp_path)
    played = run(
        *(hexboard, "run", "--simulate", "--fast", "--turns", 3, "--state", tmp_path),
        cwd=tmp_path,
    )
    (recording,) = (tmp_path / "recordings").glob("*.mcap")
    assert str(recording) in played
    assert "the same rulings" in run(hexboard, "replay", recording, cwd=tmp_path)


def test_its_own_boards_and_tiles_are_good(installed: Path, tmp_path: Path) -> None:
    shipped = Path(
        run(
            installed / "python",
            "-c",
            "from hexboard.files import shipped; print(shipped('boards').parent)",
            cwd=tmp_path,
        ).strip()
    )
    files = sorted(shipped.glob("*/**/*.toml"))
    assert len(files) > 10
    told = run(installed / "hexboard", "check", *files, cwd=tmp_path).splitlines()
    assert len(told) == len(files)


def test_it_carries_every_file_of_firmware_hardware_docs_and_the_page(installed: Path) -> None:
    (carried,) = installed.parent.glob("lib/python*/site-packages/hexboard")
    assert listed(carried / "shipped" / "firmware") == listed(HERE / "firmware")
    assert listed(carried / "shipped" / "hardware") == listed(HERE / "hardware")
    assert listed(carried / "shipped" / "docs") == {it.name for it in HERE.glob("docs/*.md")}
    told = run(installed / "hexboard", "--help", cwd=carried.parent)
    assert told.endswith(f"lie in {(carried / 'shipped' / 'docs').resolve()}\n")
    assert listed(carried / "web" / "static") == listed(HERE / "controller" / "web" / "static")
    mine = {name for name in listed(HERE / "controller") if not name.startswith("shipped/")}
    assert mine <= listed(carried)


def test_the_licences_of_what_is_vendored_travel_with_the_wheel(installed: Path) -> None:
    (about,) = installed.parent.glob("lib/python*/site-packages/hexboard-*.dist-info")
    told = (about / "METADATA").read_text("utf-8")
    assert "License-Expression: MIT AND Apache-2.0\n" in told
    texts = {path.name: path.read_text("utf-8") for path in (about / "licenses").rglob("LICENSE*")}
    assert set(texts) == {"LICENSE", "LICENSE-htm", "LICENSE-preact"}
    assert "Apache License" in texts["LICENSE-htm"]


def test_a_build_has_nothing_of_an_earlier_one(tmp_path: Path) -> None:
    """In a checkout `build/lib` stays, and its files may be newer than what was checked out."""
    kept = tmp_path / "lib" / "hexboard"
    kept.mkdir(parents=True)
    for name in ("files.py", "gone.py"):
        (kept / name).write_text("OLD = True\n", "utf-8")
        os.utime(kept / name, (time.time() + 3600,) * 2)
    build = ("build_py", "--build-lib", kept.parent)
    run(sys.executable, "setup.py", "-q", "egg_info", "--egg-base", tmp_path, *build, cwd=HERE)
    assert (kept / "files.py").read_bytes() == (HERE / "controller" / "files.py").read_bytes()
    assert not (kept / "gone.py").exists()
    assert (kept / "shipped" / "firmware").is_dir()


def test_the_sdist_has_every_folder_whole(unpacked: Path) -> None:
    for name in ("controller", "calibration", "firmware", "hardware", "tests", "docs", ".ci"):
        assert listed(unpacked / name) == listed(HERE / name)
    files = {path.name for path in HERE.iterdir() if path.is_file() and path.name != ".git"}
    assert files <= {path.name for path in unpacked.iterdir()}


FAST = ("tests/games/test_hexalma.py", "tests/test_contracts.py", "tests/test_files.py")


def test_tests_run_from_the_sdist_on_its_own_code(unpacked: Path) -> None:
    bin_folder = made(unpacked.parent / "venv", "-e", unpacked)
    where = run(bin_folder / "python", "-c", "import hexboard; print(hexboard.__file__)", cwd="/")
    assert where.startswith(str(unpacked.resolve()))
    pytest_ = (bin_folder / "python", "-m", "pytest", "-m", "not browser and not long")
    run(*pytest_, "--collect-only", cwd=unpacked)
    assert " passed" in run(*pytest_, "-v", *FAST, cwd=unpacked).splitlines()[-1]


def listed(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".mpy"
    }

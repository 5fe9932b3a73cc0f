"""The wheel: all it needs travels in it, and it runs from anywhere."""

import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

HERE = Path(__file__).parents[1]
BUILT_FROM = ("controller", "calibration", "firmware", "hardware")


def run(*command: object, cwd: Path) -> str:
    """What a command prints, having ended well."""
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, cwd=cwd, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a venv that has the wheel, and this one's libraries beside it."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    ignore = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in BUILT_FROM:
        shutil.copytree(HERE / name, source / name, ignore=ignore)
    for path in HERE.iterdir():
        if path.suffix in (".toml", ".py", ".md") or path.name == "LICENSE":
            shutil.copy(path, source)
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--wheel-dir", folder, source, cwd=folder)
    (wheel,) = folder.glob("*.whl")
    home = folder / "venv"
    venv.create(home, symlinks=True)
    python = home / "bin" / "python"
    run(*pip, "--python", python, "install", "--no-deps", "--no-index", wheel, cwd=folder)
    libraries = Path(run(python, "-c", PURELIB, cwd=folder).strip())
    # A plain path: the editable hexboard beside those libraries is not found through it.
    (libraries / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return home / "bin"


PURELIB = "import sysconfig; print(sysconfig.get_path('purelib'))"


def test_everything_runs_from_another_folder(installed: Path, tmp_path: Path) -> None:
    hexboard = installed / "hexboard"
    where = "import controller; print(controller.__file__)"
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
            "from controller.files import shipped; print(shipped('boards').parent)",
            cwd=tmp_path,
        ).strip()
    )
    files = sorted(shipped.glob("*/**/*.toml"))
    assert len(files) > 10
    told = run(installed / "hexboard", "check", *files, cwd=tmp_path).splitlines()
    assert len(told) == len(files)


def test_it_carries_every_file_of_firmware_hardware_and_the_page(installed: Path) -> None:
    (carried,) = installed.parent.glob("lib/python*/site-packages/controller")
    assert listed(carried / "shipped" / "firmware") == listed(HERE / "firmware")
    assert listed(carried / "shipped" / "hardware") == listed(HERE / "hardware")
    assert listed(carried / "web" / "static") == listed(HERE / "controller" / "web" / "static")
    mine = {name for name in listed(HERE / "controller") if not name.startswith("shipped/")}
    assert mine <= listed(carried)


def listed(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".mpy"
    }

"""`hexboard update` and `uninstall`: which installer runs, and with what."""

import subprocess
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.running import hexboard

SAYS = 'echo "new: $*"; echo ${0%/*} >&2; exit 3\n'


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment as the installer leaves one, with this hexboard in it."""
    at = tmp_path_factory.mktemp("home") / "hexboard"
    venv.create(at, symlinks=True)
    (at / "lock.txt").touch()
    (at / "bin" / "hexboard").touch()
    (libraries,) = at.glob("lib/python*/site-packages")
    ours = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})"
    (libraries / "ours.pth").write_text(f"{ours}\n", "utf-8")
    return at


def asked(home: Path, *words: object) -> subprocess.CompletedProcess[str]:
    command = [home / "bin" / "python", "-m", "hexboard", *words]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


def test_the_installer_that_comes_with_the_new_one_brings_it(home: Path, tmp_path: Path) -> None:
    """Of a wheel and of a checkout; its exit status is the command's, and no copy of it stays."""
    wheel, checkout = tmp_path / "hexboard-9-py3-none-any.whl", tmp_path / "checkout"
    with ZipFile(wheel, "w") as file:
        file.writestr("hexboard/shipped/hardware/install.sh", SAYS)
    (checkout / "hardware").mkdir(parents=True)
    (checkout / "hardware" / "install.sh").write_text(SAYS, "utf-8")
    for new in (wheel, checkout):
        done = asked(home, "update", new, "--dry-run")
        assert done.stdout == f"new: {new} --no-service --dry-run --venv {home}\n"
        assert done.returncode == 3
        assert not Path(done.stderr.strip()).exists()


def test_what_is_no_hexboard_is_said_to_be_none(home: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello", "utf-8")
    with ZipFile(tmp_path / "other.whl", "w") as file:
        file.writestr("other/__init__.py", "")
    for other in ("notes.txt", "other.whl", "."):
        done = asked(home, "update", tmp_path / other)
        assert done.returncode == 1
        assert "neither a wheel of hexboard nor a checkout" in done.stderr


@pytest.mark.long
@pytest.mark.skipif(not Path("/usr/bin/apt-get").exists(), reason="for Debian")
def test_an_update_adds_no_service_that_was_declined(home: Path) -> None:
    done = asked(home, "update", Path(__file__).parents[2], "--dry-run")
    assert f"hexboard[pi,firmware] from {Path(__file__).parents[2]}" in done.stdout, done.stderr
    assert "whenever the Pi starts" not in done.stdout


@pytest.mark.skipif(not Path("/usr/bin/apt-get").exists(), reason="for Debian")
def test_ours_takes_away_this_hexboard(home: Path) -> None:
    done = asked(home, "uninstall", "--dry-run")
    assert done.stdout.startswith("This would be taken away:")
    assert f"remove {home}\n" in done.stdout
    assert done.returncode == 0


def test_what_the_installer_has_not_made_it_leaves_alone() -> None:
    """A checkout's own environment, or what pip has put somewhere."""
    done = hexboard("uninstall", "--yes")
    assert done.returncode == 1
    assert "hardware/install.sh" in done.stderr

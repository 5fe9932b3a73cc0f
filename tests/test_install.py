"""The installer for a Raspberry Pi: what it says, and that saying is all a dry run does.

That it works from nothing was tried in debootstrap roots of bookworm and trixie (CONTRIBUTING.md).
"""

import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HERE = Path(__file__).parents[1]
SCRIPT = HERE / "hardware" / "install.sh"
LOCK = HERE / "hardware" / "lock.txt"

pytestmark = pytest.mark.skipif(
    not Path("/usr/bin/apt-get").exists(), reason="for Raspberry Pi OS and Debian"
)


def install(*words: object, answer: str = "") -> subprocess.CompletedProcess[str]:
    command = ["sh", str(SCRIPT), *map(str, words)]
    return subprocess.run(
        command, capture_output=True, text=True, input=answer, timeout=60, check=False
    )


@pytest.mark.long
def test_a_dry_run_says_everything_and_does_nothing(tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    told = install("--dry-run", "--venv", venv, "--hostname", "hex-7")
    assert told.returncode == 0, told.stderr
    for words in (
        f"environment in {venv}, which sees the system's packages",
        f"hexboard[pi,firmware] from {HERE}",
        "/dev/hexboard",
        "call this computer hex-7",
    ):
        assert words in told.stdout
    assert not venv.exists()
    assert "vision" in install("--dry-run", "--camera", "--venv", venv).stdout


@pytest.mark.long
def test_without_a_yes_nothing_is_done(tmp_path: Path) -> None:
    for answer in ("", "n\n"):
        told = install("--venv", tmp_path / "venv", answer=answer)
        assert told.returncode == 1
        assert told.stderr == "Nothing was done.\n"
        assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--now",), "There is no option --now."),
        (("/there/is/no.whl",), "There is no /there/is/no.whl."),
    ],
)
def test_what_it_cannot_do_is_said(words: tuple[str, ...], said: str) -> None:
    told = install(*words)
    assert told.returncode
    assert said in told.stderr


def test_help_is_what_stands_at_its_head() -> None:
    told = install("--help").stdout
    assert told.startswith("Install hexboard on a Raspberry Pi")
    assert "--dry-run" in told
    assert "set -eu" not in told


@pytest.mark.parametrize(("python", "lgpio"), [("3.11", True), ("3.12", True), ("3.13", False)])
def test_where_pypi_has_no_lgpio_it_is_the_systems(python: str, lgpio: bool) -> None:
    """Wheels for aarch64 end with cp312; its source wants swig and a C library."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    here = {"python_version": python, "platform_machine": "aarch64"}
    wanted = map(Requirement, project["optional-dependencies"]["pi"])
    names = {one.name for one in wanted if one.marker is None or one.marker.evaluate(here)}
    assert ("lgpio" in names, "rpi-lgpio" in names) == (lgpio, lgpio)
    assert "gpiozero" in names


def test_the_lock_has_a_fitting_version_of_all_that_is_installed() -> None:
    lines = map(Requirement, filter(lambda it: "==" in it, LOCK.read_text("utf-8").splitlines()))
    locked = {canonicalize_name(it.name): next(iter(it.specifier)).version for it in lines}
    project = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["pi"], *extras["firmware"], *extras["vision"]]
    for one in map(Requirement, wanted):
        if one.name != "gpiod":  # for processors that the lock was not made on
            assert locked[canonicalize_name(one.name)] in one.specifier, one


@pytest.mark.parametrize(
    ("new", "status", "stays"), [("exit 0", 0, "new"), ("exit 1", 1, "old"), ("", 1, "old")]
)
def test_an_update_that_does_not_come_up_leaves_the_old_one(
    tmp_path: Path, new: str, status: int, stays: str
) -> None:
    """Of the script alone: a python that is a shell script installs a hexboard that is one."""
    script, venv = SCRIPT.read_text("utf-8"), tmp_path / "hexboard"
    parts = script[script.index("do_pip() {") : script.index("do_link() {")]
    (venv / "bin").mkdir(parents=True)
    write(venv / "bin" / "hexboard", "echo old")
    brought = f"#!/bin/sh\\n# new\\n{new or 'nonsense'}\\n"
    write(venv / "bin" / "python", f"printf '{brought}' >{venv}/bin/hexboard")
    head = f"venv={venv} extras=pi source=hexboard here={tmp_path}\n"
    head += 'say() { echo "$*"; }; fail() { say "$*" >&2; exit 1; }; as_user() { "$@"; }\n'
    done = subprocess.run(
        ["sh", "-eu", "-c", f"{head}{parts}\ndo_update"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stderr
    kept = (venv / "bin" / "hexboard").read_text("utf-8")
    assert ("# new" in kept) == (stays == "new")
    assert not (tmp_path / "hexboard.before").exists()
    assert ("the one before is back" in done.stderr) == (status == 1)


def write(at: Path, lines: str) -> None:
    """A shell script."""
    at.write_text(f"#!/bin/sh\n{lines}\n", "utf-8")
    at.chmod(0o755)

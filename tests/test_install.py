"""The installer for a Raspberry Pi: what it says, and that saying is all a dry run does.

That it works from nothing was tried in debootstrap roots of bookworm and trixie (CONTRIBUTING.md).
"""

import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

HERE = Path(__file__).parents[1]
SCRIPT = HERE / "hardware" / "install.sh"

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

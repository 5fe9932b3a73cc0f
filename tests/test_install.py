"""The installer for a Raspberry Pi: what it says, and that saying is all a dry run does.

That it works from nothing is shown by `make test-install`.
"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HERE = Path(__file__).parents[1]
HARDWARE = HERE / "hardware"
SCRIPT = HARDWARE / "install.sh"

pytestmark = pytest.mark.skipif(
    not Path("/usr/bin/apt-get").exists(), reason="for Raspberry Pi OS and Debian"
)


def install(
    *words: object, answer: str = "", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    command = ["sh", str(SCRIPT), *map(str, words)]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        input=answer,
        timeout=60,
        check=False,
        env=environment,
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
@pytest.mark.parametrize("source", ["checkout", "wheel"])
def test_a_service_that_nobody_changed_is_brought_up_to_date(tmp_path: Path, source: str) -> None:
    venv, unit = tmp_path / "hexboard", tmp_path / ".config/systemd/user/hexboard.service"
    shipped = "hexboard/shipped/hardware/hexboard.service"
    old, new = "[Service]\nExecStart=%h/x run\n", "[Service]\nExecStart=%h/x run\nNice=1\n"
    brought = venv / "lib/python3.11/site-packages" / shipped
    for folder in (venv / "bin", unit.parent, brought.parent, tmp_path / "new/hardware"):
        folder.mkdir(parents=True)
    write(venv / "bin" / "hexboard", "")
    brought.write_text(old, "utf-8")
    (tmp_path / "new/hardware/hexboard.service").write_text(new, "utf-8")
    with ZipFile(tmp_path / "new.whl", "w") as wheel:
        wheel.writestr(shipped, new)
    write(tmp_path / "getent", f"[ $1 = passwd ] && echo x:x:0:0::{tmp_path}:/bin/sh")
    write(tmp_path / "dpkg-query", "echo install ok installed")
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    at = tmp_path / ("new" if source == "checkout" else "new.whl")

    def planned() -> str:
        words = ("--dry-run", "--no-service", "--venv", venv, at)
        return install(*words, environment={**os.environ, **path}).stdout

    step, stays = f"bring its service up to date ({unit})", "is not as hexboard brought it"
    assert step not in planned()  # nobody who declined a service gets one
    assert stays not in planned()
    here = f"[Service]\nExecStart={venv}/bin/hexboard run\n"
    for text, is_step, is_said in (
        (here, True, False),
        (f"{here}Nice=1\n", False, False),
        (f"{here}Nice=9\n", False, True),
        (here.replace("run", "run --front"), False, True),
    ):
        unit.write_text(text, "utf-8")
        told = planned()
        assert (step in told, stays in told) == (is_step, is_said), text
        assert unit.read_text("utf-8") == text
    done = re.findall(r"^do_unit\(\) \{.*?^\}", SCRIPT.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    own = f"as_user() {{ \"$@\"; }}; lives() {{ false; }}; unit={unit} new='{here}Nice=1'\n"
    subprocess.run(["sh", "-eu", "-c", f"{own}{done[0]}\ndo_unit"], check=True)
    assert unit.read_text("utf-8") == f"{here}Nice=1\n"


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


FROM_SOURCE = {"cobs"}
"""What has no wheel: the installer builds it, with the setuptools of the lock."""


def locked(*names: str) -> dict[str, list[Requirement]]:
    """What each of these locks has of a package; there may be one version for each Python."""
    found: dict[str, list[Requirement]] = {}
    for name in names:
        lines = (HARDWARE / name).read_text("utf-8").replace("\\\n", "").splitlines()
        for line in (line for line in lines if not line.lstrip().startswith("#")):
            text, *hashes = line.split("--hash=")
            assert hashes, line
            assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", it.strip()) for it in hashes), line
            found.setdefault((one := Requirement(text)).name, []).append(one)
    return found


def pi(python: str) -> dict[str, str]:
    """What markers ask of a Pi with 64 bit."""
    return {
        "python_version": python,
        "python_full_version": f"{python}.2",
        "platform_machine": "aarch64",
        "sys_platform": "linux",
    }


@pytest.mark.parametrize("python", ["3.11", "3.13"])
def test_the_lock_has_one_fitting_version_of_all_that_is_installed(python: str) -> None:
    project = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))
    extras = project["project"]["optional-dependencies"]
    without = [*project["project"]["dependencies"], *extras["pi"], *extras["firmware"]]
    builds = project["build-system"]["requires"]
    for wanted, locks in (
        ([*without, *builds], ["lock.txt"]),
        (extras["vision"], ["lock-camera.txt"]),
    ):
        lock = locked(*locks)
        for one in map(Requirement, wanted):
            if one.marker is None or one.marker.evaluate(pi(python)):
                has = lock[canonicalize_name(one.name)]
                (fits,) = [it for it in has if it.marker is None or it.marker.evaluate(pi(python))]
                assert next(iter(fits.specifier)).version in one.specifier, one
    assert not locked("lock.txt").keys() & locked("lock-camera.txt").keys()


@pytest.mark.long
@pytest.mark.parametrize(("python", "glibc"), [("3.11", "36"), ("3.13", "40")])
def test_all_of_the_lock_is_to_be_had_for_a_pi(python: str, glibc: str, tmp_path: Path) -> None:
    """As pip's foreign twin resolves it, hashes and all, for bookworm and for trixie."""
    names = ("lock.txt", "lock-camera.txt")
    wheels = [f"--only-binary={name}" for name in locked(*names) if name not in FROM_SOURCE]
    locks = [f"--requirements={HARDWARE / name}" for name in names]
    platform = f"--python-platform=aarch64-manylinux_2_{glibc}"
    target = ["--target", str(tmp_path), f"--python-version={python}", platform]
    uv = [str(Path(sys.executable).with_name("uv")), "pip", "install", "--dry-run"]
    command = [*uv, "--no-config", "--require-hashes", *target, *wheels, *locks]
    told = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert told.returncode == 0, told.stderr
    brought = {
        line[3:].partition("==")[0] for line in told.stderr.splitlines() if line[:3] == " + "
    }
    assert brought == {
        name
        for name, versions in locked(*names).items()
        if any(it.marker is None or it.marker.evaluate(pi(python)) for it in versions)
    }


def scripted(head: str, tail: str, python: str) -> subprocess.CompletedProcess[str]:
    """The part of the script that installs, in a folder `venv` that `head` names, whose python is a
    shell script."""
    script = SCRIPT.read_text("utf-8")
    parts = script[script.index("do_pip() {") : script.index("do_link() {")]
    own = 'say() { echo "$*"; }; fail() { say "$*" >&2; exit 1; }; as_user() { "$@"; }\n'
    venv = Path(re.findall(r"venv=(\S+)", head)[0])
    (venv / "bin").mkdir(parents=True)
    write(venv / "bin" / "hexboard", "echo old http://here")
    write(venv / "bin" / "python", python)
    head += f" extras=pi camera=false source=/a/hexboard parts={HARDWARE}\n"
    command = ["sh", "-eu", "-c", f"{head}{own}{parts}\n{tail}"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("architecture", "hashed"), [("arm64", True), ("amd64", True), ("armhf", False)]
)
def test_on_64_bit_no_library_comes_without_its_hash(
    tmp_path: Path, architecture: str, hashed: bool
) -> None:
    """Whatever pip answers: it is not asked for a version that nobody has tested."""
    head = f"dpkg() {{ echo {architecture}; }}; venv={tmp_path / 'venv'}"
    refused = 'echo "$*"; case $* in *versions*|*/all*) exit 1;; esac'
    told = scripted(head, "do_pip", refused)
    calls = [line for line in told.stdout.splitlines() if line.startswith("-m pip install")]
    assert "--require-hashes" in calls[0]
    assert len(calls) == (2 if hashed else 4)
    assert all("--require-hashes" in call for call in calls[1:]) == hashed
    assert ("nobody has tested" in told.stdout) != hashed
    assert bool(told.returncode) == hashed


@pytest.mark.long
def test_a_library_that_is_another_file_is_refused(tmp_path: Path) -> None:
    """By pip itself: h11 with the hash of something else."""
    text = (HARDWARE / "lock.txt").read_text("utf-8")
    (setuptools,) = re.findall(r"^setuptools==.*?[^\\]$", text, re.DOTALL | re.MULTILINE)
    version = next(iter(locked("lock.txt")["h11"][0].specifier)).version
    lock = f"{setuptools}\nh11=={version} \\\n    --hash=sha256:{'0' * 64}\n"
    (tmp_path / "lock.txt").write_text(lock, "utf-8")
    (tmp_path / "venv").mkdir()
    real = f'exec {sys.executable} "$@" --target {tmp_path / "libraries"}'
    head = f"dpkg() {{ echo arm64; }}; venv={tmp_path / 'venv' / 'of'}"
    told = scripted(head, f"parts={tmp_path}; do_pip", real)
    assert told.returncode
    assert "DO NOT MATCH THE HASHES" in told.stderr
    assert not (tmp_path / "libraries" / "h11").exists()


@pytest.mark.parametrize(
    ("new", "status", "stays"),
    [
        ("echo http://here", 0, "new"),
        ("case $* in *fast*) exit 0;; *) exit 1;; esac", 1, "old"),  # it serves no page
        ("exit 1", 1, "old"),
        ("", 1, "old"),
    ],
)
def test_an_update_that_does_not_come_up_leaves_the_old_one(
    tmp_path: Path, new: str, status: int, stays: str
) -> None:
    """Of the script alone: a python that is a shell script installs a hexboard that is one."""
    venv = tmp_path / "hexboard"
    brought = f"#!/bin/sh\\n# new\\n{new or 'nonsense'}\\n"
    python = f"printf '{brought}' >{venv}/bin/hexboard"
    done = scripted(f"venv={venv}", "do_update", python)
    assert done.returncode == status, done.stderr
    kept = (venv / "bin" / "hexboard").read_text("utf-8")
    assert ("# new" in kept) == (stays == "new")
    assert not (tmp_path / "hexboard.before").exists()
    assert ("the one before is back" in done.stderr) == (status == 1)


def test_the_board_that_an_update_tries_does_not_go_on_after_it(tmp_path: Path) -> None:
    """It would keep the broker's connection of the board that people play on."""
    venv, pid = tmp_path / "hexboard", tmp_path / "pid"
    brief = "case $* in *fast*|--version) exit 0;; esac"
    page = f"{brief}; echo http://here; echo $$ >{pid}; exec sleep 60"
    done = scripted(f"venv={venv}", "do_update", f"echo '{page}' >{venv}/bin/hexboard")
    assert done.returncode == 0, done.stderr
    assert not Path("/proc", pid.read_text("utf-8").strip()).exists()


@pytest.mark.long
@pytest.mark.parametrize(
    "settings", ['game = "hexalma"', 'board = "hexhex-5"', "brightness = 300", "nonsense"]
)
def test_an_update_comes_up_whatever_stands_in_the_settings(tmp_path: Path, settings: str) -> None:
    """hexboard itself, in the home of somebody who has settings."""
    venv, own = tmp_path / "hexboard", tmp_path / "config" / "hexboard"
    own.mkdir(parents=True)
    (own / "settings.toml").write_text(f"{settings}\n", "utf-8")
    head = f"export XDG_CONFIG_HOME={tmp_path / 'config'}; venv={venv}"
    brought = f'exec {sys.executable} -m hexboard \\"\\$@\\"'
    done = scripted(head, "do_update", f'echo "{brought}" >{venv}/bin/hexboard')
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_link_that_leads_nowhere_is_no_hindrance(tmp_path: Path) -> None:
    """Somebody took the folder away by hand, and installs into another one."""
    there = tmp_path / ".local" / "bin" / "hexboard"
    there.parent.mkdir(parents=True)
    there.symlink_to(tmp_path / "gone")
    link = re.findall(r"^do_link\(\) \{.*?^\}", SCRIPT.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    own = f'as_user() {{ "$@"; }}; home={tmp_path} venv={tmp_path / "venv"}\n{link[0]}\ndo_link'
    subprocess.run(["sh", "-eu", "-c", own], check=True)
    assert there.readlink() == tmp_path / "venv" / "bin" / "hexboard"


def test_an_update_that_was_cut_off_is_undone_before_the_next(tmp_path: Path) -> None:
    """The power went while pip was at it; the next has no network, and fails."""
    venv, before = tmp_path / "hexboard", tmp_path / "hexboard.before"
    (before / "bin").mkdir(parents=True)
    write(before / "bin" / "hexboard", "echo good")
    write(before / "bin" / "python", "exit 1")
    done = scripted(f"venv={venv}", "rm $venv/bin/hexboard; do_update", "exit 1")
    assert done.returncode == 1, done.stderr
    assert "echo good" in (venv / "bin" / "hexboard").read_text("utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["hexboard"]


def test_an_update_that_was_cut_off_while_it_copied_hurts_nobody(tmp_path: Path) -> None:
    (tmp_path / "hexboard.copying" / "bin").mkdir(parents=True)
    venv = tmp_path / "hexboard"
    done = scripted(f"venv={venv}", "do_update", "exit 1")
    assert "the one before is back" in done.stderr
    assert "echo old" in (venv / "bin" / "hexboard").read_text("utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["hexboard"]


@pytest.mark.parametrize(
    ("full", "said"),
    [
        (
            "df() { printf 'Filesystem\\n/dev/x 9 9 90000 99%% /\\n'; }",
            "90 MB are free, 100 are wanted",
        ),
        ("cp() { mkdir $3; return 1; }", "could not be copied"),
    ],
)
def test_an_update_on_a_full_card_leaves_all_as_it_was(
    tmp_path: Path, full: str, said: str
) -> None:
    venv = tmp_path / "hexboard"
    done = scripted(f"{full}; venv={venv}", "do_update", "exit 0")
    assert done.returncode == 1
    assert said in done.stderr
    assert "stays as it is" in done.stderr
    assert "echo old" in (venv / "bin" / "hexboard").read_text("utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["hexboard"]


@pytest.mark.long
def test_that_an_update_was_cut_off_is_said_and_what_stands_is_what_was_before(
    tmp_path: Path,
) -> None:
    """Of `.before`, which has what a camera needs, not of the half one beside it."""
    before = tmp_path / "hexboard.before"
    (before / "bin").mkdir(parents=True)
    (before / "lib/python3.11/site-packages/cv2").mkdir(parents=True)
    (before / "pyvenv.cfg").write_text("include-system-site-packages = true\n", "utf-8")
    write(before / "bin" / "hexboard", "echo good")
    told = install("--dry-run", "--venv", tmp_path / "hexboard").stdout
    assert "  - put back the hexboard of before in " in told
    assert f"  - bring hexboard[pi,firmware,vision] in {tmp_path / 'hexboard'} up to date" in told
    assert "make a Python environment" not in told
    assert before.exists()


def write(at: Path, lines: str) -> None:
    """A shell script."""
    at.write_text(f"#!/bin/sh\n{lines}\n", "utf-8")
    at.chmod(0o755)

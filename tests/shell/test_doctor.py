"""`hexboard doctor`: what is good, what is not, and what mends it, on computers of all kinds."""

import errno
import grp
import io
import json
import os
import re
import shutil
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from msgspec.structs import replace

from hexboard.board import find, load
from hexboard.commands.doctor import computer, matches
from hexboard.commands.doctor.computer import others
from hexboard.commands.doctor.pi import fleeting, starting, worn
from hexboard.commands.files import misnamed
from hexboard.daemon.lock import lock
from hexboard.record.journal import Journal
from hexboard.record.recording import Recorder, read
from hexboard.record.schemas import schemas
from hexboard.simulator.twin import Twin
from hexboard.words.errors import BadRecording
from tests.benchmarks.flips import Played
from tests.cli import invoke
from tests.running import Running, eventually, hexboard

BOARD = load(find("hextraction-22", []))
PINS = """
schema = "hexboard/board-1"
name = "pins"
title = "A button on the Pi itself"
shape = "hexhex-2"
pitch_mm = 40.0

[[sensors]]
kind = "button"
source = "gpio"
at = ["end"]
inputs = [17]
"""
Doctor = Callable[..., dict[str, list[dict[str, str]]]]


@pytest.fixture
def doctor(home: Path, tmp_path: Path) -> Doctor:
    """`doctor(*arguments)` gives what is found, by check; "status" is the exit status."""

    def run(*arguments: object) -> dict[str, list[dict[str, str]]]:
        words = ("--home", home, "doctor", "--json", "--state", tmp_path / "state", *arguments)
        done = invoke(*words)
        told: dict[str, Any] = json.loads(done.stdout)
        assert told["good"] == (done.exit_code == 0)
        found: dict[str, list[dict[str, str]]] = {}
        for one in told["checks"]:
            found.setdefault(one["check"], []).append(one)
        return found

    return run


def test_a_simulated_board_is_well_from_the_start(home: Path, tmp_path: Path) -> None:
    done = hexboard("--home", home, "doctor", "--simulate", "--state", tmp_path / "state")
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    assert "ok    board        hextraction-22: 136 sensors, 132 lights." in lines
    assert "ok    sensors      None of 136 is active." in lines
    assert "look  calibration  sensors: not calibrated yet: hexboard calibrate sensors" in lines
    assert lines[-1] == "It can be played; 1 thing to look at."
    assert not (tmp_path / "state").exists()  # it changes nothing


LOCK = """\
# by uv
click==8.1.0 \\
    --hash=sha256:00 \\
    --hash=sha256:11
lgpio==0.2.2.0 ; python_full_version < '3.13' and platform_machine == 'aarch64' \\
    --hash=sha256:22
numpy==2.4.6 ; python_full_version < '3.12' \\
    --hash=sha256:33
numpy==2.5.5 ; python_full_version >= '3.12' \\
    --hash=sha256:44
pyserial==3.5
"""


@pytest.mark.parametrize(
    ("there", "told"),
    [
        ({"click": "8.1.0", "numpy": "2.5.5", "pyserial": "3.5"}, []),
        ({"click": "8.1", "pyserial": "3.5"}, ["click 8.1 (8.1.0)"]),
        ({"click": "8.1.0", "numpy": "2.6.0"}, ["numpy 2.6.0 (2.4.6 / 2.5.5)"]),
    ],
)
def test_libraries_are_compared_with_the_lock(there: dict[str, str], told: list[str]) -> None:
    assert others(LOCK, lambda name: there.get(name, "")) == told


@pytest.mark.long
def test_a_library_that_came_in_another_version_is_named(
    doctor: Doctor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "libraries" not in doctor("--simulate")  # pip brought it: no lock is there
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    (tmp_path / "lock.txt").write_text("click==0.1 \\\n    --hash=sha256:00\n", "utf-8")
    (one,) = doctor("--simulate")["libraries"]
    assert one["state"] == "look"
    assert re.search(r"1 library is not .*: click 8[.0-9]+ \(0\.1\)$", one["said"])
    (tmp_path / "lock.txt").write_text("no-such==1.0\n", "utf-8")
    assert doctor("--simulate")["libraries"][0]["state"] == "good"


def test_where_nothing_is_plugged_in_it_says_what_to_do(doctor: Doctor, home: Path) -> None:
    (home / "settings.toml").write_text('[link]\nport = "/dev/no-such"\n', "utf-8")
    (pico,) = doctor()["pico"]
    assert pico["state"] == "mend"
    assert pico["said"] == "no board on /dev/no-such: is its USB cable in?"


@pytest.mark.long
def test_a_pico_of_another_board_and_a_sensor_that_is_active(doctor: Doctor, home: Path) -> None:
    with Twin(20, 132) as twin:
        (home / "settings.toml").write_text(f'[link]\nport = "{twin.port}"\n', "utf-8")
        twin.drive(b"\2\0\0")
        found = doctor()
        twin.chain(right=False)
        (broken,) = doctor()["sensors"]
    assert [one["state"] for one in found["pico"]] == ["good", "mend"]
    assert found["pico"][1]["said"].startswith("the board file names input 135, the board on ")
    named = next(sensor.id for sensor in BOARD.sensors if sensor.input == 1)
    (sensors,) = found["sensors"]
    assert (sensors["state"], sensors["said"]) == ("look", f"Active: {named}.")
    assert broken["said"].startswith("The sensor chain does not answer: ")


def test_every_file_with_a_mistake_is_named_and_the_rest_is_looked_at(
    doctor: Doctor, home: Path
) -> None:
    (home / "settings.toml").write_text("settle_ms = 200\nbord = 1\n[web]\nprt = 2\n", "utf-8")
    (home / "boards").mkdir()
    (home / "boards" / "mine.toml").write_text("pitch_mm = ", "utf-8")
    found = doctor()
    board, settings = found["files"]
    assert "mine.toml: not valid TOML: " in board["said"]
    assert "settings.toml:2: bord: unknown key." in settings["said"]
    assert settings["said"].endswith(" And 1 more.")
    assert settings["todo"].endswith(
        f"hexboard check {home / 'settings.toml'} shows every mistake."
    )
    assert found["board"][0]["state"] == "mend"
    assert found["clock"]


@pytest.mark.parametrize("name", ["boards/B1.toml", "tiles/T1.toml", "tiles/J.toml"])
def test_a_board_or_a_tile_may_be_called_in_capitals(home: Path, name: str) -> None:
    assert misnamed(home / name, home) == ""


def test_files_whose_names_nothing_reads_are_named(doctor: Doctor, home: Path) -> None:
    """As Windows and its disks call them: the settings did not count, and nobody heard of it."""
    wrong = {
        "settings.toml.txt": "settings.toml",
        "boards/HEXCASE.TOML": "hexcase.toml",
        "boards/B2.toml.txt": "B2.toml",
        "locale/NL.toml": "nl.toml",
        "tiles/Zed.TOML": "Zed.toml",
        "calibration/HEXHEX-5.JSON": "hexhex-5.json",
        "questions/who.sql.txt": "who.sql",
    }
    for name in (*wrong, "tiles/notes.txt", "calibration/mine.json", "cards.toml.bak"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).touch()
    settings = (home / "settings.toml").replace(home / "settings.toml.txt")
    said = {it["said"] for it in doctor("hexhex-5")["files"]}
    assert said == {
        f"{home / name}: nothing reads a file of this name. Call it {right}."
        for name, right in wrong.items()
    }
    shutil.copy(settings, home / "settings.toml")  # then the other one is a copy
    assert len(doctor("hexhex-5")["files"]) == len(wrong) - 1


@pytest.mark.parametrize(
    ("says", "words"),
    [("yes", "kept right by a time server"), ("no", "no time server has been heard")],
)
def test_a_clock_that_another_program_keeps_is_kept(
    doctor: Doctor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str, words: str
) -> None:
    """chrony and ntpd: systemd-timesyncd's own file is not there."""
    program = tmp_path / "bin" / "timedatectl"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\n[ "$*" = "show -p NTPSynchronized --value" ] && echo {says}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    monkeypatch.setattr(computer, "SYNCHRONIZED", tmp_path / "none")
    monkeypatch.setattr(computer, "SYSTEMD", tmp_path)
    assert words in doctor("--simulate")["clock"][0]["said"]


def test_a_journal_is_looked_at_and_left_as_it_is(doctor: Doctor, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    journal = Journal(folder / "hextraction.db")
    journal.begin("m1", b"{}")
    journal.commit("m1", 0, ["a", "b"], "p")
    before = _sums(folder)
    (said,) = doctor("hexhex-4")["journal"]
    assert said["said"] == "hextraction.db is as it was written; m1 goes on after 2 entries."
    assert _sums(folder) == before  # its write-ahead log, too
    journal.close()
    data = (folder / "hextraction.db").read_bytes()
    (folder / "hextraction.db").write_bytes(data.replace(b"m1", b"m3"))
    before = _sums(folder)
    (said,) = doctor("hexhex-4")["journal"]
    assert said["state"] == "mend"
    assert str(folder / "hextraction.db") in said["said"]
    assert said["todo"].startswith("hexboard run makes it again from the recordings")
    assert _sums(folder) == before


def test_a_journal_that_may_only_be_read_is_not_called_good(
    doctor: Doctor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    path = folder / "hextraction.db"
    Journal(path).close()
    denied(monkeypatch, path, os.O_RDWR)
    (said,) = doctor("hexhex-4")["journal"]
    assert said["state"] == "mend"
    assert str(path) in said["said"]
    assert "Permission denied" in said["said"]
    assert said["todo"].endswith(f" {folder}")
    with pytest.raises(BadRecording, match="Permission denied") as told:
        Journal(path)
    assert told.value.message.key == "journal.unreadable"


def test_what_this_user_may_not_read_is_named_and_the_rest_is_looked_at(
    doctor: Doctor, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, closed = home / "boards" / "mine.toml", home / "tiles"
    board.parent.mkdir()
    closed.mkdir()
    board.write_text("", "utf-8")
    (tmp_path / "state" / "lock").mkdir(parents=True)  # it cannot be opened, as root neither
    calibrated = home / "calibration" / "hexhex-4.sensors.json"
    barred = {board: "open", closed: "scandir", calibrated.parent / "camera.json": "stat"}
    for path, name in barred.items():
        bar(monkeypatch, path, name)
    (home / "settings.toml").write_text('[camera]\nsource = "/dev/video9"\n', "utf-8")
    found = doctor("hexhex-4")
    named = [it["said"] for it in found["files"]]
    assert [str(it) in said for it, said in zip((closed, board), named, strict=True)] == [True] * 2
    assert all("Permission denied" in said for said in named)
    assert found["files"][0]["todo"].startswith("Was hexboard once started by another user")
    assert found["files"][0]["todo"].endswith(f" {home}")
    assert found["devices"][0]["state"] == "mend"
    assert str(tmp_path / "state" / "lock") in found["devices"][0]["said"]
    assert found["calibration"][-1]["state"] == "mend"
    assert found["space"]
    assert found["clock"]


def test_settings_in_a_folder_that_is_closed_to_this_user_are_told(
    doctor: Doctor, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bar(monkeypatch, home / "settings.toml", "stat")
    bar(monkeypatch, home / "settings.toml", "lstat")
    bar(monkeypatch, home / "settings.toml", "open")
    found = doctor("hexhex-4")
    assert found["board"][0]["state"] == "mend"
    assert "Permission denied" in found["board"][0]["said"]
    assert found["clock"]


def test_keys_to_the_page_that_this_user_may_not_read_are_named(
    doctor: Doctor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    for name in ("token", "phones.json"):
        (folder / name).touch()
        bar(monkeypatch, folder / name, "open")
        said = doctor("hexhex-4")["keys"][-1]
        assert said["state"] == "mend"
        assert str(folder / name) in said["said"]
        assert said["todo"].endswith(f" {folder}")


def test_damaged_keys_of_phones_are_named_before_they_are_replaced(
    doctor: Doctor, tmp_path: Path
) -> None:
    file = tmp_path / "state" / "phones.json"
    file.parent.mkdir()
    file.write_text('[{"id":"x","seats":[0],"na')
    (said,) = doctor("hexhex-4")["keys"]
    assert said["state"] == "mend"
    assert said["said"] == f"{file} is damaged: nobody's phone would have its seat any more."


def bar(patch: pytest.MonkeyPatch, path: Path, name: str) -> None:
    """The system refuses this user a call about `path`: `os.` and that name, or to open it."""
    of: Any = io if name == "open" else os
    healthy = getattr(of, name)

    def barring(file: Any, *rest: Any, **named: Any) -> Any:
        if str(file) == str(path):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return healthy(file, *rest, **named)

    patch.setattr(of, name, barring)


def denied(patch: pytest.MonkeyPatch, path: Path, flags: int = 0) -> None:
    """This user may not open `path`, with such `flags` at least."""
    healthy = os.open

    def denying(file: Any, mode: int, *rest: Any, **named: Any) -> int:
        if str(file) == str(path) and mode & flags == flags:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return healthy(file, mode, *rest, **named)

    patch.setattr(os, "open", denying)


def _sums(folder: Path) -> dict[str, str]:
    return {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def test_a_board_that_is_being_run_keeps_its_devices(doctor: Doctor, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    with lock(folder / "lock", "hextraction-22"):
        found = doctor()
    assert f"(process {os.getpid()})" in found["devices"][0]["said"]
    assert "pico" not in found


def test_a_folder_that_cannot_be_written_and_crashes_are_told(
    doctor: Doctor, tmp_path: Path
) -> None:
    (space,) = doctor("hexhex-4", "--state", "/proc/1/state")["space"]
    assert (space["state"], space["said"].split(" (")[0]) == ("mend", "/proc/1 cannot be written")
    assert space["todo"].startswith("Have /proc/1/state made")  # nobody gives /proc/1 away
    recordings = tmp_path / "state" / "recordings"
    recordings.mkdir(parents=True)
    for number in (1, 2):
        (recordings / f"{number}.crash.txt").write_text("", "utf-8")
        os.utime(recordings / f"{number}.crash.txt", (number, number))
    (crashes,) = doctor("hexhex-4")["crashes"]
    assert crashes["said"].startswith("2 crashes")
    assert crashes["said"].endswith("2.crash.txt.")


@pytest.mark.long
def test_a_state_folder_whose_disk_is_not_there_is_told_by_the_doctor_and_by_run(
    doctor: Doctor, home: Path, tmp_path: Path
) -> None:
    link, disk = tmp_path / "kept", tmp_path / "disk" / "hexboard"
    link.symlink_to(disk)
    said = f"{link} is a link to {disk}, which is not there"
    for state in (link, link / "hexhex-4"):
        (space,) = doctor("hexhex-4", "--state", state)["space"]
        assert (space["state"], space["said"][: len(said)]) == ("mend", said)
        asked = ("--home", home, "run", "hexhex-4", "--simulate", "--port", 0, "--state", state)
        done = invoke(*asked)
        assert done.exit_code == 1
        assert done.stderr.startswith(f"{said}. Is the disk plugged in")
    disk.mkdir(parents=True)
    assert doctor("hexhex-4", "--state", link)["space"][0]["state"] != "mend"


MOUNTS = """\
22 1 179:2 / / rw,noatime shared:1 - {} rw{}
30 22 0:30 / /home rw - tmpfs tmpfs rw
31 22 179:3 / /home/pi/the\\040disk rw - ext4 /dev/sda1 rw
"""
UPPER = ",lowerdir=/lower,upperdir={},workdir=/work"


@pytest.mark.parametrize(
    ("root", "options", "folder", "kind"),
    [
        ("ext4", "", "/srv/state", None),
        ("ext4", "", "/home/pi/state", "tmpfs"),
        ("ext4", "", "/home/pi/the disk/state", None),
        ("overlay", UPPER.format("/media/root-rw/overlay"), "/srv/state", "overlay"),
        ("overlay", UPPER.format("/var/lib/docker/overlay2/1f/diff"), "/srv/state", None),
    ],
)
def test_matches_that_lie_in_memory_are_told(
    root: str,
    options: str,
    folder: str,
    kind: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As the kernel tells what is mounted: on a Pi whose root was made read-only, too."""
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/mountinfo").write_text(MOUNTS.format(root, options))
    monkeypatch.setattr(Path, "exists", lambda path: True)
    found = list(fleeting(Path(folder), tmp_path))
    assert [one.state for one in found] == ["look"] * (kind is not None)
    assert all(f"{folder} is in memory ({kind})" in one.said for one in found)


def test_a_group_that_came_after_the_program_began_is_told(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first group of the system stands for one of dialout, gpio, spi, video."""
    assert "groups" not in doctor("hexhex-4")
    have = os.getgroups()
    other = next(it for it in grp.getgrall() if it.gr_gid not in (*have, os.getgid()))
    monkeypatch.setattr(os, "getgrouplist", lambda *_: [*have, other.gr_gid])
    (told,) = doctor("hexhex-4")["groups"]
    assert (told["state"], other.gr_name in told["said"]) == ("look", True)
    assert "Restart" in told["todo"]


VCGENCMD = "#!/bin/sh\necho throttled={:#x}\n"
THROTTLED = [
    (0x0, ["good"], "The supply holds"),
    (0x50005, ["mend"], "voltage was too low"),
    (0x50000, ["mend"], "voltage was too low"),
    (0x80008, ["look"], "too hot"),
    (0x20002, ["good"], "The supply holds"),
    (-1, ["look"], "does not tell"),  # /dev/vcio is not for this user
]
"""What the Pi's `vcgencmd get_throttled` answers: bit 0 low voltage, 3 soft heat limit, 16 bits
higher the same since its start (the Raspberry Pi's documentation of vcgencmd)."""


@pytest.mark.parametrize(("bits", "states", "words"), THROTTLED)
def test_what_a_pi_says_of_its_power(
    bits: int,
    states: list[str],
    words: str,
    doctor: Doctor,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = tmp_path / "bin" / "vcgencmd"
    program.parent.mkdir()
    program.write_text(VCGENCMD.format(bits) if bits >= 0 else "#!/bin/sh\nexit 255\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    power = doctor("hexhex-4")["power"]
    assert [one["state"] for one in power] == states
    assert words in power[0]["said"]


@pytest.mark.long
def test_a_package_that_lacks_is_named(home: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    info = site / "hexboard-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: hexboard\nVersion: 0.1.0\nRequires-Dist: no-such-package\n"
    )
    done = hexboard(
        "--home", home, "doctor", "--simulate", env={**os.environ, "PYTHONPATH": str(site)}
    )
    assert done.returncode == 1
    assert "MEND  program      hexboard 0.1.0 requires no-such-package" in done.stdout


def test_a_camera_that_is_not_there_is_told(doctor: Doctor, home: Path) -> None:
    (home / "settings.toml").write_text('[camera]\nsource = "http://127.0.0.1:9/"\n', "utf-8")
    (camera,) = doctor()["camera"]
    assert camera["state"] == "mend"
    assert "127.0.0.1:9" in camera["said"]


def test_pins_are_opened_as_run_opens_them(doctor: Doctor, home: Path) -> None:
    """No machine that tests has a Raspberry Pi's pins."""
    (home / "boards").mkdir()
    (home / "boards" / "pins.toml").write_text(PINS, "utf-8")
    (pins,) = doctor("pins")["gpio"]
    assert pins["state"] == "mend"
    assert pins["said"].startswith("this computer has no GPIO pins: ")


def test_where_phones_may_come_it_is_said_whether_they_find_the_name(
    doctor: Doctor, home: Path
) -> None:
    """Nobody answers for names where tests run."""
    (home / "settings.toml").write_text("[web]\nlan = true\n", "utf-8")
    (network,) = doctor("hexhex-4")["network"]
    assert network["state"] == "look"
    assert network["said"].endswith("sudo apt install avahi-daemon")


@pytest.mark.long
def test_where_the_firmware_cannot_be_simulated_the_rest_is_looked_at(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def openpty() -> None:
        raise OSError("out of pty devices")  # as in a bare root without /dev/pts

    monkeypatch.setattr("pty.openpty", openpty)
    found = doctor("--simulate")
    assert [(one["state"], one["said"]) for one in found["pico"]] == [
        ("mend", "out of pty devices")
    ]
    assert found["clock"]


def test_what_a_card_has_borne_is_told(tmp_path: Path) -> None:
    """Folders as the kernel has them: a card of 32 GB, a part of it with ext4, and an eMMC."""
    disk, devices = tmp_path / "sys/devices/mmcblk0", tmp_path / "sys/dev/block"
    part, counts = disk / "mmcblk0p2", tmp_path / "sys/fs/ext4/mmcblk0p2"
    for folder in (part, devices, counts, disk / "device"):
        folder.mkdir(parents=True)
    (devices / "179:2").symlink_to(part)
    (part / "partition").write_text("2\n")
    (disk / "size").write_text(f"{32 * 10**9 // 512}\n")
    (counts / "errors_count").write_text("0\n")
    (counts / "lifetime_write_kbytes").write_text(f"{2 * 10**9 // 1024 + 1}\n")
    (fine,) = worn(tmp_path, "179:2")
    assert (fine.state, fine.said) == ("good", "2.0 GB were ever written to mmcblk0p2; no error.")
    (counts / "lifetime_write_kbytes").write_text(f"{32 * 600 * 10**9 // 1024}\n")
    (much,) = worn(tmp_path, "179:2")
    assert much.state == "look"
    assert "(32.0 GB) has been written over some 600 times" in much.said
    (disk / "device" / "life_time").write_text("0x0a 0x03\n")
    (old,) = worn(tmp_path, "179:2")
    assert "mmcblk0 says that 100 % of its life" in old.said
    (counts / "errors_count").write_text("3\n")
    assert [one.state for one in worn(tmp_path, "179:2")] == ["mend", "look"]
    assert list(worn(tmp_path, "0:52")) == []  # no disk: a folder in memory, or of another computer


STRIP = BOARD.strip
CONFIGS = [
    ("pico", "Raspberry Pi 4 Model B Rev 1.4", "", "", None),
    ("spi", "Raspberry Pi 5 Model B Rev 1.0", "dtparam=spi=on\n", "", []),
    ("spi", "Raspberry Pi 5 Model B Rev 1.0", "#dtparam=spi=on\n", "", ["dtparam=spi=on"]),
    (
        "spi",
        "Raspberry Pi 4 Model B Rev 1.4",
        "dtparam = spi=on # lights\ncore_freq=500\n",
        "",
        ["core_freq_min=500"],
    ),
    ("pwm", "Raspberry Pi 3 Model B Plus", "dtparam=audio=on\n", "", ["dtparam=audio=off"]),
    ("pwm", "Raspberry Pi 5 Model B Rev 1.0", "", "", []),
]
"""By hardware/pi.md."""


@pytest.mark.parametrize(("source", "model", "config", "cmdline", "lacks"), CONFIGS)
def test_what_lights_on_the_pi_need_is_looked_for_where_it_starts(
    source: str, model: str, config: str, cmdline: str, lacks: list[str] | None, tmp_path: Path
) -> None:
    boot, said = tmp_path / "boot/firmware", tmp_path / "proc/device-tree"
    boot.mkdir(parents=True)
    said.mkdir(parents=True)
    (boot / "config.txt").write_text(config)
    (boot / "cmdline.txt").write_text(cmdline)
    (said / "model").write_text(f"{model}\0")
    board = replace(BOARD, strip=replace(STRIP, source=source))
    found = list(starting(board, tmp_path))
    if lacks is None:
        assert found == []
    else:
        assert [one.state for one in found] == (["mend"] * len(lacks) or ["good"])
        assert all(line in one.said for line, one in zip(lacks, found, strict=False))


@pytest.mark.parametrize(
    ("lights", "cmdline", "enough"),
    [
        (165, "", True),
        (166, "", False),
        (330, "quiet spidev.bufsiz=32768 x", True),
        (330, "spidev.bufsiz=4096", False),
    ],
)
def test_a_long_strip_wants_a_larger_buffer(
    lights: int, cmdline: str, enough: bool, tmp_path: Path
) -> None:
    """165 lights of three colours fit, says hardware/pi.md."""
    (tmp_path / "boot").mkdir()
    (tmp_path / "boot/config.txt").write_text("dtparam=spi=on\n")
    (tmp_path / "boot/cmdline.txt").write_text(cmdline)
    pixels = tuple(replace(BOARD.pixels[0], index=k) for k in range(lights))
    board = replace(BOARD, strip=replace(STRIP, source="spi"), pixels=pixels)
    (one,) = starting(board, tmp_path)
    assert (one.state == "good") == enough
    assert enough or "cmdline.txt lacks" in one.said


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return Played(tmp_path_factory.mktemp("played"), "hexalma", 3, turns=6)


def test_a_journal_is_held_against_the_recording(
    doctor: Doctor, played: Played, tmp_path: Path
) -> None:
    state = tmp_path / "state"
    shutil.copytree(played.folder, state)
    count = len(played.entries)
    (one,) = doctor("hexhex-5")["recording"]
    assert (one["state"], one["said"].split(" says ")[1]) == (
        "good",
        f"the same of all {count} entries of it.",
    )
    shutil.copy(state / "hexalma.backup.db", state / "hexalma.db")  # an older file comes back
    (one,) = doctor("hexhex-5")["recording"]
    assert one["state"] == "mend"
    assert f"lacks the last {count} entries" in one["said"]
    assert one["todo"].startswith("hexboard run makes it again")
    shutil.rmtree(state / "recordings")
    (one,) = doctor("hexhex-5")["recording"]
    assert (one["state"], one["said"].split(":")[0].split(" ")[0]) == ("look", "No")


def test_a_recording_that_is_somebody_elses_is_to_be_given_back(
    doctor: Doctor, played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As put back by root: that run makes it again was no help."""
    state = tmp_path / "state"
    shutil.copytree(played.folder, state)
    (path,) = (state / "recordings").glob("*.mcap")
    bar(monkeypatch, path, "open")
    (one,) = doctor("hexhex-5")["recording"]
    assert one["state"] == "mend"
    assert str(path) in one["said"]
    assert "sudo chown -R" in one["todo"]


def test_a_recording_that_ends_before_the_journal_is_no_second_copy_of_it(
    doctor: Doctor, played: Played, tmp_path: Path
) -> None:
    state, count = tmp_path / "state", len(played.entries)
    shutil.copytree(played.folder, state)
    (path,) = (state / "recordings").glob("*.mcap")
    whole, cut = read(path), tmp_path / "cut.mcap"
    short = Recorder(
        cut,
        schemas=schemas(),
        attachments=whole.attachments,
        metadata=whole.metadata,
        trouble=print,
    )
    chains = 0
    for record in whole:
        short.put(record.topic, record.t, record.payload)
        chains += record.topic == "chain"
        if chains == 3:  # the start, and two entries
            break
    short.close()
    cut.replace(path)
    (one,) = doctor("hexhex-5")["recording"]
    assert one["state"] == "look"
    assert f"has only the first 2 of the {count} entries" in one["said"]
    assert one["todo"].startswith("Play on from the journal")


@pytest.mark.parametrize(
    ("number", "todo"),
    [
        (errno.EROFS, "Start the computer again"),
        (errno.EIO, "Start the computer again"),
        (errno.ENOSPC, "Delete old recordings"),
        (errno.EACCES, "Give it to the user"),
    ],
)
def test_what_to_do_about_a_folder_that_cannot_be_written_is_said_by_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, todo: str
) -> None:
    def refused(path: Any, *_: Any) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(os, "mkdir", refused)
    (one,) = matches.space(tmp_path)
    assert one.todo.startswith(todo)


def test_recordings_that_cannot_be_listed_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, listdir = tmp_path / "recordings", os.listdir
    folder.mkdir()

    def denied(path: Any = ".") -> list[str]:
        if str(path) == str(folder):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return listdir(path)

    monkeypatch.setattr(os, "listdir", denied)
    (one,) = matches.space(tmp_path)
    assert one.state == "mend"
    assert str(folder) in one.said


def test_the_pico_tells_how_often_it_looks(doctor: Doctor) -> None:
    (looks,) = doctor("--simulate")["looks"]
    assert re.fullmatch(r"It looks at its sensors every \d+ µs; .* was [\d.]+ ms\.", looks["said"])


@pytest.mark.long
def test_a_checkout_where_the_board_was_started_is_not_taken_for_the_package(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hexboard").mkdir()
    monkeypatch.chdir(tmp_path)
    command = (str(Path(sys.executable).with_name("hexboard")),)
    given = ("hexhex-5", "--simulate", "--port", 0)
    board = Running(tmp_path / "state", *given, home=home, command=command)

    def got(path: str) -> str:
        with urlopen(f"{board.origin}/{path}?token={board.token}") as answer:
            return str(answer.read().decode())

    got("doctor")
    eventually(lambda: "hexhex-5: 0 sensors, 61 lights." in got("examined"), every=0.5)
    board.end()

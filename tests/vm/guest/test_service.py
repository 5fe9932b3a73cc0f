"""hexboard as a service of the system: two boards of one template, with systemd as process 1.

`left` has a Pico on USB, `right` is simulated. What differs from a Pi is told in drop-ins: where
this checkout is. Each test goes on from the one before.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hexboard.commands import board_named
from hexboard.daemon.greeting import LINK
from tests.running import Page, Served, eventually
from tests.vm.guest.gadget import Pico

CHECKOUT = Path(__file__).parents[3]
UNITS = Path("/etc/systemd/system")
STATE = Path("/var/lib/hexboard")
BOARD = "hextraction-22"
PORTS = {"left": 8801, "right": 8802}
HOW = {"left": "", "right": "--simulate"}
KEPT = {"left": BOARD, "right": f"{BOARD}-simulated"}
"""The folder of each one's matches (docs/commands.md)."""
HEXBOARD = (sys.executable, "-m", "hexboard")
LATER = {"ttyACM", "video4linux", "media"}
"""Kinds of devices not there before a Pico, or a camera, is plugged in for the first time."""
BUFFERS = ("vmalloc", "dma_contig", "memops", "v4l2", "common")
DRIVERS = ("cdc_acm", "vivid", *(f"videobuf2_{name}" for name in BUFFERS), "videodev", "mc")
"""Of those, each before what it needs."""
LACKING = {"dma_heap"}
"""Built into a Pi's kernel, and not into Debian's."""


def said(*command: str | Path) -> str:
    """What a command prints, having ended well."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout.strip()


class Unit:
    """The service of one board."""

    def __init__(self, board: str) -> None:
        self.board, self.name = board, f"hexboard@{board}.service"
        self.state = STATE / board / ".local/state/hexboard" / KEPT[board]

    def show(self, name: str) -> str:
        return said("systemctl", "show", "--property", name, "--value", self.name)

    @property
    def pid(self) -> int:
        return int(self.show("MainPID"))

    def active(self) -> bool:
        state = self.show("ActiveState")
        assert state != "failed", self.journal()
        return state == "active"

    def anew(self, pid: int) -> bool:
        """Whether it is another process than that one."""
        return self.pid not in (0, pid)

    def served(self) -> Served:
        """Its page; nobody waits for it."""
        return Served(json.loads((self.state / LINK).read_bytes())["here"])

    def journal(self, *wanted: str) -> str:
        return said("journalctl", "--no-pager", "--output=cat", f"--unit={self.name}", *wanted)

    def firmware(self) -> int:
        """The process of its simulated Pico."""
        group = Path(f"/sys/fs/cgroup{self.show('ControlGroup')}/cgroup.procs")
        (other,) = {int(pid) for pid in group.read_text("ascii").split()} - {self.pid}
        return other


def kinds() -> set[str]:
    """Of devices that the kernel knows now."""
    characters, _, _ = Path("/proc/devices").read_text("ascii").partition("Block devices")
    return {line.split()[1] for line in characters.splitlines()[1:] if line}


def allowed() -> set[str]:
    """The kinds of devices that the unit lets its board open."""
    unit = (CHECKOUT / "hardware" / "hexboard@.service").read_text("utf-8")
    return set(re.findall(r"^DeviceAllow=char-(\w+) rw$", unit, re.MULTILINE))


def kept(page: Page) -> dict[str, Any]:
    """What of a match no restart may change."""
    return {name: page.state["own"][name] for name in ("slots", "turn", "balls")} | {
        "match": page.state["match"]
    }


def drop_in(unit: str, text: str) -> None:
    folder = UNITS / f"{unit}.service.d"
    folder.mkdir()
    (folder / f"{unit}.conf").write_text(f"[Service]\n{text}", "utf-8")


def in_sight() -> str:
    """This checkout and its Python, which may be somebody's own, where the unit hides all homes."""
    places = sorted({str(CHECKOUT), sys.prefix, sys.base_prefix})
    return "ProtectHome=tmpfs\n" + "".join(f"BindReadOnlyPaths={place}\n" for place in places)


@pytest.fixture(scope="module")
def units() -> Iterator[list[Unit]]:
    """Made as docs/raspberry-pi.md has it, on a computer that neither a Pico nor a camera was
    plugged into so far."""
    said("rmmod", *DRIVERS)
    assert not kinds() & LATER
    said("useradd", "--system", "--groups", "dialout,video", "hexboard")
    shutil.copy(CHECKOUT / "hardware" / "hexboard@.service", UNITS)
    start = f"ExecStart=\nExecStart={' '.join(HEXBOARD)} run $HOW\n"
    drop_in("hexboard@", f"{start}{in_sight()}")
    for board, port in PORTS.items():
        drop_in(f"hexboard@{board}", f"Environment=HOW={HOW[board]}\n")
        settings = STATE / board / ".config/hexboard/settings.toml"
        settings.parent.mkdir(parents=True)
        settings.write_text(f'board = "{BOARD}"\n[web]\nport = {port}\n', "utf-8")
        said("chown", "-R", "hexboard:", STATE / board)
    said("systemctl", "daemon-reload")
    units = [Unit(board) for board in PORTS]
    yield units
    said("systemctl", "stop", *(unit.name for unit in units))


def test_two_boards_are_active_when_their_pages_are_there_and_not_before(units: list[Unit]) -> None:
    said("systemctl", "start", "--no-block", *(unit.name for unit in units))
    assert not any(unit.active() for unit in units)
    for unit in units:
        eventually(unit.active, 0.2)
        with unit.served().page() as page:
            assert page.state["match"]
        told = said("env", f"HOME={STATE / unit.board}", *HEXBOARD, "link")
        assert f":{PORTS[unit.board]}/" in told
    left, right = units
    assert left.pid != right.pid
    assert left.served().token != right.served().token
    for unit in units:
        folder = (STATE / unit.board).stat()
        assert folder.st_mode & 0o777 == 0o700
        held = Path(f"/proc/{unit.pid}/status").read_text("ascii")
        assert f"Uid:\t{folder.st_uid}\t" in held
        assert "CapBnd:\t0000000000000000\n" in held
        assert "Seccomp:\t2\n" in held


def test_what_is_plugged_in_later_has_its_driver(units: list[Unit]) -> None:
    """systemd looks once, when a unit begins, what the kinds of devices are that it may open."""
    assert allowed() >= LATER
    assert allowed() - LACKING <= kinds()


def test_a_pico_that_is_plugged_in_later_is_in_reach(units: list[Unit]) -> None:
    """The unit lets it open a Pico's port, though no driver had one when it began."""
    board = board_named(STATE, BOARD)
    inputs = max(sensor.input for sensor in board.sensors) + 1
    said("modprobe", "cdc_acm")  # with what follows: what udev does
    with closing(Pico(inputs, len(board.pixels))) as pico, units[0].served().page() as page:
        pico.plug()
        port = Path("/dev/ttyACM0")
        eventually(port.exists)
        shutil.chown(port, "root", "dialout")
        port.chmod(0o660)
        page.until(lambda state: any(link["up"] for link in state["links"]))


def test_what_is_killed_and_what_hangs_begins_anew_and_the_match_goes_on(
    units: list[Unit],
) -> None:
    left, right = units
    with left.served().page() as page:
        page.rule("tile D3 J 2")
        page.until(lambda state: "D3" in state["own"]["slots"])
        page.settled()
        before = [kept(page)]
    with right.served().page() as page:
        page.ready()
        page.roll()
        before.append(kept(page))
    assert before[0] != before[1]
    pids = [unit.pid for unit in units]
    os.kill(pids[0], signal.SIGKILL)
    os.kill(pids[1], signal.SIGSTOP)
    for unit, pid, match in zip(units, pids, before, strict=True):
        eventually(partial(unit.anew, pid), 0.5)
        eventually(unit.active, 0.5)
        assert unit.show("NRestarts") == "1"
        with unit.served().page() as page:
            assert kept(page) == match
    assert "Watchdog timeout" in right.journal()
    assert "Watchdog timeout" not in left.journal()


def test_what_people_are_told_stands_in_the_journal_with_its_fields(units: list[Unit]) -> None:
    """Of its own board alone."""
    left, right = units
    os.kill(right.firmware(), signal.SIGKILL)
    wanted = (f"HEXBOARD_BOARD={BOARD}", "HEXBOARD_KEY=daemon.twin_died", "PRIORITY=4")
    line = eventually(lambda: right.journal(*wanted), 0.5)
    assert line in right.journal("HEXBOARD_NOTICE=pico", "SYSLOG_IDENTIFIER=hexboard")
    assert left.journal(*wanted) == ""


def test_it_lays_bare_little(units: list[Unit]) -> None:
    """As systemd counts it of the running service, in tenths."""
    for unit in units:
        said("systemd-analyze", "security", "--no-pager", "--threshold=29", unit.name)


def test_it_stops_when_asked(units: list[Unit]) -> None:
    for unit in units:
        pid = unit.pid
        said("systemctl", "stop", unit.name)
        assert not Path(f"/proc/{pid}").exists()
        assert unit.show("ActiveState") == "inactive"
        assert (unit.show("Result"), unit.show("ExecMainStatus")) == ("success", "0")
        assert not (unit.state / LINK).exists()

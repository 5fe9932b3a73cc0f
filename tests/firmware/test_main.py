"""The loop: what it does when the host is mute, deaf, noisy or new."""

import math
import queue
import struct
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from serial import Serial

from hexboard.devices import session
from hexboard.devices.link import Link
from hexboard.devices.open import chain
from hexboard.devices.session import STOP, Image, InputChange, Session, wrap
from hexboard.facts import Edge, Presence, Report, Scanned
from hexboard.games.hextraction.tracking.automaton import MISS_CNAT
from hexboard.simulator.twin import Twin
from tests.desk import BOARD, Desk
from tests.devices.test_link import Wire
from tests.firmware import FOLDER, firmware, micropython, mpy_cross, run_micropython
from tests.firmware.bench import Bench
from tests.firmware.fake_pins import FakePins
from tests.running import PATIENCE, eventually


def test_while_the_chain_is_wrong_nothing_is_believed_and_then_the_changes_follow() -> None:
    wire = Wire()
    wire.pins.image[0] = 1
    wire.meet()
    wire.pins.right = False
    wire.pins.image[:] = b"\xff\7"
    wire.run(5)
    (image,) = wire.of(Image, InputChange)
    assert (image.wrong, image.levels) == (True, b"\1\0")
    wire.run(2000)
    assert not wire.of(InputChange)
    wire.pins.right = True
    wire.pins.image[:] = b"\3\4"
    wire.said.clear()
    wire.run(5)
    *edges, image = wire.of(InputChange, Image)
    assert [(one.input, one.level) for one in edges] == [(1, True), (10, True)]
    assert {one.ticks for one in edges} == {wire.pins.now - 4000}
    assert (image.wrong, image.levels) == (False, b"\3\4")


@pytest.mark.parametrize(("looks", "told"), [(1, []), (4, []), (10, [True, False])])
def test_a_misread_look_is_skipped_and_only_several_in_a_row_are_told(
    looks: int, told: list[bool]
) -> None:
    """A ball rolls meanwhile: what the looks after it see comes, stamped as they saw it."""
    wire = Wire()
    wire.meet()
    wire.pins.right = False
    wire.run(looks)
    wire.pins.right = True
    wire.pins.image[0] = 1
    wire.run(20)
    assert [one.wrong for one in wire.of(Image)] == told
    (edge,) = wire.of(InputChange)
    assert edge.ticks == wire.pins.now - 19_000


def test_looks_that_are_misread_now_and_then_do_not_add_up() -> None:
    wire = Wire()
    wire.meet()
    for _ in range(20):
        wire.pins.right = not wire.pins.right
        wire.run(1)
    assert not wire.of(Image)


def test_a_chain_that_was_wrong_from_the_start_changes_nothing_when_it_is_right() -> None:
    wire = Wire()
    wire.pins.right = False
    wire.run(50)
    assert {one.wrong for one in wire.of(Image)} == {True}
    wire.pins.right = True
    wire.pins.image[0] = 5
    wire.run(50)
    assert not wire.of(InputChange)
    assert wire.of(Image)[-1] == Image(b"\5\0", wire.of(Image)[-1].ticks)


def test_time_goes_on_while_the_chain_is_wrong() -> None:
    pins = FakePins(8)
    device = firmware("main").Device(pins)
    pins.right = False
    for pins.now in range(0, 3 << 30, 1 << 29):
        device.turn()
    assert device.scan.wrap == 2


def test_a_debouncer_has_its_watermarks_soon_after_an_edge_whatever_is_said_meanwhile() -> None:
    """A turn a millisecond: the first one past 1 ms, and past 3, though a lights frame, answered at
    once, came in between."""
    wire = Wire()
    wire.meet()
    wire.run(100)
    wire.said.clear()
    wire.pins.image[0] = 1
    wire.run(1)
    wire.session.light(bytes((9, 0, 0, 0, 0, 0, 0, 0)) * 3)
    wire.run(5)
    (edge,) = wire.of(InputChange)
    after = [one.ticks - edge.ticks for one in wire.of(session.DeviceWatermark)]
    assert after == [0, 2000, 4000]


def test_a_host_says_when_it_waits_for_watermarks() -> None:
    """In units of 20 µs: 2 ms and 5. One that says nothing has the device's own, also after one
    that did; a byte alone, which keeps Ctrl-C out of a greeting, is no wait."""

    def watermarks(level: int) -> list[int]:
        wire.said.clear()
        wire.pins.image[0] = level
        wire.run(8)
        (edge,) = wire.of(InputChange)
        return [one.ticks - edge.ticks for one in wire.of(session.DeviceWatermark)]

    wire = Wire()
    wire.session = Session(bytes((100, 250)))
    wire.meet()
    assert [watermarks(1), watermarks(0)] == [[0, 2000, 5000], [0, 5000]]
    hello = bytes((session.PROTOCOL,)) + wire.device.session + bytes((250,))
    wire.pins.inbox += wrap(session.HOST_HELLO, 0, 2, hello)
    wire.run(10)
    assert [watermarks(1), watermarks(0)] == [[0, 2000, 4000], [0, 4000]]


def test_it_speaks_less_where_nothing_happens_until_something_does() -> None:
    wire = Wire()
    wire.meet()
    wire.run(10_000)  # 4 s as before, then 6 in which only a SNAPSHOT comes beside it
    busy, quiet = 4000 // 20, 6000 // 80
    assert busy + quiet <= len(wire.of(session.DeviceWatermark)) <= busy + quiet + 15
    wire.said.clear()
    wire.pins.image[0] = 1
    wire.run(1000)
    assert len(wire.of(session.DeviceWatermark)) >= 1000 // 20


def test_it_says_how_often_it_looks_and_how_long_it_did_not() -> None:
    """A turn a millisecond, one of which takes 30: that is told for that second and for ever."""
    wire = Wire()
    wire.meet()
    wire.run(1500)
    wire.pins.now += 30_000
    wire.run(2500)
    told = [(one.longest, one.worst) for one in wire.of(session.DeviceLooks)]
    start = told[0][1]  # until it was met
    assert told[-3:] in (
        [(1000, start), (31_000, 31_000), (1000, 31_000)],
        [(31_000, 31_000), (1000, 31_000), (1000, 31_000)],
    )
    for one in wire.of(session.DeviceLooks)[1:]:
        assert 1000 * one.count + (one.longest > 1000) * 30_000 == one.span


class Usb(FakePins):
    """A USB as MicroPython's: `room` bytes until the host reads; it waits where more are written
    than it can take, once it can take any."""

    waits = 0

    def write(self, buffer: bytearray, start: int, end: int) -> int:
        self.waits += 0 < self.room < end - start
        count = super().write(buffer, start, end)
        self.room -= count
        return count


@pytest.mark.parametrize("room", [1, 10, 63, 64, 65, 100])
def test_a_host_that_is_gone_and_does_not_read_holds_up_no_look(room: int) -> None:
    pins = Usb()
    pins.room = room
    device = firmware("main").Device(pins)
    for _ in range(1000):
        pins.now += 1000
        device.turn()
    assert (pins.room, pins.waits) == (0, 0)
    pins.room = 1 << 30
    device.turn()
    sent = bytes(pins.outbox).split(b"\0")
    assert all(session.unwrap(frame) for frame in sent[:-1])


@pytest.mark.parametrize("idle_minutes", [0.5, 17.5, 18.5, 40.5])
def test_how_often_it_looks_is_true_however_long_nobody_was_there(idle_minutes: float) -> None:
    """A look every 100 ms; its clock wraps every 17.9 minutes. That it hung then is told, too."""
    wire = Wire()
    wire.alone()
    wire.pins.now += 1_000_000
    for _ in range(round(600 * idle_minutes)):
        wire.pins.now += 99_000
        wire.alone()
    wire.run(200)
    first = wire.of(session.DeviceLooks)[0]
    assert 95_000 < first.span / first.count < 105_000
    assert first.longest == first.worst == 1_100_000


def test_a_frame_waits_until_the_strip_is_free_and_only_the_newest_is_shown() -> None:
    wire = Wire()
    wire.meet()
    wire.run(100)
    wire.pins.free = False
    wire.pins.shown.clear()
    for red in (10, 20, 30):
        wire.session.light(bytes((red, 0, 0, 0, 0, 0, 0, 0)) * 3)
        wire.run(20)
    assert not wire.pins.shown
    assert wire.session.shown == 0
    wire.pins.free = True
    wire.run(30)
    assert wire.pins.shown == [bytes((0, 30, 0)) * 3]
    assert wire.session.shown == 3


def test_the_firmware_ends_when_the_host_asks_for_the_prompt() -> None:
    pins: Any = FakePins()
    pins.wait = lambda ms: True
    pins.inbox += b"noise\0" + wrap(STOP, 0, 0)
    firmware("main").run(pins)
    assert pins.stopped


def test_a_twin_whose_chain_is_broken_and_mended_and_that_is_stopped() -> None:
    exits: list[str] = []
    with Twin(16, 4, on_exit=exits.append) as twin:
        twin.chain(right=False)
        twin.unplug()
        twin.plug()
        with Serial(twin.port, timeout=0.02) as port:
            session = Session()
            said: list[Any] = []

            def turn() -> None:
                said.extend(session.receive(port.read(port.in_waiting or 1), 0))
                port.write(session.send(time.monotonic_ns()))

            def image() -> Image:
                said.clear()
                while not any(isinstance(one, Image) for one in said):
                    turn()
                return next(one for one in said if isinstance(one, Image))

            assert image().wrong
            twin.drive(b"\1\0")
            twin.chain(right=True)
            assert image().levels == b"\1\0"
            port.write(wrap(STOP, 0, 0))
            eventually(lambda: bool(exits))
    assert exits == ["the firmware twin ended (0)"]


def is_up(report: Report) -> bool:
    return isinstance(report.body, Presence) and report.body.up


@micropython
@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (1, "OSError: [Errno 5] EIO: a fault for a test (pins_sim.py:"),
        pytest.param(2, "the watchdog: a turn of its loop", marks=pytest.mark.long),
    ],
)
def test_a_program_that_stopped_starts_anew_and_says_why(fault: int, why: str) -> None:
    """Nobody plugs anything: the board comes back by itself, dark first, and gets its lights."""
    said: queue.Queue[Report] = queue.Queue()
    strips: list[bytes] = []
    exits: list[str] = []
    with Twin(16, 4, strips.append, exits.append) as twin, Link(twin.port, ["a"], said.put) as link:
        link.light(bytes((9, 9, 9, 0, 0, 0, 0, 0)) * 4)
        eventually(lambda: strips[-1:] == [b"\x09" * 12])
        next(filter(is_up, iter(said.get, None)))  # its light may be there before its word
        strips.clear()
        twin.fault(fault)
        eventually(lambda: strips == [bytes(12), b"\x09" * 12])
        told = next(filter(is_up, iter(said.get, None)))
    assert isinstance(told.body, Presence)
    assert "its program had stopped, and started anew: " + why in told.body.why
    assert not exits


def test_lights_wait_until_the_device_knows_the_limits_and_a_frame_over_them_is_dimmed() -> None:
    wire = Wire(["", "", "", "drop", "drop"])
    wire.pins.BUILD = b"0badc0de"
    wire.device = firmware("main").Device(wire.pins)
    wire.session.limit(struct.pack("<HBxI", 3, 0, 100))
    wire.session.light(bytes((255, 255, 255, 0, 0, 0, 0, 0)) * 3)
    wire.run(300)
    assert {bytes(shown) for shown in wire.pins.shown} == {
        bytes(9),
        bytes((255 * 100 // 2295,)) * 9,
    }
    assert wire.session.shown == 1


def test_a_device_that_knows_no_limits_is_lit_all_the_same() -> None:
    wire = Wire()
    wire.session.limit(struct.pack("<HBxI", 3, 0, 100))
    wire.session.light(bytes((255, 255, 255, 0, 0, 0, 0, 0)) * 3)
    wire.run(60)
    assert wire.pins.shown[-1] == bytes((255,)) * 9


@micropython
@pytest.mark.long
def test_a_board_at_its_prompt_is_started_anew(tmp_path: Path) -> None:
    said: queue.Queue[Report] = queue.Queue()
    with Bench(tmp_path) as pico:
        pico.at_prompt()
        with Link(pico.port, ["a"], said.put):
            reports = iter(said.get, None)
            gone = next(report for report in reports if isinstance(report.body, Presence))
            assert "runs MicroPython but not hexboard's firmware" in str(gone.body)
            assert any(is_up(report) for report in reports)


def test_firmware_of_another_build_is_named_with_what_to_do() -> None:
    for build, note in (("", ""), ("0badc0de", "than this hexboard's for this board (0badc0de)")):
        said: queue.Queue[Report] = queue.Queue()
        with Twin(16, 4) as twin, Link(twin.port, ["a"], said.put, build=build):
            up = next(report for report in iter(said.get, None) if is_up(report))
        assert isinstance(up.body, Presence)
        assert note in up.body.why
        assert ("hexboard firmware install" in up.body.why) == bool(note)


def test_only_a_whole_turn_feeds_the_watchdog() -> None:
    pins: Any = FakePins()
    left = [True] * 3

    def wait(ms: int) -> bool:
        return bool(left) and left.pop()

    pins.wait = wait
    firmware("main").run(pins)
    assert pins.fed == 3

    pins, broken = FakePins(), OSError(5, "EIO")

    def look(image: bytearray) -> bool:
        raise broken

    pins.wait, pins.look = lambda ms: True, look
    with pytest.raises(OSError, match="EIO") as caught:
        firmware("main").run(pins)
    assert (caught.value, pins.fed, pins.stopped) == (broken, 0, False)


@pytest.mark.parametrize(
    ("before", "bitten", "why"),
    [
        (None, False, ""),
        (None, True, ""),
        ("works", False, ""),
        ("works", True, "the watchdog: a turn of its loop did not end"),
        ("", True, ""),
        ("OSError: [Errno 5] EIO (main.py:80)", True, "OSError: [Errno 5] EIO (main.py:80)"),
    ],
)
def test_why_the_firmware_ended(tmp_path: Path, before: str | None, bitten: bool, why: str) -> None:
    """A Pico's reset by the program and by the watchdog are one cause: what is kept tells them
    apart."""
    kept, path = firmware("kept"), tmp_path / "ended.txt"
    if before is not None:
        path.write_text(before)
    assert kept.begin(str(path), bitten) == why
    assert path.read_text() == "works"


@micropython
@pytest.mark.parametrize(
    ("before", "says"),
    [
        (b"x\xff\xfe\r\n", "x????"),
        (b"\xff" * 240, "?" * 90),
        (b"OSError: " + b"x" * 240, "OSError: " + "x" * 81),
    ],
    ids=["no text", "long and none", "long"],
)
def test_a_damaged_file_of_why_it_ended_stops_no_board(
    tmp_path: Path, before: bytes, says: str
) -> None:
    """What it holds is told as far as a hello has room, once."""
    (tmp_path / "ended.txt").write_bytes(before)
    hello, now = run_micropython("ended.py", str(tmp_path / "ended.txt")).split()
    host = Session()
    host.send(0)
    (met,) = host.receive(bytes.fromhex(hello), 0)
    assert isinstance(met, session.Met)
    assert (met.ended, now) == (says, "works")


@micropython
def test_a_device_at_work_takes_no_memory_and_fits_into_a_picos() -> None:
    assert run_micropython("quiet.py").startswith("quiet True True")


@pytest.mark.long
@micropython
def test_noise_and_a_deaf_host_take_no_memory() -> None:
    before, after, lost, bad = run_micropython("noise.py").split()
    assert int(after) <= int(before) + 512
    assert (lost, bad) == ("True", "True")


@micropython
def test_the_picos_own_pins(tmp_path: Path) -> None:
    said = run_micropython("pico.py", str(tmp_path / "ended.txt"), hears="a\x03b")
    ends = "watched for 2000 fed reset reset"
    begun, looked = "kbd -1 GP16 pulled up machine 0 on GP22", "GP17=0 GP17=1"
    assert said == "-" * 10 + f"\n{begun} {looked} {looked} strip 450 450 strip 450 450 {ends}\n"


@pytest.mark.skipif(mpy_cross() is None, reason="no mpy-cross on this machine")
def test_every_file_compiles_for_the_pico(tmp_path: Path) -> None:
    for file in FOLDER.glob("*.py"):
        out = tmp_path / file.with_suffix(".mpy").name
        subprocess.run(
            [str(mpy_cross()), "-march=armv6m", "-o", str(out), str(file)],
            check=True,
            timeout=PATIENCE,
        )


def test_as_many_inputs_as_a_board_can_have_are_read() -> None:
    """hardware/wiring.md: 32 registers; the first and the last input of the chain."""
    said: queue.Queue[Report] = queue.Queue()
    with Twin(256, 4) as twin, Link(twin.port, [f"s{k}" for k in range(256)], said.put):
        while not is_up(said.get(timeout=PATIENCE)):
            pass
        for image, sensor in ((b"\1" + bytes(31), "s0"), (b"\1" + bytes(30) + b"\x80", "s255")):
            twin.drive(image)
            while said.get(timeout=PATIENCE).body != Edge(sensor, True):
                pass


@pytest.mark.long  # it says so each second, first of the time before it was met
def test_a_firmware_that_looks_seldom_is_known_to_the_table_for_that() -> None:
    """Each look takes 20 ms: a contact of 8 falls between two in 12 of 20; stamps are so late."""
    desk, inputs = Desk(), chain(BOARD)
    said: queue.Queue[Report] = queue.Queue()
    gate = inputs.index("gate:B1-1")
    with Twin(len(inputs), 4) as twin, Link(twin.port, inputs, said.put):
        twin.fault(20)
        told = hear_until(said, desk, lambda body: isinstance(body, Scanned))
        image = bytearray((len(inputs) + 7) // 8)
        image[gate >> 3] |= 1 << (gate & 7)
        twin.drive(bytes(image))
        hear_until(said, desk, lambda body: body == Edge("gate:B1-1", True))
    assert told.longest_us >= told.every_us >= 20_000
    miss = desk.table.senses.misses(MISS_CNAT)["gate:B1-1"]
    assert miss <= round(100 * math.log(20 / 12))
    (change,) = desk.table.senses.debouncer.advance(1 << 62)
    assert (change.sensor, change.within) == ("gate:B1-1", 1000 * told.longest_us)


def hear_until(said: "queue.Queue[Report]", desk: Desk, wanted: Callable[[Any], bool]) -> Any:
    """The first body that is wanted; the table steps on all that comes."""
    for report in iter(lambda: said.get(timeout=PATIENCE), None):
        desk.feed(report.body, report.at, report.at)
        if wanted(report.body):
            return report.body
    raise AssertionError

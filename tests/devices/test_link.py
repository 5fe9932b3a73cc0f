"""The link: the pure session against the real firmware over a bad wire, then the real thing."""

import contextlib
import errno
import os
import pty
import queue
import select
import struct
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hexboard import __version__
from hexboard.devices import link, ports
from hexboard.devices.link import Link, reason
from hexboard.devices.session import (
    CHANGES,
    EDGES,
    HELLO,
    HOST_HELLO,
    LIGHTS,
    LOOKS,
    PROTOCOL,
    SNAPSHOT,
    STATUS,
    DeviceWatermark,
    Dropped,
    Echo,
    Image,
    InputChange,
    Met,
    Session,
    Stranger,
    unwrap,
    wrap,
)
from hexboard.facts import MS, Edge, Lost, Presence, Report, Scanned, Snapshot, Watermark
from hexboard.simulator.twin import Twin, interpreter
from hexboard.words import speaking, translated
from tests.benchmarks.noise import burst, storm
from tests.firmware import firmware
from tests.firmware.fake_pins import FakePins
from tests.running import PATIENCE, eventually

FAULTS = ("", "", "", "drop", "twice", "flip", "noise", "cut")


class Wire:
    """A session and a device (the real firmware in this interpreter), and a wire that is bad."""

    def __init__(self, faults: Iterable[str] = (), pixels: int = 3, build: bytes = b"") -> None:
        self.pins = FakePins(11, pixels, build)
        self.device = firmware("main").Device(self.pins)
        self.session = Session()
        self.faults = iter(faults)
        self.now = 0  # board ns
        self.said: list[Any] = []
        self.carried: list[bytes] = []
        """What both put on the wire, frame by frame."""

    def carry(self, data: bytes) -> bytes:
        """What comes out of the wire: each frame suffers the next fault, and later none."""
        out = b""
        for block in data.split(b"\0")[:-1]:
            frame, fault = block + b"\0", next(self.faults, "")
            self.carried.append(block)
            if fault == "drop":
                frame = b""
            elif fault == "twice":
                frame += frame
            elif fault == "flip":
                frame = bytes((frame[0], frame[1] ^ 0x10)) + frame[2:]
            elif fault == "noise":
                frame = b"\xff\x01\x00Traceback" + frame
            elif fault == "cut":
                frame = frame[3:]
            out += frame
        return out

    def run(self, ms: int) -> None:
        for _ in range(ms):
            self.now += MS
            self.pins.now += 1000
            self.pins.inbox += self.carry(self.session.send(self.now))
            self.device.turn()
            data, self.pins.outbox = bytes(self.pins.outbox), bytearray()
            self.said += self.session.receive(self.carry(data), self.now)

    def alone(self) -> bytes:
        """A millisecond without a host; what the device says."""
        self.now += MS
        self.pins.now += 1000
        self.device.turn()
        said, self.pins.outbox = bytes(self.pins.outbox), bytearray()
        return said

    def meet(self) -> None:
        self.run(20)
        assert any(isinstance(one, Image) for one in self.said)
        self.said.clear()

    def of(self, *kinds: type) -> list[Any]:
        return [one for one in self.said if isinstance(one, kinds)]


# The session


def test_a_host_and_a_device_meet() -> None:
    wire = Wire()
    wire.run(20)
    met, image = wire.of(Met, Image)
    assert met == Met(inputs=11, pixels=3, firmware=f"hexboard {__version__}", fresh=True)
    assert image.levels == b"\0\0"


@settings(derandomize=True, max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    flips=st.lists(st.tuples(st.integers(0, 10), st.integers(0, 12)), min_size=1, max_size=40),
    lights=st.lists(st.integers(1, 255), max_size=6),
    faults=st.lists(st.sampled_from(FAULTS), max_size=120),
    build=st.sampled_from((b"", b"0a1b2c3d")),
)
def test_every_edge_comes_once_in_order_and_the_newest_lights_arrive(
    flips: list[tuple[int, int]], lights: list[int], faults: list[str], build: bytes
) -> None:
    """Each lights frame has another colour in one of three pixels; with a build it is told so."""
    wire = Wire(build=build)
    wire.meet()
    frame = bytearray(24)
    wire.faults = iter(faults)
    expected, coming = [], iter(lights)
    for number, pause in flips:
        wire.pins.image[number >> 3] ^= 1 << (number & 7)
        level = bool(wire.pins.image[number >> 3] >> (number & 7) & 1)
        expected.append((number, level, wire.pins.now + 1000))
        if light := next(coming, 0):
            frame[8 * (light % 3)] = light
            wire.session.light(bytes(frame))
        wire.run(pause or 1)
    wire.run(1500)  # the wire may be good by now, or take until then
    wire.faults = iter(())
    wire.run(1200)
    assert [(one.input, one.level, one.ticks) for one in wire.of(InputChange)] == expected
    assert wire.of(Image)[-1].levels == bytes(wire.pins.image)
    assert not wire.of(Dropped)
    if lights:
        assert wire.pins.shown[-1] == b"".join(bytes((0, frame[i], 0)) for i in (0, 8, 16))
        assert wire.session.shown == wire.device.pixels.shown > 0


def lit(*reds: int) -> bytes:
    """A lights frame of steady red pixels."""
    return b"".join(bytes((red, 0, 0, 0, 0, 0, 0, 0)) for red in reds)


def test_of_lights_that_the_device_holds_only_what_changed_is_sent() -> None:
    """Of 10 pixels two runs: one pixel, and three of which the middle one is as it was."""
    wire = Wire(pixels=10, build=b"0a1b2c3d")
    wire.meet()
    for reds in ((1,) * 10, (2, 1, 1, 1, 1, 1, 3, 1, 4, 1)):
        wire.session.light(lit(*reds))
        wire.run(100)
        assert wire.pins.shown[-1] == b"".join(bytes((0, red, 0)) for red in reds)
    whole, parts = (
        frame for frame in map(unwrap, wire.carried) if frame and frame[0] in (LIGHTS, CHANGES)
    )
    assert (whole[0], whole[5:]) == (LIGHTS, lit(*(1,) * 10))
    assert (parts[0], parts[5:]) == (
        CHANGES,
        b"\0\0\1\0" + lit(2) + b"\6\0\3\0" + lit(3, 1, 4),
    )


def test_a_device_that_takes_no_parts_gets_its_lights_whole() -> None:
    """Each of three is ignored for 50 ms; from then on nothing waits."""
    wire = Wire(pixels=10, build=b"0a1b2c3d")
    wire.device.pixels.change = lambda *_: False
    wire.meet()
    for red in range(1, 9):
        wire.session.light(lit(red, *(1,) * 9))
        wire.run(100 if red < 5 else 20)
        assert wire.pins.shown[-1][1] == red


def test_where_every_light_changes_the_device_shows_it_at_once() -> None:
    """What changed is no shorter then than the whole, which is sent: well before a frame that was
    not taken is sent again, after 50 ms."""
    wire = Wire(pixels=10, build=b"0a1b2c3d")
    wire.meet()
    for red in range(1, 9):
        wire.session.light(lit(*(red,) * 10))
        wire.run(20)
        assert wire.pins.shown[-1] == bytes((0, red, 0)) * 10
        wire.run(40)  # the strip is free again


@pytest.mark.parametrize("pixels", [132, 217, 330])
def test_lights_of_a_large_board_that_change_often_do_not_trail(pixels: int) -> None:
    """A turn a millisecond hears 24 bytes, a little less than a Pico's 27 kB/s; six pixels change
    every 60 ms. A whole frame of 330 takes 110 ms."""
    wire = Wire(pixels=pixels, build=b"0a1b2c3d")
    wire.meet()
    wire.session.light(lit(*(1,) * pixels))
    wire.run(10)
    reds, late_ms = [1] * pixels, []
    for step in range(100):
        for k in range(6):
            reds[(7 * step + 31 * k) % pixels] = 2 + step
        wire.session.light(lit(*reds))
        wire.pins.shown.clear()
        wanted = b"".join(bytes((0, red, 0)) for red in reds)
        late_ms.append(60)
        for ms in range(60):
            wire.run(1)
            late_ms[-1] = min(late_ms[-1], ms if wanted in wire.pins.shown else 60)
    assert sorted(late_ms)[95] < 40
    kinds = [frame[0] for frame in map(unwrap, wire.carried) if frame]
    assert kinds.count(CHANGES) >= 95
    assert kinds.count(LIGHTS) == 1


@settings(derandomize=True, max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(faults=st.lists(st.sampled_from(FAULTS), max_size=60), pauses=st.lists(st.integers(0, 40)))
def test_no_edge_comes_earlier_than_a_watermark(faults: list[str], pauses: list[int]) -> None:
    wire = Wire()
    wire.meet()
    wire.faults = iter(faults)
    for pause in pauses[:20]:
        wire.pins.image[0] ^= 1
        wire.run(1 + pause)
    wire.run(200)
    passed = 0
    for one in wire.said:
        if isinstance(one, DeviceWatermark):
            assert one.ticks > passed
            passed = one.ticks
        elif isinstance(one, InputChange):
            assert one.ticks >= passed
    assert passed > 0


@given(st.binary(max_size=3000))
def test_noise_is_counted_and_nothing_else(noise: bytes) -> None:
    session = Session()
    session.send(0)
    list(session.receive(noise, 0))
    list(session.receive(b"\0" + wrap(1, 0, 1, b"\1\2"), 0))  # a frame too short for its type
    assert session.bad >= 1
    assert list(session.receive(b"\0" + wrap(1, 0, 1, bytes((1, 9, 0, 0, 0, 1, 0, 1, 0, 0))), 0))


def test_the_end_of_a_frame_that_began_before_the_port_was_opened_is_no_damage() -> None:
    """A device speaks on between two hosts: the next one begins to hear it within a frame."""
    whole = wrap(3, 0, 1, bytes(range(1, 30)))
    session = Session()
    session.send(0)
    list(session.receive(whole[7:], 0))
    assert session.bad == 0
    list(session.receive(whole[7:], 0))
    assert session.bad == 1
    session.reconnect()
    list(session.receive(whole[7:], 0))
    assert session.bad == 1


def test_a_megabyte_without_a_zero_is_not_kept() -> None:
    session = Session()
    for _ in range(1024):
        list(session.receive(b"\7" * 1024, 0))
        assert len(session._rest) <= 400
    list(session.receive(b"\0", 0))
    assert session.bad == 1


def test_a_rebooted_device_begins_anew_and_gets_the_lights_again() -> None:
    wire = Wire()
    wire.session.light(bytes((7, 0, 0, 0, 0, 0, 0, 0)) * 3)
    wire.meet()
    wire.pins.image[0] = 1
    wire.run(40)
    wire.pins = FakePins(11, 3)
    wire.pins.drawn = 9
    wire.pins.image[0] = 3
    wire.device = firmware("main").Device(wire.pins)
    wire.said.clear()
    wire.run(400)
    assert wire.of(Met)[0].fresh
    assert [one.levels for one in wire.of(Image)][:1] == [b"\3\0"]
    assert not wire.of(InputChange)
    assert wire.pins.shown[-1] == bytes((0, 7, 0)) * 3


def test_what_happened_while_the_cable_was_out_comes_first() -> None:
    wire = Wire()
    wire.meet()
    wire.session.reconnect()
    stamps = []
    for _ in range(3):
        wire.pins.image[0] ^= 1
        wire.pins.now += 1000
        wire.now += MS
        wire.device.turn()
        stamps.append(wire.pins.now)
    wire.pins.outbox = bytearray()
    wire.run(300)
    first, *rest = wire.of(Met, InputChange, Image)
    assert not first.fresh
    assert [one.ticks for one in rest[:3]] == stamps
    assert isinstance(rest[3], Image)


def test_a_new_host_gets_no_old_news() -> None:
    wire = Wire()
    wire.meet()
    wire.pins.image[0] = 1
    wire.device.turn()
    wire.session = Session()
    wire.run(300)
    assert not wire.of(InputChange)
    assert wire.of(Image)[0].levels == b"\1\0"


def test_a_full_ring_says_how_much_was_lost_and_then_the_levels() -> None:
    wire = Wire()
    wire.meet()
    for _ in range(601):  # the host is away
        wire.pins.now += 1000
        wire.pins.image[0] ^= 1
        wire.device.turn()
        wire.pins.outbox = bytearray()
    wire.run(1100)
    assert len(wire.of(InputChange)) == 512
    assert sum(one.count for one in wire.of(Dropped)) == 89
    assert wire.of(Image)[-1].levels == b"\1\0"


@pytest.mark.long
def test_edge_numbers_wrap() -> None:
    wire = Wire()
    wire.meet()
    for _ in range(8300):
        wire.pins.image[0] ^= 255  # eight edges
        wire.run(1)
    wire.run(100)
    assert len(wire.of(InputChange)) == 8 * 8300 > 1 << 16


def test_another_protocol_is_named() -> None:
    session = Session()
    assert list(session.receive(wrap(1, 0, 1, bytes((2, 9, 9))), 0)) == [Stranger(2)]
    assert not list(session.receive(wrap(EDGES, 0, 1, bytes(18)), 0))


def hello(inputs: int = 11, pixels: int = 3, session: int = 7) -> bytes:
    """A device's HELLO."""
    return wrap(HELLO, 0, 1, struct.pack("<BIHHB", PROTOCOL, session, inputs, pixels, 1) + b"x")


def snapshot(image: bytes, flags: int = 0, ticks: int = 5000) -> bytes:
    return wrap(SNAPSHOT, 0, 1, struct.pack("<IHIHB", ticks, 0, 0, 0, flags) + image)


def looks(count: int, longest: int) -> bytes:
    """A device's LOOKS of a second."""
    return wrap(LOOKS, 0, 1, struct.pack("<IIII", count, 10**6, longest, 90_000))


def test_a_snapshot_says_whether_the_chain_is_right() -> None:
    session = Session()
    session.send(0)
    stream = hello() + snapshot(b"\1\0") + snapshot(b"\xff\7", 1) + snapshot(b"\1\0\0")
    images = [one for one in session.receive(stream, 0) if isinstance(one, Image)]
    assert images == [Image(b"\1\0", 5000), Image(b"\xff\7", 5000, wrong=True)]
    assert session.bad == 1  # the last image was too long


def test_a_new_session_is_answered_whatever_else_came_with_it() -> None:
    """A picture of the session before, read in one go with the HELLO of the next, is no reason to
    owe the device its answer: without one it hears nothing more."""
    session = Session()
    list(session.receive(hello() + snapshot(b"\0\0"), 0))
    session.send(0)
    list(session.receive(hello(session=8) + snapshot(b"\0\0"), 1))
    sent = [unwrap(block) or b"" for block in session.send(1).split(b"\0") if block]
    assert HOST_HELLO in [frame[0] for frame in sent]


@pytest.mark.parametrize("before", ["a host that is gone", "nobody"])
@pytest.mark.parametrize("first", ["the device", "the host", "both"])
def test_a_new_host_begins_a_session_of_its_own(before: str, first: str) -> None:
    """A device to which nobody speaks says hello by itself: it may be heard first, or cross the
    host's. What was felt before is no news, and the new lights are shown."""
    wire = Wire()
    if before != "nobody":
        wire.session.light(bytes((9, 0, 0, 0, 0, 0, 0, 0)) * 3)
        wire.meet()
        for _ in range(5):
            wire.pins.image[0] ^= 1
            wire.run(20)
    for ms in range(3000):  # nobody listens; hands set up the board
        wire.pins.image[0] ^= 2 * (ms % 400 == 0)
        wire.alone()
    while not (hello_there := wire.alone()):
        pass
    wire.session = Session()
    wire.session.light(bytes((0, 7, 0, 0, 0, 0, 0, 0)) * 3)
    wire.said.clear()
    if first == "both":
        wire.pins.inbox += wire.session.send(wire.now)
    if first != "the host":
        wire.said += wire.session.receive(hello_there, wire.now)
    wire.run(1000)
    assert wire.of(Image)
    assert not wire.of(InputChange, Dropped)
    assert wire.pins.shown[-1] == bytes((7, 0, 0)) * 3  # green, red, blue
    wire.pins.image[0] ^= 1
    wire.run(100)
    assert [one.input for one in wire.of(InputChange)] == [0]


@settings(derandomize=True, max_examples=300, deadline=None)
@given(
    drawn=st.lists(st.sampled_from([1, 2, *range(4, 256)]), min_size=3, max_size=3),
    wanted=st.integers(0, 0xFFFF) | st.sampled_from((3, 0x300, 0x303, 0x3FF, 0x100)),
    waits=st.just(b"") | st.binary(min_size=2, max_size=2).filter(lambda it: min(it) >= 10),
)
def test_no_greeting_is_ctrl_c_to_a_pico_that_is_starting(
    drawn: list[int], wanted: int, waits: bytes
) -> None:
    """MicroPython heeds a byte 3 until the firmware runs; who lost a Pico greets it again."""
    number = int.from_bytes((*drawn, 1), "little")
    session = Session(waits)
    first = session.send(0)
    list(session.receive(hello(session=number), 0))
    session._wanted = wanted
    session.reconnect()
    again = session.send(1)
    assert b"\3" not in first + again
    for out, named in ((first, 0), (again, number)):
        frame = unwrap(out[:-1]) or b""
        said = struct.pack("<BI", PROTOCOL, named) + waits
        assert (frame[0], frame[5 : 5 + len(said)]) == (HOST_HELLO, said)
        assert int.from_bytes(frame[3:5], "little") <= wanted


def test_only_the_end_of_what_is_no_frame_is_kept() -> None:
    session = Session()
    for _ in range(100):
        list(session.receive(b"\xe5noise\n" * 100, 0))
        assert len(session.text) <= 200
    assert set(session.text) <= set("noise\n")
    list(session.receive(b'Traceback (most recent call last):\n  File "main.py"\nOSErr', 0))
    list(session.receive(b"or: [Errno 5] EIO\nMicroPython v1.24\n>>> ", 0))
    list(session.receive(b"SyntaxError: invalid syntax\n" * 50, 0))
    assert session.error == "OSError: [Errno 5] EIO"
    assert len(session.text) <= 200


def test_a_traceback_between_frames_hurts_nobody() -> None:
    session = Session()
    session.send(0)
    stream = hello() + b"Traceback:\nValueError: x\n\0" + snapshot(b"\0\0")
    kinds = [type(one) for one in session.receive(stream, 0)]
    assert Met in kinds
    assert Image in kinds
    assert (session.bad, session.error) == (1, "ValueError: x")


# The real thing

COMMANDS = [[sys.executable]] + ([interpreter()] if interpreter()[0] != sys.executable else [])
SENSORS = ["a", "b", "", "d"]


class Inbox:
    """Reports as they come."""

    def __init__(self) -> None:
        self.queue: queue.SimpleQueue[Report] = queue.SimpleQueue()

    def until(self, enough: Callable[[Report], bool]) -> list[Report]:
        """All reports up to the first that is `enough`, without watermarks before it."""
        out, end = [], time.monotonic() + PATIENCE
        while True:
            one = self.queue.get(timeout=max(0.001, end - time.monotonic()))
            if enough(one) or not isinstance(one.body, Watermark):
                out.append(one)
            if enough(one):
                return out


def is_snapshot(report: Report) -> bool:
    return isinstance(report.body, Snapshot)


@pytest.fixture(params=COMMANDS, ids=lambda command: os.path.basename(command[0]))
def twin(request: pytest.FixtureRequest) -> Iterator[Twin]:
    strips: list[bytes] = []
    exits: list[str] = []
    with Twin(16, 4, strips.append, exits.append, request.param) as twin:
        twin.strips, twin.exits = strips, exits  # type: ignore[attr-defined]
        yield twin


def test_edges_and_lights_through_the_twin(twin: Any) -> None:
    inbox, opened = Inbox(), time.monotonic_ns()
    with Link(twin.port, SENSORS, inbox.queue.put) as link:
        met = inbox.until(is_snapshot)
        assert [one.body for one in met] == [Presence(True), Snapshot(())]
        twin.drive(b"\x06\0")
        (edge,) = inbox.until(lambda one: isinstance(one.body, Edge))
        assert edge.body == Edge("b", True)
        assert opened < edge.at <= time.monotonic_ns()  # no clock is further off than its pings
        assert edge.raw
        eventually(lambda: link.unknown == 1)
        assert inbox.until(lambda one: isinstance(one.body, Watermark))[-1].at >= edge.at
        link.light(bytes((1, 2, 3, 0, 0, 0, 0, 0)) * 4)
        eventually(lambda: twin.strips[-1:] == [bytes((1, 2, 3)) * 4])
        eventually(lambda: link.shown == 1)
        assert link.firmware == f"hexboard {__version__}"
        with pytest.raises(ValueError, match="8 bytes a pixel"):
            link.light(b"123")
    eventually(lambda: twin.strips[-1:] == [bytes(12)])  # no host: dark


@pytest.mark.parametrize(
    "number", [errno.EIO, errno.ENODEV, errno.ENXIO], ids=lambda number: errno.errorcode[number]
)
def test_what_a_kernel_says_of_a_pulled_cable_is_told_as_that(number: int) -> None:
    """Which one it is hangs on whether a read, a write or the opening met it first."""
    error = OSError(number, os.strerror(number))
    assert "/dev/ttyACM0 was unplugged" in reason("/dev/ttyACM0", error)


def test_a_killed_board_is_reported_once_and_comes_back(twin: Any) -> None:
    inbox = Inbox()
    twin.drive(b"\x01\0")
    with Link(twin.port, SENSORS, inbox.queue.put) as link:
        inbox.until(is_snapshot)
        link.light(bytes((9, 0, 0, 0, 0, 0, 0, 0)) * 4)
        eventually(lambda: link.shown == 1)
        os.kill(twin.pid, 9)
        gone = inbox.until(lambda one: one.body == Presence(False, why(one)))[-1]
        assert "was unplugged" in why(gone)
        eventually(lambda: bool(twin.exits))
        assert twin.exits == ["the firmware twin was killed (signal 9)"]
        twin.unplug()
        twin.strips.clear()
        time.sleep(0.6)  # long enough for a second attempt to fail
        twin.plug()
        back = [one.body for one in inbox.until(is_snapshot)]
        assert back == [Presence(True), Snapshot(("a",))]
        eventually(lambda: twin.strips[-1:] == [bytes((9, 0, 0)) * 4])


@contextlib.contextmanager
def cable(port: str, hears: threading.Event | None = None) -> Iterator[tuple[str, threading.Event]]:
    """A port that leads to `port`, as long as the cable is in; to the board, while it `hears`."""
    board, (near, far) = os.open(port, os.O_RDWR | os.O_NOCTTY), pty.openpty()
    tty.setraw(board)
    tty.setraw(far)
    closing, plugged = threading.Event(), threading.Event()
    plugged.set()

    def carry() -> None:
        while not closing.is_set():
            for end in select.select([near, board], [], [], 0.02)[0]:
                data = os.read(end, 4096)
                deaf = end == near and hears is not None and not hears.is_set()
                if plugged.is_set() and not deaf:
                    os.write(board if end == near else near, data)

    carrier = threading.Thread(target=carry)
    carrier.start()
    try:
        yield os.ttyname(far), plugged
    finally:
        closing.set()
        carrier.join()
        for end in (board, near, far):
            os.close(end)


def test_a_board_that_kept_its_power_says_so_and_tells_what_it_felt(twin: Any) -> None:
    inbox = Inbox()
    twin.drive(b"\x01\0")
    with cable(twin.port) as (port, plugged), Link(port, SENSORS, inbox.queue.put):
        inbox.until(lambda one: one.body == Snapshot(("a",)))  # it may have met it before
        plugged.clear()
        gone = inbox.until(lambda one: one.body == Presence(False, why(one)))[-1]
        time.sleep(0.1)  # two clocks agree as well as a round trip is short
        twin.drive(b"\0\0")
        twin.drive(b"\x01\0")
        time.sleep(0.2)  # that lies behind when the cable is in again
        plugged.set()
        news = [one for one in inbox.until(is_snapshot) if not isinstance(one.body, Watermark)]
    assert [one.body for one in news] == [
        Presence(True, kept=True),
        Edge("a", False),
        Edge("a", True),
        Snapshot(("a",)),
    ]
    assert gone.at < news[1].at <= news[2].at < news[3].at - 100 * MS


def why(report: Report) -> str:
    return report.body.why if isinstance(report.body, Presence) else ""


@pytest.mark.long
def test_ten_thousand_edges_and_none_is_lost(twin: Any) -> None:
    inbox = Inbox()
    with Link(twin.port, SENSORS, inbox.queue.put):
        inbox.until(is_snapshot)
        for block in range(40):
            for i in range(250):
                twin.drive(bytes((~i & 1, 0)))
            seen = 0
            while seen < 250:
                one = inbox.until(lambda one: isinstance(one.body, Edge | Lost))[-1]
                assert one.body == Edge("a", seen % 2 == 0), (block, seen)
                seen += 1


def test_a_link_to_nothing_says_so_once_and_closes() -> None:
    inbox = Inbox()
    with Link("/dev/there-is-no-such-port", SENSORS, inbox.queue.put):
        (gone,) = inbox.until(lambda one: isinstance(one.body, Presence))
        assert "no board on /dev/there-is-no-such-port" in why(gone)
        time.sleep(0.7)
    assert inbox.queue.empty()


def test_another_protocol_is_reported_for_people() -> None:
    master, slave = pty.openpty()
    tty.setraw(slave)
    inbox = Inbox()
    try:
        with Link(os.ttyname(slave), SENSORS, inbox.queue.put):
            os.read(master, 1)  # the link has opened the port, and said hello
            os.write(master, wrap(1, 0, 1, bytes((2, 0))))
            (gone,) = inbox.until(lambda one: isinstance(one.body, Presence))
            assert why(gone) == (
                f"the board on {os.ttyname(slave)} speaks link protocol 2, this hexboard "
                f"{PROTOCOL}: update hexboard on this computer (as it was "
                "installed: hardware/install.sh again, or pip install --upgrade hexboard)"
            )
    finally:
        os.close(master)
        os.close(slave)


def test_an_answered_ping_is_a_sample() -> None:
    wire = Wire()
    wire.run(60)
    assert {one.sent for one in wire.of(Echo)} <= set(range(0, wire.now, MS))
    assert wire.of(Echo)


def test_where_nothing_happens_there_is_a_ping_a_second_until_something_does() -> None:
    wire = Wire()
    wire.meet()

    def echoes(ms: int) -> int:
        wire.said.clear()
        wire.run(ms)
        return len(wire.of(Echo))

    assert echoes(6_000) >= 8  # the first ones come closer
    assert 9 <= echoes(10_000) <= 11
    wire.pins.image[0] ^= 1
    wire.run(2)
    assert 15 <= echoes(4_000) <= 17
    wire.run(1_000)
    assert 4 <= echoes(5_000) <= 6
    wire.session.light(lit(1, 2, 3))
    assert 15 <= echoes(4_000) <= 17


@pytest.mark.parametrize("phase_ms", range(0, 1000, 125))
def test_a_quiet_board_stays_lit_while_the_host_pauses_for_1300_ms(phase_ms: int) -> None:
    """docs/link.md: dark after 2 s in which it heard nothing; a ping comes once a second."""
    wire = Wire()
    wire.session.light(lit(1, 2, 3))
    wire.run(6_000 + phase_ms)
    wire.pins.shown.clear()
    for _ in range(1_300):
        wire.alone()
    wire.run(100)
    assert bytes(9) not in wire.pins.shown
    assert wire.session.shown == 1


def test_a_quiet_board_stays_lit_where_a_frame_of_the_host_is_lost() -> None:
    """The host speaks only when bytes came, as its thread does; of its frames any one is lost."""
    wire = Wire()
    wire.session.light(lit(1, 2, 3))
    wire.run(6_000)
    wire.pins.shown.clear()
    for lost in range(10):
        sent = 0
        for _ in range(4_000):
            data = wire.alone()
            wire.said += wire.session.receive(data, wire.now)
            out = wire.session.send(wire.now) if data else b""
            sent += bool(out)
            wire.pins.inbox += b"" if out and sent == lost else out
        assert bytes(9) not in wire.pins.shown, lost


# Boards that are wrong, in words


class Fake:
    """A device played by the test on a pseudo-terminal, and a link that talks to it."""

    def __init__(self, inputs: list[str], pixels: int = 0) -> None:
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        self.port = os.ttyname(self.slave)
        self.inbox = Inbox()
        self.link = Link(self.port, inputs, self.inbox.queue.put, pixels=pixels)
        os.read(self.master, 1)  # it has opened the port, and said hello

    def says(self, data: bytes) -> None:
        os.write(self.master, data)

    def greeted(self) -> None:
        """The host says hello (again)."""
        while select.select([self.master], [], [], 0.05)[0]:
            os.read(self.master, 4096)
        os.read(self.master, 1)

    def why(self) -> str:
        """Why the board is gone next; the port stands as PORT."""
        gone = self.inbox.until(lambda one: isinstance(one.body, Presence) and not one.body.up)
        return why(gone[-1]).replace(self.port, "PORT")

    def __enter__(self) -> "Fake":
        return self

    def __exit__(self, *_: object) -> None:
        self.link.close()
        os.close(self.master)
        os.close(self.slave)


@pytest.mark.parametrize(
    ("says", "words"),
    [
        (b"", "does not answer: pull its USB cable and put it in again, firmly; if it stays"),
        (b"\xf0\x81" * 300, "the board on PORT speaks something else"),
        (b"MicroPython v1.24.1 on 2024-11-29\r\n>>> ", "hexboard firmware install"),
        (
            b'Traceback (most recent call last):\r\n  File "main.py"\r\n'
            b"OSError: [Errno 5] EIO\r\nMicroPython v1.24.1\r\n>>> ",
            "its program stopped with 'OSError: [Errno 5] EIO': pull its USB cable",
        ),
        (wrap(HELLO, 0, 1, bytes((0, 0))), "update the board: hexboard firmware install"),
        (hello(inputs=3), "the board file names input 3, the board on PORT scans 3: "),
        (hello(inputs=4, pixels=2), "the board file has 3 pixels, the board on PORT lights 2: "),
    ],
    ids=["silent", "other", "prompt", "crashed", "older", "inputs", "pixels"],
)
def test_a_wrong_board_is_told_in_words(says: bytes, words: str) -> None:
    with Fake(SENSORS, pixels=3) as fake:
        fake.says(says)
        assert words in fake.why()


@pytest.mark.parametrize("first", [b"", b"\xf0\x81" * 30 + b"\0"], ids=["", "after noise"])
def test_a_board_that_stops_in_the_middle_of_a_frame_is_still_ours(first: bytes) -> None:
    with Fake(SENSORS) as fake:
        fake.says(first + hello() + snapshot(b"\2\0"))
        fake.inbox.until(is_snapshot)
        fake.says(snapshot(b"\2\0")[:9])
        assert fake.why().startswith("the board on PORT does not answer: pull its USB cable")


MANY = 20_000
"""Pixels, of which a port takes a frame not at once."""


def test_lights_are_written_by_who_shows_them_and_what_the_port_does_not_take_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A device that reads nothing: nobody waits, and once it reads each frame comes whole. It may
    take long to begin."""
    monkeypatch.setattr(link, "TAKES_S", PATIENCE)
    with Fake(SENSORS, pixels=3) as fake:
        fake.says(hello(pixels=MANY) + snapshot(b"\2\0"))
        fake.inbox.until(is_snapshot)
        frames = [bytes((red, 0, 0, 0, 0, 0, 0, 0)) * MANY for red in range(1, 5)]
        begun = time.monotonic()
        for frame in frames:
            fake.link.light(frame)
        assert time.monotonic() - begun < PATIENCE / 2  # who waits does so until it is taken
        data = b""
        while wrap(LIGHTS, 1, 0, frames[0]) not in data:
            assert select.select([fake.master], [], [], PATIENCE)[0]
            assert time.monotonic() - begun < PATIENCE
            data += os.read(fake.master, 4096)
        assert all(map(unwrap, data.split(b"\0")[1:-1]))  # of the first a byte was read already


@pytest.mark.long
def test_why_a_program_stopped_is_not_said_of_the_next_silence() -> None:
    with Fake(SENSORS) as fake:
        fake.says(b"Traceback (most recent call last):\r\nMemoryError: heap is locked\r\n")
        assert "its program stopped with 'MemoryError: heap is locked'" in fake.why()
        fake.greeted()
        fake.says(hello() + snapshot(b"\2\0"))
        fake.inbox.until(is_snapshot)
        assert fake.why().startswith("the board on PORT does not answer: ")


def test_a_chain_that_does_not_answer_is_gone_until_it_does() -> None:
    with Fake(SENSORS) as fake:
        fake.says(hello() + snapshot(b"\2\0"))
        assert [one.body for one in fake.inbox.until(is_snapshot)] == [
            Presence(True),
            Snapshot(("b",)),
        ]
        fake.says(snapshot(b"\xff\xff", 1))
        assert fake.why() == (
            "the sensor chain on PORT does not answer: is its ribbon cable in, "
            "and is the number of inputs right?"
        )
        status = struct.pack("<IHHI", 6000, 0, 0, 0)
        fake.says(wrap(STATUS, 0, 1, status) + snapshot(b"\xff\xff", 1) + snapshot(b"\1\0"))
        assert [one.body for one in fake.inbox.until(is_snapshot)] == [
            Presence(True),
            Snapshot(("a",)),
        ]


def repeats(fake: Fake, *frames: bytes) -> None:
    """Says each of these again and again, until the board is gone."""
    end = time.monotonic() + PATIENCE
    while fake.inbox.queue.empty():
        assert time.monotonic() < end
        fake.says(b"".join(frames))
        time.sleep(0.1)


def began(session: int = 7) -> bytes:
    """The HELLO of a device that another host had told lights."""
    return wrap(HELLO, 0, 2, struct.pack("<BIHHB", PROTOCOL, session, 11, 3, 1) + b"x")


@pytest.mark.long
@pytest.mark.parametrize("says", [hello(), began()], ids=["new", "kept"])
def test_a_device_that_speaks_and_does_not_hear_is_told_of(says: bytes) -> None:
    """All that it says is HELLO, as one does whose line from the host is cut."""
    with Fake(SENSORS, pixels=3) as fake:
        repeats(fake, says)
        assert fake.why() == (
            "the board on PORT speaks but does not hear: pull its USB cable and put it in again; "
            "on a serial line, look at the wire to its RX"
        )
        fake.says(hello(session=9) + snapshot(b"\2\0"))
        assert [one.body for one in fake.inbox.until(is_snapshot)] == [
            Presence(True),
            Snapshot(("b",)),
        ]


def test_a_device_that_goes_deaf_in_play_is_told_of_and_tells_what_it_felt_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """2 s after the last frame that it heard it says HELLO alone, and scans on (docs/link.md)."""
    monkeypatch.setattr(link, "OWED_NS", 200_000_000)
    with Fake(SENSORS, pixels=3) as fake:
        fake.says(hello() + snapshot(b"\2\0"))
        fake.inbox.until(is_snapshot)
        told, end = list[Presence](), time.monotonic() + PATIENCE
        for late in count():
            fake.says(hello())
            time.sleep(0.1)
            told += heard(fake)
            assert time.monotonic() < end
            if told and late > 20:  # which is longer, too, than it may owe its SNAPSHOT
                break
        (gone,) = told
        assert gone.why.startswith(f"the board on {fake.port} speaks but does not hear: pull its")
        edges = struct.pack("<IHIHIH", 6000, 0, 0, 0x8000, 6000, 0)
        fake.says(wrap(EDGES, 0, 1, edges))
        fake.says(wrap(SNAPSHOT, 1, 1, struct.pack("<IHIHB", 7000, 0, 0, 0, 0) + b"\3\0"))
        news = [one.body for one in fake.inbox.until(is_snapshot)]
        assert [body for body in news if not isinstance(body, Watermark)] == [
            Presence(True, kept=True),
            Edge("a", True),
            Snapshot(("a", "b")),
        ]


@pytest.mark.long
def test_a_board_whose_line_from_the_host_is_cut_in_play_is_told_of(twin: Any) -> None:
    """The firmware itself: what it felt meanwhile comes once the line is mended."""
    inbox, hears = Inbox(), threading.Event()
    hears.set()
    twin.drive(b"\x01\0")
    with cable(twin.port, hears) as (port, _), Link(port, SENSORS, inbox.queue.put):
        inbox.until(lambda one: one.body == Snapshot(("a",)))
        hears.clear()
        gone = inbox.until(lambda one: one.body == Presence(False, why(one)))[-1]
        assert "speaks but does not hear" in why(gone)
        twin.drive(b"\0\0")
        hears.set()
        news = [one.body for one in inbox.until(is_snapshot)]
    assert [body for body in news if not isinstance(body, Watermark)] == [
        Presence(True, kept=True),
        Edge("a", False),
        Snapshot(()),
    ]


@pytest.mark.long
def test_a_device_that_answers_and_never_says_how_its_inputs_are_is_told_of() -> None:
    with Fake(SENSORS, pixels=3) as fake:
        fake.says(hello())
        repeats(fake, wrap(STATUS, 0, 1, struct.pack("<IHHI", 6000, 0, 0, 0)))
        assert fake.why() == (
            "the board on PORT answers but never says how its inputs are (SNAPSHOT, "
            "docs/link.md): hexboard firmware install"
        )
        fake.says(snapshot(b"\xff\xff", 1))
        assert fake.why().startswith("the sensor chain on PORT does not answer")
        fake.says(snapshot(b"\2\0"))
        fake.inbox.until(is_snapshot)


@pytest.mark.long
def test_a_device_that_never_confirms_its_limits_is_there_and_said_to_stay_dark() -> None:
    """Its build makes it one that has to; one without a build gets its lights."""
    named = struct.pack("<BIHHB", PROTOCOL, 7, 11, 3, 1) + b"x" + b"\3abc"
    with Fake(SENSORS, pixels=3) as fake:
        fake.link.limit(bytes(8))
        fake.says(wrap(HELLO, 0, 1, named))
        end = time.monotonic() + PATIENCE
        while (told := list(heard(fake)))[-1:] == [] or not told[-1].why:
            assert time.monotonic() < end
            fake.says(snapshot(b"\2\0"))
            time.sleep(0.1)
        why = told[-1].why.replace(fake.port, "PORT")
        assert told[-1].up
        assert link.unlit(why)
        assert why.startswith("the board on PORT stays dark: it names its build, so it has to conf")
        fake.says(snapshot(b"\2\0", 2))
        back = fake.inbox.until(lambda it: isinstance(it.body, Presence))
        assert back[-1].body == Presence(True)


def test_a_board_that_comes_up_late_and_never_confirms_its_limits_is_told_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was not: its time was over while its chain did not answer, when nobody could be told."""
    monkeypatch.setattr(link, "OWED_NS", 200_000_000)
    named = struct.pack("<BIHHB", PROTOCOL, 7, 11, 3, 1) + b"x" + b"\3abc"
    with Fake(SENSORS, pixels=3) as fake:
        fake.link.limit(bytes(8))
        fake.says(wrap(HELLO, 0, 1, named) + snapshot(b"\xff\xff", 1))
        assert fake.why().startswith("the sensor chain on PORT does not answer")
        end, told = time.monotonic() + PATIENCE, list[Presence]()
        for number in count():  # unfit for twice that long, and right from then on
            fake.says(snapshot(b"\xff\xff", 1) if number < 8 else snapshot(b"\2\0"))
            told += heard(fake)
            if told and told[-1].up and link.unlit(told[-1].why):
                break
            assert time.monotonic() < end
            time.sleep(0.05)


def heard(fake: Fake) -> Iterator[Presence]:
    """Who has come and gone since it was asked last."""
    while not fake.inbox.queue.empty():
        if isinstance(body := fake.inbox.queue.get().body, Presence):
            yield body


def test_a_board_of_lights_alone_has_no_chain_that_could_be_missing(twin: Any) -> None:
    """Nothing is on GP16 there, which reads ones."""
    twin.chain(right=False)
    inbox = Inbox()
    with Link(twin.port, [], inbox.queue.put, pixels=4):
        assert [one.body for one in inbox.until(is_snapshot)] == [Presence(True), Snapshot(())]


def test_a_board_that_does_not_fit_still_does_not_once_its_chain_answers_again() -> None:
    with Fake(SENSORS) as fake:
        fake.says(hello(inputs=3) + snapshot(b"\7", 1) + snapshot(b"\2"))
        fake.says(hello(session=8) + snapshot(b"\1\0"))
        assert "scans 3" in fake.why()
        assert [one.body for one in fake.inbox.until(is_snapshot)] == [
            Presence(True),
            Snapshot(("a",)),
        ]


def test_how_well_a_device_looks_is_told_at_first_and_when_it_is_worse_by_a_quarter() -> None:
    """The first is of a time before it was met; 2,000 looks a second are 500 µs apart. After that
    the device starts anew."""
    seconds = [(2000, 90_000), (2000, 4000), (2000, 4900), (2000, 5000), (1500, 900)]
    with Fake(SENSORS) as fake:
        fake.says(hello() + snapshot(b"\0\0") + b"".join(looks(*it) for it in seconds))
        fake.says(hello(session=8) + looks(2000, 90_000) + looks(2000, 700) + snapshot(b"\0\0"))
        heard: list[Report] = []
        while [one.body for one in heard].count(Snapshot(())) < 2:
            heard += fake.inbox.until(is_snapshot)
    told = [one.body for one in heard if isinstance(one.body, Scanned)]
    assert told == [Scanned(4000, 500), Scanned(5000, 500), Scanned(5000, 666), Scanned(700, 500)]


@pytest.mark.parametrize(
    ("says", "heard"),
    [
        (hello() + looks(20, 30_000), [Presence(True, kept=True), Snapshot(("b",))]),
        (
            looks(20, 2_100_000) + looks(20, 30_000) + hello(),
            [Presence(True, kept=True), Scanned(2_100_000, 50_000), Snapshot(("b",))],
        ),
        (
            hello() + snapshot(b"\2\0") + looks(20, 2_100_000) + looks(20, 500_000),
            [
                Presence(True, kept=True),
                Snapshot(("b",)),
                Scanned(2_100_000, 50_000),
                Scanned(500_000, 50_000),
                Snapshot(("b",)),
            ],
        ),
        (
            looks(20, 2_100_000) + hello(session=8) + looks(20, 2_100_000),
            [Presence(True), Snapshot(("b",))],
        ),
        (
            hello(session=8)
            + snapshot(b"\2\0")
            + snapshot(b"\2\0", ticks=971_000)
            + looks(20, 966_000),
            [
                Presence(True),
                Snapshot(("b",)),
                Snapshot(("b",)),
                Scanned(966_000, 50_000),
                Snapshot(("b",)),
            ],
        ),
        (
            hello(session=8)
            + snapshot(b"\2\0")
            + snapshot(b"\2\0", ticks=970_000)
            + looks(20, 966_000),
            [Presence(True), Snapshot(("b",)), Snapshot(("b",)), Snapshot(("b",))],
        ),
    ],
    ids=["looked", "hung", "says so later", "anew", "anew, and hung at once", "hung before"],
)
def test_a_device_that_hung_says_so_each_time_and_not_for_good(
    says: bytes, heard: list[object]
) -> None:
    with Fake(SENSORS) as fake:
        fake.says(hello() + looks(20, 500_000) + snapshot(b"\1\0"))
        fake.inbox.until(is_snapshot)
        assert fake.why().startswith("the board on PORT does not answer: ")
        fake.says(says + snapshot(b"\2\0") + looks(20, 7000))
        told = fake.inbox.until(lambda one: one.body == Scanned(7000, 50_000))
    assert [one.body for one in told[:-1]] == heard


def test_a_device_that_begins_anew_before_it_is_missed_was_away() -> None:
    """What it felt between its last word and the new session nobody knows."""
    with Fake(SENSORS) as fake:
        fake.says(hello() + snapshot(b"\1\0"))
        fake.inbox.until(is_snapshot)
        fake.says(hello(session=8) + snapshot(b"\2\0"))
        gone, back, seen = (one.body for one in fake.inbox.until(is_snapshot))
    assert isinstance(gone, Presence)
    assert not gone.up
    assert gone.why.endswith("began anew")
    assert (back, seen) == (Presence(True), Snapshot(("b",)))


@pytest.mark.parametrize(
    ("silent_us", "told"), [(100_000, [Scanned(90_000, 50_000)]), (80_000, [])]
)
def test_what_a_device_missed_since_it_was_met_is_told_and_what_it_missed_before_is_not(
    silent_us: int, told: list[object]
) -> None:
    with Fake(SENSORS) as fake:
        fake.says(hello() + snapshot(b"\0\0") + snapshot(b"\0\0", ticks=5000 + silent_us))
        fake.says(looks(20, 90_000) + snapshot(b"\1\0"))
        heard = fake.inbox.until(lambda one: one.body == Snapshot(("a",)))
    assert [one.body for one in heard if isinstance(one.body, Scanned)] == told


def test_what_a_device_kept_is_no_silence_of_it() -> None:
    """It was away, and sends two old edges in two frames, of which the first speaks of then: what
    it missed meanwhile it missed unmet."""
    kept = b"".join(
        wrap(EDGES, number, 1, struct.pack("<IHIHIH", until, 0, 0, (number == 2) << 15, at, 0))
        for number, at, until in ((1, 5900, 6000), (2, 6000, 3_000_000))
    )
    with Fake(SENSORS) as fake:
        first = struct.pack("<IHIHIH", 5900, 0, 0, 1 << 15, 5800, 0)
        fake.says(hello() + snapshot(b"\0\0") + wrap(EDGES, 0, 1, first))
        assert fake.why().startswith("the board on PORT does not answer: ")
        image = struct.pack("<IHIHB", 3_000_200, 0, 0, 0, 0) + b"\0\0"
        fake.says(hello() + kept + wrap(SNAPSHOT, 3, 1, image) + looks(20, 90_000))
        fake.says(wrap(SNAPSHOT, 3, 1, image))
        heard = fake.inbox.until(is_snapshot) + fake.inbox.until(is_snapshot)
    assert not [one.body for one in heard if isinstance(one.body, Scanned)]
    assert [one.body.level for one in heard if isinstance(one.body, Edge)] == [False, True]


def test_what_is_no_port_is_told_in_words(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_bytes(b"x")
    for port, words in (
        (str(tmp_path), "is a directory, not a serial port"),
        (str(plain), "is a file, not a serial port"),
        ("E66138935F6F2C2A", "no board with the serial number E66138935F6F2C2A"),
    ):
        inbox = Inbox()
        with Link(port, SENSORS, inbox.queue.put):
            (gone,) = inbox.until(lambda one: isinstance(one.body, Presence))
        assert words in why(gone), why(gone)


def test_a_port_that_another_holds_is_told_in_words() -> None:
    with Fake(SENSORS) as fake:
        inbox = Inbox()
        with Link(fake.port, SENSORS, inbox.queue.put):
            (gone,) = inbox.until(lambda one: isinstance(one.body, Presence))
        assert why(gone) == (
            f"{fake.port} is in use by another program "
            "(hexboard itself? systemctl --user stop hexboard)"
        )


# Ports


def usb(device: str, serial: str, pico: bool = True) -> Any:
    """A port as pyserial lists it."""
    return SimpleNamespace(
        device=device,
        serial_number=serial,
        vid=0x2E8A if pico else 0x1A86,
        pid=0x0005 if pico else 0x7523,
    )


def test_of_several_picos_the_first_serial_number_is_taken_and_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plugged = [usb("/dev/ttyUSB0", "A0", pico=False), usb("/dev/ttyACM0", "E9")]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: plugged)
    assert ports.port("auto") == "/dev/ttyACM0"
    assert not ports.choice("/dev/ttyACM0")
    for later in (plugged.append, lambda one: plugged.insert(0, one)):
        later(usb("/dev/ttyACM1", "E6"))
        assert ports.port("auto") == "/dev/ttyACM1"
    plugged.pop()
    assert ports.choice("/dev/ttyACM1") == (
        "took /dev/ttyACM1 of 2 Picos on USB (E6 on /dev/ttyACM1, E9 on /dev/ttyACM0): "
        "to choose, put a serial number in settings.toml under [link] as port"
    )


def test_a_board_that_is_gone_comes_with_which_of_several_was_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may be another Pico than the board's: nobody is to overwrite that for it."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    port, inbox = os.ttyname(slave), Inbox()
    plugged = [usb(port, "E6"), usb("/dev/ttyACM0", "E9")]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: plugged)
    try:
        with Link("auto", SENSORS, inbox.queue.put):
            os.read(master, 1)  # the link has opened the port, and said hello
            os.write(master, b"MicroPython v1.24.1 on 2024-11-29\r\n>>> ")
            (gone,) = inbox.until(lambda one: isinstance(one.body, Presence))
    finally:
        os.close(master)
        os.close(slave)
    assert "hexboard firmware install; took " in why(gone)
    assert f"(E6 on {port}, E9 on /dev/ttyACM0)" in why(gone)
    with speaking("de"):
        assert translated(why(gone)) == (
            f"auf dem Brett an {port} läuft MicroPython, aber nicht die Firmware von hexboard: "
            f"hexboard firmware install; {port} von 2 Picos an USB genommen (E6 on {port}, E9 on "
            "/dev/ttyACM0): um zu wählen, eine Seriennummer in settings.toml unter [link] als port "
            "eintragen"
        )


@pytest.mark.long
def test_beside_a_second_pico_a_board_comes_back_when_its_cable_is_in_again(
    monkeypatch: pytest.MonkeyPatch, twin: Any
) -> None:
    master, slave = pty.openpty()
    tty.setraw(slave)
    other, inbox = usb(os.ttyname(slave), "E9"), Inbox()
    plugged = [other]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: plugged)

    def comes_up() -> None:
        inbox.until(lambda one: isinstance(one.body, Presence) and one.body.up)

    try:
        with contextlib.ExitStack() as links:
            with cable(twin.port) as (port, _):
                plugged[:] = [usb(port, "E6"), other]
                links.enter_context(board := Link("auto", SENSORS, inbox.queue.put))
                comes_up()
                plugged[:] = [other]
            inbox.until(lambda one: f"the board on {other.device} does not answer" in why(one))
            with cable(twin.port) as (port, _):
                plugged[:] = [usb(port, "E6"), other]
                comes_up()
                assert board.up
                assert board.port == port
    finally:
        os.close(master)
        os.close(slave)


def test_a_serial_number_is_as_good_as_a_port(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged = [usb("/dev/ttyUSB0", "A0", pico=False), usb("/dev/ttyACM0", "E9")]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: plugged)
    assert ports.port("A0") == "/dev/ttyUSB0"
    assert ports.port("E7") is None
    assert ports.port("/dev/ttyS0") == "/dev/ttyS0"
    assert ports.port("COM3") == "COM3"


def test_a_port_tells_the_serial_number_of_what_is_on_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plugged = [usb("/dev/ttyUSB0", "A0", pico=False), usb("/dev/ttyACM0", "E9")]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: plugged)
    (tmp_path / "hexboard").symlink_to("/dev/ttyACM0")
    for wanted in ("auto", "E9", "/dev/ttyACM0", str(tmp_path / "hexboard")):
        assert ports.serial(wanted) == "E9"
    assert ports.serial("/dev/ttyS0") == ""
    plugged.clear()
    assert ports.serial("auto") == ""


# Storms


@pytest.mark.long
def test_every_edge_of_a_storm_on_a_bad_wire_comes_or_is_declared_lost() -> None:
    run = storm(2000, 0.03)
    assert run.honest
    assert run.came > 0
    assert run.declared > 0
    assert run.session.bad > 100


def test_a_storm_that_loses_one_byte_in_a_hundred_loses_no_edge() -> None:
    run = storm(3000, 0.01)
    assert run.honest
    assert run.came == run.driven
    assert run.session.bad > 100


def test_two_thousand_edges_in_82_ms_all_come() -> None:
    run = burst()
    assert run.honest
    assert run.came == 2000

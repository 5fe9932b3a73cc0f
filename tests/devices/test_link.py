"""The link: the pure session against the real firmware over a bad wire, then the real thing."""

import os
import queue
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.devices.link import (
    EDGES,
    PROTOCOL,
    Change,
    Clock,
    Dropped,
    Echo,
    Image,
    Link,
    Met,
    Passed,
    Session,
    Stranger,
    wrap,
)
from controller.facts import MS, Edge, Lost, Presence, Report, Snapshot, Watermark
from controller.simulator.twin import Twin, interpreter
from tests.firmware import firmware
from tests.firmware.fake_pins import FakePins

FAULTS = ("", "", "", "drop", "twice", "flip", "noise", "cut")


class Wire:
    """A session and a device (the real firmware in this interpreter), and a wire that is bad."""

    def __init__(self, faults: Iterable[str] = ()) -> None:
        self.pins = FakePins(11, 3)
        self.device = firmware("main").Device(self.pins)
        self.session = Session()
        self.faults = iter(faults)
        self.now = 0  # board ns
        self.said: list[Any] = []

    def carry(self, data: bytes) -> bytes:
        """What comes out of the wire: each frame suffers the next fault, and later none."""
        out = b""
        for block in data.split(b"\0")[:-1]:
            frame, fault = block + b"\0", next(self.faults, "")
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
    assert met == Met(inputs=11, pixels=3, firmware="hexboard 0.1.0", fresh=True)
    assert image.levels == b"\0\0"


@settings(derandomize=True, max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    flips=st.lists(st.tuples(st.integers(0, 10), st.integers(0, 12)), min_size=1, max_size=40),
    lights=st.lists(st.integers(1, 255), max_size=6),
    faults=st.lists(st.sampled_from(FAULTS), max_size=120),
)
def test_every_edge_comes_once_in_order_and_the_newest_lights_arrive(
    flips: list[tuple[int, int]], lights: list[int], faults: list[str]
) -> None:
    wire = Wire()
    wire.meet()
    wire.faults = iter(faults)
    expected, coming = [], iter(lights)
    for number, pause in flips:
        wire.pins.image[number >> 3] ^= 1 << (number & 7)
        level = bool(wire.pins.image[number >> 3] >> (number & 7) & 1)
        expected.append((number, level, wire.pins.now + 1000))
        if light := next(coming, 0):
            wire.session.light(bytes((light, 0, 0, 0, 0, 0, 0, 0)) * 3)
        wire.run(pause or 1)
    wire.run(1500)  # the wire may be good by now, or take until then
    wire.faults = iter(())
    wire.run(1200)
    assert [(one.input, one.level, one.ticks) for one in wire.of(Change)] == expected
    assert wire.of(Image)[-1].levels == bytes(wire.pins.image)
    assert not wire.of(Dropped)
    if lights:
        last = lights[min(len(lights), len(flips)) - 1]
        assert wire.pins.shown[-1] == bytes((0, last, 0)) * 3
        assert wire.session.shown == wire.device.pixels.shown > 0


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
        if isinstance(one, Passed):
            assert one.ticks > passed
            passed = one.ticks
        elif isinstance(one, Change):
            assert one.ticks >= passed
    assert passed > 0


@given(st.binary(max_size=3000))
def test_noise_is_counted_and_nothing_else(noise: bytes) -> None:
    session = Session()
    list(session.receive(noise, 0))
    list(session.receive(b"\0" + wrap(1, 0, 1, b"\1\2"), 0))  # a frame too short for its type
    assert session.bad >= 1
    assert list(session.receive(b"\0" + wrap(1, 0, 1, bytes((1, 9, 0, 0, 0, 1, 0, 1, 0, 0))), 0))


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
    assert not wire.of(Change)
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
    first, *rest = wire.of(Met, Change, Image)
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
    assert not wire.of(Change)
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
    assert len(wire.of(Change)) == 512
    assert sum(one.count for one in wire.of(Dropped)) == 89
    assert wire.of(Image)[-1].levels == b"\1\0"


def test_edge_numbers_wrap() -> None:
    wire = Wire()
    wire.meet()
    for _ in range(70_000):
        wire.pins.image[0] ^= 1
        wire.run(1)
    wire.run(100)
    assert len(wire.of(Change)) == 70_000


def test_another_protocol_is_named() -> None:
    session = Session()
    assert list(session.receive(wrap(1, 0, 1, bytes((2, 9, 9))), 0)) == [Stranger(2)]
    assert not list(session.receive(wrap(EDGES, 0, 1, bytes(18)), 0))


# The clock


def test_the_shortest_round_trip_says_most() -> None:
    clock = Clock()
    clock.heard(1000, 9_000_000)
    assert clock.board_ns(1000, 9_000_000) == 9_000_000
    clock.restart()
    clock.echo(10_000_000, 5000, 30_000_000)  # 20 ms there and back
    clock.echo(40_000_000, 26_000, 42_000_000)  # 2 ms: the offset is 41 - 26 ms
    clock.echo(50_000_000, 36_000, 59_000_000)
    assert clock.round_trip_ns == 2_000_000
    assert clock.board_ns(40_000, 60_000_000) == 55_000_000


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(0, 90), st.integers(0, 90)), max_size=60))
def test_board_time_is_never_in_the_future_and_never_runs_backwards(
    steps: list[tuple[int, int, int]],
) -> None:
    clock, now, last = Clock(), 10**12, 0
    for step, there, back in steps:
        sent = now + step * MS
        made = sent + there * MS
        now = made + back * MS
        clock.heard(made // 1000, now)
        at = clock.board_ns(made // 1000, now)
        assert last <= at <= now
        last = at
        clock.echo(sent, made // 1000, now)


# The real thing

COMMANDS = [[sys.executable]] + ([interpreter()] if interpreter()[0] != sys.executable else [])
SENSORS = ["a", "b", "", "d"]


class Inbox:
    """Reports as they come."""

    def __init__(self) -> None:
        self.queue: queue.SimpleQueue[Report] = queue.SimpleQueue()

    def until(self, enough: Callable[[Report], bool], seconds: float = 5) -> list[Report]:
        """All reports up to the first that is `enough`, without watermarks before it."""
        out, end = [], time.monotonic() + seconds
        while True:
            one = self.queue.get(timeout=max(0.001, end - time.monotonic()))
            if enough(one) or not isinstance(one.body, Watermark):
                out.append(one)
            if enough(one):
                return out


def is_snapshot(report: Report) -> bool:
    return isinstance(report.body, Snapshot)


def eventually(true: Callable[[], bool], seconds: float = 5) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.002)


@pytest.fixture(params=COMMANDS, ids=lambda command: os.path.basename(command[0]))
def twin(request: pytest.FixtureRequest) -> Iterator[Twin]:
    strips: list[bytes] = []
    exits: list[str] = []
    with Twin(16, 4, strips.append, exits.append, request.param) as twin:
        twin.strips, twin.exits = strips, exits  # type: ignore[attr-defined]
        yield twin


def test_edges_and_lights_through_the_twin(twin: Any) -> None:
    inbox = Inbox()
    with Link(twin.port, SENSORS, inbox.queue.put) as link:
        met = inbox.until(is_snapshot)
        assert [one.body for one in met] == [Presence(True), Snapshot(())]
        before = time.monotonic_ns()
        twin.drive(b"\x06\0")
        (edge,) = inbox.until(lambda one: isinstance(one.body, Edge))
        assert edge.body == Edge("b", True)
        assert before - 5 * MS < edge.at <= time.monotonic_ns()
        assert edge.raw
        eventually(lambda: link.unknown == 1)
        assert inbox.until(lambda one: isinstance(one.body, Watermark))[-1].at >= edge.at
        link.light(bytes((1, 2, 3, 0, 0, 0, 0, 0)) * 4)
        eventually(lambda: twin.strips[-1] == bytes((1, 2, 3)) * 4)
        eventually(lambda: link.shown == 1)
        assert link.firmware == "hexboard 0.1.0"
        assert link.bad_frames == (0, 0)
        with pytest.raises(ValueError, match="8 bytes a pixel"):
            link.light(b"123")
    eventually(lambda: twin.strips[-1] == bytes((0, 3, 8)) * 4)  # no host: calm


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


def why(report: Report) -> str:
    return report.body.why if isinstance(report.body, Presence) else ""


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
    import pty
    import tty

    master, slave = pty.openpty()
    tty.setraw(slave)
    inbox = Inbox()
    try:
        with Link(os.ttyname(slave), SENSORS, inbox.queue.put):
            os.read(master, 1)  # the link has opened the port, and said hello
            os.write(master, wrap(1, 0, 1, bytes((2, 0))))
            (gone,) = inbox.until(lambda one: isinstance(one.body, Presence))
            assert why(gone) == (
                f"the board speaks link protocol 2, this hexboard speaks {PROTOCOL}: "
                "update one of them"
            )
    finally:
        os.close(master)
        os.close(slave)


def test_an_answered_ping_is_a_sample() -> None:
    wire = Wire()
    wire.run(60)
    assert {one.sent for one in wire.of(Echo)} <= set(range(0, wire.now, MS))
    assert wire.of(Echo)

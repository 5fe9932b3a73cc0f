"""Pins: what is known of them over any schedule, then gpiozero itself over its mock pins.

The mock calls back in the thread that drives it, bounces only when told, and never drops an edge;
what a kernel does is shown in tests/vm.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero import Device, InputDevice
from gpiozero.pins.mock import MockFactory, MockPin
from hypothesis import given, settings
from hypothesis import strategies as st

from hexboard.devices.gpio import AGAIN_NS, DEV, IMAGE_NS, LATE_NS, QUIET_NS, Gpio, PinWatch, reason
from hexboard.facts import MS, Edge, Lost, Presence, Report, Snapshot, Watermark
from hexboard.words import say
from tests.running import eventually

SENSORS = ("button:end", "rail:main", "load:B1-6")
PINS = dict(zip((17, 27, 22), SENSORS, strict=True))


# The watch


class Pins:
    """Three pins, a library that brings their edges late or not at all, and a watch on them."""

    def __init__(self) -> None:
        self.now = 1_000 * MS
        self.levels = [False] * 3
        self.coming: list[tuple[int, bool, int]] = []  # edges that the library has not brought yet
        self.watch = PinWatch(SENSORS, "gpio")
        self.said = list(self.watch.begin(list(self.levels), self.now))

    def flip(self, index: int, seen: bool = True) -> None:
        self.levels[index] ^= True
        if seen:
            self.coming.append((index, self.levels[index], self.now))

    def bring(self, count: int) -> None:
        for index, level, stamp in self.coming[:count]:
            self.said += self.watch.edge(index, level, stamp, self.now)
        del self.coming[:count]

    def turn(self, ms: int) -> None:
        """Time passes; edges are never later than the watch is told they may be."""
        for _ in range(ms):
            self.now += MS
            late = [e for e in self.coming if e[2] <= self.now - LATE_NS]
            self.bring(len(late))
            if self.watch.wants_look(self.now):
                self.said += self.watch.look(list(self.levels), self.now)
            self.said += self.watch.passed(self.now)

    def of(self, kind: type) -> list[Any]:
        return [report.body for report in self.said if isinstance(report.body, kind)]

    def active(self) -> tuple[str, ...]:
        return tuple(s for s, level in zip(SENSORS, self.levels, strict=True) if level)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("flip"), st.integers(0, 2)),
        st.tuples(st.just("drop"), st.integers(0, 2)),
        st.tuples(st.just("bring"), st.integers(1, 3)),
        st.tuples(st.just("turn"), st.integers(1, 40)),
    ),
    max_size=60,
)


def run(steps: list[tuple[str, int]]) -> Pins:
    pins = Pins()
    for what, n in steps:
        match what:
            case "flip":
                pins.flip(n)
            case "drop":
                pins.flip(n, seen=False)
            case "bring":
                pins.bring(n)
            case "turn":
                pins.turn(n)
    return pins


@settings(max_examples=80, deadline=None, derandomize=True)
@given(STEPS)
def test_whatever_was_dropped_the_levels_are_right_in_the_end(steps: list[tuple[str, int]]) -> None:
    pins = run(steps)
    pins.turn((IMAGE_NS + QUIET_NS + AGAIN_NS) // MS)
    assert pins.of(Snapshot)[-1].high == pins.active()


@settings(max_examples=200, deadline=None, derandomize=True)
@given(STEPS)
def test_where_none_was_dropped_every_edge_comes_and_none_is_called_lost(
    steps: list[tuple[str, int]],
) -> None:
    steps = [("flip", n) if what == "drop" else (what, n) for what, n in steps]
    pins, levels, expected = run(steps), [False] * 3, []
    pins.turn(2 * QUIET_NS // MS)
    for what, n in steps:
        if what == "flip":
            levels[n] ^= True
            expected.append(Edge(SENSORS[n], levels[n]))
    assert pins.of(Edge) == expected
    assert not pins.of(Lost)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(STEPS)
def test_reports_add_up_and_keep_what_watermarks_promise(steps: list[tuple[str, int]]) -> None:
    pins = run(steps)
    level, at, passed, doubt = dict.fromkeys(SENSORS, False), 0, 0, False
    for report in pins.said:
        assert report.at is not None
        assert at <= report.at <= pins.now
        at = report.at
        match report.body:
            case Edge(sensor, to):
                assert report.at == report.raw
                assert report.at >= passed
                assert to is not level[sensor]
                level[sensor] = to
            case Lost():
                doubt = True
            case Snapshot(high):
                new = {sensor: sensor in high for sensor in SENSORS}
                assert new == level or doubt
                level, doubt = new, False
            case Watermark(until):
                passed = until
    dropped = sum(what == "drop" for what, _ in steps)
    assert sum(lost.count for lost in pins.of(Lost)) <= dropped


def test_two_equal_levels_in_a_row_are_an_edge_that_was_dropped() -> None:
    pins = Pins()
    pins.flip(0)
    pins.flip(0, seen=False)
    pins.flip(0)
    pins.turn(30)
    assert pins.of(Edge) == [Edge("button:end", True)]
    assert pins.of(Lost) == [Lost(1)]
    assert pins.of(Snapshot)[-1].high == ("button:end",)


def test_an_edge_still_on_its_way_is_not_called_lost() -> None:
    pins = Pins()
    pins.now += IMAGE_NS - MS
    pins.flip(1)
    pins.turn(5)  # the look of every second sees a level whose edge has not come
    assert {image.high for image in pins.of(Snapshot)} == {()}  # what is known, so far
    pins.turn(60)
    assert pins.of(Edge) == [Edge("rail:main", True)]
    assert not pins.of(Lost)
    assert pins.of(Snapshot)[-1].high == ("rail:main",)


def test_an_edge_that_the_library_brings_late_is_not_called_lost() -> None:
    """Its thread may get no time for longer than a burst's end takes."""
    pins = Pins()
    pins.flip(0)
    pins.turn(3)
    pins.bring(1)
    pins.levels[0] = False
    pins.now += QUIET_NS + AGAIN_NS - 2 * MS
    pins.said += pins.watch.look(list(pins.levels), pins.now - AGAIN_NS + 2 * MS)
    assert not pins.watch.wants_look(pins.now)
    pins.said += pins.watch.edge(0, False, pins.now - 110 * MS, pins.now)
    pins.turn(60)
    assert pins.of(Edge) == [Edge("button:end", True), Edge("button:end", False)]
    assert not pins.of(Lost)


def test_a_second_edge_on_its_way_is_not_taken_for_the_first() -> None:
    pins = Pins()
    pins.turn(1000 - 3)
    pins.flip(0)
    pins.turn(4)  # the look of every second comes before the edge
    pins.bring(1)
    pins.flip(0)
    pins.turn(10)
    pins.turn(QUIET_NS // MS - 4)
    pins.flip(0)
    pins.turn(60)  # and the next look again: the same levels, but another edge
    assert pins.of(Edge) == [Edge("button:end", level) for level in (True, False, True)]
    assert not pins.of(Lost)


def test_edges_of_before_the_first_look_are_in_it() -> None:
    watch = PinWatch(SENSORS, "gpio")
    assert not list(watch.edge(0, True, 5, 6))
    list(watch.begin([True, False, False], 10))
    assert not list(watch.edge(0, False, 9, 11))
    assert [r.body for r in watch.edge(0, False, 12, 13)] == [Edge("button:end", False)]


def test_times_never_run_backwards_nor_ahead() -> None:
    watch = PinWatch(SENSORS, "gpio")
    list(watch.begin([False, False, False], 10))
    edges = [*watch.edge(0, True, 50, 40), *watch.edge(1, True, 30, 45)]
    assert [(edge.at, edge.raw) for edge in edges] == [(40, 50), (40, 30)]


def test_while_nothing_happens_there_is_a_snapshot_a_second() -> None:
    pins = Pins()
    pins.turn(10_000)
    assert len(pins.of(Snapshot)) == 11


def test_one_pin_that_chatters_hides_no_dropped_edge_of_another() -> None:
    """A sensor without its pull-up changes every 5 ms, which no burst's end follows."""
    pins = Pins()
    pins.flip(1, seen=False)
    for _ in range(300):
        pins.flip(0)
        pins.turn(5)
    assert pins.of(Lost) == [Lost(1)]
    known = ["rail:main" in image.high for image in pins.of(Snapshot)]
    assert known[:3] == [False, False, True]  # a look a second, and one a moment later
    assert all(known[2:])


# gpiozero


@pytest.fixture
def mock(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    factory = MockFactory(revision="c03114")  # a Pi 4B
    monkeypatch.setattr(Device, "pin_factory", factory)
    yield factory
    factory.reset()


class Pressed(MockPin):  # type: ignore[misc]
    """A pin that something holds low, whatever it is pulled to."""

    def drive_high(self) -> None:
        self.drive_low()


class Posted(list[Report]):
    def of(self, kind: type) -> list[Any]:
        return [report.body for report in self if isinstance(report.body, kind)]

    def until(self, true: Callable[["Posted"], Any]) -> Any:
        return eventually(lambda: true(self))


def test_a_button_that_bounces_gives_every_edge_with_its_own_time(mock: MockFactory) -> None:
    posted, pin = Posted(), mock.pin(17)
    with Gpio(PINS, posted.append) as gpio:
        posted.until(lambda said: said.of(Snapshot))
        assert gpio.up
        stamps = []
        for _ in range(50):  # down and up
            for drive in (pin.drive_low, pin.drive_high):
                drive()
                stamps.append(round(pin._last_change * 1e9))
        pin.drive_low()
        posted.until(lambda said: said.of(Snapshot)[-1].high == ("button:end",))
    assert [edge.level for edge in posted.of(Edge)] == [True, False] * 50 + [True]
    assert [report.at for report in posted if isinstance(report.body, Edge)][:-1] == stamps
    assert not posted.of(Lost)


def test_it_begins_with_presence_and_what_is_active_already(mock: MockFactory) -> None:
    posted = Posted()
    mock.pin(27, pin_class=Pressed)
    with Gpio(PINS, posted.append):
        posted.until(lambda said: said.of(Watermark))
    assert [type(report.body) for report in posted[:2]] == [Presence, Snapshot]
    assert posted[1].body == Snapshot(("rail:main",))


def test_where_high_is_active_pins_are_pulled_down(mock: MockFactory) -> None:
    posted = Posted()
    with Gpio(PINS, posted.append, active_low=False):
        posted.until(lambda said: said.of(Snapshot))
        assert mock.pin(22).pull == "down"
        mock.pin(22).drive_high()
    assert posted.of(Edge) == [Edge("load:B1-6", True)]


def test_when_closed_it_is_silent_and_its_pins_are_free(mock: MockFactory) -> None:
    posted = Posted()
    with Gpio(PINS, posted.append):
        posted.until(lambda said: said.of(Snapshot))
    said = len(posted)
    mock.pin(17).drive_low()
    assert len(posted) == said
    with InputDevice(17):
        pass


def test_an_edge_that_comes_after_the_end_is_heard_by_nobody(mock: MockFactory) -> None:
    """lgpio's thread may be about to call: it must outlive that."""
    posted, pin = Posted(), mock.pin(17)
    with Gpio(PINS, posted.append):
        posted.until(lambda said: said.of(Snapshot))
        call = pin._call_when_changed
        pin.drive_low()
    said = len(posted)
    call()
    assert posted.of(Edge) == [Edge("button:end", True)]
    assert len(posted) == said


@pytest.mark.parametrize(
    ("pin", "high_active", "sentence"),
    [
        (17, False, "GPIO 17 is in use by another program"),
        (40, False, "there is no GPIO 40 on this computer"),
        (2, True, "GPIO 2 has a pull-up of its own"),
    ],
)
def test_a_pin_that_cannot_be_had_is_named_and_the_others_are_given_back(
    mock: MockFactory, pin: int, high_active: bool, sentence: str
) -> None:
    posted = Posted()
    with (
        InputDevice(17),
        Gpio({27: "rail:main", pin: "button:end"}, posted.append, active_low=not high_active),
    ):
        (why,) = posted.until(lambda said: [p.why for p in said.of(Presence)])
        eventually(lambda: not mock._reservations[mock.pin(27).info])
    assert why.startswith(sentence)
    assert "\n" not in why


def test_a_pin_that_becomes_free_is_taken(
    mock: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Gpio, "RETRY_S", 0.05)
    posted, other = Posted(), InputDevice(17)
    with Gpio(PINS, posted.append):
        posted.until(lambda said: said.of(Presence))
        other.close()
        posted.until(lambda said: said.of(Snapshot))
    assert [presence.up for presence in posted.of(Presence)] == [False, True]


LAPTOP = """
import os
from hexboard.devices.gpio import Gpio
posted = []
from threading import Event
said = Event()
with Gpio({5: "button:end"}, lambda report: (posted.append(report.body), said.set())):
    said.wait(20)
print(posted[0].up, posted[0].why)
print(os.getcwd(), [name for name in os.listdir() if name.startswith(".lgd")])
"""


@pytest.mark.parametrize("folder", ["/sys", "/"])
def test_the_real_library_says_whether_there_are_pins(folder: str) -> None:
    """Even where lgpio cannot make its FIFO; and it leaves no trace, nor takes us elsewhere."""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", LAPTOP],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    first, second = done.stdout.splitlines()
    here = any(DEV.glob("gpiochip*"))
    assert first.startswith("True" if here else "False this computer has no GPIO pins")
    assert second == f"{folder} []"
    assert not done.stderr


@pytest.fixture
def chip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer that has pins, as far as its files show."""
    (tmp_path / "gpiochip0").touch()
    monkeypatch.setattr("hexboard.devices.gpio.DEV", tmp_path)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ModuleNotFoundError("no", name="gpiozero"), "gpiozero is not installed"),
        (FileNotFoundError("No usable temporary directory found in ['/tmp']"), "lgpio needs a"),
    ],
)
def test_what_is_missing_is_named(chip: None, error: Exception, sentence: str) -> None:
    assert say(reason(error)).startswith(sentence)


def test_both_flavours_of_rpi_gpio_are_told_apart(
    chip: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("RPi.GPIO", "rpi_lgpio"):
        (tmp_path / f"{name}-9.dist-info").mkdir()
        (tmp_path / f"{name}-9.dist-info" / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: 9\n"
        )
    monkeypatch.syspath_prepend(str(tmp_path))
    why = say(reason(RuntimeError("Cannot determine SOC peripheral base address")))
    assert why.startswith("RPi.GPIO and rpi-lgpio are both installed")

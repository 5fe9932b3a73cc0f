"""A strip on the Pi: what it shows over any schedule, the firmware's patterns, Adafruit's code.

The libraries are the real ones; in the place of the Pi's driver and of its SPI bus stands a list.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hexboard.board import ORDERS, Strip
from hexboard.devices import pixels
from hexboard.devices.pixels import (
    AGAIN_NS,
    FRESH_NS,
    INTERVAL_NS,
    Animation,
    Colour,
    Pixels,
    reason,
)
from hexboard.facts import MS, Presence, Report
from hexboard.words import say
from tests.firmware import firmware
from tests.running import eventually

COUNT = 3
LOOK = st.tuples(
    *[st.integers(0, 255)] * 6, st.sampled_from([0, 1, 2, 3, 0x13, 0xF3, 9]), st.just(0)
)
ANY_LOOK = st.tuples(*[st.integers(0, 255)] * 8)


def frame(*looks: tuple[int, ...]) -> bytes:
    return b"".join(map(bytes, looks))


def steady(red: int) -> bytes:
    return bytes((red, 0, 0, 0, 0, 0, 0, 0)) * COUNT


# The animation


class Wire:
    """An animation, and the strip that it is written to: what it shows, after each write."""

    def __init__(self) -> None:
        self.now = 0
        self.animation = Animation(COUNT)
        self.strip: list[list[Colour]] = []
        self.on_the_way: list[Colour] | None = None
        self.garbled = False
        self.given: list[bytes] = []

    def light(self, new: bytes) -> None:
        self.given.append(new)
        self.animation.light(new)

    def begin(self) -> None:
        if self.on_the_way is None:
            self.on_the_way = self.animation.begin(self.now)

    def end(self, well: bool = True) -> None:
        if self.on_the_way is None:
            return
        if well:
            self.strip.append(self.on_the_way)
            self.animation.end()
        else:
            self.animation.forget()
        self.garbled = not well
        self.on_the_way = None

    def settle(self) -> None:
        """Write whatever it still wants written, no later than it says."""
        self.end()
        for _ in range(3):
            wait = self.animation.wait(self.now)
            if wait is None or wait > INTERVAL_NS:
                return
            self.now += wait
            self.begin()
            self.end()


SCHEDULE = st.lists(
    st.one_of(
        st.tuples(st.just("light"), st.integers(0, 3)),
        st.tuples(st.sampled_from(["begin", "end", "fail"]), st.just(0)),
        st.tuples(st.just("pass"), st.integers(1, 50)),
    ),
    max_size=60,
)


WRITE = [("begin", 0), ("end", 0), ("pass", 8)]


@pytest.mark.long
@settings(max_examples=300, deadline=None, derandomize=True)
@example([("light", 1), *WRITE, ("light", 2), ("begin", 0), ("fail", 0), ("light", 1), ("pass", 8)])
@given(SCHEDULE)
def test_a_change_made_while_a_frame_is_being_sent_is_never_lost(
    schedule: list[tuple[str, int]],
) -> None:
    wire, given_reds = Wire(), []
    for what, n in schedule:
        match what:
            case "light":
                given_reds.append(n)
                wire.light(steady(n))
            case "begin":
                wire.begin()
            case "end" | "fail":
                wire.end(what == "end")
            case "pass":
                wire.now += n * MS
    wire.settle()
    assert not wire.garbled
    seen = [colours[0][0] for colours in wire.strip]
    assert wire.animation.shown == len(given_reds)
    assert seen[-1:] == given_reds[-1:]
    waiting = iter(given_reds)
    shown: int | None = None
    for red in seen:  # only frames that were given, in their order
        assert red == shown or any(red == one for one in waiting)
        shown = red


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.tuples(LOOK, LOOK, LOOK), min_size=1, max_size=4), st.integers(0, 20))
def test_it_shows_what_the_firmware_shows_at_every_moment(
    looks: list[tuple[tuple[int, ...], ...]], start: int
) -> None:
    ours, theirs, us = Wire(), firmware("pixels").Pixels(COUNT, "GRB"), start * 1000
    for number, three in enumerate(looks, 1):
        new = frame(*three)
        ours.light(new)
        theirs.take(new, 0, len(new), number)
        for _ in range(90):
            us += 17_000
            ours.now = us * 1000
            ours.begin()
            ours.end()
            if theirs.turn(us, True, True):
                assert ours.strip[-1] == green_red_blue(theirs.wire)
        assert ours.strip[-1] == green_red_blue(theirs.wire)


@given(ANY_LOOK, st.integers(0, 1 << 29))
def test_any_pattern_at_any_phase_is_the_firmwares(look: tuple[int, ...], ms: int) -> None:
    theirs = firmware("pixels").Pixels(1, "GRB")
    theirs.take(bytes(look), 0, 8, 1)
    theirs._ms = ms
    theirs.turn(0, True, True)
    assert [pixels.colour(bytes(look), ms)] == green_red_blue(theirs.wire)


def green_red_blue(wire: bytes) -> list[Colour]:
    return [(wire[i + 1], wire[i], wire[i + 2]) for i in range(0, len(wire), 3)]


def test_what_is_steady_is_written_once_a_second_and_what_moves_thirty_times() -> None:
    """Lights whose 5 V comes on late, or blinks, know nothing of what they were told before."""
    wire = Wire()
    for look, least, most in (
        ((9, 9, 9, 0, 0, 0, 0, 0), 5, 6),
        ((255, 0, 0, 0, 0, 255, 2, 0), 130, 150),
    ):
        before = len(wire.strip)
        wire.light(frame(look))
        for _ in range(5000):
            wire.now += MS
            wire.begin()
            wire.end()
        assert least <= len(wire.strip) - before <= most
    assert INTERVAL_NS * 30 >= 1000 * MS


def test_a_new_frame_waits_eight_milliseconds_at_most() -> None:
    wire = Wire()
    wire.light(steady(1))
    assert wire.animation.wait(wire.now) == 0
    wire.begin()
    wire.light(steady(2))
    wire.end()
    assert wire.animation.wait(wire.now) == FRESH_NS
    wire.now += FRESH_NS
    wire.begin()
    wire.end()
    assert wire.strip[-1] == [(2, 0, 0)] * COUNT
    assert wire.animation.wait(wire.now) == AGAIN_NS


def test_pixels_that_a_frame_does_not_reach_are_dark() -> None:
    wire = Wire()
    wire.light(steady(5)[:8])
    wire.settle()
    assert wire.strip == [[(5, 0, 0), (0, 0, 0), (0, 0, 0)]]


# Adafruit's libraries


class Strips:
    """What came out of the Pi: bytes for PWM, bits of bytes over SPI."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.error: Exception | None = None
        self.hold = threading.Event()
        self.hold.set()
        self.frequency = 6_400_000

    def neopixel_write(self, _pin: object, data: bytearray) -> None:
        self.take(bytes(data))

    def take(self, data: bytes) -> None:
        self.hold.wait(5)
        if self.error:
            raise self.error
        self.sent.append(data)

    # an SPI bus

    def try_lock(self) -> bool:
        return True

    def unlock(self) -> None: ...

    def configure(self, **_: object) -> None: ...

    def write(self, data: bytes) -> None:
        bits = data[64:-64]
        assert not any(data[:64] + data[-64:])
        assert set(bits) <= {0xC0, 0xF0}
        marks = ("1" if byte == 0xF0 else "0" for byte in bits)
        number = "".join(marks)
        self.take(bytes(int(number[i : i + 8], 2) for i in range(0, len(number), 8)))


@pytest.fixture
def strips(monkeypatch: pytest.MonkeyPatch) -> Iterator[Strips]:
    monkeypatch.setenv("SPI_BUFSIZE", "")  # which is set by what is tested
    monkeypatch.setattr(Pixels, "RETRY_S", 0.05)
    import board
    import neopixel

    strips = Strips()
    monkeypatch.setattr(board, "D18", board.Dx_OUTPUT, raising=False)
    monkeypatch.setattr(board, "SPI", lambda: strips)
    monkeypatch.setattr(neopixel, "neopixel_write", strips.neopixel_write)
    yield strips
    strips.hold.set()


PAINTED = frame((1, 2, 3, 0, 0, 0, 0, 0), (4, 4, 4, 0, 0, 0, 0, 0), (255, 0, 128, 0, 0, 0, 0, 0))


@pytest.mark.parametrize("source", ["pwm", "spi"])
@pytest.mark.parametrize("order", ORDERS)
def test_colours_leave_in_the_order_of_the_strip(strips: Strips, source: str, order: str) -> None:
    with Pixels(COUNT, Strip(source, "ws2812b", order), lambda _: None) as strip:
        strip.light(PAINTED)
        eventually(lambda: strip.shown == 1)
        painted = strips.sent[-1]
    dark = bytes(COUNT * len(order))
    named = [dict(zip("RGBW", (*PAINTED[i : i + 3], 0), strict=True)) for i in (0, 8, 16)]
    assert painted == bytes(colour[letter] for colour in named for letter in order)
    assert strips.sent == [dark, painted, dark]


def test_frames_given_during_a_write_leave_only_the_newest(strips: Strips) -> None:
    posted: list[Report] = []
    with Pixels(COUNT, Strip("pwm"), posted.append) as strip:
        eventually(lambda: strip.up)
        strips.hold.clear()
        for red in range(1, 100):
            strip.light(steady(red))
        strips.hold.set()
        eventually(lambda: strip.shown == 99)
        assert strips.sent[-1] == bytes((0, 99, 0)) * COUNT
        assert len(strips.sent) <= 3
    assert [report.body for report in posted] == [Presence(True)]


def test_a_strip_that_fails_is_told_once_and_gets_its_frame_when_it_is_back(strips: Strips) -> None:
    posted: list[Report] = []
    with Pixels(COUNT, Strip("pwm"), posted.append) as strip:
        strip.light(steady(7))
        eventually(lambda: strip.shown == 1)
        strips.error = RuntimeError(
            "NeoPixel support requires running with sudo, please try again!"
        )
        strip.light(steady(8))
        eventually(lambda: len(posted) == 2)
        strip.light(steady(9))
        strips.error = None
        eventually(lambda: strip.shown == 3)
        assert strips.sent[-1] == bytes((0, 9, 0)) * COUNT
    up, down, again = (report.body for report in posted)
    assert up == again == Presence(True)
    assert isinstance(down, Presence)
    assert down.why.startswith("lights on PWM (GPIO 18) need root")


def test_a_strip_too_long_for_the_spi_buffer_is_told(
    strips: Strips, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # 8 bytes for each of 3 colours and 64 bytes of silence before and after: 165 lights are 4088.
    size = tmp_path / "bufsiz"
    monkeypatch.setattr(pixels, "BUFFER", size)
    posted: list[Report] = []
    with Pixels(166, Strip("spi"), posted.append):
        eventually(lambda: posted)
        (tmp_path / "new").write_text("4112\n")
        (tmp_path / "new").rename(size)
        eventually(lambda: len(posted) == 2)
    assert [report.body for report in posted][1] == Presence(True)
    assert "need 4112 bytes of SPI buffer" in posted[0].body.why  # type: ignore[union-attr]
    assert os.environ["SPI_BUFSIZE"] == "4112"


@pytest.mark.parametrize(
    ("source", "error", "sentence"),
    [
        ("pwm", ModuleNotFoundError("no", name="neopixel"), "neopixel is not installed"),
        ("pwm", RuntimeError("ws2811_init failed with code -5 (mmap() failed)"), "lights on PWM"),
        (
            "spi",
            PermissionError(13, "Permission denied", "/dev/spidev0.0"),
            "no permission for SPI",
        ),
        ("spi", OSError("/dev/spidev0.0 does not exist"), "SPI is switched off"),
        (
            "spi",
            ValueError("No Hardware SPI on (SCLK)\nMake sure SPI is enabled."),
            "SPI is switch",
        ),
        (
            "pwm",
            RuntimeError(
                "The platform library '_rpi_ws281x' was not found. To install, try typing: "
                "python -m pip install rpi_ws281x\nmore"
            ),
            "this Pi's driver for lights is not installed: python -m pip install rpi_ws281x",
        ),
        (
            "pwm",
            RuntimeError("ws2811_render failed\nmore"),
            "the lights cannot be written (ws2811_",
        ),
        ("pwm", RuntimeError(), "the lights cannot be written (RuntimeError)"),
    ],
)
def test_each_trouble_is_one_sentence(source: str, error: Exception, sentence: str) -> None:
    said = say(reason(source, error))
    assert said.startswith(sentence)
    assert "\n" not in said


LAPTOP = """
from threading import Event
from hexboard.board import Strip
from hexboard.devices.pixels import Pixels
posted, said = [], Event()
for source in ("pwm", "spi"):
    said.clear()
    with Pixels(3, Strip(source), lambda report: (posted.append(report.body), said.set())) as strip:
        strip.light(bytes(24))
        said.wait(20)
        print(posted[-1].up, posted[-1].why)
"""


@pytest.mark.skipif(Path("/proc/device-tree/model").is_file(), reason="this may be a Pi")
def test_on_a_laptop_the_real_libraries_say_that_there_are_no_lights() -> None:
    env = {name: value for name, value in os.environ.items() if "BLINKA" not in name}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", LAPTOP],
        env={**env, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    lines: Any = done.stdout.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("False this computer has no pins for lights") for line in lines)
    assert not done.stderr

"""Patterns, worked out by hand from docs/link.md."""

import struct
import subprocess
import sys

import pytest

from tests.firmware import FOLDER, HERE, firmware, micropython, run_micropython

pixels = firmware("pixels")

A, B = (200, 100, 0), (0, 100, 50)


def show(pattern: int, phase: int, ms: int) -> tuple[int, ...]:
    """The colour (r, g, b) of a pixel `ms` after the clock's zero."""
    one = pixels.Pixels(1)
    one.take(bytes((*A, *B, pattern, phase)), 0, 8, 1)
    one.turn(0, True)
    one.turn(ms * 1000, True)
    green, red, blue = one.wire
    return red, green, blue


@pytest.mark.parametrize(
    ("pattern", "phase", "ms", "colour"),
    [
        (0, 0, 12_345, A),
        (1, 0, 499, A),
        (1, 0, 500, B),
        (1, 0, 1000, A),
        (1, 128, 40, B),
        (2, 0, 500, (100, 100, 25)),
        (2, 0, 1000, B),
        (2, 0, 1500, (100, 100, 25)),
        (2, 128, 1000, A),
        (0x33, 0, 249, A),
        (0x33, 0, 250, B),
        (0x33, 0, 1249, A),
        (0x33, 0, 1250, B),
        (0x33, 0, 2499, B),
        (0x33, 0, 2500, A),
        (0x03, 0, 100, B),
        (9, 0, 700, A),
    ],
)
def test_patterns(pattern: int, phase: int, ms: int, colour: tuple[int, ...]) -> None:
    assert show(pattern, phase, ms) == colour


def writes(one, start: int, stop: int, step: int = 1000) -> int:  # type: ignore[no-untyped-def]
    return sum(one.turn(now & 0x3FFFFFFF, True) for now in range(start, stop, step))


def test_changes_are_taken_of_a_frame_that_is_there_and_all_or_none() -> None:
    one = pixels.Pixels(3, "RGB")
    good = b"\1\0\2\0" + bytes((7, 0, 0, 0, 0, 0, 0, 0)) * 2
    assert not one.change(good, 0, len(good), 1)  # of no frame
    one.take(bytes((9, 0, 0, 0, 0, 0, 0, 0)) * 3, 0, 24, 1)
    beyond = b"\2\0\2\0" + bytes(16)
    for bad in (beyond, good + beyond, good[:-1], good + b"\0\0\1", b"\0\0\xff\xff"):
        assert not one.change(bad, 0, len(bad), 2)
    assert one.change(good, 0, len(good), 2)
    assert writes(one, 0, 100_000) == 1
    assert bytes(one.wire) == bytes((9, 0, 0, 7, 0, 0, 7, 0, 0))
    assert one.shown == 2


@pytest.mark.parametrize("pattern", [0, 3])
def test_lights_that_do_not_change_are_written_once_a_second(pattern: int) -> None:
    """A strip that lost its 5 V for a moment shows them again by itself; count of none is steady,
    too."""
    one = pixels.Pixels(150)
    one.take(bytes((9, 9, 9, 9, 9, 9, pattern, 0)) * 150, 0, 1200, 1)
    assert 9 <= writes(one, 0, 10_000_000) <= 11
    assert bytes(one.wire) == b"\x09" * 450


def test_the_same_lights_under_another_number_are_not_written_for_that() -> None:
    one = pixels.Pixels(150)
    one.take(bytes((9, 9, 9, 0, 0, 0, 0, 0)) * 150, 0, 1200, 1)
    assert writes(one, 0, 300_000) == 1
    one.take(bytes((9, 9, 9, 0, 0, 0, 0, 0)) * 150, 0, 1200, 2)
    assert writes(one, 300_000, 900_000) == 0
    assert one.shown == 2


def test_a_blink_writes_twice_a_second_and_a_pulse_at_most_thirty_times() -> None:
    one = pixels.Pixels(150)
    one.take(bytes((9, 9, 9, 0, 0, 0, 1, 0)) * 150, 0, 1200, 1)
    assert 9 <= writes(one, 0, 5_000_000) <= 11
    one.take(bytes((255, 0, 0, 0, 0, 255, 2, 0)) * 150, 0, 1200, 2)
    assert 100 < writes(one, 5_000_000, 10_000_000) <= 150


def test_without_a_host_every_pixel_is_dark_and_with_it_the_lights_are_back() -> None:
    one = pixels.Pixels(2)
    one.take(bytes((9, 8, 7, 0, 0, 0, 0, 0)), 0, 8, 5)
    one.turn(0, True)
    assert (bytes(one.wire), one.shown) == (bytes((8, 9, 7, 0, 0, 0)), 5)
    one.turn(50_000, False)
    assert (bytes(one.wire), one.shown) == (bytes(6), 0)
    one.turn(100_000, True)
    assert (bytes(one.wire), one.shown) == (bytes((8, 9, 7, 0, 0, 0)), 5)


def test_animation_goes_on_over_the_wrap_of_the_tick() -> None:
    one = pixels.Pixels(1)
    one.take(bytes((9, 9, 9, 0, 0, 0, 1, 0)), 0, 8, 1)
    assert 9 <= writes(one, (1 << 30) - 2_500_000, (1 << 30) + 2_500_000) <= 11


def test_colours_leave_in_the_order_of_the_strip_and_the_white_diode_stays_dark() -> None:
    for order, wire in (("RGB", (9, 8, 7)), ("BRG", (7, 9, 8)), ("GRBW", (8, 9, 7, 0))):
        one = pixels.Pixels(30, order)
        one.take(bytes((9, 8, 7, 0, 0, 0, 0, 0)) * 30, 0, 240, 1)
        assert writes(one, 0, 50_000) == 1
        assert bytes(one.wire) == bytes(wire) * 30


def test_the_last_slice_waits_until_the_strip_is_free_and_a_newer_frame_is_not_mixed_in() -> None:
    one = pixels.Pixels(60)
    for number, red in ((1, 10), (2, 20)):
        one.take(bytes((red, 0, 0, 0, 0, 0, 0, 0)) * 60, 0, 480, number)
        for now in range(0, 50_000, 1000):
            assert not one.turn(number * 100_000 + now, True, False)
        assert one.busy
    assert one.shown == 0
    assert one.turn(250_000, True, True)
    assert bytes(one.wire) == bytes((0, 20, 0)) * 60
    assert one.shown == 2


def run(end: int, rail: int, room: int) -> bytes:
    return struct.pack("<HBxI", end, rail, room)


def test_a_frame_over_a_rails_limit_is_dimmed_on_the_device_rail_by_rail() -> None:
    """Levels of two full white pixels come to 1530: a rail that may have 100 of it gives each
    255 * 100 // 1530 = 16, one that may have 1000 gives 166."""
    one = pixels.Pixels(5)
    limits = run(1, 0, 100) + run(3, 1, 1000) + run(4, 0, 100) + run(5, 2, 765)
    one.limit(limits, 0, len(limits))
    assert one.limited
    one.take(bytes((255, 255, 255, 0, 0, 0, 0, 0)) * 5, 0, 40, 1)
    assert one.turn(0, True)
    assert [*one.wire] == [16] * 3 + [166] * 6 + [16] * 3 + [255] * 3
    one.take(bytes((10, 20, 1, 0, 0, 0, 0, 0)) * 5, 0, 40, 2)  # within all of them
    assert one.turn(50_000, True)
    assert [*one.wire] == [20, 10, 1] * 5


def test_no_instant_of_a_pattern_is_over_the_limit() -> None:
    one = pixels.Pixels(50)
    limits = run(50, 0, 999)
    one.limit(limits, 0, len(limits))
    for pattern in (1, 2, 0x23):
        one.take(bytes((255, 90, 3, 0, 200, 255, pattern, 0)) * 50, 0, 400, pattern)
        for now in range(0, 2_500_000, 10_000):
            one.turn(3_000_000 * pattern + now, True)
            while one.busy:
                one.turn(3_000_000 * pattern + now, True)
            assert sum(one.wire) <= 999


def test_limits_that_make_no_sense_are_not_held() -> None:
    one = pixels.Pixels(4)
    for limits in (run(4, 0, 9)[:5], run(4, 32, 9), run(3, 0, 9) + run(2, 0, 9), run(4, 0, 9) * 33):
        one.limit(limits, 0, len(limits))
        assert not one.limited


@pytest.mark.long
@micropython
def test_machine_code_paints_what_cpython_paints() -> None:
    done = subprocess.run(
        [sys.executable, str(HERE / "patterns.py"), str(FOLDER)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run_micropython("patterns.py") == done.stdout

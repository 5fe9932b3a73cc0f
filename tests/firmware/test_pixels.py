"""Patterns, worked out by hand from docs/link.md."""

import pytest

from tests.firmware import firmware

pixels = firmware("pixels")

A, B = (200, 100, 0), (0, 100, 50)


def show(pattern: int, phase: int, ms: int) -> tuple[int, ...]:
    """The colour (r, g, b) of a pixel `ms` after the clock's zero."""
    one = pixels.Pixels(1, "GRB")
    one.take(bytes((*A, *B, pattern, phase)), 0, 8, 1)
    one.turn(0, True, True)
    one.turn(ms * 1000, True, True)
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
    return sum(one.turn(now & 0x3FFFFFFF, True, True) for now in range(start, stop, step))


def test_steady_lights_are_written_once() -> None:
    one = pixels.Pixels(150, "GRB")
    one.take(bytes((9, 9, 9, 0, 0, 0, 0, 0)) * 150, 0, 1200, 1)
    assert writes(one, 0, 3_000_000) == 1
    one.take(bytes((9, 9, 9, 0, 0, 0, 0, 0)) * 150, 0, 1200, 2)
    assert writes(one, 3_000_000, 4_000_000) == 0
    assert one.shown == 2


def test_a_blink_writes_twice_a_second_and_a_pulse_at_most_thirty_times() -> None:
    one = pixels.Pixels(150, "GRB")
    one.take(bytes((9, 9, 9, 0, 0, 0, 1, 0)) * 150, 0, 1200, 1)
    assert 9 <= writes(one, 0, 5_000_000) <= 11
    one.take(bytes((255, 0, 0, 0, 0, 255, 2, 0)) * 150, 0, 1200, 2)
    assert 100 < writes(one, 5_000_000, 10_000_000) <= 150


def test_without_a_host_every_pixel_is_calm_and_with_it_the_lights_are_back() -> None:
    one = pixels.Pixels(2, "GRB")
    one.take(bytes((9, 8, 7, 0, 0, 0, 0, 0)), 0, 8, 5)
    one.turn(0, True, True)
    assert (bytes(one.wire), one.shown) == (bytes((8, 9, 7, 0, 0, 0)), 5)
    one.turn(50_000, False, True)
    assert (bytes(one.wire), one.shown) == (bytes((3, 0, 8, 3, 0, 8)), 0)
    one.turn(100_000, True, True)
    assert (bytes(one.wire), one.shown) == (bytes((8, 9, 7, 0, 0, 0)), 5)


def test_animation_goes_on_over_the_wrap_of_the_tick() -> None:
    one = pixels.Pixels(1, "GRB")
    one.take(bytes((9, 9, 9, 0, 0, 0, 1, 0)), 0, 8, 1)
    assert 9 <= writes(one, (1 << 30) - 2_500_000, (1 << 30) + 2_500_000) <= 11

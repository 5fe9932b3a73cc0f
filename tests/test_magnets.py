"""Who feels tiles by Hall switches needs magnets that are felt and hold no ball."""

import math

import pytest

from tests.magnets import N35_T, field, pull

MAGNET = 6.0, 1.0
FELT_MT = 4.8
"""At this at most a DRV5032FA switches: its data sheet (Texas Instruments, SLVSDC7)."""
WEIGHT_MN = 7.85e-3 * math.pi / 6 * 9.525**3 * 9.81
"""Of a steel ball of 9.525 mm."""


def test_a_hall_switch_8_mm_under_a_tile_feels_the_weakest_magnet() -> None:
    assert field(*MAGNET, 8.0) == pytest.approx(1.5 * FELT_MT, rel=0.02)
    assert field(*MAGNET, 9.0) > 1.03 * FELT_MT


@pytest.mark.long
def test_no_magnet_of_6_by_1_mm_holds_a_ball_on_the_board() -> None:
    """It lies 5 mm under the ball; at 15 degrees a channel may run 60 degrees aside."""
    down = WEIGHT_MN * math.sin(math.radians(15))
    pulls = [pull((*MAGNET, -4.0), (0.25 * k, 0.0, 0.6 + 9.525 / 2), 9.525 / 2) for k in range(40)]
    most = max(-x for x, _, _ in pulls)
    assert down / most > 2.0
    assert down * math.sin(math.radians(30)) / most > 1.2


def test_the_pull_of_a_small_magnet_is_that_of_the_formula_for_dipoles() -> None:
    """Far off, iron of radius a in the field B of a moment m has the moment 4πa³B/μ0 and is pulled
    by 3·(4πa³/μ0)·B²/r."""
    away, size, disc = 60.0, 2.0, (6.0, 1.0)
    moment = N35_T / (4e-7 * math.pi) * math.pi * 9e-6 * 1e-3
    there = 2e-7 * moment / 0.06**3
    wanted = 1e3 * 3 * 4 * math.pi * 8e-9 / (4e-7 * math.pi) * there**2 / 0.06
    _, _, found = pull((*disc, 0.5), (0.0, 0.0, away), size)
    assert -found == pytest.approx(wanted, rel=0.03)
    assert field(*disc, away - 0.5) == pytest.approx(1e3 * there, rel=0.02)

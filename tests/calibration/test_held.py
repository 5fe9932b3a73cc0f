"""A ball held twice is a sign; nothing else that hands, balls and contacts do at a place is."""

import pytest

from hexboard.calibration.held import HeldTwice
from hexboard.facts import MS

Spans = list[tuple[int, int]]
"""From when to when a sensor is high, ms."""
TEN_TOUCHES = [(400 * k, 400 * k + 250) for k in range(10)]


def signs(spans: Spans) -> list[int]:
    """When a sign was seen, ms."""
    held, seen = HeldTwice(), []
    for rose, fell in spans:
        assert not held.edge("edge:B1-C1", True, rose * MS)
        if held.edge("edge:B1-C1", False, fell * MS):
            seen.append(fell)
    return seen


@pytest.mark.parametrize(
    ("spans", "at"),
    [
        ([(0, 2000), (2500, 4500)], 4500),
        ([(0, 1500), (1750, 3250)], 3250),  # the least
        ([(0, 5000), (7000, 12000)], 12000),  # the most
        ([(0, 1), (3, 2000), (2030, 2031), (2600, 2602), (2604, 4600)], 4600),  # both bounce
        ([*TEN_TOUCHES, (5000, 7000), (7500, 9500)], 9500),
    ],
)
def test_a_ball_held_for_two_seconds_twice_is_a_sign(spans: Spans, at: int) -> None:
    assert signs(spans) == [at]


@pytest.mark.parametrize(
    "spans",
    [
        TEN_TOUCHES,
        [(1500 * k, 1500 * k + 1000) for k in range(10)],  # ten slow ones
        [(0, 2000)],  # somebody looks where the light is
        [(0, 2000), (2100, 4100)],  # and their hand trembles
        [(0, 2000), (4500, 6500)],  # a place visited again
        [(0, 30_000), (30_500, 60_000)],  # a ball lies there
        [(0, 2000), (2500, 2560)],  # and a hand brushes it
        [(0, 2000), (2500, 2560), (3000, 5000)],
    ],
)
def test_nothing_else_is(spans: Spans) -> None:
    assert signs(spans) == []


def test_after_a_sign_it_begins_anew() -> None:
    holds = [(2500 * k, 2500 * k + 2000) for k in range(5)]
    assert signs(holds) == [4500, 9500]
    assert signs([(0, 2000), (2500, 4500), (4510, 4520), (5000, 7000)]) == [4500]


def test_two_sensors_do_not_make_one_sign() -> None:
    held = HeldTwice()
    for sensor, rose in (("edge:B1-C1", 0), ("edge:B2-C2", 2500)):
        held.edge(sensor, True, rose * MS)
        assert not held.edge(sensor, False, (rose + 2000) * MS)

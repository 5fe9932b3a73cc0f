"""So many sensors at once that no ball can have done it."""

from collections.abc import Iterable

import pytest

from hexboard.facts import MS
from hexboard.perception.storm import Storms

SENSORS = [f"edge:{n}" for n in range(113)]


def begun(storms: Storms, rises: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Which sensors rise when (ms); when a storm was seen, and since when it blows, in ms."""
    found = []
    for number, at in rises:
        since = storms.rises(SENSORS[number], at * MS)
        if since is not None:
            found.append((at, since // MS))
    return found


def over(storms: Storms, at: int | None) -> bool:
    """Whether a storm will be over then, in ms; None: there is none."""
    return (storms.on, storms.deadline) == (at is not None, at and at * MS)


def test_two_dozen_sensors_within_a_fifth_of_a_second_are_a_storm() -> None:
    assert begun(Storms(SENSORS), ((n, 5 * n) for n in range(60))) == [(115, 0)]


def test_ten_balls_at_once_are_none() -> None:
    """Each reaches a sensor every 100 ms, for three seconds: no slot is shorter."""
    ten_balls = (
        (10 * (at // 100 % 8) + ball, at) for at in range(0, 3000, 100) for ball in range(10)
    )
    assert begun(Storms(SENSORS), ten_balls) == []


def test_one_sensor_that_chatters_is_none() -> None:
    assert begun(Storms(SENSORS), ((7, at) for at in range(20_000))) == []


def test_a_slow_storm_is_seen_once_most_sensors_spoke_and_began_after_the_last_pause() -> None:
    """One sensor every 200 ms: 81 of 113, which is 72 %, after 16 s. Somebody rolled before."""
    roll = [(n, 100 * n) for n in range(12)]
    blows = [(20 + n, 5_000 + 200 * n) for n in range(93)]
    assert begun(Storms(SENSORS), [*roll, *blows]) == [(5_000 + 200 * 68, 5_000)]


def test_it_is_over_once_at_most_two_sensors_spoke_for_three_seconds() -> None:
    storms = Storms(SENSORS)
    begun(storms, ((n, n) for n in range(30)))
    begun(storms, ((n, 1_000) for n in range(3)))
    begun(storms, ((n, 2_000) for n in range(2)))  # bad ones
    assert over(storms, 4_000)
    storms.end()
    assert over(storms, None)
    assert begun(storms, [(5, 4_001)]) == []


@pytest.mark.parametrize("few", [0, 3, 23])
def test_a_board_with_few_sensors_has_no_storms(few: int) -> None:
    storms = Storms(SENSORS[:few])
    assert begun(storms, ((n, n) for n in range(113))) == []

"""What is learned of a sensor from its edges. Times by hand, in ms."""

import pytest

from calibration.learner import APART, ENOUGH, KEEP, Learner, percentile
from controller.demo.evening import Evening
from controller.facts import MS, Edge, Fact
from controller.record.account import Told
from tests.desk import BOARD

A, B, C = "edge:B2-C2", "edge:B1-C1", "gate:B1-6"


def feed(learner: Learner, sensor: str, *ms: float) -> None:
    """Edges at these times, a rise first."""
    for k, at in enumerate(ms):
        learner.edge(sensor, k % 2 == 0, round(at * MS))


def rolls(learner: Learner, sensor: str, widths: list[float], begin: float = 0) -> None:
    """A pulse a second, each after a bounce of 0.3 ms high and 0.2 ms low."""
    for k, width in enumerate(widths):
        t = begin + 1000 * k
        feed(learner, sensor, t, t + 0.3, t + 0.5, t + 0.5 + width)
    learner.advance(round((begin + 1000 * len(widths)) * MS))


def test_a_fit_is_half_the_shortest_pulse_and_twice_the_longest_gap() -> None:
    learner = Learner(BOARD)
    rolls(learner, A, [6 + k % 5 for k in range(ENOUGH)])
    times = learner.fit(A)
    assert times is not None
    assert (times.shortest, times.glitch, times.pulses) == (6 * MS, 0.3 * MS, ENOUGH)
    assert (times.min_high, times.min_low) == (3 * MS, 0.4 * MS)
    assert times.dead == BOARD.sensor[A].dead  # nothing bounced after a pulse
    assert times.clear


def test_bounce_after_a_pulse_is_what_dead_time_is_for() -> None:
    learner = Learner(BOARD)
    for k in range(ENOUGH):
        feed(learner, A, 1000 * k, 1000 * k + 8, 1000 * k + 9, 1000 * k + 10)
    learner.advance(10**12)
    times = learner.fit(A)
    assert times is not None
    assert times.dead == 3 * MS  # one and a half times the 2 ms to the end of the bounce
    assert list(learner.samples[A].pulses) == [8 * MS] * ENOUGH


def test_glitches_above_half_a_pulse_raise_the_demand_and_are_told() -> None:
    learner = Learner(BOARD)
    rolls(learner, A, [4.0] * ENOUGH)
    learner.resting = True
    feed(learner, A, 90_000, 90_003)
    learner.advance(10**12)
    times = learner.fit(A)
    assert times is not None
    assert not times.clear
    assert times.min_high == 3.05 * MS


def test_a_sensor_with_few_pulses_borrows_those_of_its_kind() -> None:
    learner = Learner(BOARD)
    rolls(learner, A, [6.0] * (ENOUGH - 1))
    assert learner.fit(A) is None
    rolls(learner, B, [10.0])
    times = learner.fit(B)
    assert times is not None
    assert (times.shortest, times.pulses) == (6 * MS, 1)
    assert learner.fit(C) is None  # of another kind


def test_a_ball_that_is_held_says_nothing_of_speed() -> None:
    learner = Learner(BOARD)
    feed(learner, A, 0, 500)
    learner.advance(10**12)
    assert learner.samples[A].bursts == 1
    assert not learner.samples[A].pulses


def test_two_balls_one_close_after_the_other_are_two_pulses() -> None:
    learner = Learner(BOARD)
    feed(learner, A, 0, 8, 20, 28)
    learner.advance(10**12)
    assert list(learner.samples[A].pulses) == [8 * MS, 8 * MS]
    assert list(learner.samples[A].lows) == [12 * MS]
    assert not learner.samples[A].gaps


def test_a_burst_ends_only_after_enough_low() -> None:
    for gap, bursts in ((APART - 1, 1), (APART, 2)):
        learner = Learner(BOARD)
        for begin in (0, 8 * MS + gap):
            learner.edge(A, True, begin)
            learner.edge(A, False, begin + 8 * MS)
        assert learner.samples[A].bursts == bursts


def test_a_storm_does_not_grow_and_marks_its_sensor() -> None:
    learner = Learner(BOARD)
    for k in range(20_000):
        learner.edge(A, k % 2 == 0, k * MS // 10)
    rolls(learner, B, [6.0] * 3 * KEEP)
    assert learner.samples[A].wild
    assert len(learner.samples[B].pulses) == KEEP


def test_edges_lost_and_sensors_unknown_are_passed_over() -> None:
    learner = Learner(BOARD)
    feed(learner, A, 0)
    learner.edge(A, True, 5 * MS)  # its fall was lost
    learner.edge("edge:X9-X8", True, 6 * MS)
    learner.forget()
    learner.edge(A, False, 7 * MS)
    learner.advance(10**12)
    assert not learner.samples[A].pulses


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [([], 99, 0), ([5], 1, 5), (range(1, 101), 1, 1), (range(1, 101), 99, 99), ([1, 2], 50, 1)],
)
def test_percentiles_are_the_nearest_rank(values: list[int], percent: int, expected: int) -> None:
    assert percentile(values, percent) == expected


@pytest.mark.long
def test_an_evening_is_fitted_to_the_simulators_own_widths() -> None:
    """The simulator makes pulses of 5 to 14 whole ms, after bounces of 0.25 ms high and low."""
    learner = Learner(BOARD)

    def keep(fact: Fact, told: list[Told]) -> None:
        if isinstance(fact.body, Edge):
            learner.edge(fact.body.sensor, fact.body.level, fact.at)

    Evening(BOARD, 5, 1500, keep).play(60)
    learner.advance(10**15)
    fitted = {s.kind: t for s in BOARD.sensors if (t := learner.fit(s.id))}
    assert {"edge", "gate"} <= set(fitted)
    for times in fitted.values():
        assert 5 * MS <= times.shortest <= 6 * MS
        assert times.min_high == times.shortest // 2
        assert times.glitch in (0, MS // 4)
        assert times.clear
    assert {t.min_low for t in fitted.values()} == {MS // 2, 3 * MS // 2}

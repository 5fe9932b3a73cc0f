"""What is learned of a sensor from its edges. Times by hand, in ms."""

import pytest

from hexboard.calibration.learner import APART_NS, KEEP, Learner
from hexboard.calibration.times import ENOUGH, Times, balls
from hexboard.facts import MS, Edge, Fact
from hexboard.games.hextraction.simulator.evening import Evening
from hexboard.record.transcript import Told
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


def test_times_that_count_every_ball_once_stay() -> None:
    learner, file = Learner(BOARD), BOARD.sensor[A]
    rolls(learner, A, [6 + k % 5 for k in range(ENOUGH)])
    times = learner.fit(A)
    assert times is not None
    assert (times.shortest, times.glitch, times.pulses) == (6.5 * MS, 0, ENOUGH)
    assert (times.min_high, times.min_low, times.dead) == (file.min_high, file.min_low, file.dead)
    assert times.clear


def test_a_ball_is_believed_so_long_after_its_first_sign() -> None:
    learner, high = Learner(BOARD), BOARD.sensor[A].min_high
    rolls(learner, A, [6.0] * (ENOUGH - 1))
    assert learner.delay(A, None) is None  # one ball too few
    feed(learner, A, 30_000, 30_006)  # which does not bounce: 0.5 ms sooner
    learner.advance(31_000 * MS)
    assert 0.3 * MS < high < 6 * MS  # a bounce of 0.3 ms is not believed yet
    assert learner.delay(A, None) == (0.5 * MS + high, 0.5 * MS + high)
    clear = Times(4 * MS, 1, 1, ENOUGH, 1, 0, True)
    assert learner.delay(A, clear) == (4.5 * MS, 4.5 * MS)
    rolls(learner, A, [6.0, 6.0], 40_000)
    assert learner.samples[A].glitches == 0
    feed(learner, A, 50_000, 50_000.5)
    learner.advance(51_000 * MS)
    assert learner.samples[A].glitches == 1


def test_what_fires_while_nothing_touches_the_board_is_no_ball() -> None:
    learner = Learner(BOARD)
    rolls(learner, A, [4 + k % 4 for k in range(ENOUGH)])
    learner.resting = True
    for k in range(ENOUGH):
        feed(learner, A, 90_000 + 1000 * k, 90_002 + 1000 * k)
    learner.advance(10**12)
    times = learner.fit(A)
    assert times is not None
    assert 2 * MS < times.min_high < 4 * MS
    assert (times.glitch, times.clear) == (2 * MS, True)


def test_what_cannot_be_told_from_balls_is_not_clear() -> None:
    learner = Learner(BOARD)
    rolls(learner, A, [4.0] * ENOUGH)
    learner.resting = True
    for k in range(ENOUGH):
        feed(learner, A, 90_000 + 1000 * k, 90_004 + 1000 * k)
    learner.advance(10**12)
    times = learner.fit(A)
    assert times is not None
    assert not times.clear


def test_a_sensor_with_few_pulses_borrows_those_of_its_kind() -> None:
    learner = Learner(BOARD)
    rolls(learner, A, [6.0] * (ENOUGH - 1))
    assert learner.fit(A) is None
    rolls(learner, B, [10.0])
    times = learner.fit(B)
    assert times is not None
    assert (times.shortest, times.pulses) == (6.5 * MS, 1)
    assert learner.fit(C) is None  # of another kind


def test_a_ball_that_is_held_says_nothing_of_speed() -> None:
    learner = Learner(BOARD)
    feed(learner, A, 0, 500)
    learner.advance(10**12)
    assert learner.samples[A].bursts == 1
    assert not learner.samples[A].rolled


def test_two_balls_one_close_after_the_other_are_two_pulses() -> None:
    learner = Learner(BOARD)
    feed(learner, A, 0, 8, 20, 28)
    learner.advance(10**12)
    (burst,) = learner.samples[A].rolled
    assert burst == ((0, 8 * MS), (20 * MS, 28 * MS))
    assert balls(burst, 8 * MS) == 2


def test_a_burst_ends_only_after_enough_low() -> None:
    for gap, bursts in ((APART_NS - 1, 1), (APART_NS, 2)):
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
    assert len(learner.samples[B].rolled) == KEEP


def test_edges_lost_and_sensors_unknown_are_passed_over() -> None:
    learner = Learner(BOARD)
    feed(learner, A, 0)
    learner.edge(A, True, 5 * MS)  # its fall was lost
    learner.edge("edge:X9-X8", True, 6 * MS)
    learner.forget()
    learner.edge(A, False, 7 * MS)
    learner.advance(10**12)
    assert not learner.samples[A].rolled


@pytest.mark.long
def test_a_healthy_evening_leaves_the_times_as_they_are() -> None:
    """The simulator makes pulses of 5 to 14 whole ms, after bounces of 0.25 ms high and low."""
    learner = Learner(BOARD)

    def keep(fact: Fact, told: list[Told]) -> None:
        if isinstance(fact.body, Edge):
            learner.edge(fact.body.sensor, fact.body.level, fact.at)

    Evening(BOARD, 5, 1500, keep).play(60)
    learner.advance(10**15)
    fitted = {s: t for s in BOARD.sensors if (t := learner.fit(s.id))}
    assert {"edge", "gate"} <= {sensor.kind for sensor in fitted}
    for sensor, times in fitted.items():
        assert 5 * MS <= times.shortest <= 6.5 * MS
        assert times.clear
        assert 0.25 * MS < times.min_high < 5 * MS  # longer than a bounce, shorter than a ball
        if sensor.kind in ("edge", "gate"):  # others are passed too seldom to have bounced
            given = (sensor.min_high, sensor.min_low, sensor.dead)
            assert (times.min_high, times.min_low, times.dead) == given

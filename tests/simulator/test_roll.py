"""Balls on a tilted board: ways worked out by hand, and what holds of every roll."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexboard.facts import MS
from hexboard.games.hextraction.tiles.catalogue import basic
from tests.desk import BOARD
from tests.simulator.roll import (
    HOLE,
    Course,
    Faults,
    Pulse,
    RollGround,
    RollTile,
    RollTruth,
    Slope,
    hear,
    piece,
)
from tests.simulator.trials import Trials

GROUND = RollGround(BOARD)
SMOOTH = Slope(stick=0.0, jam=0.0)


def tile(name: str, rotation: int) -> RollTile:
    return piece(basic()[name], rotation)


def rolled(
    pieces: dict[str, RollTile],
    *lanes: str,
    slope: Slope = SMOOTH,
    lying: tuple[str, ...] = (),
    every: int = 3000,
) -> RollTruth:
    """What comes of balls dropped into these lanes, one every so many ms."""
    course = Course(GROUND, pieces, Random(1), slope)
    for place in lying:
        course.lay(place)
    for i, lane in enumerate(lanes):
        course.drop(lane, i * every * MS)
    return course.run()


def sensors(outcome: RollTruth) -> list[str]:
    return [p.sensor for p in sorted(outcome.pulses, key=lambda p: p.begin) if p.begin]


def test_a_ball_takes_the_way_that_its_tile_leaves_and_falls_through_an_open_slot() -> None:
    outcome = rolled({"B1": tile("J", 0)}, "B1-1")  # J joins 1 and 3: B1 leads to C1
    assert sensors(outcome) == ["gate:B1-1", "edge:B1-C1", "fall:C1"]
    assert outcome.left == [(1, "fell:C1")]
    assert outcome.touches == {"B1": 1}


def test_a_ball_leans_on_a_closed_wall_and_touches_the_tile_behind_it() -> None:
    outcome = rolled({"B1": tile("J", 0), "C1": tile("J", 0)}, "B1-1")  # C1 is shut at 6; K37
    assert outcome.rests == [(1, "B1-C1")]
    assert outcome.touches == {"B1": 1, "C1": 1}
    assert outcome.pulses[-1].end == 0


def test_a_ball_stays_in_a_lane_that_is_shut_or_jams() -> None:
    assert rolled({"B1": tile("J", 1)}, "B1-1").rests == [(1, "B1-1")]
    jammed = rolled({"B1": tile("J", 0)}, "B1-1", slope=Slope(jam=1.0))
    assert jammed.rests == [(1, "B1-1")]
    assert jammed.touches == {}


def test_a_ball_that_sticks_makes_no_sensor_speak() -> None:
    outcome = rolled({"B1": tile("J", 0)}, "B1-1", slope=Slope(stick=1.0, jam=0.0))
    assert sensors(outcome) == ["gate:B1-1"]
    assert outcome.rests == [(1, "B1")]


def test_a_ball_falls_through_a_hole() -> None:
    holed = RollTile(({1: ((HOLE, 1.0),)},))
    outcome = rolled({"B1": holed}, "B1-1")
    assert outcome.left == [(1, "fell:B1")]
    assert outcome.touches == {"B1": 1}


def test_each_ball_moves_the_moving_part_on() -> None:
    flips = RollTile(({1: ((3, 1.0),)}, {1: ((5, 1.0),)}))  # to C1, then to A1, then to C1
    outcome = rolled({"B1": flips}, "B1-1", "B1-1", "B1-1")
    assert [how for _, how in outcome.left] == ["fell:C1", "fell:A1", "fell:C1"]


@pytest.mark.parametrize(("knock", "rests"), [(0.0, ["B1", "B1-C1"]), (1.0, ["B1-C1"])])
def test_a_ball_stops_behind_one_that_leans_or_knocks_it_on(knock: float, rests: list[str]) -> None:
    leads = RollTile(({1: ((3, 1.0),), 3: ((4, 1.0),)},))  # to the wall of C1, and from there down
    slope = Slope(stick=0.0, jam=0.0, knock=knock)
    pieces = {"B1": leads, "C1": tile("J", 0)}
    outcome = rolled(pieces, "B1-1", slope=slope, lying=("B1-C1",))
    assert sorted(place for _, place in outcome.rests) == rests
    assert [how for _, how in outcome.left] == (["fell:B2"] if knock else [])


def test_a_steeper_board_is_faster() -> None:
    def time(tilt: float) -> int:
        slope = Slope(tilt_deg=tilt, stick=0.0, jam=0.0)
        return max(p.begin for p in rolled({"B1": tile("J", 0)}, "B1-1", slope=slope).pulses)

    assert time(30.0) < time(8.0) < time(2.0)


# --------------------------------------------------------------------------------- every roll


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3))
def test_every_ball_ends_once_and_every_contact_has_its_sign(seed: int, balls: int) -> None:
    trials = Trials(BOARD, seed, Faults(), balls)
    trial = trials.one()
    outcome = trial.outcome
    ended = sorted(id for id, _ in (*outcome.rests, *outcome.left))
    assert ended == list(range(1, len(ended) + 1))
    seams = [p for p in outcome.pulses if p.sensor.startswith(("edge:", "gate:")) and p.begin]
    assert sum(outcome.touches.values()) <= len(seams)
    held = {p.sensor.partition(":")[2] for p in outcome.pulses if not p.end}
    assert held == {place for _, place in outcome.rests if "-" in place} | {
        how[5:] for _, how in outcome.left if how.startswith("zone:")
    }


def test_the_same_seed_is_the_same_roll() -> None:
    def play(seed: int) -> list[tuple[int, str, bool]]:
        trials = Trials(BOARD, seed, Faults(miss=0.02, double=0.02, false=0.05), 3)
        return [edge for _ in range(20) for edge in trials.one().said]

    assert play(4) == play(4)
    assert play(4) != play(5)


# ------------------------------------------------------------------------------------- faults

PULSES = [Pulse(1_100 * MS, "edge:B1-B2", 1_108 * MS), Pulse(1_300 * MS, "edge:B2-B3", 0)]


def test_a_missed_pulse_is_gone_and_a_missed_level_comes_when_it_is_reread() -> None:
    said = hear(PULSES, Faults(miss=1.0), Random(1), GROUND.pulsed)
    assert said == [(2_000 * MS, "edge:B2-B3", True)]


def test_what_is_not_spoilt_is_heard_as_it_was() -> None:
    assert hear(PULSES, Faults(), Random(1), GROUND.pulsed) == [
        (1_100 * MS, "edge:B1-B2", True),
        (1_108 * MS, "edge:B1-B2", False),
        (1_300 * MS, "edge:B2-B3", True),
    ]


def test_faults_come_as_often_as_they_should() -> None:
    pulses = [Pulse(i * 50 * MS, "edge:B1-B2", i * 50 * MS + 8 * MS) for i in range(1, 4001)]
    rises = sum(edge[2] for edge in hear(pulses, Faults(miss=0.1), Random(2), GROUND.pulsed))
    assert 3520 <= rises <= 3680  # 3600, give or take four standard deviations
    false = hear(pulses, Faults(false=0.1), Random(3), GROUND.pulsed)
    made_up = sum(level for _, sensor, level in false) - len(pulses)
    assert 320 <= made_up <= 480
    doubled = hear(pulses, Faults(double=0.1), Random(4), GROUND.pulsed)
    assert 320 <= sum(level for *_, level in doubled) - len(pulses) <= 480

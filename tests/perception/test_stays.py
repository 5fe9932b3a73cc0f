"""Balls that come to lie inside a tile: what they set off on their way there, what must be asked.

B1 has lanes over its edges 6, 1 and 2 and meets B2 over its edge 4.
"""

import pytest

from hexboard.facts import MS
from hexboard.games.hextraction.rules.position import Placed
from hexboard.games.hextraction.table.ending import DOUBT_PPM
from hexboard.games.hextraction.tiles.areas import Area
from hexboard.games.hextraction.tracking.automaton import (
    BEHIND_CNAT,
    LEAN_CNAT,
    STICK_CNAT,
    Automaton,
    Stay,
    spot_of,
)
from hexboard.games.hextraction.tracking.channels import Channels, channels
from hexboard.games.hextraction.tracking.outcome import Judged, doubt
from hexboard.games.hextraction.tracking.readings import Readings
from hexboard.perception.debounce import Change
from tests.desk import BOARD, SETTLE, Desk

Doors = dict[int, tuple[int, ...]]
LANES: Doors = {6: (2,), 2: (6,)}
"""At B1, from lane to lane."""
DOWN: Doors = {1: (4,), 4: (1,)}
SHUT: Doors = {2: (4,), 4: (2,)}
"""Shut at edge 1."""
DEAD: Doors = {1: ()}
FORK: Doors = {edge: tuple({2, 3, 5, 6} - {edge}) for edge in (2, 3, 5, 6)}
SURE = (("B1", "bend"),)


def layout(tiles: dict[str, Doors], *edges: int) -> Automaton:
    """Tiles whose ways are equally good; that in B1 has an area to which some edges lead."""

    def lies(slot: str) -> Channels | None:
        if (doors := tiles.get(slot)) is None:
            return None
        areas = (Area("bend", edges),) if slot == "B1" and edges else ()
        return channels(doors, lambda edge: dict.fromkeys(doors.get(edge, ()), 1.0), areas)

    return Automaton(BOARD, lies, {sensor.id for sensor in BOARD.sensors})


def roll(automaton: Automaton, *sensors: str, lying: str = "", high: str = "") -> list[Judged]:
    """A ball from a lane, its signs 300 ms apart; perhaps one lies there already."""
    balls = [(1, spot_of(automaton, lying), False)] if lying else []
    readings = Readings(automaton, [(0, balls)], (), 2, {})
    for n, sensor in enumerate(sensors):
        for level in (True, False):
            readings.see(Change(sensor, level, n * 300 * MS), n)
    return readings.judge({high})


def test_a_ball_that_rolled_from_lane_to_lane_has_been_in_the_area_between() -> None:
    judged = roll(layout({"B1": LANES}, 6, 2), "load:B1-6", "gate:B1-6")
    assert judged[0].ruling.fired == SURE
    assert doubt(judged) < DOUBT_PPM


def test_one_that_stopped_where_its_way_led_down_may_have_been_there_or_not() -> None:
    judged = roll(layout({"B1": DOWN}, 1, 4), "load:B1-1", "gate:B1-1")
    assert {one.ruling.fired for one in judged[:2]} == {SURE, ()}
    assert doubt(judged) > 900_000


def test_one_behind_a_ball_that_leans_at_its_ways_end_has_been_in_the_area_before() -> None:
    tiles = {"B1": DOWN, "B2": SHUT}
    signs, high = ("load:B1-1", "gate:B1-1"), "edge:B1-B2"
    judged = roll(layout(tiles, 1, 4), *signs, lying="B1-B2", high=high)
    assert (judged[0].ruling.rests, judged[0].ruling.fired) == (("B1", "B1-B2"), SURE)
    assert doubt(judged) < 2 * DOUBT_PPM  # it stopped on its way without need once in a hundred


def test_in_a_dead_end_it_comes_as_far_as_it_can_unless_another_lies_there() -> None:
    signs = ("load:B1-1", "gate:B1-1")
    alone = roll(layout({"B1": DEAD}, 1), *signs)
    assert alone[0].ruling.fired == SURE
    assert (
        2_000 < doubt(alone) < DOUBT_PPM
    )  # one in a hundred stops before it, half of them short of it
    behind = roll(layout({"B1": DEAD}, 1), *signs, lying="B1")
    assert {one.ruling.fired for one in behind[:2]} == {SURE, ()}
    assert doubt(behind) > 100_000


@pytest.mark.parametrize("count", [8, 17])
def test_of_however_many_balls_that_stopped_in_one_tile_people_are_asked(count: int) -> None:
    """The first stopped without need, each other one behind it. Each for itself is as dear as the
    first: eight together cost 2,450 more than that comes to."""
    automaton = layout({"B1": DOWN})
    balls = [(id, ("in", "B1", 1), True) for id in range(1, count + 1)]
    readings = Readings(automaton, [(0, balls)], (), count + 1, {})
    judged = readings.judge(frozenset())
    assert judged[0].ruling.rests == ("B1",) * count
    assert judged[0].best == STICK_CNAT + (count - 1) * BEHIND_CNAT
    assert readings.cut


def test_a_ball_rolls_back_from_a_lane_as_often_as_the_tiles_odds_say() -> None:
    stays = list(layout({"B1": LANES}).stays(("in", "B1", 6)))
    assert stays == [Stay(0), Stay(STICK_CNAT, stuck=True)]


@pytest.mark.parametrize(("way", "cost"), [((3,), LEAN_CNAT), ((), 0), ((1,), 0)])
def test_a_ball_at_a_wall_goes_on_as_often_as_not_where_it_can(
    way: tuple[int, ...], cost: int
) -> None:
    assert layout({"B1": {2: way}}).leans("B1", 2) == cost  # to edge 1 it would have to climb


def test_a_gate_that_speaks_before_its_ball_was_put_there_made_it_up() -> None:
    first = ("load:B1-2", "gate:B1-2", "edge:A1-B1", "fall:A1")
    signs = (*first, "gate:B1-6", "load:B1-6", "gate:B1-6", "edge:B1-C1", "fall:C1")
    judged = roll(layout({"B1": FORK}), *signs)
    assert not judged[0].ruling.lost  # two balls, not three
    assert doubt(judged) < DOUBT_PPM


def test_a_ball_that_was_just_let_go_is_waited_for() -> None:
    desk = Desk(("B1",))
    desk.pulse("load:B1-1", "gate:B1-1", "edge:B1-B2", "fall:B2")
    desk.level("load:B1-2", True)
    desk.wait(SETTLE - 400)
    desk.level("load:B1-2", False)  # on its way to a gate that misses it for a second
    desk.wait(1000)
    assert desk.position.phase == "rolling"
    desk.pulse("gate:B1-2", "edge:B1-B2", "fall:B2")
    desk.settle()
    assert desk.position.phase == "idle"


def test_of_a_ball_that_no_gate_saw_people_are_believed() -> None:
    desk = Desk({"B1": Placed("J", 5)})  # from lane to lane
    desk.pulse("load:B1-6")
    desk.settle()
    asking = desk.table.asking
    assert asking
    lies = {dict(choice.message.values).get("rests"): choice.name for choice in asking.choices}
    desk.decide(lies["B1"])
    assert desk.table.asking is None
    assert [ball.place for ball in desk.position.balls] == ["B1"]

"""Ways of balls over a layout: back down where they came up; and what is looked up once for two."""

from random import Random

import pytest

from hexboard.board import EDGES
from hexboard.games.hextraction.rules.state import Placed
from hexboard.games.hextraction.table.slots import channels_of
from hexboard.games.hextraction.tiles.catalogue import basic
from hexboard.games.hextraction.tracking.automaton import (
    BACK_CNAT,
    RETURN_CNAT,
    TIRED_CNAT,
    Automaton,
)
from hexboard.games.hextraction.tracking.channels import channels
from tests.desk import BOARD, OPEN, Desk

ALL = {sensor.id for sensor in BOARD.sensors}
SETTING = Desk().position.setting


def layout(tiles: dict[str, Placed], before: Automaton | None = None) -> Automaton:
    there = {slot: channels_of(SETTING, placed) for slot, placed in tiles.items()}
    return Automaton(BOARD, there.get, ALL, before)


def back(tile: Placed, edge: int) -> int:
    """How unlikely a ball turns round in B2 that came in over an edge."""
    there = layout(dict.fromkeys(BOARD.cell, OPEN) | {"B2": tile})
    sensor = f"edge:{BOARD.seam('B2', edge)}"
    return min(way.cost for way in there.seen(("in", "B2", edge), sensor))


def test_a_ball_that_comes_up_rolls_back_sooner_where_every_way_goes_up() -> None:
    assert back(Placed("J", 4), 5) == RETURN_CNAT  # J joins edges 5 and 1 then
    assert back(OPEN, 5) == TIRED_CNAT  # it could go down over edge 4, once it has come so far
    assert back(Placed("J", 4), 1) == back(OPEN, 1) == BACK_CNAT


def test_a_way_of_which_a_file_says_nothing_is_taken_by_one_in_a_hundred() -> None:
    """X leads from its edge 1 to 4 in 85 of 100, to 5 in 15, and has a way to 2 as well: a ball is
    ln(0.85 / 0.01) = 4.44 nats less likely to take that."""
    there = layout(dict.fromkeys(BOARD.cell, OPEN) | {"C3": Placed("X", 0)})
    costs = {
        edge: min(way.cost for way in there.seen(("in", "C3", 1), f"edge:{BOARD.seam('C3', edge)}"))
        for edge in (2, 4)
    }
    assert costs[2] - costs[4] == pytest.approx(444, abs=1)  # each is rounded


@pytest.mark.parametrize("seed", range(4))
def test_what_is_taken_over_from_another_layout_is_what_would_be_found_anew(seed: int) -> None:
    random, kinds = Random(seed), basic()

    def some() -> Placed:
        tile = random.choice(list(kinds))
        return Placed(tile, random.choice(kinds[tile].rotations(BOARD.key_edge)))

    spots = [("in", slot, edge) for slot in random.sample(list(BOARD.cell), 6) for edge in EDGES]
    tiles = {slot: some() for slot in BOARD.cell}
    before = layout(tiles)
    for spot in spots:
        before.unseen(spot)
    other = tiles | {random.choice(list(tiles)): some()}
    after, anew = layout(other, before), layout(other)
    for spot in spots:
        assert after.unseen(spot) == anew.unseen(spot)
        assert after._reached(spot)[0] == anew._reached(spot)[0]


def test_a_tile_in_place_of_another_whose_ways_are_the_same_but_weigh_otherwise() -> None:
    """How often a ball takes each way is that of the tile which lies there now."""

    def weighed(share: float, before: Automaton | None = None) -> Automaton:
        kinds = basic()
        open_, ways = kinds[OPEN.tile].doors(OPEN.rotation), {4: share, 5: 1 - share}
        there = channels(open_, lambda entry: ways)
        return Automaton(BOARD, lambda slot: there, ALL, before)

    before = weighed(0.9)
    before.unseen(("in", "C3", 1))
    assert weighed(0.2, before).unseen(("in", "C3", 1)) == weighed(0.2).unseen(("in", "C3", 1))


def test_a_ball_that_went_up_and_off_past_a_sensor_that_missed_it_is_asked_of() -> None:
    """Over the upper side of E1; that it came there from D1 no sensor said."""
    desk = Desk(("D1", "E1", "D2"))
    desk.pulse("load:D1-1", "gate:D1-1", "exit:E1-1")
    desk.settle()
    assert "off 1 E1 1" in desk.choices
    desk.decide("off 1 E1 1")
    assert set(desk.position.tiles) == {"D1", "D2"}

"""Effects of tiles at the pure table: set off by sensed balls, resolved by people, from facts."""

from typing import Any

import msgspec
import pytest

from hexboard.facts import Resume, Ruling
from hexboard.game.match import encode_entry
from hexboard.games.hextraction.rules.position import Placed
from hexboard.games.hextraction.tiles.catalogue import everything, written
from hexboard.games.hextraction.tiles.tile import Described
from tests.desk import OPEN, Desk, start

TOLL = Placed("Toll", 0)
"""A lane from 1 to 4 with a trigger area."""


def tile(id: str, effect: dict[str, Any], **more: Any) -> Described:
    """A tile with one lane from 1 to 4, which is a trigger area, and one effect."""
    card = {
        "schema": "hexboard/tile-2",
        "id": id,
        "name": id,
        "set": "test",
        "source": "made for a test",
        "nets": [[1, 4]],
        "sockets": [1, 4],
        "triggers": [{"id": "lane", "edges": [1, 4]}],
        "effects": [{"cause": "trigger", "area": "lane", **effect}],
    }
    return msgspec.convert({**card, **more}, Described)


RAM = tile("Ram", {"do": [{"op": "destroy", "tiles": "one adjacent"}]})
AGAIN = tile("Again", {"do": [{"op": "roll", "who": "roller", "ramp": "any"}]})
LIFT = tile("Lift", {"do": [{"op": "move_ball", "balls": "this", "where": "highest_open"}]})
BACK = tile("Back", {"do": [{"op": "move_ball", "balls": "this", "where": "name:Back"}]})
PRIZE = tile("Prize", {"do": [{"op": "win", "who": "roller"}]})
TILES = (everything()["Toll"], everything()["CartoonBomb"], RAM, AGAIN, LIFT, BACK, PRIZE)
BEGIN = start(tiles=written(TILES))
THROUGH = ("load:B1-1", "gate:B1-1", "edge:B1-B2", "fall:B2")


def desk(**tiles: str) -> Desk:
    """A desk with these tiles, unturned; what is called "open" is open all round."""
    placed = {s: OPEN if id == "open" else Placed(id, 0) for s, id in tiles.items()}
    return Desk(placed, begin=BEGIN)


def rolled(*sensors: str, **tiles: str) -> Desk:
    """The same after a ball has passed these sensors and all is still."""
    it = desk(**tiles)
    it.pulse(*sensors)
    it.settle()
    return it


# -------------------------------------------------------------------------- what sets effects off


def test_a_ball_that_passes_a_trigger_area_sets_its_effect_off() -> None:
    it = rolled(*THROUGH, B1="Toll")  # 2.6.1
    assert it.keys.count("hextraction.fires") == 1
    assert it.position.penalties == {(1, "play"): 1}
    assert it.corrected == []


def test_hc_62_a_ball_that_lay_in_the_area_does_not_set_it_off_when_it_leaves() -> None:
    it = desk(B2="Toll")
    it.rule("ball 1 B2")
    it.pulse("load:D1-1", "gate:D1-1", "fall:D1", "edge:B2-B3", "fall:B3")
    it.settle()
    assert it.table.asking is None
    assert it.position.places() == ()
    assert "hextraction.fires" not in it.keys


def test_hc_63_a_ball_that_left_the_area_and_comes_back_sets_it_off_once() -> None:
    it = desk(B2="Toll", B3="open")
    it.rule("ball 1 B2")
    it.pulse("load:D1-1", "gate:D1-1", "fall:D1", "edge:B2-B3", "edge:B2-B3", "edge:B1-B2")
    assert it.keys.count("hextraction.fires") == 1
    it.pulse("fall:B1")
    it.settle()
    assert it.keys.count("hextraction.fires") == 1


def test_a_ball_that_stopped_on_its_way_through_an_area_is_asked_for() -> None:
    it = rolled("load:B1-1", "gate:B1-1", B1="Toll")
    assert it.table.asking is not None
    assert it.table.asking.message.key == "table.which"
    texts = [dict(choice.message.values).get("fired") for choice in it.table.asking.choices]
    assert sorted(texts[:2], key=str) == ["-", "B1 lane"]
    it.decide(f"reading {1 + texts.index('B1 lane')}")
    assert it.position.penalties == {(1, "play"): 1}
    assert it.position.places() == ((1, "B1"),)


def test_a_ball_at_a_dead_end_has_been_in_its_area() -> None:
    it = rolled("load:B1-1", "gate:B1-1", B1="CartoonBomb")
    assert it.table.asking is None
    assert "hextraction.fires" in it.keys


# ------------------------------------------------------------------------------------- choices


def test_a_choice_is_asked_and_the_tile_that_goes_is_to_be_taken_out() -> None:
    it = rolled(*THROUGH, B1="Ram", A1="open", C1="open")
    assert it.position.phase == "resolving"
    assert it.choices == ["choose A1", "choose C1"]
    it.decide("choose C1")
    assert set(it.position.tiles) == {"A1", "B1"}
    assert it.todo == ["C1"]
    assert it.position.phase == "idle"


def test_a_power_cut_among_choices_goes_on_with_the_same_choice() -> None:
    it = rolled(*THROUGH, B1="Ram", A1="open", C1="open")
    entries = tuple(encode_entry(entry).decode() for entry in it.table.ledger.match.entries)
    assert it.commits[-1].position == str(it.position)
    again = Desk(begin=Resume(BEGIN, entries))
    again.wait(10)
    assert again.choices == ["choose A1", "choose C1"]
    again.decide("choose A1")
    assert set(again.position.tiles) == {"B1", "C1"}


def test_a_ball_released_while_a_choice_is_open_is_an_accident() -> None:
    it = rolled(*THROUGH, B1="Ram", A1="open", C1="open")
    it.pulse("load:D1-1", "gate:D1-1", "fall:D1")  # 2.2.1.3, 2.3.2
    it.settle()
    assert "hextraction.accident" in it.keys
    assert it.choices == ["choose A1", "choose C1"]
    assert it.position.touches == {"B1": 1}


def test_two_effects_are_resolved_in_the_order_that_is_chosen() -> None:
    tiles = {"B1": "Ram", "B2": "Toll", "A1": "open", "C1": "open"}
    it = rolled("load:B1-1", "gate:B1-1", "edge:B1-B2", "edge:B2-B3", "fall:B3", **tiles)
    assert it.choices == ["resolve 1", "resolve 2"]  # 2.6.4
    order = it.table.asking
    it.decide("resolve 1")
    tiles_of_ram = it.table.asking
    assert order is not None
    assert tiles_of_ram is not None
    assert (order.ordered, tiles_of_ram.ordered) == (True, False)  # of tiles one is chosen
    it.decide("choose B2")  # HC-64: what B2 still had to do goes with it
    assert it.position.penalties == {}
    assert it.position.phase == "idle"


# ------------------------------------------------------------------------- rolls, and laid balls


def test_a_release_while_a_roll_is_required_is_that_roll() -> None:
    it = rolled(*THROUGH, B1="Again", D1="open")
    assert it.position.phase == "resolving"
    assert it.table.asking is None
    it.pulse("load:D1-1", "gate:D1-1", "edge:D1-D2", "fall:D2")  # T.Rolling.2
    assert it.position.phase == "rolling"
    assert it.position.touches == {"B1": 1, "D1": 1}  # K12: one roll
    it.settle()
    assert it.position.phase == "idle"
    assert "hextraction.accident" not in it.keys
    assert it.position.rolls == 1


def test_a_ball_that_an_effect_moves_is_awaited_and_may_roll_on() -> None:
    tiles = {"B1": "Back", "B2": "open"}
    it = rolled("load:B1-1", "gate:B1-1", "edge:B1-B2", "fall:B3", **tiles)
    assert it.choices == ["laid"]
    it.pulse("edge:B1-B2", "edge:B2-C2", "fall:C2")
    assert it.table.asking is None
    assert it.position.touches["B2"] == 2
    it.settle()
    assert it.position.phase == "idle"


def test_a_ball_that_was_laid_and_lies_there_ends_the_roll() -> None:
    it = rolled("load:B1-1", "gate:B1-1", "edge:B1-B2", "fall:B2", B1="Back")
    it.settle()
    assert it.choices == ["laid"]  # for as long as it takes
    it.decide("laid")
    assert it.position.phase == "idle"
    assert it.position.places() == ((1, "B1"),)


# ------------------------------------------------------------------------------- how a game ends


def test_an_effect_that_wins_leaves_time_for_a_vote() -> None:
    it = rolled(*THROUGH, B1="Prize")  # 2.9.2
    assert it.position.phase == "resolving"
    it.declare("vote destroy B1 1", seat=1)
    it.declare("nay 1", seat=1)
    it.declare("nay 0", seat=0)
    it.wait(6_000)
    assert it.position.phase == "idle"


def test_an_effect_that_wins_wins_when_nobody_calls_a_vote() -> None:
    it = rolled(*THROUGH, B1="Prize")
    it.wait(4_000)
    assert it.position.phase == "resolving"
    it.wait(2_000)
    assert it.position.phase == "over"
    assert it.position.winner == 0


def test_a_pause_decides_no_game_and_leaves_the_time_for_a_vote_to_come() -> None:
    """People pause to talk about the tile."""
    it = rolled(*THROUGH, B1="Prize")
    it.wait(4_000)
    it.feed(Ruling("pause", "Ann"), source="page")
    it.wait(60_000)
    assert it.position.phase == "resolving"
    it.feed(Ruling("go on", "Ann"), source="page")
    it.wait(4_000)
    it.declare("vote destroy B1 1", seat=1)
    assert it.position.vote is not None
    left = rolled(*THROUGH, B1="Prize")
    for word in ("pause", "go on"):
        left.feed(Ruling(word, "Ann"), source="page")
    left.wait(6_000)
    assert left.position.winner == 0


# ----------------------------------------------------------------------------------- three balls


def test_hc_94_three_balls_that_lean_on_one_tile_let_the_roller_choose() -> None:
    shut = Placed("J", 2)  # open at 3 and 5
    it = Desk({"C3": shut} | dict.fromkeys(("B3", "C1", "C2", "D1", "D3"), OPEN))
    it.rule("ball 1 B3-C3")
    it.rule("ball 2 C3-D3")
    it.level("edge:B3-C3", True)
    it.level("edge:C3-D3", True)
    it.wait(100)
    it.pulse("load:D1-1", "gate:D1-1", "edge:C1-D1", "edge:C1-C2")
    it.level("edge:C2-C3", True)
    it.settle()
    assert it.choices == ["choose B3", "choose C2", "choose C3", "choose D3"]
    it.decide("choose C3")
    assert "C3" not in it.position.tiles


def test_three_balls_inside_one_tile_and_at_its_wall() -> None:
    it = Desk({"B1": OPEN, "B2": Placed("J", 1), "A1": Placed("J", 0)})
    it.rule("ball 1 B1-B2")
    it.rule("ball 2 A1-B1")
    it.level("edge:B1-B2", True)
    it.level("edge:A1-B1", True)
    it.wait(100)
    it.pulse("load:B1-1", "gate:B1-1")
    it.settle()  # the third one lies in B1: 2.1.5.5
    assert it.position.phase == "resolving"
    assert set(it.choices) >= {"choose A1", "choose B1", "choose B2"}
    it.decide("choose A1")
    assert set(it.position.tiles) == {"B1", "B2"}
    assert it.position.phase == "idle"


def test_a_ball_that_weighs_two_makes_a_second_one_the_third_2_1_5_5() -> None:
    it = Desk({"B1": OPEN, "B2": Placed("J", 1), "A1": Placed("J", 0)})
    it.rule("ball 1 B1-B2")
    it.rule(f"position {str(it.position).replace('1@B1-B2.', '1@B1-B2.*2')}")
    it.level("edge:B1-B2", True)
    it.wait(100)
    it.pulse("load:B1-1", "gate:B1-1")
    it.settle()
    assert set(it.choices) >= {"choose B1", "choose B2"}


@pytest.mark.parametrize(("weight", "asked"), [("", False), ("*2", True)])
def test_where_a_ball_lies_is_asked_where_it_would_be_the_third(weight: str, asked: bool) -> None:
    """Ball 2 lies in B1 or, missed on its way, in B2 with ball 1."""
    it = Desk({"B1": OPEN, "B2": OPEN})
    it.rule("ball 1 B2")
    it.rule(f"position {str(it.position).replace('1@B2.B2', f'1@B2.B2{weight}')}")
    it.pulse("load:B1-1", "gate:B1-1")
    it.settle()
    assert (it.table.asking is not None) is asked


def test_a_tile_ruled_in_place_of_one_that_is_voted_on_leaves_a_match_that_goes_on_0_4_1() -> None:
    begin = start(sets="basic,published")
    it = Desk(begin=begin)
    it.declare("play KillSwitch D3 2")
    assert "vote=D3/0//0" in str(it.position)
    it.rule("tile D3 J 2")
    assert "vote=" not in str(it.position)
    entries = tuple(encode_entry(entry).decode() for entry in it.table.ledger.match.entries)
    again = Desk(begin=Resume(begin, entries))
    assert again.position == it.position
    assert not it.refused

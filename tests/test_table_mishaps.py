"""Mishaps at the pure table: what balls, hands, switches, power and people should not do."""

import pytest
from msgspec.structs import replace

from hexboard.facts import Resume, Snapshot, Witnessed
from hexboard.game.match import encode_entry
from hexboard.games.hextraction.rules.position import Placed
from hexboard.games.hextraction.tiles.catalogue import written
from hexboard.table.effects import Corrected, Tell
from hexboard.words import Message, say
from tests.desk import BOARD, OPEN, SLOTS, WIDTH, Desk, start
from tests.test_table_effects import tile

COLUMN = ("B1", "B2", "B3", "B4", "B5")
DOWN = ("load:B1-1", "gate:B1-1", "edge:B1-B2", "edge:B2-B3", "edge:B3-B4", "edge:B4-B5")
SHUT = Placed("J", 1)
"""Open at 2 and 4."""
DRAWS = tile("Drawing", {"cause": "on_play", "do": [{"op": "draw", "who": "active", "n": 1}]})
DRAWING = replace(DRAWS, effects=tuple(replace(effect, area="") for effect in DRAWS.effects))


def test_a_sign_of_a_ball_from_nowhere_changes_nothing_between_rolls() -> None:
    desk = Desk(["E3", "E4"])
    before = str(desk.position)
    desk.pulse("edge:E3-E4", "exit:E4-2")
    desk.settle()
    assert str(desk.position) == before
    assert desk.table.asking is None


def test_a_sign_of_a_ball_from_nowhere_costs_no_tile_in_a_roll() -> None:
    desk = Desk([*COLUMN, "E3", "E4"])
    desk.pulse(*DOWN[:3], "exit:E4-2", "edge:B2-C2", "fall:C2")
    desk.settle()
    assert desk.table.asking is None
    assert set(desk.position.tiles) == {*COLUMN, "E3", "E4"}
    assert desk.position.phase == "idle"


def test_a_ball_that_is_picked_up_in_a_roll_costs_nothing_and_holds_nothing_up() -> None:
    desk = Desk([*COLUMN])
    desk.pulse(*DOWN[:3])  # in B2 a hand takes it
    desk.settle()
    assert desk.position.phase == "idle"
    assert set(desk.position.tiles) == set(COLUMN)
    assert desk.position.rolls == 1


def test_a_ball_that_is_taken_off_its_seam_while_another_one_rolls_costs_nothing() -> None:
    desk = Desk({"B1": OPEN, "B2": SHUT, "D1": OPEN})
    desk.rule("ball 1 B1-B2")
    desk.level("edge:B1-B2", True)
    desk.wait(100)
    desk.pulse("load:D1-1", "gate:D1-1")
    desk.level("edge:B1-B2", False)
    desk.pulse("edge:D1-D2", "fall:D2")
    desk.settle()
    assert desk.table.asking is None
    assert "B1-B2" not in dict(desk.position.places()).values()
    assert set(desk.position.tiles) == {"B1", "B2", "D1"}


def test_a_seat_that_flickers_in_a_roll_costs_nothing_and_asks_nothing() -> None:
    desk = Desk(COLUMN)
    desk.level("seat:B3", True)
    desk.wait(100)
    desk.pulse(*DOWN[:3])
    for level in (False, True) * 3:
        desk.level("seat:B3", level)
        desk.wait(30)
    desk.pulse("edge:B2-B3", "edge:B3-C3", "fall:C3")
    desk.settle()
    assert (desk.table.asking, desk.todo) == (None, [])
    assert set(desk.position.tiles) == set(COLUMN)


def test_power_lost_in_a_roll_goes_back_before_it_and_what_still_rolls_is_an_accident() -> None:
    desk = Desk(COLUMN)
    desk.pulse(*DOWN[:3])
    assert desk.position.phase == "rolling"
    saved = desk.table.ledger.match.entries[: desk.table.ledger.committed]  # HC-86
    again = Desk(begin=Resume(start(), tuple(encode_entry(e).decode() for e in saved)))
    again.feed(Snapshot(("rail:main", *(f"seat:{slot}" for slot in COLUMN))))
    assert (again.position.phase, again.position.rolls) == ("idle", 0)
    assert again.table.ledger.confirm
    again.pulse(*DOWN[3:], "throat:B5-4")
    again.settle()
    assert again.position.phase == "idle"
    assert again.table.asking is None
    again.rule("right")
    again.pulse(*DOWN, "throat:B5-4")
    again.level("floor:ZB", True)
    again.settle()
    assert again.position.winner == 0


def stopped(*high: str) -> Desk:
    """A board that was switched off in mid-roll, and feels this as it is on again."""
    again = Desk(
        begin=Resume(
            start(), (f'{{"type":"ruled","position":"{Desk(COLUMN).position}","who":"","why":""}}',)
        )
    )
    again.feed(Snapshot(("rail:main", *(f"seat:{slot}" for slot in COLUMN), *high)))
    again.wait(100)
    return again


def test_a_ball_that_is_felt_after_a_restart_and_nobody_knows_of_is_asked_about() -> None:
    again = stopped("edge:B2-B3", "gate:D1-1", "floor:ZD")
    again.rule("right")
    asked = []
    while again.table.asking:
        values = dict(again.table.asking.message.values)
        assert again.table.asking.message.key == "table.felt_more"
        place = values["place"]
        asked.append(say(place) if isinstance(place, Message) else place)
        again.decide("as known" if values["place"] == "D1-1" else again.choices[0])
        assert again.table.ledger.confirm == bool(again.table.asking)
    assert sorted(map(str, asked)) == ["B2-B3", "D1-1", "end zone ZD"]
    assert {place for _, place in again.position.places()} == {"B2-B3", "zone:ZD"}
    quiet = stopped()
    quiet.rule("right")
    assert (quiet.choices, quiet.table.ledger.confirm) == ([], False)


def test_no_move_is_taken_before_a_board_that_goes_on_is_looked_over() -> None:
    again = stopped("edge:B2-B3")
    again.declare("play J C3 1")
    assert again.refused == ["table.look_first"]
    again.declare("concede 1", seat=1)  # nothing keeps anybody from that (0.1.1)
    assert again.position.scores == (1, 0)
    again = stopped("edge:B2-B3")
    again.rule("right")
    assert again.choices == ["ball 1 B2-B3", "as known"]
    again.rule("right")  # it is, people say once more
    assert again.table.asking is None
    again.declare("play J C3 1")
    assert again.refused == []
    assert "C3" in again.position.tiles


def test_a_seat_that_gives_up_in_its_own_roll_wins_nothing_by_it() -> None:
    desk = Desk(COLUMN, begin=start(seats=3))
    desk.pulse(*DOWN[:3])
    desk.declare("concede 0")  # HC-92
    assert desk.refused == []
    desk.pulse(*DOWN[3:], "throat:B5-4")
    desk.level("floor:ZB", True)
    desk.settle()
    position = desk.position
    assert (position.phase, position.winner, position.active) == ("idle", None, 1)


@pytest.mark.parametrize("sensed", [True, False])
def test_on_play_is_asked_once_the_tile_lies_there_2_2_5(sensed: bool) -> None:
    ram = tile("Ram", {"cause": "on_play", "do": [{"op": "destroy", "tiles": "one adjacent"}]})
    ram = replace(ram, effects=tuple(replace(effect, area="") for effect in ram.effects))
    desk = Desk(["A1", "C1"], begin=start(tiles=written([ram])))
    desk.declare("play Ram B1 0")
    assert (desk.todo, desk.choices) == (["B1"], [])
    desk.declare("choose C1")
    assert desk.refused == ["table.todo_first"]
    if sensed:
        desk.level("seat:B1", True)
        desk.wait(100)
    else:
        desk.rule("right")
    assert desk.choices == ["choose A1", "choose C1"]


@pytest.mark.parametrize("sensed", [True, False])
def test_on_play_comes_by_itself_once_the_tile_lies_there_2_2_5(sensed: bool) -> None:
    """T.OnPlay: an effect that asks nothing waits as well, and a vote meanwhile ends the play."""
    desk = Desk(["A1", "C1"], begin=start(tiles=written([DRAWING])))
    desk.declare("play Drawing B1 0")
    desk.wait(10_000)
    assert (desk.todo, desk.position.hands) == (["B1"], (2, 3))
    desk.declare("roll D1-1")
    assert desk.refused == ["table.todo_first"]
    if sensed:
        desk.level("seat:B1", True)
        desk.wait(100)
    else:
        desk.rule("right")
    assert (desk.todo, desk.position.hands, desk.position.phase) == ([], (3, 3), "idle")
    desk.rule("undo")
    assert (desk.todo, desk.position.hands) == (["B1"], (3, 3))  # the play, and what came of it
    desk.declare("unfit")
    assert desk.refused[-1:] == ["hextraction.nothing_to_turn"]


def test_a_tile_voted_off_before_it_lies_is_voted_off_while_it_is_played_0_5_7() -> None:
    """HC-22. Nothing of it has come by then, and it may as well be found not to seat (2.2.4.3)."""
    for said in (["vote destroy B1 1", "nay 1", "nay 0"], ["unfit"]):
        desk = Desk(["A1", "C1"], begin=start(tiles=written([DRAWING])))
        desk.declare("play Drawing B1 0")
        for name in said:
            desk.declare(name, seat=int(name[-1] == "1"))
        position = desk.position
        assert (position.plays, position.hands, position.pool) == (0, (3, 3), 53)
        assert set(position.tiles) == {"A1", "C1"}


def test_a_ball_released_while_a_tile_is_being_played_is_an_accident() -> None:
    ram = tile("Ram", {"cause": "on_play", "do": [{"op": "destroy", "tiles": "one adjacent"}]})
    ram = replace(ram, effects=tuple(replace(effect, area="") for effect in ram.effects))
    desk = Desk(["A1", "C1", "D1"], begin=start(tiles=written([ram])))
    desk.declare("play Ram B1 0")
    assert desk.todo == ["B1"]
    desk.pulse("load:D1-1", "gate:D1-1", "edge:D1-D2", "fall:D2")  # 2.2.1.3
    desk.level("seat:B1", True)
    desk.wait(100)
    desk.pulse("load:D1-1", "gate:D1-1", "edge:D1-D2", "fall:D2")
    desk.settle()
    assert desk.keys.count("hextraction.accident") == 2
    assert desk.position.rolls == 0
    assert desk.choices == ["choose A1", "choose C1"]
    desk.decide("choose C1")
    assert set(desk.position.tiles) == {"A1", "B1", "D1"}


@pytest.mark.parametrize("waits", [True, False])
def test_a_ball_from_another_lane_after_one_that_is_stuck_is_the_same_roll_2_1_3_1(
    waits: bool,
) -> None:
    desk = Desk([*COLUMN])
    desk.pulse("load:B1-1")
    desk.level("gate:B1-1", True)  # and there it stays
    if waits:
        desk.settle()
        assert desk.keys[-1] == "hextraction.stuck"
    desk.pulse("load:B1-2", "gate:B1-2", *DOWN[2:], "throat:B5-4")
    desk.level("floor:ZB", True)
    desk.settle()
    assert "hextraction.accident" not in desk.keys
    assert desk.position.winner == 0


# ------------------------------------------------------------------------------ hands and lanes


def test_a_finger_at_the_gate_of_a_ball_that_is_held_is_no_roll_and_spoils_none() -> None:
    desk = Desk(COLUMN)
    desk.level("load:B1-1", True)
    desk.wait(400)
    desk.pulse("gate:B1-1")
    desk.settle()
    assert (desk.table.asking, desk.position.phase, desk.position.rolls) == (None, "idle", 0)
    desk.level("load:B1-1", False)
    desk.wait(150)
    desk.pulse("gate:B1-1", "edge:B1-B2", "fall:B2")
    desk.settle()
    assert (desk.table.asking, desk.position.rolls) == (None, 1)
    assert "hextraction.accident" not in desk.keys


def test_a_ball_that_is_let_go_as_a_finger_leaves_its_gate_is_one_roll() -> None:
    desk = Desk({"B1": OPEN, "A1": OPEN})
    desk.level("load:B1-1", True)
    desk.wait(400)
    desk.pulse("gate:B1-1", every=300)
    desk.level("load:B1-1", False)
    desk.wait(150)
    desk.pulse("gate:B1-1", "edge:A1-B1", "exit:A1-5")  # B1 was touched once
    desk.settle()
    assert desk.table.asking is None
    assert (desk.position.rolls, set(desk.position.tiles)) == (1, {"B1"})
    assert desk.position.places() == ()


def test_a_ball_that_is_laid_and_taken_out_again_with_a_finger_at_the_gate_is_no_roll() -> None:
    desk = Desk(COLUMN)
    desk.level("load:B1-1", True)
    desk.wait(2_000)
    desk.pulse("gate:B1-1")
    desk.wait(2_000)
    desk.level("load:B1-1", False)
    desk.settle()
    assert (desk.table.asking, desk.position.phase, desk.position.rolls) == (None, "idle", 0)
    assert desk.position.places() == ()


def test_a_ball_that_runs_up_into_another_lane_touches_its_tile_anew() -> None:
    """In at B1-1, up B1-2 and back, up B1-6 and back: three touches of B1 (2.1.5.4)."""
    desk = Desk(COLUMN)
    desk.pulse("load:B1-1", "gate:B1-1", *("gate:B1-2",) * 2, *("gate:B1-6",) * 2)
    desk.pulse("edge:B1-B2", "fall:B2")
    desk.settle()
    assert desk.table.asking is None
    assert set(desk.position.tiles) == set(COLUMN) - {"B1"}
    assert "hextraction.accident" not in desk.keys


def test_three_hops_at_one_wall_are_three_touches() -> None:
    desk = Desk({"B1": OPEN, "B2": SHUT})  # K37
    desk.pulse("load:B1-1", "gate:B1-1", *("edge:B1-B2",) * 2, every=300)
    desk.level("edge:B1-B2", True)
    desk.settle()
    assert desk.table.asking is None
    assert set(desk.position.tiles) == {"B1"}


def test_a_ball_nobody_told_of_is_put_right_once_and_then_remembered() -> None:
    desk = Desk([*COLUMN, "D1", "D2"])
    desk.level("edge:D2-E2", True)
    desk.wait(6_000)
    assert desk.table.senses.health.out == {"edge:D2-E2": "stuck"}
    desk.rule("ball 1 D2-E2")
    desk.wait(100)
    assert desk.table.senses.health.out == {}
    desk.pulse(*DOWN[:3], "fall:B2")
    desk.settle()
    assert (desk.table.asking, desk.position.rolls) == (None, 1)
    assert dict(desk.position.places())[1] == "D2-E2"


@pytest.mark.parametrize(
    "sensor", ["edge:C2-D2", "edge:C2-D3", "edge:B3-C2", "fall:C2", "exit:A2-5"]
)
def test_a_ball_whose_sensor_feels_it_all_the_while_is_moved_by_no_pulse_elsewhere(
    sensor: str,
) -> None:
    desk = Desk([slot for slot in SLOTS if slot != "E4"])
    desk.rule("ball 1 C2-C3")
    desk.level("edge:C2-C3", True)
    desk.wait(3_000)
    desk.pulse("load:D1-1", "gate:D1-1", "edge:D1-D2", sensor)
    desk.pulse("edge:D2-D3", "edge:D3-D4", "edge:D4-D5", "edge:D5-E4", "fall:E4")
    desk.settle()
    assert desk.table.asking is None
    assert desk.position.places() == ((1, "C2-C3"),)
    assert desk.table.senses.health.out == {}


def test_a_ball_that_one_knocks_out_whose_gate_missed_it_costs_its_tile() -> None:
    desk = Desk({"B1": OPEN, "A1": OPEN, "C1": SHUT})
    desk.rule("ball 1 B1-C1")
    desk.level("edge:B1-C1", True)
    desk.wait(100)
    desk.level("load:B1-2", True)
    desk.wait(80)
    desk.level("load:B1-2", False)  # gate:B1-2 misses it
    desk.wait(300)
    desk.level("edge:B1-C1", False)
    desk.wait(200)
    desk.pulse("edge:A1-B1", "exit:A1-5")
    desk.wait(200)
    desk.level("edge:B1-C1", True)  # there it comes to lie
    desk.settle()
    assert desk.table.asking is None
    assert (desk.position.rolls, set(desk.position.tiles)) == (1, {"B1", "C1"})  # 2.1.5.3


def test_what_was_told_of_a_ball_and_taken_back_is_struck_out() -> None:
    desk = Desk(dict.fromkeys(COLUMN, OPEN) | {"C3": SHUT})
    desk.pulse(*DOWN[:4], "throat:B5-3")  # a sleeve, while the ball is in B3
    assert "hextraction.enters" in desk.keys
    desk.level("edge:B3-C3", True)
    desk.settle()
    assert (desk.table.asking, desk.position.winner) == (None, None)
    assert [why.key for why in desk.corrected] == ["table.reread"]
    since = desk.effects.index(next(e for e in desk.effects if isinstance(e, Corrected)))
    told = [m.key for e in desk.effects[since:] if isinstance(e, Tell) for m in e.messages]
    assert told[:2] == ["hextraction.rolls", "hextraction.rests"]
    assert desk.position.places() == ((1, "B3-C3"),)


def test_a_ball_that_stays_on_the_rib_that_it_came_over_lies_there() -> None:
    desk = Desk(COLUMN)
    desk.pulse(*DOWN[:3])
    desk.level("edge:B2-B3", True)
    desk.settle()
    assert desk.choices == []
    assert desk.position.places() == ((1, "B2-B3"),)


@pytest.mark.long
def test_ten_balls_at_once_end_in_words_and_one_word_takes_it_all_back() -> None:
    desk = Desk(SLOTS)
    lanes = [ramp.id for ramp in BOARD.ramps]
    for kind in ("load", "gate"):
        desk.pulse(*(f"{kind}:{lanes[n % 6]}" for n in range(10)), every=15)
    for sensor in ("B1-B2", "A1-B1", "D1-E1", "D1-D2", "B2-B3", "D2-D3", "C1-D1", "B1-C1"):
        desk.pulse(f"edge:{sensor}", every=15)
    told = len(desk.told)
    for _ in range(4):
        desk.settle()
    assert desk.told[told:] or desk.table.asking is not None
    desk.rule("void")
    assert (desk.position.phase, desk.position.rolls) == ("idle", 0)
    assert set(desk.position.tiles) == set(SLOTS)
    desk.pulse("load:D1-1", "gate:D1-1", "edge:D1-E1", "exit:E1-3")
    desk.settle()
    assert desk.table.asking is not None or "E1" not in desk.position.tiles


@pytest.mark.parametrize(("ms", "flicked"), [(60, True), (70, False), (150, False)])
def test_a_ball_that_is_far_too_quick_down_its_lane_is_told_as_flicked_2_1_1_1(
    ms: int, flicked: bool
) -> None:
    """The last eight took 200 ms and more; a third of that is 67."""
    desk = Desk([*COLUMN])
    desk.feed(Witnessed(0, (), (), (("lane B1-1", (200, 210, 220, 200, 205, 230, 215, 200)),)))
    desk.pulse("load:B1-1", every=ms + WIDTH)
    desk.pulse("gate:B1-1")
    desk.settle()
    told = [dict(text.values) for text in desk.told if text.key == "table.flicked"]
    assert told == [{"lane": "B1-1", "ms": ms, "usual": 200}] * flicked
    assert desk.position.places() == ((1, "B1"),), "the roll counts until people say otherwise"


def test_a_ball_destroys_the_tile_that_it_left_whatever_it_touched_before_2_1_5_3() -> None:
    """People were asked in the roll before which ball lies at A2-B2; it had touched B1 only."""
    desk = Desk([*COLUMN, "A1", "A2"])
    desk.rule(f"position {desk.position.with_ball(1, 'B1')}")
    desk.rule("ball 1 A2-B2")
    assert desk.position.balls[0].last == "B1"
    desk.level("edge:A2-B2", True)
    desk.pulse("load:B1-1", "gate:B1-1", "edge:B1-B2")
    desk.level("edge:A2-B2", False)
    desk.pulse("exit:A2-6", "edge:B2-C2", "fall:C2")
    desk.settle()
    assert desk.todo == ["A2"]


def test_a_ball_that_comes_up_into_a_tile_and_rolls_back_has_touched_both() -> None:
    """It swings in C1, between B1 and D1, whose ways down it has not the speed to reach."""
    known = {"B1": ("Peace", 3), "C1": ("J", 5), "D1": ("Peace", 3), "D2": ("Asterisk", 3)}
    desk = Desk({slot: Placed(*lies) for slot, lies in known.items()})
    swings = ("edge:B1-C1", "edge:B1-C1", "edge:C1-D1", "edge:C1-D1")
    desk.pulse("load:D1-1", "gate:D1-1", "edge:C1-D1", *swings)
    desk.settle()
    assert desk.table.asking is None
    assert desk.position.places() == ((1, "C1"),)
    assert "C1" not in desk.position.tiles, "touched three times"


def test_an_edge_that_was_missed_before_a_way_up_over_the_side_is_no_silent_ruling() -> None:
    """The ball may have gone up from B1 to A1 and out; or that sign came from nowhere."""
    desk = Desk(("A1", "B1", "B2"))
    desk.pulse("load:B1-1", "gate:B1-1", "exit:A1-1")
    desk.settle()
    assert desk.table.asking
    assert {"off 1 A1 1", "rest 1 B1"} <= set(desk.choices)


@pytest.mark.parametrize("sensor", ["edge:B1-B2", "edge:A1-B1", "fall:B3", "fall:C1"])
@pytest.mark.parametrize("rolls", [True, False], ids=["in a roll", "between rolls"])
def test_a_ball_on_a_sensor_that_is_active_stays_there_whatever_one_pulse_says(
    sensor: str, rolls: bool
) -> None:
    """B1 has a wall towards the lane, so that it lies at its gate."""
    desk = Desk({"B1": Placed("J", 1), "B2": OPEN, "D1": OPEN, "D2": OPEN})
    desk.level("gate:B1-1", True)
    desk.rule("ball 1 B1-1")
    desk.wait(3_000)
    if rolls:
        desk.pulse("load:D1-1", "gate:D1-1")
    desk.pulse(sensor)
    if rolls:
        desk.pulse("edge:D1-D2")
    desk.settle()
    assert desk.table.asking is None
    assert desk.position.places()[0] == (1, "B1-1")

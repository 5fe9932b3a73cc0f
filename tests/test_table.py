"""The pure table, driven by facts made by hand."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hexboard.facts import (
    MS,
    Body,
    Decide,
    Declare,
    Edge,
    Fact,
    Lost,
    Presence,
    Resume,
    Ruling,
    Snapshot,
    Tick,
    Watermark,
)
from hexboard.game.match import encode_entry
from hexboard.games import hextraction
from hexboard.games.hextraction.rules.actions import Action
from hexboard.games.hextraction.rules.position import Placed
from hexboard.games.hextraction.table.balls import Balls
from hexboard.perception.health import BURST
from hexboard.scene import Mark, Meaning
from hexboard.table import LATENESS_NS, LOG_LINES, Table, open_table
from hexboard.table.effects import Commit, Effect, Refresh, encode_effects
from hexboard.words.errors import BadText
from tests.desk import BOARD, OPEN, SETTLE, SLOTS, WIDTH, Desk, start

COLUMN = ("B1", "B2", "B3", "B4", "B5")
DOWN = ("gate:B1-1", "edge:B1-B2", "edge:B2-B3", "edge:B3-B4", "edge:B4-B5")
NORTH_SHUT = Placed("J", 1)
"""Its open edges are 2 and 4."""


def rolled(*sensors: str, tiles: Any = COLUMN) -> Desk:
    """A desk on which a ball has rolled over these sensors, and may go on."""
    desk = Desk(tiles)
    desk.pulse(*sensors)
    return desk


# ------------------------------------------------------------------------------ a roll, and its end


def test_a_ball_that_enters_an_end_zone_and_stays_wins() -> None:
    desk = rolled(*DOWN, "throat:B5-4")  # 2.1.5.2
    desk.level("floor:ZB", True)
    desk.settle()
    assert desk.keys == [
        "table.ruled",
        "hextraction.rolls",
        "hextraction.enters",
        "hextraction.wins",
    ]
    assert desk.position.phase == "over"
    assert desk.position.winner == 0
    assert Mark("B5", Meaning.WIN) in desk.table.scene()


def test_a_ball_that_comes_back_out_of_the_end_zone_does_not_win() -> None:
    desk = rolled(*DOWN, "throat:B5-4", "throat:B5-4")  # HC-54
    desk.settle()
    assert desk.position.phase == "idle"
    assert desk.position.places() == ((1, "B5"),)


def test_a_ball_that_leaves_over_the_side_costs_the_last_tile_it_touched() -> None:
    tiles = dict.fromkeys(("B1", "B2", "B3", "A3"), OPEN) | {"C3": Placed("J", 0)}
    desk = rolled(*DOWN[:3], "edge:B3-C3", "edge:A3-B3", "exit:A3-5", tiles=tiles)  # HC-95
    assert desk.position.touches == {"B1": 1, "B2": 1, "B3": 1, "C3": 1, "A3": 1}
    desk.settle()
    assert set(desk.position.tiles) == set(tiles) - {"A3"}
    assert [todo.message.key for todo in desk.table.todo] == ["table.todo_out"]


def test_a_ball_that_falls_through_an_open_slot_is_nothing() -> None:
    desk = rolled("gate:B1-1", "edge:B1-B2", "fall:B2", tiles=["B1"])  # HC-51
    desk.settle()
    assert desk.keys[1:3] == ["hextraction.rolls", "hextraction.fell"]
    assert set(desk.position.tiles) == {"B1"}
    assert desk.position.rolls == 1


def test_a_ball_that_leans_on_a_closed_edge_is_found_there() -> None:
    desk = rolled("gate:B1-1", tiles={"B1": OPEN, "B2": NORTH_SHUT})
    desk.level("edge:B1-B2", True)
    desk.settle()
    assert desk.position.places() == ((1, "B1-B2"),)
    assert desk.position.phase == "idle"
    desk.wait(3_600_000)
    assert desk.table.deadline is None  # an hour later it asks for nothing
    assert desk.table.senses.health.out == {}


def test_a_roll_is_over_when_no_sensor_spoke_for_the_settle_time() -> None:
    desk = rolled("gate:B1-1", "edge:B1-B2", tiles=["B1"])
    desk.level("fall:B2", True)
    desk.now += 5
    desk.level("fall:B2", False)  # the last sign of the ball
    last = desk.now * MS
    desk.feed(Watermark(last + SETTLE * MS - 1), at=last + SETTLE * MS - 1)
    assert desk.position.phase == "rolling"
    desk.feed(Watermark(last + SETTLE * MS), at=last + SETTLE * MS)
    assert desk.position.phase == "idle"


def test_nothing_is_concluded_while_an_earlier_fact_may_still_come() -> None:
    desk = rolled("gate:B1-1", "edge:B1-B2", "fall:B2", tiles=["B1"])
    desk.feed(Tick(), at=desk.now * MS + LATENESS_NS, source="table")
    due = desk.table.deadline
    assert due is not None
    desk.feed(Tick(), at=due + LATENESS_NS - 1, source="table")
    assert desk.position.phase == "rolling"
    desk.feed(Tick(), at=due + LATENESS_NS, source="table")
    assert desk.position.phase == "idle"


def test_a_source_that_is_behind_holds_back_the_others() -> None:
    desk = rolled("gate:B1-1", "edge:B1-B2", "fall:B2", tiles=["B1"])
    desk.wait(0)
    due = desk.table.deadline
    assert due is not None
    desk.feed(Watermark(due - 50 * MS), at=due - 50 * MS, source="gpio")
    desk.feed(Watermark(due), at=due)
    assert desk.position.phase == "rolling"
    desk.feed(Watermark(due), at=due, source="gpio")
    assert desk.position.phase == "idle"


def test_a_pulse_counts_although_another_source_is_behind() -> None:
    desk = Desk(["B1", "B2"])
    desk.feed(Watermark(desk.now * MS), source="gpio")
    desk.pulse("gate:B1-1", "edge:B1-B2")
    desk.now += 200
    desk.feed(Watermark(desk.now * MS), source="gpio")
    desk.wait(0)
    assert desk.position.touches == {"B1": 1, "B2": 1}


def test_a_source_that_went_away_holds_nothing_back() -> None:
    desk = rolled("gate:B1-1", "edge:B1-B2", "fall:B2", tiles=["B1"])
    desk.feed(Watermark(desk.now * MS), source="gpio")
    desk.feed(Presence(False, "unplugged"), source="gpio")
    desk.settle()
    assert desk.position.phase == "idle"
    assert "table.source_down" in desk.keys


def test_an_edge_that_comes_late_still_counts() -> None:
    desk = rolled("gate:B1-1")
    desk.wait(400)
    before = (desk.now - 300) * MS
    desk.feed(Edge("edge:B1-B2", True), at=before, t=desk.now * MS)
    desk.now += WIDTH
    desk.level("edge:B1-B2", False)
    desk.wait(10)
    assert desk.position.touches == {"B1": 1, "B2": 1}


def test_a_stamp_from_the_future_does_not_stop_the_clock() -> None:
    desk = Desk(COLUMN)
    desk.feed(Edge("load:B1-1", True), at=10**18, t=desk.now * MS)
    desk.feed(Watermark(10**18), at=10**18, t=desk.now * MS)
    desk.pulse(*DOWN[:2])
    assert desk.position.touches == {"B1": 1, "B2": 1}
    due = desk.table.deadline
    assert due is not None
    assert due <= desk.now * MS + SETTLE * MS
    desk.feed(Edge("edge:B2-B3", True), at=10**18, t=desk.now * MS)
    desk.wait(10)
    assert desk.position.touches == {"B1": 1, "B2": 1, "B3": 1}


# --------------------------------------------------------------------------- a roll always ends


def test_a_ball_nobody_sees_is_asked_for_once_the_likeliest_place_first() -> None:
    desk = rolled("gate:B1-6", "edge:A1-B1", tiles=["A1", "B1"])
    desk.settle()
    assert desk.choices == [
        "rest 1 A1",
        "off 1 A1 5",
        "fell 1 A2",
        "fell 1 A1",
        "off 1 A1 1",
        "off 1 A1 6",
        "gone 1",
        "void",
    ]
    desk.settle()
    assert desk.keys.count("table.where") == 1
    assert Mark("A1", Meaning.ASK) in desk.table.scene()


@pytest.mark.parametrize(
    ("answer", "tiles", "places", "rolls"),
    [
        ("rest 1 A1", {"A1", "B1"}, ((1, "A1"),), 1),
        ("fell 1 A1", {"A1", "B1"}, (), 1),
        ("off 1 A1 5", {"B1"}, (), 1),
        ("gone 1", {"A1", "B1"}, (), 1),
        ("void", {"A1", "B1"}, (), 0),
    ],
)
def test_every_answer_ends_the_roll(
    answer: str, tiles: set[str], places: tuple[tuple[int, str], ...], rolls: int
) -> None:
    desk = rolled("gate:B1-6", "edge:A1-B1", tiles=["A1", "B1"])
    desk.settle()
    desk.decide(answer)
    position = desk.position
    assert (position.phase, set(position.tiles)) == ("idle", tiles)
    assert (position.places(), position.rolls) == (places, rolls)
    assert desk.table.asking is None
    assert desk.commits[-1].position == str(position)


def test_a_ball_that_a_person_saw_in_the_end_zone_wins() -> None:
    sensors = tuple(s for s in BOARD.sensors if s.kind not in ("throat", "floor"))
    desk = Desk(COLUMN, board=replace(BOARD, sensors=sensors))
    desk.pulse(*DOWN)
    desk.settle()
    desk.decide("goal 1 ZB")
    assert desk.position.winner == 0


def test_where_a_ball_lies_is_no_question_while_nothing_hangs_on_it() -> None:
    desk = rolled("load:B1-1", "gate:B1-1", tiles=["B1"])  # in B1, or fell through B2 unseen
    desk.settle()
    assert desk.table.asking is None
    assert desk.position.places() == ((1, "B1"),)


def test_a_ball_that_lay_elsewhere_after_all_is_found_when_it_moves() -> None:
    desk = rolled("gate:B1-1", tiles=["B1", "B2", "A1"])  # in B1, or unseen in B2 or A1
    desk.settle()
    assert desk.position.places() == ((1, "B1"),)
    desk.rule("position " + str(desk.position).replace("done=1,0", "done=0,0"))
    before = desk.position
    assert before.rolls == 0
    desk.pulse("gate:D1-1", "fall:D1", "edge:B2-B3", "fall:B3")
    desk.settle()
    assert desk.table.asking is None
    assert desk.position.places() == ()


def test_two_lost_balls_are_two_questions() -> None:
    signs = ("gate:B1-6", "edge:A1-B1", "gate:D1-6", "edge:D1-E1")
    desk = rolled(*signs, tiles=["A1", "B1", "D1", "E1"])
    desk.settle()
    desk.decide(next(c for c in desk.choices if c in ("reading 1", "rest 1 A1")))
    if desk.choices:
        desk.decide("rest 2 E1")
    assert desk.position.places() == ((1, "A1"), (2, "E1"))


def test_a_ball_that_moves_after_all_withdraws_the_question() -> None:
    desk = rolled("gate:B1-6", "edge:A1-B1", tiles=["A1", "B1"])
    desk.settle()
    question = desk.table.asking
    assert question is not None
    desk.pulse("edge:A1-A2", "fall:A2")
    assert desk.table.asking is None
    desk.feed(Decide(question.id, "rest 1 A1"), source="page")
    assert desk.refused == ["table.no_question"]
    desk.settle()
    assert desk.position.phase == "idle"


def test_two_balls_may_lie_on_one_seam_where_people_say_so() -> None:
    desk = Desk()
    desk.rule("ball 1 B1-2")
    desk.rule("ball 2 B1-2")
    desk.declare("roll D1-1")
    desk.settle()
    desk.decide("rest 1 B1-2")
    desk.decide("rest 2 B1-2")
    assert desk.position.places()[:2] == ((1, "B1-2"), (2, "B1-2"))


def test_an_answer_that_is_none_of_the_choices_is_refused() -> None:
    desk = rolled("gate:B1-6", "edge:A1-B1", tiles=["A1", "B1"])
    desk.settle()
    desk.decide("fell 1 E4")
    assert desk.refused == ["table.no_choice"]
    assert desk.table.asking is not None


# --------------------------------------------------------- a ball that may have rolled unseen


LANES = {"B1": Placed("J", 5), "B2": OPEN, "B3": OPEN}
"""B1 leads from the lane at 6 up to the one at 2: there a ball stays without another sign."""


def slipped(desk: Desk) -> Desk:
    """A ball left its loading place, and no gate saw it: it rolled, or was taken away."""
    desk.level("load:B1-6", True)
    desk.now += 500
    desk.level("load:B1-6", False)
    desk.settle()
    assert set(answers(desk)) == {f"table.answer_{it}" for it in ("no_roll", "reading", "void")}
    return desk


def answers(desk: Desk) -> dict[str, str]:
    """The answers of the open question by what they say."""
    assert desk.table.asking
    return {choice.message.key: choice.name for choice in desk.table.asking.choices}


def test_until_people_say_whether_a_ball_has_rolled_nothing_is_final() -> None:
    desk = slipped(Desk(LANES))
    desk.declare("play J C3 1")
    assert desk.refused == ["table.question_first"]
    desk.level("rail:main", True)
    desk.wait(100)
    desk.level("rail:main", False)  # 2.6.5: the match plays this
    desk.wait(100)
    assert not desk.position.rail
    desk.decide(answers(desk)["table.answer_reading"])
    assert (desk.position.rolls, desk.position.rail) == (1, False)
    assert str(resumed(desk).position) == str(desk.position)


def test_a_ball_that_slipped_does_not_count_and_the_roll_before_it_does() -> None:
    desk = Desk(LANES)
    desk.pulse("load:D1-1", "gate:D1-1", "fall:D1")
    desk.settle()
    desk.declare("play J C3 1")
    desk.level("seat:C3", True)
    desk.wait(100)
    before = str(desk.position)
    for void in (desk.decide, desk.rule):
        slipped(desk)
        void("void")
        desk.settle()
        assert (desk.choices, desk.refused) == ([], [])
        assert str(desk.position) == before


def test_a_ball_that_rolls_makes_the_question_about_another_one_void() -> None:
    desk = slipped(Desk(LANES))
    desk.pulse("gate:D1-1")
    assert desk.position.phase == "rolling"
    assert desk.choices == []


# ------------------------------------------------------------------------------ hands and tiles


def test_a_ball_released_while_tiles_must_be_changed_is_an_accident() -> None:
    desk = Desk(["B1", "B2"])
    desk.rule("position " + str(desk.position.with_tile("C3", OPEN)))
    desk.level("seat:C3", True)
    desk.wait(100)
    desk.level("seat:C3", False)
    desk.wait(100)
    assert desk.todo == ["C3"]
    desk.pulse("load:B1-1", "gate:B1-1")
    assert desk.position.phase == "idle"
    assert "hextraction.accident" in desk.keys


def test_a_second_ball_in_a_turn_is_an_accident_and_no_roll() -> None:
    desk = rolled("gate:B1-1", "edge:B1-B2", "fall:B2", tiles=["B1"])
    desk.settle()
    desk.pulse("load:B1-1", "gate:B1-1", "edge:B1-B2", "fall:B2")
    desk.settle()
    assert "hextraction.accident" in desk.keys
    assert desk.position.phase == "idle"
    assert desk.position.places() == ()
    assert set(desk.position.tiles) == {"B1"}


def test_an_accident_nobody_sees_the_end_of_asks_nobody() -> None:
    desk = rolled("gate:B1-1", "edge:B1-B2", "fall:B2", tiles=["B1"])
    desk.settle()
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.settle()
    assert desk.table.asking is None
    assert desk.position.places() == ((1, "B1"),)


def test_a_finger_at_a_gate_is_no_accident_while_no_roll_is_due() -> None:
    desk = rolled("load:B1-1", "gate:B1-1", "edge:B1-B2", "fall:B2", tiles=["B1"])
    desk.settle()
    desk.pulse("gate:B1-1")
    desk.settle()
    assert desk.table.asking is None
    assert "hextraction.accident" not in desk.keys
    assert desk.position.places() == ()


def test_balls_on_a_tile_that_is_taken_out_fall_though_one_pulse_tells_of_them() -> None:
    desk = Desk({"B1": LANES["B1"], "B2": OPEN})
    seat(desk, "B1", True)
    desk.rule("ball 1 B1")
    desk.rule("ball 2 B1")
    desk.pulse("load:B1-6", "gate:B1-6")
    desk.settle()
    if desk.choices:
        desk.decide("choose B1")  # three balls on one tile (2.1.5.5)
    assert (desk.todo, len(desk.position.places())) == (["B1"], 3)
    seat(desk, "B1", False)
    desk.pulse("fall:B1")
    desk.settle()
    assert desk.position.places() == ()


def seat(desk: Desk, slot: str, level: bool) -> None:
    desk.level(f"seat:{slot}", level)
    desk.wait(100)


def test_a_tile_that_is_taken_out_must_go_back() -> None:
    desk = Desk(["B1"])
    lane = Mark("B1/6", Meaning.LEGAL)
    seat(desk, "B1", True)
    assert lane in desk.table.scene()
    seat(desk, "B1", False)
    assert [(todo.cell, todo.put) for todo in desk.table.todo] == [("B1", OPEN)]
    assert Mark("B1", Meaning.TODO) in desk.table.scene()
    assert lane not in desk.table.scene()  # a ball that rolled now would be an accident (2.11)
    seat(desk, "B1", True)
    assert desk.todo == []
    assert lane in desk.table.scene()


def test_a_tile_nobody_named_is_asked_for_and_known_once_it_is_declared() -> None:
    desk = Desk(["B1"])
    seat(desk, "C3", True)
    assert [todo.message.key for todo in desk.table.todo] == ["table.todo_what"]
    desk.declare("play J C3 1")
    assert desk.todo == []
    assert desk.position.tiles["C3"] == NORTH_SHUT


def test_a_page_is_told_that_a_question_is_answered() -> None:
    desk = Desk(["B1"], begin=start(fallen_tiles="always"))
    seat(desk, "B1", True)
    seat(desk, "B1", False)
    assert desk.choices == ["drop B1", "lifted B1"]
    assert Refresh() in desk.decide("lifted B1")
    assert desk.todo == ["B1"]


def test_a_tile_that_was_declared_first_is_to_be_put_in() -> None:
    desk = Desk(["B1"])
    desk.declare("play J C3 1")
    assert [(todo.cell, todo.put) for todo in desk.table.todo] == [("C3", NORTH_SHUT)]
    seat(desk, "C3", True)
    assert desk.todo == []


def test_a_tile_that_comes_out_during_a_roll_is_destroyed() -> None:
    desk = Desk(["B1", "B2"])
    seat(desk, "B2", True)
    desk.pulse("gate:B1-1")
    seat(desk, "B2", False)  # 2.4.3, K32
    desk.pulse("edge:B1-B2", "fall:B2")
    desk.settle()
    assert desk.choices == [], "a hand may put it back"
    desk.wait(5000)
    assert desk.choices == ["drop B2", "stays B2", "void"]
    desk.decide("drop B2")
    assert set(desk.position.tiles) == {"B1"}
    assert desk.todo == []
    assert "hextraction.dropped" in desk.keys
    assert desk.position.phase == "idle"


def test_a_tile_that_a_hand_puts_back_after_a_roll_is_no_question() -> None:
    desk = Desk(["B1", "B2"])
    seat(desk, "B2", True)
    seat(desk, "B1", True)
    desk.pulse("gate:B1-6")
    seat(desk, "B2", False)
    desk.pulse("edge:A1-B1", "fall:A1")
    desk.settle()
    assert (desk.position.phase, desk.choices) == ("rolling", [])
    desk.wait(1500)
    seat(desk, "B2", True)
    desk.settle()
    assert (desk.position.phase, desk.choices, desk.todo) == ("idle", [], [])


def test_a_seat_switch_alone_never_destroys_a_tile() -> None:
    desk = Desk(["B1", "B2", "B3"])
    seat(desk, "B2", True)
    desk.pulse("gate:B1-1")
    for _ in range(3):  # it flickers, each time for long enough to be believed
        seat(desk, "B2", False)
        seat(desk, "B2", True)
    desk.pulse("edge:B1-B2", "edge:B2-C2", "fall:C2")
    seat(desk, "B2", False)  # and then it is dead
    desk.wait(5000 + SETTLE)
    assert set(desk.position.tiles) == {"B1", "B2", "B3"}
    desk.decide("stays B2")
    assert set(desk.position.tiles) == {"B1", "B2", "B3"}
    assert (desk.position.phase, desk.todo) == ("idle", [])


# ---------------------------------------------------------------------------------- declarations


def test_only_the_seat_whose_turn_it_is_may_declare_or_the_host_for_it() -> None:
    desk = Desk(["B1"])
    desk.declare("play J C3 1", seat=1)
    assert desk.refused == ["table.not_your_turn"]
    assert "C3" not in desk.position.tiles
    desk.declare("play J C3 1", seat=-1)
    assert "C3" in desk.position.tiles


def test_what_sensors_see_cannot_be_declared() -> None:
    desk = Desk(["B1"])
    for action in ("goal 1 ZB", "settle", "rail off", "touch 1 B1", "gone 1"):
        desk.declare(action)
    assert desk.refused == ["table.not_declared"] * 5


def test_without_sensors_a_roll_is_declared_and_its_end_is_asked() -> None:
    desk = Desk(COLUMN)
    desk.declare("roll B1-1")
    desk.settle()
    assert desk.choices[:2] == ["rest 1 B1-1", "rest 1 B1"]
    desk.decide("rest 1 B1")
    assert desk.position.phase == "idle"


def test_a_declared_roll_whose_gate_speaks_after_all_is_one_roll() -> None:
    desk = Desk(COLUMN)
    desk.declare("roll B1-1")
    desk.pulse("gate:B1-1", "edge:B1-B2")
    assert desk.position.touches == {"B1": 1, "B2": 1}
    assert len(desk.position.balls) == 1


def test_while_nothing_can_be_saved_no_move_is_taken() -> None:
    desk = Desk(["B1"])
    desk.feed(Presence(False, "disk full"), source="journal")
    desk.declare("play J C3 1")
    desk.rule("undo")
    assert desk.refused == ["table.no_journal"] * 2
    desk.feed(Presence(True), source="journal")
    desk.declare("play J C3 1")
    assert "C3" in desk.position.tiles


# --------------------------------------------------------------------------- the people are right


def test_undo_takes_back_the_last_move() -> None:
    desk = Desk(["B1"])
    before = str(desk.position)
    desk.declare("play J C3 1")
    seat(desk, "C3", True)
    desk.rule("undo")
    assert str(desk.position) == before
    assert desk.todo == ["C3"]  # out again
    assert desk.commits[-1].position == before


def turn_played(**options: str) -> Desk:
    """Red has rolled, then played the J that a hand has put into C3."""
    desk = Desk(["B1"], begin=start(**options))
    seat(desk, "B1", True)
    desk.pulse("gate:B1-6", "edge:A1-B1", "fall:A1")
    desk.settle()
    seat(desk, "C3", True)
    desk.declare("play J C3 1")
    return desk


def test_a_turn_in_which_nothing_is_left_ends_by_itself_2_0_1() -> None:
    desk = turn_played()
    assert (desk.position.active, desk.position.turn, desk.position.hands) == (1, 2, (3, 3))
    assert '"action":"end"' in desk.commits[-1].entries[-1]
    assert turn_played(turn_end="said").position.active == 0


def test_a_turn_does_not_end_before_the_tile_lies_there() -> None:
    desk = Desk(["B1"])
    seat(desk, "B1", True)
    desk.pulse("gate:B1-6", "edge:A1-B1", "fall:A1")
    desk.settle()
    desk.declare("play J C3 1")
    assert desk.position.active == 0
    seat(desk, "C3", True)
    assert desk.position.active == 1


def test_undo_after_a_turn_has_ended_by_itself_takes_back_what_was_done_in_it() -> None:
    desk = turn_played()
    desk.rule("undo")
    assert (desk.position.active, desk.position.plays, "C3" in desk.position.tiles) == (0, 0, False)
    assert [todo.message.key for todo in desk.table.todo] == ["table.todo_what"]
    desk.declare("play J C3 3")  # it was said wrongly how it lies
    assert (desk.todo, desk.position.active) == ([], 1)
    desk.rule("undo")
    desk.rule("undo")
    assert (desk.position.rolls, desk.position.plays) == (0, 0)


def test_a_roll_that_ended_its_turn_can_be_voided() -> None:
    desk = Desk(["B1"])
    seat(desk, "B1", True)
    seat(desk, "C3", True)
    desk.declare("play J C3 1")
    desk.pulse("gate:B1-6", "edge:A1-B1", "fall:A1")
    desk.settle()
    assert desk.position.active == 1
    desk.rule("void")
    assert (desk.position.active, desk.position.rolls, desk.position.plays) == (0, 0, 1)


def test_a_vote_on_the_tile_that_ended_a_turn_is_a_vote_in_that_turn_0_5_7() -> None:
    """Voted off while it is being played, as far as that lasts until something else is done (K43):
    another is drawn, and may be played at once."""
    desk = turn_played(playing="as said")
    desk.declare("vote destroy C3 1", seat=1)
    assert "hextraction.goes_on" in desk.keys
    desk.declare("nay 1", seat=1)
    desk.declare("nay 0", seat=0)
    assert desk.todo == ["C3"]
    seat(desk, "C3", False)
    position = desk.position
    assert (position.active, position.rolls, position.plays, position.hands) == (0, 1, 0, (3, 3))
    other = turn_played(playing="as said")
    other.declare("vote destroy B1 1", seat=1)  # about a tile of an earlier turn
    assert (other.position.active, "hextraction.goes_on" in other.keys) == (1, False)
    stable = turn_played()
    stable.declare("vote destroy C3 1", seat=1)  # it is played: the game was stable (2.2.5.2)
    assert (stable.position.active, "hextraction.goes_on" in stable.keys) == (1, False)


def test_a_match_of_earlier_rulings_goes_on_as_it_began() -> None:
    """Up to stage 4 a play lasted until something else was done (K43), up to stage 3 people said
    when their turn ends."""
    found = []
    for version in (hextraction.rules(), *hextraction.GAME.earlier_rules()):
        table: Any = open_table(BOARD, replace(start(), rules=version))
        found.append(table.sensing.believed.position.setting)
    assert [(it.playing, it.turn_end) for it in found] == [
        ("until stable", "implied"),
        ("as said", "implied"),
        ("as said", "said"),
        ("as said", "said"),
    ]


def test_undo_in_a_roll_takes_back_the_roll_and_forgets_its_ball() -> None:
    desk = Desk(COLUMN)
    before = str(desk.position)
    desk.pulse(*DOWN[:3])
    desk.rule("undo")
    assert str(desk.position) == before
    assert desk.balls.believed.tracker.balls == {}
    desk.settle()
    assert str(desk.position) == before


def test_undo_at_the_very_beginning_is_refused() -> None:
    desk = Desk()
    desk.rule("undo")
    assert desk.refused == ["table.nothing_to_undo"]


def test_a_voided_roll_is_owed_again_and_its_balls_count_for_nothing() -> None:
    desk = rolled(*DOWN, "throat:B5-4")  # 0.5.8
    desk.rule("void")
    desk.level("floor:ZB", True)
    desk.settle()
    position = desk.position
    assert (position.phase, position.rolls, position.places()) == ("idle", 0, ())


def test_a_roll_can_be_voided_after_its_end() -> None:
    desk = Desk({"B1": OPEN, "A1": OPEN})
    before = str(desk.position)
    desk.pulse("gate:B1-6", "edge:A1-B1", "exit:A1-5")
    desk.settle()
    assert "A1" not in desk.position.tiles
    desk.rule("void")
    assert str(desk.position) == before


def test_voiding_is_refused_when_the_last_thing_done_was_no_roll() -> None:
    desk = Desk({"B1": OPEN})
    desk.declare("play Asterisk C3 0")
    before = str(desk.position)
    desk.rule("void")
    assert desk.refused == ["table.no_roll_to_void"]
    assert str(desk.position) == before


@pytest.mark.parametrize("rotation", ["", "01", "2345", "6", "²"])
def test_a_ruling_with_a_rotation_that_is_none_is_refused_in_words(rotation: str) -> None:
    desk = Desk({"B1": OPEN})
    desk.rule(f"tile C3 J {rotation}")
    assert desk.refused == ["table.no_ruling"]


def stormed() -> Desk:
    """A roll in which many edges and falls fire again and again, too few at once for a storm of the
    whole board."""
    desk = Desk(SLOTS)
    desk.pulse("gate:B1-1")
    noise = [s.id for s in BOARD.sensors if s.kind in ("edge", "exit", "fall")][:75]
    for _ in range(3):
        desk.pulse(*noise, every=12)
    desk.settle()
    return desk


@pytest.mark.long
def test_after_a_storm_of_signs_people_are_asked_whether_the_roll_counts() -> None:
    desk = stormed()
    assert desk.choices == ["settle", "void"]
    assert desk.position.phase == "rolling"
    assert len(desk.position.tiles) == len(SLOTS)


def test_a_roll_in_a_storm_can_be_voided_and_costs_nothing() -> None:
    desk = stormed()
    desk.decide("void")
    position = desk.position
    assert (position.phase, position.rolls, len(position.tiles)) == ("idle", 0, len(SLOTS))


def test_a_roll_in_a_storm_can_be_made_to_count() -> None:
    desk = stormed()
    desk.decide("settle")
    position = desk.position
    assert (position.phase, position.rolls) == ("idle", 1)
    assert desk.choices == []


def leaning() -> Desk:
    """A ball that came to rest against the closed edge between B1 and B2."""
    desk = Desk({"B1": OPEN, "B2": Placed("J", 1)})  # J turned once joins edges 2 and 4
    desk.pulse("gate:B1-1")
    desk.level("edge:B1-B2", True)
    desk.settle()
    assert desk.position.places() == ((1, "B1-B2"),)
    return desk


def test_a_ball_lifted_off_its_seam_between_rolls_is_gone() -> None:
    desk = leaning()
    desk.level("edge:B1-B2", False)
    desk.settle()
    assert desk.position.places() == ()


def test_a_ball_that_trembles_on_its_seam_stays_there() -> None:
    desk = leaning()
    desk.level("edge:B1-B2", False)
    desk.now += 50
    desk.level("edge:B1-B2", True)
    desk.settle()
    assert desk.position.places() == ((1, "B1-B2"),)


def test_a_ball_that_leaves_its_seam_and_goes_on_is_followed() -> None:
    desk = leaning()
    desk.level("edge:B1-B2", False)
    desk.now += 200
    desk.pulse("edge:B1-C1", "fall:C1")
    desk.settle()
    assert desk.position.places() == ()
    assert "hextraction.fell" in desk.keys


def test_play_on_takes_the_likeliest_answer() -> None:
    desk = rolled("gate:B1-6", "edge:A1-B1", tiles=["A1", "B1"])
    desk.settle()
    desk.rule("play on")
    assert desk.position.places() == ((1, "A1"),)
    assert desk.position.phase == "idle"


@pytest.mark.parametrize("first", ["play on", "right"])
def test_play_on_and_a_right_board_leave_to_the_answer_what_it_comes_to(first: str) -> None:
    def asked() -> Desk:
        signs = ("load:B1-6", "gate:B1-6", "edge:A1-B1", "exit:E4-2")
        desk = rolled(*signs, tiles=["E2", "A1", "B2", "E1"])
        desk.settle()
        return desk

    answered, other = asked(), asked()
    assert answered.choices[0] == "fell 1 B1"
    answered.decide("fell 1 B1")
    other.rule(first)
    if first == "right":
        other.decide("fell 1 B1")
    assert str(other.position) == str(answered.position)


def test_play_on_takes_the_first_reading_of_a_ball_that_slipped() -> None:
    desk, other = slipped(Desk(LANES)), slipped(Desk(LANES))
    desk.decide("reading 1")
    other.rule("play on")
    assert str(other.position) == str(desk.position)


def test_a_right_board_answers_whether_a_tile_came_out() -> None:
    desk = Desk(["B1", "B2"])
    seat(desk, "B2", True)
    desk.pulse("gate:B1-1")
    seat(desk, "B2", False)
    desk.pulse("edge:B1-B2", "fall:B2")
    desk.wait(5000 + SETTLE)
    assert "stays B2" in desk.choices
    desk.rule("right")
    assert (desk.position.phase, desk.todo) == ("idle", [])
    assert "B2" in desk.position.tiles


def test_a_right_board_has_no_ball_that_slipped() -> None:
    desk = Desk(LANES)
    before = str(desk.position)
    slipped(desk).rule("right")
    desk.settle()
    assert (desk.choices, str(desk.position)) == ([], before)


def test_play_on_in_a_roll_ends_it_where_the_balls_are() -> None:
    desk = rolled(*DOWN[:2])
    desk.rule("play on")
    assert desk.position.phase == "idle"
    assert desk.position.places() == ((1, "B2"),)


def test_the_board_is_right_when_people_say_so() -> None:
    desk = Desk(["B1"])
    seat(desk, "B1", True)
    seat(desk, "B1", False)
    desk.rule("right")
    assert desk.todo == []


def test_saying_that_the_board_is_right_in_a_roll_does_not_say_where_a_ball_is() -> None:
    desk = rolled("gate:B1-6", "edge:A1-B1", tiles=["A1", "B1"])
    desk.settle()
    desk.rule("right")
    assert desk.table.asking is not None
    desk.decide("rest 1 A1")
    assert desk.position.phase == "idle"


def test_a_tile_is_what_and_where_people_say() -> None:
    desk = Desk(["B1"])
    desk.rule("tile C3 J 1")
    assert desk.position.tiles["C3"] == NORTH_SHUT
    desk.rule("tile B1 -")
    assert set(desk.position.tiles) == {"C3"}
    assert desk.todo == []


def test_a_tile_put_right_in_a_roll_lets_the_roll_go_on() -> None:
    desk = rolled(*DOWN[:2])
    desk.rule("tile B3 -")
    desk.pulse("edge:B2-B3", "fall:B3")
    desk.settle()
    assert "hextraction.fell" in desk.keys
    assert set(desk.position.tiles) == set(COLUMN) - {"B3"}


def test_a_ball_is_where_people_say_and_is_not_asked_for_again() -> None:
    desk = rolled(*DOWN[:2])
    desk.rule("ball 1 B4")
    desk.settle()
    assert desk.table.asking is None
    assert desk.position.phase == "idle"
    assert desk.position.places() == ((1, "B4"),)
    desk.rule("ball 1 -")
    assert desk.position.places() == ()


def test_a_ball_that_people_saw_in_the_end_zone_in_a_roll_wins() -> None:
    desk = rolled(*DOWN[:2])
    desk.rule("ball 1 zone:ZB")
    desk.settle()
    assert desk.position.winner == 0


def test_a_position_in_words_replaces_everything() -> None:
    desk = Desk(COLUMN)
    wanted = str(desk.position.with_tile("B5", None))
    desk.declare("play J C3 1")
    desk.rule(f"position {wanted}")
    assert str(desk.position) == wanted
    assert desk.todo == []


NONSENSE = (
    "",
    "undo it",
    "tile",
    "tile C3",
    "tile Z9 J 1",
    "tile C3 Nothing 1",
    "tile C3 J 9",
    "tile C3 J " + "9" * 5000,
    "ball 1 nowhere",
    "ball 0 C3",
    "ball one C3",
    "ball " + "9" * 5000 + " C3",
    "position",
    "position idle",
    "position " + "9" * 5000,
    "please",
)


@pytest.mark.parametrize("rolling", [False, True])
@pytest.mark.parametrize("nonsense", NONSENSE, ids=lambda text: text[:12])
def test_nonsense_is_refused_in_words_and_changes_nothing(nonsense: str, rolling: bool) -> None:
    desk = rolled(*DOWN[:2] if rolling else ())
    desk.wait(0)
    before = desk.table.state()
    effects = desk.rule(nonsense)
    assert len(desk.refused) == 1
    assert len(effects) == 1
    assert desk.table.state() == before


def test_after_the_end_people_may_still_put_things_right() -> None:
    desk = rolled(*DOWN, "throat:B5-4")
    desk.level("floor:ZB", True)
    desk.settle()
    assert desk.position.phase == "over"
    desk.declare("roll B1-1")
    assert desk.refused == ["hextraction.over"]
    desk.rule("tile C3 J 1")
    desk.rule("undo")
    desk.rule("undo")  # the winning roll
    assert desk.position.phase == "idle"
    assert desk.position.winner is None


def test_a_ruling_in_a_roll_outlives_a_sensor_that_is_found_out_later() -> None:
    desk = rolled(*DOWN[:2])
    desk.rule("tile E4 J 1")
    storm(desk, "edge:B2-B3")
    assert desk.corrected
    assert desk.position.tiles["E4"] == NORTH_SHUT
    assert desk.position.phase == "rolling"


# ------------------------------------------------------------------------------- sensors that lie


def storm(desk: Desk, sensor: str, every: int = 5, count: int = BURST + 2) -> None:
    """A sensor chatters: raw edges that end low."""
    for i in range(count):
        desk.level(sensor, i % 2 == 0)
        desk.now += every


def test_a_sensor_that_chatters_in_a_roll_is_taken_back_all_it_said() -> None:
    desk = rolled(*DOWN[:2])
    storm(desk, "edge:B2-C2")
    assert desk.table.senses.health.out == {"edge:B2-C2": "chattering"}
    assert [message.key for message in desk.corrected] == ["sensor.chattering"]
    assert desk.position.touches == {"B1": 1, "B2": 1}
    desk.pulse("edge:B2-B3", "fall:B3")
    assert desk.position.ball(1) is not None


def test_what_else_happened_in_the_roll_stands_when_a_sensor_is_taken_back() -> None:
    desk = Desk([*COLUMN, "C3"])
    for slot in ("C3", "B2"):
        seat(desk, slot, True)
    desk.level("rail:main", True)
    desk.wait(100)
    desk.pulse("gate:B1-1")
    seat(desk, "C3", False)  # it drops
    desk.level("rail:main", False)
    desk.wait(100)
    desk.pulse("edge:B1-B2")
    storm(desk, "edge:B2-C2")
    position = desk.position
    assert desk.corrected
    assert position.phase == "rolling"
    assert not position.rail
    assert position.touches == {"B1": 1, "B2": 1}
    assert desk.todo == ["C3"]


def test_a_sensor_that_is_stuck_is_named_and_heard_again_when_it_lets_go() -> None:
    desk = Desk(["B1"])
    desk.level("edge:D4-D5", True)
    desk.wait(6000)
    assert desk.table.senses.health.out == {"edge:D4-D5": "stuck"}
    assert Mark("D4", Meaning.STUCK) in desk.table.scene()
    desk.level("edge:D4-D5", False)
    desk.wait(3000)
    assert desk.table.senses.health.out == {}
    assert desk.keys[-2:] == ["sensor.stuck", "sensor.healthy"]


def test_a_seat_that_chattered_is_believed_as_it_is_once_it_is_quiet() -> None:
    desk = Desk(["B1"])
    seat(desk, "B1", True)
    storm(desk, "seat:B1", count=BURST + 1)
    desk.level("seat:B1", False)
    desk.wait(100)
    assert desk.todo == []  # nobody listens to it
    desk.wait(3000)
    assert desk.todo == ["B1"]


NOISE = ("edge:B1-B2", "edge:B2-C2", "edge:C2-C3", "edge:D4-D5", "edge:D5-E4", "edge:C1-C2")
PATH = ("gate:B1-1", "edge:B1-B2", "edge:B2-C2", "edge:C2-C3", "edge:C3-D4", "edge:D4-D5")


EVERY_DAY = {*zip(NOISE, (1, 5, 35, 400, 5000, 5000), strict=True)}


@pytest.mark.parametrize(
    ("sensor", "hertz"),
    [
        pytest.param(*case, marks=[] if case in EVERY_DAY else pytest.mark.long)
        for case in product(NOISE, (1, 2, 5, 12, 35, 100, 400, 1000, 5000))
    ],
)
def test_noise_on_a_sensor_never_destroys_a_tile_in_silence(sensor: str, hertz: int) -> None:
    """A ball rolls from B1 over C2 and D4 to E4 and over the side, which costs E4 alone."""
    passing = (*PATH, "edge:D5-E4", "exit:E4-4")
    facts = [(2000 + 200 * i + dt, s, not dt) for i, s in enumerate(passing) for dt in (0, WIDTH)]
    edges = [(at * MS, s, level) for at, s, level in facts]
    period, end = 10**9 // hertz, 4000 * MS if hertz > 500 else 8000 * MS
    for begin in range(2013 * MS, end, period):
        edges += [(begin, sensor, True), (begin + period * 2 // 5, sensor, False)]
    desk = Desk(SLOTS)
    for at, name, level in sorted(edges):
        desk.now = at // MS + 1
        desk.feed(Edge(name, level), at=at)
    for _ in range(5):
        desk.settle()
    position = desk.position
    wrongly = set(SLOTS) - set(position.tiles) - {"E4"}
    assert not wrongly
    assert position.phase == "idle" or desk.table.asking is not None
    if position.phase == "idle" and not desk.corrected:
        assert "E4" not in position.tiles


def test_a_tile_touched_three_times_on_the_word_of_one_sensor_is_not_destroyed() -> None:
    desk = rolled("gate:B1-1", "edge:B1-B2", "edge:B2-B3", "edge:B2-B3", "edge:B2-B3")
    desk.pulse("edge:B2-B3")
    assert desk.position.touches["B2"] == 3
    assert "hextraction.loop_offer" in desk.keys  # the roller may break it; nobody must
    desk.settle()
    desk.settle()
    assert set(desk.position.tiles) == set(COLUMN)


def test_a_tile_truly_touched_three_times_is_destroyed() -> None:
    desk = Desk({"B1": OPEN})  # 2.1.5.4: three balls, each of which touches B1 and falls
    for lane in ("B1-1", "B1-2", "B1-6"):
        desk.pulse(f"load:{lane}", f"gate:{lane}", every=50)
    desk.pulse("edge:B1-B2", "fall:B2", "edge:B1-C1", "fall:C1", "edge:A1-B1", "fall:A1")
    assert desk.position.touches == {"B1": 3}
    desk.settle()
    assert desk.position.tiles == {}
    assert not desk.corrected


def test_a_sign_that_makes_nonsense_of_what_follows_is_taken_back() -> None:
    """A false exit: the ball was taken to have left, yet three more sensors see it."""
    desk = rolled("gate:B1-6", "exit:A1-5", tiles=[*COLUMN, "A1"])
    assert "hextraction.off" in desk.keys
    desk.pulse(*DOWN[1:])
    desk.pulse("throat:B5-4")
    assert desk.table.senses.health.out == {"exit:A1-5": "chattering"}
    desk.level("floor:ZB", True)
    desk.settle()
    assert desk.position.winner == 0
    assert "A1" in desk.position.tiles


def test_a_flapping_rail_does_not_flood_the_match() -> None:
    desk = Desk(["B1"])
    storm(desk, "rail:main", every=50, count=400)  # 20 s at 10 Hz
    assert desk.keys.count("sensor.chattering") == 1
    assert len(desk.table.ledger.match.entries) < 2 * BURST


def test_idle_noise_is_forgotten() -> None:
    desk = Desk(["B1"])
    for _ in range(50):
        desk.pulse("edge:D4-D5", every=1000)
    assert desk.balls.believed.unsettled.items == []


def test_lost_facts_are_told() -> None:
    desk = Desk(["B1"])
    desk.feed(Lost(7))
    assert desk.keys[-1] == "table.lost"
    assert desk.table.senses.lost == 7


def test_an_unknown_sensor_is_nothing() -> None:
    desk = Desk(["B1"])
    assert desk.level("edge:Z1-Z2", True) == []


# ---------------------------------------------------------------------------------- snapshots


def test_the_first_snapshot_of_a_source_is_believed_at_once() -> None:
    desk = Desk(["B1", "B2"])
    desk.feed(Snapshot(("seat:B1", "rail:main")))
    assert desk.todo == ["B2"]
    assert desk.table.senses.agrees("pico", ("rail:main", "seat:B1"))


def test_what_a_later_snapshot_implies_becomes_edges() -> None:
    desk = Desk(["B1"])
    desk.feed(Snapshot(("seat:B1", "rail:main")))
    desk.wait(1000)
    desk.feed(Snapshot(("rail:main",)))
    assert desk.todo == []
    desk.wait(60)
    assert desk.todo == ["B1"]


def test_a_snapshot_that_says_nothing_new_agrees() -> None:
    desk = Desk(["B1"])
    high = ("rail:main", "seat:B1")
    assert not desk.table.senses.agrees("pico", high)  # it has never spoken
    desk.feed(Snapshot(high))
    assert desk.table.senses.agrees("pico", high)
    assert not desk.table.senses.agrees("pico", ("seat:B1",))
    desk.level("seat:B1", False)
    assert not desk.table.senses.agrees("pico", high)


# ------------------------------------------------------------------------- power and a full board


def test_power_lost_in_a_roll_counts_when_the_game_is_stable_and_so_does_its_return() -> None:
    desk = Desk(["B1"])  # HC-84
    desk.level("rail:main", True)
    desk.wait(100)
    desk.pulse("gate:B1-1")
    desk.level("rail:main", False)
    desk.wait(100)
    assert desk.flags() == (False, False)
    desk.pulse("edge:B1-B2", "fall:B2")
    desk.settle()
    assert desk.flags() == (True, False)
    desk.level("rail:main", True)
    desk.wait(100)
    assert desk.flags() == (True, False)  # until the next stable moment of the game
    desk.declare("play J C3 1")
    assert desk.flags() == (False, False)


def test_overdrive_comes_with_the_last_open_slot() -> None:
    desk = Desk(set(SLOTS) - {"C3"})  # HC-82
    assert desk.flags() == (False, False)
    desk.declare("play J C3 1")
    assert desk.flags() == (False, True)
    assert Mark("*", Meaning.OVERDRIVE) in desk.table.scene()


def test_overdrive_stays_on_until_the_roll_in_which_a_tile_is_lost_is_over() -> None:
    desk = Desk(SLOTS)  # HC-83
    seat(desk, "E4", True)
    desk.pulse("gate:B1-1")
    seat(desk, "E4", False)
    assert desk.flags() == (False, True)
    desk.pulse("edge:A1-B1", "exit:A1-5")
    desk.wait(5000 + SETTLE)
    assert desk.flags() == (False, True)
    desk.decide("drop E4")
    assert "E4" not in desk.position.tiles
    assert desk.flags() == (False, False)


# -------------------------------------------------------------------------------- after a restart


def resumed(desk: Desk) -> Desk:
    entries: list[str] = []
    for commit in desk.commits:
        entries[commit.first :] = commit.entries
    return Desk(begin=Resume(start(), tuple(entries)))


def test_a_match_resumes_at_its_last_stable_position_and_asks_to_be_confirmed() -> None:
    desk = Desk(["B1", "B2"])
    desk.declare("play J C3 1")
    seat(desk, "C3", True)
    stable = str(desk.position)
    desk.pulse("gate:B1-1", "edge:B1-B2")  # provisional: not journalled
    again = resumed(desk)
    assert str(again.position) == stable
    assert again.table.ledger.confirm
    again.rule("right")
    assert not again.table.ledger.confirm


def test_a_resumed_match_goes_on_to_the_same_end() -> None:
    desk = Desk(COLUMN)
    desk.declare("play J C3 1")
    seat(desk, "C3", True)
    again = resumed(desk)
    for each in (desk, again):
        each.now = 60_000
        each.pulse(*DOWN, "throat:B5-4")
        each.level("floor:ZB", True)
        each.settle()
    assert str(again.position) == str(desk.position)


def test_after_a_restart_the_first_snapshot_says_what_must_be_changed() -> None:
    again = resumed(Desk(["B1", "B2"]))
    again.feed(Snapshot(("rail:main", "seat:B2")))
    assert again.todo == ["B1"]


def test_an_answer_to_a_question_from_before_a_restart_answers_no_other() -> None:
    def asked(again: Desk) -> int:
        again.pulse("gate:B1-6", "edge:A1-B1")
        again.settle()
        assert again.table.asking is not None
        return again.table.asking.id

    desk = Desk(["B1", "A1"])
    again = resumed(desk)
    before = asked(desk)
    again.now = desk.now + 1000
    asked(again)
    again.feed(Decide(before, "void"), source="page")
    assert again.refused == ["table.no_question"]
    assert again.table.asking is not None


def test_a_match_that_was_saved_in_a_roll_asks_where_its_ball_is() -> None:
    desk = rolled("gate:B1-1")
    desk.wait(0)
    text = str(desk.position)
    again = Desk(
        begin=Resume(start(), (f'{{"type":"ruled","position":"{text}","who":"","why":""}}',))
    )
    assert again.position.phase == "rolling"
    again.settle()
    assert again.table.asking is not None or again.position.phase == "idle"


def test_an_option_nobody_knows_is_refused_at_the_start() -> None:
    with pytest.raises(BadText):
        Table(hextraction.GAME, BOARD, start(colour="red"), Balls)


def test_the_log_keeps_the_last_lines_and_the_count_of_all() -> None:
    desk = Desk(["B1"])
    for _ in range(LOG_LINES + 10):
        desk.feed(Lost(1))
    assert len(desk.table.view().log) == LOG_LINES
    assert desk.table.view().log[-1].n == LOG_LINES + 11


# --------------------------------------------------------------------------------- any facts at all

SENSORS = st.sampled_from([sensor.id for sensor in BOARD.sensors] + ["edge:Z1-Z2", "", "seat:"])
NEAR = st.sampled_from([*DOWN, "edge:B2-C2", "exit:A1-5", "fall:C3", "throat:B5-4", "floor:ZB"])
WORDS = st.sampled_from(
    [
        *("roll B1-1", "roll Z9", "play J C3 1", "play J C3 7", "play ? C3 0", "clear B1"),
        *(
            "break",
            "end",
            "concede 0",
            "concede 1",
            "concede 9",
            "settle",
            "goal 1 ZB",
            "",
            "end end",
        ),
        *("rest 1 B2", "fell 1 B1", "gone 1", "gone 2", "void", "off 1 A1 5"),
    ]
)
RULINGS = st.sampled_from(
    [
        *("undo", "void", "play on", "right", "tile C3 J 2", "tile B2 -", "tile C3 Q 1"),
        *("ball 1 C3", "ball 1 -", "ball 2 zone:ZB", "ball 3 B1-B2", "ball 1 B1-1", *NONSENSE),
        "position rolling seat=1/2 turn=3 done=1,0 tiles=B1:J:0 balls=4@B1-B2!,7@fell:C3!C3,"
        "9@zone:ZB. touches=B1:2 broken=- pool=1 hands=3,3 conceded= rail=- offline=- overdrive=- "
        "winner=-",
    ]
)
TEXT = st.text(max_size=20)
BODIES = st.one_of(
    st.builds(Edge, NEAR, st.booleans()),
    st.builds(Edge, SENSORS | TEXT, st.booleans()),
    st.builds(Snapshot, st.lists(SENSORS | TEXT, max_size=6).map(tuple)),
    st.builds(Watermark, st.integers(-(10**9), 10**11)),
    st.just(Tick()),
    st.builds(Lost, st.integers(0, 9)),
    st.builds(Presence, st.booleans(), TEXT),
    st.builds(Declare, st.integers(-1, 3), WORDS | TEXT),
    st.builds(Decide, st.integers(0, 5), WORDS | TEXT, st.integers(-1, 3)),
    st.builds(Ruling, RULINGS | TEXT, TEXT, TEXT),
    st.just(start()),
    st.just(Resume(start(), ())),
)
STEPS = st.lists(
    st.tuples(
        BODIES,
        st.sampled_from((1, 10, 300, 2000, 8000)),  # ms since the fact before
        st.sampled_from((0, 0, 0, 50, 500, -500, 10**9)),  # how late, ms
        st.sampled_from(("pico", "pico", "pico", "gpio", "page", "journal", "table")),
    ),
    max_size=60,
)


def facts(steps: list[tuple[Body, int, int, str]]) -> list[Fact]:
    made, t = [], 0
    for n, (body, after, late, source) in enumerate(steps, 1):
        t += after * MS
        made.append(Fact(n, t, t - late * MS, source, body))
    return made


def set_up() -> Table[Action]:
    table = Table(hextraction.GAME, BOARD, start(), Balls)
    assert isinstance(table.sensing, Balls)
    position = table.sensing.believed.position
    for slot in (*COLUMN, "A1", "C2"):
        position = position.with_tile(slot, OPEN)
    table.step(Fact(0, 0, 0, "page", Ruling(f"position {position}")))
    return table


@settings(max_examples=50, deadline=None)
@given(STEPS)
def test_whatever_facts_come_no_step_fails_and_two_tables_say_the_same(
    steps: list[tuple[Body, int, int, str]],
) -> None:
    one, two = set_up(), set_up()
    journal = [encode_entry(entry).decode() for entry in one.ledger.match.entries]
    for fact in facts(steps):
        effects: list[Effect] = one.step(fact)
        for commit in effects:
            if isinstance(commit, Commit):
                assert commit.first == len(journal)
                journal += commit.entries
        assert encode_effects(effects) == encode_effects(two.step(fact))
        assert str(one.ledger.parse(str(one.position))) == str(one.position)
    assert one.state() == two.state()
    assert journal == [
        encode_entry(entry).decode() for entry in one.ledger.match.entries[: len(journal)]
    ]


@settings(max_examples=50, deadline=None)
@given(STEPS)
def test_whatever_facts_come_a_roll_ends_or_asks(steps: list[tuple[Body, int, int, str]]) -> None:
    table = set_up()
    made = facts(steps)
    for fact in made:
        table.step(fact)
    t = made[-1].t if made else 0
    for n in range(1, 40):  # silence
        t += 2_000 * MS
        table.step(Fact(len(made) + n, t, t, "table", Tick()))
    assert isinstance(table.sensing, Balls)
    waits = table.sensing.believed.position.retry  # another ball, for one that is stuck (2.1.3.1)
    assert table.position.stable or table.asking is not None or waits
    assert table.view().quiet


def test_a_tile_that_nobody_read_is_taken_out_like_any_other_when_it_is_destroyed() -> None:
    """It was played as "?": that is no tile that a hand has just put in."""
    desk = Desk({**dict.fromkeys(SLOTS, OPEN), "C3": Placed("?", 0)})
    for slot in SLOTS:
        desk.level(f"seat:{slot}", True)
    desk.level("rail:main", True)
    desk.settle()
    desk.declare("clear C3")
    assert [todo.message.key for todo in desk.table.todo] == ["table.todo_out"]
    desk.level("seat:C3", False)
    desk.settle()
    assert desk.todo == []

"""What comes at a table of Hextraction while a roll is asked about that is long over."""

import pytest

from hexboard.board import find
from hexboard.commands.build.tiers import tiered
from hexboard.facts import Start
from hexboard.games import hextraction
from hexboard.words import message
from tests.desk import SETTLE, Desk

COLUMN = ("B1", "B2", "B3", "B4", "B5")
DOWN = ("load:B1-1", "gate:B1-1", "edge:B1-B2", "edge:B2-B3", "edge:B3-B4", "edge:B4-B5")
LONG = 13_000
"""Longer than the 12 s that a ball may take which goes on by itself (docs/tracking.md), ms."""


def asked(*, played: bool = True) -> Desk:
    """Red's ball is somewhere about A2, and people are asked where."""
    desk = Desk((*COLUMN, "A2"))
    for slot in (*COLUMN, "A2"):
        desk.level(f"seat:{slot}", True)
    desk.wait(200)
    if played:
        desk.declare("play J C3 1")
        desk.level("seat:C3", True)
        desk.wait(300)
    desk.pulse(*DOWN[:3], "edge:A2-B2")
    desk.settle()
    assert "rest 1 A2" in desk.choices
    return desk


def into_zone(desk: Desk) -> None:
    """A ball is laid in a lane, let go, and lies in end zone ZB."""
    desk.level("load:B1-1", True)
    desk.wait(1000)
    desk.level("load:B1-1", False)
    desk.wait(150)
    desk.pulse(*DOWN[1:], "throat:B5-4")
    desk.level("floor:ZB", True)
    desk.settle()


def rolled_meanwhile() -> Desk:
    """Blue rolls a ball into ZB long after, and nobody has answered yet."""
    desk = asked()
    desk.wait(LONG)
    into_zone(desk)
    return desk


def test_a_ball_of_the_next_player_is_none_of_the_roll_that_is_asked_about() -> None:
    desk = rolled_meanwhile()
    assert desk.position.winner is None
    assert "rest 1 A2" in desk.choices
    assert "table.where_first" in desk.keys
    assert "table.late" not in desk.keys


def test_a_ball_that_was_rolled_before_the_answer_is_asked_about_after_it() -> None:
    desk = rolled_meanwhile()
    desk.decide("rest 1 A2")
    desk.settle()
    assert "table.late" in desk.keys
    assert desk.choices == ["ball 2 zone:ZB", "as known"]
    desk.decide("ball 2 zone:ZB")
    desk.settle()
    assert (desk.position.winner, desk.position.active) == (None, 1)
    assert desk.position.places() == ((1, "A2"), (2, "zone:ZB"))
    assert desk.choices == []


def test_the_next_player_may_roll_without_a_word_on_what_was_rolled_before() -> None:
    desk = rolled_meanwhile()
    desk.decide("rest 1 A2")
    desk.settle()
    assert desk.choices == ["ball 2 zone:ZB", "as known"]
    desk.level("floor:ZB", False)
    into_zone(desk)
    assert desk.position.winner == 1


def test_a_floor_that_feels_a_hand_is_no_ball_where_people_say_so() -> None:
    desk = rolled_meanwhile()
    desk.decide("rest 1 A2")
    desk.settle()
    desk.decide("as known")
    desk.settle()
    assert desk.position.active == 1
    assert desk.position.places() == ((1, "A2"),)
    assert desk.choices == []


def test_a_ball_rolled_before_the_answer_is_told_of_where_the_roll_is_void() -> None:
    desk = rolled_meanwhile()
    desk.decide("void")
    desk.settle()
    assert "table.late" in desk.keys
    assert desk.choices == [f"ball {desk.position.next_ball} zone:ZB", "as known"]
    assert desk.position.winner is None


def test_a_ball_that_lies_in_its_lane_at_the_answer_is_the_next_roll() -> None:
    desk = asked()
    desk.wait(LONG)
    desk.level("load:B1-1", True)
    desk.wait(3000)
    desk.decide("rest 1 A2")
    desk.settle()
    assert desk.position.active == 1
    desk.level("load:B1-1", False)
    desk.wait(150)
    desk.pulse(*DOWN[1:], "throat:B5-4")
    desk.level("floor:ZB", True)
    desk.settle()
    assert desk.position.winner == 1


@pytest.mark.parametrize("later", [60_000, 3_600_000])
def test_an_arm_over_the_rim_answers_nothing(later: int) -> None:
    """One sign moves nothing after a pause, and what was asked stays open."""
    desk = asked(played=False)
    desk.rule("pause")
    desk.wait(later)
    desk.level("exit:A2-5", True)
    desk.wait(400)
    desk.level("exit:A2-5", False)
    desk.settle()
    desk.wait(3000)
    assert "rest 1 A2" in desk.choices
    assert "A2" in desk.position.tiles


def test_a_ball_that_goes_on_soon_answers_the_question_itself() -> None:
    desk = asked(played=False)
    desk.wait(3000)
    desk.pulse("exit:A2-5")
    desk.settle()
    assert desk.position.places() == ()


def asked_at_the_ends() -> Desk:
    """Red's ball has left its lane, on a board that feels lanes and end zones alone."""
    board = tiered(find("hextraction-22"), "ends").board
    options: dict[str, int | str | bool] = {"settle_ms": SETTLE}
    rules = hextraction.rules()
    begin = Start("m", board.name, board.hash, "hextraction", rules, options, "test")
    desk = Desk(COLUMN, begin, board)
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.settle()
    assert "gone 1" in desk.choices
    return desk


def test_a_hand_on_the_floor_wins_nothing_where_only_ends_are_felt() -> None:
    desk = asked_at_the_ends()
    desk.wait(LONG)
    desk.level("throat:B5-4", True)
    desk.wait(100)
    desk.level("floor:ZB", True)
    desk.wait(3000)
    desk.level("floor:ZB", False)
    desk.level("throat:B5-4", False)
    desk.settle()
    assert desk.position.winner is None
    assert "gone 1" in desk.choices


def test_a_ball_that_took_longer_where_only_ends_are_felt_wins_once_people_say_so() -> None:
    desk = asked_at_the_ends()
    desk.wait(LONG)
    desk.pulse("throat:B5-4")
    desk.level("floor:ZB", True)
    desk.settle()
    assert desk.choices[-3:] == ["goal 1 ZB", "gone 1", "void"]
    desk.decide("goal 1 ZB")
    desk.settle()
    assert desk.position.winner == 0
    assert "table.late" not in desk.keys


def test_a_ball_that_is_laid_meanwhile_is_not_taken_for_the_one_that_is_asked_about() -> None:
    desk = rolled_meanwhile()
    assert "goal 1 ZB" not in desk.choices


@pytest.mark.parametrize(("seat", "action"), [(0, "play J D1 1"), (0, "end"), (1, "roll B1-2")])
def test_who_goes_on_is_told_to_answer_first(seat: int, action: str) -> None:
    desk = asked(played=False)
    desk.declare(action, seat)
    assert desk.refused == ["table.question_open"]


def test_who_goes_on_while_a_ball_moves_is_told_to_wait() -> None:
    desk = Desk(COLUMN)
    desk.pulse(*DOWN[:3])
    desk.declare("end")
    assert desk.refused == ["hextraction.unstable"]


@pytest.mark.parametrize(("sensor", "last"), [("exit:A2-6", "A2-6"), ("fall:A3", "A3")])
def test_a_ball_that_may_have_left_the_board_was_last_seen_where_it_left(
    sensor: str, last: str
) -> None:
    desk = asked(played=False)
    desk.wait(5000)
    desk.level(sensor, True)
    desk.wait(400)
    desk.level(sensor, False)
    desk.settle()
    assert "rest 1 A2" in desk.choices
    assert desk.table.asking is not None
    assert desk.table.asking.message == message("table.where", ball=1, last=last)

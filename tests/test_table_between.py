"""What hands do at a table of Hextraction between two rolls, and after the last one."""

import pytest

from hexboard.facts import Ruling, Snapshot
from hexboard.words import message
from tests.desk import Desk, start

DOWN_D = ("D1", "D2", "D3", "D4", "D5")
COLUMN = ("B1", "B2", "B3", "B4", "B5")


def seat(desk: Desk, slot: str, level: bool = True) -> None:
    desk.level(f"seat:{slot}", level)
    desk.wait(100)


def laid(*slots: str) -> Desk:
    """Tiles without walls in these slots, which their sensors feel."""
    desk = Desk(slots)
    for slot in slots:
        seat(desk, slot)
    return desk


def into_the_cup(desk: Desk) -> None:
    """A ball rolls down column B into its end zone."""
    desk.pulse("load:B1-1", "gate:B1-1", "edge:B1-B2", "edge:B2-B3", "edge:B3-B4", "edge:B4-B5")
    desk.pulse("throat:B5-4")
    desk.level("floor:ZB", True)
    desk.settle()


def test_a_ball_that_is_taken_out_of_its_lane_between_rolls_is_gone() -> None:
    desk = laid(*COLUMN)
    desk.pulse("load:B1-1")
    desk.level("gate:B1-1", True)  # it sticks
    desk.settle()
    desk.pulse("load:B1-2", "gate:B1-2", "edge:B1-B2", "edge:B2-C2", "fall:C2")
    desk.settle()
    desk.level("gate:B1-1", False)  # somebody clears the lane
    desk.wait(9000)
    assert desk.position.places() == ()


def test_a_ball_that_was_left_in_the_cup_wins_nobody_the_next_game() -> None:
    """Its floor is active before the roll begins, as one is whose LED is dead."""
    desk = laid(*COLUMN)
    high = ("rail:main", *(f"seat:{slot}" for slot in COLUMN), "floor:ZB")
    desk.feed(Snapshot(high))
    desk.pulse("load:B1-1", "gate:B1-1", "edge:B1-B2", "edge:B2-B3", "edge:B3-B4")
    desk.settle()
    desk.wait(13_000)
    assert desk.position.winner is None


def test_a_ball_laid_early_and_taken_out_again_harms_no_turn_that_ends() -> None:
    for later in (100, 700, 1400):
        desk = laid("B1")
        desk.pulse("load:B1-6", "gate:B1-6", "edge:A1-B1", "fall:A1")
        desk.settle()
        desk.level("load:D1-1", True)
        desk.wait(400)
        desk.level("load:D1-1", False)
        desk.wait(300)
        desk.declare("play J C3 1")
        desk.wait(later)
        seat(desk, "C3")
        desk.settle()
        desk.settle()
        assert desk.position.active == 1


def test_a_board_that_is_cleared_after_the_end_asks_for_nothing() -> None:
    desk = laid(*COLUMN)
    desk.rule("right")
    desk.declare("concede 0")
    assert desk.position.phase == "over"
    seat(desk, "B1", False)
    assert desk.todo == []


def test_people_are_told_to_lay_a_ball_back_where_a_roll_is_taken_back() -> None:
    desk = laid(*COLUMN)
    desk.pulse("load:B1-1", "gate:B1-1", "edge:B1-B2")
    desk.level("edge:B2-B3", True)  # it leans there
    desk.settle()
    assert desk.position.places() == ((1, "B2-B3"),)
    desk.rule("ball 1 -")  # it is knocked off the board
    desk.level("edge:B2-B3", False)
    desk.wait(9000)
    desk.rule("undo")
    assert desk.position.places() == ((1, "B2-B3"),)
    assert desk.keys[-1] == "table.unfelt"
    assert desk.balls.believed.unfelt == {1}


def test_the_host_s_play_on_answers_nobody_s_question_whether_they_agree() -> None:
    desk = Desk(begin=start(takeback="agreed"))
    desk.declare("play J C3 1")
    desk.feed(Ruling("undo", "Red", "", seats=(0,)), source="page")
    asking = desk.table.asking
    assert asking is not None
    desk.rule("play on")
    assert desk.refused[-1] == "table.question_open"
    assert desk.table.asking == asking


def test_a_roll_is_void_also_once_its_ball_was_taken_away() -> None:
    desk = laid(*COLUMN)
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.level("edge:B1-B2", True)
    desk.settle()
    desk.level("edge:B1-B2", False)  # "you flicked it": somebody lifts the ball
    desk.wait(9000)
    desk.rule("void")
    assert desk.refused == []
    assert desk.position.rolls == 0


def test_power_that_went_off_in_a_roll_is_off_once_the_roll_is_taken_back() -> None:
    desk = laid(*COLUMN)
    desk.feed(Snapshot(("rail:main", *(f"seat:{slot}" for slot in COLUMN))))
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.level("rail:main", False)
    desk.pulse("edge:B1-B2", "edge:B2-C2", "fall:C2")
    desk.settle()
    assert desk.position.rail is False
    desk.rule("undo")
    assert desk.position.rolls == 0
    assert desk.position.rail is False


@pytest.mark.parametrize("later", [800, 1100])
def test_a_ball_laid_once_the_last_has_left_is_of_who_comes_next(later: int) -> None:
    """The roll before waits for the settle time, and nothing of it moves any more."""
    desk = laid("B1", "C3", *DOWN_D)
    desk.rule("tile C3 -")
    seat(desk, "C3", False)
    desk.declare("play J C3 1")
    seat(desk, "C3")
    desk.pulse("load:B1-6", "gate:B1-6", "edge:A1-B1", "fall:A1")
    desk.wait(later)
    desk.level("load:D1-1", True)
    desk.wait(600)
    desk.level("load:D1-1", False)
    desk.wait(100)
    desk.pulse("gate:D1-1", "edge:D1-D2", "edge:D2-D3", "edge:D3-D4", "edge:D4-D5", "throat:D5-4")
    desk.level("floor:ZD", True)
    desk.settle()
    assert desk.position.winner == 1


def test_undo_takes_back_what_people_did_not_what_a_stray_ball_did_since() -> None:
    desk = laid(*COLUMN)
    desk.declare("play J C3 1")
    desk.wait(500)
    into_the_cup(desk)
    assert desk.position.places() == ((1, "zone:ZB"),)  # an accident: the tile is not down
    desk.rule("undo")
    assert set(desk.position.tiles) == set(COLUMN)
    assert desk.position.places() == ()
    assert desk.told[-1] == message(
        "table.stray", ball=1, place=message("table.in_zone", zone="ZB")
    )


def test_a_roll_is_void_though_a_stray_ball_came_after_it() -> None:
    desk = laid(*COLUMN)
    desk.pulse("load:D1-1", "gate:D1-1", "fall:D1")
    desk.settle()
    desk.pulse("load:B1-1", "gate:B1-1", "edge:B1-B2")
    desk.level("edge:B2-B3", True)
    desk.settle()
    assert (desk.position.rolls, desk.position.places()) == (1, ((1, "B2-B3"),))
    desk.rule("void")
    assert (desk.position.rolls, desk.position.places()) == (0, ())
    assert desk.told[-1] == message("table.stray", ball=1, place="B2-B3")


def test_a_ball_is_told_to_wait_for_a_tile_that_is_not_down() -> None:
    desk = laid(*COLUMN)
    desk.declare("play J C3 1")
    desk.wait(500)
    first = message("table.todo_before", todo=desk.table.todo[0].message)
    desk.level("load:B1-1", True)
    desk.wait(500)
    assert desk.told[-1] == first
    desk.level("load:B1-1", False)
    desk.wait(150)
    desk.pulse("gate:B1-1")
    desk.wait(100)
    assert desk.keys[-2:] == ["hextraction.accident", "table.todo_before"]
    seat(desk, "C3")
    desk.wait(9000)
    desk.pulse("load:D1-1")
    assert desk.keys.count("table.todo_before") == 2


@pytest.mark.parametrize("felt", [True, False])
def test_a_ball_may_be_said_to_lie_where_a_floor_feels_one(felt: bool) -> None:
    desk = laid(*COLUMN)
    desk.level("floor:ZB", felt)
    desk.wait(5000)
    desk.declare("roll B1-1")
    desk.settle()
    assert ("goal 1 ZB" in desk.choices) == felt
    if felt:
        desk.decide("goal 1 ZB")
        desk.settle()
        assert desk.position.winner == 0

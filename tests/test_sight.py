"""A camera beside the sensors of Hextraction: which tile lies where, and where a ball is.

Readings are written by hand: a slot that surely shows a code costs nothing for it alone.
"""

from msgspec.structs import replace

from hexboard.board import Board
from hexboard.facts import Reading
from hexboard.games.hextraction.rules.position import Placed
from hexboard.games.hextraction.table import sight
from hexboard.perception.inference import GAP_CNAT
from hexboard.scene import Mark, Meaning
from tests.desk import BOARD, OPEN, Desk
from tests.test_table import COLUMN, NORTH_SHUT, rolled, seat

BLIND = replace(BOARD, sensors=tuple(s for s in BOARD.sensors if s.kind != "seat"))
"""The board without seat sensors."""
Slot = Placed | None


def code(desk: Desk, placed: Slot) -> int:
    """By the definition of `seen`: 0 for an open slot, else 1 + 6 x the tile + rotation, which the
    unregistered tile does not show."""
    if placed is None:
        return 0
    turn = 0 if placed.tile == "?" else placed.rotation
    return 1 + 6 * list(desk.position.setting.tiles).index(placed.tile) + turn


def reading(desk: Desk, *balls: str, **slots: Slot | tuple[Slot, ...]) -> Reading:
    """A look that shows the tiles of the position; in the slots named, these, or one of these."""
    cells = []
    for cell in desk.board.cells:
        here = slots.get(cell.id, desk.position.tiles.get(cell.id))
        may = here if isinstance(here, tuple) else (here,)
        cells.append(tuple(sorted((code(desk, placed), 0) for placed in may)))
    return Reading(tuple(cells), balls)


def see(desk: Desk, look: Reading) -> None:
    desk.feed(look, source="camera")


def played(desk: Desk) -> list[str]:
    return [str(entry) for entry in desk.table.ledger.match.entries[1:]]


def test_a_tile_that_was_put_in_is_played_without_a_word() -> None:
    for board in (BOARD, BLIND):
        desk = Desk(["B1"], board=board)
        if board is BOARD:
            seat(desk, "C3", True)
            assert [todo.message.key for todo in desk.table.todo] == ["table.todo_what"]
        see(desk, reading(desk, C3=NORTH_SHUT))
        assert played(desk) == ["Played(action='play J C3 1')"]
        assert desk.todo == []


def test_a_tile_that_was_taken_back_is_not_played_again_before_it_was_lifted() -> None:
    for board in (BOARD, BLIND):
        desk = Desk(["B1"], board=board)
        if board is BOARD:
            seat(desk, "C3", True)
        lies = reading(desk, C3=NORTH_SHUT)
        see(desk, lies)
        desk.rule("undo")
        for _ in range(3):
            see(desk, lies)
        assert played(desk)[1:] == ["Back(to=1)"]
        assert [todo.message.key for todo in desk.table.todo] == ["table.todo_out"]
        see(desk, reading(desk))  # with a seat sensor it is in, whatever is seen
        if board is BOARD:
            seat(desk, "C3", False)
            seat(desk, "C3", True)
        see(desk, lies)
        assert played(desk)[2:] == ["Played(action='play J C3 1')"]


def test_tiles_that_lay_there_before_the_match_are_nobodys_move() -> None:
    desk = Desk([], board=BLIND)
    old = {"B1": Placed("Asterisk", 0), "C3": NORTH_SHUT, "D3": Placed("J", 3)}
    for _ in range(3):
        see(desk, reading(desk, **old))
    assert played(desk) == []
    assert [todo.message.key for todo in desk.table.todo] == ["table.todo_out"] * 3


def test_a_tile_is_certain_where_every_other_is_ten_nats_less_likely() -> None:
    names = ("Asterisk", "J")
    j = 1 + 6 * 1 + 1
    assert sight.tile(((0, GAP_CNAT), (j, 0)), names, ()) == [NORTH_SHUT]
    assert sight.tile(((0, GAP_CNAT - 1), (j, 0)), names, ()) == [None, NORTH_SHUT]
    assert sight.tile((), names, (OPEN,)) == []


def test_a_tile_whose_rotation_could_be_another_is_still_asked_for() -> None:
    desk = Desk(["B1"])
    seat(desk, "C3", True)
    see(desk, reading(desk, C3=(NORTH_SHUT, Placed("J", 2))))
    see(desk, Reading(reading(desk).cells[:1]))  # of another board
    assert played(desk) == []
    assert [todo.message.key for todo in desk.table.todo] == ["table.todo_what"]
    assert desk.keys[-1] == "table.camera_board"


def test_a_tile_that_looks_like_the_one_declared_is_taken_for_it() -> None:
    desk = Desk(["B1"], board=BLIND)
    desk.declare("play J C3 1")
    assert desk.todo == ["C3"]
    see(desk, reading(desk, C3=(Placed("J", 2), NORTH_SHUT)))
    assert desk.todo == []


def test_a_camera_does_not_see_whose_a_tile_is_nor_how_an_unregistered_one_is_turned() -> None:
    for copy in ("J~1", "?", "?~0"):
        desk = Desk(["B1"], board=BLIND)
        desk.declare(f"play {copy} C3 1")
        assert desk.todo == ["C3"]
        see(desk, reading(desk))
        assert desk.todo == []
        see(desk, reading(desk))
        assert desk.todo == []
        assert desk.position.tiles["C3"].copy == copy


def test_a_tile_that_was_turned_or_taken_is_put_back_under_the_camera() -> None:
    desk = Desk(["B1"], board=BLIND)
    for other in (NORTH_SHUT, None):
        see(desk, reading(desk, B1=other))
        assert [(todo.cell, todo.put) for todo in desk.table.todo] == [("B1", OPEN)]
        see(desk, reading(desk))
        assert desk.todo == []


def test_a_tile_that_may_not_be_played_is_refused_with_its_rule_and_to_be_taken_out() -> None:
    """2.0.3: one tile a turn."""
    desk = Desk(["B1"], board=BLIND)
    see(desk, reading(desk, C3=NORTH_SHUT))
    see(desk, reading(desk, D3=NORTH_SHUT))
    assert set(desk.position.tiles) == {"B1", "C3"}
    assert [todo.message.key for todo in desk.table.todo] == ["table.todo_out"]
    assert desk.told[-1].rule == "2.0.3"
    told = len(desk.told)
    see(desk, reading(desk, D3=NORTH_SHUT))
    assert len(desk.told) == told  # once
    see(desk, reading(desk))
    assert desk.todo == []


def test_a_camera_does_not_contradict_a_switch() -> None:
    desk = Desk(["B1"])
    seat(desk, "B1", True)
    see(desk, reading(desk, B1=None, C3=NORTH_SHUT))
    assert desk.todo == []
    assert played(desk) == []


def test_tiles_are_not_read_while_a_ball_rolls() -> None:
    desk = rolled("gate:B1-1")
    see(desk, reading(desk, B1=None))
    assert desk.todo == []


def lost(board: Board = BOARD) -> Desk:
    """A ball that nobody felt after it came to A1."""
    desk = Desk(["A1", "B1"], board=board)
    desk.pulse("gate:B1-6", "edge:A1-B1")
    return desk


def test_a_ball_that_the_camera_sees_is_not_asked_for() -> None:
    desk = lost()
    see(desk, reading(desk, "A1"))
    desk.settle()
    assert desk.table.asking is None
    assert desk.position.places() == ((1, "A1"),)
    assert "table.camera_settles" in desk.keys


def test_a_ball_that_is_seen_after_the_question_answers_it() -> None:
    desk = lost()
    desk.settle()
    assert desk.choices[0] == "rest 1 A1"
    see(desk, reading(desk, "A1"))
    assert desk.table.asking is None
    assert desk.position.places() == ((1, "A1"),)


def test_a_ball_that_lies_nowhere_is_still_asked_for() -> None:
    """It fell, left over the side or was picked up: that cannot be seen."""
    desk = lost()
    see(desk, reading(desk))
    desk.settle()
    assert "off 1 A1 5" in desk.choices
    see(desk, Reading(reading(desk).cells))  # nor by a look that says nothing of balls
    assert desk.table.asking is not None
    assert Mark("A1", Meaning.ASK) in desk.table.scene()


def test_what_was_seen_before_a_ball_moved_on_settles_nothing() -> None:
    desk = lost()
    see(desk, reading(desk, "A1"))
    desk.pulse("edge:A1-B1")
    desk.settle()
    assert desk.table.asking is not None
    assert len(desk.choices) > 2  # where it is, and to void the roll


def test_a_ball_in_the_end_zone_is_seen_to_win() -> None:
    sensors = tuple(s for s in BOARD.sensors if s.kind not in ("throat", "floor"))
    desk = Desk(COLUMN, board=replace(BOARD, sensors=sensors))
    desk.pulse("gate:B1-1", "edge:B1-B2", "edge:B2-B3", "edge:B3-B4", "edge:B4-B5")
    see(desk, reading(desk, "ZB"))
    desk.settle()
    assert desk.position.winner == 0


def resting() -> Desk:
    """Ball 1 lies at A1, and everybody agrees."""
    desk = lost()
    see(desk, reading(desk, "A1"))
    desk.settle()
    assert desk.balls.at_rest == ("A1",)
    return desk


def test_a_ball_where_none_is_known_is_asked_about_once() -> None:
    for answer, places in (("ball 2 B1", ((1, "A1"), (2, "B1"))), ("as known", ((1, "A1"),))):
        desk = resting()
        see(desk, reading(desk, "A1", "B1"))
        assert desk.told[-1].key == "table.odd_more"
        assert desk.choices == ["ball 2 B1", "as known"]
        asked = len(desk.told)
        see(desk, reading(desk, "A1", "B1"))
        assert len(desk.told) == asked
        desk.decide(answer)
        assert desk.position.places() == places
        see(desk, reading(desk, "A1", "B1"))
        assert desk.table.asking is None


def test_a_ball_that_was_taken_away_is_noticed() -> None:
    desk = resting()
    see(desk, reading(desk))
    assert desk.told[-1].key == "table.odd_gone"
    desk.decide("ball 1 -")
    assert desk.position.places() == ()
    assert desk.balls.at_rest == ()


def test_a_ball_that_was_moved_keeps_its_number() -> None:
    desk = resting()
    see(desk, reading(desk, "B1"))
    assert desk.told[-1].key == "table.odd_moved"
    desk.decide("ball 1 B1")
    assert desk.position.places() == ((1, "B1"),)


def test_a_ball_that_is_put_back_needs_no_answer() -> None:
    desk = resting()
    see(desk, reading(desk))
    see(desk, reading(desk, "A1"))
    assert desk.table.asking is None
    assert desk.keys[-1] == "table.camera_again"
    see(desk, reading(desk))
    assert desk.choices == ["ball 1 -", "as known"]


def test_a_ball_that_rolls_withdraws_a_question_about_another() -> None:
    desk = resting()
    see(desk, reading(desk))
    desk.pulse("load:B1-1", "gate:B1-1")
    assert desk.choices == []
    assert desk.balls.at_rest is None


def test_a_ball_beside_a_wall_lies_in_its_slot_or_on_the_seam() -> None:
    desk = Desk(["A1", "B1"])
    desk.rule("ball 1 A1-B1")
    for place in ("A1", "B1", "A1-B1"):
        see(desk, reading(desk, place))
        assert desk.table.asking is None
    see(desk, reading(desk, "C1"))
    assert desk.choices == ["ball 1 C1", "as known"]


def test_balls_are_not_compared_while_a_tile_is_to_be_put_right_or_a_ball_is_not_looked_for() -> (
    None
):
    desk = resting()
    desk.level("seat:C3", True)
    desk.wait(2000)
    assert desk.todo == ["C3"]
    see(desk, Reading(((),) * len(BOARD.cells), ()))
    see(desk, Reading(reading(desk).cells))
    assert desk.table.asking is None


def test_after_a_take_back_what_lies_too_much_is_said_until_it_is_gone() -> None:
    desk = resting()
    desk.rule("undo")
    assert desk.balls.at_rest == ()
    see(desk, reading(desk, "A1"))
    assert desk.choices == ["ball 1 A1", "as known"]
    see(desk, reading(desk))
    assert desk.table.asking is None

"""The physical board: what lies there, and what people have to do about it."""

from hexboard.board import find, load
from hexboard.game import registry
from hexboard.table.physical import Physical

BOARD = load(find("hexhex-5"))
GAME = registry.find("hexalma")
START = GAME.touchable(GAME.begin(BOARD, {}))
MOVED = START.play(START.action("b1-c1"))


def test_what_is_not_done_is_to_do() -> None:
    physical = Physical(GAME, BOARD, START.seen())
    assert physical.todo(START, START.seen()) == ()
    assert set(physical.differing(MOVED.seen())) == {"b1", "c1"}
    (todo,) = physical.todo(MOVED, MOVED.seen())  # one movement of a hand
    assert (todo.cell, todo.message.key) == ("b1", "table.way_from")


def test_people_change_only_what_a_move_changes() -> None:
    physical = Physical(GAME, BOARD, MOVED.seen())
    physical.follow(START.seen(), START.seen())
    assert physical.lies == MOVED.seen()
    physical.follow(MOVED.seen(), START.seen())
    assert physical.lies == START.seen()

"""Touches: fingers on the board, and the rule against what they try."""

from hexboard.board import find, load
from hexboard.facts import MS
from hexboard.game import registry
from hexboard.game.position import Action, Touched
from hexboard.scene import Meaning
from hexboard.table.touches import TOUCH_NS, Touches

BOARD = load(find("hexhex-5"))


def opening() -> tuple[Touches, Touched[Action]]:
    game = registry.find("hexalma")
    return Touches(game, BOARD), game.touchable(game.begin(BOARD, {}))


def test_touches_are_held_for_a_while_and_forgotten() -> None:
    touches, position = opening()
    touches.hold(("b1",), 7 * MS)
    assert touches.forget_at == 7 * MS + TOUCH_NS
    lit = touches.lit((), position)
    assert {mark.place for mark in lit if mark.meaning is Meaning.PICKED} == {"b1"}
    assert touches.forget()
    assert not touches.forget()
    assert not touches.cells
    assert touches.lit((), position) == ()


def test_the_rule_against_a_touch_is_the_games() -> None:
    touches, position = opening()
    assert touches.beginning(position, ("e5",)) == []
    assert touches.against(position, ("e5",)).rule.startswith("ALMA-")  # nothing lies there
    assert touches.against(position, ("b1", "e5")).rule.startswith("ALMA-")  # it is far

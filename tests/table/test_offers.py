"""Offers: ways of play as answers."""

from hexboard.board import find, load
from hexboard.game import registry
from hexboard.game.position import Action
from hexboard.perception.inference import Explanation
from hexboard.scene import Mark, Meaning
from hexboard.table import offers
from hexboard.table.view import NOTHING, Asking
from hexboard.words import message

BOARD = load(find("hexhex-5"))
GAME = registry.find("hexalma")
START = GAME.touchable(GAME.begin(BOARD, {}))
STAY = Explanation((), 0, 0, START)


def played(name: str) -> Explanation[Action]:
    return Explanation((name,), 0, 0, START.play(START.action(name)))


def test_nothing_is_offered_last_and_once() -> None:
    asked = offers.offers((played("b1-c1"), STAY), STAY)
    assert [offer.name for offer in asked] == ["b1-c1", NOTHING]
    assert offers.offered(Asking(1, message("table.camera_which"), asked)) == (
        played("b1-c1"),
        STAY,
    )
    assert offers.offered(None) == ()


def test_a_take_back_is_spelt_by_its_steps() -> None:
    assert offers.spelt(Explanation((), 2, 0, START)) == "undo; undo"
    assert offers.spelt(STAY) == NOTHING


def test_a_cell_of_one_answer_counts_which_and_a_shared_one_does_not() -> None:
    lines = (played("b1-c1"), played("b1-b2"))
    marks = offers.marks(BOARD, START.seen(), lines)
    assert set(marks) == {
        Mark("b1", Meaning.ASK, 0),
        Mark("c1", Meaning.ASK, 1),
        Mark("b2", Meaning.ASK, 2),
    }

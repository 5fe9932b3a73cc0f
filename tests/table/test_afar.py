"""A seat far away: what it says is the to-do of a hand at the board, and counts once it is done."""

from pathlib import Path

from hexboard.board import find, load
from hexboard.facts import MS, Body, Declare, Fact, Ruling, Start
from hexboard.games import hexalma
from hexboard.scene import Meaning
from hexboard.table import open_table
from hexboard.table.effects import Commit, Effect, Refuse
from tests.test_pieces import Desk as Tapped
from tests.test_pieces import with_sensors

BOARD = load(find("hexhex-5"))
START = Start("m", BOARD.name, BOARD.hash, "hexalma", hexalma.rules(), {}, "test")


class Desk:
    """A board of HexAlma whose Black is somewhere else."""

    def __init__(self) -> None:
        self.table = open_table(BOARD, START)
        self.now = 0
        self.effects: list[Effect] = []
        self.feed(START)

    def feed(self, body: Body, source: str = "page") -> None:
        self.now += 100
        at = self.now * MS
        self.effects = self.table.step(Fact(self.now, at, at, source, body))

    def say(self, move: str, far: bool = False) -> None:
        self.feed(Declare(-1, move, far))

    @property
    def committed(self) -> bool:
        return any(isinstance(effect, Commit) for effect in self.effects)

    @property
    def refused(self) -> list[str]:
        return [effect.message.key for effect in self.effects if isinstance(effect, Refuse)]

    @property
    def lit(self) -> set[str]:
        return {mark.place for mark in self.table.scene() if mark.meaning is Meaning.TODO}


def test_a_move_from_afar_is_told_and_lit_and_counts_once_it_is_done() -> None:
    desk = Desk()
    desk.say("b3-c3", far=True)
    assert (desk.committed, desk.lit) == (False, {"b3", "c3"})
    assert len(desk.table.todo) == 1
    assert desk.table.view().log[-1].message.key == "table.afar"
    desk.say("h1-g2")
    assert desk.refused == ["table.afar_first"]
    desk.feed(Ruling("right", "Ben"))
    assert (desk.committed, desk.lit) == (True, set())
    desk.say("h1-g2")
    assert (desk.refused, desk.committed) == ([], True)


def test_a_move_at_the_board_is_believed_at_once() -> None:
    desk = Desk()
    desk.say("b3-c3")
    assert (desk.committed, desk.lit) == (True, set())


def test_a_move_from_afar_may_be_taken_back_before_anybody_made_it() -> None:
    desk = Desk()
    desk.say("b3-c3", far=True)
    desk.feed(Ruling("undo", "Ann"))
    assert desk.lit == set()
    desk.say("b3-c3")
    assert desk.refused == []


def test_what_is_no_move_is_none_from_afar_either() -> None:
    desk = Desk()
    desk.say("b3-b9", far=True)
    assert desk.refused == ["hexalma.no_action"]
    assert desk.lit == set()


def test_a_finger_on_a_lit_cell_says_that_it_is_done(tmp_path: Path) -> None:
    desk = Tapped(board=load(with_sensors(tmp_path)))
    desk.feed(Declare(-1, "b3-c3", far=True))
    desk.tap("e5")
    assert len(desk.table.todo) == 1
    desk.tap("c3")
    assert list(desk.table.todo) == []

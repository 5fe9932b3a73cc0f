"""The table of pieces with a camera: it plays what is certain, asks, and scolds only late and
rightly.

Readings are written by hand: a cell that surely shows a code costs nothing for it alone.
"""

from controller.board import find, load
from controller.effects import Commit, Effect, Tell
from controller.facts import MS, Body, Decide, Fact, Reading, Ruling, Start, Tick
from controller.games import hexalma
from controller.record.account import Account
from controller.scene import Meaning
from controller.table import Pieces, open_table
from controller.table.pieces import LOOKS, NOTHING

BOARD = load(find("hexhex-5"))
START = Start("m", BOARD.name, BOARD.hash, "hexalma", hexalma.rules(), {"away_ms": 1500}, "test")
CELLS = [cell.id for cell in BOARD.cells]


def sure(seen: bytes, **doubts: dict[int, int]) -> Reading:
    """A reading that shows these codes; in the cells named, with these costs instead."""
    cells: list[tuple[tuple[int, int], ...]] = [((code, 0),) for code in seen]
    for cell, costs in doubts.items():
        cells[CELLS.index(cell)] = tuple(sorted(costs.items()))
    return Reading(tuple(cells))


class Desk:
    def __init__(self) -> None:
        table = open_table(BOARD, START)
        assert isinstance(table, Pieces)
        self.table = table
        self.n = 0
        self.at = 0
        self.feed(sure(self.seen))

    @property
    def seen(self) -> bytes:
        return bytes(self.table.position.seen())

    def feed(self, body: Body, after: int = 500) -> list[Effect]:
        """Feed a fact so many ms after the one before."""
        self.n, self.at = self.n + 1, self.at + after * MS
        return self.table.step(Fact(self.n, self.at, self.at, "camera", body))

    def after(self, name: str) -> bytes:
        position = self.table.position
        return bytes(position.play(position.action(name)).seen())

    def played(self, effects: list[Effect]) -> int:
        return sum(isinstance(effect, Commit) for effect in effects)

    def moved(self, **cells: int) -> bytes:
        """What is seen now, with other codes in some cells."""
        seen = bytearray(self.seen)
        for cell, code in cells.items():
            seen[CELLS.index(cell)] = code
        return bytes(seen)


def test_a_move_that_is_seen_is_played_and_committed() -> None:
    desk = Desk()
    after = desk.after("b3-c3")
    assert desk.played(desk.feed(Reading())) == 0
    assert desk.played(desk.feed(sure(after))) == 1
    assert desk.seen == after
    assert desk.table.todo == ()


def test_two_that_could_be_are_asked_for_and_the_answer_is_played() -> None:
    desk = Desk()
    look = sure(desk.after("b3-c3"), c3={0: 0, 1: 0}, c4={0: 0, 1: 0})
    for _ in range(LOOKS):
        assert desk.table.asking is None
        desk.feed(look)
    asking = desk.table.asking
    assert asking is not None
    assert {choice.name for choice in asking.choices} == {"b3-c3", "b3-c4", NOTHING}
    lit = {mark.place for mark in desk.table.scene() if mark.meaning is Meaning.ASK}
    assert lit == {"b3", "c3", "c4"}
    after = desk.after("b3-c4")
    assert desk.played(desk.feed(Decide(asking.id, "b3-c4"))) == 1
    assert desk.seen == after
    assert desk.table.asking is None


def test_a_question_is_closed_by_a_look_that_is_certain() -> None:
    desk = Desk()
    after = desk.after("b3-c3")
    for _ in range(LOOKS):
        desk.feed(sure(after, c3={0: 0, 1: 0}, c4={0: 0, 1: 0}))
    desk.feed(Reading())
    desk.feed(sure(after))
    assert desk.table.asking is None
    assert desk.seen == after


def test_an_illegal_board_is_shown_only_after_the_hand_has_been_away() -> None:
    """a1 (height 1) to e5 is four cells: no move. 1.5 s after the first look that is said."""
    desk = Desk()
    look = sure(desk.moved(a1=0, e5=1))
    desk.feed(look)
    desk.feed(Tick(), 1400)
    assert not desk.table.wrong
    effects = desk.feed(Tick(), 300)
    assert set(desk.table.wrong) == {"a1", "e5"}
    told = [text for effect in effects if isinstance(effect, Tell) for text in effect.messages]
    assert told[0].key == "table.camera_wrong"
    assert told[1].rule.startswith("ALMA-3")
    lit = {mark.place for mark in desk.table.scene() if mark.meaning is Meaning.REFUSED}
    assert lit == {"a1", "e5"}


def test_another_look_at_a_wrong_board_does_not_forgive_it_for_longer() -> None:
    desk = Desk()
    look = sure(desk.moved(a1=0, e5=1))
    desk.feed(look)
    desk.feed(look, 1000)
    desk.feed(Tick(), 700)
    assert set(desk.table.wrong) == {"a1", "e5"}


def test_put_back_in_time_nothing_is_said_and_later_it_is_forgotten() -> None:
    desk = Desk()
    wrong, right = sure(desk.moved(a1=0, e5=1)), sure(desk.seen)
    desk.feed(wrong)
    desk.feed(right, 1000)
    desk.feed(Tick(), 5000)
    assert not desk.table.wrong
    desk.feed(wrong)
    desk.feed(Tick(), 2000)
    assert len(desk.table.wrong) == 2
    desk.feed(right)
    assert not desk.table.wrong


def test_a_part_done_move_is_never_called_wrong() -> None:
    desk = Desk()
    desk.feed(sure(desk.moved(b3=0)))
    desk.feed(Tick(), 60_000)
    assert desk.table.wrong == ()


def test_a_take_back_by_hand_is_proposed_and_done_when_agreed() -> None:
    desk = Desk()
    start, after = desk.seen, desk.after("b3-c3")
    desk.feed(sure(after))
    for _ in range(LOOKS):
        desk.feed(sure(start))
    asking = desk.table.asking
    assert asking is not None
    assert asking.choices[0].name == "undo"
    desk.feed(Decide(asking.id, "undo"))
    assert desk.seen == start
    assert desk.table.todo == ()


def test_after_an_undo_the_board_is_right_when_the_camera_sees_it_put_back() -> None:
    desk = Desk()
    start, after = desk.seen, desk.after("b3-c3")
    desk.feed(sure(after))
    desk.feed(Ruling("undo"))
    assert {todo.cell for todo in desk.table.todo} == {"b3", "c3"}
    desk.feed(sure(after))
    assert desk.table.todo
    desk.feed(sure(start))
    assert desk.table.todo == ()


def test_a_reading_of_another_board_is_said_and_changes_nothing() -> None:
    desk = Desk()
    before = str(desk.table.position)
    effects = desk.feed(Reading((((0, 0),),) * 121))
    (told,) = [e.messages[0].key for e in effects if isinstance(e, Tell)]
    assert told == "table.camera_board"
    assert str(desk.table.position) == before


def test_the_same_readings_give_the_same_digest() -> None:
    def digest() -> str:
        account, desk = Account(BOARD, START), Desk()
        looks = [sure(desk.seen), Reading(), sure(desk.after("b3-c3"))]
        for n, look in enumerate(looks, 1):
            account.step(Fact(n, n * MS, n * MS, "camera", look))
        return account.digest

    assert digest() == digest()

"""The table of counters: what people say is played, what they take back must be put back."""

from controller.board import find, load
from controller.effects import Commit, Effect, Refuse, Show
from controller.facts import MS, Body, Declare, Edge, Fact, Presence, Resume, Ruling, Start
from controller.games import hexalma
from controller.record.account import Account
from controller.scene import Meaning
from controller.table import Pieces, open_table

BOARD = load(find("hexhex-5"))
START = Start("m", BOARD.name, BOARD.hash, "hexalma", hexalma.rules(), {"settle_ms": 1500}, "test")


class Desk:
    def __init__(self, begin: Start | Resume = START) -> None:
        table = open_table(BOARD, begin)
        assert isinstance(table, Pieces)
        self.table = table
        self.n = 0

    def feed(self, body: Body, source: str = "page") -> list[Effect]:
        self.n += 1
        at = self.n * 100 * MS
        return self.table.step(Fact(self.n, at, at, source, body))

    def move(self) -> str:
        """Some legal move, declared."""
        position = self.table.position
        name = position.name(next(iter(position.legal)))
        self.feed(Declare(-1, name))
        return str(name)


def test_a_declared_move_is_played_committed_and_leaves_nothing_to_do() -> None:
    desk = Desk()
    before = str(desk.table.position)
    name = desk.table.position.name(next(iter(desk.table.position.legal)))
    effects = desk.feed(Declare(-1, name))
    assert str(desk.table.position) != before
    assert [e.position for e in effects if isinstance(e, Commit)] == [str(desk.table.position)]
    assert desk.table.todo == ()


def test_after_a_take_back_the_cells_that_changed_are_the_to_do() -> None:
    desk = Desk()
    first = desk.table.position
    name = desk.move()
    desk.feed(Ruling("undo"))
    assert str(desk.table.position) == str(first)
    touched = set(first.places(first.action(name)))
    assert {todo.cell for todo in desk.table.todo} == touched
    desk.feed(Ruling("right"))
    assert desk.table.todo == ()


def test_a_move_of_another_seat_is_refused_in_words() -> None:
    desk = Desk()
    name = desk.table.position.name(next(iter(desk.table.position.legal)))
    effects = desk.feed(Declare(1, name))
    assert [e.message.key for e in effects if isinstance(e, Refuse)] == ["table.not_your_turn"]


def test_an_illegal_move_names_its_rule() -> None:
    desk = Desk()
    effects = desk.feed(Declare(-1, "a1-a5"))
    (refused,) = [e for e in effects if isinstance(e, Refuse)]
    assert refused.message.rule.startswith("ALMA-")
    assert refused.to == "page"
    (shown,) = [e.scene for e in effects if isinstance(e, Show)]
    lit = {mark.place for mark in shown if mark.meaning is Meaning.REFUSED}
    assert lit == {"a1", "a5"}
    desk.move()
    assert Meaning.REFUSED not in {mark.meaning for mark in desk.table.scene()}


def test_a_position_ruled_is_believed_to_lie_on_the_board() -> None:
    desk = Desk()
    desk.move()
    text = str(desk.table.position)
    other = Desk()
    other.feed(Ruling(f"position {text}"))
    assert other.table.position.seen() == desk.table.position.seen()
    assert other.table.todo == ()


def test_a_resumed_match_stands_where_it_stood_and_asks_to_look() -> None:
    desk = Desk()
    entries: list[str] = []
    for _ in range(4):
        name = desk.table.position.name(next(iter(desk.table.position.legal)))
        for effect in desk.feed(Declare(-1, name)):
            if isinstance(effect, Commit):
                entries += effect.entries
    again = Desk(Resume(START, tuple(entries)))
    assert str(again.table.position) == str(desk.table.position)
    assert again.table.confirm
    again.feed(Ruling("right"))
    assert not again.table.confirm


def test_the_same_facts_give_the_same_digest() -> None:
    def digest() -> str:
        account = Account(BOARD, START)
        for n in range(1, 9):
            position = account.table.position
            name = position.name(list(position.legal)[n])
            account.step(Fact(n, n * MS, n * MS, "page", Declare(-1, name)))
        return account.digest

    assert digest() == digest()


def test_what_no_game_here_sees_changes_nothing() -> None:
    desk = Desk()
    text = str(desk.table.position)
    desk.feed(Edge("edge:a1-a2", True), "pico")
    desk.feed(Presence(False, "gone"), "pico")
    desk.feed(Ruling("void"))
    desk.feed(Ruling("tile a1 J 0"))
    assert str(desk.table.position) == text

"""The table of counters: what people say is played, what they take back must be put back."""

from msgspec.structs import replace

from controller.board import Sensor, find, load, plain
from controller.effects import Commit, Effect, Refuse, Show
from controller.facts import (
    MS,
    Body,
    Declare,
    Edge,
    Fact,
    Presence,
    Resume,
    Ruling,
    Start,
    Tick,
    Touch,
    Watermark,
)
from controller.games import hexalma, hexel
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


# ---------------------------------------------------------------------------------- touches


def lit(table: Pieces, meaning: Meaning) -> set[str]:
    return {mark.place for mark in table.scene() if mark.meaning == meaning}


def test_a_first_touch_lights_where_the_piece_may_go_and_the_second_is_the_move() -> None:
    desk = Desk()
    first = desk.table.position
    moves = {first.name(move): first.places(move) for move in first.legal}
    name, (start, goal) = next((n, p) for n, p in moves.items() if len(p) == 2)
    effects = desk.feed(Touch(start))
    assert any(isinstance(effect, Show) for effect in effects)
    assert lit(desk.table, Meaning.PICKED) == {start}
    assert lit(desk.table, Meaning.LEGAL) == {p[1] for p in moves.values() if p[0] == start}
    desk.feed(Touch(goal))
    assert str(desk.table.position) == str(first.play(first.action(name)))
    assert desk.table.touched == ()
    assert not lit(desk.table, Meaning.PICKED)


def test_touches_are_forgotten_after_a_while_or_when_asked() -> None:
    desk = Desk()
    first = desk.table.position
    start = next(first.places(move)[0] for move in first.legal if len(first.places(move)) == 2)
    desk.feed(Touch(start))
    desk.feed(Touch(""))
    assert desk.table.touched == ()
    desk.feed(Touch(start))
    desk.n += 250  # 25 s
    effects = desk.feed(Tick())
    assert desk.table.touched == ()
    assert any(isinstance(effect, Show) for effect in effects)


def test_a_touch_that_is_no_move_is_refused_with_its_rule_and_lit() -> None:
    desk = Desk()
    first = desk.table.position
    moves = [first.places(move) for move in first.legal if len(first.places(move)) == 2]
    start = moves[0][0]
    far = next(
        cell.id
        for cell in BOARD.cells
        if (start, cell.id) not in moves and cell.id not in {p[0] for p in moves}
    )
    desk.feed(Touch(start))
    effects = desk.feed(Touch(far))
    (refused,) = [effect for effect in effects if isinstance(effect, Refuse)]
    assert refused.message.rule.startswith("ALMA")
    assert lit(desk.table, Meaning.REFUSED) == {start, far}
    assert str(desk.table.position) == str(first)
    assert desk.feed(Touch("no such cell")) is not None
    assert str(desk.table.position) == str(first)


def test_a_tap_on_a_cells_sensor_is_a_touch() -> None:
    """A board with a sensor in each cell needs no page to be told a move."""
    cells = enumerate(BOARD.cells)
    taps = tuple(
        Sensor(f"seat:{c.id}", "seat", c.id, "pico", i, c.x, c.y, MS, MS, 0) for i, c in cells
    )
    board = replace(BOARD, sensors=taps)
    begin = replace(START, board_hash=board.hash)
    table = open_table(board, begin)
    assert isinstance(table, Pieces)
    first = table.position
    move = next(move for move in first.legal if len(first.places(move)) == 2)
    at, n = 1000 * MS, 0
    for cell in first.places(move):
        for level in (True, False):
            n, at = n + 1, at + 50 * MS
            table.step(Fact(n, at, at, "pico", Edge(f"seat:{cell}", level)))
        n, at = n + 1, at + 50 * MS
        table.step(Fact(n, at, at, "pico", Watermark(at)))
    assert str(table.position) == str(first.play(move))


def test_touches_light_nothing_that_tells_of_a_hidden_hand() -> None:
    board = plain("table")
    options: dict[str, int | str | bool] = {"hands": "dealt", "settle_ms": 1500}
    start = Start("m", board.name, board.hash, "hexel", hexel.rules(), options, "test")
    table = open_table(board, start)
    assert isinstance(table, Pieces)
    n = 0
    while table.chance or not any(table.position.places(m) for m in table.position.legal):
        n += 1
        name = table.position.name(next(iter(table.position.legal)))
        table.step(Fact(n, n * MS, n * MS, "page", Declare(-1, name)))
    places = [table.position.places(move) for move in table.position.legal]
    cell = next(there[0] for there in places if there)
    table.step(Fact(n + 1, 999 * MS, 999 * MS, "page", Touch(cell)))
    assert table.touched == (cell,)
    assert lit(table, Meaning.LEGAL) == set()

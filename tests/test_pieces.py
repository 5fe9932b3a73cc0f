"""The table of counters: what people say is played, what they take back must be put back."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from hexboard.board import Board, find, load, plain
from hexboard.facts import (
    DEALER,
    MS,
    WHOEVER,
    Body,
    Decide,
    Declare,
    Edge,
    Fact,
    Presence,
    Resume,
    Ruling,
    Start,
    Tick,
    Touch,
)
from hexboard.game import registry
from hexboard.game.position import Action, Touched
from hexboard.games import hexalma, hexel
from hexboard.games.bad_santa import hex as bad_santa
from hexboard.record.transcript import Transcript
from hexboard.scene import Meaning
from hexboard.table import Pieces, against, open_table
from hexboard.table.effects import Commit, Effect, Refuse, Show
from hexboard.words import say
from tests.strangers import example, keep

BOARD = load(find("hexhex-5"))
START = Start("m", BOARD.name, BOARD.hash, "hexalma", hexalma.rules(), {"settle_ms": 1500}, "test")


class Desk:
    def __init__(self, begin: Start | Resume = START, board: Board = BOARD) -> None:
        self.table = open_table(board, begin)
        assert isinstance(self.table.sensing, Pieces)
        self.pieces = self.table.sensing
        self.n = 0

    @property
    def position(self) -> Touched[Action]:
        return self.table.ledger.game.touchable(self.table.position)

    def feed(self, body: Body, source: str = "page") -> list[Effect]:
        self.n += 1
        at = self.n * 100 * MS
        return self.table.step(Fact(self.n, at, at, source, body))

    def tap(self, cell: str) -> list[Effect]:
        """A finger on a cell's sensor, and time enough to believe it."""
        effects = self.feed(Edge(f"seat:{cell}", True), "pico")
        effects += self.feed(Edge(f"seat:{cell}", False), "pico")
        return [*effects, *self.feed(Tick()), *self.feed(Tick())]

    def lit(self, *meanings: Meaning) -> set[str]:
        return {mark.place for mark in self.table.scene() if mark.meaning in meanings}

    def move(self) -> str:
        """Some legal move, declared."""
        position = self.position
        name = position.name(next(iter(position.legal)))
        self.feed(Declare(-1, name))
        return str(name)


def test_a_declared_move_is_played_committed_and_leaves_nothing_to_do() -> None:
    desk = Desk()
    before = str(desk.position)
    name = desk.position.name(next(iter(desk.position.legal)))
    effects = desk.feed(Declare(-1, name))
    assert str(desk.position) != before
    assert [e.position for e in effects if isinstance(e, Commit)] == [str(desk.position)]
    assert desk.table.todo == ()


def test_after_a_take_back_the_cells_that_changed_are_the_to_do() -> None:
    desk = Desk()
    first = desk.position
    name = desk.move()
    desk.feed(Ruling("undo"))
    assert str(desk.position) == str(first)
    left, onto = first.places(first.action(name))
    assert [todo.cell for todo in desk.table.todo] == [onto]
    (step,) = (dict(todo.message.values) for todo in desk.table.todo)
    assert (step["left"], step["onto"]) == (onto, left)
    assert desk.lit(Meaning.TODO) == {left, onto}
    desk.feed(Ruling("right"))
    assert desk.table.todo == ()


def test_a_move_of_another_seat_is_refused_in_words() -> None:
    desk = Desk()
    name = desk.position.name(next(iter(desk.position.legal)))
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


def test_what_was_just_played_around_stands_out_for_a_moment() -> None:
    board = load(find("table"))
    start = Start("m", board.name, board.hash, "hexel", hexel.rules(), {"settle_ms": 1500}, "test")
    desk = Desk(start, board)
    faces = (("-1,0", "RBRBRB"), ("0,0", "YYRRYR"), ("1,0", "BBBYYY"))
    for cell, face in faces:
        desk.feed(Declare(-1, f"place {cell} {face}"))
    position: Any = desk.position
    while position.phase != "place":
        position = position.play(next(iter(position.legal)))
    desk.feed(Ruling(f"position {position}"))
    assert desk.lit(Meaning.FRESH) == set()
    place = next(move for move in position.legal if move.cell == position.setting.grid.cell["0,-1"])
    desk.feed(Declare(-1, position.name(place)))
    assert desk.lit(Meaning.FRESH) == {"-1,-1", "0,-2", "1,-2", "1,-1"}
    for _ in range(20):
        desk.feed(Tick())
    assert desk.lit(Meaning.FRESH) == set()


def test_a_position_ruled_is_believed_to_lie_on_the_board() -> None:
    desk = Desk()
    desk.move()
    text = str(desk.position)
    other = Desk()
    other.feed(Ruling(f"position {text}"))
    assert other.position.seen() == desk.position.seen()
    assert other.table.todo == ()


def test_a_resumed_match_stands_where_it_stood_and_asks_to_look() -> None:
    desk = Desk()
    entries: list[str] = []
    for _ in range(4):
        name = desk.position.name(next(iter(desk.position.legal)))
        for effect in desk.feed(Declare(-1, name)):
            if isinstance(effect, Commit):
                entries += effect.entries
    again = Desk(Resume(START, tuple(entries)))
    assert str(again.position) == str(desk.position)
    assert again.table.ledger.confirm
    again.feed(Ruling("right"))
    assert not again.table.ledger.confirm


def test_the_same_facts_give_the_same_digest() -> None:
    def digest() -> str:
        account = Transcript(BOARD, START)
        for n in range(1, 9):
            position = account.view.position
            name = position.name(list(position.legal)[n])
            account.step(Fact(n, n * MS, n * MS, "page", Declare(-1, name)))
        return account.digest

    assert digest() == digest()


def test_what_no_game_here_sees_changes_nothing() -> None:
    desk = Desk()
    text = str(desk.position)
    desk.feed(Edge("edge:a1-a2", True), "pico")
    desk.feed(Presence(False, "gone"), "pico")
    desk.feed(Ruling("void"))
    desk.feed(Ruling("tile a1 J 0"))
    assert str(desk.position) == text


def with_sensors(folder: Path, name: str = "hexhex-5") -> Path:
    """The file of a board with a sensor under each cell."""
    path = folder / "tapped.toml"
    group = '\n[[sensors]]\nkind = "seat"\nsource = "pico"\nfirst_input = 0\nmin_high_us = 20000\n'
    path.write_text(find(name).read_text("utf-8") + group, "utf-8")
    return path


def test_a_first_touch_lights_where_the_disc_may_go_until_it_is_forgotten() -> None:
    desk = Desk()
    before = desk.table.scene()
    desk.feed(Touch(("b1",)))
    assert desk.lit(Meaning.PICKED) == {"b1"}
    # a disc on b1 may go to each of its neighbours: a1, a2, b2 have discs, c1 and c2 have not
    assert "c1" in desk.lit(Meaning.LEGAL)
    assert desk.lit(Meaning.LEGAL, Meaning.ONTO) == {
        places[1]
        for move in desk.position.legal
        if (places := desk.position.places(move))[:1] == ("b1",)
    }
    desk.n += 198  # 19.9 s later
    desk.feed(Tick())
    assert desk.lit(Meaning.PICKED) == {"b1"}
    desk.feed(Tick())
    desk.feed(Tick())
    assert desk.table.scene() == before


def test_a_touch_put_down_or_of_no_cell_lights_nothing() -> None:
    desk = Desk()
    desk.feed(Touch(("b1",)))
    (refused,) = [e for e in desk.feed(Touch(("z9",))) if isinstance(e, Refuse)]
    assert refused.message.key == "table.touch_cell"
    desk.feed(Touch())
    assert not desk.lit(Meaning.PICKED)


def test_taps_from_and_to_are_a_move(tmp_path: Path) -> None:
    desk = Desk(board=load(with_sensors(tmp_path)))
    desk.tap("b1")
    assert desk.lit(Meaning.PICKED) == {"b1"}
    desk.tap("c1")
    assert [str(entry) for entry in desk.table.ledger.match.entries] == ["Played(action='b1-c1')"]
    assert not desk.lit(Meaning.PICKED)


def test_a_tap_that_begins_no_move_is_refused_and_lit(tmp_path: Path) -> None:
    desk = Desk(board=load(with_sensors(tmp_path)))
    desk.tap("e5")  # empty
    assert desk.lit(Meaning.REFUSED) == {"e5"}
    assert desk.table.view().log[-1].message.rule.startswith("ALMA-")
    desk.tap("b1")
    desk.tap("b1")  # put down again
    assert not desk.lit(Meaning.REFUSED, Meaning.PICKED)


def test_where_a_move_may_end_it_is_said_that_none_begins(tmp_path: Path) -> None:
    keep(tmp_path, "two_banks", example("two-banks", "pieces", tmp_path))
    registry.look_in(tmp_path / "games")
    try:
        board, rules = plain("rhombus-5"), registry.find("two-banks").rules()
        desk = Desk(Start("m", board.name, board.hash, "two-banks", rules, {}, "test"), board)
        places = [desk.position.places(move) for move in desk.position.legal]
        end = places[0][1]
        assert end not in {at[0] for at in places}
        why = against(desk.table.view(), board, (end,), 0)
        assert why is not None
        assert say(why) == f"No move begins with {end}."
    finally:
        registry.look_in(tmp_path / "nothing")


def test_what_lies_on_a_sensor_is_no_tap(tmp_path: Path) -> None:
    desk = Desk(board=load(with_sensors(tmp_path)))
    desk.feed(Edge("seat:b1", True), "pico")
    desk.n += 20  # two seconds
    desk.feed(Edge("seat:b1", False), "pico")
    for _ in range(3):
        desk.feed(Tick())
    assert not desk.lit(Meaning.PICKED)


def refused(effects: list[Effect]) -> list[str]:
    return [effect.message.key for effect in effects if isinstance(effect, Refuse)]


def test_fingers_along_the_way_back_say_that_the_board_is_right(tmp_path: Path) -> None:
    desk = Desk(board=load(with_sensors(tmp_path)))
    for cell in ("b1", "c1", "h1", "g1"):
        desk.tap(cell)
    desk.feed(Ruling("undo"))
    desk.feed(Ruling("undo"))
    assert len(desk.table.todo) == 2
    assert refused(desk.tap("b2")) == ["table.todo_first"]
    for n, cell in enumerate(cells := ("c1", "b1", "g1", "h1")):
        assert desk.lit(Meaning.TODO) == {*cells[n:]}
        assert desk.lit(Meaning.PICKED) == {*cells[:n]}
        assert refused(desk.tap(cell)) == []
    assert list(desk.table.todo) == []
    desk.tap("b2")
    assert desk.lit(Meaning.PICKED) == {"b2"}


def test_a_tap_while_people_are_asked_is_refused_in_words(tmp_path: Path) -> None:
    start = replace(START, options={"takeback": "agreed"})
    desk = Desk(start, load(with_sensors(tmp_path)))
    desk.feed(Declare(-1, "b1-c1"))
    desk.feed(Ruling("undo", "Ann", seats=(0,)))
    assert desk.table.asking is not None
    assert refused(desk.tap("h1")) == ["table.question_open"]


def test_who_moves_on_where_no_camera_sees_it_has_put_the_board_right() -> None:
    desk = Desk()
    desk.feed(Declare(-1, "b1-c1"))
    desk.feed(Ruling("undo"))
    desk.feed(Declare(-1, "b2-e5"))
    assert desk.table.todo  # what was no move says nothing
    desk.feed(Declare(-1, "b2-c2"))
    assert desk.table.todo == ()


def test_who_resigns_before_the_board_was_put_right_has_resigned() -> None:
    """Bad Santa lists its moves as bytes, in which to resign is no number."""
    board = load(find("rhombus-11"))
    start = Start("m", board.name, board.hash, "bad-santa-hex", bad_santa.rules(), {}, "test")
    for begin in (start, Resume(start, ())):
        desk = Desk(begin, board)
        if begin is start:
            desk.move()
            desk.feed(Ruling("undo"))
            assert desk.table.todo
        desk.feed(Declare(-1, "resign black"))
        assert desk.position.scores is not None


def test_the_button_that_ends_a_turn_passes_where_nothing_else_can_be_done() -> None:
    """On a board of pads no finger can say a pass, nor that a die is to be rolled."""
    desk = Desk()
    table: Any = desk.table
    table._people.press("end")
    assert desk.table.ledger.match.counting == ()  # there are discs that can move
    desk.feed(Ruling("position 5/6/7/8/4(BW)4/8/7/6/5 b"))
    table._people.press("end")
    assert str(desk.position).endswith(" w pass")
    rolls = rolling("pressed")
    table = rolls.table
    table._people.press("end")
    assert table.chance
    table._people.press("end")  # the dealer is waited for
    assert table.chance


def test_the_button_that_ends_a_turn_makes_no_move_in_a_pause() -> None:
    desk = Desk()
    table: Any = desk.table
    desk.feed(Ruling("position 5/6/7/8/4(BW)4/8/7/6/5 b"))
    before = str(desk.position)
    desk.feed(Ruling("pause"))
    table._people.press("end")
    assert (str(desk.position), table.view().paused) == (before, True)
    desk.feed(Ruling("go on"))
    table._people.press("end")
    assert str(desk.position).endswith(" w pass")


def rolling(die: str) -> Desk:
    """Black has placed the first turn's counters, and White rolls."""
    board = plain("rhombus-5")
    options: dict[str, int | str | bool] = {"size": 5, "die": die}
    desk = Desk(
        Start("m", board.name, board.hash, "bad-santa-hex", bad_santa.rules(), options, "test"),
        board,
    )
    for cell in ("c3", "a1"):
        desk.feed(Declare(0, cell))
    return desk


def test_the_number_of_a_die_is_named_by_who_is_asked_to_roll_it_or_the_host() -> None:
    """BSH-3.1: the opponent rolls, so the mover cannot say what came."""
    desk = rolling("physical")
    before = str(desk.position)
    assert refused(desk.feed(Declare(0, "die 1"))) == ["table.not_your_turn"]
    assert str(desk.position) == before
    assert refused(desk.feed(Declare(1, "die 5"))) == []  # of no counter: White rolls again
    assert refused(desk.feed(Declare(0, "die 1"))) == ["table.not_your_turn"]
    assert refused(desk.feed(Declare(WHOEVER, "die 1"))) == []
    assert str(desk.position) == "B..../...../..W../...../..... W 2"


def test_what_is_done_while_a_throw_is_waited_for_is_taken_back_by_itself() -> None:
    desk = rolling("dealt")
    before = str(desk.position)
    assert refused(desk.feed(Declare(0, "back a1"))) == []  # before the dealer has thrown
    desk.feed(Ruling("undo"))
    assert str(desk.position) == before
    desk.feed(Declare(WHOEVER, "die 1"), DEALER)
    desk.feed(Ruling("undo"))  # goes past the throw
    assert str(desk.position).split()[0] == "...../...../..1../...../....."


def test_what_hexboard_throws_nobody_else_says() -> None:
    desk = rolling("dealt")
    for seat in (0, 1, WHOEVER):
        assert refused(desk.feed(Declare(seat, "die 1"))) == ["table.dealer_only"]
    assert refused(desk.feed(Declare(WHOEVER, "die 1"), DEALER)) == []


def test_a_tap_that_leaves_a_number_open_is_asked_for(tmp_path: Path) -> None:
    board = load(with_sensors(tmp_path, "rhombus-11"))
    options: dict[str, int | str | bool] = {"labels": "free"}
    start = Start("m", board.name, board.hash, "bad-santa-hex", bad_santa.rules(), options, "test")
    desk = Desk(start, board)
    desk.tap("c3")
    asking = desk.table.asking
    assert asking is not None
    names = [choice.name for choice in asking.choices]
    assert names == ["12:c3", "34:c3", "56:c3", "nothing"]
    desk.feed(Decide(asking.id, "34:c3"))
    assert [str(entry) for entry in desk.table.ledger.match.entries] == ["Played(action='34:c3')"]
    assert desk.table.asking is None
    assert not desk.lit(Meaning.PICKED)

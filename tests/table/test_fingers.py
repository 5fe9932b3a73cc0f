"""Fingers on the pads of a board: what counts as a touch, and what people are told of the rest."""

from pathlib import Path

import pytest

from hexboard.board import Board, find, load
from hexboard.facts import (
    MS,
    Body,
    Declare,
    Edge,
    Fact,
    Presence,
    Resume,
    Ruling,
    Snapshot,
    Start,
    Tick,
)
from hexboard.game import registry
from hexboard.game.match import Played
from hexboard.perception.health import PAD_STUCK_NS
from hexboard.scene import Meaning
from hexboard.table import newest, open_table
from hexboard.table.effects import Refuse, Tell
from hexboard.table.fingers import ENDLESS, TAP_NS

PADS = '\n[[sensors]]\nkind = "seat"\nsource = "pico"\nfirst_input = 0\nmin_high_us = 20000\n'


@pytest.fixture
def boards(tmp_path: Path) -> "Boards":
    return Boards(tmp_path)


class Boards:
    """Boards with a pad in each cell, and a match on them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def board(self, name: str) -> Board:
        path = self._folder / f"{name}-touched.toml"
        path.write_text(find(name).read_text("utf-8") + PADS, "utf-8")
        return load(path)

    def desk(self, game: str = "hexalma", of: str = "hexhex-5", **options: int | str) -> "Desk":
        """A new match as this hexboard begins it, whose board people said is right."""
        board = self.board(of)
        chosen = {**newest(registry.find(game), board), **options}
        desk = Desk(board, begun(board, game, **chosen))
        desk.rule("right")
        return desk


def begun(board: Board, game: str, **options: int | str | bool) -> Start:
    rules = registry.find(game).rules()
    return Start("m", board.name, board.hash, game, rules, options, "test")


class Desk:
    """A table whose time is in ms."""

    def __init__(self, board: Board, begin: Start | Resume) -> None:
        self.table = open_table(board, begin)
        self.n = self.now = 0
        self.told: list[str] = []
        self.refused: list[tuple[str, str]] = []

    def feed(self, body: Body, source: str = "page", at: int | None = None) -> None:
        self.n += 1
        stamp = self.now if at is None else at
        for effect in self.table.step(Fact(self.n, self.now * MS, stamp * MS, source, body)):
            if isinstance(effect, Tell):
                self.told += [text.key for text in effect.messages]
            elif isinstance(effect, Refuse):
                self.refused.append((effect.message.key, effect.to))

    def wait(self, ms: int) -> None:
        """So long nothing happens; a deadline wakes the table as it wakes a daemon."""
        until = self.now + ms
        while (due := self.table.deadline) is not None and due // MS + 101 <= until:
            self.now = max(self.now + 1, due // MS + 101)
            self.feed(Tick(), "clock")
        self.now = until
        self.feed(Tick(), "clock")

    def rule(self, do: str, *seats: int) -> None:
        self.now += 1
        self.feed(Ruling(do, "Ann", seats=seats))

    def press(self, *cells: str, ms: int = 200) -> None:
        """Press pads one right after the other, and let them go in the same order."""
        for level in (True, False):
            for cell in cells:
                self.feed(Edge(f"seat:{cell}", level), "pico")
                self.now += 5
            self.now += ms if level else 0
        self.wait(300)

    def tap(self, *cells: str) -> None:
        for cell in cells:
            self.press(cell)

    def lit(self, *meanings: Meaning) -> set[str]:
        return {mark.place for mark in self.table.scene() if mark.meaning in meanings}

    @property
    def played(self) -> list[str]:
        entries = self.table.ledger.match.entries
        return [entry.action for entry in entries if isinstance(entry, Played)]


def test_a_tap_is_short_and_on_a_cell(boards: Boards) -> None:
    desk = boards.desk()
    desk.press("b1", ms=TAP_NS // MS + 10)
    assert not desk.lit(Meaning.PICKED)
    desk.press("b1", ms=TAP_NS // MS - 10)
    assert desk.lit(Meaning.PICKED) == {"b1"}


def test_several_pads_down_at_once_are_no_finger(boards: Boards) -> None:
    desk = boards.desk()
    desk.press("b1", "c1", "d1")
    assert desk.played == []
    assert not desk.lit(Meaning.PICKED)
    assert desk.told[-1] == "table.touch_many"
    assert desk.lit(Meaning.REFUSED) == {"b1", "c1", "d1"}
    desk.wait(2000)
    desk.tap("b1", "c1")
    assert desk.played == ["b1-c1"]


def test_a_sleeve_plays_no_counters(boards: Boards) -> None:
    desk = boards.desk("bad-santa-hex", "rhombus-11")
    desk.press("c3", "c4", "c5", "d3", "d4", "d5", ms=400)
    assert desk.played == []
    desk.tap("c3")
    assert len(desk.played) == 1


def test_a_sleeve_puts_nothing_right(boards: Boards) -> None:
    desk = boards.desk()
    desk.tap("b1", "c1")
    desk.rule("undo")
    desk.press("c1", "b1", "c2", "b2")
    assert desk.table.todo


def test_a_match_from_before_hears_each_pad_for_itself(boards: Boards) -> None:
    board = boards.board("hexhex-5")
    desk = Desk(board, begun(board, "hexalma"))
    desk.press("b1", "c1", "d1")
    assert desk.played == ["b1-c1"]


def test_a_board_without_pads_begins_its_matches_as_before() -> None:
    assert newest(registry.find("hexalma"), load(find("hexhex-5"))) == {}
    assert newest(registry.find("hextraction"), load(find("hextraction-22"))) == {}


# ---------------------------------------------------------------------------------- in a hand


def test_who_puts_a_piece_back_after_long_has_put_it_back(boards: Boards) -> None:
    desk = boards.desk()
    desk.tap("b1")
    desk.wait(25_000)
    assert not desk.lit(Meaning.PICKED)
    desk.tap("b1")
    assert desk.told[-1] == "table.touch_back"
    desk.tap("b2")
    assert desk.played == []
    assert desk.lit(Meaning.PICKED) == {"b2"}


def test_who_thinks_with_a_piece_in_the_hand_moves_it(boards: Boards) -> None:
    desk = boards.desk()
    desk.tap("b1")
    desk.wait(25_000)
    desk.tap("c1")
    assert desk.played == ["b1-c1"]


def test_another_piece_that_is_taken_up_after_long_is_no_move(boards: Boards) -> None:
    desk = boards.desk()
    desk.tap("b1")
    desk.wait(25_000)
    desk.tap("b2")
    assert desk.played == []
    assert desk.lit(Meaning.PICKED) == {"b2"}


def test_a_long_finger_puts_a_piece_back_too(boards: Boards) -> None:
    desk = boards.desk()
    desk.tap("b1")
    desk.press("b1", ms=1200)
    assert not desk.lit(Meaning.PICKED)
    desk.tap("b2")
    assert desk.played == []


# ---------------------------------------------------------------------------------- in its time


def test_what_was_touched_while_the_cable_was_out_is_past(boards: Boards) -> None:
    desk = boards.desk("bad-santa-hex", "rhombus-11")
    desk.feed(Presence(True), "pico")
    desk.feed(Snapshot(()), "pico")
    desk.wait(500)
    desk.feed(Presence(False, "cable"), "pico")
    out = desk.now
    desk.wait(5000)
    desk.feed(Presence(True, "", True), "pico")
    for ms, level in ((1000, True), (1200, False), (2000, True), (2200, False)):
        desk.feed(Edge("seat:c3", level), "pico", at=out + ms)
    desk.feed(Snapshot(()), "pico")
    desk.wait(1500)
    assert desk.played == []
    assert desk.told.count("table.touch_late") == 1
    desk.tap("c3")
    assert len(desk.played) == 1


def test_a_touch_from_before_the_newest_move_is_past(boards: Boards) -> None:
    desk = boards.desk()
    desk.wait(500)
    desk.feed(Edge("seat:h1", True), "pico")
    desk.now += 100
    desk.feed(Edge("seat:h1", False), "pico")
    desk.now += 1
    desk.feed(Declare(-1, "b1-c1"))  # before anybody knows of the touch
    desk.wait(500)
    assert desk.played == ["b1-c1"]
    assert not desk.lit(Meaning.PICKED)
    assert desk.told[-1] == "table.touch_late"


def test_hands_that_lay_the_pieces_out_play_nothing(boards: Boards) -> None:
    board = boards.board("hexhex-5")
    desk = Desk(board, begun(board, "hexalma", **newest(registry.find("hexalma"), board)))
    desk.tap("b1", "c1")
    assert desk.played == []
    assert desk.refused == [("table.look_first", "tap")] * 2
    desk.rule("right")
    desk.tap("b1", "c1")
    assert desk.played == ["b1-c1"]


def test_an_empty_board_has_nothing_to_be_laid_out(boards: Boards) -> None:
    board = boards.board("rhombus-11")
    game = registry.find("bad-santa-hex")
    desk = Desk(board, begun(board, "bad-santa-hex", **newest(game, board)))
    desk.tap("c3")
    assert len(desk.played) == 1


# ---------------------------------------------------------------------------------- bad pads


@pytest.mark.parametrize("every", [100, 1000, 2000])
def test_a_pad_without_end_is_left_out(boards: Boards, every: int) -> None:
    desk = boards.desk()
    for _ in range(3 * ENDLESS):
        desk.feed(Edge("seat:e5", True), "pico")
        desk.wait(50)
        desk.feed(Edge("seat:e5", False), "pico")
        desk.wait(every - 50)
    assert desk.told.count("sensor.chattering") == 1
    assert desk.table.senses.health.out == {"seat:e5": "chattering"}
    assert len(desk.told) <= ENDLESS + 2
    desk.tap("b1", "c1")
    assert desk.played == ["b1-c1"]
    desk.wait(12_000)
    assert desk.told[-1] == "sensor.healthy"


def test_a_pad_that_is_stuck_is_named(boards: Boards) -> None:
    desk = boards.desk()
    desk.feed(Edge("seat:b1", True), "pico")
    desk.wait(PAD_STUCK_NS // MS - 1000)
    assert not desk.table.senses.health.out
    desk.wait(2000)
    assert desk.table.senses.health.out == {"seat:b1": "stuck"}
    assert desk.told[-1] == "sensor.stuck"
    assert "b1" in desk.lit(Meaning.STUCK)
    desk.tap("b2", "c2")  # the others go on
    assert desk.played == ["b2-c2"]


# ---------------------------------------------------------------------------------- refusals


def test_what_a_finger_is_refused_is_lit(boards: Boards) -> None:
    desk = boards.desk()
    desk.tap("b1", "c1")
    desk.rule("undo")
    desk.tap("b3")
    assert desk.refused == [("table.todo_first", "tap")]
    assert desk.lit(Meaning.REFUSED) == {"b3"}
    desk.tap("c1")
    assert not desk.lit(Meaning.REFUSED)


def test_a_touch_in_a_pause_is_refused_and_invites_to_nothing(boards: Boards) -> None:
    desk = boards.desk()
    desk.tap("b1", "c1")
    desk.rule("pause")
    desk.tap("h1")
    assert desk.refused == [("table.in_pause", "tap")]
    assert not desk.lit(Meaning.LEGAL, Meaning.ONTO, Meaning.PICKED)


def test_who_plays_on_by_touch_ends_the_question_of_a_take_back(boards: Boards) -> None:
    desk = boards.desk(takeback="agreed")
    desk.tap("b1", "c1")
    desk.rule("undo", 0)
    assert desk.table.asking is not None
    desk.tap("h1", "g1")
    assert desk.played == ["b1-c1", "h1-g1"]
    assert desk.table.asking is None


def test_who_puts_a_piece_back_as_was_agreed_leaves_the_next_question_open(boards: Boards) -> None:
    desk = boards.desk(takeback="agreed")
    desk.tap("b1", "c1", "h1", "g1")
    desk.rule("undo", 0, 1)
    assert desk.table.todo
    desk.rule("undo", 0)
    desk.tap("g1", "h1")
    assert not desk.table.todo
    assert desk.table.asking is not None
    assert desk.table.asking.of == (1,)


def test_where_moves_have_one_cell_the_one_before_is_not_refused(boards: Boards) -> None:
    desk = boards.desk("hexel", "table")
    for cell, face in (("-1,0", "RBRBRB"), ("0,0", "YYRRYR"), ("1,0", "BBBYYY")):
        desk.feed(Declare(-1, f"place {cell} {face}"))
    while not desk.table.position.name(next(iter(desk.table.position.legal))).startswith("place"):
        position = desk.table.position
        desk.feed(Declare(-1, position.name(next(iter(position.legal)))))
    desk.tap("0,-1")
    assert desk.lit(Meaning.PICKED) == {"0,-1"}
    desk.tap("0,0")
    assert desk.lit(Meaning.REFUSED) == {"0,0"}


@pytest.mark.parametrize(("lifted", "out"), [(-30, False), (30, True)])
def test_a_move_is_made_when_the_finger_is_lifted(boards: Boards, lifted: int, out: bool) -> None:
    desk = boards.desk(clock="1")
    desk.tap("b1", "c1", "h1")
    clock = desk.table.view().clock
    assert clock is not None
    flag = (clock.since + clock.left_ns[1]) // MS
    for ms, level in ((lifted - 100, True), (lifted, False)):
        desk.wait(flag + ms - desk.now)
        desk.now += 5  # so long it takes to be heard
        desk.feed(Edge("seat:g1", level), "pico", at=flag + ms)
    for _ in range(30):
        desk.now += 5
        desk.feed(Tick(), "clock")
    assert desk.played == ["b1-c1", "h1-g1"]
    assert ("table.time_out" in desk.told) == out
    clock = desk.table.view().clock
    assert clock is not None
    assert clock.left_ns[1] // MS == max(0, -lifted)

"""The players' clock and the pause: time comes with facts, what runs out is told, people decide."""

from typing import Any

import pytest

from hexboard.board import find, load, plain
from hexboard.facts import MS, Body, Declare, Fact, Resume, Ruling, Start, Tick, Touch
from hexboard.game import registry
from hexboard.game.position import CHANCE
from hexboard.game.timing import agreed, asked
from hexboard.scene import Meaning
from hexboard.table import open_table
from hexboard.table.effects import Commit, Effect, Refuse, Tell
from hexboard.words.errors import BadText

BOARD = load(find("hexhex-5"))
MINUTE = 60_000


def start(**options: Any) -> Start:
    rules = registry.find("hexalma").rules()
    return Start("m", BOARD.name, BOARD.hash, "hexalma", rules, options, "t")


class Desk:
    """A table of HexAlma; what is said comes at `ms` on the board's clock."""

    def __init__(self, begin: Start | Resume) -> None:
        self.table, self.n = open_table(BOARD, begin), 0
        self.at(0, begin, "table")

    def at(self, ms: int, body: Body, source: str = "page 1") -> list[Effect]:
        self.n += 1
        return self.table.step(Fact(self.n, ms * MS, ms * MS, source, body))

    def left(self) -> tuple[int, ...]:
        clock = self.table.view().clock
        assert clock is not None
        return tuple(left // MS for left in clock.left_ns)

    def due(self) -> int | None:
        return self.table.deadline

    @property
    def running(self) -> int:
        clock = self.table.view().clock
        assert clock is not None
        return clock.running


def told(effects: list[Effect]) -> list[str]:
    return [said.key for it in effects if isinstance(it, Tell) for said in it.messages]


def refused(effects: list[Effect]) -> list[str]:
    return [it.message.key for it in effects if isinstance(it, Refuse)]


def test_a_match_without_a_clock_has_none() -> None:
    desk = Desk(start())
    assert desk.table.view().clock is None
    assert desk.due() is None


@pytest.mark.parametrize(
    ("text", "means"), [("10", (10, 0)), ("5+3", (5, 3)), ("1+0", (1, 0)), ("600", (600, 0))]
)
def test_a_clock_is_minutes_and_seconds_a_turn(text: str, means: tuple[int, int]) -> None:
    assert agreed(text) == means


@pytest.mark.parametrize("text", ["0", "601", "ten", "5+", "5 + 3", "-1", "5+3+1", "٣"])
def test_what_is_no_clock_is_refused_in_words(text: str) -> None:
    with pytest.raises(BadText, match=r"10\+5"):
        agreed(text)


def test_time_runs_from_the_first_move_for_whose_turn_it_is_and_a_turn_adds_seconds() -> None:
    desk = Desk(start(clock="1+5"))
    desk.at(30_000, Declare(-1, "a1-b1"))  # nobody's time ran before
    assert (desk.left(), desk.running) == ((MINUTE, MINUTE), 1)
    desk.at(40_000, Declare(-1, "i1-h1"))  # 10 s, and 5 more
    assert (desk.left(), desk.running) == ((MINUTE, 55_000), 0)
    desk.at(42_000, Declare(-1, "b2-c3"))
    assert desk.left() == (63_000, 55_000)


def test_time_waits_for_the_first_move_where_the_position_was_set_before_it() -> None:
    desk = Desk(start(clock="1+5"))
    position = str(desk.table.view().position)
    assert refused(desk.at(1_000, Ruling(f"position {position}"))) == []
    assert len(desk.table.ledger.match.entries) == 1
    assert (desk.left(), desk.running, desk.due()) == ((MINUTE, MINUTE), -1, None)
    desk.at(40_000, Declare(-1, "a1-b1"))
    assert (desk.left(), desk.running) == ((MINUTE, MINUTE), 1)


def test_who_offers_a_draw_in_their_own_turn_thinks_on_in_their_own_time() -> None:
    desk = Desk(start(clock="1+5"))
    desk.at(0, Declare(-1, "a1-b1"))
    desk.at(10_000, Declare(1, "draw white"))
    assert (desk.left(), desk.running) == ((MINUTE, 50_000), 1)
    desk.at(30_000, Declare(1, "i1-h1"))
    assert (desk.left(), desk.running) == ((MINUTE, 35_000), 0)


def test_while_cards_are_dealt_nobodys_time_runs() -> None:
    position = registry.find("hexel").begin(plain("table"), {"hands": "dealt"})
    while position.actor(move := next(iter(position.legal))) != CHANCE:
        position = position.play(move)
    assert asked(position) == CHANCE


def test_a_move_that_is_taken_back_and_made_again_adds_no_more_seconds() -> None:
    desk = Desk(start(clock="1+5"))
    desk.at(0, Declare(-1, "b3-c3"))
    for again in range(4):
        desk.at(1_000 * again, Declare(-1, "h3-g3"))
        desk.at(1_000 * again, Ruling("undo"))
        desk.at(1_000 * again, Ruling("right"))
    desk.at(4_000, Declare(-1, "h3-g3"))
    assert desk.left()[1] == MINUTE - 4_000 + 5_000


def test_after_a_restart_who_moves_says_that_the_board_is_right() -> None:
    """Else the game went on while the board was held for wrong, and nobody's time ran."""
    begin = start(clock="1+5")
    desk = Desk(Resume(begin, ('{"type":"played","action":"b3-c3"}',)))
    assert desk.table.ledger.confirm
    assert refused(desk.at(1_000, Declare(-1, "h3-g3"))) == []
    assert (desk.running, desk.table.ledger.confirm) == (0, False)
    again = Desk(Resume(begin, ('{"type":"played","action":"b3-c3"}',)))
    assert refused(again.at(1_000, Declare(1, "resign white"))) == []


def test_time_that_runs_out_is_told_once_and_the_game_goes_on() -> None:
    desk = Desk(start(clock="1+5"))
    desk.at(0, Declare(-1, "a1-b1"))
    assert desk.table.deadline == MINUTE * MS
    assert desk.due() == MINUTE * MS
    assert told(desk.at(60_200, Tick(), "table")) == ["table.time_out"]
    assert desk.due() is None
    assert told(desk.at(70_000, Tick(), "table")) == []
    assert desk.table.view().position.scores is None
    desk.at(71_000, Declare(-1, "i1-h1"))  # refused by nobody; no seconds are added
    assert (desk.left(), desk.running) == ((MINUTE, 0), 0)


def test_a_move_that_comes_after_the_time_does_not_hide_that_it_was_over() -> None:
    desk = Desk(start(clock="1"))
    desk.at(0, Declare(-1, "a1-b1"))
    assert "table.time_out" in told(desk.at(60_050, Declare(-1, "i1-h1")))


def test_a_pause_stops_the_time_takes_no_move_and_lights_no_invitation() -> None:
    desk = Desk(start(clock="1"))
    desk.at(0, Declare(-1, "a1-b1"))
    legal = [mark for mark in desk.table.scene() if mark.meaning is Meaning.LEGAL]
    assert legal
    assert told(desk.at(10_000, Ruling("pause", "Ann"))) == ["table.paused"]
    assert desk.table.view().paused
    assert desk.due() is None
    assert not [mark for mark in desk.table.scene() if mark.meaning is Meaning.LEGAL]
    assert refused(desk.at(20_000, Declare(-1, "i1-h1"))) == ["table.in_pause"]
    assert refused(desk.at(21_000, Touch(("i1",)))) == ["table.in_pause"]
    assert refused(desk.at(22_000, Ruling("pause", "Ben"))) == ["table.in_pause"]
    assert told(desk.at(500_000, Ruling("go on", "Ben"))) == ["table.goes_on"]
    assert refused(desk.at(500_000, Ruling("go on", "Ben"))) == ["table.no_pause"]
    desk.at(505_000, Declare(-1, "i1-h1"))
    assert desk.left() == (MINUTE, 45_000)


def test_the_time_stands_while_somebody_has_to_put_the_board_right() -> None:
    desk = Desk(start(clock="1"))
    desk.at(0, Declare(-1, "a1-b1"))
    desk.at(5_000, Ruling("undo"))  # a disc has to go back
    assert desk.table.todo
    assert desk.running == -1
    desk.at(25_000, Ruling("right"))
    assert desk.left() == (MINUTE, 55_000)  # what was taken back gives no time back


def test_the_time_runs_again_once_somebody_moves_on_after_a_take_back() -> None:
    desk = Desk(start(clock="1"))
    desk.at(0, Declare(-1, "a1-b1"))
    desk.at(5_000, Ruling("undo"))
    desk.at(10_000, Declare(-1, "a2-b2"))
    assert desk.running == 1


def test_after_a_restart_each_has_what_was_left_when_the_last_turn_ended() -> None:
    desk = Desk(start(clock="1+5"))
    moves = ("a1-b1", "i1-h1", "b2-c3")
    kept: list[str] = []
    for k, move in enumerate(moves):
        effects = desk.at(10_000 * k, Declare(-1, move))
        kept += [entry for it in effects if isinstance(it, Commit) for entry in it.entries]
    again = Desk(Resume(start(clock="1+5"), tuple(kept)))
    assert (again.left(), again.running) == ((55_000, 55_000), -1)  # the board is looked over first
    again.at(90_000, Ruling("right"))
    assert again.running == 1
    assert desk.left() == again.left()


def test_a_pause_goes_on_after_a_restart() -> None:
    """docs/phones.md, "A clock, and a pause": until somebody presses Go on."""
    desk = Desk(Resume(start(clock="1"), ('{"type":"played","action":"a1-b1"}',), None, True))
    assert desk.table.view().paused
    desk.at(1_000, Ruling("right"))
    assert refused(desk.at(2_000, Declare(-1, "i1-h1"))) == ["table.in_pause"]
    assert (desk.running, desk.due()) == (-1, None)
    desk.at(3_000, Ruling("go on"))
    desk.at(4_000, Declare(-1, "i1-h1"))
    assert desk.left() == (MINUTE, MINUTE - 1_000)

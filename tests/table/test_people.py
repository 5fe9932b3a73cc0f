"""People: what they may say, and who hears the rest."""

from collections.abc import Callable
from typing import Any

import pytest

from hexboard.board import Board, find, load, plain
from hexboard.facts import Decide, Declare, Ruling, Start
from hexboard.game import registry
from hexboard.game.game import AnyGame
from hexboard.games import hexalma
from hexboard.table.acting import Acting
from hexboard.table.effects import Effect, Refuse, Tell
from hexboard.table.parts import Parts
from hexboard.table.people import People

BOARD = load(find("hexhex-5"))
START = Start("m", BOARD.name, BOARD.hash, "hexalma", hexalma.rules(), {}, "test")


class Hall:
    """People at a table at which actions are played and nothing else follows."""

    def __init__(
        self,
        make: Callable[[Parts[Any]], Acting[Any]] = Acting,
        game: AnyGame[Any] = hexalma.GAME,
        board: Board = BOARD,
        start: Start = START,
    ) -> None:
        self.parts: Parts[Any] = Parts(game, board, start)
        self.people = People(self.parts, make(self.parts))
        self.effects: list[Effect] = self.parts.outbox.begin()

    def say(self, said: Declare | Decide | Ruling) -> None:
        self.people.say("page", said)

    @property
    def played(self) -> list[str]:
        return [str(entry) for entry in self.parts.ledger.match.entries]

    @property
    def refused(self) -> list[tuple[str, str]]:
        return [(e.message.key, e.to) for e in self.effects if isinstance(e, Refuse)]

    @property
    def told(self) -> list[str]:
        tells = (effect for effect in self.effects if isinstance(effect, Tell))
        return [text.key for tell in tells for text in tell.messages]


class Shuts(Acting[int]):
    """A table with a ruling of its own."""

    def rule(self, do: str, who: str, why: str) -> bool:
        return do == "undo"


def test_what_a_seat_declares_is_played_and_what_it_may_not_is_refused() -> None:
    hall = Hall()
    hall.say(Declare(0, "b3-c3"))
    hall.say(Declare(0, "h3-g3"))
    hall.say(Declare(1, "nonsense"))
    assert hall.played == ["Played(action='b3-c3')"]
    assert [to for _, to in hall.refused] == ["page", "page"]
    assert hall.refused[0][0] == "table.not_your_turn"


def test_every_table_understands_these_rulings() -> None:
    hall = Hall()
    start = str(hall.parts.ledger.position)
    hall.parts.ledger.confirm = True
    hall.say(Declare(-1, "b3-c3"))
    hall.say(Ruling("undo", "Ann"))
    hall.say(Ruling("undo", "Ann"))
    assert str(hall.parts.ledger.position) == start
    hall.say(Ruling("right", "Ann"))
    assert not hall.parts.ledger.confirm
    hall.say(Ruling(f"position {start}", "Ann", "so it was"))
    hall.say(Ruling("dance", "Ann"))
    assert hall.told[1:] == ["table.undone", "table.right", "table.ruled"]
    assert [key for key, _ in hall.refused] == ["table.nothing_to_undo", "table.no_ruling"]


def test_a_table_hears_rulings_before_what_every_table_understands() -> None:
    hall = Hall(Shuts)
    hall.say(Declare(-1, "b3-c3"))
    hall.say(Ruling("undo", "Ann"))
    assert hall.played == ["Played(action='b3-c3')"]
    assert hall.refused == []


def test_a_problem_is_set_and_called_one() -> None:
    """The host is right; but Black has three counters after one turn of one."""
    game, board = registry.find("bad-santa-hex"), plain("rhombus-5")
    start = Start("m", board.name, board.hash, game.name, game.rules(), {"size": 5}, "test")
    hall = Hall(game=game, board=board, start=start)
    empty = str(hall.parts.ledger.position)
    composed = "BBB../...../..W../...../..... W 2"
    hall.say(Ruling(f"problem position {composed}", "Ann", "a problem"))
    assert hall.told == ["game.is_problem", "table.ruled"]
    hall.say(Ruling(f"problem position {empty}", "Ann"))  # it is none
    assert str(hall.parts.ledger.position) == empty
    hall.say(Ruling(f"position {composed}", "Ann"))  # as recorded before anybody was asked
    assert hall.told.count("game.is_problem") == 1
    assert str(hall.parts.ledger.position) == composed


@pytest.mark.parametrize(
    ("button", "told"),
    [("undo", ["table.undone"]), ("right", ["table.right"]), ("lamp", [])],
)
def test_a_button_says_what_a_page_could_say(button: str, told: list[str]) -> None:
    hall = Hall()
    hall.say(Declare(-1, "b3-c3"))
    hall.people.press(button)
    assert (hall.told[1:], hall.refused) == (told, [])


def test_who_presses_what_cannot_be_is_the_button() -> None:
    hall = Hall()
    hall.people.press("undo")
    hall.people.press("end")
    assert [to for _, to in hall.refused] == ["button", "button"]

"""Games played from pictures alone: hands move, readings become facts, facts replay to the same."""

import msgspec
import pytest

from controller import games
from controller.board import plain
from controller.demo.frames import OPTIONS, Frames
from controller.facts import Fact, Reading, Start
from controller.record.account import Account
from controller.record.account import Told as Record
from controller.vision.tabletop import MODERATE
from tests.benchmarks.vision_fumbles import Fumbler
from tests.running import hexboard


@pytest.mark.parametrize(
    "game",
    [
        "hexalma",
        *(pytest.param(game, marks=pytest.mark.long) for game in ("bad-santa-hex", "hexel")),
    ],
)
def test_a_game_is_played_by_hand_and_its_facts_replay(game: str) -> None:
    facts: list[Fact] = []

    def keep(fact: Fact, told: list[Record]) -> None:
        facts.append(msgspec.json.decode(msgspec.json.encode(fact), type=Fact))

    options = OPTIONS.get(game, {})
    board = plain(games.find(game).board(options))
    played = Frames(board, game, options, 2, MODERATE, keep)
    told = played.play(2)
    assert (told.moves, told.read, told.wrong, told.scolded) == (2, 2, 0, 0)
    assert sum(isinstance(fact.body, Reading) and bool(fact.body.cells) for fact in facts) >= 2
    start = facts[0].body
    assert isinstance(start, Start)
    again = Account(board, start)
    for fact in facts:
        again.step(fact)
    assert again.digest == told.digest
    assert str(again.table.position) == str(played.table.position)


@pytest.mark.long
def test_what_the_dealers_die_gives_away_is_changed_by_hand_and_seen() -> None:
    options = {"die": "dealt"}
    board = plain(games.find("bad-santa-hex").board(options))
    played = Frames(board, "bad-santa-hex", options, 2, MODERATE)
    told = played.play(3)  # two counters, a die, the next counter
    assert any("die" in str(entry) for entry in played.table.match.entries)
    assert (told.moves, told.read, told.wrong, told.asked) == (3, 3, 0, 0)
    assert played.table.todo == ()


@pytest.mark.long
def test_a_fumble_is_neither_a_mistake_nor_a_move() -> None:
    desk = Fumbler("hexalma", 3, "moderate", moves=0)
    assert desk.fumble("pause") == (False, False)
    assert desk.rests > 0
    assert desk.settled == 0


def test_games_that_hide_something_are_not_played_from_pictures_alone() -> None:
    for game in ("knee-deep", "hextraction"):
        done = hexboard("frames", "hexalma", game)
        assert done.returncode == 1
        assert f"{game} is not played from pictures alone" in done.stderr

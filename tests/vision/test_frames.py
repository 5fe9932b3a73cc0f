"""Games played from pictures alone: hands move, readings become facts, facts replay to the same."""

import msgspec
import pytest

from hexboard.board import plain
from hexboard.facts import Fact, Reading, Start
from hexboard.game import registry
from hexboard.record.transcript import Told as Record
from hexboard.record.transcript import Transcript
from hexboard.simulator.camera.tabletop import MODERATE
from tests.benchmarks.vision_fumbles import Fumbler
from tests.benchmarks.vision_games import OPTIONS, Frames


@pytest.mark.long
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
    board = plain(registry.find(game).board(options))
    played = Frames(board, game, options, 2, MODERATE, keep)
    told = played.play(2)
    assert (told.moves, told.read, told.wrong, told.scolded) == (2, 2, 0, 0)
    assert sum(isinstance(fact.body, Reading) and bool(fact.body.cells) for fact in facts) >= 2
    start = facts[0].body
    assert isinstance(start, Start)
    again = Transcript(board, start)
    for fact in facts:
        again.step(fact)
    assert again.digest == told.digest
    assert str(again.view.position) == str(played.position)


@pytest.mark.long
def test_what_the_dealers_die_gives_away_is_changed_by_hand_and_seen() -> None:
    options = {"die": "dealt"}
    board = plain(registry.find("bad-santa-hex").board(options))
    played = Frames(board, "bad-santa-hex", options, 2, MODERATE)
    told = played.play(3)  # two counters, a die, the next counter
    assert any("die" in str(entry) for entry in played.transcript.match.entries)
    assert (told.moves, told.read, told.wrong, told.asked) == (3, 3, 0, 0)
    assert played.view.todo == ()


@pytest.mark.long
def test_a_fumble_is_neither_a_mistake_nor_a_move() -> None:
    desk = Fumbler("hexalma", 3, "moderate", moves=0)
    assert desk.fumble("pause") == (False, False)
    assert desk.rests > 0
    assert desk.settled == 0

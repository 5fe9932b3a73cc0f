"""What every installed game must be to others: spoken to, counted, mistaken for another.

What it promises by itself `hexboard.testing.check_game` tries (tests/test_testing.py).
"""

import json
import re
from random import Random
from typing import Any

import pytest

from hexboard.board import plain
from hexboard.game import registry
from hexboard.game.referee import Referee, perft
from hexboard.words import say
from hexboard.words.errors import BadText

NAMES = registry.names()
TOUCHED = [name for name in NAMES if name != "hextraction"]
"""Games whose moves are made by touching cells."""


def first(name: str) -> tuple[Any, Any, Any]:
    game = registry.find(name)
    board = plain(game.board({}))
    return game, board, game.start(board, {})


def walk(name: str, seed: int, steps: int = 60) -> list[Any]:
    """Positions of a random game."""
    random = Random(seed)
    position = first(name)[2]
    seen = [position]
    while position.legal and len(seen) < steps:
        position = position.play(random.choice(list(position.legal)))
        seen.append(position)
    return seen


@pytest.mark.parametrize("name", NAMES)
def test_an_option_that_is_misspelt_is_named(name: str) -> None:
    game, board, _ = first(name)
    with pytest.raises(BadText, match=f"Did you mean “{game.options[0].name}”"):
        game.start(board, {game.options[0].name + "s": "red"})
    with pytest.raises(BadText, match=r"no option “qqq”\. Known"):
        game.start(board, {"qqq": "red"})


@pytest.mark.parametrize("name", NAMES)
def test_a_board_of_another_game_is_refused_in_words(name: str) -> None:
    game = registry.find(name)
    wrong = "table" if name == "hextraction" else "hextraction-22"
    with pytest.raises(BadText, match=wrong):
        game.start(plain(wrong), {})


@pytest.mark.parametrize("name", NAMES)
def test_an_action_of_another_game_is_refused_in_words(name: str) -> None:
    position = first(name)[2]
    for other in NAMES:
        theirs = first(other)[2]
        if type(theirs) is not type(position):  # one family speaks one language
            action = theirs.name(next(iter(theirs.legal)))
            with pytest.raises(BadText, match=re.escape(f"“{action}”")):
                position.action(action)


@pytest.mark.parametrize("name", TOUCHED)
def test_what_is_drawn_is_what_the_board_should_show(name: str) -> None:
    """Where two positions look alike to the camera, the same pieces lie in every cell."""
    shown: dict[bytes, Any] = {}
    for seed in range(3):
        for position in walk(name, seed):
            pieces = sorted(piece.place for piece in position.pieces())
            assert shown.setdefault(position.seen(), pieces) == pieces


@pytest.mark.parametrize("name", NAMES)
def test_the_referee_on_a_pipe_answers_every_line(name: str) -> None:
    game, board, position = first(name)
    referee = Referee(game, board, {})

    def ask(line: str) -> Any:
        return json.loads(referee.line(line.encode("utf-8", "surrogatepass")))

    legal = ask('{"do":"legal"}')["legal"]
    assert legal == [position.name(action) for action in position.legal]
    assert ask('{"do":"position"}')["position"] == str(position)
    acted = ask(json.dumps({"do": "act", "action": legal[0]}))
    assert acted["ok"]
    assert ask('{"do":"state"}')["over"] is False
    assert isinstance(ask('{"do":"scene"}')["scene"], list)
    assert ask('{"do":"view","seat":0}')["ok"]
    undone = ask('{"do":"undo"}')
    assert undone["position"] == str(position)
    assert ask("[]") == []  # a list is answered by a list
    for bad in (
        "",
        "nonsense",
        "7",
        '{"do":"dance"}',
        '{"do":"act"}',
        '{"do":"view","seat":99}',
    ):
        answer = ask(bad)
        assert answer["ok"] is False
        assert answer["reason"]
    for bad in ("", "zz", "play J Q9 2", "e5-e7 e7", "die 9"):
        assert ask(json.dumps({"do": "act", "action": bad}))["ok"] is False
    assert ask(json.dumps({"do": "load", "position": "x" * 200}))["ok"] is False
    assert ask('{"do":"position"}')["position"] == str(position)
    assert ask(json.dumps({"do": "load", "position": str(position)}))["ok"]


@pytest.mark.parametrize("name", TOUCHED)
def test_perft_counts_what_playing_finds(name: str) -> None:
    position = first(name)[2]
    assert perft(position, 0) == 1
    assert perft(position, 1) == len(position.legal)
    assert perft(position, 2) == sum(len(position.play(a).legal) for a in position.legal)


COUNTING = [name for name in NAMES if registry.find(name).move_count is not None]
"""Games that say how many moves there are."""


@pytest.mark.parametrize("name", COUNTING)
@pytest.mark.parametrize("seed", range(8))
def test_as_many_moves_are_counted_as_are_listed(name: str, seed: int) -> None:
    many = registry.find(name).move_count
    assert many is not None
    for position in walk(name, seed, 400):
        assert many(position) == len(position.legal)
    acts = registry.find(name).table_acts(position := first(name)[2])
    for after in map(position.play, acts):
        assert many(after) == len(after.legal)
    assert perft(position, 2, many) == perft(position, 2)


@pytest.mark.parametrize(
    ("name", "options", "move", "words"),
    [
        ("bad-santa-hex", {}, "die 4", ("4", "The die shows", None)),
        ("bad-santa-hex", {"labels": "free"}, "34:c3", ("3-4", "The counter with", None)),
        ("bad-santa-hex", {}, "resign white", ("White resigns", "", None)),
        ("hexalma", {}, "b1-c1", None),
        ("hexalma", {}, "draw black", ("Black: a draw", "", None)),
        ("hexel", {}, "stake 3", ("Set the Stake", "The Stake, in chips", 3)),
        ("hexel", {}, "hedge 1 6", ("Into the Hedge", "Player 2: chips for the Hedge", 6)),
        ("hexel", {}, "redraw", ("Shuffle the three cards back", "", None)),
        ("hexel", {}, "place 0,0 YYRRYR", None),
        ("knee-deep", {}, "deploy tank 2.1", ("tank: 2 material", "Deploy", None)),
        ("knee-deep", {}, "move 2.1-3.4", None),
        ("knee-deep", {}, "mark none", ("Place no marker", "", None)),
        ("knee-deep", {}, "mark 1,2,6", ("Marker where sectors 1, 2 and 6 meet", "", None)),
        ("knee-deep", {}, "lay ?", ("Lay a card face down", "", None)),
        ("knee-deep", {}, "recycle sling", ("Sling", "Discard for another: 1 energy", None)),
        (
            "knee-deep",
            {},
            "companions tech general",
            (
                "general and tech: 4 material and 2 energy each turn, 4 health for the HQ",
                *("Two companions", None),
            ),
        ),
    ],
)
def test_a_move_is_said_in_words(
    name: str, options: Any, move: str, words: tuple[str, str, int | None] | None
) -> None:
    game = registry.find(name)
    position: Any = game.begin(plain(game.board(options)), options)
    phrase = game.phrase(position, position.action(move))
    told = phrase and (say(phrase.said), say(phrase.group) if phrase.group else "", phrase.number)
    assert told == words


def test_table_acts_are_those_that_the_rules_allow_now() -> None:
    game, position = registry.find("hexalma"), first("hexalma")[2]
    for play, acts in (
        ("draw black", ["resign black", "resign white", "draw black", "draw white"]),
        ("draw white", ["resign black", "resign white", "draw white"]),
        ("", []),
    ):
        assert [position.name(act) for act in game.table_acts(position)] == acts
        position = position.play(position.action(play)) if play else position

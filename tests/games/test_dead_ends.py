"""A position that is read can be played on: moves run out exactly where there are scores."""

import re
from random import Random
from typing import Any

import pytest

from hexboard.board import plain
from hexboard.game import registry
from hexboard.game.game import AnyGame
from hexboard.words.errors import BadText

GAMES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in registry.names()),
    ("bad-santa-hex", {"size": 5, "swap": True}),
    ("hexalma", {"no_move": "lose"}),
    ("hexel", {"hands": "dealt"}),
    ("hexel", {"hands": "dealt", "seats": 4, "short_deal": "deal_equally", "stock": 9}),
    ("hexel", {"hands": "dealt", "seats": 3, "chips": "off", "stuck": "eliminated"}),
    ("knee-deep", {"hands": "dealt"}),
]
MUTANTS, STEPS, FOLLOWED = 1500, 150, 8


def texts(game: AnyGame[Any], board: Any, options: Any, random: Random) -> list[list[str]]:
    """Positions of three random games, and views of them, each in its parts."""
    found = []
    for _ in range(3):
        position = game.begin(board, options)
        for _ in range(STEPS):
            seen = random.choice([position, game.view(position, random.randrange(2))])
            found.append(re.split(r"([ ;,+/])", str(seen)))
            if not (moves := list(position.legal)):
                break
            position = position.play(random.choice(moves))
    return found


def mutant(known: list[list[str]], random: Random) -> str:
    """A position with parts of others of the same game, or of its own elsewhere."""
    parts = list(random.choice(known))
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(parts))
        other = random.choice([random.choice(known), parts])
        end = at + random.choice((1, 1, 1, 3))
        near = [n for n, part in enumerate(other) if part.split("=")[0] == parts[at].split("=")[0]]
        start = random.choice([at, *near, random.randrange(len(other))])
        parts[at:end] = other[start : start + end - at]
    return "".join(parts)


@pytest.mark.long
@pytest.mark.parametrize(("name", "options"), GAMES, ids=str)
def test_moves_run_out_exactly_at_an_end(name: str, options: dict[str, Any]) -> None:
    game, random = registry.find(name), Random(f"{name} {options}")
    board = plain(game.board(options))
    known, read = texts(game, board, options, random), 0
    for _ in range(MUTANTS):
        text = mutant(known, random)
        try:
            position = game.read(text, board, options)
        except BadText:
            continue
        read += 1
        for _ in range(FOLLOWED):
            moves = list(position.legal)
            assert (not moves) == (position.scores is not None), (text, str(position))
            if not moves:
                break
            position = position.play(random.choice(moves))
    assert read > MUTANTS // 20

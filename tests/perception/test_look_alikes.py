"""Where two legal moves would look the same on the board, no camera can tell them apart.

Random games of every engine are played, and every position's moves compared by what they would
show.
"""

import re
from collections import defaultdict
from random import Random
from typing import Any

import pytest

from hexboard.board import plain
from hexboard.game import registry
from hexboard.game.position import CHANCE

GAMES = [
    *((name, {}) for name in registry.names() if name != "hexel"),
    ("hexel", {"chips": "off"}),
    *((name, {"labels": "free"}) for name in registry.names() if name.startswith("bad-santa-")),
]
"""Each game, and options under which it is another one to the eye. Bets are said, never seen."""
ALIKE: dict[str, set[str]] = {
    "hextraction": {"end", "roll", "play ?"},
    "knee-deep": {  # cards and decks, off the board
        *("companions", "keep", "mulligan", "pick", "lay", "play"),
        *("draw", "recycle", "discard", "end"),
    },
}
"""Moves that show nothing on the board and must be said or sensed, by their first word; and a tile
without a marker, which looks the same however it is turned. All other moves of all games look
different from each other, but for counters whose labels are free."""

FIRST = r"^(?:play \?|\S+)"


def look_alikes(position: Any) -> list[list[str]]:
    """The names of moves, each list of which leads to different positions that look the same. What
    the dealer draws, nobody has to see."""
    groups = defaultdict(list)
    for action in position.legal:
        if position.actor(action) != CHANCE or not getattr(position, "dealt", False):
            groups[position.play(action).seen()].append(action)
    found = []
    for actions in groups.values():
        after = [position.play(action) for action in actions]
        if any(not after[0] == other for other in after[1:]):  # noqa: SIM201
            found.append([position.name(action) for action in actions])
    return found


@pytest.mark.long
@pytest.mark.parametrize(("name", "options"), GAMES)
def test_no_two_moves_look_the_same_but_those_that_show_nothing(
    name: str, options: dict[str, str]
) -> None:
    module, random = registry.find(name), Random(7)
    board = plain(module.board(options))
    position, same = module.start(board, options), list[list[str]]()
    for _ in range(40):
        moves = list(position.legal)
        if not moves:
            break
        same += look_alikes(position)
        position = position.play(random.choice(moves))
    if options.get("labels") == "free":  # one cell, any label
        assert same
        assert all(len({name.split(":")[1] for name in names}) == 1 for names in same)
    else:
        words = {word for names in same for move in names for word in re.findall(FIRST, move)}
        assert words <= ALIKE.get(name, set()), same


def test_what_looks_the_same_is_found() -> None:
    """A game in which cards are drawn by hand: all draws show the same empty table."""
    module = registry.find("hexel")
    options = {"hands": "dealt", "chips": "off"}
    position: Any = module.start(plain("table"), options)
    moves = list(position.legal)
    assert len({position.play(move).seen() for move in moves}) == 1
    assert len(moves) > 1

"""The games: one a file or folder, each behind `controller.games.position`.

They are found through the entry-point group `hexboard.games`: another package can bring one.
"""

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from controller.errors import BadText
from controller.files import nearest
from controller.games.position import Game


@cache
def _installed() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group="hexboard.games")}


def names() -> list[str]:
    """The games that are installed."""
    return sorted(_installed())


@cache
def find(name: str) -> Game:
    """The game of this name. Raises `BadText`, naming those that are there."""
    entry = _installed().get(name)
    if entry is None:
        known = names()
        raise BadText("game.none", name=name, near=nearest(name, known), known=", ".join(known))
    game: Game = entry.load()
    return game

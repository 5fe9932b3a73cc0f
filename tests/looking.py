"""What a game looks like to a camera, by its name."""

from hexboard.appearance import Look
from hexboard.board import plain
from hexboard.game import registry
from hexboard.games.hexalma.looks import lying

__all__ = ["looks", "lying"]


def looks(game: str) -> tuple[Look, ...]:
    """The looks of a game as it begins."""
    module = registry.find(game)
    position = module.begin(plain(module.board({})), {})
    return registry.appearance(game).looks(module.visibly(position))

"""What a game looks like to a camera, by its name, and light that makes it hard to see."""

from hexboard.appearance import Look, Lying
from hexboard.board import plain
from hexboard.game import registry
from hexboard.games.hexalma.looks import lying
from hexboard.simulator.camera.tabletop import Mood
from hexboard.vision.cells.colours import PIECES, Layout

__all__ = ["HARD", "laid", "looks", "lying"]

HARD = Mood(0.45, (0.65, 1.30), 0.12, 0.5, 0.35, 0.02)
"""Gradients of 45 %, gains from 0.65 to 1.3, colours 12 % off, deep shadows, mirrored lamps in a
third of the games and now and then a new one."""


def looks(game: str) -> tuple[Look, ...]:
    """The looks of a game as it begins."""
    module = registry.find(game)
    position = module.begin(plain(module.board({})), {})
    return registry.appearance(game).looks(module.visibly(position))


def laid(layout: Layout) -> dict[str, Lying]:
    """The pieces that `hexboard calibrate colours` asks for, as the first renderer draws them."""
    alone = {c: Lying((PIECES.index(name),)) for name, own in layout.alone.items() for c in own}
    towers = layout.towers.items()
    return alone | {c: Lying((PIECES.index(name),) * layout.high) for name, c in towers}

"""What a game looks like to a camera, by its name."""

from hexboard.appearance import Look, Lying
from hexboard.board import plain
from hexboard.game import registry
from hexboard.games.hexalma.looks import lying
from hexboard.vision.cells.colours import PIECES, Layout

__all__ = ["laid", "looks", "lying"]


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

"""Sizes: how large somebody's discs are, by what explains best a picture of some that stand alone.

    sizes = fitted(KIT, singles, towers)    # how well discs of a kit explain what is seen of either
    Alone(board, camera, pose, picture, {"e5": (BLACK,)}).explained(kit)

A disc's outline is its radius. Its height is told by towers, which show it several times over;
without them it stays as it is.
"""

from collections.abc import Callable, Mapping

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from hexboard.appearance import Kit, Look
from hexboard.board import Board
from hexboard.vision.cells.stacks import Stacks
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Camera, Pose
from hexboard.vision.light import Sampler, reference

WIDE = tuple(1 + k / 20 for k in range(-5, 6))
"""The shares of a kit's sizes that discs may have, in the steps in which they are looked for."""
NEAR = (0.975, 1.0, 1.025)
"""The same for a second look."""

LEAST, MOST = 0.76, 1.24
"""Beyond these shares of a kit's sizes other pieces lie there than were asked for."""

Explained = Callable[[Kit], float]


class Sizes(Struct, frozen=True):
    """Of discs, shares of the board's pitch."""

    radius: float
    height: float


def of(kit: Kit) -> Sizes:
    """The sizes of a kit's discs."""
    return Sizes(kit.radius, kit.height)


def sized(kit: Kit, sizes: Sizes) -> Kit:
    """A kit of discs in other sizes."""
    return replace(kit, radius=sizes.radius, height=sizes.height)


def believed(sizes: Sizes, kit: Kit) -> bool:
    """Whether discs of a kit can have these sizes."""
    shares = sizes.radius / kit.radius, sizes.height / kit.height
    return all(LEAST < share < MOST for share in shares)


def fitted(kit: Kit, singles: Explained, towers: Explained | None) -> Sizes:
    """The sizes in which a kit's discs explain best what is seen of single ones and of towers."""
    for shares in (WIDE, NEAR):
        kit = max((replace(kit, radius=kit.radius * share) for share in shares), key=singles)
        if towers:
            kit = max((replace(kit, height=kit.height * share) for share in shares), key=towers)
    return of(kit)


class _Close(Stacks):
    """Stacks in a few cells, looked at more closely."""

    across, down = 30, 42
    slop_mm = tuple(k * 0.45 for k in range(-4, 5))


class Alone:
    """Stacks of known colours, from the bottom, that stand alone in cells of a picture."""

    def __init__(
        self,
        board: Board,
        camera: Camera,
        pose: Pose,
        picture: Picture,
        laid: Mapping[str, tuple[int, ...]],
    ) -> None:
        self._stands, self._picture = (board, camera, pose), picture
        self._cells = [board.cell[cell] for cell in laid]
        stacks = sorted(set(laid.values()))
        self._looks = (Look(), *(Look((stack,)) for stack in stacks))
        self._codes = np.array([1 + stacks.index(stack) for stack in laid.values()])

    def explained(self, kit: Kit) -> float:
        """By how much discs of this kit explain what is seen better than bare ground does."""
        board, camera, pose = self._stands
        model = _Close(board, camera, pose, kit, self._looks, self._cells)
        band = reference(board, camera, pose, kit)
        field, _ = band.fit(self._picture)
        lit = np.exp(band.basis(model.grounds) @ field).astype(np.float32)
        scores, _ = model.read(Sampler(model.points).look(self._picture), lit)
        gains = scores[np.arange(len(self._cells)), self._codes] - scores[:, 0]
        return float(gains @ model.areas)

"""How parts hang on the frame: beside its sill, by a tab under it with a screw of M3."""

import math
from collections.abc import Iterator

from hexboard.commands.build.cad.beams import OUT_MM, half_edge
from hexboard.commands.build.cad.frame import rims
from hexboard.commands.build.cad.lengths import Lengths
from hexboard.commands.build.cad.recipe import MovedSolid, Point, Prism, Rod, hexagon
from hexboard.commands.build.module.beds import BESIDE_MM, SILL_MM

TAB_MM, TAB_HALF_MM = 3.0, 4.5
"""How thick a tab is at its tip, and half its width."""
SCREW_MM, HEAD_MM = 1.7, 3.2
"""The radii of a screw's hole and of the room of its head."""
FAR_MM = 2.5
"""Slots whose middles lie within so many pitches may be in a part's way."""


def taken(found: Lengths, near: Point, out: float = SILL_MM + BESIDE_MM) -> Iterator[Prism]:
    """What the frame takes there: its slots, and so far outside each of its edges."""
    board, half = found.board, half_edge(found)
    high = found.under - 100, found.under + 100
    cells = [it for it in board.cells if math.dist((it.x, it.y), near) < FAR_MM * board.pitch]
    for it in cells:
        yield Prism(hexagon((it.x, it.y), board.pitch), *high)
    for rim in rims(found, [it.id for it in cells]):
        long = half + out / 3**0.5
        yield found.stand(*rim).box((-long, long), (-1.0, out), high)


def tab(found: Lengths, cell: str, edge: int, low: float) -> MovedSolid:
    """A tab under a sill, of a part that stands on the bed at `low`."""
    near, root = 0.6, SILL_MM + BESIDE_MM + 1.0
    top = found.under - 0.05
    outline = bracket(near, root, (top - TAB_MM, top), low)
    return found.stand(cell, edge).side(outline, (-TAB_HALF_MM, TAB_HALF_MM))


def bracket(near: float, root: float, tip: Point, low: float) -> tuple[Point, ...]:
    """What reaches out from a root, seen from the side: thick at its tip from and to there, and
    thicker towards its root as steeply as prints without support, down to the bed at most."""
    under, top = tip
    deep = min(root - near, under - low)
    steep = ((near, under), (near + deep, under - deep))
    level = ((root, under - deep),) if near + deep < root else ()
    return (*steep, *level, (root, top), (near, top))


def flat_tab(found: Lengths, cell: str, edge: int) -> Prism:
    """A tab that lies on the printer's bed."""
    top = found.under - 0.05
    bounds = (0.6, SILL_MM + BESIDE_MM + 1.0)
    return found.stand(cell, edge).box((-TAB_HALF_MM, TAB_HALF_MM), bounds, (top - TAB_MM, top))


def screw(found: Lengths, cell: str, edge: int) -> Iterator[Rod]:
    """The hole of its screw, and of the screw's head."""
    stand, low = found.stand(cell, edge), found.under - 200
    yield stand.bore(0.0, OUT_MM, (low, found.under + 1), SCREW_MM)
    yield stand.bore(0.0, OUT_MM, (low, found.under - 0.05 - TAB_MM), HEAD_MM)

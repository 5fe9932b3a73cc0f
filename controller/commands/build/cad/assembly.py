"""How a board's printed parts are put together: a picture for each step, parts drawn apart.

Each is a list of parts where they go, and how far off they are drawn; `shaded` draws them.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import Board, BuildEntry
from hexboard.commands.build.cad.edge import struts_at, under
from hexboard.commands.build.cad.edge import ties_at as edge_ties_at
from hexboard.commands.build.cad.frame import part_of, tied
from hexboard.commands.build.cad.frame import ties_at as frame_ties_at
from hexboard.commands.build.cad.lengths import BOARD_MM, Lengths, lengths
from hexboard.commands.build.cad.recipe import (
    Carved,
    MovedSolid,
    PrintedPart,
    Prism,
    Rod,
    Solid,
    Spot,
    extent,
)
from hexboard.commands.build.geometry import Geometry, geometry

BOARD = "circuit-board"
"""What a slot's circuit board is called in a picture: it is not printed."""
ABOVE: Spot = (-0.45, -0.75, 0.6)
"""From where a picture is drawn, unless it says otherwise: from before, the left and above."""
BESIDE_MM: Spot = (110.0, -60.0, 0.0)
"""Where the box is drawn, beside the camera's arm."""
GAP_MM = 15.0
"""Between pieces of the camera's arm."""
APART = 0.25
"""How far off parts of the frame are drawn, by how far from the middle they are."""


class DrawnPart(Struct, frozen=True):
    """A part in a picture: where it goes, and how far off that it is drawn, mm; `new` in this step
    or there already."""

    name: str
    shape: Solid
    off: Spot = (0.0, 0.0, 0.0)
    new: bool = True
    kind: str = ""
    """What parts of one colour are; "" for one that is like no other."""


class AssemblyStep(Struct, frozen=True):
    """A picture of one step."""

    name: str
    parts: tuple[DrawnPart, ...]
    eye: Spot = ABOVE


def assembly(
    board: Board, plan: BuildEntry, parts: tuple[PrintedPart, ...]
) -> tuple[AssemblyStep, ...]:
    """The steps of a board with slots; none for others."""
    if plan.slot is None:
        return ()
    found, places = lengths(board, plan), geometry(board, plan)
    known = {it.name: it.shape for it in parts}
    around = tuple(_around(found, known))
    joined = (*_frame(known), *around)
    return (
        AssemblyStep("frame", tuple(_frame_apart(found, places, known))),
        AssemblyStep("slot", tuple(_slot(found, places, known)), (-0.5, -0.8, 0.35)),
        AssemblyStep("around", (*_there(_frame(known)), *around)),
        AssemblyStep("edge", (*_there(joined), *_edge(found, known))),
        AssemblyStep("camera", tuple(_camera(parts)), (-0.5, -0.8, 0.3)),
    )


def _there(parts: Iterable[DrawnPart]) -> Iterator[DrawnPart]:
    """The same, in their places from a step before."""
    return (replace(it, off=(0.0, 0.0, 0.0), new=False) for it in parts)


def _frame(known: Mapping[str, Solid]) -> Iterator[DrawnPart]:
    frames = (it for it in known.items() if it[0].startswith("frame-"))
    return (DrawnPart(name, shape, kind="frame") for name, shape in frames)


def _frame_apart(
    found: Lengths, places: Geometry, known: Mapping[str, Solid]
) -> Iterator[DrawnPart]:
    """Upside down, as it is glued: parts apart, bow ties over them."""
    for it in _frame(known):
        (left, low, _), (right, high, _) = extent(it.shape)
        off = (APART * (left + right) / 2, APART * (low + high) / 2, 0.0)
        yield _over(replace(it, off=off))
    for stand in frame_ties_at(found, places):
        yield _over(DrawnPart("bow-tie", tied(stand, found.under), (0.0, 0.0, -28.0)))


def _over(it: DrawnPart) -> DrawnPart:
    """Turned upside down."""
    x, y, z = it.off
    return replace(it, shape=MovedSolid(it.shape, 180.0), off=(x, -y, -z))


def _slot(found: Lengths, places: Geometry, known: Mapping[str, Solid]) -> Iterator[DrawnPart]:
    """What lies in and under one slot, over one another."""
    cell = min(places.slots, key=lambda it: (it.y, it.x)).id
    at = (found.board.cell[cell].x, found.board.cell[cell].y, 0.0)
    frame = part_of(found, places, cell)
    yield DrawnPart(frame, known[frame], new=False)
    tiles = (it for it in known if it.startswith("tile-"))
    for name in (*[*tiles][:1], "light-ring", "collar"):
        off = {"light-ring": -35.0, "collar": -95.0}.get(name, 45.0)
        yield DrawnPart(name, MovedSolid(known[name], by=at), (0.0, 0.0, off))
    if found.module is not None:
        low = found.stack.board_low
        hole = Rod((0, 0, low - 1), (0, 0, low + BOARD_MM + 1), found.module.hole)
        shape = Carved((Prism(found.module.outline, low, low + BOARD_MM),), (hole,))
        yield DrawnPart(BOARD, MovedSolid(shape, by=at), (0.0, 0.0, -65.0))


def _around(found: Lengths, known: Mapping[str, Solid]) -> Iterator[DrawnPart]:
    """What hangs on the frame."""
    off = {"ramp": (0.0, 45.0, -10.0), "zone": (0.0, -45.0, -10.0), "foot": (45.0, 0.0, -45.0)}
    for name, shape in known.items():
        if (kind := name.split("-")[0]) in off:
            (x, y, z), side = off[kind], extent(shape)[0][0]
            yield DrawnPart(name, shape, (x if side > 0 else -x, y, z), kind=kind)
    for name, stand, shape in struts_at(found):
        x, y = stand.at(0.0, 35.0)
        yield DrawnPart(name, shape, (x - stand.x, y - stand.y, -10.0))


def _edge(found: Lengths, known: Mapping[str, Solid]) -> Iterator[DrawnPart]:
    """The plate over all that, and the level on it."""
    for name, shape in known.items():
        if name.startswith("edge-") and name != "edge-bow-tie":
            yield DrawnPart(name, shape, (0.0, 0.0, 90.0), kind="edge")
    yield DrawnPart("level-seat", known["level-seat"], (0.0, 0.0, 98.0))
    for stand in edge_ties_at(found):
        yield DrawnPart("edge-bow-tie", tied(stand, under(found)), (0.0, 0.0, 45.0))


def _camera(parts: Iterable[PrintedPart]) -> Iterator[DrawnPart]:
    """The arm, one piece over another; and the box, open, beside it."""
    up = 0.0
    for it in (it for it in parts if it.name.startswith("camera-")):
        for _ in range(it.count):
            yield DrawnPart(it.name, it.shape, (0.0, 0.0, up))
            up += extent(it.shape)[1][2] + GAP_MM
    for it in (it for it in parts if it.name.startswith("box")):
        over = 60.0 if it.name == "box-lid" else 0.0
        yield DrawnPart(it.name, MovedSolid(it.shape, by=BESIDE_MM), (0.0, 0.0, over))

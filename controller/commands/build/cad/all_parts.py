"""Every part of a board that is printed."""

from collections.abc import Iterator

from hexboard.board import Board, BuildEntry
from hexboard.commands.build.cad import (
    arm,
    box,
    edge,
    feet,
    frame,
    level,
    ramps,
    ring,
    tiles,
    zones,
)
from hexboard.commands.build.cad.lengths import lengths, on_bed
from hexboard.commands.build.cad.pieces import PieceKinds, pieces
from hexboard.commands.build.cad.recipe import PrintedPart
from hexboard.commands.build.geometry import geometry


def all_parts(
    board: Board, plan: BuildEntry, wanted: PieceKinds | None = None
) -> tuple[PrintedPart, ...]:
    """All of them, with those of a game's pieces that are wanted. Raises `BadText` for what cannot
    be printed."""
    found = tuple(_parts(board, plan, wanted or PieceKinds()))
    on_bed(found, plan.bed_mm)
    return found


def _parts(board: Board, plan: BuildEntry, wanted: PieceKinds) -> Iterator[PrintedPart]:
    own = [*pieces(wanted, board.pitch)]
    if plan.slot is not None or not own:
        found = lengths(board, plan)
        yield from frame.frames(found, geometry(board, plan))
        yield ring.ring(found)
        yield ring.collar(found)
        yield from ramps.ramps(found)
        yield from zones.zones(found)
        yield from feet.feet(found)
        yield from edge.edges(found)
        yield from level.level(found)
        yield from arm.arm(found)
        yield from box.boxes()
        yield from tiles.tiles(found, wanted)
    yield from own

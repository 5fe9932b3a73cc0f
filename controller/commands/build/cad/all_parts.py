"""Every part of a board that is printed."""

from collections.abc import Iterator

from hexboard.board import Board, BuildEntry
from hexboard.commands.build.cad import arm, box, edge, feet, frame, ramps, ring, zones
from hexboard.commands.build.cad.lengths import lengths, on_bed
from hexboard.commands.build.cad.recipe import PrintedPart
from hexboard.commands.build.geometry import geometry


def all_parts(board: Board, plan: BuildEntry) -> tuple[PrintedPart, ...]:
    """All of them. Raises `BadText` for what cannot be printed."""
    found = tuple(_parts(board, plan))
    on_bed(found, plan.bed_mm)
    return found


def _parts(board: Board, plan: BuildEntry) -> Iterator[PrintedPart]:
    found = lengths(board, plan)
    yield from frame.frames(found, geometry(board, plan))
    yield ring.ring(found)
    yield ring.collar(found)
    yield from ramps.ramps(found)
    yield from zones.zones(found)
    yield from feet.feet(found)
    yield from edge.edges(found)
    yield from arm.arm(found)
    yield from box.boxes()

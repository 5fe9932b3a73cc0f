"""Each kind of circuit board that a board can have: its circuit, and where its parts lie."""

from hexboard.board import Board
from hexboard.commands.build.module.beside import (
    beside,
    ramp_circuit,
    ramp_placed,
    zone_circuit,
    zone_placed,
)
from hexboard.commands.build.module.circuit import CircuitPart, circuit
from hexboard.commands.build.module.flower import flower_circuit, flower_placed
from hexboard.commands.build.module.placing import ModulePlan, placed
from hexboard.commands.build.module.routing import EDGE_MM
from hexboard.words.errors import BadText
from hexboard.words.numbers import decimal


def laid_out(kind: str, board: Board, ball_mm: float) -> tuple[tuple[CircuitPart, ...], ModulePlan]:
    """Of `slot`, `ramp`, `zone` or `seven`. Raises `BadText` for one that cannot be drawn."""
    parts, plan = _laid_out(kind, board, ball_mm)
    for it in plan.parts:
        if any(plan.inside(pad) < EDGE_MM for pad in plan.pads(it)):
            raise BadText("module.outside", part=it.part.ref, kind=kind, least=decimal(EDGE_MM))
    return parts, plan


def _laid_out(
    kind: str, board: Board, ball_mm: float
) -> tuple[tuple[CircuitPart, ...], ModulePlan]:
    if kind == "slot":
        parts = circuit(under=any(it.kind == "fall" for it in board.sensors))
        return parts, placed(board, parts, ball_mm)
    if kind == "seven":
        return flower_circuit(), flower_placed(board, flower_circuit())
    first = next((it for it in beside(board) if it.kind == kind), None)
    if first is None:
        raise BadText("module.none", board=board.name)
    if kind == "ramp":
        parts = ramp_circuit(len(first.sensors))
        return parts, ramp_placed(first, parts)
    return zone_circuit(), zone_placed(board, ball_mm, zone_circuit())

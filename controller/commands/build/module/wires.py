"""Which sensor of a board is on which input of which slot's circuit board.

Slots are chained in the order of the board's cells, the first nearest to the Pico. A seam belongs
to its first slot. What is at no slot (lanes, end zones, rail) has registers at the chain's end.
"""

from hexboard.board import Board, Sensor
from hexboard.commands.build.module.circuit import INPUTS

AT_EDGES = ("edge", "exit", "gate", "throat")
"""Kinds of beams that lie at a slot's edge."""


def module_inputs(board: Board) -> dict[str, tuple[str, str]]:
    """For each sensor that is on a slot's circuit board: the slot, and the register's input."""
    seams = {board.seam(cell, edge): (cell, edge) for cell, edge, _ in board.shared_edges}
    found = {}
    for it in board.sensors:
        place = _place(it, seams)
        if it.source == "pico" and place is not None:
            found[it.id] = place
    return found


def _place(it: Sensor, seams: dict[str, tuple[str, int]]) -> tuple[str, str] | None:
    if it.kind in AT_EDGES:
        cell, _, edge = it.place.partition("-")
        cell, number = seams.get(it.place) or (cell, int(edge))
        return cell, INPUTS[number - 1]
    return {"fall": (it.place, "G"), "seat": (it.place, "H")}.get(it.kind)


def chained_inputs(board: Board) -> dict[str, int]:
    """The input of every sensor of the Pico's, in the chain of circuit boards."""
    on, order = module_inputs(board), {cell.id: k for k, cell in enumerate(board.cells)}
    found = {
        sensor: len(INPUTS) * order[cell] + INPUTS.index(name)
        for sensor, (cell, name) in on.items()
    }
    first = len(INPUTS) * len(order)
    rest = [it.id for it in board.sensors if it.source == "pico" and it.id not in on]
    return found | {sensor: first + k for k, sensor in enumerate(rest)}


def registers(board: Board) -> int:
    """How many there are in that chain."""
    return 1 + max(chained_inputs(board).values(), default=-1) // len(INPUTS)

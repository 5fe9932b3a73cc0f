"""Which sensor of a board is on which input of which circuit board.

Slots are chained column by column, there and back, the first nearest to the Pico; circuit boards of
end zones and ramps hang between two slots where that takes the least cable. A seam belongs to its
first slot. What is on none of all these is wired by hand, to registers of its own at the chain's
end: whose `kinds` has no ramp or no zone builds those by hand.
"""

import math
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, pairwise

from msgspec.structs import replace

from hexboard.board import Board, Cell, Sensor
from hexboard.commands.build.measures import middles
from hexboard.commands.build.module.beside import BesideBoard, beside
from hexboard.commands.build.module.circuit import INPUTS
from hexboard.commands.build.module.placing import owned

BESIDE = ("ramp", "zone")
"""What has circuit boards beside the slots."""
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


def far_beams(board: Board) -> int:
    """How many beams at the rim have sockets that the legs of their LEDs do not reach: those at
    edges over whose ribs no circuit board lies."""
    names = {INPUTS[edge - 1] for edge in owned(board)}
    on, kinds = module_inputs(board), {it.id: it.kind for it in board.sensors}
    return sum(kinds[it] in AT_EDGES and name not in names for it, (_, name) in on.items())


def _place(it: Sensor, seams: dict[str, tuple[str, int]]) -> tuple[str, str] | None:
    if it.kind in AT_EDGES:
        cell, _, edge = it.place.partition("-")
        cell, number = seams.get(it.place) or (cell, int(edge))
        return cell, INPUTS[number - 1]
    return {"fall": (it.place, "G"), "seat": (it.place, "H")}.get(it.kind)


def chain_row(board: Board, kinds: Collection[str] = BESIDE) -> tuple[Cell | BesideBoard, ...]:
    """What hangs in the chain, one circuit board after the other."""
    columns = groupby(sorted(board.cells, key=lambda it: (it.x, -it.y)), key=lambda it: it.x)
    row: list[Cell | BesideBoard] = []
    for number, (_, column) in enumerate(columns):
        row += [*column][:: -1 if number % 2 else 1]
    for one in (it for it in beside(board) if it.kind in kinds):
        tries = ([*row[:k], one, *row[k:]] for k in range(1, len(row) + 1))
        row = min(tries, key=lambda it: round(sum(_hops(it)), 1))
    return tuple(row)


def hops_mm(board: Board, kinds: Collection[str] = BESIDE) -> tuple[float, ...]:
    """How far it is from each to the next, middle to middle."""
    return tuple(_hops(chain_row(board, kinds)))


def _hops(row: Sequence[Cell | BesideBoard]) -> Iterator[float]:
    for a, b in pairwise(row):
        yield math.dist((a.x, a.y), (b.x, b.y))


def chained_inputs(board: Board, kinds: Collection[str] = BESIDE) -> dict[str, int]:
    """The input of every sensor of the Pico's, in the chain of circuit boards."""
    on, row, each = module_inputs(board), chain_row(board, kinds), len(INPUTS)
    order = {it.id: k for k, it in enumerate(row) if isinstance(it, Cell)}
    found = {sensor: each * order[cell] + INPUTS.index(name) for sensor, (cell, name) in on.items()}
    for number, one in enumerate(row):
        if isinstance(one, BesideBoard):
            found |= {it.id: each * number + k for k, it in enumerate(one.sensors)}
    rest = [it.id for it in board.sensors if it.source == "pico" and it.id not in found]
    return found | {sensor: each * len(row) + k for k, sensor in enumerate(rest)}


def registers(board: Board, kinds: Collection[str] = BESIDE) -> int:
    """How many there are in that chain: one on each circuit board at least."""
    last = 1 + max(chained_inputs(board, kinds).values(), default=-1) // len(INPUTS)
    return max(last, len(chain_row(board, kinds)))


def by_hand(board: Board, kinds: Collection[str] = BESIDE) -> Board:
    """The board with the sensors alone that are on no circuit board, at their inputs in the
    chain."""
    inputs, first = chained_inputs(board, kinds), len(INPUTS) * len(chain_row(board, kinds))
    found = (replace(it, input=inputs.get(it.id, it.input)) for it in board.sensors)
    return replace(
        board, sensors=tuple(it for it in found if it.source != "pico" or it.input >= first)
    )


def hand_hops_mm(board: Board, kinds: Collection[str] = BESIDE) -> tuple[float, ...]:
    """From the last circuit board to the first register of what is wired by hand, and on to the
    next of those."""
    last = chain_row(board, kinds)[-1]
    ends = [(last.x, last.y), *middles(by_hand(board, kinds)).values()]
    return tuple(math.dist(a, b) for a, b in pairwise(ends))

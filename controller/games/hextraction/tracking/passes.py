"""Passes: how long balls took from one edge of a tile to the next sign at its edges, and from a
lane's loading place to its gate.

A way is named by the tile and the printed edge over which a ball came in, "J 3": a tile is as slow
as it is however it is turned. That down a lane is named by it, "lane B1-6". A course is named by
the edges of the slot, "1-3 of 2": a board leans as it does whatever lies there. Two signs
that are no further apart than their device's longest look tell no time.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from hexboard.board import EDGES, Board, CellId, Edge, turned
from hexboard.facts import MS
from hexboard.games.hextraction.rules.actions import Action, BallTouch, Roll
from hexboard.games.hextraction.rules.state import Placed
from hexboard.perception.debounce import Change
from hexboard.perception.leaning import course

Doors = Mapping[Placed, Mapping[Edge, tuple[Edge, ...]]]
"""What balls meet in tiles as they lie: for each open edge those by which one can leave."""
LANE = "lane "
"""What the name of the way down a lane begins with."""


class Passage(Struct, frozen=True):
    """A ball took so many `ms` on a way; sign `number` ended that. `course` is "" in a lane."""

    number: int
    way: str
    course: str
    ms: int


def way(placed: Placed, entry: Edge) -> str:
    """The name of the way of a ball that came in over this edge of the slot."""
    return f"{placed.tile} {turned(entry, -placed.rotation)}"


def passes(
    items: Sequence[Change | Action],
    story: Sequence[tuple[int, int, Action]],
    lies: Mapping[CellId, Placed],
    board: Board,
    doors: Doors,
) -> Iterator[Passage]:
    """Of a judged story each pass through a tile that `lies`, or down a lane."""
    inside: dict[int, tuple[CellId, Edge, int]] = {}
    for number, ball, action in story:
        sign = items[number] if number < len(items) else None
        if not isinstance(sign, Change) or not sign.level:
            inside.pop(ball, None)
            continue
        place = sign.sensor.partition(":")[2]
        since = _let_go(items[:number], action.ramp) if isinstance(action, Roll) else 0
        if isinstance(action, Roll) and since and _told(sign, since):
            yield Passage(number, f"{LANE}{action.ramp}", "", (sign.at - since) // MS)
        slot, entry, since = inside.pop(ball, ("", 0, 0))
        timed = since < sign.at and _told(sign, since)
        if slot in lies and timed and (edge := _edge(board, slot, place)):
            on = doors[lies[slot]].get(entry, ())
            along = course(entry, edge, len(on)) if edge in on else ""
            yield Passage(number, way(lies[slot], entry), along, (sign.at - since) // MS)
        if isinstance(action, BallTouch) and (edge := _edge(board, action.slot, place)):
            inside[ball] = action.slot, edge, sign.at


def _told(sign: Change, since: int) -> bool:
    """Whether its device looks often enough to tell how long this took."""
    return not sign.within or sign.at - since > sign.within


def _let_go(before: Sequence[Change | Action], lane: str) -> int:
    """When the loading place of a lane let go of a ball last; 0 for never."""
    loads = (it for it in reversed(before) if isinstance(it, Change) and it.sensor[5:] == lane)
    load = next((it for it in loads if it.sensor == f"load:{lane}"), None)
    return load.at if load and not load.level else 0


def _edge(board: Board, slot: CellId, place: str) -> Edge:
    """The edge of a slot that bears this name; 0 for none."""
    return next((edge for edge in EDGES if board.seam(slot, edge) == place), 0)

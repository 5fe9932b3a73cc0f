"""The ground that balls roll on: which tile lies where, what is behind each edge, lengths, heights.

A channel between two edges is an arc that is square to both, 30 to 50 mm long; one
that joins more edges is a star. Millimetres, y up the slope.
"""

import math

from msgspec import Struct

from hexboard.board import EDGES, Board, CellId, Edge, opposite, turned
from hexboard.games.hextraction.tiles.tile import Tile
from tests.worlds.truth import Layout

Point = tuple[float, float]


class Behind(Struct, frozen=True):
    """What a ball meets that goes over an edge."""

    kind: str
    """way, wall (of a tile), open (a slot without tile), side, zone or lane."""
    place: str = ""
    """The neighbour, zone or lane."""
    edge: Edge = 0
    """Of the neighbour."""


class Ground:
    """A board with tiles on it, tilted."""

    def __init__(self, board: Board, tilt_deg: float, side_deg: float) -> None:
        self.board = board
        self.tiles: dict[CellId, tuple[Tile, int]] = {}
        self._down = math.sin(math.radians(tilt_deg))
        self._right = math.sin(math.radians(side_deg))

    @property
    def layout(self) -> Layout:
        """The tiles that lie, in the board's order."""
        lying = ((cell.id, self.tiles.get(cell.id)) for cell in self.board.cells)
        return tuple((slot, tile[0].id, tile[1]) for slot, tile in lying if tile)

    @property
    def open_slots(self) -> list[CellId]:
        return [cell.id for cell in self.board.cells if cell.id not in self.tiles]

    def height(self, point: Point) -> float:
        """mm above the middle of the board."""
        return point[1] * self._down - point[0] * self._right

    def net(self, slot: CellId, edge: Edge) -> tuple[Edge, ...]:
        """The edges that the space behind an edge joins, it among them; () where it is a wall. In
        the slot's frame."""
        tile, rotation = self.tiles[slot]
        for net in tile.nets:
            edges = tuple(turned(printed, rotation) for printed in net)
            if edge in edges:
                return edges
        return ()

    def odds(self, slot: CellId, entry: Edge) -> dict[Edge, float]:
        """What the tile's file states of a ball that comes in there."""
        tile, rotation = self.tiles[slot]
        return {
            turned(route.to, rotation): route.p
            for route in tile.routes
            if turned(route.start, rotation) == entry
        }

    def edge_point(self, slot: CellId, edge: Edge) -> Point:
        return self.board.edge_point(slot, edge)

    def hub(self, slot: CellId, net: tuple[Edge, ...]) -> Point:
        """The middle of a channel: of the arc, or of the star."""
        here = self.board.cell[slot]
        if len(net) != 2 or (net[0] - net[1]) % 6 == 3:
            return here.x, here.y
        (ax, ay), (bx, by) = (self._normal(slot, edge) for edge in net)
        half = math.radians(30 * min((net[0] - net[1]) % 6, (net[1] - net[0]) % 6))
        reach = self.board.pitch / 2 * (1 / math.cos(half) - math.tan(half))
        size = math.hypot(ax + bx, ay + by)
        return here.x + reach * (ax + bx) / size, here.y + reach * (ay + by) / size

    def half_mm(self, slot: CellId, net: tuple[Edge, ...]) -> float:
        """How long it is from an edge to the hub."""
        reach = self.board.pitch / 2
        if len(net) != 2 or (net[0] - net[1]) % 6 == 3:
            return reach
        half = math.radians(30 * min((net[0] - net[1]) % 6, (net[1] - net[0]) % 6))
        return reach * math.tan(half) * (math.pi / 2 - half)

    def drop(self, slot: CellId, net: tuple[Edge, ...], edge: Edge) -> float:
        """How much lower the hub lies than the edge, mm."""
        return self.height(self.edge_point(slot, edge)) - self.height(self.hub(slot, net))

    def lane_mm(self, lane: str) -> tuple[float, float]:
        """Of a lane: how long it is to its gate, and how far down that goes."""
        ramp = next(ramp for ramp in self.board.ramps if ramp.id == lane)
        top, foot = self.board.lane_point(ramp), self.board.edge_point(ramp.cell, ramp.edge, 3)
        return math.dist(top, foot), self.height(top) - self.height(foot)

    def behind(self, slot: CellId, edge: Edge) -> Behind:
        """What lies over an edge of a slot."""
        other = self.board.neighbour(slot, edge)
        if other is not None:
            if other not in self.tiles:
                return Behind("open", other)
            facing = opposite(edge)
            return Behind("way" if self.net(other, facing) else "wall", other, facing)
        if lane := self.board.entry.get((slot, edge)):
            return Behind("lane", lane)
        if zone := self.board.goal.get((slot, edge)):
            return Behind("zone", zone)
        return Behind("side")

    def sensor(self, slot: CellId, edge: Edge) -> str:
        """The sensor at an edge."""
        behind = self.behind(slot, edge)
        kinds = {"lane": "gate", "zone": "throat", "side": "exit"}
        return f"{kinds.get(behind.kind, 'edge')}:{self.board.seam(slot, edge)}"

    def walls(self, slot: CellId) -> list[tuple[CellId, Edge]]:
        """The neighbours' edges against which a ball would lean on this slot's tile."""
        return [
            (other, opposite(edge))
            for edge in EDGES
            if (other := self.board.neighbour(slot, edge)) is not None
        ]

    def _normal(self, slot: CellId, edge: Edge) -> Point:
        here, (x, y) = self.board.cell[slot], self.board.edge_point(slot, edge)
        size = math.hypot(x - here.x, y - here.y)
        return (x - here.x) / size, (y - here.y) / size

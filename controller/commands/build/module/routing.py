"""Tracks between the pads of a circuit board, found in a maze of two layers.

Each net in turn: from what is joined already, Dijkstra's search over a grid to the nearest pad that
is not; steps, turns aside and vias cost. A net that finds no way goes to the front, and all starts
again. What comes out is checked by KiCad, not here.
"""

import math
from collections import defaultdict
from collections.abc import Iterator
from heapq import heappop, heappush

from msgspec import Struct

from hexboard.commands.build.module.placing import RING_MM, ModulePlan, SetPad, turned

GRID_MM = 0.25
TRACK_MM = 0.25
CLEAR_MM = 0.2
VIA_MM, VIA_DRILL_MM = 0.6, 0.3
EDGE_MM = 0.5
"""From copper to the outline."""
VIA_COST = 12.0
TRIES = 40
TOP, UNDER = 0, 1
MANY = "*"
"""Near the copper of more than one net, or near the outline: nobody's way."""

Spot = tuple[int, int, int]
"""Layer, column, row."""
STEPS = [(dx, dy, math.hypot(dx, dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


class CopperLine(Struct, frozen=True):
    """A straight track."""

    net: str
    layer: int
    start: tuple[float, float]
    end: tuple[float, float]
    wide: float = TRACK_MM


class CopperVia(Struct, frozen=True):
    """Copper through the board, from one layer to the other."""

    net: str
    x: float
    y: float


class Copper(Struct, frozen=True):
    lines: tuple[CopperLine, ...]
    vias: tuple[CopperVia, ...]
    open: tuple[str, ...]
    """Nets that found no way; "" if all are joined."""


def routed(plan: ModulePlan) -> Copper:
    """All tracks of a circuit board."""
    rings = tuple(ring_lines(plan))
    pads = [pad for part in plan.parts for pad in plan.pads(part)]
    by_net = defaultdict[str, list[SetPad]](list)
    for pad in pads:
        if pad.net:
            by_net[pad.net].append(pad)
    order = sorted(by_net, key=lambda net: (_spread(by_net[net]), net))
    found = Copper((), (), tuple(order))
    for _ in range(TRIES):
        maze = _Maze(plan, pads, rings)
        failed = [net for net in order if not maze.join(net, by_net[net])]
        if len(failed) < len(found.open):
            found = Copper((*rings, *maze.lines), tuple(maze.vias), tuple(failed))
        if not failed:
            break
        order = failed + [net for net in order if net not in failed]
    return found


def _spread(pads: list[SetPad]) -> float:
    xs, ys = [pad.x for pad in pads], [pad.y for pad in pads]
    return max(xs) - min(xs) + max(ys) - min(ys)


def ring_lines(plan: ModulePlan) -> Iterator[CopperLine]:
    """The rings for 5 V and ground, in short straight pieces, and what joins them to both plugs."""
    for net, radius, start, end in plan.rings:
        count = round((end - start) / 6)
        angles = [start + k * (end - start) / count for k in range(count + 1)]
        points = [turned(radius, 0.0, angle) for angle in angles]
        for a, b in zip(points, points[1:], strict=False):
            yield CopperLine(net, UNDER, a, b, RING_MM)
        for it in plan.parts:
            pads = (pad for pad in plan.pads(it) if it.part.ref in ("J1", "J2") and pad.net == net)
            for pad in pads:
                near = min(points, key=lambda at: math.dist(at, (pad.x, pad.y)))
                yield CopperLine(net, UNDER, (pad.x, pad.y), near, 1.2)


class _Maze:
    """Which net may be at each spot of the grid, for a track and for a via."""

    def __init__(
        self, plan: ModulePlan, pads: list[SetPad], rings: tuple[CopperLine, ...]
    ) -> None:
        self.lines: list[CopperLine] = []
        self.vias: list[CopperVia] = []
        self._track: list[dict[tuple[int, int], str]] = [{}, {}]
        self._hole: dict[tuple[int, int], str] = {}
        self._joined = defaultdict[str, set[Spot]](set)
        self._bound(plan)
        for pad in pads:
            self._pad(pad)
        for line in rings:
            self._line(line)

    def join(self, net: str, pads: list[SetPad]) -> bool:
        """Join all pads of a net; False where one finds no way."""
        left = [spots for pad in pads if (spots := self._spots(pad))]
        tree = set(self._joined[net]) or left.pop(0)
        left = [spots for spots in left if not spots & tree]
        while left:
            way = self._way(net, tree, set[Spot]().union(*left))
            if not way:
                return False
            tree |= self._lay(net, way)
            tree |= set[Spot]().union(*(spots for spots in left if spots & tree))
            left = [spots for spots in left if not spots & tree]
        return True

    def _way(self, net: str, tree: set[Spot], goals: set[Spot]) -> list[Spot]:
        """The cheapest way from a tree to any goal."""
        heap = [(0.0, spot) for spot in sorted(tree)]
        cost, before = dict.fromkeys(tree, 0.0), dict[Spot, Spot]()
        done = set[Spot]()
        while heap:
            spent, here = heappop(heap)
            if here in done:
                continue
            done.add(here)
            if here in goals:
                way = [here]
                while way[-1] in before:
                    way.append(before[way[-1]])
                return way[::-1]
            for spot, step in self._next(net, here):
                if spot not in done and spent + step < cost.get(spot, math.inf):
                    cost[spot], before[spot] = spent + step, here
                    heappush(heap, (spent + step, spot))
        return []

    def _next(self, net: str, here: Spot) -> Iterator[tuple[Spot, float]]:
        layer, x, y = here
        track = self._track[layer]
        for dx, dy, step in STEPS:
            if track.get((x + dx, y + dy), net) == net:
                yield (layer, x + dx, y + dy), step
        if self._hole.get((x, y), net) == net:
            yield (1 - layer, x, y), VIA_COST

    def _lay(self, net: str, way: list[Spot]) -> set[Spot]:
        """Lay a track along a way: straight pieces, and a via where it changes its layer."""
        start = way[0]
        for k, here in enumerate(way[1:], 1):
            last = way[k - 1]
            if here[0] != last[0]:
                x, y = last[1] * GRID_MM, last[2] * GRID_MM
                self.vias.append(CopperVia(net, x, y))
                self._round(net, (x, y), VIA_MM / 2, (TOP, UNDER))
                self._piece(net, start, last)
                start = here
            elif start != last and _heading(last, here) != _heading(way[k - 2], last):
                self._piece(net, start, last)
                start = last
        self._piece(net, start, way[-1])
        return set(way)

    def _piece(self, net: str, a: Spot, b: Spot) -> None:
        if a != b:
            start, end = ((spot[1] * GRID_MM, spot[2] * GRID_MM) for spot in (a, b))
            line = CopperLine(net, a[0], start, end)
            self.lines.append(line)
            self._line(line)

    # What is near copper

    def _bound(self, plan: ModulePlan) -> None:
        """Nobody's way is near the outline or the hole. Its corners are too few to be clever."""
        (x0, y0), (x1, y1) = _box(plan.outline)
        corners = plan.outline
        sides = list(zip(corners, (*corners[1:], corners[0]), strict=True))
        for x in range(x0 - 1, x1 + 2):
            for y in range(y0 - 1, y1 + 2):
                at = x * GRID_MM, y * GRID_MM
                inside = min(min(_left(a, b, at) for a, b in sides), math.hypot(*at) - plan.hole)
                if inside < EDGE_MM + VIA_MM / 2 + 0.01:
                    self._hole[x, y] = MANY
                if inside < EDGE_MM + TRACK_MM / 2 + 0.01:
                    self._track[0][x, y] = self._track[1][x, y] = MANY

    def _pad(self, pad: SetPad) -> None:
        for layer in (TOP, UNDER) if pad.land.drill else (TOP,):
            half = max(pad.land.wide, pad.land.high) / 2
            for spot in _near((pad.x, pad.y), half + 1):
                self._mark(pad.net, layer, spot, _outside(pad, spot))

    def _round(self, net: str, at: tuple[float, float], half: float, layers: tuple[int, ...]) -> None:
        for layer in layers:
            for spot in _near(at, half + 1):
                self._mark(net, layer, spot, math.dist(at, _place(spot)) - half)

    def _line(self, line: CopperLine) -> None:
        half, (ax, ay), (bx, by) = line.wide / 2, line.start, line.end
        middle, reach = ((ax + bx) / 2, (ay + by) / 2), math.dist(line.start, line.end) / 2
        for spot in _near(middle, reach + half + 1):
            off = _beside(line.start, line.end, _place(spot)) - half
            self._mark(line.net, line.layer, spot, off)
            if off < -TRACK_MM / 2:
                self._joined[line.net].add((line.layer, *spot))

    def _mark(self, net: str, layer: int, spot: tuple[int, int], off: float) -> None:
        """What lies `off` mm from a net's copper."""
        own = net or MANY
        if off < CLEAR_MM + TRACK_MM / 2 + 0.01:
            track = self._track[layer]
            track[spot] = own if track.get(spot, own) == own else MANY
        if off < CLEAR_MM + VIA_MM / 2 + 0.01:
            self._hole[spot] = own if self._hole.get(spot, own) == own else MANY

    def _spots(self, pad: SetPad) -> set[Spot]:
        """Where a track may end on a pad."""
        layers = (TOP, UNDER) if pad.land.drill else (TOP,)
        half = max(pad.land.wide, pad.land.high) / 2
        inner = [spot for spot in _near((pad.x, pad.y), half) if _outside(pad, spot) < -0.05]
        return {(k, *spot) for k in layers for spot in inner if self._track[k].get(spot) == pad.net}


def _heading(a: Spot, b: Spot) -> tuple[int, int, int]:
    return b[0] - a[0], b[1] - a[1], b[2] - a[2]


def _place(spot: tuple[int, int]) -> tuple[float, float]:
    return spot[0] * GRID_MM, spot[1] * GRID_MM


def _near(at: tuple[float, float], reach: float) -> Iterator[tuple[int, int]]:
    """Every spot of the grid in a square."""
    (x0, y0), (x1, y1) = _box([(at[0] - reach, at[1] - reach), (at[0] + reach, at[1] + reach)])
    return ((x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1))


def _box(points: object) -> tuple[tuple[int, int], tuple[int, int]]:
    xs, ys = zip(*points, strict=True)  # type: ignore[call-overload]
    low = math.floor(min(xs) / GRID_MM), math.floor(min(ys) / GRID_MM)
    return low, (math.ceil(max(xs) / GRID_MM), math.ceil(max(ys) / GRID_MM))


def _left(a: tuple[float, float], b: tuple[float, float], at: tuple[float, float]) -> float:
    """How far a point lies inside a side of an outline that goes with the clock."""
    (ax, ay), (bx, by) = a, b
    return ((by - ay) * (at[0] - ax) - (bx - ax) * (at[1] - ay)) / math.dist(a, b)


def _beside(a: tuple[float, float], b: tuple[float, float], at: tuple[float, float]) -> float:
    """How far a point is from a straight piece."""
    (ax, ay), (bx, by) = a, b
    length = (bx - ax) ** 2 + (by - ay) ** 2
    along = ((at[0] - ax) * (bx - ax) + (at[1] - ay) * (by - ay)) / length if length else 0.0
    along = min(1.0, max(0.0, along))
    return math.dist(at, (ax + along * (bx - ax), ay + along * (by - ay)))


def _outside(pad: SetPad, spot: tuple[int, int]) -> float:
    """How far a spot is outside a pad; negative inside."""
    x, y = _place(spot)
    dx, dy = turned(x - pad.x, y - pad.y, -pad.turned)
    if pad.land.round:
        return math.hypot(dx, dy) - pad.land.wide / 2
    ox, oy = abs(dx) - pad.land.wide / 2, abs(dy) - pad.land.high / 2
    return math.hypot(max(ox, 0.0), max(oy, 0.0)) + min(max(ox, oy), 0.0)

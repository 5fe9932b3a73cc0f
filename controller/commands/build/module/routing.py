"""Tracks between the pads of a circuit board, found in a maze of two layers.

Each net: from what is joined already, Dijkstra's search over a grid to the nearest pad that is not.
Nets may cross at first, at a price; those that do are laid anew, and where they did becomes dearer
each time, until none does (PathFinder: McMurchie and Ebeling, 1995). KiCad checks what comes out.
"""

import math
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import pairwise

from msgspec import Struct

from hexboard.commands.build.module.placing import ModulePlan, SetPad, turned

GRID_MM = 0.25
TRACK_MM = 0.2
CLEAR_MM = 0.15
LINK_MM = 1.2
"""From a plug to the rings."""
VIA_MM, VIA_DRILL_MM = 0.6, 0.3
DRILL_GAP_MM = 0.26
"""Between two drills."""
CORNER_MM = 0.03
"""More for pads: a slanting track comes nearer to their corners between two nodes."""
EDGE_MM = 0.5
"""From copper to the outline."""
VIA_COST = 6.0
ROUNDS = 40
FIRST_PRICES, DEARER, LAST_PRICE = (1.5, 2.5, 1.0, 4.0), 1.5, 8.0
"""What crossing costs at first, try after try; how much dearer from round to round; at most."""

TOP, UNDER = 0, 1
DIAGONAL = math.sqrt(2)
KEEP_TRACK = CLEAR_MM + TRACK_MM / 2 + 0.002
"""From a net's copper to the middle of another's track."""
KEEP_VIA = CLEAR_MM + VIA_MM / 2 + 0.002
FREE, NOBODY = -1, -2
"""What is near no copper; near that of two nets, or near the outline."""


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
    """All tracks of a circuit board: of the first try that joins all, else of the last."""
    found = Copper((), (), ("",))
    for price in FIRST_PRICES:
        found = _tried(plan, price)
        if not found.open:
            break
    return found


def _tried(plan: ModulePlan, price: float) -> Copper:
    maze = _Maze(plan)
    waiting = maze.nets
    for _ in range(ROUNDS):
        for net in waiting:
            maze.join(net, price)
        waiting, price = maze.crossing(), min(LAST_PRICE, price * DEARER)
        if not waiting:
            break
    rings = tuple(ring_lines(plan))
    lines = (line for net in maze.nets for line in maze.ways[net].lines)
    vias = tuple(via for net in maze.nets for via in maze.ways[net].vias)
    return Copper((*rings, *lines), vias, tuple(sorted({*waiting, *maze.lost})))


def ring_lines(plan: ModulePlan) -> Iterator[CopperLine]:
    """The rings for 5 V and ground, in short straight pieces, and what joins them to both plugs."""
    for ring in plan.rings:
        count = round((ring.end - ring.start) / 6)
        step = (ring.end - ring.start) / count
        points = [turned(ring.radius, 0.0, ring.start + k * step) for k in range(count + 1)]
        for a, b in pairwise(points):
            yield CopperLine(ring.net, UNDER, a, b, ring.wide)
        for it in plan.parts:
            if it.part.ref in ("J1", "J2"):
                for pad in (pad for pad in plan.pads(it) if pad.net == ring.net):
                    near = min(points, key=lambda at: math.dist(at, (pad.x, pad.y)))
                    yield CopperLine(ring.net, UNDER, (pad.x, pad.y), near, LINK_MM)


class _Way:
    """What is laid of one net: its nodes, its copper, and what it keeps others from."""

    def __init__(self) -> None:
        self.nodes = set[int]()
        self.holes = set[int]()
        self.lines: list[CopperLine] = []
        self.vias: list[CopperVia] = []
        self.near = set[int]()
        self.near_holes = set[int]()
        self.drilled = set[int]()
        """Where another via would break into the drill of one that is there."""


class _Maze:
    """A grid of nodes, layer over layer: what each is near to, and how many nets want it."""

    def __init__(self, plan: ModulePlan) -> None:
        xs, ys = zip(*plan.outline, strict=True)
        self._left, self._low = math.floor(min(xs) / GRID_MM) - 2, math.floor(min(ys) / GRID_MM) - 2
        self._wide = math.ceil(max(xs) / GRID_MM) + 3 - self._left
        self._size = self._wide * (math.ceil(max(ys) / GRID_MM) + 3 - self._low)
        wide = self._wide
        straight, aside = (1, -1, wide, -wide), (wide + 1, wide - 1, 1 - wide, -wide - 1)
        self._steps = [*((k, 1.0) for k in straight), *((k, DIAGONAL) for k in aside)]
        self._fixed, self._fixed_hole = [FREE] * (2 * self._size), [FREE] * self._size
        self._wanted, self._wanted_hole = [0] * (2 * self._size), [0] * self._size
        self._dear = [0.0] * (2 * self._size)
        pads = [pad for part in plan.parts for pad in plan.pads(part)]
        spread = {pad.net: [it for it in pads if it.net == pad.net] for pad in pads if pad.net}
        self.nets = sorted(spread, key=lambda net: (_spread(spread[net]), net))
        self._code = {net: code for code, net in enumerate(self.nets)}
        self._joined = {net: set[int]() for net in self.nets}
        self.ways = {net: _Way() for net in self.nets}
        self.lost = set[str]()
        self._bound(plan)
        for pad in pads:
            self._pad(pad)
        for line in ring_lines(plan):
            self._ring(line)
        self._goals = {net: [*map(self._spots, spread[net])] for net in self.nets}

    def join(self, net: str, price: float) -> None:
        """Lay a net anew, where crossing another costs `price`."""
        self._count(net, -1)
        way = self.ways[net] = _Way()
        left = list(self._goals[net])
        tree = set(self._joined[net]) or set(left.pop(0))
        for found in self._grow(net, tree, left, price):
            self._lay(net, way, found)
        if left:
            self.lost.add(net)
        self._count(net, 1)

    def crossing(self) -> list[str]:
        """The nets that cross another; where they do becomes dearer."""
        found = []
        for net, way in self.ways.items():
            bad = [k for k in way.nodes if self._wanted[k] > (k in way.near)]
            holes = [k for k in way.holes if self._wanted_hole[k] > (k in way.near_holes)]
            for k in bad:
                self._dear[k] += 1.0
            for k in holes:
                self._dear[k] += 1.0
                self._dear[k + self._size] += 1.0
            if bad or holes:
                found.append(net)
        return found

    def _count(self, net: str, step: int) -> None:
        for k in self.ways[net].near:
            self._wanted[k] += step
        for k in self.ways[net].near_holes:
            self._wanted_hole[k] += step

    def _grow(
        self, net: str, tree: set[int], left: list[set[int]], price: float
    ) -> Iterator[list[int]]:
        """The cheapest way to the nearest goal that is left, and so on from all that is joined."""
        left[:] = [goal for goal in left if not goal & tree]
        cost, before = dict.fromkeys(tree, 0.0), dict[int, int]()
        heap = [(0.0, k) for k in sorted(tree)]
        while left and heap:
            spent, here = heappop(heap)
            if spent > cost[here]:
                continue
            reached = next((goal for goal in left if here in goal), None)
            if reached is None:
                self._spread(net, here, price, cost, before, heap)
                continue
            left.remove(reached)
            way = [here]
            while way[-1] in before:
                way.append(before[way[-1]])
            yield way[::-1]
            for k in (*way, *reached):
                cost[k] = 0.0
                before.pop(k, None)
                heappush(heap, (0.0, k))

    def _spread(
        self,
        net: str,
        here: int,
        price: float,
        cost: dict[int, float],
        before: dict[int, int],
        heap: list[tuple[float, int]],
    ) -> None:
        """One step on from a node, to all around it that this net may use."""
        code, spent = self._code[net], cost[here]
        fixed, wanted, dear = self._fixed, self._wanted, self._dear
        for off, step in self._steps:
            k = here + off
            if fixed[k] == FREE or fixed[k] == code:
                total = spent + step * (1 + dear[k]) * (1 + price * wanted[k])
                if total < cost.get(k, math.inf):
                    cost[k], before[k] = total, here
                    heappush(heap, (total, k))
        hole = here % self._size
        if self._fixed_hole[hole] in (FREE, code) and hole not in self.ways[net].drilled:
            k = here + self._size if here < self._size else hole
            total = spent + VIA_COST * (1 + dear[k]) * (1 + price * self._wanted_hole[hole])
            if total < cost.get(k, math.inf):
                cost[k], before[k] = total, here
                heappush(heap, (total, k))

    def _lay(self, net: str, way: _Way, nodes: list[int]) -> None:
        """Lay copper along nodes: straight pieces, and a via where the layer changes."""
        way.nodes.update(nodes)
        start = last = nodes[0]
        heading = 0
        for here in nodes[1:]:
            if here % self._size == last % self._size:
                self._piece(net, way, start, last)
                way.holes.add(here % self._size)
                way.vias.append(CopperVia(net, *self._place(here)))
                self._round(way, self._place(here))
                start, heading = here, 0
            elif heading and here - last != heading:
                self._piece(net, way, start, last)
                start, heading = last, here - last
            else:
                heading = here - last
            last = here
        self._piece(net, way, start, last)

    def _piece(self, net: str, way: _Way, a: int, b: int) -> None:
        if a != b:
            layer = a // self._size
            line = CopperLine(net, layer, self._place(a), self._place(b))
            way.lines.append(line)
            for k, off in self._beside(line):
                if off < KEEP_TRACK:
                    way.near.add(k + layer * self._size)
                if off < KEEP_VIA:
                    way.near_holes.add(k)

    def _round(self, way: _Way, at: tuple[float, float]) -> None:
        for k in self._around(at, VIA_MM / 2 + 1):
            off = math.dist(at, self._place(k)) - VIA_MM / 2
            if off < KEEP_TRACK:
                way.near.update((k, k + self._size))
            if off < KEEP_VIA:
                way.near_holes.add(k)
            if off + VIA_MM / 2 < VIA_DRILL_MM + DRILL_GAP_MM:
                way.drilled.add(k)

    # What is there before any track

    def _bound(self, plan: ModulePlan) -> None:
        """Nobody's way is near the outline or the hole."""
        corners = plan.outline
        sides = list(zip(corners, (*corners[1:], corners[0]), strict=True))
        for k in range(self._size):
            at = self._place(k)
            inside = min(min(_inwards(a, b, at) for a, b in sides), math.hypot(*at) - plan.hole)
            if inside < EDGE_MM + VIA_MM / 2 + 0.01:
                self._fixed_hole[k] = NOBODY
            if inside < EDGE_MM + TRACK_MM / 2 + 0.01:
                self._fixed[k] = self._fixed[k + self._size] = NOBODY

    def _pad(self, pad: SetPad) -> None:
        code = self._code.get(pad.net, NOBODY)
        reach = math.hypot(pad.land.wide, pad.land.high) / 2 + 1
        for k in self._around((pad.x, pad.y), reach):
            off = _outside(pad, self._place(k)) - CORNER_MM
            self._fix(code, k, off, (TOP, UNDER) if pad.land.drill else (TOP,))
            far = math.dist((pad.x, pad.y), self._place(k))
            if pad.land.drill and far < (pad.land.drill + VIA_DRILL_MM) / 2 + DRILL_GAP_MM:
                self._fixed_hole[k] = NOBODY

    def _ring(self, line: CopperLine) -> None:
        for k, off in self._beside(line):
            self._fix(self._code[line.net], k, off, (line.layer,))
            if off < -TRACK_MM / 2:
                self._joined[line.net].add(k + line.layer * self._size)

    def _fix(self, code: int, k: int, off: float, layers: tuple[int, ...]) -> None:
        """What lies `off` mm from a net's copper is that net's alone."""
        if off < KEEP_TRACK:
            for node in (k + layer * self._size for layer in layers):
                self._fixed[node] = code if self._fixed[node] in (FREE, code) else NOBODY
        if off < KEEP_VIA:
            self._fixed_hole[k] = code if self._fixed_hole[k] in (FREE, code) else NOBODY

    def _spots(self, pad: SetPad) -> set[int]:
        """Where a track may end on a pad."""
        code, found = self._code[pad.net], set[int]()
        for k in self._around((pad.x, pad.y), max(pad.land.wide, pad.land.high) / 2):
            if _outside(pad, self._place(k)) < -0.05:
                nodes = (k, k + self._size) if pad.land.drill else (k,)
                found.update(node for node in nodes if self._fixed[node] == code)
        return found

    # The grid

    def _place(self, node: int) -> tuple[float, float]:
        y, x = divmod(node % self._size, self._wide)
        return (x + self._left) * GRID_MM, (y + self._low) * GRID_MM

    def _around(self, at: tuple[float, float], reach: float) -> Iterator[int]:
        """The nodes of the upper layer in a square."""
        x0, x1 = ((at[0] + side) / GRID_MM - self._left for side in (-reach, reach))
        y0, y1 = ((at[1] + side) / GRID_MM - self._low for side in (-reach, reach))
        high = self._size // self._wide
        for y in range(max(0, math.floor(y0)), min(high, math.ceil(y1) + 1)):
            for x in range(max(0, math.floor(x0)), min(self._wide, math.ceil(x1) + 1)):
                yield y * self._wide + x

    def _beside(self, line: CopperLine) -> Iterator[tuple[int, float]]:
        """The nodes near a piece of copper, each with how far from it."""
        (ax, ay), (bx, by) = line.start, line.end
        middle, half = ((ax + bx) / 2, (ay + by) / 2), line.wide / 2
        for k in self._around(middle, math.dist(line.start, line.end) / 2 + half + 1):
            yield k, _beside(line.start, line.end, self._place(k)) - half


def _inwards(a: tuple[float, float], b: tuple[float, float], at: tuple[float, float]) -> float:
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


def _outside(pad: SetPad, at: tuple[float, float]) -> float:
    """How far a point is outside a pad; negative inside."""
    x, y = at
    dx, dy = turned(x - pad.x, y - pad.y, -pad.turned)
    if pad.land.round:
        return math.hypot(dx, dy) - pad.land.wide / 2
    ox, oy = abs(dx) - pad.land.wide / 2, abs(dy) - pad.land.high / 2
    return math.hypot(max(ox, 0.0), max(oy, 0.0)) + min(max(ox, oy), 0.0)


def _spread(pads: list[SetPad]) -> float:
    """How far apart the pads of a net are."""
    xs, ys = [pad.x for pad in pads], [pad.y for pad in pads]
    return max(xs) - min(xs) + max(ys) - min(ys)

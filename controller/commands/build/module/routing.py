"""Tracks between the pads of a circuit board, found in a maze of two layers.

Each net: from what is joined already, an A* search over a grid to the nearest pad that is not.
Nets may cross at first, at a price; those that do are laid anew, and where they did becomes dearer
each time, until none does (PathFinder: McMurchie and Ebeling, 1995). KiCad checks what comes out.
"""

import math
from collections.abc import Callable, Container, Iterator
from heapq import heappop, heappush
from itertools import pairwise

from msgspec import Struct

from hexboard.commands.build.module.placing import CopperRing, ModulePlan, SetPad, turned

GRID_MM = 0.25
TRACK_MM = 0.2
CLEAR_MM = 0.15
LINK_MM = 1.2
"""From a plug to the rings."""
VIA_MM, VIA_DRILL_MM = 0.6, 0.3
DRILL_GAP_MM = 0.26
"""Between two drills."""
EDGE_MM = 0.5
"""From copper to the outline."""
BARE_MM = 0.27
"""From copper to a hole without any."""
VIA_COST = 6.0
ROUNDS = 40
EAGER = 1.4
"""How much more the rest of a way counts than it must cost: found sooner, ways are a bit longer."""
MOST_AIMED = 40
"""Where ground is filled the search goes straight to so many goals; else it looks all round."""
FIRST_PRICES, DEARER, LAST_PRICE = (1.5, 2.5, 1.0, 4.0), 1.5, 8.0
"""What crossing costs at first, try after try; how much dearer from round to round; at most."""
SLOT_PRICES = (2.5, 1.5, 1.0, 4.0)
"""On a board whose ground is not sunk."""
PATIENT, ABOUT, PUSH = 8, 5, 4
"""There after so many rounds all that is so many nodes about a crossing becomes so much dearer: two
nets that would cross anywhere in a narrow channel then part, one takes a long way round."""

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
    for price in FIRST_PRICES if plan.sunk else SLOT_PRICES:
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
        waiting, price = maze.crossing() or maze.cut(), min(LAST_PRICE, price * DEARER)
        if not waiting or maze.lost:
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
        points = [_on(ring, ring.start + k * step) for k in range(count + 1)]
        for a, b in pairwise(points):
            yield CopperLine(ring.net, TOP if ring.above else UNDER, a, b, ring.wide)
        for it in plan.parts:
            if it.part.ref in ("J1", "J2"):
                for pad in (pad for pad in plan.pads(it) if pad.net == ring.net):
                    near = min(points, key=lambda at: math.dist(at, (pad.x, pad.y)))
                    yield CopperLine(ring.net, UNDER, (pad.x, pad.y), near, LINK_MM)


def _on(ring: CopperRing, angle: float) -> tuple[float, float]:
    (x, y), (dx, dy) = ring.middle, turned(ring.radius, 0.0, angle)
    return x + dx, y + dy


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


class _Front:
    """How far a search has come: what each node costs, from which it was reached, and what is to be
    looked at next."""

    def __init__(self, tree: set[int]) -> None:
        self.cost, self.before = dict.fromkeys(tree, 0.0), dict[int, int]()
        self.heap = [(0.0, 0.0, k) for k in sorted(tree)]

    def joined(self, nodes: set[int]) -> None:
        """These cost nothing from now on."""
        for k in sorted(nodes):
            self.cost[k] = 0.0
            self.before.pop(k, None)
            heappush(self.heap, (0.0, 0.0, k))


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
        self._corner, self._aimed = plan.corner_mm, MOST_AIMED if plan.sunk else 0
        self._sunk, self._turn, self._rounds = plan.sunk, 1, 0
        self._dearer: tuple[int, ...] = (0, 1, -1, wide, -wide) if plan.sunk else (0,)
        self._plane: Container[int] = range(self._size, 2 * self._size)
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
        if net == self._sunk:
            ways, left = self._sink(net, left, price), []
        else:
            tree = set(self._joined[net]) or set(left.pop(0))
            ways = self._grow(net, tree, left, price)
        for found in ways:
            self._lay(net, way, found)
        if left:
            self.lost.add(net)
        self._count(net, 1)

    def crossing(self) -> list[str]:
        """The nets that cross another; where they do becomes dearer, on a filled board beside it
        too. There the order of laying anew turns round each time: none goes first always."""
        found = []
        for net, way in self.ways.items():
            bad = [k for k in way.nodes if self._wanted[k] > (k in way.near)]
            holes = [k for k in way.holes if self._wanted_hole[k] > (k in way.near_holes)]
            both = (k + layer for k in holes for layer in (0, self._size))
            for k in (*bad, *both):
                for off in self._dearer:
                    self._dear[k + off] += 1.0
            if bad or holes:
                found.append(net)
        self._turn *= -1 if self._sunk else 1
        self._rounds += 1
        if self._rounds == PATIENT and not self._sunk:
            self._dearer = tuple(self._about())
        return found[:: self._turn]

    def _about(self) -> Iterator[int]:
        """From a node to all about it, each as often as it becomes dearer."""
        for x in range(-ABOUT, ABOUT + 1):
            for y in range(-ABOUT, ABOUT + 1):
                if x * x + y * y <= ABOUT * ABOUT:
                    yield from [x + y * self._wide] * PUSH

    def _count(self, net: str, step: int) -> None:
        for k in self.ways[net].near:
            self._wanted[k] += step
        for k in self.ways[net].near_holes:
            self._wanted_hole[k] += step

    def _grow(
        self, net: str, tree: set[int], left: list[set[int]], price: float
    ) -> Iterator[list[int]]:
        """The cheapest way to the nearest goal that is left, and so on from all that is joined. A
        search that looks all round goes on from where it was; one with an aim begins anew."""
        left[:] = [goal for goal in left if not goal & tree]
        front = _Front(tree)
        while left and (way := self._search(net, front, left, price)):
            reached = next(goal for goal in left if way[-1] in goal)
            left.remove(reached)
            tree.update(way, reached)
            if self._aims(left):
                front = _Front(tree)
            else:
                front.joined({*way, *reached})
            yield way

    def _sink(self, net: str, goals: list[set[int]], price: float) -> Iterator[list[int]]:
        """From each pad of a net that fills the underside the cheapest way down to there."""
        for goal in goals:
            if not any(k in self._plane for k in goal):
                yield self._search(net, _Front(goal), [], price)

    def cut(self) -> list[str]:
        """The net that fills the underside, where tracks have cut what is filled in pieces and a
        pad hangs on none that is joined: the rest alone counts from now on."""
        if not (net := self._sunk):
            return []
        way, plane = self.ways[net], self._filled(net)
        drills = {hole + self._size for hole in way.holes}
        lost = (goal for goal in self._goals[net] if not goal & (plane | way.nodes))
        if drills <= plane and not any(lost):
            return []
        self._plane = plane
        return [net]

    def _filled(self, net: str) -> set[int]:
        """What of the underside is joined to a net's rings, or without any to its first plug."""
        code, size, wide = self._code[net], self._size, self._wide
        taken = set[int]().union(*(way.near for name, way in self.ways.items() if name != net))
        through = (goal for goal in self._goals[net] if any(k >= size for k in goal))
        found = {k for k in self._joined[net] or next(through, set()) if k >= size}
        edge = list(found)
        while edge:
            here = edge.pop()
            for k in (here + 1, here - 1, here + wide, here - wide):
                free = k not in found and k >= size and self._fixed[k] in (FREE, code)
                if free and k not in taken:
                    found.add(k)
                    edge.append(k)
        return found

    def _search(self, net: str, front: "_Front", goals: list[set[int]], price: float) -> list[int]:
        """The cheapest way from a front to any of some goals (A*), or to the underside where there
        is none; empty if there is no way."""
        code, size, far = self._code[net], self._size, self._far(goals)
        fixed, wanted, dear = self._fixed, self._wanted, self._dear
        fixed_hole, wanted_hole, plane = self._fixed_hole, self._wanted_hole, self._plane
        drilled, ends = self.ways[net].drilled, set[int]().union(*goals)
        cost, before, heap = front.cost, front.before, front.heap
        while heap:
            _, spent, here = heappop(heap)
            if spent > cost[here]:
                continue
            if here in ends or (not goals and here in plane):
                return _traced(before, here)
            steps = [
                (here + off, step * (1 + price * wanted[here + off]))
                for off, step in self._steps
                if fixed[here + off] == FREE or fixed[here + off] == code
            ]
            hole = here % size
            if fixed_hole[hole] in (FREE, code) and hole not in drilled:
                k = here + size if here < size else hole
                steps.append((k, VIA_COST * (1 + price * wanted_hole[hole])))
            for k, step in steps:
                total = spent + step * (1 + dear[k])
                if total < cost.get(k, math.inf):
                    cost[k], before[k] = total, here
                    heappush(heap, (total + far(k) if far else total, total, k))
        return []

    def _aims(self, goals: list[set[int]]) -> bool:
        return 0 < len(goals) <= self._aimed

    def _far(self, goals: list[set[int]]) -> Callable[[int], float] | None:
        """What it costs at least from a node to the nearest of some goals; None where the search
        looks all round."""
        if not self._aims(goals):
            return None
        size, wide, boxes = self._size, self._wide, [self._box(goal) for goal in goals]
        known = dict[int, float]()

        def far(node: int) -> float:
            k = node % size
            if (found := known.get(k)) is None:
                y, x = divmod(k, wide)
                found = known[k] = EAGER * min(_octile(x, y, *box) for box in boxes)
            return found

        return far

    def _box(self, goal: set[int]) -> tuple[int, int, int, int]:
        ys, xs = zip(*(divmod(k % self._size, self._wide) for k in goal), strict=True)
        return min(xs), max(xs), min(ys), max(ys)

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
        """Nobody's way is near the outline or a hole."""
        corners = plan.outline
        sides = list(zip(corners, (*corners[1:], corners[0]), strict=True))
        for k in range(self._size):
            at = self._place(k)
            inside = min(inwards(a, b, at) for a, b in sides)
            if plan.hole:
                inside = min(inside, math.hypot(*at) - plan.hole)
            if inside < EDGE_MM + VIA_MM / 2 + 0.01:
                self._fixed_hole[k] = NOBODY
            if inside < EDGE_MM + TRACK_MM / 2 + 0.01:
                self._fixed[k] = self._fixed[k + self._size] = NOBODY
        for x, y, wide in plan.holes():
            for k in self._around((x, y), wide / 2 + 1):
                off = math.dist((x, y), self._place(k)) - wide / 2 - BARE_MM
                if off < VIA_MM / 2:
                    self._fixed_hole[k] = NOBODY
                if off < TRACK_MM / 2:
                    self._fixed[k] = self._fixed[k + self._size] = NOBODY

    def _pad(self, pad: SetPad) -> None:
        code = self._code.get(pad.net, NOBODY)
        reach = math.hypot(pad.land.wide, pad.land.high) / 2 + 1
        for k in self._around((pad.x, pad.y), reach):
            off = _outside(pad, self._place(k)) - self._corner
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


def _traced(before: dict[int, int], last: int) -> list[int]:
    """The way that a search found, from its start."""
    way = [last]
    while way[-1] in before:
        way.append(before[way[-1]])
    return way[::-1]


def _octile(x: int, y: int, left: int, right: int, low: int, high: int) -> float:
    """How far a node is from a box, straight and slanting."""
    dx, dy = max(left - x, x - right, 0), max(low - y, y - high, 0)
    return max(dx, dy) + (DIAGONAL - 1) * min(dx, dy)


def inwards(a: tuple[float, float], b: tuple[float, float], at: tuple[float, float]) -> float:
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

"""Rolls by the thousand: what balls do on a tilted board, and what its sensors would say of it.

No threads, no devices and no drawing: a roll is worked out in some ten microseconds a ball, for
statistics. It knows nothing of the tracker, so that the tracker can be held against it. A ball
gains speed by the tilt and loses some in every tile; it takes a way by the tile's odds, climbs as
far as its speed allows, leans on a closed wall or rebounds from it, stops behind a ball that lies
there or knocks it on, sticks, falls through open slots and holes, and moves a tile's moving part.
`hear` then spoils what sensors say. Seeded by the `Random` that is handed in. Lengths are mm, times
ns since the roll began.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from heapq import heappop, heappush
from random import Random

from msgspec import Struct

from hexboard.board import EDGES, Board, CellId, Edge, opposite
from hexboard.facts import MS
from hexboard.games.hextraction.tiles.areas import Area, areas
from hexboard.games.hextraction.tiles.tile import HEIGHT, Tile

STAY, HOLE = 0, -1
"""Where a way can lead besides an edge: the ball lies in the tile, or falls through it."""
Ways = Mapping[Edge, tuple[tuple[int, float], ...]]
"""For each open edge that a ball comes in by: (an edge, `STAY` or `HOLE`, how often)."""

SECOND = 1000 * MS
REREAD_NS = SECOND
"""How often levels are read anew, so that a missed change of level is known after all."""


class RollTile(Struct, frozen=True):
    """What a ball meets in a slot, for each state of the tile's moving part. Each ball that passes
    moves a part with several states on by one."""

    states: tuple[Ways, ...]
    areas: tuple[Area, ...] = ()
    """Where balls set something off."""

    def open(self, edge: Edge) -> bool:
        """Whether a ball can come in over `edge` whatever the moving part does."""
        return any(edge in ways for ways in self.states)


class Slope(Struct, frozen=True):
    """How balls roll. Tilt and friction of real boards are not known; these are guesses."""

    tilt_deg: float = 8.0
    keep: float = 0.5
    """The share of its energy that a ball keeps through a tile."""
    bounce: float = 0.35
    """The share of its speed that it keeps at a wall."""
    stick: float = 0.01
    """How often it stops in a tile for no visible reason."""
    jam: float = 0.01
    """How often it does not leave its lane although it could."""
    knock: float = 0.5
    """How often it knocks on a ball that lies in its way."""


class Faults(Struct, frozen=True):
    """How often a pulse is missed, comes twice, and comes from nowhere (at any sensor)."""

    miss: float = 0.0
    double: float = 0.0
    false: float = 0.0


class Pulse(Struct, frozen=True):
    """A sensor is active from `begin` to `end`; to 0: for as long as the ball lies there."""

    begin: int
    sensor: str
    end: int


class RollTruth(Struct):
    """What truly happened in a roll."""

    pulses: list[Pulse]
    left: list[tuple[int, str]]
    """Balls that left the slots and how: "fell:C3", "off:A3-5", "zone:ZB"."""
    rests: list[tuple[int, str]]
    """Balls on the board and where they lie: a slot, a seam or a lane."""
    touches: dict[CellId, int]
    passes: list[tuple[CellId, Edge, int]]
    """Every way that was taken: slot, edge in, edge out (or `STAY`, `HOLE`)."""
    fired: list[tuple[CellId, str]]
    """Every time that a ball came into an area: slot, area."""


class RollGround:
    """What does not change on one board: who lies beside whom, and what each sensor is called."""

    def __init__(self, board: Board) -> None:
        self.board = board
        rim = {*board.exits, *board.goal, *board.entry}
        self.over = {
            (c.id, e): other
            for c in board.cells
            for e in EDGES
            if (other := board.neighbour(c.id, e))
        }
        self.seam = {(c, e): board.seam(c, e) for c, e in (*self.over, *rim)}
        self.side = {name: place for place, name in self.seam.items()}
        self.lanes = {ramp.id: (ramp.cell, ramp.edge) for ramp in board.ramps}
        some = board.cells[0].id
        self.length = {
            (a, b): math.dist(board.edge_point(some, a), board.edge_point(some, b)) or board.pitch
            for a in EDGES
            for b in EDGES
        }
        self.drop = {
            (a, b): (HEIGHT[a] - HEIGHT[b]) * board.pitch / 8 for a in EDGES for b in EDGES
        }
        self.pulsed = tuple(
            s.id
            for s in board.sensors
            if s.kind in ("load", "gate", "edge", "exit", "fall", "throat")
        )


class _Ball:
    __slots__ = ("been", "cell", "edge", "energy", "holds", "id", "still", "tried")

    def __init__(self, id: int, cell: CellId, edge: Edge) -> None:
        self.id = id
        self.cell = cell
        self.edge = edge  # the edge it came in by; of one that leans, the edge it leans on
        self.energy = 0.0  # its speed squared, mm²/s²
        self.holds = ""  # the sensor it lies on
        self.still = False
        self.tried: tuple[Edge, ...] = ()  # walls of this tile that threw it back
        self.been: set[str] = set()  # the areas of this tile that it has come into


class Course:
    """One roll on one layout; `run` lets it happen."""

    def __init__(
        self,
        ground: RollGround,
        pieces: Mapping[CellId, RollTile],
        random: Random,
        slope: Slope = Slope(),  # noqa: B008  immutable
    ) -> None:
        self.ground = ground
        self.pieces = pieces
        self.chance = random.random
        self.slope = slope
        self.pull = 2 * 5 / 7 * 9810 * math.sin(math.radians(slope.tilt_deg))  # 2a, mm/s²
        self.crawl = self.pull * 5.0  # nothing that moves is slower: as after 5 mm of slope
        self.parts: dict[CellId, int] = {}
        self.balls: list[_Ball] = []
        self.done = RollTruth([], [], [], {}, [], [])
        self._held: dict[str, tuple[_Ball, int]] = {}
        self._queue: list[tuple[int, int, _Ball, int]] = []
        self._count = 0

    # -------------------------------------------------------------------------------- hands

    def lay(self, place: str) -> None:
        """A ball lies at a slot, a seam or a lane before the roll begins."""
        ground = self.ground
        if place in ground.board.cell:
            ball = _Ball(len(self.balls) + 1, place, 1)
        elif place in ground.lanes:
            ball = _Ball(len(self.balls) + 1, "", 0)
            self._hold(ball, f"gate:{place}", 0)
        else:
            cell, edge = ground.side[place]
            piece = self.pieces.get(cell)
            if piece is None or not piece.open(edge):
                cell, edge = ground.over[cell, edge], opposite(edge)
            ball = _Ball(len(self.balls) + 1, cell, edge)
            self._hold(ball, f"edge:{place}", 0)
        if ball.cell in self.pieces:
            ball.been = {area.id for area in self.pieces[ball.cell].areas}  # T.Trigger.2
        ball.still = True
        self.balls.append(ball)

    def drop(self, lane: str, at: int) -> None:
        """A hand puts a ball into a lane and lets go."""
        ball = _Ball(len(self.balls) + 1, *self.ground.lanes[lane])
        self.balls.append(ball)
        self.done.pulses.append(Pulse(at, f"load:{lane}", at + 350 * MS))
        self._later(at + 400 * MS, ball, 0)

    def run(self) -> RollTruth:
        """Let the balls roll until all lie still."""
        queue = self._queue
        while queue:
            at, _, ball, out = heappop(queue)
            if out:
                self._arrive(ball, out, at)
            else:
                self._gate(ball, at)
        done = self.done
        for ball in self.balls:
            if ball.still:
                place = ball.holds.partition(":")[2] or ball.cell
                done.rests.append((ball.id, place))
        return done

    # -------------------------------------------------------------------------------- rolling

    def _gate(self, ball: _Ball, at: int) -> None:
        lane = self.ground.board.entry[ball.cell, ball.edge]
        piece = self.pieces.get(ball.cell)
        shut = piece is not None and not piece.open(ball.edge)
        if shut:
            self._touch(ball.cell)  # K37
        if shut or f"gate:{lane}" in self._held or self.chance() < self.slope.jam:
            self._hold(ball, f"gate:{lane}", at)
            return
        self._pulse(f"gate:{lane}", at)
        ball.energy = self.crawl
        self._enter(ball, ball.cell, ball.edge, at)

    def _enter(self, ball: _Ball, cell: CellId, edge: Edge, at: int) -> None:
        """The ball comes into a slot over an edge."""
        ball.cell, ball.edge, ball.tried, ball.been = cell, edge, (), set()
        if cell not in self.pieces:
            self._fall(ball, at)
            return
        self._touch(cell)
        for other in self.balls:
            if other.still and other.cell == cell and not other.holds:
                if self.chance() >= self.slope.knock:
                    self._stop(ball)  # it stops against the one that lies there
                    return
                other.still = False
                other.energy = ball.energy * 0.5
                self._go(other, at)
                break
        if self.chance() < self.slope.stick:
            self._stop(ball)
        else:
            self._go(ball, at)

    def _go(self, ball: _Ball, at: int) -> None:
        """The ball takes a way out of its tile, if its speed leaves it one."""
        cell, edge = ball.cell, ball.edge
        states = self.pieces[cell].states
        part = self.parts.get(cell, 0)
        drop, reach = self.ground.drop, ball.energy / self.pull
        ways = [
            (out, p)
            for out, p in states[part].get(edge, ())
            if out < 1 or (drop[edge, out] + reach >= 0 and out not in ball.tried)
        ]
        if len(states) > 1:
            self.parts[cell] = (part + 1) % len(states)
        draw = self.chance() * sum(p for _, p in ways)
        out = STAY
        for out, p in ways:  # noqa: B007  the last one drawn is used
            draw -= p
            if draw < 0:
                break
        self.done.passes.append((cell, edge, out))
        self._come_into(ball, out)
        if out == STAY:
            self._stay(ball)
        elif out == HOLE:
            self._fall(ball, at)
        else:
            before = ball.energy
            after = (before + self.pull * drop[edge, out]) * self.slope.keep
            ball.energy = max(self.crawl, after)
            speed = (math.sqrt(max(before, self.crawl)) + math.sqrt(ball.energy)) / 2
            seconds = self.ground.length[edge, out] / speed * (0.9 + 0.2 * self.chance())
            self._later(at + int(seconds * SECOND), ball, out)

    def _arrive(self, ball: _Ball, out: Edge, at: int) -> None:
        """The ball reaches the edge it wanted to leave by."""
        ground, cell = self.ground, ball.cell
        seam = ground.seam[cell, out]
        there = ground.over.get((cell, out))
        if there is None:
            self._leave(ball, out, at)
            return
        sensor = f"edge:{seam}"
        if sensor in self._held:
            self._bump(ball, out, sensor, at)
            return
        piece = self.pieces.get(there)
        if piece is None or piece.open(opposite(out)):
            self._pulse(sensor, at)
            self._enter(ball, there, opposite(out), at)
            return
        self._touch(there)  # K37
        ball.energy *= self.slope.bounce**2
        ball.tried = (*ball.tried, out)
        back = [
            e for e, _ in self.pieces[cell].states[self.parts.get(cell, 0)].get(out, ()) if e > 0
        ]
        away = any(
            e not in ball.tried and ground.drop[out, e] * self.pull + ball.energy >= 0 for e in back
        )
        if away and self.chance() < 0.5:
            self._pulse(sensor, at)
            ball.edge = out
            self._go(ball, at)
        else:
            ball.edge = out
            self._hold(ball, sensor, at)

    def _bump(self, ball: _Ball, out: Edge, sensor: str, at: int) -> None:
        """The ball reaches one that leans on the wall: it stops behind, or takes its place."""
        leaning = self._held[sensor][0]
        tried = (out,)
        ways = self.pieces[leaning.cell].states[self.parts.get(leaning.cell, 0)].get(out, ())
        away = any(e > 0 and self.ground.drop[out, e] > 0 for e, _ in ways)
        if leaning.cell != ball.cell or not away or self.chance() >= self.slope.knock:
            self._stay(ball)
            return
        self._release(leaning, at)
        leaning.tried, leaning.energy = tried, 0.0
        self._go(leaning, at)
        self._touch(self.ground.over[ball.cell, out])
        ball.edge = out
        self._hold(ball, sensor, at + 20 * MS)

    def _leave(self, ball: _Ball, out: Edge, at: int) -> None:
        cell, board = ball.cell, self.ground.board
        seam = self.ground.seam[cell, out]
        if (cell, out) in board.goal:
            zone = board.goal[cell, out]
            self._pulse(f"throat:{seam}", at)
            self._gone(ball, f"zone:{zone}")
            if f"floor:{zone}" not in self._held:
                self._hold(ball, f"floor:{zone}", at + 250 * MS)
                ball.still = False
        elif (cell, out) in board.entry:
            self._stay(ball)  # towards a lane it only rolls back
        else:
            self._pulse(f"exit:{seam}", at)
            self._gone(ball, f"off:{seam}")

    def _fall(self, ball: _Ball, at: int) -> None:
        self._pulse(f"fall:{ball.cell}", at + 80 * MS)
        self._gone(ball, f"fell:{ball.cell}")

    def _gone(self, ball: _Ball, how: str) -> None:
        self.done.left.append((ball.id, how))

    def _stop(self, ball: _Ball) -> None:
        """The ball comes to rest on its way, before the areas there or behind them."""
        if self.chance() < 0.5:
            self._come_into(ball, STAY)
        self._stay(ball)

    def _come_into(self, ball: _Ball, out: int) -> None:
        """The ball comes into the areas on its way: those of its two edges, those that nobody knows
        more of half of the time. Once each, until it has left the tile."""
        for area in self.pieces[ball.cell].areas:
            if area.hole:
                there = out == HOLE and area.fires
            else:
                near = ball.edge in area.edges or out in area.edges
                there = near or (not area.edges and self.chance() < 0.5)
            if there and area.id not in ball.been:
                ball.been.add(area.id)
                self.done.fired.append((ball.cell, area.id))

    def _stay(self, ball: _Ball) -> None:
        """The ball comes to rest in its tile, where no sensor sees it."""
        ball.still = True

    # -------------------------------------------------------------------------------- sensors

    def _touch(self, cell: CellId) -> None:
        if cell in self.pieces:
            self.done.touches[cell] = self.done.touches.get(cell, 0) + 1

    def _pulse(self, sensor: str, at: int) -> None:
        self.done.pulses.append(Pulse(at, sensor, at + int((5 + 9 * self.chance()) * MS)))

    def _hold(self, ball: _Ball, sensor: str, at: int) -> None:
        """The ball lies on a sensor from now on."""
        ball.still, ball.holds = True, sensor
        self._held[sensor] = (ball, len(self.done.pulses))
        self.done.pulses.append(Pulse(at, sensor, 0))

    def _release(self, ball: _Ball, at: int) -> None:
        _, number = self._held.pop(ball.holds)
        pulse = self.done.pulses[number]
        self.done.pulses[number] = Pulse(pulse.begin, pulse.sensor, at)
        ball.holds, ball.still = "", False

    def _later(self, at: int, ball: _Ball, out: int) -> None:
        self._count += 1
        heappush(self._queue, (at, self._count, ball, out))


def piece(tile: Tile, rotation: int) -> RollTile:
    """A tile in a slot, turned `rotation` sixths clockwise."""
    there = areas(tile, rotation)

    def ways(entry: Edge) -> Iterator[tuple[int, float]]:
        odds = tile.odds(rotation, entry)
        yield from odds.items()
        if any(a.hole and (not a.edges or entry in a.edges) for a in there):
            yield HOLE, sum(odds.values()) or 1.0

    return RollTile(({edge: tuple(ways(edge)) for edge in tile.doors(rotation)},), there)


def hear(
    pulses: Iterable[Pulse], faults: Faults, random: Random, sensors: tuple[str, ...]
) -> list[tuple[int, str, bool]]:
    """What the sensors say of some pulses: (when, sensor, level) in order.

    A level that lasts is read anew each second: a missed change of it comes late, not never.
    False pulses come at any of `sensors`, while the roll lasts. Balls that pass a sensor together
    are one pulse.
    """
    felt: list[tuple[int, str, int]] = []
    last = 0
    for pulse in pulses:
        begin, sensor, end = pulse.begin, pulse.sensor, pulse.end
        last = max(last, begin)
        if random.random() < faults.miss and begin:
            begin = begin // REREAD_NS * REREAD_NS + REREAD_NS
            if end and begin >= end:
                continue
        felt.append((begin, sensor, end))
        if random.random() < faults.double and end:
            again = end + int((8 + 30 * random.random()) * MS)
            felt.append((again, sensor, again + 6 * MS))
    for _ in pulses:
        if random.random() < faults.false:
            at, sensor = int(random.random() * last), random.choice(sensors)
            felt.append((at, sensor, at + 8 * MS))
    return _levels(felt)


def _levels(felt: Iterable[tuple[int, str, int]]) -> list[tuple[int, str, bool]]:
    """What sensors say that feel something from one time to another, to 0 for ever. Balls that
    pass one together are one pulse."""
    said: list[tuple[int, str, bool]] = []
    until: dict[str, int] = {}  # when each sensor falls, after all so far; 0 for never
    for begin, sensor, end in sorted(felt, key=lambda one: one[:2]):
        before = until.get(sensor)
        if before is not None and (not before or begin <= before):
            until[sensor] = max(before, end) if before and end else 0
            continue
        if before:
            said.append((before, sensor, False))
        said.append((begin, sensor, True))
        until[sensor] = end
    said += [(end, sensor, False) for sensor, end in until.items() if end]
    said.sort(key=lambda edge: edge[:2])
    return said

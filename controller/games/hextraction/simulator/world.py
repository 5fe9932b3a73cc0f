"""A simulated board with tiles in slots, and balls that roll by the tiles' routes.

No physics engine: a ball takes a way through each tile by its odds, at the pace of a tilted board,
and stops where it meets a wall. What matters is what sensors see of it: a pulse as it passes, a
level held by a ball that leans, nothing at all for one that sticks.
"""

from typing import Any

from msgspec import Struct

from hexboard.board import Board, CellId, opposite, turned
from hexboard.facts import MS
from hexboard.games.hextraction.tiles.tile import HEIGHT, Described, Tile
from hexboard.simulator.world import Spot, World
from hexboard.words.errors import BadText

STICK = 0.01
"""How often a ball stops for no visible reason in the middle of a tile."""
CLIMBS = 2
"""How often a ball may roll uphill on what it gained before."""


class RollingBall(Struct):
    """A ball in the world, on its way from `start` to `goal` (mm) between two moments."""

    id: int
    cell: CellId = ""
    edge: int = 0
    holds: str = ""
    """The sensor it holds high by lying on it."""
    start: tuple[float, float] = (0.0, 0.0)
    goal: tuple[float, float] = (0.0, 0.0)
    begin: int = 0
    end: int = 0
    still: bool = False
    climbs: int = 0
    """How often it went uphill; it has the energy for `CLIMBS`."""

    def at(self, now: int) -> tuple[float, float]:
        """Where it is, mm."""
        span = max(1, self.end - self.begin)
        part = min(1.0, max(0.0, (now - self.begin) / span))
        (x0, y0), (x1, y1) = self.start, self.goal
        return round(x0 + (x1 - x0) * part, 1), round(y0 + (y1 - y0) * part, 1)


class TileWorld(World):
    """A board of slots, with the tiles that it may hold by id."""

    def __init__(self, board: Board, tiles: dict[str, Tile], seed: int, pace: float = 1.0) -> None:
        super().__init__(board, seed, pace)
        self.tiles = tiles
        self.slots: dict[CellId, tuple[str, int]] = {}
        self.balls: dict[int, RollingBall] = {}
        self._zone = {zone.id: 0 for zone in board.zones}
        self._next = 1

    # ---------------------------------------------------------------------------------- hands

    def seat(self, cell: CellId, tile: str, rotation: int) -> None:
        """Put a tile into an open slot. Raises `BadText` where a hand could not."""
        if cell in self.slots:
            raise BadText("hextraction.taken", slot=cell)
        self._fits(cell, tile, rotation)
        self.slots[cell] = (tile, rotation)
        self._level(f"seat:{cell}", True)

    def swap(self, cell: CellId, tile: str, rotation: int) -> None:
        """Put a tile into a slot, taking out what lies there. Raises `BadText`; then nothing has
        changed."""
        self._fits(cell, tile, rotation)
        if cell in self.slots:
            self.unseat(cell)
        self.seat(cell, tile, rotation)

    def _fits(self, cell: CellId, tile: str, rotation: int) -> None:
        if cell not in self.board.cell:
            raise BadText("hextraction.no_slot", slot=cell)
        if tile not in self.tiles:
            raise BadText("hextraction.no_tile", tile=tile)
        if rotation not in self.tiles[tile].rotations(self.board.key_edge):
            raise BadText("hextraction.wont_seat", tile=tile, rotation=rotation)

    def unseat(self, cell: CellId) -> None:
        """Take a tile out; balls in it or leaning on it drop."""
        if self.slots.pop(cell, None) is None:
            raise BadText("hextraction.hand_no_tile", slot=cell)
        self._level(f"seat:{cell}", False)
        for ball in list(self.balls.values()):
            if ball.still and ball.cell == cell:
                self._release(ball)
                self._fall(ball, cell, self.now)
            elif ball.still and ball.holds and cell in ball.holds:
                self._release(ball)
                self._cross(ball, self.now)

    def drop(self, lane: str) -> int:
        """Let a ball go in a ramp lane, or on a tile's own ramp; returns its number."""
        if ways := self._own_ramp(lane):
            return self._start(lane, ways)
        ramp = next((r for r in self.board.ramps if r.id == lane), None)
        if ramp is None:
            raise BadText("hextraction.no_ramp", ramp=lane)
        if any(ball.holds == f"gate:{lane}" for ball in self.balls.values()):
            raise BadText("hextraction.hand_lane_taken", lane=lane)
        ball = RollingBall(self._next)
        self._next += 1
        self.balls[ball.id] = ball
        ball.cell, ball.edge = ramp.cell, ramp.edge
        self._pulse(f"load:{lane}", self.now, round(350 * MS / self.pace))
        gate = self.board.edge_point(ramp.cell, ramp.edge)
        self._leg(ball, self.board.lane_point(ramp), gate, 400)
        self._at(ball.end, "gate", (ball.id, lane))
        return ball.id

    def _own_ramp(self, cell: CellId) -> tuple[int, ...]:
        """The edges that lead out of the ramp of the tile in a slot; none without such a ramp."""
        name, rotation = self.slots.get(cell, ("", 0))
        tile = self.tiles.get(name)
        if not isinstance(tile, Described) or not tile.ramps:
            return ()
        stated = tuple(turned(edge, rotation) for ramp in tile.ramps for edge in ramp.edges)
        return stated or tuple(tile.doors(rotation))

    def _start(self, cell: CellId, ways: tuple[int, ...]) -> int:
        """A ball begins to roll inside a slot."""
        ball = RollingBall(self._next)
        self._next += 1
        self.balls[ball.id] = ball
        ball.cell, ball.edge = cell, self.random.choice(ways)
        here = self.board.cell[cell]
        self._leg(ball, (here.x, here.y), self.board.edge_point(cell, ball.edge), 300)
        self._at(ball.end, "edge", (ball.id, ball.edge, ()))
        return ball.id

    def lay(self, place: str) -> None:
        """Put a ball where a game left one: on a seam, in a slot or an end zone. It lies still."""
        ball = RollingBall(self._next, still=True)
        self._next += 1
        zones = {f"zone:{zone.id}": zone for zone in self.board.zones}
        seams = {self.board.seam(c, e): (c, e) for c, e, _ in self.board.shared_edges}
        if place in zones:
            ball.start = ball.goal = self.board.zone_point(zones[place])
            self._hold(ball, f"floor:{zones[place].id}")
        elif place in seams:
            cell, edge = seams[place]
            other = self.board.neighbour(cell, edge)
            if self._closed(cell, edge) and other is not None:
                cell, edge = other, opposite(edge)
            ball.cell, ball.edge = cell, edge
            ball.start = ball.goal = self.board.edge_point(cell, edge)
            self._hold(ball, f"edge:{place}")
        elif place in self.board.cell:
            ball.cell = place
            ball.start = ball.goal = (self.board.cell[place].x, self.board.cell[place].y)
        else:
            return
        self.balls[ball.id] = ball

    def lift(self, id: int) -> None:
        """Pick a ball up, wherever it is."""
        ball = self.balls.pop(id, None)
        if ball is None:
            raise BadText("hextraction.hand_no_ball", ball=id)
        if ball.holds:
            self._release(ball)

    # ------------------------------------------------------------------------------- rolling

    @property
    def moving(self) -> bool:
        return any(not ball.still for ball in self.balls.values())

    def spots(self, now: int) -> list[Spot]:
        return [(ball.id, *ball.at(now)) for ball in self.balls.values()]

    def _happen(self, what: str, *detail: Any) -> None:
        if detail[0] in self.balls:
            getattr(self, f"_on_{what}")(self.balls[detail[0]], *detail[1:])

    def _on_gate(self, ball: RollingBall, lane: str) -> None:
        if self._closed(ball.cell, ball.edge):
            self._hold(ball, f"gate:{lane}")
            return
        self._pulse(f"gate:{lane}", self.now)
        self._enter(ball, ball.cell, ball.edge)

    def _enter(self, ball: RollingBall, cell: CellId, edge: int) -> None:
        """The ball comes into a cell over an edge, and either falls or takes a way through."""
        if cell not in self.slots:
            self._fall(ball, cell, self.now)
            return
        self._take(ball, cell, edge, tried=())

    def _take(self, ball: RollingBall, cell: CellId, edge: int, tried: tuple[int, ...]) -> None:
        tile, rotation = self.slots[cell]
        odds = self.tiles[tile].odds(rotation, edge)
        ways = [
            way
            for way in odds
            if way not in tried and (HEIGHT[way] <= HEIGHT[edge] or ball.climbs < CLIMBS)
        ]
        if not ways or (not tried and self.random.random() < STICK):
            ball.cell, ball.edge = cell, edge
            self._stay(ball)
            return
        out = self.random.choices(ways, [odds[way] for way in ways])[0]
        ball.climbs += HEIGHT[out] > HEIGHT[edge]
        ball.cell, ball.edge = cell, out
        point = self.board.edge_point
        drop = HEIGHT[edge] - HEIGHT[out]
        self._leg(ball, point(cell, edge), point(cell, out), 420 - 30 * drop)
        self._at(ball.end, "edge", (ball.id, edge, tried))

    def _stay(self, ball: RollingBall) -> None:
        """The ball comes to rest inside its tile, where no sensor sees it."""
        here = self.board.cell[ball.cell]
        self._leg(ball, self.board.edge_point(ball.cell, ball.edge), (here.x, here.y), 150)
        ball.still = True

    def _on_edge(self, ball: RollingBall, entry: int, tried: tuple[int, ...]) -> None:
        """The ball reaches the edge it wanted to leave by."""
        cell, out = ball.cell, ball.edge
        if cell not in self.slots:
            self._fall(ball, cell, self.now)
            return
        other = self.board.neighbour(cell, out)
        seam = self.board.seam(cell, out)
        if other is None:
            self._leave(ball, cell, out)
        elif any(b.holds == f"edge:{seam}" for b in self.balls.values()):
            ball.start = ball.goal = ball.at(ball.end - (ball.end - ball.begin) // 4)
            ball.still = True  # another ball lies there: it stops behind, unseen
        elif self._closed(other, opposite(out)):
            tile, rotation = self.slots[cell]
            below = [
                way
                for way in self.tiles[tile].doors(rotation).get(out, ())
                if HEIGHT[way] < HEIGHT[out] and way not in tried and way != entry
            ]
            if below and self.random.random() < 0.5:  # it rebounds and finds another way down
                self._pulse(f"edge:{seam}", self.now)
                self._take(ball, cell, out, tried=(*tried, out))
            else:
                self._hold(ball, f"edge:{seam}")
        else:
            self._pulse(f"edge:{seam}", self.now)
            self._cross(ball, self.now)

    def _cross(self, ball: RollingBall, at: int) -> None:
        other = self.board.neighbour(ball.cell, ball.edge) if ball.edge else None
        if other is None:
            self._fall(ball, ball.cell, at)
        else:
            self._enter(ball, other, opposite(ball.edge))

    def _leave(self, ball: RollingBall, cell: CellId, edge: int) -> None:
        point = self.board.edge_point
        zone = self.board.goal.get((cell, edge))
        if zone is not None:
            self._pulse(f"throat:{cell}-{edge}", self.now)
            below = next(z for z in self.board.zones if z.id == zone)
            self._leg(ball, point(cell, edge), self.board.zone_point(below), 250)
            self._at(ball.end, "floor", (ball.id, zone))
        elif (cell, edge) in self.board.entry:
            self._stay(ball)  # towards a ramp it only rolls back, until it lies low in the tile
        else:
            self._pulse(f"exit:{cell}-{edge}", self.now)
            self._leg(ball, point(cell, edge), point(cell, edge, 30), 150)
            self._at(ball.end, "gone", (ball.id,))

    def _on_floor(self, ball: RollingBall, zone: str) -> None:
        self._hold(ball, f"floor:{zone}")

    def _fall(self, ball: RollingBall, cell: CellId, at: int) -> None:
        here = self.board.cell[cell]
        self._leg(ball, ball.at(at), (here.x, here.y), 120)
        ball.cell = cell
        self._at(ball.end, "fallen", (ball.id,))

    def _on_fallen(self, ball: RollingBall) -> None:
        self._pulse(f"fall:{ball.cell}", self.now)
        del self.balls[ball.id]

    def _on_gone(self, ball: RollingBall) -> None:
        del self.balls[ball.id]

    def _closed(self, cell: CellId, edge: int) -> bool:
        if cell not in self.slots:
            return False
        tile, rotation = self.slots[cell]
        return edge not in self.tiles[tile].doors(rotation)

    # ------------------------------------------------------------------------------- sensors

    def _leg(
        self, ball: RollingBall, start: tuple[float, float], goal: tuple[float, float], ms: int
    ) -> None:
        span = int(ms * MS * self.random.uniform(0.85, 1.2) / self.pace)
        ball.start, ball.goal, ball.still = start, goal, False
        ball.begin, ball.end = self.now, self.now + span

    def _hold(self, ball: RollingBall, sensor: str) -> None:
        """The ball lies on a sensor from now on."""
        ball.still, ball.holds = True, sensor
        self._level(sensor, True)

    def _release(self, ball: RollingBall) -> None:
        sensor, ball.holds = ball.holds, ""
        if sensor and not any(b.holds == sensor for b in self.balls.values()):
            self._level(sensor, False)

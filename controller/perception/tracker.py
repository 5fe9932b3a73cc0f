"""The ball tracker: believed sensor changes in, happenings out.

It follows each ball from ramp to slot to slot until it fell, left over the side, entered an end zone
or came to rest, through missed edges: of the balls on the board the one with the cheapest way to
the sensor is taken to have tripped it. One reading of the evening is kept; where that is not enough
(a ball nobody sees at the end of a roll), the table asks.
"""

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush

from msgspec import Struct

from controller.board import EDGES, Board, CellId, Edge, opposite
from controller.games.hextraction.actions import (
    Action,
    Fell,
    Goal,
    Off,
    Rest,
    Roll,
    Touch,
    Wall,
)
from controller.perception.debounce import Change

Doors = Callable[[CellId], "dict[Edge, tuple[Edge, ...]] | None"]
"""What physically lies in a slot: for each open edge the ways on; None for an open slot."""

HOP = 4
"""What it costs to believe that a ball jumped over a closed edge; a missed edge costs 1."""
KNOCK = 2
"""What it costs to believe that a ball at rest was knocked on, while another one moves."""
FAR = 5
"""The dearest way that is still believed."""


class Track(Struct):
    """Where one ball is believed to be. `slot` "" is outside: in a lane or an end zone."""

    id: int
    slot: CellId = ""
    seam: str = ""
    """The seam or lane it is on or leans against, "" when it is well inside."""
    zone: str = ""
    moving: bool = True
    moved: int = 0
    """When it was last seen to move, board ns."""


class Tracker:
    """All balls on one board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.balls: dict[int, Track] = {}
        self._seams = {board.seam(c, e): (c, e, other) for c, e, other in board.shared_edges}
        self._rim = {f"{c}-{e}": (c, e) for cell in board.cells for c, e in ((cell.id, x) for x in EDGES)}
        self._steps = {
            cell.id: tuple((e, n) for e in EDGES if (n := board.neighbour(cell.id, e)))
            for cell in board.cells
        }

    def place(self, balls: Iterable[tuple[int, str]], doors: Doors) -> None:
        """Start afresh from what a position says: (ball, place). All lie still."""
        self.balls = {}
        for id, place in balls:
            self.put(id, place, doors)

    def put(self, id: int, place: str, doors: Doors) -> None:
        """A ball lies still at `place`: a slot, a seam, a lane or an end zone ("zone:ZB")."""
        track = Track(id, moving=False)
        if place.startswith("zone:"):
            track.zone = place.removeprefix("zone:")
        elif place in self.board.cell:
            track.slot = place
        elif place in self._seams:
            first, edge, second = self._seams[place]
            track.seam = place
            track.slot = first if edge in (doors(first) or ()) else second
        elif place in self._rim:
            track.seam = place
        self.balls[id] = track

    # ------------------------------------------------------------------------- what a sensor means

    def change(self, change: Change, doors: Doors, next_ball: int) -> Iterator[Action]:
        """The happenings that a believed change stands for. A gate gives a `Roll`, made or not."""
        if not change.level:
            return
        kind, place = change.sensor.split(":", 1)
        if kind == "gate":
            yield from self._gate(place, change.at, doors, next_ball)
        elif kind == "edge":
            yield from self._edge(place, change.at, doors)
        elif kind == "exit":
            cell, edge = self._rim[place]
            if (ball := self._bring(cell, change.at, doors)) is not None:
                yield from ball[1]
                del self.balls[ball[0].id]
                yield Off(ball[0].id, cell, edge)
        elif kind == "fall":
            if (ball := self._bring(place, change.at, doors)) is not None:
                yield from ball[1]
                del self.balls[ball[0].id]
                yield Fell(ball[0].id, place)
        elif kind == "throat":
            yield from self._throat(place, change.at, doors)

    def _gate(self, lane: str, at: int, doors: Doors, next_ball: int) -> Iterator[Action]:
        if any(track.seam == lane and not track.slot for track in self.balls.values()):
            return  # the ball that could not leave this lane trembles
        track = self.balls[next_ball] = Track(next_ball, seam=lane, moved=at)
        yield Roll(lane)
        cell, edge = self._rim[lane]
        yield from self._enter(track, cell, edge, doors)

    def _edge(self, seam: str, at: int, doors: Doors) -> Iterator[Action]:
        first, edge, second = self._seams[seam]
        found = self._nearest((first, second), doors)
        if found is None:
            return
        track, way = found
        if track.seam == seam and not track.moving:
            return  # it leans there already
        yield from self._walk(track, way, at)
        back = track.seam == seam
        here, out, there = (
            (first, edge, second) if track.slot == first else (second, opposite(edge), first)
        )
        open_here = doors(here)
        if back and open_here is not None and out not in open_here:
            return  # still the same contact with the same wall
        track.seam = seam
        yield from self._enter(track, there, opposite(out), doors)

    def _throat(self, place: str, at: int, doors: Doors) -> Iterator[Action]:
        cell, edge = self._rim[place]
        zone = self.board.goal[cell, edge]
        inside = [t for t in self.balls.values() if t.zone == zone and t.moving]
        found = self._nearest((cell,), doors)
        if found is None and inside:  # it came back out (2.9.1.1: "still there")
            track = max(inside, key=lambda t: (t.moved, t.id))
            track.zone, track.slot, track.seam, track.moved = "", cell, place, at
            yield Touch(track.id, cell)
        elif found is not None:
            track, way = found
            yield from self._walk(track, way, at)
            track.zone, track.slot, track.seam = zone, "", ""
            yield Goal(track.id, zone)

    def _enter(self, track: Track, cell: CellId, edge: Edge, doors: Doors) -> Iterator[Action]:
        """The ball reaches `cell` from outside over the cell's `edge`: in, against a wall, or down."""
        ways = doors(cell)
        if ways is not None and edge not in ways:
            yield Wall(track.id, cell)
            return
        track.slot = cell
        if ways is not None:
            yield Touch(track.id, cell)

    # ------------------------------------------------------------------------------- which ball

    def _bring(self, cell: CellId, at: int, doors: Doors) -> tuple[Track, list[Action]] | None:
        found = self._nearest((cell,), doors)
        if found is None:
            return None
        track, way = found
        return track, list(self._walk(track, way, at))

    def _walk(self, track: Track, way: tuple[CellId, ...], at: int) -> Iterator[Action]:
        """Move a ball along `way` (its own slot first) over edges that no sensor reported."""
        for cell in way[1:]:
            track.slot, track.seam = cell, ""
            yield Touch(track.id, cell)
        track.moving, track.moved = True, at

    def _nearest(
        self, cells: tuple[CellId, ...], doors: Doors
    ) -> tuple[Track, tuple[CellId, ...]] | None:
        """The ball with the cheapest way to one of `cells`, and that way; the newest among equals."""
        best: tuple[int, int, int, Track, tuple[CellId, ...]] | None = None
        for track in self.balls.values():
            start = track.slot or (track.seam and self._rim[track.seam][0])
            if not start or track.zone:
                continue
            extra = 0 if track.moving else KNOCK
            for cost, way in self._ways(start, cells, doors):
                key = (cost + extra, -track.moved, -track.id)
                if cost + extra <= FAR and (best is None or key < best[:3]):
                    best = (*key, track, way)
        return best and best[3:]

    def _ways(
        self, start: CellId, cells: tuple[CellId, ...], doors: Doors
    ) -> Iterator[tuple[int, tuple[CellId, ...]]]:
        """The cheapest way from `start` to any of `cells`, if one costs no more than `FAR`."""
        queue: list[tuple[int, tuple[CellId, ...]]] = [(0, (start,))]
        done: set[CellId] = set()
        while queue:
            cost, way = heappop(queue)
            here = way[-1]
            if here in cells:
                yield cost, way
                return
            if here in done:
                continue
            done.add(here)
            ways = doors(here)
            for edge, there in self._steps[here]:
                across = doors(there)
                free = (ways is None or edge in ways) and (
                    across is None or opposite(edge) in across
                )
                step = cost + (1 if free else HOP)
                if step <= FAR and there not in done:
                    heappush(queue, (step, (*way, there)))

    # ------------------------------------------------------------------------------ at rest

    @property
    def moving(self) -> bool:
        return any(track.moving for track in self.balls.values())

    def explains(self, sensor: str) -> bool:
        """Whether a ball is where it may hold this sensor high for long."""
        kind, place = sensor.split(":", 1)
        if kind == "edge":
            first, _, second = self._seams[place]
            return any(t.slot in (first, second) for t in self.balls.values())
        return kind == "gate" and any(t.seam == place for t in self.balls.values())

    def settle(self, high: Callable[[str], bool]) -> tuple[list[Action], list[Track]]:
        """No edge came for the settle time: who rests where, and who cannot be accounted for.

        `high(sensor)`: believed active, fitted and healthy.
        """
        rests: list[Action] = []
        missing: list[Track] = []
        for track in [t for t in self.balls.values() if t.moving]:
            if track.zone:
                known = f"floor:{track.zone}" not in self.board.sensor or high(
                    f"floor:{track.zone}"
                )
            elif track.seam and high(f"edge:{track.seam}" if track.slot else f"gate:{track.seam}"):
                rests.append(Rest(track.id, track.seam))
                known = True
            else:
                known = False
            if known:
                track.moving = False
            else:
                missing.append(track)
        return rests, missing

    def guesses(self, track: Track, doors: Doors) -> list[Action]:
        """Where a missing ball may be, likeliest first; the table adds what is always possible."""
        id, cell = track.id, track.slot or self._rim.get(track.seam, ("", 0))[0]
        guesses: list[Action] = []
        if track.zone:
            below = next(z.cell for z in self.board.zones if z.id == track.zone)
            return [Goal(id, track.zone), Rest(id, below)]
        if not cell:
            return guesses
        if not track.slot:
            guesses.append(Rest(id, track.seam))
        if doors(cell) is None:
            guesses.append(Fell(id, cell))
        else:
            guesses += [Rest(id, cell), Fell(id, cell)]
        guesses += [Off(id, c, e) for c, e in self.board.exits if c == cell]
        guesses += [Goal(id, z.id) for z in self.board.zones if z.cell == cell]
        return guesses

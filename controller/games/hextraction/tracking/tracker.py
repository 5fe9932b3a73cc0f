"""The ball tracker: believed sensor changes in, happenings out.

It follows each ball from ramp to slot to slot until it fell, left over the side, entered an end
zone or came to rest, through missed edges: of the balls on the board the one with the cheapest way
to the sensor is taken to have tripped it. One reading of the roll is kept, and how much it had to
be bent to fit (`strain`): the table weighs that against the reading without some one sensor. It is
quick, for lights and offers while balls roll; when they have come to rest, `readings.py` judges.
"""

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from heapq import heappop, heappush

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import EDGES, Board, CellId, Edge, opposite
from hexboard.facts import MS
from hexboard.games.hextraction.rules.actions import (
    Action,
    BallTouch,
    Fell,
    Fire,
    Goal,
    Off,
    Rest,
    Roll,
    Wall,
)
from hexboard.games.hextraction.tiles.areas import Area
from hexboard.games.hextraction.tracking.automaton import TWICE_NS, Automaton, Spot, spot_of
from hexboard.perception.debounce import Change

Doors = Callable[[CellId], "dict[Edge, tuple[Edge, ...]] | None"]
"""What physically lies in a slot: for each open edge the ways on; None for an open slot."""
Areas = Callable[[CellId], tuple[Area, ...]]
"""Where in a slot balls set something off."""

Ramps = Callable[[], tuple[CellId, ...]]
"""Tiles from whose own ramp a ball may be rolled now."""

HOP = 4
"""What it costs to believe that a ball jumped over a closed edge; a missed edge costs 1."""
KNOCK = 4
"""What it costs to believe that a ball at rest was knocked on, while another one moves."""
FAR = 5
"""The dearest way that is still believed."""
DOWN = (3, 4, 5)
"""The edges over which a ball leaves a slot unseen: it rolls down. Up it goes only where seen."""

LOADED_NS = 3_000 * MS
"""How long after a ball left a lane's loading place it may still pass the gate, or have passed it
unseen."""

TREMBLES, RETURNS, UNEXPLAINED = 1, 2, 3
"""The strain of a ball that knocks again at the wall it leans on, of one that comes back over the
edge it has just crossed, and of a sign that no ball can have made; a missed edge strains by 1."""


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
    let_go: bool = False
    """It lay on a seam, left it, and no sensor has seen it since."""
    entry: Edge = 0
    """The edge of its slot over which it came in, or leans; 0 where that is not known."""
    leans: bool = False

    @property
    def place(self) -> str:
        """Where it is, in a word."""
        return f"zone:{self.zone}" if self.zone else self.seam or self.slot


class Tracker:
    """All balls on one board."""

    def __init__(
        self,
        board: Board,
        areas: Areas = lambda slot: (),
        ramps: Ramps = lambda: (),
        feels: Callable[[str], bool] = lambda sensor: False,
    ) -> None:
        """`feels(sensor)`: whether it is active, and to be believed."""
        self.board, self.feels = board, feels
        self.areas = areas
        self.ramps = ramps
        self.balls: dict[int, Track] = {}
        self.loads: dict[str, tuple[bool, int]] = {}
        """Lanes into which somebody put a ball: whether it still lies there, and since when."""
        self._next = 1
        self._now = 0
        self.strain = 0
        """How much the signs since `place` had to be bent to make sense."""
        self._seams = {board.seam(c, e): (c, e, other) for c, e, other in board.shared_edges}
        self._rim = {f"{cell.id}-{edge}": (cell.id, edge) for cell in board.cells for edge in EDGES}
        self._steps = {
            cell.id: tuple((e, n) for e in DOWN if (n := board.neighbour(cell.id, e)))
            for cell in board.cells
        }

    def copy(self) -> "Tracker":
        """Another tracker that believes the same."""
        other = copy(self)
        other.balls = {id: replace(track) for id, track in self.balls.items()}
        other.loads = dict(self.loads)
        return other

    def place(self, balls: Iterable[tuple[int, str]], doors: Doors) -> None:
        """Start afresh from what a position says: (ball, place). All lie still."""
        self.balls = {}
        self.strain = 0
        for id, place in balls:
            if not place.startswith(("fell:", "off:")):
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
            track.seam, track.leans = place, True
            here = edge in (doors(first) or ())
            track.slot, track.entry = (first, edge) if here else (second, opposite(edge))
        elif place in self._rim:
            track.seam = place
        self.balls[id] = track

    def rename(self, id: int, to: int) -> None:
        """The game knows a ball by another number."""
        if id != to and id in self.balls:
            self.balls[to] = self.balls.pop(id)
            self.balls[to].id = to

    def rolls(self, id: int) -> bool:
        """Whether a ball is believed to move."""
        return id in self.balls and self.balls[id].moving

    def spot(self, id: int, place: str, automaton: Automaton) -> Spot:
        """Where the readings of what follows begin for a ball that the position has at `place`."""
        track = self.balls.get(id)
        if track is None or not track.moving:
            zone = place.startswith("zone:")
            return ("told", place, 0) if zone else spot_of(automaton, place)
        if track.zone or not track.seam:
            return spot_of(automaton, f"zone:{track.zone}" if track.zone else track.slot)
        if not track.slot:
            return "lane", track.seam, 0
        edge = next(e for e in EDGES if self.board.seam(track.slot, e) == track.seam)
        other = self.board.neighbour(track.slot, edge)
        wall = other is not None and automaton.shut(other, opposite(edge))
        return ("at" if wall else "in"), track.slot, edge

    # ------------------------------------------------------------------------- what a sensor means

    def change(self, change: Change, doors: Doors, next_ball: int) -> Iterator[Action]:
        """The happenings that a believed change stands for. A gate gives a `Roll`, made or not."""
        kind, place = change.sensor.split(":", 1)
        if kind == "load":
            self.loads[place] = (change.level, change.at)
        if not change.level:
            return
        self._next, self._now = next_ball, change.at
        if kind == "gate":
            yield from self._gate(place, change.at, doors, next_ball)
        elif kind == "edge":
            yield from self._edge(place, change.at, doors)
        elif kind == "exit":
            cell, edge = self._rim[place]
            if found := self._nearest((cell,), doors):
                yield from self._walk(*found, change.at, doors)
                yield from self._leave(found[0], edge)
                del self.balls[found[0].id]
                yield Off(found[0].id, cell, edge)
        elif kind == "fall":
            if found := self._nearest((place,), doors):
                yield from self._walk(*found, change.at, doors)
                for area in self.areas(place):
                    if area.hole and area.fires:
                        yield Fire(found[0].id, place, area.id)
                del self.balls[found[0].id]
                yield Fell(found[0].id, place)
        elif kind == "throat":
            yield from self._throat(place, change.at, doors)

    def loaded(self, at: int) -> list[str]:
        """Lanes with a ball in them that may roll, or may have passed its gate unseen."""
        taken = {track.seam for track in self.balls.values() if not track.slot}
        return [
            lane
            for lane, (lies, since) in self.loads.items()
            if (lies or at - since < LOADED_NS) and lane not in taken
        ]

    def settled(self) -> None:
        """Every ball is accounted for, and so is what left its loading place."""
        self.loads = {lane: load for lane, load in self.loads.items() if load[0]}

    def let_go(self, change: Change) -> bool:
        """Whether a sensor that a ball held down came free: the ball rolls on, or was lifted."""
        kind, place = change.sensor.split(":", 1)
        found = [
            track
            for track in self.balls.values()
            if kind in ("edge", "gate") and not change.level
            if track.seam == place and not track.moving
        ]
        for track in found:
            track.moving, track.moved, track.let_go = True, change.at, True
        return bool(found)

    def _gate(self, lane: str, at: int, doors: Doors, next_ball: int) -> Iterator[Action]:
        cell, edge = self._rim[lane]
        track = next((t for t in self.balls.values() if t.seam == lane and not t.slot), None)
        unloaded = f"load:{lane}" in self.board.sensor and lane not in self.loads
        if track is None and unloaded and (climber := self._inside(cell)):
            yield from self._up(climber, lane, at, doors)
            return
        if track is None:
            track = self.balls[next_ball] = Track(next_ball, seam=lane, moved=at)
            self.loads.pop(lane, None)
            yield Roll(lane)
        elif _closed(doors, cell, edge):
            self.strain += TREMBLES  # the ball that could not leave this lane
            return
        track.moving, track.moved = True, at
        yield from self._enter(track, cell, edge, doors)

    def _inside(self, cell: CellId) -> Track | None:
        """The ball that moves in a slot, the last one that was seen to."""
        moving = [t for t in self.balls.values() if t.moving and t.slot == cell]
        return max(moving, key=lambda track: (track.moved, track.id), default=None)

    def _up(self, track: Track, lane: str, at: int, doors: Doors) -> Iterator[Action]:
        """A ball runs up into a lane, or comes down again and touches its tile anew."""
        down = track.seam == lane
        if down and at - track.moved < TWICE_NS:
            self.strain += TREMBLES
            return
        track.seam, track.moved = lane, at
        if down and doors(track.slot) is not None:
            yield BallTouch(track.id, track.slot)

    def _edge(self, seam: str, at: int, doors: Doors) -> Iterator[Action]:
        first, edge, second = self._seams[seam]
        if any(t.seam == seam and self._lies(t) for t in self.balls.values()):
            return  # it leans there already
        found = self._nearest((first, second), doors)
        if found is None:
            return
        track, way = found
        if track.seam == seam and not track.moving:
            return
        since = at - track.moved
        yield from self._walk(track, way, at, doors)
        here, out, there = (
            (first, edge, second) if track.slot == first else (second, opposite(edge), first)
        )
        if track.seam == seam:
            if _closed(doors, here, out) or _closed(doors, there, opposite(out)):
                self.strain += TREMBLES
                if since > TWICE_NS and _closed(doors, there, opposite(out)):  # it hopped
                    yield Wall(track.id, there)
                return
            self.strain += RETURNS
        track.seam = seam
        yield from self._leave(track, out)
        yield from self._enter(track, there, opposite(out), doors)

    def _throat(self, place: str, at: int, doors: Doors) -> Iterator[Action]:
        cell, edge = self._rim[place]
        zone = self.board.goal[cell, edge]
        inside = [t for t in self.balls.values() if t.zone == zone and t.moving]
        found = self._nearest((cell,), doors, explain=not inside)
        if found:
            track, way = found
            yield from self._walk(track, way, at, doors)
            yield from self._leave(track, edge)
            track.zone, track.slot, track.seam = zone, "", ""
            yield Goal(track.id, zone)
        elif inside:  # it came back out (2.9.1.1: "still there")
            track = max(inside, key=lambda t: (t.moved, t.id))
            track.zone, track.slot, track.seam, track.moved = "", cell, place, at
            track.entry, track.leans = edge, False
            if doors(cell) is not None:
                yield BallTouch(track.id, cell)

    def _enter(self, track: Track, cell: CellId, edge: Edge, doors: Doors) -> Iterator[Action]:
        """The ball reaches `cell` from outside over its `edge`: in, against a wall, or down."""
        if _closed(doors, cell, edge):
            track.entry, track.leans = opposite(edge), True
            yield Wall(track.id, cell)
            return
        track.slot, track.entry, track.leans = cell, edge, False
        if doors(cell) is not None:
            yield BallTouch(track.id, cell)

    def _leave(self, track: Track, out: Edge) -> Iterator[Action]:
        """What the ball sets off on its way to an edge of its slot, as far as that is sure."""
        for area in self.areas(track.slot) if track.slot else ():
            if not area.hole and area.reached(track.entry, out, track.leans):
                yield Fire(track.id, track.slot, area.id)

    def _edge_to(self, cell: CellId, there: CellId) -> Edge:
        """Over which edge of a slot one comes to another; 0 where it is none beside it."""
        return next((edge for edge, other in self._steps.get(cell, ()) if other == there), 0)

    # ------------------------------------------------------------------------------- which ball

    def _walk(
        self, track: Track, way: tuple[CellId, ...], at: int, doors: Doors
    ) -> Iterator[Action]:
        """Move a ball along `way` over edges that no sensor reported. It begins with the ball's
        own slot, or with the one that its lane leads into."""
        if track.id not in self.balls:  # it passed its gate unseen
            self.balls[track.id] = track
            self.loads.pop(track.seam, None)
            self.strain += not track.slot
            yield Roll(track.slot or track.seam)
        unseen = way[1:] if track.slot else way
        self.strain += len(unseen)
        for cell in unseen:
            out = self._edge_to(track.slot, cell)
            yield from self._leave(track, out)
            track.entry = opposite(out) if track.slot else self._rim[track.seam][1]
            track.slot, track.seam, track.leans = cell, "", False
            if doors(cell) is not None:
                yield BallTouch(track.id, cell)
        track.moving, track.moved, track.let_go = True, at, False

    def _nearest(
        self, cells: tuple[CellId, ...], doors: Doors, explain: bool = True
    ) -> tuple[Track, tuple[CellId, ...]] | None:
        """The ball with the cheapest way to one of `cells`, and that way; the newest among equals.

        None strains the reading, if there is nothing else to `explain` the sign.
        """
        best: tuple[int, int, int, Track, tuple[CellId, ...]] | None = None
        most = FAR
        waiting = [Track(self._next, seam=lane, moved=-1) for lane in self.loaded(self._now)]
        waiting += [Track(self._next, slot=slot, moved=-1) for slot in self.ramps()]
        for track in (*reversed(self.balls.values()), *waiting):  # mostly it is the newest
            start = track.slot or (track.seam and self._rim[track.seam][0])
            if not start or track.zone or self._lies(track):
                continue
            ramp = track.slot and track.moved < 0  # a tile's own has no gate: nothing else will do
            extra = KNOCK if ramp or not track.moving else 1 if track.moved < 0 else 0
            for cost, way in self._ways(start, cells, doors, most - extra):
                key = (cost + extra, -track.moved, -track.id)
                if best is None or key < best[:3]:
                    best, most = (*key, track, way), key[0]
        if best is None and explain:
            self.strain += UNEXPLAINED
        return best and best[3:]

    def _lies(self, track: Track) -> bool:
        """Whether a ball at rest is felt where it lies."""
        sensors = (f"edge:{track.seam}", f"gate:{track.seam}")
        return bool(track.seam) and not track.moving and any(map(self.feels, sensors))

    def _ways(
        self, start: CellId, cells: tuple[CellId, ...], doors: Doors, most: int
    ) -> Iterator[tuple[int, tuple[CellId, ...]]]:
        """The cheapest way from `start` to any of `cells`, if one costs no more than `most`."""
        if most < 0:
            return
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
            if cost >= most:
                continue
            ways = doors(here)
            for edge, there in self._steps[here]:
                if there in done:
                    continue
                closed = ways is not None and edge not in ways
                step = cost + (HOP if closed or _closed(doors, there, opposite(edge)) else 1)
                if step <= most:
                    heappush(queue, (step, (*way, there)))

    # ------------------------------------------------------------------------------ at rest

    @property
    def moving(self) -> bool:
        return any(track.moving for track in self.balls.values())

    def loose(self, doors: Doors) -> Iterator[Track]:
        """The balls that lay on a rib, with no wall at either side, and came loose."""
        for track in self.balls.values():
            if track.moving and track.let_go and track.seam in self._seams:
                first, edge, second = self._seams[track.seam]
                if not (_closed(doors, first, edge) or _closed(doors, second, opposite(edge))):
                    yield track

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


def _closed(doors: Doors, cell: CellId, edge: Edge) -> bool:
    """Whether a wall stands at a slot's edge; an open slot has none."""
    ways = doors(cell)
    return ways is not None and edge not in ways

"""The automaton of a layout: where a ball can be, and over which sensors it goes from there.

Everything that balls are able to do has its weight here: ways through tiles by the odds in their
files, walls that they lean on, rebound from or hop over, lanes, end zones, open slots; and how far
they come without a sensor noticing.
"""

from collections.abc import Callable, Iterator, Mapping, Set
from heapq import heappop, heappush
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from hexboard.board import EDGES, Board, CellId, Edge, opposite
from hexboard.facts import MS
from hexboard.games.hextraction.rules.actions import BallTouch, Fell, Fire, Goal, Off, Roll, Wall
from hexboard.games.hextraction.tiles.areas import Area
from hexboard.games.hextraction.tiles.tile import HEIGHT
from hexboard.games.hextraction.tracking.channels import NOWHERE, Channels, Out

MISS_CNAT = 391
"""A fitted sensor misses a ball: one in fifty."""
HOP_CNAT = 900
"""A ball jumps a wall, or takes a way that its tile does not have."""
OVER_CNAT = 1200
"""A ball crosses an open slot and does not fall."""
BACK_CNAT = 900
"""A ball turns round in a tile, or comes out of an end zone again."""
RETURN_CNAT = 69
"""A ball that came up into a tile, where every way out goes further up, rolls back."""
TIRED_CNAT = 90
"""The same, where a way goes down beyond the middle: it does not come there in four of ten."""
LEAN_CNAT = 69
"""A ball that could go on leans on the wall it met: as often as not."""
TREMBLE_CNAT = 180
"""A ball hops off the wall it leans on and knocks again: a touch each time (K37)."""
AGAIN_CNAT = 280
"""So much less likely it does so once more: each time it is half as fast."""
EARLY_CNAT = 1200
"""A ball leaves a lane while the sensor at its loading place still feels it."""
JAM_CNAT = 460
"""A ball stays in a lane that is open."""
STICK_CNAT = 460
"""A ball stops in a tile that it could leave: one in a hundred."""
SUNK_CNAT = 5
"""The same, where every way out goes up."""
BEHIND_CNAT = 110
"""A ball stops in a tile where another one is in its way."""
SHORT_CNAT = 160
"""A ball comes so little far up a lane that its gate speaks once, not up and down again."""
PERHAPS_CNAT = 69
"""As likely as not: a ball comes into an area or a hole of which no way is known."""
UNEXPLAINED_CNAT = 1200
"""A sensor feels a ball that is none of those we know."""

TWICE_NS = 60 * MS
"""A sensor that speaks again so soon has spoken twice of one ball."""

BUDGET_CNAT = 1250
"""How much may be unseen between two signs of one ball: three sensors that miss it."""
LEAVES_CNAT = 1600
"""The same, where the sign says that it left the slots: that the sign came from nowhere, and the
ball stopped, is no likelier."""
POPS = 120
"""How many places a ball is followed to unseen, where hardly anything is sensed."""
DARK_POPS = 2_000
"""The same where nobody listened for a while: then every way is as likely as it is taken."""

Spot = tuple[str, str, Edge]
"""Where a ball is: ("in", slot, the edge it came in by; 0 for unknown), ("at", slot, the shut edge
it leans on), ("load", lane, 1 once it has left its loading place) or ("lane", lane, 0) before its
gate, ("up", lane, 0) run up into it from its tile, ("held", lane, 0), ("ramp", slot, 0) on a tile's
own ramp, not rolled yet, ("zone", slot, edge), ("told", place, 0) where people say that it lies."""
Told = tuple[Any, ...]
"""An action that still lacks its ball: (`BallTouch`, "C3")."""


Step = tuple[int, str, tuple[Told, ...], Spot | None]
"""A way over the next sensor: how unlikely it is, the sensor, what the ball does, where it is."""
Sensed = tuple[int, str, tuple[Told, ...], Spot | None, int, bool, bool]
"""The same; and how unlikely the sensor misses the ball, whether nothing else tells what went
there, and whether nobody heard it for a while."""
NOTHING: list[tuple[int, tuple[Told, ...]]] = [(0, ())]
"""A ball sets nothing off."""


class Way(Struct, frozen=True, gc=False):
    """How a ball goes on, and how unlikely that is."""

    cost: int
    told: tuple[Told, ...]
    spot: Spot | None
    """None once it has left the slots."""
    blind: bool = False
    """It leads over an edge where nothing is sensed."""
    missed: tuple[str, ...] = ()
    """Sensors that it passed without a word of theirs, though they were heard."""


class Stay(Struct, frozen=True, gc=False):
    """How a ball comes to lie inside a tile, and how unlikely that is."""

    cost: int
    told: tuple[Told, ...] = ()
    stuck: bool = False
    """It stopped on its way, though it could have gone on."""
    behind: Edge = 0
    """It came as far as a ball that leans on the wall at this edge, if one does."""


NO_WAYS: list[Way] = []
"""A ball cannot have made that sensor speak."""


class Automaton:
    """What balls can do on one layout: from each spot the ways over sensors, seen or not."""

    def __init__(
        self,
        board: Board,
        lies: Callable[[CellId], Channels | None],
        fitted: Set[str],
        before: "Automaton | None" = None,
        unheard: frozenset[str] = frozenset(),
        misses: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """`lies(slot)`: what balls meet there; None for an open slot. `fitted`: the sensors that
        are there, and to be believed. `before` is one of the same board, from which it takes what
        is the same. `unheard`: sensors that balls may have passed
        without a word of it, for a while nobody could hear them. `misses`: how unlikely some
        sensors are to miss a ball, where that is not `MISS_CNAT`."""
        self.board = board
        self.unheard, self.misses = unheard, misses
        self._lies = {cell.id: lies(cell.id) for cell in board.cells}
        self.doors = {slot: it.doors if it else None for slot, it in self._lies.items()}
        self.areas = {slot: it.areas for slot, it in self._lies.items() if it and it.areas}
        self.drains = {cell for cell, there in self.areas.items() if any(a.off for a in there)}
        """Slots whose tile has a hole that counts as the side of the board."""
        self.lane = {ramp.id: (ramp.cell, ramp.edge) for ramp in board.ramps}
        self.lanes = set(board.entry)
        self.fitted = fitted
        self.over, self.seam = board.over, board.seams
        self._reach: dict[Spot, tuple[dict[str, list[Way]], list[Way]]] = {}
        self._next: dict[Spot, list[Way]] = {}
        self._steps: dict[Spot, list[Sensed]] = {}
        self._stays: dict[Spot, list[Stay]] = {}
        self._looked: dict[Spot, set[CellId]] = {}
        """What lies in which slots was looked up for each of those."""
        self._beside: dict[CellId, list[CellId]] = before._beside if before else beside(board)
        """Each slot and those beside it."""
        if before and before._heard == self._heard:
            self._recall(before)

    @property
    def _heard(self) -> tuple[object, ...]:
        return self.fitted, self.unheard, self.misses

    def _recall(self, before: "Automaton") -> None:
        """Take over what is known of ways on which nothing lies otherwise."""
        was = before._lies
        slots = {s for s, it in self._lies.items() if it is not was[s] and it != was[s]}
        if not slots:
            self._reach, self._looked = before._reach, before._looked
            self._steps, self._stays = before._steps, before._stays
            return
        near = slots | {self.over[slot, edge] for slot in slots for edge in EDGES}
        steps, stays = before._steps.items(), before._stays.items()
        self._steps = {spot: known for spot, known in steps if self._cell(spot) not in near}
        self._stays = {spot: known for spot, known in stays if spot[1] not in near}
        looked = before._looked.items()
        self._looked = {spot: there for spot, there in looked if there.isdisjoint(slots)}
        self._reach = {spot: before._reach[spot] for spot in self._looked}

    def miss(self, sensor: str) -> int:
        heard = sensor in self.fitted and sensor not in self.unheard
        return self.misses.get(sensor, MISS_CNAT) if heard else 0

    def lain_on(self, spot: Spot) -> str:
        """The sensor on which a ball lies that leans on a wall, or is held in a lane; else ""."""
        kind, place, edge = spot
        if kind == "at":
            return f"edge:{self.seam[place, edge]}"
        return f"gate:{place}" if kind == "held" else ""

    def seen(self, spot: Spot, sensor: str) -> list[Way]:
        """How a ball at `spot` can have made `sensor` speak."""
        return self._reached(spot)[0].get(sensor, NO_WAYS)

    def unseen(self, spot: Spot) -> list[Way]:
        """Where a ball at `spot` can be now, no sensor having said so."""
        return self._reached(spot)[1]

    def next(self, spot: Spot) -> list[Way]:
        """The ways of a ball at `spot` over the next sensor, whichever that is."""
        if spot not in self._next:
            ways = (way for ways in self._reached(spot)[0].values() for way in ways)
            self._next[spot] = [way for way in ways if not way.missed]
        return self._next[spot]

    def _reached(self, spot: Spot) -> tuple[dict[str, list[Way]], list[Way]]:
        found = self._reach.get(spot)
        if found is None:
            found = self._reach[spot] = self._explore(spot)
        return found

    def _explore(self, start: Spot) -> tuple[dict[str, list[Way]], list[Way]]:
        """All ways from `start` within the budget, the likeliest first."""
        seen: dict[str, list[Way]] = {}
        unseen: list[Way] = []
        queue: list[tuple[int, int, Way]] = [(0, 0, Way(0, (), start))]
        visits: dict[Spot, int] = {}
        looked = self._looked[start] = set()
        count = 0
        most = DARK_POPS if self.unheard else POPS
        while queue and count < most:
            cost, _, way = heappop(queue)
            unseen.append(way)
            here, told_so_far, missed = way.spot, way.told, way.missed
            been = visits.get(here, 0) if here else 3
            if here is None or been >= 3:
                continue
            visits[here] = been + 1
            if not been:
                looked.update(self.doors if here[0] == "told" else self._beside[self._cell(here)])
            for more, sensor, told, spot, miss, unsensed, unheard in self._stepped(here):
                hops = spot == here  # at a wall
                total = cost + more + (_again(start, way, told) if hops and told else 0)
                if total > (LEAVES_CNAT if spot is None else BUDGET_CNAT):
                    continue
                done = told_so_far + told if told else told_so_far
                seen.setdefault(sensor, []).append(Way(total, done, spot, False, missed))
                total += miss
                if total <= BUDGET_CNAT and (not hops or (told and unheard)):
                    count += 1
                    passed = (*missed, sensor) if miss else missed
                    after = Way(total, done, spot, way.blind or unsensed, passed)
                    heappush(queue, (total, count, after))
        return seen, unseen

    def _cell(self, spot: Spot) -> CellId:
        """The slot where a ball is, or in front of which."""
        return self.lane[spot[1]][0] if spot[1] in self.lane else spot[1]

    def _stepped(self, spot: Spot) -> list[Sensed]:
        """The ways over the next sensor, looked up once."""
        if spot[0] == "told":
            spot = spot_of(self, spot[1])
        found = self._steps.get(spot)
        if found is None:
            found = self._steps[spot] = [self._sensed(step) for step in self._from(spot)]
        return found

    def _sensed(self, step: Step) -> Sensed:
        """A step, and what its sensor may not say of it. Of a ball that left the board where nobody
        heard it nothing else tells, and its tile goes."""
        miss, unheard = self.miss(step[1]), step[1] in self.unheard
        return *step, miss, not miss and not (unheard and step[1][:5] != "exit:"), unheard

    def _from(self, spot: Spot) -> Iterator[Step]:
        kind, place, edge = spot
        if kind == "ramp":
            for cost, sensor, told, after in self._through(place, 0):
                yield cost, sensor, ((Roll, place), *told), after
        elif kind == "up":
            cell, edge = self.lane[place]
            yield 0, f"gate:{place}", self._touch(cell), ("in", cell, edge)
        elif kind in ("load", "lane", "held"):
            yield from self._leave_lane(kind, place, edge)
        elif kind == "zone":
            touch = self._touch(place)
            yield BACK_CNAT, f"throat:{place}-{edge}", touch, ("in", place, edge)
        elif kind == "at":
            there = self.over[place, edge]
            if there is None or not self.shut(there, opposite(edge)):
                yield from self._cross(0, place, edge)  # the wall was taken out
            else:
                yield TREMBLE_CNAT, f"edge:{self.seam[place, edge]}", ((Wall, there),), spot
            yield from self._through(place, edge, leaning=True)
        else:
            yield from self._through(place, edge)

    def _leave_lane(self, kind: str, lane: str, gone: int) -> Iterator[Step]:
        cell, edge = self.lane[lane]
        gate, load = f"gate:{lane}", f"load:{lane}"
        begun: tuple[Told, ...] = ((Roll, lane),) if kind == "load" else ()
        lies = kind == "load" and not gone and self.miss(load)
        early = EARLY_CNAT if lies else 0
        shut = self.shut(cell, edge)
        if kind == "held":
            yield TREMBLE_CNAT, gate, (), ("held", lane, 0)
        else:
            wall: tuple[Told, ...] = ((Wall, cell),) if shut else ()
            yield early + (0 if shut else JAM_CNAT), gate, begun + wall, ("held", lane, 0)
        if not shut:
            cost = early if kind != "held" else TREMBLE_CNAT
            yield cost, gate, begun + self._touch(cell), ("in", cell, edge)

    def _through(self, cell: CellId, entry: Edge, leaning: bool = False) -> Iterator[Step]:
        """Out of a slot: by its tile's ways; down, where there is none; or by a way unheard of."""
        tile = self._lies[cell]
        if tile is None:
            yield 0, f"fall:{cell}", ((Fell, cell),), None
        ways = tile.out[entry] if tile else NOWHERE
        yield from self._sink(cell, entry)
        costs = ways.costs
        if leaning:
            costs = {out: cost + self.leans(cell, entry) for out, cost in costs.items()}
        for out in EDGES:
            if out in costs:
                cost = costs[out]
            elif tile is None:
                cost = OVER_CNAT
            elif out != entry:
                cost = HOP_CNAT
            elif not leaning:
                cost = _back(entry, ways)
            else:
                continue
            for more, fired in self._fired(cell, entry, out, leaning):
                yield from self._cross(cost + more, cell, out, fired)

    def _sink(self, cell: CellId, entry: Edge) -> Iterator[Step]:
        """Down a hole in the tile."""
        for area in self.areas.get(cell, ()):
            if area.hole and (not entry or not area.edges or entry in area.edges):
                fire: tuple[Told, ...] = ((Fire, cell, area.id),) if area.fires else ()
                yield PERHAPS_CNAT, f"fall:{cell}", (*fire, (Fell, cell)), None

    def _fired(
        self, cell: CellId, entry: Edge, out: Edge, leaning: bool
    ) -> list[tuple[int, tuple[Told, ...]]]:
        """What a ball sets off on its way through a tile, and how unlikely that is."""
        if cell not in self.areas:
            return NOTHING
        reached = [(a, a.reached(entry, out, leaning)) for a in self.areas[cell] if not a.hole]
        return _variants(cell, reached)

    def stays(self, spot: Spot) -> list[Stay]:
        """How a ball that came into a slot can have come to lie inside its tile."""
        found = self._stays.get(spot)
        if found is None:
            found = self._stays[spot] = list(self._stopped(spot))
        return found

    def _stopped(self, spot: Spot) -> Iterator[Stay]:
        _, cell, entry = spot
        tile = self._lies[cell]
        if tile is None:
            yield Stay(UNEXPLAINED_CNAT)
            return
        ways = tile.leads(entry)
        if not ways.goes_on:  # it has been as far as it comes
            for cost, told in self._entered(cell, entry, sure=True):
                yield Stay(SUNK_CNAT + cost, told)
        for out, cost in ways.costs.items():
            fired = self._fired(cell, entry, out, leaning=False)
            if (cell, out) in self.lanes:  # it rolled there and back
                for more, told in fired:
                    yield Stay(cost + more, told)
            elif cell in self.areas and self.walled(cell, out):
                for more, told in fired:
                    yield Stay(cost + more + BEHIND_CNAT, told, behind=out)
        for more, told in self._entered(cell, entry, sure=None):
            yield Stay(STICK_CNAT + more, told, stuck=True)

    def leans(self, cell: CellId, edge: Edge) -> int:
        """How unlikely it is that a ball which met a wall there leans on it, and that it goes on:
        as often one as the other, where a way on does not go up."""
        tile = self._lies[cell]
        return LEAN_CNAT if tile and tile.leads(edge).goes_on else 0

    def walled(self, cell: CellId, out: Edge) -> bool:
        """Whether a ball that wants to leave by an edge leans on a wall there."""
        there = self.over[cell, out]
        return there is not None and self.shut(there, opposite(out))

    def _entered(
        self, cell: CellId, entry: Edge, sure: bool | None
    ) -> list[tuple[int, tuple[Told, ...]]]:
        """What a ball set off that did not leave the tile again. `sure`: that it came to the areas
        to which its edge leads; None if that is not known."""
        if cell not in self.areas or not entry:
            return NOTHING
        reached = [
            (a, sure if entry in a.edges else False if a.edges else None)
            for a in self.areas[cell]
            if not a.hole
        ]
        return _variants(cell, reached)

    def _cross(
        self, cost: int, cell: CellId, out: Edge, fired: tuple[Told, ...] = ()
    ) -> Iterator[Step]:
        board, there = self.board, self.over[cell, out]
        if there is not None:
            sensor = f"edge:{self.seam[cell, out]}"
            if self.shut(there, opposite(out)):
                yield cost, sensor, (*fired, (Wall, there)), ("at", cell, out)
                if cost < HOP_CNAT:
                    over = ("in", there, opposite(out))
                    yield cost + HOP_CNAT, sensor, fired + self._touch(there), over
            else:
                yield cost, sensor, fired + self._touch(there), ("in", there, opposite(out))
        elif (zone := board.goal.get((cell, out))) is not None:
            yield cost, f"throat:{cell}-{out}", (*fired, (Goal, zone)), ("zone", cell, out)
        elif (lane := board.entry.get((cell, out))) is not None:  # up there, and down again
            yield cost, f"gate:{lane}", fired, ("up", lane, 0)
            yield cost + SHORT_CNAT, f"gate:{lane}", fired + self._touch(cell), ("in", cell, out)
        else:
            yield cost, f"exit:{cell}-{out}", (*fired, (Off, cell, out)), None

    def _touch(self, cell: CellId) -> tuple[Told, ...]:
        return () if self.doors[cell] is None else ((BallTouch, cell),)

    def shut(self, cell: CellId, edge: Edge) -> bool:
        """Whether a wall stands at a slot's edge; an open slot has none."""
        doors = self.doors[cell]
        return doors is not None and edge not in doors


def beside(board: Board) -> dict[CellId, list[CellId]]:
    """Each slot and those beside it."""
    around = {cell.id: [board.over[cell.id, edge] for edge in EDGES] for cell in board.cells}
    return {cell: [cell, *(there for there in near if there)] for cell, near in around.items()}


def spot_of(automaton: Automaton, place: str) -> Spot:
    """The spot of a ball that lies at `place`: a slot, a seam, a lane or an end zone."""
    board = automaton.board
    if place.startswith("zone:"):
        zone = next(z for z in board.zones if z.id == place[5:])
        return "zone", zone.cell, zone.edges[0]
    if place in automaton.lane:
        return "held", place, 0
    if place in board.cell:
        return "in", place, 0
    for cell, edge, other in board.shared_edges:
        if automaton.seam[cell, edge] == place:
            if edge in (automaton.doors[cell] or ()):
                return "at", cell, edge
            return "at", other, opposite(edge)
    return "in", place.split("-")[0], 0


def _again(start: Spot, way: Way, told: tuple[Told, ...]) -> int:
    """How much less likely a ball hops at a wall where it has hopped before, unseen."""
    before = told if start == way.spot else told + told
    return AGAIN_CNAT if way.told[-len(before) :] == before else 0


def _back(entry: Edge, ways: Out) -> int:
    """How unlikely it is that a ball turns round in a tile out of which these ways lead. One that
    came up over a low edge has hardly the speed to go on."""
    if HEIGHT[entry] >= 0 or not ways.costs:
        return BACK_CNAT
    return TIRED_CNAT if ways.goes_on else RETURN_CNAT


def _variants(
    cell: CellId, reached: list[tuple[Area, bool | None]]
) -> list[tuple[int, tuple[Told, ...]]]:
    """What is set off where it is known which areas a ball reached (None: it is not)."""
    found = NOTHING
    for area, sure in reached:
        fire: Told = (Fire, cell, area.id)
        if sure:
            found = [(cost, (*told, fire)) for cost, told in found]
        elif sure is None:
            found = [
                (cost + PERHAPS_CNAT, told + more) for cost, told in found for more in ((), (fire,))
            ]
    return found

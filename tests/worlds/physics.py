"""Balls that roll: energy, slopes, friction, ribs, walls, other balls. Events on one heap.

A ball that rolls without slipping gains v² = 10/7 · (g · drop − friction · g · way). It goes
through a tile in two halves, edge to hub and hub to edge; where its energy does not do, it rolls
back. Times are seconds, lengths mm, speeds mm/s.
"""

import heapq
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from random import Random

from hexboard.board import CellId, Edge
from tests.worlds.ground import Ground
from tests.worlds.knobs import Knobs
from tests.worlds.truth import OUT

G = 9810.0
"""mm/s²."""
SPOT_MM = 3.0
"""Half of how long a sensor feels a ball along its way; who goes further from a wall leaves it."""
SLOWEST = 15.0
"""mm/s: slower than this a ball is not said to roll over an edge."""
RADIUS_MM = 5.0
"""Of a ball (1.1.1)."""
RIB = 30.0
"""mm/s: slower than this no ball gets over a rib."""
MOST_EVENTS = 600
"""Of one run; then what still moves is held to have stopped. Energy runs out long before."""


@dataclass
class Contact:
    """A ball, or a hand (ball 0), over a sensor."""

    sensor: str
    on: float
    off: float | None
    ball: int = 0
    way: str = "hand"
    speed: float = 0.0


@dataclass
class Rest:
    """A ball that lies: in a slot, at its edge (0 for none), in an end zone or a lane."""

    slot: CellId
    edge: Edge = 0
    net: tuple[Edge, ...] = ()
    contact: Contact | None = None

    @property
    def place(self) -> str:
        return f"{self.slot}/{self.edge}" if self.edge else self.slot


@dataclass
class Run:
    """Balls in motion until all is at rest. `resting` is changed in place."""

    ground: Ground
    resting: dict[int, Rest]
    knobs: Knobs
    random: Random
    slow_at: int = 0
    """The how-maniest way through a tile is slow; 0 for none."""
    contacts: list[Contact] = field(default_factory=list)
    touches: list[tuple[float, int, CellId]] = field(default_factory=list)
    off: list[tuple[int, CellId]] = field(default_factory=list)
    fell: list[tuple[int, CellId]] = field(default_factory=list)
    goals: list[tuple[int, str]] = field(default_factory=list)
    moved: list[int] = field(default_factory=list)
    end: float = 0.0
    slow_s: float = 0.0
    _heap: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    _order: "count[int]" = field(default_factory=count)
    _inside: Counter[tuple[CellId, tuple[Edge, ...]]] = field(default_factory=Counter)
    _ways: int = 0
    _free_at: dict[str, float] = field(default_factory=dict)
    """From when on the next ball can be over a sensor."""
    _hopping: dict[tuple[CellId, Edge], int] = field(default_factory=dict)
    """Who is at a wall and has not come to rest there yet."""

    # ------------------------------------------------------------------------------- beginnings

    def release(self, ball: int, lane: str, at: float) -> None:
        """Let a ball go that lies in a lane; its load contact ends as it leaves the spot."""
        self._moves(ball)
        rest = self.resting.pop(ball)
        way, drop = self.ground.lane_mm(lane)
        pull = self._pull(drop, way)
        leaves = at + math.sqrt(2 * SPOT_MM / pull)
        if rest.contact is not None:
            rest.contact.off = leaves
        speed = math.sqrt(2 * pull * way)
        arrives = at + self._roughly(speed / pull)
        slot, _, edge = lane.rpartition("-")
        self._later(arrives, lambda t: self._gate(ball, slot, int(edge), t, speed))

    def drop(self, ball: int, slot: CellId, at: float) -> None:
        """A ball falls onto a slot."""
        self._moves(ball)
        if slot not in self.ground.tiles:
            self._later(at, lambda t: self._falls(ball, slot, t))
            return
        edges = [e for net in self.ground.tiles[slot][0].nets for e in net]
        rotation = self.ground.tiles[slot][1]
        edge = (self.random.choice(edges) - 1 + rotation) % 6 + 1
        net = self.ground.net(slot, edge)
        self.touches.append((at, ball, slot))
        self._later(at + 0.05, lambda t: self._hub(ball, slot, net, edge, t, 80.0, ()))

    def loosen(self, ball: int, at: float, speed: float = 60.0, barred: Edge = 0) -> None:
        """A resting ball moves, for whatever reason: away from its edge, or out of its slot; not by
        the edge that is `barred`, for whoever hits it comes from there."""
        rest = self.resting.pop(ball)
        self._moves(ball)
        if rest.contact is not None:
            rest.contact.off = at + SPOT_MM / speed
            self._reached(rest.contact.off)
        if rest.slot not in self.ground.tiles:
            self._later(at + 0.05, lambda t: self._falls(ball, rest.slot, t))
        elif rest.edge and self.ground.behind(rest.slot, rest.edge).kind in ("way", "open"):
            if rest.contact is not None:  # it lay on the rib: what was its contact is its crossing
                rest.contact.way = "stick"
            self._later(
                at + 0.02, lambda t: self._over(ball, rest.slot, rest.edge, t, speed, felt=True)
            )
        else:
            tried = tuple(edge for edge in (rest.edge, barred) if edge)
            net = rest.net or self.ground.net(rest.slot, rest.edge)
            self._later(
                at + 0.1, lambda t: self._hub(ball, rest.slot, net, rest.edge, t, speed, tried)
            )

    def finish(self) -> None:
        """Until nothing moves."""
        for _ in range(MOST_EVENTS):
            if not self._heap:
                break
            _, _, event = heapq.heappop(self._heap)
            event()

    # ------------------------------------------------------------------------------- on the way

    def _gate(self, ball: int, slot: CellId, edge: Edge, at: float, speed: float) -> None:
        self._passes(f"gate:{slot}-{edge}", ball, "gate", at, speed)
        slower = self._rib(speed)
        self._later(at + 5 / speed, lambda t: self._into(ball, slot, edge, t, slower))

    def _into(
        self, ball: int, slot: CellId, edge: Edge, at: float, speed: float, again: bool = False
    ) -> None:
        """Over the rib into a slot: through its channel to the hub, or down the hole. `again`: it
        never quite left it."""
        if slot not in self.ground.tiles:
            self._falls(ball, slot, at)
            return
        if not again:
            self.touches.append((at, ball, slot))
        net = self.ground.net(slot, edge)
        if not net:  # the lane's foot may end at a wall of the tile
            self._wall(ball, slot, edge, (edge,), at, speed)
            return
        way, drop = self.ground.half_mm(slot, net), self.ground.drop(slot, net, edge)
        self._inside[slot, net] += 1
        hub = self._speed(speed, drop, way)
        if hub > 0:
            arrives = at + self._roughly(2 * way / (speed + hub))
            self._later(arrives, lambda t: self._hub(ball, slot, net, edge, t, hub, ()))
            return
        back, takes = self._back(speed, -drop, way)
        near = self._felt(ball, slot, edge) if self._climb(speed, -drop, way) <= SPOT_MM else None
        if near is not None and back < SLOWEST:
            self._inside[slot, net] -= 1
            near.off, near.way = None, "stick"
            self.resting[ball] = Rest(slot, edge, net, near)
            self._reached(at + takes)
        elif near is not None:
            near.off = at + takes + SPOT_MM / back
            self._later(at + takes, lambda t: self._out(ball, slot, net, edge, t, back, True))
        elif back < SLOWEST:
            self._stops(ball, slot, net, at + takes)
        else:
            self._later(at + takes, lambda t: self._out(ball, slot, net, edge, t, back))

    def _hub(
        self,
        ball: int,
        slot: CellId,
        net: tuple[Edge, ...],
        entry: Edge,
        at: float,
        speed: float,
        tried: tuple[Edge, ...],
    ) -> None:
        """In the middle of a tile: meet who lies there, choose a way out, take it."""
        if other := self._lying(slot, net, 0):
            self._meets(ball, other, slot, net, entry, at, speed)
            return
        if self._inside[slot, net] > 1:  # another one rolls there, too
            speed *= 0.6
        stay, speed = self._lingers(slot, speed)
        at += stay
        ways = [edge for edge in net if edge not in tried and edge != entry]
        if not ways and entry in net and entry not in tried:
            ways = [entry]
        if not ways or len(tried) > 8:
            self._stops(ball, slot, net, at)
            return
        edge = self._chosen(slot, net, entry, ways, speed)
        speed *= _kept(net, entry, edge)
        way, drop = self.ground.half_mm(slot, net), -self.ground.drop(slot, net, edge)
        out = self._speed(max(speed, 1.0), drop, way)
        if out > SLOWEST:
            arrives = at + self._roughly(2 * way / (max(speed, 1.0) + out))
            self._later(arrives, lambda t: self._out(ball, slot, net, edge, t, out))
            return
        back, takes = self._back(speed, -drop, way)
        self._later(
            at + takes + 0.01,
            lambda t: self._hub(ball, slot, net, entry, t, back, (*tried, edge)),
        )

    def _out(
        self,
        ball: int,
        slot: CellId,
        net: tuple[Edge, ...],
        edge: Edge,
        at: float,
        speed: float,
        again: bool = False,
    ) -> None:
        """At an edge from inside; `again`: it was hardly over it, and its sensor felt it all the
        while."""
        self._inside[slot, net] -= 1
        if other := self._lying(slot, net, edge):
            self._hits(ball, other, slot, net, edge, at, speed)
            return
        if self._hopping.get((slot, edge), ball) != ball:
            self._stops(ball, slot, net, at + 0.1)
            return
        behind = self.ground.behind(slot, edge)
        if behind.kind == "wall":
            self._wall(ball, slot, edge, net, at, speed)
        elif behind.kind == "lane":
            self._up_a_lane(ball, slot, edge, at, speed)
        else:
            self._over(ball, slot, edge, at, speed, again, again)

    def _over(
        self,
        ball: int,
        slot: CellId,
        edge: Edge,
        at: float,
        speed: float,
        felt: bool = False,
        again: bool = False,
    ) -> None:
        """Over an edge that has no wall behind it; `felt` where its contact is known already."""
        behind, sensor = self.ground.behind(slot, edge), self.ground.sensor(slot, edge)
        at = max(at, self._free_at.get(sensor, at))  # one ball at a time
        self._free_at[sensor] = at + 2 * RADIUS_MM / speed
        if behind.kind in ("way", "open"):
            if not felt and (speed < RIB or self.random.random() < self.knobs.sticks):
                self._sticks(ball, slot, edge, sensor, at, speed >= RIB)
                return
            if not felt:
                self._passes(sensor, ball, "cross", at, speed)
            slower = self._rib(speed)
            self._later(
                at + SPOT_MM / speed,
                lambda t: self._into(ball, behind.place, behind.edge, t, slower, again),
            )
        elif behind.kind == "side":
            self._passes(sensor, ball, "exit", at + 3 / speed, speed)
            self.off.append((ball, slot))
        else:
            self._passes(sensor, ball, "throat", at + 3 / speed, speed)
            self._later(at + 15 / speed + 0.05, lambda t: self._floor(ball, behind.place, t))

    def _floor(self, ball: int, zone: str, at: float) -> None:
        self.goals.append((ball, zone))
        self._rests(ball, Rest(zone), f"floor:{zone}", "floor", at)

    def _falls(self, ball: int, slot: CellId, at: float) -> None:
        """Through an open slot: down on the ledge, through the hole, past the beam below."""
        speed = self.random.uniform(350, 700)
        self._passes(f"fall:{slot}", ball, "fall", at + self.random.uniform(0.03, 0.12), speed)
        self.fell.append((ball, slot))

    def _wall(
        self,
        ball: int,
        slot: CellId,
        edge: Edge,
        net: tuple[Edge, ...],
        at: float,
        speed: float,
        touching: Contact | None = None,
    ) -> None:
        """Against a closed edge: back to the hub, or a hop and again, or it leans there."""
        behind = self.ground.behind(slot, edge)
        if touching is None:
            if behind.kind == "wall":
                self.touches.append((at, ball, behind.place))
            touching = self._contact(slot, edge, ball, "bounce", at - SPOT_MM / max(speed, 50.0))
            touching.speed = speed
        self._hopping[slot, edge] = ball
        away = speed * self.random.uniform(0.2, 0.45)
        inwards = self.ground.half_mm(slot, net), -self.ground.drop(slot, net, edge)
        way, rise = inwards  # how much higher the hub lies than the edge
        hub = self._speed(away, -rise, way)
        if hub > SLOWEST:
            touching.off = at + SPOT_MM / away
            del self._hopping[slot, edge]
            self._inside[slot, net] += 1
            arrives = at + self._roughly(2 * way / (away + hub))
            self._later(arrives, lambda t: self._hub(ball, slot, net, edge, t, hub, (edge,)))
            return
        slowing, pull = -self._pull(-rise, way), self._pull(rise, way)
        if pull <= 0 or away < SLOWEST:  # no slope, or hardly a hop: it stays
            del self._hopping[slot, edge]
            self._leans(ball, Rest(slot, edge, net, touching), at)
            return
        hop = away**2 / (2 * slowing)
        falls = math.sqrt(2 * hop / pull)
        again, back = at + away / slowing + falls, pull * falls
        if hop <= SPOT_MM:
            self._later(again, lambda t: self._wall(ball, slot, edge, net, t, back, touching))
            return
        touching.off = at + SPOT_MM / away
        self._later(again, lambda t: self._wall(ball, slot, edge, net, t, back))

    def _up_a_lane(self, ball: int, slot: CellId, edge: Edge, at: float, speed: float) -> None:
        """Up into a lane, past its gate, and back."""
        way, drop = self.ground.lane_mm(f"{slot}-{edge}")
        speed = self._rib(speed)
        slowing, pull = -self._pull(-drop, way), self._pull(drop, way)
        far = speed**2 / (2 * slowing)
        back = math.sqrt(2 * pull * far)
        returns = at + speed / slowing + back / pull
        sensor = f"gate:{slot}-{edge}"
        if far > 3 + SPOT_MM:
            self._passes(sensor, ball, "bounce", at + 3 / speed, speed)
            self._passes(sensor, ball, "bounce", returns - 3 / back, back)
        elif far > SLOWEST / 100:
            self.contacts.append(Contact(sensor, at, returns, ball, "bounce", speed))
        back = self._rib(back)
        self._later(returns + 0.01, lambda t: self._into(ball, slot, edge, t, back))

    def _sticks(
        self, ball: int, slot: CellId, edge: Edge, sensor: str, at: float, loosely: bool
    ) -> None:
        """On the rib: half of those that stick loosely come loose after a while."""
        rest = Rest(slot, edge, self.ground.net(slot, edge))
        self._rests(ball, rest, sensor, "stick", at)
        if loosely and self.random.random() < 0.5:
            later = at + min(10.0, self.random.lognormvariate(math.log(1.5), 0.8))
            self._later(later, lambda t: self._comes_loose(ball, rest, t))

    def _comes_loose(self, ball: int, rest: Rest, at: float) -> None:
        if self.resting.get(ball) is rest:
            self.loosen(ball, at, 40.0)

    # ------------------------------------------------------------------------------- other balls

    def _meets(
        self,
        ball: int,
        other: int,
        slot: CellId,
        net: tuple[Edge, ...],
        entry: Edge,
        at: float,
        speed: float,
    ) -> None:
        """Into a ball that lies in the hub: that one goes on, and this one slowly after it; or this
        one stops behind it."""
        if speed <= 60 or self.random.random() >= 0.7:
            self._stops(ball, slot, net, at)
            return
        self.loosen(other, at, speed * self.random.uniform(0.6, 0.9), entry)
        after = speed * 0.15
        self._later(at + 0.4, lambda t: self._hub(ball, slot, net, entry, t, after, ()))

    def _hits(
        self,
        ball: int,
        other: int,
        slot: CellId,
        net: tuple[Edge, ...],
        edge: Edge,
        at: float,
        speed: float,
    ) -> None:
        """Against a ball that leans at the way out: that one may come loose, this one stops."""
        on_a_rib = self.ground.behind(slot, edge).kind in ("way", "open")
        squeezed = len(net) > 2 and speed > 150 and self.random.random() < 0.25
        if on_a_rib or squeezed:
            self.loosen(other, at, max(60.0, speed * (0.7 if on_a_rib else 0.4)))
            self._inside[slot, net] += 1
            self._later(
                at + 0.15,
                lambda t: self._hub(ball, slot, net, edge, t, speed * 0.2, ()),
            )
            return
        self._stops(ball, slot, net, at + 0.1)

    def _lying(self, slot: CellId, net: tuple[Edge, ...], edge: Edge) -> int:
        """The ball that lies at an edge of a net, 0 in its hub; 0 for none."""
        for ball, rest in self.resting.items():
            if (rest.slot, rest.edge) == (slot, edge) and (edge or set(rest.net) == set(net)):
                return ball
        return 0

    # ------------------------------------------------------------------------------- small things

    def _chosen(
        self, slot: CellId, net: tuple[Edge, ...], entry: Edge, ways: list[Edge], speed: float
    ) -> Edge:
        """A way out: as the file states, else the straighter the faster, the lower the likelier."""
        stated = {e: p for e, p in self.ground.odds(slot, entry).items() if e in ways}
        if stated and len(stated) == len(ways):
            return self.random.choices(list(stated), list(stated.values()))[0]
        return self.random.choices(ways, [self._weight(slot, net, entry, e, speed) for e in ways])[
            0
        ]

    def _weight(
        self, slot: CellId, net: tuple[Edge, ...], entry: Edge, edge: Edge, speed: float
    ) -> float:
        turn = math.radians(60 * ((edge - entry) % 6))  # π is straight on
        haste = speed / (speed + 150) if entry else 0.0
        slope = -self.ground.drop(slot, net, edge) / self.ground.half_mm(slot, net)
        steepest = math.sin(math.radians(self.knobs.tilt_deg)) or 1.0
        return math.exp(-1.5 * haste * math.cos(turn) + 2.5 * slope / steepest)

    def _lingers(self, slot: CellId, speed: float) -> tuple[float, float]:
        """How long a ball stays in the middle, and how fast it is then."""
        self._ways += 1
        slow = self.ground.tiles[slot][0].id in self.knobs.slow_tiles
        if not slow and self._ways != self.slow_at and self.random.random() >= self.knobs.bowls:
            return 0.0, speed
        sigma = 0.4 if slow else 0.8
        stay = min(10.0, self.random.lognormvariate(math.log(self.knobs.slow_s), sigma))
        self.slow_s = max(self.slow_s, stay)
        return stay, min(speed, 60.0)

    def _pull(self, drop: float, way: float) -> float:
        """mm/s² along a way: by its drop, less friction; negative where it slows."""
        return 5 / 7 * G * (drop / way - self.knobs.friction)

    def _speed(self, speed: float, drop: float, way: float) -> float:
        """At the end of a way; 0 where a ball does not get there."""
        return math.sqrt(max(0.0, speed**2 + 2 * self._pull(drop, way) * way))

    def _back(self, speed: float, rise: float, way: float) -> tuple[float, float]:
        """A way up that fails: the speed back at its foot (0: it stays up there), and the time."""
        slowing, pull = -self._pull(-rise, way), self._pull(rise, way)
        far = speed**2 / (2 * slowing) if slowing > 0 else way
        up = speed / slowing if slowing > 0 else 0.0
        if pull <= 0:
            return 0.0, up
        back = math.sqrt(2 * pull * far)
        return back, self._roughly(up + back / pull)

    def _rib(self, speed: float) -> float:
        """What a rib leaves of a speed."""
        return max(SLOWEST, speed * math.sqrt(1 - self.knobs.seam_loss))

    def _climb(self, speed: float, rise: float, way: float) -> float:
        """How far up a way a ball comes."""
        slowing = -self._pull(-rise, way)
        return min(way, speed**2 / (2 * slowing)) if slowing > 0 else way

    def _felt(self, ball: int, slot: CellId, edge: Edge) -> Contact | None:
        """The contact by which a ball came over an edge, if it is its last."""
        sensor = self.ground.sensor(slot, edge)
        own = [contact for contact in self.contacts if contact.ball == ball]
        return own[-1] if own and own[-1].sensor == sensor else None

    def _roughly(self, seconds: float) -> float:
        return seconds * self.random.lognormvariate(0.0, self.knobs.rough)

    def _moves(self, ball: int) -> None:
        if ball not in self.moved:
            self.moved.append(ball)

    def _later(self, at: float, what: Callable[[float], None]) -> None:
        self._reached(at)
        heapq.heappush(self._heap, (at, next(self._order), lambda: what(at)))

    def _reached(self, at: float) -> None:
        self.end = max(self.end, at)

    def _passes(self, sensor: str, ball: int, way: str, at: float, speed: float) -> None:
        half = SPOT_MM / max(speed, SLOWEST)
        self.contacts.append(Contact(sensor, at - half, at + half, ball, way, speed))
        self._reached(at + half)

    def _contact(self, slot: CellId, edge: Edge, ball: int, way: str, at: float) -> Contact:
        contact = Contact(self.ground.sensor(slot, edge), at, None, ball, way)
        self.contacts.append(contact)
        return contact

    def _stops(self, ball: int, slot: CellId, net: tuple[Edge, ...], at: float) -> None:
        self._inside[slot, net] = max(0, self._inside[slot, net] - 1)
        self.resting[ball] = Rest(slot, 0, net)
        self._reached(at)

    def _leans(self, ball: int, rest: Rest, at: float) -> None:
        assert rest.contact is not None
        rest.contact.way = "lean"
        self.resting[ball] = rest
        self._reached(at)

    def _rests(self, ball: int, rest: Rest, sensor: str, way: str, at: float) -> None:
        rest.contact = Contact(sensor, at, None, ball, way)
        self.contacts.append(rest.contact)
        self.resting[ball] = rest
        self._reached(at)


def _kept(net: tuple[Edge, ...], entry: Edge, edge: Edge) -> float:
    """What a turn leaves of the speed: a channel guides; in a star a ball runs into the far wall,
    and keeps what points its new way, and a tenth of the energy of the rest."""
    if len(net) == 2 or not entry:
        return 1.0
    straight = -math.cos(math.radians(60 * ((edge - entry) % 6)))
    return math.sqrt(max(0.0, straight) ** 2 + 0.1 * (1 - straight**2)) if straight > -1 else 0.3


def places(resting: dict[int, Rest]) -> dict[int, str]:
    """Where each ball on the board lies."""
    return {ball: rest.place for ball, rest in sorted(resting.items())}


__all__ = ["OUT", "Contact", "Rest", "Run", "places"]

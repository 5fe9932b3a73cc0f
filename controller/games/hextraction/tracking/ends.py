"""Ends: where the balls of a roll can have come to rest, and how unlikely each of that is."""

from collections.abc import Collection, Iterator

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import CellId
from hexboard.games.hextraction.rules.actions import Action, Goal, Gone, Rest
from hexboard.games.hextraction.tracking.automaton import (
    BEHIND_CNAT,
    JAM_CNAT,
    STICK_CNAT,
    UNEXPLAINED_CNAT,
    Automaton,
    Spot,
    Stay,
    Told,
    Way,
)
from hexboard.games.hextraction.tracking.hypothesis import PAUSED, Ball, actions_of

KNOCK_CNAT = 400
"""A ball at rest moves on, and no other one was seen to come near."""
SLOW_CNAT = 700
"""A ball goes on after a pause in which everything was taken to be at rest; or one that lay moves,
and nobody was seen to roll."""
LIFTED_CNAT = 300
"""A ball that left a lane's loading place was taken out by hand."""
TAKEN_CNAT = 1000
"""A ball that was picked up, or vanished."""
RIB_CNAT = 600
"""A ball lies on the rib over which it came into a slot: one in 400."""
ENDS_CNAT = 1100
"""How much less likely than the best an end may be and still be weighed."""
UNSEEN_REST_CNAT = 900
"""A ball leans where the sensor, which is read again and again, does not feel it."""


class BallEnd(Struct, frozen=True, gc=False):
    """How a ball ended: what it did unseen, and where it lies: a place, "" for gone."""

    cost: int
    ball: int
    told: tuple[Told, ...] = ()
    rest: str = ""
    blind: bool = False
    leans: CellId = ""
    """The slot inside which it leans on a wall."""
    stay: Stay | None = None
    """How it came to lie inside a tile."""
    missed: tuple[str, ...] = ()
    """Sensors that it passed last, without a word of theirs."""


class Ends:
    """Where balls can end on one layout, while these sensors feel one; those of them that have done
    so all the while (`steady`) tell of no ball that moved since."""

    def __init__(self, automaton: Automaton, held: set[str], steady: Collection[str] = ()) -> None:
        self._automaton, self._held = automaton, held
        self._news = {it for it in held if not (it.startswith("floor:") and it in steady)}
        self._near: dict[tuple[Ball, Automaton], list[BallEnd]] = {}
        self._felt: dict[str, set[str]] = {}
        """The sensors that feel a ball at a place, of those that feel one."""

    def near(self, ball: Ball, ways: Automaton) -> list[BallEnd]:
        """Those ends of a ball that are not much less likely than its best, the likeliest first;
        many readings have the same ball."""
        found = self._near.get((ball, ways))
        if found is None:
            ends = sorted(self.of(ball, ways), key=lambda end: end.cost)
            found = [end for end in ends if end.cost <= ends[0].cost + ENDS_CNAT]
            self._near[ball, ways] = found
        return found

    def of(self, ball: Ball, ways: Automaton | None = None) -> Iterator[BallEnd]:
        """Where one ball can have ended that went unseen, by these ways or those of the layout."""
        automaton = self._automaton
        id, spot, moves = ball
        if spot[0] == "told":
            yield BallEnd(0, id, (), spot[1])
            return
        yield BallEnd(TAKEN_CNAT, id, (), "gone")
        if not moves and self._lies(spot):
            leans = spot[1] if spot[0] == "at" else ""
            yield BallEnd(0, id, (), self._place(spot), leans=leans)
            return
        if spot[0] == "load":  # still in the lane, or in somebody's hand again: not rolled
            yield BallEnd(LIFTED_CNAT if spot[2] else 0, id, (), f"load:{spot[1]}")
        ways = ways or automaton
        for way in ways.unseen(spot):
            for end in self._after(way, ball, ways is not automaton):
                yield replace(end, missed=way.missed) if way.missed else end

    def _after(self, way: Way, ball: Ball, unheard: bool) -> Iterator[BallEnd]:
        """Where one ball can have ended that went that way unseen; `unheard`: nobody could see."""
        automaton = self._automaton
        id, spot, moves = ball
        again = KNOCK_CNAT if not moves else SLOW_CNAT if moves == PAUSED and unheard else 0
        here, cost = way.spot, way.cost + (again if way.told else 0)
        if here is None:
            yield BallEnd(cost, id, way.told, "", way.blind)
            return
        kind, place, edge = here
        if kind == "in":
            if here == spot and not moves:
                yield BallEnd(cost, id, way.told, place, way.blind)
                return
            for stay in automaton.stays(here):
                told = way.told + stay.told
                yield BallEnd(cost + stay.cost, id, told, place, way.blind, "", stay)
            seam = automaton.seam.get((place, edge), "")
            if f"edge:{seam}" in self._held:
                yield BallEnd(cost + RIB_CNAT, id, way.told, seam)
        elif kind == "at":
            seam = automaton.seam[place, edge]
            fitted = f"edge:{seam}" in automaton.fitted
            if here == spot and not moves and fitted and automaton.walled(place, edge):
                # its sensor has felt nothing all the while, which says nothing new
                yield BallEnd(cost, id, way.told, seam, way.blind, place)
                yield BallEnd(cost + KNOCK_CNAT, id, way.told, place, way.blind)
                return
            cost += automaton.leans(place, edge)
            end = BallEnd(cost, id, way.told, seam, way.blind, place)
            yield self._leans(end, f"edge:{seam}")
            yield BallEnd(cost + STICK_CNAT, id, way.told, place, way.blind)
        elif kind == "lane":  # not yet at the gate
            yield BallEnd(cost + JAM_CNAT, id, way.told, place, way.blind)
        elif kind == "held":
            yield self._leans(BallEnd(cost, id, way.told, place, way.blind), f"gate:{place}")
        elif kind == "zone":
            zone = automaton.board.goal[place, edge]
            end = BallEnd(cost, id, way.told, f"zone:{zone}", way.blind)
            yield self._leans(end, f"floor:{zone}")

    def _lies(self, spot: Spot) -> bool:
        """Whether nothing says that a ball at rest is no longer there."""
        kind = {"at": "edge", "held": "gate"}.get(spot[0])
        return kind is None or f"{kind}:{self._place(spot)}" in self._held

    def _place(self, spot: Spot) -> str:
        return self._automaton.seam[spot[1], spot[2]] if spot[0] == "at" else spot[1]

    def _leans(self, end: BallEnd, sensor: str) -> BallEnd:
        """The end of a ball that lies on a sensor, if there is one."""
        if sensor in self._held:
            return replace(end, blind=False)
        if sensor in self._automaton.fitted:
            return replace(end, cost=end.cost + UNSEEN_REST_CNAT)
        return replace(end, blind=True)

    def together(self, ends: tuple[BallEnd, ...]) -> int:
        """What the places of all balls together cost or save: sensors that feel a ball which is
        none of them, and balls that lie behind others."""
        unknown = self._news
        if unknown:
            unknown = unknown.difference(*[self._feel(end.rest) for end in ends])
        cost = UNEXPLAINED_CNAT * len(unknown)
        for i, end in enumerate(ends):
            if end.stay is not None and (end.stay.stuck or end.stay.behind):
                cost += self._in_its_way(i, ends)
        return cost

    def _feel(self, rest: str) -> set[str]:
        """The sensors that feel a ball which lies there, of those that feel one."""
        if rest not in self._felt:
            kind, _, place = rest.rpartition(":")
            felt = {"zone": f"floor:{place}", "load": rest}.get(kind, f"edge:{rest}")
            self._felt[rest] = self._held & {felt, f"gate:{rest}"}
        return self._felt[rest]

    def _in_its_way(self, i: int, ends: tuple[BallEnd, ...]) -> int:
        """What it costs or saves that other balls lie where one stopped on its way."""
        end, areas = ends[i], self._automaton.areas
        assert end.stay is not None
        leaning = [other.rest for other in ends if other.leans == end.rest]
        if end.stay.behind:
            wall = self._automaton.seam[end.rest, end.stay.behind]
            return 0 if wall in leaning else UNEXPLAINED_CNAT
        lying = any(
            other.rest == end.rest and (k < i or (k > i and not (other.stay and other.stay.stuck)))
            for k, other in enumerate(ends)
        )
        return BEHIND_CNAT - STICK_CNAT if lying or (leaning and end.rest not in areas) else 0


def spot_said(action: Action) -> Spot | None:
    """Where a ball lies, people say; None where it left."""
    if isinstance(action, Rest):
        return "told", action.place, 0
    return ("told", f"zone:{action.zone}", 0) if isinstance(action, Goal) else None


def is_said(end: BallEnd, action: Action) -> bool:
    """Whether a ball ended as people say."""
    match action:
        case Rest(_, place):
            return end.rest == place
        case Goal(_, zone):
            return end.rest == f"zone:{zone}"
        case Gone():
            return end.rest == "gone" or end.rest.startswith("load:")
    return end.rest == "" and end.told[-1:] == ((type(action), *values_of(action)),)


def acts_of(end: BallEnd) -> Iterator[Action]:
    """What a ball did unseen, and that it rests or is gone."""
    yield from actions_of(end.ball, end.told)
    if end.rest == "gone":
        yield Gone(end.ball)
    elif end.rest and not end.rest.startswith(("load:", "zone:")):
        yield Rest(end.ball, end.rest)


def values_of(action: Action) -> tuple[str | int, ...]:
    """What an action says beside its ball."""
    return tuple(getattr(action, name) for name in action.__struct_fields__ if name != "ball")

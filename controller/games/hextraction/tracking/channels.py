"""Channels: what balls meet of a tile as it lies, the same in all slots in which it lies so."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from hexboard.board import EDGES, Edge
from hexboard.games.hextraction.tiles.areas import Area
from hexboard.games.hextraction.tiles.tile import HEIGHT
from hexboard.games.hextraction.tracking.weights import weight

CLIMB_CNAT = 300
"""A ball has the speed to go up."""

UNSTATED = 0.01
"""How often a ball takes a way that its tile has, and of which the odds in its file say nothing:
they are stated to a hundredth."""

Doors = Mapping[Edge, tuple[Edge, ...]]
"""For each open edge the edges by which a ball from there can leave."""
Odds = Callable[[Edge], Mapping[Edge, float]]
"""How a ball that came in there leaves, as far as the tile's file says."""


class Out(Struct, frozen=True):
    """The ways out of a tile from one of its edges."""

    costs: Mapping[Edge, int] = {}
    """How unlikely each is. A ball goes up only with the speed for it."""
    goes_on: bool = False
    """Whether balls take one that does not go up more often than hardly ever."""


NOWHERE = Out()
"""No way leads out."""


class Channels(Struct, frozen=True):
    """What balls meet of a tile."""

    doors: Doors
    out: tuple[Out, ...]
    """The ways out by the edge over which a ball came in; 0: nobody knows by which. Over an edge
    that is shut any way may be taken."""
    areas: tuple[Area, ...]

    def leads(self, entry: Edge) -> Out:
        """The ways out of a ball that came in over an open edge; over another one none is known."""
        return self.out[entry] if entry in self.doors else NOWHERE


def channels(doors: Doors, odds: Odds, areas: tuple[Area, ...] = ()) -> Channels:
    """What balls meet of a tile that has these doors."""
    ways = (doors.get(it, tuple(out for out in doors if out != it)) for it in (0, *EDGES))
    known = ({}, *map(odds, EDGES))
    outs = (_out(entry, *each) for entry, each in enumerate(zip(ways, known, strict=True)))
    return Channels(doors, tuple(outs), areas)


def _out(entry: Edge, ways: tuple[Edge, ...], known: Mapping[Edge, float]) -> Out:
    """Those `ways` out, weighed by shares in thousandths."""
    shares = {out: max(round(known.get(out, UNSTATED) * 1000), 1) for out in ways}
    level = sum(share for out, share in shares.items() if not _up(entry, out))
    goes_on = level * 50 > sum(shares.values())
    total = level if goes_on else sum(shares.values())
    costs = {
        out: weight(share, max(total, share)) + (CLIMB_CNAT if _up(entry, out) else 0)
        for out, share in shares.items()
    }
    return Out(costs, goes_on)


def _up(entry: Edge, out: Edge) -> bool:
    """Whether a way goes up; from inside, where no edge is known, too."""
    return HEIGHT[out] > HEIGHT[entry]

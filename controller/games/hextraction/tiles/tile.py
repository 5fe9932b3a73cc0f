"""A Hextraction tile as data: which edges it joins, how it may be turned, what it does.

There are two forms of file (docs/tiles.md): form 1 only routes; form 2 adds what stands on a card:
owner, text, keywords, trigger areas, holes, pockets, parts and effects.
"""

from functools import cache

from msgspec import Struct, field

from hexboard.board import Edge, turned
from hexboard.games.hextraction.tiles.effects import TileEffect

ROUTES_ONLY = "hexboard/tile-1"
DESCRIBED = "hexboard/tile-2"
HEIGHT = (0, 4, 2, -2, -4, -2, 2)
"""How high edges 1..6 of a slot lie, in eighths of a pitch: a ball rolls from high to low."""


class Route(Struct, frozen=True, forbid_unknown_fields=True):
    """How often (`p`) a ball that enters at printed edge `start` leaves at printed edge `to`."""

    to: Edge
    p: float
    start: Edge = field(name="from")


class Tile(Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of tile as its file describes it."""

    schema: str
    id: str
    name: str
    set: str
    source: str
    nets: tuple[tuple[Edge, ...], ...]
    sockets: tuple[Edge, ...]
    confidence: dict[str, str] = field(default_factory=dict)
    routes: tuple[Route, ...] = ()
    takes_ms: int = 0
    """So long a ball may take through it; 0 where it takes no longer than through most."""

    def rotations(self, key_edge: Edge) -> tuple[int, ...]:
        """The turns (sixths clockwise) in which a socket meets the slot's key, so that it seats
        (T.Orientation)."""
        return _rotations(self.sockets, key_edge)

    def ways(self, key_edge: Edge) -> tuple[tuple[int, ...], ...]:
        """Its rotations, those together that balls meet alike."""
        alike: dict[object, tuple[int, ...]] = {}
        for rotation in self.rotations(key_edge):
            met = self._met(rotation)
            alike[met] = (*alike.get(met, ()), rotation)
        return tuple(alike.values())

    def _met(self, rotation: int) -> object:
        nets = frozenset(frozenset(turned(edge, rotation) for edge in net) for net in self.nets)
        routes = ((turned(r.start, rotation), turned(r.to, rotation), r.p) for r in self.routes)
        return nets, frozenset(routes)

    def doors(self, rotation: int) -> dict[Edge, tuple[Edge, ...]]:
        """In the slot's frame: for each open edge, the edges a ball from there can leave by."""
        return _doors(self.nets, rotation)

    def odds(self, rotation: int, entry: Edge) -> dict[Edge, float]:
        """How the simulator weighs the ways out for a ball that came in at slot edge `entry`."""
        return _odds(self.nets, self.routes, rotation, entry)


class Spot(Struct, frozen=True, forbid_unknown_fields=True):
    """A place inside a tile that its file names: a trigger area, or a ramp of the tile's own.

    `edges` are those whose ways lead through it; none where that is not known.
    """

    id: str
    edges: tuple[Edge, ...] = ()


class Hole(Struct, frozen=True, forbid_unknown_fields=True):
    """A hole that a ball can fall into, and what that counts as: fell, off, returned, or "" where
    that is not known."""

    id: str
    counts_as: str = ""
    edges: tuple[Edge, ...] = ()


class Pocket(Struct, frozen=True, forbid_unknown_fields=True):
    """A place that keeps `holds` balls on their way between `edges`."""

    id: str
    holds: int
    edges: tuple[Edge, ...] = ()


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A moving part with named states; `initial` is "" where it may begin in any."""

    id: str
    states: tuple[str, ...]
    initial: str = ""


class Item(Struct, frozen=True, forbid_unknown_fields=True):
    """Something beside the tile that it needs, brought by its owner or by all players (0.1.6)."""

    name: str
    by: str


class Described(Tile, frozen=True, forbid_unknown_fields=True):
    """A tile of form 2: all of form 1, and what stands on its card.

    The rules know a tile by owner and name (0.3.2); `owner` is "" where anyone may own it. An edge
    in `shared` may stand in several nets: two lanes side by side, or a part that moves.
    """

    owner: str = ""
    text: str = ""
    star: bool | None = None
    keywords: tuple[str, ...] = ()
    combo: tuple[str, ...] = ()
    shared: tuple[Edge, ...] = ()
    triggers: tuple[Spot, ...] = ()
    holes: tuple[Hole, ...] = ()
    pockets: tuple[Pocket, ...] = ()
    ramps: tuple[Spot, ...] = ()
    parts: tuple[Part, ...] = ()
    items: tuple[Item, ...] = ()
    effects: tuple[TileEffect, ...] = ()

    def _met(self, rotation: int) -> object:
        return rotation  # what else is on it looks another way

    @property
    def rules(self) -> tuple[object, ...]:
        """What the card says, to tell two cards of one name apart (0.3.3)."""
        return (self.text, frozenset(self.keywords), self.effects)


def effects_of(tile: Tile) -> tuple[TileEffect, ...]:
    """What a tile does; one of form 1 does nothing that the referee knows of."""
    return tile.effects if isinstance(tile, Described) else ()


@cache
def _rotations(sockets: tuple[Edge, ...], key_edge: Edge) -> tuple[int, ...]:
    return tuple(sorted((key_edge - socket) % 6 for socket in sockets))


@cache
def _odds(
    nets: tuple[tuple[Edge, ...], ...], routes: tuple[Route, ...], rotation: int, entry: Edge
) -> dict[Edge, float]:
    stated = {turned(r.to, rotation): r.p for r in routes if turned(r.start, rotation) == entry}
    if stated:
        return stated
    # No figures: downhill ways share by drop, straight on counts double, uphill is rare.
    drop = {e: HEIGHT[entry] - HEIGHT[e] for e in _doors(nets, rotation).get(entry, ())}
    straight = turned(entry, 3)
    return {e: max(d, 0.1) * (2.0 if e == straight else 1.0) for e, d in drop.items()}


@cache
def _doors(nets: tuple[tuple[Edge, ...], ...], rotation: int) -> dict[Edge, tuple[Edge, ...]]:
    doors: dict[Edge, tuple[Edge, ...]] = {}
    for net in nets:
        for edge in net:
            ways = tuple(turned(other, rotation) for other in net if other != edge)
            door = turned(edge, rotation)
            known = doors.get(door, ())
            doors[door] = known + tuple(way for way in ways if way not in known)
    return doors

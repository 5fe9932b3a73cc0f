"""Areas of a tile: where a rolling ball sets effects off, and which ways lead through them (2.6.1).

A tile's file names each trigger area and hole with the edges whose ways lead through it, or with
none where that is not known.
"""

from msgspec import Struct

from hexboard.board import Edge, turned
from hexboard.games.hextraction.tiles.tile import Described, Hole, Tile


class Area(Struct, frozen=True):
    """A trigger area or a hole of a tile as it lies in a slot; `edges` are the slot's."""

    id: str
    edges: tuple[Edge, ...]
    hole: bool = False
    fires: bool = True
    """Something comes of it; a hole can also be no more than a hole."""
    off: bool = False
    """A ball that falls through it left over the side (2.1.5.3, K15)."""

    def reached(self, entry: Edge, out: Edge, within: bool = False) -> bool | None:
        """Whether a ball on its way from edge `entry` to `out` comes into the area; None if that is
        not known. One that is `within` the tile leans at `entry`, or lay somewhere in it (0)."""
        if within or not entry:  # it is in the area already, if its way led there (T.Trigger.2)
            return entry > 0 and out in self.edges and entry not in self.edges
        if not self.edges:
            return None
        return entry in self.edges or out in self.edges


def areas(tile: Tile, rotation: int, holes: str = "slot") -> tuple[Area, ...]:
    """The areas of a tile, turned `rotation` sixths clockwise, that something comes of; `holes`
    says what one counts as where its file does not (K15)."""
    if not isinstance(tile, Described):
        return ()

    def fires(cause: str, id: str) -> bool:
        return any(effect.cause == cause and effect.area == id for effect in tile.effects)

    def lies(edges: tuple[Edge, ...]) -> tuple[Edge, ...]:
        return tuple(turned(edge, rotation) for edge in edges)

    found = [Area(t.id, lies(t.edges)) for t in tile.triggers if fires("trigger", t.id)]
    for hole in tile.holes:
        off = leads_off(hole, holes)
        found.append(Area(hole.id, lies(hole.edges), True, fires("hole", hole.id), off))
    return tuple(found)


def leads_off(hole: Hole, holes: str) -> bool:
    """Whether a ball that falls into a hole left over the side (K15)."""
    return hole.counts_as == "off" or (not hole.counts_as and holes == "side")

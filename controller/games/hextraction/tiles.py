"""Hextraction tiles as data: which edges a tile joins, and how it may be turned in a slot.

A tile here only routes; effects, parts and keywords come with the full rules. The file format is
docs/files.md; the shipped set is `hardware/tiles/basic`, the eight tiles of the Basic pack.
"""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from msgspec import Struct, field

from controller.board import EDGES, Edge, turned
from controller.errors import BadFile
from controller.files import Source, read, refuse, shipped

SCHEMA = "hexboard/tile-1"
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

    def rotations(self, key_edge: Edge) -> tuple[int, ...]:
        """The turns (sixths clockwise) in which a socket meets the slot's key, so that it seats."""
        return tuple(sorted((key_edge - socket) % 6 for socket in self.sockets))

    def doors(self, rotation: int) -> dict[Edge, tuple[Edge, ...]]:
        """In the slot's frame: for each open edge, the edges a ball from there can leave by."""
        return _doors(self.nets, rotation)

    def odds(self, rotation: int, entry: Edge) -> dict[Edge, float]:
        """How the simulator weighs the ways out for a ball that came in at slot edge `entry`."""
        stated = {
            turned(r.to, rotation): r.p for r in self.routes if turned(r.start, rotation) == entry
        }
        if stated:
            return stated
        # No figures: downhill ways share by drop, straight on counts double, uphill is rare.
        drop = {e: HEIGHT[entry] - HEIGHT[e] for e in self.doors(rotation).get(entry, ())}
        straight = turned(entry, 3)
        return {e: max(d, 0.1) * (2.0 if e == straight else 1.0) for e, d in drop.items()}


@cache
def _doors(nets: tuple[tuple[Edge, ...], ...], rotation: int) -> dict[Edge, tuple[Edge, ...]]:
    return {
        turned(edge, rotation): tuple(turned(other, rotation) for other in net if other != edge)
        for net in nets
        for edge in net
    }


def load_tile(path: Path) -> Tile:
    """The tile in a file. Raises `BadFile` with every mistake in it."""
    source = Source(path)
    tile, mistakes = read(source, Tile)
    refuse(source, mistakes)
    assert tile is not None
    if tile.schema != SCHEMA:
        mistakes.append(source.mistake("tile.schema", ("schema",), schema=tile.schema, ours=SCHEMA))
    if not re.fullmatch(r"\w+", tile.id):
        mistakes.append(source.mistake("tile.id", ("id",), id=tile.id))
    used: set[Edge] = set()
    for i, net in enumerate(tile.nets):
        for edge in net:
            if edge not in EDGES:
                mistakes.append(source.mistake("board.edge", ("nets",), edge=edge))
            elif edge in used:
                mistakes.append(source.mistake("tile.edge_twice", ("nets",), edge=edge, net=i + 1))
            used.add(edge)
    if not tile.sockets or not set(tile.sockets) <= set(EDGES):
        mistakes.append(source.mistake("tile.sockets", ("sockets",)))  # 0.2.5
    for i, route in enumerate(tile.routes):
        if route.to not in tile.doors(0).get(route.start, ()):
            at = ("routes", i)
            mistakes.append(source.mistake("tile.route", at, start=route.start, to=route.to))
        if not 0 < route.p <= 1:
            mistakes.append(source.mistake("tile.odds", ("routes", i, "p"), p=str(route.p)))
    refuse(source, mistakes)
    return tile


def load_tiles(folders: Iterable[Path]) -> dict[str, Tile]:
    """All tiles in some folders by id, ours first. Raises one `BadFile` for all mistakes."""
    tiles: dict[str, Tile] = {}
    bad: list[BadFile] = []
    for folder in folders:
        for path in sorted(folder.glob("*.toml")):
            try:
                tile = load_tile(path)
            except BadFile as error:
                bad.append(error)
            else:
                tiles[tile.id] = tile
    if bad:
        raise BadFile(bad[0].path, tuple(m for error in bad for m in error.mistakes))
    return tiles


@cache
def basic() -> dict[str, Tile]:
    """The eight tiles of the Basic pack: Asterisk, DC, DIC, J, Peace, S, X, Z."""
    return load_tiles([shipped("tiles", "basic")])

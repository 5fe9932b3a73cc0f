"""The tiles that there are: read from files, with every mistake in them, and those of one game.

Shipped are the eight tiles of the Basic pack, the published tiles whose facts are known, and a few
of our own to show the form.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import msgspec

from hexboard.board import EDGES, Edge
from hexboard.files import Source, nearest, read, refuse, shipped
from hexboard.games.hextraction.tiles import lint
from hexboard.games.hextraction.tiles.effects import OPERATIONS
from hexboard.games.hextraction.tiles.tile import DESCRIBED, ROUTES_ONLY, Described, Tile
from hexboard.perception.paces import LONGEST_MS
from hexboard.words import Message
from hexboard.words.errors import NO_JSON, BadFile, BadText

FOLDERS = ("basic", "published", "demo")
"""The sets that come with hexboard: folders of `hardware/tiles`."""


def load_tile(path: Path) -> Tile:
    """The tile in a file. Raises `BadFile` with every mistake in it."""
    return _load(Source(path))


def _load(source: Source) -> Tile:
    schema = str(source.data.get("schema", ""))
    if schema and schema not in (ROUTES_ONLY, DESCRIBED):
        ours = f"{ROUTES_ONLY} or {DESCRIBED}"
        refuse(source, [source.mistake("tile.schema", ("schema",), schema=schema, ours=ours)])
    tile, mistakes = read(source, Described if schema == DESCRIBED else Tile)
    refuse(source, mistakes)
    assert tile is not None
    mistakes += _routing(source, tile)
    if isinstance(tile, Described):
        mistakes += lint.card(source, tile)
    refuse(source, mistakes)
    return tile


def _routing(source: Source, tile: Tile) -> Iterator[Message]:
    """Mistakes in what both forms have."""
    if not re.fullmatch(r"\w+", tile.id):
        yield source.mistake("tile.id", ("id",), id=tile.id)
    used: set[Edge] = set()
    shared = tile.shared if isinstance(tile, Described) else ()
    for i, net in enumerate(tile.nets):
        for k, edge in enumerate(net):
            if edge not in EDGES:
                yield source.mistake("board.edge", ("nets",), edge=edge)
            elif edge in net[:k] or (edge in used and edge not in shared):
                yield source.mistake("tile.edge_twice", ("nets",), edge=edge, net=i + 1)
        used |= set(net)
    if not tile.sockets or not set(tile.sockets) <= set(EDGES):
        yield source.mistake("tile.sockets", ("sockets",))  # 0.2.5
    for i, route in enumerate(tile.routes):
        if route.to not in tile.doors(0).get(route.start, ()):
            at = ("routes", i)
            yield source.mistake("tile.route", at, start=route.start, to=route.to)
        if not 0 < route.p <= 1:
            yield source.mistake("tile.odds", ("routes", i, "p"), p=str(route.p))
    if not 0 <= tile.takes_ms <= LONGEST_MS:
        yield source.mistake("tile.takes", ("takes_ms",), n=tile.takes_ms, most=LONGEST_MS)


def load_tiles(folders: Iterable[Path]) -> dict[str, Tile]:
    """All tiles in some folders by id, in their order. Raises one `BadFile` for all mistakes."""
    return load_set(path for folder in folders for path in sorted(folder.glob("*.toml")))


def load_set(paths: Iterable[Path]) -> dict[str, Tile]:
    """Tiles that are to be played together, by id; also what one file says against another is a
    mistake (0.3.3, T.Create.2). Raises one `BadFile` for all mistakes."""
    loaded: list[tuple[Source, Tile]] = []
    bad: list[BadFile] = []
    for path in paths:
        try:
            source = Source(path)
            loaded.append((source, _load(source)))
        except BadFile as error:
            bad.append(error)
    mistakes = [mistake for error in bad for mistake in error.mistakes]
    where = bad[0].path if bad else ""
    for source, mistake in lint.together(loaded, whole=not bad):
        where = where or str(source.path)
        mistakes.append(mistake)
    if mistakes:
        raise BadFile(where, tuple(mistakes))
    return {tile.id: tile for _, tile in loaded}


@cache
def basic() -> dict[str, Tile]:
    """The eight tiles of the Basic pack: Asterisk, DC, DIC, J, Peace, S, X, Z."""
    return load_tiles([shipped("tiles", "basic")])


UNREGISTERED = Tile(
    schema=ROUTES_ONLY,
    id="?",
    name="a tile of another set",
    set="unregistered",
    source="nobody has described it: all ways are possible, effects are read aloud",
    nets=(EDGES,),
    sockets=EDGES,
    confidence={"routes": "unknown", "sockets": "unknown"},
)
"""Stands for any tile without a file."""
MOST = 42
"""How many kinds a game can have beside the unregistered one: a slot is one byte in `seen`."""


@cache
def codes(kinds: tuple[str, ...]) -> dict[tuple[str, int], int]:
    """The code in `seen` of each tile and turn (sixths clockwise) that can be told apart, from 1 in
    this order: six of a kind, and one of the unregistered tile, the last (`Placed.way`)."""
    turns = ((tile, range(1 if tile == UNREGISTERED.id else 6)) for tile in kinds)
    ways = ((tile, turn) for tile, some in turns for turn in some)
    return {way: code for code, way in enumerate(ways, 1)}


@cache
def in_play(own: str, sets: str = FOLDERS[0]) -> dict[str, Tile]:
    """The tiles of a game: of those that come with hexboard what `sets` names ("basic,Clone": sets
    and ids), those of `own` (what `written` wrote, or ""), and the unregistered one.

    Raises `BadText`.
    """
    try:
        brought = msgspec.json.decode(own, type=tuple[Described, ...]) if own else ()
    except msgspec.ValidationError as error:
        raise BadText("tile.option", why=str(error)) from None
    except NO_JSON:
        raise BadText("tile.option", why="JSON") from None
    for tile in brought:
        edges = {edge for net in (*tile.nets, tile.sockets) for edge in net}
        ops = {o.op for effect in tile.effects for o in (*effect.cost, *effect.do)}
        sound = re.fullmatch(r"\w+", tile.id) and tile.sockets and edges <= set(EDGES)
        if not (sound and ops <= OPERATIONS.keys()):
            raise BadText("tile.option", why=tile.id[:40])
    tiles = {tile.id: tile for tile in (*_named(sets), *brought)}
    if len(tiles) > MOST:
        raise BadText("tile.many", count=len(tiles), most=MOST)
    return {**tiles, UNREGISTERED.id: UNREGISTERED}


def _named(sets: str) -> Iterator[Tile]:
    """The tiles that the words of `sets` name. Raises `BadText`."""
    for word in filter(None, sets.split(",")):
        if word in FOLDERS:
            yield from load_tiles([shipped("tiles", word)]).values()
        elif word in everything():
            yield everything()[word]
        else:
            near = nearest(word, [*FOLDERS, *everything()])
            raise BadText("tile.none", id=word[:40], near=near)


def written(tiles: Iterable[Tile]) -> str:
    """Tiles as the text of an option, so that a recording holds what it was played with."""
    brought = list(tiles)
    return msgspec.json.encode(brought).decode() if brought else ""


@cache
def everything() -> dict[str, Tile]:
    """Every tile that comes with hexboard."""
    return load_tiles(shipped("tiles", folder) for folder in FOLDERS)


def load_own(home: Path) -> dict[str, Tile]:
    """A person's own tiles, from `tiles/` in their home folder; their ids may not be those of ours.
    Raises one `BadFile` for all mistakes."""
    ours = [path for folder in FOLDERS for path in sorted(shipped("tiles", folder).glob("*.toml"))]
    own = sorted((home / "tiles").glob("*.toml"))
    known = load_set((*ours, *own)) if own else {}
    return {id: tile for id, tile in known.items() if id not in everything()}


def own_options(home: Path) -> dict[str, str | int | bool]:
    """The option that brings a person's own tiles into a new game, if there are any. Raises one
    `BadFile` for all mistakes."""
    own = written(load_own(home).values())
    return {"tiles": own} if own else {}

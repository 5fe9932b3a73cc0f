"""Registering a tile: a file written for people who draw a tile's channels on a page.

What nobody knows of it stays out; the file can be completed by hand later (docs/tiles.md).
"""

import json
import re
from pathlib import Path

from hexboard.board import EDGES, Edge
from hexboard.files import unused, whole
from hexboard.games.hextraction.tiles.catalogue import everything, load_own
from hexboard.games.hextraction.tiles.tile import Tile
from hexboard.words.errors import BadText

LONGEST = 40
"""Letters in the name of a tile, or of its owner."""
FILE = """\
schema = "hexboard/tile-2"
id = {id}
name = {name}
owner = {owner}
set = "own"
source = "registered on the page"
nets = {nets}
sockets = {sockets}

[confidence]
routes = "stated"
sockets = "stated"
"""


def register(
    home: Path, name: str, owner: str, nets: tuple[tuple[Edge, ...], ...], sockets: tuple[Edge, ...]
) -> Tile:
    """Write a tile of `owner` into `tiles/` of the home folder, and read it beside all others.

    Raises `BadText` for a name that cannot be used, `BadFile` for all else that is wrong; then
    nothing is left behind. Raises `OSError` where nothing can be written.
    """
    id = re.sub(r"\W+", "_", name).strip("_")
    if not id or len(name) > LONGEST or len(owner) > LONGEST:
        raise BadText("tile.no_name", name=name[:LONGEST], most=LONGEST)
    if id in everything() or id in load_own(home):
        raise BadText("tile.name_taken", name=name)
    if not {edge for net in nets for edge in net} <= set(EDGES) or not set(sockets) <= set(EDGES):
        raise BadText("tile.no_edge")
    text = FILE.format(
        id=_quoted(id),
        name=_quoted(name),
        owner=_quoted(owner),
        nets=[list(net) for net in nets],
        sockets=list(sockets),
    )
    path = unused(home / "tiles" / f"{id}.toml")
    path.parent.mkdir(parents=True, exist_ok=True)
    whole(path, text.encode())
    try:
        return load_own(home)[id]
    except Exception:
        path.unlink()
        raise


def _quoted(text: str) -> str:
    """A TOML string: written as JSON writes it, whose escapes are TOML's."""
    return json.dumps(text)

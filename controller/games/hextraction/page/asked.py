"""What Hextraction's widgets ask for: to keep a tile that somebody drew, for the next game."""

from pathlib import Path

import msgspec
from msgspec import Struct

from hexboard.games.hextraction.tiles.registering import register
from hexboard.words import Message, message


class Register(Struct, frozen=True, forbid_unknown_fields=True):
    """A tile of somebody's own: edges (1 to 6) that one space joins, and those with a notch."""

    name: str
    owner: str
    nets: tuple[tuple[int, ...], ...]
    sockets: tuple[int, ...]


def asked(home: Path, body: bytes) -> Message:
    """Keep the tile. Raises `msgspec.DecodeError`, `BadText`, `OSError`."""
    drawn = msgspec.json.decode(body, type=Register)
    tile = register(home, drawn.name, drawn.owner, drawn.nets, drawn.sockets)
    return message("hextraction.registered", tile=tile.name)

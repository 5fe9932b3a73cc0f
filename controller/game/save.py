"""A match as a file keeps it: the game, its options and the entries, in JSON."""

import msgspec
from msgspec import Struct

from hexboard.game.match import Entry
from hexboard.words import Value
from hexboard.words.errors import NO_JSON, BadText


class Save(Struct, frozen=True, omit_defaults=True):
    """What a match is played again from. Hidden cards stand in it."""

    game: str
    options: dict[str, Value]
    entries: list[Entry]
    names: tuple[str, ...] = ()
    """Of the players, by seat, if they gave any."""
    clock: str = ""
    """Minutes a side and seconds that a turn adds ("10+5"), where time runs."""
    board: str = ""
    """The name of the board, where that is not the game's own."""


def encode(save: Save) -> bytes:
    """JSON, one line an entry."""
    return msgspec.json.format(msgspec.json.encode(save), indent=1) + b"\n"


def decode(data: bytes, file: str) -> Save:
    """The inverse. Raises `BadText`, naming the file, for what is no saved match."""
    try:
        return msgspec.json.decode(data, type=Save)
    except NO_JSON:
        raise BadText("play.torn", file=file) from None

"""Looks: what a camera sees of Hextraction: which tile lies in each slot, turned how."""

from collections.abc import Iterable
from functools import cache

from hexboard.appearance import Appearance, Look, Lying, Way
from hexboard.board import Board
from hexboard.games.hextraction.rules.position import Hextraction
from hexboard.games.hextraction.tiles.catalogue import UNREGISTERED, codes, everything
from hexboard.games.hextraction.tiles.numbers import number
from hexboard.games.hextraction.tiles.tile import Described


def looks(position: Hextraction) -> tuple[Look, ...]:
    """Of the tiles that are played with."""
    return tile_looks(position.setting.tiles)


def tile_looks(tiles: Iterable[str]) -> tuple[Look, ...]:
    """What the codes of a slot are where these tiles are played: 0 empty, then each tile and turn
    (`codes`)."""
    return (
        Look(),
        *(
            Look(tile=tile, rotation=turn, number=number(tile))
            for tile, turn in codes(tuple(tiles))
        ),
    )


def laid(tile: str, rotation: int = 0) -> Lying:
    """A tile in a slot, for the simulated camera."""
    marked = -1 if tile == UNREGISTERED.id else number(tile)
    return Lying(tile=tile, rotation=rotation, number=marked, channels=_channels(tile))


@cache
def _channels(name: str) -> tuple[Way, ...]:
    """The middles of a tile's channels; none where nobody knows them."""
    from hexboard.games.hextraction.tiles import drawing

    pitch = 2 * drawing.REACH_MM
    tile = everything().get(name)
    if tile is None:
        return ()
    shared = tile.shared if isinstance(tile, Described) else ()
    ways = [way for net in tile.nets for way in drawing.ways(net, shared)]
    return tuple(tuple((x / pitch, -y / pitch) for x, y in way) for way in ways)


def balls(position: Hextraction) -> int:
    """How many balls a camera should see."""
    from hexboard.games.hextraction.table.sight import known

    return len(known(position.board, position))


def lying(position: Hextraction, board: Board) -> dict[str, Lying]:
    """The tiles in the slots."""
    return {slot: laid(tile.tile, tile.rotation) for slot, tile in position.tiles.items()}


APPEARANCE = Appearance(looks, lying, balls)
SAMPLE = (
    "idle seat=0/2 turn=1 done=0,0 tiles=A2:Peace:0,B2:X:0,B4:J:4,C2:DC:0,C3:J:2,C4:DIC:3,"
    "D2:S:1,D4:Z:2,E3:Asterisk:0 balls= touches= broken=- pool=54 hands=3,3 conceded= "
    "rail=on offline=- overdrive=- winner=-"
)
"""A game under way, for pictures of it."""

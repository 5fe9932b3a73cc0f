"""What a tile's keywords say about it: Virtual, Unique, Combo (T.TileKeyword)."""

from collections.abc import Mapping

from hexboard.games.hextraction.rules.zones import Copy, copy_of, owner_of, tile_of
from hexboard.games.hextraction.tiles.tile import Described, Tile, effects_of

Tiles = Mapping[str, Tile]
"""The tiles of a game by id."""


def has(tiles: Tiles, tile: str, keyword: str) -> bool:
    """Whether a tile has a keyword (T.TileKeyword)."""
    known = tiles.get(tile)
    return isinstance(known, Described) and keyword in known.keywords


def parts(tiles: Tiles, tile: str) -> tuple[str, ...]:
    """The sub-tiles of the Combo that a tile belongs to, in the order in which they are placed:
    those that a Limit restricts come last. Any other tile is its only one."""
    known = tiles.get(tile)
    others = known.combo if isinstance(known, Described) else ()
    if not others:
        return (tile,)
    group = {tile, *(other for other in others if other in tiles)}
    return tuple(sorted(group, key=lambda part: (limited(tiles, part), part)))


def limited(tiles: Tiles, tile: str) -> bool:
    """Whether a Limit restricts where or when a tile is played; Unique is one (T.Unique.1)."""
    effects = effects_of(tiles[tile])
    return has(tiles, tile, "unique") or any(effect.cause == "limit" for effect in effects)


def whole(tiles: Tiles, tile: str) -> str:
    """What a tile is called where it lies in one piece: a Combo by the part that is placed first.
    The counterparts of a Virtual Combo are tiles of their own (T.Combo.2)."""
    return tile if has(tiles, tile, "virtual") else parts(tiles, tile)[0]


def pieces(tiles: Tiles, copy: Copy) -> tuple[Copy, ...]:
    """The parts of a copy that lies in one piece."""
    tile, owner = tile_of(copy), owner_of(copy)
    if tile not in tiles or has(tiles, tile, "virtual"):
        return (copy,)
    return tuple(copy_of(part, owner) for part in parts(tiles, tile))

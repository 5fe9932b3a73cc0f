"""Numbers: which printed marker a tile carries, so that a camera can tell it from others."""

from zlib import crc32

from hexboard.appearance import TILE_MARKERS

SHIPPED = (
    *("Asterisk", "DC", "DIC", "J", "Peace", "S", "X", "Z"),
    *("BlueFlag", "Crane", "LastWord", "NightShift", "Spark", "Tinder", "Toll"),
    *("AnTileKythera", "BackroomsEntrance", "BackroomsExit", "BlindBottom", "CartoonBomb"),
    *("Clone", "Contagion", "Countdown", "DCXLA", "DCXLB", "Detonate", "Flipper3", "Flipper6"),
    *("Gear", "HolographicTileframe", "KillSwitch", "LinearTrap", "Matrix", "Newton"),
    *("OpenFlipper", "Pachinko", "QuadTrap", "Rewind", "Seek", "TakeTheTilepill", "TeleportIn"),
    *("TeleportOut", "TileForTwoA", "TileForTwoB", "TileWithNothing", "Trap2", "Trap3", "Void"),
    *("XC", "Hush", "Tally", "Toad", "Spring", "Anvil"),
)
"""Tiles whose markers have numbers of their own, from 0. Printed markers live long: add at the end
only. A tile of one's own has the number that its id comes to."""
RESERVED = 64
"""Numbers kept for those."""


def number(tile: str) -> int:
    """The number of a tile's marker."""
    if tile in SHIPPED:
        return SHIPPED.index(tile)
    return RESERVED + crc32(tile.encode()) % (TILE_MARKERS - RESERVED)

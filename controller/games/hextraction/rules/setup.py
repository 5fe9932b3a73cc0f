"""What lies where before the first turn (1.0)."""

from hexboard.games.hextraction.rules import keywords
from hexboard.games.hextraction.rules.state import HAND, Setting
from hexboard.games.hextraction.rules.zones import (
    ANY,
    NOBODY,
    Bag,
    TileHand,
    Zones,
    bag,
    owner_of,
    tile_of,
)
from hexboard.games.hextraction.tiles.tile import effects_of
from hexboard.words.errors import BadText


def zones(setting: Setting) -> Zones:
    """The bag and the Virtual Pool (1.0.5, T.Virtual.1) as the options say, and three tiles in each
    hand that nobody has named: picked by who brought tiles, else drawn (1.0.6, 1.0.7, K19). So many
    tiles are left then as the board has slots, or more (1.0.4). Raises `BadText`."""
    virtual = _read(setting, "virtual", setting.virtual)
    for copy in virtual:
        if not keywords.has(setting.tiles, tile_of(copy), "virtual"):
            raise BadText("hextraction.not_virtual", tile=tile_of(copy))
    listed = _read(setting, "bag", setting.bag)
    hands = (TileHand((), HAND),) * setting.seats
    _creatable(setting, {tile_of(copy) for copy in (*listed, *virtual)}, listed)
    slots = len(setting.board.cells)
    if not setting.bag:  # how many there are is all that was said, once all hands were drawn
        _large_enough(setting, slots)
        return Zones(Bag().plus(ANY, setting.pool + HAND * setting.seats), hands, virtual)
    brought = _bringing(listed)
    picking = setting.seats if not brought else len(brought)
    least = slots + HAND * (setting.seats - picking)
    if len(listed) < least:
        raise BadText("hextraction.small_bag", size=len(listed), least=least)
    out = setting.opening == "bag"  # then hands hold others only where the bag has too few (K19)
    extra = max(HAND * setting.seats - len(listed), 0) if out else HAND * picking
    return Zones(listed.plus(ANY, extra), hands, virtual)


def _bringing(listed: Bag) -> set[int]:
    """The seats that brought tiles, as far as that was said."""
    return {owner_of(copy) for copy in listed} - {NOBODY}


def picking(setting: Setting) -> tuple[int, ...]:
    """The seats that are known to pick three different tiles as their opening hand (1.0.6), where
    hands are read."""
    listed = _read(setting, "bag", setting.bag)
    return tuple(sorted(_bringing(listed))) if setting.hands == "scan" else ()


def _large_enough(setting: Setting, slots: int) -> None:
    """So many tiles as the board has slots are left once the hands were drawn (1.0.4), or before,
    if the hands come out of them (K19). Raises `BadText`."""
    out = setting.opening == "bag"
    least = max(slots - HAND * setting.seats, 0) if out else slots
    if setting.pool < least:
        key = "hextraction.small_pool_left" if out else "hextraction.small_pool"
        raise BadText(key, size=setting.pool, least=least)


def _creatable(setting: Setting, there: set[str], listed: Bag) -> None:
    """Who brings a tile that creates another brings that, too (T.Create.2). Raises `BadText`."""
    for tile in dict.fromkeys(map(tile_of, listed)):
        for effect in effects_of(setting.tiles[tile]):
            for operation in effect.do:
                if operation.op == "create" and operation.name not in there:
                    raise BadText("hextraction.no_created", tile=tile, made=operation.name)


def _read(setting: Setting, option: str, text: str) -> Bag:
    """The tiles that an option lists. Raises `BadText`."""
    try:
        listed = bag(",".join(sorted(text.split(",")))) if text else Bag()
    except ValueError:
        raise BadText("hextraction.no_bag", option=option, text=text[:80]) from None
    for copy in listed:
        tile, owner = tile_of(copy), owner_of(copy)
        if tile not in setting.tiles or keywords.whole(setting.tiles, tile) != tile:
            raise BadText("hextraction.no_whole_tile", option=option, tile=tile[:40])
        if not NOBODY <= owner < setting.seats:
            raise BadText("hextraction.no_owner", option=option, tile=copy[:40])
    return listed

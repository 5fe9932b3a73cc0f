"""Sub-tiles of a Combo leave the board together (2.4.6, 2.4.7, T.Combo.4, T.Combo.5)."""

from collections.abc import Iterable

from hexboard.board import CellId
from hexboard.games.hextraction.rules import causes, keywords
from hexboard.games.hextraction.rules.selecting import in_order
from hexboard.games.hextraction.rules.state import Placed, State, Torn
from hexboard.games.hextraction.rules.zones import tile_of


def followers(
    s: State, slots: Iterable[CellId], how: str
) -> tuple[tuple[CellId, ...], tuple[Torn, ...]]:
    """Which tiles have to go with those of some slots (T.Combo.4): the slots where there is no
    choice, and what is to be chosen. Those that are not there do not go (K30)."""
    if not s.setting.combined:
        return (), ()
    gone, chosen, torn = set(slots), set[CellId](), list[Torn]()
    missing = _missing(s, [s.tiles[slot] for slot in gone if causes.has_keywords(s, slot)], how)
    if gone & {*s.playing}:  # parts that are not placed yet go along by themselves
        for part in s.parts:
            missing = [m for m in missing if m.tile != tile_of(part)]
    for one in missing:
        left = [slot for slot in candidates(s, one) if slot not in gone]
        if len(left) <= missing.count(one):
            chosen |= set(left)
        else:
            torn.append(one)
    return in_order(s, chosen), tuple(torn)


def _missing(s: State, placed: Iterable[Placed], how: str) -> list[Torn]:
    """The sub-tiles that these tiles lack to be whole, one entry each."""
    have: dict[tuple[tuple[str, ...], int], dict[str, int]] = {}
    for tile in placed:
        group = keywords.parts(s.setting.tiles, tile.tile)
        counts = have.setdefault((group, _of(s, tile)), dict.fromkeys(group, 0))
        counts[tile.tile] += 1
    return [
        Torn(part, owner, how)
        for (_, owner), counts in sorted(have.items())
        for part, n in counts.items()
        for _ in range(max(counts.values()) - n)
    ]


def _of(s: State, placed: Placed) -> int:
    """Whose the other parts must be; of a Virtual Combo they may be anybody's (T.Combo.5)."""
    return ANYBODYS if keywords.has(s.setting.tiles, placed.tile, "virtual") else placed.owner


ANYBODYS = -2


def chooser(s: State, torn: Torn) -> int:
    """Who chooses it: whoever removed the other part (T.Combo.4), or its owner (K30)."""
    owned = torn.owner in s.present and s.setting.combo_part == "owner"
    return torn.owner if owned else s.conductor


def candidates(s: State, torn: Torn) -> tuple[CellId, ...]:
    """The slots of the tiles that one may choose to go."""
    alike = (
        slot
        for slot, placed in s.tiles.items()
        if placed.tile == torn.tile and torn.owner in (placed.owner, ANYBODYS)
    )
    return in_order(s, alike)

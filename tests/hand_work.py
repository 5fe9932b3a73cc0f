"""How many of the tiles that come with hexboard need no work by hand: `python -m tests.hand_work`.

A tile needs some if an operation of it is `manual`, or a condition is one that only people can
judge. What people do with their hands anyway, laying balls and tiles, is none.
"""

from collections.abc import Iterator

from hexboard.games.hextraction.tiles.catalogue import everything
from hexboard.games.hextraction.tiles.effects import CONDITION, TileEffect
from hexboard.games.hextraction.tiles.tile import Tile, effects_of


def by_hand(tile: Tile) -> tuple[str, ...]:
    """What people have to carry out or judge."""
    return tuple(what for effect in effects_of(tile) for what in _of(effect))


def _of(effect: TileEffect) -> Iterator[str]:
    yield from (o.text for o in (*effect.cost, *effect.do) if o.op == "manual")
    yield from (c for c in effect.conditions if CONDITION.fullmatch(c) is None)
    if effect.cause == "limit" and not effect.conditions:
        yield effect.text


def main() -> None:
    tiles = everything()
    work = {id: found for id, tile in tiles.items() if (found := by_hand(tile))}
    print(f"{len(tiles) - len(work)} of {len(tiles)} tiles need no work by hand; these do:")
    for id, found in work.items():
        print(f"  {id}: {'; '.join(found)}")


if __name__ == "__main__":
    main()

"""Figures of many games, each kept in a file as soon as it is over, and not played again."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path


def added(
    moves: int, most: int, cache: Path | None, key: str, play: Callable[[int, int], dict[str, int]]
) -> dict[str, int]:
    """The sum of the figures of so many games that they have `moves` moves, at most `most` each.
    `play` plays game number so and so, at most so many moves of it; `key` is its name in the file
    but for these two."""
    kept: dict[str, dict[str, int]] = {}
    if cache and cache.is_file():
        kept = json.loads(cache.read_text())
    total, number = Counter[str](), 0
    while total["moves"] < moves:
        left = min(most, moves - total["moves"])
        name = f"{key} {number} {left}"
        if name not in kept:
            kept[name] = play(number, left)
            if cache:
                cache.write_text(json.dumps(kept))
        total.update(kept[name])
        number += 1
    return dict(total)

"""Tints: a number for each sector of a map, so that those beside each other can be lit apart.

Four are always enough (the four-colour theorem: sectors hang together and lie in a plane); the
maps that we ship need three.
"""

from collections.abc import Iterator
from functools import lru_cache

from hexboard.games.knee_deep.ground import Battlefield

TINTS = 4
MOST_TRIES = 20_000
"""After so many two sectors beside each other may have one tint: it is only light."""


@lru_cache(maxsize=8)
def tints(ground: Battlefield) -> tuple[int, ...]:
    """The tint of each field's sector, 0 to 3; that of 0 is the darkness."""
    beside: dict[str, set[str]] = {name: set() for name in ground.sector if name}
    for name, others in zip(ground.sector, ground.near, strict=True):
        for other in others:
            if ground.sector[other] != name:
                beside[name].add(ground.sector[other])
    found = tinted(beside)
    return tuple(found.get(name, 0) for name in ground.sector)


def tinted(beside: dict[str, set[str]]) -> dict[str, int]:
    """A tint for each of these, another for each two that are beside each other: what has fewest
    tints left comes first, and what does not work out is taken back (Brélaz 1979)."""
    chosen: dict[str, int] = {}
    stack: list[tuple[str, Iterator[int]]] = []
    for _ in range(MOST_TRIES):
        if len(chosen) == len(beside):
            break
        if not stack or stack[-1][0] in chosen:
            stack.append((_next(beside, chosen), iter(range(TINTS))))
        name, left = stack[-1]
        taken = {chosen.get(other) for other in beside[name]}
        tint = next((tint for tint in left if tint not in taken), None)
        if tint is not None:
            chosen[name] = tint
        else:
            stack.pop()
            if not stack:
                break
            chosen.pop(stack[-1][0])
    return chosen


def _next(beside: dict[str, set[str]], chosen: dict[str, int]) -> str:
    """That with the fewest tints left; of those the one beside most others."""

    def urgency(name: str) -> tuple[int, int]:
        return len({chosen[it] for it in beside[name] if it in chosen}), len(beside[name])

    return max((name for name in beside if name not in chosen), key=urgency)

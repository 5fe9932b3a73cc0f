"""Who sits where, as the table is told it."""

from collections.abc import Mapping
from pathlib import Path

from hexboard.facts import Named
from hexboard.web.keys import Keys, kept_keys
from hexboard.words.errors import NO_JSON

NAME = "seats"
"""The source that tells the table of it."""


class Seating:
    """What the players are called who took a seat with a phone of their own."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._told: dict[int, Named] = {}

    def begin(self) -> None:
        """A table opens that has heard of nobody yet."""
        self._told.clear()

    @property
    def told(self) -> Mapping[int, Named]:
        """What the table has heard of each of them; from any thread."""
        return dict(self._told)

    def news(self) -> list[Named]:
        """What the table has not heard yet. Who gives no name keeps the one that was given at the
        door, and loses the one that was somebody else's; so does a seat that somebody takes beside
        their own."""
        if not self._keys.people:
            return []
        words = [Named(player, key.name, key.colour) for player, key in self._keys.players.items()]
        words += [Named(player, "") for player in sorted(self._keys.shared)]
        new = [it for it in words if self._told.get(it.player, Named(it.player, "")) != it]
        self._told |= {word.player: word for word in new}
        return new


def readable(phones: Path) -> bool:
    """Whether the file of who sits where is as it was written. Raises `OSError`."""
    try:
        kept_keys(phones)
    except NO_JSON:
        return False
    return True

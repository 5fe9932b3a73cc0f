"""The commitment: the shuffle that hidden cards are dealt from, and the proof that it was kept."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from hexboard.facts import Seal
from hexboard.game.game import AnyGame
from hexboard.game.match import Entry, Played
from hexboard.game.position import Chance, Position
from hexboard.game.shuffle import commitment, drawn, places
from hexboard.words import Message, message

A = TypeVar("A")


class Commitment:
    """What the dealer committed to before the first card, and whether that has been opened."""

    def __init__(self, seal: Seal | None = None) -> None:
        self.seal = seal
        self.opened = False
        """Seed and salt have been told."""

    def made(self, seal: Seal) -> Message:
        """Before the first card: the hash is told, and with it all draws are fixed."""
        self.seal = seal
        return message("table.sealed", hash=seal.commitment)

    @property
    def again(self) -> Message | None:
        """The hash, for who comes after a restart, or could not read it before."""
        if self.seal is None or not self.seal.again:
            return None
        return message("table.sealed_before", hash=self.seal.commitment)

    def opens(
        self, seed: str, salt: str, game: AnyGame[A], plays: Iterable[tuple[Position[A], Entry]]
    ) -> Message:
        """Whether seed and salt are those of the commitment, and every draw among the `plays` (each
        with the position before it) is the seed's."""
        self.opened = True
        found = list(plays)
        if self.seal is None or commitment(seed, salt, self.seal.deck) != self.seal.commitment:
            return message("table.seal_broken", seed=seed)
        draws = 0
        waiting = [game.waits(position) for position, _ in found]
        for waits, (_, entry), place in zip(waiting, found, self._places(waiting), strict=True):
            if isinstance(entry, Played) and waits is not None:
                draws += 1
                if entry.action != drawn(waits, seed, place):
                    return message("table.draw_broken", n=draws, action=entry.action)
        if self.seal.again:
            given = self.seal.commitment
            return message("table.seal_kept", draws=draws, seed=seed, salt=salt, hash=given)
        return message("table.seal_holds", draws=draws, seed=seed, salt=salt)

    def place(self, game: AnyGame[A], line: Iterable[Position[A]]) -> str:
        """The place in the shuffle of what is drawn at the end of this line of positions."""
        *_, place = self._places([game.waits(position) for position in line])
        return place

    def _places(self, waiting: Sequence[Chance[A] | None]) -> Iterable[str]:
        if self.seal is not None and self.seal.piles:
            return places(waiting)
        return map(str, range(len(waiting)))

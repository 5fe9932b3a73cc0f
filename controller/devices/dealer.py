"""The dealer: throws dice and draws cards where nobody at the table does it."""

from random import Random, SystemRandom
from secrets import token_hex
from typing import TypeVar

from hexboard.facts import WHOEVER, Declare, Seal
from hexboard.game.position import Chance
from hexboard.game.shuffle import BYTES, commitment, drawn

A = TypeVar("A")


class Dealer:
    """Draws by the position's own odds: from the system's entropy, or seeded in a simulation."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = SystemRandom() if seed is None else Random(seed)

    def deal(self, position: Chance[A]) -> Declare:
        """One of the chances that `position` waits for, as a declaration of nobody's."""
        chances = list(position.legal)
        odds = [position.odds(chance) for chance in chances]
        (chance,) = self._random.choices(chances, odds)
        return Declare(WHOEVER, position.name(chance))

    def seal(self, deck: str) -> Seal:
        """A shuffle to deal hidden cards from, with the hash that commits to it. It is nobody's
        to know, so it never comes from a simulation's seed."""
        seed, salt = token_hex(BYTES), token_hex(BYTES)
        return Seal(commitment(seed, salt, deck), deck, seed, salt, piles=True, again=True)

    def deal_sealed(self, position: Chance[A], seal: Seal, place: str) -> Declare:
        """What that shuffle has at a `place`."""
        return Declare(WHOEVER, drawn(position, seal.seed, place))

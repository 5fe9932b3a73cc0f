"""The dealer: throws dice and draws cards where nobody at the table does it."""

from random import Random, SystemRandom
from typing import Any

from controller.facts import Declare


class Dealer:
    """Draws by the position's own odds: from the system's entropy, or seeded in a simulation."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = SystemRandom() if seed is None else Random(seed)

    def deal(self, position: Any) -> Declare:
        """One of the chances that `position` waits for, as a declaration of nobody's."""
        chances = list(position.legal)
        odds = [position.odds(chance) for chance in chances]
        (chance,) = self._random.choices(chances, odds)
        return Declare(-1, position.name(chance))

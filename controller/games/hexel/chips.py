"""Hex'el money: a Stock, a Hedge Pot and a Hand Pot each (HEXEL-2.1). No chip is ever lost."""

from msgspec import Struct
from msgspec.structs import replace

Pots = tuple[int, ...]


class Chips(Struct, frozen=True):
    """Who has how many chips where, a number a seat. `stake` is 0 until the dealer sets it."""

    stake: int
    stock: Pots
    hedge: Pots
    hand: Pots

    @property
    def total(self) -> int:
        return sum(self.stock) + sum(self.hedge) + sum(self.hand)

    def hedged(self, seat: int, chips: int) -> "Chips":
        """Chips go from a Stock into the Hedge of the same seat (HEXEL-2.3)."""
        stock, hedge = _moved(self.stock, seat, -chips), _moved(self.hedge, seat, chips)
        return replace(self, stock=stock, hedge=hedge)

    def paid(self, seat: int, to: int, chips: int) -> "Chips":
        """Insurance goes from a Hedge into the Hand Pot of another seat (HEXEL-2.4, 2.5)."""
        hedge, hand = _moved(self.hedge, seat, -chips), _moved(self.hand, to, chips)
        return replace(self, hedge=hedge, hand=hand)

    def won(self, seat: int) -> "Chips":
        """All Hedges go to the winner's Stock (HEXEL-7.3)."""
        stock = _moved(self.stock, seat, sum(self.hedge))
        return replace(self, stock=stock, hedge=(0,) * len(self.hedge))


def bought(seats: int, stock: int = 0) -> Chips:
    """Everybody's buy-in and no stake yet; without chips, nothing."""
    return Chips(0, (stock,) * seats, (0,) * seats, (0,) * seats)


def _moved(pots: Pots, seat: int, chips: int) -> Pots:
    return (*pots[:seat], pots[seat] + chips, *pots[seat + 1 :])

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

    @property
    def kept(self) -> Pots:
        """What each seat has in all, and begins the next game with (HEXEL-7.3): a Hedge is paid
        from the Stock alone, so that no chip of a Hand Pot, frozen or not, could be used there."""
        return tuple(map(sum, zip(self.stock, self.hedge, self.hand, strict=True)))

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


def bought(stocks: Pots) -> Chips:
    """What everybody begins with, and no stake yet."""
    none = (0,) * len(stocks)
    return Chips(0, stocks, none, none)


def _moved(pots: Pots, seat: int, chips: int) -> Pots:
    return (*pots[:seat], pots[seat] + chips, *pots[seat + 1 :])

"""Dealing: what the dealer draws where nobody at the table does, and how it proves its shuffle."""

from hexboard.devices.dealer import Dealer
from hexboard.facts import Body, Unseal
from hexboard.game.position import Action
from hexboard.table import TableView


class Dealing:
    """One dealer; drawn from `seed`, where hidden cards are not at stake, if there is one."""

    def __init__(self, seed: int | None) -> None:
        self._dealer = Dealer(seed)

    def next(self, view: TableView[Action]) -> Body:
        """What the dealer does next; hidden cards come from a shuffle that is told of first."""
        waits, hides = view.game.waits(view.position), view.game.hides(view.position)
        assert waits is not None, "only asked while the table waits for a chance"
        if hides is None:
            return self._dealer.deal(waits)
        if view.seal is None:
            return self._dealer.seal(hides.deck)
        return self._dealer.deal_sealed(waits, view.seal, view.place)

    def proof(self, view: TableView[Action]) -> Body | None:
        """At the end: what the commitment was made of, where there was one and it is not told."""
        seal = view.seal
        return None if seal is None or view.unsealed else Unseal(seal.seed, seal.salt)

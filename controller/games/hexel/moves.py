"""The legal moves of Hex'el, listed only where somebody asks for all."""

from collections.abc import Collection, Iterator
from functools import cached_property

from hexboard.games.hexel.actions import Action, Draw, Hedge, NoPlacement, Place, Redraw, Stake
from hexboard.games.hexel.cards import UNKNOWN
from hexboard.games.hexel.refusals import refusal
from hexboard.games.hexel.state import State


class Moves(Collection[Action]):
    """What may be done in a position: `in` asks the rules of the one, the rest lists all, once."""

    def __init__(self, position: State) -> None:
        self.position = position

    def __contains__(self, action: object) -> bool:
        if isinstance(action, Redraw):
            return self.position.phase == "line" and not self.position.can_line()
        moves = Draw | Place | Stake | Hedge | NoPlacement
        return isinstance(action, moves) and refusal(self.position, action) is None

    def __len__(self) -> int:
        return len(self._all)

    def __bool__(self) -> bool:
        return self.position.phase != "over"

    def __iter__(self) -> Iterator[Action]:
        return iter(self._all)

    @cached_property
    def _all(self) -> list[Action]:
        return list(self._list())

    def _list(self) -> Iterator[Action]:
        position = self.position
        match position.phase:
            case "draw" | "deal":
                yield from self._draws()
            case "line":
                yield from position.placements()
                if not position.can_line():
                    yield Redraw()
            case "stake":
                yield from (Stake(chips) for chips in range(1, position.setting.stock + 1))
            case "hedge":
                yield from self._hedges()
            case "place":
                yield from position.placements()
                if position.is_stuck():
                    yield from self._no_placements()

    def _draws(self) -> Iterator[Action]:
        position = self.position
        if position.blind:
            yield Draw(UNKNOWN)
        if position.phase == "draw" or not position.setting.held:
            yield from (Draw(card) for card in sorted(set(position.unseen)))

    def _hedges(self) -> Iterator[Action]:
        position, stake = self.position, self.position.chips.stake
        for seat in position.inside:
            if seat not in position.hedged:
                least, stock = position.least_hedge(seat), position.chips.stock[seat]
                yield from (Hedge(seat, chips) for chips in range(least, stock + 1, stake))

    def _no_placements(self) -> Iterator[Action]:
        position = self.position
        if position.may_be_unknown:
            yield NoPlacement(UNKNOWN)
        hand = position.hands[position.turn]
        known = hand if position.setting.held else position.hopeless()
        yield from (NoPlacement(card) for card in sorted(set(known) - {UNKNOWN}))

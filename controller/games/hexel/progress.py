"""The progress of a game of Hex'el: what follows from each action."""

from collections.abc import Callable
from typing import Any, Self

from msgspec.structs import replace

from hexboard.game.position import Event
from hexboard.games.hexel import actions as act
from hexboard.games.hexel.cards import CARD, FACES
from hexboard.games.hexel.notation import called
from hexboard.games.hexel.refusals import refusal
from hexboard.games.hexel.setting import HAND
from hexboard.games.hexel.state import NOBODY, NONE_YET, State
from hexboard.words import message
from hexboard.words.errors import IllegalAction

WORDS = ("", "Hexba", "Hexel", "Hexla", "Hexven", "5", "6")
"""What is announced for edges matched (HEXEL-5.3, ruling A7)."""


class Progress(State, frozen=True, eq=False):
    """What is so, and what follows from it."""

    def play(self, action: act.Action) -> Self:
        """The position after an action. Raises `IllegalAction` for a refused one."""
        if refused := refusal(self, action):
            raise IllegalAction(refused)
        after: Self = _PLAY[type(action)](replace(self, events=()), action)
        return after

    def _tells(self, event: Event) -> Self:
        return replace(self, events=(*self.events, event))

    def _draw(self, action: act.Draw) -> Self:
        card = bytes((action.card,))
        unseen = self.unseen.replace(card, b"", 1) if action.card else self.unseen
        if self.phase == "draw":
            drawn = self.drawn + card
            if self.setting.opening_order == "free":
                drawn = bytes(sorted(drawn))
            phase = "line" if len(drawn) == HAND else "draw"
            after = replace(self, unseen=unseen, drawn=drawn, phase=phase)
            return after._tells(message("hexel.turned_up", "HEXEL-3.1", card=FACES[action.card]))
        hands = _with(self.hands, self.receiver, card)
        return replace(self, unseen=unseen, hands=hands)._dealt()

    def _redraw(self, _: act.Redraw) -> Self:
        phase = "line" if self.setting.held else "draw"
        empty, deck = self.setting.grid.empty, self.setting.deck
        after = replace(self, phase=phase, table=empty, unseen=deck, drawn=b"")
        return after._tells(message("hexel.redrawn", "HEXEL-3.4"))

    def _place(self, place: act.Place) -> Self:
        if self.phase == "place":
            return self._plays(place)
        grid = self.setting.grid
        cell, face = grid.ids[place.cell], FACES[place.face]
        after = self.lays(place)._tells(message("hexel.lays", "HEXEL-3.1", cell=cell, face=face))
        return after if place.cell != grid.line[-1] else after._new_round()

    def _plays(self, place: act.Place) -> Self:
        """A card from the hand: announce, then the Hoxla ends the game before any insurance
        (HEXEL-6.4)."""
        grid, seat = self.setting.grid, self.turn
        table = grid.laid(self.table, place.cell, place.face)
        after = self._without(CARD[place.face])
        after = replace(after, table=table, spot=place.cell, placer=seat)
        edges = grid.touching(table, place.cell)
        cell, face, who = grid.ids[place.cell], FACES[place.face], called(seat)
        if grid.hoxla(table, place.cell):
            after = after._matched(edges)
            return after._tells(
                message("hexel.hoxla", "HEXEL-5.4", seat=who, face=face, cell=cell)
            )._won(seat, "HEXEL-7.3")
        after = after._tells(
            message("hexel.plays", "HEXEL-5.3", seat=who, face=face, cell=cell, word=WORDS[edges])
        )
        return after._insured(edges)._matched(edges)._next()

    def _without(self, card: int) -> Self:
        """The turn's hand without a card; one that was unknown until now is seen by it."""
        hand, one = self.hands[self.turn], bytes((card,))
        if card in hand:
            return replace(self, hands=_put(self.hands, self.turn, hand.replace(one, b"", 1)))
        hands = _put(self.hands, self.turn, hand.replace(b"\0", b"", 1))
        return replace(self, hands=hands, unseen=self.unseen.replace(one, b"", 1))

    def _matched(self, edges: int) -> Self:
        return replace(self, edges=_put(self.edges, self.turn, edges), latest=edges)

    def _no_placement(self, action: act.NoPlacement) -> Self:
        """Stuck: a card goes face down, and it counts as 0 edges (HEXEL-A5)."""
        seat, card = self.turn, bytes((action.card,))
        after = self._without(action.card)
        after = replace(after, discards=_with(after.discards, seat, card))
        after = after._tells(message("hexel.stuck", "HEXEL-A5", seat=called(seat)))
        if self.setting.stuck == "eliminated":
            after = after._leaves(seat)._tells(
                message("hexel.stuck_out", "HEXEL-A5", seat=called(seat))
            )
        elif self.setting.stuck == "pay_as_zero":
            after = after._insured(0)
        return after._matched(0)._next()

    def _insured(self, edges: int) -> Self:
        """Pay the previous player for edges not matched, from the Hedge, or be out (HEXEL-6)."""
        short = self.to_match - edges if self.setting.money else 0
        if short <= 0:
            return self
        seat, to = self.turn, self.rival
        due, hedge = self.chips.stake * short, self.chips.hedge[seat]
        who, whom = called(seat), called(to)
        after = replace(self, chips=self.chips.paid(seat, to, min(due, hedge)))
        if hedge >= due:
            return after._tells(message("hexel.pays", "HEXEL-6.1", seat=who, to=whom, chips=due))
        after = after._leaves(seat)
        return after._tells(
            message("hexel.broke", "HEXEL-6.3", seat=who, to=whom, chips=hedge, due=due)
        )

    def _leaves(self, seat: int) -> Self:
        """Out of the game; the hand goes face down (HEXEL-6.3)."""
        out = tuple(sorted((*self.out, seat)))
        discards = _with(self.discards, seat, self.hands[seat])
        return replace(self, out=out, discards=discards, hands=_put(self.hands, seat, b""))

    def _next(self) -> Self:
        """The turn goes on; after everybody's last card to the next round (HEXEL-7.1)."""
        if over := self._few_left():
            return over
        holding = [seat for seat in self.clockwise(self.turn + 1) if self.hands[seat]]
        return replace(self, turn=holding[0]) if holding else self._new_round()

    def _few_left(self) -> Self | None:
        """The end when one player is left, or none (HEXEL-A11)."""
        inside = self.inside
        if not inside:
            return replace(self, phase="over")._tells(message("hexel.nobody", "HEXEL-A11"))
        if len(inside) > 1 or self.setting.seats == 1 or self.setting.last_left == "plays_on":
            return None
        after = self._tells(message("hexel.last_left", "HEXEL-A11", seat=called(inside[0])))
        return after._won(inside[0], "HEXEL-A11")

    def _new_round(self) -> Self:
        """Deal again, or the cards have run out (HEXEL-7.1, 7.4, ruling A10)."""
        after = replace(self, round=self.round + 1, turn=self.dealer, hedged=())
        if self.setting.carry_over_rounds == "off":
            after = replace(after, edges=(NONE_YET,) * self.setting.seats, latest=NONE_YET)
        least = HAND if self.setting.short_deal == "end" else 1
        if after.share < least:
            return self._run_out()
        return replace(after, phase="deal")

    def _run_out(self) -> Self:
        """The last player to place, of those still in, takes the Hedges; without chips only a
        Hoxla wins (HEXEL-7.4). Where the last one is out it is who placed last before that in this
        lap; where of those still in nobody did, the nearest before."""
        after = self._tells(message("hexel.run_out", "HEXEL-7.4"))
        if not self.setting.money or self.placer == NOBODY:
            return replace(after, phase="over")
        before = self.clockwise(self.placer + 1)[::-1]
        placed = (seat for seat in before if self.edges[seat] > 0)  # who was stuck matched none
        return after._won(next(placed, before[0]), "HEXEL-7.4")

    def _dealt(self) -> Self:
        """After a card of the deal: when all have theirs, stakes or hedges, or straight to play."""
        if any(len(self.hands[seat]) < self.share for seat in self.inside):
            return self
        after = self._tells(message("hexel.dealt", "HEXEL-4.1", round=self.round, cards=self.share))
        if not self.setting.money:
            return replace(after, phase="place")
        return replace(after, phase="hedge" if self.chips.stake else "stake")

    def _stake(self, action: act.Stake) -> Self:
        after = replace(self, phase="hedge", chips=replace(self.chips, stake=action.chips))
        return after._tells(
            message("hexel.stakes", "HEXEL-2.2", seat=called(self.dealer), chips=action.chips)
        )

    def _hedge(self, action: act.Hedge) -> Self:
        chips = self.chips.hedged(action.seat, action.chips)
        after = replace(self, chips=chips, hedged=tuple(sorted((*self.hedged, action.seat))))
        after = after._tells(
            message("hexel.hedges", "HEXEL-2.3", seat=called(action.seat), chips=action.chips)
        )
        return after._all_hedged()

    def _all_hedged(self) -> Self:
        return replace(self, phase="place") if set(self.inside) <= set(self.hedged) else self

    def _concede(self, action: act.Concede) -> Self:
        """The Hedge stays for the winner: nobody forced this seat out."""
        after = self._leaves(action.seat)
        after = after._tells(message("hexel.concedes", "HEXEL-6.3", seat=called(action.seat)))
        if over := after._few_left():
            return over
        if self.phase != "place":
            after = replace(after, turn=after.dealer)
        match self.phase:
            case "deal":
                return after._dealt()
            case "hedge":
                return after._all_hedged()
            case "place" if action.seat == self.turn:
                return after._next()
        return after

    def _won(self, seat: int, rule: str) -> Self:
        """The game is over and the winner takes all Hedges (HEXEL-7.3)."""
        pots = sum(self.chips.hedge)
        after = replace(self, phase="over", winner=seat, chips=self.chips.won(seat))
        if not self.setting.money:
            return after
        return after._tells(message("hexel.takes", rule, seat=called(seat), chips=pots))


_PLAY: dict[type, Callable[[Any, Any], Any]] = {
    act.Draw: Progress._draw,
    act.Redraw: Progress._redraw,
    act.Place: Progress._place,
    act.Stake: Progress._stake,
    act.Hedge: Progress._hedge,
    act.NoPlacement: Progress._no_placement,
    act.Concede: Progress._concede,
}


def _put(items: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    return (*items[:seat], value, *items[seat + 1 :])


def _with(items: tuple[bytes, ...], seat: int, cards: bytes) -> tuple[bytes, ...]:
    """Some cards more for a seat, in order."""
    return _put(items, seat, bytes(sorted(items[seat] + cards)))

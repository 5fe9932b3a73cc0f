"""A moment of a game of Hex'el, and what the rules make of what is played in it."""

from collections.abc import Callable
from itertools import islice
from typing import Any

from msgspec.structs import replace

from controller.board import CellId
from controller.errors import IllegalAction
from controller.games.hexel.actions import (
    Action,
    Concede,
    Draw,
    Hedge,
    NoPlacement,
    Place,
    Redraw,
    Stake,
)
from controller.games.hexel.cards import CARD, FACES, UNKNOWN
from controller.games.hexel.grid import laid
from controller.games.hexel.moves import Moves
from controller.games.hexel.notation import SEATS, action, called, name
from controller.games.hexel.questions import question
from controller.games.hexel.refusals import refusal
from controller.games.hexel.setting import HAND
from controller.games.hexel.shown import blamed, pieces, scene, standing
from controller.games.hexel.state import NOBODY, NONE_YET, State
from controller.games.hexel.text import write
from controller.games.position import CHANCE, Event, Piece, Question, Refusal
from controller.scene import Scene
from controller.words import Message, message

WORDS = ("", "Hexba", "Hexel", "Hexla", "Hexven", "5", "6")
"""What is announced for edges matched (HEXEL-5.3, ruling A7)."""


class Hexel(State, frozen=True, eq=False):
    """A position: what is so, what may be done, and what follows from it."""

    @property
    def seats(self) -> tuple[Message, ...]:
        return SEATS[: self.setting.seats]

    @property
    def stable(self) -> bool:
        """Every card, bet and draw is final once it is made."""
        return True

    @property
    def scores(self) -> tuple[int, ...] | None:
        """1 for the winner, 0 for the others (HEXEL-5.4); all 0 where nobody wins."""
        if self.phase != "over":
            return None
        return tuple(int(seat == self.winner) for seat in range(self.setting.seats))

    @property
    def legal(self) -> "Moves":
        return Moves(self)

    @property
    def dealt(self) -> bool:
        """The rules wait for a card from the pile, which the dealer draws."""
        return any(isinstance(action, Draw) for action in islice(self.legal, 1))

    def actor(self, action: Action) -> int:
        match action:
            case Draw():
                return CHANCE
            case Redraw() | Stake():
                return self.dealer
            case Place() if self.phase == "line":
                return self.dealer
            case Hedge(seat) | Concede(seat):
                return seat
        return self.turn

    def odds(self, action: Action) -> int:
        """How many of the cards that could come now are this one."""
        assert isinstance(action, Draw)
        return self.unseen.count(action.card) if action.card else len(self.unseen)

    def refusal(self, action: Action) -> Refusal | None:
        """Why an action is not allowed now; None when it is."""
        return refusal(self, action)

    def question(self, seat: int) -> Question | None:
        """What the rules ask of a seat now; None where they ask nothing."""
        return question(self, seat)

    # ------------------------------------------------------------------------------ what follows

    def play(self, action: Action) -> "Hexel":
        """The position after an action. Raises `IllegalAction` for a refused one."""
        if refused := refusal(self, action):
            raise IllegalAction(refused)
        return _PLAY[type(action)](replace(self, events=()), action)

    def _tells(self, event: Event) -> "Hexel":
        return replace(self, events=(*self.events, event))

    def _draw(self, action: Draw) -> "Hexel":
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

    def _redraw(self, _: Redraw) -> "Hexel":
        phase = "line" if self.setting.held else "draw"
        empty, deck = self.setting.grid.empty, self.setting.deck
        after = replace(self, phase=phase, table=empty, unseen=deck, drawn=b"")
        return after._tells(message("hexel.redrawn", "HEXEL-3.4"))

    def _place(self, place: Place) -> "Hexel":
        if self.phase == "place":
            return self._plays(place)
        grid = self.setting.grid
        cell, face = grid.ids[place.cell], FACES[place.face]
        after = self.lays(place)._tells(message("hexel.lays", "HEXEL-3.1", cell=cell, face=face))
        return after if place.cell != grid.line[-1] else after._new_round()

    def _plays(self, place: Place) -> "Hexel":
        """A card from the hand: announce, then the Hoxla ends the game before any insurance
        (HEXEL-6.4)."""
        grid, seat = self.setting.grid, self.turn
        table = laid(self.table, place.cell, place.face)
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

    def _without(self, card: int) -> "Hexel":
        """The turn's hand without a card; one that was unknown until now is seen by it."""
        hand, one = self.hands[self.turn], bytes((card,))
        if card in hand:
            return replace(self, hands=_put(self.hands, self.turn, hand.replace(one, b"", 1)))
        hands = _put(self.hands, self.turn, hand.replace(b"\0", b"", 1))
        return replace(self, hands=hands, unseen=self.unseen.replace(one, b"", 1))

    def _matched(self, edges: int) -> "Hexel":
        return replace(self, edges=_put(self.edges, self.turn, edges), latest=edges)

    def _no_placement(self, action: NoPlacement) -> "Hexel":
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

    def _insured(self, edges: int) -> "Hexel":
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

    def _leaves(self, seat: int) -> "Hexel":
        """Out of the game; the hand goes face down (HEXEL-6.3)."""
        out = tuple(sorted((*self.out, seat)))
        discards = _with(self.discards, seat, self.hands[seat])
        return replace(self, out=out, discards=discards, hands=_put(self.hands, seat, b""))

    def _next(self) -> "Hexel":
        """The turn goes on; after everybody's last card to the next round (HEXEL-7.1)."""
        if over := self._few_left():
            return over
        holding = [seat for seat in self.clockwise(self.turn + 1) if self.hands[seat]]
        return replace(self, turn=holding[0]) if holding else self._new_round()

    def _few_left(self) -> "Hexel | None":
        """The end when one player is left, or none (HEXEL-A11)."""
        inside = self.inside
        if not inside:
            return replace(self, phase="over")._tells(message("hexel.nobody", "HEXEL-A11"))
        if len(inside) > 1 or self.setting.seats == 1 or self.setting.last_left == "plays_on":
            return None
        after = self._tells(message("hexel.last_left", "HEXEL-A11", seat=called(inside[0])))
        return after._won(inside[0], "HEXEL-A11")

    def _new_round(self) -> "Hexel":
        """Deal again, or the cards have run out (HEXEL-7.1, 7.4, ruling A10)."""
        after = replace(self, round=self.round + 1, turn=self.dealer, hedged=())
        if self.setting.carry_over_rounds == "off":
            after = replace(after, edges=(NONE_YET,) * self.setting.seats, latest=NONE_YET)
        least = HAND if self.setting.short_deal == "end" else 1
        if after.share < least:
            return self._run_out()
        return replace(after, phase="deal")

    def _run_out(self) -> "Hexel":
        """The last player to place, of those still in, takes the Hedges; without chips only a
        Hoxla wins (HEXEL-7.4)."""
        after = self._tells(message("hexel.run_out", "HEXEL-7.4"))
        if not self.setting.money or self.placer == NOBODY:
            return replace(after, phase="over")
        return after._won(self.clockwise(self.placer + 1)[-1], "HEXEL-7.4")

    def _dealt(self) -> "Hexel":
        """After a card of the deal: when all have theirs, stakes or hedges, or straight to play."""
        if any(len(self.hands[seat]) < self.share for seat in self.inside):
            return self
        after = self._tells(message("hexel.dealt", "HEXEL-4.1", round=self.round, cards=self.share))
        if not self.setting.money:
            return replace(after, phase="place")
        return replace(after, phase="hedge" if self.chips.stake else "stake")

    def _stake(self, action: Stake) -> "Hexel":
        after = replace(self, phase="hedge", chips=replace(self.chips, stake=action.chips))
        return after._tells(
            message("hexel.stakes", "HEXEL-2.2", seat=called(self.dealer), chips=action.chips)
        )

    def _hedge(self, action: Hedge) -> "Hexel":
        chips = self.chips.hedged(action.seat, action.chips)
        after = replace(self, chips=chips, hedged=tuple(sorted((*self.hedged, action.seat))))
        after = after._tells(
            message("hexel.hedges", "HEXEL-2.3", seat=called(action.seat), chips=action.chips)
        )
        return after._all_hedged()

    def _all_hedged(self) -> "Hexel":
        return replace(self, phase="place") if set(self.inside) <= set(self.hedged) else self

    def _concede(self, action: Concede) -> "Hexel":
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

    def _won(self, seat: int, rule: str) -> "Hexel":
        """The game is over and the winner takes all Hedges (HEXEL-7.3)."""
        pots = sum(self.chips.hedge)
        after = replace(self, phase="over", winner=seat, chips=self.chips.won(seat))
        if not self.setting.money:
            return after
        return after._tells(message("hexel.takes", rule, seat=called(seat), chips=pots))

    # --------------------------------------------------------------------------- what one may know

    @property
    def private(self) -> bool:
        """Whether hexboard knows cards that not everybody may: it dealt them."""
        return not self.setting.held and self.phase != "over"

    @property
    def deck(self) -> str:
        """All cards, for the commitment to a shuffle."""
        return "+".join(FACES[card] for card in self.setting.deck)

    def hand(self, seat: int) -> tuple[Message, ...]:
        """The cards that a seat holds, as far as they are known."""
        return tuple(message("hexel.card", face=FACES[c]) for c in self.hands[seat] if c)

    def view(self, seat: int) -> "Hexel":
        """What a seat may know: its own cards and the table. Held cards nobody else knows."""
        if self.setting.held or self.eyes == seat:
            return self
        hidden = b""
        kept: list[tuple[bytes, ...]] = []
        for cards in (self.hands, self.discards):
            hidden += b"".join(c for other, c in enumerate(cards) if other != seat)
            kept.append(tuple(c if s == seat else bytes(len(c)) for s, c in enumerate(cards)))
        unseen = bytes(sorted(self.unseen + hidden.replace(b"\0", b"")))
        return replace(self, hands=kept[0], discards=kept[1], unseen=unseen, eyes=seat)

    def told(self, action: Action, seat: int) -> str:
        """An action as a seat may hear it: a card that goes to another hand, or face down from it,
        is "?"."""
        match action:
            case Draw() if self.phase == "deal" and self.receiver != seat:
                return self.name(Draw(UNKNOWN))
            case NoPlacement() if self.turn != seat:
                return self.name(NoPlacement(UNKNOWN))
        return self.name(action)

    # ---------------------------------------------------------------------------------- the board

    def seen(self) -> bytes:
        """The face in each cell of the board (see `cards.FACES`), 0 for none."""
        return self.table[: self.setting.grid.seen]

    def things(self, code: int) -> tuple[str, ...]:
        """The card of a code of `seen`, by its symbols as it lies."""
        return (f"card {FACES[code]}",) if code else ()

    def pieces(self) -> tuple[Piece, ...]:
        """The cards, each with its six symbols."""
        return pieces(self)

    @property
    def standing(self) -> tuple[Message, ...]:
        """How many cards each seat holds, and its chips."""
        return standing(self)

    def scene(self) -> Scene:
        """What may be laid where, the last card, a Hoxla."""
        return scene(self)

    def places(self, action: Action) -> tuple[CellId, ...]:
        """The cell that a finger touches to lay a card."""
        return (self.setting.grid.ids[action.cell],) if isinstance(action, Place) else ()

    def blamed(self, action: Action) -> tuple[CellId, ...]:
        """Where a refusal of this action is shown: a card hides the light of its own cell."""
        return blamed(self, action) if isinstance(action, Place) else ()

    # ------------------------------------------------------------------------------------ in words

    def name(self, action: Action) -> str:
        """An action as people write it: "place 0,-1 RRBBBR", "hedge 1 6", "draw ?"."""
        return name(self.setting.grid, action)

    def action(self, text: str) -> Action:
        """The inverse of `name`. Raises `BadText`."""
        return action(self.setting.grid, text)

    def __str__(self) -> str:
        return write(self)


_PLAY: dict[type, Callable[[Hexel, Any], Hexel]] = {
    Draw: Hexel._draw,
    Redraw: Hexel._redraw,
    Place: Hexel._place,
    Stake: Hexel._stake,
    Hedge: Hexel._hedge,
    NoPlacement: Hexel._no_placement,
    Concede: Hexel._concede,
}


def _put(items: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    return (*items[:seat], value, *items[seat + 1 :])


def _with(items: tuple[bytes, ...], seat: int, cards: bytes) -> tuple[bytes, ...]:
    """Some cards more for a seat, in order."""
    return _put(items, seat, bytes(sorted(items[seat] + cards)))

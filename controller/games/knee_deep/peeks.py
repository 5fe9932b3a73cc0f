"""Peeks: who owns a card looks at cards that others do not see, on a draw pile or in a hand.

Where hexboard deals, the dealer says one card after the other, to who looks alone; then they are
looked at until that seat goes on. What lies on top of a pile stays there, and is what is drawn.
Where people hold printed cards they look themselves.
"""

from collections import Counter
from typing import ClassVar

from msgspec.structs import replace

from hexboard.games.knee_deep.actions import Act
from hexboard.games.knee_deep.cards import UNKNOWN
from hexboard.games.knee_deep.effects import Amount, Effect, Side
from hexboard.games.knee_deep.state import (
    NAMES,
    NOBODY,
    CardsSeen,
    PendingStep,
    State,
    less,
    owners,
    put,
)
from hexboard.games.knee_deep.values import FACTIONS
from hexboard.words import Message, message

ALL = 20
"""What stands for all cards of a hand: more than a hand has."""


class Peek(Effect, frozen=True):
    """Somebody looks at cards, as many as are wanted; all of a hand are at least one."""

    in_hand: ClassVar[bool] = False
    amount: Amount = 1

    def whose(self, seat: int) -> int:
        """The seat whose cards are looked at."""
        return 1 - seat

    def there(self, state: State, seat: int) -> int:
        """How many cards there are to look at."""
        of = self.whose(seat)
        return len(state.hands[of]) if self.in_hand else state.pile(of) - state.due[of]

    def possible(self, state: State, step: PendingStep) -> bool:
        wanted = 1 if self.in_hand and self.amount == ALL else self.amount
        return self.there(state, step.seat) >= wanted

    def run(self, state: State, seat: int) -> State:
        """As many as there still are: an effect before it may have taken some."""
        of, count = self.whose(seat), min(self.amount, self.there(state, seat))
        if count <= 0:
            return state.tells("knee_deep.fizzles", "KDH-3.11", seat=NAMES[seat])
        held = state.setting.held
        cards, left = (bytes(count), 0) if held else (b"", count)
        state = replace(state, look=CardsSeen(seat, of, self.in_hand, left, cards))
        key = "knee_deep.looks_in_hand" if self.in_hand else "knee_deep.looks_at_pile"
        return state.tells(key, "KDH-3.5", seat=NAMES[seat], other=NAMES[of], count=count)


class PeekPile(Peek, frozen=True, tag="peek"):
    """At the top of a draw pile, in its order."""

    of: Side = "self"

    def whose(self, seat: int) -> int:
        return owners(seat, self.of)[0]

    def sentence(self, war: bool) -> Message:
        return message(f"knee_deep.does_peek_{self.of}", amount=self.amount)


class PeekHand(Peek, frozen=True, tag="peek_hand"):
    """At cards of the enemy's hand, at random, or all."""

    in_hand: ClassVar[bool] = True
    amount: Amount = ALL

    def sentence(self, war: bool) -> Message:
        if self.amount == ALL:
            return message("knee_deep.does_peek_hand")
        return message("knee_deep.does_peek_some", amount=self.amount)


AnyPeek = PeekPile | PeekHand


def next_ones(state: State) -> bytes:
    """The cards that the next one seen may be, with repeats."""
    look = state.look
    assert look is not None
    on_top = state.top[look.of][len(look.cards) :]
    if not look.in_hand and on_top[:1] > b"\0":
        return on_top[:1]
    known = look.in_hand and state.eyes == NOBODY
    cards = Counter(state.hands[look.of] if known else state.unseen[look.of])
    if look.in_hand or state.eyes != NOBODY:  # those of a pile have left what is unseen
        cards.subtract(look.cards)
    return bytes(sorted(cards.elements()))


def drawn_from(state: State) -> str:
    """The pile that the dealer's next card comes from. Cards that somebody saw on top of a pile,
    and cards of a hand, count as piles of their own: so a look changes no card that comes later."""
    look = state.look if not any(state.due) else None
    of, at = (look.of, len(look.cards)) if look else (state.receiver, 0)
    if look and look.in_hand:
        return f"{FACTIONS[of]} hand"
    return f"{FACTIONS[of]} top" if at < len(state.top[of]) else FACTIONS[of]


def seen(state: State, act: Act) -> State:
    """One card more is looked at; one of a pile then lies on top, and only the referee knows it."""
    look = state.look
    assert look is not None
    of, at = look.of, len(look.cards)
    state = replace(
        state, look=replace(look, left=look.left - 1, cards=look.cards + bytes((act.a,)))
    )
    if look.in_hand or at < len(state.top[of]):
        return state
    card = act.a if state.eyes == NOBODY else UNKNOWN
    unseen = less(state.unseen[of], card) if card else state.unseen[of]
    top = put(state.top, of, state.top[of] + bytes((card,)))
    return replace(state, unseen=put(state.unseen, of, unseen), top=top)


def looked(state: State, act: Act) -> State:
    """Who looked has seen them."""
    return replace(state, look=None)


def faces(state: State, seat: int) -> tuple[Message, ...]:
    """The cards that a seat looks at now, with where they are."""
    look = state.look
    if look is None or look.seat != seat:
        return ()
    key = "knee_deep.sees_in_hand" if look.in_hand else "knee_deep.sees_on_pile"
    other = NAMES[look.of]
    return tuple(
        message(key, "KDH-3.5", other=other, place=k, card=state.card(card).face)
        for k, card in enumerate(look.cards, 1)
        if card != UNKNOWN
    )


def fits(state: State) -> bool:
    """Whether what is looked at can be so: a written position may say anything."""
    look = state.look
    if look is None:
        return True
    held, seen = state.setting.held, look.cards
    there = len(state.hands[look.of]) if look.in_hand else state.pile(look.of)
    if not 1 <= look.left + len(seen) <= there or (look.in_hand and look.of == look.seat):
        return False
    if held or state.eyes not in (NOBODY, look.seat):
        return not any(seen) and not (held and look.left)
    if UNKNOWN in seen or (not look.in_hand and len(state.top[look.of]) < len(seen)):
        return False
    if state.eyes == NOBODY and not look.in_hand:
        return state.top[look.of].startswith(seen)
    known = state.hands[look.of] if state.eyes == NOBODY else state.unseen[look.of]
    return Counter(seen) <= Counter(known)

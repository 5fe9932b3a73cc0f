"""Hands, piles and face-down cards: who may know which, and what each seat has.

Where hexboard deals, it knows every card; a seat knows its own, and what lies open. Where people
hold printed cards (`held`) nobody tells hexboard, and nothing is hidden from anybody.
"""

from typing import TypeVar

from msgspec.structs import replace

from hexboard.games.knee_deep import moves, peeks
from hexboard.games.knee_deep.actions import NONE, Act, card_word
from hexboard.games.knee_deep.cards import UNKNOWN
from hexboard.games.knee_deep.state import NAMES, NOBODY, State, more, put
from hexboard.games.knee_deep.text import deck
from hexboard.games.knee_deep.values import FACTIONS
from hexboard.words import Message, message

S = TypeVar("S", bound=State)


def private(state: State) -> bool:
    """Whether hexboard knows cards that not everybody may: it dealt them, and the game goes on."""
    return not state.setting.held and state.winner == NOBODY


def decks(state: State) -> str:
    """Both decks as one line, for the commitment to a shuffle (KDH-3.4)."""
    words = [
        f"{FACTIONS[seat]}="
        + "+".join(card_word(card, state.setting) for card in deck(state.setting, seat, types))
        for seat, types in enumerate(state.companions)
    ]
    return ";".join(words)


def view(state: S, seat: int) -> S:
    """What `seat` may know: its own hand, and of others' cards only how many; a seat of 2 is
    nobody's. Cards whose place it does not know are `unseen`."""
    if state.eyes != NOBODY:
        return state
    seen = replace(state, eyes=seat)
    if (look := seen.look) and look.seat != seat:
        seen = replace(seen, look=replace(look, cards=bytes(len(look.cards))))
    for other in (0, 1):
        seen = _covered(seen, other)
        if other != seat:
            seen = _without(seen, other)
    return seen


def _covered(state: S, seat: int) -> S:
    """Without what lies on top of a draw pile, which nobody sees but who looks at it now."""
    top = state.top[seat]
    if not top:
        return state
    unseen = more(state.unseen[seat], *top)
    return replace(
        state,
        unseen=put(state.unseen, seat, unseen),
        top=put(state.top, seat, bytes(len(top))),
    )


def _without(state: S, seat: int) -> S:
    """Without what only `seat` knows: its hand, a face-down war card, a closed discard pile."""
    hand, laid, pile = state.hands[seat], state.laid[seat], state.discards[seat]
    hidden = bytes(hand)
    state = replace(state, hands=put(state.hands, seat, bytes(len(hand))))
    if laid > UNKNOWN and not state.shown[seat]:
        hidden += bytes((laid,))
        state = replace(state, laid=put(state.laid, seat, UNKNOWN))
    if state.setting.discards == "closed":
        hidden += pile
        state = replace(state, discards=put(state.discards, seat, bytes(len(pile))))
    unseen = bytes(sorted(state.unseen[seat] + hidden.replace(b"\0", b"")))
    return replace(state, unseen=put(state.unseen, seat, unseen))


def told(state: State, action: Act, seat: int) -> Act:
    """An action as `seat` may hear it: "?" stands for a card that stays hidden."""
    closed = state.setting.discards == "closed"
    match action.verb:
        case "drawn" if seat != state.receiver:
            return Act("drawn", UNKNOWN)
        case "seen" if state.look and seat != state.look.seat:
            return Act("seen", UNKNOWN)
        case "lay" if seat != moves.turn(state) and action.a != NONE:
            return Act("lay", UNKNOWN)
        case "discard" | "recycle" if closed and seat != moves.turn(state):
            return Act(action.verb, UNKNOWN)
        case "retrieve" if closed and seat != moves.turn(state) and action.a != NONE:
            return Act("retrieve", UNKNOWN)
        case "search" if seat != moves.turn(state) and action.a != NONE:
            return Act("search", UNKNOWN)
    return action


def standing(state: State) -> tuple[Message, ...]:
    """How many cards each seat holds, can draw and has used; the stock of whose turn it is."""
    return tuple(_has(state, seat) for seat in (0, 1))


def _has(state: State, seat: int) -> Message:
    name, cards, pile = NAMES[seat], len(state.hands[seat]), state.pile(seat)
    used = len(state.discards[seat])
    if seat != state.active or not state.round:
        return message("knee_deep.has", seat=name, cards=cards, pile=pile, used=used)
    return message(
        "knee_deep.has_stock",
        seat=name,
        cards=cards,
        pile=pile,
        used=used,
        material=state.material,
        energy=state.energy,
    )


def hand(state: State, seat: int) -> tuple[Message, ...]:
    """The cards that a seat holds, as far as they are known, and those that it looks at now."""
    held = tuple(state.card(card).face for card in state.hands[seat] if card != UNKNOWN)
    return (*held, *peeks.faces(state, seat))

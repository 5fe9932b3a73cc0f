"""What can be done in Hex'el, in the words of a button; cards are chosen by their pictures."""

from hexboard.game.position import Phrase, Refusal
from hexboard.games.hexel import actions as act
from hexboard.games.hexel.cards import FACES, UNKNOWN
from hexboard.games.hexel.notation import called
from hexboard.games.hexel.state import State
from hexboard.words import message


def phrase(action: act.Action) -> Phrase | None:
    """An action in words; None for one that names a card."""
    match action:
        case act.Stake(chips):
            return Phrase(message("hexel.say_stake"), message("hexel.say_stakes"), chips)
        case act.Hedge(seat, chips):
            hedges = message("hexel.say_hedges", seat=called(seat))
            return Phrase(message("hexel.say_hedge"), hedges, chips)
        case act.Redraw():
            return Phrase(message("hexel.say_redraw"))
        case act.Draw(card) if card == UNKNOWN:
            return Phrase(message("hexel.say_draw"))
        case act.NoPlacement(card) if card == UNKNOWN:
            return Phrase(message("hexel.say_stuck"))
        case act.Concede(seat):
            return Phrase(message("hexel.say_concede", seat=called(seat)))
    return None


def acts(position: State) -> tuple[act.Action, ...]:
    """A seat may concede; a line that cannot be laid is drawn anew."""
    return act.Redraw(), *(act.Concede(seat) for seat in range(position.setting.seats))


def withheld(position: State) -> tuple[tuple[Phrase, Refusal], ...]:
    """The cards of the hand whose turn it is that fit nowhere, as far as they are known."""
    if position.phase != "place" or position.setting.held:
        return ()
    hand = set(position.hands[position.turn]) - {UNKNOWN}
    why = message("hexel.fits_nowhere", "HEXEL-5.2")
    cards = sorted(hand & set(position.hopeless(position.room())))
    return tuple((Phrase(message("hexel.card", face=FACES[card])), why) for card in cards)

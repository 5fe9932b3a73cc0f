"""How often something can be had in a turn, a war and a game, and how often it was."""

from msgspec.structs import replace

from hexboard.games.knee_deep.cards import Ability, Card, Trigger
from hexboard.games.knee_deep.state import State, Uses
from hexboard.words import Message, message

Limited = Card | Ability | Trigger


def reached(state: State, seat: int, number: int, it: Limited) -> Message | None:
    """Why a seat cannot have it once more: the limit that is reached; None where none is."""
    if it.limit is None:
        return None
    uses, limit = _uses(state, seat, number), it.limit
    for span, most in (("turn", limit.turn), ("war", limit.war), ("game", limit.game)):
        if most is not None and getattr(uses, span) >= most:
            says = message(f"knee_deep.limit_{span}", count=most)
            return message("knee_deep.used_up", "KDH-3.5", card=it.title, limit=says)
    return None


def counted(state: State, seat: int, number: int, it: Limited) -> State:
    """The state after a seat had it once more."""
    if it.limit is None:
        return state
    old = _uses(state, seat, number)
    new = Uses(seat, number, old.turn + 1, old.war + state.at_war, old.game + 1)
    others = (uses for uses in state.uses if uses != old)
    return replace(state, uses=tuple(sorted((*others, new), key=lambda it: (it.seat, it.card))))


def _uses(state: State, seat: int, number: int) -> Uses:
    found = (uses for uses in state.uses if (uses.seat, uses.card) == (seat, number))
    return next(found, Uses(seat, number, 0, 0, 0))


def turn_over(state: State) -> tuple[Uses, ...]:
    """The uses as the next turn begins."""
    return tuple(replace(uses, turn=0) for uses in state.uses)


def war_over(state: State) -> tuple[Uses, ...]:
    """The uses after a war."""
    return tuple(replace(uses, war=0) for uses in state.uses)

"""What happens to units and cards, whoever causes it: moved, scrapped, discarded."""

from msgspec.structs import replace

from hexboard.games.knee_deep.cards import UNKNOWN
from hexboard.games.knee_deep.state import NAMES, OWN_LOSS, State, less, more, on, put
from hexboard.games.knee_deep.values import KINDS, kind_of, seat_of


def moved(state: State, field: int, to: int) -> State:
    """A unit on another field; what cards said of it in a war does not go with it."""
    unit, ids = state.units[field], state.setting.ground.ids
    state = replace(vacated(state, field), units=on(state.units, [(field, 0), (to, unit)]))
    seat, kind = NAMES[seat_of(unit)], KINDS[kind_of(unit)]
    return state.tells(
        "knee_deep.moves", "KDH-7.2", seat=seat, unit=kind, left=ids[field], field=ids[to]
    )


def vacated(state: State, field: int) -> State:
    """Nothing on a field any more."""
    return replace(
        state,
        units=on(state.units, [(field, 0)]),
        included=tuple(f for f in state.included if f != field),
        excluded=tuple(f for f in state.excluded if f != field),
    )


def returned(state: State, field: int) -> State:
    """A unit back in its supply."""
    name = state.setting.ground.ids[field]
    return vacated(state, field).tells("knee_deep.returns", "KDH-3.5", field=name)


def scrapped(state: State, field: int, by: int) -> State:
    """A unit destroyed by a seat, and on the scrapyard (KDH-8.8; A26)."""
    unit, name = state.units[field], state.setting.ground.ids[field]
    own = OWN_LOSS if by == seat_of(unit) else 0
    state = replace(vacated(state, field), scrap=state.scrap + bytes((unit + own,)), quiet=0)
    full = state.setting.box.values.scrapyard
    return state.tells(
        "knee_deep.scrapped",
        "KDH-8.8",
        seat=NAMES[seat_of(unit)],
        unit=KINDS[kind_of(unit)],
        field=name,
        count=len(state.scrap),
        full=full,
    )


def unscrapped(scrap: bytes, unit: int) -> bytes:
    """The scrapyard without the unit of this code that was destroyed last, by whom it may be."""
    last = max(scrap.rfind(unit), scrap.rfind(unit + OWN_LOSS))
    return scrap[:last] + scrap[last + 1 :]


def dropped(state: State, seat: int, card: int) -> State:
    """A card from the hand to the discard pile; "?" where nobody sees which (A27)."""
    state = taken(state, seat, card)
    discards = put(state.discards, seat, more(state.discards[seat], card))
    return replace(state, discards=discards).tells(
        "knee_deep.discards", "KDH-3.4", seat=NAMES[seat]
    )


def taken(state: State, seat: int, card: int) -> State:
    """The hand without a card; one that was unknown is seen by it."""
    hand = state.hands[seat]
    if card in hand:
        return replace(state, hands=put(state.hands, seat, less(hand, card)))
    return replace(
        state,
        hands=put(state.hands, seat, less(hand, UNKNOWN)),
        unseen=put(state.unseen, seat, less(state.unseen[seat], card)),
    )

"""Why an action of Hex'el is not allowed now, by the rule that forbids it."""

from hexboard.game.position import Refusal
from hexboard.games.hexel import actions as act
from hexboard.games.hexel.cards import CARD, FACES, UNKNOWN, turns
from hexboard.games.hexel.notation import called
from hexboard.games.hexel.state import State
from hexboard.words import message


def refusal(position: State, action: act.Action) -> Refusal | None:
    """Why an action is not allowed now; None when it is."""
    match action:
        case act.Draw(card):
            return _no_draw(position, card)
        case act.Redraw():
            return _no_redraw(position)
        case act.Place():
            return _no_place(position, action)
        case act.Stake(chips):
            return _no_stake(position, chips)
        case act.Hedge(seat, chips):
            return _no_hedge(position, seat, chips)
        case act.NoPlacement(card):
            return _not_stuck(position, card)
        case act.Concede(seat):
            if position.phase == "over" or seat not in position.inside:
                return message("hexel.cannot_concede", "HEXEL-6.3")
    return None


def _no_draw(position: State, card: int) -> Refusal | None:
    if position.phase not in ("draw", "deal"):
        return _not_now(position)
    if card == UNKNOWN:
        return None if position.blind else message("hexel.name_card", "HEXEL-4.1")
    if position.phase == "deal" and position.setting.held:
        return message("hexel.no_peeking", "HEXEL-4.3")
    return _gone(position, card)


def _gone(position: State, card: int) -> Refusal | None:
    """Why a card cannot turn up now: the deck has it not, or not any more."""
    if card not in position.setting.deck:
        return message("hexel.not_in_deck", "HEXEL-A2", card=FACES[card])
    if card not in position.unseen:
        return message("hexel.already_played", "HEXEL-A2", card=FACES[card])
    return None


def _no_redraw(position: State) -> Refusal | None:
    if position.phase != "line":
        return _not_now(position)
    if not position.setting.held and position.can_line():
        return message("hexel.can_line", "HEXEL-3.4")
    return None


def _no_place(position: State, place: act.Place) -> Refusal | None:
    if position.phase not in ("line", "place"):
        return _not_now(position)
    grid, cell, card = position.setting.grid, place.cell, CARD[place.face]
    if position.table[cell]:
        return message("hexel.taken", "HEXEL-5.1", cell=grid.ids[cell])
    if position.phase == "line" and cell != position.line_cell:
        return message("hexel.line_cell", "HEXEL-3.2", cell=grid.ids[position.line_cell])
    if card not in (UNKNOWN, *position.playable()):
        return _not_held(position, card)
    asked = grid.asked(position.table, cell)
    if not asked and position.phase == "place":
        return message("hexel.no_touch", "HEXEL-5.1", cell=grid.ids[cell])
    if card == UNKNOWN:
        return _unnamed(position, cell)
    if place.face not in grid.fits(position.table, cell):
        return _mismatch(position, place)
    return position.bad_line(place) if position.phase == "line" else None


def _unnamed(position: State, cell: int) -> Refusal:
    """What is lacking where a card is laid and nobody says which."""
    fits = set(turns(position.playable())) & set(position.setting.grid.fits(position.table, cell))
    if not fits:
        return message("hexel.none_fits", "HEXEL-5.2", cell=position.setting.grid.ids[cell])
    return message("hexel.name_card", "HEXEL-5.1")


def _not_held(position: State, card: int) -> Refusal:
    gone = None if card in position.drawn else _gone(position, card)
    if gone and (
        position.phase == "line" or position.may_be_unknown or card not in position.setting.deck
    ):
        return gone
    if position.phase == "line":
        return message("hexel.not_turned_up", "HEXEL-3.1", card=FACES[card])
    return message("hexel.not_in_hand", "HEXEL-5.1", card=FACES[card])


def _mismatch(position: State, place: act.Place) -> Refusal:
    """Which neighbour does not match."""
    grid, table = position.setting.grid, position.table
    edge = grid.wrong(table, place.cell, place.face)
    assert edge is not None  # the caller knows that it does not fit
    other = grid.around[place.cell][edge]
    cell, mine, wants = grid.ids[other], FACES[place.face][edge], FACES[table[other]][edge - 3]
    rule = "HEXEL-3.1" if position.phase == "line" else "HEXEL-5.2"
    return message("hexel.mismatch", rule, other=cell, mine=mine, theirs=wants)


def _no_stake(position: State, chips: int) -> Refusal | None:
    if position.phase != "stake":
        return _not_now(position)
    if not 1 <= chips <= position.setting.stock:
        return message("hexel.bad_stake", "HEXEL-2.2", most=position.setting.stock)
    return None


def _no_hedge(position: State, seat: int, chips: int) -> Refusal | None:
    if position.phase != "hedge":
        return _not_now(position)
    if seat not in position.inside:
        return message("hexel.not_in", "HEXEL-6.3")
    if seat in position.hedged:
        return message("hexel.hedged_already", "HEXEL-2.3", seat=called(seat))
    stock, stake, least = (
        position.chips.stock[seat],
        position.chips.stake,
        position.least_hedge(seat),
    )
    if chips > stock:
        return message("hexel.hedge_stock", "HEXEL-2.3", chips=chips, stock=stock)
    if chips % stake:
        return message("hexel.hedge_multiple", "HEXEL-A6", chips=chips, stake=stake)
    if chips < least:
        return message("hexel.hedge_least", "HEXEL-A6", chips=chips, least=least)
    return None


def _not_stuck(position: State, card: int) -> Refusal | None:
    if position.phase != "place":
        return _not_now(position)
    room = position.room()
    if not position.is_stuck(room):
        return message("hexel.can_place", "HEXEL-5.1")
    if card == UNKNOWN:
        return None if position.may_be_unknown else message("hexel.name_card", "HEXEL-A5")
    if position.setting.held and card not in position.hands[position.turn]:
        return message("hexel.no_peeking", "HEXEL-4.3")
    if card not in position.playable():
        return message("hexel.not_in_hand", "HEXEL-A5", card=FACES[card])
    if card not in position.hopeless(room):
        return message("hexel.can_place", "HEXEL-5.1")
    return None


def _not_now(position: State) -> Refusal:
    """What the game waits for instead (HEXEL-3.5)."""
    if position.phase == "over":
        return message("hexel.over", "HEXEL-3.5")
    return message(f"hexel.waits_{position.phase}", "HEXEL-3.5")

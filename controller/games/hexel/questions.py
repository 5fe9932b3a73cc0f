"""What the rules of Hex'el ask of a seat."""

from hexboard.game.position import Question
from hexboard.games.hexel.notation import called
from hexboard.games.hexel.state import State
from hexboard.words import Message, message


def question(position: State, seat: int) -> Question | None:
    """What the rules ask of a seat now; None where they ask nothing."""
    if seat < 0 or seat in position.out:
        return None
    name = called(seat) if seat < position.setting.seats else ""
    match position.phase:
        case "line" if seat == position.dealer:
            return Question(seat, _ask_line(position, name))
        case "stake" if seat == position.dealer:
            return Question(seat, message("hexel.ask_stake", "HEXEL-2.2", seat=name))
        case "hedge" if seat not in position.hedged:
            stake = position.chips.stake
            return Question(seat, message("hexel.ask_hedge", "HEXEL-2.3", seat=name, stake=stake))
        case "place" if seat == position.turn:
            return Question(seat, _ask_place(position, name))
    return None


def _ask_line(position: State, name: str) -> Message:
    cell = position.setting.grid.ids[position.line_cell]
    if not position.can_line():
        return message("hexel.ask_redraw", "HEXEL-3.4", seat=name)
    if position.setting.held:
        return message("hexel.ask_line_or_redraw", "HEXEL-3.1", seat=name, cell=cell)
    return message("hexel.ask_line", "HEXEL-3.1", seat=name, cell=cell)


def _ask_place(position: State, name: str) -> Message:
    if position.to_match < 2 or not position.setting.money:
        return message("hexel.ask_place", "HEXEL-5.1", seat=name)
    edges, stake = position.to_match, position.chips.stake
    return message("hexel.ask_follow", "HEXEL-6.1", seat=name, edges=edges, stake=stake)

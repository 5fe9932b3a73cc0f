"""How people write Hex'el: players, cells, cards and actions."""

from functools import cache

from hexboard.game.position import Position
from hexboard.games.hexel import actions as act
from hexboard.games.hexel.cards import CARD, CODES, FACES, SYMBOLS, UNKNOWN
from hexboard.games.hexel.grid import Grid
from hexboard.words import message, say
from hexboard.words.errors import BadText

SEATS = (
    *(message("hexel.seat_0"), message("hexel.seat_1"), message("hexel.seat_2")),
    *(message("hexel.seat_3"), message("hexel.seat_4"), message("hexel.seat_5")),
)


@cache
def called(seat: int) -> str:
    """A player's name."""
    return say(SEATS[seat], "en")


def name(grid: Grid, action: act.Action) -> str:
    """An action as people write it: "place 0,-1 RRBBBR", "hedge 1 6", "draw ?"."""
    match action:
        case act.Place(cell, face):
            return f"place {grid.ids[cell]} {FACES[face] or '?'}"
        case act.Draw(card):
            return f"draw {FACES[card] or '?'}"
        case act.NoPlacement(card):
            return f"no_placement {FACES[card] or '?'}"
        case act.Stake(chips):
            return f"stake {chips}"
        case act.Hedge(seat, chips):
            return f"hedge {seat} {chips}"
        case act.Concede(seat):
            return f"concede {seat}"
    return "redraw"


def notation(position: Position[act.Action], action: act.Action) -> str:
    """A card with its cell, as the list of moves has it; "" for the rest."""
    return position.name(action).removeprefix("place ") if isinstance(action, act.Place) else ""


def action(grid: Grid, name: str) -> act.Action:
    """The inverse of `name`; a card may be named in any of its turns. Raises `BadText`."""
    match name.split(" "):
        case ["place", cell, face]:
            return act.Place(_cell(grid, cell), UNKNOWN if face == "?" else _face(face))
        case ["draw", card]:
            return act.Draw(_card(card))
        case ["no_placement", card]:
            return act.NoPlacement(_card(card))
        case ["stake", chips] if _is_number(chips):
            return act.Stake(int(chips))
        case ["hedge", seat, chips] if _is_number(seat) and _is_number(chips):
            return act.Hedge(int(seat), int(chips))
        case ["concede", seat] if _is_number(seat):
            return act.Concede(int(seat))
        case ["redraw"]:
            return act.Redraw()
    raise BadText("hexel.no_action", text=name[:80])


def _cell(grid: Grid, name: str) -> int:
    if name not in grid.cell:
        raise BadText("hexel.no_cell", cell=name[:40])
    return grid.cell[name]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and text == str(int(text[:9]))


def _card(text: str) -> int:
    return UNKNOWN if text == "?" else CARD[_face(text)]


def _face(text: str) -> int:
    """The code of a face. Raises `BadText` for what cannot be a card."""
    if len(text) != 6 or set(text) - set(SYMBOLS):
        raise BadText("hexel.no_face", face=text[:40])
    if text not in CODES:
        raise BadText("hexel.no_such_card", face=text)
    return CODES[text]

"""How people write Hex'el: players, cells, cards and actions."""

from functools import cache

from controller.errors import BadText
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
from controller.games.hexel.cards import CARD, CODES, FACES, SYMBOLS, UNKNOWN
from controller.games.hexel.grid import Grid
from controller.words import message, say

SEATS = (
    *(message("hexel.seat_0"), message("hexel.seat_1"), message("hexel.seat_2")),
    *(message("hexel.seat_3"), message("hexel.seat_4"), message("hexel.seat_5")),
)


@cache
def called(seat: int) -> str:
    """A player's name."""
    return say(SEATS[seat])


def name(grid: Grid, action: Action) -> str:
    """An action as people write it: "place 0,-1 RRBBBR", "hedge 1 6", "draw ?"."""
    match action:
        case Place(cell, face):
            return f"place {grid.ids[cell]} {FACES[face]}"
        case Draw(card):
            return f"draw {FACES[card] or '?'}"
        case NoPlacement(card):
            return f"no_placement {FACES[card] or '?'}"
        case Stake(chips):
            return f"stake {chips}"
        case Hedge(seat, chips):
            return f"hedge {seat} {chips}"
        case Concede(seat):
            return f"concede {seat}"
    return "redraw"


def action(grid: Grid, name: str) -> Action:
    """The inverse of `name`; a card may be named in any of its turns. Raises `BadText`."""
    match name.split(" "):
        case ["place", cell, face]:
            return Place(_cell(grid, cell), _face(face))
        case ["draw", card]:
            return Draw(_card(card))
        case ["no_placement", card]:
            return NoPlacement(_card(card))
        case ["stake", chips] if _is_number(chips):
            return Stake(int(chips))
        case ["hedge", seat, chips] if _is_number(seat) and _is_number(chips):
            return Hedge(int(seat), int(chips))
        case ["concede", seat] if _is_number(seat):
            return Concede(int(seat))
        case ["redraw"]:
            return Redraw()
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

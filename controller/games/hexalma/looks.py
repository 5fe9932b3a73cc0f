"""Looks: what a camera sees of HexAlma: how high each stack is and whose disc is on top."""

from itertools import product

from hexboard.appearance import BLACK, WHITE, Appearance, Look, Lying
from hexboard.board import Board
from hexboard.games.hexalma.position import Hexalma

DISCS = "BW"
"""The letters of black and white discs, by their numbers."""


def _stacks(height: int, top: int) -> Look:
    return Look(tuple((*below, top) for below in product((BLACK, WHITE), repeat=height - 1)))


LOOKS = (Look(), *(_stacks(height, top) for height in (1, 2, 3) for top in (BLACK, WHITE)))


def looks(position: Hexalma) -> tuple[Look, ...]:
    """The same in every position."""
    return LOOKS


def lying(position: Hexalma, board: Board) -> dict[str, Lying]:
    """The stacks, covered discs too."""
    found = ((piece.place, piece.text or DISCS[piece.seat]) for piece in position.pieces())
    return {cell: Lying(tuple(map(DISCS.index, discs))) for cell, discs in found}


APPEARANCE = Appearance(looks, lying)
SAMPLE = "W1WWW/WW1WW1/2W4/3(WW)4/4B4/2(BB)5/4B2/BB1BB1/BB1B1 b"
"""A game under way, for pictures of it."""

"""Patterns: what is lit to see whether a board's lights are right. Pure.

Each pattern is steps: what is to be seen, and the style of each pixel for as long as that takes.
"""

from collections.abc import Callable, Iterator

from msgspec import Struct

from hexboard.board import Board
from hexboard.lights.frame import BLACK, Colour, Style
from hexboard.words import Message, message

WHITE: Colour = (255, 255, 255)
COLOURS: dict[str, Colour] = {
    "red": (255, 0, 0),
    "green": (0, 255, 0),
    "blue": (0, 0, 255),
    "white": WHITE,
}


class PatternStep(Struct, frozen=True):
    """One picture of a pattern: in words, in styles, and for how long."""

    told: Message
    styles: tuple[Style, ...]
    seconds: float


def order(board: Board) -> Iterator[PatternStep]:
    """Cell by cell, along the strip."""
    cells = dict.fromkeys(pixel.cell for pixel in board.pixels)
    for cell in cells:
        mine = [k for k, pixel in enumerate(board.pixels) if pixel.cell == cell]
        told = message("pattern.order", cell=cell, first=mine[0], last=mine[-1])
        yield PatternStep(told, _lit(board, mine), 0.6)


def rails(board: Board) -> Iterator[PatternStep]:
    """All that a rail feeds, rail by rail."""
    for number, rail in enumerate(board.rails):
        mine = [k for k, pixel in enumerate(board.pixels) if pixel.rail == number]
        yield PatternStep(message("pattern.rail", rail=rail.id), _lit(board, mine), 2.0)


def colours(board: Board) -> Iterator[PatternStep]:
    """All lights in each of the strip's colours, and in white."""
    for name, colour in COLOURS.items():
        told = message("pattern.colour", colour=message(f"hue.{name}"))
        yield PatternStep(told, _lit(board, range(len(board.pixels)), colour), 2.0)


def walk(board: Board) -> Iterator[PatternStep]:
    """One light, along the strip."""
    for k, pixel in enumerate(board.pixels):
        spot = f"{pixel.cell}/{pixel.edge}" if pixel.edge else pixel.cell
        yield PatternStep(message("pattern.walk", light=k, spot=spot), _lit(board, [k]), 0.35)


PATTERNS: dict[str, Callable[[Board], Iterator[PatternStep]]] = {
    "colours": colours,
    "rails": rails,
    "order": order,
    "walk": walk,
}


def _lit(board: Board, lit: list[int] | range, colour: Colour = WHITE) -> tuple[Style, ...]:
    on = set(lit)
    return tuple(Style(colour if k in on else BLACK) for k in range(len(board.pixels)))

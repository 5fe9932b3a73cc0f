"""A hex board in a terminal: cells where they lie, pieces in the colours of their seats.

Works for every board: a cell's place on the screen comes from its millimetres.
"""

import math
from collections.abc import Mapping
from typing import TypeVar

from rich.text import Text

from hexboard.board import Board
from hexboard.game.position import Piece, Position
from hexboard.scene import Meaning, Scene

A = TypeVar("A")
SEATS = ("bold magenta", "bold white", "bold green", "bold yellow", "bold blue", "bold red")
NOBODY = "bold cyan"
SIGNS = {"disc": "●", "counter": "●", "card": "⬢", "unit": "▲"}
ROUND = ("disc", "counter")
"""Pieces that the second seat has hollow, for those who see no colours."""
MARKED = {
    Meaning.LAST: "on grey27",
    Meaning.WIN: "on dark_green",
    Meaning.PICKED: "on grey50",
    Meaning.RESERVED: "on dark_orange3",
}
"""Meanings that tint a cell; what may be touched is said by the list of moves."""


def draw(board: Board, pieces: tuple[Piece, ...], scene: Scene) -> Text:
    """The board as lines of text: an empty cell shows its name."""
    lying: dict[str, Piece] = {piece.place: piece for piece in pieces}
    tints = {mark.place: MARKED[mark.meaning] for mark in scene if mark.meaning in MARKED}
    signs = {cell.id: _cell(cell.id, lying.get(cell.id)) for cell in board.cells}
    tinted = {k: (sign, f"{style} {tints.get(k, '')}") for k, (sign, style) in signs.items()}
    return grid(board, tinted)


def grid(board: Board, signs: Mapping[str, tuple[str, str]]) -> Text:
    """A sign for each cell, where it lies, in its style."""
    width = max(len(cell.id) for cell in board.cells) + 2
    width += width % 2  # rows are shifted by half a cell
    step = board.pitch * math.sqrt(3) / 2
    across, down = (step, board.pitch / 2) if board.flat_top else (board.pitch / 2, step)
    left, top = min(cell.x for cell in board.cells), max(cell.y for cell in board.cells)
    columns = width if board.flat_top else width / 2
    rows: dict[int, list[tuple[int, str, str]]] = {}
    for cell in board.cells:
        row, column = round((top - cell.y) / down), round((cell.x - left) / across * columns)
        rows.setdefault(row, []).append((column, *signs[cell.id]))
    text = Text()
    for row in range(max(rows) + 1):
        text.append(_row(rows.get(row, [])))
        text.append("\n")
    return text


def _row(cells: list[tuple[int, str, str]]) -> Text:
    line = Text()
    for column, sign, style in sorted(cells):
        line.append(" " * (column - line.cell_len))
        line.append(sign, style)
    return line


def _cell(name: str, piece: Piece | None) -> tuple[str, str]:
    """What a cell shows, and how."""
    if piece is None:
        return name, "bright_black"
    if piece.kind == "hole":
        return "·", "bright_black"
    number = str(piece.count) if piece.count != 1 else ""
    text = "" if piece.kind == "disc" else piece.text
    shape = "○" if piece.seat == 1 and piece.kind in ROUND else SIGNS.get(piece.kind, "■")
    sign = text or shape + number
    return sign, SEATS[piece.seat % len(SEATS)] if piece.seat >= 0 else NOBODY


def moves(position: Position[A], width: int) -> str:
    """All legal moves in lines of at most `width` characters."""
    names = [position.name(action) for action in position.legal]
    lines, line = [], ""
    for name in names:
        if line and len(line) + 2 + len(name) > width:
            lines.append(line)
            line = ""
        line = f"{line}  {name}" if line else name
    return "\n".join([*lines, line])

"""Pictures of a position: pieces over the board, in lines of text and as SVG."""

from collections.abc import Iterable, Iterator
from html import escape

from hexboard.board import Board
from hexboard.board.svg import svg
from hexboard.commands.terminal import draw
from hexboard.game.game import AnyGame, appearance
from hexboard.game.position import Action, Piece, Position

COLOURS = ("#26262b", "#f4f4ee", "#2a9d5c", "#e0a100", "#3a6fd8", "#d1495b")
"""What the seats' pieces look like; one past the last begins anew."""
NOBODYS = "#9aa3b2"


def lines(game: AnyGame[Action], board: Board, position: Position[Action]) -> str:
    """The board as text: empty cells show their names."""
    text = draw(board, _pieces(game, board, position), position.scene()).plain
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n"))


def drawn(game: AnyGame[Action], board: Board, position: Position[Action]) -> str:
    """The board as SVG, in millimetres."""
    return svg(board, _shapes(board, _pieces(game, board, position)))


def _pieces(game: AnyGame[Action], board: Board, position: Position[Action]) -> tuple[Piece, ...]:
    """What lies in the cells: as the game draws it, else as a camera knows it."""
    if game.touched is not None:
        return game.touchable(position).pieces()
    if game.appearance is None:
        return ()
    things = appearance(game).things(game.visibly(position), board)
    return tuple(Piece(place, "card", text=thing.tile) for place, thing in things.items())


def _shapes(board: Board, pieces: Iterable[Piece]) -> Iterator[str]:
    for piece in pieces:
        cell = board.cell[piece.place]
        seated = piece.seat >= 0
        fill = COLOURS[piece.seat % len(COLOURS)] if seated else NOBODYS
        yield (
            f'<circle class="piece" cx="{cell.x}" cy="{-cell.y}" r="{board.pitch * 0.36:.1f}" '
            f'fill="{fill}" stroke="#333"/>'
        )
        text = piece.text or (str(piece.count) if piece.count != 1 else "")
        if text:
            yield f'<text class="name" x="{cell.x}" y="{-cell.y + 2}">{escape(text)}</text>'

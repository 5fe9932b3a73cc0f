"""Offers: the ways of play that people are asked about, as answers and in lights."""

from collections.abc import Iterable

from hexboard.board import Board
from hexboard.game.position import Action
from hexboard.perception.inference import Explanation
from hexboard.scene import Mark, Meaning
from hexboard.table.view import NOTHING, Asking, Choice
from hexboard.words import Message, message


class Offer(Choice, frozen=True):
    """A way of play that a camera may have seen, as an answer."""

    line: Explanation[Action]


def offers(lines: Iterable[Explanation[Action]], stay: Explanation[Action]) -> tuple[Offer, ...]:
    """These ways of play as answers, and last that nothing was moved: `stay`."""
    named = {spelt(line): line for line in lines}
    stay = named.pop(NOTHING, stay)
    moves = (Offer(name, _told(name, line), line) for name, line in named.items())
    return (*moves, Offer(NOTHING, message("table.camera_nothing"), stay))


def _told(name: str, line: Explanation[Action]) -> Message:
    """A way of play as people read it."""
    if not line.back:
        return message("table.camera_move", move=name)
    one = line.back == 1
    return message("table.camera_back") if one else message("table.camera_backs", count=line.back)


def offered(asking: Asking | None) -> tuple[Explanation[Action], ...]:
    """What of a question a camera asks about."""
    choices = asking.choices if asking else ()
    return tuple(choice.line for choice in choices if isinstance(choice, Offer))


def spelt(line: Explanation[Action]) -> str:
    """A line as an answer: its actions, as often `undo` as it goes back, or `nothing`."""
    return "; ".join(("undo",) * line.back or line.actions) or NOTHING


def marks(board: Board, shown: bytes, lines: Iterable[Explanation[Action]]) -> list[Mark]:
    """The cells of what is offered: those of one answer alone count which one it is."""
    touched = [frozenset(_touched(board, shown, line)) for line in lines]
    cells = dict.fromkeys(cell for line in touched for cell in sorted(line))
    which = {cell: [n for n, line in enumerate(touched, 1) if cell in line] for cell in cells}
    return [
        Mark(cell, Meaning.ASK, answers[0] if len(answers) == 1 else 0)
        for cell, answers in which.items()
    ]


def _touched(board: Board, shown: bytes, line: Explanation[Action]) -> list[str]:
    """The cells that a line changes."""
    pairs = zip(shown, line.position.seen(), strict=True)
    return [cell.id for cell, (a, b) in zip(board.cells, pairs, strict=True) if a != b]

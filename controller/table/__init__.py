"""The table: the pure core of one game being played. `step(fact) -> effects`, and nothing else.

No clock, no I/O: time is what facts say, timers are the deadlines of the parts, run in order before
the fact that passes them. Which kind of table a game needs depends on how it is seen: balls roll
past sensors (`balls`), pieces are moved by people who say so (`pieces`).
"""

from controller.board import Board
from controller.facts import Resume, Start
from controller.games import hextraction
from controller.table.balls import Balls
from controller.table.core import LATENESS, LOG, Asking, Choice, Line, Table, Todo
from controller.table.pieces import Pieces

__all__ = [
    "LATENESS",
    "LOG",
    "Asking",
    "Balls",
    "Choice",
    "Line",
    "Pieces",
    "Table",
    "Todo",
    "open_table",
]


def open_table(board: Board, begin: Start | Resume) -> Table:
    """The table for a match. Raises `BadText` for a game that is not there, a board that it cannot
    be played on, or saved entries that are not its own."""
    start = begin.start if isinstance(begin, Resume) else begin
    return (Balls if start.game == hextraction.NAME else Pieces)(board, begin)

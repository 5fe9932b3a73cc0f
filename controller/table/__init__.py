"""The table: the pure core of one game being played. `step(fact) -> effects`, and nothing else.

No clock, no I/O: time is what facts say, timers are the deadlines of the parts, run in order before
the fact that passes them. It is put together of parts, each with its own state (`parts`); pieces
that people move, and say so, are all that most games need beside those (`pieces`), and a game may
declare a table with a part of its own.
"""

from msgspec.structs import replace

from hexboard.board import Board, CellId
from hexboard.facts import Resume, Start, started
from hexboard.game import registry
from hexboard.game.game import agreed_by
from hexboard.game.position import Action
from hexboard.table.core import Table
from hexboard.table.fingers import newest
from hexboard.table.log import LOG_LINES
from hexboard.table.pieces import Pieces
from hexboard.table.senses import LATENESS_NS
from hexboard.table.touches import Touches
from hexboard.table.view import TableView
from hexboard.words import Message

__all__ = [
    "LATENESS_NS",
    "LOG_LINES",
    "Pieces",
    "Table",
    "TableView",
    "against",
    "newest",
    "open_table",
]


def open_table(board: Board, begin: Start | Resume) -> Table[Action]:
    """The table for a match. Raises `BadText` for a game that is not there, a board that it cannot
    be played on, or saved entries that are not its own."""
    start = started(begin)
    game = registry.find(start.game)
    start = replace(start, options=agreed_by(start.rules, game, start.options))
    begin = replace(begin, start=start) if isinstance(begin, Resume) else start
    if game.table is None:
        return Table(game, board, begin, Pieces)
    table = game.table(board, begin)
    if not isinstance(table, Table):
        raise game.other(table, Table)
    return table


def against(
    view: TableView[Action], board: Board, cells: tuple[CellId, ...], side: int
) -> Message | None:
    """Why no move begins with touches of these cells of the board, as who sits at `side` may know
    it; None where one does."""
    position, touches = view.game.touchable(view.seen_by(side)), Touches(view.game, board)
    if {*cells} - board.cell.keys() or touches.beginning(position, cells):
        return None
    return touches.against(position, cells)

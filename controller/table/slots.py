"""Slots: what balls meet in one, by the tile that lies there; and what people have to change."""

from collections.abc import Iterator, Mapping

from controller.board import EDGES, Board, CellId, Edge
from controller.games.hextraction.areas import Area, areas
from controller.games.hextraction.state import Placed, Setting
from controller.table.core import Todo
from controller.words import message

UNKNOWN = Placed("?", 0)
"""A tile that lies in a slot, and nobody has said which."""

Tiles = Mapping[CellId, Placed]


def doors(setting: Setting, placed: Placed | None) -> dict[Edge, tuple[Edge, ...]] | None:
    """Through which edges a ball that enters by each leaves, as `tracker.Doors` tells; None for no
    tile."""
    if placed is None:
        return None
    if placed == UNKNOWN:
        return dict.fromkeys(EDGES, EDGES)
    return setting.tiles[placed.tile].doors(placed.rotation)


def areas_in(setting: Setting, placed: Placed | None) -> tuple[Area, ...]:
    """Where balls set something off there."""
    if placed is None or placed == UNKNOWN:
        return ()
    return areas(setting.tiles[placed.tile], placed.rotation, setting.holes)


def odds(setting: Setting, placed: Placed | None, entry: Edge) -> dict[Edge, float]:
    """How balls prefer to leave it, where its tile's file says so."""
    if placed is None or placed == UNKNOWN:
        return {}
    return setting.tiles[placed.tile].odds(placed.rotation, entry)


def todo(board: Board, wanted: Tiles, there: Tiles) -> Iterator[Todo]:
    """What people must change by hand so that what is `there` is what is `wanted`, in the board's
    order."""
    for cell in board.cells:
        want, lies = wanted.get(cell.id), there.get(cell.id)
        if (want and want.way) == (lies and lies.way):
            continue
        if want is None:
            assert lies is not None
            key = "table.todo_what" if lies == UNKNOWN else "table.todo_out"
            yield Todo(cell.id, None, message(key, cell=cell.id, tile=lies.tile))
        else:
            key = "table.todo_in" if lies is None else "table.todo_swap"
            text = message(key, cell=cell.id, tile=want.tile, rotation=want.rotation)
            yield Todo(cell.id, want, text)

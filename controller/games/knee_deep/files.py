"""Files: the kinds that people write for this game, and how each is looked over.

A terrain says not of which map it is: one of ours is enough that it fits.
"""

from collections.abc import Callable
from pathlib import Path

from hexboard.appearance import Labels
from hexboard.board import Board, plain
from hexboard.files import Source, refuse
from hexboard.game.fields import FileKind
from hexboard.games.knee_deep.boxes import box
from hexboard.games.knee_deep.ground import (
    FOLDER,
    Battlefield,
    TerrainFile,
    board_of,
    ground,
    looked_over,
)
from hexboard.games.knee_deep.values import FACTIONS, code, values
from hexboard.words.errors import BadFile, BadText

Boards = Callable[[str], Board]


def _is_box(source: Source) -> bool:
    return "companions" in source.data


def _is_map(source: Source) -> bool:
    return "sectors" in source.data


def _is_terrain(source: Source) -> bool:
    return bool(source.data) and source.data.keys() <= set(TerrainFile.__struct_fields__)


def _name(source: Source) -> str:
    """A file by its path, which no name of ours looks like."""
    return str(source.path) if source.path.is_absolute() else f"./{source.path}"


def _check_box(source: Source, boards: Boards) -> None:
    box(_name(source))


def _check_map(source: Source, boards: Boards) -> None:
    surveyed(source, boards)


def surveyed(source: Source, boards: Boards) -> tuple[Board, Battlefield]:
    """The board of a map file, and the map on it. Raises `BadFile` with every mistake in it."""
    name, board, wrong = source.data.get("board"), None, []
    if isinstance(name, str):
        try:
            board = boards(name)
        except BadText as error:
            why = str(error).removesuffix(".")
            wrong.append(source.mistake("file.value", ("board",), why=why))
    found = looked_over(source, board)
    refuse(source, [*wrong, *found.mistakes])
    assert board is not None
    assert found.built is not None
    return board, found.built


def _check_terrain(source: Source, boards: Boards) -> None:
    """Raises `BadFile` with what is wrong on the first of our maps, where it fits none."""
    wrong = []
    for its_map in sorted(path.stem for path in FOLDER.glob("*.toml")):
        try:
            ground(its_map, plain(board_of(its_map)), _name(source))
            return
        except BadFile as error:
            wrong.append(error)
    raise wrong[0]


FILES = (
    FileKind("box", _is_box, _check_box),
    FileKind("map", _is_map, _check_map),
    FileKind("terrain", _is_terrain, _check_terrain),
)


def unit_labels(home: Path) -> Labels:
    """The bases of both sides' units."""
    kinds = list(enumerate(values({}).units))
    return Labels(
        units=tuple(
            (code(seat, kind), unit.id, unit.supply)
            for seat in range(len(FACTIONS))
            for kind, unit in kinds
        )
    )

"""A position is put right by laying things into cells: what comes of it is what was laid."""

import random

import pytest

from hexboard.board import plain
from hexboard.game import registry
from hexboard.game.game import arranged, palette
from hexboard.game.position import Piece
from hexboard.words.errors import BadText

GAMES = ("hexalma", "bad-santa-hex", "bad-santa-y", "bad-santa-cross", "knee-deep")


@pytest.mark.parametrize("name", GAMES)
def test_what_is_laid_lies_there_and_nothing_else_has_changed(name: str) -> None:
    game = registry.find(name)
    board = plain(game.board({}))
    position = game.parse(game.sample, board, {}) if game.sample else game.start(board, {})
    assert game.parse(arranged(game, position, {}), board, {}) == position
    held = {piece.place: piece for piece in game.touchable(position).pieces()}
    taken = {cell.id for cell in board.cells} & held.keys()
    free = sorted({cell.id for cell in board.cells} - taken)
    for thing in palette(game, position)[:2]:
        cell = random.Random(19).choice(free)
        from_there = {id for id, it in held.items() if like(it) == like(thing)}
        moved = dict.fromkeys(sorted(from_there)[:1], "")  # HexAlma has 11 discs a side, no more
        after = game.parse(arranged(game, position, {**moved, cell: thing.place}), board, {})
        laid = {piece.place: piece for piece in game.touchable(after).pieces()}
        assert like(laid.pop(cell)) == like(thing)
        assert laid == {id: it for id, it in held.items() if id not in moved}


def like(piece: Piece) -> tuple[str, int, int, str]:
    """What a piece is, wherever it lies."""
    return piece.kind, piece.seat, piece.count, piece.text


@pytest.mark.parametrize("name", GAMES)
def test_a_cell_or_a_thing_that_there_is_not_is_refused(name: str) -> None:
    game = registry.find(name)
    position = game.start(plain(game.board({})), {})
    thing = palette(game, position)[0].place
    assert len({it.place for it in palette(game, position)}) == len(palette(game, position))
    for wrong in ({"nowhere": thing}, {position_cell(name): "dragon"}):
        with pytest.raises(BadText, match=r"nowhere|dragon"):
            arranged(game, position, wrong)


def position_cell(name: str) -> str:
    """Some cell of a game's board."""
    return plain(registry.find(name).board({})).cells[40].id


def test_a_game_that_lays_nothing_says_so() -> None:
    game = registry.find("hexel")
    position = game.start(plain(game.board({})), {})
    with pytest.raises(BadText, match="write the position as text"):
        arranged(game, position, {})

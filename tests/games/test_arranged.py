"""A position is put right by laying things into cells: what comes of it is what was laid."""

import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from hexboard.board import plain
from hexboard.game import registry
from hexboard.game.position import Piece
from hexboard.words.errors import BadText

GAMES = ("hexalma", "bad-santa-hex", "bad-santa-y", "bad-santa-cross", "knee-deep")


@pytest.mark.parametrize("name", GAMES)
def test_what_is_laid_lies_there_and_nothing_else_has_changed(name: str) -> None:
    game = registry.find(name)
    board = plain(game.board({}))
    position = game.parse(game.sample, board, {}) if game.sample else game.start(board, {})
    assert game.parse(game.arranged(position, {}), board, {}) == position
    held = {piece.place: piece for piece in game.touchable(position).pieces()}
    taken = {cell.id for cell in board.cells} & held.keys()
    free = sorted({cell.id for cell in board.cells} - taken)
    for thing in game.palette(position)[:2]:
        cell = random.Random(19).choice(free)
        from_there = {id for id, it in held.items() if like(it) == like(thing)}
        moved = dict.fromkeys(sorted(from_there)[:1], "")  # HexAlma has 11 discs a side, no more
        after = game.parse(game.arranged(position, {**moved, cell: thing.place}), board, {})
        laid = {piece.place: piece for piece in game.touchable(after).pieces()}
        assert like(laid.pop(cell)) == like(thing)
        assert laid == {id: it for id, it in held.items() if id not in moved}


def like(piece: Piece) -> tuple[str, int, int, str]:
    """What a piece is, wherever it lies."""
    return piece.kind, piece.seat, piece.count, piece.text


@pytest.mark.parametrize("name", [*GAMES, "hexel"])
def test_a_cell_or_a_thing_that_there_is_not_is_refused(name: str) -> None:
    game = registry.find(name)
    position = game.start(plain(game.board({})), {})
    thing = game.palette(position)[0].place
    assert len({it.place for it in game.palette(position)}) == len(game.palette(position))
    for wrong in ({"nowhere": thing}, {position_cell(name): "dragon"}):
        with pytest.raises(BadText, match=r"nowhere|dragon"):
            game.arranged(position, wrong)


def position_cell(name: str) -> str:
    """Some cell of a game's board."""
    return plain(registry.find(name).board({})).cells[40].id


DRAWN = ("draw BRRRRR", "draw BRRBRR", "draw BYYYYY")
LINE = ("place -1,0 BRRRRR", "place 0,0 BRRBRR", "place 1,0 YYYBYY")
"""Edges from the east, anticlockwise: the cards meet in blue."""


def hexel(moves: Iterable[str], **options: str) -> tuple[Any, Callable[..., Any]]:
    """A position after these moves, and what it is with some cards laid otherwise."""
    game = registry.find("hexel")
    board = plain(game.board({}))
    position = game.start(board, {"chips": "off", **options})
    for move in moves:
        position = position.play(position.action(move))

    def after(laid: dict[str, str]) -> Any:
        return game.parse(game.arranged(position, laid), board, {"chips": "off", **options})

    return position, after


def cards(position: Any) -> dict[str, str]:
    return {it.place: it.text for it in position.pieces()}


def test_a_card_of_hexel_is_turned_moved_taken_away_and_laid() -> None:
    position, after = hexel((*DRAWN, *LINE), hands="dealt")
    lay = {"-1,0": "BRRRRR", "0,0": "BRRBRR", "1,0": "YYYBYY"}
    assert cards(position) == lay
    assert cards(after({"-1,0": "RRBRRR"})) == lay | {"-1,0": "RRBRRR"}
    more = after({"2,-1": "RRRRRR"})
    assert cards(more) == lay | {"2,-1": "RRRRRR"}
    assert more.pile == position.pile - 1  # one more lies on the table
    other = after({"1,0": "RRRRRR"})
    assert cards(other) == lay | {"1,0": "RRRRRR"}
    assert other.pile == position.pile


def test_a_card_that_leaves_the_line_while_it_is_laid_is_turned_up_again() -> None:
    position, after = hexel((*DRAWN, *LINE[:2]), hands="dealt")
    again = after({"0,0": ""})
    assert cards(again) == {"-1,0": "BRRRRR"}
    assert again == hexel((*DRAWN, LINE[0]), hands="dealt")[0]
    assert after({}) == position
    drawn = {"hands": "dealt", "opening_order": "drawn"}
    _, after = hexel((*DRAWN, *LINE[:2]), **drawn)
    assert after({"0,0": ""}) == hexel((*DRAWN, LINE[0]), **drawn)[0]


def test_the_card_placed_last_is_followed_where_it_goes_and_forgotten_where_it_goes_away() -> None:
    game = registry.find("hexel")
    board = plain(game.board({}))
    before = game.parse(game.sample, board, {})
    for laid, spot, placer in (
        ({"1,3": "", "3,1": "BBBBBB"}, "3,1", "0"),
        ({"1,3": ""}, "-", "-"),
        ({"1,3": "RRRRRR", "0,3": "RBRRRR"}, "-", "-"),
        ({"0,2": ""}, "1,3", "0"),
    ):
        text = game.arranged(before, laid)
        assert f" spot={spot} placer={placer} " in text


def test_a_card_that_lies_there_already_is_refused() -> None:
    _, after = hexel((*DRAWN, *LINE), hands="dealt")
    with pytest.raises(BadText, match="RRRRRB"):
        after({"3,0": "RRBRRR"})


def test_a_game_that_lays_nothing_says_so() -> None:
    game = registry.find("hextraction")
    position = game.start(plain(game.board({})), {})
    with pytest.raises(BadText, match="write the position as text"):
        game.arranged(position, {})

"""What a game says of its looks, and what lies on its board by that."""

from typing import Any

from msgspec import Struct

from hexboard.appearance import BLACK, WHITE, Appearance, Look, Lying
from hexboard.board import plain
from hexboard.game import registry

BOARD = plain("rhombus-2")


class Discs(Struct, frozen=True):
    """A position of a game of discs, of which hexboard knows nothing else."""

    codes: bytes

    def seen(self) -> bytes:
        return self.codes


def test_a_game_of_discs_says_in_one_line_what_lies_on_its_board() -> None:
    looks = Look(), Look(((BLACK,),)), Look(((WHITE,),))
    known: Appearance[Discs] = Appearance(lambda position: looks)
    things = known.things(Discs(bytes([0, 2, 1, 0])), BOARD)
    first, second, third, _ = (cell.id for cell in BOARD.cells)
    assert first not in things
    assert things == {second: Lying((WHITE,)), third: Lying((BLACK,))}


def test_every_code_that_a_game_shows_has_a_look() -> None:
    for name, codes in (("hexalma", 7), ("bad-santa-y", 4), ("hexel", 190), ("knee-deep", 48)):
        game: Any = registry.find(name)
        start = game.start(plain(game.board({})), {})
        assert len(registry.appearance(name).looks(start)) == codes


def test_discs_that_others_cover_are_told_to_the_simulated_camera() -> None:
    game: Any = registry.find("hexalma")
    board = plain(game.board({}))
    start = game.start(board, {})
    things = registry.appearance("hexalma").things(start.play(start.action("a1:b2")), board)
    assert things["b2"] == Lying((BLACK, BLACK))
    assert "a1" not in things
    assert len(things) == 21

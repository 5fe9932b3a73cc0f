"""Codes on units and tiles lie as far apart as they say, and are taken for no board's marker."""

import pytest

from hexboard.appearance import TILE_MARKERS
from hexboard.board import find, load
from hexboard.games.hextraction.looks import laid
from hexboard.games.hextraction.tiles.catalogue import everything
from hexboard.games.hextraction.tiles.numbers import SHIPPED, number
from hexboard.simulator.camera.canvas import Light
from hexboard.simulator.camera.render import Renderer, view
from hexboard.vision.marks import codes
from hexboard.vision.marks.markers import markers
from hexboard.vision.pose.registration import _detector
from hexboard.words.errors import BadText


def test_rings_of_units_differ_however_they_are_turned() -> None:
    turned = [[ring[k:] + ring[:k] for k in range(codes.SECTORS)] for ring in codes.RINGS]
    for k, one in enumerate(codes.RINGS):
        for other in turned[k + 1 :]:
            assert min(sum(map(str.__ne__, one, turn)) for turn in other) >= 6


def test_markers_of_tiles_lie_far_apart_and_are_neither_dark_nor_light() -> None:
    words = codes.words()
    assert len(words) == 143
    assert min((a ^ b).bit_count() for k, a in enumerate(words) for b in words[k + 1 :]) == 5
    assert all(6 <= word.bit_count() <= 10 for word in words)


def test_every_shipped_tile_has_a_number_of_its_own() -> None:
    assert set(SHIPPED) == set(everything())
    assert [number(tile) for tile in SHIPPED] == list(range(len(SHIPPED)))
    assert len(codes.words()) == TILE_MARKERS


def test_two_tiles_with_one_marker_are_refused_by_name() -> None:
    numbers: dict[int, str] = {}
    for k in range(1000):
        other = numbers.setdefault(number(f"own{k}"), f"own{k}")
        if other != f"own{k}":
            with pytest.raises(BadText, match=f"{other} and own{k}"):
                codes.numbers([(other, number(other)), (f"own{k}", number(f"own{k}"))])
            return
    raise AssertionError


@pytest.mark.long
def test_no_marker_of_a_tile_is_taken_for_a_boards() -> None:
    board = load(find("hextraction-22"))
    camera, pose = view(board, tilt=15)
    tiles = zip(board.cells, SHIPPED[20:], strict=False)
    things = {cell.id: laid(tile, k % 6) for k, (cell, tile) in enumerate(tiles)}
    picture = Renderer(board, camera, pose).frame(things, Light())
    _, ids, _ = _detector().detectMarkers(picture)
    assert sorted(int(k) for k in ids.ravel()) == sorted(marker.id for marker in markers(board))

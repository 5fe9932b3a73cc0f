"""A board that should be empty: what lies on it is noticed, whatever it is."""

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from hexboard.appearance import Kit
from hexboard.board import find, load
from hexboard.commands.calibrate.placement import fresh
from hexboard.game import registry
from hexboard.simulator.camera.render import view
from hexboard.simulator.camera.tabletop import MODERATE, Tabletop
from hexboard.vision.cells.occupancy import occupied
from hexboard.vision.frame import Frame
from tests.looking import HARD, lying

BOARD = load(find("hexhex-5"))
CAMERA, PLACE = view(BOARD)


@pytest.mark.long
def test_pieces_on_a_board_that_should_be_empty_are_noticed_and_nothing_else() -> None:
    start: Any = registry.find("hexalma").start(BOARD, {})
    full = tuple(k for k, code in enumerate(start.seen()) if code)
    assert len(full) == 22
    top = Tabletop(BOARD, CAMERA, PLACE, 3, MODERATE)
    assert occupied(BOARD, CAMERA, PLACE, top.picture()) == ()
    top.put(lying(start, BOARD))
    assert occupied(BOARD, CAMERA, PLACE, top.picture()) == full


def test_light_that_falls_off_across_a_bright_board_is_nothing_that_lies_there() -> None:
    top = Tabletop(BOARD, CAMERA, PLACE, 5, HARD, Kit(ground=(0.75, 0.75, 0.75)))
    top.light = replace(top.light, glare=())
    assert occupied(BOARD, CAMERA, PLACE, top.picture()) == ()


def test_a_picture_that_is_given_again_says_nothing_of_how_still_a_camera_stands() -> None:
    shades = (1, 1, 2, 2, 2, 1, 3)
    frames = [Frame(t, np.full((2, 2, 3), shade, np.uint8)) for t, shade in enumerate(shades)]
    assert [frame.t for frame in fresh(frames)] == [0, 2, 5, 6]

"""Pictures that people do show a camera, and what they are told: the printed sheet in a mirror, two
of it, one that a printer squeezed, a photo of a photo."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from hexboard.board import find, load
from hexboard.vision.marks.markers import markers
from hexboard.vision.pose.registration import Registration
from tests.paper.put_up import lens
from tests.paper.world import PER_MM, Mat, World, printed
from tests.running import hexboard
from tests.vision.photo import Picture

BOARD = load(find("hexhex-5"))
MAT = printed("hexhex-5")


def told(world: World, picture: Picture) -> str:
    """What a camera that is measured says of the board in a picture; "" where it found it."""
    why = Registration(lens(world), markers(BOARD)).look(picture).why
    return why.key if why else ""


def seen(path: Path, picture: Picture) -> str:
    """The same by `hexboard see`, which knows nothing of the camera, in words."""
    cv2.imwrite(str(path), picture)
    done = hexboard("see", path, "--game", "hexalma")
    assert len(done.stderr.splitlines()) <= 1
    return done.stderr


@pytest.mark.long
def test_a_mirror_image_is_said_to_be_one(tmp_path: Path) -> None:
    world = World(MAT)
    picture = np.ascontiguousarray(world.picture()[:, ::-1])
    assert told(world, picture) == "registration.mirrored"
    assert "mirror image" in seen(tmp_path / "x.jpg", picture)


@pytest.mark.long
def test_two_mats_of_one_board_are_said(tmp_path: Path) -> None:
    """Side by side on one table."""
    gap = np.full((MAT.texture.shape[0], round(20 * PER_MM), 3), 0.2, np.float32)
    both = Mat(MAT.name, np.hstack([MAT.texture, gap, MAT.texture]), MAT.left, MAT.high)
    world = World(both, size=(2560, 1280))
    picture = world.picture()
    assert told(world, picture) == "registration.twice"
    assert "Two mats" in seen(tmp_path / "x.jpg", picture)


@pytest.mark.long
def test_a_photo_of_a_photo_is_not_taken_for_the_board(tmp_path: Path) -> None:
    world = World(MAT)
    frame = np.array([[0, 0], [1280, 0], [1280, 960], [0, 960]], np.float32)
    leaning = np.array([[150, 120], [1150, 60], [1230, 900], [60, 860]], np.float32)
    turn = cv2.getPerspectiveTransform(frame, leaning)
    again = cv2.warpPerspective(world.picture(), turn, world.size, flags=cv2.INTER_AREA)
    assert told(world, np.asarray(again, np.uint8)) == "registration.foreign"
    assert "a photo of a photo or a screen, is not read" in seen(tmp_path / "x.jpg", again)


@pytest.mark.long
def test_a_mat_that_was_squeezed_to_fit_the_page_is_not_taken_for_a_good_one() -> None:
    """97 % of its width. One that is smaller both ways looks like one that is farther away."""
    texture = cv2.resize(MAT.texture, None, fx=0.97, fy=1.0, interpolation=cv2.INTER_AREA)
    squeezed, smaller = (
        World(MAT._replace(texture=np.asarray(sheet, np.float32)))
        for sheet in (texture, cv2.resize(MAT.texture, None, fx=0.97, fy=0.97))
    )
    assert told(squeezed, squeezed.picture()) == "registration.foreign"
    assert told(smaller, smaller.picture()) == ""

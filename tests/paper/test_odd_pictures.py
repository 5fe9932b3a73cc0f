"""Pictures that people do show a camera, and what they are told: the printed sheet in a mirror, two
of it, one that a printer squeezed, a photo of a photo, the mat on a screen."""

from collections.abc import Iterator
from functools import cache
from itertools import cycle, islice, repeat
from pathlib import Path

import cv2
import numpy as np
import pytest

from hexboard.board import find, load
from hexboard.vision.marks.markers import markers
from hexboard.vision.pose.registration import Registration
from tests.mjpeg import part
from tests.paper.put_up import lens
from tests.paper.world import PER_MM, Mat, World, printed
from tests.running import hexboard
from tests.shell.test_camera_cli import Stream, measured
from tests.vision.photo import Picture

BOARD = load(find("hexhex-5"))


@cache
def mat() -> Mat:
    """The mat of that board as it is printed."""
    return printed("hexhex-5")


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


def noisy(picture: Picture) -> Iterator[bytes]:
    """A stream of the same picture, never the same twice running."""
    again = picture.copy()
    parts = []
    for shade in range(0, 210, 30):
        again[0, 0] = shade
        parts.append(part(again))
    return cycle(parts)


def put_up(home: Path, world: World, frames: Iterator[bytes]) -> tuple[int, str]:
    """The exit status of `hexboard calibrate board` before a stream of these, and what it says."""
    measured(home, lens(world))
    stream = Stream()
    stream.frames = frames
    try:
        done = hexboard("--home", home, "calibrate", "board", BOARD.name, "--camera", stream.url)
    finally:
        stream.close()
    return done.returncode, done.stdout + done.stderr


def slanted(world: World, picture: Picture) -> Picture:
    """A picture as somebody photographs it again: on paper or a screen, from one side."""
    wide, high = world.size
    frame = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    leaning = np.array([[0.12, 0.12], [0.9, 0.06], [0.96, 0.94], [0.05, 0.9]], np.float32)
    turn = cv2.getPerspectiveTransform(frame, leaning * np.array(world.size, np.float32))
    again = cv2.warpPerspective(picture, turn, world.size, flags=cv2.INTER_AREA)
    return np.asarray(again, np.uint8)


def framed(sheet: Mat, bezel: float = 20) -> Mat:
    """A sheet as a screen shows it, in its true size, within a black frame so wide, mm."""
    edge = round(bezel * PER_MM)
    shown = np.pad(sheet.texture, ((edge, edge), (edge, edge), (0, 0)), constant_values=0.02)
    return Mat(sheet.name, np.asarray(shown, np.float32), sheet.left - bezel, sheet.high + bezel)


@pytest.mark.long
def test_what_no_camera_can_be_put_up_over_is_said(home: Path) -> None:
    world = World(mat())
    good = world.picture()
    whole = part(good)
    torn = whole[: len(whole) // 2]
    head, body = torn.split(b"\r\n\r\n", 1)
    length = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(body)}\r\n\r\n"
    assert head.startswith(b"--frame")
    half = length.encode() + body + b"\r\n"
    small = part(np.zeros((480, 640, 3), np.uint8))
    changing = cycle([*islice(noisy(good), 20), small])
    squeezed = cv2.resize(mat().texture, None, fx=0.97, fy=1.0, interpolation=cv2.INTER_AREA)
    narrow = World(mat()._replace(texture=np.asarray(squeezed, np.float32))).picture()
    for frames, said in (
        (noisy(np.ascontiguousarray(good[:, ::-1])), "The picture is a mirror image"),
        (noisy(slanted(world, good)), "is it the mat itself and no picture of it?"),
        (noisy(narrow), "its mat printed at 100 %"),
        (repeat(half), "nothing but damaged pictures"),
        (changing, "of 640 x 480, but its lens was measured at 1280 x 960"),
    ):
        code, told = put_up(home, world, frames)
        assert (code, said in told) == (1, True), told


@pytest.mark.long
def test_a_screen_that_shows_the_mat_is_read_as_one_and_a_picture_of_it_is_not(home: Path) -> None:
    """A screen that lies on the table and shows the sheet is a mat that shines by itself: nothing
    in a picture tells it. Every camera that is put up is told to lay a ruler on the bar."""
    world = World(framed(mat()), lamps=(), ambient=1.0)
    good = world.picture()
    code, said = put_up(home, world, noisy(good))
    assert (code, "61 of 61 cells read as empty" in said) == (0, True)
    assert "Lay a ruler on the mat's bar" in said
    code, said = put_up(home, world, noisy(slanted(world, good)))
    assert (code, "is it the mat itself and no picture of it?" in said) == (1, True)


@pytest.mark.long
def test_a_mirror_image_is_said_to_be_one(tmp_path: Path) -> None:
    world = World(mat())
    picture = np.ascontiguousarray(world.picture()[:, ::-1])
    assert told(world, picture) == "registration.mirrored"
    assert "mirror image" in seen(tmp_path / "x.jpg", picture)


@pytest.mark.long
def test_two_mats_of_one_board_are_said(tmp_path: Path) -> None:
    """Side by side on one table."""
    gap = np.full((mat().texture.shape[0], round(20 * PER_MM), 3), 0.2, np.float32)
    both = Mat(mat().name, np.hstack([mat().texture, gap, mat().texture]), mat().left, mat().high)
    world = World(both, size=(2560, 1280))
    picture = world.picture()
    assert told(world, picture) == "registration.twice"
    assert "Two mats" in seen(tmp_path / "x.jpg", picture)
    home = tmp_path / "home"
    code, said = put_up(home, world, noisy(picture))
    assert (code, "Two mats of this board are in view" in said) == (1, True)


@pytest.mark.long
def test_a_photo_of_a_photo_is_not_taken_for_the_board(tmp_path: Path) -> None:
    world = World(mat())
    again = slanted(world, world.picture())
    assert told(world, again) == "registration.foreign"
    assert "a photo of a photo or a screen, is not read" in seen(tmp_path / "x.jpg", again)


@pytest.mark.long
def test_a_mat_that_was_squeezed_to_fit_the_page_is_not_taken_for_a_good_one() -> None:
    """97 % of its width. One that is smaller both ways looks like one that is farther away."""
    texture = cv2.resize(mat().texture, None, fx=0.97, fy=1.0, interpolation=cv2.INTER_AREA)
    squeezed, smaller = (
        World(mat()._replace(texture=np.asarray(sheet, np.float32)))
        for sheet in (texture, cv2.resize(mat().texture, None, fx=0.97, fy=0.97))
    )
    assert told(squeezed, squeezed.picture()) == "registration.foreign"
    assert told(smaller, smaller.picture()) == ""

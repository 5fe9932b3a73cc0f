"""The renderer is a ruler: what it draws lies where the camera model says, lit as it was told."""

from functools import cache

import cv2
import numpy as np
import pytest

from hexboard.appearance import DICTIONARY, KIT, Lying
from hexboard.board import find, load
from hexboard.simulator.camera.canvas import Glare, Light
from hexboard.simulator.camera.render import Hand, Renderer, view
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import project
from hexboard.vision.light import LINEAR
from hexboard.vision.marks.markers import markers

BOARD = load(find("hexhex-5"))
CAMERA, POSE = view(BOARD)
EVEN = Light(shadow=0.0, noise=0.0)
HIGH = KIT.height * BOARD.pitch


@cache
def renderer() -> Renderer:
    return Renderer(BOARD, CAMERA, POSE)


def shown(picture: Picture, x: float, y: float, z: float = 0.0) -> list[float]:
    """Linear light at a point of the board, mm; blue, green, red."""
    (across, down), *_ = project(CAMERA, POSE, [(x, y, z)])
    return [float(v) for v in LINEAR[picture[round(down), round(across)]]]


def at(cell: str) -> tuple[float, float]:
    return BOARD.cell[cell].x, BOARD.cell[cell].y


def test_paper_and_ground_send_back_their_share_of_the_light() -> None:
    picture = renderer().frame({}, EVEN)
    assert np.allclose(shown(picture, *at("e5")), np.array(KIT.ground) * EVEN.gain, atol=0.01)
    band = (0.0, max(cell.y for cell in BOARD.cells) + BOARD.pitch)
    assert np.allclose(shown(picture, *band), np.array(KIT.paper) * EVEN.gain, atol=0.01)


def test_a_stack_shows_its_top_where_its_height_puts_it() -> None:
    picture = renderer().frame({"e5": Lying((0, 0, 1))}, EVEN)
    assert np.allclose(
        shown(picture, *at("e5"), 3 * HIGH), np.array(KIT.pieces[1]) * EVEN.gain, atol=0.01
    )
    x, y = at("e5")
    side = shown(picture, x, y - KIT.radius * BOARD.pitch, 1.5 * HIGH)  # towards the camera
    assert max(side) < 0.04


def test_what_is_nearer_hides_what_is_behind_it() -> None:
    x, y = at("e5")
    behind = (x, y + KIT.radius * BOARD.pitch + 12)
    assert shown(renderer().frame({"e5": Lying((0,))}, EVEN), *behind)[1] > 0.08
    assert shown(renderer().frame({"e5": Lying((0, 0, 0))}, EVEN), *behind)[1] < 0.04


def test_the_markers_are_found_where_they_are_drawn() -> None:
    """OpenCV's own detector finds every number, and its corners within half a pixel."""
    picture = renderer().frame({}, Light())
    how = cv2.aruco.DetectorParameters()
    how.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    family = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    found, ids, _ = cv2.aruco.ArucoDetector(family, how).detectMarkers(picture)
    corners = {int(i): np.asarray(c)[0] for c, i in zip(found, ids.ravel(), strict=True)}
    ours = markers(BOARD)
    assert sorted(corners) == [marker.id for marker in ours]
    off = [corners[m.id].mean(0) - project(CAMERA, POSE, m.corners).mean(0) for m in ours]
    assert np.abs(off).max() < 0.5


def test_light_glare_and_hands_change_what_they_should() -> None:
    plain = renderer().frame({}, EVEN)
    dim = renderer().frame({}, Light(gain=0.3, shadow=0.0, noise=0.0))
    assert np.isclose(shown(dim, *at("e5"))[1] / shown(plain, *at("e5"))[1], 0.5, atol=0.05)
    (across, down), *_ = project(CAMERA, POSE, [at("c3")])
    lamp = Glare(float(across), float(down), 20, 0.3)
    spot = renderer().frame({}, Light(shadow=0.0, noise=0.0, glare=(lamp,)))
    added = np.array(shown(spot, *at("c3"))) - shown(plain, *at("c3"))
    assert np.allclose(added, 0.3, atol=0.03)
    assert np.array_equal(spot[:, -200:], plain[:, -200:])
    hand = renderer().frame({}, EVEN, hand=Hand(*at("e5"), 0.0))
    assert shown(hand, *at("e7"), 40.0) != shown(plain, *at("e7"), 40.0)


def test_the_same_seed_gives_the_same_picture() -> None:
    lying = {"a1": Lying((0, 1))}
    light = Light(jpeg=85)
    assert np.array_equal(renderer().frame(lying, light, 3), renderer().frame(lying, light, 3))
    assert not np.array_equal(renderer().frame(lying, light, 3), renderer().frame(lying, light, 4))


@pytest.mark.long
def test_what_was_drawn_before_changes_no_picture() -> None:
    """Pieces, a lamp and lights that come or move are drawn as if they had always been so."""
    used, lying, lit = Renderer(BOARD, CAMERA, POSE), {"a1": Lying((0, 1))}, {"c3": KIT.paper}
    last = used.frame({}, Light())
    for change in range(4):
        if change == 1:
            lying["e5"] = Lying((1,))
        light = Light(azimuth=0.5 if change < 2 else 1.5, gain=0.5)
        if change == 3:
            lit["c3"] = KIT.ink
        renderer().frame({}, Light())
        fresh = renderer().frame(lying, light, 3, lit=lit)
        assert np.array_equal(used.frame(lying, light, 3, lit=lit), fresh)
        assert not np.array_equal(fresh, last)
        last = fresh

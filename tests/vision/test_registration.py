"""Registration: a known camera over a printed mat."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from hexboard.board import Board, plain
from hexboard.vision.geometry import Camera, Pose, project
from hexboard.vision.marks.markers import Marker, markers, paper
from hexboard.vision.marks.sheet import mat
from hexboard.vision.pose.registration import BoardSighting, Registration
from tests.vision.photo import Picture, ink, looking, photo

CAMERA = Camera(
    (1280, 720),
    np.array([[985.0, 0, 640], [0, 985, 360], [0, 0, 1]]),
    np.array([-0.03, 0, 0, 0, 0]),
)
BOARD = plain("hexhex-5")
HOME = (0.0, -10.0)


@cache
def seen(x: float = 0.0, tilt: float = 20.0, name: str = "hexhex-5", seed: int = 0) -> Picture:
    """The mat with the camera moved `x` mm to the right."""
    board = plain(name)
    return photo(_sheet(name), paper(board), CAMERA, place(x, tilt), seed, over=1)


@cache
def _sheet(name: str) -> "np.ndarray[tuple[int, ...], np.dtype[np.float32]]":
    board = plain(name)
    return ink(mat(board), paper(board), 4.0)


def place(x: float = 0.0, tilt: float = 20.0) -> Pose:
    return looking((HOME[0] + x, HOME[1]), 640, tilt)


def error(state: BoardSighting, x: float = 0.0, tilt: float = 20.0, board: Board = BOARD) -> float:
    """How far cells are from where they are believed, px, at worst."""
    assert state.pose is not None
    cells = np.array([(cell.x, cell.y) for cell in board.cells])
    found, truth = project(CAMERA, state.pose, cells), project(CAMERA, place(x, tilt), cells)
    return float(np.linalg.norm(found - truth, axis=1).max())


def fresh() -> Registration:
    return Registration(CAMERA, markers(BOARD))


def covered(picture: Picture, share: float) -> Picture:
    """The left part of the picture under something grey."""
    out = picture.copy()
    out[:, : int(out.shape[1] * share)] = 110
    return out


@pytest.mark.parametrize("tilt", [0.0, 20.0, 32.0])
def test_cells_are_found_to_a_fifth_of_a_pixel(tilt: float) -> None:
    state = fresh().look(seen(tilt=tilt))
    assert state.seen == 8
    assert error(state, tilt=tilt) < 0.2


@pytest.mark.long
def test_a_quiet_camera_keeps_its_pose() -> None:
    registration = fresh()
    first = registration.look(seen())
    for seed in (1, 2, 3):
        state = registration.look(seen(seed=seed))
        assert not state.moved
        assert state.drift < 0.15
        assert state.pose is first.pose


@pytest.mark.parametrize("x", [0.3, 1.0, 4.0, 25.0])
def test_after_a_bump_the_next_frame_is_right_again(x: float) -> None:
    registration = fresh()
    registration.look(seen())
    state = registration.look(seen(x))
    assert state.moved
    assert error(state, x) < 0.2


@pytest.mark.long
def test_a_slow_creep_is_followed() -> None:
    """Each step is below what is noticed at once: the pose must not stay behind."""
    registration = fresh()
    for step in range(7):
        state = registration.look(seen(round(step * 0.2, 1)))
    assert error(state, 1.2) < 0.5


def test_a_hand_over_half_the_markers_moves_nothing() -> None:
    registration = fresh()
    first = registration.look(seen())
    state = registration.look(covered(seen(seed=1), 0.55))
    assert state.pose is first.pose
    assert state.seen < 8
    anew = fresh().look(covered(seen(), 0.45))
    assert error(anew) < 0.5


def test_markers_along_one_side_only_are_not_enough_to_begin_with() -> None:
    state = fresh().look(covered(seen(), 0.55))
    assert state.pose is None
    assert state.why is not None
    assert state.why.key == "registration.few"


def test_a_known_place_stands_while_markers_along_one_side_stay_where_they_were() -> None:
    """From the worst direction cells then lie 6 px off, after 99 of 100 shoves under 1.6 px."""
    registration = fresh()
    first = registration.look(seen())
    state = registration.look(covered(seen(seed=1), 0.6))
    assert state.seen == 3
    assert state.pose is first.pose
    shoved = registration.look(covered(seen(4.0), 0.6))
    assert shoved.pose is None
    assert shoved.why is not None
    assert dict(shoved.why.values)["hidden"] == "upper left, top, bottom, lower left, left"


def test_it_is_lost_when_nothing_is_seen_and_found_when_it_is_back() -> None:
    registration = fresh()
    registration.look(seen())
    lost = registration.look(np.full((720, 1280), 90, np.uint8))
    assert lost.pose is None
    assert lost.why is not None
    back = registration.look(seen(1.0))
    assert back.moved
    assert error(back, 1.0) < 0.2


def test_another_board_is_not_taken_for_this_one() -> None:
    state = fresh().look(seen(name="rhombus-11"))
    assert state.pose is None
    assert state.why is not None
    assert state.why.key == "registration.foreign"


def test_this_boards_markers_in_other_places_are_not_believed() -> None:
    """A mat of the same name printed at 90 %, two of its markers torn off and glued elsewhere."""
    mixed = seen().copy()
    middle = mixed[:, 560:720].copy()
    mixed[:, 400:560] = middle
    registration = fresh()
    state = registration.look(mixed)
    assert state.pose is None or error(state) < 1.0


def test_a_frame_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="another size"):
        fresh().look(seen()[:600])


def test_noise_and_random_pictures_never_give_a_pose() -> None:
    rng = np.random.default_rng(5)
    registration = fresh()
    for k in range(4):
        noise = rng.integers(0, 256, (720, 1280), np.uint8)
        picture = cv2.GaussianBlur(noise, (0, 0), k) if k else noise
        assert registration.look(np.asarray(picture)).pose is None


def test_a_real_photo_of_printed_markers_is_registered() -> None:
    """OpenCV's photo of its ChArUco sheet by the lens that OpenCV publishes: the 17 markers put the
    24 corners of the chessboard between them where OpenCV's own detector sees those."""
    matrix = np.array([[452.51072, 0, 317.70297], [0, 456.76708, 277.75155], [0, 0, 1]])
    bend = np.array([0.12136926, -1.08546647, 0.00011787, -0.00046241, 2.95425894])
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_6X6_250)
    sheet = cv2.aruco.CharucoBoard((5, 7), 40, 20, family)
    middles = np.array(sheet.getObjPoints()).mean(1).tolist()
    ids = np.asarray(sheet.getIds()).ravel().tolist()
    own = tuple(Marker(k, x, -y, 20) for k, (x, y, _) in zip(ids, middles, strict=True))
    picture = cv2.imread(str(Path(__file__).parent / "photos" / "choriginal.jpg"))
    assert picture is not None
    registration = Registration(Camera((640, 480), matrix, bend), own)
    how = registration.detector.getDetectorParameters()
    registration.detector = cv2.aruco.ArucoDetector(family, how)
    state = registration.look(np.asarray(picture, np.uint8))
    assert (state.seen, state.pose is None) == (17, False)
    corners, numbers, _, _ = cv2.aruco.CharucoDetector(sheet).detectBoard(picture)
    assert len(numbers) == 24
    places = np.asarray(sheet.getChessboardCorners())[numbers.ravel()] * (1, -1, 0)
    assert state.pose is not None
    off = project(registration.camera, state.pose, places) - corners.reshape(-1, 2)
    assert np.linalg.norm(off, axis=1).max() < 1

"""A camera over the second world's desks as `hexboard calibrate` leaves it: lens, place, ground."""

import numpy as np
from msgspec.structs import replace

from hexboard.appearance import KIT, Kit
from hexboard.board import Board, find, load
from hexboard.vision.cells.colours import asked, dressed, learn
from hexboard.vision.cells.occupancy import ground
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Camera, Pose
from hexboard.vision.marks.markers import markers
from hexboard.vision.pose.registration import Registration
from tests.looking import looks
from tests.paper.play import Desk
from tests.paper.world import BLACK, WHITE, World

DISCS = {"black": BLACK, "white": WHITE}


def lens(world: World) -> Camera:
    """The lens of a world, as if somebody had measured it."""
    wide, high = world.size
    focal = wide / 2 / np.tan(np.radians(33))
    matrix = np.array([[focal, 0, wide / 2 - 0.5], [0, focal, high / 2 - 0.5], [0, 0, 1]])
    return Camera(world.size, matrix, np.array([-0.03, 0, 0, 0, 0.0]))


def stood(board: Board, camera: Camera, empty: Picture) -> tuple[Pose, Kit]:
    """Where a camera stands by a picture of the empty board, and the kit on that board's ground."""
    pose = Registration(camera, markers(board)).look(empty).pose
    assert pose is not None
    return pose, replace(KIT, ground=ground(board, camera, pose, empty))


def learned(desk: Desk, camera: Camera, pose: Pose, empty: Picture) -> Kit:
    """What `hexboard calibrate colours` makes of HexAlma's discs at a desk."""
    board = load(find(desk.world.mat.name))
    layout = asked(board, looks("hexalma"))
    alone = {c: [DISCS[name]] for name, cells in layout.alone.items() for c in cells}
    desk.put(alone | {c: [DISCS[name]] * layout.high for name, c in layout.towers.items()})
    return dressed(KIT, learn(board, camera, pose, empty, desk.picture(), layout))

"""Occupancy: the cells of a board that should be empty in which something lies, whatever it is.

    occupied(board, camera, pose, picture)      # their numbers
    ground(board, camera, pose, picture)        # the colour of bare cells

Nobody has to know what ground or pieces look like: most cells are bare, and look alike once the
light that falls on them is divided out.
"""

import numpy as np

from hexboard.appearance import KIT, Colour
from hexboard.board import Board
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Array, Camera, Pose, around, project
from hexboard.vision.light import Band, Linear, Sampler

REACH_PITCHES, GRID = 0.3, 7
"""How far from a cell's middle it is looked at, a share of the pitch; points across."""
OTHER = 0.08
"""How much most of a cell differs, in the root of the light, in which something lies: bare ones
stay below 0.02 where no lamp mirrors in them, discs are above 0.23 (simulated)."""

RIM_PITCHES, SPOTS = (0.40, 0.43, 0.46), 18
"""Where in a cell its ground is looked at, beyond a disc that lies in it; points on each circle."""


def ground(board: Board, camera: Camera, pose: Pose, picture: Picture) -> Colour:
    """The share of light that most cells send back round what lies in them."""
    rim = np.concatenate([around(SPOTS) * reach for reach in RIM_PITCHES])
    shares = _shares(board, camera, pose, picture, rim)
    blue, green, red = np.median(shares.reshape(-1, 3), 0).round(4).tolist()
    return blue, green, red


def occupied(board: Board, camera: Camera, pose: Pose, picture: Picture) -> tuple[int, ...]:
    """The cells that look unlike most others in a picture, (height, width, 3), by number."""
    across = np.linspace(-REACH_PITCHES, REACH_PITCHES, GRID)
    grid = np.array([(x, y) for x in across for y in across if np.hypot(x, y) <= REACH_PITCHES])
    looks = np.sqrt(_shares(board, camera, pose, picture, grid))
    off = np.abs(looks - np.median(looks, 0)).max(2)
    return tuple(int(k) for k in np.flatnonzero(np.median(off, 1) > OTHER))


def _shares(board: Board, camera: Camera, pose: Pose, picture: Picture, local: Array) -> Linear:
    """The share of light that comes back from points about each cell's middle, (n, 2) pitches:
    (cells, n, 3)."""
    band = Band(board, camera, pose, KIT)
    middles = np.array([(cell.x, cell.y) for cell in board.cells])
    points = (middles[:, None] + local * board.pitch).reshape(-1, 2)
    lit = np.exp(band.basis(points) @ band.fit(picture)[0])
    seen = Sampler(project(camera, pose, points)).look(picture)
    return np.asarray(seen / lit, np.float32).reshape(len(middles), len(local), 3)

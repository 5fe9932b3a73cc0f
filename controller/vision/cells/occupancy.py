"""Occupancy: the cells of a board that should be empty in which something lies, whatever it is.

    occupied(board, camera, pose, picture)      # their numbers

Nobody has to know what ground or pieces look like: most cells are bare, and look alike once the
light that falls on them is divided out.
"""

import numpy as np

from hexboard.appearance import KIT
from hexboard.board import Board
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Camera, Pose, project
from hexboard.vision.light import Band, Sampler

REACH_PITCHES, GRID = 0.3, 7
"""How far from a cell's middle it is looked at, a share of the pitch; points across."""
OTHER = 0.08
"""How much most of a cell differs, in the root of the light, in which something lies: bare ones
stay below 0.02 where no lamp mirrors in them, discs are above 0.23 (simulated)."""


def occupied(board: Board, camera: Camera, pose: Pose, picture: Picture) -> tuple[int, ...]:
    """The cells that look unlike most others in a picture, (height, width, 3), by number."""
    band = Band(board, camera, pose, KIT)
    across = np.linspace(-REACH_PITCHES, REACH_PITCHES, GRID)
    grid = np.array([(x, y) for x in across for y in across if np.hypot(x, y) <= REACH_PITCHES])
    middles = np.array([(cell.x, cell.y) for cell in board.cells])
    points = (middles[:, None] + grid * board.pitch).reshape(-1, 2)
    lit = np.exp(band.basis(points) @ band.fit(picture)[0])
    seen = Sampler(project(camera, pose, points)).look(picture)
    looks = np.sqrt(seen / lit).reshape(len(middles), len(grid), 3)
    off = np.abs(looks - np.median(looks, 0)).max(2)
    return tuple(int(k) for k in np.flatnonzero(np.median(off, 1) > OTHER))

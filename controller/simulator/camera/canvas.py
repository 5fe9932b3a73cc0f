"""Canvas: where the points of a board are in a picture, and how shapes are filled there."""

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from hexboard.appearance import Colour, Kit
from hexboard.board import Board
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Array, Camera, Pose, project

SCALE = 2
"""Shapes are filled at this many times the picture's size."""
SHIFT = 4
"""Binary places of a pixel in the coordinates that OpenCV fills."""


class Glare(Struct, frozen=True):
    """The mirror image of a lamp: a soft spot, px; `level` is light that is added."""

    x: float
    y: float
    radius: float
    level: float


class Light(Struct, frozen=True):
    """How a picture is lit and taken."""

    gain: float = 0.6
    balance: Colour = (1.0, 1.0, 1.0)
    slope: tuple[float, float] = (0.0, 0.0)
    """Log light across half the picture's width, and height."""
    bowl: float = 0.0
    """Log light that the corners lose."""
    azimuth: float = 2.2
    """Where the lamp stands, radians from the x axis."""
    steepness: float = 1.6
    """Height of the lamp over its distance."""
    shadow: float = 0.3
    """Share of the light that a shadow takes."""
    glare: tuple[Glare, ...] = ()
    blur: float = 0.7
    """Spread of a point, px."""
    noise: float = 1.0
    """1 is a good webcam in daylight."""
    jpeg: int = 0
    """Quality; 0 for none."""


class Canvas:
    """One board as one camera sees it from one pose, in the colours of a kit."""

    def __init__(self, board: Board, camera: Camera, pose: Pose, kit: Kit) -> None:
        self.board, self.camera, self.pose, self.kit = board, camera, pose, kit
        self.eye = pose.eye

    def spots(self, points: ArrayLike) -> Array:
        """Where points of the board, (n, 3) mm, are in the picture, (n, 2) px."""
        return project(self.camera, self.pose, points)

    def fill(self, image: Picture, points: Array, colour: Colour, scale: int = SCALE) -> None:
        """Fill a polygon of the board, (n, 3) mm."""
        self.paint(image, self.spots(points), colour, scale)

    def paint(self, image: Picture, at: Array, colour: Colour | float, scale: int = SCALE) -> None:
        """Fill a convex polygon of the picture, (n, 2) px."""
        spots = ((at + 0.5) * scale - 0.5) * (1 << SHIFT)
        whole = np.round(spots).astype(np.int32)
        cv2.fillConvexPoly(image, whole, byte(colour), cv2.LINE_8, SHIFT)


def flat(points: Array, z: float = 0.0) -> Array:
    """Points of the board, (n, 2) mm, at one height: (n, 3)."""
    return np.hstack([points, np.full((len(points), 1), z)])


def times(colour: Colour, by: float) -> Colour:
    """A colour in more or less light."""
    return colour[0] * by, colour[1] * by, colour[2] * by


def byte(colour: Colour | float) -> tuple[int, ...]:
    """Linear light as bytes."""
    levels = colour if isinstance(colour, tuple) else (colour,)
    return tuple(min(255, max(0, round(255 * level))) for level in levels)

"""Pixel map: which light of the strip lies where, found by blinking all of them in a code.

Each light shows the bits of its own number, in Gray code, and then their complement: of two
pictures the brighter one is the bit, whatever else shines there. 2 x 7 pictures tell 127 lights
apart.

    for lit in patterns(count): light them, take a picture
    lamps = find(pictures, count)               # where each light is in the picture
    spots = on_board(camera, pose, lamps)       # … and on the board, mm
    found = placed(board, spots)                # the light at each place of the board file
    check(board, found)
"""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from hexboard.board import Board
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Array, Camera, Pose
from hexboard.vision.light import LINEAR, Linear

LEAST_CONTRAST = 0.4
"""A place's weakest bit against its mean; below this its number is not believed."""
FAINT = 0.01
"""What a light must add to be seen at all, a share of full scale."""
CORE = 0.5
"""Where a light is at least this share as bright as at its brightest, it is the light itself."""


class Lamp(Struct, frozen=True):
    """One light as a camera sees it: its middle, px, and its weakest bit against their mean."""

    x: float
    y: float
    contrast: float


def bits(count: int) -> int:
    """How many bits number `count` lights from 1; 0 would be dark throughout."""
    return max(1, int(count).bit_length())


def gray(number: int) -> int:
    return number ^ (number >> 1)


def patterns(count: int) -> list[frozenset[int]]:
    """Which lights are on in each picture: bit 0, its complement, bit 1, …"""
    out = []
    for bit in range(bits(count)):
        on = frozenset(k for k in range(count) if gray(k + 1) >> bit & 1)
        out += [on, frozenset(range(count)) - on]
    return out


# ------------------------------------------------------------------------------ in the picture


def find(pictures: Sequence[Picture], count: int) -> dict[int, Lamp]:
    """Each light that can be told, from one picture (height, width, 3) a pattern."""
    apart = [
        brightness(a) - brightness(b) for a, b in zip(pictures[::2], pictures[1::2], strict=True)
    ]
    strength = np.mean([np.abs(bit) for bit in apart], axis=0)
    rows, columns = np.nonzero(strength > FAINT)
    numbers, contrast = read([bit[rows, columns] for bit in apart])
    weight = contrast * strength[rows, columns]
    lamps = {}
    for number in range(1, count + 1):
        mine = (numbers == number) & (contrast >= LEAST_CONTRAST)
        if not mine.any():
            continue
        mine &= weight >= CORE * weight[mine].max()
        x, y = np.average(np.stack([columns[mine], rows[mine]]), axis=1, weights=weight[mine])
        lamps[number - 1] = Lamp(float(x), float(y), round(float(contrast[mine].max()), 3))
    return lamps


def read(apart: ArrayLike) -> tuple[NDArray[np.int64], Array]:
    """The numbers that `apart` (bits, places) spells, each pattern less its complement, and their
    contrast."""
    bit = np.asarray(apart, float)
    strength = np.abs(bit)
    mean = strength.mean(0)
    contrast = np.divide(strength.min(0), mean, out=np.zeros_like(mean), where=mean > 0)
    word = bit > 0
    numbers = np.zeros(bit.shape[1], np.int64)
    last = np.zeros(bit.shape[1], bool)
    for row in word[::-1]:  # the highest bit first: each one flips the next
        last = last ^ row
        numbers = numbers << 1 | last
    return numbers, contrast


def brightness(picture: Picture) -> Linear:
    """How bright each point is in linear light, a little blurred."""
    return np.asarray(cv2.GaussianBlur(LINEAR[picture].max(2), (0, 0), 1.0), np.float32)


# -------------------------------------------------------------------------------- on the board


def on_board(
    camera: Camera, pose: Pose, lamps: Mapping[int, Lamp]
) -> dict[int, tuple[float, float]]:
    """Where each light lies on the board, mm."""
    if not lamps:
        return {}
    seen = np.array([(lamp.x, lamp.y) for lamp in lamps.values()]).reshape(-1, 1, 2)
    rays = cv2.undistortPoints(seen, camera.matrix, camera.distortion).reshape(-1, 2)
    ways = np.hstack([rays, np.ones((len(rays), 1))]) @ cv2.Rodrigues(pose.rvec)[0]
    eye = pose.eye
    spots = eye[:2] - ways[:, :2] * (eye[2] / ways[:, 2:])
    return {light: (float(x), float(y)) for light, (x, y) in zip(lamps, spots, strict=True)}


def placed(board: Board, spots: Mapping[int, tuple[float, float]]) -> tuple[int | None, ...]:
    """For each place of the board file, in the order of `board.pixels`, the light seen there: the
    nearest one, no farther away than half the way to the next place."""
    places = np.array([(pixel.x, pixel.y) for pixel in board.pixels])
    reach = _reach(places)
    found: list[int | None] = [None] * len(places)
    off = np.full(len(places), np.inf)
    for light, spot in spots.items():
        far = np.linalg.norm(places - spot, axis=1)
        place = int(far.argmin())
        if far[place] < min(reach, off[place]):
            found[place], off[place] = light, far[place]
    return tuple(found)


def spread(
    board: Board, found: Sequence[int | None], spots: Mapping[int, tuple[float, float]]
) -> float:
    """How much farther apart the lights `found` lie than the board file has them: 1 where they lie
    as it says, 1.03 where they were measured by markers that are printed 3 % too small."""
    known = [(pixel, light) for pixel, light in zip(board.pixels, found, strict=True)]
    both = [((pixel.x, pixel.y), spots[light]) for pixel, light in known if light is not None]
    flat = np.array(both).reshape(-1, 2, 2)
    away = np.linalg.norm(flat - flat.mean(0), axis=2) if both else np.zeros((0, 2))
    away = away[away[:, 0] > 0]
    return float(np.median(away[:, 1] / away[:, 0])) if len(away) else 1.0


def _reach(places: Array) -> float:
    """Half the least distance between two places, mm."""
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    return float(min(apart.min() / 2, 1000.0))


class Check(Struct, frozen=True):
    """What the map says of the board file."""

    unseen: tuple[int, ...]
    """Places, by their number in `board.pixels`, where no light could be told."""
    moved: tuple[tuple[int, int], ...]
    """(that number, the light that is there)."""


def check(board: Board, found: tuple[int | None, ...]) -> Check:
    """Compare the lights found, in the order of `board.pixels`, with what the board file says."""
    pairs = list(zip(range(len(board.pixels)), found, strict=True))
    return Check(
        tuple(index for index, light in pairs if light is None),
        tuple((index, light) for index, light in pairs if light is not None and light != index),
    )

"""Pixel map: which light of the strip lies where, found by blinking all of them in a code.

Each light shows the bits of its own number, in Gray code, and then their complement: of two
pictures the brighter one is the bit, whatever else shines there. 2 x 7 pictures tell 127 lights
apart.

    for lit in patterns(count): light them, take a picture
    found = decode(brightness at each place in each picture, count)
    wrong(board, found)
"""

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from controller.board import Board

LEAST_CONTRAST = 0.4
"""A place's weakest bit against its mean; below this its number is not believed."""


class Found(Struct, frozen=True):
    """The light seen at one place; None: none that can be believed."""

    pixel: int | None
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


def decode(brightness: ArrayLike, count: int) -> tuple[Found, ...]:
    """The light at each place. `brightness` is (pictures, places), in linear light."""
    seen = np.asarray(brightness, float)
    found = []
    for apart in (seen[0::2] - seen[1::2]).T:
        mean = float(np.abs(apart).mean())
        contrast = float(np.abs(apart).min()) / mean if mean else 0.0
        number = _number(apart > 0)
        known = contrast >= LEAST_CONTRAST and 1 <= number <= count
        found.append(Found(number - 1 if known else None, round(contrast, 3)))
    return tuple(found)


def _number(word: NDArray[np.bool_]) -> int:
    """A number from its Gray code, lowest bit first."""
    value = 0
    for bit in reversed(word.tolist()):
        value = value << 1 | (int(bit) ^ (value & 1))
    return value


class Check(Struct, frozen=True):
    """What the map says of the board file: pixels by the index that the file gives them."""

    unseen: tuple[int, ...]
    """Places where no light could be told."""
    twice: tuple[int, ...]
    """Places whose light was seen at another place too."""
    moved: tuple[tuple[int, int], ...]
    """(the file's index, the light that is there)."""


def check(board: Board, found: tuple[Found, ...]) -> Check:
    """Compare the lights found, in the order of `board.pixels`, with what the board file says."""
    seen = [f.pixel for f in found]
    pairs = [(p.index, f.pixel) for p, f in zip(board.pixels, found, strict=True)]
    return Check(
        tuple(index for index, pixel in pairs if pixel is None),
        tuple(index for index, pixel in pairs if pixel is not None and seen.count(pixel) > 1),
        tuple(
            (index, pixel)
            for index, pixel in pairs
            if pixel is not None and pixel != index and seen.count(pixel) == 1
        ),
    )

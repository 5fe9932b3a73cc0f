"""Frame: a picture and when it was taken; pictures from files.

for frame in pictures(path, unread): …
image = picture(file)               # raises BadPicture with the reason
"""

import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from hexboard.words.errors import HexboardError

cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)  # the rest is said by us

SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".webp")
MOST_PIXELS = 25_000_000
JPEG, LEAST_JPEG = b"\xff\xd8", 100
"""How a JPEG begins, and bytes that any is longer than."""
FRAMES = frozenset(bytes([it]) for it in range(0xC0, 0xD0) if it not in (0xC4, 0xC8, 0xCC))
"""JPEG's markers before a picture's size (ITU-T T.81, B.2.2)."""
ALONE = frozenset(bytes([it]) for it in (0x00, 0x01, *range(0xD0, 0xDB)))
"""Markers that have no length, or come after one of those."""
DAMAGED = re.compile(rb"Corrupt JPEG data(?!: \d\d? extraneous)|Premature end|libpng error")
"""What the libraries write of a picture that is not whole. A few bytes too many do no harm: many
webcams send them."""

Picture = NDArray[np.uint8]
"""(height, width, 3): blue, green, red."""


class BadCamera(HexboardError, OSError):
    """A camera that cannot be opened, or is gone."""


class BadPicture(HexboardError, ValueError):
    """A file that is no picture, or one too large."""


class Frame(Struct, frozen=True, eq=False):
    """One picture."""

    t: int
    """When it was exposed, monotonic ns."""
    image: Picture
    """BGR, (height, width, 3)."""
    name: str = ""
    """Its file, where it comes from one."""


def spoken(name: str) -> str:
    """A camera's name as it may be said and recorded: an address without user, password, query."""
    scheme, mark, rest = name.partition("://")
    return scheme + mark + rest.partition("?")[0].rpartition("@")[2] if mark else name


def pictures(path: Path, unread: Callable[[BadPicture], None]) -> Iterator[Frame]:
    """The picture in a file, or those of a folder by name; `unread` hears of any that cannot be
    read. Raises `BadPicture` where there is none to begin with."""
    for file in files(path):
        try:
            image = picture(file)
            yield Frame(file.stat().st_mtime_ns, image, str(file))
        except BadPicture as error:
            unread(error)


def files(path: Path) -> list[Path]:
    """The file, or a folder's pictures by name. Raises `BadPicture` where there are none."""
    if not path.exists():
        raise BadPicture("camera.no_file", file=str(path))
    if not path.is_dir():
        return [path]
    pictures = (p for p in path.iterdir() if p.suffix.lower() in SUFFIXES)
    found = sorted(p for p in pictures if not p.is_fifo())  # one would be waited for
    if not found:
        raise BadPicture("camera.no_pictures", folder=str(path), known=", ".join(SUFFIXES))
    return found


def picture(file: Path) -> Picture:
    """The picture in a file, as it stands in it. Raises `BadPicture`."""
    data, _ = measured(file, MOST_PIXELS)
    return decoded(file, data, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)


def measured(file: Path, most: int) -> tuple[Picture, int]:
    """What is in a picture's file, and the picture's longer side, px, to an eighth. Raises
    `BadPicture` for no picture, one that cannot be read, and one of more than `most` pixels."""
    try:
        data = np.frombuffer(file.read_bytes(), np.uint8)
    except OSError as error:
        raise BadPicture("camera.unreadable", file=str(file), why=str(error.strerror)) from None
    small = decoded(file, data, cv2.IMREAD_REDUCED_GRAYSCALE_8)
    if small.size * 64 > most:
        have = small.size * 64 // 1_000_000
        raise BadPicture("camera.large", file=str(file), have=have, most=most // 1_000_000)
    return data, max(small.shape) * 8


def decoded(file: Path, data: Picture, how: int) -> Picture:
    """The picture in these bytes of a file. Raises `BadPicture`."""
    image, torn = unpacked(data, how)
    if torn:
        raise BadPicture("camera.torn", file=str(file))
    if image is None:
        raise BadPicture("camera.not_picture", file=str(file))
    return image


def unpacked(data: Picture, how: int) -> tuple[Picture | None, bool]:
    """The picture in these bytes, None where there is none; whether it is one that is damaged or
    ends too soon, which is none."""

    def decode() -> Picture | None:
        try:
            image = cv2.imdecode(data, how) if data.size else None
        except cv2.error:  # larger than OpenCV may decode
            return None
        return None if image is None else np.asarray(image, np.uint8)

    image, damaged = quietly(decode)
    if image is None:
        return None, data.size > LEAST_JPEG and data[:2].tobytes() == JPEG
    return (None, True) if damaged else (image, False)


def pixels(data: bytes) -> int:
    """How many pixels a JPEG says that it has; 0 for what is none. It is not unpacked."""
    at = len(JPEG)
    while data.startswith(JPEG) and data[at : at + 1] == b"\xff":
        marker, length = data[at + 1 : at + 2], int.from_bytes(data[at + 2 : at + 4])
        if marker in FRAMES:
            height, width = data[at + 5 : at + 7], data[at + 7 : at + 9]
            return int.from_bytes(height) * int.from_bytes(width)
        if marker in ALONE:
            break
        at += 1 if marker == b"\xff" else 2 + length
    return 0


Told = TypeVar("Told")
_mute = threading.Lock()


def quietly(decode: Callable[[], Told]) -> tuple[Told, bool]:
    """What this gives; whether libjpeg or libpng called the picture damaged meanwhile. They have no
    other way to say so than the terminal, and it is kept from there."""
    with _mute, tempfile.TemporaryFile() as said:
        terminal = os.dup(2)
        os.dup2(said.fileno(), 2)
        try:
            told = decode()
        finally:
            os.dup2(terminal, 2)
            os.close(terminal)
        said.seek(0)
        return told, bool(DAMAGED.search(said.read()))

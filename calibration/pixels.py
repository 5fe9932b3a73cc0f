"""Pixels: which light of the strip lies at which place, as `hexboard calibrate pixels` saw it.

board = apply(board, load(path))            # its lights in the strip's real order
"""

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import Board, Pixel
from hexboard.calibration import store
from hexboard.words import Message, message
from hexboard.words.errors import BadFile, BadText


class PixelMap(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="schema", tag="hexboard/pixels-1"
):
    """What a camera saw of a board's strip."""

    version: int
    board: str
    wiring: str
    """`wiring` of the board that it was made for."""
    date: str
    lights: tuple[str, ...]
    """The place of each light along the strip ("B3/2"; "B3" in the middle); "" where it was not
    seen."""
    off: tuple[float, ...]
    """How far from its place each was seen, mm; -1 for none."""
    contrast: tuple[float, ...]
    """The weakest bit of each against their mean: 1 is best, under 0.4 none is believed."""
    by: str
    """What told where the camera stands: `markers`, or the `lights` themselves."""
    spread: float = 1.0
    """How much farther apart they lie than the board file has them."""

    def __post_init__(self) -> None:
        if not len(self.lights) == len(self.off) == len(self.contrast):
            raise ValueError("not as many numbers as lights")


STORE = store.Store(PixelMap, "pixels")
place = STORE.place
load = STORE.load
rollback = STORE.rollback


def wiring(board: Board) -> str:
    """A digest of the places of a board's lights, in the order of its file."""
    spots = [spot(pixel) for pixel in board.pixels]
    return blake2b(msgspec.json.encode(spots), digest_size=8).hexdigest()


def spot(pixel: Pixel) -> str:
    return f"{pixel.cell}/{pixel.edge}" if pixel.edge else pixel.cell


def beside(path: Path) -> Path:
    """Where the map is of the board whose sensors' calibration is at `path`."""
    return path.with_name(f"{path.stem}.pixels.json")


def mapped(
    board: Board,
    found: tuple[int | None, ...],
    off: Mapping[int, float],
    contrast: Mapping[int, float],
    told: tuple[int, str, str],
    spread: float = 1.0,
) -> PixelMap:
    """The map of the lights `found` at each place of `board.pixels`; `told` are the version, the
    date and what registered the camera."""
    version, date, by = told
    at = {light: spot(p) for p, light in zip(board.pixels, found, strict=True) if light is not None}
    every = range(len(board.pixels))
    return PixelMap(
        version,
        board.name,
        wiring(board),
        date,
        tuple(at.get(k, "") for k in every),
        tuple(round(off[k], 2) if k in at else -1.0 for k in every),
        tuple(contrast.get(k, 0.0) for k in every),
        by,
        round(spread, 4),
    )


def apply(board: Board, seen: PixelMap) -> Board:
    """The board with its lights in the order in which they lie on the strip. Lights that were not
    seen take what places are left, in the file's order. Raises `BadText` for the map of another
    board, or of one whose file has changed."""
    places = {spot(pixel): pixel for pixel in board.pixels}
    named = [name for name in seen.lights if name]
    whole = len(seen.lights) == len(places) and len(set(named)) == len(named)
    ours = seen.board == board.name and seen.wiring == wiring(board)
    if not (whole and ours and set(named) <= places.keys()):
        raise BadText("pixel_map.other", made=seen.board, board=board.name)
    left = iter([pixel for name, pixel in places.items() if name not in seen.lights])
    pixels = (
        replace(places[name] if name else next(left), index=k) for k, name in enumerate(seen.lights)
    )
    return replace(board, pixels=tuple(pixels))


def relit(board: Board, path: Path) -> tuple[Board, Message | None]:
    """The board with its lights in the strip's real order, where there is a map at `path`; else as
    its file has them, and why where the map is of no use."""
    if not path.exists():
        return board, None
    try:
        return apply(board, load(path)), None
    except (BadFile, BadText) as error:
        return board, message("pixel_map.not_used", why=str(error))

"""Colours: what the pieces of a board look like to its camera, as `hexboard calibrate colours`
learned it."""

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from hexboard.appearance import KIT, Colour, Kit
from hexboard.board import Board
from hexboard.calibration import placement, store
from hexboard.calibration.placement import Placement
from hexboard.vision.cells import sizes
from hexboard.vision.cells.colours import GROUND, Palette, dressed
from hexboard.vision.cells.sizes import Sizes
from hexboard.words.errors import BadText


class Colours(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="schema", tag="hexboard/colours-1"
):
    """Learned colours: shares of light that come back (blue, green, red), 1 for white light on
    perfect white."""

    version: int
    board: str
    game: str
    date: str
    colours: dict[str, Colour]
    rims: dict[str, Colour]
    nearest: tuple[str, str]
    apart: float
    """How far apart those two are, in spreads of what one sample shows."""
    sizes: Sizes = sizes.of(KIT)
    placed: tuple[int, str] | None = None
    """Version and date of the placement that the camera had then, (0, "") for none; None where
    nobody kept it."""


def _wrong(found: Colours) -> str:
    return "" if GROUND in found.colours else f"it has no colour called {GROUND}"


STORE = store.Store(Colours, "colours", _wrong)
place = STORE.place
beside = STORE.beside
load = STORE.load
rollback = STORE.rollback


def kit(path: Path, board: Board) -> Kit:
    """What the pieces look like: as kept at `path`, or as we ship them where nothing is; on the
    ground that was looked at last, with them or when the camera was put up. Raises `BadFile`, and
    `BadText` for the colours of another board."""
    beside = placement.beside(path.parent, board)
    put_up = placement.load(beside) if beside.exists() else None
    ground = put_up.ground if put_up else None
    if not path.exists():
        return replace(KIT, ground=ground) if ground else KIT
    found = load(path)
    if found.board != board.name:
        raise BadText("colours.other", made=found.board, board=board.name)
    kit = dressed(KIT, Palette(found.colours, found.rims, found.nearest, found.apart, found.sizes))
    later = put_up is not None and _later(put_up, found)
    return replace(kit, ground=ground) if ground and later else kit


def placed(path: Path, board: Board) -> tuple[int, str]:
    """What colours that are kept at `path` say of how the camera stands now. Raises `BadFile`."""
    beside = placement.beside(path.parent, board)
    if not beside.exists():
        return 0, ""
    put_up = placement.load(beside)
    return put_up.version, put_up.date


def _later(put_up: Placement, found: Colours) -> bool:
    """Whether the camera was put up after the colours were learned, whatever a clock said then; an
    earlier placement that was brought back was not."""
    if found.placed is None:
        return put_up.date > found.date
    version, date = found.placed
    return put_up.version > version or (put_up.version == version and put_up.date != date)

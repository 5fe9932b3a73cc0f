"""Placement: how a camera stands over one board, and the exposure it is held at.

In play the camera's place is found anew from its markers; this file says how well it was found when
the camera was put up, and holds the camera's controls.
"""

import hashlib
from pathlib import Path

import numpy as np
from msgspec import Struct

from hexboard.appearance import Colour
from hexboard.board import Board
from hexboard.calibration import lens_file, store, versions
from hexboard.vision.camera.controls import FREE, Controls
from hexboard.vision.frame import spoken
from hexboard.vision.geometry import Camera, Pose, project
from hexboard.words import Message, message

SIMULATED = "simulated"
"""The source of a camera whose lens nobody measured."""
LEAST_PER_MM = 1.1
"""No figure of docs/vision.md was taken below this, px/mm."""
MOST_ERROR_PX = 0.5
"""The reprojection error of a mat that lies flat and was printed at 100 %, px."""
MOST_BLUR_PX = 1.4
"""Beyond this, figures were not taken; the focus is not right, or the lens is dirty."""
MOST_SHAKE_PX = 1.0
"""A camera that shakes is read within half a pixel of its middle, to both sides, and no further."""
MOST_FLICKER = 0.05
MOST_PAPER = 0.97
"""White paper that is brighter is burnt out, a share of full scale in linear light."""
LEAST_PAPER = 0.15
"""Paper that is darker leaves nothing to tell dark pieces by."""


class Placement(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="schema", tag="hexboard/placement-1"
):
    """A camera over a board."""

    version: int
    board: str
    date: str
    source: str
    """The camera, as `hexboard.vision.camera.capture.spoken` has it."""
    size: tuple[int, int]
    by: str
    """What told where the camera stands: `markers`, or the board's `lights`."""
    seen: int
    """How many of them."""
    error: float
    """Their reprojection error, px (root mean square)."""
    shake: float
    """How far they moved from picture to picture, px, at most."""
    per_mm: float
    """Pixels for a millimetre where that is least."""
    tilt: float
    """How far the camera looks from the vertical, degrees."""
    paper: tuple[float, float]
    """How bright the plain paper is where it is darkest and brightest, shares of full scale."""
    rvec: tuple[float, float, float]
    tvec: tuple[float, float, float]
    held: Controls
    lens: str = ""
    """The date of the lens file that it was found with; "" for a simulated camera."""
    occupied: tuple[str, ...] = ()
    """Cells in which something seemed to lie."""
    address: str = ""
    """The camera's `address`; "" where nobody kept it."""
    ground: Colour | None = None
    """What the empty cells send back, as in `appearance`; None where nobody looked."""
    bare: int | None = None
    """How many cells read as empty; None for a game that no camera reads."""
    blur: float = 0.0
    """The standard deviation of the blur of the markers' edges, px."""
    flicker: float = 0.0
    """How much the paper's light changes from picture to picture, a share of it."""


STORE = store.Store(Placement, "board")
place = STORE.place
beside = STORE.beside
load = STORE.load


def picture(path: Path) -> Path:
    """Where the picture is that belongs to a placement."""
    return path.with_name(f"{path.name.removesuffix('.json')}.jpg")


def save(path: Path, placement: Placement, view: bytes) -> None:
    """Write it and its picture, a JPEG; those before stay as `.1`. Raises `OSError`."""
    store.save(path, placement)
    versions.replace(picture(path), view)


def rollback(path: Path) -> Placement:
    """Bring the one before back. Raises `BadFile` if there is none, or it is no good."""
    placement = STORE.rollback(path)
    if versions.earlier(picture(path), 1).exists():
        versions.restore(picture(path))
    return placement


def of(folder: Path, board: Board, source: str) -> tuple[Controls, Pose | None, Message | None]:
    """The settings that a camera is held at over a board, and its pose. `FREE` and no pose if no
    camera was ever placed there, or another one was; no pose if its lens was calibrated again
    since. The message says which of the last two it is. Raises `BadFile`."""
    path = beside(folder, board)
    placement = load(path) if path.exists() else None
    if placement is None:
        return FREE, None, None
    other = spoken(placement.source) != spoken(source)
    if other or placement.address not in ("", address(source)):
        put_up = spoken(placement.source)
        why = message(
            "placement.other_camera", put_up=put_up, camera=spoken(source), board=board.name
        )
        return FREE, None, why
    if stale(placement, path):
        return placement.held, None, message("placement.lens", board=board.name)
    return placement.held, pose(placement), None


def address(source: str) -> str:
    """What tells cameras at one network address apart, whose queries nobody may read: four digits
    of the SHA-256 of address and query, too few to guess a password by. "" for a device."""
    if "://" not in source:
        return ""
    whole = f"{spoken(source)}?{source.partition('?')[2]}"
    return hashlib.sha256(whole.encode()).hexdigest()[:4]


def stale(placement: Placement, path: Path) -> bool:
    """Whether the lens beside a placement's file is another than it was found with. Raises
    `BadFile`."""
    lens = lens_file.beside(path.parent)
    if placement.source == SIMULATED or not lens.exists():
        return False
    now = lens_file.read(lens)
    return placement.size != now.size or placement.lens not in ("", now.date)


def pose(placement: Placement) -> Pose:
    return Pose(np.array(placement.rvec), np.array(placement.tvec))


def scale(board: Board, camera: Camera, pose: Pose) -> float:
    """Pixels for a millimetre in the cell that is seen smallest."""
    middles = np.array([(cell.x, cell.y) for cell in board.cells])
    sides = [project(camera, pose, middles + step) for step in ((1, 0), (0, 1))]
    middle = project(camera, pose, middles)
    return float(min(np.linalg.norm(side - middle, axis=1).min() for side in sides))


def tilt(pose: Pose, board: Board) -> float:
    """The angle between the vertical and the line from the board's middle to the camera."""
    middle = np.mean([(cell.x, cell.y, 0.0) for cell in board.cells], axis=0)
    way = pose.eye - middle
    return float(np.degrees(np.arccos(way[2] / np.linalg.norm(way))))

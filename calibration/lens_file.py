"""The lens file: what `hexboard calibrate camera` found, as `calibration/camera.json`."""

from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict

from hexboard.calibration import store
from hexboard.vision.geometry import Camera
from hexboard.vision.pose.lens import Lens

STEP = "camera"


class LensFile(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="schema", tag="hexboard/lens-1"
):
    """A lens as it is written."""

    size: tuple[int, int]
    matrix: tuple[tuple[float, float, float], ...]
    distortion: tuple[float, ...]
    rms: float
    worst: float
    fx_sigma: float
    views: int
    coverage: float
    wide: bool
    date: str = ""
    residuals: tuple[tuple[float, float, float, float], ...] = ()


def path(home: Path) -> Path:
    """Where a person's lens file is."""
    return store.file(home / "calibration", STEP, "")


def save(path: Path, lens: Lens, date: str = "") -> None:
    """Write it; the one before stays as `.1`. Raises `OSError`."""
    known = asdict(lens)
    camera: Camera = known.pop("camera")
    matrix = tuple((float(a), float(b), float(c)) for a, b, c in camera.matrix)
    distortion = tuple(float(k) for k in camera.distortion)
    store.save(path, LensFile(camera.size, matrix, distortion, date=date, **known))


def load(path: Path) -> Lens:
    """The lens in a file. Raises `BadFile`."""
    return _lens(path, read(path))


def read(path: Path) -> LensFile:
    """A file as it is written. Raises `BadFile`."""
    return store.load(path, LensFile, STEP)


def rollback(path: Path) -> Lens:
    """Bring the lens before this one back. Raises `BadFile` if there is none, or it is torn."""
    return _lens(path, store.rollback(path, LensFile, STEP))


def _lens(path: Path, file: LensFile) -> Lens:
    matrix = np.array(file.matrix, float)
    sound = matrix.shape == (3, 3) and matrix[0, 0] > 0 and min(file.size) >= 1
    if not sound or len(file.distortion) not in (4, 5, 8, 12, 14):
        raise store.bad(path, STEP, "its numbers are no camera's")
    camera = Camera(file.size, matrix, np.array(file.distortion, float))
    told = file.rms, file.worst, file.fx_sigma, file.views, file.coverage, file.wide
    return Lens(camera, *told, file.residuals)

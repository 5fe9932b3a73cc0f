"""The lens file: what `hexboard calibrate camera` found, as `calibration/camera.json`."""

from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict

from hexboard.calibration import store
from hexboard.vision.geometry import Camera
from hexboard.vision.pose.lens import Lens


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


def _wrong(file: LensFile) -> str:
    matrix = np.array(file.matrix, float)
    sound = matrix.shape == (3, 3) and matrix[0, 0] > 0 and min(file.size) >= 1
    good = sound and len(file.distortion) in (4, 5, 8, 12, 14)
    return "" if good else "its numbers are no camera's"


STEP = "camera"
STORE = store.Store(LensFile, STEP, _wrong)
read = STORE.load


def path(home: Path) -> Path:
    """Where a person's lens file is."""
    return beside(home / "calibration")


def beside(folder: Path) -> Path:
    """The same, in the folder of calibrations."""
    return store.file(folder, STEP, "")


def save(path: Path, lens: Lens, date: str = "") -> None:
    """Write it; the one before stays as `.1`. Raises `OSError`."""
    known = asdict(lens)
    camera: Camera = known.pop("camera")
    matrix = tuple((float(a), float(b), float(c)) for a, b, c in camera.matrix)
    distortion = tuple(float(k) for k in camera.distortion)
    store.save(path, LensFile(camera.size, matrix, distortion, date=date, **known))


def load(path: Path) -> Lens:
    """The lens in a file. Raises `BadFile`."""
    return _lens(read(path))


def rollback(path: Path) -> Lens:
    """Bring the lens before this one back. Raises `BadFile` if there is none, or it is torn."""
    return _lens(STORE.rollback(path))


def _lens(file: LensFile) -> Lens:
    camera = Camera(file.size, np.array(file.matrix, float), np.array(file.distortion, float))
    return Lens(
        camera,
        rms=file.rms,
        worst=file.worst,
        fx_sigma=file.fx_sigma,
        views=file.views,
        coverage=file.coverage,
        wide=file.wide,
        residuals=file.residuals,
    )

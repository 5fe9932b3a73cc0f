"""The lens file: what `hexboard calibrate camera` found, as `calibration/camera.json`."""

from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from calibration import versions
from controller.errors import BadFile
from controller.vision.camera import Camera
from controller.vision.lens import Lens
from controller.words import message

SCHEMA = "hexboard/lens-1"


class LensFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A lens as it is written."""

    schema: str
    size: tuple[int, int]
    matrix: tuple[tuple[float, float, float], ...]
    distortion: tuple[float, ...]
    rms: float
    worst: float
    fx_sigma: float
    views: int
    coverage: float
    wide: bool


def path(home: Path) -> Path:
    """Where a person's lens file is."""
    return home / "calibration" / "camera.json"


def save(path: Path, lens: Lens) -> None:
    """Write it; the one before stays as `.1`. Raises `OSError`."""
    camera = lens.camera
    file = LensFile(
        SCHEMA,
        camera.size,
        tuple((float(a), float(b), float(c)) for a, b, c in camera.matrix),
        tuple(float(k) for k in camera.distortion),
        lens.rms,
        lens.worst,
        lens.fx_sigma,
        lens.views,
        lens.coverage,
        lens.wide,
    )
    versions.replace(path, msgspec.json.format(msgspec.json.encode(file)))


def load(path: Path) -> Lens:
    """The lens in a file. Raises `BadFile`."""
    try:
        file = msgspec.json.decode(path.read_bytes(), type=LensFile)
    except OSError as error:
        why = error.strerror or "?"
        raise BadFile(str(path), (message("lens.unreadable", file=str(path), why=why),)) from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise _torn(path, str(error)) from None
    matrix = np.array(file.matrix, float)
    if file.schema != SCHEMA or matrix.shape != (3, 3) or not matrix[0, 0] > 0:
        raise _torn(path, f"its schema is not {SCHEMA}, or its numbers are no camera's")
    if len(file.distortion) not in (4, 5, 8, 12, 14) or min(file.size) < 1:
        raise _torn(path, "its numbers are no camera's")
    camera = Camera(file.size, matrix, np.array(file.distortion, float))
    return Lens(camera, file.rms, file.worst, file.fx_sigma, file.views, file.coverage, file.wide)


def rollback(path: Path) -> Lens:
    """Bring the lens before this one back. Raises `BadFile` if there is none, or it is torn."""
    if not versions.earlier(path, 1).exists():
        raise BadFile(str(path), (message("lens.no_earlier", file=str(path)),))
    lens = load(versions.earlier(path, 1))
    versions.restore(path)
    return lens


def _torn(path: Path, why: str) -> BadFile:
    return BadFile(str(path), (message("lens.torn", file=str(path), why=why),))

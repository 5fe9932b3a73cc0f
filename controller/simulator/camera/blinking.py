"""Stand: a camera on a stand over a simulated board whose lights shine.

stand = Stand(board)
rig = Rig(board, world, stand.light, …)     # the bytes of the strip are the light
for frame in stand.frames(): …
"""

import threading
import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hexboard.board import Board
from hexboard.simulator.camera.canvas import Light
from hexboard.simulator.camera.render import Renderer, view
from hexboard.vision.frame import Frame, Picture
from hexboard.vision.geometry import project
from hexboard.vision.light import LINEAR

PACE_S = 1 / 15
"""Seconds from frame to frame."""
CORE_MM, HALO_MM = 2.5, 11.0
"""How far a light's own shine reaches and how far its glow on the board does."""
SHINE, GLOW = 2.5, 0.25
"""What they add at full brightness, shares of the camera's full scale."""
LEVELS = 4095

_CODED = np.searchsorted(LINEAR, np.linspace(0, 1, LEVELS + 1)).clip(0, 255).astype(np.uint8)


class Stand:
    """Pictures of an empty board; `light` says what its strip shows."""

    def __init__(self, board: Board, size: tuple[int, int] = (1280, 960), seed: int = 1) -> None:
        self.board = board
        self.camera, self.pose = view(board, size)
        drawn = Renderer(board, self.camera, self.pose).frame({}, Light(noise=0.0), seed)
        self._dark = LINEAR[drawn]
        self._glows = [_glow(spot, self._per_mm(), size) for spot in self.spots()]
        self._random = np.random.default_rng(seed)
        self._rgb = b""
        self._lock = threading.Lock()

    def light(self, rgb: bytes) -> None:
        """The strip now shows this, three bytes a light."""
        with self._lock:
            self._rgb = bytes(rgb)

    def frames(self) -> Iterator[Frame]:
        """What the camera sees, at its pace."""
        while True:
            yield Frame(time.monotonic_ns(), self.picture())
            time.sleep(PACE_S)

    def picture(self) -> Picture:
        """The next picture."""
        with self._lock:
            strip = np.frombuffer(self._rgb, np.uint8)
        seen = self._dark.copy()
        for k, (rows, columns, glow) in enumerate(self._glows):
            level = strip[3 * k : 3 * k + 3].mean() / 255 if len(strip) >= 3 * k + 3 else 0
            if level:
                seen[rows, columns] += np.float32(level) * glow
        noise = self._random.standard_normal(seen.shape[:2], np.float32)[..., None]
        seen += noise * np.sqrt(np.maximum(seen, 0) * 2e-5 + 4e-6)
        return np.asarray(_CODED[(seen.clip(0, 1) * LEVELS).astype(np.int32)])

    def spots(self) -> NDArray[np.float64]:
        """Where the lights are in the picture, (n, 2) px."""
        places = [(pixel.x, pixel.y) for pixel in self.board.pixels]
        if not places:
            return np.zeros((0, 2))
        return project(self.camera, self.pose, places)

    def _per_mm(self) -> float:
        return float(
            np.linalg.norm(np.diff(project(self.camera, self.pose, [(0, 0), (1, 0)]), axis=0))
        )


def _glow(
    spot: NDArray[np.float64], per_mm: float, size: tuple[int, int]
) -> tuple[slice, slice, NDArray[np.float32]]:
    """Where in the picture a light adds how much, (rows, columns, 1)."""
    reach = int(3 * HALO_MM * per_mm)
    x, y = (int(v) for v in spot.round())
    columns = slice(max(0, x - reach), min(size[0], x + reach + 1))
    rows = slice(max(0, y - reach), min(size[1], y + reach + 1))
    xs, ys = np.arange(size[0])[columns], np.arange(size[1])[rows]
    far = ((xs - spot[0]) ** 2 + (ys[:, None] - spot[1]) ** 2) / per_mm**2
    glow = SHINE * np.exp(-far / (2 * CORE_MM**2)) + GLOW * np.exp(-far / (2 * HALO_MM**2))
    return rows, columns, glow[..., None].astype(np.float32)

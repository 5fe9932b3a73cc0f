"""A network camera over no board: pictures that differ by their noise, or that go wrong.

It speaks MJPEG over http. No mat is to be seen in what it sends, so it says nothing of a game.
"""

import itertools
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np

from hexboard.board import find, load
from hexboard.calibration import lens_file
from hexboard.simulator.camera.render import view
from hexboard.vision.pose.lens import Lens
from tests.mjpeg import MjpegServer, part

PACE_S = 1 / 15
DRIP_S = 1.0
"""Between two bytes of a camera that drips."""


class NetworkCamera:
    """A camera at `url`; its lens is measured in `home`. `close` it."""

    def __init__(self, home: Path) -> None:
        camera, _ = view(load(find("hexhex-5")))
        path = lens_file.path(home)
        path.parent.mkdir(parents=True, exist_ok=True)
        lens_file.save(path, Lens(camera, 0.2, 0.3, 0.001, 12, 0.8, False))
        width, height = camera.size
        dice = np.random.default_rng(1)
        noise = (dice.integers(90, 110, (height, width, 3), np.uint8) for _ in range(3))
        self._parts = [part(picture) for picture in noise]
        self.frozen = self.drips = False
        self._over = threading.Event()
        self._server = MjpegServer(self._send)
        self.url = self._server.url

    def close(self) -> None:
        self._over.set()
        self._server.close()

    def _send(self, write: Callable[[bytes], object]) -> None:
        for number in itertools.count():
            part = self._parts[0 if self.frozen else number % len(self._parts)]
            for at in range(len(part)) if self.drips else ():
                write(part[at : at + 1])
                if self._over.wait(DRIP_S):
                    return
                if not self.drips:
                    return  # it begins anew
            write(part)
            if self._over.wait(PACE_S):
                return

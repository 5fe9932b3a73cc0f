"""A network camera over no board: pictures that differ by their noise, or that go wrong.

It speaks MJPEG over http. No mat is to be seen in what it sends, so it says nothing of a game.
"""

import http.server
import itertools
import threading
from pathlib import Path

import cv2
import numpy as np

from hexboard.board import find, load
from hexboard.calibration import lens_file
from hexboard.simulator.camera.render import view
from hexboard.vision.pose.lens import Lens

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
        self._parts = [_part(picture) for picture in noise]
        self.frozen = self.drips = False
        self._over = threading.Event()
        self._httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self._httpd.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._httpd.server_address[1]}/stream.mjpg"

    def close(self) -> None:
        self._over.set()
        self._httpd.shutdown()
        self._httpd.server_close()

    def _handler(self) -> type[http.server.BaseHTTPRequestHandler]:
        camera = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                try:
                    camera._send(self)
                except OSError:  # nobody looks any more
                    return

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler

    def _send(self, to: http.server.BaseHTTPRequestHandler) -> None:
        for number in itertools.count():
            part = self._parts[0 if self.frozen else number % len(self._parts)]
            for at in range(len(part)) if self.drips else ():
                to.wfile.write(part[at : at + 1])
                if self._over.wait(DRIP_S):
                    return
                if not self.drips:
                    return  # it begins anew
            to.wfile.write(part)
            if self._over.wait(PACE_S):
                return


def _part(picture: "np.typing.NDArray[np.uint8]") -> bytes:
    data = cv2.imencode(".jpg", picture)[1].tobytes()
    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
    return head.encode() + data + b"\r\n"

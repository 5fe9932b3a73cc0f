"""A network camera's side of MJPEG over http: whoever looks is sent parts until they go."""

import http.server
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import cv2

Send = Callable[[Callable[[bytes], object]], None]
"""Sends parts by what it is given, for as long as it likes."""


def part(picture: Any, quality: int = 92) -> bytes:
    """A picture (h x w x 3, BGR) as a part of a stream."""
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
    return head.encode() + data + b"\r\n"


class MjpegServer:
    """A stream at `url`, on a `port` of this computer (0: any). `close` it."""

    def __init__(self, send: Send, port: int = 0) -> None:
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                with suppress(OSError):  # nobody looks any more
                    send(self.wfile.write)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._httpd = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._httpd.daemon_threads = True
        self._thread = threading.Thread(target=self._httpd.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        self.port: int = self._httpd.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/stream.mjpg"

    def close(self) -> None:
        """The camera is gone."""
        self._httpd.shutdown()
        self._thread.join()
        self._httpd.server_close()

"""A proxy that shows the page under a path and a name of its own, as Home Assistant's ingress."""

import contextlib
import re
import socket
import threading

PREFIX = "/api/hassio_ingress/secret"


class Proxy:
    """Strips `PREFIX` from the paths that browsers ask for, and calls the board by its address."""

    def __init__(self) -> None:
        self.to = 0
        """The board's port."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.origin = f"http://localhost:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                browser, _ = self._listener.accept()
                threading.Thread(target=self._one, args=(browser,), daemon=True).start()

    def _one(self, browser: socket.socket) -> None:
        """One request a connection, or a socket for as long as it is open."""
        with contextlib.suppress(OSError), browser:
            head = b""
            while b"\r\n\r\n" not in head:
                if not (data := browser.recv(65536)):
                    return
                head += data
            first, _, rest = head.partition(b"\r\n")
            method, path, version = first.split(b" ")
            if not path.startswith(f"{PREFIX}/".encode()):
                browser.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                return
            path = path.removeprefix(PREFIX.encode())
            rest = re.sub(rb"(?im)^host: .*?\r\n", b"Host: 127.0.0.1:%d\r\n" % self.to, rest)
            if b"websocket" not in rest.lower():
                rest = re.sub(rb"(?im)^connection: .*?\r\n", b"Connection: close\r\n", rest)
            with socket.create_connection(("127.0.0.1", self.to)) as board:
                board.sendall(b" ".join((method, path, version)) + b"\r\n" + rest)
                threading.Thread(target=_pump, args=(browser, board), daemon=True).start()
                _pump(board, browser)


def _pump(one: socket.socket, other: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
        other.shutdown(socket.SHUT_WR)

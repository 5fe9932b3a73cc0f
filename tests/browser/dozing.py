"""A line to the daemon that goes dead without a word, as a phone's does that sleeps."""

import contextlib
import socket
import threading


class Line:
    """Passes everything on to a port of this computer, until the phone dozes off."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._open: list[threading.Event] = []
        self._sockets: list[socket.socket] = []
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def doze(self) -> None:
        """What is open now passes nothing on any more, and nobody is told."""
        for dead in self._open:
            dead.set()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)  # nobody is let in meanwhile
        self._thread.join()
        for it in (self._listener, *self._sockets):
            it.close()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                phone, _ = self._listener.accept()
                self._sockets.append(phone)
                board = socket.create_connection(("127.0.0.1", self._to))
                self._sockets.append(board)
                dead = threading.Event()
                self._open.append(dead)
                for one, other in ((phone, board), (board, phone)):
                    threading.Thread(target=_pass_on, args=(one, other, dead), daemon=True).start()


def _pass_on(one: socket.socket, other: socket.socket, dead: threading.Event) -> None:
    with contextlib.suppress(OSError):
        while data := one.recv(65536):
            if not dead.is_set():
                other.sendall(data)
        if not dead.is_set():
            other.shutdown(socket.SHUT_WR)

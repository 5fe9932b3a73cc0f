"""Twin: the real firmware in a real interpreter, with a pretended board around it.

The files in firmware/ run in MicroPython (or, where there is none, in CPython) behind a pty that
looks like the Pico's USB port. A Unix socket stands for the board: the simulator drives the inputs
and sees the bytes that the strip would get.

    with Twin(inputs=152, pixels=150, on_pixels=show) as twin:
        link = Link(twin.port, sensors, post)
        twin.drive(image)           # bit i is input i
        twin.unplug(); twin.plug()  # the cable: same port, the firmware starts anew

POSIX only; importing the module is harmless anywhere.
"""

import contextlib
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from hexboard.files import shipped
from hexboard.words.errors import HexboardError

HEAP = "192k"
"""What an RP2040 leaves to MicroPython."""


RESET = 75
"""How the firmware's process ends where a board would start anew (firmware/pins_sim.py)."""
WATCHDOG_S = 4.0
"""So long the firmware may not feed the watchdog. A Pico's bites after 2 s; but there nobody else
wants the processor."""

LONGEST_GAP_US = 100_000
"""Microseconds; a firmware that has slept for longer may see the rest of a pulse shortened."""


class NoTwinError(HexboardError, RuntimeError):
    """The firmware could not be started."""


def interpreter() -> list[str]:
    """The command that runs firmware: $HEXBOARD_MICROPYTHON, `micropython`, or this Python."""
    beside = Path(sys.executable).with_name("micropython")
    found = (
        os.environ.get("HEXBOARD_MICROPYTHON")
        or (str(beside) if beside.is_file() else None)
        or shutil.which("micropython")
    )
    return [found, "-X", f"heapsize={HEAP}"] if found else [sys.executable]


class Twin:
    """A board with `inputs` inputs and `pixels` pixels that runs the firmware in a process.

    `port` is what to give to a `Link`; it stays the same over `unplug` and `plug`. `on_pixels(rgb)`
    and `on_exit(reason)` are called from the twin's reader thread: three bytes a pixel (red, green,
    blue) whenever the strip shows something else, and once when the process dies without being told
    to (`unplug`, then `plug`, brings it back).
    `command` overrides `interpreter()`; `ticks` is where the device's 30-bit clock starts.
    """

    def __init__(
        self,
        inputs: int = 152,
        pixels: int = 150,
        on_pixels: Callable[[bytes], None] = lambda rgb: None,
        on_exit: Callable[[str], None] = lambda reason: None,
        command: list[str] | None = None,
        ticks: int = 0,
    ) -> None:
        self.inputs = inputs
        self.pixels = pixels
        self.on_pixels = on_pixels
        self.on_exit = on_exit
        self._command = command or interpreter()
        self._ticks = ticks
        self._image = bytes((inputs + 7) // 8)
        self._wrong = False
        self._cause = ""  # why it starts
        self._lock = threading.Lock()  # one writer at a time, and none while the cable is pulled
        self._run: _Run | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="hexboard-twin-")
        self.port = str(Path(self._folder.name) / "pico")
        try:
            self.plug()
        except BaseException:
            self._folder.cleanup()
            raise

    @property
    def interpreter(self) -> str:
        """The name of what runs the firmware: "micropython" or "python3.11"."""
        return Path(self._command[0]).name

    @property
    def pid(self) -> int | None:
        """The firmware's process; None while unplugged."""
        return self._run.process.pid if self._run else None

    def drive(self, image: bytes) -> None:
        """Set all inputs: bit i, lowest first, is input i. The firmware sees every image once, and
        the one before for at least half as long as it was set."""
        if len(image) != len(self._image):
            raise ValueError(f"an image of {self.inputs} inputs has {len(self._image)} bytes")
        with self._lock:
            self._image = bytes(image)
            if self._run:
                self._run.drive(self._image)

    def chain(self, right: bool) -> None:
        """Break the sensor chain, or mend it: while it is broken no input is seen."""
        with self._lock:
            self._wrong = not right
            if self._run:
                self._run.send(b"C", bytes((self._wrong,)))

    def plug(self) -> None:
        """Give it power: the firmware starts, and sees the inputs as they are."""
        with self._lock:
            if self._run is None:
                self._run = _Run(self)
                if self._wrong:
                    self._run.send(b"C", b"\1")
                self._run.drive(self._image)
                self._run.thread.start()

    def unplug(self) -> None:
        """Pull the cable: the port is gone, the firmware forgets everything."""
        with self._lock:
            run, self._run, self._cause = self._run, None, ""
        if run:
            run.stop()

    def fault(self, kind: int) -> None:
        """For tests: 1 an exception in the firmware, 2 a turn that does not end, more: so many ms
        that each look at the inputs takes."""
        with self._lock:
            if self._run:
                self._run.send(b"F", bytes((kind,)))
                self._run.drive(self._image)

    def _reset(self, dead: "_Run", cause: str) -> None:
        """A board starts anew by itself: so does its firmware, with the power on all the time."""
        with self._lock:
            if self._run is not dead:  # the cable was pulled meanwhile
                return
            self._run = None
        dead.stop()
        self._cause = cause
        try:
            self.plug()
        except NoTwinError as error:
            self.on_exit(str(error))

    def close(self) -> None:
        """Unplug, and take the port away."""
        self.unplug()
        self._folder.cleanup()

    def __enter__(self) -> "Twin":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _environment(self, address: str) -> dict[str, str]:
        return os.environ | {
            "HEXBOARD_TWIN": address,
            "HEXBOARD_INPUTS": str(self.inputs),
            "HEXBOARD_PIXELS": str(self.pixels),
            "HEXBOARD_TICKS": str(self._ticks),
            "HEXBOARD_KEPT": str(Path(self._folder.name) / "ended.txt"),
            "HEXBOARD_RESET": self._cause,
        }


class _Run:
    """One process from power-on to power-off: pty, socket, reader thread."""

    def __init__(self, twin: Twin) -> None:
        import pty
        import tty

        self.twin = twin
        self.stopped = False
        self.drove = time.monotonic_ns()
        folder = Path(twin.port).parent
        address = folder / "board"
        address.unlink(missing_ok=True)
        master, self.slave = pty.openpty()  # our slave keeps the pty alive without a link
        self.errors = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115  closed in stop()
        tty.setraw(self.slave)
        os.set_blocking(master, False)
        try:
            with socket.socket(socket.AF_UNIX) as door:
                door.bind(str(address))
                door.listen(1)
                door.settimeout(0.1)
                try:
                    self.process = subprocess.Popen(
                        [*twin._command, "twin.py"],
                        cwd=shipped("firmware"),
                        env=twin._environment(str(address)),
                        stdin=master,
                        stdout=master,
                        stderr=self.errors,
                        start_new_session=True,  # Ctrl-C is for the daemon
                    )
                except OSError as error:
                    why = f"{error.filename}: {error.strerror}"
                    raise NoTwinError("simulator.twin", why=why) from None
                try:
                    self.board = self._answered(door)
                except BaseException:
                    self.process.kill()
                    self.process.wait()
                    raise
        except BaseException:
            os.close(self.slave)
            self.errors.close()
            raise
        finally:
            os.close(master)
        self.board.settimeout(None)
        self.strip = b""  # what was written to it last
        self.fed: float | None = None  # when the watchdog was, once it watches
        link = Path(twin.port)
        link.unlink(missing_ok=True)
        link.symlink_to(os.ttyname(self.slave))
        self.thread = threading.Thread(target=self._read, name="twin", daemon=True)

    def _answered(self, door: socket.socket) -> socket.socket:
        """The board's end of the socket, once the firmware has come to the door."""
        for _ in range(100):
            with contextlib.suppress(TimeoutError):
                return door.accept()[0]
            if self.process.poll() is not None:
                break
        why = self.last_words().removeprefix(": ") or "it says nothing"
        raise NoTwinError("simulator.twin", why=why)

    def drive(self, image: bytes) -> None:
        now = time.monotonic_ns()
        # Half of it: all of it would let a delay once suffered stay for ever.
        gap, self.drove = min((now - self.drove) // 2000, LONGEST_GAP_US), now
        self.send(b"I", gap.to_bytes(4, "little") + image)

    def send(self, kind: bytes, body: bytes) -> None:
        with contextlib.suppress(OSError):  # it died: the reader says so
            self.board.sendall(kind + len(body).to_bytes(2, "little") + body)

    def stop(self) -> None:
        """End the process and give everything back."""
        self.stopped = True
        Path(self.twin.port).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self.board.shutdown(socket.SHUT_RDWR)
        if self.thread is not threading.current_thread():
            self.thread.join(timeout=2)
        try:
            self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.board.close()
        self.errors.close()
        self._hang_up()

    def _hang_up(self) -> None:
        slave, self.slave = self.slave, -1
        if slave >= 0:
            os.close(slave)

    def _read(self) -> None:
        mail = b""
        bitten = False
        with contextlib.suppress(OSError):
            while not bitten:
                ready, _, _ = select.select([self.board], [], [], WATCHDOG_S / 8)
                if not ready:
                    bitten = self.fed is not None and time.monotonic() - self.fed > WATCHDOG_S
                    continue
                if not (came := self.board.recv(65536)):
                    break
                mail = self._heard(mail + came)
        if self.stopped:
            return
        if bitten:
            self.process.kill()
        code = self.process.wait()
        Path(self.twin.port).unlink(missing_ok=True)
        self._hang_up()
        if bitten or code == RESET:
            self.twin._reset(self, "watchdog" if bitten else "")
            return
        how = f"was killed (signal {-code})" if code < 0 else f"ended ({code})"
        self.twin.on_exit(f"the firmware twin {how}{self.last_words()}")

    def _heard(self, mail: bytes) -> bytes:
        """Take in the messages that are whole; what is left."""
        while len(mail) >= 3 and len(mail) >= (end := 3 + (mail[1] | mail[2] << 8)):
            if mail[:1] == b"P" and mail[3:end] != self.strip:
                self.strip = mail[3:end]
                self.twin.on_pixels(rgb(self.strip))
            elif mail[:1] == b"W":
                self.fed = time.monotonic()
            mail = mail[end:]
        return mail

    def last_words(self) -> str:
        """The last line the process wrote to its standard error."""
        self.errors.seek(0)
        lines = self.errors.read().decode("utf-8", "replace").split("\n")
        return next((f": {line}" for line in reversed(lines) if line.strip()), "")


def rgb(grb: bytes) -> bytes:
    """Red, green, blue from what a WS2812B wants: green, red, blue."""
    out = bytearray(grb)
    out[0::3], out[1::3] = grb[1::3], grb[0::3]
    return bytes(out)

"""Device: a camera over a board as a source of reports, in a process of its own.

    watching = Watching(board, looks(game), "/dev/video0", lens, held, kit, mailbox.post, show, dip)
    watching.lit(cells)             # these cells' lights are on
    watching.close()

Decoding and reading never keep the referee from a ball, and a decoder that crashes takes nobody
with it. The process ends when its pipe does, so none is left behind.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection

import cv2

from controller.board import Board
from controller.facts import Body, Presence, Reading, Report
from controller.vision.appearance import Kit, Look
from controller.vision.camera import Camera
from controller.vision.capture import Capture
from controller.vision.controls import Controls
from controller.vision.eye import Eye
from controller.vision.lamps import Lamps, Lit
from controller.vision.light import Picture
from controller.words import Message, message, say

SOURCE = "camera"
PACE = 60_000_000
"""Frames that follow the last one sooner are let go, ns: a board is no faster than a hand."""
VIEW = 1_000_000_000
"""Between two pictures for people, ns."""
AGAIN = 2.0
"""Seconds until a process that ended is started again."""

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What a terminal or systemd sends to all processes; it is the referee's to answer."""

Post = Callable[[Report], None]
Show = Callable[[bytes], None]


class Watching:
    """A camera as the source of reports `camera`: `Reading`s, and `Presence` with the reason where
    it has none, or cannot find the board. `show` gets a JPEG picture a second; `dip` is told when
    the board's lights should be off."""

    def __init__(
        self,
        board: Board,
        kinds: tuple[Look, ...],
        camera: str,
        lens: Camera,
        held: Controls,
        kit: Kit,
        post: Post,
        show: Show,
        dip: Callable[[bool], None],
    ) -> None:
        self._job = board, kinds, camera, lens, held, kit
        self._post, self._show, self._dip = post, show, dip
        self._pipe: Connection | None = None
        self._lit = Lit(0, ())
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def lit(self, cells: tuple[int, ...]) -> None:
        """From now on the lights of these cells are on, and no others."""
        self._lit = Lit(time.monotonic_ns(), cells)
        with contextlib.suppress(OSError):  # the process has just ended: the next one is told
            if self._pipe is not None:
                self._pipe.send(self._lit)

    def close(self) -> None:
        """Stop, and give the camera back."""
        self._closing.set()
        self._thread.join(timeout=5)

    def _run(self) -> None:
        """Keep a process at it, and pass on what it says."""
        spawn = multiprocessing.get_context("spawn")
        resource_tracker.ensure_running()  # its start would undo the next line
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)  # the process inherits that
        while not self._closing.is_set():
            ours, theirs = spawn.Pipe()
            process = spawn.Process(target=_attend, args=(theirs, *self._job), daemon=True)
            process.start()
            theirs.close()
            with contextlib.suppress(EOFError, OSError):
                ours.send(self._lit)
                self._pipe = ours
                self._listen(ours)
            self._pipe = None
            ours.close()
            self._dip(False)
            process.join(0 if self._closing.is_set() else 1)
            process.kill()
            process.join()
            if process.exitcode and not self._closing.is_set():
                why = say(message("camera.stopped", code=str(process.exitcode)))
                self._post(Report(SOURCE, time.monotonic_ns(), Reading()))
                self._post(Report(SOURCE, time.monotonic_ns(), Presence(False, why)))
            self._closing.wait(AGAIN)

    def _listen(self, ours: Connection) -> None:
        """Raises `EOFError` when the process has ended."""
        while not self._closing.is_set():
            if ours.poll(0.1):
                match ours.recv():
                    case bytes(picture):
                        self._show(picture)
                    case bool(dark):
                        self._dip(dark)
                    case Report() as report:
                        self._post(report)


# ------------------------------------------------------------------------------- in the process


def _attend(
    pipe: Connection,
    board: Board,
    kinds: tuple[Look, ...],
    name: str,
    lens: Camera,
    held: Controls,
    kit: Kit,
) -> None:
    """Look until the pipe is closed."""
    watcher = Watcher(Eye(board, kinds, lens, kit), name, pipe.send, pipe.send, pipe.send)
    threading.Thread(target=_hear, args=(pipe, watcher.lamps), daemon=True).start()
    try:
        capture = Capture(name, lens.size, watcher.trouble, held)
        for frame in capture.frames():
            watcher.note = capture.loose
            watcher.look(frame.image, frame.t)
    except ConnectionError:  # nobody listens any more
        return
    except Exception as error:  # a mistake of ours, or OpenCV's: no picture is worth a traceback
        why = str(error).splitlines() or [type(error).__name__]
        watcher.trouble(message("camera.failed", why=why[0][:200]))


def _hear(pipe: Connection, lamps: Lamps) -> None:
    """Take in what lights are on. End this process when nobody listens any more, whatever a driver
    is waiting for."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            lamps.switch(pipe.recv())
    os._exit(0)


class Watcher:
    """What an eye sees and a camera suffers, as reports; each thing is said once. `dip` hears when
    the board's lights should be off, and when they need not be any longer."""

    def __init__(
        self, eye: Eye, name: str, post: Post, show: Show, dip: Callable[[bool], None]
    ) -> None:
        self._eye, self._name = eye, name
        self._post, self._show, self._dip = post, show, dip
        self.lamps = Lamps()
        self._dark = False
        self.note: Message | None = None
        """What people should know of a camera that can be read."""
        self._presence: Presence | None = None
        self._last = -PACE
        self._shown = -VIEW

    def look(self, picture: Picture, t: int) -> None:
        """Take in a frame exposed at `t`, board ns."""
        if t - self._shown >= VIEW:
            self._shown = t
            self._show(cv2.imencode(".jpg", picture)[1].tobytes())
        height, width = picture.shape[:2]
        if (width, height) != self._eye.camera.size:
            wanted = "{} x {}".format(*self._eye.camera.size)
            size = f"{width} x {height}"
            self.trouble(message("camera.size", camera=self._name, size=size, wanted=wanted))
        elif t - self._last >= PACE:
            self._last = t
            told = self._eye.look(picture, self.lamps.at(t))
            self._darken()
            self._tell(told, t)
            why = self._eye.trouble or self.note
            self._be(Presence(True, say(why) if why else ""), t)

    def trouble(self, why: Message | None) -> None:
        """The camera has none to give, for this reason; None: it has again."""
        if why is not None:
            now = time.monotonic_ns()
            self._tell(self._eye.blind(), now)
            self._darken()
            self._be(Presence(False, say(why)), now)

    def _darken(self) -> None:
        if self._eye.wants_dark != self._dark:
            self._dark = self._eye.wants_dark
            self._dip(self._dark)

    def _tell(self, cells: tuple[tuple[tuple[int, int], ...], ...] | None, t: int) -> None:
        if cells is not None:
            self._say(Reading(cells), t)

    def _be(self, presence: Presence, t: int) -> None:
        if presence != self._presence:
            self._presence = presence
            self._say(presence, t)

    def _say(self, body: Body, t: int) -> None:
        self._post(Report(SOURCE, t, body))

"""Device: a camera over a board as a source of reports, in a process of its own.

    watching = Watching(
        board, looks(game), "/dev/video0", lens, held, before, kit, mailbox.post, show, wish
    )
    watching.lit(cells, True, False)        # these cells' lights are on
    watching.knows(places)                  # balls lie there
    watching.follows(tint)                  # the light of the evening
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
from collections import deque
from collections.abc import Callable
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection

import cv2
from msgspec import Struct
from msgspec.structs import replace

from hexboard.appearance import Kit, Look
from hexboard.board import Board
from hexboard.facts import Body, Presence, Reading, Report, Tint
from hexboard.vision.camera.capture import Capture
from hexboard.vision.camera.controls import Controls
from hexboard.vision.eye import Eye
from hexboard.vision.frame import Picture, spoken
from hexboard.vision.geometry import Camera, Pose
from hexboard.vision.lamps import Lamps, Lit
from hexboard.vision.shot import Shot, taken
from hexboard.words import Message, message, say

SOURCE = "camera"
PACE_NS = 60_000_000
"""A frame that follows the last one sooner is let go: a board is no faster than a hand."""
VIEW_NS = 1_000_000_000
"""Between two pictures for people."""
SOON_S = 0.02
"""Seconds until the process hears of lights: much less than they take to be seen."""
WELL_NS = 3_000_000_000
"""So long only pictures of the right size must come until one is read again: some streams take
turns."""
SWITCHES = 100
"""Switched lights and balls at rest that wait for it, at most."""
HUNG_NS = 15_000_000_000
"""A process that gave pictures, and then nothing for so long, hangs: of a camera that goes it
would have told. To aim at a bumped board takes it half a second on a server, more on a Pi."""
OPENING_NS = 30_000_000_000
"""So long one may take from its start until it says anything: it loads OpenCV and opens a
camera."""
AGAIN_S = 2.0
"""Seconds until a process that ended is started again."""

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What a terminal or systemd sends to all processes; it is the referee's to answer."""


class Known(Struct, frozen=True):
    """Where balls are known to lie; None while they roll."""

    places: tuple[str, ...] | None


Post = Callable[[Report], None]
Show = Callable[[bytes], None]


class Watching:
    """A camera as the source of reports `camera`: `Reading`s, and `Presence` with the reason where
    it has none, or cannot find the board. `show` gets a JPEG picture a second; `wish` is told what
    the board's lights should show the camera; `keep` gets each picture that was read, after its
    reading."""

    def __init__(
        self,
        board: Board,
        kinds: tuple[Look, ...],
        camera: str,
        lens: Camera,
        held: Controls,
        before: Pose | None,
        kit: Kit,
        post: Post,
        show: Show,
        wish: Callable[[str], None],
        keep: Callable[[Shot], None] | None = None,
    ) -> None:
        self._job = board, kinds, camera, lens, held, before, kit, keep is not None
        self._post, self._show, self._wish, self._keep = post, show, wish, keep
        self._lit = Lit(0, ())
        self._known, self._tint = Known(()), Tint()
        self._news: deque[Lit | Known | Tint] = deque(maxlen=SWITCHES)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def lit(self, cells: tuple[int, ...], up: bool, every: bool) -> None:
        """From now on the lights of these cells are on, and no others; `up`: there are lights that
        do as they are told; `every`: all are on because that was wished."""
        self._lit = Lit(time.monotonic_ns(), cells, up, every)
        self._news.append(self._lit)

    def knows(self, places: tuple[str, ...] | None) -> None:
        """From now on balls are known to lie at these places; None while they roll."""
        if places != self._known.places:
            self._known = Known(places)
            self._news.append(self._known)

    def follows(self, tint: Tint) -> None:
        """From now on read in these colours."""
        if tint != self._tint:
            self._tint = tint
            self._news.append(tint)

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
            why = None
            try:
                ours.send(self._lit)
                ours.send(self._known)
                ours.send(self._tint)
                self._listen(ours)
            except TimeoutError as error:
                why = message("camera.hung", seconds=error.args[0] // 1_000_000_000)
            except (EOFError, OSError):
                process.join(1)
            ours.close()
            self._wish("")
            process.kill()
            process.join()
            if self._closing.is_set():
                return
            if why is None and process.exitcode:
                why = message("camera.stopped", code=str(process.exitcode))
            if why is not None:
                self._post(Report(SOURCE, time.monotonic_ns(), Reading()))
                self._post(Report(SOURCE, time.monotonic_ns(), Presence(False, say(why))))
            self._closing.wait(AGAIN_S)

    def _listen(self, ours: Connection) -> None:
        """Raises `EOFError` when the process has ended, `TimeoutError`, with how long it was given,
        ns, when it hangs."""
        heard, most = time.monotonic_ns(), OPENING_NS
        while not self._closing.is_set():
            while self._news:
                ours.send(self._news.popleft())
            if not ours.poll(SOON_S):
                if most and time.monotonic_ns() - heard > most:
                    raise TimeoutError(most)
            else:
                said, heard = ours.recv(), time.monotonic_ns()
                match said:
                    case bytes(picture):
                        most = HUNG_NS
                        self._show(picture)
                    case str(wish):
                        self._wish(wish)
                    case Report() as report:
                        if isinstance(report.body, Presence):  # without a camera it is silent
                            most = HUNG_NS if report.body.up else 0
                        self._post(report)
                    case Shot() as shot if self._keep is not None:
                        self._keep(shot)


# ------------------------------------------------------------------------------- in the process


def _attend(
    pipe: Connection,
    board: Board,
    kinds: tuple[Look, ...],
    name: str,
    lens: Camera,
    held: Controls,
    before: Pose | None,
    kit: Kit,
    keeping: bool,
) -> None:
    """Look until the pipe is closed."""
    eye, send = Eye(board, kinds, lens, kit, before), pipe.send
    watcher = Watcher(eye, name, send, send, send, send if keeping else None)
    threading.Thread(target=_hear, args=(pipe, watcher), daemon=True).start()
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


def _hear(pipe: Connection, watcher: "Watcher") -> None:
    """Take in what lights are on and where balls lie. End this process when nobody listens any
    more, whatever a driver is waiting for."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            match pipe.recv():
                case Lit() as lit:
                    watcher.lamps.switch(lit)
                case Known(places):
                    watcher.eye.known = places
                case Tint() as tint:
                    watcher.eye.tint = tint
    os._exit(0)


class Watcher:
    """What an eye sees and a camera suffers, as reports; each thing is said once. `wish` hears
    what the board's lights should show (`Eye.wish`); `keep` gets what was read."""

    def __init__(
        self,
        eye: Eye,
        name: str,
        post: Post,
        show: Show,
        wish: Callable[[str], None],
        keep: Callable[[Shot], None] | None = None,
    ) -> None:
        self.eye, self._name = eye, spoken(name)
        self._post, self._show, self._wish, self._keep = post, show, wish, keep
        self.lamps = Lamps()
        self._wished = ""
        self.note: Message | None = None
        """What people should know of a camera that can be read."""
        self._presence: Presence | None = None
        self._last = -PACE_NS
        self._shown = -VIEW_NS
        self._odd = -WELL_NS  # when a picture of another size came last, ns

    def look(self, picture: Picture, t: int) -> None:
        """Take in a frame exposed at `t`, board ns."""
        if t - self._shown >= VIEW_NS:
            self._shown = t
            self._show(cv2.imencode(".jpg", picture)[1].tobytes())
        height, width = picture.shape[:2]
        if (width, height) != self.eye.camera.size:
            wanted = "{} x {}".format(*self.eye.camera.size)
            size = f"{width} x {height}"
            self._odd = t
            self.trouble(message("camera.size", camera=self._name, size=size, wanted=wanted))
        elif t - self._last >= PACE_NS and t - self._odd >= WELL_NS:
            self._last = t
            told = self.eye.look(picture, t, self.lamps.at(t))
            self._ask(self.eye.wish)
            self._tell(told, t)
            if told and self._keep is not None and (pose := self.eye.pose) is not None:
                eye = self.eye
                shot = taken(
                    t,
                    picture,
                    eye.board,
                    eye.camera,
                    pose,
                    told,
                    certain=eye.balls is not None,
                    resting=eye.resting,
                )
                self._keep(replace(shot, tint=eye.read_by))
            why = self.eye.trouble or self.note
            self._be(Presence(True, say(why) if why else ""), t)

    def trouble(self, why: Message | None) -> None:
        """The camera has none to give, for this reason; None: it has again."""
        if why is not None:
            now = time.monotonic_ns()
            self._tell(self.eye.blind(), now)
            self._ask("")  # it sees nothing of what it wished for
            self._be(Presence(False, say(why)), now)

    def _ask(self, wish: str) -> None:
        if wish != self._wished:
            self._wished = wish
            self._wish(wish)

    def _tell(self, cells: tuple[tuple[tuple[int, int], ...], ...] | None, t: int) -> None:
        if cells is not None:
            self._say(self._reading(cells) if cells else Reading(), t)

    def _reading(self, cells: tuple[tuple[tuple[int, int], ...], ...]) -> Reading:
        eye = self.eye
        return Reading(cells, eye.balls, eye.samples, eye.read_by.version)

    def _be(self, presence: Presence, t: int) -> None:
        if presence != self._presence:
            self._presence = presence
            self._say(presence, t)

    def _say(self, body: Body, t: int) -> None:
        self._post(Report(SOURCE, t, body))

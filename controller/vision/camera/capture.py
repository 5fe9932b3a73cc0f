"""Capture: pictures from a camera of the kernel, the Pi's own, or an MJPEG stream.

    held, _ = settled("/dev/video0", (1280, 720))
    for frame in Capture("/dev/video0", (1280, 720), said, held).frames(): …

`said` hears a message when the camera goes, freezes or cannot be opened, and None when it is back.
A frame's time is that of its exposure as far as the source tells, else of its arrival.
"""

import os
import select
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from hexboard.vision.camera import v4l2
from hexboard.vision.camera.controls import FREE, Controls, of_text, options
from hexboard.vision.camera.mjpeg import PASSED_PARTS, Stream
from hexboard.vision.frame import BadCamera, Frame, Picture, quietly, spoken
from hexboard.words import Message, message

FROZEN_S = 2.0
"""A live camera that gives the very same picture for this long stands still."""
SILENT_S = 5.0
"""So long the Pi's program may take for a picture."""
PI_ROW = 64
"""Pixels: the Pi's program pads rows to a multiple of this, and tells nobody where they end."""
TABLES = tuple(np.rint(np.linspace(16, top, 256)).astype(np.uint8) for top in (235, 240))
"""What OpenCV takes for brightness and for colours, by what the Pi's program gives: from 0 to 255,
since it asks for JPEG's colours (sYCC)."""
PI_WAITING = 6
"""So many pictures wait in the Pi's program for who does not read them in time."""
NEXT_MS = 1
"""Milliseconds that it may take from one of these to the next."""
PAUSE_S = 1.0
"""Between tries to open a camera."""
SETTLING_S = 2.0
"""How long a camera may judge the light by itself."""
PI = "rpicam"
"""The source name of the Pi's own camera."""

TOLD = "metadata.json"
"""Where `rpicam-vid` writes what it settles on."""
V4L2_MANUAL = 1
"""The kernel's V4L2_EXPOSURE_MANUAL."""
V4L2_AUTOMATIC = 3
"""Its V4L2_EXPOSURE_APERTURE_PRIORITY: what webcams have for automatic."""
V4L2_TICK_US = 100.0
"""What the kernel counts exposure in, µs."""
V4L2_STEP = 0.1
"""A camera has steps: a control so near to what was wanted is taken for it."""

Said = Callable[[Message | None], None]


class Source(Protocol):
    """What gives frames until it is closed; `read` raises `BadCamera` when it cannot."""

    loose: tuple[str, ...]
    """What it was to hold and cannot, in words."""

    def read(self) -> Frame: ...
    def controls(self) -> Controls:
        """How it exposes just now, as far as it tells."""
        ...

    def close(self) -> None: ...


class Capture:
    """A live camera's frames, for ever: it is opened again whenever it goes."""

    def __init__(
        self,
        name: str,
        size: tuple[int, int],
        said: Said,
        held: Controls = FREE,
        pause: float = PAUSE_S,
    ) -> None:
        self.name = name
        self.size = size
        self.said = said
        self.held = held
        self.pause = pause
        self.closed = False
        self.loose: Message | None = None
        """What of `held` the camera cannot hold."""
        self._trouble: Message | None = None

    def frames(self) -> Iterator[Frame]:
        while not self.closed:
            try:
                source = opened(self.name, self.size, self.held)
            except BadCamera as error:
                self._say(error.message)
                time.sleep(self.pause)
                continue
            what = ", ".join(source.loose)
            loose = message("camera.loose", camera=spoken(self.name), what=what)
            self.loose = loose if what else None
            try:
                yield from self._read(source)
            except BadCamera as error:
                self._say(error.message)
            finally:
                source.close()

    def close(self) -> None:
        """End after the frame that is under way."""
        self.closed = True

    def _read(self, source: Source) -> Iterator[Frame]:
        last, since = b"", 0
        while not self.closed:
            frame = source.read()
            sample = frame.image[::16, ::16].tobytes()
            if sample != last:
                last, since = sample, frame.t
                self._say(None)
            elif frame.t - since > FROZEN_S * 1e9:
                key = "camera.frozen_stream" if "://" in self.name else "camera.frozen"
                self._say(message(key, camera=spoken(self.name)))
                continue
            yield frame

    def _say(self, trouble: Message | None) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            self.said(trouble)


def opened(name: str, size: tuple[int, int], held: Controls = FREE) -> Source:
    """A live camera by its name. Raises `BadCamera`."""
    if name == PI:
        return PiCamera(size, held)
    if name.startswith("http://"):
        return Stream(name, held)
    return Video(name, size, held)


def settled(
    name: str, size: tuple[int, int], seconds: float = SETTLING_S
) -> tuple[Controls, Frame]:
    """What a camera makes of the light before it when it is left to itself for so long, and its
    last picture. Raises `BadCamera`."""
    source = PiCamera(size, FREE, telling=True) if name == PI else opened(name, size)
    try:
        if isinstance(source, Video):
            source.free()
        frame = source.read()  # until this comes its program starts, and sees no light
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            frame = source.read()
        return source.controls(), frame
    finally:
        source.close()


# -------------------------------------------------------------------------------------- cameras


class Video:
    """A camera of the kernel (V4L2) or an MJPEG stream, through OpenCV."""

    def __init__(self, name: str, size: tuple[int, int], held: Controls = FREE) -> None:
        self.name = name
        self.stream = "://" in name
        if self.stream:
            waits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 5000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 3000]
            self.video = cv2.VideoCapture(name, cv2.CAP_FFMPEG, waits)
        else:
            if not os.access(name, os.R_OK | os.W_OK):
                raise _unfit(name)
            self.video = cv2.VideoCapture(name, cv2.CAP_V4L2)
        if not self.video.isOpened():
            if not self.stream and not v4l2.pictures(name):
                raise _unfit(name)
            if self.stream:
                raise BadCamera("camera.no_answer", camera=spoken(name), why="no pictures")
            raise BadCamera("camera.closed", camera=name)
        if not self.stream:
            self.video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            self.video.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
            self.video.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
            self.video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self.loose = held.names if self.stream else self._hold(held)

    def read(self) -> Frame:
        for _ in range(PASSED_PARTS):
            if not self.video.grab():
                break
            (ok, image), torn = quietly(self.video.retrieve)
            if ok and image is not None and not torn:
                return Frame(self._exposed(time.monotonic_ns()), np.asarray(image, np.uint8))
            if not torn:
                break
        else:
            raise BadCamera("camera.torn_stream", camera=spoken(self.name))
        raise BadCamera("camera.gone", camera=spoken(self.name))

    def controls(self) -> Controls:
        if self.stream:
            return FREE
        known = (cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_GAIN, cv2.CAP_PROP_WB_TEMPERATURE)
        exposure, gain, white = (self.video.get(which) for which in known)
        return Controls(
            exposure * V4L2_TICK_US if exposure > 0 else None,
            gain if gain >= 0 else None,
            (white,) if white > 0 else (),
        )

    def close(self) -> None:
        self.video.release()

    def free(self) -> None:
        """Let the camera judge the light, and focus, by itself, whatever it was held at before."""
        if not self.stream:
            self.video.set(cv2.CAP_PROP_AUTOFOCUS, 1)
            self.video.set(cv2.CAP_PROP_AUTO_EXPOSURE, V4L2_AUTOMATIC)
            self.video.set(cv2.CAP_PROP_AUTO_WB, 1)
            v4l2.put(self.name, v4l2.AUTOGAIN, 1)

    def _hold(self, held: Controls) -> tuple[str, ...]:
        """Switch the camera's own judgement off and set what is held; what it did not take."""
        loose = []
        if held.exposure is not None:
            self.video.set(cv2.CAP_PROP_AUTO_EXPOSURE, V4L2_MANUAL)
            self.video.set(cv2.CAP_PROP_EXPOSURE, round(held.exposure / V4L2_TICK_US))
            if self.video.get(cv2.CAP_PROP_AUTO_EXPOSURE) != V4L2_MANUAL or not self._has(
                cv2.CAP_PROP_EXPOSURE, held.exposure / V4L2_TICK_US
            ):
                loose.append("exposure")
        if held.gain is not None:
            v4l2.put(self.name, v4l2.AUTOGAIN, 0)  # many have none: their gain stays as it is set
            self.video.set(cv2.CAP_PROP_GAIN, held.gain)
            if not self._has(cv2.CAP_PROP_GAIN, held.gain):
                loose.append("gain")
        if held.white:
            self.video.set(cv2.CAP_PROP_AUTO_WB, 0)
            self.video.set(cv2.CAP_PROP_WB_TEMPERATURE, held.white[0])
            if self.video.get(cv2.CAP_PROP_AUTO_WB) != 0 or not self._has(
                cv2.CAP_PROP_WB_TEMPERATURE, held.white[0]
            ):
                loose.append("white balance")
        if held != FREE:  # it stays as sharp as it is: it would focus on the next hand
            self.video.set(cv2.CAP_PROP_AUTOFOCUS, 0)
        if held.focus is not None or (  # in dioptres: a Pi's
            held != FREE and self.video.get(cv2.CAP_PROP_AUTOFOCUS) > 0
        ):
            loose.append("focus")
        return tuple(loose)

    def _has(self, which: int, value: float) -> bool:
        """Whether a control reads as it was set, or as near as the camera's steps come."""
        return abs(self.video.get(which) - value) <= max(1.0, V4L2_STEP * abs(value))

    def _exposed(self, now: int) -> int:
        """The kernel's stamp where it is one of this clock, else the arrival."""
        stamp = int(self.video.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
        return stamp if 0 <= now - stamp < 1_000_000_000 else now


class PiCamera:
    """The Pi's own camera: raw YUV from `rpicam-vid`, in a process of its own, which gives the
    oldest picture first (its encoder/null_encoder.cpp): of those that wait the last is taken. Only
    one that is `telling` knows its controls: for that the program writes a file that grows."""

    def __init__(self, size: tuple[int, int], held: Controls = FREE, telling: bool = False) -> None:
        program = shutil.which("rpicam-vid") or shutil.which("libcamera-vid")
        if program is None:
            raise BadCamera("camera.no_rpicam")
        if size[0] % PI_ROW:
            across = max(PI_ROW, size[0] // PI_ROW * PI_ROW)
            fits = f"{across} x {round(size[1] * across / size[0] / 2) * 2}"
            raise BadCamera("camera.rpicam_rows", size="{} x {}".format(*size), fits=fits)
        self.loose = _loose(held)
        self._folder = tempfile.TemporaryDirectory() if telling else None
        tell = ("--metadata", str(Path(self._folder.name, TOLD))) if self._folder else ()
        width, height = (str(side) for side in size)
        how = ["--codec", "yuv420", "--timeout", "0", "--nopreview", "--flush", "--output", "-"]
        how += ["--verbose=0", "--width", width, "--height", height]
        self.process = subprocess.Popen(
            [program, *how, *options(held), *tell],
            bufsize=0,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._ready = select.poll()
        assert self.process.stdout is not None
        self._ready.register(self.process.stdout, select.POLLIN)
        self._planes = np.empty((size[1] * 3 // 2, size[0]), np.uint8)
        self._said = b""
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def read(self) -> Frame:
        for _ in range(PI_WAITING):
            left = memoryview(self._planes.data).cast("B")
            while left:
                left = left[self._take(left) :]
            if not any(event & select.POLLIN for _, event in self._ready.poll(NEXT_MS)):
                break
        now = time.monotonic_ns()
        return Frame(now, in_bgr(self._planes))

    def controls(self) -> Controls:
        file = Path(self._folder.name, TOLD) if self._folder else None
        return of_text(file.read_text("utf-8")) if file and file.exists() else FREE

    def close(self) -> None:
        with self.process:
            self.process.kill()
            self._listener.join()
        if self._folder:
            self._folder.cleanup()

    def _take(self, data: memoryview) -> int:
        """Fill the beginning of `data`; how much of it."""
        if not self._ready.poll(SILENT_S * 1000):
            raise BadCamera("camera.silent", seconds=round(SILENT_S))
        assert self.process.stdout is not None
        count = os.readv(self.process.stdout.fileno(), [data])
        if not count:
            self._listener.join(SILENT_S)
            lines = self._said.decode("utf-8", "replace").strip().splitlines()
            raise BadCamera("camera.rpicam", why=lines[-1][:200] if lines else "?")
        return count

    def _listen(self) -> None:
        """Keep what the program says last; one that nobody listens to would stand still."""
        assert self.process.stderr is not None
        while said := self.process.stderr.read(select.PIPE_BUF):
            self._said = (self._said + said)[-select.PIPE_BUF :]


def in_bgr(planes: NDArray[np.uint8]) -> Picture:
    """A picture of the Pi's program: Y, Cb and Cr, of a fourth of the size, below each other."""
    colours = len(planes) * 2 // 3  # from this row on
    parts = zip((planes[:colours], planes[colours:]), TABLES, strict=True)
    fit = np.vstack([cv2.LUT(part, to) for part, to in parts])
    return np.asarray(cv2.cvtColor(fit, cv2.COLOR_YUV2BGR_I420), np.uint8)


def _unfit(name: str) -> BadCamera:
    """Why this is no camera for us, and which ones are here."""
    here = ", ".join(v4l2.cameras())
    if not Path(name).exists():
        if here:
            return BadCamera("camera.absent_here", camera=name, here=here)
        return BadCamera("camera.absent", camera=name)
    if not os.access(name, os.R_OK | os.W_OK):
        return BadCamera("camera.forbidden", camera=name)
    if here:
        return BadCamera("camera.no_pictures_here", camera=name, here=here)
    return BadCamera("camera.no_pictures_from", camera=name)


def _loose(held: Controls) -> tuple[str, ...]:
    """What a Pi's camera cannot take: a white balance that another camera counted in K."""
    return () if len(held.white) in (0, 2) else ("white balance",)

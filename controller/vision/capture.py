"""Capture: pictures from a camera, an MJPEG stream, the Pi's own camera, a file or a folder.

    for frame in Capture("/dev/video0", (1280, 720), said).frames(): …

`said` hears a message when the camera goes, freezes or cannot be opened, and None when it is back.
A frame's time is that of its exposure as far as the source tells, else of its arrival.
"""

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Protocol

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from controller.errors import HexboardError
from controller.words import Message, message

SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".webp")
MOST_PIXELS = 25_000_000
FROZEN = 2.0
"""A live camera that gives the very same picture for this long stands still, s."""
PAUSE = 1.0
"""Between tries to open a camera, s."""
PI = "rpicam"
"""The source name of the Pi's own camera."""

Picture = NDArray[np.uint8]
Said = Callable[[Message | None], None]


class BadCamera(HexboardError, OSError):
    """A camera that cannot be opened, or is gone."""


class BadPicture(HexboardError, ValueError):
    """A file that is no picture, or one too large."""


class Frame(Struct, frozen=True, eq=False):
    """One picture."""

    t: int
    """When it was exposed, monotonic ns."""
    image: Picture
    """BGR, (height, width, 3)."""
    name: str = ""
    """Its file, where it comes from one."""


class Source(Protocol):
    """What gives frames until it is closed; `read` raises `BadCamera` when it cannot."""

    def read(self) -> Frame: ...
    def close(self) -> None: ...


class Capture:
    """A live camera's frames, for ever: it is opened again whenever it goes."""

    def __init__(self, name: str, size: tuple[int, int], said: Said, pause: float = PAUSE) -> None:
        self.name = name
        self.size = size
        self.said = said
        self.pause = pause
        self.closed = False
        self._trouble: Message | None = None

    def frames(self) -> Iterator[Frame]:
        while not self.closed:
            try:
                source = opened(self.name, self.size)
            except BadCamera as error:
                self._say(error.message)
                time.sleep(self.pause)
                continue
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
            elif frame.t - since > FROZEN * 1e9:
                self._say(message("camera.frozen", camera=self.name))
                continue
            yield frame

    def _say(self, trouble: Message | None) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            self.said(trouble)


def opened(name: str, size: tuple[int, int]) -> Source:
    """A live camera by its name. Raises `BadCamera`."""
    if name == PI:
        return PiCamera(size)
    return Video(name, size)


# ------------------------------------------------------------------------------------- pictures


def pictures(path: Path) -> Iterator[Frame]:
    """The picture in a file, or those of a folder by name. Raises `BadPicture`."""
    if not path.exists():
        raise BadPicture("camera.no_file", file=str(path))
    files = (
        sorted(p for p in path.iterdir() if p.suffix.lower() in SUFFIXES)
        if path.is_dir()
        else [path]
    )
    if not files:
        raise BadPicture("camera.no_pictures", folder=str(path), known=", ".join(SUFFIXES))
    for file in files:
        yield Frame(file.stat().st_mtime_ns, picture(file), str(file))


def picture(file: Path) -> Picture:
    """The picture in a file, as it stands in it. Raises `BadPicture`."""
    data = np.frombuffer(file.read_bytes(), np.uint8)
    small = cv2.imdecode(data, cv2.IMREAD_REDUCED_GRAYSCALE_8) if data.size else None
    if small is None:
        raise BadPicture("camera.not_picture", file=str(file))
    if small.size * 64 > MOST_PIXELS:
        have, most = small.size * 64 // 1_000_000, MOST_PIXELS // 1_000_000
        raise BadPicture("camera.large", file=str(file), have=have, most=most)
    image = cv2.imdecode(data, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    if image is None:
        raise BadPicture("camera.not_picture", file=str(file))
    return np.asarray(image, np.uint8)


# -------------------------------------------------------------------------------------- cameras


class Video:
    """A camera of the kernel (V4L2) or an MJPEG stream, through OpenCV."""

    def __init__(self, name: str, size: tuple[int, int]) -> None:
        self.name = name
        stream = "://" in name
        if stream:
            waits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 5000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 3000]
            self.video = cv2.VideoCapture(name, cv2.CAP_FFMPEG, waits)
        else:
            if not Path(name).exists():
                raise BadCamera("camera.absent", camera=name)
            self.video = cv2.VideoCapture(name, cv2.CAP_V4L2)
        if not self.video.isOpened():
            raise BadCamera("camera.closed", camera=name)
        if not stream:
            self.video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            self.video.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
            self.video.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
            self.video.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def read(self) -> Frame:
        ok, image = self.video.read()
        if not ok or image is None:
            raise BadCamera("camera.gone", camera=self.name)
        return Frame(self._exposed(time.monotonic_ns()), np.asarray(image, np.uint8))

    def close(self) -> None:
        self.video.release()

    def _exposed(self, now: int) -> int:
        """The kernel's stamp where it is one of this clock, else the arrival."""
        stamp = int(self.video.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
        return stamp if 0 <= now - stamp < 1_000_000_000 else now


class PiCamera:
    """The Pi's own camera: raw YUV from `rpicam-vid`, in a process of its own."""

    def __init__(self, size: tuple[int, int]) -> None:
        program = shutil.which("rpicam-vid") or shutil.which("libcamera-vid")
        if program is None:
            raise BadCamera("camera.no_rpicam")
        self.size = size
        width, height = (str(side) for side in size)
        how = ("--codec", "yuv420", "--timeout", "0", "--nopreview", "--flush", "--output", "-")
        self.process = subprocess.Popen(
            [program, *how, "--width", width, "--height", height],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def read(self) -> Frame:
        width, height = self.size
        assert self.process.stdout is not None
        data = self.process.stdout.read(width * height * 3 // 2)
        now = time.monotonic_ns()
        if len(data) < width * height * 3 // 2:
            raise BadCamera("camera.rpicam", why=self._why())
        planes = np.frombuffer(data, np.uint8).reshape(height * 3 // 2, width)
        return Frame(now, np.asarray(cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420), np.uint8))

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()

    def _why(self) -> str:
        """What the program said last."""
        self.process.kill()
        said: IO[bytes] | None = self.process.stderr
        lines = said.read().decode("utf-8", "replace").strip().splitlines() if said else []
        return lines[-1][:200] if lines else "?"

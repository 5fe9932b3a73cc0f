"""What the vision process takes of a core: `python -m tests.benchmarks.vision_process`.

The process of `hexboard run --camera`, fed 15 pictures of 1080p a second of 121 cells that nobody
touches: an MJPEG stream over HTTP, and raw YUV from a program that stands in for `rpicam-vid`.
Its processor time is read from /proc, after it has settled; that of a process that only takes the
same pictures in (decoding, or conversion of colours) is told apart. A busy machine makes both
dearer: the reference loop says by how much.
"""

import argparse
import itertools
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from hexboard.appearance import KIT
from hexboard.board import find, load
from hexboard.facts import Reading, Report
from hexboard.simulator.camera.render import view
from hexboard.simulator.camera.tabletop import MODERATE, Tabletop
from hexboard.vision.camera.capture import PI, Capture
from hexboard.vision.camera.controls import FREE
from hexboard.vision.device import Watching
from hexboard.vision.frame import Picture
from tests.benchmarks import reference
from tests.looking import looks
from tests.mjpeg import MjpegServer, part

SIZE = (1920, 1080)
RATE = 15
SETTLING = 16.0
"""Seconds until a board at rest is hardly read any more."""
TICKS = os.sysconf("SC_CLK_TCK")
PROGRAM = """#!{python}
import sys, time
pictures = [open(file, "rb").read() for file in {files}]
start = time.monotonic()
for k in range(10**9):
    sys.stdout.buffer.write(pictures[k % len(pictures)])
    time.sleep(max(0.0, start + (k + 1) / {rate} - time.monotonic()))
"""


@contextmanager
def stream(pictures: list[Picture]) -> Iterator[str]:
    """The address of an MJPEG stream of these pictures, over and over."""
    parts = [part(picture, 85) for picture in pictures]

    def send(write: Callable[[bytes], object]) -> None:
        start = time.monotonic()
        for k in itertools.count(1):
            write(parts[k % len(parts)])
            time.sleep(max(0.0, start + k / RATE - time.monotonic()))

    server = MjpegServer(send)
    try:
        yield server.url
    finally:
        server.close()


def planes(picture: Picture) -> Picture:
    """As the Pi's program gives it: Y, Cb and Cr of a JPEG (0 to 255), of a fourth of the size."""
    y, cr, cb = cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb))
    small = (cv2.resize(it, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for it in (cb, cr))
    return np.vstack([y, *(it.reshape(-1, picture.shape[1]) for it in small)])


@contextmanager
def pipe(pictures: list[Picture]) -> Iterator[str]:
    """The Pi's own camera, were it to see these pictures over and over."""
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder, f"{k}.yuv")) for k in range(len(pictures))]
        for file, picture in zip(files, pictures, strict=True):
            Path(file).write_bytes(planes(picture).tobytes())
        program = Path(folder, "rpicam-vid")
        program.write_text(PROGRAM.format(python=sys.executable, files=files, rate=RATE))
        program.chmod(0o755)
        before = os.environ["PATH"]
        os.environ["PATH"] = f"{folder}:{before}"
        try:
            yield PI
        finally:
            os.environ["PATH"] = before


def taking(name: str) -> None:
    """Take pictures in and do nothing with them, for ever."""
    for _ in Capture(name, SIZE, lambda _: None, FREE).frames():
        pass


def share(pid: int, seconds: float) -> float:
    """What a process takes of a core, 0 to 1 and more."""
    start, spent = time.monotonic(), _spent(pid)
    time.sleep(seconds)
    return (_spent(pid) - spent) / (time.monotonic() - start)


def _spent(pid: int) -> float:
    """A process's own processor time, s."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20, help="how long each is measured")
    seconds = parser.parse_args().seconds
    board = load(find("rhombus-11"))
    camera, pose = view(board, SIZE)
    top = Tabletop(board, camera, pose, 1, MODERATE)
    pictures = [top.picture() for _ in range(4)]
    start = time.process_time()
    reference()
    loop = (time.process_time() - start) * 1000
    print(f"reference loop {loop:.0f} ms of processor time; {RATE} pictures a second")
    for source in (stream, pipe):
        with source(pictures) as name:
            told: list[Report] = []
            watching = Watching(
                *(board, looks("bad-santa-hex"), name, camera, FREE, None, KIT),
                *(told.append, lambda _: None, lambda _: None),
            )
            time.sleep(SETTLING)
            (process,) = multiprocessing.active_children()
            assert process.pid is not None
            whole = share(process.pid, seconds)
            watching.close()
            readings = sum(isinstance(report.body, Reading) for report in told)
            only = multiprocessing.get_context("spawn").Process(target=taking, args=(name,))
            only.start()
            time.sleep(3)
            assert only.pid is not None
            taken = share(only.pid, seconds)
            only.kill()
            only.join()
            print(
                f"{source.__name__}: {whole:.1%} of a core, of it {taken:.1%} to take pictures in;"
                f" the eye {(whole - taken) / RATE * 1000:.2f} ms a picture; {readings} readings"
            )


if __name__ == "__main__":
    main()

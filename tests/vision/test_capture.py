"""Capture: files, folders, an MJPEG server, the Pi's program, cameras that go and freeze."""

import base64
import contextlib
import errno
import hashlib
import http.client
import http.server
import itertools
import os
import re
import resource
import socket
import stat
import struct
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
import pytest

from hexboard.vision.camera import capture
from hexboard.vision.camera import mjpeg as stream
from hexboard.vision.camera.capture import Capture, Video, opened, settled
from hexboard.vision.camera.controls import Controls
from hexboard.vision.frame import BadCamera, BadPicture, Frame, picture, pictures, pixels, spoken
from hexboard.vision.pose import snapshot
from hexboard.words import Message, say

SIZE = (64, 48)


def shade(value: int) -> np.ndarray:
    image = np.full((SIZE[1], SIZE[0], 3), 128, np.uint8)
    image[10:30, 10:30] = value
    return image


def test_a_folder_is_read_by_name(tmp_path: Path) -> None:
    for name, value in (("b.png", 200), ("a.jpg", 20), ("note.txt", 0)):
        if name.endswith("txt"):
            (tmp_path / name).write_text("a note")
        else:
            cv2.imwrite(str(tmp_path / name), shade(value))
    (tmp_path / "aa.png").write_text("a note")
    (tmp_path / "ab.png").symlink_to(tmp_path / "none.png")
    unread: list[BadPicture] = []
    frames = list(pictures(tmp_path, unread.append))
    assert "ab.png: cannot be read (No such file or directory)" in str(unread.pop())
    assert [Path(frame.name).name for frame in frames] == ["a.jpg", "b.png"]
    assert abs(int(frames[1].image[20, 20, 0]) - 200) < 3
    assert "aa.png" in str(unread.pop())
    assert not unread


def test_what_is_no_picture_is_refused_in_a_sentence(tmp_path: Path) -> None:
    text = tmp_path / "text.jpg"
    text.write_text("hello")
    empty = tmp_path / "empty.png"
    empty.write_bytes(b"")
    torn = tmp_path / "torn.png"
    cv2.imwrite(str(torn), shade(9))
    torn.write_bytes(torn.read_bytes()[:20])
    phone = tmp_path / "phone.heic"
    phone.write_bytes(b"\0\0\0\x24ftypheic" + bytes(500))
    for path in (text, empty, torn, phone):
        with pytest.raises(BadPicture, match=r"not a picture .* \.heic has to be saved as JPEG"):
            picture(path)
    unread: list[BadPicture] = []
    with pytest.raises(BadPicture, match="no such file"):
        list(pictures(tmp_path / "none", unread.append))
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(BadPicture, match="no pictures"):
        list(pictures(folder, unread.append))


def test_forty_megapixels_are_refused_before_they_are_decoded(tmp_path: Path) -> None:
    path = tmp_path / "large.jpg"
    cv2.imwrite(str(path), np.zeros((5000, 8000), np.uint8))
    with pytest.raises(BadPicture, match="40 megapixels"):
        picture(path)
    assert snapshot.load(path).shape == (1600, 2560, 3)  # a phone's: to be read in less detail


def test_hundreds_of_megapixels_are_not_read_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "larger.jpg"
    cv2.imwrite(str(path), np.zeros((2000, 3000), np.uint8))
    monkeypatch.setattr(snapshot, "MOST_PIXELS", 5_000_000)
    with pytest.raises(BadPicture, match="6 megapixels; at most 5"):
        snapshot.load(path)


def test_a_phones_picture_is_turned_upright_where_nobody_measures_its_lens(tmp_path: Path) -> None:
    """An Exif head of one entry: the orientation (0x0112), 6 for a quarter turn."""
    entry = b"\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00"
    head = b"Exif\0\0MM\x00\x2a\x00\x00\x00\x08\x00\x01" + entry + bytes(4)
    data = cv2.imencode(".jpg", shade(9))[1].tobytes()
    path = tmp_path / "turned.jpg"
    path.write_bytes(data[:2] + b"\xff\xe1" + (len(head) + 2).to_bytes(2, "big") + head + data[2:])
    assert picture(path).shape == (48, 64, 3)
    assert snapshot.load(path).shape == (64, 48, 3)


def test_a_small_file_of_a_huge_picture_is_refused_before_it_takes_the_memory(
    tmp_path: Path,
) -> None:
    """A PNG whose head says 30,000 x 30,000."""
    ok, data = cv2.imencode(".png", shade(9))
    assert ok
    head = bytearray(data.tobytes())
    head[16:24] = (30_000).to_bytes(4, "big") * 2
    head[29:33] = zlib.crc32(head[12:29]).to_bytes(4, "big")
    path = tmp_path / "huge.png"
    path.write_bytes(head)
    with pytest.raises(BadPicture, match="not a picture"):
        picture(path)
    with pytest.raises(BadPicture, match="not a picture"):
        snapshot.load(path)


def test_half_a_jpeg_is_no_picture_and_libjpeg_writes_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Cut in the middle, cut there and closed, a hole, zeros; a few bytes too many do no harm."""
    noise = np.random.default_rng(1).integers(0, 255, (240, 320, 3)).astype(np.uint8)
    whole = cv2.imencode(".jpg", noise)[1].tobytes()
    half = len(whole) // 2
    torn = {
        "cut": whole[:half],
        "closed": whole[:half] + b"\xff\xd9",
        "hole": whole[:half] + whole[half + 3000 :],
        "zeros": whole[:half] + bytes(3000) + whole[half + 3000 :],
    }
    for name, data in torn.items():
        path = tmp_path / f"{name}.jpg"
        path.write_bytes(data)
        for read in (picture, snapshot.load):
            with pytest.raises(BadPicture, match="missing or damaged"):
                read(path)
    path.write_bytes(whole[:-2] + bytes(4) + whole[-2:] + bytes(9))
    assert picture(path).shape == noise.shape
    assert capfd.readouterr().err == ""


def test_a_camera_that_is_not_there_is_said_once_and_waited_for(tmp_path: Path) -> None:
    said: list[Message | None] = []
    camera = Capture(str(tmp_path / "video9"), SIZE, said.append, pause=0.01)
    thread = threading.Thread(target=lambda: list(islice(camera.frames(), 1)))
    thread.start()
    threading.Event().wait(0.2)
    camera.close()
    thread.join(5)
    assert not thread.is_alive()
    (message,) = said
    assert message is not None
    assert message.key in ("camera.absent", "camera.absent_here")  # where another one is plugged in


def test_what_is_no_camera_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadCamera, match="/dev/null gives no pictures"):
        opened("/dev/null", SIZE)
    file = tmp_path / "video0"
    file.write_text("a file")
    with pytest.raises(BadCamera, match="gives no pictures"):
        opened(str(file), SIZE)
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may open anything
    with pytest.raises(BadCamera, match="usermod -aG video"):
        opened(str(file), SIZE)


PROGRAM = """#!EXECUTABLE
import os, sys, time
arguments = sys.argv[1:]
width = int(arguments[arguments.index("--width") + 1])
height = int(arguments[arguments.index("--height") + 1])
count = int(os.environ["FRAMES"])
talk = int(os.environ.get("TALK", "0"))
with open(os.environ.get("ARGUMENTS", os.devnull), "w") as file:
    file.write(" ".join(arguments))
if "--metadata" in arguments:
    with open(arguments[arguments.index("--metadata") + 1], "w") as file:
        for exposure in (8000, 12000):
            file.write('{"AnalogueGain": 2.5, "ColourGains": [ 1.5, 1.75 ],')
            file.write('"SensorTimestamp": 1, "ExposureTime": %d' % exposure)
            file.write(os.environ.get("LENS", "") + "},")
        file.write('{"AnalogueGain": 9')
for k in range(count):
    sys.stdout.buffer.write(bytes([60 + k]) * (width * height))
    sys.stdout.buffer.write(bytes([128]) * (width * height // 2))
    sys.stderr.write("A warning. " * talk + "\\n" * bool(talk))
sys.stdout.flush()
if "STAND" in os.environ:
    time.sleep(60)
sys.stderr.write("ERROR: *** no cameras available ***\\n")
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that stands where `rpicam-vid` is on a Pi, and writes what that writes."""
    path = tmp_path / "rpicam-vid"
    path.write_text(PROGRAM.replace("EXECUTABLE", sys.executable))
    path.chmod(path.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)


@pytest.mark.usefixtures("program")
def test_the_pis_camera_is_read_from_its_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture, "PI_WAITING", 1)
    monkeypatch.setenv("FRAMES", "3")
    source = opened(capture.PI, SIZE)
    try:
        frames = [source.read() for _ in range(3)]
        assert [frame.image.shape for frame in frames] == [(48, 64, 3)] * 3
        greys = [int(frame.image.mean()) for frame in frames]
        assert greys == sorted(greys)
        assert abs(greys[0] - 60) < 2  # Y from 0 to 255
        with pytest.raises(BadCamera, match="no cameras available"):
            source.read()
    finally:
        source.close()


def test_the_pis_colours_are_those_of_a_jpeg() -> None:
    """By ITU-T T.871: R = Y + 1.402 (Cr - 128), B = Y + 1.772 (Cb - 128), all from 0 to 255."""
    for y, cb, cr in (
        (0, 128, 128),
        (10, 128, 128),
        (250, 128, 128),
        (255, 128, 128),
        (120, 90, 150),
    ):
        rows = [np.full((48, 64), y), np.full((12, 64), cb), np.full((12, 64), cr)]
        blue, green, red = capture.in_bgr(np.vstack(rows).astype(np.uint8))[10, 10].astype(int)
        want = (
            y + 1.772 * (cb - 128),
            y - 0.344136 * (cb - 128) - 0.714136 * (cr - 128),
            y + 1.402 * (cr - 128),
        )
        assert np.abs(np.array((blue, green, red)) - want).max() <= 2


@pytest.mark.usefixtures("program")
def test_a_width_at_which_the_pi_pads_rows_is_refused() -> None:
    with pytest.raises(BadCamera, match="take 1600 x 1202 in place of 1640 x 1232"):
        opened(capture.PI, (1640, 1232))


@pytest.mark.usefixtures("program")
def test_of_the_pis_pictures_that_wait_the_newest_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as its program keeps where nobody reads them in time, and all are there."""
    monkeypatch.setenv("FRAMES", "6")
    with contextlib.closing(opened(capture.PI, SIZE)) as source:
        assert isinstance(source, capture.PiCamera)
        source.process.wait(10)
        assert abs(source.read().image.mean() - 65) < 2
        with pytest.raises(BadCamera, match="no cameras available"):
            source.read()


@pytest.mark.usefixtures("program")
def test_the_pis_program_may_talk_as_much_as_it_likes(monkeypatch: pytest.MonkeyPatch) -> None:
    """More than a pipe that nobody reads takes."""
    monkeypatch.setattr(capture, "PI_WAITING", 1)
    monkeypatch.setenv("FRAMES", "3")
    monkeypatch.setenv("TALK", "10000")
    monkeypatch.setattr(capture, "SILENT_S", 3.0)
    source = opened(capture.PI, SIZE)
    try:
        for _ in range(3):
            source.read()
        with pytest.raises(BadCamera, match="no cameras available"):
            source.read()
    finally:
        source.close()


@pytest.mark.usefixtures("program")
def test_a_pis_camera_that_gives_no_more_pictures_is_said_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FRAMES", "1")
    monkeypatch.setenv("STAND", "")
    source = opened(capture.PI, SIZE)
    try:
        source.read()
        monkeypatch.setattr(capture, "SILENT_S", 0.05)
        with pytest.raises(BadCamera, match="no picture for"):
            source.read()
    finally:
        source.close()


@pytest.mark.usefixtures("program")
def test_what_the_pis_camera_settles_on_is_held_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FRAMES", "3")
    monkeypatch.setenv("ARGUMENTS", str(tmp_path / "arguments"))
    held, frame = settled(capture.PI, SIZE, 0.0)
    assert held == Controls(12000, 2.5, (1.5, 1.75))
    assert frame.image.shape == (48, 64, 3)
    source = opened(capture.PI, SIZE, held)
    source.read()
    source.close()
    given = (tmp_path / "arguments").read_text()
    assert given.endswith("--shutter 12000 --gain 2.500 --awbgains 1.500,1.750")
    assert source.loose == ()
    # a Camera Module 3 tells where its lens is: it must not focus on the next hand
    monkeypatch.setenv("LENS", ', "AfState": 2, "LensPosition": 1.75')
    held, _ = settled(capture.PI, SIZE, 0.0)
    assert held.focus == 1.75
    assert "focus" in held.names
    source = opened(capture.PI, SIZE, held)
    source.read()
    source.close()
    given = (tmp_path / "arguments").read_text()
    assert given.endswith("--autofocus-mode manual --lens-position 1.750")
    other = opened(capture.PI, SIZE, Controls(white=(4600.0,)))
    other.close()
    assert other.loose == ("white balance",)  # in K: another camera's


class Slow:
    """A camera whose first picture takes a while."""

    loose = ()

    def __init__(self) -> None:
        self.pictures = 0

    def read(self) -> Frame:
        if not self.pictures:
            time.sleep(0.3)
        self.pictures += 1
        return Frame(self.pictures, shade(0))

    def controls(self) -> Controls:
        return Controls(float(self.pictures))

    def close(self) -> None:
        pass


def test_a_camera_judges_the_light_from_its_first_picture_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was held at what its first picture said, where that took longer."""
    slow = Slow()
    monkeypatch.setattr(capture, "opened", lambda name, size: slow)
    held, frame = settled("slow", SIZE, seconds=0.2)
    assert slow.pictures > 1
    assert (held.exposure, frame.t) == (slow.pictures, slow.pictures)


class Kernel:
    """A V4L2 camera as OpenCV shows it, with controls that have steps and limits."""

    limits: ClassVar[dict[int, tuple[float, float, float]]] = {
        cv2.CAP_PROP_AUTO_EXPOSURE: (1, 3, 2),
        cv2.CAP_PROP_EXPOSURE: (3, 2047, 1),
        cv2.CAP_PROP_GAIN: (0, 100, 1),
        cv2.CAP_PROP_AUTO_WB: (0, 1, 1),
        cv2.CAP_PROP_WB_TEMPERATURE: (2800, 6500, 10),
        cv2.CAP_PROP_AUTOFOCUS: (0, 1, 1),
    }

    def __init__(self, *_: object) -> None:
        self.now: dict[int, float] = {
            cv2.CAP_PROP_AUTO_EXPOSURE: 3,
            cv2.CAP_PROP_EXPOSURE: 156,
            cv2.CAP_PROP_GAIN: 20,
            cv2.CAP_PROP_AUTO_WB: 1,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600,
            cv2.CAP_PROP_AUTOFOCUS: 1,
        }

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def set(self, which: int, value: float) -> bool:
        if which not in self.limits:
            return False
        least, most, step = self.limits[which]
        value = min(max(value, least), most)
        self.now[which] = least + round((value - least) / step) * step
        return True

    def get(self, which: int) -> float:
        return self.now.get(which, 0) if which in self.limits else -1.0

    def grab(self) -> bool:
        return True

    def retrieve(self) -> tuple[bool, np.ndarray]:
        return True, shade(9)

    def release(self) -> None:
        pass


def test_a_camera_of_the_kernel_is_held_and_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", Kernel)
    held, _ = settled("/dev/null", SIZE, 0.0)
    assert held == Controls(15600, 20, (4600,))
    source = opened("/dev/null", SIZE, held)
    assert isinstance(source, Video)
    assert source.loose == ()
    assert source.video.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1
    assert source.video.get(cv2.CAP_PROP_AUTO_WB) == 0
    assert source.video.get(cv2.CAP_PROP_AUTOFOCUS) == 0
    source.free()  # as before it is held anew
    assert source.video.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 3
    assert source.video.get(cv2.CAP_PROP_AUTO_WB) == 1
    assert source.video.get(cv2.CAP_PROP_AUTOFOCUS) == 1
    unheld = opened("/dev/null", SIZE)  # for the lens it has to be sharp first
    assert isinstance(unheld, Video)
    assert unheld.video.get(cv2.CAP_PROP_AUTOFOCUS) == 1
    assert opened("/dev/null", SIZE, Controls(1_000_000, 20, (9000,))).loose == (
        "exposure",
        "white balance",
    )


def test_what_a_camera_cannot_hold_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {k: v for k, v in Kernel.limits.items() if k == cv2.CAP_PROP_EXPOSURE}
    monkeypatch.setattr(Kernel, "limits", few)
    monkeypatch.setattr(cv2, "VideoCapture", Kernel)
    camera = Capture("/dev/null", SIZE, lambda trouble: None, Controls(15600, 20, (4600,)))
    next(camera.frames())
    assert camera.loose is not None
    assert "cannot hold its exposure, gain, white balance" in say(camera.loose)


def test_a_webcam_whose_focus_cannot_be_held_is_said_to(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Kernel.limits | {cv2.CAP_PROP_AUTOFOCUS: (1, 1, 1)}
    monkeypatch.setattr(Kernel, "limits", limits)
    monkeypatch.setattr(cv2, "VideoCapture", Kernel)
    assert opened("/dev/null", SIZE, Controls(15600, 20, (4600,))).loose == ("focus",)


@pytest.mark.usefixtures("program")
def test_a_camera_that_goes_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRAMES", "2")
    said: list[Message | None] = []
    camera = Capture(capture.PI, SIZE, said.append, pause=0.01)
    frames = list(islice(camera.frames(), 5))
    assert len(frames) == 5
    assert [message and message.key for message in said[:3]] == [
        "camera.rpicam",
        None,
        "camera.rpicam",
    ]


def test_without_the_pis_program_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadCamera, match="apt install rpicam-apps"):
        opened(capture.PI, SIZE)


FRAMES = [cv2.imencode(".jpg", shade(min(200, 20 * k)))[1].tobytes() for k in range(40)]
"""The first differ, then the picture stands still."""
LARGER = cv2.imencode(".jpg", np.zeros((96, 128, 3), np.uint8))[1].tobytes()
MULTIPART = "multipart/x-mixed-replace; boundary=frame"


class Server:
    """A real HTTP server that answers everything with these bytes; to who says nothing of himself
    it says what it `wants`, and sends others `onto` another."""

    def __init__(self) -> None:
        self.status, self.kind, self.body = 200, MULTIPART, sized(FRAMES)
        self.asked: list[str | None] = []
        """The authorization of each request."""
        self.wants = self.onto = ""
        self.sent = threading.Event()
        """An answer was written to its end."""
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append(self.headers["Authorization"])
                strange = server.wants and not server.asked[-1]
                self.send_response(401 if strange else 302 if server.onto else server.status)
                if strange:
                    self.send_header("WWW-Authenticate", server.wants)
                elif server.onto:
                    self.send_header("Location", server.onto)
                self.send_header("Content-Type", server.kind)
                self.end_headers()
                with contextlib.suppress(OSError):
                    self.wfile.write(server.body)
                    server.sent.set()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.httpd.server_address[1]}"
        self.url = f"http://{self.host}/stream.mjpg"


def sized(parts: list[bytes]) -> bytes:
    """Parts of a stream that say how long they are."""
    head = "--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n"
    return b"".join(head.format(len(data)).encode() + data + b"\r\n" for data in parts)


def unsized(parts: list[bytes]) -> bytes:
    """Parts of a stream that only a mark ends."""
    head = b"--frame\r\nContent-Type: image/jpeg\r\n\r\n"
    return b"".join(head + data + b"\r\n" for data in parts) + b"--frame--\r\n"


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.httpd.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server
    server.httpd.shutdown()
    thread.join()
    server.httpd.server_close()


@pytest.mark.parametrize("form", [sized, unsized])
def test_an_mjpeg_stream_is_read_each_picture_in_its_own_size(
    server: Server, form: Callable[[list[bytes]], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "SKIPPED_PARTS", 0)
    server.body = form([*FRAMES[:2], b"torn", LARGER, FRAMES[3]])
    source = opened(server.url, SIZE)
    try:
        first, second, third, last = (source.read() for _ in range(4))
        assert first.image.shape == last.image.shape == (48, 64, 3)
        assert third.image.shape == (96, 128, 3)
        assert second.t >= first.t
        assert second.image[20, 20].mean() > first.image[20, 20].mean()
        with pytest.raises(BadCamera, match=r"gives nothing any more \(it has ended\)"):
            source.read()
    finally:
        source.close()


@pytest.mark.parametrize("form", [sized, unsized])
def test_of_pictures_that_nobody_read_in_time_the_newest_is_seen(
    server: Server, form: Callable[[list[bytes]], bytes]
) -> None:
    """As a Pi sees a camera that sends more than it can decode; and then the stream has ended."""
    server.body = form(FRAMES)
    with contextlib.closing(opened(server.url, SIZE)) as source:
        server.sent.wait(10)
        assert source.read().image[20, 20].mean() == pytest.approx(200, abs=3)
        with pytest.raises(BadCamera, match="it has ended"):
            source.read()


@pytest.mark.parametrize(
    ("status", "kind", "why"),
    [
        (404, "text/html", r"does not answer \(404 Not Found\)"),
        (200, "text/html", r"not with an MJPEG stream \(text/html\)"),
    ],
)
def test_an_address_that_is_no_stream_is_said(
    server: Server, status: int, kind: str, why: str
) -> None:
    server.status, server.kind = status, kind
    with pytest.raises(BadCamera, match=why):
        opened(server.url, SIZE)


def test_a_stream_of_things_that_are_no_pictures_is_given_up(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "SKIPPED_PARTS", 0)
    server.body = sized([b"text"] * 40)
    source = opened(server.url, SIZE)
    with contextlib.closing(source), pytest.raises(BadCamera, match="no JPEG"):
        source.read()


def test_a_picture_of_a_stream_that_would_fill_the_memory_is_not_unpacked(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "SKIPPED_PARTS", 0)
    huge = LARGER.replace(struct.pack(">HH", 96, 128), struct.pack(">HH", 10_000, 10_000))
    padded = huge[:2] + b"\xff\xff" + huge[2:]  # fill bytes before a marker
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for bomb in (huge, padded):
        server.body = sized([bomb])
        source = opened(server.url, SIZE)
        with contextlib.closing(source), pytest.raises(BadCamera, match="about 100 megapixels"):
            source.read()
    server.body = sized([b"\x89PNG\r\n\x1a\n" + bytes(200)])
    source = opened(server.url, SIZE)
    with contextlib.closing(source), pytest.raises(BadCamera):
        source.read()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kB


@pytest.mark.parametrize("options", [[], [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]])
def test_how_large_a_jpeg_is_stands_in_its_head(options: list[int]) -> None:
    whole = cv2.imencode(".jpg", np.zeros((37, 101, 3), np.uint8), options)[1].tobytes()
    assert pixels(whole) == 37 * 101
    assert pixels(whole[: whole.index(struct.pack(">HH", 37, 101))]) == 0


def test_a_stream_whose_parts_do_not_end_is_given_up(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.body = b"some: head\r\n" * 300_000
    source = opened(server.url, SIZE)
    monkeypatch.setattr(stream, "PATIENCE_S", 0.05)
    with contextlib.closing(source), pytest.raises(BadCamera, match="no whole picture in time"):
        source.read()


@contextlib.contextmanager
def dripping(at_once: bytes, drips: bytes) -> Iterator[str]:
    """The address of a server that sends some at once, and then a byte again and again."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            with contextlib.suppress(OSError), listening.accept()[0] as caller:
                caller.recv(65536)
                caller.sendall(at_once)
                for number in itertools.count():
                    caller.sendall(drips[number % len(drips) :][:1])
                    time.sleep(0.01)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
    thread.join()


HEAD = f"HTTP/1.0 200 OK\r\nContent-Type: {MULTIPART}\r\n\r\n".encode()


def test_a_camera_whose_pictures_drip_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line without an end: each byte comes in time, the picture never."""
    with dripping(HEAD, b"x") as url, contextlib.closing(opened(url, SIZE)) as source:
        monkeypatch.setattr(stream, "PATIENCE_S", 0.1)
        with pytest.raises(BadCamera, match="no whole picture in time"):
            source.read()


def test_a_camera_whose_answer_drips_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "PATIENCE_S", 0.1)
    with (
        dripping(HEAD[:-2], b"more: of it\r\n") as url,
        pytest.raises(BadCamera, match=re.escape("does not answer (no answer in time)")),
    ):
        opened(url, SIZE)


def test_an_answer_that_was_cut_off_while_it_dripped_came_too_late_and_was_not_reset(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As a kernel ends a line that is cut off while bytes are on their way: now and then."""

    def reset(connection: http.client.HTTPConnection) -> None:
        while connection.sock.recv(64):
            pass
        raise ConnectionResetError(errno.ECONNRESET, os.strerror(errno.ECONNRESET))

    monkeypatch.setattr(stream, "PATIENCE_S", 0.1)
    monkeypatch.setattr(http.client.HTTPConnection, "getresponse", reset)
    with dripping(b"", b"x") as url, pytest.raises(BadCamera, match="no answer in time"):
        opened(url, SIZE)


def test_a_password_in_an_address_is_sent_and_not_said(server: Server) -> None:
    server.wants = 'Basic realm="camera"'
    url = server.url.replace("://", "://me:se%20cret@") + "?key=7"
    with contextlib.closing(opened(url, SIZE)) as source:
        source.read()
    with contextlib.closing(opened(server.url.replace("://", "://me@"), SIZE)):
        pass  # a user without a password
    told = [base64.b64encode(who).decode() for who in (b"me:se cret", b"me:")]
    assert server.asked == [None, f"Basic {told[0]}", None, f"Basic {told[1]}"]
    server.status = 401
    with pytest.raises(BadCamera) as refused:
        opened(url, SIZE)
    assert f"http://{server.host}/stream.mjpg does not answer (401" in str(refused.value)


def test_a_camera_that_wants_a_digest_gets_one_and_no_password(server: Server) -> None:
    """The answer by RFC 2617, 3.2.2.1, in its form without `qop`."""
    server.wants = 'Digest realm="camera", nonce="abc"'
    with contextlib.closing(opened(server.url.replace("://", "://me:secret@"), SIZE)) as source:
        source.read()
    first, told = server.asked
    one, two = (md5(text) for text in ("me:camera:secret", "GET:/stream.mjpg"))
    assert first is None
    assert told is not None
    assert told.startswith("Digest ")
    assert f'response="{md5(f"{one}:abc:{two}")}"' in told


def md5(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()


def test_another_host_is_not_told_the_password(server: Server) -> None:
    server.wants = 'Basic realm="camera"'
    with serving() as other:
        server.onto = other.url
        url = server.url.replace("://", "://me:secret@")
        with contextlib.closing(opened(url, SIZE)) as source:
            source.read()
        assert len(server.asked) == 2
        other.wants = server.wants
        with pytest.raises(BadCamera, match="401"):
            opened(url, SIZE)
        assert other.asked == [None, None]


@pytest.mark.parametrize("wants", ['Basic realm="camera"', 'Digest realm="camera", nonce="abc"'])
def test_a_wrong_password_is_said(server: Server, wants: str) -> None:
    server.wants, server.status = wants, 401
    with pytest.raises(BadCamera, match=r"does not answer .*401"):
        opened(server.url.replace("://", "://me:secret@"), SIZE)


def test_a_camera_that_stands_still_is_noticed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture, "FROZEN_S", 0.0)
    monkeypatch.setattr(stream, "SKIPPED_PARTS", 0)
    said: list[Message | None] = []
    frames = list(islice(Capture(server.url, SIZE, said.append, pause=0.01).frames(), 12))
    assert len(frames) == 12  # eleven pictures differ, then it is opened anew
    assert "camera.frozen_stream" in [message and message.key for message in said]


def test_a_server_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadCamera, match=r"does not answer \(Connection refused\)"):
        opened("http://127.0.0.1:9/none.mjpg", SIZE)


def test_the_password_of_a_stream_is_never_said() -> None:
    """What is said of a camera goes into recordings, which people pass on."""
    for name in (
        "http://me:secret@127.0.0.1:9/none.mjpg",
        "http://127.0.0.1:9/none.mjpg?user=me&pwd=secret@1",
        "http://me:sec/ret@127.0.0.1:9/none.mjpg",
    ):
        assert spoken(name) == "http://127.0.0.1:9/none.mjpg"
    assert [spoken(name) for name in ("/dev/video0", capture.PI)] == ["/dev/video0", capture.PI]
    with pytest.raises(BadCamera, match="The network camera http://127") as raised:
        opened("http://me:secret@127.0.0.1:9/none.mjpg", SIZE)
    assert "secret" not in str(raised.value)

"""A camera of the kernel: `vivid`, a webcam without glass, behind the V4L2 of every Linux.

It has brightness and an automatic gain, but neither exposure nor white balance: that these are said
to be loose is shown here, that they hold is not.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import pytest

from hexboard.vision.camera import v4l2
from hexboard.vision.camera.capture import Capture, Video, opened, settled
from hexboard.vision.camera.controls import Controls
from hexboard.vision.frame import BadCamera
from hexboard.words import Message, say
from tests.running import PATIENCE, eventually

CAMERA, METADATA = "/dev/video0", "/dev/video1"
SIZE = (640, 360)
DRIVER = Path("/sys/bus/platform/drivers/vivid")
TEXT, DROPPED = 0x00F0F001, 0x00F0F040
"""vivid's own controls: what it writes over its pattern, and the share of frames it loses, %."""
NOTHING, ALL = 2, 0
"""Of what it writes: a clock among it, without which its picture stands still."""


@pytest.fixture(autouse=True)
def vivid() -> Iterator[None]:
    """Plugged in, its picture a living one."""
    plug(True)
    v4l2.put(CAMERA, TEXT, ALL)
    yield
    v4l2.put(CAMERA, DROPPED, 0)


def plug(there: bool) -> None:
    if (DRIVER / "vivid.0").exists() != there:
        (DRIVER / ("bind" if there else "unbind")).write_text("vivid.0")
    eventually(lambda: Path(CAMERA).exists() == there)


class Watch:
    """A capture in a thread: its frames, and what it says."""

    def __init__(self) -> None:
        self.said: list[Message | None] = []
        self.frames = 0
        self.capture = Capture(CAMERA, SIZE, self.said.append, pause=0.2)
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self) -> None:
        for _ in self.capture.frames():
            self.frames += 1

    def more(self) -> None:
        """Wait for frames that are yet to come."""
        now = self.frames
        self.wait(lambda: self.frames > now + 2)

    def hears(self, key: str) -> str:
        """The sentence of this key, once it is what was said last."""
        self.wait(lambda: self.said and self.said[-1] and self.said[-1].key == key)
        message = self.said[-1]
        assert message is not None
        return say(message)

    def wait(self, true: Callable[[], Any]) -> None:
        eventually(true)

    def close(self) -> None:
        self.capture.close()
        self.thread.join(PATIENCE)


@pytest.fixture
def watch() -> Iterator[Watch]:
    with closing(Watch()) as watch:
        watch.more()
        yield watch


def test_frames_have_the_size_asked_for_and_the_kernels_stamps() -> None:
    with closing(opened(CAMERA, SIZE)) as source:
        assert isinstance(source, Video)
        seen = []
        for _ in range(10):
            time.sleep(0.2)  # vivid stamps a frame with when it ought to be done: let that pass
            frame = source.read()
            stamp = int(source.video.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
            seen.append((frame, stamp, time.monotonic_ns()))
    assert {frame.image.shape for frame, _, _ in seen} == {(360, 640, 3)}
    assert [frame.t for frame, _, _ in seen] == sorted(frame.t for frame, _, _ in seen)
    kernels = [(stamp, now) for frame, stamp, now in seen if frame.t == stamp]
    assert len(kernels) >= 3
    assert all(0 < now - stamp < 2_000_000_000 for stamp, now in kernels)
    assert all(stamp > frame.t for frame, stamp, _ in seen if frame.t != stamp)


def test_an_automatic_gain_is_switched_off_to_be_held_and_on_to_be_judged() -> None:
    """vivid's automatic gain is its clock: a second more, one more of 256. One half round it is
    not there for the next two minutes."""
    v4l2.put(CAMERA, v4l2.AUTOGAIN, 1)
    with closing(opened(CAMERA, SIZE)) as source:
        now = source.controls().gain
        assert now is not None
    chosen = float((int(now) + 128) % 256)
    with closing(opened(CAMERA, SIZE, Controls(gain=chosen))) as source:
        assert isinstance(source, Video)
        assert source.loose == ()
        assert source.controls().gain == chosen
        source.read()
    with closing(opened(CAMERA, SIZE)) as source:  # held in the driver, until it is let go
        assert source.controls().gain == chosen
    held, _ = settled(CAMERA, SIZE, 0.5)
    assert held.gain not in (None, chosen)
    with closing(opened(CAMERA, SIZE, held)) as source:
        source.read()
        assert (source.loose, source.controls().gain) == ((), held.gain)


def test_what_this_driver_has_not_got_is_said_to_be_loose() -> None:
    camera = Capture(CAMERA, SIZE, lambda said: None, Controls(15600, 20, (4600,)))
    next(camera.frames())
    assert camera.loose is not None
    assert "cannot hold its exposure, white balance:" in say(camera.loose)


def test_a_camera_unplugged_and_plugged_in_again_is_said_and_read_again(watch: Watch) -> None:
    plug(False)
    sentence = watch.hears("camera.absent")
    assert CAMERA in sentence
    assert "camera.gone" in [said and said.key for said in watch.said]
    plug(True)
    watch.more()
    assert watch.said[-1] is None


def test_a_picture_that_stands_still_is_said_and_so_is_its_end(watch: Watch) -> None:
    v4l2.put(CAMERA, TEXT, NOTHING)
    assert CAMERA in watch.hears("camera.frozen")
    v4l2.put(CAMERA, TEXT, ALL)
    watch.more()
    assert watch.said[-1] is None


def test_a_camera_that_gives_no_more_pictures_is_opened_again(watch: Watch) -> None:
    v4l2.put(CAMERA, DROPPED, 100)
    watch.hears("camera.gone")
    v4l2.put(CAMERA, DROPPED, 0)
    watch.more()


def test_a_wrong_device_is_named_with_the_right_one(capfd: pytest.CaptureFixture[str]) -> None:
    (here,) = v4l2.cameras()
    assert here == f"{CAMERA} (vivid)"
    for wrong, said in (
        (METADATA, f"{METADATA} gives no pictures. What gives some: {here}."),
        ("/dev/ttyS0", f"/dev/ttyS0 gives no pictures. What gives some: {here}."),
        ("/dev/video9", f"There is no camera /dev/video9. Is it plugged in? There is: {here}."),
    ):
        with pytest.raises(BadCamera) as refused:
            opened(wrong, SIZE)
        assert str(refused.value) == said
    assert not capfd.readouterr().err


def test_a_camera_that_another_program_reads_is_said(watch: Watch) -> None:
    said: list[Message | None] = []
    second = Capture(CAMERA, SIZE, said.append, pause=0.1)
    thread = threading.Thread(target=lambda: list(islice(second.frames(), 1)))
    thread.start()
    eventually(lambda: said)
    second.close()
    thread.join(PATIENCE)
    assert said[0] is not None
    assert said[0].key == "camera.closed"
    watch.more()

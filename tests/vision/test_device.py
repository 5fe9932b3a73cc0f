"""A camera's process that does not come to its first picture."""

import queue
from pathlib import Path

import pytest

from controller.board import find, load
from controller.facts import Presence, Reading, Report
from controller.vision import device
from controller.vision.appearance import KIT, looks
from controller.vision.capture import PICAMERA2
from controller.vision.controls import FREE
from controller.vision.device import Watching
from controller.vision.render import view

BOARD = load(find("hexhex-5"))
CAMERA, _ = view(BOARD)
PATIENCE = 30.0
HANGING = """
import time

class Picamera2:
    def create_video_configuration(self, **_): pass
    def configure(self, how): pass
    def start(self): time.sleep(60)
"""


@pytest.mark.long
def test_a_camera_that_hangs_before_its_first_picture_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A driver that hangs while it is opened; the process finds it where this one does."""
    (tmp_path / "picamera2.py").write_text(HANGING)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(device, "OPENING", 1_000_000_000)
    said: queue.Queue[Report] = queue.Queue()
    watching = Watching(
        *(BOARD, looks("hexalma"), PICAMERA2, CAMERA, FREE, None, KIT),
        *(said.put, lambda picture: None, lambda wish: None),
    )
    try:
        assert said.get(timeout=PATIENCE).body == Reading()
        told = said.get(timeout=PATIENCE).body
    finally:
        watching.close()
    assert isinstance(told, Presence)
    assert (told.up, "has done nothing for 1 s" in told.why) == (False, True)

"""A camera's process that does not come to its first picture."""

import os
import queue
from pathlib import Path

import pytest

from hexboard.appearance import KIT
from hexboard.board import find, load
from hexboard.facts import Presence, Reading, Report
from hexboard.simulator.camera.render import view
from hexboard.vision import device
from hexboard.vision.camera.capture import PI
from hexboard.vision.camera.controls import FREE
from hexboard.vision.device import Watching
from tests.looking import looks
from tests.running import PATIENCE

BOARD = load(find("hexhex-5"))
CAMERA, _ = view(BOARD)


@pytest.mark.long
def test_a_camera_that_hangs_before_its_first_picture_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Pi's program, but it says nothing."""
    program = tmp_path / "rpicam-vid"
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(device, "OPENING_NS", 1_000_000_000)
    said: queue.Queue[Report] = queue.Queue()
    watching = Watching(
        *(BOARD, looks("hexalma"), PI, CAMERA, FREE, None, KIT),
        *(said.put, lambda picture: None, lambda wish: None),
    )
    try:
        assert said.get(timeout=PATIENCE).body == Reading()
        told = said.get(timeout=PATIENCE).body
    finally:
        watching.close()
    assert isinstance(told, Presence)
    assert (told.up, "has done nothing for 1 s" in told.why) == (False, True)

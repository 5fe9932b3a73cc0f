"""`hexboard see`: pieces and moves in a picture that came from anywhere; clear words otherwise."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from controller import games
from controller.board import find, load
from controller.vision.appearance import lying
from controller.vision.render import Light, Renderer, view
from tests.running import hexboard

BOARD = load(find("hexhex-5"))
START: Any = games.find("hexalma").start(BOARD, {})
MOVED: Any = START.play(START.action("b3-c3"))


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The board after b3-c3, by a camera that nobody calibrated."""
    things = lying(MOVED, BOARD)
    picture = Renderer(BOARD, *view(BOARD, tilt=35, turn=8)).frame(things, Light(jpeg=92))
    path = tmp_path_factory.mktemp("photos") / "after.jpg"
    cv2.imwrite(str(path), picture)
    return path


def test_a_picture_tells_its_pieces_and_the_move(photo: Path, tmp_path: Path) -> None:
    out = tmp_path / "seen.png"
    done = hexboard("see", photo, "--position", str(START), "--json", "-o", out)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    black = {cell for cell, kind in told["pieces"].items() if kind == "B"}
    assert black == {p.place for p in MOVED.pieces() if p.seat == 0}
    assert len(told["pieces"]) == 22
    assert told["move"]["verdict"] == "accept"
    assert told["move"]["moves"][0] == ["b3-c3"]
    seen, plain = cv2.imread(str(out)), cv2.imread(str(photo))
    assert seen is not None
    assert plain is not None
    assert seen.shape == plain.shape
    assert not np.array_equal(seen, plain)


def test_what_is_no_picture_of_this_board_is_refused_in_words(photo: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.jpg"
    text.write_text("this is a text", "utf-8")
    blank = tmp_path / "blank.png"
    cv2.imwrite(str(blank), np.full((480, 640, 3), 200, np.uint8))
    for path, board, said in (
        (text, "hexhex-5", "is not a picture"),
        (blank, "hexhex-5", "Only 0 of the board's 8 markers"),
        (photo, "rhombus-11", "another board"),
        (tmp_path / "none.png", "hexhex-5", "no such file"),
    ):
        done = hexboard("see", path, "--board", board, "--game", "bad-santa-hex")
        assert done.returncode == 1
        assert said in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


def test_a_folder_is_read_picture_by_picture(photo: Path, tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(photo.read_bytes())
    (tmp_path / "b.jpg").write_text("no picture", "utf-8")
    done = hexboard("see", tmp_path, "--json")
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert len(first["pieces"]) == 22
    assert "not a picture" in second["error"]
    assert done.returncode == 1

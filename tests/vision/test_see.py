"""`hexboard see`: pieces and moves in a picture that came from anywhere; clear words otherwise."""

import json
import re
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from hexboard.appearance import Lying
from hexboard.board import find, load
from hexboard.game import registry
from hexboard.simulator.camera.canvas import Glare, Light
from hexboard.simulator.camera.render import Renderer, view
from hexboard.vision.geometry import project
from hexboard.vision.marks.markers import markers
from hexboard.vision.pose import snapshot
from hexboard.words.errors import BadText
from tests.cli import invoke
from tests.looking import lying
from tests.running import hexboard

BOARD = load(find("hexhex-5"))
GAME = ("--game", "hexalma")
START: Any = registry.find("hexalma").start(BOARD, {})
PAIR = ("b3", "c3")
MOVED: Any = START.play(START.action("b3-c3"))


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The board after b3-c3, by a camera that nobody calibrated."""
    things = lying(MOVED, BOARD)
    picture = Renderer(BOARD, *view(BOARD, tilt=35, turn=8)).frame(things, Light(jpeg=92))
    path = tmp_path_factory.mktemp("photos") / "after.jpg"
    cv2.imwrite(str(path), picture)
    return path


@pytest.mark.long
def test_a_picture_tells_its_pieces_and_the_move(photo: Path, tmp_path: Path) -> None:
    out = tmp_path / "seen.png"
    done = hexboard("see", photo, *GAME, "--position", str(START), "--json", "-o", out)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    black = {cell for cell, kind in told["pieces"].items() if kind == "B"}
    assert black == {p.place for p in MOVED.pieces() if p.seat == 0}
    assert len(told["pieces"]) == 22
    assert told["move"]["verdict"] == "accept"
    assert told["doubtful"]["i5"][0] == told["pieces"]["i5"]
    assert "W" in told["doubtful"]["i5"]  # one disc, whatever it looks like in the farthest row
    for_it = ("--board", "hexhex-5")  # the game that this board is for
    spelt = hexboard("see", photo, *for_it, "--position", str(START)).stdout
    assert re.search(r"the move: b3-c3 \(by [0-9.]+ nats\)", spelt)
    german = hexboard("--language", "de", "see", photo, *for_it, "--position", str(START)).stdout
    assert re.search(r"der Zug: b3-c3 \(um [0-9,]+ nat\)", german)
    assert f" i5={'|'.join(told['doubtful']['i5'])}" in spelt
    assert " c3=B " in spelt
    assert told["move"]["moves"][0] == ["b3-c3"]
    seen, plain = cv2.imread(str(out)), cv2.imread(str(photo))
    assert seen is not None
    assert plain is not None
    assert seen.shape == plain.shape
    assert not np.array_equal(seen, plain)


@pytest.mark.long
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


@pytest.mark.parametrize(("share", "whole"), [(1.0, True), (0.58, False)])
def test_no_piece_is_read_in_a_cell_that_is_not_in_the_picture(
    photo: Path, share: float, whole: bool
) -> None:
    """Its lower part is cut off; four markers and more are left."""
    picture = snapshot.load(photo)
    cut = picture[: round(share * picture.shape[0])]
    with nullcontext() if whole else pytest.raises(BadText, match="out of the picture"):
        snapshot.placed(cut, BOARD)


@pytest.mark.parametrize(("name", "status"), [("x", 2), ("x.gif", 2), ("none/x.png", 1)])
def test_an_annotated_picture_that_cannot_be_written_is_refused(
    photo: Path, tmp_path: Path, name: str, status: int
) -> None:
    done = invoke("see", photo, *GAME, "-o", tmp_path / name)
    assert done.exit_code == status  # typed wrong, or not there
    assert "should end in .png or .jpg, in a folder that exists" in done.stderr


@pytest.mark.parametrize(("picture", "out"), [("a.png", "a.png"), ("", "a.png"), ("", "")])
def test_a_photo_is_not_written_over(tmp_path: Path, picture: str, out: str) -> None:
    photo = tmp_path / "a.png"
    photo.write_bytes(b"a photo")
    more = () if out else ("--corpus",)
    words = ("see", str(tmp_path / picture), *GAME, *more, "-o", str(tmp_path / out))
    done = invoke(*words)
    assert (done.exit_code, "is what is read" in done.stderr) == (2, True)
    assert photo.read_bytes() == b"a photo"


@pytest.mark.long
def test_what_spoils_a_picture_is_said_and_never_a_move(tmp_path: Path) -> None:
    """A lamp mirrored in it, a cup, a piece between two cells, half of the markers covered, more
    than that, forty megapixels, a text: in one folder."""
    camera, pose = view(BOARD, tilt=35, turn=8)
    draw, things = Renderer(BOARD, camera, pose), lying(START, BOARD)

    def at(x: float, y: float) -> tuple[int, int]:
        across, down = project(camera, pose, [(x, y)])[0].round()
        return int(across), int(down)

    middle, (a, b) = at(BOARD.cell["e5"].x, BOARD.cell["e5"].y), (BOARD.cell[c] for c in PAIR)
    plain = draw.frame(things, Light(jpeg=92))
    between = {**things, "b3": Lying((0,), dx=(b.x - a.x) / 2, dy=(b.y - a.y) / 2)}
    pictures = {
        "lamp": draw.frame(things, Light(glare=(Glare(*middle, 40, 0.7),))),
        "cup": cv2.circle(plain.copy(), middle, 70, (180, 60, 40), -1),
        "between": draw.frame(between, Light()),
        "huge": cv2.resize(plain, (7304, 5478)),
    }
    for name, count in (("half", 4), ("most", 5)):
        pictures[name] = plain.copy()
        for marker in markers(BOARD)[:count]:
            cv2.circle(pictures[name], at(marker.x, marker.y), 60, (90, 120, 160), -1)
    for name, picture in pictures.items():
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), picture)
    (tmp_path / "text.jpg").write_text("a text", "utf-8")
    done = hexboard("see", tmp_path, *GAME, "--position", str(START), "--json")
    seen = {Path(told["file"]).stem: told for told in map(json.loads, done.stdout.splitlines())}
    assert done.returncode == 1
    assert "not a picture" in seen.pop("text")["error"]
    assert "Only 3 of the board's 8 markers" in seen.pop("most")["error"]
    assert {name: told["move"]["verdict"] for name, told in seen.items()} == dict.fromkeys(
        ("between", "cup", "half", "huge", "lamp"), "same"
    )
    assert {"e5"} <= set(seen["lamp"]["unknown"]) & set(seen["cup"]["unknown"])
    assert set(PAIR) <= set(seen["between"]["unknown"])
    assert seen["half"]["hand"]
    assert not seen["huge"]["unknown"]
    true = {cell: "BW"[thing.colours[0]] for cell, thing in things.items()}
    for name, told in seen.items():
        tops = {cell: kind[-1] for cell, kind in told["pieces"].items()}
        assert tops.items() <= true.items(), name


@pytest.mark.long
def test_a_folder_is_read_picture_by_picture(photo: Path, tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(photo.read_bytes())
    (tmp_path / "b.jpg").write_text("no picture", "utf-8")
    (tmp_path / "c.jpg").symlink_to(tmp_path / "none.jpg")
    (tmp_path / "d.jpg").mkdir()
    (tmp_path / "e.heic").touch()
    done = hexboard("see", tmp_path, *GAME, "--json")
    assert done.stderr.endswith("or WebP: e.heic\n")
    first, second, third, fourth = (json.loads(line) for line in done.stdout.splitlines())
    assert len(first["pieces"]) == 22
    assert "not a picture" in second["error"]
    assert third["error"].endswith("c.jpg: cannot be read (No such file or directory).")
    assert fourth["error"].endswith("d.jpg: cannot be read (Is a directory).")
    assert done.returncode == 1

"""What `hexboard sheet` prints is what is read, on plain white paper too."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from hexboard.appearance import GROUNDS, KIT
from hexboard.board import find, load
from hexboard.calibration import placement
from hexboard.commands.calibrate.pixels import Setup
from hexboard.commands.calibrate.placement import doubts, placed
from hexboard.simulator.camera.texture import drawn
from hexboard.vision.camera.controls import FREE
from hexboard.vision.frame import Frame, Picture
from hexboard.vision.geometry import Camera
from hexboard.words.errors import HexboardError
from tests.paper.world import BLACK, WHITE, Disc, World, printed
from tests.running import hexboard

BOARD = load(find("hexhex-5"))
CELLS = [cell.id for cell in BOARD.cells]
LETTER = {BLACK: "B", WHITE: "W"}


def strewn(count: int, seed: int) -> dict[str, Sequence[Disc]]:
    """So many single discs, half of them black."""
    cells = Random(seed).sample(CELLS, count)
    return {cell: [(BLACK, WHITE)[k % 2]] for k, cell in enumerate(cells)}


@pytest.mark.long
@pytest.mark.parametrize("ground", ["white", "green"])
def test_all_cells_of_a_printed_mat_are_read_empty_and_with_twenty_pieces(
    ground: str, tmp_path: Path
) -> None:
    world = World(printed("hexhex-5", "--ground", ground))
    for seed, count in enumerate((0, 20, 20)):
        laid = strewn(count, seed)
        path = tmp_path / f"{count}.png"
        cv2.imwrite(str(path), world.picture(laid, seed=seed))
        done = hexboard("see", path, "--game", "hexalma", "--json")
        told = json.loads(done.stdout)
        assert told["unknown"] == []
        # how high a stack is that stands alone in a single picture may be doubtful; its top is not
        tops = {cell: kind[-1] for cell, kind in told["pieces"].items()}
        assert tops == {cell: LETTER[disc] for cell, (disc,) in laid.items()}
        assert not [cell for cell, either in told["doubtful"].items() if "" in either]


@pytest.mark.parametrize("ground", GROUNDS)
def test_the_simulated_cameras_mat_is_the_one_that_is_printed(ground: str) -> None:
    """The PDF, rasterised by another program, against what our renderer draws: the same places in
    the same colours."""
    mat = printed("hexhex-5", "--ground", ground, paper=KIT.paper)
    ours = drawn(BOARD, KIT if ground == "green" else KIT_WHITE, 1280)
    assert ours.image.shape == mat.texture.shape
    assert (ours.box.left, ours.box.high) == pytest.approx((mat.left, mat.high), abs=0.01)
    theirs = cv2.GaussianBlur(mat.texture, (0, 0), 2)
    off = np.abs(cv2.GaussianBlur(ours.image / np.float32(255), (0, 0), 2) - theirs).max(2)
    assert float(np.median(off)) < 0.01
    assert float((off > 0.15).mean()) < 0.002  # letters of another face


KIT_WHITE = KIT.__class__(ground=KIT.paper)


def over(world: World, pictures: Iterator[Picture], tmp_path: Path) -> placement.Placement:
    """`hexboard calibrate board` with a camera that gives these."""
    wide, high = world.size
    focal = wide / 2 / np.tan(np.radians(33))
    matrix = np.array([[focal, 0, wide / 2 - 0.5], [0, focal, high / 2 - 0.5], [0, 0, 1]])
    camera = Camera(world.size, matrix, np.array([-0.03, 0, 0, 0, 0.0]))
    frames = (Frame(k, picture) for k, picture in enumerate(pictures))
    ready = Setup(camera, frames, None, placement.SIMULATED, FREE)
    found, _ = placed(BOARD, ready, tmp_path / "calibration" / "x.json", False)
    return found


def noisy(picture: Picture) -> Iterator[Picture]:
    """The same picture as a camera gives it again and again."""
    for k in range(60):
        again = picture.copy()
        again[0, 0] = k
        yield again


@pytest.mark.long
def test_putting_up_a_camera_says_how_many_cells_read_as_empty(tmp_path: Path) -> None:
    world = World(printed("hexhex-5"))
    found = over(world, noisy(world.picture()), tmp_path)
    assert found.bare == 61
    assert found.ground is not None
    assert found.ground == pytest.approx(KIT.paper, abs=0.03)
    keys = [doubt.key for doubt in doubts(found, BOARD)]
    assert keys == ["placement.hidden"]
    full = world.picture({cell: [BLACK] for cell in CELLS[:40]})
    with pytest.raises(HexboardError, match=r"Only \d+ of 61 cells read as empty"):
        over(world, noisy(full), tmp_path)

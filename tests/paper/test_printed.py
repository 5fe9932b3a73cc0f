"""What `hexboard sheet` prints is what is read, on plain white paper too."""

import json
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from hexboard.appearance import GROUNDS, KIT
from hexboard.board import find, load, plain
from hexboard.calibration import placement
from hexboard.commands.calibrate.pixels import Setup
from hexboard.commands.calibrate.placement import doubts, placed
from hexboard.facts import Presence, Report
from hexboard.game import registry
from hexboard.simulator.camera.texture import drawn
from hexboard.vision.camera.controls import FREE
from hexboard.vision.device import PACE_NS, Watcher
from hexboard.vision.eye import Eye
from hexboard.vision.frame import Frame, Picture
from hexboard.vision.marks.markers import markers, paper
from hexboard.vision.pose.registration import Registration
from hexboard.vision.settling import ADOPT_FRAMES, Rim, lookout
from hexboard.words.errors import HexboardError
from tests.looking import looks
from tests.paper.put_up import lens
from tests.paper.world import BLACK, SOFT, WHITE, Disc, Sleeve, World, printed
from tests.running import hexboard

BOARD = load(find("hexhex-5"))
ROOT = Path(__file__).parents[2]
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


@pytest.mark.long
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
    frames = (Frame(k, picture) for k, picture in enumerate(pictures))
    ready = Setup(lens(world), frames, None, placement.SIMULATED, FREE)
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


def tangents(up: float, aside: float, x: float, y: float) -> tuple[float, float]:
    """Where a place so far from the mat's middle is seen by a camera that looks at that."""
    away = math.hypot(up, aside)
    far = away + y * aside / away
    return x / far, y * up / away / far


def test_where_the_guide_hangs_a_camera_it_has_the_whole_mat_in_view() -> None:
    """Each entry of its table, by projecting the mat's corners and a millimetre at its far edge."""
    guide = (ROOT / "docs" / "camera.md").read_text("utf-8")
    fields = re.findall(r"\((\d+) x (\d+)°, (\d+) x \d+\)", guide)
    rows = re.findall(r"\| `([\w-]+)` \(\d+ x \d+\) \| (.*) \|", guide)
    assert (len(fields), len(rows)) == (4, 5)
    for name, entries in rows:
        mat = paper(load(find(name)))
        wide, deep = max(mat.width, mat.height), min(mat.width, mat.height)
        for (across, down, pixels), entry in zip(fields, entries.split(" | "), strict=True):
            up, aside, per_mm = (float(v) for v in re.findall(r"[\d.]+", entry))
            assert math.degrees(math.atan2(aside, up)) == pytest.approx(30, abs=0.2)

            most = [math.tan(math.radians(float(field) / 2)) for field in (across, down)]
            far, near = (tangents(up, aside, wide / 2, y) for y in (deep / 2, -deep / 2))
            filled = [max(abs(a), abs(b)) / m for a, b, m in zip(far, near, most, strict=True)]
            assert 0.85 < max(filled) < 1
            small = far[1] - tangents(up, aside, 0, deep / 2 - 1)[1]
            assert small * float(pixels) / 2 / most[0] == pytest.approx(per_mm, abs=0.06)


@pytest.mark.long
def test_a_lens_out_of_focus_and_a_lamp_that_flickers_are_said(tmp_path: Path) -> None:
    world = World(printed("hexhex-5"))
    sharp, soft = (world.picture(blur=blur) for blur in (0.8, 1.8))
    dim = world.picture(gain=0.65)
    flickers = (np.ascontiguousarray((sharp, dim)[k % 2]) for k in range(60))
    for pictures, key in ((noisy(soft), "placement.blur"), (flickers, "placement.flicker")):
        found = over(world, pictures, tmp_path)
        assert key in [doubt.key for doubt in doubts(found, BOARD)]
    good = over(world, noisy(sharp), tmp_path)
    assert good.blur == pytest.approx(0.8, abs=0.2)  # the sensor's own pixels are in it
    assert good.flicker < 0.01


@pytest.mark.long
def test_a_board_that_is_silent_is_said_within_seconds_and_what_mends_it() -> None:
    """A white mat read as a green one: nobody ran `hexboard calibrate board`."""
    world = World(printed("hexhex-5"))
    pictures = [world.picture(seed=seed) for seed in range(2)]
    said: dict[bool, list[str]] = {}
    for known in (False, True):
        reports: list[Report] = []
        kit = KIT_WHITE if known else KIT
        eye = Eye(BOARD, looks("hexalma"), lens(world), kit)
        watcher = Watcher(eye, "cam", reports.append, lambda _: None, lambda _: None)
        for k in range(3 * 15):
            watcher.look(pictures[k % 2], (k + 1) * PACE_NS)
        said[known] = [r.body.why for r in reports if isinstance(r.body, Presence) and r.body.why]
    (why,) = said[False]
    assert why.startswith("The board is in view, but 61 of its 61 cells tell nothing.")
    assert "hexboard calibrate board hexhex-5" in why
    assert said[True] == []


@pytest.mark.long
@pytest.mark.parametrize(("blur", "least"), [(0.8, 7), (1.6, 4)])
def test_markers_of_a_large_mat_are_found_sharp_and_a_little_out_of_focus(
    blur: float, least: int
) -> None:
    """Hex'el's, seen whole."""
    board = plain(registry.find("hexel").board({}))
    for turn, tilt in enumerate((0.0, 20.0, 34.0)):
        world = World(printed(board.name), tilt=tilt, turn=9.0 * turn)
        state = Registration(lens(world), markers(board)).look(world.picture(blur=blur))
        assert state.pose is not None
        assert state.seen >= least


@pytest.mark.long
def test_a_sleeve_as_white_as_the_paper_is_a_hand_in_light_without_shadows() -> None:
    """It rests there, and nothing is settled; once it is gone, the board is at rest again."""
    world = World(printed("hexhex-5"), lamps=SOFT, ambient=0.75)
    laid, camera = strewn(10, 1), lens(world)
    bare = [world.picture(laid, seed=seed) for seed in range(2)]
    pose = Registration(camera, markers(BOARD)).look(bare[0]).pose
    assert pose is not None
    look = lookout(BOARD, looks("hexalma"), camera, pose, KIT_WHITE)
    for cloth in (0.75, 0.81, 0.86):
        for k in range(10):
            look.look(bare[k % 2])
        assert look.sight.settled
        for side, z in ((0.7, 45.0), (4.6, 80.0), (1.57, 50.0)):
            arm = Sleeve(10, -10, side, (cloth, cloth, cloth), z=z)
            over = world.picture(laid, arm, seed=7)
            for _ in range(10):
                look.look(over)
                assert look.sight.hand, (cloth, side)


def test_what_lies_on_the_rim_as_still_as_no_hand_does_belongs_there_from_then_on() -> None:
    """A lamp's spot after 20 s; paper that an arm had covered from the first picture on at once."""
    plain = np.ones((600, 3))
    spot = plain.copy()
    spot[100:120] = 1.1
    rim = Rim()
    assert not rim.covered(plain)
    rim.rests(plain)
    assert [rim.covered(spot) for _ in range(ADOPT_FRAMES + 2)].count(True) == ADOPT_FRAMES
    rim = Rim()
    rim.covered(spot)
    rim.rests(spot)
    assert not rim.covered(plain)
    assert rim.covered(spot)

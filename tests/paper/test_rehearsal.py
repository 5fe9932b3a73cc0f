"""What a rehearsal foretells of a set-up comes true in the second world."""

from pathlib import Path
from random import Random

import pytest

from hexboard.board import find, load
from hexboard.calibration import placement
from hexboard.commands.calibrate.pixels import Setup
from hexboard.commands.calibrate.placement import doubts, placed
from hexboard.commands.calibrate.rehearsal import Rehearsal, rehearsed
from hexboard.vision.camera.controls import FREE
from hexboard.vision.cells.reading import Reader
from hexboard.vision.frame import Frame
from tests.looking import looks
from tests.paper.play import MODERATE, Desk
from tests.paper.put_up import lens, stood
from tests.paper.world import BLACK, WHITE
from tests.running import hexboard

BOARD = load(find("hexhex-5"))
LOOKS = looks("hexalma")


def both(tilt: float, folder: Path) -> tuple[Rehearsal, float, list[str]]:
    """What is foretold under a camera so far off the vertical; of the cells of three boards strewn
    with stacks, the share that is read right by 3 nats; the doubts when it was put up."""
    desk, random = Desk("hexhex-5", MODERATE, 50, tilts=(tilt, tilt)), Random(3)
    camera = lens(desk.world)
    frames = (Frame(k, desk.picture()) for k in range(60))
    ready = Setup(camera, frames, None, placement.SIMULATED, FREE)
    found, _ = placed(BOARD, ready, folder / "calibration" / "x.json", False)
    pose, kit = stood(BOARD, camera, desk.picture())
    reader, told = Reader(BOARD, LOOKS, camera, pose, kit), 0
    for _ in range(3):
        high = [random.randrange(4) if random.random() < 0.5 else 0 for _ in BOARD.cells]
        laid = [[random.choice((BLACK, WHITE)) for _ in range(count)] for count in high]
        desk.put({cell.id: discs for cell, discs in zip(BOARD.cells, laid, strict=True) if discs})
        for discs, seen in zip(laid, reader.read(desk.picture()).cells, strict=True):
            code = 2 * len(discs) - (discs[-1] == BLACK) if discs else 0
            told += code in dict(seen) and all(cost >= 300 for k, cost in seen if k != code)
    foretold = rehearsed(BOARD, "hexalma", camera, found, kit)
    return foretold, told / 3 / len(BOARD.cells), [doubt.key for doubt in doubts(found, BOARD)]


@pytest.mark.long
def test_from_nearly_above_less_is_told_than_from_the_side_as_it_was_foretold(
    tmp_path: Path,
) -> None:
    above, above_true, why = both(6, tmp_path)
    aside, aside_true, none = both(30, tmp_path)
    assert above.sure == pytest.approx(above_true, abs=0.1)
    assert aside.sure == pytest.approx(aside_true, abs=0.05)
    assert above.sure < aside.sure
    assert aside.fit
    assert ("placement.steep" in why, "placement.steep" in none) == (True, False)


def test_a_set_up_that_asks_too_often_or_tells_too_little_is_not_fit() -> None:
    assert Rehearsal({"e5": 0.6}, 40, 12, 0).fit
    assert not Rehearsal({"e5": 0.6}, 40, 13, 0).fit
    assert not Rehearsal({"e5": 0.59}, 40, 0, 0).fit


@pytest.mark.long
def test_a_rehearsal_draws_a_map_and_needs_a_camera_that_was_put_up(
    home: Path, tmp_path: Path
) -> None:
    command = ("--home", home, "calibrate", "rehearsal", "hexhex-5", "--simulate")
    before = hexboard(*command)
    assert before.returncode == 1
    assert "hexboard calibrate board hexhex-5" in before.stderr
    hexboard("--home", home, "calibrate", "board", "hexhex-5", "--simulate")
    done = hexboard(*command, "-o", tmp_path / "map.svg")
    assert done.returncode == 0, done.stderr
    *rows, sure, _, fit = done.stdout.splitlines()
    assert [len(row.split()) for row in rows] == [5, 6, 7, 8, 9, 8, 7, 6, 5]
    assert "is told surely" in sure
    assert "hexalma can be played like this" in fit
    assert (tmp_path / "map.svg").read_text("utf-8").count("<polygon points") == 61
    tiles = hexboard("--home", home, "calibrate", "rehearsal", "hexhex-5", "--game", "hextraction")
    assert tiles.returncode == 1

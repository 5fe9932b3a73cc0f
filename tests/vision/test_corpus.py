"""`hexboard see --corpus`: photos of which somebody wrote down what they show, judged."""

import json
from pathlib import Path
from typing import Any

import cv2
import pytest

from hexboard.board import find, load
from hexboard.game import registry
from hexboard.simulator.camera.canvas import Light
from hexboard.simulator.camera.render import Renderer, view
from tests.cli import invoke
from tests.looking import lying

BOARD = load(find("hexhex-5"))
START: Any = registry.find("hexalma").start(BOARD, {})
MOVED: Any = START.play(START.action("b3-c3"))


def judged(folder: Path, *more: str | Path) -> Any:
    command = ["see", "--corpus", folder, "--game", "hexalma", *more]
    return invoke(*command)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A photo after b3-c3, twice."""
    folder = tmp_path / "photos"
    folder.mkdir()
    picture = Renderer(BOARD, *view(BOARD)).frame(lying(MOVED, BOARD), Light(jpeg=92))
    for name in ("right", "lie"):
        cv2.imwrite(str(folder / f"{name}.jpg"), picture)
    return folder


@pytest.mark.long
def test_a_photo_is_judged_by_the_label_beside_it(folder: Path, tmp_path: Path) -> None:
    """The lie: b3 is said to hold a disc still that lies on c3."""
    (folder / "right.toml").write_text(f'position = "{MOVED}"\ncondition = "by day"\n')
    (folder / "lie.toml").write_text(f'position = "{START}"\ncondition = "at night"\n')
    out = tmp_path / "off"
    done = judged(folder, "--json", "-o", out)
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    night, day = told["conditions"]
    assert (night["condition"], night["photos"], night["cells"]) == ("at night", 1, 61)
    assert (day["condition"], day["wrong"], day["silent"]) == ("by day", 0, 0)
    (lie,) = (photo for photo in told["photos"] if photo["file"].endswith("lie.jpg"))
    surely = [off for off in lie["off"] if off["kind"] == "wrong"]
    wrong = {off["cell"]: (off["lies"], off["read"]) for off in surely}
    assert wrong == {"b3": ("B", ""), "c3": ("", "B")}
    assert night["wrong"] == 2
    assert (out / "lie.png").exists()
    words = judged(folder).output
    assert "b3 - not B, c3 B not -" in words
    assert "at night: 1 photo, 61 cells: 2 wrong (3.3%)" in words


@pytest.mark.long
@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("position = 3\n", "is no label"),
        ("position = \n", "is no label"),
        ('position = "WW"\nlight = "x"\n', "is no label"),
        ('position = "WW"\n', "right.jpg: "),
        (None, "No photo has a label beside it. Write what lie.jpg shows into lie.toml"),
    ],
)
def test_what_is_no_label_is_said(folder: Path, label: str | None, said: str) -> None:
    if label is not None:
        (folder / "right.toml").write_text(label)
    done = judged(folder)
    assert done.exit_code == 1
    assert said in done.output
    assert "Traceback" not in done.output

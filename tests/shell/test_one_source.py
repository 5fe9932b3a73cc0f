"""One board file: printed frame, circuit board, pin map, wiring table, sheet and daemon follow it.

One sensor is looked for in all six: that between the slots B2 and C2. Hex geometry: B2 lies √3/2
of a pitch to the left and one up, C2 half a pitch up; B2's lower right side, edge 3, is the seam.
"""

import csv
import math
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from hexboard.board import Board, BuildEntry, find, load
from hexboard.commands.build.cad.frame import frames
from hexboard.commands.build.cad.lengths import lengths
from hexboard.commands.build.geometry import geometry
from hexboard.commands.build.module.circuit import circuit
from hexboard.commands.build.module.placing import placed
from hexboard.commands.build.module.wires import module_inputs
from hexboard.devices.installer import wiring
from tests.cli import invoke
from tests.solids import OURS, changed, mesh, planned, there

pytestmark = pytest.mark.long  # the frame is cut

SENSOR = "edge:B2-C2"
ASIDE_MM = 7.0
"""From the middle of a rib to the light guides of its beam."""
GROUP = 'kind = "edge"\nfirst_input = 12\n'
Point = tuple[float, float]


class Six(NamedTuple):
    """Where the sensor is by each of the six, mm, and its input; None where there is none."""

    frame: Point | None
    circuit_board: tuple[str, str] | None
    """The slot, and the register's input there."""
    pin_map: tuple[int, str] | None
    """The register of the chain, and its input."""
    table: tuple[Point, int] | None
    sheet: tuple[Point, int] | None
    daemon: int | None


def six(folder: Path, text: str, expected: Point) -> Six:
    """What is written of a board, read back; the frame is looked at where its bores ought to be."""
    board, plan = planned(folder, text)
    out = folder / "out"
    result = invoke("build", folder / "0.toml", "-o", out, home=folder)
    assert result.exit_code == 0, result.output
    with (out / "wiring.csv").open(encoding="utf-8") as file:
        table = {row["sensor"]: row for row in csv.DictReader(file)}
    row = table.get(SENSOR)
    with (out / "chain.csv").open(encoding="utf-8") as file:
        chain = {
            row[name]: (int(row["register"]), name)
            for row in csv.DictReader(file)
            for name in "ABCDEFGH"
        }
    drawn = re.search(
        rf'cx="(\S+)" cy="(\S+)" r="\S+">\s*<title>{SENSOR}, input (\d+)<',
        (out / "board.svg").read_text("utf-8"),
    )
    return Six(
        frame=expected if bored(board, plan, expected) else None,
        circuit_board=module_inputs(board).get(SENSOR),
        pin_map=chain.get(SENSOR),
        table=None if row is None else (point(row), int(row["input"])),
        sheet=drawn and ((float(drawn[1]), -float(drawn[2])), int(drawn[3])),
        daemon=next((it.input for it in load(folder / "0.toml").sensors if it.id == SENSOR), None),
    )


def point(row: dict[str, str]) -> Point:
    return float(row["x_mm"]), float(row["y_mm"])


def bored(board: Board, plan: BuildEntry, at: Point) -> bool:
    """Whether the frame has two bores on the rib with its middle there, and is solid between."""
    found = lengths(board, plan)
    parts = [mesh(it.shape) for it in frames(found, geometry(board, plan))]
    along = 0.5, math.sqrt(3) / 2  # the rib's direction

    def solid(off: float) -> bool:
        spot = at[0] + off * along[0], at[1] + off * along[1], -3.0
        return any(there(part, spot) for part in parts)

    assert solid(0.0)  # the rib is where it ought to be
    assert solid(3.0)
    return not solid(ASIDE_MM) and not solid(-ASIDE_MM)


def near(one: Point, other: Point) -> bool:
    return math.dist(one, other) < 0.002


@pytest.mark.parametrize("pitch", [50.0, 54.0])
def test_all_six_follow_when_slots_move_apart(tmp_path: Path, pitch: float) -> None:
    at = -math.sqrt(3) / 4 * pitch, 0.75 * pitch
    text = OURS.replace("pitch_mm = 50.0", f"pitch_mm = {pitch}")
    found = six(tmp_path, text, at)
    assert found.frame
    assert found.circuit_board == ("B2", "C")
    assert found.pin_map == (3, "C")  # input 26, as the others say
    assert found.table
    assert found.sheet
    assert near(found.table[0], at)
    assert near(found.sheet[0], at)
    assert found.table[1] == found.sheet[1] == found.daemon == 26
    board, plan = planned(tmp_path, text)
    outline = placed(board, circuit(), plan.ball_mm).outline
    ys = [y for _, y in outline]
    assert max(ys) - min(ys) == pytest.approx(pitch - 0.5)  # a slot's, less a gap
    cells = {cell.id: cell for cell in board.cells}
    middle = (cells["B2"].x + cells["C2"].x) / 2, (cells["B2"].y + cells["C2"].y) / 2
    assert near(middle, at)


def test_all_six_follow_when_a_sensor_goes_to_another_input(tmp_path: Path) -> None:
    """The seam's group is cut in two: its wire goes to input 139, the fourth of register 17."""
    at = -math.sqrt(3) / 4 * 50, 37.5
    found = six(tmp_path, without("first_input = 139"), at)
    assert found.frame
    assert found.circuit_board == ("B2", "C")  # where it lies is the same
    assert found.pin_map == (17, "D")
    assert found.table
    assert found.sheet
    assert found.table[1] == found.sheet[1] == found.daemon == 139
    board, _ = planned(tmp_path, without("first_input = 139"))
    assert "INPUTS = 144\n" in wiring(board)  # 18 registers


def test_all_six_follow_when_a_sensor_is_left_out(tmp_path: Path) -> None:
    at = -math.sqrt(3) / 4 * 50, 37.5
    assert six(tmp_path, without(""), at) == Six(None, None, None, None, None, None)


def without(first: str) -> str:
    """Our board with that seam in a group of its own, or in none."""
    seams = [
        it for it in load(find("hextraction-22")).sensors if it.kind == "edge" and it.id != SENSOR
    ]
    kept = f"at = {[it.place for it in seams]}\ninputs = {[it.input for it in seams]}\n"
    text = changed(GROUP, f'kind = "edge"\n{kept}'.replace("'", '"'))
    if not first:
        return text
    own = f'[[sensors]]\nkind = "edge"\nat = ["B2-C2"]\n{first}\nmin_high_us = 800\n\n[pixels]\n'
    return text.replace("[pixels]\n", own, 1).replace("registers = 17", "registers = 18")

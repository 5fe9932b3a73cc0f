"""The circuit board of seven cells: what is on it, how many cover a board, how they are played."""

import csv
import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from hexboard.board import Board, find, load, plain
from hexboard.commands.build.module.chain import feeds
from hexboard.commands.build.module.circuit import mistakes
from hexboard.commands.build.module.cover import cover, hops_mm, touch_inputs, whole
from hexboard.commands.build.module.flower import (
    flower_chain,
    flower_circuit,
    flower_placed,
    has_pads,
)
from hexboard.commands.build.module.placing import ModulePlan
from hexboard.commands.build.module.written import flower_texts
from hexboard.commands.build.tiers import tiered
from hexboard.words.errors import BadText
from tests.cli import invoke

BOARDS = ("hexhex-5", "rhombus-11", "table", "flowers-31")
DRAWN = ("hexhex-5", "flowers-31")
"""With a rim, and the narrowest; the others by hand, for they take minutes."""


def touched(name: str) -> Board:
    return tiered(find(name), "touch").board


def layout(board: Board) -> ModulePlan:
    return flower_placed(board, flower_circuit())


def test_its_circuit_is_sound_and_follows_the_wiring_page() -> None:
    """Low when touched, as long as touched; QH is pin 9, SER pin 10; free inputs at 3.3 V."""
    parts = {it.ref: it for it in flower_circuit()}
    assert mistakes(flower_circuit()) == []
    nets = {ref: {pin.name: pin.net for pin in it.pins} for ref, it in parts.items()}
    assert [nets["U1"][pin] for pin in ("11", "12", "13", "14", "3", "4", "5")] == [
        nets[f"U{10 + cell}"]["1"] for cell in range(1, 8)
    ]
    assert nets["U1"]["6"] == nets["U1"]["16"] == "3V3"
    assert (nets["U1"]["9"], nets["U1"]["10"]) == (nets["J1"]["6"], nets["J2"]["6"])
    for cell in range(1, 8):
        assert nets[f"U{10 + cell}"]["3"] == nets[f"P{cell}"]["1"]
    assert [nets[f"D{cell}"]["1"] for cell in range(1, 7)] == [
        nets[f"D{cell}"]["3"] for cell in range(2, 8)
    ]
    assert (nets["D1"]["3"], nets["D7"]["1"]) == (nets["J1"]["7"], nets["J2"]["7"])
    counted = Counter(it.body for it in flower_circuit() if it.fitted)
    assert counted["light"] == counted["sot23-6"] == 7
    assert counted["electrode"] == 0


@pytest.mark.parametrize(
    ("name", "count", "all_there"),
    [("hexhex-5", 13, 7), ("rhombus-11", 23, 11), ("table", 13, 7), ("flowers-31", 31, 31)],
)
def test_so_few_cover_each_board(name: str, count: int, all_there: int) -> None:
    """An integer program (HiGHS) found none with fewer; Knee Deep's map is 31 flowers itself."""
    board = touched(name)
    way = cover(board)
    assert (len(way), whole(way)) == (count, all_there)
    cells = [cell for flower in way for cell in flower.on_board]
    assert sorted(cells) == sorted(cell.id for cell in board.cells)
    for flower in way:
        middle, *around = flower.cells
        for edge, cell in enumerate(around, 1):
            if middle:
                assert (board.neighbour(middle, edge) or "") == cell
    # neighbouring flowers' middles are √7 pitches apart, those two turns on √21
    assert max(hops_mm(board, way)) <= math.sqrt(21) * board.pitch + 0.001
    inputs = touch_inputs(way)
    assert len({*inputs.values()}) == len(board.cells)
    assert max(inputs.values()) < 256
    assert all(it % 8 < 7 for it in inputs.values())


@pytest.mark.parametrize("name", BOARDS)
def test_lights_pads_and_outline_follow_the_pitch(name: str) -> None:
    board = touched(name)
    plan = layout(board)
    at = {it.part.ref: (it.x, it.y) for it in plan.parts}
    middle = cover(board)[len(cover(board)) // 2].cells
    here = board.cell[middle[0]]
    for number, cell in enumerate(middle, 1):
        if cell:
            there = board.cell[cell].x - here.x, board.cell[cell].y - here.y
            assert math.dist(at[f"D{number}"], there) < 0.002
    xs, ys = zip(*plan.outline, strict=True)
    size = sorted((max(xs) - min(xs), max(ys) - min(ys)))
    assert size[0] == pytest.approx(math.sqrt(3) * board.pitch + 17.2, abs=0.001)
    assert (size[1] > 100) == (name == "table")
    rings = {ring.net: ring for ring in plan.rings if ring.above}
    assert len(rings) == 7
    for ring in rings.values():  # 100 mm² of copper at least, and clear of the cells beside it
        area = math.radians(ring.end - ring.start) * ring.radius * ring.wide
        assert area > 100
        assert 2 * (ring.radius + ring.wide / 2) < board.pitch - 5


def test_a_flat_topped_board_has_it_turned() -> None:
    """Its first neighbour lies straight up, not to the upper right."""
    board = touched("hexhex-5")
    at = {it.part.ref: (it.x, it.y) for it in layout(replace(board, flat_top=True)).parts}
    assert at["D2"] == pytest.approx((0, 40), abs=0.001)


def test_cells_too_near_or_too_many_are_refused(tmp_path: Path) -> None:
    near = replace(touched("flowers-31"), pitch=25.0)
    with pytest.raises(BadText, match=r"25 mm .* wants 26 mm") as found:
        layout(near)
    assert found.value.message.key == "module.close"
    with pytest.raises(BadText, match=r"circuit boards .* the firmware reads 32"):
        cover(plain("hexhex-10"))
    assert not has_pads(load(find("hexhex-5")))
    own = touched("hexhex-5")
    assert has_pads(own)
    assert not has_pads(replace(own, strip=replace(own.strip, type="ws2812b")))
    result = run(tmp_path, "hexhex-5")
    assert result.exit_code
    assert "--tier touch" in result.output


def test_5_volts_come_to_every_seventh() -> None:
    """`feed_every` is 50 lights: seven flowers of seven."""
    tier = tiered(find("flowers-31"), "touch")
    chain = flower_chain(tier.board, cover(tier.board))
    assert feeds(chain, tier.plan) == (0, 7, 14, 21, 28)
    assert sum(chain.lights) == 217


# ---------------------------------------------------------------------- with KiCad and ngspice


def run(folder: Path, *words: str) -> Any:
    at = ("build", words[0], "--module", "--json", "-o", str(folder / "out"), *words[1:])
    return invoke(*at, home=folder)


@pytest.mark.long
@pytest.mark.parametrize("name", DRAWN)
def test_kicad_and_ngspice_find_nothing_wrong(tmp_path: Path, name: str) -> None:
    result = run(tmp_path, name, "--tier", "touch")
    assert result.exit_code == 0, result.output
    found = json.loads(result.output)
    (drawn,) = found["drawn"]
    assert drawn["electrical"] == drawn["open"] == []
    checked = drawn["kicad"]
    assert (checked["errors"], checked["unconnected"]) == (0, 0), checked["report"]
    times = found["times"]
    assert times["clean"]
    assert min(times[it] for it in ("setup", "hold", "edge", "pulse", "read", "latch")) >= 2, times
    assert found["volts"]["limited"] > 4.5
    out = tmp_path / "out"
    with (out / "plots" / "seven-positions.csv").open(encoding="utf-8") as file:
        rows = [row["Ref"] for row in csv.DictReader(file)]
    assert sorted(rows) == sorted(it.ref for it in flower_circuit() if it.fitted)
    played(out, f"{name}-touch", drawn["count"])


@pytest.mark.parametrize("name", ["hexhex-5", "rhombus-11"])
def test_lights_beyond_the_rim_are_on_all_boards_and_in_the_board_file_dark(
    tmp_path: Path, name: str
) -> None:
    """All circuit boards are alike, D1 to D7 fitted: nobody fits or takes off any. Of 13 times
    seven lights of hexhex-5 61 have cells, of 23 times seven of rhombus-11 121."""
    fitted = [it.ref for it in flower_circuit() if it.fitted and it.body == "light"]
    assert fitted == [f"D{k}" for k in range(1, 8)]
    assert not any("without a light" in it.value for it in flower_circuit())
    found = tiered(find(name), "touch")
    way, texts = cover(found.board), flower_texts(found)
    for file, text in texts.items():
        (tmp_path / file).write_text(text, "utf-8")
    played(tmp_path, f"{name}-touch", len(way))
    board = load(tmp_path / f"{name}-touch-boards.toml")
    last = 1 + max(k for k, cell in enumerate(c for it in way for c in it.cells) if cell)
    assert len(board.along) == last
    chain = flower_chain(found.board, way)
    assert sum(chain.lights) == 7 * len(way)
    assert sum(chain.lights) - sum(chain.dark) == len(board.pixels)
    assert len(board.pixels) == {"hexhex-5": 61, "rhombus-11": 121}[name]


def played(out: Path, name: str, count: int) -> None:
    """The board file beside it has every cell once, and one light after the other."""
    board = load(out / f"{name}-boards.toml")
    inputs = {it.place: it.input for it in board.sensors}
    with (out / "seven-lights.csv").open(encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    assert [int(row["light"]) for row in rows] == [*range(7 * count)]
    there = [row for row in rows if row["cell"]]
    assert len(there) == len(board.cells)
    lights = [(pixel.cell, pixel.index) for pixel in board.pixels]
    assert [(row["cell"], int(row["light"])) for row in there] == lights
    for row in there:
        assert inputs[row["cell"]] == 8 * (int(row["board"]) - 1) + int(row["place"])

"""`hexboard build --cad`: every part can be printed; frame, rings and circuit boards fit."""

import csv
import json
import math
import os
import pty
import re
import select
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hexboard.board import Board, BuildEntry
from hexboard.commands.build.cad.all_parts import all_parts
from hexboard.commands.build.cad.frame import rims
from hexboard.commands.build.cad.lengths import lengths
from hexboard.commands.build.cad.recipe import (
    PrintedPart,
    Spot,
    Stand,
    extent,
    turned,
)
from tests.cli import invoke
from tests.running import HEXBOARD, PATIENCE
from tests.shell.test_build_pictures import pixels
from tests.solids import (
    BALL_MM,
    OURS,
    boards,
    changed,
    cut,
    hexagon,
    mesh,
    moved,
    named,
    planned,
    prism,
    rolled,
    seen,
    there,
    tile,
)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """All parts of our board, and what is told of them."""
    folder = tmp_path_factory.mktemp("parts")
    result = invoke("build", "hextraction-22", "--cad", "--json", "-o", folder / "out", home=folder)
    assert result.exit_code == 0, result.output
    return folder / "out", json.loads(result.output)


@pytest.mark.long
def test_a_terminal_shows_which_part_is_made(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [*HEXBOARD, "build", "hextraction-22", "--cad", "-o", str(tmp_path / "out")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        shown = ""
        while "frame-1-1" not in shown and select.select([ours], [], [], PATIENCE)[0]:
            shown += os.read(ours, 4096).decode(errors="replace")
        process.terminate()
        assert process.stdout is not None
        assert process.stdout.read() == b""
    os.close(ours)
    assert "frame-1-1" in shown
    assert process.returncode == 143


@pytest.mark.long
def test_every_part_is_watertight_one_piece_and_on_the_bed(
    written: tuple[Path, dict[str, Any]],
) -> None:
    import trimesh

    folder, told = written
    names = {it["name"] for it in told["parts"]}
    assert {it.stem for it in folder.glob("*.stl")} == names
    assert {it.stem for it in folder.glob("*.step")} == names
    table = {
        it["part"]: it
        for it in csv.DictReader((folder / "printed.csv").read_text("utf-8").splitlines())
    }
    for it in told["parts"]:
        found = trimesh.load(folder / f"{it['name']}.stl")
        assert found.is_watertight, it
        assert found.is_volume, it
        assert len(found.split()) == 1, it
        assert found.bounds[0][2] == pytest.approx(0, abs=1e-4)
        assert max(found.extents[:2]) <= 220, it
        assert found.extents == pytest.approx(it["size_mm"], abs=0.1)
        assert found.volume / 1000 == pytest.approx(it["volume_cm3"], rel=0.02, abs=0.01)
        assert found.area / 100 == pytest.approx(it["area_cm2"], rel=0.02, abs=0.01)
        assert float(table[it["name"]]["volume_cm3"]) == it["volume_cm3"]
        step = (folder / f"{it['name']}.step").read_text("utf-8")
        assert step.startswith("ISO-10303-21;")
        assert step.count("MANIFOLD_SOLID_BREP") == 1


@pytest.mark.long
def test_nothing_hangs_over_further_than_a_printer_bridges(
    written: tuple[Path, dict[str, Any]],
) -> None:
    """Of what looks down more than 48 degrees and lies on no bed, the widest is the well in the
    camera's head, 14.3 × 19 mm as it lies: twice its area by its outline is 8.2 mm."""
    for it in written[1]["parts"]:
        for area, around in over(written[0] / f"{it['name']}.stl"):
            assert 2 * area / around < 8.3, it["name"]


def over(path: Path) -> Iterator[tuple[float, float]]:
    """Each part of a surface that hangs over: its area, and how long its outline is."""
    import numpy as np
    import trimesh

    solid = trimesh.load(path)
    steep = (solid.face_normals[:, 2] < -0.75) & (solid.triangles[:, :, 2].min(axis=1) > 0.2)
    faces = np.where(steep)[0]
    near = solid.face_adjacency[np.isin(solid.face_adjacency, faces).all(axis=1)]
    for group in trimesh.graph.connected_components(near, nodes=faces):
        sides = solid.edges_sorted.reshape(-1, 3, 2)[group].reshape(-1, 2)
        lines, count = np.unique(sides, axis=0, return_counts=True)
        ends = solid.vertices[lines[count == 1]]
        yield solid.area_faces[group].sum(), np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1).sum()


@pytest.mark.long
def test_the_pages_steps_are_todays(written: tuple[Path, dict[str, Any]]) -> None:
    """Copy them from FOLDER into hardware/pictures where they are not."""
    pages = Path(__file__).parents[2] / "hardware" / "pictures"
    drawn = sorted(it.name for it in written[0].glob("assembly-*.svg"))
    assert drawn == sorted(it.name for it in pages.glob("assembly-*.svg"))
    assert len(drawn) == 5
    for name in drawn:
        shown, new = ((it / name).read_text("utf-8") for it in (pages, written[0]))
        assert re.findall("<text.*?>(.*?)</text>", shown) == re.findall(
            "<text.*?>(.*?)</text>", new
        )
        here, there = (pixels(it).astype(int) for it in (shown, new))
        assert here.shape == there.shape
        assert (np.abs(here - there).max(axis=2) > 8).mean() < 0.01, name


@pytest.mark.long
def test_the_pages_pictures_are_of_todays_parts(written: tuple[Path, dict[str, Any]]) -> None:
    """Copy them from FOLDER into hardware/pictures where they are not."""
    pages = Path(__file__).parents[2] / "hardware" / "pictures"
    of = {"frame": "frame-2-2", "ring": "light-ring", "collar": "collar"}
    of |= {"ramp": "ramp-B1", "zone": "zone-ZB", "tile": "tile-DIC"}
    for name, part in of.items():
        shown, drawn = (
            it.read_text("utf-8")
            for it in (pages / f"printed-{name}.svg", written[0] / f"{part}.svg")
        )
        size = re.compile(r'viewBox="[^"]+"')
        assert size.findall(shown) == size.findall(drawn), name
        assert shown.count("M") == pytest.approx(drawn.count("M"), rel=0.03), name


@pytest.mark.long
def test_filament_and_hours_are_those_of_walls_and_of_solid_parts(
    written: tuple[Path, dict[str, Any]],
) -> None:
    """1.24 g of PLA in 1 cm³. From three walls of 0.4 mm and a fifth of the rest (of feet, struts
    and mast four, and two fifths): printing.md; 10 to 30 g an hour: hardware/parts.toml."""
    told = written[1]
    solid = 1.24 * sum(it["count"] * it["volume_cm3"] for it in told["parts"])
    least = 0.0
    for it in told["parts"]:
        strong = it["name"].split("-")[0] in ("foot", "strut") or it["name"] == "camera-mast"
        walls = it["area_cm2"] * (0.16 if strong else 0.12)
        inside = max(0.0, it["volume_cm3"] - walls) * (0.4 if strong else 0.2)
        least += it["count"] * 1.24 * (min(walls, it["volume_cm3"]) + inside)
    assert told["filament_g"] == pytest.approx([least, solid], rel=0.01)
    assert told["print_hours"] == pytest.approx([least / 30, solid / 10], abs=1)


@pytest.mark.long
def test_light_guides_are_counted_and_as_long_as_the_beam_is_high(
    written: tuple[Path, dict[str, Any]],
) -> None:
    """Two for each of 49 edges, from 5.6 mm under the datum (an LED 2.4 mm deep in the frame, whose
    underside is at -8) to 1 mm over the beam, which lies at 5."""
    assert (written[1]["guides"], written[1]["guide_size_mm"]) == (98, [2.0, 11.6])


def framed(board: Board, plan: BuildEntry) -> Iterator[tuple[PrintedPart, list[str]]]:
    """Each part of the frame, and the slots whose middles lie over it."""
    for part in all_parts(board, plan):
        if part.name.startswith("frame-"):
            (left, low, _), (right, high, _) = extent(part.shape)
            over = [it.id for it in board.cells if left < it.x < right and low < it.y < high]
            yield part, over


@pytest.mark.long
def test_a_tile_lies_in_every_slot_and_a_ball_leaves_it_everywhere(tmp_path: Path) -> None:
    board, plan = planned(tmp_path)
    found = lengths(board, plan)
    for part, over in framed(board, plan):
        solid = mesh(part.shape)
        for cell in over:
            here = board.cell[cell]
            assert cut(solid, tile(here.x, here.y)) < 0.01, cell
            for edge in range(1, 7):  # its lowest point 0.6 mm up, 1 mm to either side
                stand = found.stand(cell, edge)
                for aside in (-1.0, 1.0):
                    way = rolled(stand.at(aside, -8), stand.at(aside, 12), 0.6 + BALL_MM / 2)
                    assert cut(solid, way) < 0.01, (cell, edge)


@pytest.mark.long
def test_a_tile_that_does_not_find_the_key_does_not_lie_in_the_slot(tmp_path: Path) -> None:
    board, plan = planned(tmp_path)
    part = named(all_parts(board, plan), "frame-2-2")
    here = board.cell["E4"]
    turned = prism(hexagon(here.x, here.y, 46), -4.99, 0)
    key = cut(
        mesh(part.shape), turned
    )  # 11.7 wide, 4.75 less the quarter of a millimetre at the side
    assert key == pytest.approx(11.7 * 4.5 * 2.49, rel=0.02)


@pytest.mark.long
def test_frame_ring_circuit_board_and_collar_are_in_nobodys_place(tmp_path: Path) -> None:
    """Of a slot in the middle, with the circuit boards and rings of its six neighbours."""
    import trimesh

    board, plan = planned(tmp_path)
    found, parts = lengths(board, plan), all_parts(board, plan)
    assert found.module is not None
    ring, collar = (mesh(named(parts, name).shape) for name in ("light-ring", "collar"))
    assert cut(ring, collar) < 0.01
    for it in boards(found, found.module):
        assert cut(ring, it) < 0.01
        assert cut(collar, it) < 0.01
    middle = board.cell["C2"]
    for edge in range(1, 7):
        near = board.neighbour("C2", edge)
        assert near is not None
        x, y = board.cell[near].x - middle.x, board.cell[near].y - middle.y
        for it in boards(found, found.module):
            it.apply_translation((x, y, 0))
            assert cut(ring, it) < 0.01, edge
            assert cut(collar, it) < 0.01, edge
        beside = ring.copy()
        beside.apply_translation((x, y, 0))
        assert cut(ring, beside) < 0.01
    frame = mesh(named(parts, "frame-1-1").shape)
    ring.apply_translation((middle.x, middle.y, 0))
    assert cut(frame, ring) < 0.01
    ring.apply_translation((0, 0, 1))  # it does touch
    assert cut(frame, ring) > 100
    down = trimesh.creation.cylinder(BALL_MM / 2 + 1.9, 40, transform=moved(0, 0, -15))
    assert cut(collar, down) < 0.01


@pytest.mark.long
def test_a_ball_that_lies_in_the_funnel_rolls_down(tmp_path: Path) -> None:
    """Wherever a ball lies in an empty slot, the funnel under it is steeper than the board. Towards
    the corner at 0 degrees it lies on both sides of the window of what sees a tile."""
    board, plan = planned(tmp_path)
    ring = mesh(named(all_parts(board, plan), "light-ring").shape)
    most = 46.5 / math.sqrt(3) - 3 / math.cos(math.pi / 6) - BALL_MM / 2 / math.sin(math.pi / 3)
    for turn in range(0, 360, 15):
        x, y = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        aside = 0.0 if turn else 2.0
        places: list[Spot] = [(out * x, out * y + aside, 5.0) for out in (most, most - 1)]
        far = [seen(ring, it, (0.0, 0.0, -1.0)) for it in places]
        steep = math.degrees(math.atan(far[1] - far[0]))
        assert steep > plan.tilt_deg + 5, turn


@pytest.mark.long
def test_a_beams_light_passes_between_its_posts_at_its_height(tmp_path: Path) -> None:
    """With another height in the file the pockets lie there; with no sensor there are no posts."""
    texts = {5.0: OURS, 6.5: changed("\nexit = 5.0", "\nexit = 6.5")}
    for height, text in texts.items():
        board, plan = planned(tmp_path, text)
        solid = mesh(named(all_parts(board, plan), "frame-2-2").shape)
        stand = lengths(board, plan).stand("E4", 3)
        assert free(solid, stand, height) > 10.0  # to the back of the LED's bed
        assert free(solid, stand, height - 1.3) == pytest.approx(6.2, abs=0.05)
        assert free(solid, stand, height + 1.3) == pytest.approx(6.2, abs=0.05)
    gone = [f'"{cell}-{edge}"' for cell, edge in board.exits if (cell, edge) != ("E4", 3)]
    text = changed('kind = "exit"', f'kind = "exit"\nat = [{", ".join(gone)}]')
    board, plan = planned(tmp_path, text)
    solid = mesh(named(all_parts(board, plan), "frame-2-2").shape)
    stand = lengths(board, plan).stand("E4", 3)
    assert not there(solid, stand.spot(6.5, 1.0, 2.0))
    other = lengths(board, plan).stand("E4", 4)
    assert there(solid, other.spot(6.5, 1.0, 2.0))


def free(solid: Any, stand: Stand, z: float) -> float:
    """How far one sees along a rim, 3 mm outside a slot, from the middle of its edge, mm."""
    dx, dy = turned((0.0, 1.0), stand.degrees)
    return seen(solid, stand.spot(0, 3, z), (dx, dy, 0.0))


@pytest.mark.long
def test_where_tiles_leave_room_posts_stand_between_them(tmp_path: Path) -> None:
    """At a pitch of 54 mm: posts as high as the beam and its guide, clear of tiles and balls."""
    board, plan = planned(tmp_path, changed("pitch_mm = 50.0", "pitch_mm = 54.0"))
    found = lengths(board, plan)
    part = named(all_parts(board, plan), "frame-2-1")
    solid, stand = mesh(part.shape), found.stand("E1", 4)
    assert all(there(solid, stand.spot(along, 0.0, 4.0)) for along in (-9.0, 9.0))
    assert not there(solid, stand.spot(7.0, 0.0, 4.0))  # the guide's bore
    for cell in ("E1", "E2", "E3"):
        here = board.cell[cell]
        assert cut(solid, tile(here.x, here.y, 54.0)) < 0.01
    way = rolled(stand.at(0, -10), stand.at(0, 10), 0.6 + BALL_MM / 2)
    assert cut(solid, way) < 0.01
    assert [*rims(found, ["E1"])] == [("E1", 1), ("E1", 2), ("E1", 3)]

"""`hexboard build --cad`: parts that can be printed, follow the board file, and fit one another.

Solids are read and cut by foreign programs: trimesh and manifold3d. The tile and the ball are those
of the rules: a base 46 mm across from -5 to 0, with a notch of 12.7 × 5 × 3 mm, 50 mm across above;
balls of 10 mm.
"""

import csv
import json
import math
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hexboard.board import Board, BuildEntry, find, load_plan
from hexboard.commands.build import _pieces
from hexboard.commands.build.cad.all_parts import all_parts
from hexboard.commands.build.cad.arm import mast
from hexboard.commands.build.cad.frame import rims
from hexboard.commands.build.cad.lengths import Lengths, lengths
from hexboard.commands.build.cad.outline import inset, outline
from hexboard.commands.build.cad.recipe import (
    Carved,
    Cone,
    MovedSolid,
    PrintedPart,
    Prism,
    Rod,
    Spot,
    Stand,
    extent,
    size,
    turned,
)
from hexboard.commands.build.cad.times import passes
from hexboard.commands.build.module.placing import BODIES, ModulePlan, SetPart
from hexboard.commands.cli import main
from hexboard.game import registry
from hexboard.vision.marks.codes import RINGS, word
from hexboard.vision.marks.markers import markers

OURS = find("hextraction-22").read_text("utf-8")
HIGH_MM = {
    "0603": 0.9,
    "light": 0.84,
    "sot23": 1.12,
    "sot23-5": 1.45,
    "tssop16": 1.2,
    "plug": 1.5,
    "feed": 1.5,
    "led3": 1.5,
}
"""How high parts are by their data sheets; of what hangs on wires, its solder."""
BALL_MM = 10.0
"""The larger ball of the rules."""


def hexboard(home: Path, *words: object) -> Result:
    return CliRunner().invoke(main, ["--home", str(home), *map(str, words)])


def changed(old: str, new: str) -> str:
    assert OURS.count(old) == 1, old
    return OURS.replace(old, new)


def planned(folder: Path, text: str = OURS) -> tuple[Board, BuildEntry]:
    path = folder / f"{len([*folder.iterdir()])}.toml"
    path.write_text(text, "utf-8")
    return load_plan(path)


def named(parts: tuple[PrintedPart, ...], name: str) -> PrintedPart:
    return next(it for it in parts if it.name == name)


# ------------------------------------------------------------------------------- every day


def test_shapes_are_as_large_as_they_are_described() -> None:
    block = Prism(((0, 0), (4, 0), (4, 3), (0, 3)), 1, 6)
    assert size(block) == (4, 3, 5)
    assert size(Rod((0, 0, 0), (10, 0, 0), 2)) == pytest.approx((10, 4, 4))
    assert size(Cone(0, 0, 0, 5, 3, 1)) == (6, 6, 5)
    low, high = extent(MovedSolid(block, about_x=90, by=(1, 0, 0)))
    assert low == pytest.approx((1, -6, 0))
    assert high == pytest.approx((5, -1, 3))
    assert size(MovedSolid(block, about_z=90)) == pytest.approx((3, 4, 5))
    assert size(Carved((block, Rod((2, 2, 0), (2, 2, 9), 1)), (block,))) == (4, 3, 9)


def test_an_outline_goes_round_hexagons_that_touch(tmp_path: Path) -> None:
    """Two hexagons of 50 mm side by side have ten corners; 1 mm inside they are 98 mm high."""
    board, _ = planned(tmp_path)
    found = outline([board.corners("A1"), board.corners("A2")])
    ys = [y for _, y in inset(found, 1.0)]
    assert len(found) == 10
    assert max(ys) - min(ys) == pytest.approx(98, abs=0.01)


def test_a_ball_is_over_each_beam_for_many_looks(tmp_path: Path) -> None:
    """By hand: 1,043 mm/s after 300 mm of 15 degrees at 5/7 of gravity; a beam 2 mm wide 5 mm up
    meets 9.497 mm of a ball of 9.525; 25.36 mm lower that ball has 1,259 mm/s, and 2.25 mm beside
    the middle it is 8.395 mm long. Docs: the longest look takes 0.1 ms."""
    found = {it.kind: it for it in passes(*planned(tmp_path))}
    assert {*found} == {"gate", "edge", "exit", "throat", "fall"}
    assert found["edge"].speed == pytest.approx(1043, abs=2)
    assert found["edge"].dark_us == pytest.approx(7497 / 1.043, rel=0.005)
    assert found["fall"].speed == pytest.approx(1259, abs=2)
    assert found["fall"].dark_us == pytest.approx(6395 / 1.259, rel=0.005)
    assert all(it.looks == pytest.approx(it.dark_us / 100, abs=0.1) for it in found.values())
    assert min(it.looks for it in found.values()) >= 3


BAD = [
    (
        changed("bed_mm = [220, 220]", "bed_mm = [60, 55]"),
        "mm, the printer's bed 60 × 55 mm (bed_mm)",
    ),
    (
        changed("fall = -20.0", "fall = -17.5"),
        "lies at -17.5 mm, the slot's circuit board reaches down to -17.21 mm: the beam must lie "
        "at -18.71 mm or lower",
    ),
    (
        changed("ball_mm = 9.525", "ball_mm = 15.0"),
        "a funnel of 19 mm; a ball of 15 mm needs a way down of 19.5 mm",
    ),
    (
        changed("\nexit = 5.0", "\nexit = 10.0"),
        "A beam “exit” at 10 mm is hidden for 161 µs as the fastest ball passes; the firmware's "
        "longest look is 100 µs, and three of them are 300 µs",
    ),
    (changed("bed_mm = [220, 220]", "bed_mm = [50, 50]"), "not even one fits"),
    (changed("pocket_mm = 2.0", "pocket_mm = 2.4"), "a pocket of 2.4 mm goes through the rib"),
    (changed("pitch_mm = 50.0", "pitch_mm = 49.0"), "the slots are only 49 mm apart"),
    (find("table").read_text("utf-8"), "it has plain cells"),
]


@pytest.mark.parametrize(("text", "says"), BAD, ids=[says[:40] for _, says in BAD])
def test_what_cannot_be_printed_is_refused_with_numbers(
    tmp_path: Path, text: str, says: str
) -> None:
    text = text.replace('name = "table"', 'name = "it"')
    path = tmp_path / "it.toml"
    path.write_text(text, "utf-8")
    result = hexboard(tmp_path, "build", path, "--cad", "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert says in result.output
    assert not [*tmp_path.glob("out/*")]


def test_without_the_library_one_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "build123d", None)
    monkeypatch.delitem(sys.modules, "hexboard.commands.build.cad.solids", raising=False)
    monkeypatch.delattr("hexboard.commands.build.cad.solids", raising=False)
    result = hexboard(tmp_path, "build", "hextraction-22", "--cad", "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert "pip install 'hexboard[cad]'" in result.output
    assert len(result.output.splitlines()) == 1


def test_parts_follow_the_pitch(tmp_path: Path) -> None:
    """The plate of E1 to E3 is three slots long, less 0.1 mm at each end, at any pitch; the ring
    3.2 mm less than a slot. Tiles that lie 4 mm apart leave room for posts of 3.2 mm."""
    for pitch in (50.0, 54.0):
        board, plan = planned(tmp_path, changed("pitch_mm = 50.0", f"pitch_mm = {pitch}"))
        parts = all_parts(board, plan)
        body: Any = named(parts, "frame-2-1").shape
        assert size(body.adds[0].adds[0])[1] == pytest.approx(3 * pitch - 0.2, abs=0.01)
        assert lengths(board, plan).posts == (pitch == 54.0)
        across = size(named(parts, "light-ring").shape)[1]
        assert across == pytest.approx(pitch - 3.2, abs=0.01)


# ---------------------------------------------------------------------- solids: minutes


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """All parts of our board, and what is told of them."""
    folder = tmp_path_factory.mktemp("parts")
    result = hexboard(folder, "build", "hextraction-22", "--cad", "--json", "-o", folder / "out")
    assert result.exit_code == 0, result.output
    return folder / "out", json.loads(result.output)


def mesh(shape: Any) -> Any:
    """A recipe as a mesh of trimesh, where it sits in the board."""
    import trimesh

    from hexboard.commands.build.cad.solids import made

    points, faces = made(shape).tessellate(0.02, 0.3)
    found = trimesh.Trimesh([(it.X, it.Y, it.Z) for it in points], faces)
    found.merge_vertices()
    assert found.is_volume
    return found


def prism(points: Any, low: float, high: float) -> Any:
    """A prism over a convex polygon."""
    import trimesh

    corners = [(x, y, z) for x, y in points for z in (low, high)]
    return trimesh.convex.convex_hull(corners)


def hexagon(x: float, y: float, across: float) -> list[tuple[float, float]]:
    size, turns = across / math.sqrt(3), [math.radians(60 * k) for k in range(6)]
    return [(x + size * math.cos(t), y + size * math.sin(t)) for t in turns]


def cut(one: Any, other: Any) -> float:
    """How much two solids have in common, mm³."""
    import numpy as np
    import trimesh

    found = trimesh.boolean.intersection([one, other], engine="manifold").triangles
    if not len(found):
        return 0.0
    a, b, c = found[:, 0], found[:, 1], found[:, 2]
    return abs(float((a * np.cross(b, c)).sum())) / 6


def seen(solid: Any, start: Spot, way: Spot, far: float = 40.0) -> float:
    """How far one sees in a direction until a solid is there, mm."""
    import trimesh

    ends = [[s + t * w for s, w in zip(start, way, strict=True)] for t in (0, far)]
    beam = trimesh.creation.cylinder(0.05, segment=ends)
    hit = trimesh.boolean.intersection([solid, beam], engine="manifold").vertices
    return min((float((it - start) @ way) for it in hit), default=far)


def there(solid: Any, spot: Spot) -> bool:
    """Whether a solid is at a place."""
    return seen(solid, spot, (0.0, 0.0, 1.0), 0.1) < 0.1


def tile(x: float, y: float, pitch: float = 50.0) -> Any:
    """The envelope of a tile in a slot whose key lies at edge 4, a hair above the ledge. On a wider
    board its notch is as much deeper as the key stands further out."""
    import trimesh

    deep = 5.0 + (pitch - 50.0) / 2
    notch = trimesh.creation.box((12.7, deep, 3.0), moved(x, y - 23 + deep / 2, -3.49))
    base = trimesh.boolean.difference([prism(hexagon(x, y, 46), -4.99, 0.1), notch])
    return trimesh.boolean.union([base, prism(hexagon(x, y, 50), 0.0, 10.0)])


def rolled(start: tuple[float, float], end: tuple[float, float], z: float) -> Any:
    """The way of a ball from one place to another."""
    import trimesh

    ball = trimesh.creation.icosphere(3, BALL_MM / 2).vertices
    spots = [(x + dx, y + dy, z + dz) for x, y in (start, end) for dx, dy, dz in ball]
    return trimesh.convex.convex_hull(spots)


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
def test_filament_and_hours_are_those_of_solid_and_hollow_parts(
    written: tuple[Path, dict[str, Any]],
) -> None:
    """1.24 g of PLA in 1 cm³, from 40 % of that; 10 to 30 g an hour (hardware/parts.toml)."""
    told = written[1]
    solid = 1.24 * sum(it["count"] * it["volume_cm3"] for it in told["parts"])
    assert told["filament_g"] == pytest.approx([0.4 * solid, solid], rel=0.01)
    assert told["print_hours"] == pytest.approx([0.4 * solid / 30, solid / 10], abs=1)


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


def boards(found: Lengths, module: ModulePlan) -> Iterator[Any]:
    """A slot's circuit board about the slot's middle, and what stands on it, as blocks; beams' LEDs
    in ribs reach up to the frame, what hangs under it down."""
    import trimesh

    stack = found.stack
    plate = prism(module.outline, stack.board_low, stack.board_top - 0.01)
    hole = trimesh.creation.cylinder(module.hole, 20, transform=moved(0, 0, stack.board_low))
    yield trimesh.boolean.difference([plate, hole])
    for it in module.parts:
        lands = BODIES[it.part.body]
        x = 2 * max(abs(land.x) + land.wide / 2 for land in lands)
        y = 2 * max(abs(land.y) + land.high / 2 for land in lands)
        high = HIGH_MM[it.part.body]
        if it.part.body == "plug":  # JST PH, standing: 15.9 × 4.5 × 6 mm, under the board
            yield block(it, (15.9, 4.5, 6.0), stack.board_low - 3)
        if not it.below or it.part.body == "plug":
            yield block(it, (x, y, high), stack.board_top + high / 2)


def block(it: SetPart, sizes: tuple[float, float, float], z: float) -> Any:
    """A block in a part's place."""
    import trimesh

    turn = trimesh.transformations.rotation_matrix(math.radians(it.turned), (0, 0, 1))
    return trimesh.creation.box(sizes, moved(it.x, it.y, z) @ turn)


def moved(x: float, y: float, z: float) -> Any:
    import trimesh

    return trimesh.transformations.translation_matrix((x, y, z))


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
    """Wherever a ball lies in an empty slot, the funnel under it is steeper than the board."""
    board, plan = planned(tmp_path)
    ring = mesh(named(all_parts(board, plan), "light-ring").shape)
    most = 46.5 / math.sqrt(3) - 3 / math.cos(math.pi / 6) - BALL_MM / 2 / math.sin(math.pi / 3)
    for turn in range(0, 360, 15):
        x, y = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        places: list[Spot] = [(out * x, out * y, 5.0) for out in (most, most - 1)]
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


# ------------------------------------------------------------------- what hangs on the frame


@pytest.fixture(scope="module")
def ours() -> dict[str, Any]:
    """Every part of our board where it sits, as a mesh."""
    return {it.name: mesh(it.shape) for it in all_parts(*load_plan(find("hextraction-22")))}


@pytest.mark.long
def test_what_hangs_on_the_frame_lies_in_nobodys_place(
    tmp_path: Path, ours: dict[str, Any]
) -> None:
    """Neither in the frame's, nor in that of a circuit board or ring, nor in one another's."""
    board, plan = planned(tmp_path)
    found = lengths(board, plan)
    assert found.module is not None
    hanging = {name: it for name, it in ours.items() if HANGS.match(name)}
    assert len(hanging) == 8 + 4 + 1
    for name, solid in hanging.items():
        for other, it in ours.items():
            if other.startswith("frame") or (other in hanging and other != name):
                assert cut(solid, it) < 0.01, (name, other)
        for cell in board.cells:
            away = math.dist((cell.x, cell.y), solid.bounds.mean(axis=0)[:2])
            for it in (*boards(found, found.module), ours["light-ring"]) if away < 90 else ():
                assert cut(solid, at(it, cell.x, cell.y)) < 0.01, (name, cell.id)


HANGS = re.compile(r"(ramp|zone|foot)-|edge-\d|strut")


def at(solid: Any, x: float, y: float) -> Any:
    found = solid.copy()
    found.apply_translation((x, y, 0))
    return found


@pytest.mark.long
def test_a_ball_rolls_down_every_lane_into_its_slot(tmp_path: Path, ours: dict[str, Any]) -> None:
    """Straight down from where it is loaded, then through the middle of the slot's edge: beside a
    slot the lane turns 16.67 mm above the slot's middle. Its beam sees it lie there."""
    board, _ = planned(tmp_path)
    for lane in board.ramps:
        here, (x, y) = board.cell[lane.cell], board.lane_point(lane)
        assert (x - here.x, y - here.y) == pytest.approx(
            {6: (-28.87, 50), 1: (0, 50), 2: (28.87, 50)}[lane.edge], abs=0.01
        )
        turn = here.y + (16.67 if lane.edge != 1 else 40)
        z = 0.72 + BALL_MM / 2
        ways = (rolled((x, y + 4), (x, turn), z), rolled((x, turn), (here.x, here.y), z))
        for name in (f"ramp-{lane.cell}", "frame-1-1", "frame-2-1"):
            assert all(cut(ours[name], way) < 0.01 for way in ways), (lane.id, name)
        beam = [seen(ours[f"ramp-{lane.cell}"], (x, y, 5.0), (dx, 0, 0)) for dx in (-1, 1)]
        assert min(beam) > 10
        low = seen(ours[f"ramp-{lane.cell}"], (x, y, 5.0), (0, 0, -1))
        assert low == pytest.approx(5 - 0.7, abs=0.01)


@pytest.mark.long
def test_a_ball_comes_from_every_throat_to_the_beam_of_its_end_zone(
    tmp_path: Path, ours: dict[str, Any]
) -> None:
    """Along walls of 16 degrees it rolls to the middle, under no sill; the ball of 9.525 mm lies
    where the board file has the sensor, 10 mm down."""
    board, _ = planned(tmp_path)
    for zone in board.zones:
        tray, (x, y) = ours[f"zone-{zone.id}"], board.zone_point(zone)
        z = -10 - 9.525 / 2 + BALL_MM / 2 + 0.01
        steep = math.radians(16)
        lies = y + (BALL_MM - 9.525) / 2 / math.cos(steep) + 0.02
        for side in (-1, 1):
            entry = x + side * 26.0, lies + 26.0 * math.tan(steep)
            for name in (f"zone-{zone.id}", "frame-1-2", "frame-1-1", "frame-2-2"):
                assert cut(ours[name], rolled(entry, (x, lies), z)) < 0.01, name
                over = board.edge_point(zone.cell, 4 - side, 12.6)
                assert cut(ours[name], rolled(over, entry, z)) < 0.01, name
        far = {dy: seen(tray, (x, y, -10.0), (0, dy, 0)) for dy in (-1, 1)}
        assert min(far.values()) > 9  # through the wall and the pillar, to the back of each bed
        ball = rolled((x, y), (x, y), -10.0)
        assert cut(tray, ball) > 0.01  # one of 10 mm does not fit there: it lies 0.25 mm higher


@pytest.mark.long
def test_the_feet_stand_on_one_table_that_is_tilted_as_the_file_says(ours: dict[str, Any]) -> None:
    """Along the table z + y tan 15° is the same; their screws find the frame's inserts."""
    tilt, lowest = math.tan(math.radians(15)), {}
    for name, foot in ours.items():
        if name.startswith("foot"):
            heights = [z + y * tilt for _, y, z in foot.vertices]
            lowest[name] = min(heights)
            assert sum(it < lowest[name] + 0.001 for it in heights) >= 4
    assert len(lowest) == 4
    assert max(lowest.values()) - min(lowest.values()) < 0.001
    board, plan = load_plan(find("hextraction-22"))
    stand = lengths(board, plan).stand("A1", 1)
    for height, part in ((-4.0, "frame-1-1"), (-9.0, "foot-upper-left")):
        assert not there(ours[part], stand.spot(0, 3, height))
        assert there(ours[part], stand.spot(2.5, 3, height))


@pytest.mark.long
def test_the_edge_bears_every_marker_of_the_printed_border(ours: dict[str, Any]) -> None:
    """docs/camera.md: a mat of 331 × 390 mm, 24 mm a marker and 7 mm of white round it, the plain
    band inside of it left free; 0.2 mm under the datum is paper."""
    plates = [it for name, it in ours.items() if re.match(r"edge-\d", name)]
    across = {it for plate in plates for it in (*plate.bounds[:, 0], *plate.bounds[:, 1])}
    assert max(across) - min(across) == pytest.approx(390, abs=0.5)
    for plate in plates:
        assert plate.bounds[1][2] == pytest.approx(-0.2)
    for marker in markers(load_plan(find("hextraction-22"))[0]):
        for dx in (-18.9, -1.0, 18.9):
            for dy in (-18.9, -1.0, 18.9):
                spot = marker.x + dx, marker.y + dy, -1.0
                assert sum(there(it, spot) for it in plates) == 1, (marker.id, dx, dy)
    for x, y in ((127.0, 0.0), (0.0, 161.5), (-127.0, -151.0)):
        assert not any(there(it, (x, y, -1.0)) for it in plates)


@pytest.mark.long
def test_every_screw_of_the_edge_finds_its_insert(ours: dict[str, Any]) -> None:
    plates = [it for name, it in ours.items() if re.match(r"edge-\d", name)]
    bears = {
        "ramp-B1": ((-71.3, 168.0), (-15.3, 168.0)),
        "ramp-D1": ((15.3, 168.0), (71.3, 168.0)),
        "zone-ZB": ((-43.3, -158.0),),
        "zone-ZD": ((43.3, -158.0),),
    }
    for name, spots in bears.items():
        for x, y in spots:
            assert not there(ours[name], (x, y, -8.0))
            assert there(ours[name], (x + 3.0, y, -8.0))
            assert not any(there(it, (x, y, -3.0)) for it in plates)
            assert any(there(it, (x + 3.0, y, -3.0)) for it in plates)
            assert any(there(it, (x, y, -0.8)) for it in plates)  # closed above


@pytest.mark.long
def test_the_mast_is_as_high_as_the_camera_page_says_and_its_pieces_fit(
    tmp_path: Path, ours: dict[str, Any]
) -> None:
    """docs/camera.md, Camera Module 3 over hextraction-22: 424 mm up, 245 aside, 30 degrees off."""
    found = mast(lengths(*planned(tmp_path)))
    assert found.up == pytest.approx(424, abs=1)
    assert found.aside == pytest.approx(245, abs=1)
    base, piece, head = (ours[f"camera-{it}"] for it in ("base", "mast", "head"))
    long = piece.bounds[1][2] - 18
    for above in (piece, head):
        it = above.copy()
        it.apply_translation((0, 0, long))
        assert cut(piece, it) < 0.01
        it.apply_translation((0, 0, -0.5))
        assert cut(piece, it) > 10
    tilt = math.radians(15)
    assert _facing(base, (0, -math.sin(tilt), math.cos(tilt))) > 14 * 14
    off = math.radians(30)
    assert _facing(head, (math.sin(off), 0, -math.cos(off))) > 34 * 28 - 4 * 20


def _facing(solid: Any, way: Spot) -> float:
    """How much of a solid's surface looks in a direction, mm²."""
    return float(solid.area_faces[solid.face_normals @ way > 0.9999].sum())


@pytest.mark.long
def test_a_pi_and_a_pico_lie_in_their_box(ours: dict[str, Any]) -> None:
    """By their makers' drawings: 85 × 56 mm, holes 58 × 49 apart; 51 × 21 mm, 47 × 11.4 apart."""
    import trimesh

    box, lid = ours["box"], ours["box-lid"]
    for wide, high, x, y, dx, dy in (
        (85, 56, 3, 3, 58, 49),
        (51, 21, 3, 62, 47, 11.4),
    ):
        corners = ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))
        board = prism(corners, 5.01, 20)
        assert cut(box, board) < 0.01
        assert cut(lid, board) < 0.01
        first = (x + 3.5, y + 3.5) if wide == 85 else (x + 2, y + 4.8)
        for hole in ((0, 0), (dx, 0), (0, dy), (dx, dy)):
            spot = first[0] + hole[0], first[1] + hole[1], 3.0
            assert not there(box, spot)
            assert there(box, (spot[0] + 2, spot[1], 3.0))
    assert cut(box, lid) < 0.01
    cable = trimesh.creation.box((4, 6.5, 5), moved(-1, 86 / 12, 3))  # in the comb's first gap
    assert cut(box, cable) < 0.01


# ------------------------------------------------------------------------------------- pieces

TILES = Path(__file__).parents[2] / "hardware" / "tiles" / "basic"


def played_with(board: str) -> dict[str, PrintedPart]:
    """The parts of a board with the pieces of its game, by name."""
    found, plan = load_plan(find(board))
    wanted = _pieces(Path("/nowhere"), found.game)
    return {it.name: it for it in all_parts(found, plan, wanted)}


@pytest.fixture(scope="module")
def tiles() -> dict[str, Any]:
    """The basic tiles as meshes, by id."""
    found = played_with("hextraction-22")
    named = {name.removeprefix("tile-"): it for name, it in found.items() if "tile-" in name}
    return {name: mesh(it.shape) for name, it in named.items()}


@pytest.mark.long
def test_a_tiles_channels_are_the_nets_of_its_file(tiles: dict[str, Any]) -> None:
    """Of the space over the grooves each tile leaves so many pieces, and each opens at the edges of
    one net; a ball comes in over those edges, 0.6 mm over the datum, and over no other."""
    import trimesh

    assert {*tiles} == {it.stem for it in TILES.glob("*.toml")}
    slab = prism(hexagon(0, 0, 49.98), 6.5, 9.9)
    for name, solid in tiles.items():
        told = tomllib.loads((TILES / f"{name}.toml").read_text("utf-8"))
        rest = trimesh.boolean.difference([slab, solid], engine="manifold").split()
        free = [it for it in rest if it.volume > 100]
        opens = {frozenset(e for e in range(1, 7) if reaches(it, e)) for it in free}
        assert opens == {frozenset(net) for net in told["nets"]}, name
        for edge in range(1, 7):
            stand = Stand(*turned((25, 0), 90 - 60 * (edge - 1)), 90 - 60 * (edge - 1))
            way = rolled(stand.at(0, 5), stand.at(0, -2.5), 0.62 + BALL_MM / 2)
            assert (cut(solid, way) < 0.5) == any(edge in net for net in told["nets"]), name


def reaches(free: Any, edge: int) -> bool:
    """Whether a piece of space goes out over the middle of an edge."""
    angle = math.radians(90 - 60 * (edge - 1))
    out = free.vertices @ (math.cos(angle), math.sin(angle), 0)
    aside = free.vertices @ (-math.sin(angle), math.cos(angle), 0)
    return bool(((out > 24.95) & (abs(aside) < 7)).any())


@pytest.mark.long
def test_a_tile_is_within_its_envelope_and_seats_as_its_file_says(
    tmp_path: Path, tiles: dict[str, Any]
) -> None:
    """With a notch at edge 4 it lies in the slot, else the key holds it off; light guides of 2 mm
    stand in all its edges, 5 mm up."""
    import trimesh

    board, plan = planned(tmp_path)
    frame, here = mesh(named(all_parts(board, plan), "frame-2-2").shape), board.cell["E4"]
    whole = trimesh.boolean.union(
        [prism(hexagon(0, 0, 46), -5, 0.1), prism(hexagon(0, 0, 50), 0, 10.61)]
    )
    for name, solid in tiles.items():
        beyond = trimesh.boolean.difference([solid, whole], engine="manifold")
        assert beyond.is_empty or abs(beyond.volume) < 0.05, name
        assert max(math.hypot(x, y) for x, y, _ in solid.vertices) < 56.6 / 2
        sockets = tomllib.loads((TILES / f"{name}.toml").read_text("utf-8"))["sockets"]
        for turn in range(6):  # clockwise: its edge 4 - turn comes to lie at the slot's edge 4
            lies = solid.copy()
            lies.apply_transform(
                trimesh.transformations.rotation_matrix(math.radians(-60 * turn), (0, 0, 1))
            )
            lies.apply_translation((here.x, here.y, 0.01))
            edge = (4 - turn - 1) % 6 + 1
            assert (cut(frame, lies) < 0.01) == (edge in sockets), (name, turn)
        for edge in range(1, 7):
            stand = Stand(*turned((25, 0), 90 - 60 * (edge - 1)), 90 - 60 * (edge - 1))
            for along in (-7, 7):
                guide = trimesh.creation.cylinder(1, 6, transform=moved(*stand.at(along, 0), 3))
                assert cut(solid, guide) < 0.01, (name, edge)


@pytest.mark.long
def test_a_tiles_marker_has_the_fields_that_the_camera_reads(tiles: dict[str, Any]) -> None:
    """4 × 4 fields of 2 mm, 22.2 mm out in the corner after edge 1, dark ones 0.6 mm higher."""
    numbered = dict(registry.find("hextraction").labels["tiles"](Path("/nowhere")).tiles)
    x, y = 22.2 * math.cos(math.pi / 3), 22.2 * math.sin(math.pi / 3)
    for name, solid in tiles.items():
        read = []
        for k in range(16):
            spot = x - 3 + 2 * (k % 4), y + 3 - 2 * (k // 4), 20.0
            read.append(20 - seen(solid, spot, (0, 0, -1)))
        bits = tuple(height < 10.3 for height in read)
        assert bits == word(numbered[name]), name
        assert {round(it, 2) for it in read} == {10.0, 10.6}


@pytest.mark.long
def test_discs_stack_and_bases_show_their_kinds_ring() -> None:
    """`hexboard sheet hexhex-5 --pieces` says 27.2 mm across and 7.6 high; a ring of one lies in
    the groove of the next. Of 16 sectors the dark ones are higher."""
    disc = mesh(played_with("hexhex-5")["disc"].shape)
    assert disc.extents == pytest.approx((27.2, 27.2, 8.2), abs=0.1)
    for up, apart in ((7.6, True), (7.3, False)):
        assert (cut(disc, at(disc, 0, 0).apply_translation((0, 0, up))) < 0.01) == apart
    bases = {name: it for name, it in played_with("flowers-31").items() if "base-" in name}
    assert sum(it.count for it in bases.values()) == 46
    for seat, kind, name in ((0, 0, "base-1-acv"), (1, 5, "base-2-factory")):
        solid, read = mesh(bases[name].shape), ""
        far = 9.36 * 0.85  # at a pitch of 26 mm
        for k in range(16):
            angle = (k + 0.5) * math.pi / 8
            spot = far * math.cos(angle), far * math.sin(angle), 20.0
            read += "0" if 20 - seen(solid, spot, (0, 0, -1)) > 2.4 else "1"
        assert read == RINGS[kind]
        assert there(solid, (9.36 * 0.55, 0.0, 2.4)) == (seat == 0)

"""`hexboard build --cad`: ramps, end zones, feet and edge fit the frame; camera arm and box."""

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hexboard.board import find, load_plan
from hexboard.commands.build.cad.all_parts import all_parts
from hexboard.commands.build.cad.arm import mast
from hexboard.commands.build.cad.lengths import lengths
from hexboard.commands.build.cad.recipe import (
    Spot,
)
from hexboard.vision.marks.markers import markers
from tests.solids import BALL_MM, at, boards, cut, mesh, moved, planned, prism, rolled, seen, there


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


@pytest.mark.long
def test_a_spirit_level_in_its_seat_stands_upright_when_the_board_is_tilted_right(
    ours: dict[str, Any],
) -> None:
    """15 mm wide; upright is (0, sin 15°, cos 15°) on a board that leans so far. It goes in from
    above and lies on the bore's bottom, all round; the seat lies on the printed border, within it,
    thick side down the board."""
    import trimesh

    seat, tilt = ours["level-seat"], math.radians(15)
    up = np.array([0.0, math.sin(tilt), math.cos(tilt)])
    low, high = seat.bounds
    assert low[2] == pytest.approx(0.0)
    assert -195 < low[1] < high[1] < -147  # of a mat of 390 mm whose border is 48 mm wide
    corners = {round(float(it @ up), 2) for it in seat.vertices if abs(it[0]) > 12 and it[2] > 1}
    [top] = corners  # it lies level
    y = (low[1] + high[1]) / 2
    over = np.array([0.0, y, (top - y * up[1]) / up[2]]) + 5 * up
    bottom = over - seen(seat, tuple(over), tuple(-up)) * up

    def overlap(off: Any) -> float:
        ends = [bottom + off, bottom + off + 8 * up]
        return cut(seat, trimesh.creation.cylinder(7.5, segment=ends, sections=90))

    assert overlap(0.01 * up) < 0.01
    assert overlap(-0.5 * up) == pytest.approx(0.5 * math.pi * 7.5**2, rel=0.02)
    assert overlap(0.5 * up + np.array([0.4, 0.0, 0.0])) > 0.1
    assert 4 < top - bottom @ up < 7  # it is seen from aside

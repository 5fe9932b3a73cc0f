"""`hexboard build --cad`: tiles have the nets of their files, pieces what a camera reads."""

import math
import tomllib
from pathlib import Path
from typing import Any

import pytest

from hexboard.board import find, load_plan
from hexboard.commands.build import game_pieces
from hexboard.commands.build.cad.all_parts import all_parts
from hexboard.commands.build.cad.recipe import (
    PrintedPart,
    Stand,
    turned,
)
from hexboard.game import registry
from hexboard.vision.marks.codes import RINGS, word
from tests.solids import (
    BALL_MM,
    at,
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
)

TILES = Path(__file__).parents[2] / "hardware" / "tiles" / "basic"


def played_with(board: str) -> dict[str, PrintedPart]:
    """The parts of a board with the pieces of its game, by name."""
    found, plan = load_plan(find(board))
    wanted = game_pieces(Path("/nowhere"), found.game)
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

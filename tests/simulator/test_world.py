"""The simulated board, as its sensors tell of it."""

import pytest

from hexboard.board import find, load
from hexboard.facts import MS
from hexboard.games.hextraction.simulator.world import TileWorld
from hexboard.games.hextraction.tiles.catalogue import basic, everything
from hexboard.words.errors import BadText


@pytest.mark.parametrize("pace", [0.1, 1.0, 20.0])
def test_a_ball_has_left_its_loading_place_before_its_gate_sees_it(pace: float) -> None:
    world = TileWorld(load(find("hextraction-22")), basic(), 1, pace)
    world.drop("B1-6")
    seen = [(one.sensor, one.level) for one in world.run(60_000 * MS)]
    left = max(k for k, one in enumerate(seen) if one == ("load:B1-6", False))
    assert left < seen.index(("gate:B1-6", True))


@pytest.mark.parametrize(("rotation", "edge"), [(0, 4), (3, 1)])
def test_a_ball_leaves_a_tiles_own_ramp_by_the_edge_that_its_file_states(
    rotation: int, edge: int
) -> None:
    board = load(find("hextraction-22"))
    world = TileWorld(board, everything(), 1)
    world.seat("C2", "Clone", rotation)
    world.drop("C2")
    seen = [one.sensor for one in world.run(60_000 * MS) if one.level]
    assert seen[:2] == ["seat:C2", f"edge:{board.seam('C2', edge)}"]


def test_nothing_is_dropped_onto_a_tile_without_a_ramp() -> None:
    world = TileWorld(load(find("hextraction-22")), everything(), 1)
    world.seat("C2", "J", 0)
    with pytest.raises(BadText):
        world.drop("C2")

"""The simulated board, as its sensors tell of it."""

import pytest

from controller.board import find, load
from controller.facts import MS
from controller.games.hextraction.tiles import basic
from controller.simulator.world import World


@pytest.mark.parametrize("pace", [0.1, 1.0, 20.0])
def test_a_ball_has_left_its_loading_place_before_its_gate_sees_it(pace: float) -> None:
    world = World(load(find("hextraction-22")), basic(), 1, pace)
    world.drop("B1-6")
    seen = [(one.sensor, one.level) for one in world.run(60_000 * MS)]
    left = max(k for k, one in enumerate(seen) if one == ("load:B1-6", False))
    assert left < seen.index(("gate:B1-6", True))

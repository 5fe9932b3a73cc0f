"""Geometry and physics of the second world against figures computed by hand."""

import itertools
import math
from random import Random

import pytest
from msgspec.structs import replace

from hexboard.board import Board, find, load
from hexboard.games.hextraction.tiles.catalogue import everything
from tests.worlds.ground import Behind, Ground
from tests.worlds.knobs import CLEAN
from tests.worlds.physics import Contact, Rest, Run

BOARD: Board = load(find("hextraction-22"))
TILT = 10.0
PULL = 5 / 7 * 9810 * (math.sin(math.radians(TILT)) - 0.02)
"""mm/s² straight down a slope of 10°, with a friction of 0.02: 1076."""


def ground(**tiles: tuple[str, int]) -> Ground:
    made = Ground(BOARD, TILT, 0.0)
    for slot, (tile, rotation) in tiles.items():
        made.tiles[slot] = (everything()[tile], rotation)
    return made


EXACT = replace(CLEAN, rough=0.0, bowls=0.0, sticks=0.0, friction=0.02, tilt_deg=TILT)


def rolled(
    made: Ground, seed: int = 1, loss: float = 0.12, resting: dict[int, Rest] | None = None
) -> Run:
    """Ball 1 down the middle lane of B1."""
    lying = {1: Rest("lane B1-1", 0, (), Contact("load:B1-1", 0.0, None, 1, "load"))}
    run = Run(made, lying | (resting or {}), replace(EXACT, seam_loss=loss), Random(seed))
    run.release(1, "B1-1", 0.0)
    run.finish()
    return run


@pytest.mark.parametrize(
    ("net", "whole"), [((1, 4), 50.0), ((1, 3), 45.345), ((2, 3), 30.230), ((1, 2, 4), 50.0)]
)
def test_ways_are_as_long_as_arcs_that_are_square_to_both_edges(
    net: tuple[int, ...], whole: float
) -> None:
    # 60° apart: radius 25 tan 30° = 14.434, 120° of arc; 120° apart: radius 43.301, 60° of arc.
    assert 2 * ground(B1=("J", 0)).half_mm("B1", net) == pytest.approx(whole, abs=0.01)


def test_the_middle_of_a_bend_lies_on_its_arc() -> None:
    # Edges 1 and 3 of B1 (-43.3, 100): the arc's middle is 50 - 43.301 = 6.699 mm towards edge 2.
    x, y = ground(B1=("J", 0)).hub("B1", (1, 3))
    assert x == pytest.approx(-43.301 + 6.699 * math.cos(math.radians(30)), abs=0.01)
    assert y == pytest.approx(100 + 6.699 * math.sin(math.radians(30)), abs=0.01)


def test_what_lies_behind_each_edge() -> None:
    made = ground(B1=("J", 0), B2=("J", 3), C1=("Asterisk", 0))  # B2 turned by 3: edges 4 and 6
    assert made.behind("B1", 1) == Behind("lane", "B1-1")
    assert made.behind("B1", 4) == Behind("wall", "B2", 1)
    assert made.behind("B1", 3) == Behind("way", "C1", 6)
    assert made.behind("B1", 5) == Behind("open", "A1")
    assert made.behind("C1", 1) == Behind("side")
    assert ground(B5=("J", 0)).behind("B5", 3) == Behind("zone", "ZB")
    assert made.sensor("B1", 4) == "edge:B1-B2"
    assert made.sensor("C1", 1) == "exit:C1-1"


def test_a_ball_falls_through_the_open_slot_below_its_lane() -> None:
    run = rolled(ground())
    assert run.fell == [(1, "B1")]
    assert [contact.way for contact in run.contacts] == ["gate", "fall"]
    assert run.touches == []


def test_a_ball_is_as_fast_as_its_drop_and_as_late_as_its_way() -> None:
    column = {f"B{k}": ("DIC", 0) for k in range(1, 6)}  # straight lanes 1 to 4
    run = rolled(ground(**column))
    gate, *crossings, throat, floor = run.contacts
    # Lane: 75 - 25 - 3 = 22 mm of way from load to gate.
    assert gate.speed == pytest.approx(math.sqrt(2 * PULL * 22), rel=0.01)
    speed = gate.speed * math.sqrt(1 - 0.12)
    times = [gate.on + 3 / gate.speed]
    for crossing in (*crossings, throat):
        speed = math.sqrt(speed**2 + 2 * PULL * 50)
        assert crossing.speed == pytest.approx(speed, rel=0.01)
        times.append(crossing.on + 3 / crossing.speed)
        speed *= math.sqrt(1 - 0.12)
    assert [contact.sensor for contact in crossings] == [f"edge:B{k}-B{k + 1}" for k in range(1, 5)]
    for before, now, crossing in zip(times, times[1:], crossings, strict=False):
        average = 50 / (now - before)
        assert crossing.speed * 0.5 < average < crossing.speed
    assert throat.sensor == "throat:B5-4"
    assert floor.sensor == "floor:ZB"
    assert floor.off is None
    assert run.goals == [(1, "ZB")]
    assert run.end < 2.0


def test_a_pulse_lasts_as_long_as_six_millimetres_take() -> None:
    run = rolled(ground(**{f"B{k}": ("DIC", 0) for k in range(1, 6)}))
    for contact in run.contacts:
        if contact.off is not None:
            assert contact.off - contact.on == pytest.approx(6 / contact.speed)
            assert 0.004 < contact.off - contact.on < 0.05


def test_no_ball_gains_energy_at_a_wall() -> None:
    made = ground(B1=("DIC", 0), B2=("J", 3))
    for seed in range(50):
        run = rolled(made, seed=seed)
        bounces = [contact for contact in run.contacts if contact.sensor == "edge:B1-B2"]
        assert run.resting[1].place == "B1/4"
        assert bounces[-1].off is None
        speeds = [contact.speed for contact in bounces]
        assert all(after < 0.5 * before for before, after in itertools.pairwise(speeds))
        # A hop of speed u takes 2 u / PULL and more, for friction shortens only the way up.
        for before, after in itertools.pairwise(bounces):
            assert before.off is not None
            assert after.on - before.off > 0
        # Every arrival touches the tile whose wall it is (K37).
        assert [slot for _, _, slot in run.touches] == ["B1", *["B2"] * len(bounces)]


def test_some_walls_are_touched_several_times_a_fifth_to_half_a_second_apart() -> None:
    made = ground(**{f"B{k}": ("DIC", 0) for k in range(1, 5)}, B5=("J", 3))
    gaps = []
    for seed in range(100):
        bounces = [c for c in rolled(made, seed=seed).contacts if c.sensor == "edge:B4-B5"]
        gaps += [b.on - a.on for a, b in itertools.pairwise(bounces)]
    assert gaps
    assert all(0.1 < gap < 1.0 for gap in gaps)


@pytest.mark.parametrize(("loss", "sensor"), [(0.12, "exit:C1-1"), (0.999, "edge:B1-C1")])
def test_a_ball_climbs_if_its_energy_does(loss: float, sensor: str) -> None:
    # C1 leads from edge 6 up to 1: 12.5 sin 10° = 2.17 mm, and 30.2 mm of friction, take 197 mm/s.
    # Lane, rib and B1 give sqrt(0.88 · 2 PULL 22 + 10/7 g (37.5 sin 10° - 0.02 45.3)) = 347 mm/s,
    # the next rib takes 12 %; with ribs that take all, B1 alone gives 280 mm/s.
    made = ground(B1=("J", 0), C1=("DIC", 1))
    run = rolled(made, loss=loss)
    rib = next(c for c in run.contacts if c.sensor == "edge:B1-C1")
    assert rib.speed == pytest.approx(347 if loss < 0.9 else 280, rel=0.01)
    assert run.contacts[-1].sensor == sensor
    if loss > 0.9:  # it lies in the trough, on the rib
        assert run.resting[1].place == "C1/6"
        assert run.contacts[-1].off is None
        assert [slot for _, _, slot in run.touches] == ["B1", "C1"]
    else:
        assert run.off == [(1, "C1")]


def test_a_second_ball_loosens_one_that_sticks_on_a_rib() -> None:
    made = ground(**{f"B{k}": ("DIC", 0) for k in range(1, 6)})
    stuck = Contact("edge:B2-B3", -5.0, None, 7, "stick")
    run = rolled(made, resting={7: Rest("B2", 4, (1, 4), stuck)})
    assert stuck.off is not None
    assert sorted(run.moved) == [1, 7]
    assert sorted(ball for ball, _ in run.goals) == [1, 7]


@pytest.mark.parametrize(("tile", "sent"), [("DIC", range(1)), ("Asterisk", range(1, 40))])
def test_a_ball_stops_behind_one_that_leans_or_in_a_star_sends_it_away(
    tile: str, sent: range
) -> None:
    made = ground(B1=(tile, 0), B2=("J", 3))
    net = made.net("B1", 4)
    away = 0
    for seed in range(60):
        leaning = Contact("edge:B1-B2", -5.0, None, 7, "lean")
        run = rolled(made, seed, resting={7: Rest("B1", 4, net, leaning)})
        assert len(run.resting) + len(run.off) + len(run.fell) == 2
        away += leaning.off is not None
    assert away in sent

"""`hexboard build --cad`: each tile's magnets are felt by its slot, and hold no ball."""

import math
from pathlib import Path
from typing import Any

import pytest

from hexboard.board import find, load_plan
from hexboard.commands.build import game_pieces
from hexboard.commands.build.cad.all_parts import all_parts
from hexboard.commands.build.cad.lengths import Lengths, lengths
from hexboard.commands.build.cad.recipe import Rod, turned
from hexboard.commands.build.cad.ring import HALL_MM, HALL_ROOF_MM, seat_at
from hexboard.commands.build.cad.tiles import BASE_LOW_MM, FLOOR_MM, MAGNET_MM, magnet
from tests.magnets import N35_T, aside, field, pull

BLANKS = game_pieces(Path("/nowhere"), "hextraction").blanks
FELT_MT = 4.8
"""At this at most a DRV5032FA switches: its data sheet (Texas Instruments, SLVSDC7)."""
STEEL_G_MM3 = 7.85e-3
G_M = 9.81
UNDER_MM = 1.3
"""How far under its pocket's roof it feels: 0.3 mm of air, and 1 mm of its own plastic at most."""
PLAY_MM = 0.3
"""How far a tile may lie too high."""


@pytest.fixture(scope="module")
def found() -> Lengths:
    return lengths(*load_plan(find("hextraction-22")))


def pockets(shape: Any) -> list[Rod]:
    """The round bores that are open under a tile."""
    body = shape.adds[0]
    return [it for it in body.cuts if isinstance(it, Rod) and it.start[2] < BASE_LOW_MM]


def test_each_tile_has_a_pocket_for_each_way_it_lies() -> None:
    """Turned so that a notch is over the slot's key, one pocket is over the slot's seat sensor."""
    board, plan = load_plan(find("hextraction-22"))
    parts = all_parts(board, plan, game_pieces(Path("/nowhere"), board.game))
    shapes = {it.name: it.shape for it in parts}
    seat = seat_at(board)
    assert seat is not None
    for blank in BLANKS:
        bores = pockets(shapes[f"tile-{blank.id}"])
        assert len(bores) == len(blank.sockets), blank.id
        for edge in blank.sockets:
            lies = [turned(it.start[:2], 60 * (edge - board.key_edge)) for it in bores]
            assert min(math.dist(it, seat) for it in lies) < 1.0, (blank.id, edge)


def test_a_pocket_holds_its_magnet_and_leaves_walls(found: Lengths) -> None:
    """A disc of 6 × 1 mm; 0.6 mm of plastic to the notch (5 mm deep from 23 mm out), and 4 mm to a
    channel's floor."""
    assert MAGNET_MM == (6.0, 1.0)
    bore = magnet(found, 4)
    out, radius = math.hypot(*bore.start[:2]), bore.radius
    assert radius > 3.0
    assert bore.end[2] >= -5 + 1.0
    assert 23 - 5 - out - radius >= 0.6 - 1e-9
    assert FLOOR_MM - bore.end[2] > 4.0
    assert 2 * out * math.sin(math.pi / 6) - 2 * radius > 0.6  # to the next one


def test_the_seat_sensor_feels_the_weakest_magnet_through_the_widest_gap(found: Lengths) -> None:
    """8.4 mm under the tile, and 0.7 mm beside its magnet's axis: 1.3 times what it needs; 1.2 of a
    tile that lies 0.3 mm too high."""
    seat = seat_at(found.board)
    assert seat is not None
    roof = found.stack.funnel(math.hypot(*seat) - HALL_MM[1] / 2) - HALL_ROOF_MM
    away = BASE_LOW_MM - (roof - UNDER_MM)
    assert away == pytest.approx(8.4, abs=0.05)
    by = 15.0 - math.hypot(*magnet(found, 4).start[:2])
    felt = [field(*MAGNET_MM, it) * aside(it, by) for it in (away, away + PLAY_MM)]
    assert felt[0] / FELT_MT == pytest.approx(1.31, abs=0.02)
    assert felt[1] / FELT_MT > 1.2
    other = field(*MAGNET_MM, away) * aside(away, 2 * 25 - 2 * 15 + 0.7)
    assert abs(other) < FELT_MT / 10  # of the tile beside it


@pytest.mark.long
def test_no_magnet_holds_a_ball_on_a_slope_that_a_straight_channel_has(found: Lengths) -> None:
    """A ball that lies still over a magnet sets off by itself: on a channel straight down with
    twice, on one that runs 60 degrees aside with 1.2 times what holds it back."""
    for across in (9.525, 10.0):
        ball, plan = across / 2, found.plan
        weight = STEEL_G_MM3 * 4 / 3 * math.pi * ball**3 * G_M  # mN
        down = weight * math.sin(math.radians(plan.tilt_deg))
        disc = (*MAGNET_MM, BASE_LOW_MM + MAGNET_MM[1])
        places = [(0.25 * k, 0.0, FLOOR_MM + ball) for k in range(40)]
        pulls = [pull(disc, it, ball) for it in places]
        most = max(-x for x, _, _ in pulls)
        assert down / most > 2.0
        assert down * math.sin(math.radians(30)) / most > 1.2
        assert -pulls[0][2] < weight / 2  # it lies heavier by less than a half


def test_the_pull_of_a_small_magnet_is_that_of_the_formula_for_dipoles() -> None:
    """Far off, iron of radius a in the field B of a moment m has the moment 4πa³B/μ0 and is pulled
    by 3·(4πa³/μ0)·B²/r."""
    away, size, disc = 60.0, 2.0, (6.0, 1.0)
    moment = N35_T / (4e-7 * math.pi) * math.pi * 9e-6 * 1e-3
    there = 2e-7 * moment / 0.06**3
    wanted = 1e3 * 3 * 4 * math.pi * 8e-9 / (4e-7 * math.pi) * there**2 / 0.06
    _, _, found = pull((*disc, 0.5), (0.0, 0.0, away), size)
    assert -found == pytest.approx(wanted, rel=0.03)
    assert field(*disc, away - 0.5) == pytest.approx(1e3 * there, rel=0.02)

"""What sees a tile from below: how much it sees of tiles and rooms, and that no ball meets it."""

import math

import pytest

from hexboard.board import find, load_plan
from hexboard.commands.build.cad.all_parts import all_parts
from hexboard.commands.build.cad.lengths import Lengths, lengths
from hexboard.commands.build.module.circuit import circuit
from tests.reflection import (
    CURVE,
    HIGH,
    MIRROR_MA,
    card,
    current,
    of_lamp,
    sees,
    share_of_sky,
)
from tests.solids import LENSES_MM, at, boards, cut, mesh, moved, named, seen

UNDERSIDE = -5.0
"""Of a tile, over the datum: measured on public ones."""
DIMMEST, USUAL, BRIGHTEST = MIRROR_MA
PULL_KOHM = 33.0
LOW_MA, HIGH_MA = 0.7 * 3.3 / PULL_KOHM, 0.3 * 3.3 / PULL_KOHM
"""What pulls an input low for sure, and what leaves it high for sure, at 3.3 V: 74HC165."""
WHITE, HALF, BLACK = 0.8, 0.5, 0.05
"""How much infrared plastic throws back: white, gray, and with carbon black. Assumed."""


@pytest.fixture(scope="module")
def found() -> Lengths:
    return lengths(*load_plan(find("hextraction-22")))


def away(found: Lengths) -> float:
    return UNDERSIDE - (found.stack.board_top + HIGH)


def test_the_curve_of_the_data_sheet_comes_out() -> None:
    """Of figure 9 each place within a hundredth, and its peak at 2.5 mm."""
    shares = {it: card(it) for it, _ in CURVE}
    most = max(card(0.5 + 0.1 * k) for k in range(40))
    for it, share in CURVE:
        assert shares[it] / most == pytest.approx(share, abs=0.01), it
    assert max(range(5, 40), key=lambda it: card(it / 10)) == pytest.approx(25, abs=2)


def test_a_light_tile_is_seen_by_the_dimmest_and_a_black_one_by_none(found: Lengths) -> None:
    """3.6 mm over its lenses; with 390 ohm 10 mA go through the LED (5 V less 1.1, by figure 4)."""
    parts = {it.ref: it.value for it in circuit()}
    assert (parts["R16"], parts["R17"]) == ("390", "33k")
    assert pytest.approx(10.0, abs=0.1) == (5 - 1.1) / 0.39
    assert away(found) == pytest.approx(3.6, abs=0.05)
    white = [current(away(found), WHITE, it) / LOW_MA for it in MIRROR_MA]
    assert white == pytest.approx([2.0, 4.0, 8.4], rel=0.03)
    half = [current(away(found), HALF, it) / LOW_MA for it in MIRROR_MA]
    assert half == pytest.approx([1.26, 2.5, 5.3], rel=0.03)
    assert LOW_MA / current(away(found), 1.0, DIMMEST) == pytest.approx(0.40, abs=0.01)
    assert current(away(found) + 0.5, WHITE, DIMMEST) > 1.8 * LOW_MA  # it lies too high
    black = [current(away(found), BLACK, it) for it in MIRROR_MA]
    assert max(black) < 0.6 * LOW_MA
    assert black[1] < HIGH_MA


def test_an_empty_slot_is_empty_in_a_room_with_daylight_and_not_in_the_sun(found: Lengths) -> None:
    """By day up to so many lux, evenly from above; a halogen lamp straight over it is too much, and
    so is the sun (100,000 lux) up to half way down the sky."""
    most = [HIGH_MA / sees(it) for it in MIRROR_MA]
    day = [it / share_of_sky() / of_lamp(5800, 1) for it in most]
    assert day == pytest.approx([3280, 1640, 780], rel=0.02)
    lamp = [it / of_lamp(2856, 1) for it in most]
    assert lamp == pytest.approx([73, 36, 17], rel=0.03)
    assert sees(DIMMEST) * of_lamp(5800, 1e5) > LOW_MA
    low = math.radians(54)
    assert sees(BRIGHTEST) * of_lamp(5800, 1e5) * math.cos(low) ** 13.1 < HIGH_MA


def test_a_hand_is_a_tile_only_where_it_covers_the_slot(found: Lengths) -> None:
    """Skin throws 0.6 back. On the slot's rim it is 8.1 mm away; 20 mm higher than a tile is no
    tile for the usual ones, 30 mm for none."""
    assert current(away(found) + 4.5, 0.6, USUAL) > LOW_MA
    assert current(away(found) + 20.0, 0.6, USUAL) < HIGH_MA
    assert current(away(found) + 30.0, 0.6, BRIGHTEST) < HIGH_MA


@pytest.mark.long
def test_it_looks_out_of_its_window_and_no_ball_meets_it(found: Lengths) -> None:
    """Up through ring and frame, 18 degrees to each side towards the slot's middle and along; a
    ball in the funnel may sink 0.35 mm into the window, 3.6 mm wide, and does not touch."""
    import trimesh

    board, plan = found.board, found.plan
    parts = all_parts(board, plan)
    ring, frame = (mesh(named(parts, it).shape) for it in ("light-ring", "frame-1-1"))
    module, here = found.module, board.cell["C2"]
    assert module is not None
    frame = at(frame, -here.x, -here.y)
    (lenses,) = (
        it
        for it in boards(found, module)
        if it.bounds[1][2] == pytest.approx(found.stack.board_top + LENSES_MM)
    )
    assert cut(ring, lenses) < 0.01
    assert cut(frame, lenses) < 0.01
    low, lean = found.stack.board_top + LENSES_MM + 0.02, math.tan(math.radians(18))
    for x in (18.7, 22.3):
        for dx, dy in ((0.0, 0.0), (-lean, 0.0), (0.0, lean), (0.0, -lean)):
            for solid in (ring, frame):
                assert seen(solid, (x, 0.0, low), (dx, dy, 1.0), 3.6) > 3.55, (x, dx, dy)
    slope = math.atan(found.stack.slope)
    for size in (9.525, 10.0):
        for k in range(25):
            x = 12.0 + 0.25 * k  # a ball meets the frame's corner at 18.3
            sunk = 0.35 if x + size / 2 * math.sin(slope) > 17.0 else 0.0  # where it lies on it
            z = found.stack.funnel(x) + size / 2 / math.cos(slope) - sunk
            ball = trimesh.creation.icosphere(4, size / 2)
            ball.apply_transform(moved(x, 0.0, z))
            assert cut(ball, lenses) < 0.01, (size, x)


def test_no_notch_of_a_tile_comes_over_it(found: Lengths) -> None:
    """A notch is 13 mm along the edge and 5 deep from 23 mm out; what it looks at lies 4 mm round a
    place 20.5 mm out towards a corner, which no turn by a sixth moves to an edge's middle."""
    seat = next(it for it in found.board.sensors if it.kind == "seat")
    here = found.board.cell[seat.place]
    x, y = seat.x - here.x, seat.y - here.y
    assert (x, y) == pytest.approx((20.5, 0.0))
    for turn in range(6):
        angle = math.radians(90 - 60 * turn)
        out = x * math.cos(angle) + y * math.sin(angle)
        along = abs(y * math.cos(angle) - x * math.sin(angle))
        assert out < 18 - 0.6 or along - 6.5 > 3.0, turn

"""What `tests.benchmarks.pairs` follows light by, where a hand or the page knows what comes out."""

import math
import re

import numpy as np
import pytest
from msgspec.structs import replace

from hexboard.files import shipped
from tests.benchmarks.pairs import APART, PAIRS, TILE, WHITE, Pair, Rays, Stands, both, found

PAGE = shipped("building.md").read_text("utf-8")


@pytest.fixture(scope="module")
def rays() -> tuple[Rays, Rays]:
    return both(100_000)


def test_a_chip_lies_where_its_light_is_a_half_at_the_data_sheet_s_angle(
    rays: tuple[Rays, Rays],
) -> None:
    """25 degrees of the LED, 30 of the phototransistor."""
    assert [it.half_deg() for it in rays] == [pytest.approx(25, abs=1), pytest.approx(30, abs=1)]


def test_an_upright_pair_sees_what_two_points_under_their_lenses_would(
    rays: tuple[Rays, Rays],
) -> None:
    """Points 3 mm under the lens's top, as powers of the cosine; summed place by place."""
    line = np.arange(-15, 15.01, 0.2)
    x, y = np.meshgrid(line, line)
    high, seen = TILE - 4.9 + 3.0, np.ones_like(x)
    for middle, half in ((-APART / 2, 25.0), (APART / 2, 30.0)):
        far = np.sqrt((x - middle) ** 2 + y**2 + high**2)
        power = math.log(0.5) / math.log(math.cos(math.radians(half)))
        seen *= (high / far) ** power * high / far**3
    by_points = 36 * 0.0923 * 3.2 * WHITE * 100 * float(seen.sum()) * 0.2**2 / math.pi
    assert found(PAIRS[0], *rays).usual_ma == pytest.approx(by_points, rel=0.05)


def test_an_axis_that_is_5_degrees_off_takes_an_eighth(rays: tuple[Rays, Rays]) -> None:
    """Of the last pair, whichever way both are off."""
    last = PAIRS[-1]
    least = min(
        found(Pair("", _off(last.led, led), _off(last.eye, eye)), *rays).usual_ma
        for led in (-5, 5)
        for eye in (-5, 5)
    )
    assert least / found(last, *rays).usual_ma == pytest.approx(1 - 1 / 8, abs=0.02)


def _off(it: Stands, degrees: float) -> Stands:
    return replace(it, lean_deg=it.lean_deg + degrees)


def test_the_page_tells_what_comes_out(rays: tuple[Rays, Rays]) -> None:
    """hardware/building.md, *A pair in place of the TCRT5000*: none stays empty in the daylight in
    which a TCRT5000 does."""
    rows = re.findall(
        r"^\| (.*) \| ([\d.]+) \| ([\d.]+) \| (\d+) \| (\d+) \| ([\d,]+) \|$", PAGE, re.M
    )
    assert len(rows) == len(PAIRS)  # the TCRT5000's has its unit, and is in test_build_seats
    for (name, *told), pair in zip(rows, PAIRS, strict=True):
        it = found(pair, *rays)
        usual, dimmest, kohm, times, lux = (float(number.replace(",", "")) for number in told)
        assert name.removeprefix("pair, ") == pair.name
        assert it.usual_ma == pytest.approx(usual, rel=0.03)
        assert it.dimmest_ma == pytest.approx(dimmest, abs=0.006)
        assert it.kohm == pytest.approx(kohm, rel=0.04)
        assert it.times == pytest.approx(times, abs=0.5)
        assert it.lux == pytest.approx(lux, rel=0.03)
        assert it.lux < 1640

"""Whether an LED and a phototransistor of 3 mm see a tile as a TCRT5000 does: `python -m
tests.benchmarks.pairs`.

They stand side by side in its place, upright or leaning towards each other. Rays are followed out
of a chip, through the dome over it (its depth is the one at which half the light is where the data
sheet has it) and a black opening, up to a tile that throws light back evenly; what the
phototransistor sees is the same way round. The resistor is the one with which the dimmest of both
that are sold (`tests.benchmarks.guides`) have 1.2 times what a low needs with a white tile, 0.3 mm
too high or too low, and usual ones twice that; and then an empty slot stays empty in so much
daylight. Lengths in mm, currents in mA, light in mW/cm². RAYS (1,000,000) as argument.
"""

import math
import sys
from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tests.benchmarks import reference
from tests.benchmarks.guides import CURRENT, LED_DEG, LED_MW_SR, RECEIVER_DEG, RECEIVER_MA
from tests.reflection import of_lamp

EPOXY, DOME, CHIP = 1.53, 1.45, 0.3
"""Refractive index, radius, and the chip's side."""
DEPTHS = {LED_DEG: 2.55, RECEIVER_DEG: 2.42}
"""How far under the dome's top a chip lies whose light, or sight, is a half at so many degrees."""
TILE, WRONG, APART, WHITE = 10.6, 0.3, 4.2, 0.8
"""A tile's underside over the circuit board; how much higher or lower it may lie; between the two,
whose flanges of 3.9 touch nearly; what it throws back."""
DIM = LED_MW_SR[1] / LED_MW_SR[0] * RECEIVER_MA[1] / RECEIVER_MA[0]
LOW_V, HIGH_V = 0.7 * 3.3, 0.3 * 3.3
"""Over the resistor: what a 74HC165 at 3.3 V takes for a low, and for a high."""
NEAR_DEG, CELL = 5.0, 0.25

Rows = NDArray[np.float64]


class Stands(Struct, frozen=True):
    """How one of the two stands: its lens's top over the circuit board, how far it leans towards
    the other, and how far over its lens a black opening lies, how wide; 0 without one."""

    top: float
    lean_deg: float = 0.0
    over: float = 0.0
    wide: float = 0.0


class Pair(Struct, frozen=True):
    """Both of them, and what the page calls it."""

    name: str
    led: Stands
    eye: Stands


class Found(Struct, frozen=True):
    """What a pair does."""

    usual_ma: float
    dimmest_ma: float
    kohm: float
    times: float
    """What a low needs, with usual parts and a white tile."""
    lux: float
    """Daylight, evenly from above, in which usual parts leave an empty slot empty."""


SOLDERED, IN_SOCKETS = 4.9, (8.2, 5.5)
"""The lens's top of what stands on the circuit board; of LED and phototransistor as high as the
funnel lets them in a holder."""
PAIRS = (
    Pair("upright", Stands(SOLDERED), Stands(SOLDERED)),
    Pair("both lean 15°", Stands(SOLDERED, 15.0), Stands(SOLDERED, 15.0)),
    Pair(
        "the phototransistor leans 30°, in a black hood",
        Stands(SOLDERED),
        Stands(SOLDERED, 30.0, 1.0, 3.0),
    ),
    Pair(
        "nearer, in sockets and a black holder, it leans 35°",
        Stands(IN_SOCKETS[0]),
        Stands(IN_SOCKETS[1], 35.0, 1.0, 2.4),
    ),
)


class Rays:
    """Rays out of a dome whose top is the origin; straight ahead they are as bright as `ahead`."""

    def __init__(self, half_deg: float, ahead: float, count: int) -> None:
        a, b, turn, out = _spread(count)
        at = np.stack([CHIP * (a - 0.5), CHIP * (b - 0.5), 0 * a + DOME - DEPTHS[half_deg]], 1)
        side, turn = np.sqrt(out), 2 * math.pi * turn
        ray = np.stack([side * np.cos(turn), side * np.sin(turn), np.sqrt(1 - out)], 1)
        along, over = (at * ray).sum(1), (at * at).sum(1) - DOME**2
        at = at + (np.sqrt(along**2 - over) - along)[:, None] * ray
        into = (at * ray).sum(1) / DOME
        bent = EPOXY**2 * (1 - into**2)
        leaves = (at[:, 2] > 0) & (bent < 1)
        at, ray, into, bent = at[leaves], ray[leaves], into[leaves], bent[leaves]
        cos = np.sqrt(1 - bent)
        self.ray = EPOXY * ray + ((cos - EPOXY * into) / DOME)[:, None] * at
        self.at = at - np.array([0.0, 0.0, DOME])
        across = (EPOXY * into - cos) / (EPOXY * into + cos)
        level = (EPOXY * cos - into) / (EPOXY * cos + into)
        weight = 1 - (across**2 + level**2) / 2
        near = math.cos(math.radians(NEAR_DEG))
        straight = weight[self.ray[:, 2] > near].sum() / (2 * math.pi * (1 - near))
        self.weight = weight * ahead / straight

    def half_deg(self) -> float:
        """Where the light is a half of what it is straight ahead."""
        angles = np.degrees(np.arccos(np.clip(self.ray[:, 2], -1, 1)))
        edges = np.arange(0.0, 80.0)
        light = np.histogram(angles, edges, weights=self.weight)[0]
        light /= -np.diff(np.cos(np.radians(edges)))
        return float(edges[int(np.argmax(light < light[:5].mean() / 2))])

    def on(self, it: Stands, side: int, high: float) -> Rows:
        """How bright each cell of a plane so high is, from a place to the left (-1) or right."""
        at, ray, weight = self.at, self.ray, self.weight
        if it.wide:
            far = (it.over - at[:, 2]) / ray[:, 2]
            aside = np.hypot(at[:, 0] + far * ray[:, 0], at[:, 1] + far * ray[:, 1])
            through = aside <= it.wide / 2
            at, ray, weight = at[through], ray[through], weight[through]
        at, ray = _leant(at, -side * it.lean_deg), _leant(ray, -side * it.lean_deg)
        up = ray[:, 2] > 0.01
        far = (high - it.top - at[up, 2]) / ray[up, 2]
        x = side * APART / 2 + at[up, 0] + far * ray[up, 0]
        y = at[up, 1] + far * ray[up, 1]
        edges = np.arange(-14.0, 14.01, CELL)
        found: Rows = np.histogram2d(x, y, bins=(edges, edges), weights=weight[up])[0]
        return found * 100 / CELL**2


def _spread(count: int) -> Iterator[Rows]:
    """Points that fill a cube of four dimensions evenly (Roberts's sequence)."""
    step = 1.0
    for _ in range(40):
        step = (1 + step) ** (1 / 5)
    return (np.arange(1, count + 1) / step**k % 1 for k in (1, 2, 3, 4))


def _leant(rows: Rows, degrees: float) -> Rows:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y, z = rows.T
    return np.stack([cos * x + sin * z, y, cos * z - sin * x], 1)


def both(count: int) -> tuple[Rays, Rays]:
    """Light of the LED, and sight of the phototransistor, usual ones."""
    return (
        Rays(LED_DEG, LED_MW_SR[0] * CURRENT, count),
        Rays(RECEIVER_DEG, RECEIVER_MA[0], count),
    )


def found(pair: Pair, led: Rays, eye: Rays) -> Found:
    """What a pair does."""
    cell = (CELL / 10) ** 2

    def white(high: float) -> float:
        lit = led.on(pair.led, -1, high) * eye.on(pair.eye, 1, high)
        return WHITE * float(lit.sum()) * cell / math.pi

    usual = white(TILE)
    dimmest = DIM * min(white(TILE + it) for it in (-WRONG, WRONG))
    low = min(usual / 2, dimmest / 1.2)
    sky = float(eye.on(pair.eye, 1, TILE).sum()) * cell / math.pi
    lux = low * HIGH_V / LOW_V / sky / of_lamp(5800, 1)
    return Found(usual, dimmest, LOW_V / low, usual / low, lux)


def main() -> None:
    led, eye = both(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
    print("usual mA  dimmest mA  kohm  times   lux")
    for pair in PAIRS:
        it = found(pair, led, eye)
        print(
            f"{it.usual_ma:8.2f}  {it.dimmest_ma:10.3f}  {it.kohm:4.0f}  {it.times:5.1f}"
            f"  {it.lux:4.0f}  {pair.name}"
        )
    print(f"reference loop {reference():.1f} ms")


if __name__ == "__main__":
    main()

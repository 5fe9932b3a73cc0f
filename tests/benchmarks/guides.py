"""How much of a beam's light comes through two light guides: `python -m tests.benchmarks.guides`.

Between two slots LED and phototransistor lie under the rib and look up, each into a rod of PMMA
whose upper end is cut at 45 degrees, at the beam's height, and faces the other's over the channel.
Rays are followed: out of the LED's lens into the first rod, along it (a wall reflects whole, or as
Fresnel has it, less 1 % for its roughness), at its cut end, through its side, over the channel
between the grooves of both tiles, and so on to the phototransistor's lens.

Of LED and phototransistor it knows what data sheets say: the LED's usual intensity as its sheet has
it, the other figures from memory. `dimmest`: the least that is sold of both. RAYS (400,000) as
argument.
"""

import math
import sys
from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from hexboard.board import find, load_plan
from hexboard.board.building import RIB
from hexboard.commands.build.cad.beams import beam_height_mm, guide_length_mm
from hexboard.commands.build.cad.lengths import lengths
from hexboard.commands.build.cad.tiles import CHANNEL_MM, FLOOR_MM, LOOSE_MM
from hexboard.commands.build.module.placing import HALF_BEAM_MM
from tests.benchmarks import reference

PMMA = 1.48
"""Its refractive index at 940 nm."""
ROUGH = 0.01
"""Lost at each touch of the rod's wall."""
BOUNCES = 80
HIGH_V = 0.7 * 3.3
"""What a 74HC165 at 3.3 V takes for high at least."""
CURRENT = 9.2 / 100
"""(5 V - 1.4 V) / 390 ohm, of the 100 mA at which data sheets tell an LED's intensity."""
LED_DEG, LED_MW_SR = 25.0, (36.0, 16.0)
"""A TSAL4400: half angle, degrees; intensity ahead at 100 mA, usual and least."""
RECEIVER_DEG, RECEIVER_MA = 30.0, (3.2, 0.8)
"""A TEFT4300: half angle; current at 1 mW/cm², usual and least."""
LENS_MM = 1.5
SIDE, LOW, CUT = range(3)
Rows = NDArray[np.float64]


class GuidePair(Struct, frozen=True):
    """Two rods, mm: in their own measure, the lower end at 0, the other one towards +x."""

    radius: float
    cut: float
    """How high the middle of the cut end is."""
    apart: float
    groove: tuple[float, float]
    """Half the width of the tiles' grooves, and how high their roof lies."""
    floor: float
    """How high the channel's floor lies."""


def pair() -> GuidePair:
    """As our board and its printed tiles have it."""
    board, plan = load_plan(find("hextraction-22"))
    found, height = lengths(board, plan), beam_height_mm(plan, RIB)
    radius = found.slot.pocket_mm / 2
    cut = guide_length_mm(found) - radius
    groove = radius + LOOSE_MM, cut + radius + LOOSE_MM
    return GuidePair(radius, cut, 2 * HALF_BEAM_MM, groove, cut - height + FLOOR_MM)


class Rays(Struct):
    at: Rows
    way: Rows

    def kept(self, which: NDArray[np.bool_]) -> "Rays":
        return Rays(self.at[which], self.way[which])


def power(half_deg: float) -> float:
    """n, where a lobe of this half angle goes with cos^n."""
    return math.log(0.5) / math.log(math.cos(math.radians(half_deg)))


def lit(count: int, half_deg: float, lens: float, below: float, dice: np.random.Generator) -> Rays:
    """Rays from a lens so far below the rod, where they come to its end."""
    out, turn = lens * np.sqrt(dice.random(count)), 2 * np.pi * dice.random(count)
    cos = dice.random(count) ** (1 / (power(half_deg) + 1))
    sin, around = np.sqrt(1 - cos**2), 2 * np.pi * dice.random(count)
    way = np.stack([sin * np.cos(around), sin * np.sin(around), cos], 1)
    at = np.stack([out * np.cos(turn), out * np.sin(turn), np.full(count, -below)], 1)
    return Rays(at + (below / cos)[:, None] * way, way)


def entered(rays: Rays, normal: Rows, dice: np.random.Generator) -> Rays:
    """What of them goes from air into the rod; `normal` looks out of it."""
    into = -(rays.way * normal).sum(1)
    inside = np.sqrt(1 - (1 - into**2) / PMMA**2)
    lost = fresnel(into, inside, 1 / PMMA)
    stays = (into > 0) & (dice.random(len(into)) > lost)
    way = rays.way / PMMA + (into / PMMA - inside)[:, None] * normal
    return Rays(rays.at - 1e-7 * normal, way).kept(stays)


def fresnel(from_cos: Rows, to_cos: Rows, index: float) -> Rows:
    """How much of light without polarization is thrown back; `index`: from's by to's."""
    across = ((index * from_cos - to_cos) / (index * from_cos + to_cos)) ** 2
    along = ((from_cos - index * to_cos) / (from_cos + index * to_cos)) ** 2
    return np.asarray((across + along) / 2)


def left(rays: Rays, rod: GuidePair, face: int, dice: np.random.Generator) -> Rays:
    """What leaves a rod through one of its faces, however often it was thrown back before."""
    found = [Rays(np.empty((0, 3)), np.empty((0, 3)))]
    for _ in range(BOUNCES):
        meets, which, normal = met(rays, rod)
        into = (meets.way * normal).sum(1)
        beyond = 1 - PMMA**2 * (1 - into**2)
        outside = np.sqrt(np.maximum(beyond, 0.0))
        back = np.where(beyond <= 0, 1.0, fresnel(into, outside, PMMA))
        thrown = dice.random(len(back)) < back
        way = PMMA * meets.way + (outside - PMMA * into)[:, None] * normal
        found.append(Rays(meets.at, way).kept(~thrown & (which == face)))
        rough = (which == SIDE) & (dice.random(len(back)) < ROUGH)
        turned = meets.way - 2 * into[:, None] * normal
        rays = Rays(meets.at - 1e-7 * normal, turned).kept(thrown & ~rough)
    return Rays(np.concatenate([it.at for it in found]), np.concatenate([it.way for it in found]))


def met(rays: Rays, rod: GuidePair) -> tuple[Rays, NDArray[np.intp], Rows]:
    """Where each meets the rod's surface from inside, which face it is, and its normal."""
    (x, y, z), (dx, dy, dz) = rays.at.T, rays.way.T
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = dx**2 + dy**2, x * dx + y * dy
        side = (-b + np.sqrt(np.maximum(b**2 - a * (x**2 + y**2 - rod.radius**2), 0))) / a
        low, cut = -z / dz, (rod.cut + x - z) / (dz - dx)
    far = np.stack([np.where(it > 1e-9, it, np.inf) for it in (side, low, cut)])
    which, step = far.argmin(0), far.min(0)
    kept = np.isfinite(step)
    which, step = which[kept], step[kept]
    at = rays.at[kept] + step[:, None] * rays.way[kept]
    normal = at * (1, 1, 0) / rod.radius
    normal[which == LOW] = (0, 0, -1)
    normal[which == CUT] = np.array((-1, 0, 1)) / math.sqrt(2)
    return Rays(at, rays.way[kept]), which, normal


def crossed(rays: Rays, rod: GuidePair) -> Rays:
    """What comes between the grooves, over the channel's floor, to the other rod's side; from
    there on in that one's own measure, as in a mirror."""
    rays = rays.kept(rays.way[:, 0] > 1e-9)
    half, roof = rod.groove
    free = np.ones(len(rays.at), bool)
    mouth = rod.apart / 2 - CHANNEL_MM
    for x in (mouth, rod.apart / 2, rod.apart - mouth):
        there = rays.at + ((x - rays.at[:, 0]) / rays.way[:, 0])[:, None] * rays.way
        free &= there[:, 2] > rod.floor
        if x != rod.apart / 2:
            free &= (abs(there[:, 1]) < half) & (there[:, 2] < roof)
    rays = rays.kept(free)
    at, way = rays.at * (-1, 1, 1) + (rod.apart, 0, 0), rays.way * (-1, 1, 1)
    a, b = (way[:, :2] ** 2).sum(1), (at[:, :2] * way[:, :2]).sum(1)
    inner = b**2 - a * ((at[:, :2] ** 2).sum(1) - rod.radius**2)
    step = (-b - np.sqrt(np.maximum(inner, 0))) / a
    at = at + step[:, None] * way
    hits = (inner > 0) & (at[:, 2] < rod.cut + at[:, 0]) & (at[:, 2] > 0)
    return Rays(at, way).kept(hits)


def share(count: int, lens: float, below: float, rod: GuidePair) -> float:
    """How much of an LED's light falls into the phototransistor's lens, as if from ahead."""
    dice = np.random.default_rng(1)
    rays = lit(count, LED_DEG, lens, below, dice)
    rays = rays.kept((rays.at[:, :2] ** 2).sum(1) < rod.radius**2)
    rays = entered(rays, np.tile((0.0, 0.0, -1.0), (len(rays.at), 1)), dice)
    over = crossed(left(rays, rod, SIDE, dice), rod)
    there = left(entered(over, over.at * (1, 1, 0) / rod.radius, dice), rod, LOW, dice)
    cos = -there.way[:, 2]
    spot = there.at + (below / cos)[:, None] * there.way
    felt = (spot[:, :2] ** 2).sum(1) < LENS_MM**2
    return float((cos ** power(RECEIVER_DEG) * felt).sum()) / count


def currents(shares: float) -> Iterator[float]:
    """µA through a phototransistor: usual, and of the dimmest of both."""
    lens_cm2 = math.pi * (LENS_MM / 10) ** 2
    for ahead, sensitive in zip(LED_MW_SR, RECEIVER_MA, strict=True):
        flux_mw = CURRENT * ahead * 2 * math.pi / (power(LED_DEG) + 1)
        yield 1000 * sensitive * flux_mw * shares / lens_cm2


def main() -> None:
    count, rod = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000, pair()
    needed = {ohm: 1e6 * HIGH_V / ohm for ohm in (4_700, 22_000)}
    wants = ", ".join(f"{ohm / 1000:g} kohm {it:.0f}" for ohm, it in needed.items())
    print(f"A high wants, µA: {wants}")
    print("lens mm  below mm   share   usual µA  dimmest µA   by 22 kohm")
    for lens, below in ((1.2, 0.3), (1.5, 0.3), (1.2, 1.0)):
        found = share(count, lens, below, rod)
        usual, dimmest = currents(found)
        times = " ".join(f"{it / needed[22_000]:5.1f}" for it in (usual, dimmest))
        print(f"{lens:7g}  {below:8g}  {found:6.4f}  {usual:9.0f}  {dimmest:10.0f}  {times}")
    print(f"reference loop {reference():.1f} ms")


if __name__ == "__main__":
    main()

"""From top to bottom: `python -m tests.benchmarks.slope [--evenings N] [--seed N]`.

How long balls of the second world took down the lanes and on courses through tiles, on boards that
slope and rub otherwise. Of each board it is told how much slower its balls are than those of the
first one, and chi² over all courses: with as many courses as chi² two boards cannot be told apart.
The second and third slope 1.2° more and less, and rub by so much more and less as takes that away;
the last two slope like these and rub as the first one.
"""

import argparse
import math
from collections import defaultdict
from collections.abc import Iterator

from hexboard.board import Board, find, load, opposite
from hexboard.facts import MS
from tests.worlds import Knobs, evening
from tests.worlds.evening import BOARD
from tests.worlds.truth import Sign

TILT_DEG, FRICTION = 10.0, 0.02
FEW = 20
"""A course is compared that so many balls took on each board."""
SHORTEST_MS, LONGEST_MS = 20, 1000


def tilted(more: float) -> float:
    """The tilt, in degrees, whose sine is so much larger."""
    return math.degrees(math.asin(math.sin(math.radians(TILT_DEG)) + more))


BOARDS = (
    (TILT_DEG, FRICTION),
    (tilted(0.02), FRICTION + 0.02),
    (tilted(-0.02), FRICTION - 0.02),
    (tilted(0.02), FRICTION),
    (tilted(-0.02), FRICTION),
)


def taken(board: Board, tilt_deg: float, friction: float, seeds: range) -> dict[str, list[float]]:
    """How long balls took on each course, ln(ms), by what truly happened."""
    knobs = Knobs(tilt_deg=tilt_deg, friction=friction, side_deg=0.0, rolls=48)
    found: dict[str, list[float]] = defaultdict(list)
    for seed in seeds:
        for roll in evening(seed, knobs).rolls:
            for ball in roll.balls:
                for course, ms in passes(board, [it for it in roll.signs if it.ball == ball]):
                    if SHORTEST_MS <= ms <= LONGEST_MS:
                        found[course].append(math.log(ms))
    return found


def passes(board: Board, signs: list[Sign]) -> Iterator[tuple[str, float]]:
    """The courses of one ball, and how long each took, ms."""
    seams = {board.seam(c, e): {c: e, o: opposite(e)} for c, e, o in board.shared_edges}
    lanes = {ramp.id: (ramp.cell, ramp.edge) for ramp in board.ramps}
    slot, entry, since = "", 0, 0
    for sign in sorted(signs, key=lambda sign: sign.on):
        place, ms = sign.sensor.partition(":")[2], (sign.on - since) / MS
        if sign.way == "load":
            slot, since = place, sign.off or sign.on
        elif sign.way == "gate":
            if slot == place:
                yield f"lane at edge {lanes[place][1]}", ms
            (slot, entry), since = lanes[place], sign.on
        elif sign.way in ("cross", "bounce") and slot in seams.get(place, ()):
            edges = seams[place]
            if edges[slot] != entry:
                yield f"{entry}-{edges[slot]}", ms
            there = next(cell for cell in edges if cell != slot)
            crossed = sign.way == "cross"
            slot, entry, since = (there, edges[there], sign.on) if crossed else ("", 0, 0)
        else:
            slot = ""


def mean(logs: list[float]) -> tuple[float, float]:
    """The mean, and its sigma."""
    middle = sum(logs) / len(logs)
    return middle, math.sqrt(sum((it - middle) ** 2 for it in logs) / (len(logs) - 1) / len(logs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evenings", type=int, default=16, help="evenings of 48 rolls a board")
    parser.add_argument("--seed", type=int, default=1)
    said = parser.parse_args()
    board, seeds = load(find(BOARD)), range(1000 * said.seed, 1000 * said.seed + said.evenings)
    worlds = [taken(board, *world, seeds) for world in BOARDS]
    names = [name for name in sorted(worlds[0]) if all(len(w[name]) >= FEW for w in worlds)]
    print(f"| course | {' | '.join(f'{tilt:.1f}°, friction {f:.2f}' for tilt, f in BOARDS)} |")
    print("|---" * (1 + len(BOARDS)) + "|")
    chi = [0.0] * (len(BOARDS) - 1)
    for name in names:
        (first, sigma), *others = (mean(world[name]) for world in worlds)
        cells = [f"{math.exp(first):.0f} ms"]
        for n, (middle, own) in enumerate(others):
            apart, either = middle - first, math.hypot(sigma, own)
            chi[n] += (apart / either) ** 2
            cells.append(f"{100 * apart:+.0f} ± {100 * either:.0f} %")
        print(f"| {name} | {' | '.join(cells)} |")
    print(f"| chi² of {len(names)} | | {' | '.join(f'{it:.0f}' for it in chi)} |")


if __name__ == "__main__":
    main()

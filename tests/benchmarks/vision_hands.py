"""Hands that rest over a board: how often it is called at rest meanwhile, and how soon after.

    python -m tests.benchmarks.vision_hands [--count N] [--seed S] [--light L] [--cache FILE]

Each time a hand comes in, rests over the cells for longer than a board needs to be called at rest,
trembles or keeps quite still, and leaves; on boards of three games, in other light each time. With
`--cache` each hand's figures are kept in a file, and it does not come in again.
"""

import argparse
import json
import math
from pathlib import Path
from random import Random
from typing import Any

from hexboard.board import Cell, plain
from hexboard.game import registry
from hexboard.simulator.camera.render import ARM_MM, Hand, view
from hexboard.simulator.camera.tabletop import Tabletop
from hexboard.vision.cells.reading import Reader
from hexboard.vision.marks.markers import paper
from hexboard.vision.settling import QUIET_FRAMES, Watch
from tests.benchmarks.vision_moves import GAMES, MOODS
from tests.looking import looks

RESTS = 2 * QUIET_FRAMES
"""Frames with the hand in its place."""
SKINS = ((0.18, 0.28, 0.48), (0.30, 0.42, 0.66), (0.10, 0.16, 0.30), (0.04, 0.07, 0.13))
TREMBLE = 1.0
"""Of half of the hands, mm (standard deviation)."""


class Bench:
    """A board of one game."""

    def __init__(self, game: str) -> None:
        module = registry.find(game)
        self.board = plain(module.board(GAMES[game]))
        self.position: Any = module.start(self.board, GAMES[game])
        self.things = registry.appearance(game).things(module.visibly(self.position), self.board)
        self.camera, self.pose = view(self.board)
        self.reader = Reader(self.board, looks(game), self.camera, self.pose)

    def reach(self, seed: int, light: str) -> tuple[int, int]:
        """Frames called at rest under one hand; frames after it until the board was (-1: never)."""
        random, watch = Random(seed), Watch(self.reader)
        top = Tabletop(self.board, self.camera, self.pose, seed, MOODS[light])
        top.put(self.things)
        for _ in range(QUIET_FRAMES + 2):
            watch.look(top.picture())
        cell = random.choice(self.board.cells)
        side = random.uniform(0, 2 * math.pi)
        while not self.from_beyond(cell, side):
            side = random.uniform(0, 2 * math.pi)
        skin, trembles = random.choice(SKINS), random.choice((0.0, TREMBLE))
        settled = 0
        for _ in range(RESTS):
            x, y = (random.gauss(at, trembles) for at in (cell.x, cell.y))
            settled += watch.look(top.picture(Hand(x, y, side, skin))).settled
        for frame in range(4 * QUIET_FRAMES):
            if watch.look(top.picture()).settled:
                return settled, frame
        return settled, -1

    def from_beyond(self, cell: Cell, side: float) -> bool:
        """Whether an arm that reaches to a cell from that side comes from beyond the paper."""
        x, y = cell.x + ARM_MM * math.cos(side), cell.y + ARM_MM * math.sin(side)
        box = paper(self.board)
        return not (box.left < x < box.right and box.low < y < box.high)


def run(light: str, count: int, seed: int, cache: Path | None) -> list[tuple[int, int]]:
    """What `Bench.reach` says of so many hands."""
    kept: dict[str, tuple[int, int]] = {}
    if cache and cache.is_file():
        kept = json.loads(cache.read_text())
    benches: dict[str, Bench] = {}
    reached = []
    for number in range(seed, seed + count):
        game = tuple(GAMES)[number % len(GAMES)]
        key = f"{game} {light} {number}"
        if key not in kept:
            benches[game] = benches.get(game) or Bench(game)
            kept[key] = benches[game].reach(number, light)
            if cache:
                cache.write_text(json.dumps(kept))
        reached.append(kept[key])
    return reached


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--light", choices=MOODS, default="hard")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache", type=Path)
    chosen = parser.parse_args()
    reached = run(chosen.light, chosen.count, chosen.seed, chosen.cache)
    frames, waits = [settled for settled, _ in reached], [wait for _, wait in reached]
    print(
        f"{chosen.light} light: {chosen.count} hands of {RESTS} frames: called at rest under"
        f" {sum(settled > 0 for settled in frames)} of them ({sum(frames)} frames); at rest"
        f" {max(waits)} frames after at most, never within {4 * QUIET_FRAMES}: {waits.count(-1)}"
    )


if __name__ == "__main__":
    main()

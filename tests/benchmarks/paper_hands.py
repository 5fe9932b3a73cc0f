"""Hands that rest over a printed board in the second world: is one ever taken for a board at rest?

    python -m tests.benchmarks.paper_hands [--papers P …] [--skins N] [--seed S]

Ten sleeves, six skins, three papers: each arm comes in from another side, rests over the cells for
longer than a board needs to be called at rest, and leaves; every other one in light without
shadows.
"""

import argparse
import math
import time
from random import Random

import cv2
import numpy as np

from hexboard.board import find, load
from hexboard.vision.geometry import Pose
from hexboard.vision.settling import QUIET_FRAMES, Lookout, lookout
from tests.looking import looks
from tests.paper.put_up import lens, stood
from tests.paper.world import AMBIENT, BLACK, ROOM, SOFT, WHITE, Colour, Sleeve, World, printed

BOARD = load(find("hexhex-5"))
PAPERS: dict[str, Colour] = {
    "white": (0.80, 0.81, 0.80),
    "cream": (0.58, 0.72, 0.78),
    "grey": (0.52, 0.54, 0.53),
}
SLEEVES: dict[str, Colour] = {
    "white": (0.82, 0.82, 0.82),
    "off-white": (0.68, 0.74, 0.77),
    "light grey": (0.55, 0.55, 0.55),
    "grey": (0.25, 0.25, 0.25),
    "black": (0.03, 0.03, 0.03),
    "red": (0.06, 0.05, 0.45),
    "yellow": (0.08, 0.62, 0.75),
    "green": (0.20, 0.40, 0.12),
    "sky blue": (0.70, 0.52, 0.28),
    "navy": (0.12, 0.05, 0.03),
}
SKINS: tuple[Colour, ...] = (
    (0.42, 0.52, 0.72),
    (0.30, 0.42, 0.66),
    (0.20, 0.31, 0.52),
    (0.12, 0.20, 0.36),
    (0.07, 0.11, 0.20),
    (0.03, 0.05, 0.09),
)
RESTS = 2 * QUIET_FRAMES


class Bench:
    """One printed board in one light, with ten discs on it."""

    def __init__(self, paper: str, soft: bool, seed: int) -> None:
        self.random = Random(seed)
        self.world = World(
            printed(BOARD.name, paper=PAPERS[paper]),
            lamps=SOFT if soft else ROOM,
            ambient=0.75 if soft else AMBIENT,
        )
        camera = lens(self.world)
        pose, kit = stood(BOARD, camera, self.world.picture())
        cells = self.random.sample(BOARD.cells, 10)
        self.laid = {cell.id: [(BLACK, WHITE)[k % 2]] for k, cell in enumerate(cells)}
        self.bare = [self.world.picture(self.laid, seed=k) for k in (1, 2)]
        self.look: Lookout = lookout(BOARD, looks("hexalma"), camera, pose, kit)
        self.pose: Pose = pose

    def reach(self, cloth: Colour, skin: Colour) -> tuple[int, int, int]:
        """Frames called at rest, and frames without a hand, while one rests there; frames after it
        until the board is at rest (-1: never)."""
        self.until_settled()
        cell, side = self.random.choice(BOARD.cells), self.random.uniform(0, 2 * math.pi)
        arm = Sleeve(cell.x, cell.y, side, cloth, z=self.random.uniform(45, 80), skin=skin)
        rests = self.world.picture(self.laid, arm, seed=self.random.randrange(10**6))
        noise = np.random.default_rng(1).integers(0, 3, rests.shape, np.uint8)
        over = [rests, np.asarray(cv2.subtract(cv2.add(rests, noise), 1), np.uint8)]
        settled = missed = 0
        for k in range(RESTS):
            self.look.look(over[k % 2])
            settled += self.look.sight.settled
            missed += not self.look.sight.hand
        return settled, missed, self.until_settled()

    def until_settled(self) -> int:
        for frame in range(4 * QUIET_FRAMES):
            self.look.look(self.bare[frame % 2])
            if self.look.sight.settled:
                return frame
        return -1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", choices=PAPERS, nargs="+", default=[*PAPERS])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--skins", type=int, default=len(SKINS), help="so many of them, by turns")
    chosen = parser.parse_args()
    for number, paper in enumerate(chosen.papers):
        start = time.perf_counter()
        benches = [Bench(paper, soft, chosen.seed + number) for soft in (False, True)]
        told = {
            (name, k): benches[(k + n) % 2].reach(cloth, skin)
            for n, (name, cloth) in enumerate(SLEEVES.items())
            for k, skin in enumerate(SKINS)
            if (n + k + number) * chosen.skins % len(SKINS) < chosen.skins
        }
        taken = [f"{name} {k}" for (name, k), (settled, _, _) in told.items() if settled]
        unseen = [f"{name} {k}" for (name, k), (_, missed, _) in told.items() if missed]
        waits = [wait for _, _, wait in told.values()]
        print(
            f"{paper:6} {len(told)} hands of {RESTS} frames: called at rest under {len(taken)}"
            f" {taken}, not noticed in some frame {len(unseen)} {unseen}; at rest {max(waits)}"
            f" frames after at most, never {waits.count(-1)}; {time.perf_counter() - start:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()

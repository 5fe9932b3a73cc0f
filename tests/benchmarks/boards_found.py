"""In how many set-ups a board's markers are found, by pictures of both renderers, sharp and soft.

    python -m tests.benchmarks.boards_found [--board B …] [--count N] [--seed S]

Each set-up has a camera 0 to 34 degrees off the vertical, from any side, with the whole mat in view
at 1280 x 960. Found is a board whose cells are placed to a pixel.
"""

import argparse
from collections.abc import Iterator
from random import Random

import numpy as np

from hexboard.board import find, load
from hexboard.simulator.camera.canvas import Light
from hexboard.simulator.camera.render import Renderer, view
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Camera, project
from hexboard.vision.marks.markers import markers
from hexboard.vision.pose.registration import Registration
from tests.paper.put_up import lens
from tests.paper.world import World, printed

BLURS = {"sharp": 0.8, "soft": 1.6}
"""Standard deviations, px."""
Shot = tuple[str, Camera, Picture, np.typing.NDArray[np.float64]]


def shots(name: str, number: int, seed: int) -> Iterator[Shot]:
    """The empty board by both renderers, sharp and soft, and where its cells really are, px."""
    random, board = Random(1000 * seed + number), load(find(name))
    tilt, turn = random.uniform(0, 34), random.uniform(-180, 180)
    cells = np.array([(cell.x, cell.y, 0.0) for cell in board.cells])
    world = World(printed(name), tilt=tilt, turn=turn)
    camera, pose = view(board, tilt=tilt, turn=turn)
    first = Renderer(board, camera, pose)
    for focus, blur in BLURS.items():
        light = Light(blur=blur)
        yield f"first, {focus}", camera, first.frame({}, light), project(camera, pose, cells)
        yield f"second, {focus}", lens(world), world.picture(blur=blur), world.seen(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", nargs="+", default=["table", "rhombus-11", "hexhex-5"])
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    for name in chosen.board:
        board = load(find(name))
        cells = np.array([(cell.x, cell.y, 0.0) for cell in board.cells])
        found: dict[str, int] = {}
        for number in range(chosen.count):
            for kind, camera, picture, truth in shots(name, number, chosen.seed):
                pose = Registration(camera, markers(board)).look(picture).pose
                near = pose is not None and np.abs(project(camera, pose, cells) - truth).max() < 1
                found[kind] = found.get(kind, 0) + bool(near)
        counts = ", ".join(f"{kind} {count}" for kind, count in found.items())
        print(f"{name}: found in {chosen.count} set-ups: {counts}", flush=True)


if __name__ == "__main__":
    main()

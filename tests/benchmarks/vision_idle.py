"""What a frame costs when nothing happens, and what a reading costs: `python -m
tests.benchmarks.vision_idle`.

121 cells in 1080p. An idle frame goes through the whole eye: the markers are followed, hands and
motion looked for; decoding the picture comes on top. All is processor time, so that what
else this machine does counts little; that of a fixed loop stands beside.
"""

import time
from collections.abc import Callable

from hexboard.board import find, load
from hexboard.simulator.camera.render import view
from hexboard.simulator.camera.tabletop import MODERATE, Tabletop
from hexboard.vision.cells.reading import Reader
from hexboard.vision.eye import Eye
from hexboard.vision.settling import Watch
from tests.benchmarks import percentile, reference
from tests.looking import looks

SETTLING = 80
"""Frames until a board at rest is hardly read any more."""


def times(act: Callable[[], object], count: int) -> list[float]:
    """Milliseconds of processor time of so many calls, sorted."""
    spent = []
    for _ in range(count):
        start = time.process_time()
        act()
        spent.append((time.process_time() - start) * 1000)
    return sorted(spent)


def main() -> None:
    board = load(find("rhombus-11"))
    camera, pose = view(board, (1920, 1080))
    kinds = looks("bad-santa-hex")
    reader, eye = Reader(board, kinds, camera, pose), Eye(board, kinds, camera)
    watch, top = Watch(reader), Tabletop(board, camera, pose, 1, MODERATE)
    picture = top.picture()
    for _ in range(SETTLING):
        eye.look(picture, 0)
    (loop,) = times(reference, 1)
    for name, spent in (
        ("idle frame", times(lambda: eye.look(picture, 0), 140)),
        ("of it hand and motion", times(lambda: watch.look(picture), 200)),
        ("reading", times(lambda: reader.read(picture), 20)),
    ):
        middle, worst = percentile(spent, 0.5), percentile(spent, 0.99)
        print(
            f"{name}: {spent[0]:.2f} ms at best, {middle:.2f} in the middle, {worst:.2f} at 99 %;"
            f" {middle / loop:.3f} of the reference loop ({loop:.0f} ms)"
        )


if __name__ == "__main__":
    main()

"""Our reader and a naive one, at the same pictures: `python -m tests.benchmarks.vision_naive [N]`.

The naive one is what one writes first: the mean colour in the middle of a cell, and of the codes
that were seen in some pictures of the same light, whose truth it was told, the one whose mean
colour is nearest. N (20) pictures of each game and light, all others than those. *Wrong* is a cell
that is told wrongly; ours may be silent or in doubt, and that is counted beside it. Rendered
figures say nothing about photos.
"""

import sys
from collections import defaultdict
from typing import Any

import numpy as np

from hexboard.vision.geometry import project
from tests.benchmarks import measured, reference
from tests.benchmarks.vision_cells import Bench, Figures
from tests.benchmarks.vision_moves import MOODS

KINDS = ("hexalma", "bad-santa-hex")
TAUGHT = 10
"""Pictures whose truth the naive reader is told."""
SEED = 9000
MIDDLE = 0.25
"""Radius of what it looks at, in pitches."""


class Naive:
    """Mean colours, and the nearest of those that were taught."""

    def __init__(self, bench: Bench) -> None:
        middles = [(cell.x, cell.y) for cell in bench.board.cells]
        rim = [(x + MIDDLE * bench.board.pitch, y) for x, y in middles]
        self.spots = project(bench.camera, bench.pose, middles)
        self.radii = np.hypot(*(project(bench.camera, bench.pose, rim) - self.spots).T)
        self.colours = dict[int, Any]()

    def seen(self, picture: Any) -> Any:
        """The mean colour of each cell."""
        rows, columns = np.indices(picture.shape[:2])
        found = []
        for (x, y), radius in zip(self.spots, self.radii, strict=True):
            near = (columns - x) ** 2 + (rows - y) ** 2 < radius**2
            found.append(picture[near].mean(axis=0))
        return np.array(found)

    def teach(self, pictures: list[tuple[Any, list[int]]]) -> None:
        by_code = defaultdict[int, list[Any]](list)
        for picture, truth in pictures:
            for colour, code in zip(self.seen(picture), truth, strict=True):
                by_code[code].append(colour)
        self.colours = {code: np.mean(found, axis=0) for code, found in by_code.items()}

    def read(self, picture: Any) -> list[int]:
        codes, colours = list(self.colours), np.array(list(self.colours.values()))
        apart = self.seen(picture)[:, None] - colours[None]
        return [codes[k] for k in (apart**2).sum(axis=2).argmin(axis=1)]


def same(kind: str, code: int, truth: int) -> bool:
    """As `Bench` counts: of a stack only its topmost disc."""
    if kind == "hexalma":
        return (code > 0) == (truth > 0) and (truth == 0 or (code - truth) % 2 == 0)
    return code == truth


def compare(kind: str, light: str, pictures: int) -> None:
    bench = Bench(kind, light)
    naive, wrong, ours = Naive(bench), 0, Figures()
    taught = (bench.laid(SEED - 1 - k) for k in range(TAUGHT))
    naive.teach([(top.picture(), truth) for top, truth in taught])
    for seed in range(SEED, SEED + pictures):
        top, truth = bench.laid(seed)
        picture = top.picture()
        read = naive.read(picture)
        wrong += sum(not same(kind, code, it) for code, it in zip(read, truth, strict=True))
        ours.update(bench.counted(top, truth, picture))
    cells = ours["cells"]
    untold = ours["silent"] + ours["doubtful"]
    name = f"{kind}, {light} light"
    measured(f"{name}: wrong of {cells:,} cells", ours["wrong"], "naive", wrong)
    measured(f"{name}: silent or in doubt", untold)
    print(f"{name}: ours {ours['wrong']} of {cells} wrong, {untold} untold; naive {wrong} wrong")


def main() -> None:
    pictures = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    for light in MOODS:
        for kind in KINDS:
            compare(kind, light, pictures)
    print(f"reference loop {reference():.1f} ms")


if __name__ == "__main__":
    main()

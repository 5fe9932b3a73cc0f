"""What single rendered pictures say of each cell: stacks, counters, cards, units, tiles, balls.

    python -m tests.benchmarks.vision_cells [--frames N] [--kind K] [--light L] [--cache FILE]

Every picture is of another arrangement in another light. *Wrong* is what a cell says, where it says
something, that is not so; a cell that nothing explains is *silent*, one that
gives the truth within a nat of something else is *doubtful*. *Glare* are the cells on which
a mirrored lamp adds a tenth of full scale or more. With `--cache` each picture's figures are kept
as soon as they are there, and it is not drawn again. Rendered figures say nothing about photos;
photos are read by `tests/vision`.
"""

import argparse
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from hexboard.appearance import KIT, Lying
from hexboard.board import Board, find, load, plain
from hexboard.facts import CellCosts
from hexboard.game import registry
from hexboard.games.hextraction.looks import laid
from hexboard.games.hextraction.tiles.catalogue import UNREGISTERED
from hexboard.games.hextraction.tiles.numbers import SHIPPED
from hexboard.games.knee_deep.position import MARKER
from hexboard.simulator.camera.props import turned
from hexboard.simulator.camera.render import Renderer, view
from hexboard.simulator.camera.tabletop import Tabletop
from hexboard.simulator.camera.texture import drawn
from hexboard.vision.cells.balls import Ball, Balls
from hexboard.vision.cells.reading import Reader
from hexboard.vision.geometry import project
from tests.benchmarks.vision_moves import GAMES, MOODS
from tests.looking import looks

Figures = Counter[str]
TILES = SHIPPED[:8]
WAR = ("units", "sectors")
"""Units on a plain mat, and on one with the borders and numbers of the sectors."""
GLARE = 0.1
NEAR = 4.0
"""A ball is where it was found if it lies so near, mm."""
DOUBT = 100
"""A cell that gives the truth as nearly as likely as what it takes for likeliest, 1/100 nat."""


class Bench:
    """One kind of board in one light; a picture a seed."""

    def __init__(self, kind: str, light: str) -> None:
        self.kind, self.mood = kind, MOODS[light]
        self.game = dict.fromkeys(WAR, "knee-deep").get(
            kind, kind if kind in GAMES else "hextraction"
        )
        size, tilt = (1280, 960), 30.0
        if kind in GAMES:
            self.board = plain(registry.find(kind).board(GAMES[kind]))
        elif kind in WAR:  # 26 mm a field: fewer pixels would leave 1.5 for a millimetre
            self.board, size, tilt = load(find("flowers-31")), (1920, 1440), 15.0
        else:
            self.board, tilt = load(find("hextraction-22")), 15.0
        self.camera, self.pose = view(self.board, size, tilt)
        self.reader = Reader(self.board, looks(self.game), self.camera, self.pose)
        if kind == "sectors":
            game = registry.find(self.game)
            areas = game.divided(game.begin(self.board, {}))
            texture = drawn(self.board, KIT, size[0], areas)
            self.renderer = Renderer(self.board, self.camera, self.pose, KIT, texture)
        if kind == "balls":
            self.balls = Balls(self.board, self.camera, self.pose)

    def figures(self, seed: int) -> Figures:
        """Of one picture."""
        if self.kind == "balls":
            top = Tabletop(self.board, self.camera, self.pose, seed, self.mood)
            return self._rolled(top, Random(seed))
        top, truth = self.laid(seed)
        return self.counted(top, truth, top.picture())

    def counted(self, top: Tabletop, truth: list[int], picture: Any) -> Figures:
        """What the reader says of a picture, against the truth."""
        figures = Figures()
        seen = self.reader.read(picture)
        bright = self._glare(top)
        for k, (cell, code) in enumerate(zip(seen.cells, truth, strict=True)):
            self._count(cell, code, bool(bright[k]), figures)
        return figures

    def laid(self, seed: int) -> tuple[Tabletop, list[int]]:
        """A table with something on it, and what truly lies in each cell."""
        random = Random(seed)
        top = Tabletop(self.board, self.camera, self.pose, seed, self.mood)
        if self.kind == "sectors":
            top.renderer = self.renderer
        if self.kind in WAR:
            things, truth = units(self.board, random)
        elif self.kind == "tiles":
            things, truth = tiles(self.board, random)
        else:
            position = self._played(random)
            things, truth = (
                registry.appearance(self.kind).things(position, self.board),
                list(position.seen()),
            )
        top.put(things)
        return top, truth

    def _played(self, random: Random) -> Any:
        """A position of a random game."""
        options = GAMES[self.kind]
        position: Any = registry.find(self.kind).start(self.board, options)
        for _ in range(random.randrange(4, 40)):
            if not position.legal:
                break
            position = position.play(random.choice(list(position.legal)))
        return position

    def _glare(self, top: Tabletop) -> Any:
        """Which cells lie under a mirrored lamp."""
        spots = project(self.camera, self.pose, [(cell.x, cell.y) for cell in self.board.cells])
        level = np.zeros(len(spots))
        for lamp in top.light.glare:
            far = np.hypot(*(spots - (lamp.x, lamp.y)).T)
            level += lamp.level * np.exp(-(far**2) / (2 * lamp.radius**2))
        return level > GLARE

    def _count(self, cell: CellCosts, truth: int, glare: bool, figures: Figures) -> None:
        figures["cells"] += 1
        figures["glare"] += glare
        if not cell:
            figures["silent"] += 1
            return
        right = self._right(cell, truth)
        doubt = not right and dict(cell).get(truth, DOUBT) < DOUBT
        figures["told"] += 1
        figures["doubtful"] += doubt
        figures["wrong"] += not right and not doubt
        figures["glare wrong"] += glare and not right and not doubt
        if self.kind == "hexel" and truth:
            faces = [look.face for look in self.reader.looks]
            read = faces[min(cell, key=lambda entry: entry[1])[0]] or "......"
            figures["symbols"] += 6
            figures["symbols wrong"] += sum(a != b for a, b in zip(read, faces[truth], strict=True))

    def _right(self, cell: CellCosts, truth: int) -> bool:
        """Occupancy, and what lies on top; of tiles without a marker that there is one."""
        best, cost = min(cell, key=lambda entry: entry[1])
        if truth < 0:
            return best > 0 and sum(other < cost + DOUBT for _, other in cell) > 1
        if self.kind == "hexalma":
            return (best > 0) == (truth > 0) and (best == 0 or (best - truth) % 2 == 0)
        return best == truth

    def _rolled(self, top: Tabletop, random: Random) -> Figures:
        """Balls come to rest on tiles, seams and in end zones; their number is known."""
        things, _ = tiles(self.board, random)
        top.put(things)
        before, figures = self.balls.look(top.picture()), Figures()
        spots = list(rested(top, self.balls, random))
        now = self.balls.look(top.picture(balls=spots))
        found = self.balls.find(before, now, len(spots))
        figures["pictures"] = 1
        if (seen := self.balls.found(before, now)) is not None:
            figures["uncounted"] = 1
            figures["uncounted wrong"] = len(seen) != len(spots) or _off(spots, seen) > NEAR
        figures["cells"] = len(self.board.cells) + len(self.board.zones)
        figures["balls"] = len(spots)
        if found is None:
            figures["silent"] = figures["cells"]
            return figures
        figures["told"] = figures["cells"]
        figures["wrong"] = sum(_off([spot], found) > NEAR for spot in spots)
        return figures


def _off(spots: Sequence[tuple[float, float]], found: Sequence[Ball]) -> float:
    """How far from what was found the worst of some balls lies, mm."""
    return max(min(math.dist(spot, (b.x, b.y)) for b in found) for spot in spots)


def units(board: Board, random: Random) -> tuple[dict[str, Lying], list[int]]:
    """46 units of all kinds and the marker of a war zone."""
    truth = {cell.id: 0 for cell in board.cells}
    things = {}
    for cell in random.sample(list(truth), 46):
        truth[cell] = random.randrange(1, 13)
        things[cell] = Lying(unit=truth[cell])
    meeting = [
        (cell, corner)
        for cell in truth
        for corner in range(6)
        if board.neighbour(cell, corner + 1) and board.neighbour(cell, (corner + 1) % 6 + 1)
    ]
    (cell, corner), seat = random.choice(meeting), random.choice((1, 2))
    things[f"{cell}|{corner}"] = Lying(marker=seat)
    for edge in (None, corner + 1, (corner + 1) % 6 + 1):
        truth[board.neighbour(cell, edge) if edge else cell] += MARKER * seat  # type: ignore[index]
    return things, list(truth.values())


def tiles(board: Board, random: Random) -> tuple[dict[str, Lying], list[int]]:
    """Tiles in some of the slots, a few without a marker (-1)."""
    truth = {cell.id: 0 for cell in board.cells}
    things = {}
    for cell in random.sample(list(truth), random.randrange(8, len(truth) + 1)):
        kind, turn = random.randrange(len(TILES) + 1), random.randrange(6)
        known = kind < len(TILES)
        truth[cell] = 1 + 6 * kind + turn if known else -1
        things[cell] = laid(TILES[kind] if known else UNREGISTERED.id, turn)
    return things, list(truth.values())


def rested(top: Tabletop, balls: Balls, random: Random) -> Iterator[tuple[float, float]]:
    """Where one to three balls lie: in channels, on seams, in end zones; not in one another, nor
    before a ramp's gate."""
    board, lanes = balls.board, {ramp.id for ramp in balls.board.ramps}
    spots: list[tuple[float, float]] = []
    count = random.randrange(1, 4)
    while len(spots) < count:
        cell = random.choice(sorted(top.lying))
        tile = top.lying[cell]
        if random.random() < 0.15:
            x, y = board.zone_point(random.choice(board.zones))
            x, y = x + random.gauss(0, 2), y + random.gauss(0, 2)
        elif not tile.channels:
            continue
        else:
            way = np.array(random.choice(tile.channels))
            at = random.choice((0.0, 1.0, random.random())) * (len(way) - 1)
            k = min(int(at), len(way) - 2)
            place = (way[k] + (way[k + 1] - way[k]) * (at - k)) * board.pitch
            turn = tile.turn - tile.rotation * math.pi / 3
            middle = board.cell[cell].x, board.cell[cell].y
            x, y = (float(v) for v in turned(place[None], turn, middle)[0])
        apart = all(math.dist((x, y), other) > 10 for other in spots)
        if apart and balls.place(x, y) not in lanes:
            spots.append((x, y))
    yield from spots


KINDS = (*GAMES, *WAR, "tiles", "balls")


def run(kind: str, light: str, frames: int, seed: int, cache: Path | None) -> Figures:
    """Figures of so many pictures."""
    kept: dict[str, dict[str, int]] = {}
    if cache and cache.is_file():
        kept = json.loads(cache.read_text())
    total, bench = Figures(), None
    for number in range(seed, seed + frames):
        key = f"{kind} {light} {number}"
        if key not in kept:
            bench = bench or Bench(kind, light)
            kept[key] = dict(bench.figures(number))
            if cache:
                cache.write_text(json.dumps(kept))
        total.update(kept[key])
    return total


def told(f: Figures) -> str:
    """Figures in words; below which rate it is by three in n where nothing is wrong."""
    rate: Callable[[int, int], str] = lambda wrong, of: (  # noqa: E731
        f"{wrong} of {of} = {wrong / of:.3%}" if wrong else f"0 of {of} (< {3 / of:.3%})"
    )
    parts = [f"wrong {rate(f['wrong'], f['told'])}", f"doubtful {f['doubtful']}"]
    parts.append(f"silent {f['silent'] / f['cells']:.2%}")
    if f["glare"]:
        parts.append(f"under glare {f['glare']}, of them told wrong {f['glare wrong']}")
    if f["symbols"]:
        parts.append(f"symbols wrong {rate(f['symbols wrong'], f['symbols'])}")
    if f["balls"]:
        parts.append(f"{f['balls']} balls")
        number = rate(f["uncounted wrong"], f["uncounted"])
        parts.append(f"without their number {number}, untold {f['pictures'] - f['uncounted']}")
    return ", ".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=20, help="pictures of each kind and light")
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--light", choices=MOODS, action="append")
    parser.add_argument("--seed", type=int, default=9000)
    parser.add_argument("--cache", type=Path)
    chosen = parser.parse_args()
    for light in chosen.light or MOODS:
        for kind in chosen.kind or KINDS:
            start = time.perf_counter()
            figures = run(kind, light, chosen.frames, chosen.seed, chosen.cache)
            spent = time.perf_counter() - start
            print(f"{light:8} {kind:14} {told(figures)}; {spent:.0f} s", flush=True)


if __name__ == "__main__":
    main()

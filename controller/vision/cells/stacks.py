"""Stacks: how likely each stack of discs is in each cell, by what every disc hides and shows.

Each cell has a patch of samples in the picture. For a stack of a height, lying a little off the
middle, geometry says which sample falls on its top, on the side of which disc, or beyond; colours
say how well that explains what is seen. Discs before and behind are taken into account as they were
found in a first look.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from hexboard.appearance import BAND_MM, KIT, Colour, Kit, Look
from hexboard.board import Board, Cell
from hexboard.vision.geometry import Array, Camera, Pose, around, project
from hexboard.vision.light import Linear

SIDES = 28
"""Points round a disc by which that is told."""
SLOP_MM = (-1.8, -0.9, 0.0, 0.9, 1.8)
"""How far off the middle a stack is tried."""
SLIP_MM = 0.9
"""How far off the middle people lay things (standard deviation): where a tall stack off its middle
looks like a low one that is not, this tells them apart."""
SPREAD = KIT.spread
"""`Kit.spread` where nothing else is known."""
WORST_NAT = 6.0
"""Nats that one sample can say."""
SHARE = 0.12
"""Of a sample's word that counts: neighbours say the same, and are wrong together."""
TOP, RIM_, GROUND = (0.80, 1.15), (0.75, 1.2), (0.55, 1.12)
"""Brightness against the colour as it is: from shade to a little more than all light."""
WALL = (0.25, 1.1)
SHEEN = 0.02
"""What a smooth piece mirrors of the room round it, a share of white light."""
BLURRED = 0.35
"""How much of a printed ring's light is its top's at most, in a picture that is not quite sharp."""
LINE_MM = 1.5
"""Within this of a cell's outline its ground and what is beyond look alike."""
ANYTHING_NATS = 1.0
"""What a sample costs where we do not know what should be there."""
BEYOND = -1.0
FLOOR = 0.0

ONES, HALVES = np.ones(3, np.float32), np.full(3, 0.5, np.float32)
"""To add up three colours: much faster than `sum(-1)`."""

Costs = NDArray[np.float32]


class Stacks:
    """The stacks of one board under one pose. `looks` are what the codes stand for; `cells` are
    read, those of the board unless others are named."""

    across, down = 15, 21
    """Samples of a cell's patch."""
    slop_mm: tuple[float, ...] = SLOP_MM
    most_nats, most_empty_nats = 1.4, 0.45
    """What a sample costs on average where nothing explains a cell; and one that seems empty:
    bare ground is even, pieces have edges, which blur."""

    def __init__(
        self,
        board: Board,
        camera: Camera,
        pose: Pose,
        kit: Kit,
        looks: tuple[Look, ...],
        cells: Sequence[Cell] = (),
    ) -> None:
        self.kit, self.looks, cells = kit, looks, cells or board.cells
        self.tallest = max(len(stack) for look in looks for stack in look.stacks)
        self.colours = sorted({c for look in looks for stack in look.stacks for c in stack})
        self.radius, self.high = kit.radius * board.pitch, kit.height * board.pitch
        self.middles = np.array([(cell.x, cell.y) for cell in cells])
        self.points = self._patches(camera, pose)
        self._rays(camera, pose)
        self._near = self._neighbours(board, cells)
        self._out = self._beyond_cells(board)
        offsets = np.array([(x, y) for x in self.slop_mm for y in self.slop_mm])
        self._shapes = [
            self._hit(self.middles[:, None, None] + offsets[:, None], height)
            for height in range(1, self.tallest + 1)
        ]
        self._offsets = offsets
        self._slips = (offsets**2).sum(1).astype(np.float32) / (2 * SLIP_MM**2 * SHARE)

    @property
    def grounds(self) -> Array:
        """Where on the board each sample lies, (n, 2) mm."""
        return np.asarray(self._at.reshape(-1, 2))

    @property
    def areas(self) -> Array:
        """How much of the picture a sample of each cell stands for, px."""
        patches = self.points.reshape(len(self.middles), -1, 2)
        sides = patches.max(1) - patches.min(1)
        return np.asarray(sides.prod(1) / (self.across * self.down))

    def _patches(self, camera: Camera, pose: Pose) -> Array:
        """(cells x samples, 2) px: a grid over all that a stack in the cell can cover."""
        reach = self.radius + max(self.slop_mm) + 1.5
        patches = []
        for x, y in self.middles:
            ring = around(SIDES) * reach + (x, y)
            levels = [
                np.hstack([ring, np.full((len(ring), 1), z)])
                for z in (0.0, self.high * self.tallest)
            ]
            spots = project(camera, pose, np.vstack(levels))
            (left, top), (right, low) = spots.min(0), spots.max(0)
            x = np.linspace(left, right, self.across)
            grid = np.meshgrid(x, np.linspace(top, low, self.down))
            patches.append(np.stack(grid, -1).reshape(-1, 2))
        return np.concatenate(patches)

    def _rays(self, camera: Camera, pose: Pose) -> None:
        """Where each sample's ray meets the board, and how it leans: mm sideways a mm up."""
        flat = cv2.undistortPoints(self.points.reshape(-1, 1, 2), camera.matrix, camera.distortion)
        rays = np.hstack([np.asarray(flat).reshape(-1, 2), np.ones((len(self.points), 1))])
        turned = rays @ cv2.Rodrigues(pose.rvec)[0]
        eye, cells = pose.eye, len(self.middles)
        lean = turned[:, :2] / turned[:, 2:]
        self._lean = lean.reshape(cells, -1, 2)
        self._at = (eye[:2] - lean * eye[2]).reshape(cells, -1, 2)

    def _neighbours(self, board: Board, cells: Sequence[Cell]) -> NDArray[np.int64]:
        """The cells round each, -1 beyond the rim, (cells, 6)."""
        number = {cell.id: k for k, cell in enumerate(cells)}
        return np.array(
            [
                [number.get(board.neighbour(cell.id, edge) or "", -1) for edge in range(1, 7)]
                for cell in cells
            ]
        )

    def _beyond_cells(self, board: Board) -> Linear:
        """How far beyond the nearest cell each sample lies, mm; less than 0 within one."""
        middles = np.array([(cell.x, cell.y) for cell in board.cells])
        corners = np.array(board.corners(board.cells[0].id)) - middles[0]
        sides = (corners + np.roll(corners, 1, 0)) / 2
        far = np.linalg.norm(sides, axis=1)
        flat = self._at.reshape(-1, 2)
        nearest = np.full(len(flat), np.inf)
        for middle in middles:
            out = ((flat - middle) @ (sides / far[:, None]).T - far).max(1)
            nearest = np.minimum(nearest, out)
        return nearest.reshape(self._at.shape[:2]).astype(np.float32)

    def _cost(
        self, seen: Linear, lit: Linear, colour: Colour, shades: tuple[float, float]
    ) -> Costs:
        return cost(seen, lit, colour, shades, spread=self.kit.spread)

    def _piece(self, seen: Linear, lit: Linear, colour: int, shades: tuple[float, float]) -> Costs:
        """Nats against a piece's own colour; dark ones send back some of the room's light too."""
        own = self.kit.pieces[colour]
        bright = 1 + SHEEN * len(own) / sum(own)
        return self._cost(seen, lit, own, (shades[0], max(shades[1], bright)))

    def _ringed(self, seen: Linear, lit: Linear, colour: int) -> Costs:
        """Nats against a piece's printed ring; some of the top's light is in it."""
        top, ring = self.kit.pieces[colour], self.kit.rim[colour]
        mixed = 1 + BLURRED * (sum(top) / sum(ring) - 1)
        return self._cost(seen, lit, ring, (min(RIM_[0], mixed), max(RIM_[1], mixed)))

    def _board(self, seen: Linear, lit: Linear) -> Costs:
        """Nats against the bare board: cells, plain paper round them, and beyond it markers."""
        ground = self._cost(seen, lit, self.kit.ground, GROUND)
        plain = self._cost(seen, lit, self.kit.paper, GROUND)
        either = np.where(self._out > LINE_MM, plain, np.minimum(ground, plain))
        other = np.minimum(
            plain, np.float32(ANYTHING_NATS)
        )  # mostly paper, markers, beyond its rim
        either = np.where(self._out > BAND_MM - LINE_MM, other, either)
        return np.where(self._out < -LINE_MM, ground, either)

    def _hit(
        self, middles: Array, height: int, own: slice = slice(None)
    ) -> tuple[Linear, NDArray[np.int8]]:
        """Stacks at `middles` (cells, places, 1, 2) seen by the samples of the cells `own`: at
        which z a sample's ray meets one (`BEYOND` for not at all), and where: 0 top, 1 rim, 2 and
        on the sides from the lowest disc up."""
        top = self.high * height
        lean = self._lean[own][:, None]
        from_middle = self._at[own][:, None] + lean * top - middles
        square = (from_middle**2).sum(-1)
        out = np.sqrt(square) / self.radius
        z = np.full(square.shape, BEYOND, np.float32)
        part = np.zeros(square.shape, np.int8)
        along = (from_middle * lean).sum(-1)
        steep = (lean**2).sum(-1) + 1e-12
        root = along**2 - steep * (square - self.radius**2)
        down = (along - np.sqrt(np.maximum(root, 0))) / steep
        side = (out > 1) & (root > 0) & (down > 0) & (down < top)
        z[side] = (top - down)[side]
        part[side] = 2 + (z[side] / self.high).astype(np.int8).clip(0, height - 1)
        z[out <= 1] = top
        inner, outer = self.kit.rim_at
        part[(out <= 1) & (out > inner) & (out < outer)] = 1
        return z, part

    # --------------------------------------------------------------------------------- reading

    def read(self, seen: Linear, lit: Linear) -> tuple[Costs, Costs]:
        """Log-likelihood of each code in each cell, (cells, codes) nats; and of the best, what a
        sample costs on average: much where nothing explains what is seen. `seen` is linear light
        and `lit` what white would send back there, both (samples, 3)."""
        cells = len(self.middles)
        shape = (cells, -1, 3)
        seen, lit = seen.reshape(shape), lit.reshape(shape)
        costs = {
            "ground": self._board(seen, lit),
            **{f"top{c}": self._piece(seen, lit, c, TOP) for c in self.colours},
            **{f"rim{c}": self._ringed(seen, lit, c) for c in self.colours},
            **{f"wall{c}": self._piece(seen, lit, c, WALL) for c in self.colours},
        }
        behind = np.full(seen.shape[:2], FLOOR, np.float32), costs["ground"]
        for _ in range(2):
            scores, best = self._score(costs, *behind)
            behind = self._behind(costs, best)
        scores, best = self._score(costs, *behind)
        mean = -scores.max(1) / (SHARE * seen.shape[1])
        return scores, mean

    def _score(
        self, costs: dict[str, Costs], z: Costs, beyond: Costs
    ) -> tuple[Costs, list[tuple[tuple[int, ...], int]]]:
        """Every code's log-likelihood; for each cell the best stack and its place, () for none."""
        cells = len(self.middles)
        empty = -beyond.sum(1)
        scores = np.full((cells, len(self.looks)), -np.inf, np.float32)
        tables = [self._gains(costs, z, beyond, height) for height in range(1, self.tallest + 1)]
        found: list[list[tuple[float, tuple[int, ...], int]]] = [
            [(float(empty[k]), (), 0)] for k in range(cells)
        ]
        for code, look in enumerate(self.looks):
            if not look.stacks:
                scores[:, code] = empty
            for stack in look.stacks:
                tops, walls = tables[len(stack) - 1]
                total = empty[:, None] - self._slips + tops[self.colours.index(stack[-1])]
                for layer, colour in enumerate(stack):
                    total = total + walls[layer][self.colours.index(colour)]
                places = total.argmax(1)
                values = total[np.arange(cells), places]
                scores[:, code] = np.maximum(scores[:, code], values)
                for k in range(cells):
                    found[k].append((float(values[k]), stack, int(places[k])))
        best = [max(options)[1:] for options in found]
        return scores * np.float32(SHARE), best

    def _gains(
        self, costs: dict[str, Costs], z: Costs, beyond: Costs, height: int
    ) -> tuple[list[Costs], list[list[Costs]]]:
        """By how much the visible parts of a stack explain the samples better than what is beyond:
        for its top and its discs' sides, by colour, (cells, places)."""
        own, part = self._shapes[height - 1]
        part = np.where(own > z[:, None], part, np.int8(-1))
        parts = [part == k for k in range(2 + height)]
        masks = np.concatenate(parts, 1).astype(np.float32)  # (cells, parts x places, samples)
        places = own.shape[1]

        def gain(name: str) -> Costs:
            return beyond - costs[name]

        names = [f"{kind}{c}" for c in self.colours for kind in ("top", "rim", "wall")]
        each = np.stack([gain(name) for name in names], -1)
        sums = (masks @ each).reshape(len(z), 2 + height, places, len(names))
        tops = [sums[:, 0, :, 3 * i] + sums[:, 1, :, 3 * i + 1] for i in range(len(self.colours))]
        walls = [
            [sums[:, 2 + layer, :, 3 * i + 2] for i in range(len(self.colours))]
            for layer in range(height)
        ]
        return tops, walls

    def _behind(
        self, costs: dict[str, Costs], best: list[tuple[tuple[int, ...], int]]
    ) -> tuple[Costs, Costs]:
        """What the neighbours, as found, show in each cell's patch: at which z, at what cost."""
        depth = np.full(costs["ground"].shape, FLOOR, np.float32)
        beyond = costs["ground"].copy()
        for height in range(1, self.tallest + 1):
            for side in range(6):
                near = self._near[:, side]
                rows = np.array(
                    [k for k, n in enumerate(near) if n >= 0 and len(best[n][0]) == height], int
                )
                if not len(rows):
                    continue
                there = [best[n] for n in near[rows]]
                middles = self.middles[near[rows]] + self._offsets[[place for _, place in there]]
                z, part = self._hit(middles[:, None, None], height, rows)  # type: ignore[arg-type]
                self._cover(costs, rows, z[:, 0], part[:, 0], [s for s, _ in there], depth, beyond)
        return depth, beyond

    def _cover(
        self,
        costs: dict[str, Costs],
        rows: NDArray[np.int64],
        z: Linear,
        part: NDArray[np.int8],
        stacks: list[tuple[int, ...]],
        depth: Costs,
        beyond: Costs,
    ) -> None:
        """Lay these stacks over what is beyond, where they are nearer to the camera."""
        for row, level, where, stack in zip(rows, z, part, stacks, strict=True):
            nearer = level > depth[row]
            depth[row, nearer] = level[nearer]
            names = [f"top{stack[-1]}", f"rim{stack[-1]}", *(f"wall{c}" for c in stack)]
            for k, name in enumerate(names):
                here = nearer & (where == k)
                beyond[row, here] = costs[name][row, here]


def cost(
    seen: Linear,
    lit: Linear,
    colour: tuple[float, ...],
    shades: tuple[float, float],
    added: Linear | float = 0.0,
    spread: float = SPREAD,
) -> Costs:
    """Nats against a surface of this colour at each sample, shaded as suits it best; `added` is
    light that a mirrored lamp adds to its own."""
    whole = lit * np.array(colour, np.float32)
    shade = ((seen - added) * whole) @ ONES / (whole**2 @ ONES)
    expected = np.minimum(whole * shade.clip(*shades)[..., None] + added, 1)
    off = (np.sqrt(np.maximum(seen, 0)) - np.sqrt(expected)) / spread
    return np.asarray(np.minimum(off**2 @ HALVES, WORST_NAT), np.float32)

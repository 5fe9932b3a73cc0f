"""Printed parts as solids of foreign programs: read and cut by trimesh and manifold3d.

The tile and the ball are those of the rules: a base 46 mm across from -5 to 0, with a notch of
12.7 × 5 × 3 mm, 50 mm across above; balls of 10 mm.
"""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hexboard.board import Board, BuildEntry, find, load_plan
from hexboard.commands.build.cad.lengths import Lengths
from hexboard.commands.build.cad.recipe import (
    PrintedPart,
    Spot,
)
from hexboard.commands.build.module.placing import BODIES, ModulePlan, SetPart

OURS = find("hextraction-22").read_text("utf-8")
HIGH_MM = {
    "0603": 0.9,
    "light": 0.84,
    "sot23": 1.12,
    "sc70-5": 1.1,
    "tssop16": 1.2,
    "plug": 1.5,
    "feed": 1.5,
    "led3": 1.5,
    "socket": 3.0,
    "reflector": 3.0,
}
"""How high parts are by their data sheets; of what hangs on wires, its solder."""
BODIES_MM = {
    "0603": (1.6, 0.8),
    "light": (2.2, 2.0),
    "sot23": (2.4, 2.9),
    "sot23-6": (2.8, 2.9),
    "sc70-5": (2.1, 2.0),
    "tssop16": (6.4, 5.0),
    "socket": (5.08, 2.54),
    "reflector": (10.2, 5.8),
}
"""How long and wide, by the same, leads with it; at 0 degrees."""
PLUG_MM = (15.9, 4.5, 0.55)
"""A JST PH with seven pins: its pins are 1.7 mm from one long side and 2.8 from the other, so it
reaches 0.55 mm further there. Hanging below, with pin 1 at the left seen from above, that is up."""
LENSES_MM = 7.0
"""How high the lenses of a TCRT5000 stand, with the wall between them."""
BALL_MM = 10.0
"""The larger ball of the rules."""


def changed(old: str, new: str) -> str:
    assert OURS.count(old) == 1, old
    return OURS.replace(old, new)


def planned(folder: Path, text: str = OURS) -> tuple[Board, BuildEntry]:
    path = folder / f"{len([*folder.iterdir()])}.toml"
    path.write_text(text, "utf-8")
    return load_plan(path)


def named(parts: tuple[PrintedPart, ...], name: str) -> PrintedPart:
    return next(it for it in parts if it.name == name)


def mesh(shape: Any) -> Any:
    """A recipe as a mesh of trimesh, where it sits in the board."""
    import trimesh

    from hexboard.commands.build.cad.solids import made

    points, faces = made(shape).tessellate(0.02, 0.3)
    found = trimesh.Trimesh([(it.X, it.Y, it.Z) for it in points], faces)
    found.merge_vertices()
    assert found.is_volume
    return found


def prism(points: Any, low: float, high: float) -> Any:
    """A prism over a convex polygon."""
    import trimesh

    corners = [(x, y, z) for x, y in points for z in (low, high)]
    return trimesh.convex.convex_hull(corners)


def hexagon(x: float, y: float, across: float) -> list[tuple[float, float]]:
    size, turns = across / math.sqrt(3), [math.radians(60 * k) for k in range(6)]
    return [(x + size * math.cos(t), y + size * math.sin(t)) for t in turns]


def cut(one: Any, other: Any) -> float:
    """How much two solids have in common, mm³."""
    import numpy as np
    import trimesh

    found = trimesh.boolean.intersection([one, other], engine="manifold").triangles
    if not len(found):
        return 0.0
    a, b, c = found[:, 0], found[:, 1], found[:, 2]
    return abs(float((a * np.cross(b, c)).sum())) / 6


def seen(solid: Any, start: Spot, way: Spot, far: float = 40.0) -> float:
    """How far one sees in a direction until a solid is there, mm."""
    import trimesh

    ends = [[s + t * w for s, w in zip(start, way, strict=True)] for t in (0, far)]
    beam = trimesh.creation.cylinder(0.05, segment=ends)
    hit = trimesh.boolean.intersection([solid, beam], engine="manifold").vertices
    return min((float((it - start) @ way) for it in hit), default=far)


def there(solid: Any, spot: Spot) -> bool:
    """Whether a solid is at a place."""
    return seen(solid, spot, (0.0, 0.0, 1.0), 0.1) < 0.1


def tile(x: float, y: float, pitch: float = 50.0) -> Any:
    """The envelope of a tile in a slot whose key lies at edge 4, a hair above the ledge. On a wider
    board its notch is as much deeper as the key stands further out."""
    import trimesh

    deep = 5.0 + (pitch - 50.0) / 2
    notch = trimesh.creation.box((12.7, deep, 3.0), moved(x, y - 23 + deep / 2, -3.49))
    base = trimesh.boolean.difference([prism(hexagon(x, y, 46), -4.99, 0.1), notch])
    return trimesh.boolean.union([base, prism(hexagon(x, y, 50), 0.0, 10.0)])


def rolled(start: tuple[float, float], end: tuple[float, float], z: float) -> Any:
    """The way of a ball from one place to another."""
    import trimesh

    ball = trimesh.creation.icosphere(3, BALL_MM / 2).vertices
    spots = [(x + dx, y + dy, z + dz) for x, y in (start, end) for dx, dy, dz in ball]
    return trimesh.convex.convex_hull(spots)


def boards(found: Lengths, module: ModulePlan) -> Iterator[Any]:
    """A slot's circuit board about the slot's middle, and what stands on it, as blocks; beams' LEDs
    in ribs reach up to the frame, what hangs under it down."""
    import trimesh

    stack = found.stack
    plate = prism(module.outline, stack.board_low, stack.board_top - 0.01)
    hole = trimesh.creation.cylinder(module.hole, 20, transform=moved(0, 0, stack.board_low))
    yield trimesh.boolean.difference([plate, hole])
    for it in module.parts:
        lands = BODIES[it.part.body]
        x = 2 * max(abs(land.x) + land.wide / 2 for land in lands)
        y = 2 * max(abs(land.y) + land.high / 2 for land in lands)
        if it.part.body == "socket":
            x, y = 5.08, 2.54
        if it.part.body == "reflector":
            x, y = 10.2, 5.8
            yield lenses(it, stack.board_top)
        high = HIGH_MM[it.part.body]
        if it.part.body == "plug":  # standing, 6 mm, under the board
            long, wide, off = PLUG_MM
            yield block(it, (long, wide, 6.0), stack.board_low - 3, off)
        if not it.below or it.part.body == "plug":
            yield block(it, (x, y, high), stack.board_top + high / 2)


def lenses(it: SetPart, low: float) -> Any:
    """The upper part of a TCRT5000 by its drawing: from 10.2 × 5.8 mm at 3 mm of height to 7.5 ×
    3.3 mm at 4.5, and on it two lenses of 2.9 mm, up to 6.3, with a wall between them."""
    import trimesh

    around = [(x, y, 3.0) for x in (-5.1, 5.1) for y in (-2.9, 2.9)]
    around += [(x, y, 4.5) for x in (-3.75, 3.75) for y in (-1.65, 1.65)]
    roof = trimesh.convex.convex_hull(around)
    wall = trimesh.creation.box((0.95, 2.9, LENSES_MM - 4.0), moved(0, 0, (LENSES_MM + 4.0) / 2))
    domes = [trimesh.creation.icosphere(3, 1.47) for _ in range(2)]
    for dome, x in zip(domes, (-1.82, 1.82), strict=True):
        dome.apply_transform(moved(x, 0, 6.3 - 1.47))
    turn = trimesh.transformations.rotation_matrix(math.radians(it.turned), (0, 0, 1))
    found = trimesh.boolean.union([roof, wall, *domes])
    found.apply_transform(moved(it.x, it.y, low) @ turn)
    return found


def block(it: SetPart, sizes: tuple[float, float, float], z: float, off: float = 0.0) -> Any:
    """A block in a part's place, or so far off along its y."""
    import trimesh

    turn = trimesh.transformations.rotation_matrix(math.radians(it.turned), (0, 0, 1))
    return trimesh.creation.box(sizes, moved(it.x, it.y, z) @ turn @ moved(0, off, 0))


def moved(x: float, y: float, z: float) -> Any:
    import trimesh

    return trimesh.transformations.translation_matrix((x, y, z))


def at(solid: Any, x: float, y: float) -> Any:
    found = solid.copy()
    found.apply_translation((x, y, 0))
    return found

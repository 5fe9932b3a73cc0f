"""What holds a camera beside the board: base, mast, and a head with the camera's angle.

The base leans as the board does, so that the mast is square to it. Heights are those of
docs/camera.md for a Camera Module 3: so far away that the whole mat is in its picture.
"""

import math
from collections.abc import Iterator

from msgspec import Struct

from hexboard.commands.build.cad.feet import table
from hexboard.commands.build.cad.lengths import LOOSE_MM, Lengths
from hexboard.commands.build.cad.recipe import (
    Carved,
    MovedSolid,
    PrintedPart,
    Prism,
    Rod,
    Solid,
    Stand,
)
from hexboard.vision.marks.markers import paper

OFF_DEG = 30.0
"""How far off the vertical the camera looks."""
VIEW_DEG = (66.0, 41.0)
"""What a Camera Module 3 sees, wide and high."""
SPARE = 1.05
BAR_MM = 20.0
"""How thick the mast is, a square."""
SPIGOT_MM = (14.0, 18.0)
"""What of a piece of the mast goes into the next: how thick, how long."""
PIECE_MM = 180.0
"""The longest piece of the mast, without its spigot."""
BASE_MM = (110.0, 6.0)
SOCKET_MM = (28.0, 30.0)
"""What bears the mast below, and the camera above: how thick, how high."""
BEFORE_MM = 30.0
"""How far before the mast's middle the camera is."""
HOLES_MM = (21.0, 12.5)
"""Between the holes of a Raspberry Pi's camera."""
POST_MM = (2.5, 4.0, 0.9)
"""Under each: radius, height, and radius of the bore for a screw of M2."""
FACE_MM = (34.0, 5.0)
"""The plate that they stand on: how wide, how thick."""


class Mast(Struct, frozen=True):
    """How far the camera hangs above the mat and beside its middle, mm."""

    up: float
    aside: float


def mast(found: Lengths) -> Mast:
    """As docs/camera.md has it: on the mat's longer side, the whole mat in view."""
    box = paper(found.board)
    wide, high = max(box.width, box.height), min(box.width, box.height)
    off, (across, down) = math.radians(OFF_DEG), (math.radians(it / 2) for it in VIEW_DEG)
    away = max(wide / 2 / math.tan(across), high / 2 * math.cos(off) / math.tan(down))
    away = SPARE * (high / 2 * math.sin(off) + away)
    return Mast(away * math.cos(off), away * math.sin(off))


def arm(found: Lengths) -> Iterator[PrintedPart]:
    """Base, pieces of the mast, head."""
    length = _length(found)
    count = math.ceil(length / PIECE_MM)
    yield PrintedPart("camera-base", _base(found))
    yield PrintedPart("camera-mast", _piece(length / count), count)
    yield PrintedPart("camera-head", _head(), about_x=90.0)


def _length(found: Lengths) -> float:
    """Of the mast from its base, on the table beside the board's middle, to the head, which has the
    camera half way up."""
    foot = table(found, 0.0, _lowest(found)) + BASE_MM[1]
    return mast(found).up - foot - SOCKET_MM[1] * 1.5


def _lowest(found: Lengths) -> float:
    """Where the lower feet stand."""
    lower = [found.stand(cell, at).y for cell, at in found.board.exits if at == 4]
    return min(lower, default=0.0)


def _base(found: Lengths) -> Carved:
    """A plate for screws or a weight, and a spigot that leans as the board does."""
    (side, thick), (wide, high) = BASE_MM, SOCKET_MM
    middle = Stand(0.0, 0.0, 0.0)
    plate = middle.box((-side / 2, side / 2), (-side / 2, side / 2), (0.0, thick))
    deep = wide / 2 * math.tan(math.radians(found.plan.tilt_deg)) + 1.0
    block = middle.box((-wide / 2, wide / 2), (-wide / 2, wide / 2), (-deep, high))
    lean = MovedSolid(Carved((block, _spigot(high))), found.plan.tilt_deg, by=(0.0, 0.0, thick))
    floor = middle.box((-side, side), (-side, side), (-50.0, 0.0))
    at = side / 2 - 10
    holes = (Rod((x, y, -1), (x, y, thick + 1), 2.2) for x in (-at, at) for y in (-at, at))
    return Carved((plate, lean), (floor, *holes))


def _piece(length: float) -> Carved:
    """A bar with a well below and a spigot above."""
    half = BAR_MM / 2
    bar = Stand(0.0, 0.0, 0.0).box((-half, half), (-half, half), (0.0, length))
    return Carved((bar, _spigot(length)), (_well(),))


def _spigot(low: float) -> Prism:
    """What goes into the next piece."""
    (thick, long), middle = SPIGOT_MM, Stand(0.0, 0.0, 0.0)
    half = thick / 2, -thick / 2
    return middle.box(half, half, (low - 1, low + long))


def _well() -> Prism:
    """Its room there."""
    half = SPIGOT_MM[0] / 2 + LOOSE_MM
    return Stand(0.0, 0.0, 0.0).box((-half, half), (-half, half), (-1.0, SPIGOT_MM[1] + 1))


def _head() -> Carved:
    """A socket on the mast, and a face that looks so far off the vertical, down and forwards."""
    stand = Stand(0.0, 0.0, 0.0)
    wide, high = SOCKET_MM
    half, (face, thick) = wide / 2, FACE_MM
    off = math.radians(OFF_DEG)
    forth, up = (math.cos(off), math.sin(off)), (-math.sin(off), math.cos(off))

    def spot(along: float, over: float) -> tuple[float, float]:
        """On the face's section: along it, rising forwards, and over it, backwards and up."""
        x, z = BEFORE_MM, high / 2
        return x + along * forth[0] + over * up[0], z + along * forth[1] + over * up[1]

    block = stand.box((-half, half), (-half, half), (0.0, high))
    plate = stand.side(
        (spot(-face / 2, 0), spot(face / 2, 0), spot(face / 2, thick), spot(-face / 2, thick)),
        (-half, half),
    )
    neck = stand.side(
        ((half - 1, 2.0), spot(-face / 2 + 1, 1.0), spot(0.0, 1.0), (half - 1, high)), (-half, half)
    )
    adds: list[Solid] = [block, plate, neck]
    cuts: list[Solid] = [_well()]
    radius, tall, bore = POST_MM
    for along in (-HOLES_MM[1] / 2, HOLES_MM[1] / 2):
        (x, z), (end, low) = spot(along, 1.0), spot(along, -tall)
        (deep, inside), (out, under) = spot(along, 3.0), spot(along, -tall - 1)
        for y in (-HOLES_MM[0] / 2, HOLES_MM[0] / 2):
            adds.append(Rod((x, y, z), (end, y, low), radius))
            cuts.append(Rod((deep, y, inside), (out, y, under), bore))
    return Carved(tuple(adds), tuple(cuts))

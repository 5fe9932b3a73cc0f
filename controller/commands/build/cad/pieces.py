"""Pieces of the games without tiles: discs with their ring, bases of units with theirs.

What is dark on them stands over what is light: change the filament for the last layers.
"""

import math
from collections.abc import Iterable, Iterator

from msgspec import Struct

from hexboard.appearance import KIT, Blank
from hexboard.commands.build.cad.recipe import Carved, Point, PrintedPart, Prism, Rod, Solid

RING_MM = 0.6
"""How high a ring stands over its piece."""
LOOSE_MM = 0.2
"""How much wider and deeper the groove under a disc is, in which the ring of another lies."""
DISCS = 14
"""Of each colour, as on a sheet of their tops."""
STEPS = 6
"""Straight pieces round a sector."""


class PieceKinds(Struct, frozen=True):
    """What a game is played with."""

    blanks: tuple[Blank, ...] = ()
    spare_tiles: int = 0
    """How many of them two players want beyond one for each slot."""
    balls: int = 0
    """How many balls they want."""
    colours: int = 0
    """Of discs."""
    units: tuple[tuple[int, str, int], ...] = ()
    """Of each kind its code, its name, how many there are."""


def pieces(wanted: PieceKinds, pitch: float) -> Iterator[PrintedPart]:
    """Discs and bases."""
    if wanted.colours:
        yield PrintedPart("disc", _disc(pitch), wanted.colours * DISCS)
    for code, name, count in wanted.units:
        seat, kind = _who(code)
        yield PrintedPart(f"base-{seat + 1}-{name}", _base(pitch, seat, kind), count)


def _disc(pitch: float) -> Carved:
    """As high as a stack of them has it, each; the ring of one lies in the groove of the next."""
    radius, high = KIT.radius * pitch, KIT.height * pitch
    near, far = (share * radius for share in KIT.rim_at)
    body = Carved((_round(radius, 0.0, high), _ring(near, far, high - 0.5, high + RING_MM)))
    groove = _ring(near - LOOSE_MM, far + LOOSE_MM, -1.0, RING_MM + LOOSE_MM)
    return Carved((body,), (groove,))


def _who(code: int) -> tuple[int, int]:
    """Whose unit it is, and of which kind."""
    from hexboard.vision.marks.codes import RINGS

    return divmod(code - 1, len(RINGS))


def _base(pitch: float, seat: int, kind: int) -> Carved:
    """The kind's dark sectors round the rim; the ring within is dark for the first seat."""
    from hexboard.vision.marks.codes import RINGS

    radius, high = KIT.base * pitch, KIT.base_high * pitch
    inner, outer = (share * radius for share in KIT.base_rings)
    adds: list[Solid] = [_round(radius, 0.0, high)]
    dark = [k for k, bit in enumerate(RINGS[kind]) if bit == "0"]
    heights = high - 0.5, high + RING_MM
    adds += [Prism(points, *heights) for points in _sectors(dark, outer, radius)]
    if seat == 0:
        adds.append(_ring(inner, outer + 0.05, *heights))
    return Carved(tuple(adds))


def _sectors(dark: Iterable[int], near: float, far: float) -> Iterator[tuple[Point, ...]]:
    """Those of 16 round a circle; each a little wider, so that neighbours are one."""
    for k in dark:
        angles = [(k - 0.01 + 1.02 * j / STEPS) * math.pi / 8 for j in range(STEPS + 1)]
        out = [(far * math.cos(it), far * math.sin(it)) for it in angles]
        back = [(near * math.cos(it), near * math.sin(it)) for it in reversed(angles)]
        yield (*out, *back)


def _round(radius: float, low: float, high: float) -> Rod:
    return Rod((0.0, 0.0, low), (0.0, 0.0, high), radius)


def _ring(near: float, far: float, low: float, high: float) -> Carved:
    return Carved((_round(far, low, high),), (_round(near, low - 1, high + 1),))

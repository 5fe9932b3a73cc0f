"""What is printed on a circuit board: the names of parts, where pin 1 is, which hole takes the long
leg, and which pad has 5 V.

A name or mark lies as near to what it tells as there is room: on no pad, hole or body, within the
outline. What nobody looks for (resistors, capacitors) goes without where there is none. Lengths in
mm, from the board's middle, seen from above.
"""

import math
from collections.abc import Iterator

from msgspec import Struct

from hexboard.commands.build.module.placing import (
    ModulePlan,
    SetPad,
    SetPart,
    body_box,
    turned,
)
from hexboard.commands.build.module.routing import inwards

HIGH_MM, LINE_MM = 0.8, 0.15
"""What any board house can print: how high a letter is, and how wide its line."""
WIDE_MM = 0.78
"""What a letter takes with the gap to the next."""
DOT_MM = 0.25
"""The radius of the dot beside pin 1."""
CLEAR_MM = 0.15
"""From what is printed to pads, bodies and holes."""
RIM_MM = 0.3
"""To the outline."""
FAR_MM, STEP_MM, WAYS = 6.0, 0.2, 24
"""How far away it is looked for room, in which steps, and in how many directions."""
LONG = "L"
"""Beside the hole of the long leg: an LED's anode, a phototransistor's emitter."""
PLUG_PINS = ("1", "2", "6")
"""Those of a plug that somebody counts: 5 V, and the two that are joined at the chain's end."""


class SilkText(Struct, frozen=True):
    """A name or mark; a dot where there is no text."""

    text: str
    x: float
    y: float
    below: bool


class SilkLine(Struct, frozen=True):
    """A straight line of a plug's outline, on the underside."""

    start: tuple[float, float]
    end: tuple[float, float]


class _Box(Struct, frozen=True):
    """A rectangle, by its middle, half its sizes, and how it is turned."""

    x: float
    y: float
    half_x: float
    half_y: float
    turned: float = 0.0

    def corners(self) -> Iterator[tuple[float, float]]:
        for side, end in ((-1, -1), (-1, 1), (1, 1), (1, -1)):
            x, y = turned(side * self.half_x, end * self.half_y, self.turned)
            yield self.x + x, self.y + y

    def reach(self, axis: float) -> float:
        """How far it goes from its middle in a direction, in degrees."""
        angle = math.radians(self.turned - axis)
        return self.half_x * abs(math.cos(angle)) + self.half_y * abs(math.sin(angle))


def outlines(plan: ModulePlan) -> Iterator[SilkLine]:
    """Of plugs: the side that is wider from the pins shows how one is put in."""
    for it in plan.parts:
        if it.part.body == "plug":
            corners = [*_body(it).corners()]
            for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
                yield SilkLine(a, b)


def silk(plan: ModulePlan) -> tuple[SilkText, ...]:
    """All that is printed but outlines; what many look for first, so that it finds its place."""
    room, found = _Room(plan), list[SilkText]()
    wanted = sorted(_wanted(plan), key=lambda it: it.rank)
    for one in wanted:
        if (at := room.place(one)) is not None:
            found.append(at)
    return tuple(found)


class _Wanted(Struct, frozen=True):
    """A name or mark, what it tells of, and what else it must not seem to tell of."""

    rank: int
    text: str
    below: bool
    about: _Box
    others: tuple[tuple[float, float], ...] = ()


def _wanted(plan: ModulePlan) -> Iterator[_Wanted]:
    for it in plan.parts:
        kind, pads = it.part.ref[0], [*plan.pads(it)]
        if kind == "P":  # a touch pad
            continue
        yield _Wanted(
            3 if kind in "RC" else 2 if kind == "D" else 1, it.part.ref, it.below, _body(it)
        )
        match kind:
            case "J" if it.part.body == "feed":
                yield from (_at_pad(pad.net, pad, pads, False) for pad in pads)
            case "J":
                yield _Wanted(1, it.part.ref, False, _row(it, pads))
                yield _at_pad("", pads[0], pads, True)
                named = (pad for pad in pads if pad.name in PLUG_PINS)
                yield from (_at_pad(pad.name, pad, pads, False) for pad in named)
            case "E" | "Q":
                long = pads[1 if kind == "E" else 0]
                yield _at_pad(LONG, long, pads, it.below)
            case "U" | "D" | "T":
                yield _at_pad("", pads[0], pads, it.below)
            case _:
                pass


def _at_pad(text: str, pad: SetPad, pads: list[SetPad], below: bool) -> _Wanted:
    others = tuple((it.x, it.y) for it in pads if it is not pad)
    return _Wanted(0, text, below, _pad(pad), others)


def _pad(pad: SetPad) -> _Box:
    return _Box(pad.x, pad.y, pad.land.wide / 2, pad.land.high / 2, pad.turned)


def _row(it: SetPart, pads: list[SetPad]) -> _Box:
    """Where a plug's pins come out above."""
    first, last = pads[0].land, pads[-1].land
    return _Box(it.x, it.y, (last.x - first.x + first.wide) / 2, first.high / 2, it.turned)


def _body(it: SetPart) -> _Box:
    left, low, right, high = body_box(it.part.body)
    x, y = turned((left + right) / 2, (low + high) / 2, it.turned)
    return _Box(it.x + x, it.y + y, (right - left) / 2, (high - low) / 2, it.turned)


class _Room:
    """What is free on both sides."""

    def __init__(self, plan: ModulePlan) -> None:
        self._plan = plan
        self._rim = [*zip(plan.outline, (*plan.outline[1:], plan.outline[0]), strict=True)]
        self._taken: dict[bool, list[_Box]] = {False: [], True: []}
        for it in plan.parts:
            for pad in plan.pads(it):
                for below in (False, True) if pad.land.drill else (False,):
                    self._taken[below].append(_pad(pad))
            if it.part.fitted and it.part.body != "electrode":
                self._taken[it.below].append(_body(it))
        for x, y, wide in plan.holes():
            for taken in self._taken.values():
                taken.append(_Box(x, y, wide / 2, wide / 2))

    def place(self, one: _Wanted) -> SilkText | None:
        """The nearest place that is free; None without one."""
        half = len(one.text) * WIDE_MM / 2 if one.text else DOT_MM
        high = HIGH_MM / 2 + LINE_MM / 2 if one.text else DOT_MM
        for x, y in _around(one.about):
            box = _Box(x, y, half, high)
            if self._free(box, one):
                self._taken[one.below].append(box)
                return SilkText(one.text, round(x, 3), round(y, 3), one.below)
        return None

    def _free(self, box: _Box, one: _Wanted) -> bool:
        here, about = (box.x, box.y), (one.about.x, one.about.y)
        if any(math.dist(here, it) < math.dist(here, about) + 0.2 for it in one.others):
            return False
        near = any(_near(box, it) for it in self._taken[one.below])
        return not near and self._inside(box)

    def _inside(self, box: _Box) -> bool:
        if min(inwards(*side, at) for side in self._rim for at in box.corners()) < RIM_MM:
            return False
        near = max(abs(box.x) - box.half_x, 0.0), max(abs(box.y) - box.half_y, 0.0)
        return not self._plan.hole or math.hypot(*near) > self._plan.hole + RIM_MM


def _around(about: _Box) -> Iterator[tuple[float, float]]:
    """Places about a rectangle, the nearest to its rim first."""
    count = round(FAR_MM / STEP_MM)
    for k in range(count):
        half_x, half_y = about.half_x + k * STEP_MM, about.half_y + k * STEP_MM
        for way in range(WAYS):
            angle = 2 * math.pi * way / WAYS
            x, y = turned(half_x * math.cos(angle), half_y * math.sin(angle), about.turned)
            yield about.x + x, about.y + y


def _near(one: _Box, other: _Box) -> bool:
    """Whether two rectangles are too near: told by their circles where these are far apart, else
    along the four axes that could part them."""
    reach = one.half_x + one.half_y + other.half_x + other.half_y + CLEAR_MM
    if abs(one.x - other.x) > reach or abs(one.y - other.y) > reach:
        return False
    axes = (one.turned, one.turned + 90, other.turned, other.turned + 90)
    return all(_apart(one, other, axis) <= CLEAR_MM for axis in axes)


def _apart(one: _Box, other: _Box, axis: float) -> float:
    along, _ = turned(other.x - one.x, other.y - one.y, -axis)
    return abs(along) - one.reach(axis) - other.reach(axis)

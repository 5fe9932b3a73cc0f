"""What a board house must be told of a slot's circuit board: LED and phototransistor below (E7, Q7)
lie flat and look at each other across the hole. A drawing to send with the order."""

import math
from collections.abc import Iterator

from hexboard.commands.build.module.circuit import FALL
from hexboard.commands.build.module.placing import ModulePlan, SetPart

NAME = "slot-beam-below.svg"
"""Beside the plots."""
THICK_MM, HEAD_MM, LONG_MM, BACK_MM = 1.6, 3.0, 5.3, 1.0
"""The circuit board; an LED of 3 mm: how thick and long; from its legs to its head."""
OFF_MM = 0.5
"""How far off its height an axis may be: a bore of 3.2 mm lets the light through."""
LINE_MM = 4.2
"""From one line of text to the next."""


def beam_note(plan: ModulePlan, under_mm: float) -> str:
    """From the side, and what is to be done in words; `under_mm`: from the circuit board's
    underside to the axis of both."""
    led, eye = (_named(plan, f"{letter}{FALL}") for letter in "EQ")
    half = max(math.hypot(*at) for at in plan.outline)
    lines = [*_board(half, plan.hole), *_head(led, -1, under_mm), *_head(eye, 1, under_mm)]
    lines += [*_height(under_mm), *_words(led, eye, under_mm, half)]
    left, wide = -half - 3, 2 * half + 60
    size = f'width="{2 * wide:.0f}mm" viewBox="{left:g} -8 {wide:g} 36"'
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
            'font-family="sans-serif" font-size="2.4" fill="none" stroke="#222" stroke-width=".2">',
            f"<title>{led.part.ref} and {eye.part.ref}: bent, below the board</title>",
            *lines,
            "</svg>\n",
        )
    )


def _named(plan: ModulePlan, ref: str) -> SetPart:
    return next(it for it in plan.parts if it.part.ref == ref)


def _board(half: float, hole: float) -> Iterator[str]:
    """In section: two pieces beside the hole, upper side up."""
    for left in (-half, hole):
        size = f'width="{half - hole:g}" height="{THICK_MM:g}"'
        yield f'<rect x="{left:g}" y="{-THICK_MM:g}" {size} fill="#cdc"/>'
    yield _text(6, -THICK_MM / 2 + 0.8, "hole", "middle")
    yield _text(0, -THICK_MM - 2, "upper side of the board (U1, D1 to D6)", "middle")


def _head(it: SetPart, side: int, under: float) -> Iterator[str]:
    """One of both: legs down from the board, bent, the head towards the middle."""
    out = side * math.hypot(it.x, it.y)
    back, tip = out - side * BACK_MM, out - side * (BACK_MM + LONG_MM)
    yield f'<path d="M{out:g},{-THICK_MM - 1:g} V{under:g} H{back:g}" stroke-width=".5"/>'
    size = f'width="{LONG_MM:g}" height="{HEAD_MM:g}" rx="1"'
    yield f'<rect x="{min(back, tip):g}" y="{under - HEAD_MM / 2:g}" {size} fill="#dde"/>'
    yield _text((back + tip) / 2, under + HEAD_MM / 2 + 3, it.part.ref, "middle")
    yield f'<path d="M{tip:g},{under:g} H{side * 1.5:g}" stroke-dasharray="1 1"/>'


def _height(under: float) -> Iterator[str]:
    yield f'<path d="M0,0.2 V{under:g} M-1,0 H1 M-1,{under:g} H1"/>'
    yield _text(1.2, under / 2 + 0.8, f"{under:.1f} mm", "start")


def _words(led: SetPart, eye: SetPart, under: float, half: float) -> Iterator[str]:
    refs, names = f"{led.part.ref} and {eye.part.ref}", f"{led.part.value}, {eye.part.value}"
    said = (
        f"{refs} ({names}) go on the underside and are bent by 90 degrees.",
        "Their heads lie flat under the board and look at each other across the hole.",
        f"Their axis is {under:.1f} mm under the board, within {OFF_MM:g} mm.",
        f"The long leg of each goes into the hole marked L: {led.part.ref} pin 2 (anode), "
        f"{eye.part.ref} pin 1 (emitter).",
    )
    for k, line in enumerate(said):
        yield _text(-half, under + 10 + k * LINE_MM, line, "start")


def _text(x: float, y: float, said: str, anchor: str) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="#222" stroke="none">{said}</text>'
    )

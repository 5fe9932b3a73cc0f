"""How long a ball darkens each beam, beside the longest look of the firmware at its inputs."""

import math
from collections.abc import Iterator

from msgspec import Struct

from hexboard.board import Board, BuildEntry
from hexboard.board.building import G_MM, ROLLING, chord, fastest, mm
from hexboard.commands.build.cad.lengths import BESIDE_MM
from hexboard.words.errors import BadText

LOOK_US = 1000
"""The longest look that the firmware is planned with; nobody has measured it on a Pico."""
MARGIN = 3.0
"""At least so many of the longest looks must fit into the time that a beam is dark."""
POCKET_MM = 2.0
"""How wide a beam is, where no slot says it."""


class BeamPass(Struct, frozen=True):
    """The fastest ball over the beams of one kind."""

    kind: str
    height: float
    speed: float
    """Of the ball, mm in a second."""
    dark_us: int
    """How long all of the beam's light is hidden."""
    looks: float
    """That time in longest looks."""


def passes(board: Board, plan: BuildEntry) -> tuple[BeamPass, ...]:
    """Of every kind that a ball passes. Raises `BadText` where a look could miss it."""
    found = tuple(_passes(board, plan))
    for it in found:
        if it.looks < MARGIN:
            height, look = mm(it.height), LOOK_US
            least = round(MARGIN * look)
            raise BadText(
                "cad.brief", kind=it.kind, height=height, dark=it.dark_us, look=look, least=least
            )
    return found


def _passes(board: Board, plan: BuildEntry) -> Iterator[BeamPass]:
    wide = plan.slot.pocket_mm if plan.slot else POCKET_MM
    kinds = {sensor.kind for sensor in board.sensors}
    for kind, height in plan.beams.items():
        if kind not in kinds or kind not in (*ROLLING, "fall"):
            continue
        falls = kind == "fall"
        speed = falling(board, plan, height) if falls else fastest(board, plan)
        hidden = (beside(plan) if falls else chord(plan, height)) - wide
        dark_us = max(0, round(1e6 * hidden / speed))
        looks = round(dark_us / LOOK_US, 1)
        yield BeamPass(kind, height, round(speed), dark_us, looks)


def falling(board: Board, plan: BuildEntry, height: float) -> float:
    """How fast a ball is as it falls through a slot, mm in a second: it has rolled over the whole
    board, and lost nothing of that."""
    deep = plan.ball_low_mm + plan.ball_mm / 2 - height
    return math.hypot(fastest(board, plan), math.sqrt(2 * G_MM * deep))


def beside(plan: BuildEntry) -> float:
    """How long the part of a falling ball is that its beam meets, mm, where the ball falls as far
    beside the middle of the way down as that lets it."""
    return 2 * math.sqrt((plan.ball_mm / 2) ** 2 - BESIDE_MM**2)

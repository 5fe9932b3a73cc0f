"""Filament: how much of it a board's printed parts take, without the program that draws them.

Volumes and surfaces are calculated by `python -m tests.printed_parts`, which needs build123d, and
stand in hardware/printed.csv by the digest of each part's recipe. A part that is not there, for its
board's file was changed, is reckoned from those of its name, or its kind, by the box around it.
"""

import csv
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from functools import cache

import msgspec
from msgspec import Struct

from hexboard.board import Board, BuildEntry
from hexboard.commands.build.cad.all_parts import all_parts
from hexboard.commands.build.cad.pieces import PieceKinds
from hexboard.commands.build.cad.recipe import PrintedPart, Solid, size
from hexboard.files import shipped
from hexboard.words import say
from hexboard.words.errors import BadText

PLA_G_CM3 = 1.24
"""How heavy PLA is."""
LINE_MM = 0.4
"""How wide one wall is: of a nozzle of 0.4 mm."""
WALLS, FILLING = 3, 0.2
"""How many walls, and how much of the room within them is filled: hardware/printing.md. Roof and
floor are reckoned as thick as walls."""
STURDY = ("foot-", "strut", "camera-mast")
STURDY_WALLS, STURDY_FILLING = 4, 0.4
"""Those of parts that bear."""
SPARE = 1.1
"""How much more is bought: skirts, changes of colour, a part that fails. An assumption of ours."""
DIGITS = 4
"""To so many a recipe's lengths count."""
FILE = "printed.csv"


class PartBulk(Struct, frozen=True):
    """What there is of a part, by its recipe."""

    recipe: str
    """Its digest."""
    part: str
    box_cm3: float
    """The box around it, before anything is cut away."""
    volume_cm3: float
    area_cm2: float


class FilamentNeed(Struct, frozen=True):
    """What a board's printed parts take together."""

    count: int = 0
    """How many there are, with all repeats."""
    grams: int = 0
    estimated: tuple[str, ...] = ()
    """Parts that hardware/printed.csv does not have."""
    why_none: str = ""
    """Why none of this board are drawn, if a file can be changed so that they are."""

    @property
    def bought_kg(self) -> float:
        return SPARE * self.grams / 1000

    def hours(self, grams_an_hour: tuple[float, float]) -> tuple[int, int]:
        """On a fast printer, and on a slow one."""
        slow, fast = grams_an_hour
        return math.ceil(self.grams / fast), math.ceil(self.grams / slow)


def need(board: Board, plan: BuildEntry, wanted: PieceKinds) -> FilamentNeed:
    """Of a board with its game's pieces."""
    try:
        parts = all_parts(board, plan, wanted)
    except BadText as error:
        return FilamentNeed(why_none="" if plan.slot is None else say(error.message))
    known = calculated()
    found = [(it, bulk(it, known)) for it in parts]
    return FilamentNeed(
        count=sum(it.count for it in parts),
        grams=round(sum(part.count * part_grams(part.name, it) for part, it in found)),
        estimated=tuple(part.name for part, it in found if it.recipe not in known),
    )


def part_grams(name: str, of: PartBulk) -> float:
    """Walls all round as far as they find room, and some filling within."""
    sturdy = name.startswith(STURDY)
    walls, filling = (STURDY_WALLS, STURDY_FILLING) if sturdy else (WALLS, FILLING)
    shell = min(of.volume_cm3, of.area_cm2 * walls * LINE_MM / 10)
    return PLA_G_CM3 * (shell + filling * (of.volume_cm3 - shell))


def bulk(part: PrintedPart, known: Mapping[str, PartBulk]) -> PartBulk:
    """As it was calculated; else as much of the box around it as of a known part's."""
    recipe = digest(part.shape)
    if recipe in known:
        return known[recipe]
    like = _like(part.name, [*known.values()])
    box = box_cm3(part.shape)
    share = box / sum(it.box_cm3 for it in like)
    volume, area = (sum(it) for it in zip(*((i.volume_cm3, i.area_cm2) for i in like), strict=True))
    return PartBulk("", part.name, box, share * volume, share * area)


def _like(name: str, known: Sequence[PartBulk]) -> list[PartBulk]:
    """Those of its name, else of its kind, else all."""
    kind = name.partition("-")[0]
    same = [it for it in known if it.part == name]
    return same or [it for it in known if it.part.partition("-")[0] == kind] or [*known]


def box_cm3(shape: Solid) -> float:
    return math.prod(size(shape)) / 1000


def digest(shape: Solid) -> str:
    """Of a recipe, the same on every machine."""
    text = json.dumps(_rounded(msgspec.to_builtins(shape)), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _rounded(it: object) -> object:
    """With lengths to so many digits, and no zero below zero."""
    match it:
        case dict():
            return {key: _rounded(value) for key, value in it.items()}
        case list() | tuple():
            return [_rounded(value) for value in it]
        case float() | int():
            return round(float(it), DIGITS) + 0.0
    return it


@cache
def calculated() -> dict[str, PartBulk]:
    """What is known, by recipe."""
    rows = csv.DictReader(shipped(FILE).read_text("utf-8").splitlines())
    found = (msgspec.convert(row, PartBulk, strict=False) for row in rows)
    return {it.recipe: it for it in found}

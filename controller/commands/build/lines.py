"""A line of a bill: a part, how many are bought, what they cost, where their prices are from."""

import math
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from hexboard.board import Board, BuildEntry
from hexboard.board.building import beams_fuse
from hexboard.commands.build.parts import PartEntry
from hexboard.commands.build.prices import FoundPrice, RatesEntry, for_one
from hexboard.commands.build.tiers import Tiered
from hexboard.words import Said, message, say, translated
from hexboard.words.numbers import decimal, spelt

STEPS = {"": 1, "m": 1, "kg": 0.01}
"""In which steps each unit is bought."""


class BillLine(Struct, frozen=True):
    """One line: a part, how many, what these cost from low to high, and their joints."""

    part: str
    name: str
    count: float
    unit: str
    detail: str
    """What the board file says of it: a fuse's rating, a wire's section."""
    low_eur: float
    high_eur: float
    joints: int
    numbers: tuple[str, ...]
    instead: tuple[str, ...]
    sources: tuple[FoundPrice, ...]
    """What its prices follow from; none for an estimate."""


def bill_line(
    part: PartEntry, found: Mapping[str, float], tier: Tiered, rates: RatesEntry | None
) -> BillLine:
    count = bought(part, found)
    low, high, sources = for_one(part.eur, part.sources, count, rates)
    return BillLine(
        part=part.id,
        name=translated(part.name, "bill"),
        count=count if part.unit else int(count),
        unit=part.unit,
        detail=", ".join(_details(part, tier.board, tier.plan, found)),
        low_eur=round(count * low, 2),
        high_eur=round(count * high, 2),
        joints=joints_of(part, found),
        numbers=part.numbers,
        instead=tuple(translated(it, "bill") for it in part.instead),
        sources=sources,
    )


def bought(part: PartEntry, found: Mapping[str, float]) -> float:
    """How many of a part there are, as it is bought."""
    step = STEPS[part.unit]
    return round(math.ceil(round(need(part.count, found) / step, 6)) * step, 2)


def joints_of(part: PartEntry, found: Mapping[str, float]) -> int:
    """What somebody solders of a part."""
    return int(bought(part, found)) * part.joints + int(need(part.soldered or {}, found))


def need(count: Mapping[str, float], found: Mapping[str, float]) -> float:
    """How many that is, by what it is counted by."""
    return sum(each * found[what] for what, each in count.items())


def sourced(items: Iterable[BillLine]) -> int:
    """How much of all prices has a source, %, rounded down."""
    costs = [(bool(it.sources), it.low_eur + it.high_eur) for it in items]
    every = sum(cost for _, cost in costs)
    return int(100 * sum(cost for sourced, cost in costs if sourced) / every) if every else 0


def _details(
    part: PartEntry, board: Board, plan: BuildEntry, found: Mapping[str, float]
) -> Iterator[str]:
    """What the board file says of a part."""
    if "pico_pin" in (part.soldered or {}):
        wired, soldered = int(found["pico_wired"]), int(found["pico_pin"])
        yield say(message("bill.pico_pins", wired=wired, soldered=soldered))
    if "fuse" in part.count:
        lit = sorted({board.rails[pixel.rail].id for pixel in board.pixels})
        for rail in lit:
            rated = plan.fuses.get(rail)
            yield f"{spelt(rated / 1000)} A" if rated else say(message("bill.no_fuse", rail=rail))
        if fuse := beams_fuse(plan, board):
            yield f"{spelt(fuse / 1000)} A"
    for what, section in (("power_m", plan.wire_mm2), ("strip_m", plan.strip_mm2)):
        if what in part.count:
            yield f"{spelt(section)} mm²"


def eur(amount: float) -> Said:
    return decimal(amount, 2)

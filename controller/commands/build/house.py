"""What a board house takes, as the file of parts has it: fees, services, and the parts that it
solders on circuit boards (hardware/bill.md, *With circuit boards*).
"""

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from hexboard.commands.build.prices import (
    FoundPrice,
    RatesEntry,
    SourceEntry,
    cost_mistakes,
    for_one,
)
from hexboard.files import Path_, Source, nearest
from hexboard.words import Message

NEEDED_FEES = ("order", "m2", "offer", "setup", "stencil", "smt", "labour", "manual", "feeder")
FEES = (*NEEDED_FEES, "edge", "design", "panel", "fixture", "depanel", "packing")
"""`order`, `m2`: of bare circuit boards, once and for each square metre; `offer`: in their place
for the least number of a small one; `edge`: of one with a short side; `design`: of each further
kind on a panel. Of assembly: `setup`, `stencil`, `panel`, `depanel`, `packing`, `fixture` (where
something is soldered below) once; `feeder` for each kind that a machine places; `smt`, `manual`:
of a joint by machine, by hand; `labour`: once, where there are any by hand."""
MOST_NUMBER = 10_000


class FeeEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A fee: from sources, or estimated; of one service alone, or of each."""

    id: str
    service: str = ""
    eur: tuple[float, float] | None = None
    sources: tuple[SourceEntry, ...] = ()


class ServiceEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A way to have circuit boards assembled."""

    id: str
    sides: int
    """1: only what is above is soldered; 2: all."""
    alone_mm: float
    """A circuit board with a shorter side goes on a panel."""
    free: bool = False
    """Whether a part that is always in the machine (`basic`) needs no feeder fee."""


class HousePartEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A part that it solders, by its value in the circuit."""

    value: str
    basic: bool = False
    spare: int = 1
    """How many more it takes than it fits."""
    least: int = 1
    eur: tuple[float, float] | None = None
    sources: tuple[SourceEntry, ...] = ()


class HouseEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A board house. Lengths in mm."""

    name: str
    made: tuple[int, ...]
    """Of how many circuit boards, or panels, there are made: the least first."""
    assembled: tuple[int, ...]
    """How many of them can be assembled."""
    fees: tuple[FeeEntry, ...]
    services: tuple[ServiceEntry, ...]
    parts: tuple[HousePartEntry, ...]
    panel_mm: float
    """The longest side of a panel that is assembled."""
    gap_mm: float
    """Between two circuit boards on a panel."""
    rail_mm: float
    """Along two sides of a panel."""
    offer_mm: float
    """Up to this, both ways, the offer holds."""
    edge_mm: float
    """Under it a side costs more."""

    def fee(self, id: str, service: str) -> FeeEntry | None:
        """The fee of a service, else that of all."""
        of = {it.service: it for it in self.fees if it.id == id}
        return of.get(service, of.get(""))


class Priced(Struct, frozen=True):
    """From low to high for one, EUR; without sources an estimate."""

    low: float
    high: float
    sources: tuple[FoundPrice, ...] = ()


def priced(it: FeeEntry | HousePartEntry, count: float, rates: RatesEntry | None) -> Priced:
    """What one costs where so many are bought."""
    return Priced(*for_one(it.eur, it.sources, count, rates))


def house_mistakes(
    source: Source, house: HouseEntry, rates: RatesEntry | None
) -> Iterator[Message]:
    """Every mistake of meaning."""
    at: Path_ = ("house",)
    for key, steps in (("made", house.made), ("assembled", house.assembled)):
        rising = all(a < b for a, b in pairwise(steps))
        if not (steps and rising and steps[0] >= 1 and steps[-1] <= MOST_NUMBER):
            yield source.mistake("bill.steps", (*at, key), most=MOST_NUMBER)
    lengths = {
        "panel_mm": house.panel_mm,
        "gap_mm": house.gap_mm,
        "rail_mm": house.rail_mm,
        "offer_mm": house.offer_mm,
        "edge_mm": house.edge_mm,
    }
    for key, length in lengths.items():
        if not 0 <= length <= MOST_NUMBER:
            yield source.mistake("bill.length", (*at, key), most=MOST_NUMBER)
    yield from _services(source, house)
    yield from _fees(source, house, rates)
    seen: set[str] = set()
    for k, part in enumerate(house.parts):
        where: Path_ = (*at, "parts", k)
        if part.value in seen:
            yield source.mistake("bill.twice", (*where, "value"), id=part.value)
        seen.add(part.value)
        if not (0 <= part.spare <= MOST_NUMBER and 1 <= part.least <= MOST_NUMBER):
            yield source.mistake("bill.spare", (*where, "value"), id=part.value, most=MOST_NUMBER)
        cost = part.eur, part.sources
        yield from cost_mistakes(source, part.value, cost, rates, where, "value")


def _services(source: Source, house: HouseEntry) -> Iterator[Message]:
    seen: set[str] = set()
    for k, it in enumerate(house.services):
        at: Path_ = ("house", "services", k)
        if it.id in seen:
            yield source.mistake("bill.twice", (*at, "id"), id=it.id)
        seen.add(it.id)
        if it.sides not in (1, 2):
            yield source.mistake("bill.sides", (*at, "sides"), id=it.id)
        if not 0 <= it.alone_mm <= MOST_NUMBER:
            yield source.mistake("bill.length", (*at, "alone_mm"), most=MOST_NUMBER)
        for fee in NEEDED_FEES:
            if house.fee(fee, it.id) is None:
                yield source.mistake("bill.no_fee", (*at, "id"), id=it.id, fee=fee)


def _fees(source: Source, house: HouseEntry, rates: RatesEntry | None) -> Iterator[Message]:
    services = [it.id for it in house.services]
    seen: set[tuple[str, str]] = set()
    for k, it in enumerate(house.fees):
        at: Path_ = ("house", "fees", k)
        if it.id not in FEES:
            near, known = nearest(it.id, [*FEES]), ", ".join(FEES)
            yield source.mistake("bill.fee", (*at, "id"), id=it.id, near=near, known=known)
        if it.service and it.service not in services:
            near, known = nearest(it.service, services), ", ".join(services)
            yield source.mistake(
                "bill.service", (*at, "service"), id=it.service, near=near, known=known
            )
        if (it.id, it.service) in seen:
            yield source.mistake("bill.twice", (*at, "id"), id=it.id)
        seen.add((it.id, it.service))
        yield from cost_mistakes(source, it.id, (it.eur, it.sources), rates, at)

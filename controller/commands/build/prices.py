"""What a part costs: prices as they were found, and what follows from them in euros.

Low is the cheapest source at the number that is bought, high the dearest with a fifth of tax where
the source does not say that tax is in it (hardware/bill.md).
"""

from collections.abc import Iterable, Iterator
from datetime import date
from itertools import pairwise
from math import isfinite
from typing import Literal

from msgspec import Struct

from hexboard.files import Path_, Source
from hexboard.words import Message

EURO = "EUR"
TAX = 1.2
"""What a buyer in Europe pays for what costs 1 without tax, a fifth more."""
MOST_PRICE = 10_000


class SourceEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A price that was found."""

    what: str
    """The maker's number, and who sells it."""
    prices: tuple[tuple[float, float], ...]
    """From how many on, and the price of one then, as printed."""
    currency: str
    date: str
    """The day on which it was read, or written down by whom we have it from: 2026-05-21."""
    where: str
    """An address, or a repository with its commit."""
    tax: Literal["in", "out", "unsaid"] = "unsaid"
    pack: float = 1.0
    """How many are in one that is sold, in the part's unit: 60 lights in a strip."""


class RatesEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """What one euro was in other currencies."""

    date: str
    where: str
    per_eur: dict[str, float]


class FoundPrice(Struct, frozen=True):
    """A source at the number that is bought."""

    what: str
    price: float
    """Of one that is sold, as printed."""
    currency: str
    at: float
    """From how many on it is that."""
    pack: float
    tax: str
    date: str
    where: str
    low_eur: float
    """Of one, as printed."""
    high_eur: float
    """With tax."""


def found(source: SourceEntry, count: float, rates: RatesEntry | None) -> FoundPrice:
    """A source's price where so many are bought; under its least number that of its least."""
    packs = count / source.pack
    at, price = max((it for it in source.prices if it[0] <= packs), default=source.prices[0])
    rate = 1.0 if source.currency == EURO or rates is None else rates.per_eur[source.currency]
    low = price / rate / source.pack
    return FoundPrice(
        what=source.what,
        price=price,
        currency=source.currency,
        at=at,
        pack=source.pack,
        tax=source.tax,
        date=source.date,
        where=source.where,
        low_eur=round(low, 5),
        high_eur=round(low * (1 if source.tax == "in" else TAX), 5),
    )


def span(prices: Iterable[FoundPrice]) -> tuple[float, float]:
    """Of the cheapest and the dearest, EUR for one."""
    known = [*prices]
    return min(it.low_eur for it in known), max(it.high_eur for it in known)


def for_one(
    eur: tuple[float, float] | None,
    sources: tuple[SourceEntry, ...],
    count: float,
    rates: RatesEntry | None,
) -> tuple[float, float, tuple[FoundPrice, ...]]:
    """What one costs where so many are bought, low and high, and what that follows from: sources,
    or none for an estimate."""
    prices = tuple(found(source, count, rates) for source in sources)
    return (*(eur or span(prices)), prices)


def cost_mistakes(
    file: Source,
    name: str,
    cost: tuple[tuple[float, float] | None, tuple[SourceEntry, ...]],
    rates: RatesEntry | None,
    at: Path_,
    key: str = "id",
) -> Iterator[Message]:
    """What is wrong with an estimate or the sources that something has."""
    eur, sources = cost
    if (eur is None) == (not sources):
        yield file.mistake("bill.costs", (*at, key), id=name)
    if eur is not None and not is_price(eur):
        yield file.mistake("bill.price", (*at, "eur"), price=shown(eur))
    for k, one in enumerate(sources):
        yield from source_mistakes(file, one, rates, (*at, "sources", k))


def is_price(eur: tuple[float, float]) -> bool:
    return 0 <= eur[0] <= eur[1] <= MOST_PRICE


def shown(pair: tuple[float, float]) -> str:
    return f"{pair[0]:g}, {pair[1]:g}"


def source_mistakes(
    file: Source, source: SourceEntry, rates: RatesEntry | None, at: Path_
) -> Iterator[Message]:
    known = [EURO, *(rates.per_eur if rates else ())]
    if source.currency not in known:
        names = ", ".join(known)
        yield file.mistake(
            "bill.currency", (*at, "currency"), currency=source.currency, known=names
        )
    if not _rising(source.prices):
        yield file.mistake("bill.prices", (*at, "prices"))
    if not _day(source.date):
        yield file.mistake("bill.day", (*at, "date"), date=source.date)
    if not (isfinite(source.pack) and source.pack > 0):
        yield file.mistake("bill.pack", (*at, "pack"))
    for key, text in (("what", source.what), ("where", source.where)):
        if not text.strip():
            yield file.mistake("bill.said", (*at, key))


def rates_mistakes(file: Source, rates: RatesEntry) -> Iterator[Message]:
    at: Path_ = ("rates",)
    if not _day(rates.date):
        yield file.mistake("bill.day", (*at, "date"), date=rates.date)
    if not rates.where.strip():
        yield file.mistake("bill.said", (*at, "where"))
    for currency, rate in rates.per_eur.items():
        if not 0 < rate <= MOST_PRICE:
            yield file.mistake("bill.rate", (*at, "per_eur"), currency=currency)


def _rising(prices: tuple[tuple[float, float], ...]) -> bool:
    """Whether each is for more than the one before it."""
    numbers = [number for number, _ in prices]
    up = all(a < b for a, b in pairwise(numbers))
    sound = all(0 <= price <= MOST_PRICE for _, price in prices)
    return bool(prices) and numbers[0] >= 1 and up and sound


def _day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False

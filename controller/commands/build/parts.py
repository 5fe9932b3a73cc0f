"""The parts that a board is made of, as one file has them that people edit: what each is counted
by, its maker's numbers, what can stand in for it, a class of prices, its joints.
"""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct, field

from hexboard.commands.build.house import HouseEntry, house_mistakes
from hexboard.commands.build.prices import (
    RatesEntry,
    SourceEntry,
    cost_mistakes,
    is_price,
    rates_mistakes,
    shown,
)
from hexboard.files import Path_, Source, nearest, read, refuse, shipped, sound, told
from hexboard.words import Message

SCHEMA = "hexboard/parts-1"
FILE = "parts.toml"
UNITS = ("", "m", "kg")
COUNTED = (
    *("pico", "pico_wired", "pico_pin", "register", "chain", "buffer"),
    *("beam", "rib_beam", "open_beam", "socketed"),
    *("seat", "magnet", "pad", "ball", "button", "rail", "header_rail"),
    *("strip", "light", "fuse", "supply", "plug", "power_m", "strip_m", "signal_m", "printed_kg"),
    "cable_plug",
)
"""What parts are counted by (`measures`, and what the game's pieces add)."""
MOST_JOINTS = 1_000
MOST_EACH = 1_000


class PartEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A part: how many there are for one of each thing that it is counted by."""

    id: str
    name: str
    count: dict[str, float]
    boards: dict[str, float] | None = None
    """What else it is counted by with circuit boards, where it lies in the print all the same."""
    eur: tuple[float, float] | None = None
    """Estimated, low and high, where there are no sources."""
    sources: tuple[SourceEntry, ...] = ()
    unit: str = ""
    joints: int = 0
    soldered: dict[str, float] | None = None
    """Joints of all of them together, by what those are counted by."""
    fits: str = ""
    """Of lights: for which type of the board file."""
    gives_ma: int | None = None
    """Of supplies."""
    numbers: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()


class ToolEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A tool; one that only some boards need says by which count."""

    name: str
    eur: tuple[float, float] | None = None
    needs: str = ""


class ModuleEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A circuit board for each slot, ramp or end zone, or for seven plain cells: what is on it, its
    plugs with their pins."""

    at: Literal["slot", "ramp", "zone", "seven"]
    sensors: tuple[str, ...] = ()
    """Kinds, each with all that its circuit has, and registers for them."""
    by_hand: tuple[str, ...] = ()
    """What is soldered by hand all the same, by what it is counted by."""
    lengthened: int = 0
    """Joints at each beam at the rim whose legs are too short for their sockets there."""
    lights: bool = False
    plugs: int = 2
    pins: int = 7


class PrintEntry(Struct, frozen=True, forbid_unknown_fields=True):
    grams_an_hour: tuple[float, float] = (10.0, 30.0)


class PartsFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The file. See hardware/bill.md."""

    schema: str
    date: str
    parts: tuple[PartEntry, ...]
    rates: RatesEntry | None = None
    tools: tuple[ToolEntry, ...] = ()
    modules: tuple[ModuleEntry, ...] = ()
    house: HouseEntry | None = None
    print: PrintEntry = field(default_factory=PrintEntry)


def chosen(home: Path) -> Path:
    """The file that counts: a person's own, else ours."""
    own = home / FILE
    return own if own.is_file() else shipped(FILE)


def is_parts(source: Source) -> bool:
    """Whether a file is one of parts, or is read as one for its name."""
    return source.path.name == FILE or str(source.data.get("schema", "")).startswith(
        "hexboard/parts-"
    )


def load_parts(path: Path) -> PartsFile:
    """The parts in a file. Raises `BadFile` with every mistake in it."""
    source = Source(path)
    found, mistakes = read(source, PartsFile)
    rest = found or sound(source, PartsFile)
    if rest is not None:
        mistakes += told(source, _wrong(source, rest))
    refuse(source, mistakes)
    assert found is not None
    return found


def _wrong(source: Source, found: PartsFile) -> Iterator[Message]:
    """Every mistake of meaning."""
    if found.schema != SCHEMA:
        yield source.mistake("bill.schema", ("schema",), schema=found.schema, ours=SCHEMA)
    seen: set[str] = set()
    for k, part in enumerate(found.parts):
        if part.id in seen:
            yield source.mistake("bill.twice", ("parts", k, "id"), id=part.id)
        seen.add(part.id)
        yield from _part(source, part, k)
        cost = part.eur, part.sources
        yield from cost_mistakes(source, part.id, cost, found.rates, ("parts", k))
    if found.rates is not None:
        yield from rates_mistakes(source, found.rates)
    for k, tool in enumerate(found.tools):
        if tool.eur is not None and not is_price(tool.eur):
            yield source.mistake("bill.price", ("tools", k, "eur"), price=shown(tool.eur))
        if tool.needs:
            yield from _known(source, (tool.needs,), ("tools", k, "needs"))
    for k, module in enumerate(found.modules):
        if not (module.plugs >= 0 <= module.pins and module.plugs * module.pins <= MOST_JOINTS):
            yield source.mistake("bill.joints", ("modules", k, "pins"), most=MOST_JOINTS)
        if not 0 <= module.lengthened <= MOST_JOINTS:
            yield source.mistake("bill.joints", ("modules", k, "lengthened"), most=MOST_JOINTS)
        yield from _known(source, module.by_hand, ("modules", k, "by_hand"))
    if found.house is not None:
        yield from house_mistakes(source, found.house, found.rates)
    if not 0 < found.print.grams_an_hour[0] <= found.print.grams_an_hour[1]:
        grams = shown(found.print.grams_an_hour)
        yield source.mistake("bill.price", ("print", "grams_an_hour"), price=grams)


def _part(source: Source, part: PartEntry, k: int) -> Iterator[Message]:
    at: Path_ = ("parts", k)
    yield from _known(source, part.count, (*at, "count"))
    if not part.count or not all(0 < each <= MOST_EACH for each in part.count.values()):
        yield source.mistake("bill.none", (*at, "count"), id=part.id)
    yield from _known(source, part.boards or (), (*at, "boards"))
    if part.boards and not all(0 < each <= MOST_EACH for each in part.boards.values()):
        yield source.mistake("bill.none", (*at, "boards"), id=part.id)
    yield from _known(source, part.soldered or (), (*at, "soldered"))
    if part.soldered and not all(0 < each <= MOST_JOINTS for each in part.soldered.values()):
        yield source.mistake("bill.joints", (*at, "soldered"), most=MOST_JOINTS)
    if not 0 <= part.joints <= MOST_JOINTS:
        yield source.mistake("bill.joints", (*at, "joints"), most=MOST_JOINTS)
    if part.unit not in UNITS:
        yield source.mistake("bill.unit", (*at, "unit"), unit=part.unit)
    if "supply" in part.count and (part.gives_ma or 0) <= 0:
        yield source.mistake("bill.gives", (*at, "gives_ma"), id=part.id)


def _known(source: Source, words: Collection[str], at: Path_) -> Iterator[Message]:
    for word in words:
        if word not in COUNTED:
            near, known = nearest(word, [*COUNTED]), ", ".join(COUNTED)
            yield source.mistake("bill.counted", at, word=word, near=near, known=known)

"""The numbers of the game: six kinds of unit and a few counts, each with how sure it is.

They stand in `data/values.toml`; a box file replaces some of them ("turret.cost"). A *code* is what
stands on a field: 0 nothing, 1..6 an ACV, tank, palooza, extractor, turret or factory of
Gondwana, 7..12 the same of Bukseon.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

KINDS = ("acv", "tank", "palooza", "extractor", "turret", "factory")
VEHICLES = ("acv", "tank", "palooza")
STRUCTURES = ("extractor", "turret", "factory")
GROUPS: dict[str, tuple[str, ...]] = {
    "any": KINDS,
    "vehicle": VEHICLES,
    "structure": STRUCTURES,
    **{kind: (kind,) for kind in KINDS},
}
"""What a card can call units, and the kinds that it means."""
FACTIONS = ("gondwana", "bukseon")
CODES = range(1, 13)
SURENESS = {"T": "stated", "D": "derived", "P": "probable", "X": "proposed", "?": "unknown"}
"""What the letters say (digest, status)."""


class Unit(Struct, frozen=True):
    """A kind of unit (KDH-0.9, 1.1): how many a side has, its cost in material, the fields that it
    moves for one energy, its combat and health points."""

    id: str
    supply: int
    cost: int
    move: int
    combat: int
    hp: int

    @property
    def vehicle(self) -> bool:
        return self.id in VEHICLES


class Values(Struct, frozen=True):
    """Every number that the rules need."""

    units: tuple[Unit, ...]
    move_energy: int
    draw_material: int
    recycle_energy: int
    builders: int
    field_yield: int
    scrapyard: int
    opening_hand: int
    hand_limit: int
    power_up_cards: int
    first_penalty: int
    neutral_cards: int
    companion_cards: int
    copies: int


STATS = ("supply", "cost", "move", "combat", "hp")


def code(seat: int, kind: int) -> int:
    """What stands on a field, by whose it is and its kind (0..5)."""
    return 1 + seat * len(KINDS) + kind


def seat_of(unit: int) -> int:
    return (unit - 1) // len(KINDS)


def kind_of(unit: int) -> int:
    return (unit - 1) % len(KINDS)


def values(replaced: Mapping[str, int]) -> Values:
    """The numbers, with those of a box instead of ours."""
    numbers = {name: replaced.get(name, value) for name, (value, _) in shipped().items()}
    units = tuple(Unit(kind, **{s: numbers.pop(f"{kind}.{s}") for s in STATS}) for kind in KINDS)
    return Values(units, **numbers)


@cache
def shipped() -> dict[str, tuple[int, str]]:
    """Our numbers by name ("tank.cost", "scrapyard"), with the letter of how sure each is."""
    return {name: (value, sure) for name, (value, sure) in _numbers()}


def _numbers() -> Iterator[tuple[str, tuple[int, str]]]:
    data = _file()
    for kind in KINDS:
        yield from ((f"{kind}.{stat}", data["units"][kind][stat]) for stat in STATS)
    yield from data["numbers"].items()


@cache
def able(seat: int, ability: str) -> frozenset[int]:
    """A seat's units that can do something: deploy, build, extract."""
    kinds = enumerate(_file()["units"][kind].get("abilities", ()) for kind in KINDS)
    return frozenset(code(seat, kind) for kind, abilities in kinds if ability in abilities)


@cache
def _file() -> dict[str, Any]:
    import tomllib  # here, for it takes as long as a game's own modules

    path = Path(__file__).parent / "data" / "values.toml"
    return tomllib.loads(path.read_text("utf-8"))

"""A box as it stands in a file."""

from msgspec import Struct, field

from hexboard.games.knee_deep.cards import Ability, Card, Companion
from hexboard.games.knee_deep.choices import AnyChosen
from hexboard.games.knee_deep.conditions import AnyCondition
from hexboard.games.knee_deep.effects import AnyAtOnce

AnyEffect = AnyAtOnce | AnyChosen


class CardEntry(Card, frozen=True):
    """A card as it stands in a file."""

    conditions: tuple[AnyCondition, ...] = field(default=(), name="if")
    effects: tuple[AnyEffect, ...] = field(default=(), name="do")


class AbilityEntry(Ability, frozen=True):
    """An ability as it stands in a file."""

    conditions: tuple[AnyCondition, ...] = field(default=(), name="if")
    effects: tuple[AnyEffect, ...] = field(default=(), name="do")


class CompanionEntry(Companion, frozen=True):
    """A companion as it stands in a file."""

    ability: AbilityEntry | None = None


class BoxFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A box as it stands in a file. `numbers` replace ours: "turret.cost" = 3."""

    name: str = ""
    title: str = ""
    companions: tuple[CompanionEntry, ...] = ()
    cards: tuple[CardEntry, ...] = ()
    numbers: dict[str, int] = {}

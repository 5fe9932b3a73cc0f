"""A box as it stands in a file."""

from typing import Literal

from msgspec import Struct, field

from hexboard.games.knee_deep.cards import Ability, Card, Companion, Trigger
from hexboard.games.knee_deep.choices import AnyChosen
from hexboard.games.knee_deep.conditions import AnyCondition, Group, Owner
from hexboard.games.knee_deep.effects import AnyAtOnce
from hexboard.games.knee_deep.loops import AnyLoop
from hexboard.games.knee_deep.passives import AnyPassive
from hexboard.games.knee_deep.peeks import AnyPeek

OnTurn = Literal["turn_begins", "turn_ends"]
OnWar = Literal["war_begins", "war_counts", "war_ends"]
OnUnit = Literal["placed", "moved", "destroyed"]
OnSide = Literal["card_played", "marked", "war_won"]
"""What sets a trigger off."""
AnyEffect = AnyAtOnce | AnyChosen | AnyPeek | AnyLoop


class CardEntry(Card, frozen=True):
    """A card as it stands in a file."""

    conditions: tuple[AnyCondition, ...] = field(default=(), name="if")
    effects: tuple[AnyEffect, ...] = field(default=(), name="do")


class AbilityEntry(Ability, frozen=True):
    """An ability as it stands in a file."""

    conditions: tuple[AnyCondition, ...] = field(default=(), name="if")
    effects: tuple[AnyEffect, ...] = field(default=(), name="do")


class TriggerEntry(Trigger, frozen=True):
    """A trigger as it stands in a file."""

    on: OnTurn | OnWar | OnUnit | OnSide
    of: Owner = "self"
    unit: Group = "any"
    conditions: tuple[AnyCondition, ...] = field(default=(), name="if")
    effects: tuple[AnyEffect, ...] = field(default=(), name="do")


class CompanionEntry(Companion, frozen=True):
    """A companion as it stands in a file."""

    ability: AbilityEntry | None = None
    triggers: tuple[TriggerEntry, ...] = ()
    passives: tuple[AnyPassive, ...] = ()


class BoxFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A box as it stands in a file. `numbers` replace ours: "turret.cost" = 3; `formations` are its
    own, each a list of fields: wedge = [[0, 0], [1, 0], [1, 1]]."""

    name: str = ""
    title: str = ""
    companions: tuple[CompanionEntry, ...] = ()
    cards: tuple[CardEntry, ...] = ()
    numbers: dict[str, int] = {}
    formations: dict[str, tuple[tuple[int, int], ...]] = {}

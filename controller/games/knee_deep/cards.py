"""Companions and cards as they are played with.

A box is a file (`boxes`; docs/cards.md tells how to write one). A card's number is its place in the
box, from 1; 0 is a card that nobody here has seen.
"""

from functools import reduce
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct, field

from hexboard.games.knee_deep.values import Values
from hexboard.words import Message, message

UNKNOWN = 0
TYPES = ("commander", "general", "tech", "trickster")
"""The companions of each faction (KDH-4.1)."""
Number = int | str
"""A number of a card, or "?" where it is still to be read from the box."""


class Clause(Struct, frozen=True):
    """A condition or an effect of a card (`conditions`, `effects`)."""

    def sentence(self, war: bool) -> Message:
        """What it says on a war card, or on another one."""
        raise NotImplementedError


Often = Annotated[int, Meta(ge=1, le=20)]


class Limit(Struct, frozen=True, forbid_unknown_fields=True):
    """How often a seat can have what is limited, in one turn, in one war and in the whole game;
    without a number as often as it likes."""

    turn: Often | None = None
    war: Often | None = None
    game: Often | None = None

    @property
    def says(self) -> tuple[Message, ...]:
        """A sentence each."""
        spans = (("turn", self.turn), ("war", self.war), ("game", self.game))
        return tuple(message(f"knee_deep.limit_{it}", count=most) for it, most in spans if most)


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """A card. `combat` is the number in a war card's crosshair, material and energy the cost of an
    action card. `neutral` is how many of it every deck has."""

    id: str
    title: str
    kind: Literal["war", "action"]
    neutral: int = 0
    combat: Number = 0
    material: Number = 0
    energy: Number = 0
    conditions: tuple[Clause, ...] = field(default=(), name="if")
    effects: tuple[Clause, ...] = field(default=(), name="do")
    limit: Limit | None = None
    """Of all cards of this kind that a seat plays."""
    status: dict[str, str] = {}
    source: str = "own"
    authority: int = 0
    """Read and kept for the deck building of a later rulebook (KDH-3.22); no rule needs it yet."""

    @property
    def called(self) -> str | Message:
        """Its title; with what people type, where they would not guess that."""
        plain = self.title.lower().replace(" ", "_") == self.id
        return self.title if plain else message("knee_deep.called", title=self.title, id=self.id)

    @property
    def says(self) -> tuple[Message, ...]:
        """What it needs and does, and how often, a sentence each."""
        return said(self, self.kind == "war")

    @property
    def face(self) -> Message:
        """All that stands on it."""
        if self.kind == "war":
            head = message("knee_deep.war_card", card=self.called, combat=self.combat)
        else:
            material, energy = self.material, self.energy
            head = message(
                "knee_deep.action_card",
                card=self.called,
                material=material,
                energy=energy,
            )
        return joined(head, *self.says)


def said(it: "Card | Ability | Trigger", war: bool) -> tuple[Message, ...]:
    """What a card, ability or trigger needs and does, and how often, a sentence each."""
    clauses = (clause.sentence(war) for clause in (*it.conditions, *it.effects))
    return (*clauses, *(it.limit.says if it.limit else ()))


def joined(*said: Message) -> Message:
    """Sentences one after the other; the rule of the first speaks."""
    return reduce(_then, said)


def _then(one: Message, other: Message) -> Message:
    return message("knee_deep.then", one.rule, one=one, other=other)


class Ability(Struct, frozen=True, forbid_unknown_fields=True):
    """What a companion can do in an own action phase, once where its limit says nothing else."""

    title: str
    material: int = 0
    energy: int = 0
    conditions: tuple[Clause, ...] = field(default=(), name="if")
    effects: tuple[Clause, ...] = field(default=(), name="do")
    limit: Limit | None = None
    """Once a turn where it says nothing of turns."""

    @property
    def often(self) -> bool:
        """Whether it may be more than once a turn."""
        return self.limit is not None and self.limit.turn is not None

    def face(self, companion: str) -> Message:
        """All that there is to say of it."""
        head = message(
            "knee_deep.ability_often" if self.often else "knee_deep.ability",
            card=self.title,
            companion=companion,
            material=self.material,
            energy=self.energy,
        )
        return joined(head, *said(self, war=False))


class Trigger(Struct, frozen=True, forbid_unknown_fields=True):
    """What a companion does by itself whenever something happens (`triggers`)."""

    title: str
    on: str
    """What happens (`entries.TriggerEntry`)."""
    of: str = "self"
    """Whose turn, unit or card it is, where that can be asked."""
    unit: str = "any"
    conditions: tuple[Clause, ...] = field(default=(), name="if")
    effects: tuple[Clause, ...] = field(default=(), name="do")
    limit: Limit = Limit(turn=1)

    @property
    def in_war(self) -> bool:
        """Whether it is in a war whose sums are still to come."""
        return self.on in ("war_begins", "war_counts")


class Passive(Struct, frozen=True, forbid_unknown_fields=True, tag_field="gives"):
    """What a companion gives as long as it is there and its conditions hold (`passives`)."""

    title: str
    of: str = "self"
    conditions: tuple[Clause, ...] = field(default=(), name="if")
    in_war: ClassVar[bool] = False
    """It means something in a war only."""
    amount: int = 1

    @property
    def rule(self) -> str:
        """What it changes."""
        raise NotImplementedError

    @property
    def group(self) -> str:
        """The units that it speaks of."""
        return "any"

    def holds(self, state: Any, seat: int) -> bool:
        """Whether its conditions hold in a `State`."""
        raise NotImplementedError

    @property
    def gives(self) -> Message:
        """What it gives, as a sentence."""
        raise NotImplementedError


class Companion(Struct, frozen=True, forbid_unknown_fields=True):
    """A companion: income of each turn, its part of the HQ's health, four cards (KDH-4.2)."""

    id: str
    faction: Literal["gondwana", "bukseon"]
    type: Literal["commander", "general", "tech", "trickster"]
    material: Number
    energy: Number
    hp: Number
    cards: tuple[str, ...]
    ability: Ability | None = None
    triggers: tuple[Trigger, ...] = ()
    passives: tuple[Passive, ...] = ()
    copies: int = 2
    status: dict[str, str] = {}


class CardBox(Struct, frozen=True, eq=False):
    """A box that can be played with."""

    name: str
    title: str
    values: Values
    companions: tuple[Companion, ...]
    """Gondwana's four by type, then Bukseon's."""
    cards: tuple[Card, ...]
    number: dict[str, int]
    """A card's number, from 1, by its id."""
    neutral: bytes
    companion_cards: tuple[bytes, ...]
    """The eight cards of each companion, by its place in `companions`."""
    numbers: dict[str, int]
    """Those of the file that replace ours."""
    formations: dict[str, tuple[tuple[int, int], ...]]
    """The box's own, each as fields from any first one."""
    triggers: bool
    """Whether any companion has some: to look for them takes time."""
    passives: bool

    def card(self, number: int) -> Card:
        return self.cards[number - 1]

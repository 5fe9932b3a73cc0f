"""Companions and cards as they are played with.

A box is a file (`boxes`; docs/cards.md tells how to write one). A card's number is its place in the
box, from 1; 0 is a card that nobody here has seen.
"""

from functools import reduce
from typing import Literal

from msgspec import Struct, field

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
    status: dict[str, str] = {}
    source: str = "own"
    authority: int = 0
    """Read and kept for the deck building of a later rulebook (KDH-3.22); no rule needs it yet."""

    @property
    def called(self) -> str:
        """Its title; with what people type, where they would not guess that."""
        plain = self.title.lower().replace(" ", "_") == self.id
        return self.title if plain else f"{self.title} ({self.id})"

    @property
    def says(self) -> tuple[Message, ...]:
        """What it needs and does, a sentence each."""
        return tuple(it.sentence(self.kind == "war") for it in (*self.conditions, *self.effects))

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


def joined(*said: Message) -> Message:
    """Sentences one after the other; the rule of the first speaks."""
    return reduce(_then, said)


def _then(one: Message, other: Message) -> Message:
    return message("knee_deep.then", one.rule, one=one, other=other)


class Ability(Struct, frozen=True, forbid_unknown_fields=True):
    """What a companion can do once in each own action phase."""

    title: str
    material: int = 0
    energy: int = 0
    conditions: tuple[Clause, ...] = field(default=(), name="if")
    effects: tuple[Clause, ...] = field(default=(), name="do")

    def face(self, companion: str) -> Message:
        """All that there is to say of it."""
        head = message(
            "knee_deep.ability",
            card=self.title,
            companion=companion,
            material=self.material,
            energy=self.energy,
        )
        return joined(head, *(it.sentence(False) for it in (*self.conditions, *self.effects)))


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

    def card(self, number: int) -> Card:
        return self.cards[number - 1]

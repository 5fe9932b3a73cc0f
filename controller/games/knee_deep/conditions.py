"""What must be so for a card: each condition knows when it holds and how it is said."""

from functools import reduce
from typing import Annotated, Literal

from msgspec import Meta, field

from hexboard.games.knee_deep.cards import Clause
from hexboard.games.knee_deep.state import FORMATIONS, NOBODY, State, owners
from hexboard.games.knee_deep.values import GROUPS, KINDS
from hexboard.words import Message, message

Group = Literal[
    "any", "vehicle", "structure", "acv", "tank", "palooza", "extractor", "turret", "factory"
]
"""What a card can call units (`GROUPS`)."""
Owner = Literal["self", "enemy", "any"]
Where = Literal["board", "zone", "near_zone"]
Resource = Literal["material", "energy"]
EVER = 99
"""The bound that is none."""
Bound = Annotated[int, Meta(ge=0, le=EVER)]


class Condition(Clause, frozen=True, forbid_unknown_fields=True, tag_field="is"):
    """One thing that must be so, for the seat that plays the card; `negate` turns it round."""

    negate: bool = False

    def met(self, state: State, seat: int) -> bool:
        """Whether it is so."""
        return self._so(state, seat) != self.negate

    def _so(self, state: State, seat: int) -> bool:
        raise NotImplementedError

    @property
    def wants(self) -> Message:
        """What must be so, or with `negate` must not, as a part of a sentence."""
        raise NotImplementedError

    def sentence(self, war: bool) -> Message:
        key = "knee_deep.not_if" if self.negate else "knee_deep.only_if"
        return message(key, wants=self.wants)

    def refusal(self, state: State, seat: int, card: str) -> Message:
        """Why a card cannot be played now (KDH-3.11)."""
        if self.negate:
            return message("knee_deep.needs_not", "KDH-3.11", card=card, wants=self.wants)
        return message("knee_deep.needs", "KDH-3.11", card=card, wants=self.wants)

    @property
    def part(self) -> Message:
        """What it wants as one part of a condition that joins several."""
        return message("knee_deep.not_so", wants=self.wants) if self.negate else self.wants

    def part_now(self, state: State, seat: int) -> Message:
        """The same, with how many there are now, where it counts something."""
        return self.part


class Formation(Condition, frozen=True, kw_only=True, tag="formation"):
    """Own vehicles in the zone stand in a pattern (KDH-3.17 to 3.20)."""

    pattern: str
    """One of `FORMATIONS`, or of the box's own."""

    def _so(self, state: State, seat: int) -> bool:
        return state.formed(seat, self.pattern)

    @property
    def wants(self) -> Message:
        if self.pattern in FORMATIONS:
            return message(f"knee_deep.formation_{self.pattern}")
        return message("knee_deep.formation_own", name=self.pattern)


class Role(Condition, frozen=True, kw_only=True, tag="role"):
    """Whose marker it is attacks (KDH-8.2)."""

    role: Literal["attacker", "defender"]

    def _so(self, state: State, seat: int) -> bool:
        return (self.role == "attacker") == (seat == state.attacker)

    @property
    def wants(self) -> Message:
        return message(f"knee_deep.role_{self.role}")


class Ranged(Condition, frozen=True):
    """So many of something, from `least` to `most`."""

    least: Bound = 0
    most: Bound = EVER

    def _so(self, state: State, seat: int) -> bool:
        return self.least <= self.count(state, seat) <= self.most

    def count(self, state: State, seat: int) -> int:
        """How many there are."""
        raise NotImplementedError

    def things(self, count: int) -> Message:
        """So many of it in words."""
        raise NotImplementedError

    @property
    def wants(self) -> Message:
        if self.most >= EVER:
            return message("knee_deep.at_least", what=self.things(self.least))
        if self.least in (0, self.most):
            key = "knee_deep.exactly" if self.least == self.most else "knee_deep.at_most"
            return message(key, what=self.things(self.most))
        return message("knee_deep.between", least=self.least, what=self.things(self.most))

    def refusal(self, state: State, seat: int, card: str) -> Message:
        if self.negate:
            return super().refusal(state, seat, card)
        count = self.count(state, seat)
        return message(
            "knee_deep.needs_count", "KDH-3.11", card=card, wants=self.wants, count=count
        )

    def part_now(self, state: State, seat: int) -> Message:
        return message("knee_deep.part_now", wants=self.part, count=self.count(state, seat))


class Count(Ranged, frozen=True, tag="count"):
    """Units on the board, or in the war zone."""

    unit: Group = "any"
    of: Owner = "self"
    where: Literal["board", "zone"] = "board"

    def count(self, state: State, seat: int) -> int:
        return len(found(state, seat, self.unit, self.of, self.where))

    def things(self, count: int) -> Message:
        return units(count, self.unit, self.of, self.where)


class Supply(Ranged, frozen=True, tag="supply"):
    """Units that are neither on the board nor destroyed (KDH-0.9)."""

    unit: Group = "any"
    of: Owner = "self"

    def count(self, state: State, seat: int) -> int:
        kinds = [KINDS.index(kind) for kind in GROUPS[self.unit]]
        return sum(state.supply(o, kind) for o in owners(seat, self.of) for kind in kinds)

    def things(self, count: int) -> Message:
        unit = message(f"knee_deep.unit_{self.unit}", count=count)
        return message(f"knee_deep.supply_{self.of}", count=count, unit=unit)


class Stock(Ranged, frozen=True, kw_only=True, tag="resource"):
    """Material or energy; only the active seat has any (KDH-10.2)."""

    resource: Resource

    def count(self, state: State, seat: int) -> int:
        stock = state.material if self.resource == "material" else state.energy
        return stock if seat == state.active else 0

    def things(self, count: int) -> Message:
        return message("knee_deep.stock", count=count, resource=self.resource)


class CardsHeld(Ranged, frozen=True, tag="hand"):
    """Cards in the hand."""

    def count(self, state: State, seat: int) -> int:
        return len(state.hands[seat])

    def things(self, count: int) -> Message:
        return message("knee_deep.in_hand", count=count)


class Round(Ranged, frozen=True, tag="round"):
    """The number of the round."""

    def count(self, state: State, seat: int) -> int:
        return state.round

    def things(self, count: int) -> Message:
        return message("knee_deep.in_round", count=count)


class Discards(Ranged, frozen=True, tag="discards"):
    """Cards in a discard pile."""

    of: Owner = "self"

    def count(self, state: State, seat: int) -> int:
        return sum(len(state.discards[owner]) for owner in owners(seat, self.of))

    def things(self, count: int) -> Message:
        return message(f"knee_deep.discards_{self.of}", count=count)


class UnitsLost(Ranged, frozen=True, tag="lost"):
    """Units on the scrapyard (KDH-1.8)."""

    unit: Group = "any"
    of: Owner = "self"

    def count(self, state: State, seat: int) -> int:
        kinds = [KINDS.index(kind) for kind in GROUPS[self.unit]]
        return sum(state.lost(owner, kind) for owner in owners(seat, self.of) for kind in kinds)

    def things(self, count: int) -> Message:
        return message("knee_deep.lost", what=units(count, self.unit, self.of))


# ------------------------------------------------------------------------------ several at once


class Joined(Condition, frozen=True, kw_only=True):
    """Several conditions as one: its `parts`, which a file calls `if`."""

    parts: tuple["AnyCondition", ...] = field(name="if")

    def join(self, said: list[Message]) -> Message:
        """The parts, each in words, as one."""
        raise NotImplementedError

    @property
    def wants(self) -> Message:
        return self._in_words([part.part for part in self.parts])

    @property
    def part(self) -> Message:
        return super().part if self.negate else message("knee_deep.inside", wants=self.wants)

    def part_now(self, state: State, seat: int) -> Message:
        key = "knee_deep.not_so" if self.negate else "knee_deep.inside"
        return message(key, wants=self._now(state, seat))

    def refusal(self, state: State, seat: int, card: str) -> Message:
        key = "knee_deep.needs_not" if self.negate else "knee_deep.needs"
        return message(key, "KDH-3.11", card=card, wants=self._now(state, seat))

    def _now(self, state: State, seat: int) -> Message:
        """What it wants, with how many there are of what its parts count."""
        return self._in_words([part.part_now(state, seat) for part in self.parts])

    def _in_words(self, said: list[Message]) -> Message:
        """The parts as one; what must not be so stands in brackets."""
        joined = self.join(said)
        return message("knee_deep.inside", wants=joined) if self.negate else joined


class AnyOf(Joined, frozen=True, kw_only=True, tag="any"):
    """At least so many of its parts."""

    least: Annotated[int, Meta(ge=1, le=EVER)] = 1

    def _so(self, state: State, seat: int) -> bool:
        return sum(part.met(state, seat) for part in self.parts) >= self.least

    def join(self, said: list[Message]) -> Message:
        either = reduce(_or, said)
        if self.least == 1:
            return either
        return message("knee_deep.so_many_of", count=self.least, wants=either)


class AllOf(Joined, frozen=True, kw_only=True, tag="all"):
    """All of its parts: one of those that an `any` joins, or what must not be so together."""

    def _so(self, state: State, seat: int) -> bool:
        return all(part.met(state, seat) for part in self.parts)

    def join(self, said: list[Message]) -> Message:
        return reduce(_and, said)


def _or(one: Message, other: Message) -> Message:
    return message("knee_deep.one_or", one=one, other=other)


def _and(one: Message, other: Message) -> Message:
    return message("knee_deep.one_and", one=one, other=other)


AnyCondition = (Formation | Role | Count | Supply | Stock | CardsHeld | Round) | (
    Discards | UnitsLost | AnyOf | AllOf
)


def units(
    count: int | None, unit: str, of: str, where: str = "board", within: int = 1, near: str = ""
) -> Message:
    """Units in words; with no count as a kind."""
    whose = message(
        f"knee_deep.of_{of}",
        number="" if count is None else f"{count} ",
        unit=message(f"knee_deep.unit_{unit}", count=count or 0),
    )
    if where == "zone":
        return message("knee_deep.in_zone_of", what=whose)
    if where == "near_zone":
        return message("knee_deep.near_zone", what=whose, within=within)
    return beside_in_words(whose, within, near)


def beside_in_words(what: Message, within: int, near: str) -> Message:
    """With how near an own unit of a group must stand."""
    if not near:
        return what
    unit = message(f"knee_deep.unit_{near}", count=0)
    if within == 1:
        return message("knee_deep.beside", what=what, unit=unit)
    return message("knee_deep.near", what=what, within=within, unit=unit)


def found(
    state: State, seat: int, unit: str, of: str, where: str, within: int = 1, near: str = ""
) -> list[int]:
    """The fields of the units that a card of `seat` speaks of. With the zone `within` says how far
    outside (`near_zone`), on the board how far from an own unit of the group `near`."""
    fields = [field for owner in owners(seat, of) for field in state.of(owner, unit)]
    if where == "board":
        return [field for field in fields if beside(state, seat, field, within, near)]
    if state.marker == NOBODY:
        return []
    zone, distance = state.crossing.zone, state.setting.ground.distance
    if where == "zone":
        return [field for field in fields if field in zone or field in state.included]
    outside = [field for field in fields if field not in zone]
    return [f for f in outside if any(distance(f, other) <= within for other in zone)]


def beside(state: State, seat: int, field: int, within: int, near: str) -> bool:
    """Whether a field is so near to another one with an own unit of the group `near`."""
    if not near:
        return True
    distance = state.setting.ground.distance
    others = (other for other in state.of(seat, near) if other != field)
    return any(distance(field, other) <= within for other in others)

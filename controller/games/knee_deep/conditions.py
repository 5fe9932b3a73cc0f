"""What must be so for a card: each condition knows when it holds and how it is said."""

from typing import Annotated, Literal

from msgspec import Meta

from hexboard.games.knee_deep.cards import Clause
from hexboard.games.knee_deep.state import NOBODY, State, owners
from hexboard.games.knee_deep.values import GROUPS, KINDS

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


class Formation(Condition, frozen=True, kw_only=True, tag="formation"):
    """Own vehicles in the zone stand in a pattern (KDH-3.17 to 3.20)."""

    pattern: Literal["line3", "gap2", "triangle", "chevron", "skirmish"]

    def _so(self, state: State, seat: int) -> bool:
        return state.formed(seat, self.pattern)


class Role(Condition, frozen=True, kw_only=True, tag="role"):
    """Whose marker it is attacks (KDH-8.2)."""

    role: Literal["attacker", "defender"]

    def _so(self, state: State, seat: int) -> bool:
        return (self.role == "attacker") == (seat == state.attacker)


class Ranged(Condition, frozen=True):
    """So many of something, from `least` to `most`."""

    least: Bound = 0
    most: Bound = EVER

    def _so(self, state: State, seat: int) -> bool:
        return self.least <= self.count(state, seat) <= self.most

    def count(self, state: State, seat: int) -> int:
        """How many there are."""
        raise NotImplementedError


class Count(Ranged, frozen=True, tag="count"):
    """Units on the board, or in the war zone."""

    unit: Group = "any"
    of: Owner = "self"
    where: Where = "board"

    def count(self, state: State, seat: int) -> int:
        return len(found(state, seat, self.unit, self.of, self.where))


class Supply(Ranged, frozen=True, tag="supply"):
    """Units that are neither on the board nor destroyed (KDH-0.9)."""

    unit: Group = "any"
    of: Owner = "self"

    def count(self, state: State, seat: int) -> int:
        kinds = [KINDS.index(kind) for kind in GROUPS[self.unit]]
        return sum(state.supply(o, kind) for o in owners(seat, self.of) for kind in kinds)


class Stock(Ranged, frozen=True, kw_only=True, tag="resource"):
    """Material or energy; only the active seat has any (KDH-10.2)."""

    resource: Resource

    def count(self, state: State, seat: int) -> int:
        stock = state.material if self.resource == "material" else state.energy
        return stock if seat == state.active else 0


class CardsHeld(Ranged, frozen=True, tag="hand"):
    """Cards in the hand."""

    def count(self, state: State, seat: int) -> int:
        return len(state.hands[seat])


class Round(Ranged, frozen=True, tag="round"):
    """The number of the round."""

    def count(self, state: State, seat: int) -> int:
        return state.round


AnyCondition = Formation | Role | Count | Supply | Stock | CardsHeld | Round


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

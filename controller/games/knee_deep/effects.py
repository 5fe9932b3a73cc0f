"""What cards do: each effect knows whether it can be done, what it asks, and what then happens.

Here are those that happen at once; `choices` has those for which something is chosen first.
"""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import replace

from hexboard.games.knee_deep.actions import NONE, Act
from hexboard.games.knee_deep.cards import Clause
from hexboard.games.knee_deep.conditions import (
    EVER,
    Bound,
    Group,
    Owner,
    Resource,
    units,
)
from hexboard.games.knee_deep.state import (
    LIMIT,
    NAMES,
    Modifier,
    PendingStep,
    State,
    owners,
    put,
)
from hexboard.words import Message, message

Amount = Annotated[int, Meta(ge=1, le=20)]
"""How much a card does: 20 is more than there is of anything on a board."""
Change = Annotated[int, Meta(ge=-20, le=20)]
Side = Literal["self", "enemy"]


ASKED = ("unit", "field", "drop", "retrieve", "search", "shift")
"""What a card can ask for."""


class Effect(Clause, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """One thing that a card does for the seat that plays it."""

    war: ClassVar[bool] = False
    """It means something in a war only."""
    ask: ClassVar[str] = "unit"
    """What is to be chosen (`ASKED`)."""

    @property
    def left(self) -> int:
        """How much is to be done."""
        return int(getattr(self, "amount", 1))

    def run(self, state: State, seat: int) -> State | None:
        """The state after it; None where something must be chosen first."""
        return None

    def possible(self, state: State, step: PendingStep) -> bool:
        """Whether it can be done as things stand (KDH-3.11)."""
        return True

    def choices(self, state: State, step: PendingStep) -> list[Act]:
        """What can be chosen for it."""
        return []

    def asks(self, seat: int) -> int:
        """The seat that chooses."""
        return seat

    def refusal(self, card: str, war: bool) -> Message:
        """Why a card cannot be played: this cannot be done (KDH-3.11)."""
        what = self.sentence(war)
        return message("knee_deep.no_target", "KDH-3.11", card=card, what=what)


def counted(state: State, seat: int, group: str) -> int:
    """How many own units there are of a group; in a war, how many of them fight."""
    fields = state.of(seat, group)
    if state.at_war:
        fields = [field for field in state.fighters(seat) if field in fields]
    return len(fields)


class Sum(Effect, frozen=True):
    """So much at once, or so much for each own unit of the group `per` in the zone (in the action
    phase: on the board), up to `most`."""

    amount: Amount = 1
    per: Group | Literal[""] = ""
    most: Bound = EVER

    def total(self, state: State, seat: int) -> int:
        """How much that is now."""
        if not self.per:
            return self.amount
        return min(self.amount * counted(state, seat, self.per), self.most)

    def each(self, what: Message, of: str, war: bool) -> Message:
        """`what`, for each of some units, as a sentence that says for whom."""
        if self.per:
            unit = message(f"knee_deep.unit_{self.per}", count=1)
            key = "knee_deep.each_in_war" if war else "knee_deep.each"
            what = message(key, what=what, unit=unit)
        if self.per and self.most < EVER:
            what = message("knee_deep.limited", what=what, most=self.most)
        return message(f"knee_deep.for_{of}", what=what)


class Bonus(Sum, frozen=True, tag="bonus"):
    """Combat in this war; a side's never falls below 0."""

    war: ClassVar[bool] = True
    amount: Change = 1
    of: Side = "self"

    def run(self, state: State, seat: int) -> State:
        of, amount = owners(seat, self.of)[0], self.total(state, seat)
        state = replace(state, bonus=put(state.bonus, of, state.bonus[of] + amount))
        return state.tells("knee_deep.gets", "KDH-8.6", seat=NAMES[of], amount=amount)

    def sentence(self, war: bool) -> Message:
        return self.each(message("knee_deep.does_bonus", amount=f"{self.amount:+d}"), self.of, war)


class Gain(Sum, frozen=True, kw_only=True, tag="gain"):
    """Material or energy; only the active seat has any (KDH-10.2)."""

    sign: ClassVar[int] = 1
    resource: Resource
    of: Owner = "self"

    def run(self, state: State, seat: int) -> State:
        if state.active not in owners(seat, self.of):
            return state
        amount = self.sign * self.total(state, seat)
        if self.resource == "material":
            return replace(state, material=max(0, state.material + amount))
        return replace(state, energy=max(0, state.energy + amount))

    def sentence(self, war: bool) -> Message:
        key = "knee_deep.does_gain" if self.sign > 0 else "knee_deep.does_lose"
        what = message(key, amount=self.amount, resource=self.resource)
        return self.each(what, self.of, war)


class Lose(Gain, frozen=True, kw_only=True, tag="lose"):
    """The same, taken away."""

    sign: ClassVar[int] = -1


class DrawCards(Sum, frozen=True, tag="draw"):
    """Cards from the draw pile."""

    of: Owner = "self"

    def run(self, state: State, seat: int) -> State:
        amount = self.total(state, seat)
        for of in owners(seat, self.of):
            state = replace(state, due=put(state.due, of, state.due[of] + amount))
            if state.setting.hand_limit == "effects":
                state = replace(state, queue=(PendingStep(of, 0, LIMIT), *state.queue))
        return state

    def sentence(self, war: bool) -> Message:
        return self.each(message("knee_deep.does_draw", amount=self.amount), self.of, war)


class Prevent(Sum, frozen=True, tag="prevent"):
    """Damage less for the own side in this war."""

    war: ClassVar[bool] = True

    def run(self, state: State, seat: int) -> State:
        spared = state.prevented[seat] + self.total(state, seat)
        return replace(state, prevented=put(state.prevented, seat, spared))

    def sentence(self, war: bool) -> Message:
        return self.each(message("knee_deep.does_prevent", amount=self.amount), "self", war)


class Cancel(Effect, frozen=True, tag="cancel"):
    """The enemy's war card gives nothing."""

    war: ClassVar[bool] = True

    def run(self, state: State, seat: int) -> State:
        enemy = 1 - seat
        queue = tuple(step for step in state.queue if step.seat != enemy or step.card <= 0)
        state = replace(state, queue=queue, bonus=put(state.bonus, enemy, 0))
        return state.tells("knee_deep.cancelled", "KDH-3.5", seat=NAMES[enemy])

    def sentence(self, war: bool) -> Message:
        return message("knee_deep.does_cancel")


class Modify(Effect, frozen=True, tag="modify"):
    """Other combat or move of some units, until the end of the turn."""

    rule: Literal["combat", "move"]
    unit: Group = "any"
    of: Owner = "self"
    amount: Change = 1

    def run(self, state: State, seat: int) -> State:
        changed = [Modifier(o, self.rule, self.unit, self.amount) for o in owners(seat, self.of)]
        return replace(state, changes=(*state.changes, *changed))

    def sentence(self, war: bool) -> Message:
        who, amount = units(None, self.unit, self.of), f"{self.amount:+d}"
        return message("knee_deep.does_modify", what=self.rule, amount=amount, who=who)


class SetRule(Effect, frozen=True, tag="set_rule"):
    """So many builders are enough for a structure, until the end of the turn."""

    rule: Literal["builders"]
    of: Owner = "self"
    amount: Amount = 1

    def run(self, state: State, seat: int) -> State:
        changed = [Modifier(o, self.rule, "any", self.amount) for o in owners(seat, self.of)]
        return replace(state, changes=(*state.changes, *changed))

    def sentence(self, war: bool) -> Message:
        what = message("knee_deep.does_set_rule", amount=self.amount)
        return message(f"knee_deep.for_{self.of}", what=what)


class Manual(Effect, frozen=True, tag="manual"):
    """What people carry out themselves; the game waits for them."""

    text: Annotated[str, Meta(min_length=1, max_length=400)]

    def choices(self, state: State, step: PendingStep) -> list[Act]:
        return [Act("pick", NONE)]

    def sentence(self, war: bool) -> Message:
        return message("knee_deep.by_hand", text=self.text)


AnyAtOnce = Bonus | Gain | Lose | DrawCards | Prevent | Cancel | Modify | SetRule | Manual

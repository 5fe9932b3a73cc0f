"""What cards do with something that somebody chooses first: units, fields, cards, the marker."""

from collections.abc import Collection, Iterator
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, field
from msgspec.structs import replace

from hexboard.games.knee_deep.actions import NONE, Act
from hexboard.games.knee_deep.cards import UNKNOWN
from hexboard.games.knee_deep.changes import dropped, moved, returned, scrapped, unscrapped
from hexboard.games.knee_deep.conditions import (
    EVER,
    Bound,
    Group,
    Owner,
    Where,
    beside,
    beside_in_words,
    found,
    units,
)
from hexboard.games.knee_deep.effects import Amount, Effect, Side
from hexboard.games.knee_deep.state import (
    LIMIT,
    NAMES,
    NOBODY,
    PendingStep,
    State,
    less,
    more,
    on,
    owners,
    put,
)
from hexboard.games.knee_deep.values import GROUPS, KINDS, code
from hexboard.words import Message, message

Steps = Annotated[int, Meta(ge=1, le=30)]
"""A distance in fields: 30 is across the largest map."""
Unit = Literal["acv", "tank", "palooza", "extractor", "turret", "factory"]


class Chosen(Effect, frozen=True):
    """What somebody chooses first, one after the other; none, where it is `optional`."""

    optional: bool = False

    def possible(self, state: State, step: PendingStep) -> bool:
        return self.optional or self.room(state, step) >= self.times

    @property
    def times(self) -> int:
        """How often something must be chosen."""
        return 1

    def room(self, state: State, step: PendingStep) -> int:
        """How often something can be chosen."""
        return len(self.offers(state, step))

    def choices(self, state: State, step: PendingStep) -> list[Act]:
        found = self.offers(state, step)
        return [*found, Act(found[0].verb, NONE)] if found and self.optional else found

    def offers(self, state: State, step: PendingStep) -> list[Act]:
        """What can be chosen, none aside."""
        raise NotImplementedError

    def done(self, state: State, step: PendingStep, what: int) -> State:
        """The state after something was chosen."""
        raise NotImplementedError

    def sentence(self, war: bool) -> Message:
        if self.optional:
            return message("knee_deep.optional", what=self.asked_for())
        return self.asked_for()

    def asked_for(self) -> Message:
        """What it says, were it not optional."""
        raise NotImplementedError

    def spent(self, state: State, step: PendingStep, what: int) -> int:
        """How much of what is left a choice takes."""
        return 1


class Several(Chosen, frozen=True):
    """A choice that is made `amount` times."""

    amount: Amount = 1

    @property
    def times(self) -> int:
        return self.amount


class PlaceUnits(Several, frozen=True, kw_only=True, tag="place"):
    """Own units from the supply, or from the scrapyard, on empty fields (KDH-3.13); `near` an own
    unit of that group."""

    ask: ClassVar[str] = "field"
    unit: Unit
    place: Literal["supply", "scrapyard"] = field(default="supply", name="from")
    near: Group | Literal[""] = ""
    within: Steps = 1

    @property
    def revives(self) -> bool:
        """Whether the units come from the scrapyard."""
        return self.place == "scrapyard"

    def offers(self, state: State, step: PendingStep) -> list[Act]:
        seat = step.seat
        if not self.there(state, seat) or state.material < self._owed(state):
            return []
        fields = state.empty()
        if self.near and self.within == 1:
            near = state.setting.ground.near
            around = {other for unit in state.of(seat, self.near) for other in near[unit]}
            return [Act("pick", field) for field in fields if field in around]
        return [Act("pick", f) for f in fields if beside(state, seat, f, self.within, self.near)]

    def room(self, state: State, step: PendingStep) -> int:
        """No more than there are and are paid for; a unit that is placed can be what the next
        one stands near to."""
        owed, fields = self._owed(state), {act.a for act in self.offers(state, step)}
        there = self.there(state, step.seat)
        most = min(there, state.material // owed if owed else there)
        if len(fields) < most and self.near and self.unit in GROUPS[self.near]:
            fields = self._spread(state, fields)
        return min(most, len(fields))

    def there(self, state: State, seat: int) -> int:
        """How many there are to be placed."""
        kind = KINDS.index(self.unit)
        return state.lost(seat, kind) if self.revives else state.supply(seat, kind)

    def _spread(self, state: State, fields: set[int]) -> set[int]:
        """These fields, and the empty ones that are as near to them, and so on."""
        distance, left, edge = state.setting.ground.distance, {*state.empty()} - fields, fields
        while edge:
            edge = {f for f in left if any(distance(f, other) <= self.within for other in edge)}
            left, fields = left - edge, fields | edge
        return fields

    def done(self, state: State, step: PendingStep, what: int) -> State:
        unit = code(step.seat, KINDS.index(self.unit))
        state = replace(
            state,
            material=state.material - self._owed(state),
            units=on(state.units, [(what, unit)]),
            scrap=unscrapped(state.scrap, unit) if self.revives else state.scrap,
        )
        seat, name = NAMES[step.seat], state.setting.ground.ids[what]
        key = "knee_deep.revives" if self.revives else "knee_deep.places"
        return state.tells(key, "KDH-3.13", seat=seat, unit=self.unit, field=name)

    def _owed(self, state: State) -> int:
        """What a unit costs beside the card (A18)."""
        cost = state.setting.box.values.units[KINDS.index(self.unit)].cost
        return cost if state.setting.place_cost == "both" else 0

    def asked_for(self) -> Message:
        unit = message(f"knee_deep.unit_{self.unit}", count=self.amount)
        key = "knee_deep.does_revive" if self.revives else "knee_deep.does_place"
        what = message(key, amount=self.amount, unit=unit)
        return message("knee_deep.done", what=beside_in_words(what, self.within, self.near))


class MoveMarker(Chosen, frozen=True, tag="move_marker"):
    """The marker to an intersection that shares two sectors with its own."""

    ask: ClassVar[str] = "shift"

    def offers(self, state: State, step: PendingStep) -> list[Act]:
        if state.marker == NOBODY:
            return []
        here, crossings = {*state.crossing.sectors}, enumerate(state.setting.ground.crossings)
        return [Act("shift", k) for k, other in crossings if len(here & {*other.sectors}) == 2]

    def done(self, state: State, step: PendingStep, what: int) -> State:
        name = state.setting.ground.crossings[what].name
        return replace(state, marker=what).tells("knee_deep.shifts", "KDH-3.5", name=name)

    def asked_for(self) -> Message:
        return message("knee_deep.does_move_marker")


class DiscardCards(Several, frozen=True, tag="discard"):
    """Cards from a hand, chosen by who holds it."""

    ask: ClassVar[str] = "drop"
    of: Side = "self"

    def asks(self, seat: int) -> int:
        return owners(seat, self.of)[0]

    def choices(self, state: State, step: PendingStep) -> list[Act]:
        found = self.offers(state, step)
        return [*found, Act("pick", NONE)] if found and self.optional else found

    def offers(self, state: State, step: PendingStep) -> list[Act]:
        return discards(state, self.asks(step.seat))

    def room(self, state: State, step: PendingStep) -> int:
        seat = self.asks(step.seat)
        return len(state.hands[seat]) + min(state.due[seat], state.pile(seat))

    def done(self, state: State, step: PendingStep, what: int) -> State:
        return dropped(state, self.asks(step.seat), what)

    def asked_for(self) -> Message:
        return message(f"knee_deep.does_discard_{self.of}", amount=self.amount)


def discards(state: State, seat: int) -> list[Act]:
    """Each card that a hand can discard; "?" where the discard pile is closed (A27)."""
    hand = state.hands[seat]
    closed = state.setting.discards == "closed" and UNKNOWN in hand
    cards = sorted({*hand} - {UNKNOWN}) if closed else state.may_hold(seat)
    return [Act("discard", card) for card in ([UNKNOWN] if closed else []) + cards]


class Retrieve(Several, frozen=True, tag="retrieve"):
    """Cards from the own discards into the hand."""

    ask: ClassVar[str] = "retrieve"

    def offers(self, state: State, step: PendingStep) -> list[Act]:
        return [Act("retrieve", card) for card in sorted({*self._others(state, step)})]

    def room(self, state: State, step: PendingStep) -> int:
        return len(self._others(state, step))

    def _others(self, state: State, step: PendingStep) -> bytes:
        """The discards but for this card itself, which was just played."""
        played = step.card > 0 and state.card(step.card).kind == "action"
        discards = state.discards[step.seat]
        return less(discards, step.card) if played else discards

    def done(self, state: State, step: PendingStep, what: int) -> State:
        seat = step.seat
        pile = put(state.discards, seat, less(state.discards[seat], what))
        hands = put(state.hands, seat, more(state.hands[seat], what))
        return replace(state, discards=pile, hands=hands)

    def asked_for(self) -> Message:
        return message("knee_deep.does_retrieve", amount=self.amount)


class SearchPile(Several, frozen=True, tag="search"):
    """Cards from the own draw pile into the hand, chosen by who owns it; nobody else sees which."""

    ask: ClassVar[str] = "search"

    def offers(self, state: State, step: PendingStep) -> list[Act]:
        seat = step.seat
        if self.room(state, step) <= 0:
            return []
        pile = {*state.unseen[seat], *state.top[seat]} - {UNKNOWN}
        cards = [UNKNOWN] if state.hides(seat) else sorted(pile)
        return [Act("search", card) for card in cards]

    def room(self, state: State, step: PendingStep) -> int:
        """As many as the pile has, beside those that are still drawn."""
        return state.pile(step.seat) - state.due[step.seat]

    def done(self, state: State, step: PendingStep, what: int) -> State:
        """It is shuffled then: what was known to lie on top lies anywhere."""
        seat = step.seat
        unseen = more(state.unseen[seat], *state.top[seat].replace(b"\0", b""))
        unseen = less(unseen, what) if what else unseen
        hands = put(state.hands, seat, more(state.hands[seat], what))
        state = replace(state, unseen=put(state.unseen, seat, unseen), hands=hands)
        state = replace(state, top=put(state.top, seat, b""))
        if state.setting.hand_limit == "effects":
            state = replace(state, queue=(PendingStep(seat, 0, LIMIT), *state.queue))
        return state.tells("knee_deep.searches", "KDH-3.4", seat=NAMES[seat])

    def asked_for(self) -> Message:
        return message("knee_deep.does_search", amount=self.amount)


# --------------------------------------------------------------------------------- units chosen


class Targets(Chosen, frozen=True):
    """Units are chosen: `unit` and `of` say which; `where`, `near`, `within` where they stand."""

    unit: Group = "any"
    of: Owner = "self"
    where: Where = "board"
    near: Group | Literal[""] = ""
    within: Steps = 1

    def offers(self, state: State, step: PendingStep) -> list[Act]:
        return [Act("pick", field) for field in self.fields(state, step)]

    def who(self, count: int | None) -> Message:
        """The units that it speaks of."""
        return units(count, self.unit, self.of, self.where, self.within, self.near)

    def fields(self, state: State, step: PendingStep) -> list[int]:
        """Where the units stand that can be chosen."""
        seat, where = step.seat, self.where
        return found(state, seat, self.unit, self.of, where, self.within, self.near)


class SeveralTargets(Targets, frozen=True):
    """`amount` units, one after the other."""

    amount: Amount = 1

    @property
    def times(self) -> int:
        return self.amount


class Destroy(SeveralTargets, frozen=True, tag="destroy"):
    """Units to the scrapyard (KDH-8.8)."""

    def done(self, state: State, step: PendingStep, what: int) -> State:
        return scrapped(state, what, step.seat)

    def asked_for(self) -> Message:
        return message("knee_deep.does_destroy", who=self.who(self.amount))


class Damage(Targets, frozen=True, tag="damage"):
    """`amount` damage, whole units only; one may stop before it is used up."""

    amount: Amount = 1

    def choices(self, state: State, step: PendingStep) -> list[Act]:
        found = self.offers(state, step)
        return [*found, Act("pick", NONE)] if found else found

    def fields(self, state: State, step: PendingStep) -> list[int]:
        fields = super().fields(state, step)
        return [field for field in fields if state.hp(state.units[field]) <= step.left]

    def done(self, state: State, step: PendingStep, what: int) -> State:
        return scrapped(state, what, step.seat)

    def spent(self, state: State, step: PendingStep, what: int) -> int:
        return state.hp(state.units[what])

    def asked_for(self) -> Message:
        return message("knee_deep.does_damage", amount=self.amount, who=self.who(None))


class ReturnUnits(SeveralTargets, frozen=True, tag="return"):
    """Units back to their supply."""

    def done(self, state: State, step: PendingStep, what: int) -> State:
        return returned(state, what)

    def asked_for(self) -> Message:
        return message("knee_deep.does_return", who=self.who(self.amount))


class Include(SeveralTargets, frozen=True, tag="include"):
    """Units fight in this war, wherever they stand."""

    war: ClassVar[bool] = True

    def fields(self, state: State, step: PendingStep) -> list[int]:
        return [f for f in super().fields(state, step) if f not in state.included]

    def done(self, state: State, step: PendingStep, what: int) -> State:
        return replace(state, included=tuple(sorted({*state.included, what})))

    def asked_for(self) -> Message:
        return message("knee_deep.does_include", who=self.who(self.amount))


class Exclude(SeveralTargets, frozen=True, tag="exclude"):
    """Units do not fight in this war."""

    war: ClassVar[bool] = True

    def fields(self, state: State, step: PendingStep) -> list[int]:
        return [f for f in super().fields(state, step) if f not in state.excluded]

    def done(self, state: State, step: PendingStep, what: int) -> State:
        return replace(state, excluded=tuple(sorted({*state.excluded, what})))

    def asked_for(self) -> Message:
        return message("knee_deep.does_exclude", who=self.who(self.amount))


class Going(Targets, frozen=True):
    """A unit is chosen, then the field that it goes to."""

    def offers(self, state: State, step: PendingStep) -> list[Act]:
        if step.picked != NOBODY:
            return [Act("pick", field) for field in self.ends(state, step.picked)]
        return [Act("pick", f) for f in self.fields(state, step) if self.ends(state, f)]

    def choices(self, state: State, step: PendingStep) -> list[Act]:
        return super().choices(state, step) if step.picked == NOBODY else self.offers(state, step)

    def done(self, state: State, step: PendingStep, what: int) -> State:
        return moved(state, step.picked, what)

    def both(
        self, state: State, step: PendingStep, fields: Collection[int]
    ) -> Iterator[tuple[Act, Act]]:
        """Both choices at once, from one of these fields to another."""
        if step.picked == NOBODY:
            for unit in self.offers(state, step):
                for end in self.ends(state, unit.a):
                    if unit.a in fields and end in fields:
                        yield unit, Act("pick", end)

    def ends(self, state: State, field: int) -> list[int]:
        """Where the unit on a field can go."""
        raise NotImplementedError


class Relocate(Going, frozen=True, tag="relocate"):
    """To an empty field, at most `most` away."""

    most: Bound = EVER

    def ends(self, state: State, field: int) -> list[int]:
        distance, fields = state.setting.ground.distance, state.empty()
        return [f for f in fields if self.most >= EVER or distance(field, f) <= self.most]

    def asked_for(self) -> Message:
        if self.most >= EVER:
            return message("knee_deep.does_relocate", who=self.who(1))
        return message("knee_deep.does_relocate_near", who=self.who(1), most=self.most)


class Walk(Going, frozen=True, tag="walk"):
    """As in a movement of `amount` steps (KDH-7.3)."""

    amount: Amount = 1

    def spent(self, state: State, step: PendingStep, what: int) -> int:
        return step.left

    def ends(self, state: State, field: int) -> list[int]:
        return state.reach(field, self.amount)

    def asked_for(self) -> Message:
        return message("knee_deep.does_walk", who=self.who(1), amount=self.amount)


AnyChosen = (PlaceUnits | MoveMarker | DiscardCards | Retrieve | SearchPile | Relocate | Walk) | (
    Destroy | Damage | ReturnUnits | Include | Exclude
)

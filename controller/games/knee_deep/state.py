"""A moment of a game as values, and what can be looked up in them."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import Axial
from hexboard.game.position import Event
from hexboard.games.knee_deep.cards import UNKNOWN, Card, Companion
from hexboard.games.knee_deep.ground import HQ, Crossing
from hexboard.games.knee_deep.setting import Setting
from hexboard.games.knee_deep.values import GROUPS, KINDS, able, code, kind_of, seat_of
from hexboard.words import Said, message

T = TypeVar("T")
NOBODY = -1
DRAWN_GAME = 2
"""The winner of a game that nobody won."""
NAMES = ("Gondwana", "Bukseon")
UNLAID, PASSED = -2, -1
"""What stands for a war card that is still to be laid, or that a seat did not lay."""
WAR = ("lay", "answer", "reveal", "resolve", "damage")
"""The phases of a war."""
OWN_LOSS = 16
"""Added to a unit on the scrapyard that its own side destroyed (A26)."""
CHECK, LIMIT = -1, -2
"""Steps that are no effect of a card: its conditions and bonus; discard down to the limit."""

Pair = tuple[int, int]
Cards = tuple[bytes, bytes]


class PendingStep(Struct, frozen=True, array_like=True):
    """Something of a card that is still to be done, for `seat`. `card` is a card's number, or less
    than 0 for the ability of companion -1 - `card`; `index` counts its effects."""

    seat: int
    card: int
    index: int
    left: int = 0
    """How much of the effect's amount is left."""
    picked: int = NOBODY
    """The field chosen first, where an effect needs two."""


class Modifier(Struct, frozen=True, array_like=True):
    """What a card changes until the end of the turn: combat, move or builders, of a seat's units
    of one kind."""

    seat: int
    rule: str
    unit: str
    amount: int


class Uses(Struct, frozen=True, array_like=True):
    """How often a seat had something that is limited, in this turn, war and game; `card` as in a
    `PendingStep`."""

    seat: int
    card: int
    turn: int
    war: int
    game: int


class CardsSeen(Struct, frozen=True, array_like=True):
    """A seat looks at cards of a hand, or on top of a draw pile (`peeks`)."""

    seat: int
    of: int
    """Whose cards they are."""
    in_hand: bool
    left: int
    """So many are still to be seen."""
    cards: bytes
    """Those that are, in their order; 0 for who may not know which."""


class State(Struct, frozen=True, eq=False):
    """A position's values. Two of a thing are Gondwana's and Bukseon's."""

    setting: Setting
    phase: str
    units: bytes
    """A code a field (`values`)."""
    unseen: Cards
    """The cards of each deck whose place the owner of this position does not know, sorted."""
    hands: Cards = (b"", b"")
    """Sorted; 0 for a card not seen."""
    discards: Cards = (b"", b"")
    companions: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """The two types chosen (0..3)."""
    active: int = 0
    """Whose turn it is, or who is asked before the first turn."""
    starter: int = NOBODY
    round: int = 0
    due: Pair = (0, 0)
    """Cards still to be drawn."""
    material: int = 0
    energy: int = 0
    """Of the active seat; the other has none (KDH-10.2)."""
    scrap: bytes = b""
    """Destroyed units in order, by code (+ `OWN_LOSS`)."""
    hurt: Pair = (0, 0)
    """Damage on each HQ (A3)."""
    marker: int = NOBODY
    """The intersection of the one marker on the board, by number."""
    marker_of: int = NOBODY
    laid: Pair = (UNLAID, UNLAID)
    shown: tuple[bool, bool] = (False, False)
    bonus: Pair = (0, 0)
    prevented: Pair = (0, 0)
    included: tuple[int, ...] = ()
    excluded: tuple[int, ...] = ()
    surplus: int = 0
    victor: int = NOBODY
    """Who won the war that is being settled."""
    queue: tuple[PendingStep, ...] = ()
    changes: tuple[Modifier, ...] = ()
    used: tuple[int, ...] = ()
    """Types of companions whose ability was used this turn."""
    quiet: int = 0
    """Turns since something was destroyed (A21)."""
    offered: int = NOBODY
    winner: int = NOBODY
    uses: tuple[Uses, ...] = ()
    """Of what is limited alone, by seat and card."""
    top: Cards = (b"", b"")
    """What lies on top of each draw pile, the next one first, where somebody looked; 0 for all but
    the referee, and then among the `unseen`."""
    look: CardsSeen | None = None
    """Cards that are looked at now."""
    eyes: int = NOBODY
    """Whose view this is; nobody's for the referee's."""
    events: tuple[Event, ...] = ()

    def tells(self, key: str, rule: str, /, **values: Said) -> Self:
        """With one event more."""
        return replace(self, events=(*self.events, message(key, rule, **values)))

    @property
    def terrain(self) -> bytes:
        """What each field is (`ground`)."""
        return self.setting.ground.terrain

    # ------------------------------------------------------------------------------ cards

    def pile(self, seat: int) -> int:
        """How many cards a seat can still draw."""
        hidden = self.hands[seat].count(UNKNOWN) + self.discards[seat].count(UNKNOWN)
        count = len(self.unseen[seat]) - hidden - (self.laid[seat] == UNKNOWN)
        top = self.top[seat]
        return count + len(top) - top.count(UNKNOWN) if top else count

    def card(self, number: int) -> Card:
        return self.setting.box.card(number)

    def may_hold(self, seat: int) -> list[int]:
        """The cards that a seat's hand holds, or can hold for all that is known; each once."""
        hand = self.hands[seat]
        cards = {*hand, *self.unseen[seat]} if UNKNOWN in hand else {*hand}
        return sorted(cards - {UNKNOWN})

    def hides(self, seat: int) -> bool:
        """Whether the cards that a seat draws are hidden from whose position this is."""
        return self.setting.held or self.eyes not in (NOBODY, seat)

    @property
    def receiver(self) -> int:
        """Who draws the next card."""
        return self.active if self.due[self.active] else 1 - self.active

    def companion(self, seat: int, type: int) -> Companion:
        return self.setting.box.companions[4 * seat + type]

    # ------------------------------------------------------------------------------ units

    def empty(self) -> list[int]:
        """All empty fields (KDH-1.4)."""
        units = self.units
        return [field for field in self.setting.ground.plain if not units[field]]

    def supply(self, seat: int, kind: int) -> int:
        """Units of a kind that are neither on the board nor destroyed (KDH-0.9, 7.13)."""
        unit = code(seat, kind)
        supply = self.setting.box.values.units[kind].supply - self.units.count(unit)
        return supply - _lost(self.scrap, unit) if self.scrap else supply

    def lost(self, seat: int, kind: int) -> int:
        """Units of a kind on the scrapyard."""
        return _lost(self.scrap, code(seat, kind))

    def of(self, seat: int, group: str = "any") -> list[int]:
        """The fields with a seat's units of a kind or group."""
        return _fields(self.units, _codes(seat, group))

    def stat(self, unit: int, rule: str) -> int:
        """Combat or move of a unit by its code, with what cards and companions change."""
        seat, kind = seat_of(unit), kind_of(unit)
        values = self.setting.box.values.units[kind]
        base = values.combat if rule == "combat" else values.move
        changes = self.changes
        if self.setting.box.passives:
            changes = (*changes, *self.lasting(rule))
        for change in changes:
            if (change.seat, change.rule) == (seat, rule) and KINDS[kind] in GROUPS[change.unit]:
                base += change.amount
        return max(base, 0)

    def lasting(self, rule: str) -> tuple[Modifier, ...]:
        """What companions change of a rule, as long as it is so."""
        if not self.setting.box.passives:
            return ()
        return tuple(
            Modifier(owner, rule, passive.group, passive.amount)
            for seat in (0, 1)
            for type in self.companions[seat]
            for passive in self.companion(seat, type).passives
            if passive.rule == rule and passive.holds(self, seat)
            for owner in owners(seat, passive.of)
        )

    def gift(self, seat: int, rule: str) -> int:
        """How much of something companions give a seat."""
        if not self.setting.box.passives:
            return 0
        return sum(change.amount for change in self.lasting(rule) if change.seat == seat)

    def hp(self, unit: int) -> int:
        return self.setting.box.values.units[kind_of(unit)].hp

    def hq_hp(self, seat: int) -> int:
        """The health of an HQ: what both companions give (KDH-4.4), less what hurt it (A3)."""
        return sum(int(self.companion(seat, t).hp) for t in self.companions[seat]) - self.hurt[seat]

    def reach(self, field: int, steps: int | None = None) -> list[int]:
        """Where the vehicle on a field can end one movement (KDH-7.2 to 7.4), nearest first."""
        roads, units = self.setting.ground.roads, self.units
        seat = seat_of(units[field])
        lowest = 1 + seat * len(KINDS)
        highest = lowest + len(KINDS)
        seen, edge, ends = {field}, [field], []
        for _ in range(self.stat(units[field], "move") if steps is None else steps):
            ring = []
            for here in edge:
                for there in roads[here]:
                    if there in seen:
                        continue
                    seen.add(there)
                    unit = units[there]
                    if not unit:
                        ends.append(there)
                        ring.append(there)
                    elif lowest <= unit < highest:
                        ring.append(there)
            edge = ring
        return ends

    def deploys(self, seat: int) -> list[int]:
        """The empty fields beside the seat's HQ and factories (KDH-7.1; A12)."""
        ground, either = self.setting.ground, self.setting.deploy_at == "any"
        found: set[int] = set()
        for owner in (0, 1) if either else (seat,):
            found.update(ground.gates[owner])
            for factory in _fields(self.units, able(owner, "deploy")):
                found.update(ground.roads[factory])
        return sorted(field for field in found if not self.units[field])

    def builds(self, seat: int) -> list[int]:
        """The empty fields with enough own builders beside them (KDH-7.7)."""
        counts: dict[int, int] = {}
        for builder in _fields(self.units, able(seat, "build")):
            for field in self.setting.ground.roads[builder]:
                counts[field] = counts.get(field, 0) + 1
        wanted = self.builders(seat)
        return sorted(f for f, n in counts.items() if n >= wanted and not self.units[f])

    def builders(self, seat: int) -> int:
        """How many builders a structure needs; a companion can change it, a card for a turn."""
        changed = [c.amount for c in self.changes if (c.seat, c.rule) == (seat, "builders")]
        if changed:
            return changed[-1]
        lasting = [c.amount for c in self.lasting("builders") if c.seat == seat]
        return min((self.setting.box.values.builders, *lasting))

    def yields(self, seat: int) -> tuple[list[int], list[int]]:
        """Material and energy fields beside own extractors, each once (KDH-6.2, 6.3)."""
        ground = self.setting.ground
        found = {f for e in _fields(self.units, able(seat, "extract")) for f in ground.resources[e]}
        material = sorted(f for f in found if ground.terrain[f] == 2)
        return material, sorted(found - set(material))

    # ------------------------------------------------------------------------------ war

    @property
    def at_war(self) -> bool:
        """Whether a war is fought now."""
        return self.phase in WAR

    @property
    def crossing(self) -> Crossing:
        """Where the marker stands."""
        return self.setting.ground.crossings[self.marker]

    @property
    def attacker(self) -> int:
        return 1 - self.active

    def fighters(self, seat: int) -> list[int]:
        """The fields of a seat's units that fight: in the zone, and what cards change in that."""
        inside = (set(self.crossing.zone) | {*self.included}) - {*self.excluded}
        codes = _codes(seat, "any")
        return sorted(field for field in inside if self.units[field] in codes)

    def total(self, seat: int) -> int:
        """Combat points of a seat in the war (KDH-8.6); a card can take away no more than all."""
        units = sum(self.stat(self.units[field], "combat") for field in self.fighters(seat))
        return max(0, units + self.bonus[seat] + self.gift(seat, "bonus"))

    def hq_in_zone(self, seat: int) -> bool:
        """Whether an HQ is in the zone (A23)."""
        zone = set(self.crossing.zone)
        parts = [field in zone for field in self.setting.ground.hq[seat]]
        return all(parts) if self.setting.hq_in_zone == "whole" else any(parts)

    def targets(self, seat: int, surplus: int) -> list[int]:
        """What a surplus of `seat` can destroy in the zone now (KDH-8.8, 8.9); an HQ by its first
        field."""
        enemy = 1 - seat
        fields = [f for f in self.fighters(enemy) if self.hp(self.units[f]) <= surplus]
        piecemeal = self.setting.hq_damage == "accumulates" and surplus > 0
        if self.hq_in_zone(enemy) and (piecemeal or self.hq_hp(enemy) <= surplus):
            fields.append(self.setting.ground.hq[enemy][0])
        return fields

    def formed(self, seat: int, pattern: str) -> bool:
        """Whether own vehicles in the zone stand in a formation (KDH-3.17 to 3.20)."""
        ground = self.setting.ground
        vehicles = _codes(seat, "vehicle")
        places = {ground.place[f] for f in self.crossing.zone if self.units[f] in vehicles}
        own = self.setting.box.formations.get(pattern)
        for shape in turned(own) if own else _shapes(pattern, self.setting.skirmish):
            for q, r in places:
                if all((q + dq, r + dr) in places for dq, dr in shape) and (
                    pattern != "gap2" or _over(self, q, r, shape)
                ):
                    return True
        return False


def _lost(scrap: bytes, unit: int) -> int:
    return scrap.count(unit) + scrap.count(unit + OWN_LOSS)


def _over(position: State, q: int, r: int, shape: tuple[Axial, ...]) -> bool:
    """Whether the field between two vehicles may lie there (A13)."""
    dq, dr = shape[1]
    middle = position.setting.ground.at.get((q + dq // 2, r + dr // 2))
    if middle is None:
        return False
    return position.setting.sling_over_hq == "yes" or position.setting.ground.terrain[middle] < HQ


def owners(seat: int, of: str) -> tuple[int, ...]:
    """The seats that a card means by self, enemy or any."""
    return {"self": (seat,), "enemy": (1 - seat,), "any": (0, 1)}[of]


def less(cards: bytes, card: int) -> bytes:
    """Cards without one of a kind."""
    return cards.replace(bytes((card,)), b"", 1)


def more(cards: bytes, *new: int) -> bytes:
    """Cards with some more, sorted."""
    return bytes(sorted((*cards, *new)))


def put(pair: tuple[T, T], seat: int, value: T) -> tuple[T, T]:
    """A pair with another value for one seat."""
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def on(units: bytes, changes: Iterable[tuple[int, int]]) -> bytes:
    """The units with other codes on some fields."""
    after = bytearray(units)
    for field, unit in changes:
        after[field] = unit
    return bytes(after)


def _fields(units: bytes, codes: frozenset[int]) -> list[int]:
    """The fields with one of these codes."""
    return [found.start() for found in _any_of(codes).finditer(units)] if codes else []


@cache
def _any_of(codes: frozenset[int]) -> re.Pattern[bytes]:
    """A pattern for one of these codes: a search for it is much quicker than a loop over fields."""
    return re.compile(b"[" + re.escape(bytes(sorted(codes))) + b"]")


@cache
def _codes(seat: int, group: str) -> frozenset[int]:
    return frozenset(code(seat, KINDS.index(kind)) for kind in GROUPS[group])


PATTERNS: dict[str, tuple[Axial, ...]] = {
    "line3": ((0, 0), (1, 0), (2, 0)),
    "gap2": ((0, 0), (2, 0)),
    "triangle": ((0, 0), (1, 0), (0, 1)),
    "chevron": ((0, 0), (1, 0), (0, -1)),
}
"""Formations as fields from the first one, matched in all six turns (KDH-3.17 to 3.19); `skirmish`
is what the option of that name says (A14)."""
FORMATIONS = (*PATTERNS, "skirmish")
"""Those that every box knows."""


@cache
def _shapes(pattern: str, skirmish: str) -> tuple[tuple[Axial, ...], ...]:
    """A pattern in all six turns."""
    if pattern == "skirmish":
        names = ("triangle", "chevron") if skirmish == "either" else (skirmish,)
        return tuple(shape for name in names for shape in _shapes(name, skirmish))
    return turned(PATTERNS[pattern])


@cache
def turned(shape: tuple[Axial, ...]) -> tuple[tuple[Axial, ...], ...]:
    """Fields in all six turns, seen from the first one."""
    (q, r), shapes = shape[0], [shape]
    shapes[0] = tuple((dq - q, dr - r) for dq, dr in shape)
    for _ in range(5):
        shapes.append(tuple((-r, q + r) for q, r in shapes[-1]))
    return tuple(shapes)

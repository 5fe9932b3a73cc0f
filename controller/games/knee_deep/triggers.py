"""What companions do by themselves: when, in which order, and how often.

What is set off waits in the queue until all that was begun before is done. Of what one thing sets
off, that of whose turn it is comes first; of a side in the order of its companions, then as it is
written. Each has a limit, so that what sets itself off, or each other, comes to an end.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from hexboard.games.knee_deep import limits
from hexboard.games.knee_deep.cards import TYPES, Companion, Trigger, joined, said
from hexboard.games.knee_deep.conditions import units
from hexboard.games.knee_deep.state import CHECK, NAMES, NOBODY, WAR, PendingStep, State, owners
from hexboard.games.knee_deep.values import GROUPS
from hexboard.words import Message, message

OF_UNITS = {
    "knee_deep.scrapped": "destroyed",
    "knee_deep.sets": "placed",
    "knee_deep.places": "placed",
    "knee_deep.revives": "placed",
    "knee_deep.moves": "moved",
}
"""What happens to a unit, by the event that tells it."""
OF_SIDES = {
    "knee_deep.plays": "card_played",
    "knee_deep.marks": "marked",
    "knee_deep.wins_war": "war_won",
}
"""What a side does, by the event that tells it."""
TURNS = {"power_up": "turn_begins", "exhaust": "turn_ends"}
"""What of a turn begins with a phase."""
WARS = {"lay": "war_begins", "resolve": "war_counts"}
"""What of a war begins with a phase."""
UNASKED = (*WARS.values(), "war_ends")
"""Moments of both sides alike: nobody's turn, unit or card."""
Moment = tuple[str, int, str]
"""What happens, to whom (nobody for both sides alike), and with which unit."""


def caused(before: State, after: State) -> State:
    """The state after a step, with what it sets off at the end of the queue."""
    if not after.setting.box.triggers or after.winner != NOBODY:
        return after
    there = [*_all(after)]
    found = [
        PendingStep(seat, number, CHECK)
        for moment in _moments(before, after)
        for seat, number, trigger in there
        if _meant(trigger, seat, moment) and limits.reached(after, seat, number, trigger) is None
    ]
    return replace(after, queue=(*after.queue, *found)) if found else after


def _all(state: State) -> Iterator[tuple[int, int, Trigger]]:
    """The triggers of all chosen companions in their order, with seat and number."""
    for seat in (state.active, 1 - state.active):
        for type in state.companions[seat]:
            for k, trigger in enumerate(state.companion(seat, type).triggers, 1):
                yield seat, numbered(type, k), trigger


def numbered(type: int, k: int) -> int:
    """The number in a step of the ability (0) or of a trigger (from 1) of a companion."""
    return -1 - type - len(TYPES) * k


def type_of(number: int) -> tuple[int, int]:
    """The inverse: a companion's type, and which of its triggers."""
    k, type = divmod(-1 - number, len(TYPES))
    return type, k


def _moments(before: State, after: State) -> Iterator[Moment]:
    """What happened in a step, first things first."""
    for event in after.events[len(before.events) :]:
        values = dict(event.values)
        if event.key in OF_UNITS:
            yield OF_UNITS[event.key], NAMES.index(str(values["seat"])), str(values["unit"])
        elif event.key in OF_SIDES:
            yield OF_SIDES[event.key], NAMES.index(str(values["seat"])), ""
    if before.phase == after.phase:
        return
    if before.phase in WAR and after.phase not in WAR:
        yield "war_ends", NOBODY, ""
    if after.phase in WARS:
        yield WARS[after.phase], NOBODY, ""
    if after.phase in TURNS:
        yield TURNS[after.phase], after.active, ""


def _meant(trigger: Trigger, seat: int, moment: Moment) -> bool:
    on, of, unit = moment
    if trigger.on != on or (of != NOBODY and of not in owners(seat, trigger.of)):
        return False
    return not unit or unit in GROUPS[trigger.unit]


def faces(companion: Companion) -> Iterator[Message]:
    """All that there is to say of what a companion can do, or does by itself."""
    if companion.ability:
        yield companion.ability.face(companion.id)
    for it in companion.triggers:
        by, when = companion.id, _when(it)
        head = message("knee_deep.trigger", card=it.title, companion=by, when=when)
        yield joined(head, *said(it, it.in_war))
    for passive in companion.passives:
        head = message("knee_deep.passive", card=passive.title, companion=companion.id)
        needs = (condition.sentence(passive.in_war) for condition in passive.conditions)
        yield joined(head, *needs, passive.gives)


def _when(trigger: Trigger) -> Message:
    on = trigger.on
    if on in UNASKED:
        return message(f"knee_deep.when_{on}")
    if on in OF_UNITS.values():
        return message(f"knee_deep.when_{trigger.on}", what=units(1, trigger.unit, trigger.of))
    return message(f"knee_deep.when_{on}_{trigger.of}")

"""Triggers of a box that set each other off, or themselves: each has a limit, so that they end."""

from collections.abc import Iterator
from itertools import product

from hexboard.files import Path_, Source
from hexboard.games.knee_deep.cards import Clause, Trigger, joined
from hexboard.games.knee_deep.choices import Damage, Destroy, PlaceUnits, Relocate, Walk
from hexboard.games.knee_deep.entries import BoxFile
from hexboard.games.knee_deep.loops import Loop
from hexboard.games.knee_deep.state import owners
from hexboard.games.knee_deep.values import FACTIONS, GROUPS
from hexboard.words import Message

Place = tuple[int, int]
"""A companion of the file, and which of its triggers."""


def circles(source: Source, entry: BoxFile) -> Iterator[Message]:
    """A sentence for each circle of triggers, where its first one stands. Left out is what people
    do by hand, for nobody knows what that will be, and what has no limit, which is a mistake."""
    triggers: dict[Place, Trigger] = {
        (k, j): trigger
        for k, companion in enumerate(entry.companions)
        for j, trigger in enumerate(companion.triggers)
        if trigger.limit.says and source.complete(_path((k, j)))
    }
    seat = {place: FACTIONS.index(entry.companions[place[0]].faction) for place in triggers}
    after: dict[Place, list[Place]] = {place: [] for place in triggers}
    for one, other in product(triggers, repeat=2):
        if _feeds(triggers[one], seat[one], triggers[other], seat[other]):
            after[one].append(other)
    told: set[frozenset[Place]] = set()
    for place in triggers:
        circle = _circle(place, after, seat)
        if circle and {*circle} not in told:
            told.add(frozenset(circle))
            yield _said(source, circle, triggers)


def _path(place: Place) -> Path_:
    return ("companions", place[0], "triggers", place[1])


def _said(source: Source, circle: list[Place], triggers: dict[Place, Trigger]) -> Message:
    first, at = triggers[circle[0]], _path(circle[0])
    limit = joined(*first.limit.says)
    if len(circle) == 1:
        return source.mistake("knee_deep.sets_itself_off", at, name=first.title, limit=limit)
    titles = [f"“{triggers[place].title}”" for place in (*circle, circle[0])]
    chain = " → ".join(titles)
    return source.mistake(
        "knee_deep.set_each_other_off", at, name=first.title, chain=chain, limit=limit
    )


def _circle(start: Place, after: dict[Place, list[Place]], seat: dict[Place, int]) -> list[Place]:
    """The shortest way from a trigger back to itself, with no more than two companions of a side;
    empty where there is none."""
    ways, seen = [[start]], {start}
    for way in ways:  # it grows: nearer ones first
        for place in after[way[-1]]:
            if place == start:
                return way
            if place not in seen and _together([*way, place], seat):
                seen.add(place)
                ways.append([*way, place])
    return []


def _together(way: list[Place], seat: dict[Place, int]) -> bool:
    """Whether their companions can all be in one game (KDH-3.1)."""
    return all(len({place[0] for place in way if seat[place] == side}) <= 2 for side in (0, 1))


def _feeds(one: Trigger, seat: int, other: Trigger, its_seat: int) -> bool:
    """Whether something that a trigger does can be what sets another one off."""
    return any(
        other.on == on
        and {*GROUPS[unit]} & {*GROUPS[other.unit]}
        and {*owners(seat, of)} & {*owners(its_seat, other.of)}
        for effect in one.effects
        for on, unit, of in _causes(effect)
    )


def _causes(effect: Clause) -> Iterator[tuple[str, str, str]]:
    """What happens by an effect: the moment, to which units, and whose."""
    match effect:
        case Loop(parts=parts):
            for part in parts:
                yield from _causes(part)
        case PlaceUnits():
            yield "placed", effect.unit, "self"
        case Relocate() | Walk():
            yield "moved", effect.unit, effect.of
        case Destroy() | Damage():
            yield "destroyed", effect.unit, effect.of

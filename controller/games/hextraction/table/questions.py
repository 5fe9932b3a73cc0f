"""Questions: what people are asked of balls and tiles when no reading of the sensors is enough.

Each is a sentence and its answers; the first answer is what *play on* takes.
"""

from collections.abc import Iterable
from itertools import islice

from hexboard.board import CellId
from hexboard.games.hextraction.rules.actions import (
    Action,
    Choose,
    Fell,
    Goal,
    Gone,
    Off,
    Resolve,
    Rest,
)
from hexboard.games.hextraction.rules.position import Hextraction
from hexboard.games.hextraction.rules.state import Placed
from hexboard.games.hextraction.table import sight
from hexboard.games.hextraction.tiles.catalogue import UNREGISTERED
from hexboard.games.hextraction.tracking.outcome import Judged, RollOutcome
from hexboard.table.view import Choice
from hexboard.words import Message, Said, message

MOST = 6
"""Readings that are offered at most."""

WAITS = "table.waits", "table.waits_stormy"
"""What is asked while a roll waits for who is not heard."""
ODD = "table.odd_more", "table.odd_gone", "table.odd_moved"
"""What is asked of balls that a camera sees otherwise than is known."""
OF_BALLS = ("table.where", "table.which", "table.lay", "table.felt_more", *WAITS, *ODD)
"""What is asked of balls: where they lie is an answer to it."""

Question = tuple[Message, tuple[Choice, ...]]
VOID = Choice("void", message("table.answer_void", "0.5.8"))


def where(position: Hextraction, ball: int, last: str, ends: Iterable[Action]) -> Question:
    """Where a ball is, that was last seen there; it may be gone."""
    actions = dict.fromkeys((*ends, Gone(ball)))
    choices = (Choice(position.name(action), _where(action)) for action in actions)
    return message("table.where", ball=ball, last=last), (*choices, VOID)


def cup(position: Hextraction, ball: int, zone: str) -> Choice:
    """That a ball lies in an end zone."""
    return Choice(position.name(Goal(ball, zone)), _where(Goal(ball, zone)))


def which(judged: list[Judged]) -> Question:
    """Which reading is true: `reading 1` and on, in this order."""
    fired = len({one.ruling.fired for one in judged}) > 1
    choices = (
        Choice(f"reading {n}", reading(one.ruling, fired)) for n, one in enumerate(judged[:MOST], 1)
    )
    return message("table.which"), (*choices, VOID)


def dropped(slot: CellId) -> Question:
    """Whether a tile came out in a roll: a switch alone never destroys one."""
    drop = Choice(f"drop {slot}", message("table.answer_dropped", "2.4.3"))
    stays = Choice(f"stays {slot}", message("table.answer_stays"))
    return message("table.dropped", "2.4.3", slot=slot), (drop, stays, VOID)


def fallen(slot: CellId) -> Question:
    """Whether a tile fell out between rolls: somebody may well have lifted it."""
    drop = Choice(f"drop {slot}", message("table.answer_dropped", "2.4.3"))
    lifted = Choice(f"lifted {slot}", message("table.answer_lifted"))
    return message("table.fallen", "2.4.3", slot=slot), (drop, lifted)


def too_many(count: int) -> Question:
    """Whether a roll counts that gave too many signs to tell a ball from noise."""
    return message("table.storm", count=count), (
        Choice("settle", message("table.answer_settle")),
        VOID,
    )


def waits(source: str, stormy: bool) -> Question:
    """What to do with a roll of which a part cannot be heard: else it waits for the source, or for
    the storm to pass."""
    seen = Choice("as seen", message("table.answer_as_seen"))
    if stormy:
        return message("table.waits_stormy"), (seen, VOID)
    return message("table.waits", source=source), (seen, VOID)


def stormed(first: int, count: int) -> Question:
    """Whether what was entered while the sensors made no sense counts, from entry `first` on."""
    return message("table.stormed", count=count), (
        Choice(f"back {first}", message("table.answer_stormed_back")),
        Choice("stays so", message("table.answer_stormed_stays")),
    )


def turned(slot: CellId, ways: Iterable[Placed]) -> Question:
    """How the tile of a slot lies: as shown, the first of the `ways`; or in another of them."""
    some = islice(ways, MOST)
    choices = (
        Choice(f"lies {slot} {way.tile} {way.rotation}", _way(way, n == 0))
        for n, way in enumerate(some)
    )
    unknown = Choice(f"lies {slot} {UNREGISTERED.id} 0", message("table.answer_lies_unknown"))
    return message("table.turned", slot=slot), (*choices, unknown, VOID)


def _way(way: Placed, shown: bool) -> Message:
    key = "table.answer_as_shown" if shown else "table.answer_lies"
    return message(key, tile=way.tile, rotation=way.rotation)


def laid(ball: int, place: str) -> Question:
    """Whether a ball lies where an effect has people lay it."""
    done = Choice("laid", message("table.answer_laid"))
    return message("table.lay", "2.3.1", ball=ball, place=place), (done,)


def odd(position: Hextraction, more: tuple[str, ...], fewer: tuple[str, ...]) -> Question:
    """Of the first ball that a camera sees where none is known, or where one is known does not."""
    place, gone = more[0] if more else "-", fewer[0] if fewer else ""
    ball = next((ball.id for ball in position.balls if ball.place == gone), 0)
    ball = ball or position.next_ball
    at, known = _at(place), _at(gone)
    if not fewer:
        text = message("table.odd_more", place=at)
        answer = message("table.answer_odd_more", place=at)
    elif not more:
        text = message("table.odd_gone", ball=ball, known=known)
        answer = message("table.answer_odd_gone", ball=ball)
    else:
        text = message("table.odd_moved", ball=ball, place=at, known=known)
        answer = message("table.answer_odd_moved", ball=ball, place=at)
    right = Choice("as known", message("table.answer_as_known"))
    return text, (Choice(f"ball {ball} {place}", answer), right)


def felt(position: Hextraction, place: str) -> Question:
    """Of a ball that a sensor feels after a restart, where none is known."""
    at = _at(place)
    lies = message("table.answer_odd_more", place=at)
    none = Choice("as known", message("table.answer_felt_none"))
    ball = Choice(f"ball {position.next_ball} {place}", lies)
    return message("table.felt_more", place=at), (ball, none)


def stray(ball: int, place: str) -> Message:
    """That a ball which nobody was to roll is known no more."""
    return message("table.stray", ball=ball, place=_at(place))


def _at(place: str) -> Said:
    """A ball's place in words."""
    zone = place.removeprefix(sight.ZONE)
    return message("table.in_zone", zone=zone) if zone != place else place


def choices(position: Hextraction, actions: Iterable[Resolve | Choose]) -> tuple[Choice, ...]:
    """What the rules let somebody choose now."""
    return tuple(Choice(position.name(action), position.label(action)) for action in actions)


def _where(action: Action) -> Message:
    match action:
        case Rest(_, place):
            return message("table.answer_rest", place=place)
        case Fell(_, slot):
            return message("table.answer_fell", slot=slot)
        case Off(_, slot, edge):
            return message("table.answer_off", slot=slot, edge=edge)
        case Goal(_, zone):
            return message("table.answer_goal", zone=zone)
    return message("table.answer_gone")


def reading(ruling: RollOutcome, fired: bool) -> Message:
    """A reading, in what it comes to; with what was set off, if that is in question."""
    if not ruling.rolled:
        return message("table.answer_no_roll")
    lost, rests = ", ".join(ruling.lost) or "-", ", ".join(ruling.rests) or "-"
    if fired:
        off = ", ".join(" ".join(area) for area in ruling.fired) or "-"
        if ruling.win:
            return message("table.answer_fired_win", "2.6.1", fired=off)
        return message("table.answer_fired", "2.6.1", fired=off, lost=lost, rests=rests)
    if ruling.win:
        return message("table.answer_win", "2.1.5.2")
    return message("table.answer_reading", "2.1.5", lost=lost, rests=rests)

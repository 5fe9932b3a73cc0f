"""What of facts and effects everybody may know, in a game whose cards hexboard dealt.

The table itself knows all of it. What is written in a recording's public part, and everything made
of that, is what these functions leave.
"""

from msgspec.structs import replace

from controller.effects import Commit, Effect, Refuse
from controller.errors import HexboardError
from controller.facts import Declare, Fact, Resume, Ruling, Seal
from controller.games.position import encode_entry, heard, public
from controller.table.core import Table
from controller.words import message

HIDDEN = "?"
"""Stands for what was said and refused: which card a side could not play tells of its hand."""


def heard_fact(table: Table, fact: Fact) -> Fact:
    """A fact as everybody may hear it, before the table steps on it."""
    match fact.body:
        case Seal() as seal:
            return replace(fact, body=_closed(seal))
        case Resume(start, _, seal):
            entries = tuple(encode_entry(entry).decode() for entry in table.match.heard)
            return replace(fact, body=Resume(start, entries, seal and _closed(seal)))
        case Declare(seat, action) if table.private:
            return replace(fact, body=Declare(seat, _heard(table, seat, action)))
        case Ruling(do, who, why) if table.private and do.startswith("position "):
            return replace(fact, body=Ruling(_ruled(table, do), who, why))
    return fact


def _closed(seal: Seal) -> Seal:
    return Seal(seal.commitment, seal.deck)


def _heard(table: Table, seat: int, name: str) -> str:
    position = table.position
    try:
        action = position.action(name)
    except HexboardError:
        return HIDDEN
    if position.refusal(action) or seat not in (-1, position.actor(action)):
        return HIDDEN
    return heard(position, action)


def _ruled(table: Table, do: str) -> str:
    try:
        return f"position {public(table.parse(do.removeprefix('position ')))}"
    except HexboardError:
        return f"position {HIDDEN}"


def heard_effects(table: Table, effects: list[Effect], private: bool) -> list[Effect]:
    """The effects of a step as everybody may hear them; `private`: it was so before the step."""
    return [_heard_effect(table, effect, private) for effect in effects]


def _heard_effect(table: Table, effect: Effect, private: bool) -> Effect:
    match effect:
        case Commit(first, entries):
            told = table.match.heard[first : first + len(entries)]
            texts = tuple(encode_entry(entry).decode() for entry in told)
            return Commit(first, texts, str(table.public))
        case Refuse(_, to) if private:
            return Refuse(message("table.hidden_refused"), to)
    return effect

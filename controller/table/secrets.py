"""What of facts and effects everybody may know, in a game whose cards hexboard dealt.

The table itself knows all of it. What is written in a recording's public part, and everything made
of that, is what these functions leave.
"""

from msgspec.structs import replace

from hexboard.facts import Declare, Fact, Resume, Ruling, Seal
from hexboard.game.match import encode_entry
from hexboard.game.position import Action
from hexboard.table.effects import Commit, Effect, Refuse
from hexboard.table.ledger import Ledger
from hexboard.words import message
from hexboard.words.errors import HexboardError

HIDDEN = "?"
"""Stands for what was said: which card a side could not play, or not yet, tells of its hand, and so
does a position that cannot be beside it. The commit tells what was played or set."""


SETS = ("position ", "problem position ")
"""Before the text of a position that people set."""


def heard_fact(ledger: Ledger[Action], fact: Fact) -> Fact:
    """A fact as everybody may hear it, before the table steps on it: the very object where nothing
    of it is hidden."""
    match fact.body:
        case Seal() as seal:
            return replace(fact, body=_closed(seal))
        case Resume(seal=seal) as resume:
            entries = tuple(encode_entry(entry).decode() for entry in ledger.match.heard)
            heard = replace(resume, entries=entries, seal=seal and _closed(seal))
            return fact if heard == fact.body else replace(fact, body=heard)
        case Declare() as said if ledger.private:
            return replace(fact, body=replace(said, action=HIDDEN))
        case Ruling() as ruling if ledger.private and ruling.do.startswith(SETS):
            return replace(fact, body=replace(ruling, do=f"{_word(ruling)}{HIDDEN}"))
    return fact


def was_heard(ledger: Ledger[Action], fact: Fact, heard: Fact) -> bool:
    """Whether a fact could be heard like this. Earlier versions hid no move that everybody sees,
    and of a position that is set the hands alone."""
    match fact.body, heard.body:
        case Declare(_, name) as said, Declare(_, action) if ledger.private:
            known = action in (HIDDEN, _named(ledger, name))
            return known and replace(fact, body=replace(said, action=action)) == heard
        case Ruling() as ruling, Ruling(do) if ledger.private and do == _shown(ledger, ruling):
            return replace(fact, body=replace(ruling, do=do)) == heard
    return heard_fact(ledger, fact) == heard


def is_whole(ledger: Ledger[Action], heard: Fact) -> bool:
    """Whether nothing was hidden of what was heard."""
    match heard.body:
        case Declare(_, action) if ledger.private:
            return HIDDEN not in action
        case Ruling(do) as ruling if ledger.private and do.startswith(SETS):
            return do == _shown(ledger, ruling) != f"{_word(ruling)}{HIDDEN}"
    return heard_fact(ledger, heard) == heard


def _closed(seal: Seal) -> Seal:
    return replace(seal, seed="", salt="")


def _named(ledger: Ledger[Action], name: str) -> str:
    """How earlier versions let everybody hear a move that the rules allow."""
    try:
        return ledger.game.heard(ledger.position, ledger.position.action(name))
    except HexboardError:
        return HIDDEN


def _word(ruling: Ruling) -> str:
    """Before the position that somebody sets; "" where nobody does."""
    return next((word for word in SETS if ruling.do.startswith(word)), "")


def _shown(ledger: Ledger[Action], ruling: Ruling) -> str:
    """How earlier versions let everybody hear what somebody ruled."""
    word = _word(ruling)
    if not word:
        return ruling.do
    try:
        ruled = ledger.parse(ledger.ruled(ruling.do.removeprefix(word)))
        return f"{word}{ledger.game.public(ruled)}"
    except HexboardError:
        return f"{word}{HIDDEN}"


def heard_effects(ledger: Ledger[Action], effects: list[Effect], private: bool) -> list[Effect]:
    """The effects of a step as everybody may hear them; `private`: it was so before the step."""
    return [_heard_effect(ledger, effect, private) for effect in effects]


def _heard_effect(ledger: Ledger[Action], effect: Effect, private: bool) -> Effect:
    match effect:
        case Commit(first, entries):
            told = ledger.match.heard[first : first + len(entries)]
            texts = tuple(encode_entry(entry).decode() for entry in told)
            return Commit(first, texts, ledger.text(ledger.public))
        case Refuse(_, to) if private:
            return Refuse(message("table.hidden_refused"), to)
    return effect

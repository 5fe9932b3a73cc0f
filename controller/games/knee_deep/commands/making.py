"""Making: a box asked for in the terminal, card by card, each said in words as it grows.

What an effect or a condition can say comes from its own struct: so many questions as it has fields
that mean something, and no others. Whether it is right says what looks a box over (`lint`).
"""

from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import click
import msgspec
from msgspec import NODEFAULT, Meta
from msgspec.structs import FieldInfo, fields

from hexboard.commands.stopping import ended
from hexboard.files import Source
from hexboard.games.knee_deep.cards import Clause
from hexboard.games.knee_deep.commands import asking
from hexboard.games.knee_deep.commands.asking import refused, told
from hexboard.games.knee_deep.commands.writing import (
    COMPANIONS,
    Draft,
    box_text,
    card_text,
    full,
    id_of,
)
from hexboard.games.knee_deep.conditions import EVER, AnyCondition, Condition, Formation, Role
from hexboard.games.knee_deep.effects import Effect
from hexboard.games.knee_deep.entries import AnyEffect, CardEntry
from hexboard.games.knee_deep.lint import MOST, MOST_CARDS, looked_over
from hexboard.games.knee_deep.state import FORMATIONS
from hexboard.games.knee_deep.unusual import idle_keys
from hexboard.words import Message, message, say

MOST_NEW = MOST_CARDS - 24
"""Beside all of ours."""
COPIES = 2
"""Of a card in every deck."""
MOST_NEUTRAL = 2 * MOST
EVERY = "every"
"""The word for the deck of both sides."""
LONGEST = 400
"""Letters of what people do by hand."""
LAST = ("negate", "optional")
SAMPLES: dict[str, Any] = {"pattern": FORMATIONS[0], "text": "…"}
"""What stands for a field until it is asked for, where its type does not say."""


def made(name: str) -> str:
    """The text of a new box. Raises `click.Abort` where people want none."""
    told(message("knee_deep.new_intro"))
    title = asking.line(message("knee_deep.new_title"), name.replace("_", " ").capitalize())
    count = asking.number(message("knee_deep.new_count"), 1, MOST_NEW, 1)
    cards: list[Draft] = []
    try:
        while len(cards) < count:
            told(message("knee_deep.new_card", number=len(cards) + 1, count=count))
            card = _card(cards)
            told(_face(card))
            if asking.sure(message("knee_deep.new_keep"), True):
                cards.append(card)
    except click.Abort as error:
        click.echo()
        if (
            not cards
            or ended(error)
            or not asking.sure(message("knee_deep.new_so_far", count=len(cards)), False)
        ):
            raise
    return box_text(name, title, cards)


def _card(others: list[Draft]) -> Draft:
    """One card, asked for from its kind to its limits."""
    kind = asking.choice(message("knee_deep.new_kind"), ("war", "action"), "war")
    title = _title(others)
    card = Draft(id_of(title, others), title, kind)
    if kind == "war":
        card.numbers["combat"] = asking.number(message("knee_deep.new_combat"), 0, MOST, 1)
    else:
        for key, default in (("material", 1), ("energy", 0)):
            card.numbers[key] = asking.number(message(f"knee_deep.new_{key}"), 0, MOST, default)
    _deck(card, others)
    told(_face(card))
    _clauses(card, card.conditions, AnyCondition, "condition", may_be_none=True)
    bare = kind == "war" and card.numbers["combat"] > 0
    _clauses(card, card.effects, AnyEffect, "effect", may_be_none=bare)
    spans = ("game",) if kind == "war" else ("turn", "game")
    for span in spans:
        if often := asking.number(message(f"knee_deep.new_{span}"), 0, MOST, 0):
            card.limit[span] = often
    return card


def _title(others: list[Draft]) -> str:
    while True:
        title = asking.line(message("knee_deep.new_card_title"))
        if title.casefold() not in {card.title.casefold() for card in others}:
            return title
        refused(message("knee_deep.new_title_twice", name=title))


def _deck(card: Draft, others: list[Draft]) -> None:
    """Where it belongs: every deck, with so many copies, or a companion's."""
    while True:
        deck = asking.choice(message("knee_deep.new_deck"), (EVERY, *COMPANIONS), EVERY)
        if deck == EVERY:
            card.neutral = asking.number(message("knee_deep.new_copies"), 1, COPIES, 1)
            count = card.neutral + sum(other.neutral for other in others)
            if count <= MOST_NEUTRAL:
                return
            card.neutral = 0
            refused(message("knee_deep.new_deck_full", count=count, most=MOST_NEUTRAL))
            continue
        if not full(deck, card.kind, others):
            card.companion = deck
            return
        refused(message("knee_deep.new_full", companion=deck, what=card.kind))


def _face(card: Draft) -> Message:
    """All that stands on a card so far."""
    return msgspec.convert(card.table, CardEntry).face


# ------------------------------------------------------------------------------------- clauses


def _clauses(card: Draft, into: list[Any], kind: Any, what: str, may_be_none: bool) -> None:
    """Conditions, or effects, one after the other; after each one the card is told."""
    known = _by_name(kind, card.kind == "war")
    while True:
        key = f"knee_deep.new_{what}" if not into else f"knee_deep.new_{what}_more"
        table = _clause(message(key), known, card.kind == "war", may_be_none or bool(into))
        if not table:
            return
        into.append(table)
        wrong, unusual = _looked_over(card)
        if wrong:
            into.pop()
            for why in wrong:
                click.echo(f"  {why}")
        else:
            for why in unusual:
                click.echo(f"  {why}")
            told(_face(card))


def _by_name(kind: Any, war: bool) -> dict[str, type[Clause]]:
    """Each kind of clause by its name; those of a war on war cards alone."""
    found = {str(it.__struct_config__.tag): it for it in get_args(kind)}
    return {name: it for name, it in found.items() if war or not _of_war(it)}


def _of_war(kind: type[Clause]) -> bool:
    return kind in (Formation, Role) or (issubclass(kind, Effect) and kind.war)


def _clause(
    question: Message, known: dict[str, type[Clause]], war: bool, may_end: bool
) -> dict[str, Any]:
    """One of these, with the fields that it has; {} for none."""
    says = {name: _sample(kind, war) for name, kind in known.items()}
    name = asking.listed(question, says, may_end)
    if not name:
        return {}
    kind = known[name]
    table: dict[str, Any] = {str(kind.__struct_config__.tag_field): name}
    hints = get_type_hints(kind, include_extras=True)
    for field in sorted(fields(kind), key=_place):
        if _means_something(kind, table, field):
            value = _value(field, hints[field.name], war)
            if field.required or value != field.default:
                table[field.encode_name] = value
    return table


def _place(field: FieldInfo) -> int:
    """What must be said first, what turns all of it round last."""
    return 2 if field.name in LAST else int(not field.required)


def _sample(kind: type[Clause], war: bool) -> str:
    """What one says of which nothing is known yet."""
    counts = {"least": 2} if any(field.name == "most" for field in fields(kind)) else {}
    return say(_filled(kind, counts if issubclass(kind, Condition) else {}).sentence(war))


def _filled(kind: type[Clause], table: dict[str, Any]) -> Clause:
    """One of these fields, and something for each that it needs beside them."""
    hints = get_type_hints(kind, include_extras=True)
    needed = {
        field.encode_name: _some(field.name, hints[field.name])
        for field in fields(kind)
        if field.required
    }
    return msgspec.convert(needed | table, kind)


def _some(name: str, hint: Any) -> Any:
    """A value of a field."""
    if name in SAMPLES:
        return SAMPLES[name]
    if parts := _parts(hint):
        first = next(iter(_by_name(parts, war=False).values()))
        one = msgspec.to_builtins(_filled(first, {}))
        return [one, one]
    if words := _words(hint):
        return words[0]
    return _bounds(hint)[0]


def _means_something(kind: type[Clause], table: dict[str, Any], field: FieldInfo) -> bool:
    """Whether a field would change anything beside those that were answered."""
    if field.required or not issubclass(kind, Effect):
        return True
    effect = _filled(kind, {key: value for key, value in table.items() if key != "do"})
    asked = table | {field.encode_name: field.default or True}
    assert isinstance(effect, Effect)
    return field.encode_name not in {*idle_keys(effect, asked)}


def _value(field: FieldInfo, hint: Any, war: bool) -> Any:
    """The answer for one field, of its own type."""
    question = message(f"knee_deep.new_field_{field.name}")
    if parts := _parts(hint):
        return _several(parts, question, least=1 + (field.encode_name == "if"), war=war)
    default = None if field.default is NODEFAULT else field.default
    if hint is bool:
        return asking.sure(question, bool(default))
    if field.name == "pattern":
        return asking.choice(question, FORMATIONS, FORMATIONS[0])
    if words := _words(hint):
        nothing = say(message("knee_deep.new_nothing"))
        offered = (nothing, *words) if default == "" else words
        word = asking.choice(question, offered, str(default or offered[0]))
        return "" if default == "" and word == nothing else word
    if field.name == "text":
        return asking.line(question, most=LONGEST)
    least, most = _bounds(hint)
    first = default if isinstance(default, int) else least
    return asking.number(question, least, most, first)


def _several(kinds: Any, question: Message, least: int, war: bool) -> list[dict[str, Any]]:
    """The parts of a clause that holds others: at least so many."""
    known, found = _by_name(kinds, war), list[dict[str, Any]]()
    while table := _clause(question, known, war, may_end=len(found) >= least):
        found.append(table)
    return found


def _parts(hint: Any) -> Any:
    """The kinds of clause that a list holds; None for what is no list of them."""
    return get_args(hint)[0] if get_origin(hint) is tuple else None


def _words(hint: Any) -> tuple[str, ...]:
    """The words of a `Literal`, or of several."""
    found: list[str] = []
    for it in (hint, *get_args(hint)):
        found += [word for word in get_args(it) if isinstance(word, str) and word]
    return tuple(dict.fromkeys(found))


def _bounds(hint: Any) -> tuple[int, int]:
    """The least and the most of a number."""
    metas = [it for it in get_args(hint) if isinstance(it, Meta)] or [Meta(ge=0, le=EVER)]
    return int(metas[0].ge or 0), int(metas[0].le or EVER)


def _looked_over(card: Draft) -> tuple[list[str], list[str]]:
    """What is wrong with a card by itself, and what is unusual."""
    source = Source(Path("box.toml"), card_text(card))
    found = looked_over(source)
    return (_reasons(found.mistakes), _reasons(found.unusual))


def _reasons(said: list[Message]) -> list[str]:
    """Those of the card's own parts, without a file and a line that nobody has written."""
    own = (it for it in said if str(dict(it.values)["path"]).startswith("cards[1]."))
    return [say(it).split(": ", 2)[2] for it in own]

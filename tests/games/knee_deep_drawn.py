"""Boxes of Knee Deep in Hexes whose cards are drawn at random from all that the language has."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct
from msgspec.structs import fields

from hexboard.files import Source
from hexboard.games import knee_deep
from hexboard.games.knee_deep.conditions import AnyCondition
from hexboard.games.knee_deep.entries import AnyEffect, TriggerEntry
from hexboard.games.knee_deep.lint import looked_over
from hexboard.games.knee_deep.passives import AnyPassive
from hexboard.games.knee_deep.state import FORMATIONS

HOUSE = Path(knee_deep.__file__).parent / "cards" / "house.toml"
MOST = 5
"""The largest number that is drawn: more is hardly ever possible."""


def box(random: Random) -> str:
    """The text of the house box with other conditions, effects and limits on each of its cards, and
    with abilities, triggers and passives, without a mistake that `cards check` would name."""
    head, *cards = HOUSE.read_text("utf-8").split("[[cards]]\n")
    head, *companions = head.split("[[companions]]\n")
    for k, companion in enumerate(companions):
        titles = [f"T{k}{n}" for n in range(random.choice((0, 1, 2)))]
        own = [until_sound("triggers", partial(trigger, random, title)) for title in titles]
        lasting = [until_sound("passives", partial(passive, random)) for _ in titles]
        more = f"triggers = [{', '.join(own)}]\npassives = [{', '.join(lasting)}]\n"
        if random.random() < 0.5:
            more += f"ability = {until_sound('ability', partial(ability, random, f'A{k}'))}\n"
        companions[k] = f"{more}{companion}"
    for k, card in enumerate(cards):
        lines = [line for line in card.splitlines() if not line.startswith(("#", " ", "]"))]
        kept = [line for line in lines if not line.startswith(("if =", "do ="))]
        cards[k] = until_sound("cards", partial(rewritten, random, kept))
    return "[[cards]]\n".join(["[[companions]]\n".join([head, *companions]), *cards])


def rewritten(random: Random, kept: list[str]) -> str:
    """A card of these lines, and what it says."""
    lines = [*kept, f"if = {toml(clauses(random, AnyCondition))}"]
    lines.append(f"do = {toml(clauses(random, AnyEffect))}")
    if random.random() < 0.4:
        lines.append(f"limit = {toml(limit(random, 'turn', 'game'))}")
    return "\n".join(lines) + "\n"


def trigger(random: Random, title: str) -> str:
    """A trigger, as one table."""
    values = {"title": title} | {
        key: drawn(random, get_type_hints(TriggerEntry)[key]) for key in ("on", "of", "unit")
    }
    said = {"if": clauses(random, AnyCondition)[:1], "do": clauses(random, AnyEffect)}
    most = {"limit": limit(random, "turn", "game")} if random.random() < 0.6 else {}
    return toml(values | said | most)


def ability(random: Random, title: str) -> str:
    """An ability, as one table."""
    values = {"title": title, "material": random.choice((0, 0, 1))}
    said = {"if": clauses(random, AnyCondition)[:1], "do": clauses(random, AnyEffect)}
    most = {"limit": limit(random, "turn", "game")} if random.random() < 0.6 else {}
    return toml(values | said | most)


def passive(random: Random) -> str:
    """A passive, as one table."""
    found = drawn(random, AnyPassive)
    return toml(found | {"if": clauses(random, AnyCondition)[:1]})


def limit(random: Random, *spans: str) -> dict[str, Any]:
    return {span: random.randint(1, 2) for span in spans if random.random() < 0.7}


COMPANION = """[[companions]]
id = "one"
faction = "gondwana"
type = "tech"
material = 1
energy = 1
hp = 1
cards = []
"""


def until_sound(what: str, make: Callable[[], str]) -> str:
    """The first of these in which nothing is wrong by itself."""
    place = "cards[1]" if what == "cards" else f"companions[1].{what}"
    while True:
        text = make()
        listed = text if what == "ability" else f"[{text}]"
        whole = f"[[cards]]\n{text}" if what == "cards" else f"{COMPANION}{what} = {listed}\n"
        found = looked_over(Source(Path("box.toml"), whole)).mistakes
        if not any(str(dict(it.values)["path"]).startswith(place) for it in found):
            return text


def clauses(random: Random, kind: Any) -> list[Any]:
    return [drawn(random, kind) for _ in range(random.choice((0, 1, 1, 2)))]


def drawn(random: Random, kind: Any) -> Any:
    """A value of a type, as a file has it."""
    origin, parts = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return table(random, kind)
    if origin is Literal:
        return random.choice(parts)
    if origin in (Union, UnionType):
        return drawn(random, random.choice(parts))
    if origin is tuple:
        return [drawn(random, parts[0]) for _ in range(2)]
    if kind is bool:
        return random.random() < 0.3
    if kind is str or (origin is Annotated and parts[0] is str):
        return "by hand"
    bounds = next((it for it in parts if isinstance(it, Meta)), Meta())
    return random.randint(max(-MOST, int(bounds.ge or 0)), MOST)


def table(random: Random, kind: type[Struct]) -> dict[str, Any]:
    config, hints = kind.__struct_config__, get_type_hints(kind, include_extras=True)
    found: dict[str, Any] = {str(config.tag_field): config.tag} if config.tag_field else {}
    for field in fields(kind):
        if field.required or random.random() < 0.4:
            pattern = field.name == "pattern"
            value = random.choice(FORMATIONS) if pattern else drawn(random, hints[field.name])
            if value != "":
                found[field.encode_name] = value
    return found


def toml(value: Any) -> str:
    """A value as TOML writes it in one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(it)}" for key, it in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return str(value).lower() if isinstance(value, bool | int) else f'"{value}"'

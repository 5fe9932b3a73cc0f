"""Boxes of Knee Deep in Hexes whose cards are drawn at random from all that the language has."""

from pathlib import Path
from random import Random
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct
from msgspec.structs import fields

from hexboard.files import Source
from hexboard.games import knee_deep
from hexboard.games.knee_deep.conditions import AnyCondition
from hexboard.games.knee_deep.entries import AnyEffect
from hexboard.games.knee_deep.lint import looked_over

HOUSE = Path(knee_deep.__file__).parent / "cards" / "house.toml"
MOST = 5
"""The largest number that is drawn: more is hardly ever possible."""


def box(random: Random) -> str:
    """The text of the house box with other conditions, effects and limits on each of its cards,
    without a mistake that `hexboard cards check` would name."""
    head, *cards = HOUSE.read_text("utf-8").split("[[cards]]\n")
    for k, card in enumerate(cards):
        lines = [line for line in card.splitlines() if not line.startswith(("#", " ", "]"))]
        kept = "\n".join(line for line in lines if not line.startswith(("if =", "do =")))
        while True:
            text = f"{kept}\nif = {toml(clauses(random, AnyCondition))}\n"
            text += f"do = {toml(clauses(random, AnyEffect))}\n"
            if random.random() < 0.4:
                text += f"limit = {toml(limit(random, 'turn', 'game'))}\n"
            cards[k] = text
            if sound(f"[[cards]]\n{text}"):
                break
    return "[[cards]]\n".join([head, *cards])


def limit(random: Random, *spans: str) -> dict[str, Any]:
    return {span: random.randint(1, 2) for span in spans if random.random() < 0.7}


def sound(card: str) -> bool:
    """Whether nothing is wrong with a card by itself."""
    found = looked_over(Source(Path("box.toml"), card)).mistakes
    return not any(str(dict(it.values)["path"]).startswith("cards[1]") for it in found)


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
            value = drawn(random, hints[field.name])
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

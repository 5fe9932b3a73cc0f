"""Names that people give themselves, as they can be shown anywhere."""

from collections.abc import Iterable, Mapping

from hexboard.words import ENGLISH, Message, Said, message, say

LONGEST_NAME = 40
"""Letters."""


def one_line(name: str) -> str:
    """A name without marks that turn or hide text, in one line of `LONGEST_NAME` letters."""
    shown = "".join(letter for letter in " ".join(name.split()) if letter.isprintable())
    return " ".join(shown.split())[:LONGEST_NAME].rstrip()


def called(seats: Iterable[Message], names: Iterable[str]) -> dict[str, str]:
    """What seats are called whose players gave a name ("" for none), by the English word that
    messages have for them. A name is isolated: its letters turn nothing around it."""
    shown = zip(seats, map(one_line, names), strict=False)
    return {say(seat, ENGLISH): isolated(name) for seat, name in shown if name}


def isolated(name: str) -> str:
    """A name whose letters turn nothing around it, and that is no word for a seat."""
    return f"\u2068{name}\u2069"


def alone(name: str) -> str:
    """A name that stands by itself, where nothing is around it: `isolated` is undone."""
    return name.removeprefix("\u2068").removesuffix("\u2069")


def naming(told: Message, names: Mapping[str, str]) -> Message:
    """A message with people's names where it has words for their seats, in messages within it
    too."""
    if not names:
        return told
    values = {name: _named(value, names) for name, value in told.values}
    return message(told.key, told.rule, **values)


def _named(value: Said, names: Mapping[str, str]) -> Said:
    seat = names.get(_english(value))
    if seat is None and isinstance(value, Message):
        return naming(value, names)
    return value if seat is None else seat


def _english(value: Said) -> str:
    return say(value, ENGLISH) if isinstance(value, Message) else str(value)

"""Names that people give themselves, and to files, as they can be shown anywhere."""

import os
from collections.abc import Collection, Iterable, Mapping
from itertools import chain, count
from pathlib import Path
from unicodedata import category, normalize

from hexboard.words import ENGLISH, Message, Said, languages, message, say

LONGEST_NAME = 40
"""Letters."""
JOINERS = "\u200c", "\u200d"
"""They part letters, as Persian has it, and join emoji to one."""
STYLES = "\ufe0e", "\ufe0f"
"""A sign as text, or as emoji."""
UNSEEN = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0))))
)
"""What is printed and cannot be seen: fillers, variants (Unicode's Default_Ignorable_Code_Point),
and the empty cell of braille."""


def name_of(path: Path) -> str:
    """A file's name as text: a byte of it that is none, as another system may have written it, is
    `\\xff`."""
    return os.fsencode(path.name).decode("utf-8", "backslashreplace")


def one_line(name: str) -> str:
    """A name without marks that turn or hide text, in one line of `LONGEST_NAME` letters; "" where
    nothing of it can be seen. What joins emoji, or letters, is kept between two."""
    shown = ""
    for letter in " ".join(name.split()):
        seen = shown[-1:] not in ("", " ", *JOINERS)
        if letter in JOINERS:
            shown += letter if seen else ""
        elif letter in STYLES:
            shown += letter if seen and shown[-1] not in STYLES else ""
        elif letter.isprintable() and letter not in UNSEEN:
            shown += letter
    shown = _ended(" ".join(_ended(word) for word in shown.split())[:LONGEST_NAME])
    return shown if any(category(letter)[0] not in "MZC" for letter in shown) else ""


def _ended(word: str) -> str:
    """A word that ends with no joiner."""
    return word.rstrip("".join(JOINERS)).rstrip()


def alike(name: str) -> str:
    """What two names have in common that look the same: capitals, wide letters and what joins
    letters tell none apart."""
    plain = normalize("NFKC", name).casefold()
    return "".join(letter for letter in plain if letter not in (*JOINERS, *STYLES))


def words_of(seats: Iterable[Message]) -> frozenset[str]:
    """What seats are called in any language, to be compared as `alike`: nobody's own name."""
    spoken = languages()
    return frozenset(alike(say(seat, language)) for seat in seats for language in spoken)


def apart(name: str, taken: Collection[str]) -> str:
    """A name that is `alike` none of those: a second Anna is "Anna 2"."""
    numbered = (f"{name[: LONGEST_NAME - 3].rstrip()} {n}" for n in count(2))
    return next(it for it in chain((name,), numbered) if not it or alike(it) not in taken)


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

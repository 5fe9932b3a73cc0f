"""Spoken: the language of a phone, and the page's sentences in it."""

from itertools import takewhile

import msgspec
from starlette.requests import HTTPConnection

from hexboard.words import ENGLISH, chosen, sentences

KEPT = "hexboard-language"
"""The cookie that says what a person has chosen on a page: for all boards of one computer."""
LONGEST = 200
"""Letters of what a browser wants that are read."""


def spoken_by(connection: HTTPConnection, otherwise: str) -> str:
    """The language that a person has chosen on a page, or else that their browser wants most, of
    those that there are. One that lacks the half gives way to one that it wants before English,
    which would stand in."""
    wanted = _wanted(connection.headers.get("accept-language", "")[:LONGEST])
    there = [it for name in wanted if (it := chosen([name], ""))]
    whole = (it for it in takewhile(ENGLISH.__ne__, there) if mostly(it) == it)
    return chosen([connection.cookies.get(KEPT, "")[:LONGEST], *whole, *there], otherwise)


def page_words(language: str, part: str = "page") -> dict[str, str]:
    """The sentences of the page's scripts, or of a game's (`part`): by key."""
    start = f"{part}." if part == "page" else f"{part}.page."
    known = sentences(part, language)
    return {key: text for key, text in known.items() if key.startswith(start)}


def mostly(language: str) -> str:
    """The language that most of the page is in: a table that lacks the half is a page in English,
    and read aloud as such."""
    own, english = page_words(language), page_words(ENGLISH)
    lacking = sum(own[key] == text for key, text in english.items())
    return ENGLISH if 2 * lacking > len(english) else language


def page_words_json(language: str) -> str:
    """The same for a script element."""
    return msgspec.json.encode(page_words(language)).decode().replace("<", "\\u003c")


def _wanted(header: str) -> list[str]:
    """The languages of an Accept-Language header (RFC 9110, 12.5.4), best first."""
    ranked = sorted(map(_weighed, header.split(",")), key=lambda it: -it[0])
    return [name for weight, name in ranked if weight > 0]


def _weighed(part: str) -> tuple[float, str]:
    name, _, weight = part.partition(";")
    try:
        return float(weight.strip().removeprefix("q=") or 1), name.strip()
    except ValueError:
        return 0.0, name

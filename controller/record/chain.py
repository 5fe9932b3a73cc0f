"""Chain: one hash over the entries of a match, each link made of the one before it.

Two files that have the same link after as many entries have the same entries, all of them.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b


def chain(entries: Iterable[str], link: str = "") -> str:
    """The link after these entries, the first of which follows `link`; 32 hexadecimal digits, ""
    before the first entry. Raises `UnicodeError` for what is no text."""
    return [link, *links(entries, link)][-1]


@lru_cache(1)  # a start asks thrice for those of all that was heard
def linked(entries: tuple[str, ...]) -> tuple[str, ...]:
    """The link after each entry of a match. Raises as `chain` does."""
    return tuple(links(entries))


def whole(entries: tuple[str, ...]) -> str:
    """The link after all entries of a match."""
    return linked(entries)[-1] if entries else ""


def links(entries: Iterable[str], link: str = "") -> Iterator[str]:
    """The link after each of these entries. Raises as `chain` does."""
    for entry in entries:
        link = blake2b(f"{link} {entry}".encode(), digest_size=16).hexdigest()
        yield link

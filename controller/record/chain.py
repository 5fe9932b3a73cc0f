"""Chain: one hash over the entries of a match, each link made of the one before it.

Two files that have the same link after as many entries have the same entries, all of them.
"""

from collections.abc import Iterable
from hashlib import blake2b


def chain(entries: Iterable[str], link: str = "") -> str:
    """The link after these entries, the first of which follows `link`; 32 hexadecimal digits, ""
    before the first entry. Raises `UnicodeError` for what is no text."""
    for entry in entries:
        link = blake2b(f"{link} {entry}".encode(), digest_size=16).hexdigest()
    return link

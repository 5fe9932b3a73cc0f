"""Every error of ours, each also the built-in kind that a caller would expect.

An error carries a message key and named values, never a sentence; `hexboard.words` makes the
sentence at the rim.
"""

import re

import msgspec

from hexboard.words import Message, Said, say

NO_JSON = (msgspec.DecodeError, UnicodeError, RecursionError)
"""What msgspec raises for bytes that are no JSON of a kind, no UTF-8, or nest too deep."""


class HexboardError(Exception):
    """Something a person can mend. `str()` is the sentence, in English."""

    code = 1
    """What a command that it ends exits with."""

    def __init__(self, key: str, /, **values: Said) -> None:
        self.message = Message(key, "", tuple(sorted(values.items())))
        super().__init__(key)

    def __str__(self) -> str:
        return say(self.message)


class IllegalAction(HexboardError, ValueError):
    """A move that the rules refuse; `message.rule` is the rule that says so."""

    def __init__(self, refusal: Message) -> None:
        super().__init__(refusal.key)
        self.message = refusal


class BadText(HexboardError, ValueError):
    """A position, an action or a file that cannot be read."""


class Mistyped(BadText):
    """A value that is not written as it has to be, whatever there is on this computer."""

    code = 2


class BadFile(HexboardError, ValueError):
    """A file people write, with every mistake in it at once."""

    def __init__(self, path: str, mistakes: tuple[Message, ...]) -> None:
        super().__init__("file.bad", path=path, count=len(mistakes))
        self.path = path
        self.mistakes = mistakes

    def __str__(self) -> str:
        return "\n".join(say(mistake) for mistake in self.mistakes)


class BadRecording(HexboardError, ValueError):
    """A recording that cannot be read, or was made for another board or other rules."""


class Busy(HexboardError, OSError):
    """Something that another process holds: the board, a port, a pin."""


def without_addresses(text: str) -> str:
    """A text, as a traceback, in which addresses tell only of which kind they are: the rest may be
    a secret."""
    return re.sub(r"(?<=://)\S+", "…", text)

"""The log: what was told of one game, as a page scrolls back through it."""

from hexboard.table.view import Line
from hexboard.words import Message

LOG_LINES = 200
"""How many messages a page can scroll back through."""


class Log:
    """The last messages, each with its number and the match entry it came with."""

    def __init__(self) -> None:
        self.lines: tuple[Line, ...] = ()
        """Oldest first."""
        self._told = 0

    def add(self, text: Message, entry: int = -1) -> None:
        """Keep a message that came with a match entry; -1: with none."""
        self._told += 1
        self.lines = (*self.lines, Line(self._told, text, entry))[-LOG_LINES:]

    def forget(self, first: int) -> None:
        """Strike out what came with match entries from `first` on: it was provisional."""
        self.lines = tuple(line for line in self.lines if line.entry < first)

"""Notices: what people are told on every page until it is over."""

from collections.abc import Callable, Iterable, Iterator

from hexboard.game.position import Action
from hexboard.table import TableView
from hexboard.words import Message, message, say

Note = Callable[[str, Message, bool], None]
"""Hears the name of a notice, what it says, and whether that is over."""


def _nobody(name: str, text: Message, over: bool) -> None:
    """Hears nothing."""


class Notices:
    """Messages by name, oldest first. Any thread may tell one: that wakes (`wake`) the main loop.
    `changed` is the pages' to take; `note` hears what comes, and what is over."""

    def __init__(
        self, told: Iterable[Message], wake: Callable[[], None], note: Note = _nobody
    ) -> None:
        self._wake, self._note = wake, note
        self._told = {note.key: note for note in told}
        self.changed = True
        """Something was told, or is over, that pages do not show yet."""

    def tell(self, name: str, text: Message) -> None:
        """Say this from now on, in place of what was said under this name."""
        if self._told.get(name) == text:
            return  # else a mistake in what pages are shown would bring itself about
        self._told[name] = text
        self._note(name, text, False)
        self.changed = True
        self._wake()

    def hear(self, name: str, text: Message | None) -> None:
        """Say this from now on, or, where there is nothing to say, no longer."""
        if text is not None:
            self.tell(name, text)
        elif self.drop(name):
            self._wake()

    def drop(self, *names: str) -> bool:
        """These are over; whether any of them had been said."""
        found = [(name, it) for name in names if (it := self._told.pop(name, None)) is not None]
        for name, text in found:
            self._note(name, text, True)
        if found:  # what another thread tells meanwhile stays told
            self.changed = True
        return bool(found)

    def get(self, name: str) -> Message | None:
        return self._told.get(name)

    def __contains__(self, name: object) -> bool:
        return name in self._told

    def __iter__(self) -> Iterator[Message]:
        return iter(list(self._told.values()))


def farewell(view: TableView[Action], echo: Callable[[str], None]) -> None:
    """Say in the terminal which sensors failed."""
    for text in view.failing.values():
        echo(say(text))
    if view.failing:
        echo(say(message("health.more")))

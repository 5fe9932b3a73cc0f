"""Saving: the match's way into the journal, and what is said while the journal cannot be used."""

from collections.abc import Callable

from hexboard.daemon.match import Match
from hexboard.daemon.notices import Notices
from hexboard.daemon.room import Room
from hexboard.facts import Body, Presence
from hexboard.record.journal import JournalError
from hexboard.words import ENGLISH, say

SOURCE = "journal"
"""The source of its facts, and the name of its notice."""


class Saving:
    """Journals what stands. The table hears, as of any source, when the journal goes and comes."""

    def __init__(self, notices: Notices, post: Callable[[str, Body], None], room: Room) -> None:
        self._notices, self._post, self._room = notices, post, room

    @property
    def works(self) -> bool:
        """Whether the journal took all that it was given."""
        return SOURCE not in self._notices

    def save(self, match: Match) -> None:
        """Journal what stands; what fails is kept, and the next `save` tries it again."""
        try:
            match.save()
        except JournalError as error:
            self.failed(error)
            return
        if self._notices.drop(SOURCE):
            self._post(SOURCE, Presence(True))
        self._room.watch()

    def failed(self, error: JournalError) -> None:
        """The journal cannot be used: said once."""
        if self.works:
            self._notices.tell(SOURCE, error.message)
            self._post(SOURCE, Presence(False, say(error.message, ENGLISH)))

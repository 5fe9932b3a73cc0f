"""The open question: the one thing that people are being asked."""

from hexboard.table.view import Asking, Choice
from hexboard.words import Message
from hexboard.words.errors import BadText


class OpenQuestion:
    """At most one question is open; a new one takes the place of the one before."""

    def __init__(self) -> None:
        self.asking: Asking | None = None
        self._number = 0

    def ask(
        self,
        text: Message,
        choices: tuple[Choice, ...],
        now_ms: int,
        of: tuple[int, ...] = (),
        ordered: bool = False,
    ) -> None:
        """Ask it, at a board time (see `Asking`); of these seats alone, or of anybody."""
        self._number = max(self._number + 1, now_ms)
        self.asking = Asking(self._number, text, choices, of, ordered)

    def close(self) -> None:
        """It is answered, or void."""
        self.asking = None

    def past(self) -> None:
        """What anybody might have answered is void: the board says it. Seats that have to agree are
        asked on."""
        if self.asking and not self.asking.of:
            self.close()

    def about(self, *keys: str) -> bool:
        """Whether one of these questions is open, by its message key."""
        return self.asking is not None and self.asking.message.key in keys

    def chosen(self, question: int, name: str) -> Choice:
        """An answer to question number `question`; it stays open. Raises `BadText` where that is
        another one, or this is no answer to it."""
        asking = self.asking
        if asking is None or asking.id != question:
            raise BadText("table.no_question")
        for choice in asking.choices:
            if choice.name == name:
                return choice
        raise BadText("table.no_choice", choice=name[:40])

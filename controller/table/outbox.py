"""The outbox: what the table asks of the shell in one step, and the log of what was told."""

from collections.abc import Callable

from hexboard.table.effects import Effect, Refuse, Tell
from hexboard.table.log import Log
from hexboard.words import Message


class Outbox:
    """The effects of the step so far, in order."""

    def __init__(self) -> None:
        self.log = Log()
        self._effects: list[Effect] = []
        self._changed = True
        self.named: Callable[[Message], Message] = _as_it_is
        """A message with people's names where it has words for their seats."""

    def begin(self) -> list[Effect]:
        """A new step: its effects, which grow until the next one."""
        self._effects = []
        return self._effects

    def put(self, effect: Effect) -> None:
        """Ask something of the shell."""
        self._effects.append(effect)

    def tell(self, text: Message, entry: int = -1) -> None:
        """Tell a message that came with a match entry; -1: news of the table."""
        text = self.named(text)
        self.log.add(text, entry)
        self._effects.append(Tell((text,)))
        self._changed = True

    def refuse(self, why: Message, to: str) -> None:
        """Refuse what a source asked for."""
        self._effects.append(Refuse(self.named(why), to))

    def change(self) -> None:
        """What the table shows has changed."""
        self._changed = True

    def take_change(self) -> bool:
        """Whether what the table shows has changed since this was asked last."""
        changed, self._changed = self._changed, False
        return changed


def _as_it_is(told: Message) -> Message:
    return told

"""What the doctor sees: one check, how it stands, and what mends it."""

from typing import Literal

import click
from msgspec import Struct

from hexboard.words import Message, message, say

State = Literal["good", "look", "mend"]
"""`look`: it can be played, and somebody should see to it; `mend`: until then something does not
work."""
SIGNS = {"good": ("ok  ", "green"), "look": ("look", "yellow"), "mend": ("MEND", "red")}
INDENT = " " * 18


class Checked(Struct, frozen=True, omit_defaults=True):
    """What one check saw, and what to do about it; sentences, as people read them."""

    check: str
    state: State
    said: str
    todo: str = ""

    def line(self) -> str:
        """As a terminal shows it."""
        sign, colour = SIGNS[self.state]
        todo = f"\n{INDENT}-> {self.todo}" if self.todo else ""
        said = self.said.replace("\n", f"\n{INDENT}")
        return f"{click.style(sign, fg=colour)}  {self.check:<11} {said}{todo}"


def good(check: str, said: Message) -> Checked:
    return Checked(check, "good", say(said))


def look(check: str, said: Message, todo: Message | None = None) -> Checked:
    return Checked(check, "look", say(said), say(todo) if todo else "")


def mend(check: str, said: Message, todo: Message | None = None) -> Checked:
    return Checked(check, "mend", say(said), say(todo) if todo else "")


def why(error: object) -> Message:
    """What an error says, or a device: a sentence already."""
    return message("doctor.why", why=str(error))

"""What the doctor sees: one check, how it stands, and what mends it."""

import errno
from collections.abc import Iterator
from getpass import getuser
from pathlib import Path
from typing import Literal

import click
from msgspec import Struct

from hexboard.calibration.store import owner
from hexboard.words import Message, message, say, translated
from hexboard.words.errors import HexboardError

State = Literal["good", "look", "mend"]
"""`look`: it can be played, and somebody should see to it; `mend`: until then something does not
work."""
COLOURS: dict[State, str] = {"good": "green", "look": "yellow", "mend": "red"}
LONGEST = 12
"""What a check is called takes so many letters in a line."""


class Checked(Struct, frozen=True, omit_defaults=True):
    """What one check saw, and what to do about it; sentences, as people read them."""

    check: str
    state: State
    said: str
    todo: str = ""

    def line(self) -> str:
        """As a terminal shows it."""
        signs = {state: say(message(f"doctor.sign_{state}")) for state in COLOURS}
        wide = max(map(len, signs.values()))
        sign = click.style(signs[self.state].ljust(wide), fg=COLOURS[self.state])
        indent = "\n" + " " * (wide + 2 + LONGEST + 1)
        said = self.said.replace("\n", indent) + (f"{indent}-> {self.todo}" if self.todo else "")
        return f"{sign}  {translated(self.check, 'check').ljust(LONGEST)} {said}"


def good(check: str, said: Message) -> Checked:
    return Checked(check, "good", say(said))


def look(check: str, said: Message, todo: Message | None = None) -> Checked:
    return Checked(check, "look", say(said), say(todo) if todo else "")


def mend(check: str, said: Message, todo: Message | None = None) -> Checked:
    return Checked(check, "mend", say(said), say(todo) if todo else "")


def refused(check: str, error: OSError, folder: Path) -> Checked:
    """A file in a `folder` of hexboard's that the system keeps from this user: whose it is, and
    what to do."""
    if isinstance(error, HexboardError):
        return mend(check, why(error))
    file, said = Path(error.filename or folder), error.strerror or str(error)
    if error.errno not in (errno.EACCES, errno.EPERM):
        return mend(check, message("doctor.unread", file=str(file), why=said))
    user = getuser()
    said_so = message("doctor.denied", file=str(file), owner=owner(file), user=user, why=said)
    return mend(check, said_so, message("doctor.denied_todo", user=user, folder=str(folder)))


def guarded(check: str, folder: Path, found: Iterator[Checked]) -> Iterator[Checked]:
    """What was found; where the system keeps a file in `folder` from this user, that in its
    place."""
    try:
        yield from found
    except OSError as error:
        yield refused(check, error, folder)


def why(error: object) -> Message:
    """What an error says, or a device: a sentence already."""
    return message("doctor.why", why=str(error))

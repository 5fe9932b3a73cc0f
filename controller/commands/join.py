"""`hexboard join`: a program plays at a board's table."""

import contextlib
import os
import shlex
import shutil
from pathlib import Path

import click

from hexboard.commands.spoken import printable
from hexboard.words import Message, language, message, say
from hexboard.words.errors import BadText


@click.command()
@click.argument("link")
@click.argument("figures", nargs=-1)
@click.option(
    "--bot",
    "command",
    required=True,
    metavar="COMMAND",
    help="The program that plays (docs/referee.md).",
)
@click.option("--name", default="", help="What it is called there. Default: its file's name.")
def join(link: str, figures: tuple[str, ...], command: str, name: str) -> None:
    """Let a program play at a board's table. LINK is an invitation to a seat, as a phone gets it;
    or the board's address, with the six FIGURES of one."""
    from hexboard.commands.guest import Guest, Leaves
    from hexboard.commands.phone import Phone, invitation, take

    asked = invitation(link, "".join(figures))
    words = _words(command)  # before the invitation is used up
    spoken = language()  # a program is answered in English meanwhile

    def tell(said: Message) -> None:
        click.echo(printable(say(said, spoken)), err=True)

    seat = take(asked, name or _name(words))
    tell(message("join.seated", name=name or _name(words), address=str(asked.address)))
    with contextlib.ExitStack() as leaving:
        phone = Phone(seat, tell)
        guest = Guest(phone, command, tell)
        leaving.callback(phone.close)
        leaving.callback(guest.close)
        phone.start()
        try:
            guest.play()
        except Leaves as left:
            tell(left.why)


def _words(command: str) -> list[str]:
    """The words of a command that can be started. Raises `BadText`."""
    try:
        words = shlex.split(command)
        if not words or shutil.which(words[0]) is None:
            raise FileNotFoundError(2, os.strerror(2))
    except (OSError, ValueError) as error:  # ValueError: a quote is not closed
        raise BadText("play.no_bot", command=command, why=str(error)[:200]) from None
    return words


def _name(words: list[str]) -> str:
    """What a program is called: its own file, and not what runs it."""
    files = [word for word in words[1:] if Path(word).is_file()]
    return Path((files or words)[0]).stem

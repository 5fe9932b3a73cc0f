"""What click itself says, and what commands say of themselves, in the language that is spoken.

The sentences stand in the tables as `cli.value."English" = "…"`, those of a game's own commands in
its table as `<game>.value."English"`: of a help text each paragraph.
"""

import contextlib
import copy
import errno
import os
import re
import sys
from string import Formatter
from typing import TypeVar
from unicodedata import bidirectional, category

import click

from hexboard.words import ENGLISH, language, sentences, taught
from hexboard.words.answers import agreed, letters

P = TypeVar("P", bound=click.Parameter)
KIND = re.compile("[A-Z]+(?: RANGE)?")
"""What an argument is called, or a kind of value: FILE, INTEGER RANGE."""
UNSEEN, HARMLESS = ("Cc", "Cf", "Cs", "Zl", "Zp"), "\n\t\u2068\u2069"
"""Unicode's categories of what no letter is, and what of it no terminal obeys."""
APART = re.compile("\u2068([^\u2068\u2069]*)\u2069")
"""A name that turns nothing around it (`isolated`)."""
GONE = (errno.EPIPE, errno.EIO)
"""Nobody reads what is written, and nobody will."""


def in_words(said: str) -> str:
    """A sentence of click's, or a paragraph of help; as it is where the table has none, or one that
    asks for other values. In English only what has values is said otherwise: for the rest no table
    is read."""
    if language() == ENGLISH and "{" not in said:
        return said
    parts = ("cli", *taught())
    found = (sentences(part, language()).get(f"{part}.value.{said}") for part in parts)
    ours = next((it for it in found if it is not None), said)
    try:
        return ours if _places(ours) <= _places(said) else said
    except ValueError:
        return said


def _places(said: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(said) if name is not None}


def _counted(one: str, many: str, count: int) -> str:
    return in_words(one if count == 1 else many)


def listen() -> None:
    """From now on click says everything by our tables: it asks gettext, by these two names."""
    ours = {"_": in_words, "ngettext": _counted}
    for name, module in list(sys.modules.items()):
        for word, says in ours.items():
            if name.startswith("click.") and word in vars(module):
                setattr(module, word, says)


def spoken(command: click.Command) -> click.Command:
    """A command with its help in the language that is spoken."""
    if language() == ENGLISH:
        return command
    told = copy.copy(command)
    told.help, told.epilog = _paragraphs(command.help), _paragraphs(command.epilog)
    told.short_help = _paragraphs(command.short_help)
    told.params = [_parameter(command, it) for it in command.params]
    told.options_metavar = _kinds(command.options_metavar or "")
    vars(told)["_help_option"] = None  # it was made in another language, perhaps
    if isinstance(command, click.Group) and isinstance(told, click.Group):
        told.subcommand_metavar = _kinds(command.subcommand_metavar)
        found = command.get_command
        vars(told)["get_command"] = lambda ctx, name: (it := found(ctx, name)) and spoken(it)
    return told


def printable(text: str) -> str:
    """A text of others, as it may stand in a terminal: what would drive that is escaped, but for
    ends of lines and what keeps a name apart that needs it."""
    if text.isprintable():
        return text
    return "".join(
        it.encode("unicode_escape").decode()
        if category(it) in UNSEEN and it not in HARMLESS
        else it
        for it in _plainly(text)
    )


def confirm(question: str) -> None:
    """Ask; the Enter key is yes. Raises `click.Abort` for no."""
    yes, no = letters()
    while (word := click.prompt(f"{question} [{yes.upper()}/{no}]", "", show_default=False)) != "":
        if (so := agreed(word)) is not None:
            break
        click.echo(in_words("Error: invalid input"))
    if word and not so:
        raise click.Abort


def _plainly(text: str) -> str:
    """A text in which names are kept apart only where they need it, for letters of theirs are
    written from right to left: who looks for “Ann moves” finds it."""

    def turns(name: str) -> bool:
        return any(bidirectional(letter) in ("R", "AL", "AN") for letter in name)

    return APART.sub(lambda it: it[0] if turns(it[1]) else it[1], text)


def say_on(line: str) -> None:
    """Say something in the terminal. Once that is gone nobody hears it, and what runs goes on."""
    try:
        click.echo(_plainly(line))
    except OSError as error:
        if error.errno in GONE:
            with contextlib.suppress(OSError):
                fall_silent()


def fall_silent() -> None:
    """Nobody reads any more: what still waits to be said would fail. Raises `OSError`."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def wrong(said: str, **values: object) -> click.UsageError:
    """What was wrong with what was typed."""
    return click.UsageError(in_words(said).format(**values))


def _parameter(command: click.Command, parameter: P) -> P:
    told = copy.copy(parameter)
    flag = isinstance(told, click.Option) and (told.is_flag or told.count)
    if not flag and not isinstance(told.type, click.Choice):
        told.metavar = _kinds(parameter.make_metavar(click.Context(command)))
    if isinstance(told, click.Option) and told.help:
        told.help = _paragraphs(told.help)
    return told


def _kinds(metavar: str) -> str:
    return KIND.sub(lambda kind: in_words(kind[0]), metavar)


def _paragraphs(text: str | None) -> str | None:
    if not text:
        return text
    return "\n\n".join(_paragraph(it) for it in text.split("\n\n"))


def _paragraph(text: str) -> str:
    plain = " ".join(text.split())
    ours = in_words(plain)
    return text if ours == plain else ours

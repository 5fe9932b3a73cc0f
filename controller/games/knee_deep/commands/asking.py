"""Asking: questions in a terminal, each asked again, with the reason, until its answer is right.

Every answer is a line; none takes what stands in brackets. Raises `click.Abort` where there is no
answer any more (Ctrl-C, end of input).
"""

from collections.abc import Mapping, Sequence

import click

from hexboard.files import nearest
from hexboard.words import Message, message, say

LIST = "?"
"""The answer that lists what can be chosen."""
MOST_LETTERS = 60


def told(it: Message) -> None:
    click.echo(say(it))


def refused(why: Message) -> None:
    """Why an answer is not taken."""
    click.echo(f"  {say(why)}")


def line(question: Message, default: str = "", most: int = MOST_LETTERS) -> str:
    """A text of one line."""
    while True:
        text = _answer(question, default)
        if text and len(text) <= most and text.isprintable():
            return text
        refused(message("knee_deep.new_line", most=most))


def number(question: Message, least: int, most: int, default: int) -> int:
    """A whole number within bounds."""
    while True:
        text = _answer(question, str(default))
        if text.removeprefix("-").isdecimal() and least <= int(text[:9]) <= most:
            return int(text[:9])
        refused(message("knee_deep.new_number", least=least, most=most))


def sure(question: Message, default: bool) -> bool:
    """Yes or no."""
    yes, no = (say(message(f"knee_deep.new_{it}")) for it in ("yes", "no"))
    return choice(question, (yes, no), yes if default else no) == yes


def choice(question: Message, words: Sequence[str], default: str) -> str:
    """One of a few words, which stand beside the question."""
    known = ", ".join(words)
    asked = message("knee_deep.new_choice", what=question, known=known)
    while True:
        found = _one_of(_answer(asked, default), words)
        if found is not None:
            return found


def listed(question: Message, words: Mapping[str, str], may_end: bool) -> str:
    """One of many words, each with what it says, listed for "?"; "" where it `may_end`."""
    while True:
        text = _answer(question, "")
        if text == LIST:
            for word, says in words.items():
                click.echo(f"  {word:<12} {says}")
        elif not text and may_end:
            return ""
        elif (found := _one_of(text, tuple(words))) is not None:
            return found


def _one_of(text: str, words: Sequence[str]) -> str | None:
    """The word of `words` that was said, in full or by an unmistakable beginning."""
    said = text.casefold()
    begun = [word for word in words if word.casefold().startswith(said)] if said else []
    exact = [word for word in words if word.casefold() == said]
    if len(found := exact or begun) == 1:
        return found[0]
    near, known = nearest(text, list(words)), ", ".join(words)
    refused(message("knee_deep.new_none_of", word=text[:MOST_LETTERS], near=near, known=known))
    return None


def _answer(question: Message, default: str) -> str:
    shown = f"{say(question)} [{default}]" if default else say(question)
    text = click.prompt(shown, default="", show_default=False, prompt_suffix=" > ")
    return str(text).strip() or default

"""A person's own table of a language: to begin with, and checked against the English ones."""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from hexboard.files import Source, nearest, refuse
from hexboard.game import registry
from hexboard.words import (
    ENGLISH,
    SHORT,
    Message,
    flaw,
    lacks,
    message,
    owner,
    say,
    sentences,
    taught,
    texts,
)

VALUE = ".value."
"""In the key of a sentence, or a word, whose English is what stands behind it."""
BARE = re.compile("[A-Za-z0-9_-]+")
"""A key that needs no quotes."""


def check_language(source: Source) -> list[Message]:
    """Look whether each sentence is one that English has, with its values, and can be said; which
    of them stand for a text that nothing says. Raises `BadFile`."""
    english = every_sentence()
    refuse(source, list(_mistakes(source)))
    vain = [key for key in _own(source) if VALUE in key and key not in english]
    return [message("language.vain", key=key) for key in vain]


def how_much(source: Source) -> Message:
    """How many of all sentences are in a table."""
    english = every_sentence()
    return message("language.has", count=len(english.keys() & {*_own(source)}), all=len(english))


def _own(source: Source) -> list[str]:
    return [".".join(at) for at, _ in _leaves(source.data)]


def every_sentence() -> dict[str, str]:
    """All that can be said otherwise: by its key, in English. Texts that stand in keys are those
    that some language of ours has."""
    for name in registry.names():
        if name not in registry.broken():
            registry.find(name)  # its sentences are known with it
    return {key: text for part in ("table", *taught()) for key, text in texts(part).items()}


def table_to_begin_with() -> str:
    """A table of a language in which each line is a comment: its key, and the English for it."""
    lines = [f"# {say(message('language.begins'))}"]
    for section, keys in groupby(sorted(every_sentence().items(), key=_place), _section):
        lines += ["", f"[{section}]"]
        for key, text in keys:
            rest = key.removeprefix(f"{section}.")
            words = [rest] if VALUE in key else rest.split(".")
            name = ".".join(it if BARE.fullmatch(it) else _quoted(it) for it in words)
            lines.append(f"# {name} = {_quoted(text)}")
    return "\n".join(lines) + "\n"


def _section(item: tuple[str, str]) -> str:
    part = item[0].partition(".")[0]
    return f"{part}.value" if item[0].startswith(f"{part}{VALUE}") else part


def _place(item: tuple[str, str]) -> tuple[bool, str]:
    """Sentences before the texts that stand in keys, each by their sections."""
    return VALUE in item[0], _section(item)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _optional() -> set[str]:
    """The keys of sentences that a game need not have: a choice of an option stands as it is typed
    where English has no word for it, and another language may have one."""
    known = set[str]()
    for game in registry.sound():
        known |= {f"{game.prefix}.{it}" for it in ("title", "aim", "help")}
        for option in game.options:
            known.add(f"{game.prefix}.option.{option.name}")
            known |= {f"{game.prefix}.choice.{option.name}.{it}" for it in option.choices}
    return known


def _mistakes(source: Source) -> Iterator[Message]:
    optional = _optional()
    if not SHORT.fullmatch(source.path.stem):
        yield message("language.name", file=str(source.path), name=source.path.stem)
    for at, value in _leaves(source.data):
        key, said = ".".join(at), str(value)
        english = sentences(at[0], ENGLISH) if owner(at[0]) else {}
        known = key in english or ".value." in key  # such a one has its English in the key
        if not known and key not in optional:
            yield source.mistake("language.unknown", at, near=nearest(key, list(english)))
        elif wrong := flaw(key, said, english) or lacks(key, said, english):
            yield source.mistake("language.wrong", at, why=wrong)


def _leaves(
    table: Mapping[str, Any], at: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], object]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*at, key))
        else:
            yield (*at, key), value

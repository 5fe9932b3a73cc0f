"""A person's own table of a language, checked against the English ones."""

from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any

from hexboard.files import Source, nearest, refuse
from hexboard.game import registry
from hexboard.words import ENGLISH, Message, owner, sentences


def check_language(source: Source) -> None:
    """Look whether each sentence is one that English has, with its values, and can be said. Raises
    `BadFile`."""
    for name in registry.names():
        if name not in registry.broken():
            registry.find(name)  # its sentences are known with it
    refuse(source, list(_mistakes(source)))


def _mistakes(source: Source) -> Iterator[Message]:
    for at, said in _leaves(source.data):
        key = ".".join(at)
        english = sentences(at[0], ENGLISH) if owner(at[0]) else {}
        if ".value." in key:
            continue
        if key not in english:
            yield source.mistake("language.unknown", at, near=nearest(key, list(english)))
            continue
        try:
            wrong = _places(str(said)) ^ _places(english[key])
        except ValueError as error:
            yield source.mistake("language.broken", at, why=str(error))
            continue
        if wrong:
            yield source.mistake("language.places", at, names=", ".join(sorted(wrong)))


def _leaves(
    table: Mapping[str, Any], at: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], object]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*at, key))
        else:
            yield (*at, key), value


def _places(sentence: str) -> set[str]:
    """The names in its braces. Raises `ValueError` for braces that do not match, and for a number
    that has not two forms."""
    found = [
        (name, form or "") for _, name, form, _ in Formatter().parse(sentence) if name is not None
    ]
    for name, form in found:
        if "|" in form and form.count("|") != 1:
            raise ValueError(f"{{{name}:{form}}}")
    return {name for name, _ in found}

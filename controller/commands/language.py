"""A person's own table of a language, checked against the English ones."""

from collections.abc import Iterator, Mapping
from typing import Any

from hexboard.files import Source, nearest, refuse
from hexboard.game import registry
from hexboard.words import ENGLISH, Message, flaw, owner, sentences


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
        if wrong := flaw(str(said), english[key]) or flaw(english[key], str(said)):
            yield source.mistake("language.wrong", at, why=wrong)


def _leaves(
    table: Mapping[str, Any], at: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], object]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*at, key))
        else:
            yield (*at, key), value

"""A person's own table of a language, checked against the English ones."""

from collections.abc import Iterator, Mapping
from typing import Any

from hexboard.files import Source, nearest, refuse
from hexboard.game import registry
from hexboard.words import ENGLISH, Message, flaw, lacks, owner, sentences


def check_language(source: Source) -> None:
    """Look whether each sentence is one that English has, with its values, and can be said. Raises
    `BadFile`."""
    for name in registry.names():
        if name not in registry.broken():
            registry.find(name)  # its sentences are known with it
    refuse(source, list(_mistakes(source)))


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

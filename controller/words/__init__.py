"""Messages: a key, a rule and named values inside; sentences only at the rim.

Sentences stand in TOML tables beside what they speak of: `locale/en.toml` here for the table and
the shell, `locale/en.toml` in a game's own package for a game, wherever that is installed. A key
is looked up by its first part: where a game has declared that part (`teach`), in the game's table;
everything else in ours.
"""

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

Value = str | int | bool


class Message(Struct, frozen=True, array_like=True):
    """What is said, before it is a sentence: key, rule id ("" where no rule speaks), values."""

    key: str
    rule: str = ""
    values: tuple[tuple[str, Value], ...] = ()


def message(key: str, rule: str = "", /, **values: Value) -> Message:
    """A message with its values in a fixed order, so that equal messages are equal bytes."""
    return Message(key, rule, tuple(sorted(values.items())))


def say(said: Message, language: str = "en") -> str:
    """The sentence of a message. Where the key or a value is missing, as in a recording of another
    version, the message is shown as it is: nothing is hidden by it. The value `near`, the word that
    was meant, makes a question of its own; none where there is no such word."""
    values = dict(said.values)
    if values.get("near"):
        values["near"] = say(message("words.near", word=values["near"]), language)
    try:
        return sentences(said.key.split(".", 1)[0], language)[said.key].format(**values)
    except (AttributeError, LookupError, TypeError, ValueError):  # or the sentence is none
        return f"{said.key} {values}"


_TAUGHT: dict[str, tuple[str, Mapping[str, str]]] = {}
"""Games by the first part of their keys: the package that has their `locale/`, and sentences that
stand in the game itself."""


def teach(part: str, package: str, words: Mapping[str, str]) -> None:
    """Keys that begin with `part` are a game's: they are looked up in `words`, or in the `locale/`
    of its package. Raises `ValueError` where another package has that part, or we."""
    if owner(part) not in ("", package):
        raise ValueError(f"message keys {part!r} belong to {owner(part)}")
    _TAUGHT[part] = package, words
    sentences.cache_clear()


def forget(package: str) -> None:
    """No keys are this package's any more."""
    for part in [part for part, (owner, _) in _TAUGHT.items() if owner == package]:
        del _TAUGHT[part]
    sentences.cache_clear()


def owner(part: str) -> str:
    """The package whose keys begin with `part`; "" where nobody's do."""
    if part in _TAUGHT:
        return _TAUGHT[part][0]
    return "hexboard" if part in {key.split(".", 1)[0] for key in _ours("en")} else ""


@cache
def sentences(part: str, language: str = "en") -> dict[str, str]:
    """All sentences that serve keys beginning with `part`, by key."""
    if part not in _TAUGHT:
        return _ours(language)
    package, words = _TAUGHT[part]
    table = _locale(package, f"{language}.toml")
    return {**(_flat(_toml(table)) if table else {}), **words}


def page(package: str, language: str = "en") -> str | None:
    """The Markdown page beside a game's sentences; None where there is none."""
    return _locale(package, f"{language}.md")


@cache
def _ours(language: str) -> dict[str, str]:
    return _flat(_toml(_locale("hexboard", f"{language}.toml") or ""))


def _locale(package: str, name: str) -> str | None:
    """A file in the `locale/` of a package, or of the one that a module is in; None for none."""
    from importlib import resources

    try:
        file = resources.files(package) / "locale" / name
    except (ModuleNotFoundError, TypeError):  # one file outside every package
        return None
    return file.read_text("utf-8") if file.is_file() else None


def _toml(text: str) -> dict[str, object]:
    import tomllib  # here, for it takes longer than a game's own modules

    return tomllib.loads(text)


def _flat(tree: dict[str, object], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = str(value)
    return flat

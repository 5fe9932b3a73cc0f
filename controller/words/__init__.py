"""Messages: a key, a rule and named values inside; sentences only at the rim.

Sentences stand in TOML tables beside what they speak of: `locale/en.toml` here for the table and
the shell, `locale/en.toml` in a game's own package for a game, wherever that is installed. A key
is looked up by its first part: where a game has declared that part (`teach`), in the game's table;
everything else in ours. `locale/de.toml` beside it is the same in German, and so on: a language is
there when our folder, or a person's own (`look_in`), has its table. What a table lacks is said in
English.

A number has two forms where it needs them: "{count} {count:mistake|mistakes}".
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from string import Formatter

from msgspec import Struct

Value = str | int | bool


class Message(Struct, frozen=True, array_like=True):
    """What is said, before it is a sentence: key, rule id ("" where no rule speaks), values."""

    key: str
    rule: str = ""
    values: tuple[tuple[str, "Said"], ...] = ()


Said = Value | Message
"""A value of a message: a message among them stands for its sentence."""


def message(key: str, rule: str = "", /, **values: Said) -> Message:
    """A message with its values in a fixed order, so that equal messages are equal bytes."""
    return Message(key, rule, tuple(sorted(values.items())))


ENGLISH = "en"
TABLE = "table"
"""The first part of the keys by which any game's table speaks; a game's own table of a language has
words for what it names there, such as what hands move."""
PLAIN = (ENGLISH, "c", "posix")
"""What needs no look at which languages there are: a shell without one says C."""
TYPED = frozenset(
    ("text", "name", "word", "said", "given", "value", "known", "near", "id", "key", "path")
) | {"file", "folder", "user", "head", "option", "part", "state", "board", "tile", "white", "black"}
"""Values by these names are what somebody typed or wrote in a file, and stay as they are: a file
called `demo`, a person called White. By any other name a value may be a word of ours."""
SHORT = re.compile("[a-z]{2,8}")
"""What a language's table is called, without its end: a language, and no region of it."""
SECTION = re.compile(r"^\[(\w+)", re.MULTILINE)
"""The head of a section in a table."""
_SPOKEN = ContextVar("spoken", default=ENGLISH)
"""What is said where nobody names a language: in a thread of its own English, for what devices
report is recorded."""


def language() -> str:
    """The language that is spoken here and now."""
    return _SPOKEN.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """In here another language is spoken."""
    before = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def say(said: Message, language: str = "") -> str:
    """The sentence of a message, in the language that is spoken. Where the key or a value is
    missing, as in a recording of another version, the message is shown as it is: nothing is hidden
    by it. The value `near`, the word that was meant, makes a question of its own; none where there
    is no such word."""
    spoken, part = language or _SPOKEN.get(), said.key.split(".", 1)[0]
    values = {name: _value(name, value, part, spoken) for name, value in said.values}
    if values.get("near"):
        values["near"] = say(message("words.near", word=str(values["near"])), spoken)
    for table in (_few(part, spoken), _few(part, ENGLISH)):
        try:
            return table[said.key].format(**values)
        except (AttributeError, LookupError, TypeError, ValueError):  # or the sentence is none
            continue
    return f"{said.key} {dict(said.values)}"


def refusal(told: Message, language: str = "") -> dict[str, object]:
    """Why something is refused, as programs are told it (docs/referee.md): which refusal it is, the
    rule's id ("" where no rule speaks), the sentence, and what stands in it."""
    values = plain_values(told, language)
    return {"key": told.key, "rule": told.rule, "reason": say(told, language), "values": values}


def plain_values(told: Message, language: str = "") -> dict[str, Value]:
    """The values of a message, for programs; the sentence in place of one that is a message."""
    return {n: say(v, language) if isinstance(v, Message) else v for n, v in told.values}


class _Number(int):
    """A number that chooses between two forms: 1 takes the first. Of three, 0 takes the first, and
    # stands for the number in them."""

    def __format__(self, form: str) -> str:
        if "|" not in form:
            return format(int(self), form)
        *none, one, many = form.split("|")
        chosen = none[0] if none and self == 0 else one if self == 1 else many
        return chosen.replace("#", str(int(self))) if none else chosen


def _value(name: str, value: Said, part: str, language: str) -> Value:
    """A value as it is said: one that is itself a sentence or a word of ours in that language."""
    if isinstance(value, Message):
        return say(value, language)
    if isinstance(value, str):
        return value if language == ENGLISH or name in TYPED else _again(value, part, language)
    return value if isinstance(value, bool) else _Number(value)


def _again(said: str, part: str, language: str) -> str:
    """What was said in English, in another language where its table has it: as a word of its own
    (`value`), at any game's table as one of a game's, or as a sentence without values."""
    tables = {owner: sentences(owner, language) for owner in (part, "words")}
    words = [table.get(f"{owner}.value.{said}") for owner, table in tables.items()]
    plain = [table[_plain(owner)[said]] for owner, table in tables.items() if said in _plain(owner)]
    if part == TABLE:
        games = {game: sentences(game, language) for game in taught()}
        words += [table.get(f"{game}.value.{said}") for game, table in games.items()]
    return next((it for it in (*words, *plain) if it is not None), None) or _shaped(said, language)


def _shaped(said: str, language: str) -> str:
    """A sentence of ours that came as text with values in it, such as why a board does not answer;
    what it has in their places may be another one."""
    for shape, ours in _shapes(language) if " " in said else ():
        if found := shape.fullmatch(said):
            values = found.groupdict().items()
            return ours.format_map({k: _value(k, it, "words", language) for k, it in values})
    return said


@cache
def _shapes(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """What such sentences are in English, each with ours."""
    begin = "words.value."
    known = [it for it in sentences("words", language).items() if it[0].startswith(begin)]
    texts = [(key.removeprefix(begin), it) for key, it in known if "{" in key]
    return tuple((_shape(text), it) for text, it in texts if not re.fullmatch(r"\{\w+\}", text))


def _shape(sentence: str) -> re.Pattern[str]:
    """All that a sentence can be, with whatever values: one that stands in it twice is the same."""
    shaped, names = "", set[str]()
    for text, name, _, _ in Formatter().parse(sentence):
        shaped += re.escape(text)
        if name:
            shaped += f"(?P={name})" if name in names else f"(?P<{name}>.+)"
            names.add(name)
    return re.compile(shaped, re.DOTALL)


@cache
def _plain(part: str) -> dict[str, str]:
    """The keys of English sentences without values; a single word may be a name that is typed."""
    known = sentences(part).items()
    return {text: key for key, text in known if "{" not in text and " " in text}


def translated(said: str, part: str = "words") -> str:
    """A word that stands in a file in English, as the title of a board, in the language that is
    spoken; a game has words of its own."""
    return said if language() == ENGLISH else _again(said, part, language())


_TAUGHT: dict[str, tuple[str, Mapping[str, str]]] = {}
"""Games by the first part of their keys: the package that has their `locale/`, and sentences that
stand in the game itself."""
_own: list[Path] = []
"""The folder of a person's own tables, which hold the keys of games as well as ours."""


def look_in(folder: Path) -> None:
    """Look for a person's own tables here."""
    _own[:] = [folder]
    _forgotten()


@cache
def languages() -> tuple[str, ...]:
    """Every language that has a table, English first."""
    from importlib import resources

    folders = (resources.files("hexboard") / "locale", *_own)
    files = [file.name for folder in folders if folder.is_dir() for file in folder.iterdir()]
    known = {name.removesuffix(".toml") for name in files if name.endswith(".toml")}
    return (ENGLISH, *sorted(it for it in known - {ENGLISH} if SHORT.fullmatch(it)))


def unread(language: str) -> Message | None:
    """Why a person's own table of a language, or the first wrong sentence of ours in it, is not
    read; None where all of it is, or there is none."""
    for file in (folder / f"{language}.toml" for folder in _own):
        try:
            own = _flat(_toml(file.read_text("utf-8-sig")))
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as error:
            return message("language.unread", file=str(file), why=str(error))
        for key, said in own.items():
            if wrong := flaw(key, said, _ours(ENGLISH)):
                return message("language.passed_over", file=str(file), key=key, why=wrong)
    return None


def flaw(key: str, said: str, english: Mapping[str, str]) -> Message | None:
    """Why a sentence cannot stand for the English one of that key, or for the text in it (`value`):
    braces that do not match, a number that has not two forms, values that it has not. None where it
    can, or English has no such key."""
    text = key.partition(".value.")[2]
    try:
        more = _values(said, counted=not text) - _values(text or english.get(key, said))
    except ValueError as error:
        return message("language.braces", why=str(error))
    return message("language.values", names=", ".join(sorted(more))) if more else None


def lacks(key: str, said: str, english: Mapping[str, str]) -> Message | None:
    """What a sentence that can be said leaves out of the English one, as one of a text in its key
    may; None where that is nothing."""
    less = set[str]() if ".value." in key else _values(english.get(key, said)) - _values(said)
    return message("language.values", names=", ".join(sorted(less))) if less else None


def _values(sentence: str, counted: bool = True) -> set[str]:
    """The names in its braces. Raises `ValueError` for braces that do not match, for what stands in
    them and is no name, and for a number that has not two forms, or three, or is none."""
    parsed = Formatter().parse(sentence)
    found = [(name, form or "", how or "") for _, name, form, how in parsed if name is not None]
    for name, form, how in found:
        forms = not form or (counted and form.count("|") in (1, 2) and "{" not in form)
        if not (forms and name.isidentifier() and how in ("", "r")):
            raise ValueError(f"{{{name}{how and f'!{how}'}{form and f':{form}'}}}")
    return {name for name, _, _ in found}


def chosen(wanted: Iterable[str], otherwise: str = ENGLISH) -> str:
    """The first of the languages that are wanted, as "de-AT" or "de_DE.UTF-8", that has a table."""
    for name in wanted:
        short = name.replace("_", "-").partition(".")[0].partition("-")[0].lower()
        if short in PLAIN:
            return ENGLISH
        if short and short in languages():
            return short
    return otherwise


def teach(part: str, package: str, words: Mapping[str, str]) -> None:
    """Keys that begin with `part` are a game's: they are looked up in `words`, or in the `locale/`
    of its package. Raises `ValueError` where another package has that part, or we."""
    if owner(part) not in ("", package):
        raise ValueError(f"message keys {part!r} belong to {owner(part)}")
    _TAUGHT[part] = package, words
    _forgotten()


def taught() -> tuple[str, ...]:
    """The first parts of the keys that are games'."""
    return tuple(_TAUGHT)


def forget(package: str) -> None:
    """No keys are this package's any more."""
    for part in [part for part, (owner, _) in _TAUGHT.items() if owner == package]:
        del _TAUGHT[part]
    _forgotten()


def _forgotten() -> None:
    """Nothing is known by heart any more but our own table, which stays what it is."""
    for known in (languages, sentences, _plain, _shapes, _personal):
        known.cache_clear()


def owner(part: str) -> str:
    """The package whose keys begin with `part`; "" where nobody's do."""
    if part in _TAUGHT:
        return _TAUGHT[part][0]
    return "hexboard" if part in _sections() else ""


@cache
def _sections() -> dict[str, str]:
    """Our own English table, by the first parts of its keys, not read yet: that takes longer than
    most commands do, which say little."""
    found: dict[str, str] = {}
    for text in re.split(r"^(?=\[)", _locale("hexboard", f"{ENGLISH}.toml") or "", flags=re.M):
        if section := SECTION.match(text):
            found[section[1]] = found.get(section[1], "") + text
    return found


@cache
def sentences(part: str, language: str = ENGLISH) -> dict[str, str]:
    """All sentences that serve keys beginning with `part`, by key; in English what the language
    lacks."""
    if language != ENGLISH:
        own = {} if part in _TAUGHT else _ours(language)
        theirs = _table(_TAUGHT[part][0], language) if part in _TAUGHT else {}
        english = sentences(part)
        personal = _personal(language).items()
        sound = {key: it for key, it in personal if not flaw(key, it, english)}
        return {**english, **own, **theirs, **sound}
    if part not in _TAUGHT:
        return _ours(language)
    package, words = _TAUGHT[part]
    return {**_table(package, language), **words}


def texts(part: str) -> dict[str, str]:
    """All that a part's sentences, and ours beside a game's, are in English, by key; where the text
    stands in the key (`value`), those that a table which came with it has."""
    package = owner(part)
    tables = (_table(package, language) for language in languages())
    found = {key: key.partition(".value.")[2] for table in tables for key in table}
    return {key: text for key, text in (found | sentences(part)).items() if text}


def page(package: str) -> str | None:
    """The Markdown page beside a game's sentences, in English where the language that is spoken
    lacks it; None where there is none."""
    return _locale(package, f"{language()}.md") or _locale(package, f"{ENGLISH}.md")


@cache
def _ours(language: str) -> dict[str, str]:
    return _table("hexboard", language)


@cache
def _section(part: str) -> dict[str, str]:
    return _flat(_toml(_sections().get(part, "")))


def _few(part: str, language: str) -> dict[str, str]:
    """`sentences`, but of our own English ones no others than those of that part."""
    few = language == ENGLISH and part not in _TAUGHT
    return _section(part) if few else sentences(part, language)


def _table(package: str, language: str) -> dict[str, str]:
    """A package's sentences in a language. What is no TOML is as good as not there, but in
    English: that raises `ValueError`."""
    try:
        return _flat(_toml(_locale(package, f"{language}.toml") or ""))
    except ValueError:
        if language == ENGLISH:
            raise
        return {}


@cache
def _personal(language: str) -> dict[str, str]:
    """The sentences in a person's own table of a language."""
    found: dict[str, str] = {}
    for file in (folder / f"{language}.toml" for folder in _own):
        try:
            found |= _flat(_toml(file.read_text("utf-8-sig")))
        except (OSError, ValueError):
            continue
    return found


def _locale(package: str, name: str) -> str | None:
    """A file in the `locale/` of a package, or of the one that a module is in; None for none."""
    for folder in getattr(sys.modules.get(package), "__path__", ()):
        if (path := Path(folder, "locale", name)).is_file():  # as nearly always, and much quicker
            return path.read_text("utf-8")
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

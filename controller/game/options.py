"""What people agree on before a game."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from hexboard.files import Source, chosen_file, contents, nearest
from hexboard.words import Message, Value
from hexboard.words.errors import BadText


class Option(Struct, frozen=True):
    """What people may agree on before a game. Its sentence is `<game>.option.<name>`,
    what a choice is called on the page `<game>.choice.<name>.<choice>`.

    `choices` lists what it may be; an int without choices lies between `least` and `most`; a text
    without choices is the game's own to judge.
    """

    name: str
    default: Value
    choices: tuple[Value, ...] = ()
    least: int = 0
    most: int = 0
    rule: str = ""
    """The rule or ruling it is about."""
    group: str = ""
    """What it stands with where options are listed; "rulings" most people need not read."""
    file: bool = False
    """It may be the path of a file."""
    dealt: Value | None = None
    """What it is, unless people say otherwise, where no hand throws dice or draws cards: on a
    simulated board, in a terminal."""
    carried: bool = False
    """The game before it says what it is (`Game.carries`), "" where it begins afresh: people are
    not asked."""

    def allows(self, value: Value) -> str:
        """What it may be, if `value` is not among that; else nothing."""
        if self.choices:
            fits = any(value == choice and type(value) is type(choice) for choice in self.choices)
            return "" if fits else ", ".join(str(choice) for choice in self.choices)
        if type(self.default) is int:
            fits = type(value) is int and self.least <= value <= self.most
            return "" if fits else f"{self.least} to {self.most}"
        if type(value) is type(self.default):
            return ""
        return "no, yes" if type(self.default) is bool else "text"


Options = Mapping[str, Value]
_SWITCH = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


class Carried(Struct, frozen=True):
    """What a game that is over leaves to the next one of the same players."""

    text: str
    """The value of the option that is `carried` (`Option`)."""
    said: tuple[Message, ...]
    """The same in words."""


def carrying(known: Iterable[Option], given: Options, text: str) -> dict[str, Value]:
    """Options of a game that begins with what another one left; "" for one that begins afresh."""
    names = {option.name for option in known if option.carried}
    kept = {name: value for name, value in given.items() if name not in names}
    return kept | (dict.fromkeys(names, text) if text else {})


def choose(game: str, known: Iterable[Option], given: Options) -> dict[str, Value]:
    """All options of a game: what was given, else the defaults. Raises `BadText` for one that the
    game does not know, or a value that it cannot have."""
    options = {option.name: option for option in known}
    for name, value in given.items():
        if name not in options:
            near = nearest(name, list(options))
            names = ", ".join(options) or "-"
            raise BadText("game.no_option", game=game, option=name, near=near, known=names)
        allowed = options[name].allows(value)
        if allowed:
            raise BadText("game.option", option=name, value=str(value), allowed=allowed)
    return {name: given.get(name, option.default) for name, option in options.items()}


def switched(known: Iterable[Option], given: Options) -> dict[str, Value]:
    """Options in which a switch may be said in a word, as people are told them: "yes" is True."""
    switches = {option.name for option in known if type(option.default) is bool}
    return {
        name: _SWITCH.get(value, value) if name in switches and isinstance(value, str) else value
        for name, value in given.items()
    }


def as_dealt(known: Iterable[Option], given: Options) -> dict[str, Value]:
    """Options for where no hand throws dice or draws cards: what was given, else hexboard does."""
    dealt = {option.name: option.dealt for option in known if option.dealt is not None}
    return {**dealt, **given}


def in_full(known: Iterable[Option], given: Options) -> dict[str, Value]:
    """Options as a match keeps them, to be played on and replayed anywhere: in place of a file's
    path what stands in it. Raises `BadFile` where that cannot be read."""
    files = {option.name for option in known if option.file}
    return {name: contents(str(v)) if name in files else v for name, v in given.items()}


def agree(known: Iterable[Option], kept: Options, asked: Options) -> bool:
    """Whether a match that keeps these options is one that is asked for with those; files agree
    that say the same. Raises `BadFile` where one cannot be read."""
    files = {option.name for option in known if option.file}

    def said(name: str, value: Value | None) -> object:
        file = chosen_file(str(value)) if name in files else None
        return Source(*file).data if file else value

    return all(said(name, kept.get(name)) == said(name, value) for name, value in asked.items())

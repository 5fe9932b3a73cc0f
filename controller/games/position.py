"""What every game is to the rest of hexboard: positions, actions and the match that keeps them.

A `Position` is an immutable moment of a game as far as its owner knows it. *Moves* are listed by
`legal`; a *happening* (physics) is not listed and `play` takes it whenever it is well formed; a
*table act* (concede) is not listed either, and `refusal` judges it. Ints inside, names outside.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Generic, Protocol, Self, TypeVar

import msgspec
from msgspec import Struct

from controller.board import Board
from controller.errors import BadText
from controller.files import Source, chosen_file, contents, nearest
from controller.scene import Scene
from controller.words import Message, Value

CHANCE = -1
"""The actor of what nobody chooses: dice, draws, a ball coming to rest."""

Event = Message
"""What a play caused, in terms of the game: key, rule id, named values."""
Refusal = Message
"""Why an action is not allowed: key, rule id, named values."""

A = TypeVar("A")
A_contra = TypeVar("A_contra", contravariant=True)
A_co = TypeVar("A_co", covariant=True)


class Question(Struct, frozen=True):
    """Why a seat has the moves it has: "roll a ball, play a tile or end the turn"."""

    seat: int
    message: Message


class Position(Protocol[A]):
    """A moment of a game. `A` is an int, or a small frozen struct in the rich games."""

    @property
    def legal(self) -> Collection[A]:
        """Moves, and the chance the rules wait for. Empty means the game is over."""

    @property
    def scores(self) -> tuple[int, ...] | None:
        """One number a seat once the game is over, else None."""

    @property
    def stable(self) -> bool:
        """A commit point: what was played so far can be journalled as final."""

    @property
    def events(self) -> tuple[Event, ...]:
        """What the last play caused."""

    def refusal(self, action: A) -> Refusal | None:
        """Why `action` is not allowed now, naming the rule; None when it is."""

    def actor(self, action: A) -> int:
        """The seat that acts, or `CHANCE`."""

    def play(self, action: A) -> Self:
        """The position after. Raises `IllegalAction` with the refusal."""

    def question(self, seat: int) -> Question | None:
        """What the rules ask of a seat now."""

    def name(self, action: A) -> str:
        """An action as people write it: "e5-e7", "play J C3 2"."""

    def action(self, name: str) -> A:
        """The inverse of `name`. Raises `BadText`."""

    def __str__(self) -> str:
        """Canonical text; the game's `parse` is its inverse."""


class Piece(Struct, frozen=True, array_like=True):
    """A thing that lies in a cell, for pictures: `kind` is disc, counter, card or unit; or hole,
    for a cell of the board that is not in play."""

    place: str
    kind: str
    seat: int = -1
    """Whose it is; -1 for nobody's."""
    count: int = 1
    """How high a stack is, or the number on it."""
    text: str = ""
    """What is written on it."""


class Visible(Protocol[A_contra]):
    """A game whose position can be seen on the board, and whose moves are made by touching it."""

    seats: tuple[Message, ...]
    """The players' names."""

    def seen(self) -> bytes:
        """One code a cell, in the board's order: what the board should show."""

    def pieces(self) -> tuple[Piece, ...]:
        """What lies in the cells, as a page draws it."""

    def places(self, action: A_contra) -> tuple[str, ...]:
        """The places that a finger touches, in order, to make this move; () for a die or a bet."""

    def scene(self) -> Scene:
        """What the lights should mean."""


class Handled(Protocol):
    """A game that can say which things people move by hand."""

    def things(self, code: int) -> tuple[str, ...]:
        """What a code of `seen` is as things, by name, from the bottom; "" for a covered one."""


class Marching(Protocol[A_co]):
    """A game in which a hand makes several moves of one piece as one."""

    def marches(self, cells: Collection[str]) -> Iterable[tuple[A_co, ...]]:
        """The fewest moves that bring a piece from one of these cells to another, where one is not
        enough."""


class Chance(Protocol[A_contra]):
    """A game with dice or draws."""

    dealt: bool
    """The rules wait now for a chance that the dealer draws, and nobody at the table."""

    def odds(self, action: A_contra) -> int:
        """The weight of one chance among those that `legal` lists now."""


class Counted(Protocol):
    """A game in which seats have what lies in no cell: chips, cards."""

    standing: tuple[Message, ...]
    """What each seat has, as everybody may know it."""


class Hidden(Protocol[A_contra]):
    """A game in which not everybody knows everything. Unknown is a value of the same type.

    A seat is who looks; one past the last is nobody's: what everybody may know.
    """

    private: bool
    """hexboard dealt cards that not everybody may know, and the game goes on."""
    deck: str
    """The lists of cards that are dealt from, one canonical line: what a shuffle commits to."""

    def view(self, seat: int) -> Self:
        """What `seat` may know; a view's view is itself."""

    def told(self, action: A_contra, seat: int) -> str:
        """The name of an action as `seat` may hear it: "draw" where another would hear which."""

    def hand(self, seat: int) -> tuple[Message, ...]:
        """The cards that a seat holds, in words."""


def public(position: Any) -> Any:
    """A position as everybody may know it."""
    hides = getattr(position, "private", False)
    return position.view(len(position.seats)) if hides else position


def heard(position: Any, action: Any) -> str:
    """The name of an action as everybody may hear it."""
    hides = getattr(position, "private", False)
    return str(position.told(action, len(position.seats)) if hides else position.name(action))


class Figure(Struct, frozen=True, array_like=True):
    """A number of a game that stands in data: "tank.cost", and how sure it is."""

    name: str
    value: Value
    sure: str
    """stated, derived, probable, proposed or unknown; or box, where people's own file has it."""


class Figured(Protocol):
    """A game, as a module, whose numbers people should look at before they play."""

    def figures(self, board: Board, options: "Options") -> tuple[Figure, ...]:
        """Every number with these options."""


class Option(Struct, frozen=True):
    """What people may agree on before a game. Its sentence is `<game>.option.<name>`.

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

    def allows(self, value: Value) -> str:
        """What it may be, if `value` is not among that; else nothing."""
        if self.choices:
            fits = any(value == choice and type(value) is type(choice) for choice in self.choices)
            return "" if fits else ", ".join(str(choice) for choice in self.choices)
        if type(self.default) is int:
            fits = type(value) is int and self.least <= value <= self.most
            return "" if fits else f"{self.least} to {self.most}"
        return "" if type(value) is type(self.default) else "text"


Options = Mapping[str, Value]


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


class Game(Protocol):
    """A game as a module offers it: how to start and read it, and which rules it is.

    Its sentences stand in `locale/en.toml` beside it, its rules in our own words in `locale/en.md`
    (what `hexboard help` prints).
    """

    NAME: str
    OPTIONS: tuple[Option, ...]

    def rules(self) -> str:
        """The version of the rules, which recordings are tied to."""

    def board(self, options: Options) -> str:
        """The name of the board it is played on where nobody chose one."""

    def start(self, board: Board, options: Options) -> Any:
        """The first position. Raises `BadText` for an option it does not know, or a board that it
        cannot be played on."""

    def parse(self, text: str, board: Board, options: Options) -> Any:
        """The position a text stands for. Raises `BadText`."""


# ---------------------------------------------------------------------------------------- match


class Played(Struct, frozen=True, tag="played"):
    """An action was played, by its name."""

    action: str


class Back(Struct, frozen=True, tag="back"):
    """Everything from entry `to` on was taken back."""

    to: int


class Ruled(Struct, frozen=True, tag="ruled"):
    """A host replaced the position: the people are right."""

    position: str
    who: str
    why: str


Entry = Played | Back | Ruled

encode_entry = msgspec.json.Encoder(order="deterministic").encode
decode_entry = msgspec.json.Decoder(Entry).decode

P = TypeVar("P", bound=Any)


class Match(Generic[P]):
    """A game being played: append-only entries, and the position after each.

    Undo is an entry of its own (`back to k`), so that saving and loading are the entries.
    """

    def __init__(self, start: P, parse: Any) -> None:
        self._parse = parse
        self.entries: list[Entry] = []
        self.heard: list[Entry] = []
        """The entries as everybody may hear them: without what a game hides."""
        self._after: list[P] = [start]
        self._line: list[int] = []  # the entries that still count, by index

    @property
    def position(self) -> P:
        return self._after[-1]

    @property
    def line(self) -> tuple[P, ...]:
        """The positions of the game as it counts, the first one first."""
        return tuple(self._after)

    def play(self, action: Any) -> P:
        """Play and keep an action. Raises `IllegalAction`; then nothing has changed."""
        before = self.position
        after = before.play(action)
        played = Played(before.name(action))
        return self._keep(played, after, Played(heard(before, action)))

    def rule(self, position: P, who: str, why: str) -> P:
        """Replace the position by another well-formed one."""
        ruled = Ruled(str(position), who, why)
        return self._keep(ruled, position, Ruled(str(public(position)), who, why))

    def back(self, to: int) -> P:
        """Take back every entry from index `to` on that still counts."""
        self.entries.append(Back(to))
        self.heard.append(Back(to))
        while self._line and self._line[-1] >= to:
            self._line.pop()
            self._after.pop()
        return self.position

    def add(self, entry: Entry) -> P:
        """Keep an entry as it was saved. Raises `BadText` or `IllegalAction` for a foreign one."""
        match entry:
            case Played(action):
                return self.play(self.position.action(action))
            case Ruled(text, who, why):
                return self.rule(self._parse(text), who, why)
            case Back(to) if 0 <= to < len(self.entries):
                return self.back(to)
            case Back(to):
                raise BadText("match.back", to=to, length=len(self.entries))

    def forget(self, length: int) -> None:
        """Drop entries from index `length` on as if they had never been: they were provisional."""
        del self.entries[length:]
        del self.heard[length:]
        while self._line and self._line[-1] >= length:
            self._line.pop()
            self._after.pop()

    @property
    def plays(self) -> Iterator[tuple[P, Entry]]:
        """Every entry that still counts, with the position before it."""
        return ((self._after[k], self.entries[at]) for k, at in enumerate(self._line))

    @property
    def certain(self) -> list[P]:
        """The positions that people can go back to, the present one first."""
        return [self.position, *(self._after[depth] for depth in self._stops())]

    def last_choice(self, back: int = 1) -> int | None:
        """Index of the entry that led on from the position `back` places after the present one in
        `certain`: all from there on is taken back to come to it. None at the start."""
        stops = [*self._stops(), 0]
        return self._line[stops[back - 1]] if self._line else None

    def _stops(self) -> Iterator[int]:
        """Where, before the present position, people had the choice, the newest first: not where
        a dealer deals, who would only do the same again."""
        for depth in reversed(range(len(self._line))):
            position = self._after[depth]
            if position.stable and not getattr(position, "dealt", False):
                yield depth

    def _keep(self, entry: Entry, after: P, heard: Entry) -> P:
        self._line.append(len(self.entries))
        self.entries.append(entry)
        self.heard.append(heard)
        self._after.append(after)
        return after

"""What a game declares: its fields, what stands in them, and how that is looked over.

Every game has six of them (`name` to `parse`); the rest are its *capabilities*: what it does not
declare it has not. Those that are classes are the class of its positions, with the protocol's
methods, as mypy checks (`hexboard.game.position`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Generic, TypeVar, Union, get_args, get_origin

from msgspec import Struct, field

from hexboard import words
from hexboard.appearance import Appearance, Labels
from hexboard.board import Board
from hexboard.board.areas import Areas
from hexboard.facts import Resume, Start
from hexboard.files import Source
from hexboard.game.options import Carried, Option, Options
from hexboard.game.position import (
    Arranged,
    Blaming,
    Chance,
    Counted,
    Handled,
    Hidden,
    Keeping,
    Marching,
    Phrased,
    Position,
    Reaching,
    Touched,
    Visible,
    Withholding,
)
from hexboard.words import Message, Value
from hexboard.words.errors import BadText

A = TypeVar("A")
L = TypeVar("L", contravariant=True)
N = TypeVar("N")
P = TypeVar("P", bound=Position[Any], covariant=True)
"""The class of a game's positions. Here, and nowhere else, it is forgotten: a `Game[Havannah, int]`
is an `AnyGame[int]`, though some of its functions take a `Havannah` and no other position. That is
safe while a game is given only positions that came from it, as a match does (decision 0009)."""


class Figure(Struct, frozen=True, array_like=True):
    """A number of a game that stands in data: "tank.cost", and how sure it is."""

    name: str
    value: Value
    sure: str
    """stated, derived, probable, proposed or unknown; or box, where people's own file has it."""


class FileKind(Struct, frozen=True):
    """A kind of file that people write for a game."""

    name: str
    """In a word: "deck"."""
    fits: Callable[[Source], bool]
    """Whether a file is of this kind."""
    check: Callable[[Source, Callable[[str], Board]], None]
    """Looks it over, where a board's name finds the board. Raises `BadFile` with every mistake."""


class PagePart(Struct, frozen=True, kw_only=True):
    """A game's part of the page. Its files lie in the folder `page/` of the game's package; a page
    asks for those of the game that is played, and has its own widgets where there are none."""

    script: str = ""
    """An ES module; what it exports as `widgets` takes the place of the page's own."""
    style: str = ""
    """A style sheet."""
    shows: Callable[[], object] | None = None
    """What it adds to what pages are told (`hexboard.web.sheet.Shown`)."""
    asked: Callable[[Path, bytes], Message] | None = None
    """Does what its own widgets ask for (hexboard's folder, a JSON object); what everybody is then
    told. Raises `msgspec.DecodeError` for what is none of that, `HexboardError`, `OSError`."""


class Written(Struct, frozen=True):
    """What a game that is written for other programs says."""

    options: Options
    start: str
    """The position that it begins with."""
    moves: tuple[str, ...]
    """What was played, by name."""
    result: str = ""
    """What it says it came to, as in a record: "Black 1, White 0", "*"; "" where it is silent."""
    names: tuple[str, ...] = ()
    """Of the players, by the seat they began on; "" for none."""


class ForeignFormat(Struct, Generic[L], frozen=True):
    """A game as other programs write and read it. `L` is the class of its positions."""

    write: Callable[[Sequence[L], Sequence[str], str], str]
    """The text of a game: its positions, the first one first, the players' names by the seat they
    began on, and the date as ISO 8601 has it; a name or date that nobody knows is "". Raises
    `BadText`."""
    read: Callable[[str], Written] | None = None
    """The inverse, where there is one; its moves may be none that are allowed. Raises `BadText`."""


def lacking(kind: type, protocol: type) -> str:
    """The names in a protocol that a class has not, with commas; "" for none. mypy knows more, but
    not everybody runs it."""
    parts = (vars(part) for part in protocol.__mro__ if part.__module__ == protocol.__module__)
    asked = {name for part in parts for name in part if not name.startswith("_")}
    return ", ".join(sorted(name for name in asked if not _has(kind, name)))


def _has(kind: type, name: str) -> bool:
    """Whether a class has it, or notes it for its values to have."""
    noted = (vars(part).get("__annotations__", {}) for part in kind.__mro__)
    return hasattr(kind, name) or any(name in annotations for annotations in noted)


class GameFields(Struct, Generic[P, A], frozen=True, kw_only=True, eq=False):
    """The fields of a `Game`, and what it says of itself."""

    name: str
    """What people type: "connect-four"."""
    package: str
    """Where `locale/` is: the game's `__name__`."""
    rules: Callable[[], str]
    """The version of the rules, which recordings are tied to."""
    earlier_rules: Callable[[], Mapping[str, Options]] = dict
    """Earlier versions whose recordings are replayed by these rules, and whose matches go on, with
    what was so before it was an option; where one comes out differently, replay says where."""
    unknown_acts: Callable[[], Mapping[str, tuple[str, ...]]] = dict
    """Table acts, by their first word, that a version may not know: not offered in its matches."""
    board: Callable[[Options], str]
    """The name of the board it is played on where nobody chose one."""
    start: Callable[[Board, Options], P]
    """The first position. Raises `BadText` for an option it does not know, or a board that it
    cannot be played on."""
    parse: Callable[[str, Board, Options], P]
    """The position a text stands for. Raises `BadText`."""
    problem: Callable[[P], Message | None] | None = None
    """Why a position that somebody wrote is a *problem*: it can be played on, but could not come
    about. None for one that looks reachable; an impossible one `parse` refuses."""
    options: tuple[Option, ...] = ()
    """What people may agree on before."""
    carries: Callable[[P], Carried | None] | None = None
    """What a position that is over leaves to the next game of the same players, for its option that
    is `carried`; None for one that is not over."""
    family: str = ""
    """The first part of its message keys, where games share them; else its name, with _ for -."""
    beginners: Options = field(default_factory=dict)
    """What a first game is best played with, where that is other than the defaults."""
    sample: str = ""
    """A position, as text, that pictures of it show, with the defaults; "" for the first one."""
    words: Mapping[str, str] = field(default_factory=dict)
    """English sentences by key, for a game without a `locale/`; `<family>.help` is its rules."""

    # ------------------------------------------------------------------- how its board is seen
    visible: type[Visible[A]] | None = None
    """A camera could read it."""
    appearance: Appearance[P] | None = None
    """What a camera has to know to read it."""
    touched: type[Touched[A]] | None = None
    """Pieces in cells; moves are made by touching the board."""
    blaming: type[Blaming[A]] | None = None
    reaching: type[Reaching[A]] | None = None
    handled: type[Handled[A]] | None = None
    marching: type[Marching[A]] | None = None
    table: Callable[[Board, Start | Resume], object] | None = None
    """A table of its own (`hexboard.table.core.Table`), where pieces that people move are not
    all that happens: balls that sensors see."""

    # ------------------------------------------------------------------- chance and secrets
    chance: type[Chance[A]] | None = None
    hidden: type[Hidden[A]] | None = None

    # ------------------------------------------------------------------- what else it can say
    phrased: type[Phrased[A]] | None = None
    withholding: type[Withholding[A]] | None = None
    arranging: type[Arranged[A]] | None = None
    seats_swapped: Callable[[P], bool] | None = None
    """Whether its two players have changed seats by now, where a rule lets them."""
    departed: Callable[[P], Collection[int]] | None = None
    """The seats that have left while the others play on; nobody asks them any more."""
    first_seat: Callable[[P], int] | None = None
    """The seat that began, -1 while none has. Without, who made the first move."""
    notation: Callable[[P, A], str] | None = None
    """A move as lists of moves have it: "e5-e7"; "" (or no field) where its sentence is better."""
    move_count: Callable[[P], int] | None = None
    """How many moves there are, where a game says that sooner than it lists them."""
    counted: type[Counted[A]] | None = None
    keeping: type[Keeping[A]] | None = None
    figures: Callable[[Board, Options], tuple[Figure, ...]] | None = None
    """Every number with these options, where people should look at them before they play."""
    foreign: ForeignFormat[P] | None = None
    """How it is written for other programs, and read."""
    own_options: Callable[[Path], Options] | None = None
    """The options that people's own files in hexboard's folder bring into a game."""
    files: tuple[FileKind, ...] = ()
    """The kinds of files that people write for it."""
    labels: Mapping[str, Callable[[Path], Labels]] = field(default_factory=dict)
    """Labels to glue onto its pieces, by the name of their sheet; people's own files may matter."""
    areas: Callable[[P], Areas] | None = None
    """Which cells belong together, where a board is divided: page and sheet draw the borders."""
    page: PagePart | None = None
    """What it brings to the page beside pieces in cells."""
    stage: Callable[[], object] | None = None
    """What a simulated board has beside pieces that hands lay (`hexboard.demo.stage.Stage`)."""
    evening: Callable[..., object] | None = None
    """Plays an evening without a clock (`hexboard.demo.recorded.Summary`)."""

    def __post_init__(self) -> None:
        _typed(self)
        for protocol, kind in self._claims:
            if missing := lacking(kind, protocol):
                raise TypeError(f"{kind.__name__} has no {missing}: it is not {protocol.__name__}")
        words.teach(self.prefix, self.package, self.words)

    @property
    def prefix(self) -> str:
        """The first part of its message keys."""
        return self.family or self.name.replace("-", "_")

    def begin(self, board: Board, options: Options) -> P:
        """`start`; raises `BadText` also for a position that has not what the game declares."""
        return self._checked(self.start(board, options))

    def read(self, text: str, board: Board, options: Options) -> P:
        """`parse`, looked over in the same way."""
        return self._checked(self.parse(text, board, options))

    def _checked(self, position: N) -> N:
        for _, kind in self._claims:
            if not isinstance(position, kind):
                raise self.other(position, kind)
        return position

    def other(self, found: object, needs: type) -> BadText:
        """The error for something that is not of the class that the game declares."""
        has, asked = type(found).__name__, needs.__name__
        return BadText(
            "game.not_as_declared", game=self.name, package=self.package, has=has, needs=asked
        )

    @property
    def _claims(self) -> tuple[tuple[type, type[Position[A]]], ...]:
        """The protocols that it claims, and which class of its own has each."""
        claims: tuple[tuple[type, type[Position[A]] | None], ...] = (
            (Visible, self.visible),
            (Touched, self.touched),
            (Blaming, self.blaming),
            (Reaching, self.reaching),
            (Handled, self.handled),
            (Marching, self.marching),
            (Chance, self.chance),
            (Hidden, self.hidden),
            (Phrased, self.phrased),
            (Withholding, self.withholding),
            (Arranged, self.arranging),
            (Counted, self.counted),
            (Keeping, self.keeping),
        )
        return tuple((protocol, kind) for protocol, kind in claims if kind is not None)

    def reads(self, version: str) -> bool:
        """Whether what was played by this version of the rules is read by ours."""
        return version in (self.rules(), *self.earlier_rules())

    # ------------------------------------------------------------------- in words

    def help(self) -> str:
        """The rules in our own words, Markdown. Raises `BadText` where nobody has written them."""
        told = self._named("help") or words.page(self.package)
        if told is None:
            raise BadText("game.no_help", game=self.name)
        return told

    def title(self) -> str:
        """What people call it: its sentence `title`, of a family of games `title.NAME`."""
        return self._named("title") or self.name.replace("-", " ").title()

    def aim(self) -> str:
        """What one plays for, in a sentence: `aim`, or `aim.NAME`; "" where nobody says."""
        return self._named("aim")

    def _named(self, what: str) -> str:
        known = words.sentences(self.prefix, words.language())
        every = f"{self.prefix}.{what}"
        return known.get(f"{every}.{self.name}") or known.get(every, "")

    def about(self, option: Option) -> str:
        """The sentence that says what an option is."""
        known = words.sentences(self.prefix, words.language())
        return known.get(f"{self.prefix}.option.{option.name}", "")


def _classes(kind: Any) -> tuple[type, ...]:
    """The classes that a value may be of, by its annotation."""
    parts = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return tuple(get_origin(part) or part for part in parts)


_FIELDS = {name: _classes(kind) for name, kind in GameFields.__annotations__.items()}


def _typed(game: GameFields[P, A]) -> None:
    """Raise `TypeError` where a field is not what its annotation says: not everybody runs mypy."""
    for name, classes in _FIELDS.items():
        _is_one(name, getattr(game, name), classes)
    for option in game.options:
        _is_one("options", option, (Option,))
    for kind in game.files:
        _is_one("files", kind, (FileKind,))


def _is_one(name: str, value: object, classes: tuple[type, ...]) -> None:
    if not isinstance(value, classes):
        wanted = " or ".join("None" if it is NoneType else it.__name__ for it in classes)
        raise TypeError(f"{name} has {type(value).__name__}, not {wanted}")

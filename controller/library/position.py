"""A position as other programs hold it: it prints as a board, and takes moves by name."""

from collections.abc import Collection, Iterator
from typing import Self

from hexboard import files
from hexboard.board import Board, plain
from hexboard.game import registry
from hexboard.game.game import AnyGame, board_for
from hexboard.game.options import Options, in_full, switched
from hexboard.game.position import CHANCE, Action, lists
from hexboard.game.position import Position as Inner
from hexboard.words import Value, say
from hexboard.words.errors import BadText


class Legal(Collection[str]):
    """The legal moves of a position by name, made when they are asked for."""

    def __init__(self, position: Inner[Action]) -> None:
        self._position = position

    def __iter__(self) -> Iterator[str]:
        return (self._position.name(action) for action in self._position.legal)

    def __len__(self) -> int:
        return len(self._position.legal)

    def __contains__(self, name: object) -> bool:
        try:
            action = self._position.action(str(name))
        except BadText:
            return False
        return lists(self._position, action)

    def __repr__(self) -> str:
        return f"<Legal: {', '.join(self) or 'none, the game is over'}>"


class Position:
    """A moment of a game, with the game, the board and the options it is played with. Immutable.

    `inner` is the game's own value, as `hexboard.game.position` describes it.
    """

    def __init__(
        self, game: AnyGame[Action], board: Board, options: Options, inner: Inner[Action]
    ) -> None:
        self.game, self.board, self.options, self.inner = game, board, dict(options), inner

    # ------------------------------------------------------------------------------- what is so

    @property
    def text(self) -> str:
        """Canonical text; `hexboard.position(name, text)` is its inverse."""
        return str(self.inner)

    @property
    def seats(self) -> tuple[str, ...]:
        """The players' names."""
        return tuple(say(seat) for seat in self.inner.seats)

    @property
    def seat(self) -> int | None:
        """Whose move it is; -1 where the rules wait for chance, None when the game is over."""
        return next((self.inner.actor(action) for action in self.inner.legal), None)

    @property
    def legal(self) -> Legal:
        """The legal moves by name, and the chances the rules wait for."""
        return Legal(self.inner)

    @property
    def odds(self) -> dict[str, int]:
        """The weight of each chance that the rules wait for; {} where they wait for none."""
        inner, kind = self.inner, self.game.chance
        if self.seat != CHANCE or kind is None or not isinstance(inner, kind):
            return {}
        return {inner.name(action): inner.odds(action) for action in inner.legal}

    @property
    def scores(self) -> tuple[int, ...] | None:
        """One number a seat once the game is over, else None."""
        return self.inner.scores

    @property
    def events(self) -> tuple[str, ...]:
        """What the last play caused, in sentences."""
        return tuple(say(event) for event in self.inner.events)

    @property
    def question(self) -> str:
        """What the rules ask of whose move it is; "" where they ask nothing."""
        asked = None if self.seat is None else self.inner.question(self.seat)
        return say(asked.message) if asked else ""

    def refusal(self, name: str) -> str:
        """Why a move is not allowed now; "" where it is. Raises `BadText` for what is no move."""
        refused = self.inner.refusal(self.inner.action(name))
        return say(refused) if refused else ""

    def hand(self, seat: int) -> tuple[str, ...]:
        """The cards that a seat holds, as far as this position knows them."""
        hides = self.game.hides(self.inner)
        return tuple(say(card) for card in hides.hand(seat)) if hides else ()

    # ------------------------------------------------------------------------------ what follows

    def play(self, *names: str) -> Self:
        """The position after these moves. Raises `IllegalAction` with the sentence and the rule,
        `BadText` for what is no move at all."""
        inner = self.inner
        for name in names:
            inner = inner.play(inner.action(name))
        return self._with(inner)

    def view(self, seat: int) -> Self:
        """What a seat may know; itself where nothing is hidden. One past the last is nobody's."""
        if not 0 <= seat <= len(self.inner.seats):
            raise BadText("game.no_seat", seat=seat, count=len(self.inner.seats))
        return self._with(self.game.view(self.inner, seat))

    def _with(self, inner: Inner[Action]) -> Self:
        return type(self)(self.game, self.board, self.options, inner)

    # ------------------------------------------------------------------------------- how it looks

    def __str__(self) -> str:
        from hexboard.library.picture import lines  # here, for not every program prints

        return lines(self.game, self.board, self.inner)

    def _repr_svg_(self) -> str:
        from hexboard.library.picture import drawn

        return drawn(self.game, self.board, self.inner)

    def __repr__(self) -> str:
        given = [self.game.name, self.text]
        named = [f"{name}={value!r}" for name, value in self.options.items()]
        if self.board.name != board_for(self.game, self.options):
            named.append(f"board={self.board.name!r}")
        return f"hexboard.position({', '.join([*map(repr, given), *named])})"

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.game.name, self.text, self.board.name, self.options)

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.game, self.inner) == (other.game, other.inner)

    def __hash__(self) -> int:
        return hash(self.inner)


def names() -> list[str]:
    """The games that are installed, and those that a person keeps."""
    registry.look_in(files.home() / "games")
    return registry.names()


def _found(name: str) -> AnyGame[Action]:
    registry.look_in(files.home() / "games")
    return registry.find(name)


def start(name: str, /, *, board: str = "", **options: Value) -> Position:
    """The first position of a game. Raises `BadText` for a game, board or option there is not."""
    return begin(name, board, options)


def begin(name: str, board: str, options: Options) -> Position:
    """`start`, with the options as a mapping."""
    game = _found(name)
    options = switched(game.options, options)
    ground = plain(board or board_for(game, options))
    return Position(game, ground, in_full(game.options, options), game.begin(ground, options))


def position(name: str, text: str, /, *, board: str = "", **options: Value) -> Position:
    """The position of a game that a text stands for. Raises `BadText`."""
    return _again(name, text, board, options)


def _again(name: str, text: str, board: str, options: Options) -> Position:
    game = _found(name)
    options = switched(game.options, options)
    ground = plain(board or board_for(game, options))
    full = in_full(game.options, options)
    return Position(game, ground, full, game.read(text, ground, full))

"""The front door: which games there are here, what goes on from last time, what somebody chose."""

import contextlib
from collections.abc import Callable, Iterable, Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import Board
from hexboard.calibration.result import place
from hexboard.daemon.opening import goes_on, unfinished
from hexboard.daemon.run import Run
from hexboard.devices.open import simulated
from hexboard.facts import Named, Start
from hexboard.game import registry
from hexboard.game.game import AnyGame, board_for
from hexboard.game.match import Played, decode_entry
from hexboard.game.options import Options, as_dealt, carrying, choose
from hexboard.game.position import Action, Position
from hexboard.game.timing import agreed
from hexboard.record.journal import Journal, Saved
from hexboard.web.front import GameOffer, Sheet, front_sheet
from hexboard.web.keys import called, lend
from hexboard.web.requests import New
from hexboard.words import Message, message, say
from hexboard.words.errors import NO_JSON, BadText, HexboardError
from hexboard.words.names import alike, apart, one_line, words_of

LAST = "playing.json"
"""Which game was played last in a state folder."""


class Front:
    """The front door of a board where `run` is played. `catch_up` waits until the journal has all
    that was played; it raises `HexboardError` where that is not soon."""

    def __init__(self, run: Run, catch_up: Callable[[], None]) -> None:
        self._run, self._catch_up = run, catch_up
        self._now = Start("", "", "", run.game, "", {}, "")
        self.next: Run | None = None
        """What somebody chose to play instead."""

    @property
    def back(self) -> Run:
        """How this game goes on."""
        return replace(self._run, anew=False)

    def begins(self, run: Run, start: Start) -> None:
        """This match of `run` is played now."""
        self._run = replace(run, names=start.names, colours=start.colours, said=None)
        self._now = start
        if self._run.chosen:
            lend(self._run.state / LAST, start.game)

    def choose(self, asked: New, position: Position[Action]) -> Run | None:
        """Somebody wants a new game, where this `position` is played: what to begin on the board as
        it is, or None where another game or board comes `next`. Raises `HexboardError` where it
        cannot be played; then nothing has changed."""
        game = self.next.game if self.next is not None else self._now.game
        if self.next is not None or asked.match not in ("", self._now.match):
            raise HexboardError("front.late", game=registry.find(game).title())
        self._catch_up()
        if not asked.game:
            return self._again(asked.how == "next", position)
        with registry.used(asked.game):
            chosen = self._chosen(asked)
        if chosen.anew and (chosen.game, chosen.board) == (self._run.game, self._run.board):
            return replace(chosen, anew=False, watch=self._run.watch)
        self.next = chosen
        return None

    def _again(self, carried: bool, position: Position[Action]) -> Run:
        """This game once more: with what it leaves, afresh where it is over, else as it began."""
        run, game = self._run, registry.find(self._now.game)
        left = game.carries(position) if game.carries is not None else None
        if carried and left is None:
            raise HexboardError("front.nothing_carried", game=game.title())
        if left is not None and not carried:
            return replace(run, options=carrying(game.options, run.options, ""))
        kept = _kept(run, game, self._now)
        if left is not None:
            return replace(run, options=carrying(game.options, kept, left.text))
        return replace(run, options=kept) if any(it.carried for it in game.options) else run

    def _chosen(self, asked: New) -> Run:
        if asked.how == "on":
            on = going_on(self._run, asked.game)
            if on is None:
                raise HexboardError("front.nothing_left", game=registry.find(asked.game).title())
            return on
        game = registry.find(asked.game)
        for option in game.options:
            given = str(asked.options.get(option.name, ""))
            if option.file and any(sign in given for sign in "/.\n"):
                raise HexboardError("front.no_file", option=option.name)
        presets: dict[str, Options] = {"first": game.beginners}
        if asked.how == "house":
            presets["house"] = self._house(game)
        played = _played(self._run, game, {**presets.get(asked.how, {}), **asked.options})
        words = words_of(game.begin(played.board, played.options).seats)
        names: list[str] = []
        for name in asked.names:  # a second Anna is told apart
            shown = one_line(name) if called(name, words) else ""
            names.append(apart(shown, {*words, *map(alike, names)}))
        said = {"names": tuple(names), "colours": asked.colours, "said": asked.names}
        return replace(played, **said, clock=self._clock(asked))

    def _clock(self, asked: New) -> str | None:
        """The clock of the new match. Raises `BadText` for what is none."""
        if asked.clock:
            agreed(asked.clock)
        return self._run.clock if asked.clock is None else asked.clock

    def _house(self, game: AnyGame[Action]) -> Options:
        """The options with which a game was played here last, without what was carried to it."""
        same = game.name == self._now.game
        start = self._now if same else _last(self._run, game.name)
        kept = {} if start is None else _kept(self._run, game, start)
        return carrying(game.options, kept, "")

    def sheet(self, again: Callable[[], Iterable[Sheet]], phones: Mapping[int, Named]) -> bytes:
        """What hosts are told; from any thread. `again` is what can be watched; `phones` have said
        since what their players are called."""
        offers = [self._offer(name) for name in registry.names()]
        return msgspec.json.encode(front_sheet(offers, self._now, again(), phones))

    def _offer(self, name: str) -> GameOffer:
        try:
            game = registry.find(name)
            house = self._house(game)
            with registry.used(name):
                return self._fitting(game, house)
        except HexboardError as error:
            return GameOffer(name, why=str(error))
        except Exception as error:  # a mistake in one game must not hide the others
            return GameOffer(name, why=f"{type(error).__name__}: {error}"[:200])

    def _fitting(self, game: AnyGame[Action], house: Options) -> GameOffer:
        board = registry.board(game.name)
        why, left = "", None
        try:
            _board(self._run, game, as_dealt(game.options, {}))
        except BadText as error:
            why = str(error)
        if game.name != self._now.game:
            left = _left(self._run, game)
        dealt = as_dealt(game.options, {}) if self._run.simulate else {}
        first = bool(game.beginners) and not why and self._can(game, game.beginners)
        return GameOffer(
            game.name,
            game,
            board,
            why,
            _moves(left.saved) if left is not None and left.fits(game) else 0,
            {option: value for option, value in house.items() if not _long(value)},
            dealt,
            first,
        )

    def _can(self, game: AnyGame[Action], options: Options) -> bool:
        with contextlib.suppress(BadText):
            _board(self._run, game, options)
            return True
        return False


def left_off(run: Run) -> Run:
    """What was played here last and can go on, where nobody typed what is to be played. What the
    settings say of options holds for matches that begin; one that goes on keeps its own."""
    if run.typed:
        return run
    with contextlib.suppress(OSError, HexboardError, *NO_JSON):
        if not run.chosen:
            name = msgspec.json.decode((run.state / LAST).read_bytes(), type=str)
            with registry.used(name):
                if (left := _left(run, registry.find(name))) is not None:
                    return left.on(run, registry.find(name))
    with contextlib.suppress(HexboardError, *NO_JSON), registry.used(run.game):
        game = registry.find(run.game)
        if (left := _left(run, game)) is not None:
            return replace(left.on(run, game), chosen=run.chosen)
    return run


def absent(run: Run) -> Message | None:
    """That the game which was played here last is away, or broken; what was played is kept."""
    if run.typed or run.chosen:
        return None
    with contextlib.suppress(OSError, *NO_JSON):
        name = msgspec.json.decode((run.state / LAST).read_bytes(), type=str)
        try:
            registry.find(name)
        except HexboardError as error:
            if not any(saved.entries for saved in unfinished(run.state / f"{name}.db")):
                return None
            if name in registry.names():
                return message("front.broken", game=name, why=say(error.message))
            return message("front.absent", game=name)
    return None


def safely(run: Run) -> Run:
    """What hexboard itself brings, played in a folder of its own: without the match that was left,
    a camera, calibrations, options, and all files and games of people's own."""
    bare = replace(
        run,
        state=run.state / "safe",
        options={},
        camera="",
        frames=False,
        calibration=None,
        home=None,
        watch=False,
        chosen=False,
        anew=True,
    )
    for name in sorted(registry.names(), key=lambda name: name != run.game):
        with contextlib.suppress(BadText):
            return replace(_played(bare, registry.find(name), {}), chosen=False)
    return bare


def going_on(run: Run, name: str) -> Run | None:
    """The match of a game that was left, on its board; None for none, or one of another board or
    other rules. Raises `HexboardError`."""
    game = registry.find(name)
    left = _left(run, game)
    return left.on(run, game) if left is not None and left.fits(game) else None


class _Left(Struct, frozen=True):
    """A match that was left, and the board of its name."""

    saved: Saved
    start: Start
    board: Board

    def fits(self, game: AnyGame[Action]) -> bool:
        """Whether it can go on there."""
        return goes_on(self.start, game, self.board)

    def on(self, run: Run, game: AnyGame[Action]) -> Run:
        """How it goes on. Raises `BadText` where its options do not suit the board any more."""
        options = _kept(run, game, self.start)
        game.begin(self.board, options)
        return _on(run, game.name, self.board, options)


def _left(run: Run, game: AnyGame[Action]) -> _Left | None:
    """The match of a game that was left, one that can go on before others; None for none. Raises
    `HexboardError`."""
    found = []
    for saved in unfinished(run.state / f"{game.name}.db"):
        start = msgspec.json.decode(saved.start, type=Start)
        own = run.own or run.board
        board = own if start.board == own.name or not run.simulate else _simulated(run, start.board)
        found.append(_Left(saved, start, board))
        if found[-1].fits(game):
            return found[-1]
    return found[0] if found else None


def _played(run: Run, game: AnyGame[Action], options: Options) -> Run:
    """A new match of a game. Raises `BadText` where it cannot be."""
    options = as_dealt(game.options, options) if run.simulate else options
    choose(game.name, game.options, options)
    return replace(_on(run, game.name, _board(run, game, options), options), anew=True)


def _on(run: Run, name: str, board: Board, options: Options) -> Run:
    own = run.own or run.board
    calibration = place(run.home, board, run.simulate) if run.home is not None else None
    return replace(
        run,
        game=name,
        options=dict(options),
        board=board,
        own=own,
        calibration=run.calibration if board is run.board else calibration,
        chosen=True,
        anew=False,
        watch=False,
    )


def _board(run: Run, game: AnyGame[Action], options: Options) -> Board:
    """Where it can be played: on the board that is there or, simulated, on its own. Raises
    `BadText`."""
    own = run.own or run.board
    try:
        game.begin(own, options)
    except BadText:
        if not run.simulate:
            raise
    else:
        return own
    board = _simulated(run, board_for(game, options))
    game.begin(board, options)
    return board


def _simulated(run: Run, name: str) -> Board:
    return run.board if run.board.name == name else simulated(run.boards(name))


def _moves(saved: Saved) -> int:
    """How many moves were made in a match, those that were taken back too."""
    return sum(isinstance(decode_entry(text), Played) for text in saved.entries)


def _last(run: Run, name: str) -> Start | None:
    path = run.state / f"{name}.db"
    if not path.exists():
        return None
    with (
        contextlib.suppress(HexboardError, *NO_JSON),
        contextlib.closing(Journal(path, asks=True)) as journal,
    ):
        return msgspec.json.decode(journal.last(), type=Start)
    return None


def _kept(run: Run, game: AnyGame[Action], start: Start) -> Options:
    """The options that people chose for a match, as this game still knows them."""
    ours = game.own_options(run.home) if game.own_options and run.home else {}
    return {
        option.name: start.options[option.name]
        for option in game.options
        if option.name in start.options
        and option.name not in ours
        and not option.allows(start.options[option.name])
    }


def _long(value: object) -> bool:
    """Whether it is a whole file."""
    return "\n" in str(value)

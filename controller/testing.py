"""What a game promises (`hexboard.game.position`), tried at random.

    from hexboard.testing import check_game
    def test_my_game() -> None:
        check_game(GAME, seed=1, games=5)

It cannot say whether the rules are right; it says that its positions are positions at all.
"""

import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from traceback import extract_tb
from typing import Generic, TypeVar

from hexboard.appearance import Look
from hexboard.board import Board, plain
from hexboard.demo.recorded import Summary
from hexboard.demo.stage import stage
from hexboard.game.game import AnyGame, appearance
from hexboard.game.options import Option, Options
from hexboard.game.position import CHANCE, Position
from hexboard.game.record import unfit
from hexboard.web.files import missing
from hexboard.web.sheet import shown
from hexboard.words import Message, Value, say, sentences
from hexboard.words.errors import BadText, IllegalAction

A = TypeVar("A")

SAMPLE = 12
"""So many of the legal moves of one position are looked at closely."""
GARBAGE = ("", "no such thing", "\n", "é" * 40)
"""What is neither a move nor a position in any game."""


class BrokenPromise(AssertionError):
    """What a game promised and does not keep, a sentence each."""

    def __init__(self, game: str, seed: int, broken: Iterable[str]) -> None:
        self.broken = tuple(broken)
        super().__init__("\n".join((f"{game} (seed {seed}):", *self.broken)))


def check_game(
    game: AnyGame[A],
    *,
    seed: int = 0,
    games: int = 3,
    steps: int = 100,
    ends: bool = False,
    options: Options | None = None,
) -> None:
    """Play `games` random games of at most `steps` actions. `ends`: each must be over by then.

    Prints the seed. Raises `BrokenPromise` with a sentence for every promise that is broken.
    """
    print(f"check_game({game.name}, seed={seed}, games={games}, steps={steps})")
    check = _Check(game, Random(seed), options or {})
    check.tried("what the game declares", check.declared)
    for _ in range(games if check.begins else 0):
        check.tried("a random game", lambda: check.play(steps, ends))
    if check.broken:
        raise BrokenPromise(game.name, seed, check.broken.values())


class _Check(Generic[A]):
    """One game being looked at; `broken` has the first case of each promise."""

    def __init__(self, game: AnyGame[A], random: Random, options: Options) -> None:
        self.game, self.random, self.options = game, random, options
        self.broken: dict[str, str] = {}
        self.board: Board
        self.begins = False

    def hold(self, promise: str, kept: bool, case: object = "") -> None:
        """Note a promise that is not kept."""
        if not kept:
            self.broken.setdefault(promise, f"{promise}: {str(case)[:200]}" if case else promise)

    def tried(self, what: str, does: Callable[[], object]) -> None:
        """Do it; what it raises is a broken promise as well."""
        try:
            does()
        except Exception as error:  # whatever a game does
            frame = extract_tb(error.__traceback__)[-1]
            at = f"{Path(frame.filename).name}:{frame.lineno}"
            self.hold(f"{what} raises nothing", False, f"{type(error).__name__}: {error} ({at})")

    def spoken(self, what: str, said: Message) -> None:
        """There is a sentence, with all its values."""
        self.hold(f"{what} has a sentence for its key", not say(said).startswith(said.key), said)

    # ------------------------------------------------------------------ what the game declares

    def declared(self) -> None:
        game = self.game
        self.hold(
            "rules() is the same each time, and not empty", game.rules() == game.rules() != ""
        )
        self.tried("help is there", self._help)
        self._parts()
        self.board = plain(game.board(self.options))
        first = game.begin(self.board, self.options)
        self.begins = True
        if self.game.sample:
            self.tried("its sample, with no option given", self._sample)
        seats = [say(seat) for seat in first.seats]
        self.hold("seats have names of their own", len(set(seats)) == len(seats) > 0, seats)
        for seat in first.seats:
            self.spoken("a seat", seat)
        for option in game.options:
            self._option(option)
        self._refused_start("no_such_option", "1", "an option it does not know is refused")
        for text in GARBAGE:
            self._bad("parse refuses what is no position with BadText", self._read, text)
            self._bad("action refuses what is no action with BadText", first.action, text)

    def _sample(self) -> None:
        self.game.read(self.game.sample, plain(self.game.board({})), {})

    def _help(self) -> None:
        lines = [line for line in self.game.help().splitlines() if line.strip()]
        self.hold("help has a title and more", len(lines) > 1, lines[:1])
        ours = f"{self.game.prefix}."
        foreign = [key for key in sentences(self.game.prefix) if not key.startswith(ours)]
        self.hold("each sentence has a key of the game's own", not foreign, foreign[:3])

    def _parts(self) -> None:
        """What it brings for the page and the simulated board is what it should be."""
        self.tried("its part of the page", lambda: shown(self.game))
        gone = missing(self.game)
        self.hold("the script and style sheet that it declares are there", not gone, gone)
        self.tried("its stage", lambda: stage(self.game))
        if self.game.evening is not None:
            self.tried("an evening that plays itself", self._evening)

    def _evening(self) -> None:
        assert self.game.evening is not None
        board = plain(self.game.board(self.options))
        with TemporaryDirectory() as folder:
            told = self.game.evening(board, Path(folder), 1, 1, 200, lambda turn: None)
        self.hold("an evening says what came of it", isinstance(told, Summary), type(told).__name__)

    def _option(self, option: Option) -> None:
        self.hold("each option is described", bool(self.game.about(option)), option.name)
        self.hold("an option's default is allowed", not option.allows(option.default), option.name)
        if option.choices or type(option.default) is not str:
            promise = "an option refuses what it cannot be with BadText"
            self._refused_start(option.name, "no such value", promise)
        ends = (option.least, option.most) if type(option.default) is int else ()
        for value in option.choices or ends:
            self.tried("a game with an option at its end", partial(self._begin, option, value))

    def _begin(self, option: Option, value: Value) -> None:
        """Begin with one option at this value, on the board for that; with the other options it
        may not go together."""
        options = {**self.options, option.name: value}
        try:
            self.game.begin(plain(self.game.board(options)), options)
        except BadText as error:
            self.spoken("what is refused", error.message)

    def _refused_start(self, name: str, value: Value, promise: str) -> None:
        self._bad(promise, lambda v: self.game.begin(self.board, {**self.options, name: v}), value)

    def _bad(self, promise: str, does: Callable[[str], object], text: Value) -> None:
        try:
            does(str(text))
        except BadText as error:
            self.spoken("what is refused", error.message)
        except Exception as error:
            self.hold(promise, False, f"{text!r} raises {type(error).__name__}")
        else:
            self.hold(promise, False, f"{text!r} is taken")

    def _read(self, text: str) -> Position[A]:
        return self.game.read(text, self.board, self.options)

    # ------------------------------------------------------------------ a random game

    def play(self, steps: int, ends: bool) -> None:
        position: Position[A] = self.game.begin(self.board, self.options)
        known: dict[A, None] = {}
        for _ in range(steps + 1):
            moves = list(position.legal)
            self.position(position, moves)
            if not moves:
                break
            some = self._some(moves)
            known.update(dict.fromkeys(some))
            self.phrases(position, (*some, *self.game.table_acts(position)))
            self.refused(position, moves, self._some(list(known)))
            if self.game.hides(position):
                self.hidden(position, some[:4])
            else:
                self.open(position, some)
            position = position.play(self.random.choice(moves))
        else:
            self.hold(f"a game is over within {steps} actions", not ends)

    def phrases(self, position: Position[A], actions: Iterable[A]) -> None:
        """What it says of actions are sentences."""
        for action in actions:
            if phrase := self.game.phrase(position, action):
                self.spoken("an action in words", phrase.said)
                if phrase.group is not None:
                    self.spoken("a heading of actions", phrase.group)
        for act in self.game.table_acts(position):
            told = self.game.phrase(position, act) is not None
            self.hold("each table act has words", told, position.name(act))

    def _some(self, moves: list[A]) -> list[A]:
        return self.random.sample(moves, min(SAMPLE, len(moves)))

    def position(self, position: Position[A], moves: list[A]) -> None:
        """What every position promises."""
        over = position.scores is not None
        self.hold("scores are known exactly when no move is legal", over == (not moves), position)
        if position.scores is not None:
            same = len(position.scores) == len(position.seats)
            self.hold("scores are one a seat", same, position.scores)
        if self.game.move_count is not None:
            many = self.game.move_count(position)
            self.hold("move_count is how many moves are legal", many == len(moves), many)
        self.texts(position, moves)
        for event in position.events:
            self.spoken("an event", event)
        for said in self.game.standing(position):
            self.spoken("what a seat has", said)
        self.places(position)
        for action in self._some(moves):
            self.move(position, action)

    def texts(self, position: Position[A], moves: list[A]) -> None:
        text = str(position)
        try:
            again = self._read(text)
        except BadText as error:
            self.hold("parse takes what str writes", False, f"{text}: {error}")
            return
        self.hold("parse is the inverse of str", str(again) == text, text)
        equal = again == position and not again != position  # noqa: SIM202 - `!=` may be its own
        self.hold("equal texts are equal positions", equal, text)
        self.hold("equal positions have equal hashes", hash(again) == hash(position), text)
        self.hold("legal is the same after parse", list(again.legal) == moves, text)
        named = {position.name(action) for action in moves}
        self.hold("each move has a name of its own", len(named) == len(moves), text)

    def move(self, position: Position[A], action: A) -> None:
        """What every legal move promises."""
        name, actor = position.name(action), position.actor(action)
        self.hold("action is the inverse of name", position.action(name) == action, name)
        self.hold("a record can hold the name of a move", not unfit(name), name)
        self.hold("what is listed as legal is not refused", position.refusal(action) is None, name)
        self.hold("the actor is a seat or CHANCE", -1 <= actor < len(position.seats), actor)
        alone = actor == CHANCE or not self.game.deals(position)
        self.hold("while something is dealt only chance acts", alone, name)
        if actor == CHANCE:
            kind = self.game.chance
            if kind is None or not isinstance(position, kind):
                self.hold("a game with chance declares chance", self.game.table is not None, name)
            else:
                odds = position.odds(action)
                self.hold("odds are positive", type(odds) is int and odds > 0, name)
        elif self.game.touched is not None:
            question = position.question(actor)
            self.hold("who is to move has a question", question is not None, position)
            if question is not None:
                self.spoken("a question", question.message)
        if self.game.touched is not None:
            places = self.game.touchable(position).places(action)
            self.hold("places of a move lie on the board", set(places) <= {*self.board.cell}, name)
        before = str(position), hash(position)
        try:
            after = position.play(action)
        except IllegalAction:
            self.hold("play takes what is listed as legal", False, name)
        else:
            self.hold("play gives a position of its kind", isinstance(after, type(position)), name)
        same = (str(position), hash(position)) == before
        self.hold("play changes nothing", same, name)

    def refused(self, position: Position[A], moves: list[A], tried: list[A]) -> None:
        """What is not listed is refused, with the rule and a sentence."""
        for action in tried:
            if action in moves:
                continue
            refusal, name = position.refusal(action), position.name(action)
            self.hold("a move that is not listed is refused", refusal is not None, name)
            try:
                position.play(action)
            except IllegalAction as error:
                same = error.message == refusal
                self.hold("play raises what refusal says", same, name)
            except Exception as error:
                self.hold("play refuses with IllegalAction", False, type(error).__name__)
            else:
                self.hold("play refuses with IllegalAction", False, f"{name} is played")
            if refusal is not None:
                self.hold("a refusal names its rule", bool(refusal.rule), refusal)
                self.spoken("a refusal", refusal)

    # ------------------------------------------------------------------ what is seen

    def places(self, position: Position[A]) -> None:
        cells = {*self.board.cell, "*"}
        lit = {re.split(r"[/|]", mark.place)[0] for mark in position.scene()}
        self.hold("the scene lies on the board", lit <= cells, lit - cells)
        if self.game.touched is not None:
            lying = {piece.place for piece in self.game.touchable(position).pieces()}
            self.hold("pieces lie on the board", lying <= cells, lying - cells)
        if self.game.touched is not None or self.game.visible is not None:
            self._seen(position)

    def _seen(self, position: Position[A]) -> None:
        seen = self.game.visibly(position).seen()
        self.hold("seen has one code a cell", len(seen) == len(self.board.cells), len(seen))
        if self.game.appearance is not None and seen:
            looks = appearance(self.game).looks(self.game.visibly(position))
            self.hold("appearance knows every code of seen", max(seen) < len(looks), max(seen))
            right = all(isinstance(look, Look) for look in looks)
            self.hold("what a code looks like is a Look", right, looks)

    # ------------------------------------------------------------------ what is hidden

    def hidden(self, position: Position[A], moves: list[A]) -> None:
        """Each seat sees what it may know, and hears no more than it sees."""
        hides = self.game.hides(position)
        if hides is None:
            return
        deck = hides.deck
        self.hold("the deck is one line", len(deck.splitlines()) < 2, deck)
        for seat in range(len(position.seats)):
            for card in hides.view(seat).hand(seat):
                self.spoken("a card of a hand", card)
        for seat in range(len(position.seats) + 1):
            view = hides.view(seat)
            self.hold("a view's view is itself", view.view(seat) == view, f"seat {seat}")
            self.hold("a view says whose it is", view.eyes == seat, f"seat {seat}")
            self.tried("a view is parsed as any position", partial(self._parsed, view))
            for one in moves:
                for other in moves:
                    self._alike(position, one, other, seat)

    def open(self, position: Position[A], moves: list[A]) -> None:
        """Where a game that can hide says that nothing is hidden, nobody asks what it would."""
        kind = self.game.hidden
        if kind is None or not isinstance(position, kind):
            return
        for move in moves:
            told = {position.told(move, seat) for seat in range(len(position.seats) + 1)}
            name = position.name(move)
            self.hold("told hides nothing where private is false", told == {name}, name)

    def _parsed(self, view: Position[A]) -> None:
        self.hold("a view is parsed as any position", self._read(str(view)) == view, view)

    def _alike(self, position: Position[A], one: A, other: A, seat: int) -> None:
        """Two moves that a seat hears alike look alike to it, and the other way round."""
        hides = self.game.hides(position)
        first, second = position.play(one), position.play(other)
        if hides is None:
            return
        heard = hides.told(one, seat) == hides.told(other, seat)
        names = f"seat {seat}: {position.name(one)}, {position.name(other)}"
        if heard and seat == len(position.seats):
            same = first.events == second.events
            self.hold("events tell nothing that told hides from everybody", same, names)
        if first == second:
            return
        seen = self.game.view(first, seat) == self.game.view(second, seat)
        self.hold("told tells nothing that the view hides", heard or not seen, names)
        self.hold("the view shows nothing that told hides", seen or not heard, names)

"""A game at one keyboard: moves typed by name, taken back, and kept in a file."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Timer

from rich.console import Console

from hexboard.board import Board
from hexboard.commands.bots import Bot, commands_of
from hexboard.commands.spoken import printable
from hexboard.commands.terminal import draw, moves
from hexboard.devices.dealer import Dealer
from hexboard.files import keep
from hexboard.game.game import AnyGame
from hexboard.game.match import Match
from hexboard.game.options import Options, agree, as_dealt, in_full
from hexboard.game.position import CHANCE, Action, Hidden, Position, Touched
from hexboard.game.referee import SeatReferee
from hexboard.game.save import Save, decode, encode
from hexboard.game.timing import Clocks, spelt
from hexboard.words import ENGLISH, Message, message, say
from hexboard.words.errors import BadText
from hexboard.words.names import called, naming

FEW = 12
"""So many moves are simply listed; more are asked for with `moves`."""


def begun_with(game: AnyGame[Action], given: Options, record: Path | None) -> Options:
    """The options of a game in a terminal: those with which people began what `record` keeps;
    else hexboard throws dice and draws cards unless they say otherwise. Raises `BadText` for a file
    that keeps none."""
    if record is None or not record.exists():
        return as_dealt(game.options, given)
    if not record.is_file():  # /dev/zero would be read for ever
        raise BadText("play.no_file", file=str(record))
    kept = decode(record.read_bytes(), str(record))
    return {**(kept.options if kept.game == game.name else {}), **given}


class TerminalGame:
    """One match, all seats. `take` what is typed, `show` what is so; while people think, time runs
    (`thinking`) where a `clock` was agreed on, by `now` (ns).

    Where cards are hidden, only the cards of the seat that looks are shown: while `curtain` names
    another, nothing should be, until that one has come (`open`).
    """

    def __init__(
        self,
        game: AnyGame[Action],
        board: Board,
        options: Options,
        seed: int | None,
        record: Path | None,
        names: tuple[str, ...] = (),
        clock: str = "",
        now: Callable[[], int] = time.monotonic_ns,
        bots: tuple[str, ...] = (),
    ) -> None:
        self.game, self.board, self.record, self._names = game, board, record, names
        self.options = in_full(game.options, options)
        self.console = Console(file=sys.stdout, highlight=False)

        def parse(text: str) -> Position[Action]:
            return game.read(text, board, self.options)

        self.match = Match(game, game.begin(board, options), parse)
        self._dealer = Dealer(seed)
        self._looking: int | None = None
        self._told: Position[Action] | None = None  # of which it was said what happened
        self._clock, self._now = clock, now
        self._kept: bytes | None = None
        """What stands in the file, as far as we know."""
        if record is not None and record.exists():
            self._load(record)
        self._deal()
        self._clocks = Clocks(self._clock, len(self.match.position.seats), self.match.left)
        commands = commands_of(bots, self.match.position)
        self._bots: dict[int, Bot] = {}
        """Programs that play, by seat."""
        with ExitStack() as started:
            for seat, command in commands.items():
                judge = SeatReferee(game, board, self.options, self.match, seat)
                self._bots[seat] = bot = Bot(command, judge)
                started.callback(bot.close)
            self.close = started.pop_all().close

    @property
    def over(self) -> bool:
        return self.match.position.scores is not None

    @property
    def _asked(self) -> int:
        return self._asked_in(self.match.position)

    def _asked_in(self, position: Position[Action]) -> int:
        """`CHANCE` also where nobody has a move."""
        return next((position.actor(action) for action in position.legal), CHANCE)

    @property
    def curtain(self) -> str | None:
        """Who has to come to the keyboard before more is shown; None while nothing is hidden from
        who sits there."""
        position = self.match.position
        if self.game.hides(position) is None or self._asked in (self._looking, CHANCE):
            return None
        if self._asked in self._bots:
            return None
        return self.told(position.seats[self._asked], position)

    def open(self) -> None:
        """Who is asked sits at the keyboard now."""
        self._looking = self._asked

    @property
    def _seen(self) -> Touched[Action]:
        return self._known(self.match.position)

    def _known(self, position: Position[Action]) -> Touched[Action]:
        """A position as who looks may know it; while nobody does, as everybody may."""
        hides = self.game.hides(position)
        if hides is not None:
            nobody = len(position.seats)
            position = hides.view(nobody if self._looking is None else self._looking)
        return self.game.touchable(position)

    @property
    def _hides(self) -> Hidden[Action] | None:
        return self.game.hides(self.match.position)

    @property
    def prompt(self) -> str:
        question = self._seen.question(self._asked)
        return self.told(question.message, self._seen) if question else ">"

    def told(self, said: Message, position: Position[Action]) -> str:
        """A sentence about a position, with the players' names where they gave any."""
        names = called(position.seats, self.game.seated(position, self._names))
        return printable(names.get(say(said, ENGLISH)) or say(naming(said, names)))

    def show(self) -> None:
        """The board, what just happened, the hand, and what can be done."""
        position = self._seen
        self._tell()
        self.console.print(draw(self.board, position.pieces(), position.scene()), soft_wrap=True)
        for line in self.game.standing(position):
            self.console.print(self.told(line, position))
        if self._hides is not None and self._looking is not None:
            for card in self._hides.view(self._looking).hand(self._looking):
                self.console.print(f"  {say(card)}")
        if self.over:
            scores = zip(position.seats, position.scores or (), strict=True)
            shown = ", ".join(f"{self.told(seat, position)} {score}" for seat, score in scores)
            self.console.print(say(message("play.over", scores=shown)))
        elif len(position.legal) <= FEW:
            self.console.print(moves(position, self.console.width))
        if (timing := self._clocks.shown) is not None:
            left = zip(position.seats, timing.left_ns, strict=True)
            told = ", ".join(f"{self.told(seat, position)} {spelt(ns)}" for seat, ns in left)
            self.console.print(say(message("play.clock", left=told)))
        if self._clocks.paused:
            self.console.print(say(message("play.in_pause")))

    @contextmanager
    def thinking(self) -> Iterator[None]:
        """The time of the seat that is asked runs meanwhile, from the first move on; when it has
        run out, that is told at once."""
        clocks, match = self._clocks, self.match
        stands = clocks.paused or self.curtain is not None or not match.begun
        clocks.follow(CHANCE if stands else self._asked, match.length, self._now())
        self._keep_time()
        due = clocks.due
        bell = Timer(0 if due is None else (due - self._now()) / 1e9, self._ring)
        bell.daemon = True
        if due is not None:
            bell.start()
        try:
            yield
        finally:
            bell.cancel()
            if due is not None:
                bell.join()
            self._ring()

    def _ring(self) -> None:
        """Tell whose time has run out since this was looked at last."""
        self._clocks.spend(self._now())
        for seat in self._clocks.out():
            position = self.match.position
            said = message("table.time_out", seat=position.seats[seat])
            self.console.print(f"\n{self.told(said, position)}")

    def _keep_time(self) -> None:
        if self._clocks.agreed and self._clocks.unsaved:
            self.match.time(self._clocks.saved())
            self._save()

    def _pause(self, begins: bool) -> None:
        """A pause begins, or ends. Raises `BadText` where it does already."""
        clocks, position = self._clocks, self.match.position
        if clocks.paused == begins:
            raise BadText("table.in_pause" if begins else "table.no_pause")
        clocks.paused = clocks.unsaved = begins
        said = message(
            "table.paused" if begins else "table.goes_on", who=position.seats[self._asked]
        )
        self.console.print(self.told(said, position))

    @property
    def automatic(self) -> bool:
        """Whether a program is asked."""
        return not self.over and self._asked in self._bots

    def let_play(self) -> None:
        """Let the program that is asked play; where it does not, people do from now on."""
        seat, before = self._asked, self.match.length
        who = self.match.position.seats[seat]
        if (why := self._bots[seat].plays()) is not None:
            self._bots.pop(seat).close()
            self.console.print(self.told(message("play.for_it", who=who, why=why), self._seen))
        elif self.match.length > before:
            self._tell()
            self._deal()
            self._save()

    def _tell(self) -> None:
        """What has happened since this was told, move by move; where the match was gone on with or
        went back, what happened last."""
        line, was = self.match.line, self._told
        fresh = next((n for n, it in enumerate(line, 1) if it is was), len(line) - 1)
        self._told = line[-1]
        for position in map(self._known, line[fresh:]):
            for event in position.events:
                rule = f"  ({event.rule})" if event.rule else ""
                self.console.print(self.told(event, position) + rule)

    def take(self, text: str) -> None:
        """One line of what was typed. Raises our errors; then nothing has changed."""
        match text:
            case "":
                return
            case "moves" | "legal":
                self.console.print(moves(self._seen, self.console.width))
                if acts := self.game.table_acts(self._seen):
                    names = ", ".join(map(self._seen.name, acts))
                    self.console.print(say(message("play.acts", names=names)))
            case "position":
                self.console.print(str(self._seen), soft_wrap=True)
            case "?" | "help":
                self.console.print(say(message("play.help", game=self.game.name)))
            case _:
                self._check_kept()
                self._do(text)
                self._save()

    def _do(self, text: str) -> None:
        """What changes the game, or its pause."""
        match text:
            case "undo":
                self._undo()
            case "pause" | "go on":
                self._pause(text == "pause")
            case _ if self._clocks.paused:
                raise BadText("play.in_pause")
            case _:
                self.match.play(self.match.position.action(text))
                self._deal()

    def _undo(self) -> None:
        """Back to before the last thing that a person did, and what programs did since."""
        match = self.match
        mine = (
            entry for entry, before in match.choices if self._asked_in(before) not in self._bots
        )
        to = next(mine, None if self._bots else match.last_choice())
        if to is None:
            raise BadText("table.nothing_to_undo")
        match.back(to)
        self._deal()

    def _deal(self) -> None:
        """Throw and draw for as long as the rules wait for that, and nobody holds the die."""
        while not self.over and (waits := self.game.waits(self.match.position)):
            declared = self._dealer.deal(waits)
            self.match.play(self.match.position.action(declared.action))

    def _load(self, path: Path) -> None:
        self._kept = path.read_bytes()
        save = decode(self._kept, str(path))
        same = save.game == self.game.name and save.options.keys() == self.options.keys()
        if not (same and agree(self.game.options, save.options, self.options)):
            raise BadText("play.other", file=str(path), game=save.game)
        if save.board not in ("", self.board.name):
            own = self.board.name
            raise BadText("record.board", file=str(path), board=save.board, own=own)
        self._names = self._names or save.names
        if self._clock not in ("", save.clock):
            raise BadText("play.other_clock", file=str(path), clock=save.clock or "–")
        self._clock = save.clock
        for entry in save.entries:
            self.match.add(entry)

    def _save(self) -> None:
        if self.record is not None:
            self._check_kept()
            entries, clock = self.match.entries, self._clock
            data = encode(Save(self.game.name, self.options, entries, self._names, clock))
            keep(self.record, data, new=0o600)  # hidden cards stand in it
            self._kept = data

    def _check_kept(self) -> None:
        """Raise `BadText` where somebody else has written the file since we did."""
        file = self.record
        if file is not None and file.exists() and file.read_bytes() != self._kept:
            raise BadText("play.changed", file=str(file))

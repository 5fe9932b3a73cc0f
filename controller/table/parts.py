"""The parts that every table has, with what only several of them can do together."""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from hexboard.board import Board
from hexboard.facts import MS, Resume, Start, started
from hexboard.game.game import AnyGame
from hexboard.game.options import Option, choose
from hexboard.game.timing import Clocks
from hexboard.perception.health import SensorVerdict
from hexboard.perception.witness import Testimony, Witnesses
from hexboard.table.fingers import FINGERS, pads
from hexboard.table.ledger import Ledger
from hexboard.table.open_question import OpenQuestion
from hexboard.table.outbox import Outbox
from hexboard.table.senses import Senses
from hexboard.table.view import Choice
from hexboard.words import Message, message
from hexboard.words.errors import BadText, HexboardError

A = TypeVar("A")
TIMES = Option("settle_ms", 1500, most=60_000), Option("away_ms", 1500, most=60_000)
"""Without an edge for `settle_ms`, every ball is at rest; a hand has been away for `away_ms` before
a board that no move explains is called wrong."""
TAKEBACK = Option("takeback", "", choices=("", "free", "agreed", "host"))
"""What has to be agreed before something is taken back (`consent`); "" in matches from before there
was a choice."""


CLOCK = Option("clock", "")
"""Minutes a seat and seconds that a turn adds, "10+5" (`timing`); "" for no clock."""


class Parts(Generic[A]):
    """Of one game on one board: the ledger, the senses, the open question, the outbox. Raises
    `BadText` for options or saved entries that are not the game's own."""

    def __init__(self, game: AnyGame[A], board: Board, begin: Start | Resume) -> None:
        start = started(begin)
        options = dict(start.options)
        agreed = TAKEBACK, CLOCK, FINGERS
        taken = {it.name: options.pop(it.name) for it in agreed if it.name in options}
        times = choose(start.game, TIMES, {t.name: options.pop(t.name, t.default) for t in TIMES})
        self.settle_ns, self.away_ns = (int(times[time.name]) * MS for time in TIMES)
        common = choose(start.game, agreed, taken)
        self.takeback, self.clock = str(common["takeback"]), str(common["clock"])
        self.filters_fingers = bool(common["fingers"])
        """Touches that are no finger's are left out, as newer matches have it (`fingers`)."""
        self.game, self.board = game, board
        self.outbox = Outbox()
        self.ledger = Ledger(game, board, begin, options, self.outbox)
        self.ledger.on_choice = self._chosen
        self.clocks = Clocks(self.clock, len(self.ledger.position.seats), self.ledger.match.left)
        self.clocks.paused = isinstance(begin, Resume) and begin.paused
        self.senses = Senses(board, pads(board) if self.filters_fingers else ())
        self.question = OpenQuestion()
        self.now = 0
        """Board time up to which everything is concluded, ns."""
        self.at = 0
        """When it happened what is heard now, board ns."""
        self.on_asked: Callable[[], None] = _nobody
        """Who may know the answer to what is asked: hears of each question."""

    def ask(
        self,
        text: Message,
        choices: tuple[Choice, ...],
        of: tuple[int, ...] = (),
        ordered: bool = False,
    ) -> None:
        """Ask people (see `view.Asking`); another question that is open is void."""
        self.question.ask(text, choices, self.now // MS, of, ordered)
        self.outbox.tell(text)
        self.on_asked()

    def answer(self, question: int, name: str) -> None:
        """Close the open question. Raises `BadText` where it is another one, or no answer to it."""
        self.question.chosen(question, name)
        self.close()

    def close(self) -> None:
        """What is asked is answered, or void."""
        self.question.close()
        self.outbox.change()

    @property
    def journal_up(self) -> bool:
        """Whether the journal keeps what is played."""
        return self.senses.up("journal")

    def guarded(self, source: str, act: Callable[[], None]) -> None:
        """Whatever people ask for that cannot be is refused in words, and changes nothing."""
        try:
            if not self.journal_up:
                raise HexboardError("table.no_journal")
            act()
        except HexboardError as error:
            self.outbox.refuse(error.message, source)

    def check_goes_on(self) -> None:
        """Raises `BadText` in a pause."""
        if self.clocks.paused:
            raise BadText("table.in_pause")

    def _chosen(self) -> None:
        """Somebody plays on at the board: a pause is over."""
        if self.clocks.paused:
            self.clocks.paused = False
            self.outbox.tell(message("table.pause_ends"))

    def learn(self, heard: Testimony) -> None:
        """What a judged roll says of the sensors; those that fail are named."""
        for verdict in self.senses.witnesses.learn(heard):
            self.outbox.tell(_named(verdict, self.senses.witnesses))

    @property
    def failing(self) -> Iterator[tuple[str, Message]]:
        """The sensors that are named, and why."""
        witnesses = self.senses.witnesses
        for sensor, state in witnesses.named.items():
            yield sensor, _named(SensorVerdict(sensor, state), witnesses)

    def storms(self, since: int) -> None:
        """Tell that all sensors together make no sense since then."""
        senses, seconds = self.senses, max(1, round((self.now - since) / (1000 * MS)))
        spoke, known = senses.storms.spoke(since), senses.storms.watched
        self.outbox.tell(message("table.storming", spoke=spoke, known=known, seconds=seconds))

    def misbehaves(self, verdict: SensorVerdict) -> Message:
        """A sensor misbehaves, or behaves again; what was told of it."""
        if verdict.state == "chattering":
            self.senses.witnesses.between([verdict.sensor])
        text = message(f"sensor.{verdict.state or 'healthy'}", sensor=verdict.sensor)
        self.outbox.tell(text)
        return text


def _named(verdict: SensorVerdict, witnesses: Witnesses) -> Message:
    """That a sensor fails, with the reason; or that it no longer does."""
    sensor, witness = verdict.sensor, witnesses.known[verdict.sensor]
    seen, missed = witness.lately
    match verdict.state:
        case "dead":
            return message("sensor.dead", sensor=sensor, passed=missed)
        case "weak":
            return message("sensor.weak", sensor=sensor, seen=seen, passed=seen + missed)
        case "noisy":
            turns = witnesses.turns
            return message("sensor.noisy", sensor=sensor, restless=witness.restless, turns=turns)
    return message("sensor.fit", sensor=sensor)


def _nobody() -> None:
    """Only people answer."""

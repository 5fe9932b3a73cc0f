"""A referee at the board of the second world: a whole table, fed as the daemon feeds it.

It is the public face of any table (`hexboard.record.transcript.Transcript`): facts in, a view out.
What the position is, is read from its text.
"""

from collections.abc import Iterable

from hexboard.board import Board
from hexboard.facts import (
    MS,
    Body,
    Decide,
    Declare,
    Presence,
    Report,
    Resume,
    Ruling,
    Sequencer,
    Snapshot,
    Start,
    Tick,
    Watermark,
)
from hexboard.game import registry
from hexboard.game.position import Action
from hexboard.perception.witness import Witnesses
from hexboard.record.transcript import Transcript
from hexboard.table import TableView
from hexboard.table.effects import Commit, Corrected, Effect, Refuse, Tell
from hexboard.table.view import Asking
from hexboard.words import Message

GAME = "hextraction"
SETTLE_MS = 1500
LATENESS_NS = 100 * MS
STATUS_NS = 20 * MS
"""The Pico promises so often that nothing earlier is still to come (docs/link.md)."""


class Shown:
    """A position's text, taken apart: `KEY=VALUE` after the phase."""

    def __init__(self, text: str) -> None:
        self.phase, *pairs = text.split(" ")
        self.values = dict(pair.split("=", 1) for pair in pairs)

    def _items(self, key: str) -> list[str]:
        said = self.values.get(key, "-")
        return [] if said in ("-", "") else said.split(",")

    @property
    def tiles(self) -> dict[str, tuple[str, int]]:
        found = (item.split(":") for item in self._items("tiles"))
        return {slot: (copy.partition("@")[0], int(turn)) for slot, copy, turn in found}

    @property
    def balls(self) -> dict[int, str]:
        """Where each ball on the board lies: slots, seams, lanes, "zone:ZB"."""
        found = (item.partition("@") for item in self._items("balls"))
        places = {int(id): at[: max(at.rfind("!"), at.rfind("."))] for id, _, at in found}
        return {id: p for id, p in places.items() if not p.startswith(("fell:", "off:"))}

    @property
    def places(self) -> list[str]:
        return sorted(self.balls.values())

    @property
    def winner(self) -> int:
        return -1 if self.values["winner"] == "-" else int(self.values["winner"])

    @property
    def rolls(self) -> int:
        return int(self.values["done"].split(",")[0])

    @property
    def seat(self) -> int:
        return int(self.values["seat"].split("/")[0])

    def changed(self, **values: str) -> str:
        """The text with other values, at rest: nothing rolls and nothing waits."""
        kept = {key: self.values[key] for key in self.values if key in ALWAYS}
        fresh = {"touches": "", "broken": "-", "winner": "-"} | values
        return " ".join(("idle", *(f"{k}={v}" for k, v in (kept | fresh).items())))


ALWAYS = (
    *("seat", "turn", "done", "tiles", "balls", "touches", "broken", "pool", "hands", "conceded"),
    *("rail", "offline", "overdrive", "winner", "unseen"),
)


class Referee:
    """One table, its clock, and the promises that the board has made it. `promises`: between those
    of the evening the board makes one every 20 ms."""

    def __init__(
        self, board: Board, now: int, promises: bool = True, journal: Iterable[str] | None = None
    ) -> None:
        """`journal`: what was written of a match that goes on."""
        game = registry.find(GAME)
        # what was made of a roll is looked at before its turn ends
        options: dict[str, int | str | bool] = {"settle_ms": SETTLE_MS, "turn_end": "said"}
        start = Start("world", board.name, board.hash, GAME, game.rules(), options, "world")
        begin = start if journal is None else Resume(start, tuple(journal))
        self._board, self._journal = board, list(journal or ())
        self._transcript = Transcript(board, begin)
        self._sequencer = Sequencer()
        self._promises = promises
        self._until = 0
        self._up = True
        self.now = now
        self.silence = (0, 0)
        """From when to when the board promises nothing, ns."""
        self.told: list[Message] = []
        self.refused: list[Message] = []
        self.reopened = 0
        """How often a roll that was taken to be over was told anew."""
        self.say(begin, source="table")

    def killed(self, at: int, now: int) -> "Referee":
        """The daemon is killed at `at`; the one that goes on `now` with what it had journalled."""
        self.wait(at)
        return Referee(self._board, now, self._promises, self._journal)

    # ------------------------------------------------------------------------------- facts in

    def say(self, body: Body, source: str = "page") -> list[Effect]:
        """A person's word, now."""
        return self._step(Report(source, self.now, body))

    def hear(self, report: Report, arrival: int, coming: Iterable[int] = ()) -> None:
        """A report from the board; `coming` are the stamps of edges that are on their way."""
        self.wait(arrival, min(coming, default=arrival + 1))
        match report.body:
            case Watermark(until):
                self._until = max(self._until, until)
                self._conclude(self._until)
                return
            case Snapshot() if self._transcript.knows(report):
                return
            case Presence(up):
                self._up = up
        self._step(report)

    def wait(self, until: int, undelivered: int | None = None) -> None:
        """Time goes by: deadlines that nothing can still come before, by a promise or late."""
        while (due := self._transcript.deadline) is not None:
            promised = self._promised(due, undelivered)
            at = max(self.now, due + (STATUS_NS if promised else LATENESS_NS))
            if at > until:
                break
            self.now = at
            source, body = ("pico", Watermark(due)) if promised else ("table", Tick())
            self._step(Report(source, due if promised else at, body))
            if self._transcript.deadline == due:
                break
        self.now = max(self.now, until)

    def _promised(self, due: int, undelivered: int | None) -> bool:
        """Whether a STATUS says that nothing before `due` is still to come."""
        silent = self.silence[0] <= due + STATUS_NS and self.now < self.silence[1]
        sure = undelivered is None or due < undelivered
        return self._up and self._promises and sure and not silent

    def _conclude(self, until: int) -> None:
        """The deadlines that a promise of the board has passed."""
        while (due := self._transcript.deadline) is not None and due <= until:
            self._step(Report("pico", due, Watermark(due)))
            if self._transcript.deadline == due:
                return

    def _step(self, report: Report) -> list[Effect]:
        effects, _ = self._transcript.step(self._sequencer.number(report, self.now))
        for effect in effects:
            if isinstance(effect, Commit):
                self._journal[effect.first :] = effect.entries
            elif isinstance(effect, Tell):
                self.told += effect.messages
            elif isinstance(effect, Corrected):
                self.reopened += effect.why.key == "table.reopened"
            elif isinstance(effect, Refuse):
                self.refused.append(effect.message)
        return effects

    # ------------------------------------------------------------------------------- what it shows

    @property
    def witnesses(self) -> Witnesses:
        return self._transcript.witnesses

    @property
    def view(self) -> TableView[Action]:
        return self._transcript.view

    @property
    def shown(self) -> Shown:
        return Shown(str(self.view.position))

    @property
    def asking(self) -> Asking | None:
        return self.view.asking

    @property
    def deadline(self) -> int | None:
        return self._transcript.deadline

    # ------------------------------------------------------------------------------- people

    def declare(self, action: str) -> bool:
        """Say it for whoever's turn it is; whether it was accepted."""
        return not any(isinstance(e, Refuse) for e in self.say(Declare(-1, action)))

    def decide(self, question: Asking, choice: str) -> bool:
        return not any(isinstance(e, Refuse) for e in self.say(Decide(question.id, choice)))

    def rule(self, do: str) -> bool:
        return not any(isinstance(e, Refuse) for e in self.say(Ruling(do)))

"""The match that is being played: its table, its recording, and how much of it the journal has."""

import contextlib
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from controller import __version__
from controller.board import Board
from controller.effects import Commit, Effect
from controller.facts import Declare, Fact, Report, Resume, Sequencer, Start, encode_fact
from controller.files import unused
from controller.record.account import Account
from controller.record.journal import Journal
from controller.record.recording import Recorder
from controller.record.schemas import schemas
from controller.record.sealed import SecretRecorder, open_match
from controller.table import Table
from controller.table.secrets import HIDDEN
from controller.words import Message


class Match:
    """A match that begins or goes on, in a recording of its own in `folder`. The first report that
    it steps on is `begin`. `trouble` hears, once and from another thread, that the recorder gave
    up. Raises `BadText` for a match that the rules here do not know."""

    def __init__(
        self,
        board: Board,
        begin: Start | Resume,
        journal: Journal,
        folder: Path,
        trouble: Callable[[Message], None],
    ) -> None:
        self._account = Account(board, begin)
        self._journal = journal
        start = begin.start if isinstance(begin, Resume) else begin
        self.name = start.match
        self.recording = _recording(folder, begin)
        about = {"match": self.name, "code": __version__, "python": sys.version.split()[0]}
        self._recorder = Recorder(
            self.recording,
            schemas=schemas(),
            attachments={"board.json": msgspec.json.encode(board)},
            metadata=about,
            trouble=trouble,
        )
        self._secrets = SecretRecorder(self.recording, schemas(), about, trouble)
        self._sequencer = Sequencer(t=time.monotonic_ns())
        self.heard = Fact(0, 0, 0, "table", begin)
        """The last fact that it stepped on, as everybody may hear it."""
        self.journalled = self.table.committed
        """How many entries of the match the journal has."""
        self._unsaved: list[str] = []
        self._stands = str(self.table.position)
        self._sealed = isinstance(begin, Resume) and begin.seal is not None
        self.opened = False
        """Whether it is over, so that everybody may read its secrets."""

    @property
    def table(self) -> Table:
        return self._account.table

    def step(self, report: Report) -> list[Effect]:
        """Number a report, record it, step the table, record what came of it. Whatever goes wrong
        in the table is raised; `heard` is the fact that caused it."""
        fact = self._sequencer.number(report, time.monotonic_ns())
        self.heard = self._heard(fact)
        self._recorder.put("fact", fact.t, encode_fact(self.heard), fact.at)
        if self.heard != fact:
            self._secrets.put(fact.t, encode_fact(fact), fact.at)
        effects, told = self._account.step(fact)
        for record in told:
            self._recorder.put(record.topic, fact.t, record.payload)
        return effects

    def _heard(self, fact: Fact) -> Fact:
        try:
            return self._account.heard(fact)
        except Exception:  # a mistake of ours: the step meets it as well, and nobody hears of it
            return replace(fact, body=Declare(-1, HIDDEN))

    def commit(self, effect: Commit) -> None:
        """Keep what stands from now on until it is saved."""
        self._unsaved = [*self._unsaved[: effect.first - self.journalled], *effect.entries]
        self._stands = effect.position

    def save(self) -> None:
        """Journal what is not yet journalled, be it nothing. Raises `JournalError`; then none of it
        is."""
        if self.table.seal is not None and not self._sealed:
            self._journal.seal(self.name, msgspec.json.encode(self.table.seal))
            self._sealed = True
        self._journal.commit(self.name, self.journalled, self._unsaved, self._stands)
        self.journalled += len(self._unsaved)
        self._unsaved = []

    def open(self) -> None:
        """It is over: its secret segments may be read."""
        self.opened = True
        open_match(self.recording.parent, self.name)

    def close(self) -> None:
        """Close the recording; the match itself may go on in another."""
        self._recorder.close()
        self._secrets.close()
        if self.opened:
            open_match(self.recording.parent, self.name)


def _recording(folder: Path, begin: Start | Resume) -> Path:
    """A new file for a match that begins, or for what comes of one that goes on."""
    with contextlib.suppress(OSError):  # then the recorder says so, and we referee without
        folder.mkdir(exist_ok=True)
    if isinstance(begin, Start):
        return unused(folder / f"{begin.match}.mcap")
    return unused(folder / f"{begin.start.match}+{time.strftime('%Y%m%d-%H%M%S')}.mcap")

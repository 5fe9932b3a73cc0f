"""The match that is being played: its table, its recording, and how much of it the journal has."""

import contextlib
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
from msgspec.structs import replace

from hexboard import __version__
from hexboard.board import Board
from hexboard.daemon.again import About, about_file
from hexboard.facts import (
    WHOEVER,
    Declare,
    Fact,
    Report,
    Resume,
    Sequencer,
    Start,
    Witnessed,
    encode_fact,
    started,
)
from hexboard.game.match import Match as Moves
from hexboard.game.match import Played, encode_entry
from hexboard.game.position import Action
from hexboard.record.beside import next_session
from hexboard.record.chain import chain, whole
from hexboard.record.hall_journal import HallJournal
from hexboard.record.journal import Journal
from hexboard.record.recording import Recorder, new_path
from hexboard.record.schemas import ChainRecord, schemas
from hexboard.record.sealed import SecretRecorder, open_match
from hexboard.record.transcript import Transcript
from hexboard.table import TableView
from hexboard.table.effects import Commit, Effect
from hexboard.table.secrets import HIDDEN
from hexboard.table.view import Asking
from hexboard.web.sheet import outcome, seat_names
from hexboard.words import ENGLISH, Message, say
from hexboard.words.dates import stamp

RECORDED = "recording", "secrets", "album"
"""The names of the notices about what is written beside the journal."""


class Match:
    """A match that begins or goes on, in a recording of its own.

    * `begin`: the first report that it steps on
    * `folder`: where its recording goes
    * `trouble`: hears, from other threads, by the name of a notice what is wrong with a recorder;
      None when that is over
    * `board_file`: the `match_hash` of the board file, which a calibration does not change
    * `hall`: is told what stands
    * `pico`: the serial number of the board's Pico, "" for none

    Raises `BadText` for a match that the rules here do not know.
    """

    def __init__(
        self,
        board: Board,
        begin: Start | Resume,
        journal: Journal,
        folder: Path,
        trouble: Callable[[str, Message | None], None],
        board_file: str = "",
        hall: HallJournal | None = None,
        pico: str = "",
    ) -> None:
        self._transcript = Transcript(board, begin)
        self._journal, self._hall = journal, hall
        start = started(begin)
        self.name = start.match
        self.recording = _recording(folder, begin)
        about = {"match": self.name, "code": __version__, "python": sys.version.split()[0]}
        about |= {"session": str(next_session(folder, self.name))}
        about |= {"board": board_file} if board_file else {}
        about |= {"pico": pico} if pico else {}
        known = schemas()
        self._recorder = Recorder(
            self.recording,
            schemas=known,
            attachments={"board.json": msgspec.json.encode(board)},
            metadata=about,
            trouble=partial(trouble, RECORDED[0]),
        )
        self._secrets = SecretRecorder(self.recording, known, about, partial(trouble, RECORDED[1]))
        self._since = time.monotonic()
        self._sequencer = Sequencer(t=time.monotonic_ns())
        self.heard = Fact(0, 0, 0, "table", begin)
        """The last fact that it stepped on, as everybody may hear it."""
        self.journalled = self.view.committed
        """How many entries of the match the journal has."""
        self._vouched, self._link = 0, ""
        self._unsaved: list[str] = []
        self._paused = isinstance(begin, Resume) and begin.paused  # as the journal has it
        self._given = 0, False, False  # so many are being journalled; so is the seal; in a pause
        self._stands = self._transcript.match.text
        self._sealed = isinstance(begin, Resume) and begin.seal is not None
        self.opened = False
        """Whether it is over, so that everybody may read its secrets."""

    @property
    def view(self) -> TableView[Action]:
        """What its table shows now."""
        return self._transcript.view

    @property
    def asking(self) -> Asking | None:
        """What people are being asked."""
        return self._transcript.asking

    @property
    def chance(self) -> bool:
        """The rules wait for the dealer. Asked after every fact, after most of which nobody looks:
        no view is made for it, nor for `asking`, `private` and `final`."""
        return self._transcript.chance

    @property
    def private(self) -> bool:
        """Cards were dealt that not everybody may know, and the game goes on."""
        return self._transcript.private

    @property
    def secretive(self) -> bool:
        """What goes wrong may name a card that not everybody may know: also where a mistake in the
        game leaves that open."""
        try:
            return self._transcript.private or self._transcript.sealed
        except Exception:
            return True

    @property
    def final(self) -> bool:
        """The game is over for good."""
        return self._transcript.final

    @property
    def moves(self) -> Moves[Action]:
        """The game as it was played so far."""
        return self._transcript.match

    @property
    def played(self) -> bool:
        """Whether anybody has made a move."""
        return any(isinstance(entry, Played) for entry in self._transcript.match.entries)

    @property
    def witnessed(self) -> Witnessed:
        """What its rolls have shown of the sensors, for the match that follows."""
        return self._transcript.witnesses.fact

    @property
    def deadline(self) -> int | None:
        """The board time at which its table next wants to conclude something, ns."""
        return self._transcript.deadline

    def beat(self) -> float:
        """When its recorder last worked, monotonic s; one that gave up was told of."""
        return self._recorder.beat if self._recorder.writes else time.monotonic()

    def knows(self, report: Report) -> bool:
        """Whether a snapshot, or an edge, would say nothing that its table does not know."""
        return self._transcript.knows(report)

    def step(self, report: Report, came: int = 0) -> list[Effect]:
        """Number a report, record it, step the table, record what came of it. Whatever goes wrong
        in the table is raised; `heard` is the fact that caused it. `came` is when it arrived here,
        board ns, 0 for now: what had to wait for us is not late by that."""
        fact = self._sequencer.number(report, came or time.monotonic_ns())
        self.heard = self._heard(fact)
        self._recorder.put("fact", fact.t, encode_fact(self.heard), fact.at)
        if self.heard is not fact:
            self._secrets.put(fact.t, encode_fact(fact), fact.at)
        effects, told = self._transcript.step(fact)
        for record in told:
            self._recorder.put(record.topic, fact.t, record.payload)
        if isinstance(fact.body, Start | Resume):  # else what it says later could be all it says
            self._vouch()
            self._tell_hall(fact.body)
        return effects

    def _heard(self, fact: Fact) -> Fact:
        try:
            return self._transcript.heard(fact)
        except Exception:  # a mistake of ours: the step meets it as well, and nobody hears of it
            return replace(fact, body=Declare(WHOEVER, HIDDEN))

    def commit(self, effect: Commit) -> None:
        """Keep what stands from now on until it is saved."""
        self._unsaved = [*self._unsaved[: effect.first - self.journalled], *effect.entries]
        self._stands = effect.position

    @property
    def unsaved(self) -> bool:
        """Whether something stands that the journal does not have."""
        return bool(self._unsaved) or self._transcript.paused != self._paused

    def writing(self) -> Callable[[], None]:
        """What journals all that is not yet journalled, be it nothing; in any thread, while nobody
        else uses the journal. It raises `JournalError`, and none of it is; else `saved` follows."""
        journal, name, seal = self._journal, self.name, self.view.seal
        sealing = b"" if seal is None or self._sealed else msgspec.json.encode(seal)
        first, entries, stands = self.journalled, tuple(self._unsaved), self._stands
        paused = self._transcript.paused
        self._given = len(entries), bool(sealing), paused
        hall, known = self._hall, self._hall.known if self._hall else 0
        heard = self._heard_since(known, first + len(entries)) if hall else ()
        came = self._came_to() if hall else None

        def write() -> None:
            if sealing:
                journal.seal(name, sealing)
            journal.commit(name, first, entries, stands, paused)
            if hall is not None:
                hall.add(heard, known)
                if came is not None:
                    hall.end(*came)

        return write

    def _came_to(self) -> tuple[tuple[str, ...], tuple[int, ...], str] | None:
        """What players are called, their points, in the order of the seats in which they began, and
        who has won, where that stands."""
        view, scores = self.view, self.view.public.scores
        if scores is None or view.committed < view.entries:
            return None
        came = outcome(view.public, view.names, ENGLISH)
        seats = tuple(seat_names(view, (seat,), ENGLISH) for seat in range(len(scores)))
        seats = view.game.seated(view.public, seats)
        scores = view.game.seated(view.public, scores)
        return seats, scores, say(came, ENGLISH) if came else ""

    def _heard_since(self, first: int, end: int) -> tuple[str, ...]:
        """Entries as everybody may hear them."""
        heard = self._transcript.match.heard[first:end]
        return tuple(encode_entry(entry).decode() for entry in heard)

    def _tell_hall(self, begin: Start | Resume) -> None:
        if self._hall is not None:
            start = started(begin)
            self._hall.begin(start, self._heard_since(0, self.journalled))
            if (came := self._came_to()) is not None:
                self._hall.end(*came)

    def saved(self) -> None:
        """The journal has what `writing` gave it: that is final."""
        count, sealed, self._paused = self._given
        self._sealed |= sealed
        self.journalled += count
        self._unsaved = self._unsaved[count:]  # what came meanwhile comes after it
        self._vouch()

    def _vouch(self) -> None:
        """The recording says what the journal has: a start compares the two."""
        heard = self._heard_since(self._vouched, self.journalled)
        self._link = chain(heard, self._link) if self._vouched else whole(heard)
        self._vouched = self.journalled
        record = ChainRecord(self.heard.n, self.journalled, self._link)
        self._recorder.put("chain", self.heard.t, msgspec.json.encode(record))

    def open(self) -> None:
        """It is over: its secret segments may be read."""
        self.opened = True
        self._secrets.open(self.name)

    def close(self) -> None:
        """Close the recording; the match itself may go on in another."""
        self._recorder.close()
        self._secrets.close()
        came = outcome(self.view.public, self.view.names, ENGLISH)
        about = About(self.view.game.name, came, time.monotonic() - self._since)
        with contextlib.suppress(OSError):  # it is only a help
            about_file(self.recording).write_bytes(msgspec.json.encode(about))
        if self.opened:
            open_match(self.recording.parent, self.name)


def _recording(folder: Path, begin: Start | Resume) -> Path:
    """A new file for a match that begins, or for what comes of one that goes on."""
    with contextlib.suppress(OSError):  # then the recorder says so, and we referee without
        folder.mkdir(exist_ok=True)
    if isinstance(begin, Start):
        return new_path(folder, begin.match)
    return new_path(folder, f"{begin.start.match}+{stamp()}")

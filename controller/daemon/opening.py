"""Opening: which match is played, the saved one or a new one."""

import contextlib
import secrets
import time
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hexboard import __version__
from hexboard.board import Board
from hexboard.daemon.match import Match
from hexboard.daemon.mending import Mending
from hexboard.daemon.notices import Notices
from hexboard.daemon.run import Run
from hexboard.facts import Fact, Resume, Seal, Start
from hexboard.game import registry
from hexboard.game.game import AnyGame
from hexboard.game.options import Options, agree, in_full
from hexboard.game.position import Action
from hexboard.game.timing import agreed
from hexboard.record.hall_journal import HallJournal
from hexboard.record.journal import Journal, Saved
from hexboard.record.sealed import open_match
from hexboard.record.transcript import Transcript
from hexboard.table import newest, open_table
from hexboard.words import Message, message
from hexboard.words.dates import stamp
from hexboard.words.errors import NO_JSON, BadRecording, BadText, HexboardError


class OtherMatchError(HexboardError):
    """The saved match belongs to another board or other rules."""


class OtherOptionsError(HexboardError):
    """The saved match was begun with other options than are asked for."""


class _Tried(Struct, frozen=True):
    """A saved match that can go on."""

    begin: Resume
    going: bool
    """Somebody has made a move in it, and it is not over."""


def goes_on(start: Start, game: AnyGame[Action], board: Board) -> bool:
    """Whether a match that began so is one of these rules and of this board, as its file has it."""
    return game.reads(start.rules) and board.bears(start.board_hash)


def unfinished(path: Path) -> list[Saved]:
    """The matches that are not over there, the newest first; none for a journal that somebody else
    has, or is broken."""
    if not path.exists():
        return []
    with (
        contextlib.suppress(HexboardError),
        contextlib.closing(Journal(path, asks=True)) as journal,
    ):
        return journal.unfinished()
    return []


class Opening:
    """What begins a match of the game that `run` asks for, on a calibrated `board`. Raises
    `HexboardError` where the options or the board do not suit the game; then nothing is touched."""

    def __init__(self, run: Run, board: Board, notices: Notices) -> None:
        self._run, self._notices = run, notices
        self.board = board
        self._game = registry.find(run.game)
        self._options = in_full(self._game.options, run.options)  # as a match keeps them
        self._clock = run.settings.clock if run.clock is None else run.clock
        if self._clock:
            agreed(self._clock)
        try:
            self._game.start(board, {**self._brought(), **run.options})
        except BadText as error:
            raise self._unsuited(error) from None
        self._mending = Mending(
            run.state, run.game, board, run.board.match_hash, self._resume, self._notices
        )

    def _unsuited(self, error: BadText) -> BadText:
        """The same, and that a match is kept of another board than this one is now."""
        board = self._run.board
        with contextlib.suppress(*NO_JSON):
            for saved in unfinished(self._run.state / f"{self._run.game}.db"):
                if saved.entries and not board.bears(_begun_with(saved).board_hash):
                    return BadText("daemon.board_waits", why=error.message, match=saved.match)
        return error

    def journal(self) -> Journal:
        """The journal of this game, made whole where it was not. Raises as `Journal` does."""
        return self._mending.journal()

    def begin(self, journal: Journal) -> Start | Resume:
        """What is asked for: go on, or a new match in place of what could. Raises
        `HexboardError`."""
        if not self._run.anew:
            return self.first(journal)
        saved = journal.open_match()
        ends = saved.match if saved is not None and self._rules(saved) else ""
        start = self.new(journal, ends)
        if ends:
            open_match(self._run.state / "recordings", ends)
        return start

    def match(self, begin: Start | Resume, journal: Journal, hall: HallJournal | None) -> Match:
        """The match that begins so, or goes on; a `hall` hears of it too."""
        return Match(
            self.board,
            begin,
            journal,
            folder=self._run.state / "recordings",
            trouble=self._notices.hear,
            board_file=self._run.board.match_hash,
            hall=hall,
            pico=self._run.pico,
        )

    def _rules(self, saved: Saved) -> bool:
        """Whether a match is of these rules; one that cannot be read is of others."""
        try:
            return self._game.reads(_begun_with(saved).rules)
        except NO_JSON:
            return False

    def first(self, journal: Journal) -> Start | Resume:
        """Go on with the newest match in the journal that can, else begin anew; say which could
        not, and why, or which waits. It is left as it is, for a hexboard that can play it. One in
        which nobody has made a move yet, or that is over, gives way to the one beside which it was
        begun. Raises `JournalError`."""
        goes: _Tried | None = None
        refused = list[tuple[Saved, Exception]]()
        for saved in journal.unfinished():
            if goes is not None and saved.passed:
                break
            try:
                tried = self._tried(saved, journal)
            except Exception as error:  # a mistake of ours must not keep people from playing
                if goes is None or not goes.going:
                    refused.append((saved, error))
                continue
            if goes is not None and goes.going and tried.going:
                self._notices.tell("match", _waits(tried.begin, goes.begin))
                break
            if goes is None or (tried.going and not goes.going):
                goes = tried
        if goes is None and refused and isinstance(refused[0][1], OtherOptionsError):
            self._decline(journal, refused[0][0].match)
        for left, why in sorted(refused, key=lambda it: not it[0].entries)[:1]:
            if goes is None or left.entries:
                self._notices.tell("match", _why(left, why))
        return goes.begin if goes is not None else self.new(journal)

    def _decline(self, journal: Journal, match: str) -> None:
        """People asked for another match than this one."""
        journal.abandon(match)
        open_match(self._run.state / "recordings", match)

    def new(self, journal: Journal, after: str = "") -> Start:
        """A new match as the journal has it, which begins when that of the name `after` ends.
        Raises `HexboardError`; then nothing has changed."""
        start = self._start()
        open_table(self.board, start)  # for trial: what is entered can be played
        # what is measured or wired otherwise since then is no other board
        file = replace(start, board_hash=self._run.board.match_hash)
        journal.begin(start.match, msgspec.json.encode(file), after)
        self._mending.keep(journal)
        return start

    def _tried(self, saved: Saved, journal: Journal) -> "_Tried":
        """The saved match as it goes on, once for trial: what fails would fail at each start."""
        begin, now = self._resume(saved), time.monotonic_ns()
        trial = Transcript(self.board, begin)
        trial.step(Fact(1, now, now, "table", begin))
        if saved.position not in ("", trial.match.text):
            raise BadRecording("journal.position", file=str(journal.path))
        return _Tried(begin, trial.match.begun and trial.match.position.scores is None)

    def _resume(self, saved: Saved) -> Resume:
        """The saved match as it goes on here, if it is of this board and these rules."""
        start = _begun_with(saved)
        if not goes_on(start, self._game, self._run.board):
            if self._game.reads(start.rules):
                raise OtherMatchError("daemon.other_match", match=start.match)
            theirs, ours, code = start.rules, self._game.rules(), start.code
            raise OtherMatchError(
                "daemon.other_rules", match=start.match, theirs=theirs, ours=ours, code=code
            )
        if not agree(registry.find(start.game).options, start.options, self._options):
            raise OtherOptionsError("daemon.other_options", match=start.match)
        seal = msgspec.json.decode(saved.seal, type=Seal) if saved.seal else None
        start = replace(start, board_hash=self.board.hash)
        return Resume(start, saved.entries, seal, saved.paused)

    def _start(self, match: str = "") -> Start:
        return Start(
            match or f"{stamp()}-{secrets.token_hex(2)}",
            self.board.name,
            self.board.hash,
            self._game.name,
            self._game.rules(),
            {
                "settle_ms": self._run.settings.settle_ms,
                "away_ms": self._run.settings.away_ms,
                "takeback": self._run.takeback or self._run.settings.takeback,
                **({"clock": self._clock} if self._clock else {}),
                **newest(self._game, self.board),
                **self._brought(),
                **self._options,
            },
            __version__,
            self._run.names,
            self._run.colours,
        )

    def _brought(self) -> Options:
        """What people's own files bring, for a new match; one that goes on keeps what it began
        with."""
        if self._game.own_options is None or self._run.home is None:
            return {}
        return self._game.own_options(self._run.home)

    def ask(self, body: bytes) -> Message:
        """Do what the game's own widgets ask for; what everybody is told. Raises
        `HexboardError`."""
        home, part = self._run.home, self._game.page
        if home is None or part is None or part.asked is None:
            raise HexboardError("web.no_command")
        try:
            return part.asked(home, body)
        except NO_JSON:
            raise HexboardError("web.no_command") from None
        except OSError as error:
            raise HexboardError("daemon.not_kept", why=error.strerror or "?") from None


def _begun_with(saved: Saved) -> Start:
    return msgspec.json.decode(saved.start, type=Start)


def _waits(kept: Resume, played: Resume) -> Message:
    """That a match could go on, were not another one played."""
    return message("daemon.waits", match=kept.start.match, now=played.start.match)


def _why(saved: Saved, error: Exception) -> Message:
    """Why a match cannot go on, as people are told."""
    if isinstance(error, OtherMatchError | OtherOptionsError):
        return error.message
    why: Message | str = (str(error) or type(error).__name__)[:200]
    if saved.seal and not isinstance(error, BadRecording):  # the rules, or a mistake, name cards
        why = message("daemon.hidden_why", error=type(error).__name__)
    return message("daemon.no_resume", match=saved.match, why=why)

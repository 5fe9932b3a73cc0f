"""Mending: the journal, whole again. Each start compares it with itself and with the recordings
beside it; what one of them lacks is made again from the other, and people are told.

A journal that was damaged is kept under another name, nothing of it is deleted. Where there is
nothing to make it from, it is refused, as it is.
"""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from hexboard.board import Board
from hexboard.daemon.notices import Notices
from hexboard.facts import Resume, Start
from hexboard.game.match import encode_entry
from hexboard.record.beside import against, claims, rebuilt
from hexboard.record.journal import Journal, JournalError, Saved, lay_aside
from hexboard.record.transcript import Transcript
from hexboard.words import Message, message, say
from hexboard.words.errors import NO_JSON, BadRecording, HexboardError

LEAVE = ("journal.unreadable", "journal.version")
"""What is no damage: it is for people to see to."""
DAMAGED = ("journal.corrupt", "journal.altered", "journal.failing")
"""What may be made again from what lies beside it."""
NAME = "mended"
"""The name of its notice of what was wrong."""
MISSED = "missed"
"""That of a match which the journal does not know."""


class Mending:
    """The journal of a `game` on a calibrated `board`, in the folder `state`. `resume` makes a
    saved match what goes on, or raises."""

    def __init__(
        self,
        state: Path,
        game: str,
        board: Board,
        file_hash: str,
        resume: Callable[[Saved], Resume],
        notices: Notices,
    ) -> None:
        self.path = state / f"{game}.db"
        self.backup = state / f"{game}.backup.db"
        self._recordings = state / "recordings"
        self._game, self._board, self._file_hash = game, board, file_hash
        self._resume, self._notices = resume, notices

    def journal(self) -> Journal:
        """Open it, made whole where it was not. Raises as `Journal` does."""
        there = self.path.exists()
        try:
            journal, unfinished = self._readable(self.path)
        except BadRecording as error:
            if error.message.key in LEAVE:
                raise
            mended = self._mended(error.message, None, self._backed_up())
            if mended is None and error.message.key in DAMAGED:
                why = say(error.message)
                raise BadRecording("journal.lost", file=str(self.path), why=why) from None
            if mended is None:
                raise
            return mended
        saved, wrong = None, None
        for saved in unfinished:
            if (wrong := self._compared(saved)) is not None:
                break
        if saved is None and there and journal.blank:
            wrong = message("journal.blank", file=str(self.path))
        if wrong is None:
            self._missed(journal, there)
            self.keep(journal)
            return journal
        journal.close()
        mended = self._mended(wrong, saved, unfinished or self._backed_up())
        if mended is None and saved is not None and saved == unfinished[0]:
            self._notices.tell(NAME, wrong)
        return mended or Journal(self.path)

    def _missed(self, journal: Journal, there: bool) -> None:
        """Lay the backup aside, which would be overwritten, if it has a match that is not over, in
        which somebody made a move, and that this journal does not know. People are told."""
        missed = [one for one in self._backed_up() if not journal.has({one.match: (0, "")})]
        match = next((one.match for one in missed if self._moved(one)), None)
        if match is None:
            if not there and not self.backup.exists():
                self._recorded()
            return
        with contextlib.suppress(OSError):
            aside = str(lay_aside(self.backup, self.path.with_suffix(".missed.db")))
            key = "journal.stranger" if there else "journal.missed"
            key = "journal.replaced" if there and self._of_this_board(journal) else key
            told = message(key, file=str(self.path), aside=aside, match=match)
            self._notices.tell(MISSED, told)

    def _moved(self, saved: Saved) -> bool:
        """Whether a match in the backup, which may be of its beginning, came to any entry."""
        return bool(saved.entries) or any(
            one.entries for one in claims(self._recordings, saved.match)
        )

    def _of_this_board(self, journal: Journal) -> bool:
        """Whether the newest match of a journal was begun on this board."""
        with contextlib.suppress(*NO_JSON):
            start = msgspec.json.decode(journal.last(), type=Start)
            return start.board_hash == self._file_hash or self._board.bears(start.board_hash)
        return False

    def _recorded(self) -> None:
        """With neither journal nor backup a new game begins. Where the match that was recorded last
        was not over, it is made again beside that, and people are told."""
        with contextlib.suppress(OSError, HexboardError):
            found = next(self._found(None, ()), None)
            if found is None:
                return
            again, source = found
            match = Transcript(self._board, self._resume(again)).match
            if not match.begun or match.position.scores is not None:
                return
            made = self.path.with_suffix(".again.db")
            with contextlib.closing(Journal(made)) as journal:
                journal.restore(again)
            aside = lay_aside(made, self.path.with_suffix(".missed.db"))
            told = message(
                "journal.recorded",
                file=str(self.path),
                match=again.match,
                source=str(source),
                aside=str(aside),
            )
            self._notices.tell(MISSED, told)

    def keep(self, journal: Journal) -> None:
        """Roll the backup. Without one people play all the same: the recording is another."""
        with contextlib.suppress(JournalError):
            journal.back_up(self.backup)

    def _readable(self, path: Path) -> tuple[Journal, list[Saved]]:
        """The same as `_sound`; what a disk does not give back is asked for twice."""
        try:
            return self._sound(path)
        except BadRecording as error:
            if error.message.key not in DAMAGED:
                raise
            return self._sound(path)

    def _sound(self, path: Path) -> tuple[Journal, list[Saved]]:
        """The journal at `path`, as it was written, and its matches that are not over, the newest
        first. Raises as `Journal` does."""
        journal = Journal(path)
        try:
            journal.check()
            unfinished = journal.unfinished()
        except JournalError as error:
            journal.close()
            why = str(dict(error.message.values).get("why", error))
            raise BadRecording("journal.corrupt", file=str(path), why=why) from None
        except BaseException:
            journal.close()
            raise
        return journal, unfinished

    def _compared(self, saved: Saved) -> Message | None:
        """What is wrong with a match that is sound in itself: it does not come to its own position,
        or lacks what the recording says it had. A recording that says otherwise is named."""
        try:
            resume = self._resume(saved)
        except Exception:  # it cannot go on here: who opens it says why
            return None
        try:
            match = Transcript(self._board, resume).match
        except Exception as error:
            why = (str(error) or type(error).__name__)[:200]
            return message("journal.unplayable", file=str(self.path), why=why)
        if saved.position not in ("", match.text):
            return message("journal.position", file=str(self.path))
        return self._beside(saved.match, [encode_entry(entry).decode() for entry in match.heard])

    def _beside(self, name: str, heard: list[str]) -> Message | None:
        """Whether the newest recordings of a match had more of it than these entries. What is wrong
        with a recording is told: the journal has it all."""
        wrong = against(self._recordings, name, heard, self.path)
        if wrong is not None and wrong.key == "journal.behind":
            return wrong
        if wrong is not None:
            self._notices.tell(NAME, wrong)
        return None

    def _mended(
        self, wrong: Message, saved: Saved | None, unfinished: list[Saved]
    ) -> Journal | None:
        """The journal made again from what has most of the match, with what else was `unfinished`;
        None where nothing has more than `saved`."""
        sound = saved.entries if saved and wrong.key == "journal.behind" else ()
        found = next(self._found(saved, sound), None)
        if found is None:
            return None
        again, source = found
        aside = lay_aside(self.path, self.path.with_suffix(".damaged.db"))
        journal = Journal(self.path)
        kept = [again if one.match == again.match else one for one in reversed(unfinished)]
        for one in kept if again in kept else [*kept, again]:
            journal.restore(one)
        self.keep(journal)
        told = message(
            "journal.rebuilt",
            why=say(wrong),
            match=again.match,
            count=len(again.entries),
            source=str(source),
            aside=str(aside),
        )
        self._notices.tell(NAME, told)
        return journal

    def _found(self, saved: Saved | None, sound: tuple[str, ...]) -> Iterator[tuple[Saved, Path]]:
        """The match as other files have it after what is `sound`, the most of it first."""
        open_then = self._backed_up()  # rolled whenever a match begins: it knows which was open
        backup = open_then[0] if open_then else None
        match = saved.match if saved else backup.match if backup else self._newest()
        said = [one for one in claims(self._recordings, match) if one.n] if match else []
        if backup is not None and match != backup.match:
            backup = None
        for one in sorted(said, key=lambda one: -one.entries):
            if backup is not None and len(backup.entries) > one.entries:
                break
            with contextlib.suppress(Exception):  # a file that is broken in whatever way
                again = self._ours(rebuilt(one))
                if self._better(again, saved, sound):
                    yield again, one.path
        if backup is not None and self._better(backup, saved, sound):
            yield backup, self.backup

    def _better(self, again: Saved, saved: Saved | None, sound: tuple[str, ...]) -> bool:
        """Whether it can go on, and has what the `saved` one has not, and all that is `sound`."""
        if saved is not None and saved.entries[: len(again.entries)] == again.entries:
            return False
        if again.entries[: len(sound)] != sound:
            return False
        with contextlib.suppress(Exception):
            Transcript(self._board, self._resume(again))
            return True
        return False

    def _newest(self) -> str:
        """The match of this game that was recorded last; "" for none."""
        said = claims(self._recordings, game=self._game)
        return next((one.match for one in said if one.game and one.board), "")

    def _backed_up(self) -> list[Saved]:
        """The matches that are not over in the backup, the newest first."""
        if not self.backup.exists():
            return []
        with contextlib.suppress(HexboardError):
            journal, unfinished = self._sound(self.backup)
            journal.close()
            return unfinished
        return []

    def _ours(self, again: Saved) -> Saved:
        """A match of this board as the journal has it: it belongs to the board's file."""
        start = msgspec.json.decode(again.start, type=Start)
        if start.board_hash != self._board.hash:
            return again
        start = replace(start, board_hash=self._file_hash)
        return replace(again, start=msgspec.json.encode(start))

"""The journal made whole again: what a start finds out, and what it makes the game of.

A game is played into a state folder; then something happens to a file there, and the daemon's
`Opening` opens the folder as a start does. What is right is what was acknowledged before.
"""

import contextlib
import os
import re
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from hexboard.daemon.match import Match
from hexboard.daemon.notices import Notices
from hexboard.facts import Declare, Report, Resume, Ruling, Start
from hexboard.record.journal import Journal
from hexboard.table.effects import Commit
from hexboard.words import say
from hexboard.words.errors import BadRecording
from tests.benchmarks.flips import Played

GAMES = ("hexalma", "hexel")
"""Without and with hidden hands."""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Played]:
    folder = tmp_path_factory.mktemp("kept")
    return {name: Played(folder, name, 3, turns=8) for name in GAMES}


class Evening:
    """A copy of a game that was played, to be damaged and opened."""

    def __init__(self, played: Played, state: Path) -> None:
        self.played, self.state = played, state
        shutil.copytree(played.folder, state)
        self.journal = state / f"{played.name}.db"
        self.backup = state / f"{played.name}.backup.db"
        (self.recording,) = (state / "recordings").glob("*.mcap")

    def alter(self, *statements: str) -> None:
        with contextlib.closing(sqlite3.connect(self.journal)) as db, db:
            for statement in statements:
                db.execute(statement)

    def open(self) -> tuple[Start | Resume, list[str]]:
        """What begins, and what people are told."""
        notices = Notices([], lambda: None)
        opening = self.played.opening(self.state, notices)
        with contextlib.closing(opening.journal()) as journal:
            return opening.first(journal), [say(notice) for notice in notices]

    def played_on(self, moves: int, which: int = 0, killed: bool = False) -> Path:
        """So many moves more, each the legal one of that number; their recording. Where hexboard is
        killed then, the last of them lie in the WAL."""
        opening = self.played.opening(self.state, Notices([], lambda: None))
        with contextlib.closing(opening.journal()) as journal:
            begin, folder = opening.first(journal), self.state / "recordings"
            match = Match(self.played.board, begin, journal, folder, print, self.played.board.hash)
            match.step(Report("table", 1, begin))
            for t in range(moves):
                name = match.view.position.name(list(match.view.position.legal)[which])
                for effect in match.step(Report("page 1", 2 + t, Declare(-1, name))):
                    if isinstance(effect, Commit):
                        match.commit(effect)
                match.writing()()
                match.saved()
            match.close()
            left = {path: path.read_bytes() for path in self.state.glob("*.db-wal") if killed}
            left |= {path.with_suffix(".db"): path.with_suffix(".db").read_bytes() for path in left}
        for path, data in left.items():
            path.write_bytes(data)
        return match.recording

    def put_back(self, told: str) -> None:
        """Do as people are told, to go on with the match that was missed."""
        wal = Path(f"{self.journal}-wal")
        assert wal.exists()
        assert f"move {self.journal} and, where it is there, {wal} away" in told
        for path in (self.journal, wal):
            path.rename(self.state / f"moved{path.suffix}")
        assert f"the name {self.journal}," in told
        aside = re.search(r"kept as (\S+)\. ", told)
        assert aside
        Path(aside[1]).rename(self.journal)

    def whole(self) -> list[str]:
        """What people are told as the game goes on where it was."""
        begin, told = self.open()
        assert isinstance(begin, Resume)
        assert begin.entries == self.played.entries
        return told


@pytest.fixture(params=GAMES)
def evening(request: pytest.FixtureRequest, kept: dict[str, Played], tmp_path: Path) -> Evening:
    return Evening(kept[request.param], tmp_path / "state")


@pytest.fixture
def open_game(kept: dict[str, Played], tmp_path: Path) -> Evening:
    """One without hidden hands."""
    return Evening(kept["hexalma"], tmp_path / "state")


def test_a_sound_journal_goes_on_without_a_word_and_is_backed_up(evening: Evening) -> None:
    assert evening.whole() == []
    assert evening.backup.stat().st_mode & 0o777 == 0o600
    with contextlib.closing(Journal(evening.backup)) as copy:
        saved = copy.open_match()
    assert saved is not None
    assert saved.entries == evening.played.entries


def test_a_move_that_became_another_is_found_and_made_again(evening: Evening) -> None:
    """A legal move for a legal move, as when one bit of its text flips."""
    last = len(evening.played.entries) - 1
    evening.alter(f"UPDATE entry SET text = (SELECT text FROM entry WHERE n = 0) WHERE n = {last}")
    (told,) = evening.whole()
    assert "is not as hexboard wrote it" in told
    assert str(evening.recording) in told
    assert (evening.state / f"{evening.played.name}.damaged.db").exists()
    assert evening.whole() == []  # and from then on it is whole


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE match SET position = position || ' '",
        "UPDATE match SET over = 'ended'",
        "UPDATE match SET name = name || 'x'",
        "DELETE FROM entry WHERE n = 2",
        "DELETE FROM match",
    ],
)
def test_whatever_else_of_it_changes_is_found(open_game: Evening, statement: str) -> None:
    open_game.alter("PRAGMA foreign_keys = OFF", statement)
    assert len(open_game.whole()) == 1


def test_a_journal_that_is_garbage_is_made_again_and_kept_aside(evening: Evening) -> None:
    evening.journal.write_bytes(b"nothing at all" * 1000)
    (told,) = evening.whole()
    aside = evening.state / f"{evening.played.name}.damaged.db"
    assert aside.read_bytes() == b"nothing at all" * 1000
    assert str(aside) in told


def test_a_journal_that_lost_its_last_moves_gets_them_from_the_recording(evening: Evening) -> None:
    """As when an older file comes back, sound in itself: here the backup of the beginning."""
    shutil.copy(evening.backup, evening.journal)
    (told,) = evening.whole()
    assert f"lacks the last {len(evening.played.entries)} entries" in told


def test_the_newest_recording_is_that_which_counts_itself_last_whatever_the_clock_said(
    open_game: Evening,
) -> None:
    """The clock is set back while hexboard is away, and the journal loses the move after that."""
    played, before = open_game.played, open_game.journal.read_bytes()
    os.utime(open_game.played_on(1), (1, 1))
    for end in ("-wal", "-shm"):
        Path(f"{open_game.journal}{end}").unlink(missing_ok=True)
    open_game.journal.write_bytes(before)
    again, (told,) = open_game.open()
    assert isinstance(again, Resume)
    assert len(again.entries) == len(played.entries) + 1
    assert "lacks the last entry that" in told


def test_a_longer_recording_of_a_twin_does_not_take_the_place_of_a_sound_journal(
    kept: dict[str, Played], tmp_path: Path
) -> None:
    """A folder was copied, both go on with one match, and a friend's recording comes to mine."""
    mine, friends = (Evening(kept["hexalma"], tmp_path / name) for name in ("mine", "friends"))
    mine.played_on(1)
    theirs = friends.played_on(3, which=1)
    before, _ = mine.open()
    assert isinstance(before, Resume)
    assert len(before.entries) == len(mine.played.entries) + 1
    copied = mine.state / "recordings" / f"{theirs.stem}0.mcap"
    shutil.copy(theirs, copied)
    os.utime(copied, (2**31, 2**31))
    begin, (told,) = mine.open()
    assert begin == before
    assert str(copied) in told
    assert "tells the match otherwise than the journal" in told
    assert not list(mine.state.glob("*.damaged*"))


def test_a_twins_recording_extends_a_journal_that_has_only_what_both_had(
    kept: dict[str, Played], tmp_path: Path
) -> None:
    mine, friends = (Evening(kept["hexalma"], tmp_path / name) for name in ("mine", "friends"))
    shutil.copy(friends.played_on(2, which=1), mine.state / "recordings")
    begin, (told,) = mine.open()
    assert isinstance(begin, Resume)
    assert begin == friends.open()[0]
    assert "lacks the last 2 entries" in told


def test_a_pause_is_made_again_with_the_journal(open_game: Evening) -> None:
    played = open_game.played
    opening = played.opening(open_game.state, Notices([], lambda: None))
    with contextlib.closing(opening.journal()) as journal:
        begin = opening.first(journal)
        folder = open_game.state / "recordings"
        match = Match(played.board, begin, journal, folder, print, played.board.hash)
        match.step(Report("table", 1, begin))
        match.step(Report("page 1", 2, Ruling("right")))
        match.step(Report("page 1", 3, Ruling("pause")))
        assert match.unsaved
        match.writing()()
        match.saved()
        match.close()
    open_game.journal.write_bytes(b"nothing at all" * 1000)
    again, _ = open_game.open()
    assert isinstance(again, Resume)
    assert again.paused


def test_a_move_that_the_disk_never_took_is_no_loss(tmp_path: Path) -> None:
    """The disk is slow, and the process is killed before the first move is in the journal."""
    played = Played(tmp_path, "hexalma", 3, turns=8)
    state = tmp_path / "state"
    state.mkdir()
    journal = played.opening(state, Notices([], lambda: None)).journal()
    begin = played.opening(state, Notices([], lambda: None)).new(journal)
    match = Match(played.board, begin, journal, state / "recordings", print, played.board.hash)
    match.step(Report("table", 1, begin))
    name = match.view.position.name(next(iter(match.view.position.legal)))
    effects = match.step(Report("page 1", 2, Declare(-1, name)))
    assert any(isinstance(effect, Commit) for effect in effects)  # it stands: the disk is asked
    match.close()
    journal.close()
    notices = Notices([], lambda: None)
    opening = played.opening(state, notices)
    with contextlib.closing(opening.journal()) as again:
        begun = opening.first(again)
    assert isinstance(begun, Resume)
    assert (begun.entries, [say(notice) for notice in notices]) == ((), [])


def test_a_recording_that_is_damaged_is_said_and_the_journal_goes_on(evening: Evening) -> None:
    data = bytearray(evening.recording.read_bytes())
    at = data.index(b"zstd") + 40  # within its first chunk
    data[at : at + 20] = bytes(20)
    evening.recording.write_bytes(data)
    (told,) = evening.whole()
    assert "goes on from the journal" in told


def test_without_recordings_the_backup_is_taken(open_game: Evening) -> None:
    open_game.open()  # rolls it
    shutil.rmtree(open_game.state / "recordings")
    open_game.journal.write_bytes(b"nothing at all" * 1000)
    (told,) = open_game.whole()
    assert str(open_game.backup) in told


def test_with_nothing_beside_it_a_damaged_journal_is_refused_as_it_is(open_game: Evening) -> None:
    shutil.rmtree(open_game.state / "recordings")
    open_game.backup.unlink()
    open_game.alter("UPDATE match SET position = 'x'")
    before = open_game.journal.read_bytes()
    with pytest.raises(BadRecording, match="ove it away"):
        open_game.open()
    assert open_game.journal.read_bytes() == before


def test_a_journal_that_somebody_moved_away_means_a_new_game_and_the_way_back_is_told(
    open_game: Evening,
) -> None:
    """Its backup was rolled over by the new game's, and nobody heard of it."""
    open_game.open()  # rolls the backup
    away = open_game.state / "away.db"
    open_game.journal.replace(away)
    begin, (told,) = open_game.open()
    assert isinstance(begin, Start)
    aside = open_game.state / f"{open_game.played.name}.missed.db"
    assert f"that backup is kept as {aside}" in told
    assert open_game.open()[1] == []
    open_game.played_on(2, killed=True)
    open_game.put_back(told)
    open_game.whole()


def test_who_puts_their_own_journal_back_is_told_of_nothing(open_game: Evening) -> None:
    """The game that was begun in between, in which nobody moved, was missed then."""
    open_game.open()  # rolls the backup
    away = open_game.state / "away.db"
    open_game.journal.rename(away)
    assert isinstance(open_game.open()[0], Start)
    away.replace(open_game.journal)
    assert open_game.whole() == []


def test_who_puts_their_own_journal_back_over_a_game_that_was_played_is_told_of_that(
    open_game: Evening,
) -> None:
    open_game.open()  # rolls the backup
    away = open_game.state / "away.db"
    open_game.journal.rename(away)
    open_game.played_on(2)
    away.replace(open_game.journal)
    (told,) = open_game.whole()
    assert "was put in place of one that knew the game" in told
    open_game.played_on(1, killed=True)
    open_game.put_back(told)
    begin, _ = open_game.open()
    assert isinstance(begin, Resume)
    assert len(begin.entries) == 2


def test_a_match_that_was_backed_up_at_its_beginning_is_missed_all_the_same(
    open_game: Evening,
) -> None:
    """Its moves are in the recording."""
    away = open_game.state / "away.db"
    open_game.journal.rename(away)
    open_game.backup.unlink()
    shutil.rmtree(open_game.state / "recordings")
    open_game.played_on(3)
    open_game.journal.rename(away)
    begin, (told,) = open_game.open()
    assert isinstance(begin, Start)
    assert "was not there, so a new game begins" in told
    open_game.played_on(1, killed=True)
    open_game.put_back(told)
    begin, _ = open_game.open()
    assert isinstance(begin, Resume)
    assert len(begin.entries) == 3


def test_another_journal_over_mine_ends_no_match_of_mine_without_a_word(
    open_game: Evening, tmp_path: Path
) -> None:
    """Its own backup, the last that knew of my match, was rolled over at once."""
    open_game.open()  # rolls the backup
    other = Played(tmp_path, "hexalma", 4, turns=8)
    shutil.copy(other.folder / "hexalma.db", open_game.journal)
    begin, (told,) = open_game.open()
    assert isinstance(begin, Resume)
    assert begin.entries == other.entries
    assert "was put in place of one that knew the game" in told
    assert open_game.open()[1] == []
    open_game.played_on(1, killed=True)
    open_game.put_back(told)
    open_game.whole()


def test_a_journal_of_another_board_is_said_to_be_one(open_game: Evening) -> None:
    open_game.open()  # rolls the backup
    with contextlib.closing(Journal(open_game.journal)) as journal:
        mine = journal.open_match()
    assert mine is not None
    start = replace(msgspec.json.decode(mine.start, type=Start), match="1", board_hash="0" * 64)
    open_game.journal.unlink()
    with contextlib.closing(Journal(open_game.journal)) as journal:
        journal.begin("1", msgspec.json.encode(start))
    _, told = open_game.open()
    assert any("it seems to be another board's" in text for text in told)


def test_with_neither_journal_nor_backup_the_match_is_made_from_its_recording(
    open_game: Evening,
) -> None:
    open_game.journal.unlink()
    open_game.backup.unlink()
    begin, (told,) = open_game.open()
    assert isinstance(begin, Start)
    aside = open_game.state / "hexalma.missed.db"
    assert f"made again from {open_game.recording}, and is kept as {aside}" in told
    assert open_game.open()[1] == []
    open_game.played_on(2, killed=True)
    open_game.put_back(told)
    open_game.whole()


def test_a_first_game_beside_recordings_of_other_games_begins_without_a_word(
    kept: dict[str, Played], tmp_path: Path
) -> None:
    evening = Evening(kept["hexel"], tmp_path / "state")
    played = kept["hexalma"]
    notices = Notices([], lambda: None)
    opening = played.opening(evening.state, notices)
    with contextlib.closing(opening.journal()) as journal:
        assert isinstance(opening.first(journal), Start)
    assert list(notices) == []


def test_a_journal_in_a_bad_sector_is_made_again(
    open_game: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was refused at every start, though recording and backup had all of it."""
    bad = failing_reads(monkeypatch, open_game.journal, times=100)
    (told,) = open_game.whole()
    assert told.startswith(f"The disk does not give back the journal {open_game.journal} as a who")
    assert "made again from" in told
    assert bad


def test_a_read_that_fails_once_lays_no_journal_aside(
    open_game: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing_reads(monkeypatch, open_game.journal, times=1)
    assert open_game.whole() == []


def failing_reads(monkeypatch: pytest.MonkeyPatch, path: Path, times: int) -> list[int]:
    """SQLite cannot read the file that is at `path` now, so many times: what it raises for EIO."""
    number, failed, connect = path.stat().st_ino, list[int](), sqlite3.connect

    class Failing(sqlite3.Connection):
        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
            if "quick_check" in sql and path.stat().st_ino == number and len(failed) < times:
                failed.append(1)
                error = sqlite3.OperationalError("disk I/O error")
                error.sqlite_errorcode = 266  # SQLITE_IOERR_READ
                raise error
            return super().execute(sql, *values)

    monkeypatch.setattr(sqlite3, "connect", lambda *a, **how: connect(*a, factory=Failing, **how))
    return failed


def as_version_1(evening: Evening) -> None:
    evening.alter(
        "ALTER TABLE match DROP COLUMN sum",
        "ALTER TABLE entry DROP COLUMN chain",
        "PRAGMA user_version = 1",
    )


def test_a_journal_of_version_1_goes_on(evening: Evening) -> None:
    as_version_1(evening)
    assert evening.whole() == []


def test_in_a_journal_of_version_1_the_position_tells_of_a_flipped_move(open_game: Evening) -> None:
    as_version_1(open_game)
    last = len(open_game.played.entries) - 1
    open_game.alter(f"DELETE FROM entry WHERE n = {last}")
    (told,) = open_game.whole()
    assert "contradicts itself" in told


def test_in_version_1_with_nothing_beside_it_no_other_position_is_played_on(
    open_game: Evening,
) -> None:
    as_version_1(open_game)
    last = len(open_game.played.entries) - 1
    open_game.alter(f"DELETE FROM entry WHERE n = {last}")
    shutil.rmtree(open_game.state / "recordings")
    open_game.backup.unlink()
    begin, told = open_game.open()
    assert isinstance(begin, Start)
    assert any("another position" in text for text in told)

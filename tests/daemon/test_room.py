"""Room on the disk: which recordings go, which never do, and when people are told."""

import contextlib
import os
import time
from pathlib import Path

import pytest

from hexboard.daemon import room
from hexboard.daemon.notices import Notices
from hexboard.daemon.room import Room
from hexboard.record.journal import Journal
from hexboard.words import say

GB = 1_000_000_000
OLD, OTHERS, LAST = "20260101-200000-aaaa", "20260102-200000-bbbb", "20260103-200000-cccc"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Three matches of 600 MB (of holes: no disk is filled): the second goes on, in another game's
    journal."""
    (tmp_path / "recordings" / "best").mkdir(parents=True)
    for day, match in enumerate((OLD, OTHERS, LAST)):
        for ending, size in ((".mcap", GB // 10), (".frames.mcap", GB // 2), (".secrets", 0)):
            path = tmp_path / "recordings" / f"{match}{ending}"
            path.touch()
            os.truncate(path, size)
            os.utime(path, (9 - day, 9 - day))  # as a copy has them: they tell nothing
    for name in ("notes.txt", f"best/{OLD}.mcap", "mine.mcap"):
        (tmp_path / "recordings" / name).write_bytes(b"x" * 9)
    with contextlib.closing(Journal(tmp_path / "hexel.db")) as journal:
        journal.begin(OTHERS, b"{}")
    return tmp_path


def left(state: Path) -> set[str]:
    return {path.name.split(".")[0] for path in (state / "recordings").iterdir() if path.is_file()}


def made(state: Path, most: int, playing: str = "") -> str:
    with contextlib.closing(Journal(state / "hextraction.db")) as journal:
        if playing:
            journal.begin(playing, b"{}")
        told = list[str]()
        Room(state, most, Notices([], lambda: None), told.append).make(journal)
    return " ".join(told)


def test_the_oldest_match_goes_whole_and_others_are_not_touched(state: Path) -> None:
    assert made(state, 2 * GB) == ""
    assert made(state, GB + GB // 2).startswith("The recordings of 1 old match were deleted")
    assert left(state) == {OTHERS, LAST, "notes", "mine"}
    assert (state / "recordings" / "best" / f"{OLD}.mcap").exists()


def test_where_nothing_is_too_much_nobody_asks_how_old_it_is(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game begins meanwhile, beside thousands of files on a slow card."""
    monkeypatch.setattr(room, "_last", pytest.fail)
    assert made(state, 2 * GB) == ""
    assert left(state) == {OLD, OTHERS, LAST, "notes", "mine"}


def test_what_was_recorded_of_a_match_that_went_on_goes_with_it(state: Path) -> None:
    later = state / "recordings" / f"{OLD}+20260104-180000.mcap"
    later.touch()
    os.truncate(later, GB)
    assert "of 1 old match" in made(state, 2 * GB + GB // 3)
    assert later.exists(), "it was gone on with after the second began"
    assert "of 1 old match" in made(state, GB)
    assert not later.exists()


def test_a_match_that_goes_on_keeps_its_recordings(state: Path) -> None:
    assert "of 1 old match" in made(state, 0, playing=LAST)
    assert left(state) == {OTHERS, LAST, "notes", "mine"}


def test_where_a_journal_is_damaged_nothing_goes(state: Path) -> None:
    (state / "hexel.db").write_bytes(b"SQLite format 3\0" + bytes(5000))
    assert made(state, 2 * GB) == ""
    assert made(state, 0).startswith("Old recordings are not deleted, though they take more than")
    assert left(state) == {OLD, OTHERS, LAST, "notes", "mine"}


def test_little_room_is_told_until_there_is_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notices = Notices([], lambda: None)
    watched = Room(tmp_path, GB, notices, print)
    watched.watch()
    assert list(notices) == []
    monkeypatch.setattr(room, "SCARCE", 1 << 62)
    watched.again()  # that was just now
    assert list(notices) == []
    monkeypatch.setattr(room, "WATCHED_S", 0)
    watched.again()
    monkeypatch.setattr(room, "WATCHED_S", 60)
    (told,) = notices
    assert say(told).endswith(
        "delete what is not needed there, or lower recordings_gb in settings.toml."
    )
    watched.again()
    assert list(notices) == [told]
    monkeypatch.undo()
    watched.again()  # nothing need be saved for that
    assert list(notices) == []


def test_last_nights_match_is_not_the_oldest_where_the_clock_was_behind(state: Path) -> None:
    """A Pi that never heard the time: what it played last bears 1970, as a name and as a time."""
    behind = "19700101-010000-eeee"
    path = state / "recordings" / f"{behind}.mcap"
    path.touch()
    os.utime(path, (0, 0))
    with contextlib.closing(Journal(state / "hextraction.db")) as journal:
        for match in (LAST, behind):
            journal.begin(match, b"{}")
            journal.abandon(match)
    assert "of 1 old match" in made(state, 2 * GB - GB // 2)
    assert left(state) == {OTHERS, LAST, behind, "notes", "mine"}
    path.unlink()
    other = f"{behind[:-4]}ffff"  # of which no journal says anything
    (state / "recordings" / f"{other}.mcap").touch()  # the clock was set meanwhile
    assert "of 1 old match" in made(state, GB)
    assert left(state) == {OTHERS, other, "notes", "mine"}


def test_a_recording_that_cannot_be_looked_at_keeps_the_others_and_no_game_from_beginning(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody takes files away meanwhile, or the disk does not answer."""

    def gone(path: Path, pattern: str) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(Path, "glob", gone)
        assert made(state, 0) == ""
    assert left(state) == {OLD, OTHERS, LAST, "notes", "mine"}


def test_what_is_too_old_goes_but_never_the_latest_and_what_goes_on(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matches of January, of which the second goes on; and one of today, by its clock."""
    monkeypatch.setattr(room, "LATEST", 1)
    evening = [24]
    at = lambda: time.mktime((2026, 11, evening[0], 22, 0, 0, 0, 0, -1))  # noqa: E731
    monkeypatch.setattr(time, "time", at)
    for path in (state / "recordings").glob("*.*"):
        os.utime(path, (0, 0))
    today = state / "recordings" / "20261124-200000-dddd.mcap"
    today.touch()
    with contextlib.closing(Journal(state / "hextraction.db")) as journal:
        told = list[str]()
        Room(state, 9 * GB, Notices([], lambda: None), told.append, days=0).make(journal)
        assert told == []
        for evening[0] in (24, 26, 27):
            assert told == []
            Room(state, 9 * GB, Notices([], lambda: None), told.append, days=30).make(journal)
    assert "of 2 old matches" in told[0]
    assert left(state) == {OTHERS, "20261124-200000-dddd", "notes", "mine"}
    today.unlink()
    with contextlib.closing(Journal(state / "hextraction.db")) as journal:
        Room(state, 9 * GB, Notices([], lambda: None), told.append, days=30).make(journal)
    assert OTHERS in left(state)


def test_a_match_that_was_named_before_the_clock_was_set_is_not_too_old(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Pi has no clock of its own: its evening begins in the past, until it has heard the time."""
    monkeypatch.setattr(room, "LATEST", 1)
    monkeypatch.setattr(room, "SURE", 0)
    for path in (state / "recordings").glob("*.*"):
        os.utime(path, (0, 0))
    early = state / "recordings" / "20240704-200000-dddd.mcap"
    early.touch()
    with contextlib.closing(Journal(state / "hextraction.db")) as journal:
        Room(state, 9 * GB, Notices([], lambda: None), print, days=30).make(journal)
    assert early.exists()
    assert OLD not in left(state)


def test_a_clock_that_is_months_ahead_for_one_evening_deletes_nothing(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two thirds of the evenings of the last month were gone, for good."""
    monkeypatch.setattr(room, "LATEST", 1)
    for path in (state / "recordings").glob("*.*"):
        os.utime(path, (0, 0))
    told, before = list[str](), left(state)
    for days in (5, 5 + 240, 5 + 240, 6, 9):  # since the last match; two games by the wrong clock
        now = time.mktime((2026, 1, 3 + days, 22, 0, 0, 0, 0, -1))
        monkeypatch.setattr(time, "time", lambda now=now: now)
        with contextlib.closing(Journal(state / "hextraction.db")) as journal:
            Room(state, 9 * GB, Notices([], lambda: None), told.append, days=90).make(journal)
    assert told == []
    assert left(state) == before

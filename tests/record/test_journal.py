"""The journal: after any end of the process it has exactly what was committed."""

import base64
import contextlib
import errno
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hexboard.record import held
from hexboard.record import journal as journal_module
from hexboard.record.journal import Journal, JournalError, Saved
from hexboard.words import message
from hexboard.words.errors import BadRecording, Busy
from tests.running import PATIENCE

START = b'{"type":"start"}'


def step(k: int) -> tuple[int, list[str], str]:
    """Commit k of a long match: mostly appends, every fifth replaces the last two entries."""
    first = 2 * k - 2 * (k // 5) - (2 if k % 5 == 4 else 0)
    return max(0, first), [f"{k}a", f"{k}b"], f"position {k}"


def after(k: int) -> tuple[tuple[str, ...], str]:
    """Entries and position after the first k commits, by lists alone."""
    entries: list[str] = []
    position = ""
    for j in range(k):
        first, new, position = step(j)
        entries[first:] = new
    return tuple(entries), position


# ------------------------------------------------------------------------------- there and back


def test_a_shuffle_is_kept_with_its_match_and_nobody_else_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = Journal(path)
    journal.begin("m1", START)
    journal.seal("m1", b"old")
    journal.seal("m1", b"seed and salt")
    journal.close()
    assert path.stat().st_mode & 0o777 == 0o600
    journal = Journal(path)
    assert journal.open_match() == Saved("m1", START, (), "", b"seed and salt")
    journal.begin("m2", START)
    assert journal.open_match() == Saved("m2", START, (), "")
    with pytest.raises(JournalError):
        journal.seal("m3", b"")
    journal.close()


def test_a_pause_is_kept_until_it_is_over_and_an_older_journal_has_none(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = Journal(path)
    journal.begin("m1", START)
    journal.commit("m1", 0, ["a"], "p", True)
    journal.close()
    journal = Journal(path)
    assert journal.open_match() == Saved("m1", START, ("a",), "p", paused=True)
    copy = Journal(tmp_path / "copy.db")
    copy.restore(journal.unfinished()[0])
    assert copy.open_match() == journal.open_match()
    copy.close()
    journal.check()
    journal.commit("m1", 1, [], "p")
    assert journal.open_match() == Saved("m1", START, ("a",), "p")
    journal.close()
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE pause")
    journal = Journal(path)
    assert journal.open_match() == Saved("m1", START, ("a",), "p")
    journal.close()


def test_a_journal_from_before_shuffles_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = Journal(path)
    journal.begin("m1", START)
    journal.close()
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE seal")
    journal = Journal(path)
    assert journal.open_match() == Saved("m1", START, (), "")
    journal.close()


def test_another_program_checks_it_by_its_page_alone(tmp_path: Path) -> None:
    """As docs/contracts.md describes tables, links and sums, with json and hashlib."""
    journal = Journal(tmp_path / "journal.db")
    journal.begin("m1", START)
    journal.begin("m2", b'{"names":["J\xc3\xbcrgen"]}', "m1")
    journal.seal("m2", b"seed")
    journal.commit("m2", 0, ["first", "zweite für Jürgen"], 'a "position" ü')
    locked = contextlib.closing(
        sqlite3.connect(f"file:{journal.path}?mode=ro", uri=True, timeout=0)
    )
    with locked as db, pytest.raises(sqlite3.OperationalError, match="database is locked"):
        db.execute("SELECT * FROM match")
    assert (tmp_path / "journal.db-wal").exists()
    journal.close()
    with contextlib.closing(sqlite3.connect(journal.path)) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (0x48455842,)
        assert db.execute("PRAGMA user_version").fetchone() == (2,)
        for row in db.execute("SELECT * FROM match").fetchall():
            assert summed(db, *row[:-1]) == row[-1]


def summed(db: sqlite3.Connection, match: int, name: str, start: bytes, *about: Any) -> str:
    """The sum of a match, and its links checked."""
    link, count = "", 0
    for n, text, chain in db.execute("SELECT n, text, chain FROM entry WHERE match = ?", (match,)):
        assert n == count
        link = hashlib.blake2b(f"{link} {text}".encode(), digest_size=16).hexdigest()
        assert link == chain
        count += 1
    seal = db.execute("SELECT text FROM seal WHERE match = ?", (match,)).fetchone()
    kept = [match, name, based(start), *about, seal and based(seal[0]), count]
    text = json.dumps([kept, link], separators=(",", ":"), ensure_ascii=False)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def based(data: bytes) -> str:
    return base64.b64encode(data).decode()


def test_a_new_journal_has_no_match(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.db")
    assert journal.open_match() is None
    journal.close()


def test_commits_survive_closing(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.db")
    journal.begin("m1", START)
    assert journal.open_match() == Saved("m1", START, (), "")
    journal.commit("m1", 0, ["a", "b", "c"], "p1")
    journal.commit("m1", 1, ["B"], "p2")
    journal.commit("m1", 2, [], "p3")
    journal.close()
    again = Journal(tmp_path / "j.db")
    assert again.open_match() == Saved("m1", START, ("a", "B"), "p3")
    again.close()


def test_the_newest_match_that_is_not_over(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.db")
    for name in ("m1", "m2", "m3"):
        journal.begin(name, START)
        journal.commit(name, 0, [f"entry of {name}"], "p")
    journal.abandon("m3")
    assert journal.open_match() == Saved("m2", START, ("entry of m2",), "p")
    journal.abandon("m2")
    assert journal.open_match() == Saved("m1", START, ("entry of m1",), "p")
    journal.begin("m4", START, after="m1")
    assert journal.open_match() == Saved("m4", START, (), "")
    journal.abandon("m4")
    assert journal.open_match() is None
    journal.close()


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.lists(st.text(max_size=3), max_size=4), st.text()),
        max_size=12,
    )
)
@settings(max_examples=6, deadline=None)
def test_commit_is_a_slice_of_a_list(commits: list[tuple[int, list[str], str]]) -> None:
    with TemporaryDirectory() as folder:
        journal = Journal(Path(folder, "j.db"))
        journal.begin("m", START)
        entries: list[str] = []
        position = ""
        for first, new, position in commits:
            first = min(first, len(entries))
            entries[first:] = new
            journal.commit("m", first, new, position)
        assert journal.open_match() == Saved("m", START, tuple(entries), position)
        journal.close()


def test_another_thread_than_its_makers_may_use_it(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.db")
    thread = threading.Thread(target=journal.begin, args=("m1", START))
    thread.start()
    thread.join()
    assert journal.open_match() is not None
    journal.close()


def test_what_makes_no_sense_changes_nothing(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.db")
    journal.begin("m1", START)
    journal.commit("m1", 0, ["a"], "p")
    with failing("journal.gap"):
        journal.commit("m1", 2, ["c"], "q")
    with failing("journal.no_match"):
        journal.commit("m2", 0, ["c"], "q")
    with failing("journal.no_match"):
        journal.begin("m3", START, after="m2")
    with failing("journal.failed"):
        journal.begin("m1", START, after="m1")
    assert journal.open_match() == Saved("m1", START, ("a",), "p")
    journal.commit("m1", 1, ["b"], "q")
    journal.close()
    with failing("journal.failed"):
        journal.open_match()


@contextlib.contextmanager
def failing(key: str) -> Iterator[None]:
    with pytest.raises(JournalError) as caught:
        yield
    assert caught.value.message.key == key


def test_what_is_no_longer_at_its_path_is_not_written(tmp_path: Path) -> None:
    """Its folder is removed, or its stick unmounted: SQLite would write on into nowhere."""
    folder, away = tmp_path / "state", tmp_path / "away"
    folder.mkdir()
    journal = Journal(folder / "j.db")
    journal.begin("m1", START)
    journal.commit("m1", 0, ["a"], "p")
    folder.rename(away)
    with failing("journal.gone"):
        journal.commit("m1", 1, ["b"], "q")
    folder.mkdir()
    (folder / "j.db").touch()  # another one is not it
    with failing("journal.other"):
        journal.commit("m1", 1, ["b"], "q")
    assert [path.stat().st_size for path in folder.iterdir()] == [0]
    (folder / "j.db").unlink()
    folder.rmdir()
    away.rename(folder)
    journal.commit("m1", 1, ["c"], "r")
    assert journal.open_match() == Saved("m1", START, ("a", "c"), "r")
    journal.close()


def test_a_disk_that_does_not_say_whether_the_file_is_there_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stick that dies answers EIO; hexboard ended with it."""
    journal, real = Journal(tmp_path / "j.db"), Path.stat
    journal.begin("m1", START)

    def dead(path: Path, **how: Any) -> os.stat_result:
        if path.name == "j.db":
            raise OSError(errno.EIO, "Input/output error")
        return real(path, **how)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", dead)
        with failing("journal.gone"):
            journal.commit("m1", 0, ["a"], "p")
    journal.commit("m1", 0, ["a"], "p")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", dead)
        journal.close()
    again = Journal(tmp_path / "j.db")
    assert again.open_match() == Saved("m1", START, ("a",), "p")
    again.close()


def test_a_stick_that_comes_back_as_another_file_is_used_again(tmp_path: Path) -> None:
    """It was not before a restart, and the stop deleted the WAL of the stick that had come back."""
    folder, copy, away = tmp_path / "state", tmp_path / "copy", tmp_path / "away"
    folder.mkdir()
    journal = Journal(folder / "j.db")
    journal.begin("m1", START)
    journal.commit("m1", 0, ["a"], "p")
    shutil.copytree(folder, copy)  # what a stick has of it
    folder.rename(away)
    with failing("journal.gone"):
        journal.commit("m1", 1, ["b"], "q")
    copy.rename(folder)
    journal.commit("m1", 1, ["b"], "q")
    shutil.copytree(folder, copy)
    folder.rename(tmp_path / "again")
    copy.rename(folder)
    wal = (folder / "j.db-wal").read_bytes()
    journal.close()
    assert (folder / "j.db-wal").read_bytes() == wal, "it is not ours any more"
    again = Journal(folder / "j.db")
    assert again.open_match() == Saved("m1", START, ("a", "b"), "q")
    again.close()


def test_an_older_copy_or_another_game_is_not_gone_on_with(tmp_path: Path) -> None:
    folder, older, other = tmp_path / "state", tmp_path / "older", tmp_path / "other"
    folder.mkdir()
    other.mkdir()
    journal = Journal(folder / "j.db")
    journal.begin("m1", START)
    journal.commit("m1", 0, ["a"], "p")
    shutil.copytree(folder, older)
    journal.commit("m1", 1, ["b"], "q")
    theirs = Journal(other / "j.db")
    theirs.begin("m2", START)
    theirs.commit("m2", 0, ["a", "b", "c"], "p")
    theirs.close()
    folder.rename(tmp_path / "away")
    for found in (older, other):
        found.rename(folder)
        with failing("journal.other"):
            journal.commit("m1", 2, ["c"], "r")
        folder.rename(found)
    (tmp_path / "away").rename(folder)
    journal.commit("m1", 2, ["c"], "r")
    assert journal.open_match() == Saved("m1", START, ("a", "b", "c"), "r")
    journal.close()


def test_another_file_is_looked_into_every_two_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was at each turn, every page of it; and one sentence stood inside another."""
    folder, looked = tmp_path / "state", list[Path]()
    folder.mkdir()
    opened = Journal._open
    journal = Journal(folder / "j.db")
    journal.begin("m1", START)

    def looks(one: Journal) -> None:
        looked.append(one.path)
        opened(one)

    monkeypatch.setattr(Journal, "_open", looks)
    folder.rename(tmp_path / "away")
    folder.mkdir()
    (folder / "j.db").write_bytes(b"no journal" * 1000)
    for _ in range(3):
        with failing("journal.foreign"):
            journal.commit("m1", 0, ["a"], "p")
    assert len(looked) == 1
    monkeypatch.setattr(journal_module, "AGAIN_S", 0)
    with failing("journal.foreign"):
        journal.commit("m1", 0, ["a"], "p")
    assert len(looked) == 2
    monkeypatch.setattr(journal_module, "AGAIN_S", 600)
    shutil.rmtree(folder)
    (tmp_path / "away").rename(folder)
    journal.commit("m1", 0, ["a"], "p")
    journal.close()


def test_what_is_wrong_with_another_file_is_told_as_a_part_of_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    journal = Journal(folder / "j.db")
    journal.begin("m1", START)
    folder.rename(tmp_path / "away")
    folder.mkdir()
    (folder / "j.db").write_bytes(b"x")

    def damaged(_: Journal) -> None:
        raise BadRecording("journal.corrupt", file="j.db", why="Page 3 is never used")

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "_open", damaged)
        with pytest.raises(JournalError) as caught:
            journal.commit("m1", 0, ["a"], "p")
    assert caught.value.message == message("journal.failed", why="Page 3 is never used")
    journal.close()


def test_after_an_error_of_its_disk_it_is_opened_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was open stays of no use, when a stick is back under the number that it had."""
    dead, connect = list[sqlite3.Connection](), sqlite3.connect

    class Stick(sqlite3.Connection):
        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
            if self in dead and sql == "BEGIN IMMEDIATE":
                error = sqlite3.OperationalError("disk I/O error")
                error.sqlite_errorcode = 10 | 1 << 8  # SQLITE_IOERR_READ
                raise error
            return super().execute(sql, *values)

    monkeypatch.setattr(sqlite3, "connect", lambda *a, **how: connect(*a, factory=Stick, **how))
    journal = Journal(tmp_path / "j.db")
    journal.begin("m1", START)
    dead.append(journal._db)
    with failing("journal.failed"):
        journal.commit("m1", 0, ["a"], "p")
    journal.commit("m1", 0, ["a"], "p")
    assert journal.open_match() == Saved("m1", START, ("a",), "p")
    journal.close()


# ------------------------------------------------------------------------------- no journal


def refused(path: Path) -> str:
    with pytest.raises(BadRecording) as caught:
        Journal(path)
    return caught.value.message.key


def test_what_is_no_journal_is_named_and_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_bytes(b"dear diary\n" * 500)
    assert refused(text) == "journal.foreign"
    assert text.read_bytes() == b"dear diary\n" * 500

    other = tmp_path / "other.db"
    database = sqlite3.connect(other)
    database.execute("CREATE TABLE songs (name)")
    database.close()
    before = other.read_bytes()
    assert refused(other) == "journal.foreign"
    assert other.read_bytes() == before

    assert refused(tmp_path) == "journal.unreadable"
    assert refused(tmp_path / "none" / "j.db") == "journal.unreadable"


def test_another_version_is_named(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    Journal(path).close()
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 7")
    database.close()
    assert refused(path) == "journal.version"


def test_a_corrupt_journal_is_named(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    journal = Journal(path)
    journal.begin("m", START)
    journal.commit("m", 0, ["x" * 100] * 500, "p")
    journal.close()
    data = bytearray(path.read_bytes())
    data[8192:12288] = b"\xff" * 4096
    path.write_bytes(data)
    assert refused(path) == "journal.corrupt"
    with pytest.raises(BadRecording) as told:
        Journal(path)
    assert "***" not in str(told.value)
    assert "\n" not in str(told.value)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(where=st.floats(0, 1, exclude_max=True), garbage=st.binary(min_size=1, max_size=60))
def test_garbage_in_it_is_an_error_of_ours(
    cut: Path, tmp_path: Path, where: float, garbage: bytes
) -> None:
    """SQLite has no CRCs: garbage may go unseen, but never as an exception nobody expects."""
    data = bytearray(cut.with_name("closed.db").read_bytes())
    at = int(where * len(data))
    data[at : at + len(garbage)] = garbage
    path = tmp_path / "bad.db"
    path.write_bytes(data)
    path.with_name("bad.db-wal").unlink(missing_ok=True)
    with contextlib.suppress(BadRecording):
        journal = Journal(path)
        with contextlib.suppress(JournalError):
            journal.open_match()
            journal.commit("m", 1, ["z"], "q")
        journal.close()


def test_two_daemons_do_not_share_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held, "PATIENCE_S", 0)
    journal = Journal(tmp_path / "j.db")
    with pytest.raises(Busy):
        Journal(tmp_path / "j.db")
    journal.begin("m", START)
    journal.close()
    Journal(tmp_path / "j.db").close()


def test_who_opens_it_once_more_takes_no_lock_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The front door did, of the game that had just begun: somebody's sqlite3 beside it deleted
    the WAL, and what was played from then on was lost."""
    monkeypatch.setattr(held, "PATIENCE_S", 0)
    journal = Journal(tmp_path / "j.db")
    journal.begin("m", START)
    with pytest.raises(Busy):
        Journal(tmp_path / "." / "j.db")
    assert "locked" in looked_into(journal.path, "SELECT * FROM match")
    journal.commit("m", 0, ["a"], "p")
    shutil.copytree(tmp_path, tmp_path / "copy")  # as after a power cut
    again = Journal(tmp_path / "copy" / "j.db")
    assert again.open_match() == Saved("m", START, ("a",), "p")
    again.close()
    journal.close()


def looked_into(path: Path, query: str) -> str:
    """What another program finds in a database, or why it does not."""
    look = """
        import contextlib, sqlite3, sys

        with contextlib.closing(sqlite3.connect(sys.argv[1], timeout=0)) as db:
            print(db.execute(sys.argv[2]).fetchall())
    """
    ran = subprocess.run([*program(look, path), query], capture_output=True, text=True)
    return ran.stdout + ran.stderr


def test_who_wants_it_waits_for_somebody_who_only_looks(tmp_path: Path) -> None:
    looks, opened = Journal(tmp_path / "j.db"), list[Journal]()
    looks.begin("m", START)
    waits = threading.Thread(target=lambda: opened.append(Journal(tmp_path / "j.db")))
    waits.start()
    looks.close()
    waits.join()
    assert opened[0].open_match() == Saved("m", START, (), "")
    opened[0].close()


# ------------------------------------------------------------------------------- disks and kills

RUNS = """
    import sys
    from pathlib import Path
    from hexboard.record.journal import Journal
    from tests.record.test_journal import START, step

    journal = Journal(Path(sys.argv[1]))
    journal.begin("m", START)
    for k in range(100_000):
        journal.commit("m", *step(k))
        print(k + 1, flush=True)
"""

FILLS = """
    import resource, sys
    from pathlib import Path
    from hexboard.record.journal import Journal, JournalError
    from tests.record.test_journal import START, step

    journal = Journal(Path(sys.argv[1]))
    journal.begin("m", START)
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
    k = 0
    try:
        while True:
            journal.commit("m", *step(k))
            k += 1
    except JournalError as error:
        print(error.message.key)
    assert k > 10
    assert len(journal.open_match().entries) > 10  # can still be read
    try:
        journal.commit("m", *step(k))
    except JournalError as error:
        print(error.message.key)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    journal.commit("m", *step(k))  # there is room again
    print(k + 1)
    journal.close()
"""


def program(body: str, path: Path) -> list[str]:
    return [sys.executable, "-c", textwrap.dedent(body), str(path)]


@pytest.mark.parametrize("commits", [3, 60, 150])
def test_kill_9_leaves_exactly_what_was_committed(tmp_path: Path, commits: int) -> None:
    path = tmp_path / "j.db"
    with subprocess.Popen(program(RUNS, path), stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for line in child.stdout:
            if int(line) >= commits:
                break
        child.kill()
        told = max([commits, *(int(line) for line in child.stdout if line.endswith("\n"))])
    journal = Journal(path)
    saved = journal.open_match()
    assert saved is not None
    assert (saved.entries, saved.position) in (after(told), after(told + 1))
    journal.close()


def test_a_full_disk_refuses_and_keeps(tmp_path: Path) -> None:
    """The kernel refuses to let any file grow past 200 kB (EFBIG), as a full disk would."""
    pytest.importorskip("resource")
    path = tmp_path / "j.db"
    done = subprocess.run(program(FILLS, path), capture_output=True, text=True, timeout=PATIENCE)
    assert done.stderr == ""
    *errors, count = done.stdout.split()
    assert set(errors) == {"journal.failed"}  # once: what was in the WAL may fit into the file
    journal = Journal(path)
    saved = journal.open_match()
    assert saved is not None
    assert (saved.entries, saved.position) == after(int(count))
    journal.close()


@pytest.fixture(scope="module")
def cut(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal and its WAL as they lie on the disk in the middle of a match."""
    folder = tmp_path_factory.mktemp("cut")
    journal = Journal(folder / "live.db")
    journal.begin("m", START)
    for k in range(25):
        journal.commit("m", *step(k))
    for end in ("", "-wal"):
        shutil.copyfile(folder / f"live.db{end}", folder / f"j.db{end}")
    journal.close()
    shutil.copyfile(folder / "live.db", folder / "closed.db")
    return folder / "j.db"


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(where=st.floats(0, 1), garbage=st.binary(max_size=9))
def test_a_torn_wal_leaves_a_committed_state(
    cut: Path, tmp_path: Path, where: float, garbage: bytes
) -> None:
    log = cut.with_name("j.db-wal").read_bytes()
    torn = log[: int(where * len(log))]
    shutil.copyfile(cut, tmp_path / "j.db")
    (tmp_path / "j.db-wal").write_bytes(torn + garbage)
    journal = Journal(tmp_path / "j.db")
    saved = journal.open_match()
    states = [((), ""), *(after(k) for k in range(1, 26))]
    assert saved is None or (saved.entries, saved.position) in states
    if len(torn) == len(log):
        assert saved is not None
        assert (saved.entries, saved.position) == after(25)
    journal.close()

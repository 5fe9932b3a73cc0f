"""The hall journal: what a hall is told, in order, each thing with its link."""

import json
import sqlite3
from hashlib import blake2b
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from hexboard.board import plain
from hexboard.daemon.match import Match
from hexboard.facts import Declare, Report, Start
from hexboard.game import registry
from hexboard.record.hall_journal import NAME, HallJournal
from hexboard.record.journal import Journal
from hexboard.table.effects import Commit
from tests.record.test_journal import looked_into

START = Start("m1", "hexhex-5", "00", "hexalma", "hexalma 1", {}, "test")


def moves(*names: str) -> list[str]:
    return [json.dumps({"type": "played", "action": it}, separators=(",", ":")) for it in names]


def links(texts: list[str]) -> list[str]:
    """The chain, by hand."""
    found, link = [], ""
    for text in texts:
        link = blake2b(f"{link} {text}".encode(), digest_size=16).hexdigest()
        found.append(link)
    return found


def test_begin_entries_and_end_are_told_in_order_each_with_its_link(tmp_path: Path) -> None:
    journal = HallJournal(tmp_path)
    journal.begin(START, [])
    journal.add(moves("a1", "b2"), 0)
    journal.end(["Black", "White"], (1, 0), "Black wins.")
    rows = journal.after(0, 10)
    assert [row.n for row in rows] == [1, 2, 3, 4]
    told = [json.loads(row.text) for row in rows]
    assert told[0]["start"]["match"] == "m1"
    assert told[1] == {
        "type": "entry",
        "n": 2,
        "match": "m1",
        "k": 0,
        "entry": {"type": "played", "action": "a1"},
    }
    assert (told[3]["type"], told[3]["seats"], told[3]["scores"]) == (
        *("over", ["Black", "White"]),
        [1, 0],
    )
    assert [row.link for row in rows] == links([row.text for row in rows])
    assert journal.number(rows[2].link) == 3
    assert journal.number("0" * 32) is None
    journal.close()


def test_somebody_who_looks_into_it_takes_nothing_away(tmp_path: Path) -> None:
    """Its locks were gone as soon as it was open: another program's sqlite3 deleted the WAL, and
    what was told from then on was lost."""
    journal = HallJournal(tmp_path)
    journal.begin(START, moves("a1"))
    count = "SELECT count(*) FROM told"
    assert looked_into(tmp_path / NAME, count) == "[(2,)]\n"
    journal.add(moves("b2"), 1)
    assert looked_into(tmp_path / NAME, count) == "[(3,)]\n"
    journal.close()


@pytest.mark.parametrize("named", [(), ("Ann", "Ben")])
def test_a_hall_is_told_who_began_at_which_seat_after_a_swap(
    tmp_path: Path, named: tuple[str, ...]
) -> None:
    """Who began second takes over the first move and has the first seat from then on; then whoever
    began first, and has white now, gives up."""
    game = registry.find("bad-santa-y")
    board = plain(game.board({}))
    start = Start("m1", board.name, board.hash, game.name, game.rules(), {"swap": True}, "test")
    start = replace(start, names=named)
    journal, hall = Journal(tmp_path / "games.db"), HallJournal(tmp_path)
    journal.begin("m1", msgspec.json.encode(start))
    match = Match(board, start, journal, tmp_path / "recordings", print, hall=hall)
    match.step(Report("table", 1, start))
    for name in ("a1", "a10", "die 1", "swap", "resign white"):
        for effect in match.step(Report("page 1", match.heard.t + 1, Declare(-1, name))):
            if isinstance(effect, Commit):
                match.commit(effect)
        match.writing()()
        match.saved()
    over = json.loads(hall.after(0, 100)[-1].text)
    assert (over["type"], over["scores"]) == ("over", [0, 1])
    assert not named or [it.strip("\u2068\u2069") for it in over["seats"]] == ["Ann", "Ben"]
    for each in (match, journal, hall):
        each.close()


def test_what_is_known_is_not_told_twice_and_what_lacks_is_told_then(tmp_path: Path) -> None:
    journal = HallJournal(tmp_path)
    journal.begin(START, moves("a1"))
    journal.close()
    journal = HallJournal(tmp_path)
    journal.begin(START, moves("a1", "b2"))  # b2 was committed, and the process killed
    journal.add(moves("c3"), 2)
    journal.add(moves("c3", "d4"), 2)  # tried again
    rows = journal.after(0, 10)
    actions = [json.loads(row.text).get("entry", {}).get("action") for row in rows]
    assert actions == [None, "a1", "b2", "c3", "d4"]
    journal.close()


def test_an_end_is_told_once_and_again_after_what_was_taken_back(tmp_path: Path) -> None:
    journal = HallJournal(tmp_path)
    journal.begin(START, moves("a1"))
    journal.end(["B", "W"], (1, 0), "")
    journal.end(["B", "W"], (1, 0), "")
    journal.add(['{"type":"back","to":0}', *moves("b2")], 1)
    journal.end(["B", "W"], (0, 1), "")
    kinds = [json.loads(row.text)["type"] for row in journal.after(0, 10)]
    assert kinds == ["begun", "entry", "over", "entry", "entry", "over"]
    journal.close()


def test_what_cannot_be_written_is_said_and_told_once_it_can(tmp_path: Path) -> None:
    journal = HallJournal(tmp_path)
    journal.begin(START, [])
    other = sqlite3.connect(tmp_path / NAME, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")  # as a disk that takes nothing
    journal.add(moves("a1"), 0)
    assert "locked" in str(journal.trouble)
    assert journal.known == 0
    other.execute("ROLLBACK")
    other.close()
    journal.add(moves("a1", "b2"), 0)
    assert not journal.trouble
    assert journal.last() == 3
    journal.close()


def test_one_that_cannot_be_opened_now_is_not_laid_aside(tmp_path: Path) -> None:
    """Nor is one whose disk is full: it is sound, and the hall knows what is in it."""
    journal = HallJournal(tmp_path)
    journal.begin(START, moves("a1"))
    journal.close()
    other = sqlite3.connect(tmp_path / NAME, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        HallJournal(tmp_path)
    other.execute("ROLLBACK")
    other.close()
    journal = HallJournal(tmp_path)
    assert journal.last() == 2
    journal.close()


@pytest.mark.parametrize("bytes_", [b"no database", b"SQLite format 3\0" + bytes(4000)])
def test_a_damaged_one_is_laid_aside_and_play_goes_on(tmp_path: Path, bytes_: bytes) -> None:
    (tmp_path / NAME).write_bytes(bytes_)
    journal = HallJournal(tmp_path)
    journal.begin(START, moves("a1"))
    assert journal.last() == 2
    assert [path.name for path in tmp_path.glob("*damaged*")] != []
    journal.close()


def test_its_wal_is_folded_in_and_what_is_there_stays(tmp_path: Path) -> None:
    journal = HallJournal(tmp_path)
    for k in range(30):
        journal.begin(replace(START, match=f"m{k}"), moves("a1") * 50)
        journal.fold()
    assert journal.last() == 30 * 51
    rows = journal.after(0, 10_000)
    assert [row.link for row in rows] == links([row.text for row in rows])
    journal.sync()
    assert (tmp_path / NAME).stat().st_size > 1000 * 100
    journal.close()
    journal = HallJournal(tmp_path)
    assert journal.last() == 30 * 51
    journal.close()


def test_nobody_else_may_read_it(tmp_path: Path) -> None:
    HallJournal(tmp_path).close()
    assert (tmp_path / NAME).stat().st_mode & 0o777 == 0o600

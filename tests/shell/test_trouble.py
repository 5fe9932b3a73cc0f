"""The daemon in trouble: SQLite refuses to write, as on a full disk; a mistake of ours crashes the
table, again and again."""

import errno
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from hexboard.board import find, load
from hexboard.daemon import Daemon, daemon, recovery
from hexboard.facts import Decide, Declare, Lost, Presence
from hexboard.game.match import Entry
from hexboard.record.journal import Journal
from hexboard.record.replay import Replay
from hexboard.table.moving import Moving
from hexboard.table.senses import Senses
from hexboard.words import Message
from tests.evening import Evening, begin
from tests.running import eventually

UP = Presence(True)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Callable[..., Evening]]:
    with ExitStack() as stack:
        yield lambda board, game, **options: begin(
            stack, tmp_path, load(find(board)), game, **options
        )


@pytest.mark.long
def test_a_new_game_that_cannot_be_entered_leaves_the_old_one_as_it_was(
    evening: Callable[..., Evening], tmp_path: Path
) -> None:
    at = evening("hexhex-5", "hexalma")
    at.act("b3-c3")
    old = at.daemon.match
    at.full(True)
    at.page.send("new")
    assert "The journal cannot be used" in at.page.refusal()
    at.full(False)
    at.act("h3-g3")
    assert at.daemon.match is old
    at.page.send("new")
    eventually(lambda: at.daemon.match is not old)
    at.act("b3-c3")
    at.end()
    assert [len(entries) for entries in recorded(tmp_path)] == [2, 1]
    journal = Journal(tmp_path / "hexalma.db")
    saved = journal.open_match()
    journal.close()
    assert saved is not None
    assert (saved.match, len(saved.entries)) == (at.daemon.match.name, 1)


@pytest.mark.long
def test_while_the_state_folder_is_away_no_move_is_final_and_people_are_told(
    evening: Callable[..., Evening], tmp_path: Path
) -> None:
    at = evening("hexhex-5", "hexalma")
    at.act("b3-c3")
    away = tmp_path.with_name(f"{tmp_path.name}-away")
    tmp_path.rename(away)
    at.act("h3-g3", journalled=False)
    at.page.until(lambda s: any("is not where it was" in notice for notice in s["notices"]))
    at.page.until(lambda s: any("Recording has stopped" in notice for notice in s["notices"]))
    assert at.daemon.match.journalled == 1
    away.rename(tmp_path)
    eventually(lambda: at.daemon.match.journalled == 2)
    at.page.until(lambda s: not any("is not where it was" in notice for notice in s["notices"]))
    at.page.until(lambda s: not any("Recording has stopped" in notice for notice in s["notices"]))
    at.end()
    assert [len(entries) for entries in recorded(tmp_path)] == [2]


def test_where_the_recordings_cannot_be_looked_at_people_play_all_the_same(
    evening: Callable[..., Evening], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """hexboard did not start; its folder has a bad sector, or is another user's."""
    folder, scandir, stat = tmp_path / "recordings", os.scandir, os.stat
    folder.mkdir()

    def listed(path: Any = ".") -> Any:
        if str(path) == str(folder):
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return scandir(path)

    def looked_at(path: Any, **how: Any) -> os.stat_result:
        if str(path).startswith(f"{folder}/"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return stat(path, **how)

    monkeypatch.setattr(os, "scandir", listed)
    monkeypatch.setattr(os, "stat", looked_at)
    at = evening("hexhex-5", "hexalma")
    at.page.until(lambda s: any("Recording has stopped" in notice for notice in s["notices"]))
    at.act("b3-c3")
    before = at.daemon.match.name
    at.page.send("new")
    eventually(lambda: at.daemon.match.name != before)
    assert not at.page.refused
    at.end()


def recorded(folder: Path) -> list[list[Entry]]:
    """The entries that each recording comes to, in the order in which they were begun."""
    found = []
    files = sorted((folder / "recordings").glob("*.mcap"), key=lambda path: path.stat().st_mtime_ns)
    for path in files:
        replay = Replay(path)
        assert not [step for step in replay if step.differences]
        found.append(replay.match.entries)
    return found


def test_a_game_that_is_not_all_saved_does_not_end_for_another(
    evening: Callable[..., Evening],
) -> None:
    at = evening("hexhex-5", "hexalma")
    at.full(True)
    at.act("b3-c3", journalled=False)
    at.page.send("new")
    assert "cannot be saved" in at.page.refusal()


def test_the_dealer_waits_until_the_journal_is_back(evening: Callable[..., Evening]) -> None:
    at = evening("rhombus-11", "bad-santa-hex", die="dealt")
    at.act("a1")
    at.full(True)
    at.act("k11", journalled=False)
    assert at.daemon.view.chance
    eventually(lambda: not at.daemon.view.presence.get("journal", UP).up)
    facts = at.daemon.match.heard.n
    at.page.send("declare", seat=-1, action="b1")
    assert "cannot be saved" in at.page.refusal()
    assert at.daemon.match.heard.n - facts <= 3  # that one, and it was a slow machine
    at.full(False)
    eventually(lambda: at.daemon.match.journalled >= 3)
    eventually(lambda: not at.daemon.view.chance)


def test_after_a_crash_the_table_knows_that_the_journal_is_still_away(
    evening: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = evening("hexhex-5", "hexalma")
    at.act("b3-c3")
    at.full(True)
    at.act("h3-g3", journalled=False)
    with monkeypatch.context() as broken:
        broken.setattr(Senses, "loses", lambda senses, source, count: 1 // 0)
        at.daemon._post("pico", Lost(1))
        eventually(lambda: "crash" in at.daemon.notices)
    eventually(lambda: at.entries == 1)
    at.page.send("declare", seat=-1, action="h3-g3")
    assert "cannot be saved" in at.page.refusal()
    at.full(False)
    eventually(lambda: at.daemon.view.presence["journal"].up)
    at.act("h3-g3")


def test_a_crash_that_comes_again_is_waited_for_longer_each_time_and_people_are_heard(
    evening: Callable[..., Evening], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = evening("hexhex-5", "hexalma")

    def broken(senses: Senses, source: str, count: int) -> Message:
        raise ZeroDivisionError("a mistake of ours")

    def crashes() -> int:
        return len(list((tmp_path / "recordings").glob("*.crash.txt")))

    monkeypatch.setattr(Senses, "loses", broken)
    monkeypatch.setattr(recovery, "PAUSE_S", 0.05)
    for count, pause in enumerate((0.05, 0.1, 0.2), start=1):
        begun = time.monotonic()
        at.crash()
        eventually(lambda: not at.daemon.recovery.resting)
        assert time.monotonic() - begun > pause
        assert (crashes(), at.daemon.recovery.pause) == (count, pause)
        assert at.daemon.pages.server.figures.crashes == count
    at.act("b3-c3")  # it goes on from here: a crash is a first one again
    monkeypatch.setattr(recovery, "PAUSE_S", 3600)
    at.crash()
    notice = at.page.until(lambda s: next((n for n in s["notices"] if "3600 s" in n), ""))
    assert "nothing but what people say" in notice
    at.daemon._post("pico", Lost(1))
    at.act("h3-g3")
    assert crashes() == 4


def test_who_says_what_crashes_the_table_is_told_and_the_others_are_heard(
    evening: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = evening("hexhex-5", "hexalma")
    healthy = Moving.declare

    def broken(moving: Moving, seat: int, name: str) -> None:
        if name == "b3-c3":
            raise ZeroDivisionError("a mistake of ours")
        healthy(moving, seat, name)

    monkeypatch.setattr(Moving, "declare", broken)
    at.page.send("declare", seat=-1, action="b3-c3")
    assert "made a mistake on fact" in at.page.refusal()
    at.act("b2-c2")
    monkeypatch.setattr(Moving, "declare", healthy)
    at.act("h3-g3")


def test_who_asks_for_what_meets_a_mistake_outside_the_table_is_told(
    evening: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = evening("hexhex-5", "hexalma")
    monkeypatch.setattr(Daemon, "_new", lambda daemon: 1 // 0)
    at.page.send("new")
    assert "the game itself is not touched" in at.page.refusal()
    at.page.until(lambda s: any("made a mistake in showing or doing" in n for n in s["notices"]))
    at.act("b3-c3")


def crash(at: Evening, monkeypatch: pytest.MonkeyPatch, full: bool = False) -> None:
    """The table crashes, once, and what the journal has of the match cannot go on; the disk is
    `full`."""
    healthy = Senses.loses

    def broken(senses: Senses, source: str, count: int) -> Message:
        monkeypatch.setattr(Senses, "loses", healthy)
        raise ZeroDivisionError("a mistake of ours")

    at.daemon.journal._db.execute("UPDATE entry SET text = 'nonsense'")
    at.full(full)
    monkeypatch.setattr(Senses, "loses", broken)
    monkeypatch.setattr(recovery, "PAUSE_S", 0.05)
    at.daemon._post("pico", Lost(1))


def agreed(at: Evening) -> str:
    """How long the match may last, as pages are told."""
    sheet = json.loads(at.daemon.pages.server.geometry["en"])["agreed"]
    (most,) = (option["value"] for option in sheet["options"] if option["name"] == "max_plies")
    return str(most)


def test_where_a_crashed_match_cannot_go_on_pages_hear_of_the_new_one(
    evening: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = evening("hexhex-5", "hexalma", max_plies=77)
    at.act("b3-c3")
    at.end()
    at = evening("hexhex-5", "hexalma")
    old = at.daemon.match.name
    assert agreed(at) == "77"
    crash(at, monkeypatch)
    eventually(lambda: at.daemon.match.name != old)
    eventually(lambda: agreed(at) == "0")
    at.act("b3-c3")


def test_a_crash_with_a_full_disk_waits_until_there_is_room(
    evening: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = evening("hexhex-5", "hexalma")
    at.act("b3-c3")
    old = at.daemon.match.name
    monkeypatch.setattr(daemon, "PATIENCE_S", 0.05)
    crash(at, monkeypatch, full=True)
    at.page.until(lambda s: any("The journal cannot be used" in n for n in s["notices"]))
    at.page.send("declare", seat=-1, action="h3-g3")
    assert "cannot be saved" in at.page.refusal()
    at.full(False)
    eventually(lambda: at.daemon.match.name != old)
    eventually(lambda: "journal" not in at.daemon.notices)
    at.act("b3-c3")


def test_hands_of_a_match_that_is_put_aside_may_be_read(
    evening: Callable[..., Evening], tmp_path: Path
) -> None:
    at = evening("hextraction-22", "hextraction", hands="scan")
    at.daemon._post("page 2/1", Declare(1, "drew 1 J"))
    eventually(lambda: at.daemon.match.journalled)
    at.end()
    evening("hextraction-22", "hextraction", hands="scan", triggers="once a roll")
    assert [path.suffix for path in (tmp_path / "recordings").glob("*.se*")] == [".secrets"]


@pytest.mark.long
def test_hands_that_were_read_stay_sealed_while_the_end_can_be_taken_back(
    evening: Callable[..., Evening], tmp_path: Path
) -> None:
    at = evening("hextraction-22", "hextraction", hands="scan")
    at.daemon._post("page 2/1", Declare(1, "drew 1 J"))
    at.daemon._post("page 1/0", Declare(0, "concede 0"))
    eventually(lambda: at.daemon.view.position.scores)
    at.page.send("ruling", do="undo")
    eventually(lambda: at.daemon.view.asking)  # a card has been seen: the others are asked
    asking = at.daemon.view.asking
    assert asking is not None
    at.daemon._post("page 1/0", Decide(asking.id, "yes"))
    eventually(lambda: at.daemon.view.private)
    assert [path.suffix for path in (tmp_path / "recordings").glob("*.se*")] == [".sealed"]
    at.page.send("new")
    eventually(lambda: [path.suffix for path in (tmp_path / "recordings").glob("*.secrets")])

"""The daemon in trouble: SQLite refuses to write, as on a full disk; a mistake of ours crashes the
table, again and again."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.sync.client import connect

from controller.board import find, load
from controller.daemon import Daemon, Run, daemon
from controller.facts import Declare, Lost
from controller.games.position import Entry
from controller.record.journal import Journal
from controller.record.replay import Replay
from controller.settings import Settings
from controller.table import Pieces
from controller.words import Message, Value
from tests.running import PATIENCE, Page, eventually


class Evening:
    """A daemon in a thread of this process, and a page of it."""

    def __init__(self, daemon: Daemon, page: Page, end: Callable[[], None]) -> None:
        self.daemon, self.page, self.end = daemon, page, end

    def full(self, full: bool) -> None:
        """The journal's disk is full, or has room again."""
        self.daemon.journal._db.execute(f"PRAGMA query_only = {full:d}")

    def act(self, action: str, journalled: bool = True) -> None:
        """The page says a move, until that counts, and is final if it is to be `journalled`."""
        match, count = self.daemon.match, len(self.daemon.table.match.entries)
        self.page.send("act", action=action)
        eventually(lambda: len(match.table.match.entries) > count)
        if journalled:
            eventually(lambda: match.journalled == len(match.table.match.entries))

    @property
    def entries(self) -> int:
        return len(self.daemon.table.match.entries)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Callable[..., Evening]]:
    with ExitStack() as stack:

        def begun(board: str, game: str, **options: Value) -> Evening:
            lines: list[str] = []
            asked = Run(load(find(board)), tmp_path, Settings(), game, options, port=0)
            it = Daemon(asked, lines.append)
            thread = threading.Thread(target=it.run)

            def end() -> None:
                it.stop()
                thread.join(PATIENCE)

            thread.start()
            stack.callback(end)
            eventually(lambda: any("Ctrl-C" in line for line in lines))
            port, token = it._server.port, (tmp_path / "token").read_text().strip()
            headers = {
                "Cookie": f"hexboard-{port}={token}",
                "Origin": f"http://127.0.0.1:{port}",
            }
            live = f"ws://127.0.0.1:{port}/live"
            socket = connect(live, additional_headers=headers, max_size=None)
            page = Page(stack.enter_context(socket))
            page.until(lambda s: True)
            return Evening(it, page, end)

        yield begun


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


def recorded(folder: Path) -> list[list[Entry]]:
    """The entries that each recording comes to, in the order in which they were begun."""
    found = []
    files = sorted((folder / "recordings").glob("*.mcap"), key=lambda path: path.stat().st_mtime_ns)
    for path in files:
        replay = Replay(path)
        assert not [step for step in replay if step.differences]
        found.append(replay.table.match.entries)
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
    assert at.daemon.table.chance
    eventually(lambda: not at.daemon.table._up("journal"))
    facts = at.daemon.match.heard.n
    at.page.send("act", action="b1")
    assert "cannot be saved" in at.page.refusal()
    assert at.daemon.match.heard.n - facts <= 3  # that one, and it was a slow machine
    at.full(False)
    eventually(lambda: at.daemon.match.journalled >= 3)
    eventually(lambda: not at.daemon.table.chance)


def test_after_a_crash_the_table_knows_that_the_journal_is_still_away(
    evening: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = evening("hexhex-5", "hexalma")
    at.act("b3-c3")
    at.full(True)
    at.act("h3-g3", journalled=False)
    with monkeypatch.context() as broken:
        broken.setattr(Pieces, "_news", lambda table, text: 1 // 0)
        at.daemon._post("pico", Lost(1))
        eventually(lambda: "crash" in at.daemon._notices)
    eventually(lambda: at.entries == 1)
    at.page.send("act", action="h3-g3")
    assert "cannot be saved" in at.page.refusal()
    at.full(False)
    eventually(lambda: at.daemon.table._up("journal"))
    at.act("h3-g3")


def test_a_crash_that_comes_again_is_waited_for_longer_each_time_and_people_are_heard(
    evening: Callable[..., Evening], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = evening("hexhex-5", "hexalma")
    healthy = Pieces._news

    def broken(table: Pieces, text: Message) -> None:
        if text.key == "table.lost":
            raise ZeroDivisionError("a mistake of ours")
        healthy(table, text)

    monkeypatch.setattr(Pieces, "_news", broken)
    monkeypatch.setattr(daemon, "PAUSE", 0.05)

    def waits(pause: float) -> bool:
        at.daemon._post("pico", Lost(1))
        return at.daemon._pause == pause

    begun = time.monotonic()
    eventually(lambda: waits(0.2))
    assert time.monotonic() - begun > 0.05 + 0.1
    crashes = list((tmp_path / "recordings").glob("*.crash.txt"))
    assert len(crashes) == 3
    eventually(lambda: not at.daemon._resting)
    at.act("b3-c3")  # it goes on from here: a crash is a first one again
    monkeypatch.setattr(daemon, "PAUSE", 60)
    at.daemon._post("pico", Lost(1))
    eventually(lambda: at.daemon._pause == 60)
    notice = at.page.until(lambda s: next((n for n in s["notices"] if "60 s" in n), ""))
    assert "nothing but what people say" in notice
    at.daemon._post("pico", Lost(1))
    at.act("h3-g3")
    assert len(list((tmp_path / "recordings").glob("*.crash.txt"))) == 4


def crash(at: Evening, monkeypatch: pytest.MonkeyPatch, full: bool = False) -> None:
    """The table crashes, once, and what the journal has of the match cannot go on; the disk is
    `full`."""
    healthy = Pieces._news

    def broken(table: Pieces, text: Message) -> None:
        monkeypatch.setattr(Pieces, "_news", healthy)
        raise ZeroDivisionError("a mistake of ours")

    at.daemon.journal._db.execute("UPDATE entry SET text = 'nonsense'")
    at.full(full)
    monkeypatch.setattr(Pieces, "_news", broken)
    monkeypatch.setattr(daemon, "PAUSE", 0.05)
    at.daemon._post("pico", Lost(1))


def agreed(at: Evening) -> str:
    """How long the match may last, as pages are told."""
    sheet = json.loads(at.daemon._server.geometry)["agreed"]
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
    monkeypatch.setattr(daemon, "PATIENCE", 0.05)
    crash(at, monkeypatch, full=True)
    at.page.until(lambda s: any("The journal cannot be used" in n for n in s["notices"]))
    at.page.send("act", action="h3-g3")
    assert "cannot be saved" in at.page.refusal()
    at.full(False)
    eventually(lambda: at.daemon.match.name != old)
    eventually(lambda: "journal" not in at.daemon._notices)
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


def test_hands_that_were_read_stay_sealed_while_the_end_can_be_taken_back(
    evening: Callable[..., Evening], tmp_path: Path
) -> None:
    at = evening("hextraction-22", "hextraction", hands="scan")
    at.daemon._post("page 2/1", Declare(1, "drew 1 J"))
    at.daemon._post("page 1/0", Declare(0, "concede 0"))
    eventually(lambda: at.daemon.table.position.scores)
    at.page.send("rule", ruling="undo")
    eventually(lambda: at.daemon.table.private)
    assert [path.suffix for path in (tmp_path / "recordings").glob("*.se*")] == [".sealed"]
    at.page.send("new")
    eventually(lambda: [path.suffix for path in (tmp_path / "recordings").glob("*.secrets")])

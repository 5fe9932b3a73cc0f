"""Starts that come to nothing: counted, and after three of them hexboard comes up in safe mode."""

import json
import signal
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from hexboard.board import find, load
from hexboard.daemon import Run, saving
from hexboard.daemon.starts import NAME, TRIES, Starts, tried
from hexboard.settings import Settings
from hexboard.words.errors import BadText, Busy
from tests.evening import go
from tests.running import Running, eventually, hexboard

SILENT = "it said nothing: it was killed, hung, or its power was cut"
FIRST, SECOND = "b3-c3", "h3-g3"
"""Two moves of HexAlma, by one side and by the other."""


def start(state: Path, error: Exception | None = None, moved: bool = False) -> Starts:
    """One start that ends with this error; None: as asked for."""
    starts = Starts(state)
    with starts.counted():
        starts.turn(moved)
        if error is not None:
            raise error
    return starts


def failed(state: Path, error: Exception) -> int:
    with pytest.raises(type(error)):
        start(state, error)
    return tried(state).failed


def cut_off(state: Path) -> int:
    """A start that is killed: nothing of it runs at its end."""
    Starts(state).counted().__enter__()
    return tried(state).failed


def test_three_starts_that_come_to_nothing_lead_to_safe_mode_and_that_out_of_it(
    tmp_path: Path,
) -> None:
    assert [failed(tmp_path, KeyError("b1")) for _ in range(TRIES)] == [1, 2, 3]
    assert tried(tmp_path).why == "KeyError: 'b1'"
    assert "raise error\nKeyError: 'b1'" in tried(tmp_path).traceback
    assert start(tmp_path).safe
    assert tried(tmp_path).failed == 0
    assert not Starts(tmp_path).safe


def test_what_ends_without_a_word_counts_too_and_a_reason_is_kept(tmp_path: Path) -> None:
    assert [cut_off(tmp_path) for _ in range(2)] == [1, 2]
    assert SILENT in str(tried(tmp_path).told.values)
    assert failed(tmp_path, ValueError("a reason")) == 3
    assert cut_off(tmp_path) == 4  # in safe mode, too
    assert (tried(tmp_path).why, tried(tmp_path).safe) == ("ValueError: a reason", True)
    assert Starts(tmp_path).safe


def test_a_start_in_which_somebody_has_made_a_move_came_up(tmp_path: Path) -> None:
    assert [cut_off(tmp_path) for _ in range(2)] == [1, 2]
    with pytest.raises(KeyError):
        start(tmp_path, KeyError("later"), moved=True)
    assert tried(tmp_path).failed == 0


def test_a_move_that_a_slow_disk_saves_later_counts_when_it_is_saved(tmp_path: Path) -> None:
    """At 60 ms a sync no move ever counted: the fifth start was safe mode, without the match."""
    cut_off(tmp_path)
    starts = Starts(tmp_path)
    starts.counted().__enter__()
    starts.turn(moved=True, saved=False)
    assert tried(tmp_path).failed == 2
    starts.turn(saved=False)
    assert tried(tmp_path).failed == 2
    starts.turn(saved=True)
    assert tried(tmp_path).failed == 0


def test_a_start_whose_disk_is_slow_comes_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "WAIT_S", 0.0)  # no commit is done so soon
    cut_off(tmp_path)
    with ExitStack() as stack:
        run = Run(load(find("hexhex-5")), tmp_path, Settings(), "hexalma", simulate=True, port=0)
        at = go(stack, run)
        assert tried(tmp_path).failed == 2
        at.act(FIRST)
        eventually(lambda: tried(tmp_path).failed == 0)
        at.end()


def test_safe_mode_that_came_up_is_left_when_the_power_is_cut(tmp_path: Path) -> None:
    for _ in range(TRIES):
        cut_off(tmp_path)
    starts = Starts(tmp_path)
    starts.counted().__enter__()
    starts.turn(moved=True)
    assert tried(tmp_path).safe  # for the doctor, as long as it runs
    assert not Starts(tmp_path).safe


@pytest.mark.parametrize(
    ("error", "service", "count"),
    [
        (BadText("game.none", name="chess", near="", known=""), False, 0),
        (BadText("game.none", name="chess", near="", known=""), True, 1),
        (Busy("daemon.locked", board="x", pid=1), True, 0),
    ],
)
def test_a_refusal_counts_where_nobody_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, service: bool, count: int
) -> None:
    """Two that run at once are no failure of either."""
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    if service:
        monkeypatch.setenv("NOTIFY_SOCKET", "/run/none")
    assert failed(tmp_path, error) == count


@pytest.mark.parametrize("broken", [b"", b"\xff", b"[]", b'{"failed":"3"}', b'{"failed":3'])
def test_a_broken_file_is_none(tmp_path: Path, broken: bytes) -> None:
    (tmp_path / NAME).write_bytes(broken)
    assert not Starts(tmp_path).safe


def test_in_safe_mode_page_lights_and_terminal_say_why_and_nothing_else_is_touched(
    tmp_path: Path,
) -> None:
    for _ in range(TRIES):
        failed(tmp_path, KeyError("b1"))
    camera = Run(
        load(find("hexhex-5")), tmp_path, Settings(), "hexalma", port=0, camera="http://[::1]:1"
    )
    (tmp_path / "hexalma.db").write_bytes(b"what brought it down")
    with ExitStack() as stack:
        at = go(stack, camera)
        (told,) = (notice for notice in at.page.state["notices"] if "Safe mode" in notice)
        assert "KeyError: 'b1'" in told
        assert at.page.state["front"]
        assert not any(link["source"] == "camera" for link in at.page.state["links"])
        assert [(it.place, it.meaning) for it in at.daemon._lighting._mark(())] == [("*", "stuck")]
        assert tried(tmp_path).failed == TRIES + 1
        at.act(FIRST)
        eventually(lambda: tried(tmp_path).failed == 0)
        at.end()
    assert (tmp_path / "hexalma.db").read_bytes() == b"what brought it down"
    assert (tmp_path / "safe" / "hexalma.db").exists()
    assert not (tmp_path / NAME).exists()


def rows(state: Path) -> list[Any]:
    with closing(sqlite3.connect(state / "hexalma.db")) as db:
        return db.execute("SELECT text FROM entry ORDER BY n").fetchall()


@pytest.mark.long
def test_a_match_waits_until_safe_mode_is_left(tmp_path: Path) -> None:
    """Whole processes, killed before anybody plays."""
    home, state = tmp_path / "home", tmp_path / "state"
    (home / "games").mkdir(parents=True)
    own = "with open(__file__ + '.read', 'a') as file: file.write('.')"
    (home / "games" / "own.py").write_text(own, "utf-8")

    def run() -> Running:
        return Running(state, "--simulate", "--port", "0", "--game", "hexalma", home=home)

    def moved(running: Running, action: str) -> None:
        with running.page() as page:
            count = len(page.state["log"])
            page.until(lambda s: s["moves"] or s["resume"])
            if page.state["resume"]:
                page.rule("right")
            page.send("declare", seat=-1, action=action)
            page.until(lambda s: len(s["log"]) > count and s["log"][0]["final"])

    def games(running: Running) -> set[str]:
        asked = Request(f"{running.origin}/front", headers={"Cookie": running.cookie})
        with urlopen(asked) as answer:
            return {game["name"] for game in json.load(answer)["games"]}

    first = run()
    assert "own" in games(first)
    moved(first, FIRST)
    assert first.end()[0] == 0
    before = rows(state)
    assert len(before) == 1
    for _ in range(TRIES):
        assert run().end(signal.SIGKILL)[0] == -signal.SIGKILL
    read = (home / "games" / "own.py.read").read_text()
    safe = run()
    assert "Safe mode" in safe.began
    with safe.page() as page:
        assert any(SILENT in notice for notice in page.state["notices"])
        assert not page.state["resume"]
    assert games(safe) >= {"hexalma", "hexel"}
    assert "own" not in games(safe)
    assert (home / "games" / "own.py.read").read_text() == read
    doctor = hexboard("--home", home, "doctor", "hexhex-5", "--simulate", "--state", state)
    assert "Safe mode" in doctor.stdout
    moved(safe, FIRST)  # one can play meanwhile
    assert safe.end()[0] == 0
    assert rows(state) == before
    again = run()
    assert "Safe mode" not in again.began
    moved(again, SECOND)
    assert again.end()[0] == 0
    assert len(rows(state)) >= 2

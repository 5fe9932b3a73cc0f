"""A disk that takes its time: the table, lights and pages go on, and nothing is final too soon."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from hexboard.board import find, load
from hexboard.daemon import saving
from hexboard.facts import Lost, Presence
from hexboard.table.senses import Senses
from tests.evening import Evening, begin
from tests.running import PATIENCE, eventually

Slow = Callable[[Evening], threading.Event]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Callable[..., Evening]]:
    with ExitStack() as stack:
        yield lambda board, game, **options: begin(
            stack, tmp_path, load(find(board)), game, **options
        )


@pytest.fixture
def slow() -> Iterator[Slow]:
    """From now on what SQLite inserts into a journal waits until somebody says so."""
    gate = threading.Event()

    def slowed(at: Evening) -> threading.Event:
        journal = at.daemon.journal._db
        journal.create_function("disk", 0, lambda: gate.wait(PATIENCE))
        journal.execute(
            "CREATE TEMP TRIGGER slow AFTER INSERT ON main.entry BEGIN SELECT disk(); END"
        )
        return gate

    yield slowed
    gate.set()


def told(at: Evening, words: str) -> None:
    at.page.until(lambda s: any(words in notice for notice in s["notices"]))


def final(state: dict[str, Any]) -> list[bool]:
    """Which of the moves are, the newest first."""
    return [line["final"] for line in state["log"] if " moves " in line["text"]]


def test_the_table_and_pages_go_on_and_are_final_when_the_disk_is_done(
    evening: Callable[..., Evening], slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "SLOW_S", 0.2)
    monkeypatch.setattr(saving, "HUNG_S", PATIENCE)
    at = evening("hexhex-5", "hexalma")
    at.act("b3-c3")
    gate = slow(at)
    at.act("h3-g3", journalled=False)
    at.act("b1-c1", journalled=False)
    told(at, "The disk is slow")
    at.page.until(lambda s: final(s) == [False, False, True])
    assert at.daemon.match.journalled == 1
    assert at.daemon.view.presence.get("journal", Presence(True)).up
    at.page.send("new")
    assert "not saved yet" in at.page.refusal()
    gate.set()
    at.page.until(lambda s: final(s) == [True, True, True])
    assert at.daemon.match.journalled == 3
    at.page.until(lambda s: not any("The disk is slow" in notice for notice in s["notices"]))
    at.end()


@pytest.mark.long
def test_a_disk_that_does_not_answer_lets_no_more_moves_be_made(
    evening: Callable[..., Evening], slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = evening("hexhex-5", "hexalma")
    gate = slow(at)
    monkeypatch.setattr(saving, "HUNG_S", 0.3)
    at.act("b3-c3", journalled=False)
    told(at, "If it never does, switch the power off and on")
    eventually(lambda: not at.daemon.view.presence.get("journal", Presence(True)).up)
    at.page.send("declare", seat=-1, action="h3-g3")
    assert "cannot be saved" in at.page.refusal()
    gate.set()
    eventually(lambda: at.daemon.match.journalled == 1)
    eventually(lambda: at.daemon.view.presence["journal"].up)
    monkeypatch.setattr(saving, "HUNG_S", PATIENCE)
    at.act("h3-g3")
    at.end()


@pytest.mark.long
def test_the_dealer_waits_for_what_was_before_to_be_saved(
    evening: Callable[..., Evening], slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else whoever dislikes a die could pull the plug, and have it thrown again."""
    monkeypatch.setattr(saving, "SLOW_S", 0.2)
    monkeypatch.setattr(saving, "HUNG_S", PATIENCE)
    at = evening("rhombus-11", "bad-santa-hex", die="dealt")
    at.act("a1")
    gate = slow(at)
    at.act("k11", journalled=False)
    told(at, "The disk is slow")
    assert at.daemon.view.chance
    gate.set()
    eventually(lambda: at.daemon.match.journalled >= 3)
    at.end()


def test_a_crash_waits_for_the_disk_and_loses_nothing(
    evening: Callable[..., Evening], slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a mistake of ours")

    monkeypatch.setattr(Senses, "loses", broken)
    at = evening("hexhex-5", "hexalma")
    gate = slow(at)
    at.act("b3-c3", journalled=False)
    before = at.daemon.match
    at.daemon._post("pico", Lost(1))
    eventually(lambda: at.daemon.match.heard.body == Lost(1))
    gate.set()
    eventually(lambda: at.daemon.match is not before)
    eventually(lambda: (at.entries, at.daemon.match.journalled) == (1, 1))
    at.end()


@pytest.mark.long
def test_a_whole_process_plays_on_while_its_disk_is_slow() -> None:
    what = ("--only", "disk-slow", "--game", "hexalma", "--times", "0.25")
    command = [sys.executable, "-m", "tests.benchmarks.faults", *what]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout.split(maxsplit=1)) == (
        0,
        ["disk-slow", "{'as declared': 1}\n"],
    )

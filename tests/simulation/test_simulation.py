"""Simulated evenings: that they hold, that a seed is one evening, that bugs are found."""

import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random

import pytest

from hexboard.files import keep
from hexboard.record.journal import Journal
from tests.running import PATIENCE
from tests.simulation import sqlite_layer
from tests.simulation.bugs import BUGS
from tests.simulation.disk import SECTOR, Disk
from tests.simulation.evening import Evening
from tests.simulation.scheduler import Scheduler
from tests.simulation.threads import Threads

SHOWS_FROM = {
    "watermarks-lost": 105,
    "recording-ahead": 85,
    "lights-not-resent": 60,
    "page-keeps-old": 340,
    "edges-acked-early": 12,
    "outage-forgotten": 1090,
    "thrown-off-stays": 20,
    "invited-for-ever": 18,
    "close-hurries": 17,
    "seat-of-others": 40,
    "seats-not-synced": 135,
}
"""Evenings, by bug, before which it was looked for in vain: `python -m tests.simulation --bugs`
looks from the first on, and says how many it took."""


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        (sys.executable, "-m", "tests.simulation", *arguments),
        capture_output=True,
        text=True,
        timeout=10 * PATIENCE,
        check=False,
    )


@pytest.mark.long
def test_evenings_with_crashes_and_faults_break_no_invariant() -> None:
    done = command("--seed", "100", "--evenings", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr


@pytest.mark.long
def test_a_seed_is_the_same_evening_each_time_and_a_planted_bug_shows_in_it() -> None:
    one, other = (Evening(24).play() for _ in range(2))
    assert one == other
    assert one.steps > 100
    with BUGS["never-synced"].planted():
        assert "lost: the journal has no match" in Evening(0).play().broken


@pytest.mark.long
def test_a_minute_of_evenings_breaks_no_invariant() -> None:
    done = command("--seed", "1000", "--minutes", "1")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_a_failure_is_a_seed_and_a_commit_and_the_command_plays_it_again() -> None:
    one, other = (command("--seed", "24") for _ in range(2))
    digests = [re.findall(r"digest=(\d+)", it.stdout) for it in (one, other)]
    assert digests[0] == digests[1] != [], one.stdout + one.stderr
    spoilt = command("--seed", "0", "--bug", "never-synced")
    assert spoilt.returncode == 1, spoilt.stdout + spoilt.stderr
    assert re.search(r"git checkout \w+ && python -m tests.simulation --seed 0", spoilt.stdout)


@pytest.mark.long
@pytest.mark.parametrize("bug", BUGS)
def test_each_planted_bug_is_found(bug: str) -> None:
    done = command("--bugs", bug, "--seed", str(SHOWS_FROM.get(bug, 0)))
    assert done.returncode == 0, done.stdout + done.stderr


# ---------------------------------------------------------------------- what it is made of


def disk(folder: Path, seed: int = 1) -> Disk:
    scheduler = Scheduler(Random(seed))
    return Disk(folder, scheduler, Random(seed))


def test_what_was_synced_survives_a_power_cut_and_the_rest_is_lost_or_torn(tmp_path: Path) -> None:
    file, rest = tmp_path / "a", set()
    for seed in range(400):
        it = disk(tmp_path, seed)
        file.write_bytes(b"A" * 2 * SECTOR)
        it.sync(str(file))
        file.write_bytes(b"A" * 2 * SECTOR + b"B" * 2 * SECTOR)
        left = it.image(power=True)[file]
        assert left[: 2 * SECTOR] == b"A" * 2 * SECTOR
        rest.add(left[2 * SECTOR :])
    both = b"B" * 2 * SECTOR
    assert {b"", both, b"B" * SECTOR + bytes(SECTOR), bytes(SECTOR) + b"B" * SECTOR} <= rest


def test_a_killed_process_leaves_what_it_wrote(tmp_path: Path) -> None:
    it = disk(tmp_path)
    (tmp_path / "a").write_bytes(b"never synced")
    assert it.image(power=False) == {tmp_path / "a": b"never synced"}


def test_the_journal_syncs_each_commit_through_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = disk(tmp_path)
    monkeypatch.setattr("hexboard.record.journal.sqlite3", it.sqlite())
    journal = Journal(tmp_path / "a.db")
    journal.begin("m", b"{}")
    before = it.syncs
    journal.commit("m", 0, ["{}"], "p")
    assert it.syncs > before
    it.fault = sqlite_layer.NO_SPACE
    with pytest.raises(OSError):  # noqa: PT011
        journal.commit("m", 1, ["{}"], "p")
    it.fault = 0
    journal.close()


def test_tasks_take_turns_as_the_seed_says() -> None:
    def order(seed: int) -> list[str]:
        scheduler = Scheduler(Random(seed))
        done: list[str] = []
        threads = Threads(scheduler)
        lock, ready = threads.Lock(), threads.Event()

        def work(name: str) -> None:
            ready.wait(1)
            with lock:
                scheduler.park(0.1)
                done.append(name)

        for name in "abc":
            threads.Thread(target=lambda name=name: work(name)).start()
        scheduler.run(lambda: len(done) == 3)
        return done

    assert {tuple(order(seed)) for seed in range(40)} >= {("a", "b", "c"), ("c", "a", "b")}
    assert order(7) == order(7)


def test_everybody_who_waits_for_nothing_is_called_stuck() -> None:
    scheduler = Scheduler(Random(1))
    threads = Threads(scheduler)
    never = threads.Event()
    threads.Thread(target=never.wait).start()
    with pytest.raises(Exception, match="everybody waits"):
        scheduler.run(lambda: False)
    scheduler.kill()


@pytest.mark.parametrize("lies", [False, True], ids=["synced", "a disk that only says so"])
def test_what_is_kept_outlasts_a_power_cut_and_meanwhile_the_old_or_the_new_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lies: bool
) -> None:
    file, old, new = tmp_path / "phones.json", b"A" * 2 * SECTOR, b"B" * 3 * SECTOR
    meanwhile: set[bytes | None] = set()
    after: set[bytes | None] = set()
    for seed in range(60):
        it = disk(tmp_path, seed)
        it.lies = lies
        monkeypatch.setattr("hexboard.files._fsync", it.fsync)
        file.write_bytes(old)
        it.settle(0)
        it.touched = partial(_cut, it, file, meanwhile)
        keep(file, new)
        _cut(it, file, after)
    assert (after == {new}) is not lies
    assert (meanwhile == {old, new}) is not lies


def _cut(disk: Disk, file: Path, found: set[bytes | None]) -> None:
    found.add(disk.image(power=True).get(file))

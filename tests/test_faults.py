"""The command that lets things go wrong sees what is lost; two kills of a game lose nothing."""

import os
import random
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.faults import Evening, by_chance, missing
from tests.running import PATIENCE


@pytest.mark.parametrize("found", [["a", "b"], ["a", "b", "c"]])
def test_what_is_still_there_is_not_lost(found: list[str]) -> None:
    assert missing(["a", "b"], found) == ""


@pytest.mark.parametrize("found", [[], ["a"], ["b"], ["a", "c", "b"]])
def test_what_is_gone_or_another_is_lost(found: list[str]) -> None:
    assert missing(["a", "b"], found).startswith("lost: ")


@pytest.mark.parametrize(
    ("text", "chance"),
    [('{"type":"played","action":"draw RBBBBB"}', True), ('{"action":"place 0,0 RBBBBB"}', False)],
)
def test_what_the_dealer_did_was_not_invented(text: str, chance: bool) -> None:
    assert by_chance(text) is chance


@pytest.mark.long
def test_two_kills_of_a_game_lose_nothing() -> None:
    what = ("--only", "killed", "--game", "hexalma", "--times", "0.05")
    command = [sys.executable, "-m", "tests.benchmarks.faults", *what]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout.split(maxsplit=1)) == (
        0,
        ["killed", "{'as declared': 2}\n"],
    )


@pytest.mark.long
def test_without_descriptors_a_new_game_is_refused_in_words_and_begins_later(
    tmp_path: Path,
) -> None:
    evening = Evening(tmp_path, "hextraction", random.Random(1))
    with evening.begun() as (running, page):
        before = page.state["match"]
        soft, hard = resource.prlimit(running.pid, resource.RLIMIT_NOFILE)
        most = max(int(name) for name in os.listdir(f"/proc/{running.pid}/fd")) + 1
        resource.prlimit(running.pid, resource.RLIMIT_NOFILE, (most, hard))
        page.send("new")
        assert "a file could not be used (Too many open files)" in page.refusal()
        resource.prlimit(running.pid, resource.RLIMIT_NOFILE, (soft, hard))
        page.send("new")
        page.until(lambda s: s["match"] != before)
        assert not page.state["notices"]

"""The first start in a terminal asks who may open the page, once; nobody else is asked."""

import os
import pty
import subprocess
from pathlib import Path

import pytest

from hexboard.settings import load
from tests.running import HEXBOARD, PATIENCE


def started(home: Path, state: Path, answer: str) -> str:
    """What a terminal shows until hexboard runs; this is typed where it asks."""
    ours, theirs = pty.openpty()
    asked = ["--home", str(home), "run", "--port", "0", "--state", str(state)]
    with subprocess.Popen(
        [*HEXBOARD, *asked], stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True
    ) as process:
        os.close(theirs)
        shown = b""
        while b"Ctrl-C" not in shown:
            shown += os.read(ours, 4096)
            if b"1 or 2" in shown and answer:
                os.write(ours, answer.encode())
                answer = ""
        process.terminate()
        process.wait(PATIENCE)
    os.close(ours)
    return shown.decode()


@pytest.mark.long
def test_the_first_start_asks_who_may_open_the_page_and_the_second_does_not(
    tmp_path: Path,
) -> None:
    home, state = tmp_path / "home", tmp_path / "state"
    first = started(home, state, "2\n")
    assert "Who may open the board's page?" in first
    assert "From a phone in the same network" in first
    assert load(home / "settings.toml").web.lan
    second = started(home, state, "")
    assert "Who may open" not in second
    assert "From a phone in the same network" in second

"""SIGTERM and SIGHUP end a command as Ctrl-C does: what it opened is closed."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from hexboard.commands.cli import main
from hexboard.commands.stopping import heeding, stopping
from hexboard.game import registry
from tests.cli import invoke
from tests.running import HEXBOARD, PATIENCE

SIGNALS = (signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)
OTHER_SCREEN, NO_CURSOR = b"\x1b[?1049h", b"\x1b[?25l"
OWN_SCREEN, CURSOR = b"\x1b[?1049l", b"\x1b[?25h"
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs a pseudo-terminal")


@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_a_signal_lets_what_is_open_close_and_ends_as_shells_count_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, status: int
) -> None:
    closed = []

    def stopped(_: Path) -> None:
        try:
            os.kill(os.getpid(), number)
            signal.pause()
        finally:
            os.kill(os.getpid(), signal.SIGHUP)  # a terminal's end is often told twice
            closed.append(number)

    before = [signal.getsignal(it) for it, _ in SIGNALS]
    monkeypatch.setattr(registry, "look_in", stopped)
    if number == signal.SIGINT:  # after which no other is waited for
        monkeypatch.setattr(signal, "pause", list)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        done = invoke("show", home=tmp_path)
    finally:
        for (it, _), was in zip(SIGNALS, before, strict=True):
            signal.signal(it, was)
    assert (done.exit_code, closed) == (status, [number])
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr


def test_one_that_is_ignored_stays_so() -> None:
    """As under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stopping():
            os.kill(os.getpid(), signal.SIGHUP)
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_what_may_not_be_interrupted_hears_it_when_that_is_over() -> None:
    came = []
    with stopping():
        with heeding(lambda then, number: came.append((then, number))):
            os.kill(os.getpid(), signal.SIGTERM)
        ((then, number),) = came
        with pytest.raises(KeyboardInterrupt):
            then(number, None)


@pytest.mark.parametrize("command", ["play hexalma", "play --problem hexalma-1"])
@pytest.mark.parametrize(("stops", "code"), [(KeyboardInterrupt, 130), (EOFError, 0)])
def test_who_stops_it_at_a_question_is_told_from_who_has_gone(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    stops: type[BaseException],
    code: int,
) -> None:
    def answer(_: str) -> str:
        raise stops

    words = ("--home", str(tmp_path), *command.split())
    with CliRunner().isolation():
        monkeypatch.setattr("click.termui.visible_prompt_func", answer)
        with pytest.raises(SystemExit) as ended:
            main(words)
    assert (ended.value.code or 0) == code


def test_no_colours_where_nobody_wants_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("--home", str(tmp_path), "play", "hexalma")
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb"), ("TERM", "xterm")):
        with monkeypatch.context() as patch:
            patch.delenv("NO_COLOR", raising=False)
            patch.setenv(name, value)
            told = CliRunner().invoke(main, words, input="nonsense\nquit\n", color=True)
        assert ("\x1b[31m" in told.stdout) == (value == "xterm")


@linux
@pytest.mark.long
@pytest.mark.parametrize(("number", "status"), SIGNALS)
@pytest.mark.parametrize(
    ("command", "shows"),
    [
        ("calibrate sensors hextraction-22 --simulate --fresh", OTHER_SCREEN),
        ("run --simulate --fast --turns 100000", b"playing"),
    ],
)
def test_the_terminal_is_as_it_was_and_no_folder_is_left(
    tmp_path: Path, command: str, shows: bytes, number: signal.Signals, status: int
) -> None:
    import pty

    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    env |= {"XDG_STATE_HOME": str(tmp_path / "s"), "XDG_CONFIG_HOME": str(tmp_path / "c")}
    running = subprocess.Popen(
        [*HEXBOARD, *command.split()], env=env, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    said = b""
    try:
        while shows not in said:
            said += os.read(ours, 4096)
        running.send_signal(number)
        with contextlib.suppress(OSError):  # nobody holds the other end any more
            while more := os.read(ours, 4096):
                said += more
        assert running.wait(PATIENCE) == status, said.decode()
    finally:
        running.kill()
        os.close(ours)
    assert said.rfind(CURSOR) > said.rfind(NO_CURSOR)
    assert said.rfind(OWN_SCREEN) >= said.rfind(OTHER_SCREEN)
    assert list(tmp_path.glob("hexboard-*")) == []

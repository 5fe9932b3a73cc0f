"""The lock of a board: one daemon has it, and waits for whoever only looks."""

import os
import threading
import time
from pathlib import Path

import pytest

from hexboard.daemon import lock as module
from hexboard.daemon.lock import held, lock, looking
from hexboard.words.errors import Busy


def test_one_daemon_has_a_board_and_is_named_at_once(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    began = time.monotonic()
    with lock(path, "b"):
        assert held(path)
        for other in (lock, looking):
            with pytest.raises(Busy, match=f"process {os.getpid()}"), other(path, "b"):
                pass
    assert time.monotonic() - began < module.LOOKS_S / 2
    assert not held(path)


def test_a_start_waits_until_nobody_looks_any_more(tmp_path: Path) -> None:
    """A doctor that a page had asked for outlives its daemon by some seconds."""
    path = tmp_path / "lock"
    path.write_text("4711", "ascii")
    looks, ends = threading.Event(), threading.Event()

    def look() -> None:
        with looking(path, "b"):
            looks.set()
            ends.wait()

    doctor = threading.Thread(target=look)
    doctor.start()
    looks.wait()
    assert not held(path)
    threading.Timer(0.2, ends.set).start()
    with lock(path, "b"):
        assert ends.is_set()
        assert path.read_text("ascii") == str(os.getpid())
    doctor.join()


def test_a_doctor_without_end_is_named_and_not_a_daemon_that_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOKS_S", 0.2)
    path = tmp_path / "lock"
    path.write_text("4711", "ascii")
    with looking(path, "b"), pytest.raises(Busy, match="hexboard doctor"), lock(path, "b"):
        pass

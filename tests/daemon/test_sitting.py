"""A sitting ends when it is told to, however often, and whenever, it is told."""

import os
import signal
import sys
from pathlib import Path
from types import FrameType

from hexboard.board import find, load
from hexboard.daemon import Daemon, Run, Sitting
from hexboard.daemon.service import Service
from hexboard.settings import Settings
from tests.running import PATIENCE


def test_a_signal_at_any_step_of_the_one_before_is_no_deadlock(tmp_path: Path) -> None:
    """Ctrl-C twice, or a terminal that is closed while systemd stops the daemon: whatever the
    first handler calls, the second comes in at its very beginning."""
    run = Run(load(find("hexhex-5")), tmp_path, Settings(), "hexalma", port=0)
    sitting, told = Sitting(run, lambda _: None), 0

    def again(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and told < 50 and frame.f_code.co_filename != __file__:
            os.kill(os.getpid(), signal.SIGTERM)

    def stop(*_: object) -> None:
        nonlocal told
        told += 1
        sitting.stop()

    def hanging(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGTERM, stop), signal.signal(signal.SIGALRM, hanging)
    traced = sys.gettrace()
    try:
        signal.alarm(int(PATIENCE))
        for sitting.daemon in (None, Daemon(run, lambda _: None, Service(run, lambda _: None))):
            told = 0
            sys.settrace(again)
            os.kill(os.getpid(), signal.SIGTERM)
            sys.settrace(traced)
            assert told > 1
    finally:
        sys.settrace(traced)
        signal.alarm(0)
        signal.signal(signal.SIGTERM, before[0])
        signal.signal(signal.SIGALRM, before[1])

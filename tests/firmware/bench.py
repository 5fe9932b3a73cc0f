"""A Pico on the bench, for the installer: first firmware or a prompt, after its reset firmware.

The firmware is the twin's; the prompt is prompt.py. Both are real MicroPython on pseudo-terminals,
and `port` leads to the one that has the word.
"""

import os
import pty
import subprocess
import threading
import tty
from pathlib import Path
from types import TracebackType

from hexboard.simulator import twin
from hexboard.simulator.twin import Twin
from tests.firmware import HERE

BESIDE = "-X", "heapsize=1m"
"""The flash lies in memory, beside what a Pico has."""


class Bench:
    """A Pico with an empty flash in `folder`/flash, or a real one of so many `blocks`, and
    MicroPython `version`."""

    def __init__(self, folder: Path, version: str = "1.24.1", blocks: int = 0) -> None:
        self.flash = folder / "flash"
        self.flash.mkdir()
        self.port = str(folder / "port")
        self.twins: list[Twin] = []
        master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self._prompt = subprocess.Popen(
            [*twin.interpreter(), *BESIDE, str(HERE / "prompt.py"), version, str(blocks)],
            cwd=self.flash,
            stdin=master,
            stdout=master,
        )
        os.close(master)
        self._waiting = threading.Thread(target=self._after_reset)
        self._waiting.start()

    def lead(self, path: str) -> None:
        """From now on `port` is `path`."""
        Path(self.port + ".new").symlink_to(path)
        os.replace(self.port + ".new", self.port)

    def at_prompt(self, _: str = "") -> None:
        self.lead(os.ttyname(self._slave))

    def runs_firmware(self) -> None:
        self.twins.append(Twin(8, 1, on_exit=self.at_prompt))
        self.lead(self.twins[-1].port)

    def _after_reset(self) -> None:
        if self._prompt.wait() == 0:
            self.runs_firmware()

    def __enter__(self) -> "Bench":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._prompt.terminate()
        self._waiting.join()
        for one in self.twins:
            one.close()
        os.close(self._slave)

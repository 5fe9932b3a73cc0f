"""What is wired to the simulated gpiochip0: each line is pulled up or down from outside."""

import os
from pathlib import Path

CHIP = Path("/sys/devices/platform/gpio-sim.0/gpiochip0")
LIVE = Path("/sys/kernel/config/gpio-sim/pi/live")
"""1 while the chip is there."""


class Wires:
    """The outside of some lines. What a program asks for (pull-up, pull-down) moves them too."""

    def __init__(self, *lines: int) -> None:
        self._pulls = {
            line: os.open(CHIP / f"sim_gpio{line}" / "pull", os.O_WRONLY) for line in lines
        }

    def pull(self, line: int, up: bool) -> None:
        os.pwrite(self._pulls[line], b"pull-up" if up else b"pull-down", 0)

    def close(self) -> None:
        for file in self._pulls.values():
            os.close(file)

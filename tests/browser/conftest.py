"""Boards under a browser run slower than those of other tests.

The browser takes the machine from the simulated Pico, which then reads its inputs late: at the
others' speed a ball's pulse is a millisecond, and is missed.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.running import Running

SPEED = 6


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A person's own files: settings under which rolls end quickly, at this speed."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "settings.toml").write_text("settle_ms = 400\n", "utf-8")
    return folder


@pytest.fixture
def start(start: Callable[..., Running]) -> Callable[..., Running]:
    """`start(*arguments)` runs a simulated board, in the same folder each time."""

    def run(*arguments: object, **how: object) -> Running:
        return start(*arguments, **{"speed": SPEED, **how})

    return run

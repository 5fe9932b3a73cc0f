"""The loop: what it does when the host is mute, deaf, noisy or new."""

import subprocess
from pathlib import Path

import pytest

from tests.firmware import FOLDER, micropython, mpy_cross, run_micropython


@micropython
def test_noise_and_a_deaf_host_take_no_memory() -> None:
    before, after, lost, bad = run_micropython("noise.py").split()
    assert int(after) <= int(before) + 512
    assert (lost, bad) == ("True", "True")


@micropython
def test_the_picos_own_pins() -> None:
    said = run_micropython("pico.py", hears="a\x03b")
    assert said == "-" * 10 + (
        "\nkbd -1 GP16 pulled up machine 0 on GP22 GP17=0 GP17=1 GP17=0 GP17=1 strip 450 450 kbd 3\n"
    )


@pytest.mark.skipif(mpy_cross() is None, reason="no mpy-cross on this machine")
def test_every_file_compiles_for_the_pico(tmp_path: Path) -> None:
    for file in FOLDER.glob("*.py"):
        out = tmp_path / file.with_suffix(".mpy").name
        subprocess.run(
            [str(mpy_cross()), "-march=armv6m", "-o", str(out), str(file)], check=True, timeout=10
        )

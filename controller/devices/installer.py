"""Installer: puts hexboard's firmware on a Pico that runs MicroPython, with `mpremote`.

What differs from board to board (how many inputs and pixels, the order of colours) is in one file,
`wiring.py`, which is made from the board file; the rest is copied as it is.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec

from controller.board import Board
from controller.devices import ports
from controller.devices.link import reason
from controller.devices.probe import NoBoardError, probing
from controller.errors import HexboardError
from controller.files import shipped

FILES = ("frame.py", "scan.py", "pixels.py", "strip.py", "pins.py", "main.py")
"""What is copied beside `wiring.py`; `main.py` last: without it the Pico stays at its prompt."""
PATIENCE = 60
"""Seconds that copying one file may take."""


class InstallError(HexboardError):
    """The firmware could not be put on the board; the sentence says what to do."""


def wiring(board: Board) -> str:
    """`wiring.py` for a board: the shipped one, with its inputs, pixels and order of colours."""
    inputs = max((s.input for s in board.sensors if s.source == "pico"), default=-1) + 1
    pixels = len(board.pixels) if board.strip.source == "pico" else 0
    text = shipped("firmware", "wiring.py").read_text("utf-8")
    values = {"INPUTS": max(8, -(-inputs // 8) * 8), "PIXELS": max(1, pixels)}
    for name, value in values.items():
        text = _put(text, name, str(value))
    return _put(text, "ORDER", f'"{board.strip.order}"')


def _put(text: str, name: str, value: str) -> str:
    changed, count = re.subn(rf"^{name} = .*$", f"{name} = {value}", text, flags=re.MULTILINE)
    if count != 1:
        raise ValueError(f"firmware/wiring.py has no single line “{name} = …”")
    return changed


def install(wanted: str, board: Board) -> Iterator[str]:
    """Install, file by file; yields the name of what is being done. Raises `InstallError`."""
    if find_spec("mpremote") is None:
        raise InstallError("firmware.no_mpremote")
    port = ports.port(wanted)
    if port is None:
        raise InstallError("firmware.no_pico", why=reason(wanted, FileNotFoundError(2, "")))
    yield "stop"
    _stop(port)
    from tempfile import NamedTemporaryFile

    with NamedTemporaryFile("w", suffix=".py", encoding="utf-8") as made:
        made.write(wiring(board))
        made.flush()
        yield "wiring.py"
        _mpremote(port, "fs", "cp", made.name, ":wiring.py")
    for name in FILES:
        yield name
        _mpremote(port, "fs", "cp", str(shipped("firmware", name)), f":{name}")
    yield "reset"
    _mpremote(port, "reset")


def _stop(port: str) -> None:
    """Firmware of ours takes no Ctrl-C: ask it to end. Where there is none, nothing needs to."""
    try:
        with probing(port) as probe:
            probe.stop()
    except NoBoardError:
        pass


def _mpremote(port: str, *words: str) -> None:
    command = [sys.executable, "-m", "mpremote", "connect", port, *words]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        raise InstallError("firmware.stuck", port=port) from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise InstallError("firmware.mpremote", port=port, why=said[-1] if said else "?")

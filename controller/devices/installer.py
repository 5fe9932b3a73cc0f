"""Installer: puts hexboard's firmware on a Pico that runs MicroPython, with `mpremote`.

What differs from board to board (how many inputs and pixels, the order of colours) is in one file,
`wiring.py`, which is made from the board file; the rest is copied as it is.
"""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from hexboard.board import Board
from hexboard.devices import ports
from hexboard.devices.link import reason
from hexboard.devices.probe import NoBoardError, NoPortError, sentence, stop
from hexboard.files import shipped
from hexboard.words.errors import HexboardError

FILES = (
    "kept.py",
    "build.py",
    "frame.py",
    "scan.py",
    "pixels.py",
    "strip.py",
    "pins.py",
    "main.py",
)
"""What is copied beside `wiring.py`; `main.py` last: without it the Pico stays at its prompt."""
FORGET = "import os\nif 'main.py' in os.listdir(): os.remove('main.py')"
"""Takes away the `main.py` of before: it does not start over half of the new files."""
WHO = "import sys; print(sys.platform, *sys.implementation[1][:2])"
"""Asks MicroPython what it runs on, and its version."""
ROOM = """import os
room = os.statvfs(os.getcwd())
print(room[0], room[0] * room[3])
for name in os.listdir():
    print(os.stat(name)[6], name)"""
"""Asks how large a block of its flash is, how many bytes are free, and which files lie there."""
SPARE = 2
"""Blocks that the names of files may take."""
SMALL_BYTES = 512
"""Bytes of a file that lies among the names, and takes no block."""
LINKS_BYTES = 64
"""Bytes at most by which a file's blocks lead to each other."""
OLDEST = (1, 22)
"""The first MicroPython that has `rp2.DMA`."""
LEAVE_S, RETURN_S = 0.5, 10.0
"""Seconds after which a board that was asked for its prompt has left, and may come back."""
NAMED = 5
"""So many files are named that fill a flash, the largest first."""
NO_SENSORS = 8
"""So many inputs the firmware of a board has that has none; others may have as many."""
PATIENCE_S = 60
"""Seconds that mpremote may take."""


class InstallError(HexboardError):
    """The firmware could not be put on the board; the sentence says what to do."""


def wiring(board: Board) -> str:
    """`wiring.py` for a board: the shipped one, with its inputs, pixels and order of colours."""
    inputs = max((s.input for s in board.sensors if s.source == "pico"), default=-1) + 1
    pixels = len(board.along) if board.strip.source == "pico" else 0
    text = shipped("firmware", "wiring.py").read_text("utf-8")
    values = {"INPUTS": max(NO_SENSORS, -(-inputs // 8) * 8), "PIXELS": max(1, pixels)}
    for name, value in values.items():
        text = _put(text, name, str(value))
    return _put(text, "ORDER", f'"{board.strip.order}"')


def build(board: Board) -> str:
    """What firmware of ours for this board says that it is (firmware/build.py)."""
    files = {name: shipped("firmware", name).read_bytes() for name in FILES}
    files["wiring.py"] = wiring(board).encode()
    found = b"".join(name.encode() + b"\0" + files[name] + b"\0" for name in sorted(files))
    return sha256(found).hexdigest()[:8]


def _put(text: str, name: str, value: str) -> str:
    changed, count = re.subn(rf"^{name} = .*$", f"{name} = {value}", text, flags=re.MULTILINE)
    if count != 1:
        raise ValueError(f"firmware/wiring.py has no single line “{name} = …”")
    return changed


def install(wanted: str, board: Board) -> Iterator[str]:
    """Install; yields the key of what is being done. Raises `InstallError`, `NoPortError`; nothing
    is overwritten that nobody chose: "auto" is refused where several Picos are there."""
    if find_spec("mpremote") is None:
        raise InstallError("firmware.no_mpremote")
    if wanted == ports.AUTO and len(there := ports.picos()) > 1:
        raise InstallError("firmware.several", picos=ports.named(there))
    port = ports.port(wanted)
    if port is None or (port.startswith("/") and not Path(port).exists()):
        why = reason(port or wanted, FileNotFoundError(2, "No such file"))
        raise InstallError("firmware.no_pico", why=sentence(why))
    yield "firmware.stopping"
    _stop(port)
    yield "firmware.looking"
    _judge(port, _mpremote(port, "exec", WHO))
    yield "firmware.copying"
    with TemporaryDirectory() as folder:
        made = Path(folder, "wiring.py")
        made.write_text(wiring(board), "utf-8")
        files = [made, *(shipped("firmware", name) for name in FILES)]
        _make_sure(port, _mpremote(port, "exec", ROOM), {f.name: f.stat().st_size for f in files})
        _mpremote(port, "exec", FORGET)
        try:
            _mpremote(port, "fs", "cp", *map(str, files), ":")
        except InstallError as error:
            raise InstallError("firmware.half", port=port, why=error.message) from None
    yield "firmware.restarting"
    _mpremote(port, "reset")


def _stop(port: str) -> None:
    """Firmware of ours takes no Ctrl-C: ask it to end, of whatever version it is."""
    try:
        stop(port)
    except NoPortError:
        raise
    except NoBoardError:
        return
    end = time.monotonic() + RETURN_S  # it starts anew for that: its port goes and comes
    time.sleep(LEAVE_S)
    while not Path(port).exists() and port.startswith("/") and time.monotonic() < end:
        time.sleep(0.1)


def _judge(port: str, who: str) -> None:
    """Raises `InstallError` unless what `WHO` printed is a Pico with all that the firmware uses."""
    platform, *version = who.split() or [""]
    number = ".".join(version[:2])
    if platform != "rp2":
        raise InstallError("firmware.no_rp2", port=port, platform=platform or "?")
    if tuple(map(int, version[:2])) < OLDEST:
        raise InstallError("firmware.old_micropython", port=port, version=number)


def _make_sure(port: str, room: str, sizes: dict[str, int]) -> None:
    """Raise `InstallError` unless files of such `sizes` go onto the flash of which `ROOM` printed
    `room`, the ones of before taken away: nothing is touched then, and what was there runs on."""
    (block, free), *there = (line.split(maxsplit=1) for line in room.splitlines())
    lying = {name: int(size) for size, name in there}

    def blocks(size: int) -> int:
        return -(-(size + LINKS_BYTES) // int(block))

    ours = (size for name, size in lying.items() if name in sizes)
    freed = sum(blocks(size) for size in ours if size > SMALL_BYTES)
    needed = (sum(map(blocks, sizes.values())) + SPARE - freed) * int(block)
    if needed <= int(free):
        return
    with suppress(InstallError):
        _mpremote(port, "reset")
    others = sorted(lying.keys() - sizes.keys(), key=lambda name: (-lying[name], name))
    short = (needed - int(free)) // 1024
    raise InstallError("firmware.full", port=port, short=short, files=", ".join(others[:NAMED]))


def _mpremote(port: str, *words: str) -> str:
    """What mpremote prints. Raises `InstallError`."""
    command = [sys.executable, "-P", "-m", "mpremote", "connect", port, *words]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise InstallError("firmware.stuck", port=port) from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        why = said[-1].rstrip(".") if said else "?"
        raise InstallError("firmware.mpremote", port=port, why=why)
    return done.stdout

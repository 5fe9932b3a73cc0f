"""A Pico in BOOTSEL: a drive, onto which a UF2 file is copied; then it restarts with that.

The file is looked over before (https://github.com/microsoft/uf2): a Pico takes whatever it is
given, and says nothing of what it left away.
"""

import os
import struct
import time
from contextlib import suppress
from pathlib import Path

from hexboard.words.errors import BadText, HexboardError

INFO = "INFO_UF2.TXT"
"""The file by which such a drive is known; it names the board."""
FAMILIES = {"RPI-RP2": (0xE48BFF56,), "RP2350": (0xE48BFF59, 0xE48BFF5A, 0xE48BFF5B)}
"""What a UF2 may be for, by how a drive's `Board-ID` begins."""
ABSOLUTE = (0xE48BFF57,)
"""Blocks that every RP2350 takes, or leaves."""
BLOCK = struct.Struct("<8I476sI")
FIRST, SECOND, LAST = 0x0A324655, 0x9E5D5157, 0x0AB16F30
HAS_FAMILY = 0x2000
MOUNTS = Path("/proc/mounts")
GONE_S = 15.0
"""So long the drive may take to go away."""


class NoDriveError(HexboardError):
    """No Pico shows its drive."""


def drive() -> Path:
    """The drive of the one Pico in BOOTSEL, as it is mounted. Raises `NoDriveError`."""
    found = [folder for folder in _mounted() if (folder / INFO).is_file()]
    if len(found) != 1:
        raise NoDriveError("firmware.drives" if found else "firmware.no_drive")
    return found[0]


def _mounted() -> list[Path]:
    """The folders that drives are mounted at; a blank in a name stands as \\040 there."""
    try:
        rows = [line.split() for line in MOUNTS.read_text("utf-8", "replace").splitlines()]
    except OSError:  # macOS
        return list(Path("/Volumes").glob("R*P2*"))
    return [Path(row[1].replace("\\040", " ")) for row in rows if len(row) > 2 and row[2] == "vfat"]


def copy(file: Path, to: Path, patience_s: float = GONE_S) -> None:
    """Put a UF2 onto a drive, and wait until that has gone away. Raises `BadText` for a file that
    is none, or is for another board, before anything is written; `NoDriveError` where it stays, or
    takes no file."""
    try:
        data = file.read_bytes()
    except OSError as error:
        why = error.strerror or str(error)
        raise BadText("firmware.uf2_unread", file=str(file), why=why) from None
    check(file, data, to)
    try:
        out = open(to / file.name, "wb")  # noqa: SIM115
    except OSError as error:
        why = error.strerror or str(error)
        raise NoDriveError("firmware.drive_refuses", drive=str(to), why=why) from None
    with suppress(OSError), out:  # it may restart before the last word is out
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    end = time.monotonic() + patience_s
    while (to / INFO).exists():
        if time.monotonic() > end:
            raise NoDriveError("firmware.drive_stays", drive=str(to))
        time.sleep(0.1)


def check(file: Path, data: bytes, to: Path) -> None:
    """Raise `BadText` where `data` is no whole UF2 for the board whose drive is at `to`."""
    blocks = [BLOCK.unpack_from(data, at) for at in range(0, len(data) - BLOCK.size + 1, 512)]
    marks = {(it[0], it[1], it[9]) for it in blocks}
    if len(data) % 512 or marks != {(FIRST, SECOND, LAST)}:
        raise BadText("firmware.no_uf2", file=str(file))
    if any(it[5] >= it[6] for it in blocks) or len(blocks) < max(it[6] for it in blocks):
        raise BadText("firmware.cut_uf2", file=str(file))
    board = _board(to)
    wanted = next((ids for name, ids in FAMILIES.items() if board.startswith(name)), ())
    families = {it[7] for it in blocks if it[2] & HAS_FAMILY} - set(ABSOLUTE)
    if wanted and not families & set(wanted):
        raise BadText("firmware.other_uf2", file=str(file), board=board)


def _board(drive: Path) -> str:
    """What the drive says of itself: `Board-ID: RPI-RP2`."""
    try:
        lines = (drive / INFO).read_text("ascii", "replace").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if "Board-ID" in line), "")

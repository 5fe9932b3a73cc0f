"""What the doctor sees of a Raspberry Pi: how it was set to start, and the card that it writes."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hexboard.commands.doctor.checked import Checked, good, look, mend
from hexboard.words import message
from hexboard.words.numbers import in_bytes

if TYPE_CHECKING:
    from hexboard.board import Board

ROOT = Path("/")
BOOT = ("boot/firmware", "boot")
"""Where `config.txt` is: since bookworm, and before."""
MODEL = "proc/device-tree/model"
CORE = {"3": ("core_freq=250",), "4": ("core_freq=500", "core_freq_min=500")}
"""By which lines the clock of SPI stands still on a Pi (hardware/pi.md); a newer one needs none."""
BUFFER_BYTES = 4096
"""Bytes that the kernel takes for SPI in one go, unless `cmdline.txt` says another number."""
SILENCE_BYTES, A_COLOUR_BYTES = 128, 8
"""Bytes of a frame of lights for SPI: at its end, and for each colour of a light."""
ERASED = 1000
"""So often at least the cells of a card may be written (triple-level cells); then it fails."""


def starting(board: "Board", root: Path = ROOT) -> Iterator[Checked]:
    """Whether `config.txt` and `cmdline.txt` say what lights on the Pi itself need."""
    folder = next((root / it for it in BOOT if (root / it / "config.txt").is_file()), None)
    if folder is None or not board.pixels or board.strip.source == "pico":
        return
    said, lacks = str(folder / "config.txt"), list(_lacking(board, folder, root))
    for file, line in lacks:
        told = message("doctor.config_lacks", file=str(folder / file), line=line)
        yield mend("config", told, message("doctor.config_todo", line=line))
    if not lacks:
        yield good("config", message("doctor.config", file=said))


def _lacking(board: "Board", folder: Path, root: Path) -> Iterator[tuple[str, str]]:
    """The lines that a file does not have."""
    lines = _lines(folder / "config.txt")
    for line in _wanted(board, _model(root)):
        if line not in lines:
            yield "config.txt", line
    frame = A_COLOUR_BYTES * len(board.strip.order) * len(board.along) + SILENCE_BYTES
    took = re.search(r"\bspidev\.bufsiz=(\d+)", _text(folder / "cmdline.txt"))
    if board.strip.source == "spi" and frame > (int(took[1]) if took else BUFFER_BYTES):
        yield "cmdline.txt", "spidev.bufsiz=32768"


def _wanted(board: "Board", model: str) -> tuple[str, ...]:
    if board.strip.source == "spi":
        return ("dtparam=spi=on", *CORE.get(model, ()))
    return ("dtparam=audio=off",) if model in CORE else ()


def _model(root: Path) -> str:
    """The number of this Raspberry Pi; "" where it is none, or says none."""
    found = re.match(r"Raspberry Pi (\d)", _text(root / MODEL))
    return found[1] if found else ""


def _lines(file: Path) -> list[str]:
    """What it sets, without remarks and room."""
    lines = (line.partition("#")[0] for line in _text(file).splitlines())
    return [re.sub(r"\s", "", line) for line in lines]


def _text(file: Path) -> str:
    """What a file says; "" where it cannot be read."""
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""


# ------------------------------------------------------------------------------------- the card


def card(folder: Path, root: Path = ROOT) -> Iterator[Checked]:
    """What the kernel knows of the card or disk that `folder` is on: errors, and how much was ever
    written to it."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    number = there.stat().st_dev
    yield from worn(root, f"{os.major(number)}:{os.minor(number)}")


def worn(root: Path, device: str) -> Iterator[Checked]:
    """The same of a `device`, by its numbers. Only ext4 counts, and only an eMMC tells its age."""
    part = (root / "sys/dev/block" / device).resolve()
    counts = root / "sys/fs/ext4" / part.name
    disk = part.parent if (part / "partition").exists() else part
    errors, written = _number(counts / "errors_count"), _number(counts / "lifetime_write_kbytes")
    if errors:
        said = message("doctor.card_errors", device=part.name, count=errors)
        yield mend("card", said, message("doctor.card_errors_todo"))
    aged = max((int(it, 16) for it in _text(disk / "device/life_time").split()), default=0)
    size = 512 * _number(disk / "size")
    if aged >= 9:  # in tenths of its life
        said = message("doctor.card_aged", device=disk.name, percent=10 * aged)
        yield look("card", said, message("doctor.card_todo"))
    elif size and 1024 * written > ERASED * size // 2:
        times = 1024 * written // size
        told = message("doctor.card_worn", device=disk.name, size=in_bytes(size), times=times)
        yield look("card", told, message("doctor.card_todo"))
    elif written and not errors:
        amount = in_bytes(1024 * written)
        yield good("card", message("doctor.card", device=part.name, written=amount))


MEMORY = ("tmpfs", "ramfs", "overlay")
"""File systems whose files are gone at power-off; an overlay's are where its upper folder is in
memory, as on a Pi that was made read-only (raspi-config, Performance, Overlay File System)."""
ENGINES = re.compile(r"upperdir=[^,]*/(docker|containerd|containers|podman|lxc|lxd|incus)/")
"""An overlay that is a container's own: its upper folder lies on a disk."""


def fleeting(folder: Path, root: Path = ROOT) -> Iterator[Checked]:
    """Whether what is kept in a folder is gone at power-off."""
    there = next(path for path in (folder, *folder.parents) if path.exists()).resolve()
    best, kind = Path(), ""
    for line in _text(root / "proc/self/mountinfo").splitlines():
        before, _, after = line.partition(" - ")
        mounted = Path(before.split()[4].replace("\\040", " "))
        if there.is_relative_to(mounted) and len(mounted.parts) >= len(best.parts):
            best, kind = mounted, "" if ENGINES.search(after) else after.split()[0]
    if kind in MEMORY:
        said = message("doctor.fleeting", folder=str(folder), kind=kind)
        yield look("kept", said, message("doctor.fleeting_todo"))


def _number(file: Path) -> int:
    text = _text(file).strip()
    return int(text) if text.isdecimal() else 0

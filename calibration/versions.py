"""Versions: a file replaced whole that keeps the few before it, `.1` (the newest), `.2`, …"""

import os
from contextlib import suppress
from pathlib import Path

from hexboard.files import keep, sync_names

KEPT = 5
"""How many earlier versions stay."""


def replace(path: Path, data: bytes) -> None:
    """Put `data` in the place of what is there, which becomes `.1`. A power cut leaves the old one
    or the new one. Raises `OSError`."""
    for k in range(KEPT, 0, -1):
        with suppress(FileNotFoundError):
            if k == 1:
                write(earlier(path, 1), path.read_bytes())  # a copy: `path` is never missing
            else:
                os.replace(earlier(path, k - 1), earlier(path, k))
    write(path, data)


def restore(path: Path) -> None:
    """Bring the version before back; the present one is put aside as `.undone`, in the place of the
    last that was. Raises `FileNotFoundError` where there is none before it."""
    if earlier(path, 1).exists():
        _put_aside(path)
    os.replace(earlier(path, 1), path)
    for k in range(2, KEPT + 1):
        with suppress(FileNotFoundError):
            os.replace(earlier(path, k), earlier(path, k - 1))
    sync_names(path.parent)


def _put_aside(path: Path) -> None:
    aside = path.with_name(f"{path.name}.undone")
    with suppress(FileNotFoundError):
        aside.unlink(missing_ok=True)
        try:
            os.link(path, aside)  # `path` is never missing
        except FileNotFoundError:
            raise
        except OSError:  # somebody else's file, or a disk that knows no links
            os.replace(path, aside)


def earlier(path: Path, k: int) -> Path:
    """Where the k-th version before the present one is."""
    return path.with_name(f"{path.name}.{k}")


def write(path: Path, data: bytes) -> None:
    """Put `data` in the place of what is there, and keep no version of that. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    keep(path, data, new=0o666, over=True)  # measured once with sudo, it is still the user's

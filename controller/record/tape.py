"""Tape: the end of a recording that is being written, kept until the disk has it for good.

A disk that fails, fills up or goes away takes nothing of a tape: what was not yet synced is kept,
and written again once the file takes it. After a failed sync the kernel may have dropped what it
had been given, so all since the last good one is written anew.
"""

import contextlib
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import BinaryIO

FRONT_BYTES = 512
"""So much of its beginning tells a recording from another: when it began stands there."""

_fdatasync: Callable[[int], None] = getattr(os, "fdatasync", os.fsync)


class LostError(OSError):
    """The file was deleted, or another is in its place: to try again is of no use."""


class Tape:
    """A new file at `path` with the permissions `mode`, less the umask. `write` and `tell` never
    fail; `save` raises `OSError`, and may be tried again where that is no `LostError`."""

    def __init__(self, path: Path, mode: int) -> None:
        self._path, self._mode = path, mode
        self._file: BinaryIO | None = None
        self._made = False
        self._front = b""
        self._kept = bytearray()  # what is not on the disk for good
        self._safe = 0  # so many bytes are
        self._given = 0  # so many the file was given

    def write(self, data: bytes) -> int:
        """Keep it; it is on its way with the next `save`."""
        if len(self._front) < FRONT_BYTES:
            self._front = (self._front + data)[:FRONT_BYTES]
        self._kept += data
        return len(data)

    def tell(self) -> int:
        return self._safe + len(self._kept)

    def flush(self) -> None:
        """Nothing: `save` does it."""

    @property
    def kept(self) -> int:
        """Bytes that a power cut would lose."""
        return len(self._kept)

    def save(self, for_good: bool) -> None:
        """Give the file all that is kept; `for_good` waits until the disk has it."""
        try:
            if self._file is None:
                self._file = self._opened()
                self._given = self._safe
            self._file.seek(self._given)
            while self._given < self.tell():
                self._given += self._file.write(self._kept[self._given - self._safe :])
            if for_good:
                _fdatasync(self._file.fileno())
                if not os.path.samestat(os.fstat(self._file.fileno()), os.stat(self._path)):
                    raise OSError("another file is in its place")
                self._safe += len(self._kept)
                self._kept.clear()
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file; the next `save` opens it again."""
        file, self._file = self._file, None
        if file is not None:
            with contextlib.suppress(OSError):
                file.close()

    def _opened(self) -> BinaryIO:
        """The file, as far as it is safe: a new one until something is, then the same."""
        try:
            file = open(self._path, "r+b", 0)  # noqa: SIM115 -- it stays open
        except FileNotFoundError:
            if not self._safe:
                return self._new()
            if self._path.parent.is_dir():  # no stick that was pulled
                raise LostError("it was deleted") from None
            raise
        try:
            begins = file.read(FRONT_BYTES)
            size = os.fstat(file.fileno()).st_size
            known = self._made and self._front.startswith(begins)
            if size < self._safe or not known:
                raise LostError("another file is in its place")
            file.truncate(self._safe)
        except OSError:
            file.close()
            raise
        return file

    def _new(self) -> BinaryIO:
        self._path.parent.mkdir(exist_ok=True)  # not where a stick was mounted
        opener = partial(os.open, mode=self._mode)
        file = open(self._path, "xb", 0, opener=opener)  # noqa: SIM115 -- it stays open
        self._made = True
        return file

"""The disk: real files in a folder in memory, and what a power cut may leave of them.

SQLite is the real one, on its own file system layer, of which we hear each write and each sync. Of
every file is known what it was when it was last synced. A power cut leaves any mixture, in sectors,
of that and of what stands there now: what was not synced is there, or lost, or torn, in any order.
"""

import contextlib
import errno
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from tests.simulation import sqlite_layer
from tests.simulation.scheduler import Scheduler

AWAY = "away-"
"""Before the name of a folder that is taken away."""
SECTOR = 512
"""Bytes that are written at once or not at all."""
FULL, FAILING = errno.ENOSPC, errno.EIO


class Disk:
    """The disk under `root`."""

    def __init__(self, root: Path, scheduler: Scheduler, dice: Random) -> None:
        self.root = root
        self._scheduler, self._dice = scheduler, dice
        self.fault = 0
        """What each write and sync of journal and recordings fails with; 0 where they work."""
        self.slow_s = 0.002
        """The longest that a sync takes, s."""
        self.syncs = self.writes = 0
        self.touched: Callable[[], None] = lambda: None
        """Called at each write and sync, before it."""
        self.lies = False
        """A planted fault: it says that it has synced, and has not."""
        self._synced: dict[int, bytes] = {}  # by inode
        self._named: dict[Path, int] = {}  # the inode of a name, when its folder was last synced
        self._names = Random(f"{dice.random()} names")
        self._written: dict[str, int] = {}  # when, wall ns, by path

    # ----------------------------------------------------------------- what a power cut leaves

    def settle(self, now_ns: int) -> None:
        """All that is there is on the disk, and of the time at which it was written."""
        self._synced.clear()
        self._named.clear()
        for path in self.files():
            found = path.stat()
            self._synced[found.st_ino] = path.read_bytes()
            self._named[path] = found.st_ino
            when = self._written.setdefault(str(path), now_ns)
            os.utime(path, ns=(when, when))

    def files(self) -> list[Path]:
        return sorted(path for path in self.root.rglob("*") if path.is_file())

    def image(self, power: bool) -> dict[Path, bytes]:
        """What is on the disk after the process was killed, or after the `power` went."""
        left = {path: path.read_bytes() for path in self.files()}
        return {self._home(path): data for path, data in self._after(left, power).items()}

    def _home(self, path: Path) -> Path:
        """Where a file is when nothing is taken away."""
        inside = path.relative_to(self.root).parts
        return self.root.joinpath(*(it.removeprefix(AWAY) for it in inside))

    def take_away(self, folder: Path) -> None:
        """A stick is pulled out: what is open stays so."""
        with contextlib.suppress(FileNotFoundError):
            folder.rename(folder.with_name(AWAY + folder.name))

    def is_away(self, folder: Path) -> bool:
        return folder.with_name(AWAY + folder.name).exists()

    def bring_back(self, folder: Path) -> None:
        """It is put in again; what was made in its place meanwhile is covered."""
        if self.is_away(folder):
            shutil.rmtree(folder, ignore_errors=True)
            folder.with_name(AWAY + folder.name).rename(folder)

    def _after(self, left: dict[Path, bytes], power: bool) -> dict[Path, bytes]:
        if not power:
            return left
        odds = self._dice.choice((0.0, 1.0, self._dice.random()))
        for path, now in list(left.items()):
            if self._renamed(path) and self._names.random() < 0.5:
                left[path] = self._synced[self._named[path]]
                continue
            before = self._synced.get(path.stat().st_ino)
            if before is None and self._dice.random() < 0.25:
                del left[path]  # not even its name
            elif before != now:
                left[path] = self._torn(before or b"", now, odds)
        return left

    def _renamed(self, path: Path) -> bool:
        """Another file has the name since its folder was synced. (SQLite sees to its own.)"""
        named = self._named.get(path, 0)
        return named in self._synced and named != path.stat().st_ino and ".db" not in path.name

    def _torn(self, before: bytes, now: bytes, odds: float) -> bytes:
        dice = self._dice
        size = dice.choice((len(before), len(now)))
        if len(now) > len(before) and dice.random() < 0.5:
            size = dice.randint(len(before), len(now))
        longest = max(len(before), len(now))
        old, new = before.ljust(longest, b"\0"), now.ljust(longest, b"\0")
        sectors = range(0, size, SECTOR)
        kept = (new if dice.random() < odds else old for _ in sectors)
        return b"".join(it[at : at + SECTOR] for at, it in zip(sectors, kept, strict=False))[:size]

    def restore(self, image: dict[Path, bytes]) -> None:
        """Let these files be there, and no others."""
        for path in self.files():
            path.unlink(missing_ok=True)  # SQLite takes its own away where a dead life is collected
        for path, data in image.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    # ------------------------------------------------------------------------- what is written

    def write(self, path: str, size: int) -> int:
        """Something is about to be written; what it fails with."""
        self.writes += 1
        self._written[path] = self._scheduler_wall()
        self.touched()
        return self.fault

    def sync(self, path: str) -> int:
        """A file is to be synced; what that fails with."""
        self.touched()
        if self.fault:
            return self.fault
        self.syncs += 1
        if not self.lies:
            with contextlib.suppress(OSError):
                self._made_last(Path(path))
        self.touched()
        return 0

    def _made_last(self, path: Path) -> None:
        if path.is_dir():
            inside = (it for it in self.files() if it.parent == path)
            self._named |= {it: it.stat().st_ino for it in inside}
        else:
            self._synced[path.stat().st_ino] = path.read_bytes()

    def wait(self) -> None:
        """As long as the disk takes."""
        if self._scheduler.current is not None:
            self._scheduler.park(self._dice.uniform(0, self.slow_s))

    def _scheduler_wall(self) -> int:
        return self.wall()

    wall: Callable[[], int] = staticmethod(lambda: 0)
    """The time of day, ns."""

    # ---------------------------------------------------------- what the shell's modules are given

    def open(self, path: Path, mode: str = "r", buffering: int = -1, opener: Any = None) -> Any:
        """As `open`, of a recording that is written."""
        if self.fault:
            raise OSError(self.fault, os.strerror(self.fault))
        return _Written(self, path, open(path, mode, buffering, opener=opener))

    def fsync(self, descriptor: int) -> None:
        """As `fsync` and `fdatasync`, of a file or a folder."""
        self.wait()
        if fault := self.sync(os.readlink(f"/proc/self/fd/{descriptor}")):
            raise OSError(fault, os.strerror(fault))
        self._scheduler.breathe()

    def sqlite(self) -> SimpleNamespace:
        """Stands for the module `sqlite3`."""
        layer = sqlite_layer.install(self)

        def connect(path: object, **how: Any) -> Any:
            return sqlite3.connect(f"file:{path}?vfs={layer}", uri=True, **how)

        return SimpleNamespace(**{**vars(sqlite3), "connect": connect})

    def shutil(self) -> SimpleNamespace:
        """Stands for the module `shutil`: much room, or none."""
        free = 10_000_000_000

        def usage(_: object) -> SimpleNamespace:
            return SimpleNamespace(free=0 if self.fault == FULL else free)

        return SimpleNamespace(**{**vars(shutil), "disk_usage": usage})


class _Written:
    """A recording's file."""

    def __init__(self, disk: Disk, path: Path, file: Any) -> None:
        self._disk, self._path, self._file = disk, str(path), file
        self.seek, self.fileno, self.read = file.seek, file.fileno, file.read
        self.truncate, self.close = file.truncate, file.close

    def write(self, data: bytes) -> int:
        if fault := self._disk.write(self._path, len(data)):
            raise OSError(fault, os.strerror(fault))
        return int(self._file.write(data))

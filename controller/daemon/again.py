"""Watch again: the recordings of a board, as a list, and each as the page that plays it.

That page is made by a process of its own, which leaves the board's alone, and shows what everybody
may know (`hexboard export --page`). It is served without any right to this site.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from itertools import islice
from pathlib import Path

import msgspec
from msgspec import Struct

from hexboard.facts import Resume, Start, decode_fact
from hexboard.game import registry
from hexboard.record.order import DATE, in_order
from hexboard.record.recording import read, recordings_in
from hexboard.record.sealed import OPENED
from hexboard.words import Message, language, message, say
from hexboard.words.dates import STAMP, stamped_at
from hexboard.words.errors import NO_JSON, HexboardError

LATEST = 12
"""So many recordings are listed."""
MADE = (0, 2, 3)
"""How `hexboard export` ends that has written its file: well, rulings differ, something is lost."""
MOMENT_S = 3.0
"""Seconds for which who asks first waits for a page; then they are told that it is made."""
GONE_S = 10.0
"""Who has not asked for so long asks no more: a browser does each 2 s."""
PATIENCE_S = 300.0
"""Seconds that the page of one may take."""
SHORTEST_S = 5.0
"""Of less there is nothing to watch, unless somebody has won."""
LONGEST_S = 86_400
"""Nothing lasts longer: the clock was set meanwhile."""


class About(Struct, frozen=True):
    """What stands beside a recording when it is closed."""

    game: str
    outcome: Message | None = None
    lasted_s: float | None = None
    """How long it was recorded, by a clock that nobody sets; None of one from before."""


def about_file(recording: Path) -> Path:
    return recording.with_suffix(".about.json")


class Recordings:
    """The recordings in a folder, with people's own games in hexboard's folder, `home`. `close`
    throws away the pages that were made."""

    def __init__(self, folder: Path, home: Path | None = None) -> None:
        self._folder, self._home = folder, home
        self._pages = ""
        self._making: dict[str, _Making] = {}
        self._here = threading.Lock()  # never held for long
        self._one = threading.Lock()
        """Held while a page is made: one after another."""

    def listed(self) -> list[dict[str, object]]:
        """The latest ones, as pages are told of them in the language that is spoken: of an evening
        whose clock was behind too."""
        files = self._files(see=False)  # there may be years of them, and the latest are opened
        dated = {it: date for it in files if STAMP.fullmatch(date := _date(it))}
        told = (_sheet(file) for file in in_order(dated, self._folder.parent))
        return list(islice(filter(None, told), LATEST))

    def page(self, name: str) -> bytes:
        """The page of a recording, in the language that is spoken; nothing as long as it is made,
        for a moment of which the first waits who asks. Raises `HexboardError` where there is
        none."""
        file = next((it for it in self._files(name) if it.stem == name), None)
        if file is None:
            raise HexboardError("web.no_file")
        shows = "opened" if file.with_suffix(OPENED).exists() else "sealed"
        key = f"{name}-{language()}-{shows}"
        with self._here:
            made = self._made / f"{key}-{file.stat().st_size}.html"
            making = self._making.get(key)
            if making is not None and making.given_up:
                making = None
            first = making is None and not made.exists()
            if first:
                self._clear()
                export = partial(_export, file, made, self._home)
                making = self._making[key] = _Making(made, export, self._one)
            if making is None:
                return made.read_bytes()
        making.join(MOMENT_S if first else 0)
        if making.is_alive():
            return b""
        with self._here:
            if self._making.get(key) is making:
                del self._making[key]
        if making.failed is not None:
            raise making.failed
        return making.made.read_bytes()

    @property
    def _made(self) -> Path:
        """Where pages are kept, from the first one on; elsewhere once the system has cleared that
        away, as Debian does after ten days in which nobody came."""
        if not os.path.isdir(self._pages):
            from tempfile import mkdtemp  # not at each start

            self._pages = mkdtemp(prefix="hexboard-again-")
        return Path(self._pages)

    def _clear(self) -> None:
        """Make room for a page: a board runs for months, and this may be its memory."""
        pages = sorted(self._made.glob("*.html"), key=lambda it: it.stat().st_mtime_ns)
        for page in pages[: max(0, len(pages) + 1 - LATEST)]:
            page.unlink(missing_ok=True)
        self._making = {key: it for key, it in self._making.items() if not it.given_up}

    def close(self) -> None:
        if self._pages:
            shutil.rmtree(self._pages, ignore_errors=True)

    def _files(self, name: str = "", see: bool = True) -> list[Path]:
        with contextlib.suppress(OSError):
            return recordings_in(self._folder, name=name, see=see)
        return []


class _Making(threading.Thread):
    """A page that is made, once it is its `turn`, in the language that is spoken: of the evening as
    it was when somebody asked, for it may go on."""

    def __init__(self, made: Path, export: Callable[[], None], turn: threading.Lock) -> None:
        super().__init__(name="again", daemon=True)  # the board's end waits for none
        self.made = made
        self._export, self._turn, self._as_asked = export, turn, copy_context()
        self.failed: HexboardError | None = None
        self._ended: float | None = None  # s
        self.start()

    def run(self) -> None:
        with self._turn:
            try:
                self._as_asked.run(self._export)
            except HexboardError as error:
                self.failed = error
        self._ended = time.monotonic()

    @property
    def given_up(self) -> bool:
        """It ended, and whoever asked for it has asked no more: what came of it is old."""
        return self._ended is not None and time.monotonic() - self._ended > GONE_S


def _export(file: Path, made: Path, home: Path | None = None) -> None:
    """Make the page of a recording. Raises `HexboardError`."""
    part = made.with_suffix(".part")
    at = () if home is None else ("--home", str(home))
    export = (*at, "--language", language(), "export", "--page", str(file), "-o", str(part))
    try:
        done = subprocess.run(
            (sys.executable, "-P", "-m", "hexboard", *export),
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        if done.returncode not in MADE or not part.exists():
            part.unlink(missing_ok=True)
            raise HexboardError("front.no_page", why=done.stderr.strip()[-300:])
        part.replace(made)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HexboardError("front.no_page", why=str(error)[:300]) from None


def _date(file: Path) -> str:
    """When a recording began, as its name says: behind a `+` where a match went on."""
    return file.stem.rpartition("+")[2][:DATE]


def _begun(file: Path) -> float | None:
    """The same, s since 1970; None where it says nothing."""
    with contextlib.suppress(ValueError, OverflowError):
        return stamped_at(_date(file))
    return None


def _sheet(file: Path) -> dict[str, object] | None:
    """What pages are told of a recording; None where nothing is known of it or happened."""
    with contextlib.suppress(OSError, HexboardError, *NO_JSON):
        begun, about = _begun(file), _about(file)
        if begun is None or about is None:
            return None
        written = file.stat().st_mtime - begun
        known = 0 <= written < LONGEST_S
        lasted = (written if known else None) if about.lasted_s is None else about.lasted_s
        if lasted is not None and lasted < SHORTEST_S and about.outcome is None:
            return None
        return {
            "name": file.stem,
            "title": registry.find(about.game).title(),
            "date": time.strftime("%Y-%m-%d %H:%M", time.localtime(begun)),
            "lasted": "" if lasted is None else _minutes(lasted),
            "outcome": say(about.outcome) if about.outcome is not None else "",
        }
    return None


def _minutes(lasted_s: float) -> str:
    return say(message("front.minutes", minutes=max(1, round(lasted_s / 60))))


def _about(file: Path) -> About | None:
    """What is beside a recording; of one that was not closed what its first fact says."""
    with contextlib.suppress(FileNotFoundError, *NO_JSON):  # torn: a full disk, a power cut
        return msgspec.json.decode(about_file(file).read_bytes(), type=About)
    record = next(iter(read(file)), None)
    body = decode_fact(record.payload).body if record and record.topic == "fact" else None
    start = body.start if isinstance(body, Resume) else body
    return About(start.game) if isinstance(start, Start) else None

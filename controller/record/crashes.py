"""What stood when something went wrong, in a file beside the recording."""

import contextlib
import traceback
from pathlib import Path

from hexboard.files import keep
from hexboard.words.errors import without_addresses

KEPT = 20
"""Files of crashes that are kept in one folder, the newest."""


def keep_crash(recording: Path, error: Exception, hidden: bool, what: str = "") -> str:
    """Write the traceback of an error beside the recording; where it is. While cards are `hidden`
    without what errors say: that may be a card, and the file is there to be sent."""
    trace = "".join(traceback.format_exception(error)) if not hidden else _places(error)
    path = recording.with_suffix(".crash.txt")
    text = without_addresses(f"{what}\n\n{trace}")
    with contextlib.suppress(OSError):
        keep(path, text.encode("utf-8", "replace"), lasts=False)
        crashes = sorted(path.parent.glob("*.crash.txt"), key=lambda one: one.stat().st_mtime_ns)
        for old in crashes[:-KEPT]:
            old.unlink()
    return str(path)


def _places(error: BaseException) -> str:
    before = error.__cause__ or error.__context__
    trace = f"{''.join(traceback.format_tb(error.__traceback__))}{type(error).__name__}\n"
    return trace if before is None else f"{_places(before)}\n{trace}"

"""What the doctor sees of what is kept of matches: journals, room on the disk, crashes."""

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hexboard.commands import earlier
from hexboard.commands.doctor.checked import Checked, good, guarded, look, mend, refused, why
from hexboard.words import Message, message
from hexboard.words.errors import NO_JSON, HexboardError
from hexboard.words.numbers import in_bytes

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.record.journal import Saved
    from hexboard.settings import HubSettings

SCARCE = 1_000_000_000
"""With less room than this, bytes, somebody should look: recordings of evenings add up."""
FULL = 50_000_000
"""With less than this, bytes, an evening may not fit."""
UNWRITTEN = 2
"""So many entries a kill may keep from a recording that the journal has."""
TODO = message("doctor.journal_todo")


def held(folder: Path, board: str) -> "contextlib.AbstractContextManager[None]":
    """Keep a daemon from this board meanwhile. Raises `Busy` where one has it."""
    from hexboard.daemon.lock import looking

    path = folder / "lock"
    return looking(path, board) if path.exists() else contextlib.nullcontext()


def journals(folder: Path, board: "Board", simulate: bool = False) -> Iterator[Checked]:
    """Every game's journal as it was written, and whether the recordings beside it say the same;
    looked at in a copy, for opening one changes it."""
    from hexboard.game import registry
    from hexboard.record.journal import journals as of_all_games

    for path in of_all_games(folder):
        if path.stem not in registry.names():
            said = message("doctor.no_games_journal", file=path.name)
            yield look("journal", said, message("doctor.no_games_journal_todo"))
            continue
        checked, unfinished = _journal(path)
        yield checked
        now = ""  # the match that is played
        for saved in unfinished:
            if _of_others(saved, board, simulate):
                said = message("doctor.other_match", match=saved.match, board=board.name)
                yield look("journal", said, message("doctor.other_match_todo"))
                continue
            if not saved.passed and _going(saved, board):
                if now:
                    said = message("doctor.waits", match=saved.match, now=now)
                    todo = message("doctor.waits_todo", match=saved.match, now=now)
                    yield look("journal", said, todo)
                now = now or saved.match
            yield from guarded("recording", folder, _recorded(path, saved, board))


def _of_others(saved: "Saved", board: "Board", simulate: bool) -> bool:
    """Whether a match is of another board than this one is now, or of other rules. A simulated
    board stands for each other one that is simulated."""
    import msgspec

    from hexboard.daemon.opening import goes_on
    from hexboard.facts import Start
    from hexboard.game import registry

    with contextlib.suppress(HexboardError, *NO_JSON):
        start = msgspec.json.decode(saved.start, type=Start)
        if simulate and start.board != board.name:
            return False
        return not goes_on(start, registry.find(start.game), board)
    return False


def _going(saved: "Saved", board: "Board") -> bool:
    """Whether somebody has made a move in a match, and it is not over."""
    from hexboard.record.beside import again

    with contextlib.suppress(Exception):  # of other rules, or a mistake of ours
        match = again(saved, board)
        return match.begun and match.position.scores is None
    return False


def _recorded(path: Path, saved: "Saved", board: "Board") -> Iterator[Checked]:
    """Whether the recordings of an open match say that it is what the journal says. Raises
    `OSError` for one that cannot be read."""
    from hexboard.record.beside import against, claims, played
    from hexboard.record.recording import recordings_in

    try:
        heard = played(saved, board)
    except Exception as error:  # of other rules, or a mistake of ours: people hear of it at a start
        why_not = str(error) or type(error).__name__
        said = message("doctor.not_compared", match=saved.match, why=why_not)
        yield look("recording", said)
        return
    if heard is None:
        yield mend("recording", message("journal.position", file=str(path)), TODO)
        return
    folder = path.parent / "recordings"
    for recording in recordings_in(folder, name=saved.match):
        recording.open("rb").close()
    newest = next((one for one in claims(folder, saved.match) if one.n), None)
    if (wrong := against(folder, saved.match, heard, path)) is not None:
        yield (mend if wrong.key == "journal.behind" else look)("recording", wrong, TODO)
    elif newest is None:
        said = message("doctor.unrecorded", match=saved.match)
        yield look("recording", said, message("doctor.unrecorded_todo"))
    elif len(heard) - newest.entries > UNWRITTEN:
        file, count = newest.path.name, newest.entries
        said = message("doctor.recorded_part", file=file, count=count, all=len(heard))
        yield look("recording", said, message("doctor.recorded_part_todo"))
    else:
        file, count = newest.path.name, newest.entries
        yield good("recording", message("doctor.recorded", file=file, count=count))


def _journal(path: Path) -> tuple[Checked, "list[Saved]"]:
    """How a journal is, and the matches in it that are not over, the newest first."""
    from hexboard.record.journal import Journal

    with TemporaryDirectory(prefix="hexboard-doctor-") as copy:
        try:
            os.close(os.open(path, os.O_RDWR))
            for file in path.parent.glob(f"{path.name}*"):
                shutil.copy(file, copy)
            with contextlib.closing(Journal(Path(copy, path.name))) as journal:
                journal.check()
                unfinished = journal.unfinished()
        except HexboardError as error:
            said = why(str(error).replace(copy, str(path.parent)))
            return mend("journal", said, TODO), []
        except OSError as error:
            return refused("journal", error, path.parent), []
    if not unfinished:
        return good("journal", message("doctor.journal", file=path.name)), []
    saved = unfinished[0]
    count = len(saved.entries)
    said = message("doctor.open_match", file=path.name, match=saved.match, count=count)
    return good("journal", said), unfinished


def keys(folder: Path) -> Iterator[Checked]:
    """Whether the keys to the board's page can be read: without them hexboard does not start, or
    knows nobody's phone."""
    from hexboard.daemon.seating import readable

    phones = folder / "phones.json"
    for path in (folder / "token", phones):
        try:
            path.read_bytes()
            if path == phones and not readable(path):
                said = message("doctor.damaged_phones", file=str(phones))
                yield mend("keys", said, message("doctor.damaged_phones_todo"))
        except FileNotFoundError:
            continue
        except OSError as error:
            yield refused("keys", error, folder)


def before(board: str, folder: Path) -> Iterator[Checked]:
    """Whether matches stand where a service of the system kept them before."""
    if there := earlier.stands(board, folder):
        said = message("doctor.earlier", there=str(there))
        yield look("matches", said, earlier.todo(there, folder))


def space(folder: Path) -> Iterator[Checked]:
    """Whether the folder can be written, and how much room there is."""
    if (lost := _lost_link(folder)) is not None:
        said = message("doctor.lost_link", file=str(lost), to=os.readlink(lost))
        yield mend("space", said, message("doctor.lost_link_todo"))
        return
    there = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with TemporaryDirectory(prefix=".hexboard-", dir=there):
            pass
        free = shutil.disk_usage(there).free
    except OSError as error:
        said = message("doctor.unwritable", folder=str(there), why=error.strerror or str(error))
        yield mend("space", said, _unwritable(error.errno, folder, there))
        return
    try:
        recorded = _sizes(folder / "recordings")
    except OSError as error:
        yield refused("space", error, folder / "recordings")
        return
    said = message(
        "doctor.space",
        free=in_bytes(free),
        folder=str(there),
        count=len(recorded),
        size=in_bytes(sum(recorded)),
    )
    if free < SCARCE:
        yield (mend if free < FULL else look)("space", said, message("doctor.space_todo"))
    else:
        yield good("space", said)


def _unwritable(number: int | None, folder: Path, there: Path) -> Message:
    """What to do about a folder that cannot be written, or not be made in the one that is there:
    that is nobody's to give away."""
    match number:
        case errno.EROFS | errno.EIO:
            return message("doctor.unwritable_here_todo")
        case errno.ENOSPC | errno.EDQUOT:
            return message("doctor.space_todo")
    if there != folder:
        return message("doctor.unmade_todo", folder=str(folder))
    return message("doctor.unwritable_todo")


def _sizes(recordings: Path) -> list[int]:
    """Of every file there. Raises `OSError`, for `glob` finds nothing where nobody may look."""
    if not recordings.exists():
        return []
    return [path.stat().st_size for path in map(recordings.joinpath, os.listdir(recordings))]


def starts(folder: Path) -> Iterator[Checked]:
    """Whether hexboard came up."""
    from hexboard.daemon.starts import tried

    found = tried(folder)
    if found.safe or found.failed > 1 or (found.failed and found.why):
        yield look("starts", found.told, message("doctor.starts_todo"))


def crashes(folder: Path) -> Iterator[Checked]:
    """What crashed, and was kept."""
    found = sorted(folder.glob("recordings/*.crash.txt"), key=lambda path: path.stat().st_mtime)
    if found:
        said = message("doctor.crashes", count=len(found), file=str(found[-1]))
        yield look("crashes", said, message("doctor.crashes_todo"))


def hall(folder: Path, board: str, chosen: "HubSettings") -> Iterator[Checked]:
    """Whether a hall hears of this board, where the settings name one."""
    if not chosen.url:
        return
    from hexboard.daemon.hall import compared

    try:
        told, kept = compared(chosen, board, folder)
    except HexboardError as error:
        yield look("hall", error.message)
        return
    if kept < told:
        yield look("hall", message("doctor.hall_behind", at=chosen.url, told=told, kept=kept))
    else:
        yield good("hall", message("doctor.hall", at=chosen.url, told=told))


def _lost_link(path: Path) -> Path | None:
    """The link on the way to `path` that leads nowhere; None where none does."""
    way = (path, *path.parents)
    return next((it for it in way if it.is_symlink() and not it.exists()), None)

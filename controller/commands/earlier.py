"""Earlier: where a service of the system kept a board's matches once, and no command finds them.

systemd names the folder of such a service in STATE_DIRECTORY, and that was the state folder once.
"""

import os
from pathlib import Path

from hexboard.words import Message, message


def stands(board: str, folder: Path) -> Path | None:
    """The folder in which matches of a board still stand as they were kept before; None for none,
    and where they are looked for in a `folder` that somebody named."""
    from hexboard import files
    from hexboard.record.journal import journals

    if folder != files.state() / board:
        return None
    there = Path(os.environ.get("STATE_DIRECTORY", "").split(":")[0] or Path.home()) / board
    return there if there != folder and journals(there) else None


def todo(there: Path, folder: Path) -> Message:
    """How people have what stands `there` in its `folder`."""
    if folder.exists():
        return message("doctor.earlier_both_todo", there=str(there), folder=str(folder))
    parent = str(folder.parent)
    return message("doctor.earlier_todo", there=str(there), folder=str(folder), parent=parent)


def adopt(board: str, folder: Path) -> tuple[Message, ...]:
    """As a service of the system starts: what it kept before goes into its `folder`, where there is
    none yet. What is to be told."""
    there = stands(board, folder) if os.environ.get("STATE_DIRECTORY") else None
    if there is None:
        return ()
    stays = message("doctor.earlier", there=str(there)), todo(there, folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        if folder.exists():
            return stays
        there.rename(folder)
    except OSError as error:
        return message("doctor.why", why=str(error)), *stays
    return (message("doctor.adopted", there=str(there), folder=str(folder)),)

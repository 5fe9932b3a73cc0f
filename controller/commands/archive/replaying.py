"""Replaying: which recordings are to be replayed, and one of them replayed into an archive.

`chosen` looks at what was named: what the archive has already, by its content and the code that
replayed it, is no job. `replayed` does a job, in a process of its own.
"""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from msgspec import Struct

from hexboard import files
from hexboard.commands.archive.folder import Archive, content, identity
from hexboard.record.gather import ArchivedAs, gathered
from hexboard.record.recording import read, recordings_in
from hexboard.record.replay import Replay
from hexboard.record.sealed import OPENED, SEALED, beside
from hexboard.words import Message, message
from hexboard.words.errors import BadText, HexboardError


class ReplayJob(Struct, frozen=True):
    """A recording that is to be replayed, and where its rows go."""

    path: Path
    named: ArchivedAs
    archive: Path
    half: Path
    """Where they are written until all of them are there."""
    games: Path
    """The folder of a person's own games."""


class JobOutcome(Struct, frozen=True):
    """What came of a job: why the recording is left out, or how many facts it has."""

    why: Message | None = None
    facts: int = 0


class ToArchive(Struct):
    """What was named: by identity what is to be replayed and what the archive has already; what is
    the same as another, or less than it; what cannot be read, and why."""

    wanted: dict[str, tuple[Path, ArchivedAs]] = {}
    cached: dict[str, Path] = {}
    twice: list[tuple[Path, Path]] = []
    parts: list[Path] = []
    failed: list[tuple[Path, Message]] = []


def paths_in(named: Iterable[Path]) -> list[Path]:
    """Files as they are named, and of folders every recording in them, however deep. Raises
    `BadText` for a folder without any."""
    found: dict[Path, None] = {}
    for path in named:
        here = sorted(recordings_in(path, deep=True)) if path.is_dir() else [path]
        if not here:
            raise BadText("archive.none", folder=str(path))
        found |= dict.fromkeys(here)
    return list(found)


def played_at_boards() -> list[Path]:
    """The recordings that are kept on this computer, without those of simulated boards. Raises
    `BadText` where there are none."""
    here = files.state()
    found = sorted(recordings_in(here, deep=True))
    if not found:
        raise BadText("archive.unplayed", folder=str(here))
    real = [it for it in found if not it.relative_to(here).parts[0].endswith(files.SIMULATED)]
    if not real:
        raise BadText("archive.simulated", folder=str(here))
    return real


def chosen(paths: Iterable[Path], archive: Archive, code: str) -> ToArchive:
    """What is to be done with these recordings, by code that has this digest."""
    known, found = archive.known(), ToArchive()
    given: dict[str, tuple[Path, ArchivedAs]] = {}
    for path in paths:
        try:
            named = ArchivedAs(identity(read(path)), content(path), path.stat().st_size, code)
        except HexboardError as error:
            found.failed.append((path, error.message))
            continue
        except OSError as error:
            why = error.strerror or str(error)
            found.failed.append((path, message("recording.unreadable", file=str(path), why=why)))
            continue
        other = given.get(named.recording)
        if other is None or _worth(path, named) > _worth(*other):
            given[named.recording] = path, named
        if other is not None:
            more = given[named.recording][0]
            found.twice.append((path if more == other[0] else other[0], more))
    for id, (path, named) in given.items():
        before = known.get(id)
        if before == named:
            found.cached[id] = path
        elif before is not None and before.bytes > named.bytes:
            found.parts.append(path)
        else:
            found.wanted[id] = path, named
    return found


def _worth(path: Path, named: ArchivedAs) -> tuple[int, bool]:
    """What the better one of two copies has more of: length, or a secret segment beside it."""
    return named.bytes, any(beside(path, it).exists() for it in (SEALED, OPENED))


def replayed(job: ReplayJob, played: Callable[[int], None]) -> JobOutcome:
    """Replay a recording into its archive."""
    from hexboard.game import registry

    registry.look_in(job.games)
    try:
        with Archive(job.archive).writing(job.named, job.half) as rows:
            run = Replay(job.path)
            lying = partial(_lying, run)
            row = gathered(run, run.salvaged(), job.named, lying, rows.put, played)
    except HexboardError as error:
        return JobOutcome(error.message)
    except OSError as error:
        why = error.strerror or str(error)
        return JobOutcome(message("archive.unwritten", folder=str(job.archive), why=why))
    except Exception as error:  # a mistake of ours, or of a game: the others go on
        return JobOutcome(message("archive.crashed", why=f"{type(error).__name__}: {error}"))
    return JobOutcome(None, row.facts)


def _lying(run: Replay) -> dict[str, str]:
    """What lies in each cell, in short; nothing for a game that cannot be seen."""
    from hexboard.appearance import piece
    from hexboard.game import registry

    view = run.view
    if view.game.appearance is None:
        return {}
    shown = view.game.visibly(view.public)
    kinds = registry.appearance(view.game.name).looks(shown)
    codes = zip(run.board.cells, shown.seen(), strict=True)
    return {cell.id: name for cell, code in codes if (name := piece(kinds[code]))}

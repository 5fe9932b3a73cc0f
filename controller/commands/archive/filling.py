"""`hexboard archive`: recordings are replayed on all cores, and kept as Parquet files."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from os.path import realpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hexboard.commands import FOLDER, JSON, READ, tell
from hexboard.commands.spoken import wrong
from hexboard.words import Message, message, say

if TYPE_CHECKING:
    from hexboard.commands.archive.differing import Compared
    from hexboard.commands.archive.folder import Archive
    from hexboard.commands.archive.replaying import JobOutcome, ReplayJob, ToArchive

UNCLOSED = "unclosed"
"""What is wrong with a recording whose hexboard was killed: nothing that counts."""
OUTPUT = click.option(
    "-o", "--output", type=FOLDER, help="The archive. Default: ~/.local/state/hexboard/archive"
)


def archive_at(folder: Path | None) -> "Archive":
    """The archive in a folder; without one that of this computer."""
    from hexboard import files
    from hexboard.commands.archive.folder import Archive

    return Archive(folder or files.state() / "archive")


@click.command()
@click.argument("named", metavar="[FILES]...", nargs=-1, type=READ)
@OUTPUT
@click.option(
    "--workers", type=click.IntRange(1, 256), help="Processes. Default: one for each core."
)
@click.option(
    "--against", type=FOLDER, help="Another archive: show which rulings differ from its own."
)
@click.option(
    "--queue", metavar="NATS", help="Have it done by each `hexboard worker` of this NATS server."
)
@JSON
@click.pass_obj
def archive(
    home: Path,
    named: tuple[Path, ...],
    output: Path | None,
    workers: int | None,
    against: Path | None,
    queue: str | None,
    as_json: bool,
) -> None:
    """Replay recordings into an archive: Parquet files that `hexboard ask` and other programs read.
    FILES may be folders: then all recordings in them. With none named, all that are kept here,
    but those of simulated boards.

    What the archive has already is not replayed again, unless the recording or hexboard itself has
    changed. Exit status: 2 where a ruling differs (with --against from that archive, else from the
    evening), 1 where a recording had to be left out, 3 where one is damaged.
    """
    from hexboard.commands.archive.code import code_digest
    from hexboard.commands.archive.differing import compared
    from hexboard.commands.archive.folder import Archive
    from hexboard.commands.archive.queued import queued
    from hexboard.commands.archive.replaying import chosen, paths_in, played_at_boards, replayed
    from hexboard.commands.archive.workers import done

    into = archive_at(output)
    if against is not None and realpath(against) == realpath(into.path):
        raise wrong("--against: {path} is this archive itself", path=against)
    if queue is not None and workers is not None:
        raise wrong("--workers: with --queue it is the workers that say how many they are")
    paths = paths_in(named) if named else played_at_boards()
    found = chosen(paths, into, code_digest(home / "games"))
    report = ArchiveReport(as_json)
    report.choose(found)
    with into.half() as half:
        jobs = _jobs(found, into, half, home)
        with _progress(jobs, as_json) as (heard, ended):
            if queue is None:
                answers = done(jobs, replayed, workers or cores(), heard)
            else:
                answers = queued(jobs, queue, into, half, report.tell)
            with closing(answers):
                for job, answer in answers:
                    ended(job)
                    report.add(job, answer)
    there = found.cached | {id: found.wanted[id][0] for id in report.done}
    old = Archive(against) if against is not None else None
    sys.exit(report.end(into, there, compared(old, into, there) if old and there else None))


def _jobs(found: "ToArchive", into: "Archive", half: Path, home: Path) -> "list[ReplayJob]":
    """What is to be replayed, the largest first: so no core is left with a long one at the end."""
    from hexboard.commands.archive.replaying import ReplayJob

    jobs = [
        ReplayJob(path, named, into.path.resolve(), half.resolve(), home / "games")
        for path, named in found.wanted.values()
    ]
    return sorted(jobs, key=lambda job: -job.named.bytes)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


@contextmanager
def _progress(
    jobs: "list[ReplayJob]", quiet: bool
) -> "Iterator[tuple[Callable[[int], None], Callable[[ReplayJob], None]]]":
    """Shows on a terminal how far all of it is: what is told of facts, and of recordings."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    over = facts = 0
    with Progress(
        TextColumn("{task.fields[over]}/{task.fields[all]}"),
        BarColumn(),
        TextColumn("{task.fields[facts]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=quiet or not sys.stderr.isatty(),
    ) as bar:
        total = sum(job.named.bytes for job in jobs)
        task = bar.add_task("", total=total, over=0, all=len(jobs), facts=0)

        def heard(more: int) -> None:
            nonlocal facts
            facts += more
            bar.update(task, facts=facts)

        def ended(job: "ReplayJob") -> None:
            nonlocal over
            over += 1
            bar.update(task, advance=job.named.bytes, over=over)

        yield heard, ended


class ArchiveReport:
    """What came of the recordings that were named, by what is to be said of them."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._notes: list[dict[str, str]] = []
        self.done: list[str] = []
        self._facts = self._left_out = 0

    def choose(self, found: "ToArchive") -> None:
        """What was seen before anything was replayed."""
        for path, other in found.twice:
            self._note(path, message("archive.twice", file=str(path), other=str(other)))
        for path in found.parts:
            self._note(path, message("archive.part", file=str(path)))
        for path, why in found.failed:
            self._leave_out(path, why)

    def add(self, job: "ReplayJob", answer: "JobOutcome | None") -> None:
        """What came of a replay; None where its process was killed."""
        if answer is None:
            self._leave_out(job.path, message("archive.killed"))
        elif answer.why is not None:
            self._leave_out(job.path, answer.why)
        else:
            self.done.append(job.named.recording)
            self._facts += answer.facts

    def tell(self, said: Message) -> None:
        """What is to be known while it goes on."""
        if not self._as_json:
            click.echo(say(said), err=True)

    def _leave_out(self, path: Path, why: Message) -> None:
        self._left_out += 1
        self._note(path, message("archive.left_out", file=str(path), why=why))

    def _note(self, path: Path, said: Message) -> None:
        what, text = said.key.partition(".")[2], say(said)
        self._notes.append({"file": str(path), "what": what, "text": text})
        if not self._as_json:
            click.echo(text, err=True)

    def end(self, into: "Archive", paths: dict[str, Path], compared: "Compared | None") -> int:
        """Sum it up; how the command ends. `paths` are those that are in the archive now."""
        blemishes = into.blemishes(paths)
        differing = [it for it in blemishes if it.differs]
        damaged = [it for it in blemishes if it.damage not in (None, UNCLOSED)]
        for it in differing:
            path = paths[it.recording]
            self._note(path, message("archive.differs", file=str(path), n=it.differs or 0))
        for it in damaged:
            path = paths[it.recording]
            self._note(path, message("archive.damaged", file=str(path)))
        figures: dict[str, Any] = {
            "archive": str(into.path),
            "replayed": len(self.done),
            "facts": self._facts,
            "cached": len(paths) - len(self.done),
            "left_out": self._left_out,
            "differing": len(differing),
            "damaged": len(damaged),
            "notes": self._notes,
        }
        summed = message(
            "archive.sum",
            replayed=len(self.done),
            facts=self._facts,
            cached=len(paths) - len(self.done),
            left_out=self._left_out,
            folder=str(into.path),
        )
        lines = [say(summed)]
        if compared is not None:
            figures["against"] = compared.figures
            lines += compared.lines
        tell(self._as_json, figures, *lines)
        parted = differing if compared is None else compared.different
        return 2 if parted else 1 if self._left_out else 3 if damaged else 0

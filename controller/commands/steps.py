"""Steps: what the commands have in common that go through a recording."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from hexboard.facts import clock
from hexboard.words import Message, say
from hexboard.words.errors import NO_JSON, HexboardError

if TYPE_CHECKING:
    from hexboard.record.recording import Recording
    from hexboard.record.replay import Outcome, Replay, ReplayStep
    from hexboard.vision.shot import Shot


class ReplayError(HexboardError, RuntimeError):
    """A replay that crashed: it ends like one whose rulings differ."""

    code = 2

    def __init__(self, crashed: Message) -> None:
        super().__init__(crashed.key)
        self.message = crashed


def status(damage: Message | None) -> int:
    """How a command ends that read a recording: 3 where something of it is lost."""
    return 3 if damage is not None and damage.key != "recording.unclosed" else 0


def ended(outcome: "Outcome") -> int:
    """How a command ends that replayed a recording: 2 where a ruling differs or the table crashed,
    else its `status`."""
    return 2 if outcome.differences or outcome.crashed else status(outcome.damage)


def steps_of(run: "Replay") -> "Iterator[ReplayStep]":
    """The steps of a replay. Raises `ReplayError` where it crashes."""
    yield from run.salvaged()
    if run.crashed:
        raise ReplayError(run.crashed)


def frames_of(file: Path) -> "Recording":
    """The pictures of a recording, or those in a file of pictures. Raises `BadRecording`."""
    from hexboard.record.recording import read
    from hexboard.words.errors import BadRecording

    own = file.name.endswith(".frames.mcap")
    beside = file if own else file.with_suffix(".frames.mcap")
    if not own and file.exists() and not beside.exists():
        raise BadRecording("frames.none", file=str(beside))
    return read(beside)


def shots(recording: "Recording") -> "Iterator[Shot]":

    from hexboard.vision.shot import Shot
    from hexboard.words.errors import BadRecording

    for record in recording:
        if record.topic == "frame":
            try:
                yield msgspec.json.decode(record.payload, type=Shot)
            except NO_JSON:
                raise BadRecording("recording.no_json", topic=record.topic) from None


def pictures_of(file: Path) -> Iterator[tuple[int, bytes]]:
    """The pictures that were kept beside a recording: when each was taken, board ns, and a small
    JPEG; none where there is no camera's library. Where some are lost that is told."""
    if not file.with_suffix(".frames.mcap").exists():
        return
    try:
        from hexboard.vision.shot import small
    except ImportError:
        return
    frames = frames_of(file)
    for shot in shots(frames):
        yield shot.at, small(shot)
    if status(frames.damage) and frames.damage:
        click.echo(say(frames.damage), err=True)


@contextlib.contextmanager
def progress_of(file: Path) -> Iterator[Callable[[float], None]]:
    """Shows on a terminal how far a recording has been played, in seconds of its board time."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn

    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}  {task.fields[clock]}"),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as bar:
        task = bar.add_task(file.name, clock="")
        yield lambda seconds: bar.update(task, clock=clock(seconds).partition(".")[0])

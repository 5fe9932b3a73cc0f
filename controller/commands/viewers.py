"""`hexboard export --foxglove`: a recording written for the free viewers of robots' recordings."""

from collections import deque
from pathlib import Path

import click
import msgspec

from hexboard.commands import tell
from hexboard.commands.steps import ended, pictures_of, progress_of
from hexboard.files import whole
from hexboard.words import message, say


def write_viewers(file: Path, output: Path, as_json: bool) -> None:
    """Write a recording for viewers, and the layout beside it."""
    from hexboard.daemon.viewers import told_to_viewers
    from hexboard.record.foxglove import ViewerFile
    from hexboard.record.replay import Replay

    run, layout = Replay(file), output.with_suffix(".layout.json")
    with progress_of(file) as progress, ViewerFile(output) as written:
        pictures = pictures_of(file)
        shown = told_to_viewers(run, run.salvaged(), written, pictures, progress)
        deque(pictures, maxlen=0)  # those after the last fact: of what is torn there is told, too
    whole(layout, msgspec.json.format(msgspec.json.encode(shown)))
    damage = run.outcome.damage
    if damage:
        click.echo(say(damage), err=True)
    kilobytes = round(output.stat().st_size / 1000)
    told = {
        "file": str(output),
        "layout": str(layout),
        "messages": written.messages,
        "kilobytes": kilobytes,
        "topics": sorted(written.topics),
        "damage": damage and say(damage),
    }
    wrote = message(
        "viewers.wrote",
        file=str(output),
        layout=str(layout),
        messages=written.messages,
        kilobytes=kilobytes,
    )
    tell(as_json, told, say(wrote))
    raise SystemExit(ended(run.outcome))

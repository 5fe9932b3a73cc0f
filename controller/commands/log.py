"""`hexboard log`: a recording, a line a record."""

import contextlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from hexboard.commands import READ
from hexboard.commands.records import keeps, played_here
from hexboard.commands.spoken import printable, wrong
from hexboard.commands.steps import status
from hexboard.commands.together import only_json
from hexboard.facts import Reading, clock
from hexboard.words import say
from hexboard.words.errors import NO_JSON

if TYPE_CHECKING:
    from hexboard.record.glances import Glances
    from hexboard.record.recording import Recording


@click.command()
@click.argument("file", type=READ)
@click.option("--json", "as_json", is_flag=True, help="JSON lines: t (ns), topic, values.")
@click.option(
    "--topic", multiple=True, help="Only this topic (fact, event, scene, digest, state, chain)."
)
@click.pass_obj
def log(home: Path, file: Path, as_json: bool, topic: tuple[str, ...]) -> None:
    """Print a recording FILE, a line a record. Exit status 3 where it is damaged."""
    from hexboard.record.glances import Glances
    from hexboard.record.recording import read
    from hexboard.record.replay import lines, sentences
    from hexboard.record.schemas import schemas

    known = list(schemas())
    if odd := [it for it in topic if it not in known]:
        topics = ", ".join(known)
        raise wrong(
            "There is no topic {topic}: --topic takes {topics}.", topic=odd[0], topics=topics
        )
    if file.is_file() and keeps(file):
        only_json(click.get_current_context(), file)
        played_here(file, home, as_json)
        return
    recording = read(file)
    glances = Glances(_cells(recording))
    first = None
    for t, kind, values in lines(recording):
        first = t if first is None else first
        if topic and kind not in topic:
            continue
        if as_json:
            click.echo(json.dumps({"t": t, "topic": kind, **values}, sort_keys=True))
        elif kind == "event":
            for text, rule in sentences(values):
                told = f"{text}{rule and f'  [{rule}]'}"
                click.echo(f"{clock((t - first) / 1e9)}  {values['n']:6}  {printable(told)}")
        elif kind == "fact":
            body = values["body"]
            told = f"{values['source']}: {body['type']} {_what(body, glances)}"
            click.echo(f"{clock((t - first) / 1e9)}  {values['n']:6}  {printable(told)}")
        elif topic:
            told = json.dumps(values, sort_keys=True)
            click.echo(f"{clock((t - first) / 1e9)}  {kind} {printable(told)}")
    if recording.damage:
        click.echo(printable(say(recording.damage)), err=True)
    sys.exit(status(recording.damage))


def _cells(recording: "Recording") -> list[str]:
    """The names of the cells of its board; none where the board is lost."""
    from hexboard.board import Board

    try:
        board = msgspec.json.decode(recording.attachments.get("board.json", b""), type=Board)
    except NO_JSON:
        return []
    return [cell.id for cell in board.cells]


def _what(body: dict[str, Any], glances: "Glances") -> str:
    """A fact's values: those of a camera's reading in a few words, others as they stand."""
    if body["type"] == "reading":
        with contextlib.suppress(msgspec.ValidationError):
            return say(glances.told(msgspec.convert(body, Reading)))
    return " ".join(f"{k}={v}" for k, v in body.items() if k != "type")[:140]

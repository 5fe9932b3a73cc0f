"""`hexboard trace`: what led to a ruling, moment by moment: lines, CSV, or waves to look at."""

import csv
import io
import sys
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import READ, TABLE, Between, tell
from hexboard.commands.spoken import printable, wrong
from hexboard.commands.steps import status
from hexboard.words import message, say
from hexboard.words.errors import BadText

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.record.trace import TraceLine, Window

COLUMNS = ("seconds", "fact", "kind", "who", "value", "odds")


@click.command()
@click.argument("file", type=READ)
@click.option(
    "--around", default="", help="A fact's number, or a time as `log` shows it: 12:34.5. Else all."
)
@click.option("--span", default=10.0, show_default=True, type=Between(0.01, 3600), help="Seconds.")
@click.option(
    "--sensor", "asked", multiple=True, help="Only these: edge:C1-D1, edge:*, or all at C3."
)
@click.option("--csv", "table", type=TABLE, help="Write it as CSV.")
@click.option("--vcd", "waves", type=TABLE, help="Write it for GTKWave or PulseView.")
@click.option("--page", is_flag=True, help="In a browser: the evening, opened at that moment.")
@click.option("--json", "as_json", is_flag=True, help="JSON lines.")
def trace(
    file: Path,
    around: str,
    span: float,
    asked: tuple[str, ...],
    table: Path | None,
    waves: Path | None,
    page: bool,
    as_json: bool,
) -> None:
    """What led to a ruling in a recording FILE: raw edges, the changes that were believed, where
    balls were taken to be, the readings that were weighed with their odds, and the rulings.

    Find the moment with `hexboard log FILE`, then trace --around it. Exit status 3 where the file
    is damaged.
    """
    from hexboard.commands.recordings import play_page, spare
    from hexboard.record.replay import Replay
    from hexboard.record.trace import trace as traced
    from hexboard.record.trace import window
    from hexboard.record.waves import vcd

    for option, written in (("--csv", table), ("--vcd", waves)):
        spare(file, option, written)
    replay = Replay(file)
    which = window(replay.recording, around, span)
    if page:
        if asked or table or waves or as_json:
            raise wrong("--page goes with --around alone.")
        play_page(file, moment=which.fact)
        return
    sensors = _sensors(replay.board, asked)
    lines = list(traced(replay, which, sensors))
    if table is not None:
        _write(table, _table(lines, which).encode())
    if waves is not None:
        _write(waves, "".join(vcd(lines, which)).encode("ascii", "replace"))
    if as_json or not (table or waves):
        _tell(lines, which, as_json)
    if replay.different:
        click.echo(say(message("trace.differs", n=replay.different)), err=True)
    if damage := replay.outcome.damage:
        click.echo(say(damage), err=True)
    sys.exit(status(damage))


def _write(path: Path, data: bytes) -> None:
    from hexboard.files import whole

    whole(path, data)
    count = len(data.splitlines())
    click.echo(say(message("trace.wrote", file=str(path), lines=count)), err=True)


def _sensors(board: "Board", asked: tuple[str, ...]) -> frozenset[str] | None:
    """The sensors that are asked for: by name, by a pattern, or by a cell. Raises `BadText`."""
    from hexboard.files import nearest

    found: set[str] = set()
    for name in asked:
        mine = {
            sensor.id
            for sensor in board.sensors
            if fnmatchcase(sensor.id, name) or name in sensor.place.split("-")
        }
        if not mine:
            near = nearest(name, [sensor.id for sensor in board.sensors])
            raise BadText("trace.no_sensor", board=board.name, sensor=name, near=near)
        found |= mine
    return frozenset(found) if asked else None


def _table(lines: "Iterable[TraceLine]", window: "Window") -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for line in lines:
        odds = "" if line.odds_ppm is None else f"{line.odds_ppm / 1e6:.6f}"
        seconds = f"{window.seconds(line.at):.6f}"
        writer.writerow((seconds, line.n, line.kind, line.who, line.value, odds))
    return out.getvalue()


def _tell(lines: "Iterable[TraceLine]", window: "Window", as_json: bool) -> None:
    from hexboard.facts import clock

    if not as_json:
        click.echo(printable(_stands(lines)))
    for line in lines:
        if as_json:
            values = (round(window.seconds(line.at), 6), line.n, line.kind, line.who, line.value)
            odds = None if line.odds_ppm is None else line.odds_ppm / 1e6
            known = dict(zip(COLUMNS, (*values, odds), strict=True))
            tell(True, known | ({"before": True} if line.before else {}))
        elif not line.before:
            click.echo(f"{clock(window.seconds(line.at))}  {line.n:6}  {printable(_text(line))}")


def _stands(lines: "Iterable[TraceLine]") -> str:
    """How things stood when the window began."""
    there = [line for line in lines if line.before]
    high = [line.who for line in there if line.kind == "believed"]
    balls = [f"{line.who}: {line.value or '-'}" for line in there if line.kind == "ball"]
    named = message("trace.before", active=", ".join(high) or "-", balls=", ".join(balls) or "-")
    return say(named)


def _text(line: "TraceLine") -> str:
    """A line as people read it."""
    match line.kind:
        case "raw":
            return f"raw       {line.who} {'up' if line.value == '1' else 'down'}"
        case "believed":
            return f"believed  {line.who} {'active' if line.value == '1' else 'inactive'}"
        case "ball":
            return f"ball {line.who}    {line.value or '-'}"
        case "weighed":
            return f"  {(line.odds_ppm or 0) / 1e4:8.4f} %  {line.who}: {line.value}"
    return f"ruling    {line.value}{line.who and f'  [{line.who}]'}"

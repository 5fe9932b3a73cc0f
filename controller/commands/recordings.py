"""`hexboard replay` and `export`: what a recording says, as it was, as it would be, as a page."""

import json
import re
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from hexboard.appearance import piece
from hexboard.commands import FILE, READ, TABLE, looks, spared, tell
from hexboard.commands.records import keeps, opened, played_here
from hexboard.commands.spoken import printable, wrong
from hexboard.commands.steps import (
    ended,
    frames_of,
    pictures_of,
    progress_of,
    shots,
    status,
    steps_of,
)
from hexboard.commands.together import only_json, together
from hexboard.facts import CellCosts, clock
from hexboard.files import STDOUT, whole
from hexboard.words import message, say
from hexboard.words.errors import BadText, HexboardError
from hexboard.words.names import one_line

if TYPE_CHECKING:
    from hexboard.appearance import Look
    from hexboard.board import Board
    from hexboard.daemon.theatre import PlayedPage
    from hexboard.game.record import GameRecord
    from hexboard.record.replay import Outcome, Replay
    from hexboard.vision.shot import Shot


WHAT_IF = click.option(
    "--what-if",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="What would have been ruled with this option; may be repeated.",
)
WITHOUT = click.option(
    "--without",
    multiple=True,
    metavar="SENSOR",
    help="What would have been ruled without this sensor; may be repeated.",
)


GOES_WITH = {
    "page": ("until", "port", "options", "without"),
    "as_recorded": ("speed", "until", "as_json"),
    "from_frames": ("as_json",),
    "calibration": ("as_json",),
    "options": ("without", "until", "page", "port", "as_json"),
    "without": ("options", "until", "page", "port", "as_json"),
}
"""What each of these options of `replay` goes with."""


@click.command()
@click.argument("file", type=READ)
@click.option("--speed", default="max", show_default=True, help="Times real time, or max.")
@click.option("--until", type=click.IntRange(1), help="Stop after this fact number.")
@click.option("--as-recorded", is_flag=True, help="The evening as it was ruled, with no engine.")
@click.option(
    "--from-frames", is_flag=True, help="Read the pictures kept beside it (run --frames) again."
)
@click.option("--calibration", type=FILE, help="What would have been ruled with this calibration.")
@WHAT_IF
@WITHOUT
@click.option("--keep-going", is_flag=True, help="List every difference, not only the first.")
@click.option("--page", is_flag=True, help="Play it in a browser on this computer.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="With --page: its port.")
@click.option("--quiet", is_flag=True, help="Only the summary.")
@click.option("--json", "as_json", is_flag=True, help="The summary as JSON.")
@click.pass_context
def replay(
    ctx: click.Context,
    file: Path,
    speed: str,
    until: int | None,
    as_recorded: bool,
    from_frames: bool,
    calibration: Path | None,
    options: tuple[str, ...],
    without: tuple[str, ...],
    keep_going: bool,
    page: bool,
    port: int,
    quiet: bool,
    as_json: bool,
) -> None:
    """Replay a recording FILE and compare it with what was ruled.

    Exit status: 2 where a ruling differs, 3 where the file is damaged and the rest is the same.
    """
    import time

    if file.is_file() and keeps(file):
        only_json(ctx, file)
        played_here(file, ctx.obj, as_json)
        return
    together(ctx, GOES_WITH)
    pace = _pace(speed)
    if page:
        play_page(file, until, port, otherwise=_otherwise_played(file, until, options, without))
        return
    if (other := _otherwise_played(file, until, options, without)) is not None:
        from hexboard.commands.calibrate.compare import RECORDED, parted
        from hexboard.record.compare import evening
        from hexboard.record.replay import Replay

        parted(evening(Replay(file, until)), evening(other[1]), (RECORDED, other[0]), as_json)
        return
    talk = not (quiet or as_json)
    if as_recorded:
        _as_recorded(file, pace, until, as_json)
        return
    if from_frames:
        _from_frames(file, as_json)
        return
    if calibration is not None:
        from hexboard.commands.calibrate.compare import RECORDED, compared

        compared(file, RECORDED, str(calibration), as_json)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    from hexboard.record.replay import Replay, sentences

    run = Replay(file, until)
    begun, first, shown = time.monotonic(), None, None
    bar = Progress(
        TextColumn("{task.fields[clock]}"),
        BarColumn(),
        TextColumn("fact {task.completed}"),
        console=Console(stderr=True),
        transient=True,
        disable=as_json or not sys.stderr.isatty(),
    )
    with bar:
        task = bar.add_task("", total=until, clock="0:00")
        for step in steps_of(run):
            first = step.fact.t if first is None else first
            elapsed = (step.fact.t - first) / 1e9
            if pace:
                time.sleep(max(0.0, begun + elapsed / pace - time.monotonic()))
            if step.fact.n % 100 == 0:
                bar.update(task, completed=step.fact.n, clock=clock(elapsed))
            if talk:
                for told in step.told:
                    if told.topic == "event":
                        for text, rule in sentences(msgspec.json.decode(told.payload)):
                            bar.console.file = sys.stdout
                            click.echo(
                                f"{clock(elapsed)}  {printable(text)}{rule and f'  [{rule}]'}"
                            )
            for found in step.differences:
                shown = shown or found
                differs = say(message("replay.differs", fact=found.n, topic=found.topic))
                differs += f"\n  recorded  {found.recorded}\n  replayed  {found.replayed}"
                click.echo(printable(differs), err=True)
            if step.differences and not keep_going:
                break
    _sum_up(run.outcome, time.monotonic() - begun, as_json)


def _otherwise_played(
    file: Path, until: int | None, options: tuple[str, ...], without: tuple[str, ...]
) -> "tuple[str, Replay] | None":
    """The evening with other options, or without some sensors, and what that is called; None where
    nothing is to be otherwise. Raises `BadText`."""
    from hexboard.game import registry
    from hexboard.game.options import in_full
    from hexboard.record.replay import Replay, game_of

    if not options and not without:
        return None
    game = registry.find(game_of(file))
    chosen = in_full(game.options, registry.read_options(game, options))
    label = ", ".join((*options, *(say(message("replay.without", sensor=it)) for it in without)))
    return label, Replay(file, until, chosen, without=without)


def _sum_up(outcome: "Outcome", spent: float, as_json: bool) -> None:
    """What a replay came to, and how the command ends that made it."""
    if outcome.damage and not as_json:
        click.echo(printable(say(outcome.damage)), err=True)
    figures = {"facts": outcome.facts, "seconds": outcome.seconds, "digest": outcome.digest}
    figures |= {"position": outcome.position, "differences": len(outcome.differences)}
    rate = outcome.seconds / spent if spent else 0
    same = "replay.different" if outcome.differences else "replay.same"
    relit = [say(message("replay.relit", fact=outcome.relit))] if outcome.relit else []
    tell(
        as_json,
        figures | {"damage": outcome.damage and say(outcome.damage)},
        say(
            message(
                "replay.sum",
                facts=outcome.facts,
                clock=clock(outcome.seconds),
                rate=f"{rate:,.0f}",
            )
        ),
        *relit,
        say(message(same, digest=outcome.digest)),
    )
    sys.exit(ended(outcome))


def _pace(speed: str) -> float:
    """Times real time; 0 for as fast as it goes."""
    if speed == "max":
        return 0.0
    try:
        pace = float(speed.rstrip("x"))
    except ValueError:
        pace = 0.0
    if not 0 < pace <= 1e6:
        raise wrong("--speed takes a number such as 1 or 20, or max; not {speed!r}.", speed=speed)
    return pace


def _as_recorded(file: Path, pace: float, until: int | None, as_json: bool) -> None:
    import time

    from hexboard.record.recording import read
    from hexboard.record.replay import lines, sentences

    recording = read(file)
    first, begun, facts, elapsed = None, time.monotonic(), 0, 0.0
    for t, topic, values in lines(recording):
        first = t if first is None else first
        if until is not None and values.get("n", 0) > until:
            break
        elapsed = (t - first) / 1e9
        facts += topic == "fact"
        if topic != "event" or as_json:
            continue
        if pace:
            time.sleep(max(0.0, begun + elapsed / pace - time.monotonic()))
        for text, rule in sentences(values):
            click.echo(f"{clock(elapsed)}  {printable(text)}{rule and f'  [{rule}]'}")
    damage = recording.damage and say(recording.damage)
    if as_json:
        click.echo(json.dumps({"facts": facts, "seconds": elapsed, "damage": damage}))
    elif damage:
        click.echo(printable(damage), err=True)
    sys.exit(status(recording.damage))


def _from_frames(file: Path, as_json: bool) -> None:
    """Read the pictures beside a recording again, and say what is read otherwise now; exit 2 if
    anything is."""
    from hexboard.record.replay import board_of
    from hexboard.vision.shot import balls_reread, of_attachments, reread

    recording = frames_of(file)
    board = board_of(recording)
    game = recording.metadata.get("game", "")
    kinds, kit = of_attachments(recording.attachments, partial(looks, game))
    first, count, found = 0, 0, []
    for shot in shots(recording):
        count, first = count + 1, first or shot.at
        for cell, was, now in _otherwise(board, kinds, shot, reread(shot, board, kinds, kit)):
            found.append({"at": shot.at, "cell": cell, "was": was, "is": now})
            if not as_json:
                told = say(message("replay.read", cell=cell, was=_said(was), now=_said(now)))
                click.echo(f"{clock((shot.at - first) / 1e9)}  {printable(told)}")
        balls = balls_reread(shot, board, kit) if shot.balls is not None else None
        if balls != shot.balls:
            was, now = (", ".join(b) if b is not None else "not told" for b in (shot.balls, balls))
            found.append({"at": shot.at, "cell": "balls", "was": was, "is": now})
            if not as_json:
                told = say(message("replay.balls", was=was, now=now))
                click.echo(f"{clock((shot.at - first) / 1e9)}  {printable(told)}")
    damage = recording.damage and say(recording.damage)
    if damage and not as_json:
        click.echo(printable(damage), err=True)
    said = message("replay.frames", count=count, cells=len(found))
    tell(as_json, {"frames": count, "differences": found, "damage": damage}, say(said))
    sys.exit(2 if found else status(recording.damage))


def _said(read: str) -> str:
    """What is read in a cell, for people."""
    if read == "empty":
        return say(message("page.empty"))
    return say(message("replay.untold")) if read == "not told" else read


def _otherwise(
    board: "Board", kinds: "tuple[Look, ...]", shot: "Shot", now: "tuple[CellCosts, ...]"
) -> Iterator[tuple[str, str, str]]:
    """(cell, what was read in it, what is read now)."""
    from hexboard.vision.cells.reading import best
    from hexboard.vision.shot import differing

    def name(cell: "CellCosts") -> str:
        code = best(cell)
        return "not told" if code is None else piece(kinds[code]) or "empty"

    for k in differing(shot.cells, now):
        yield board.cells[k].id, name(shot.cells[k]), name(now[k])


@click.command()
@click.argument("file", type=READ)
@click.option("--record", is_flag=True, help="As hexboard's own text, the same for every game.")
@click.option("--page", is_flag=True, help="As a page that plays it: one file for any browser.")
@click.option("--foxglove", is_flag=True, help="As viewers of robots' recordings show it.")
@click.option("-o", "--output", type=TABLE, help="Where to. Default: FILE with another ending.")
@WHAT_IF
@WITHOUT
@click.option("--json", "as_json", is_flag=True, help="What was written, as JSON.")
@click.pass_obj
def export(
    home: Path,
    file: Path,
    record: bool,
    page: bool,
    foxglove: bool,
    output: Path | None,
    options: tuple[str, ...],
    without: tuple[str, ...],
    as_json: bool,
) -> None:
    """Print the game of FILE, a recording, a record or what `play` kept, as other programs read it
    (SGF), or as a record; or write the recording FILE as a page that plays it, to be opened
    anywhere and sent to a friend, with the names of who played; or for Lichtblick and Foxglove,
    with a layout beside it.

    Exit status: 2 where a ruling differs, 3 where the file is damaged and the rest is the same.
    """
    spare(file, "--output", output)
    if record + page + foxglove > 1:
        raise wrong("Choose one of --record, --page and --foxglove.")
    if (options or without) and not page:
        raise wrong("--what-if and --without go with --page.")
    if as_json and not (page or foxglove):
        raise wrong("--json goes with --page or --foxglove.")
    if foxglove and output == STDOUT:
        raise wrong("-o: --foxglove writes two files: name where they go.")
    if foxglove:
        from hexboard.commands.viewers import write_viewers

        write_viewers(file, output or file.with_suffix(".foxglove.mcap"), as_json)
    elif page:
        other = _otherwise_played(file, None, options, without)
        _write_page(file, output or file.with_suffix(".html"), as_json, other)
    elif output is not None:
        raise wrong("-o goes with --page or --foxglove.")
    else:
        found, code = (opened(file, home), 0) if keeps(file) else _recorded(file)
        click.echo(_as_text(found) if record else _exported(found, file), nl=False)
        sys.exit(code)


def _recorded(file: Path) -> "tuple[GameRecord, int]":
    """The game in a recording, and how the command ends; what is lost of it is told."""
    from hexboard.game.record import GameRecord
    from hexboard.record.replay import Replay
    from hexboard.words import ENGLISH

    run = Replay(file)
    for _ in run.salvaged():
        pass
    if run.outcome.damage:
        click.echo(say(run.outcome.damage), err=True)
    match, view = run.match, run.view
    names = [view.names.get(say(seat, ENGLISH), "") for seat in match.position.seats]
    first = match.game.seated(match.position, tuple(names))
    return GameRecord(match, run.board, view.options, first), ended(run.outcome)


def _as_text(found: "GameRecord") -> str:
    """A game as a record; its board is named only where the game's own is not as good."""
    from msgspec.structs import replace

    from hexboard.board import plain
    from hexboard.game import record
    from hexboard.game.game import board_for

    own = board_for(found.game, found.options)
    if found.board.name != own:
        try:
            text = record.write(replace(found, board=plain(own)))
            record.read(text, "")
        except HexboardError:
            pass
        else:
            return text
    return record.write(found)


def spare(file: Path, option: str, output: Path | None) -> None:
    """Refuse to write over the files of a recording what an option asks for."""
    from hexboard.record.sealed import OPENED, SEALED, beside

    kept = {file, *(beside(file, it) for it in (".frames.mcap", SEALED, OPENED))}
    spared(output, *kept, option=option)


def play_page(
    file: Path,
    until: int | None = None,
    port: int = 0,
    moment: int = 0,
    otherwise: "tuple[str, Replay] | None" = None,
) -> None:
    """Serve the page that plays a recording until Ctrl-C; the link opens it at a `moment`, which is
    a fact's number. Beside it the evening as it would have been `otherwise`."""
    from hexboard.daemon.theatre import PageServer

    _, page = _page_of(file, until, otherwise)
    with PageServer(page.text, port) as server:
        link = f"{server.link}#n={moment}" if moment else server.link
        if otherwise is not None:
            click.echo(say(message("theatre.parted", changes=page.changes)))
        click.echo(say(message("theatre.served", link=link)))
        server.serve_forever()


def _write_page(
    file: Path, output: Path, as_json: bool, otherwise: "tuple[str, Replay] | None"
) -> None:
    """Write the page that plays a recording; the command ends as `replay` does."""
    run, page = _page_of(file, None, otherwise)
    data, moments = page.text.encode(), page.moments
    whole(output, data)
    damage = run.outcome.damage
    kilobytes = round(len(data) / 1000)
    figures: dict[str, object] = {"file": str(output), "moments": moments}
    figures |= {"kilobytes": kilobytes, "damage": damage and say(damage)}
    wrote = message("theatre.wrote", file=str(output), moments=moments, kilobytes=kilobytes)
    names = ", ".join(run.view.names.values())
    lines = [say(wrote), *([say(message("theatre.named", names=names))] if names else [])]
    parted = False
    if otherwise is not None:
        figures["changes"] = page.changes
        lines.append(say(message("theatre.parted", changes=page.changes)))
        parted = bool(page.changes or otherwise[1].crashed)
    tell(as_json, figures, *map(printable, lines), err=output == STDOUT)
    sys.exit(2 if parted else ended(run.outcome))


def _page_of(
    file: Path, until: int | None, otherwise: "tuple[str, Replay] | None"
) -> "tuple[Replay, PlayedPage]":
    """A replay that has been played, and the page that plays it; what is lost is told."""
    from hexboard.daemon.theatre import page_of
    from hexboard.record.replay import Replay

    run = Replay(file, until)
    with progress_of(file) as progress:
        page = page_of(run, run.salvaged(), progress, otherwise, dict(pictures_of(file)))
    if damage := run.outcome.damage:
        click.echo(printable(say(damage)), err=True)
    if otherwise is not None and (crashed := otherwise[1].crashed):
        told = message("theatre.other", label=otherwise[0], why=crashed)
        click.echo(printable(say(told)), err=True)
    return run, page


def _exported(found: "GameRecord", file: Path) -> str:
    """A game in its own format, with who played and when. Raises `BadText` where it has none."""
    if found.game.foreign is None:
        raise BadText("game.no_export", game=found.game.name)
    names = [one_line(name) for name in found.names]
    date = _date(found.headers.get("Date", ""), file)
    return found.game.foreign.write(found.match.line, names, date)


def _date(said: str, file: Path) -> str:
    """When a game was played, as ISO 8601 has it: as its header says, or the name of its recording;
    "" where neither does."""
    if re.fullmatch(r"\d{4}(-\d\d){0,2}", said):
        return said
    begun = re.match(r"(\d{4})(\d\d)(\d\d)-\d{6}", file.stem.rpartition("+")[2])
    return "-".join(begun.groups()) if begun else ""

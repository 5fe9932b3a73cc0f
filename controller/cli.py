"""The command `hexboard`. Each sub-command imports only what it needs, when it runs."""

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from controller import __version__
from controller.errors import BadFile, HexboardError
from controller.words import message, say

if TYPE_CHECKING:
    from controller.record.replay import Replay, Step

F = TypeVar("F", bound=Callable[..., Any])


class Commands(click.Group):
    """Every error of ours becomes a sentence and exit code 1; Ctrl-C ends quietly with 130."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)  # in the order people meet them, not by alphabet

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except HexboardError as error:
            click.echo(str(error), err=True)
            ctx.exit(1)
        except BrokenPipeError:  # `hexboard log … | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except OSError as error:  # a full disk, a folder that is none, a file that is not ours
            name = error.filename or "hexboard"
            click.echo(
                say(message("cli.os", file=name, why=error.strerror or str(error))), err=True
            )
            ctx.exit(1)
        except KeyboardInterrupt:
            click.echo("Stopped.", err=True)
            ctx.exit(130)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Try it without hardware:  hexboard run --simulate",
)
@click.version_option(__version__, prog_name="hexboard")
@click.option(
    "--home",
    "home",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of your own files (settings.toml, boards/). Default: ~/.config/hexboard",
)
@click.pass_context
def main(ctx: click.Context, home: Path | None) -> None:
    """A referee for games on a real, powered hex board."""
    from controller import settings

    ctx.obj = home or settings.home()


def _board(home: Path, name: str) -> Any:
    from controller.board import find, load

    return load(find(name, [home / "boards"]))


# ------------------------------------------------------------------------------------------ run


@main.command()
@click.argument("board", required=False)
@click.option("--simulate", is_flag=True, help="A simulated board; no hardware needed.")
@click.option(
    "--state",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the journal and recordings. Default: ~/.local/state/hexboard/BOARD",
)
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the page (0: any free one).")
@click.option("--seed", type=int, default=1, show_default=True, help="Simulation: its chance.")
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 20),
    default=1.0,
    show_default=True,
    help="Simulation: how fast balls roll.",
)
@click.option("--watch", is_flag=True, help="Simulation: it plays by itself.")
@click.option("--empty", is_flag=True, help="Simulation: begin with an empty board.")
@click.option("--fast", is_flag=True, help="Simulation: play without firmware or page, then stop.")
@click.option(
    "--turns",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="With --fast: how many turns.",
)
@click.pass_obj
def run(
    home: Path,
    board: str | None,
    simulate: bool,
    state: Path | None,
    port: int | None,
    seed: int,
    speed: float,
    watch: bool,
    empty: bool,
    fast: bool,
    turns: int,
) -> None:
    """Referee the game on a BOARD (default: the one in the settings)."""
    from controller import settings

    chosen = settings.load(home / "settings.toml")
    which = _board(home, board or chosen.board)
    folder = state or settings.state() / which.name
    if (watch or empty or fast) and not simulate:
        raise click.UsageError("--watch, --empty and --fast go with --simulate.")
    if fast:
        _fast(which, folder, chosen.settle_ms, seed, turns)
        return
    import signal

    from controller.daemon import Daemon, Run

    asked = Run(which, folder, chosen, simulate, port, speed, seed, watch, empty)
    daemon = Daemon(asked, click.echo)
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # SIGHUP: the terminal was closed
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # nohup
            signal.signal(number, lambda *_: daemon.stop())
    daemon.run()
    with contextlib.suppress(OSError):  # the terminal is gone
        click.echo("Stopped. The game is kept; start again to go on.")


def _fast(board: Any, folder: Path, settle_ms: int, seed: int, turns: int) -> None:
    from rich.progress import Progress

    from controller.demo.evening import evening

    with Progress(transient=True) as progress:
        task = progress.add_task("playing", total=turns)
        path, told = evening(
            board, folder, seed, turns, settle_ms, lambda n: progress.update(task, completed=n)
        )
    click.echo(f"{told.turns} turns, {told.edges} edges, {told.seconds:.0f} s of board time.")
    click.echo(f"{told.questions} questions; digest {told.digest}")
    click.echo(f"Recorded in {path}")


@main.command()
@click.option("--force", is_flag=True, help="Write over a settings file that is there.")
@click.pass_obj
def init(home: Path, force: bool) -> None:
    """Write the settings file, every line explained."""
    from controller.settings import EXAMPLE

    path = home / "settings.toml"
    if path.exists() and not force:
        raise click.ClickException(f"{path} is there already; --force writes over it.")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(EXAMPLE, "utf-8")
    click.echo(f"Wrote {path}")


# ---------------------------------------------------------------------------------------- files


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a file.")
def check(files: tuple[Path, ...], as_json: bool) -> None:
    """Check board, tile and settings FILES: every mistake at once, with its line."""

    bad = 0
    for path in files:
        try:
            kind = _check(path)
        except BadFile as error:
            bad += 1
            mistakes = [say(mistake) for mistake in error.mistakes]
            if as_json:
                click.echo(json.dumps({"file": str(path), "ok": False, "mistakes": mistakes}))
            else:
                click.echo("\n".join(mistakes), err=True)
        else:
            if as_json:
                click.echo(json.dumps({"file": str(path), "ok": True, "kind": kind}))
            else:
                click.echo(f"{path}: a good {kind} file")
    sys.exit(1 if bad else 0)


def _check(path: Path) -> str:
    """Which kind of file this is, after checking it. Raises `BadFile`."""
    from controller.board import load
    from controller.files import Source
    from controller.games.hextraction.tiles import load_tile
    from controller.settings import load as load_settings

    schema = str(Source(path).data.get("schema", ""))
    if schema.startswith("hexboard/tile"):
        load_tile(path)
        return "tile"
    if path.name == "settings.toml":
        load_settings(path)
        return "settings"
    load(path)
    return "board"


@main.command()
@click.argument("board", required=False)
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="x.svg")
@click.option("--json", "as_json", is_flag=True, help="The board as JSON.")
@click.pass_obj
def show(home: Path, board: str | None, output: Path | None, as_json: bool) -> None:
    """Show a BOARD in words, or draw it; without one, list the boards."""
    import msgspec

    from controller.files import shipped

    if board is None:
        for path in (
            *sorted((home / "boards").glob("*.toml")),
            *sorted(shipped("boards").glob("*")),
        ):
            which = _board(home, str(path))
            click.echo(f"{which.name:16} {which.title}")
        return
    which = _board(home, board)
    if output is not None:
        from controller.drawing import svg

        output.write_text(svg(which), "utf-8")
        click.echo(f"Drew {output}")
        return
    if as_json:
        click.echo(msgspec.json.encode(which).decode())
        return
    click.echo(f"{which.name}: {which.title}, {which.pitch} mm between cells")
    click.echo(
        f"{len(which.cells)} cells, {len(which.shared_edges)} edges, {len(which.ramps)} lanes"
    )
    click.echo(f"{len(which.sensors)} sensors, {len(which.pixels)} pixels, digest {which.hash}")
    for sensor in which.sensors:
        click.echo(f"  {sensor.source} {sensor.input:3}  {sensor.id}")


# ----------------------------------------------------------------------------------- recordings


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--speed", default="max", show_default=True, help="Times real time, or max.")
@click.option("--until", type=int, help="Stop after this fact number.")
@click.option("--as-recorded", is_flag=True, help="The evening as it was ruled, with no engine.")
@click.option("--keep-going", is_flag=True, help="List every difference, not only the first.")
@click.option("--quiet", is_flag=True, help="Only the summary.")
@click.option("--json", "as_json", is_flag=True, help="The summary as JSON.")
def replay(
    file: Path,
    speed: str,
    until: int | None,
    as_recorded: bool,
    keep_going: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Replay a recording FILE and compare it with what was ruled."""
    import time

    pace = _pace(speed)
    talk = not (quiet or as_json)
    if as_recorded:
        _as_recorded(file, pace, until)
        return
    import msgspec
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    from controller.record.replay import Replay, sentences

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
        for step in _played(run):
            first = step.fact.t if first is None else first
            elapsed = (step.fact.t - first) / 1e9
            if pace:
                time.sleep(max(0.0, begun + elapsed / pace - time.monotonic()))
            if step.fact.n % 100 == 0:
                bar.update(task, completed=step.fact.n, clock=_clock(elapsed))
            if talk:
                for told in step.told:
                    if told.topic == "event":
                        for text, rule in sentences(msgspec.json.decode(told.payload)):
                            bar.console.file = sys.stdout
                            click.echo(f"{_clock(elapsed)}  {text}{rule and f'  [{rule}]'}")
            for found in step.differences:
                shown = shown or found
                click.echo(
                    f"fact {found.n}, {found.topic} differs:\n"
                    f"  recorded  {found.recorded}\n  replayed  {found.replayed}",
                    err=True,
                )
            if step.differences and not keep_going:
                break
    outcome = run.outcome
    spent = time.monotonic() - begun
    if as_json:
        click.echo(
            json.dumps(
                {
                    "facts": outcome.facts,
                    "seconds": outcome.seconds,
                    "digest": outcome.digest,
                    "position": outcome.position,
                    "differences": len(outcome.differences),
                    "damage": outcome.damage and say(outcome.damage),
                }
            )
        )
    else:
        if outcome.damage:
            click.echo(say(outcome.damage), err=True)
        rate = outcome.seconds / spent if spent else 0
        click.echo(
            f"{outcome.facts} facts, {_clock(outcome.seconds)} of board time, "
            f"{rate:,.0f} times real time"
        )
        same = "the same rulings" if not outcome.differences else "DIFFERENT rulings"
        click.echo(f"digest {outcome.digest}: {same}")
    sys.exit(2 if outcome.differences else 0)


def _played(run: "Replay") -> "Iterator[Step]":
    """The steps of a replay. Where it crashes, as the evening may have done, it says so; exit 2."""
    n = 0
    try:
        for step in run:
            n = step.fact.n
            yield step
    except (HexboardError, OSError):
        raise
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        click.echo(say(message("cli.replay_crashed", n=n, why=why)), err=True)
        sys.exit(2)


def _pace(speed: str) -> float:
    """Times real time; 0 for as fast as it goes."""
    if speed == "max":
        return 0.0
    try:
        pace = float(speed.rstrip("x"))
    except ValueError:
        pace = 0.0
    if not 0 < pace <= 1e6:
        raise click.UsageError(f"--speed takes a number such as 1 or 20, or max; not {speed!r}.")
    return pace


def _clock(seconds: float) -> str:
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(int(minutes), 60)
    return f"{hours}:{minutes:02}:{rest:06.3f}" if hours else f"{minutes:02}:{rest:06.3f}"


def _as_recorded(file: Path, pace: float, until: int | None) -> None:
    import time

    from controller.record.recording import read
    from controller.record.replay import lines, sentences

    recording = read(file)
    first, begun = None, time.monotonic()
    for t, topic, values in lines(recording):
        first = t if first is None else first
        if until is not None and values.get("n", 0) > until:
            break
        if topic != "event":
            continue
        elapsed = (t - first) / 1e9
        if pace:
            time.sleep(max(0.0, begun + elapsed / pace - time.monotonic()))
        for text, rule in sentences(values):
            click.echo(f"{_clock(elapsed)}  {text}{rule and f'  [{rule}]'}")
    if recording.damage:
        click.echo(say(recording.damage), err=True)


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="JSON lines: t (ns), topic, values.")
@click.option("--topic", multiple=True, help="Only this topic (fact, event, scene, digest, state).")
def log(file: Path, as_json: bool, topic: tuple[str, ...]) -> None:
    """Print a recording FILE, a line a record."""
    from controller.record.recording import read
    from controller.record.replay import lines, sentences

    recording = read(file)
    first = None
    for t, kind, values in lines(recording):
        first = t if first is None else first
        if topic and kind not in topic:
            continue
        if as_json:
            click.echo(json.dumps({"t": t, "topic": kind, **values}, sort_keys=True))
        elif kind == "event":
            for text, rule in sentences(values):
                click.echo(
                    f"{_clock((t - first) / 1e9)}  {values['n']:6}  {text}{rule and f'  [{rule}]'}"
                )
        elif kind == "fact":
            body = {k: v for k, v in values["body"].items() if k != "type"}
            what = " ".join(f"{k}={v}" for k, v in body.items())[:140]
            click.echo(
                f"{_clock((t - first) / 1e9)}  {values['n']:6}  {values['source']}: "
                f"{values['body']['type']} {what}"
            )
    if recording.damage:
        click.echo(say(recording.damage), err=True)


if __name__ == "__main__":
    main()

"""`hexboard run`: referee the game on a board, or on a simulated one."""

import contextlib
from pathlib import Path
from typing import Any

import click

from controller.commands import board_named


@click.command()
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
    which = board_named(home, board or chosen.board)
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

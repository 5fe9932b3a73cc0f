"""`hexboard run`: referee the game on a board, or on a simulated one."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import (
    FOLDER,
    Between,
    board_named,
    earlier,
    first,
    game_named,
    only,
    settled,
)
from hexboard.commands.spoken import say_on, wrong
from hexboard.commands.together import together
from hexboard.words import language, message, say

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.settings import Settings
    from hexboard.words import Value

SIMULATED = "simulated"
"""What `--camera` without a source stands for."""
EXAMINING_S = 120
"""The longest that the doctor may take."""


@click.command()
@click.argument("board", required=False)
@click.option("--game", help="Which game (`hexboard help` lists them). Default: the board's own.")
@click.option(
    "--option",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game (`hexboard help GAME` lists them); may be repeated.",
)
@click.option("--simulate", is_flag=True, help="A simulated board; no hardware needed.")
@click.option(
    "--state",
    type=FOLDER,
    help="Folder for the journal and recordings. Default: ~/.local/state/hexboard/BOARD",
)
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the page (0: any free one).")
@click.option("--lan", is_flag=True, help="Let phones in the same network open the page.")
@click.option(
    "--takeback",
    type=click.Choice(["free", "agreed", "host"]),
    help="Who has to agree before a move is taken back: nobody, every other seat, the host.",
)
@click.option(
    "--clock",
    metavar="MINUTES[+SECONDS]",
    help="The time of each side, and what each turn adds to it. Without, as the settings say.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Simulation: its chance.")
@click.option(
    "--speed",
    type=Between(0.1, 20),
    default=1.0,
    show_default=True,
    help="Simulation: how fast balls roll.",
)
@click.option("--watch", is_flag=True, help="Simulation: it plays by itself.")
@click.option(
    "--camera",
    is_flag=False,
    flag_value=SIMULATED,
    multiple=True,
    callback=only,
    metavar="SOURCE",
    help="A camera over the board: /dev/video0, rpicam, or http://… of an MJPEG stream. "
    "Simulation, without SOURCE: hands move pieces, a camera reads them.",
)
@click.option("--frames", is_flag=True, help="Keep the pictures that the camera is in doubt about.")
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
    game: str | None,
    given: tuple[str, ...],
    simulate: bool,
    state: Path | None,
    port: int | None,
    lan: bool,
    takeback: str | None,
    clock: str | None,
    seed: int,
    speed: float,
    watch: bool,
    camera: str | None,
    frames: bool,
    empty: bool,
    fast: bool,
    turns: int,
) -> None:
    """Referee a game on a BOARD (default: the one in the settings, or the game's own)."""
    from hexboard import files, settings
    from hexboard.game import registry
    from hexboard.game.options import as_dealt

    if not (lan or simulate) and first.asks(home):
        first.ask(home)
    chosen = settings.load(home / "settings.toml")
    which, plays, options, said = _choice(home, chosen, board, game, given)
    if simulate:
        options = as_dealt(registry.find(plays).options, options)
    folder = state or files.evenings(which.name, simulate)
    for told in earlier.adopt(which.name, state or files.evenings(which.name)):
        click.echo(say(told))
    if (watch or empty or fast) and not simulate:
        raise wrong("--watch, --empty and --fast go with --simulate.")
    if camera is not None and simulate != (camera == SIMULATED):
        raise wrong("--camera takes a SOURCE, but none with --simulate.")
    if frames and (simulate or not (camera or chosen.camera.source)):
        raise wrong("--frames goes with a --camera SOURCE.")
    if fast:
        _fast(plays, which, folder, chosen, seed, turns)
        return
    import signal

    from hexboard.calibration.result import place
    from hexboard.commands.build.tiers import played
    from hexboard.daemon import Run, Sitting
    from hexboard.devices.open import simulated

    which = simulated(which) if simulate else which
    learned = place(home, which, simulate)
    if not simulate and which.sensors and not learned.exists():
        click.echo(say(message("first.setup", board=board or which.name)))
    asked = Run(
        which,
        folder,
        chosen,
        plays,
        options,
        simulate=simulate,
        port=port,
        speed=speed,
        seed=seed,
        watch=watch,
        empty=empty,
        calibration=learned,
        lan=lan,
        takeback=takeback or "",
        clock=clock,
        lens=home / "calibration" / "camera.json",
        frames=frames,
        camera=(camera or "") if simulate else camera or chosen.camera.source,
        examine=partial(_examined, home, board or which.name, folder, simulate),
        home=home,
        boards=partial(board_named, home),
        chosen=said or bool(given) or watch or empty,
        typed=bool(given) or watch or empty,
        about=played(home, board or which.name, which),
    )
    sitting = Sitting(asked, say_on)
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # SIGHUP: the terminal was closed
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # nohup
            signal.signal(number, lambda *_: sitting.stop())
    set_aside()
    sitting.run()
    say_on(say(message("daemon.stopped")))


def set_aside() -> None:
    """What is there by now stays to the end: Python's collector need not look through all of it
    again (7 ms on a laptop). What a match leaves is a small part of that, and collected soon."""
    import gc

    gc.collect()
    gc.freeze()
    gc.collect()  # it waits until there is a quarter more than when it looked last


def _examined(home: Path, board: str, folder: Path, simulate: bool) -> bytes:
    """What the doctor sees, in a process of its own (`-P`: a folder named `hexboard` where the
    daemon was started, such as a checkout, is not taken for the package)."""
    import subprocess

    asked = (language(), str(home), board, str(folder), *(["simulate"] if simulate else ()))
    command = (sys.executable, "-P", "-m", "hexboard.commands.doctor", *asked)
    try:
        done = subprocess.run(command, capture_output=True, timeout=EXAMINING_S, check=False)
    except (OSError, subprocess.SubprocessError):
        return b""
    return done.stdout


def _choice(
    home: Path, chosen: "Settings", board: str | None, game: str | None, given: tuple[str, ...]
) -> "tuple[Board, str, dict[str, Value], bool]":
    """Which board, game and options: as asked, else as set, else what belongs together; and whether
    anybody said which game: as an argument, in the settings, or by naming a board made for it."""
    from hexboard.game import registry
    from hexboard.game.game import board_for

    table = board_named(home, board or chosen.board) if board or not chosen.game else None
    said = bool(game or chosen.game or (board and table and table.game))
    if not said and table is not None and not table.game:
        game = first.playable(table)
    game = game_named(home, chosen, board, game)
    as_set = game == settled(home, chosen)
    options = {
        **(chosen.options if as_set else {}),
        **registry.read_options(registry.find(game), given),
    }
    with registry.used(game):
        own = chosen.board if as_set else board_for(registry.find(game), options)
    return board_named(home, board or own), game, options, said


def _fast(
    game: str, board: "Board", folder: Path, chosen: "Settings", seed: int, turns: int
) -> None:
    """An evening that plays itself, by options of its own."""
    from rich.progress import Progress

    from hexboard.demo.recorded import Summary
    from hexboard.game import registry

    alone = ("simulate", "game", "state", "seed", "turns")
    together(click.get_current_context(), {"fast": alone})
    if chosen.options or chosen.clock:
        click.echo(say(message("play.own_options")))
    plays = registry.find(game)
    evening = plays.evening
    if evening is None:
        raise wrong("--fast: {game} plays no evenings by itself.", game=game)
    with registry.used(game), Progress(transient=True) as progress:
        task = progress.add_task("playing", total=turns)
        told = evening(
            board,
            folder,
            seed,
            turns,
            chosen.settle_ms,
            lambda n: progress.update(task, completed=n),
        )
    if not isinstance(told, Summary):
        raise plays.other(told, Summary)
    seconds, questions = round(told.seconds), told.questions
    summed = message(
        "play.evening", turns=told.turns, edges=told.edges, seconds=seconds, questions=questions
    )
    click.echo(say(summed))
    click.echo(say(message("play.recorded", digest=told.digest, file=str(told.path))))

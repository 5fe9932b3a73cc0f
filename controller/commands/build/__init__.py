"""`hexboard build`: what a board is built from, written from its one file."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import FOLDER, JSON, tell
from hexboard.commands.spoken import wrong
from hexboard.words import message, say

if TYPE_CHECKING:
    from hexboard.board import Board, BuildEntry


@click.command()
@click.argument("board")
@click.option("-o", "--output", type=FOLDER, help="Where to. Default: BOARD-build here.")
@click.option(
    "--power",
    is_flag=True,
    help="Only what it draws: rails, scenes, wires, heat, a power bank; with -o a plot too.",
)
@JSON
@click.pass_obj
def build(home: Path, board: str, output: Path | None, power: bool, as_json: bool) -> None:
    """Write what a BOARD is built from: its geometry, the wiring of sensors and lights, the Pico's
    pins, and drawings of it and of each slot at true scale. All of it follows from the [build]
    section of its file (hardware/building.md)."""
    from hexboard.board import find, load_plan

    if as_json and not power:
        raise wrong("--json goes with --power.")
    which, plan = load_plan(find(board, [home / "boards"]))
    if power:
        _power(home, which, plan, output, as_json)
    else:
        _write(which, plan, output or Path(f"{which.name}-build"))


def _write(board: "Board", plan: "BuildEntry", folder: Path) -> None:
    from hexboard.commands.build.sheets import sheets

    for name, text in sheets(board, plan).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        if path.parent == folder:
            click.echo(say(message("file.wrote", file=str(path))))
    drawn = message("build.slots", count=len(board.cells), folder=str(folder / "slots"))
    click.echo(say(drawn))


def _power(
    home: Path, board: "Board", plan: "BuildEntry", folder: Path | None, as_json: bool
) -> None:
    import msgspec

    from hexboard import settings
    from hexboard.commands.build.plot import plot
    from hexboard.commands.build.power import budget, told

    found = budget(board, plan, settings.load(home / "settings.toml").lights)
    path = folder and folder / "power.svg"
    if path:  # first: if it cannot be written, that alone is told
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(plot(found), "utf-8")
    drew = [message("file.drew", file=str(path))] if path else []
    figures = msgspec.to_builtins(found) | {"plot": path and str(path)}
    tell(as_json, figures, *map(say, (*told(found), *drew)))

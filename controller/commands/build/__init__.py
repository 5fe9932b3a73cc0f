"""`hexboard build`: what a board is built from, written from its one file."""

from pathlib import Path

import click

from hexboard.commands import FOLDER
from hexboard.words import message, say


@click.command()
@click.argument("board")
@click.option("-o", "--output", type=FOLDER, help="Where to. Default: BOARD-build here.")
@click.pass_obj
def build(home: Path, board: str, output: Path | None) -> None:
    """Write what a BOARD is built from: its geometry, the wiring of sensors and lights, the Pico's
    pins, and drawings of it and of each slot at true scale. All of it follows from the [build]
    section of its file (hardware/building.md)."""
    from hexboard.board import find, load_plan
    from hexboard.commands.build.sheets import sheets

    which, plan = load_plan(find(board, [home / "boards"]))
    folder = output or Path(f"{which.name}-build")
    for name, text in sheets(which, plan).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        if path.parent == folder:
            click.echo(say(message("file.wrote", file=str(path))))
    drawn = message("build.slots", count=len(which.cells), folder=str(folder / "slots"))
    click.echo(say(drawn))

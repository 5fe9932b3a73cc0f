"""`hexboard build`: what a board is built from, written from its one file."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import FOLDER, JSON, tell
from hexboard.commands.spoken import wrong
from hexboard.words import message, say

if TYPE_CHECKING:
    from hexboard.board import Board, BuildEntry
    from hexboard.commands.build.tiers import Tiered


@click.command()
@click.argument("board")
@click.option("-o", "--output", type=FOLDER, help="Where to. Default: BOARD-build here.")
@click.option(
    "--tier",
    help="Only this tier of it, with its board file: what its [build] section calls a board "
    "built in part.",
)
@click.option(
    "--power",
    is_flag=True,
    help="Only what it draws: rails, scenes, wires, heat, a power bank; with -o a plot too.",
)
@JSON
@click.pass_obj
def build(
    home: Path, board: str, output: Path | None, tier: str | None, power: bool, as_json: bool
) -> None:
    """Write what a BOARD is built from: its geometry, the wiring of sensors and lights, the Pico's
    pins, and drawings of it and of each slot at true scale. All of it follows from the [build]
    section of its file (hardware/building.md)."""
    from hexboard.board import find
    from hexboard.commands.build.tiers import tiered

    if as_json and not power:
        raise wrong("--json goes with --power.")
    found = tiered(find(board, [home / "boards"]), tier or "")
    if power:
        _power(home, found.board, found.plan, output, as_json)
    else:
        _write(found, output or Path(f"{found.board.name}-build"), bool(tier))


def _write(tier: "Tiered", folder: Path, in_part: bool) -> None:
    from hexboard.calibration.boardfile import text as as_text
    from hexboard.commands.build.sheets import sheets
    from hexboard.commands.build.tiers import plays

    files = sheets(tier.board, tier.plan)
    if in_part:
        name = tier.board.name
        files[f"{name}.toml"] = as_text(tier.entry, f"hexboard build --tier {tier.id}")
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        if path.parent == folder:
            click.echo(say(message("file.wrote", file=str(path))))
    count = len(tier.board.cells)
    click.echo(say(message("build.slots", count=count, folder=str(folder / "slots"))))
    click.echo(say(plays(tier.board, tier.id)))


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

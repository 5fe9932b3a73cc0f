"""`hexboard sheet`: paper for the camera: a board as a mat with markers, the lens sheet, labels."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.commands import board_named

if TYPE_CHECKING:
    from controller.board import Board
    from controller.vision.markers import Box
    from controller.vision.paper import Item

FORMATS = ("a4", "a3", "letter")
LENS, TILES, UNITS = "charuco", "tiles", "units"


@click.command()
@click.argument("board")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="x.pdf (in pages) or x.svg (one sheet). Default: BOARD.pdf",
)
@click.option("--paper", type=click.Choice(FORMATS), default="a4", show_default=True)
@click.pass_obj
def sheet(home: Path, board: str, output: Path | None, paper: str) -> None:
    """Print a BOARD as a mat with the camera's markers, at true scale. `hexboard sheet charuco` is
    the sheet that calibrates a camera's lens, `tiles` the markers to glue onto Hextraction's tiles,
    `units` bases for Knee Deep in Hexes."""
    from controller.vision import paper as sheets

    name, items, box = _drawn(home, board)
    path = output or Path(f"{name}.pdf")
    if path.suffix == ".svg":
        path.write_text(sheets.svg(items, box, name), "utf-8")
        click.echo(f"Drew {path}: {box.width:.0f} x {box.height:.0f} mm.")
    elif path.suffix == ".pdf":
        path.write_bytes(sheets.pdf(items, box, paper, name))
        count = len(sheets.tiled(box, paper)[1])
        click.echo(f"Drew {path}: {count} page(s), {box.width:.0f} x {box.height:.0f} mm in all.")
    else:
        raise click.BadParameter(f"{path} must end in .pdf or .svg", param_hint="--output")
    click.echo("Print it at 100 % (no “fit to page”), and measure the bar or a square.")


def _drawn(home: Path, what: str) -> "tuple[str, tuple[Item, ...], Box]":
    """A drawing's name, what is on it, how large it is. Raises `BadFile`, `BadText`."""
    from controller.vision.markers import paper as outline
    from controller.vision.sheet import charuco, charuco_box, mat

    if what == LENS:
        return LENS, charuco(), charuco_box().grown(1)
    if what in (TILES, UNITS):
        return (what, *_labels(home, what))
    which: Board = board_named(home, what)
    return which.name, mat(which), outline(which)


def _labels(home: Path, what: str) -> "tuple[tuple[Item, ...], Box]":
    from controller.vision.appearance import KIT
    from controller.vision.labels import tile_labels, unit_labels

    if what == TILES:
        from controller.games.hextraction.tiles import everything, load_own

        pitch = board_named(home, "hextraction-22").pitch
        return tile_labels({**everything(), **load_own(home)}, KIT, pitch)
    from controller.games.knee_deep.values import FACTIONS, code, values

    supply = [
        (code(seat, kind), unit.id, unit.supply)
        for seat in range(len(FACTIONS))
        for kind, unit in enumerate(values({}).units)
    ]
    return unit_labels(supply, KIT, board_named(home, "flowers-31").pitch)

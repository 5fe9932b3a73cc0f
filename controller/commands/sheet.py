"""`hexboard sheet`: paper for the camera: a board as a mat with markers, or the lens sheet."""

from pathlib import Path

import click

from controller.commands import board_named

FORMATS = ("a4", "a3", "letter")
LENS = "charuco"


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
    """Print a BOARD as a mat with the camera's markers, at true scale; `hexboard sheet charuco` is
    the sheet that calibrates a camera's lens."""
    from controller.vision import paper as sheets
    from controller.vision.markers import paper as outline
    from controller.vision.sheet import charuco, charuco_box, mat

    if board == LENS:
        name, items, box = LENS, charuco(), charuco_box().grown(1)
    else:
        which = board_named(home, board)
        name, items, box = which.name, mat(which), outline(which)
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

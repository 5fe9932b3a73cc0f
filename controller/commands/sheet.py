"""`hexboard sheet`: paper for the camera: a board as a mat with markers, the lens sheet, labels."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import FILE, board_named, looks
from hexboard.commands.spoken import wrong
from hexboard.words import message, say

if TYPE_CHECKING:
    from hexboard.appearance import Labels
    from hexboard.board import Board
    from hexboard.board.paper import Box, Item
    from hexboard.game.game import AnyGame
    from hexboard.game.position import Action

FORMATS = ("a4", "a3", "letter")
LENS = "charuco"
TOPS = 14
"""Tops of discs of each colour on a sheet of pieces."""


@click.command()
@click.argument("board")
@click.option(
    "-o", "--output", type=FILE, help="x.pdf (in pages) or x.svg (one sheet). Default: BOARD.pdf"
)
@click.option("--paper", type=click.Choice(FORMATS), default="a4", show_default=True)
@click.option(
    "--ground",
    type=click.Choice(("white", "green")),
    default="white",
    show_default=True,
    help="What the cells are printed in. White takes no ink; green tells white pieces by colour.",
)
@click.option("--pieces", is_flag=True, help="Tops to cut out and glue onto its discs instead.")
@click.pass_obj
def sheet(
    home: Path, board: str, output: Path | None, paper: str, ground: str, pieces: bool
) -> None:
    """Print a BOARD as a mat with the camera's markers, at true scale. `hexboard sheet charuco` is
    the sheet that calibrates a camera's lens; a game may have sheets of labels to glue onto its
    pieces (`tiles`, `units`) or of its `cards`."""
    from hexboard.board import paper as sheets

    name, items, box = _pieces(home, board) if pieces else _drawn(home, board, ground, paper)
    path = output or Path(f"{name}.pdf")
    if path.suffix == ".svg":
        path.write_text(sheets.svg(items, box, name), "utf-8")
        told = message("sheet.drew", file=str(path), wide=round(box.width), high=round(box.height))
    elif path.suffix == ".pdf":
        path.write_bytes(sheets.pdf(items, box, paper, name))
        count, (wide, high) = len(sheets.tiled(box, paper)[1]), (box.width, box.height)
        told = message(
            "sheet.pages", file=str(path), count=count, wide=round(wide), high=round(high)
        )
    else:
        raise wrong("--output: {path} must end in .pdf or .svg", path=path)
    click.echo(f"{say(told)}\n{say(message('sheet.print'))}")


def _drawn(home: Path, what: str, ground: str, paper: str) -> "tuple[str, tuple[Item, ...], Box]":
    """A drawing's name, what is on it, how large it is. Raises `BadFile`, `BadText`."""
    from hexboard.appearance import GROUNDS
    from hexboard.game import registry
    from hexboard.vision.marks.markers import paper as outline
    from hexboard.vision.marks.sheet import charuco, charuco_box, mat

    if what == LENS:
        return LENS, charuco(), charuco_box().grown(1)
    for game in registry.sound():
        if what in game.labels:
            return (what, *_labels(home, game, game.labels[what](home), paper))
    which: Board = board_named(home, what)
    return which.name, mat(which, GROUNDS[ground]), outline(which)


def _pieces(home: Path, what: str) -> "tuple[str, tuple[Item, ...], Box]":
    """The drawing of what lies on a board: see `_drawn`. Raises `BadFile`, `BadText`."""
    from hexboard.appearance import KIT
    from hexboard.game import registry
    from hexboard.vision.marks.labels import disc_labels
    from hexboard.words.errors import BadText

    board = board_named(home, what)
    kinds = looks(board.game)
    colours = sorted({colour for look in kinds for stack in look.stacks for colour in stack})
    if colours:
        return f"{board.name}-pieces", *disc_labels(colours, TOPS, KIT, board.pitch)
    own = ", ".join(sorted(registry.find(board.game).labels)) or "none"
    raise BadText("vision.no_pieces", game=board.game, sheets=own)


def _labels(
    home: Path, game: "AnyGame[Action]", labels: "Labels", paper: str
) -> "tuple[tuple[Item, ...], Box]":
    from hexboard.appearance import KIT
    from hexboard.vision.marks.labels import card_labels, tile_labels, unit_labels

    pitch = board_named(home, game.board({})).pitch
    if labels.cards:
        return card_labels(labels.cards, KIT, pitch, paper)
    if labels.tiles:
        return tile_labels(labels.tiles, KIT, pitch)
    return unit_labels(labels.units, KIT, pitch)

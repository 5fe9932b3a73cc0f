"""`hexboard sheet`: paper for the camera: a board as a mat with markers, the lens sheet, labels."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import PAPER, board_named, game_named, looks, settled, spared, wrote
from hexboard.commands.games import GIVEN
from hexboard.files import whole
from hexboard.words import message, say
from hexboard.words.errors import HexboardError

if TYPE_CHECKING:
    from hexboard.appearance import Labels
    from hexboard.board import Board
    from hexboard.board.areas import Areas
    from hexboard.board.paper import Box, Item
    from hexboard.game.game import AnyGame
    from hexboard.game.position import Action

    Drawing = tuple[str, tuple[Item, ...], Box]  # its name, what is on it, how large it is

FORMATS = ("a4", "a3", "letter")
LENS = "charuco"
TOPS = 14
"""Tops of discs of each colour on a sheet of pieces."""


@click.command()
@click.argument("board")
@click.option(
    "-o", "--output", type=PAPER, help="x.pdf (in pages) or x.svg (one sheet). Default: BOARD.pdf"
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
@click.option("--game", help="Which game. Default: the one that the board is for.")
@GIVEN
@click.pass_obj
def sheet(
    home: Path,
    board: str,
    output: Path | None,
    paper: str,
    ground: str,
    pieces: bool,
    game: str | None,
    given: tuple[str, ...],
) -> None:
    """Print a BOARD as a mat with the camera's markers, at true scale, and with the borders and
    names of the areas that its game has. `hexboard sheet charuco` is the sheet that calibrates a
    camera's lens; a game may have sheets of labels to glue onto its pieces (`tiles`, `units`), of
    its `cards`, or of `blanks`: tiles to cut out."""
    from hexboard.board import paper as sheets

    if pieces:
        name, items, box = _pieces(home, board, game)
    else:
        name, items, box = _labelled(home, board, paper) or _mat(home, board, ground, game, given)
    path = output or Path(f"{name}.pdf")
    spared(path, Path(board))
    if path.suffix == ".svg":
        whole(path, sheets.svg(items, box, name).encode())
        told = message("sheet.drew", file=str(path), wide=round(box.width), high=round(box.height))
    else:
        whole(path, sheets.pdf(items, box, paper, name))
        count, (wide, high) = len(sheets.tiled(box, paper)[1]), (box.width, box.height)
        told = message(
            "sheet.pages", file=str(path), count=count, wide=round(wide), high=round(high)
        )
    wrote(path, f"{say(told)}\n{say(message('sheet.print'))}")
    letters = sheets.unprintable(items, name) if path.suffix == ".pdf" else ""
    if letters:
        wrote(path, say(message("sheet.unprintable", text=letters)))


def _labelled(home: Path, what: str, paper: str) -> "Drawing | None":
    """The lens's sheet or a game's labels; None for what is neither. Raises `BadFile`."""
    from hexboard.game import registry
    from hexboard.vision.marks.sheet import charuco, charuco_box

    if what == LENS:
        return LENS, charuco(), charuco_box().grown(1)
    for game in registry.sound():
        if what in game.labels:
            return (what, *_labels(home, game, game.labels[what](home), paper))
    return None


def _mat(home: Path, what: str, ground: str, game: str | None, given: tuple[str, ...]) -> "Drawing":
    """A board as a mat. Raises `BadFile`, `BadText`."""
    from hexboard.appearance import GROUNDS
    from hexboard.vision.marks.markers import paper as outline
    from hexboard.vision.marks.sheet import mat

    board = board_named(home, what)
    areas = _areas(home, board, game or board.game, given)
    return board.name, mat(board, GROUNDS[ground], areas), outline(board)


def _areas(home: Path, board: "Board", name: str, given: tuple[str, ...]) -> "Areas":
    """Into which areas the game `name` divides a board: with these options, or as set. Where nobody
    named any, a board that does not suit them is printed without. Raises `BadFile`, `BadText`."""
    from hexboard import settings
    from hexboard.game import registry

    if not name:
        return {}
    game, chosen = registry.find(name), settings.load(home / "settings.toml")
    options = {
        **(chosen.options if settled(home, chosen) == name else {}),
        **registry.read_options(game, given),
    }
    try:
        with registry.used(name):
            return game.divided(game.begin(board, options)) if game.areas else {}
    except HexboardError as error:
        if given:
            raise
        click.echo(say(message("sheet.undivided", why=error.message)), err=True)
        return {}


def _pieces(home: Path, what: str, game: str | None) -> "Drawing":
    """The drawing of what lies on a board. Raises `BadFile`, `BadText`."""
    from hexboard import settings
    from hexboard.appearance import KIT
    from hexboard.game import registry
    from hexboard.vision.marks.labels import disc_labels
    from hexboard.words.errors import BadText

    board = board_named(home, what)
    game = game_named(home, settings.load(home / "settings.toml"), what, game)
    kinds = looks(game)
    colours = sorted({colour for look in kinds for stack in look.stacks for colour in stack})
    if colours:
        return f"{board.name}-pieces", *disc_labels(colours, TOPS, KIT, board.pitch)
    own = ", ".join(sorted(registry.find(game).labels)) or "none"
    raise BadText("vision.no_pieces", game=game, sheets=own)


def _labels(
    home: Path, game: "AnyGame[Action]", labels: "Labels", paper: str
) -> "tuple[tuple[Item, ...], Box]":
    from hexboard.appearance import KIT
    from hexboard.vision.marks.labels import (
        blank_labels,
        card_labels,
        tile_labels,
        unit_labels,
    )

    pitch = board_named(home, game.board({})).pitch
    if labels.cards:
        return card_labels(labels.cards, KIT, pitch, paper)
    if labels.blanks:
        return blank_labels(labels.blanks, KIT, pitch, paper)
    if labels.tiles:
        return tile_labels(labels.tiles, KIT, pitch)
    return unit_labels(labels.units, KIT, pitch)

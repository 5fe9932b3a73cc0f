"""`hexboard maps`: maps of Knee Deep in Hexes: a new one, its mistakes, what it looks like."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.board.paper import FORMATS_MM
from hexboard.commands import FILE, PAPER, board_named, spared, wrote
from hexboard.words import Message, message, say

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.files import Source
    from hexboard.games.knee_deep.ground import Battlefield


@click.group()
def maps() -> None:
    """Maps of Knee Deep in Hexes: sectors, terrain and HQs as data."""


@maps.command()
@click.argument("file", type=FILE)
def new(file: Path) -> None:
    """Write a new map to FILE, every line explained: ours, to be overwritten."""
    from hexboard.games.knee_deep.ground import FOLDER

    text = (FOLDER / "flowers-31.toml").read_text("utf-8")
    with file.open("x", encoding="utf-8") as out:  # what is there already stays
        out.write(text.replace('name = "flowers-31"', f'name = "{file.stem}"', 1))
    click.echo(say(message("knee_deep.map_written", file=str(file))))


@maps.command()
@click.argument("file")
@click.pass_obj
def check(home: Path, file: str) -> None:
    """Say everything that is wrong or unusual in FILE, with its line."""
    from hexboard.games.knee_deep.ground import uncommon

    source, board, built = _opened(home, file)
    for remark in uncommon(source, built):
        click.echo(say(remark))
    click.echo(say(_counts(built, board)))


@maps.command()
@click.argument("file", default="flowers-31")
@click.option("-o", "--output", type=PAPER, help="x.svg (one sheet) or x.pdf (in pages).")
@click.option("--paper", type=click.Choice(tuple(FORMATS_MM)), default="a4", show_default=True)
@click.pass_obj
def show(home: Path, file: str, output: Path | None, paper: str) -> None:
    """Draw the map in FILE, or one of ours by its name: sectors with their borders and numbers,
    terrain and HQs, and where markers stand; in the terminal, or at the size of its board."""
    from hexboard.board import paper as sheets
    from hexboard.files import whole
    from hexboard.games.knee_deep.commands import drawing

    spared(output, Path(file))
    _, board, built = _opened(home, file)
    if output is None:
        click.echo(drawing.lines(built, board))
        click.echo(say(message("knee_deep.map_legend")))
        click.echo(say(_counts(built, board)))
        return
    items, box = drawing.picture(built, board), drawing.outline(built, board)
    if output.suffix == ".svg":
        whole(output, sheets.svg(items, box, built.title).encode())
    else:
        whole(output, sheets.pdf(items, box, paper, built.title))
    wrote(output, say(message("file.drew", file=str(output))))


def _opened(home: Path, file: str) -> "tuple[Source, Board, Battlefield]":
    """A map that can be played on. Raises `BadText`, `BadFile` with every mistake."""
    from hexboard.files import Source
    from hexboard.games.knee_deep.files import surveyed
    from hexboard.games.knee_deep.ground import FOLDER, find

    source = Source(*find(file, FOLDER))
    return source, *surveyed(source, partial(board_named, home))


def _counts(built: "Battlefield", board: "Board") -> Message:
    sectors = len({*filter(None, built.sector)})
    fields, crossings = len(built.at), len(built.crossings)
    return message(
        "knee_deep.map_right",
        name=built.name,
        board=board.name,
        sectors=sectors,
        fields=fields,
        crossings=crossings,
    )

"""`hexboard cards`: a box of Knee Deep in Hexes: a new one, its mistakes, what is in it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.board.paper import FORMATS_MM
from hexboard.commands import FILE, PAPER, spared, wrote
from hexboard.words import Message, message, say, translated

if TYPE_CHECKING:
    from hexboard.games.knee_deep.cards import Card
    from hexboard.games.knee_deep.entries import BoxFile


@click.group()
def cards() -> None:
    """Boxes of Knee Deep in Hexes: companions, cards and numbers as data."""


@cards.command()
@click.argument("file", type=FILE)
@click.option("--example", is_flag=True, help="Ask nothing: write a copy of our box.")
def new(file: Path, example: bool) -> None:
    """Write a new box to FILE: ask for its cards, one after the other, and fill it up with ours.
    Without a terminal, and with --example, a copy of ours, to be overwritten card by card."""
    from hexboard.games.knee_deep.commands.making import made

    asks = not example and sys.stdin.isatty()
    file.open("x").close()  # before anybody types: what is there already stays
    file.unlink()
    text = made(file.stem) if asks else _ours(file.stem)
    with file.open("x", encoding="utf-8") as out:
        out.write(text)
    key = "knee_deep.box_made" if asks else "knee_deep.box_written"
    click.echo(say(message(key, file=str(file))))


def _ours(name: str) -> str:
    from hexboard.games.knee_deep.boxes import FOLDER

    text = (FOLDER / "house.toml").read_text("utf-8")
    return text.replace('name = "house"', f'name = "{name}"', 1)


@cards.command()
@click.argument("file")
def check(file: str) -> None:
    """Say everything that is wrong or unusual in FILE, with its line, and how large a deck is."""
    from hexboard.files import Source, refuse
    from hexboard.games.knee_deep.boxes import FOLDER
    from hexboard.games.knee_deep.ground import find
    from hexboard.games.knee_deep.lint import looked_over

    source = Source(*find(file, FOLDER))
    entry, mistakes, remarks = looked_over(source)
    for remark in remarks:
        click.echo(say(remark))
    refuse(source, mistakes)
    assert entry is not None
    neutral, count = sum(card.neutral for card in entry.cards), len(entry.cards)
    each = len(entry.companions[0].cards) * entry.companions[0].copies
    click.echo(say(message("knee_deep.decks", neutral=neutral, each=each, deck=neutral + 2 * each)))
    if remarks:
        places = len(remarks)
        click.echo(say(message("knee_deep.box_unusual", name=entry.name, places=places)))
    else:
        click.echo(say(message("knee_deep.box_right", name=entry.name, count=count)))


@cards.command()
@click.argument("file", default="house")
@click.option(
    "-o",
    "--output",
    type=PAPER,
    help="x.pdf: cards to print, as many of each as a game needs; x.svg: each once, as a picture.",
)
@click.option("--paper", type=click.Choice(tuple(FORMATS_MM)), default="a4", show_default=True)
def show(file: str, output: Path | None, paper: str) -> None:
    """Every number of FILE (or of ours), how sure each is, and each card with what it does; or the
    cards as they are printed: 63 x 88 mm, nine on a page of A4, with marks to cut along."""
    from hexboard.files import Source
    from hexboard.games.knee_deep.boxes import FOLDER, entry_of
    from hexboard.games.knee_deep.ground import find

    spared(output, Path(file))
    entry = entry_of(Source(*find(file, FOLDER)), filled=False)
    if output is None:
        _tell(entry)
    elif output.suffix == ".svg":
        _picture(entry, output, paper)
    else:
        _print(entry, output, paper)


def _tell(entry: "BoxFile") -> None:
    """A box in words."""
    from hexboard.games.knee_deep.commands.faces import brings, companion_kind, income
    from hexboard.games.knee_deep.figures import OWN, figures
    from hexboard.games.knee_deep.triggers import faces

    for figure in figures(entry):
        sure = translated("from the box" if figure.sure == OWN else figure.sure, "knee_deep")
        click.echo(f"{figure.name:<30} {figure.value!s:>4}  {sure}")
    for name, fields in entry.formations.items():
        click.echo(f"\n{name}")
        click.echo(_drawing(fields))
    for card in entry.cards:
        click.echo(f"\n{say(card.face)}")
        for deck in _decks(entry, card):
            click.echo(f"  {say(deck)}")
    for companion in entry.companions:
        said = (companion_kind(companion), income(companion), brings(companion, entry))
        click.echo(f"\n{companion.id}: {'. '.join(map(say, said))}")
        for face in faces(companion):
            click.echo(f"  {say(face)}")


def _picture(entry: "BoxFile", path: Path, paper: str) -> None:
    from hexboard.board.paper import svg
    from hexboard.files import whole
    from hexboard.games.knee_deep.commands import faces, printing

    drawn = printing.fitted(list(faces.once(entry)))
    _, across, _ = printing.layout(paper)
    down = -(-len(drawn) // across)
    items = printing.sheet(drawn, across, down)
    whole(path, svg(items, printing.outline(across, down), entry.title).encode())
    wrote(path, say(message("knee_deep.pictured", file=str(path), count=len(drawn))))


def _print(entry: "BoxFile", path: Path, paper: str) -> None:
    from hexboard.board.paper import book, unprintable
    from hexboard.files import whole
    from hexboard.games.knee_deep.commands import faces, printing

    drawn = printing.fitted(list(faces.all_copies(entry)))
    size, _, _ = printing.layout(paper)
    sheets = printing.pages(drawn, paper)
    whole(path, book(sheets, size, entry.title))
    count, pages = len(drawn), len(sheets)
    wrote(path, say(message("knee_deep.printed", file=str(path), count=count, pages=pages)))
    if letters := unprintable((item for items in sheets for item in items), entry.title):
        wrote(path, say(message("sheet.unprintable", text=letters)))


def _decks(entry: "BoxFile", card: "Card") -> Iterator[Message]:
    """How many of a card there are in which deck."""
    from hexboard.games.knee_deep.commands.faces import of_faction

    if card.neutral:
        yield message("knee_deep.in_every", count=card.neutral)
    for companion in entry.companions:
        if card.id in companion.cards:
            yield message(
                "knee_deep.in_deck", count=companion.copies, companion=of_faction(companion)
            )


def _drawing(fields: tuple[tuple[int, int], ...]) -> str:
    """Fields of a formation as a picture, a row of the board a line."""
    rows = range(min(r for _, r in fields), max(r for _, r in fields) + 1)
    columns = {(2 * q + r, r) for q, r in fields}
    first, last = min(columns)[0], max(columns)[0]
    return "\n".join(
        "  " + "".join("o" if (x, r) in columns else " " for x in range(first, last + 1)).rstrip()
        for r in rows
    )

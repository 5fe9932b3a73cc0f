"""`hexboard cards`: a box of Knee Deep in Hexes: a new one, its mistakes, what is in it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import FILE
from hexboard.words import Message, message, say
from hexboard.words.errors import BadFile

if TYPE_CHECKING:
    from hexboard.games.knee_deep.boxes import BoxFile
    from hexboard.games.knee_deep.cards import Card


@click.group()
def cards() -> None:
    """Boxes of Knee Deep in Hexes: companions, cards and numbers as data."""


@cards.command()
@click.argument("file", type=FILE)
def new(file: Path) -> None:
    """Write a new box to FILE, to be filled in: ours, to be overwritten card by card."""
    from hexboard.games.knee_deep.boxes import FOLDER

    text = (FOLDER / "house.toml").read_text("utf-8")
    with file.open("x", encoding="utf-8") as out:  # what is there already stays
        out.write(text.replace('name = "house"', f'name = "{file.stem}"', 1))
    click.echo(say(message("knee_deep.box_written", file=str(file))))


@cards.command()
@click.argument("file")
def check(file: str) -> None:
    """Say everything that is wrong in FILE, with its line."""
    from hexboard.games.knee_deep.boxes import box

    found = box(file)
    count = len(found.cards)
    click.echo(say(message("knee_deep.box_right", name=found.name, count=count)))


@cards.command()
@click.argument("file", default="house")
def show(file: str) -> None:
    """Every number of FILE (or of ours), how sure each is, and each card with what it does."""
    from hexboard.files import Source
    from hexboard.games.knee_deep.boxes import FOLDER, entry_of, mistakes
    from hexboard.games.knee_deep.figures import OWN, figures
    from hexboard.games.knee_deep.ground import find

    source = Source(*find(file, FOLDER))
    entry = entry_of(source)
    if wrong := list(mistakes(source, entry)):
        raise BadFile(str(source.path), tuple(wrong))
    for figure in figures(entry):
        sure = "from the box" if figure.sure == OWN else figure.sure
        click.echo(f"{figure.name:<30} {figure.value!s:>4}  {sure}")
    for card in entry.cards:
        click.echo(f"\n{say(card.face)}")
        for deck in _decks(entry, card):
            click.echo(f"  {say(deck)}")
    for companion in entry.companions:
        if companion.ability:
            click.echo(f"\n{say(companion.ability.face(companion.id))}")


def _decks(entry: "BoxFile", card: "Card") -> Iterator[Message]:
    """How many of a card there are in which deck."""
    if card.neutral:
        yield message("knee_deep.in_every", count=card.neutral)
    for companion in entry.companions:
        if card.id in companion.cards:
            yield message("knee_deep.in_deck", count=companion.copies, companion=companion.id)

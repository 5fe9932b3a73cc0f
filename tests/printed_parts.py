"""What there is of every printed part of our boards, in each tier: `python -m tests.printed_parts`
writes hardware/printed.csv, from which `hexboard build --bill` knows filament and hours."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import astuple

from hexboard.board import find
from hexboard.commands.build import game_pieces
from hexboard.commands.build.cad.all_parts import all_parts
from hexboard.commands.build.cad.filament import FILE, PartBulk, box_cm3, digest
from hexboard.commands.build.cad.recipe import PrintedPart
from hexboard.commands.build.tiers import Tiered, tiers
from hexboard.words.errors import BadText

BOARDS = ("hextraction-22", "hexhex-5", "rhombus-11", "flowers-31", "table")
NOBODY = Path("nobody's home")
"""Without own tiles."""


def tier_parts(tier: Tiered) -> tuple[PrintedPart, ...]:
    """The parts of a tier; none of a board of plain cells without pieces."""
    try:
        return all_parts(tier.board, tier.plan, game_pieces(NOBODY, tier.board.game))
    except BadText:
        return ()


def recipes() -> dict[str, PrintedPart]:
    """Each part of each of our boards once, by its recipe's digest."""
    every = (part for name in BOARDS for it in tiers(find(name)) for part in tier_parts(it))
    return {digest(part.shape): part for part in every}


def calculated() -> Iterator[PartBulk]:
    """Each as build123d has it, sorted by name."""
    from hexboard.commands.build.cad.solids import made

    for recipe, part in sorted(recipes().items(), key=lambda it: (it[1].name, it[0])):
        solid = made(part.shape)
        figures = (box_cm3(part.shape), solid.volume / 1000, solid.area / 100)
        yield PartBulk(recipe, part.name, *(round(it, 3) for it in figures))


def main() -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(PartBulk.__struct_fields__)
    writer.writerows(map(astuple, calculated()))
    (Path(__file__).parents[1] / "hardware" / FILE).write_text(text.getvalue(), "utf-8")


if __name__ == "__main__":
    main()

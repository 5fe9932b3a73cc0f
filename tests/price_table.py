"""What hardware/bill.md shows of hardware/parts.toml, the table of prices and what commands say:
`python -m tests.price_table` writes both anew."""

import re
import tempfile
from collections.abc import Iterator

from click.testing import CliRunner

from hexboard.commands.build.parts import load_parts
from hexboard.commands.build.prices import SourceEntry
from hexboard.commands.cli import main as hexboard
from hexboard.files import shipped

HEAD = "| part | what | price of one, as printed | tax | date | where |\n|---|---|---|---|---|---|"
PLACE = re.compile(re.escape(HEAD) + r"\n(?:\|[^\n]*\n)*\n[^\n]*\n")
"""The table, and the line under it."""
SAID = re.compile(r"\n    hexboard (build [^\n]*)\n\n```\n.*?\n```\n", re.DOTALL)
"""A command, and below it what it says."""


def table() -> str:
    """A row for each source, and under them what has none."""
    file = load_parts(shipped("parts.toml"))
    parts, house = file.parts, file.house
    assert house is not None
    rows = [_row(part.id, it) for part in parts for it in part.sources]
    fees = ((" ".join((fee.service or house.name, fee.id)), fee) for fee in house.fees)
    rows += [_row(name, it) for name, fee in fees for it in fee.sources]
    rows += [_row(part.value, it) for part in house.parts for it in part.sources]
    assert all(it.sources for it in house.fees)
    assert all(it.sources for it in house.parts)
    none = "; ".join(part.name for part in parts if not part.sources)
    return "\n".join((HEAD, *rows, "", f"No source was found for: {none}.", ""))


def _row(name: str, it: SourceEntry) -> str:
    cells = (name, it.what, "; ".join(_prices(it)), it.tax, it.date, it.where)
    return f"| {' | '.join(cells)} |"


def _prices(it: SourceEntry) -> Iterator[str]:
    pack = f" for {it.pack:g}" if it.pack != 1 else ""
    for number, price in it.prices:
        least = f", {number:g} or more" if number > 1 else ""
        yield f"{price:g} {it.currency}{pack}{least}"


def said(command: re.Match[str]) -> str:
    """A command with what it says now, in the home of somebody who has no files of their own."""
    with tempfile.TemporaryDirectory() as home:
        told = CliRunner().invoke(hexboard, ["--home", home, *command[1].split()]).output
    return f"\n    hexboard {command[1]}\n\n```\n{told.rstrip()}\n```\n"


def main() -> None:
    page = shipped("bill.md")
    text = PLACE.sub(lambda _: table(), page.read_text("utf-8"))
    page.write_text(SAID.sub(said, text), "utf-8")


if __name__ == "__main__":
    main()

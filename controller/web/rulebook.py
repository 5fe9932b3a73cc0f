"""The rules of a game as its page shows them: so that a rule's id opens its paragraph."""

import re

ITEM = re.compile(r"^(?:[*-] |\|)")
"""Where a paragraph begins though the one before goes on to here."""
CODE = "    "

Chapter = tuple[str, tuple[str, ...]]
"""A heading and what stands under it: paragraphs, each in one line; what is written letter by
letter (a position) begins with four spaces and keeps its lines."""


def chapters(markdown: str) -> tuple[Chapter, ...]:
    """The chapters of a page of rules (`locale/en.md`)."""
    found: list[tuple[str, list[str]]] = []
    for line in markdown.splitlines():
        if line.startswith("#"):
            found.append((line.lstrip("# "), [""]))
        elif found:
            _add(found[-1][1], line)
    return tuple((title, tuple(filter(None, lines))) for title, lines in found)


def _add(paragraphs: list[str], line: str) -> None:
    """One more line: it goes on with the last paragraph, or begins one. "" ends one."""
    last = paragraphs[-1]
    if not line.strip():
        paragraphs.append("")
    elif line.startswith(CODE) and (not last or last.startswith(CODE)):
        paragraphs[-1] = f"{last}\n{line}" if last else line
    elif ITEM.match(line):
        paragraphs.append(_cells(line) if line.startswith("|") else line[2:])
    else:
        paragraphs[-1] = f"{last} {line.strip()}".strip()


def _cells(row: str) -> str:
    """A row of a table in a line; "" for the rule under its head."""
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    return " · ".join(filter(None, cells)) if any(cell.strip("-") for cell in cells) else ""

"""Which rule of Hextraction is enforced where, and which tests show it: `python -m tests.rules`.

Writes docs/rules-hextraction.md from the sources: a rule belongs to every function whose text names
its id (2.1.5 as "2.1.5" or "2_1_5"). It is shown by a test that names it and fails once such a
function is broken; `python -m tests.rules_shown` tries that out and keeps it in
tests/rules_shown.txt. What a referee has to do with each rule stands in tests/rules_ids.txt: the
id, a word of `CLASSES`, and for an open one why it is.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "docs" / "rules-hextraction.md"
SHOWN = ROOT / "tests" / "rules_shown.txt"
CLASSES = {
    "open": "a referee could enforce it, and ours does not",
    "enforced": "the referee enforces it by what it knows itself",
    "told": "the referee enforces it once sensors, a camera or people tell what happened",
    "asked": "people choose or say it, and the referee asks them or takes their word",
    "checked": "tile files are checked for it before a game",
    "term": "says what a word means",
    "people": "between people; no referee can know",
}
DUTIES = ("enforced", "told", "asked", "checked")
"""Classes of rules that a function and a test have to name."""
HEAD = """# Hextraction's rules, where they are enforced, and what shows it

Each rule that is the referee's stands in a function and in a test that name its id; this page
lists them, open rules first. A test shows a rule if it fails once the function is broken:
`python -m tests.rules_shown` breaks each in turn, and fails where a rule is shown by none.
`python -m tests.rules` writes this page, a test checks that it is current.

| class | | rules |
|---|---|---|
"""
COLUMNS = """
| rule | class | function | shown by |
|---|---|---|---|
"""


def main() -> None:
    TABLE.write_text(table(), encoding="utf-8")


@cache
def table() -> str:
    """The whole page as the sources have it now."""
    classes, counts = listed(), Counter(word for word, _ in listed().values())
    code, shown = sources()[0], proved()
    summary = "".join(f"| {c} | {what} | {counts[c]} |\n" for c, what in CLASSES.items())
    rows = {
        id: f"| {id} | {word} | {_cell(word, why, naming(id, code))}"
        f" | {_cell(word, '', shown.get(id, []))} |\n"
        for id, (word, why) in classes.items()
    }
    first = sorted(rows, key=lambda id: classes[id][0] != "open")
    return HEAD + summary + COLUMNS + "".join(rows[id] for id in first)


def listed() -> dict[str, tuple[str, str]]:
    """Each rule's class, and why it is open."""
    lines = (ROOT / "tests" / "rules_ids.txt").read_text(encoding="utf-8").splitlines()
    split = (line.split(" ", 2) for line in lines)
    return {id: (word, " ".join(why)) for id, word, *why in split}


def unnamed() -> list[str]:
    """The rules that are the referee's and that no function, or no test, names."""
    code, tests = sources()
    return [id for id in due() if not (naming(id, code) and naming(id, tests))]


def due() -> list[str]:
    """The rules that are the referee's."""
    return [id for id, (word, _) in listed().items() if word in DUTIES]


def proved() -> dict[str, list[str]]:
    """The tests that show each rule, as they were tried out last."""
    lines = (line.split(" ") for line in SHOWN.read_text(encoding="utf-8").splitlines())
    return {id: tests for id, *tests in lines}


class Named(NamedTuple):
    """A function, and where it stands."""

    name: str
    """With its file's: "turn.end"; a test's alone."""
    text: str
    """Its source with the decorators, in small letters."""
    path: Path
    within: tuple[str, ...]
    """The classes and functions that it stands in, and its own name."""
    returns: str
    """Its annotation."""


Functions = list[tuple[str, str]]
"""Name and text of each."""


@cache
def functions() -> tuple[Named, ...]:
    """The functions of the game."""
    return tuple(_functions(sorted((ROOT / "controller/games/hextraction").rglob("*.py"))))


def test_files() -> list[Path]:
    """Where the tests of the game, its tiles and its table are."""
    games = ROOT / "tests" / "games"
    tables = (ROOT / "tests").glob("test_table*.py")
    return [*sorted(games.glob("test_hextraction*.py")), games / "test_tiles.py", *sorted(tables)]


@cache
def sources() -> tuple[Functions, Functions]:
    """The functions of the game, and the tests."""
    tests = (named for named in _functions(test_files()) if named.name.startswith("test_"))
    return [named[:2] for named in functions()], [named[:2] for named in tests]


def _functions(paths: list[Path]) -> Iterator[Named]:
    for path in paths:
        source = path.read_text(encoding="utf-8")
        yield from _within(ast.parse(source), path, source.splitlines(), ())


def _within(node: ast.AST, path: Path, lines: list[str], outer: tuple[str, ...]) -> Iterator[Named]:
    for child in ast.iter_child_nodes(node):
        within = outer
        if isinstance(child, ast.ClassDef | ast.FunctionDef):
            within = (*outer, child.name)
        if isinstance(child, ast.FunctionDef):
            first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
            text = "\n".join(lines[first - 1 : child.end_lineno]).lower()
            test = child.name.startswith("test_")
            name = child.name if test else f"{path.stem}.{child.name}"
            yield Named(name, text, path, within, ast.unparse(child.returns or ast.Constant(None)))
        yield from _within(child, path, lines, within)


def naming(id: str, functions: Functions) -> list[str]:
    """The functions that name a rule's id."""
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", id).replace(".", "_")
    forms = {id.lower(), snake.lower()}
    near = [(name, text) for name, text in functions if any(form in text for form in forms)]
    named = re.compile(
        rf"(?<![\d.])(?<!\d_)({'|'.join(map(re.escape, forms))})(?![a-z0-9]|\.\d|_\d)"
    )
    return list(dict.fromkeys(name for name, text in near if named.search(text)))


def _cell(word: str, why: str, names: list[str]) -> str:
    if word not in DUTIES:
        return why
    return ", ".join(f"`{name}`" for name in names) or "**none**"


if __name__ == "__main__":
    main()

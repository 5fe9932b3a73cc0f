"""Which rule of Hextraction is enforced where, and which tests name it: `python -m tests.rules`.

Writes docs/rules-hextraction.md from the sources: a rule belongs to every function whose text names
its id, and to every test whose text or name does (2.1.5 as "2.1.5" or "2_1_5"). What a referee has
to do with each rule stands in tests/rules_ids.txt: the id, a word of `CLASSES`, and for an open one
why it is.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "docs" / "rules-hextraction.md"
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
HEAD = """# Hextraction's rules, where they are enforced, and their tests

Written by `python -m tests.rules`; a test checks that it is current, and that each rule which is
the referee's stands in a function and in a test that name its id. Open rules come first.

| class | | rules |
|---|---|---|
"""
COLUMNS = """
| rule | class | function | tests |
|---|---|---|---|
"""


def main() -> None:
    TABLE.write_text(table(), encoding="utf-8")


def table() -> str:
    """The whole page as the sources have it now."""
    classes, counts = listed(), Counter(word for word, _ in listed().values())
    code, tests = sources()
    summary = "".join(f"| {c} | {what} | {counts[c]} |\n" for c, what in CLASSES.items())
    rows = {
        id: f"| {id} | {word} | {_cell(word, why, id, code)} | {_cell(word, '', id, tests)} |\n"
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
    due = [id for id, (word, _) in listed().items() if word in DUTIES]
    return [id for id in due if not (naming(id, code) and naming(id, tests))]


Functions = list[tuple[str, str]]
"""Each function's name with its file's or class's, and its source with the decorators."""


def sources() -> tuple[Functions, Functions]:
    """The functions of the game, and the tests of it and its tiles."""
    games = ROOT / "tests" / "games"
    code = _functions(sorted((ROOT / "controller/games/hextraction").glob("*.py")))
    tests = _functions([*sorted(games.glob("test_hextraction*.py")), games / "test_tiles.py"])
    return list(code), [(name, text) for name, text in tests if name.startswith("test_")]


def _functions(paths: list[Path]) -> Iterator[tuple[str, str]]:
    for path in paths:
        source = path.read_text(encoding="utf-8")
        lines = source.splitlines()
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef):
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                text = "\n".join(lines[first - 1 : node.end_lineno])
                test = node.name.startswith("test_")
                yield (node.name if test else f"{path.stem}.{node.name}"), text


def naming(id: str, functions: Functions) -> list[str]:
    """The functions that name a rule's id."""
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", id).replace(".", "_")
    forms = {re.escape(id), re.escape(snake)}
    named = re.compile(
        rf"(?<![\d.])(?<!\d_)({'|'.join(forms)})(?![A-Za-z0-9]|\.\d|_\d)", re.IGNORECASE
    )
    return list(dict.fromkeys(name for name, text in functions if named.search(text)))


def _cell(word: str, why: str, id: str, functions: Functions) -> str:
    if word not in DUTIES:
        return why
    return ", ".join(f"`{name}`" for name in naming(id, functions)) or "**none**"


if __name__ == "__main__":
    main()

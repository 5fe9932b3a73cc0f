"""Which rule of Hextraction is enforced where, and which tests name it: `python -m tests.rules`.

Writes docs/rules-hextraction.md from the sources: a rule belongs to every function whose text names
its id, and to every test whose text or name does (2.1.5 as "2.1.5" or "2_1_5").
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "docs" / "rules-hextraction.md"
HEAD = """# Hextraction's rules, where they are enforced, and their tests

Written by `python -m tests.rules`; a test checks that it is current. A function or test stands here
if it names the rule's id; "open" is what no function, or no test, names.

| rule | function | tests |
|---|---|---|
"""


def main() -> None:
    TABLE.write_text(table(), encoding="utf-8")


def table() -> str:
    """The whole page as the sources have it now."""
    ids = (ROOT / "tests" / "rules_ids.txt").read_text(encoding="utf-8").split()
    code = list(_functions(sorted((ROOT / "controller/games/hextraction").glob("*.py"))))
    tests = [
        (name, text)
        for name, text in _functions(sorted((ROOT / "tests/games").glob("test_hextraction*.py")))
        if name.startswith("test_")
    ]
    rows = (f"| {id} | {_naming(id, code)} | {_naming(id, tests)} |\n" for id in ids)
    return HEAD + "".join(rows)


def _functions(paths: list[Path]) -> Iterator[tuple[str, str]]:
    """Each function's name with its file's or class's, and its source with the decorators."""
    for path in paths:
        source = path.read_text(encoding="utf-8")
        lines = source.splitlines()
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef):
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                text = "\n".join(lines[first - 1 : node.end_lineno])
                test = node.name.startswith("test_")
                yield (node.name if test else f"{path.stem}.{node.name}"), text


def _naming(id: str, functions: list[tuple[str, str]]) -> str:
    forms = {re.escape(id), re.escape(id.replace(".", "_"))}
    named = re.compile(rf"(?<![\d.])(?<!\d_)({'|'.join(forms)})(?![\w]|\.\d|_\d)", re.IGNORECASE)
    found = dict.fromkeys(f"`{name}`" for name, text in functions if named.search(text))
    return ", ".join(found) or "open"


if __name__ == "__main__":
    main()

"""docs/game-parts.md, made of the docstrings themselves: `python -m tests.game_parts`."""

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from hexboard.game import fields, game, options, position

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/game-parts.md"
WIDGETS = ROOT / "controller/web/static/widgets.js"
DECLARED = (
    game.Game,
    options.Option,
    fields.PagePart,
    fields.FileKind,
    fields.ForeignFormat,
    fields.Written,
)
POSITIONS = (
    position.Position,
    position.Touched,
    position.Phrased,
    position.Withholding,
    position.Chance,
    position.Hidden,
    position.Visible,
    position.Handled,
    position.Marching,
    position.Reaching,
    position.Blaming,
    position.Arranged,
    position.Counted,
    position.Keeping,
)
VALUES = (position.Piece, position.Phrase, position.Question)
HEAD = """# What a game may declare

What stands in a game's declaration, what its positions can do, and every widget that its page may
replace. [Write a game](write-a-game.md) builds one. This page is made of the docstrings by
`python -m tests.game_parts`; a test says when it is not up to date.
"""
BRINGS = "What a game's own script may bring in `export const widgets`."


def page() -> str:
    """The page, from the source as it is."""
    values = [(kind.__name__, _said(kind), _fields(kind)) for kind in (*DECLARED, *VALUES)]
    kinds = [(f"{kind.__name__} (a position)", _said(kind), _methods(kind)) for kind in POSITIONS]
    parts = [*values[: len(DECLARED)], *kinds, *values[len(DECLARED) :]]
    parts.append(("Widgets", BRINGS, _widgets()))
    return "\n".join([HEAD, *(_section(*part) for part in parts)])


def _section(name: str, said: str, rows: Iterable[tuple[str, str]]) -> str:
    """A heading, what it is about, then a row for each of its parts."""
    table = [f"| `{part.replace('|', chr(92) + '|')}` | {told} |" for part, told in rows]
    return "\n".join([f"## {name}", "", said, "", "| | |", "|---|---|", *table, ""])


def _said(kind: type) -> str:
    return (inspect.getdoc(kind) or "").replace("\n", " ").replace("  ", "\n\n")


def _body(kind: type) -> list[ast.stmt]:
    (written,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(written, ast.ClassDef)
    return written.body


def _fields(kind: type) -> Iterator[tuple[str, str]]:
    """Each field with its type and default, and the sentence below it; those of its base first."""
    bases = [base for base in kind.__bases__ if base.__module__.startswith("hexboard.")]
    body = list(chain.from_iterable(map(_body, (*bases, kind))))
    for here, below in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(here, ast.AnnAssign):
            yield ast.unparse(here), _sentence(below) or _kind(ast.unparse(here.annotation))


def _sentence(node: ast.stmt) -> str:
    """What a docstring says; "" for anything else."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return " ".join(str(node.value.value).split())
    return ""


def _kind(annotation: str) -> str:
    """The first sentence of the kind of position that a field names."""
    named = re.match(r"type\[(\w+)", annotation)
    return _said(getattr(position, named[1])).partition(".")[0] + "." if named else ""


def _methods(kind: type) -> Iterator[tuple[str, str]]:
    """Each method or attribute that a kind of position itself asks for."""
    for it in _body(kind):
        if isinstance(it, ast.FunctionDef):
            plain = any(ast.unparse(mark) == "property" for mark in it.decorator_list)
            given = ", ".join(ast.unparse(each) for each in it.args.args[1:])
            back = ast.unparse(it.returns) if it.returns else "None"
            name = f"{it.name}: {back}" if plain else f"{it.name}({given}) -> {back}"
            yield name, " ".join((ast.get_docstring(it) or "").split())


def _widgets() -> Iterator[tuple[str, str]]:
    """The page's own widgets, each with the comment above it."""
    text = WIDGETS.read_text("utf-8").partition("export const COMMON = {")[2].partition("\n};")[0]
    found = re.finditer(r"^( +)/\*\* (.*) \*/\n +(\w+).*\n(?: +(\w+),\n)?", text, re.MULTILINE)
    for deep, said, name, more in (it.groups("") for it in found):
        yield ("says." if len(deep) > 2 else "") + name + (f", {more}" if more else ""), said


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")

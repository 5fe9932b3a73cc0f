"""No sentence of Python stands outside the tables (tests/test_words.py looks for those of scripts).

Each string with three words is looked at, and each with two that ends as a sentence does. It is
fine where a table has it, as a sentence or, in every language, as a word that is said in it; where
only programmers see it (an assertion, an error of Python's own, `hexboard.testing`); and where it
is no English (SQL, SVG, a pattern). What is left stands in `UNSAID`, with its reason.
"""

import ast
import builtins
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import pytest

from hexboard.words import _flat, languages
from tests.test_words import ROOT, files

WORD = re.compile(r"(?<![\w.\-/{<=\"$&#])[A-Za-z][a-z’']+(?![\w/=(]|[\-.:]\w)")
NO_ENGLISH = re.compile(
    r"\s*(?:<|\$|\[hub\]|\^|SELECT |INSERT |UPDATE |DELETE |CREATE |ALTER |schema = |text \{"
    r"|\.pixel"
    r"|\(not |\(\?:|trailer|q \{|\{\} g BT|default-src|sandbox |sh \"|(?:\w+ )?\w+=\S* |\w+ seat=)"
)
"""SVG, waves, SQL, a written file, styles, a pattern, PDF, a policy, a shell, a position."""
PROGRAMMERS = {"testing.py", "template"}
"""What only people read who write a game."""
WRITTEN = {"settings.py", "boardfile.py", "ground.py", "cables.py", "config.py"}
"""What writes files, whose comments are English in every language."""
CIRCUITS = {"module"}
"""What draws a circuit board and names what is wrong in it: only who draws one reads that."""
UNSAID = {
    "field or none": "a kind of value",
    "crossing or none": "a kind of value",
    "card? or none": "a kind of value",
    "of all balls": "a value of an option, which is typed",
    "of one ball": "a value of an option, which is typed",
    "do not touch": "a value of an option, which is typed",
    "No such file": "part of an error of the system, by which it is told",
    "No such device": "part of an error of the system, by which it is told",
    "returned no data": "part of an error of the system, by which it is told",
    "usable temporary directory": "part of an error of the system, by which it is told",
    "was not found. To install": "part of an error of a library, by which it is told",
    "does not exist": "part of an error of a library, by which it is told",
    "Make sure SPI is enabled": "part of an error of a library, by which it is told",
    "as named, backwards": "a name that nobody is shown",
    "the firmware twin {}{}": "the simulated Pico alone",
    "was killed (signal {})": "the simulated Pico alone",
    "A folder with the pictures {}.jpg and {}.jpg (or .png) instead of a camera.": "it is in the "
    "tables with these names",
    "none, the game is over": "what Python prints of an object",
    "no moves yet": "what Python prints of an object",
    "hexboard calibrate sensors {}{}": "a command",
    "import os\nif 'main.py' in os.listdir(): os.remove('main.py')": "what a Pico is told",
    "import os\nroom = os.statvfs(os.getcwd())\nprint(room[0], room[0] * room[3])\n"
    "for name in os.listdir():\n    print(os.stat(name)[6], name)": "what a Pico is told",
    "\npip install -e {}\nhexboard play {}": "two commands",
    "SH/LD (1) of all registers, through 100 ohm": "a part or a pin, as data sheets name it",
    "CLK (2) of all registers, through 100 ohm": "a part or a pin, as data sheets name it",
    "light cell edge x_mm y_mm rail feed": "the columns of a file",
    "name gp pin goes_to": "the columns of a file",
    "sensor kind source input register pin name x_mm y_mm": "the columns of a file",
    "tier part name count unit detail low_eur high_eur joints numbers instead sources": "columns",
    "nothing: the SPI needs it": "where a pin goes, in a file for who solders",
    "“deploy tank 2.1”, “move 2.1-3.4”, “build turret 2.1”, “play carry_all”, “end”": "moves",
}


def docstring(node: ast.AST) -> list[ast.AST]:
    """What describes a module, class, function or constant."""
    body: list[ast.AST] = getattr(node, "body", [])
    return [it for it in body if isinstance(it, ast.Expr) and isinstance(it.value, ast.Constant)]


def exception(node: ast.Raise) -> list[ast.AST]:
    """An error of Python's own."""
    match node.exc:
        case ast.Call(func=ast.Name(name)) if hasattr(builtins, name):
            return [node.exc]
    return []


PASSED_OVER: dict[type, Callable[[Any], Iterable[ast.AST | None]]] = {
    ast.Module: docstring,
    ast.ClassDef: docstring,
    ast.FunctionDef: lambda it: [*docstring(it), it.returns],
    ast.AsyncFunctionDef: lambda it: [*docstring(it), it.returns],
    ast.arg: lambda it: [it.annotation],
    ast.AnnAssign: lambda it: [it.annotation],
    ast.Assert: lambda it: [it.msg],
    ast.Raise: exception,
    ast.Subscript: lambda it: [it.slice],
    ast.Call: lambda it: it.args[:1] if getattr(it.func, "id", "") == "cast" else [],
    ast.JoinedStr: lambda it: [part for part in it.values if isinstance(part, ast.Constant)],
}
"""What only programmers read of a node: docstrings, types, assertions, what errors of Python's own
say; the parts of a computed string, which is looked at as a whole."""


def strings(tree: ast.Module) -> Iterator[str]:
    """Every string that people may read; what is computed in one as "{}"."""
    left: list[ast.AST] = [tree]
    while left:
        node = left.pop()
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                yield node.value
            continue
        if isinstance(node, ast.JoinedStr):
            texts = (it.value if isinstance(it, ast.Constant) else "{}" for it in node.values)
            yield "".join(map(str, texts))
        over = PASSED_OVER.get(type(node))
        unread = [id(it) for it in over(node)] if over else ()
        left += [it for it in ast.iter_child_nodes(node) if id(it) not in unread]


@cache
def read() -> dict[str, frozenset[str]]:
    """What is read by people, by module."""
    return {
        str(path.relative_to(ROOT.parent)): frozenset(strings(tree))
        for path, tree in files().items()
        if not (PROGRAMMERS | CIRCUITS) & {path.name, path.parent.name} and path.name not in WRITTEN
    }


def plain(text: str) -> str:
    """A sentence whose values have no names, in one line."""
    return " ".join(re.sub(r"\{[^{}]*\}", "{}", text).split())


def reads(text: str) -> bool:
    """Whether it reads as something that is said."""
    words = len(WORD.findall(text))
    said = (words >= 3 and " " in text) or (
        words == 2 and re.match(r"[A-Z].*[.!?…:]$", text.strip()) is not None
    )
    return said and not NO_ENGLISH.match(text)


@cache
def known() -> set[str]:
    """Every sentence of a table; every word that is said in each language."""
    tables = {
        language: [
            _flat(tomllib.loads(it.read_text("utf-8")))
            for it in ROOT.rglob(f"locale/{language}.toml")
        ]
        for language in languages()
    }
    english = {text for table in tables.pop("en") for text in table.values()}
    words = [
        {key.split(".value.", 1)[1] for table in each for key in table if ".value." in key}
        for each in tables.values()
    ]
    return {plain(text) for text in english | set.intersection(*words)}


def outside(texts: Iterable[str], tables: set[str]) -> set[str]:
    """What is said among these that is in no table."""
    said = {text for text in texts if text not in UNSAID and reads(text)}
    paragraphs = {text: text.split("\n\n") for text in said}
    return {
        text for text, parts in paragraphs.items() if not all(plain(it) in tables for it in parts)
    }


@pytest.mark.long
def test_no_module_says_what_is_in_no_table() -> None:
    tables = known()
    found = {path: outside(texts, tables) for path, texts in read().items()}
    assert {path: said for path, said in found.items() if said} == {}


@pytest.mark.parametrize(
    "line",
    [
        'click.echo("Nothing was found here.")',
        'click.echo(f"{count} photos could not be read")',
        'post(Presence(False, f"the board on {port} went away"))',
        'say(message("a.b", why="it broke in two"))',
        'return "Stop now." if done else ""',
    ],
)
def test_a_sentence_in_python_is_found(line: str) -> None:
    assert outside(strings(ast.parse(f"def f():\n    {line}")), known())


@pytest.mark.parametrize(
    "line",
    [
        '"""What this is about."""',
        'assert found, "there is always one here"',
        'raise ValueError("a time is negative")',
        'it: "dict[str, tuple[Edge, ...] | None]"',
        'post(f"the board on {port} does not answer")',
        'base.execute("SELECT name FROM match WHERE id = ?")',
    ],
)
def test_what_programmers_read_and_what_a_table_has_are_none(line: str) -> None:
    assert outside(strings(ast.parse(f"def f():\n    {line}")), known()) == set()


def test_each_exception_is_still_there() -> None:
    assert UNSAID.keys() - frozenset().union(*read().values()) == set()

"""A constant with a unit bears it at the end of its name (docs/glossary.md, *Units*)."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.source import parsed

HERE = Path(__file__).parents[1]
FOLDERS = ("controller", "calibration")
THEMSELVES = {"MS", "US", "SECOND", "MINUTE", "NAT"}
"""One of a unit, in the next smaller one: these are units, not measures."""
FACTORS = {"MS": "NS", "US": "NS", "SECOND": "NS", "MINUTE": "NS", "NAT": "CNAT"}
"""What something is in that is a multiple of them."""
WORDS = {
    "ns": "NS",
    "µs": "US",
    "ms": "MS",
    "s": "S",
    "mm": "MM",
    "px": "PX",
    "mA": "MA",
    "nats": "NAT",
    "1/100 nat": "CNAT",
    "degrees": "DEG",
    "ppb": "PPB",
    "Bytes": "BYTES",
    "Frames": "FRAMES",
    "Nats": "NAT",
    "Seconds": "S",
    "Microseconds": "US",
}
"""How docstrings say a unit: as the first word, or as a clause of its own."""
TOLD = re.compile(
    r"^(?P<first>Seconds|Microseconds|Nats|Bytes|Frames)\b"
    r"|(?:, |\(|\bin )(?P<later>ns|µs|ms|s|mm|px|mA|nats|1/100 nat|degrees|ppb)(?=[.:;,)]|$)"
)
NUMBER = (
    *(ast.Constant, ast.BinOp, ast.UnaryOp, ast.Name, ast.Attribute),
    *(ast.operator, ast.unaryop, ast.expr_context),
)


def unit(value: ast.expr, doc: str) -> str | None:
    """The unit of a constant, by what it is a multiple of or what its docstring says."""
    factors = [FACTORS[name] for name in _names(value) if name in FACTORS]
    if factors:
        return factors[0]
    found = list(TOLD.finditer(" ".join(doc.split())))
    return WORDS[found[-1]["later"] or found[-1]["first"]] if found else None


def _names(value: ast.expr) -> Iterator[str]:
    return (node.id for node in ast.walk(value) if isinstance(node, ast.Name))


def constants(tree: ast.Module | ast.ClassDef) -> Iterator[tuple[str, ast.expr, str]]:
    """The numbers of a module and of its classes: name, value and docstring of each."""
    for node, after in pairwise([*tree.body, ast.Pass()]):
        doc = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            doc = str(after.value.value)
        match node:
            case ast.ClassDef():
                yield from constants(node)
            case ast.Assign([ast.Tuple(names)], ast.Tuple(values)):
                for name, value in zip(names, values, strict=True):
                    yield from _constant(name, value, doc)
            case ast.Assign([name], value) | ast.AnnAssign(name, _, ast.expr() as value):
                yield from _constant(name, value, doc)


def _constant(name: ast.expr, value: ast.expr, doc: str) -> Iterator[tuple[str, ast.expr, str]]:
    if isinstance(name, ast.Name) and name.id.strip("_").isupper() and _is_number(value):
        yield name.id, value, doc


def _is_number(value: ast.expr) -> bool:
    nodes = list(ast.walk(value))
    numbers = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return (
        all(isinstance(node, NUMBER) for node in nodes)
        and bool(numbers or FACTORS.keys() & set(_names(value)))
        and all(type(number) in (int, float) for number in numbers)
    )


def nameless(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The constants that have a unit and do not bear it: name and unit of each."""
    for name, value, doc in constants(tree):
        found = unit(value, doc)
        if found and name not in THEMSELVES and not name.endswith(f"_{found}"):
            yield name, found


MODULES = [path for folder in FOLDERS for path in sorted((HERE / folder).rglob("*.py"))]


def test_every_constant_with_a_unit_bears_it() -> None:
    found = {
        f"{name}: {told} in {path.relative_to(HERE)}"
        for path in MODULES
        for name, told in nameless(parsed(path))
    }
    assert found == set()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("AGAIN = 100 * MS", [("AGAIN", "NS")]),
        ("AGAIN_NS = 100 * MS", []),
        ('AGAIN = 2.0\n"""Seconds until it starts again."""', [("AGAIN", "S")]),
        ('NEAR = 3.0\n"""How far from its place\nit may be, mm."""', [("NEAR", "MM")]),
        ('LANE = 6.0\n"""How far, in mm, from its middle."""', [("LANE", "MM")]),
        ('PACE = 60_000_000\n"""Frames that come sooner are let go, ns."""', [("PACE", "NS")]),
        ("GAP = 10 * NAT", [("GAP", "CNAT")]),
        ('WORTH = 700\n"""How much less likely (1/100 nat) it may be."""', [("WORTH", "CNAT")]),
        ('NAT = 100\n"""One nat."""', []),
        ('LEAST = 1.1\n"""Below this nothing was measured, px/mm."""', []),
        ("SOON, IDLE = 5 * MS, 20 * MS", [("SOON", "NS"), ("IDLE", "NS")]),
        ("NEAR_NS, UNLIKE_CNAT = 5 * MS, 2 * NAT", []),
        ("SHORT = MS", [("SHORT", "NS")]),
        ('class Link:\n    RETRY = 0.5\n    """Seconds until then."""', [("RETRY", "S")]),
        ('SAMPLES = 9\n"""Samples across a slot, a share of mm."""', []),
    ],
)
def test_a_unit_is_told_by_factor_or_docstring(
    source: str, expected: list[tuple[str, str]]
) -> None:
    assert list(nameless(ast.parse(source))) == expected

"""How hexboard is put together, in figures: `python -m tests.benchmarks.structure [--json]`.

Read from the files alone, nothing is run. A *room* is a direct child of a package, a module or a
whole folder; an *arrow* says that one room imports another; a *circle* is rooms that can each be
reached from the other; a *floor* is a room's place in the longest way down. *Arrows back* are the
imports that would have to go for no circle to be left, anywhere in the tree.
"""

import ast
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import grimp

from tests.benchmarks import percentile

HERE = Path(__file__).parents[2]
FOLDERS = {"hexboard": HERE / "controller", "hexboard.calibration": HERE / "calibration"}
"""Which folder is which package, as setup.py has it."""
LONG_LINES = 500
"""A file that is longer says `Why long:` in its docstring."""
LARGE_METHODS = 30
"""A class that has more is several."""


class Plan(NamedTuple):
    """How the rooms of one package stand to each other."""

    rooms: int
    arrows: int
    circles: tuple[tuple[str, ...], ...]
    floors: int
    longest: tuple[str, ...]
    """The longest way down, a room a floor."""


class Size(NamedTuple):
    """One thing and how large it is."""

    name: str
    size: int


class Code(NamedTuple):
    """What the files hold; lengths of functions in lines, `def` to the last."""

    files: int
    lines: int
    proper: int
    """Lines that are neither blank nor comment nor docstring."""
    functions: int
    median: int
    p90: int
    longest: Size
    long_files: tuple[Size, ...]
    """Without a reason written in them."""
    large_classes: tuple[Size, ...]


class Structure(NamedTuple):
    """All the figures: the packages' plans by name, the arrows back, the code."""

    plans: dict[str, Plan]
    back: tuple[tuple[str, str], ...]
    code: Code


def graph() -> grimp.ImportGraph:
    """Who imports whom in hexboard, its folders read by the names that they have as packages.

    To be called where hexboard has not been imported: grimp reads what is loaded already."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "hexboard"
        home.mkdir()
        for path in [*FOLDERS["hexboard"].iterdir(), FOLDERS["hexboard.calibration"]]:
            (home / path.name).symlink_to(path)
        sys.path.insert(0, folder)
        try:
            return grimp.build_graph("hexboard", cache_dir=None)
        finally:
            sys.path.remove(folder)


def plan(imports: grimp.ImportGraph, package: str) -> Plan:
    """How the rooms of a package stand to each other; what they import of others does not count."""
    below = _arrows(imports, package)
    circles = sorted({circle for room in below if len(circle := _circle(below, room)) > 1})
    longest = _longest(below, circles)
    arrows = sum(map(len, below.values()))
    return Plan(len(below), arrows, tuple(circles), len(longest), longest)


def _arrows(imports: grimp.ImportGraph, package: str) -> dict[str, set[str]]:
    """Each room of a package and the rooms beside it that it imports."""
    below: dict[str, set[str]] = {room: set() for room in imports.find_children(package)}
    start = len(package) + 1

    def room(module: str) -> str:
        return f"{package}.{module[start:].partition('.')[0]}"

    inside = imports.find_descendants(package)
    for module in inside:
        imported = imports.find_modules_directly_imported_by(module) & inside
        below[room(module)] |= {room(other) for other in imported} - {room(module)}
    return below


def _reached(below: dict[str, set[str]], room: str) -> set[str]:
    """The rooms that some way leads to from here."""
    seen: set[str] = set()
    waiting = [*below[room]]
    while waiting:
        if (other := waiting.pop()) not in seen:
            seen.add(other)
            waiting += below[other]
    return seen


def _circle(below: dict[str, set[str]], room: str) -> tuple[str, ...]:
    """The rooms that are reached from this one and lead back to it, itself among them."""
    there = {other for other in _reached(below, room) if room in _reached(below, other)}
    return tuple(sorted({room} | there))


def _longest(below: dict[str, set[str]], circles: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """The longest way down; a circle is on one floor, for which its first room stands."""
    one = {room: circle[0] for circle in circles for room in circle}
    found: dict[str, tuple[str, ...]] = {}

    def way(room: str) -> tuple[str, ...]:
        if room not in found:
            here = [other for other in below if one.get(other, other) == room]
            down = {one.get(other, other) for name in here for other in below[name]} - {room}
            found[room] = (room, *max(map(way, sorted(down)), key=len, default=()))
        return found[room]

    return max((way(one.get(room, room)) for room in sorted(below)), key=len, default=())


def back(imports: grimp.ImportGraph) -> tuple[tuple[str, str], ...]:
    """The imports that would have to go for no circle to be left in any package."""
    packages = {name.rpartition(".")[0] for name in imports.modules} - {""}
    arrows = {arrow for name in packages for arrow in imports.nominate_cycle_breakers(name)}
    return tuple(sorted(arrows))


def code(paths: Iterable[Path]) -> Code:
    """What these files hold."""
    sources = {_name(path): path.read_text("utf-8") for path in sorted(paths)}
    trees = {name: ast.parse(text) for name, text in sources.items()}
    lengths = sorted(
        (Size(f"{name}:{node.name}", _length(node)) for name, node in _functions(trees)),
        key=lambda function: function.size,
    )
    sizes = [float(function.size) for function in lengths]
    lines = {name: len(text.splitlines()) for name, text in sources.items()}
    return Code(
        files=len(sources),
        lines=sum(lines.values()),
        proper=sum(_proper(text, trees[name]) for name, text in sources.items()),
        functions=len(sizes),
        median=round(percentile(sizes, 0.5)),
        p90=round(percentile(sizes, 0.9)),
        longest=lengths[-1],
        long_files=tuple(
            Size(name, size)
            for name, size in lines.items()
            if size > LONG_LINES and "Why long:" not in (ast.get_docstring(trees[name]) or "")
        ),
        large_classes=tuple(_large(trees)),
    )


def _name(path: Path) -> str:
    return path.relative_to(HERE).as_posix() if path.is_relative_to(HERE) else path.name


Function = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(trees: dict[str, ast.Module]) -> Iterator[tuple[str, Function]]:
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, Function):
                yield name, node


def _length(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _large(trees: dict[str, ast.Module]) -> Iterator[Size]:
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                methods = sum(isinstance(part, Function) for part in node.body)
                if methods > LARGE_METHODS:
                    yield Size(f"{name}:{node.name}", methods)


def _proper(text: str, tree: ast.Module) -> int:
    """Lines of code: not blank, not a comment, not in a string that stands by itself."""
    told: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            told.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(
        1 for number, line in lines if line.strip()[:1] not in ("", "#") and number not in told
    )


def measured() -> Structure:
    """hexboard as it stands in this folder."""
    imports = graph()
    packages = ["hexboard", "hexboard.vision", "hexboard.games.hextraction", "hexboard.table"]
    plans = {package: plan(imports, package) for package in packages}
    paths = [path for folder in FOLDERS.values() for path in folder.rglob("*.py")]
    return Structure(plans, back(imports), code(paths))


def figures(structure: Structure) -> dict[str, int]:
    """The figures that are wanted small, by name."""
    top, vision = structure.plans["hexboard"], structure.plans["hexboard.vision"]
    return {
        "rooms": top.rooms,
        "arrows": top.arrows,
        "circles": sum(len(plan.circles) for plan in structure.plans.values()),
        "arrows back": len(structure.back),
        "rooms of vision": vision.rooms,
        "floors of vision": vision.floors,
        "long files": len(structure.code.long_files),
        "large classes": len(structure.code.large_classes),
        "median function": structure.code.median,
        "nine functions in ten": structure.code.p90,
        "longest function": structure.code.longest.size,
    }


WANTED = {
    "rooms": 25,
    "arrows": 134,
    "circles": 0,
    "arrows back": 0,
    "rooms of vision": 12,
    "floors of vision": 7,
    "long files": 0,
    "large classes": 0,
    "median function": 6,
    "nine functions in ten": 18,
    "longest function": 90,
}
"""What each figure should at most be."""


def as_json(structure: Structure) -> str:
    plans = {name: plan._asdict() for name, plan in structure.plans.items()}
    told = structure.code._asdict()
    everything = {"figures": figures(structure), "plans": plans, "back": structure.back}
    return json.dumps(everything | {"code": told}, indent=1)


def told(structure: Structure) -> Iterator[str]:
    """The figures as lines for people."""
    for name, here in structure.plans.items():
        yield (
            f"{name}: {here.rooms} rooms, {here.arrows} arrows, {len(here.circles)} circles, "
            f"{here.floors} floors"
        )
        yield from (f"  circle: {', '.join(circle)}" for circle in here.circles)
        yield f"  longest way down: {' → '.join(room.rpartition('.')[2] for room in here.longest)}"
    yield f"arrows back: {len(structure.back)}"
    yield from (f"  {importer} → {imported}" for importer, imported in structure.back)
    files = structure.code
    yield (
        f"{files.files} files, {files.lines} lines, {files.proper} of code proper; "
        f"{files.functions} functions, lines median {files.median}, p90 {files.p90}, "
        f"longest {files.longest.size} ({files.longest.name})"
    )
    yield f"files over {LONG_LINES} lines without a reason: {len(files.long_files)}"
    yield from (f"  {name} {size}" for name, size in files.long_files)
    yield f"classes over {LARGE_METHODS} methods: {len(files.large_classes)}"
    yield from (f"  {name} {size}" for name, size in files.large_classes)
    for name, figure in figures(structure).items():
        verdict = "reached" if figure <= WANTED[name] else "MISSED"
        yield f"{name:22} {figure:4} (wanted {WANTED[name]} at most: {verdict})"


def main() -> None:
    structure = measured()
    print(as_json(structure) if "--json" in sys.argv else "\n".join(told(structure)))


if __name__ == "__main__":
    main()

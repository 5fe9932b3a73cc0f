"""The plan of the house: rooms, arrows, circles, sizes; what was reached once stays reached."""

import json
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

from tests.benchmarks import structure

SHEETS = sorted((structure.HERE / "controller").rglob("*.css"))


@pytest.fixture(scope="module")
def figures() -> dict[str, int]:
    """Those of this folder, by the command that people use."""
    command = (sys.executable, "-m", "tests.benchmarks.structure", "--json")
    told = subprocess.run(command, cwd=structure.HERE, capture_output=True, check=True).stdout
    found: dict[str, int] = json.loads(told)["figures"]
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", structure.WANTED)
def test_what_is_wanted_of_the_plan_is_kept(figures: dict[str, int], name: str) -> None:
    assert figures[name] <= structure.WANTED[name], "see make structure"


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda it: "/".join(it.parts[-3:]))
def test_a_style_sheet_has_one_rule_a_line_and_no_line_too_long(sheet: Path) -> None:
    for line in sheet.read_text("utf-8").splitlines():
        assert len(line) <= 120, line
        assert line.count("}") <= 1, line
        assert "{" not in line or "}" not in line or line.endswith("}"), line


def made(*arrows: str) -> grimp.ImportGraph:
    graph = grimp.ImportGraph()
    for arrow in arrows:
        importer, imported = arrow.split(" > ")
        for module in (importer, imported):
            parts = module.split(".")
            for end in range(1, len(parts) + 1):
                graph.add_module(".".join(parts[:end]))
        graph.add_import(importer=importer, imported=imported)
    return graph


def test_rooms_arrows_and_floors_are_counted_by_folders() -> None:
    graph = made("h.a > h.b.x", "h.b.x > h.b.y", "h.b.y > h.c", "h.a > h.c", "h.b > h.b.x")
    found = structure.plan(graph, "h")
    assert (found.rooms, found.arrows, found.circles) == (3, 3, ())
    assert found.longest == ("h.a", "h.b", "h.c")
    assert structure.plan(graph, "h.b").arrows == 1  # what the package itself imports is no room's
    assert structure.back(graph) == ()


def test_a_circle_through_folders_is_found_and_stands_on_one_floor() -> None:
    graph = made("h.top > h.a.x", "h.a.x > h.b", "h.b > h.a.y", "h.a.y > h.low")
    found = structure.plan(graph, "h")
    assert found.circles == (("h.a", "h.b"),)
    assert found.longest == ("h.top", "h.a", "h.low")
    assert len(structure.back(graph)) == 1


def test_code_is_counted_without_blanks_comments_and_docstrings(tmp_path: Path) -> None:
    file = tmp_path / "one.py"
    file.write_text('"""Of two\nlines."""\n\n# why\nA = 1\n"""A unit."""\n\ndef f():\n    pass\n')
    found = structure.code([file])
    assert (found.lines, found.proper) == (9, 3)
    assert (found.median, found.longest.size) == (2, 2)


@pytest.mark.parametrize(("head", "missed"), [("", 1), ('"""One.\n\nWhy long: a table."""\n', 0)])
def test_a_long_file_is_named_unless_it_says_why(tmp_path: Path, head: str, missed: int) -> None:
    file = tmp_path / "one.py"
    file.write_text(f"{head}def f():\n    pass\n" + "A = 1\n" * 500, "utf-8")
    assert len(structure.code([file]).long_files) == missed


def test_a_class_of_more_than_thirty_methods_is_named(tmp_path: Path) -> None:
    methods = "".join(f"    def m{i}(self): pass\n" for i in range(31))
    file = tmp_path / "one.py"
    file.write_text("class Large:\n" + methods, "utf-8")
    assert [*structure.code([file]).large_classes] == [("one.py:Large", 31)]

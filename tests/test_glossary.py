"""One meaning a word: public classes have names of their own, and no module is called a riddle."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.source import parsed

HERE = Path(__file__).parents[1]
GLOSSARY = (HERE / "docs" / "glossary.md").read_text("utf-8")
MODULES = [p for folder in ("controller", "calibration") for p in (HERE / folder).rglob("*.py")]

RIDDLES = {"account", "bare", "haze", "holding", "kept", "way"}
"""What modules were once called; the field says transcript, occupancy, glare, lock, store, restore
plan."""
PENDING = {
    *("Ball", "Balls", "Camera", "Found", "Hand", "Line", "Match", "Placed", "Part", "Rail"),
    *("Source", "Stand", "Watch"),
}
"""Names that still have two meanings; none is to be added."""
LIBRARY = {"Match", "Position", "Recording"}
"""The library's own, which are those of the house as strangers take them in hand."""


def shared() -> set[str]:
    """The names that the glossary lists as one word for one thing in several games."""
    _, _, rest = GLOSSARY.partition("## One word in several games\n")
    return set(re.findall(r"^\| `(\w+)` \|", rest.partition("\n## ")[0], re.MULTILINE))


def homes() -> dict[str, list[str]]:
    """In which modules each public class name is."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(path.relative_to(HERE).as_posix())
    return found


@pytest.mark.long
def test_a_public_class_has_a_name_of_its_own() -> None:
    twice = {name: where for name, where in homes().items() if len(where) > 1}
    assert {name: twice[name] for name in twice.keys() - shared() - PENDING - LIBRARY} == {}


def test_what_games_share_is_a_class_of_games_only() -> None:
    found = homes()
    names = shared()
    assert names
    elsewhere = {
        name: [where for where in found[name] if not where.startswith("controller/games/")]
        for name in names
    }
    assert all(len(found[name]) > 1 for name in names)
    assert {name: where for name, where in elsewhere.items() if where} == {}


def test_no_module_is_called_a_riddle() -> None:
    assert {path.stem for path in MODULES} & RIDDLES == set()


def test_a_word_is_explained_once() -> None:
    words = re.findall(r"^\| ([a-z][\w -]*) \|", GLOSSARY, re.MULTILINE)
    assert len(words) > 50
    assert sorted({word for word in words if words.count(word) > 1} - {"word", "suffix"}) == []

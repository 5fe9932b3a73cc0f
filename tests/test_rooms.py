"""One game, one folder: what all games share names none of them."""

import ast
import re
from pathlib import Path

import pytest

from hexboard.game import registry
from tests.source import parsed

ROOT = Path(__file__).parents[1]
BOARD = '"hextraction-22"'
"""The name of a board, which is a file's; it is nobody's that a game has it too."""
STILL = {
    "controller/__init__.py": "the example that a reader tries first",
}
"""Files that name a game, and why: none may be added."""
WORDS = re.compile(r"\b(?:tile|ball|lane|slot|HQ)s?\b|\[RBY\]", re.IGNORECASE)
"""What the pages of single games speak of: tiles and balls, the faces of cards, units."""


def test_no_common_code_script_or_sentence_names_a_game() -> None:
    families = {registry.find(name).prefix for name in registry.names()}
    words = {word for family in families for word in (family, family.replace("_", " "))}
    names = words | {family.replace("_", "-") for family in families} | {"hex'el", "hex’el"}
    known = re.compile("|".join(sorted(names)), re.IGNORECASE)
    named = {path for path, text in _common() if known.search(text.replace(BOARD, ""))}
    assert named == STILL.keys()


def test_no_common_script_of_the_page_speaks_of_what_one_game_has() -> None:
    static = ROOT / "controller/web/static"
    scripts = [path for kind in ("*.js", "*.css", "*.html") for path in static.glob(kind)]
    assert len(scripts) > 15
    spoken = {path.name: WORDS.findall(path.read_text("utf-8")) for path in scripts}
    assert {name: words for name, words in spoken.items() if words} == {}


def _common() -> list[tuple[str, str]]:
    """Each file that all games share, by its path, and what stands in it."""
    kinds = {".py", ".js", ".css", ".html", ".toml"}
    files = [*(ROOT / "controller").rglob("*"), *(ROOT / "calibration").rglob("*")]
    return [
        (path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))
        for path in files
        if path.suffix in kinds and not {"games", "vendor"} & set(path.parent.parts[-9:])
    ]


ROOMS = ("table", "record", "web", "daemon", "demo", "commands", "library")
"""Rooms that know positions, games and tables."""
NOT_GAMES = {"os", "error", "signal", "module"}
"""What a name may be looked up in by a string: modules, and errors of other libraries."""


@pytest.mark.parametrize("room", ROOMS)
def test_what_a_game_has_is_never_asked_by_a_string(room: str) -> None:
    """A typo there would be silence; `hexboard.game` says what each capability has."""
    asked = {
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in (ROOT / "controller" / room).rglob("*.py")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.expr) and _by_string(node)
    }
    assert asked == set()


def _by_string(node: ast.AST) -> bool:
    match node:
        case ast.Call(ast.Name("getattr" | "hasattr" | "setattr"), [ast.Name(of), *_]):
            return of not in NOT_GAMES
        case ast.Call(ast.Name("getattr" | "hasattr" | "setattr")):
            return True
        case ast.Attribute(_, "__getattribute__" | "__dict__"):
            return True
    return False


@pytest.mark.parametrize("room", [*ROOMS, "appearance.py"])
def test_a_position_is_never_of_any_type(room: str) -> None:
    named = re.compile(r"\b(position|before|after|world|game)\w*: \"?Any\b|Callable\[\[Any")
    folder = ROOT / "controller" / room
    paths = folder.rglob("*.py") if folder.is_dir() else [folder]
    assert [path for path in paths if named.search(path.read_text("utf-8"))] == []

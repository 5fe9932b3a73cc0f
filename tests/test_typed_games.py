"""`mypy --strict`, as a stranger runs it, over games that are none of ours: what fits is proved
without a word from them, and what does not fit is told at its line."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hexboard.commands.new import KINDS, write_game

pytestmark = pytest.mark.long

HERE = Path(__file__).parents[1]
DECLARED = """
from collections.abc import Sequence
from hexboard.board import Board
from hexboard.game.fields import ForeignFormat, PagePart
from hexboard.game.game import Game
from hexboard.game.position import Action
from hexboard.table import TableView
from hexboard.web.sheet import CommonPart, Sheet
from hexboard.words import Message, message
from span import BOARD, Span, board, looks, parse, rules, start
from hexboard.appearance import Appearance, Look

class Other(Span, frozen=True): ...

def problem(position: Span) -> Message | None:
    return message("span.odd") if position.last > len(position.cells) else None

def notation(position: Span, action: int) -> str:
    return position.cells[action]

def write(line: Sequence[Span], players: Sequence[str], date: str) -> str:
    return " ".join(position.cells for position in line)

class Part(CommonPart[Span]):
    def state(self, view: TableView[Action], position: Span, side: int) -> Sheet:
        return {"last": position.last}
"""
"""Functions on a game's own positions, none of which says first that they are that."""
FITS = """
GAME = Game(name="fits", package=__name__, rules=rules, board=board, start=start, parse=parse,
    touched=Span, problem=problem, notation=notation, foreign=ForeignFormat(write),
    seats_swapped=lambda it: it.last > 1, first_seat=lambda it: it.last,
    departed=lambda it: (it.last,), appearance=Appearance(looks), page=PagePart(shows=Part))
PLAIN = Game[Span, int](name="fits", package=__name__, rules=rules, board=board, start=start,
    parse=parse, problem=problem)
last: int = GAME.begin(BOARD, {}).last + PLAIN.read(str(Span()), BOARD, {}).last
"""
WRONG = {
    "problem": "def wrong(position: Other) -> Message | None: ...",
    "notation": "def wrong(position: Span, action: str) -> str: ...",
    "foreign": "def odd(line: Sequence[Other], players: Sequence[str], date: str) -> str: ...\n"
    "wrong = ForeignFormat(odd)",
    "seats_swapped": "def wrong(position: Other) -> bool: ...",
    "departed": "def wrong(position: Other) -> tuple[int, ...]: ...",
    "parse": "def wrong(text: str, ground: Board, options: object) -> str: ...",
    "chance": "wrong = Span",
    "appearance": "def odd(it: Other) -> tuple[Look, ...]: ...\nwrong = Appearance(odd)",
}
"""What does not fit a game of `Span`s, by the field that it is given for."""


def declared(field: str) -> str:
    """A file that gives something wrong for one field."""
    fields = {"parse": "parse", field: "wrong"}
    given = ", ".join(f"{name}={value}" for name, value in fields.items())
    return (
        f"{DECLARED}\n{WRONG[field]}\nGAME = Game[Span, int](name='', package='', rules=rules, "
        f"board=board, start=start, touched=Span, {given})\n"
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every game as a file or package, and hexboard beside them under its name."""
    folder = tmp_path_factory.mktemp("typed")
    (folder / "names").mkdir()
    (folder / "names/hexboard").symlink_to(HERE / "controller")
    shutil.copytree(HERE / "tests/plugin/span", folder / "span")
    for kind in KINDS:
        write_game(f"two-{kind}", kind, folder / kind)
    (folder / "fits.py").write_text(DECLARED + FITS, "utf-8")
    for field in WRONG:
        (folder / f"{field}_wrong.py").write_text(declared(field), "utf-8")
    return folder


@pytest.fixture(scope="module")
def told(folder: Path) -> dict[str, list[str]]:
    """What mypy says of each file."""
    games = [folder / "span", *folder.glob("*/two_*"), *folder.glob("*.py")]
    roots = [folder / "names", folder, *(folder / kind for kind in KINDS)]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder / "cache", *games],
        env=os.environ | {"MYPYPATH": os.pathsep.join(map(str, roots))},
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )
    assert f"(checked {len(games)} source files)" in done.stdout, done.stdout + done.stderr
    found: dict[str, list[str]] = {}
    for path, error in re.findall(r"^(\S+?):\d+: error: (.*)", done.stdout, re.MULTILINE):
        found.setdefault(Path(path).stem, []).append(error)
    return found


def test_games_of_strangers_are_proved(told: dict[str, list[str]]) -> None:
    """The guide's game, those that `hexboard new game` writes, and functions on one's own class."""
    assert told.keys() == {f"{field}_wrong" for field in WRONG}


@pytest.mark.parametrize("field", WRONG)
def test_what_does_not_fit_is_told(field: str, told: dict[str, list[str]]) -> None:
    why = f'Argument "{field}" to "Game" has incompatible type'
    assert any(why in error for error in told[f"{field}_wrong"]), told[f"{field}_wrong"]


def test_a_declaration_may_say_its_types_to_python_too(folder: Path) -> None:
    subprocess.run([sys.executable, folder / "fits.py"], check=True)

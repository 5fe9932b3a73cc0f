"""What `hexboard new game` writes, as people use it: installed, played, refereed, recorded."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hexboard.commands.new import KINDS
from tests.running import PATIENCE, Page, Running
from tests.test_wheel import HERE, PIP, made
from tests.test_wheel import run as well

pytestmark = pytest.mark.long

RAW = re.compile(r"\btwo_\w+\.\w")
"""A key that no sentence was found for."""
PERFT = {"connection": (3, 25 * 24 * 23), "pieces": (2, 9 * 9), "cards": (2, 9 * 9)}
"""Sequences of actions from the start, by hand: 25 cells; five pieces with two steps each, but one
at the corner; nine numbers of a card."""
FIRST = {"connection": "a1", "pieces": "a2-b1", "cards": None}
"""A move that can be made at the start; with cards it depends on the deal."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a venv that has the wheel of hexboard, and a game of each kind as its
    author has it (`pip install -e`)."""
    folder = tmp_path_factory.mktemp("kinds")
    ignore = shutil.ignore_patterns("__pycache__", "*.egg-info", ".venv", ".git", ".*_cache")
    shutil.copytree(HERE, folder / "hexboard", ignore=ignore)
    well(*PIP, "wheel", "--no-deps", "--wheel-dir", folder, folder / "hexboard", cwd=folder)
    commands = made(folder / "venv", "--no-index", *folder.glob("*.whl"))
    well(commands / "hexboard", "--version", cwd=folder)
    for kind in KINDS:
        told = well(commands / "hexboard", "new", "game", f"two-{kind}", "--kind", kind, cwd=folder)
        assert f"pip install -e two-{kind}" in told
        install = (*PIP, "--python", commands / "python", "install", "--no-deps", "-e")
        well(*install, folder / f"two-{kind}", cwd=folder)
    return commands


class Person:
    """Somebody who has installed it."""

    def __init__(self, installed: Path, folder: Path) -> None:
        self.installed, self.folder = installed, folder

    def hexboard(self, *arguments: object, input: str = "") -> str:
        """What a command prints, having ended well, all of it sentences."""
        done = subprocess.run(
            [self.installed / "hexboard", "--home", self.folder, *map(str, arguments)],
            capture_output=True,
            text=True,
            input=input,
            cwd=self.folder,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        if arguments[0] != "referee":  # programs read keys
            assert not RAW.search(done.stdout + done.stderr)
        return done.stdout


@pytest.fixture
def person(installed: Path, tmp_path: Path) -> Person:
    return Person(installed, tmp_path)


@pytest.mark.parametrize("kind", KINDS)
def test_its_own_tests_pass(kind: str, installed: Path) -> None:
    package = installed.parents[1] / f"two-{kind}"
    told = well(installed / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=package)
    assert re.search(r"[23] passed", told)


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_told_counted_refereed_and_played(kind: str, person: Person) -> None:
    name = f"two-{kind}"
    assert name in person.hexboard("help").split()
    assert person.hexboard("help", name).startswith(f"# Two {kind}\n\n* R1. ")
    depth, count = PERFT[kind]
    assert person.hexboard("perft", name, depth) == f"{count}\n"
    lines = [json.dumps({"do": "legal"}), json.dumps({"do": "act", "action": "nonsense"})]
    answers = person.hexboard("referee", name, input="\n".join(lines)).splitlines()
    listed, refused = map(json.loads, answers)
    assert listed["ok"]
    assert listed["legal"]
    assert refused["ok"] is False
    assert "is no " in refused["reason"]
    moves = FIRST[kind] or "\nmoves"
    played = person.hexboard("play", name, "--seed", 1, input=f"{moves}\nundo\n{moves}\nquit\n")
    assert "Black" in played


@pytest.mark.parametrize("kind", KINDS)
def test_an_evening_of_it_is_recorded_replayed_and_told(
    kind: str, installed: Path, person: Person, tmp_path: Path
) -> None:
    command = (str(installed / "hexboard"),)
    arguments = ("--simulate", "--game", f"two-{kind}", "--port", 0)
    evening = Running(tmp_path / "state", *arguments, home=tmp_path, command=command)
    try:
        with evening.page() as page:
            for turn in range(3):
                play(page, turn % 2 if kind == "cards" else -1)
            assert not RAW.search(json.dumps([page.state["log"], page.state["question"]]))
    finally:
        code, _ = evening.end()
    assert code == 0
    (recording,) = evening.recordings()
    assert "the same rulings" in person.hexboard("replay", recording)
    assert person.hexboard("log", recording).count("Black") >= 2


def play(page: Page, side: int) -> None:
    """Make a legal move; where hands are hidden, as `side`, behind its curtain."""
    if side >= 0:
        page.send("curtain", side=side)
    moves = page.until(lambda s: s["side"] == side and s["moves"])
    before = page.state["position"]
    page.send("declare", seat=-1, action=moves[0][0])
    page.until(lambda s: s["position"] != before)

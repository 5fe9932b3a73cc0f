"""A game from another package, installed beside hexboard; and packages that are broken."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import pytest

from hexboard.appearance import BLACK, WHITE, Lying
from hexboard.board import plain
from hexboard.simulator.camera.canvas import Light
from hexboard.simulator.camera.render import Renderer, view
from tests.running import PATIENCE, Running
from tests.strangers import lay_out
from tests.test_wheel import HERE, PIP, made
from tests.test_wheel import run as well

pytestmark = pytest.mark.long

PLUGIN = HERE / "tests" / "plugin"
CHAIN = [f"d{n}" for n in range(1, 8)]
WHITES = ["a1", "a2", "a3", "b1", "b2", "g1"]
GAME = [move for pair in zip(CHAIN, WHITES, strict=False) for move in pair] + CHAIN[-1:]
"""Black links d1 to d7: S3."""
RAW = re.compile(r"\b(span|broken)\.\w")
"""A key that no sentence was found for."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a venv that has the wheels of hexboard and of Span."""
    folder = tmp_path_factory.mktemp("plugin")
    ignore = shutil.ignore_patterns("__pycache__", "*.egg-info", ".venv", ".git", ".*_cache")
    for source, name in ((HERE, "hexboard"), (PLUGIN, "span")):
        shutil.copytree(source, folder / name, ignore=ignore)
        well(*PIP, "wheel", "--no-deps", "--wheel-dir", folder, folder / name, cwd=folder)
    return made(folder / "venv", "--no-index", *folder.glob("*.whl"))


Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def hexboard(installed: Path, tmp_path: Path) -> Command:
    """`hexboard` as it is installed, with packages of `tmp_path` beside it."""

    def run(*arguments: object, input: str = "") -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [installed / "hexboard", "--home", tmp_path / "home", *map(str, arguments)],
            capture_output=True,
            text=True,
            input=input,
            cwd=tmp_path,
            timeout=PATIENCE,
            check=False,
            env={**os.environ, "PYTHONPATH": str(tmp_path / "packages")},
        )
        assert "Traceback" not in done.stderr
        if arguments[0] != "referee":  # programs read keys
            assert not RAW.search(done.stdout + done.stderr)
        return done

    return run


def test_its_rules_are_told_and_it_is_listed(hexboard: Command) -> None:
    listed = hexboard("help")
    assert {"span", "hexalma"} <= set(listed.stdout.split())
    assert listed.stderr == ""
    assert hexboard("help", "span").stdout.startswith("# Span\n\n* S1. Players place one disc")


def test_it_is_played_in_a_terminal_in_sentences(hexboard: Command, tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    typed = ["d4", "d4", "zz", "undo", *GAME]
    done = hexboard("play", "span", "--record", record, input="\n".join(typed) + "\n")
    assert done.returncode == 0, done.stderr
    for said in (
        "Black, place a disc: touch an empty cell.",
        "Black places a disc on d4.  (S1)",
        "There is a disc on d4 already.",
        "“zz” is no cell of this board",
        "Black links two opposite sides and wins.  (S3)",
    ):
        assert said in done.stdout
    kept = json.loads(record.read_text("utf-8"))["entries"]
    assert [entry.get("action") for entry in kept] == ["d4", None, *GAME]


def test_programs_are_answered(hexboard: Command) -> None:
    # 37 cells, no chain of two discs links two sides: 37 * 36 * 35
    assert hexboard("perft", "span", 3).stdout == "46620\n"
    lines = [json.dumps({"do": "act", "action": name}) for name in ("d4", "d4")]
    first, second = map(
        json.loads, hexboard("referee", "span", input="\n".join(lines)).stdout.splitlines()
    )
    assert (first["ok"], second["ok"]) == (True, False)
    assert second["rule"] == "S1"


@pytest.fixture
def evening(installed: Path, tmp_path: Path, home: Path) -> Iterator[Running]:
    """Span on a simulated board."""
    running = Running(
        tmp_path / "state",
        *("--simulate", "--game", "span", "--port", 0),
        home=home,
        command=(str(installed / "hexboard"),),
    )
    yield running
    running.end()


def test_an_evening_of_it_is_recorded_replayed_and_told(
    evening: Running, hexboard: Command
) -> None:
    with evening.page() as page:
        for n, move in enumerate(GAME):
            page.send("declare", seat=-1, action=move)
            page.until(lambda s, n=n: len(s["pieces"]) > n)  # type: ignore[misc]
        state = page.until(lambda s: s["log"][0]["rule"] == "S3" and s)
    assert {tuple(piece[:3]) for piece in state["pieces"]} == {
        *((cell, "disc", 0) for cell in CHAIN),
        *((cell, "disc", 1) for cell in WHITES),
    }
    assert ["d7", "win", 0] in state["marks"]
    assert not RAW.search(json.dumps(state["log"]))
    assert evening.end()[0] == 0
    (recording,) = evening.recordings()
    assert "the same rulings" in hexboard("replay", recording).stdout
    log = hexboard("log", recording).stdout
    assert "White places a disc on g1." in log
    assert "Black links two opposite sides and wins." in log


def test_the_camera_reads_a_picture_of_it(hexboard: Command, tmp_path: Path) -> None:
    board, picture = plain("hexhex-4"), tmp_path / "picture.jpg"
    things = {
        **{cell: Lying((BLACK,)) for cell in CHAIN[:-1]},
        **{cell: Lying((WHITE,)) for cell in WHITES},
    }
    before = "".join(
        "B" if cell.id in CHAIN[:-2] else "W" if cell.id in WHITES[:-1] else "."
        for cell in board.cells
    )
    after = {**dict.fromkeys(CHAIN[:-1], "B"), **dict.fromkeys(WHITES, "W")}
    cv2.imwrite(str(picture), Renderer(board, *view(board)).frame(things, Light()))
    done = hexboard("see", picture, "--game", "span", "--position", before, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert told["pieces"] == after
    assert told["move"]["verdict"] == "accept"
    assert told["move"]["moves"][0] == ["d6", "g1"]


# ------------------------------------------------------------------------------ what is broken

CHANGED = "import span; from msgspec.structs import replace\n"
BROKEN = {
    "raises": ("raise RuntimeError('out of luck')", "RuntimeError: out of luck"),
    "exits": ("raise SystemExit('no screen')", "SystemExit: no screen"),
    "has no pieces": (
        f"{CHANGED}names = [n for n in dir(span.Span) if n[0] != '_' and n != 'pieces']\n"
        "Bare = type('Bare', (), dict.fromkeys(names))\n"
        "GAME = replace(span.GAME, name='broken', package=__name__, touched=Bare)",
        "Bare has no pieces: it is not Touched",
    ),
    "has no words": (
        f"{CHANGED}GAME = replace(span.GAME, name='broken', package=__name__)",
        "it has no sentences",
    ),
    "has another name": (f"{CHANGED}GAME = span.GAME", "no Game of that name is declared"),
    "is not there": ("", "has no attribute 'GAME'"),
}
"""Modules by what is wrong with their game, and what is said of it."""


def package(folder: Path, game: str, code: str) -> None:
    """Lay out a package `trouble` with this game, as pip would."""
    about = folder / "packages" / "trouble-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: trouble\nVersion: 1\n", "utf-8")
    (about / "entry_points.txt").write_text(f"[hexboard.games]\n{game} = trouble:GAME\n", "utf-8")
    (folder / "packages" / "trouble.py").write_text(code, "utf-8")


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_package_is_named_and_the_other_games_go_on(
    what: str, hexboard: Command, tmp_path: Path
) -> None:
    code, why = BROKEN[what]
    package(tmp_path, "broken", code)
    for command in (("help", "broken"), ("play", "broken"), ("perft", "broken", 1)):
        done = hexboard(*command)
        assert done.returncode == 1, command
        (line,) = done.stderr.splitlines()
        assert "package trouble" in line
        assert why in line
    listed = hexboard("help")
    assert listed.returncode == 0
    assert "package trouble" in listed.stderr
    assert {"span", "hexalma"} <= set(listed.stdout.split())
    assert hexboard("perft", "hexalma", 1).stdout == "50\n"  # digest 2.4


def test_a_game_that_begins_otherwise_than_it_declares_is_named(
    hexboard: Command, tmp_path: Path
) -> None:
    package(
        tmp_path,
        "broken",
        f"{CHANGED}class Other(span.Span, frozen=True): pass\nGAME = replace(span.GAME, "
        "name='broken', package=__name__, touched=Other, words={'broken.help': '# It'})",
    )
    for command in (("play", "broken"), ("perft", "broken", 1)):
        done = hexboard(*command)
        assert done.returncode == 1
        assert "The game broken (trouble) declares Other and gives Span." in done.stderr


def test_a_broken_package_takes_no_name_from_a_game_that_can_be_played(
    hexboard: Command, tmp_path: Path
) -> None:
    lay_out(
        tmp_path / "packages", "aaa", "raise RuntimeError('on import')", games="span = aaa:GAME"
    )
    listed = hexboard("help")
    assert "span of the package aaa is left out" in listed.stderr
    assert "span" in listed.stdout.split()
    assert hexboard("perft", "span", 1).returncode == 0


def test_a_name_that_is_taken_stays_with_the_game_that_has_it(
    hexboard: Command, tmp_path: Path
) -> None:
    package(tmp_path, "hexalma", f"{CHANGED}GAME = replace(span.GAME, name='hexalma')")
    listed = hexboard("help")
    assert listed.stderr == (
        "hexalma of the package trouble is left out: another game has that name.\n"
    )
    assert hexboard("perft", "hexalma", 1).stdout == "50\n"
    assert hexboard("help", "hexalma").stdout.startswith("# HexAlma")

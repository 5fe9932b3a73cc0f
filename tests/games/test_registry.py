"""Games that strangers bring: found as files and in packages; a broken one is named, and no other
game is hurt."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hexboard.game import registry
from hexboard.game.game import Game
from hexboard.games import hexalma
from hexboard.testing import check_game
from hexboard.words.errors import BadText
from tests.cli import invoke
from tests.strangers import keep, lay_out, one_file


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Callable[[str, str], Path]]:
    """`own(name, code)` keeps a file in `games/`, where the registry looks."""

    def write(name: str, code: str) -> Path:
        path = keep(tmp_path, name, code)
        registry.look_in(tmp_path)  # it looks again
        registry.look_in(tmp_path / "games")
        return path

    yield write
    registry.look_in(tmp_path / "nothing")


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """`brought(package, code, **entries)` installs a package."""
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))

    def install(package: str, code: str, **entries: str) -> None:
        lay_out(tmp_path / "packages", package, code, **entries)
        registry.look_in(tmp_path / package)  # it looks again

    yield install
    monkeypatch.undo()
    registry.look_in(tmp_path / "nothing")


def run(home: Path, *words: str, input: str = "") -> Any:
    return invoke(*words, home=home, input=input)


def wrong(name: str) -> str:
    with pytest.raises(BadText) as caught:
        registry.find(name)
    return str(caught.value)


# ---------------------------------------------------------------------------------- as one file


def test_a_file_in_ones_own_folder_is_a_game(own: Callable[..., Path], tmp_path: Path) -> None:
    path = own("my_span", one_file("my-span"))
    game = registry.find("my-span")
    check_game(game, seed=1, games=1, steps=5)
    assert registry.brought_by("my-span") == str(path)
    assert "my-span" in run(tmp_path, "help").stdout.split()
    assert run(tmp_path, "help", "my-span").stdout.startswith("# Span\n")
    assert run(tmp_path, "perft", "my-span", "2").stdout == f"{37 * 36}\n"
    played = run(tmp_path, "play", "my-span", input="d4\nquit\n").stdout
    assert "Black places a disc on d4.  (S1)" in played
    assert not list(path.parent.glob("__pycache__"))


FILES = {
    "raises": ("\n\n1 / 0\n", 3, "ZeroDivisionError: division by zero"),
    "does not parse": ("\nGAME = = 1\n", 2, "SyntaxError: invalid syntax"),
    "is no text": ("\0", 1, "null bytes"),
    "exits": ("import sys\nsys.exit('no screen')\n", 2, "SystemExit: no screen"),
    "raises below": ("def f():\n    raise KeyError('x')\n\nf()\n", 2, "KeyError: 'x'"),
    "needs another": ("import no_such_module\n", 1, "No module named 'no_such_module'"),
}
"""What is wrong with a file: its code, the line, and what is said of it."""


@pytest.mark.parametrize("what", FILES)
def test_a_broken_file_is_named_with_its_line(
    what: str, own: Callable[..., Path], tmp_path: Path
) -> None:
    code, line, why = FILES[what]
    path = own("broken", code)
    own("sound", one_file("sound"))
    said = wrong("broken")
    assert said.startswith(f"{path}, line {line}: the game broken cannot be used: ")
    assert why in said
    listed = run(tmp_path, "help")
    assert listed.exit_code == 0
    assert {"sound", "hexalma"} <= set(listed.stdout.split())
    assert "broken" not in listed.stdout.split()
    assert listed.stderr == f"{said}\n"
    for command in (("help", "broken"), ("play", "broken"), ("perft", "broken", "1")):
        done = run(tmp_path, *command)
        assert (done.exit_code, done.stderr) == (1, f"{said}\n")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("GAME = 7", "no Game of the name mute is declared there"),
        ("", "no Game of the name mute is declared there"),
        (one_file("other"), "no Game of the name mute is declared there"),
        (one_file("mute").replace("words=WORDS,", ""), "it has no sentences"),
        (one_file("mute", "WORDS = {'other.key': 'Something.'}"), "it has no sentences"),
        (one_file("mute", "WORDS = {'mute.over': 'Over {'}"), "sentence mute.over: "),
        (one_file("mute", "WORDS = {'mute.over': 7}"), "sentence mute.over: "),
        (one_file("mute", "WORDS = ['mute.over']"), "TypeError: "),
    ],
)
def test_a_file_that_declares_no_game_is_named(
    code: str, why: str, own: Callable[..., Path]
) -> None:
    path = own("mute", code)
    said = wrong("mute")
    assert said.startswith(str(path))
    assert why in said
    assert registry.find("hexalma").name == "hexalma"


@pytest.mark.parametrize("field", Game.__struct_fields__)
def test_a_field_that_is_given_what_it_cannot_be_is_named(field: str) -> None:
    """Also the one that nobody thought of when the check was written."""
    fields: dict[str, Any] = {name: getattr(hexalma.GAME, name) for name in Game.__struct_fields__}
    with pytest.raises(TypeError, match=f"^{field} has object, not "):
        Game(**fields | {field: object()})


@pytest.mark.parametrize("field", ["options", "files"])
def test_an_option_or_a_kind_of_file_that_is_none_is_named(field: str) -> None:
    fields: dict[str, Any] = {name: getattr(hexalma.GAME, name) for name in Game.__struct_fields__}
    with pytest.raises(TypeError, match=f"^{field} has str, not "):
        Game(**fields | {field: ("size",)})


def test_a_file_with_a_name_that_is_taken_is_left_out_and_named(
    own: Callable[..., Path], tmp_path: Path
) -> None:
    path = own("hexalma", one_file("hexalma"))
    listed = run(tmp_path, "help")
    assert listed.exit_code == 0
    assert listed.stderr.startswith(f"{path}: hexalma is left out: another game has that name.")
    assert run(tmp_path, "perft", "hexalma", "1").stdout == "50\n"  # digest 2.4


def test_files_that_begin_with_a_line_or_a_dot_are_no_games(own: Callable[..., Path]) -> None:
    own("_common", "1 / 0")
    own(".hidden", "1 / 0")
    assert registry.broken() == {}
    assert {"-common", ".hidden"} & set(registry.names()) == set()


# ----------------------------------------------------------------------------------- in a package


def test_a_package_that_raises_is_named(brought: Callable[..., None], tmp_path: Path) -> None:
    brought("trouble_a", "raise RuntimeError('out of luck')", games="grim = trouble_a:GAME")
    assert "The game grim of the package trouble_a cannot be used: RuntimeError" in wrong("grim")
    assert "grim" in registry.broken()
    assert "hexalma" not in registry.broken()


def test_nobody_is_told_to_take_out_hexboard_itself(
    brought: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of ours that does not fit those that were loaded before an update."""
    brought("trouble_c", "raise TypeError('3 arguments')", games="grim = trouble_c:GAME")
    monkeypatch.setattr(registry, "OURS", "trouble_c")
    said = wrong("grim")
    assert "TypeError: 3 arguments" in said
    assert "If hexboard has just been updated, start it again" in said
    assert "pip uninstall" not in said


def test_a_game_that_cannot_be_used_is_none_of_those_that_are_known(
    own: Callable[..., Path], tmp_path: Path
) -> None:
    own("broken_one", "1 / 0")
    own("my_span", one_file("my-span"))
    known = wrong("chess").partition("Known: ")[2].rstrip(".").split(", ")
    assert "my-span" in known
    assert "broken-one" not in known
    assert "ZeroDivisionError" in wrong("broken-one")
    asked = run(tmp_path, "see", "picture.png", "--board", "hexhex-4").output
    assert "broken-one" not in asked

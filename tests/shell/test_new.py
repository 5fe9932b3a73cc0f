"""`hexboard new game`: what it writes is a game that keeps every promise, and speaks."""

import importlib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hexboard.commands.cli import main
from hexboard.commands.new import FILES, KINDS
from hexboard.game.game import AnyGame
from hexboard.testing import check_game


def run(*words: str) -> Any:
    return CliRunner().invoke(main, ["new", "game", *words])


@pytest.mark.parametrize("kind", KINDS)
def test_the_game_it_writes_keeps_every_promise(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"two-{kind}s"
    done = run(name, "--kind", kind, "--in", str(tmp_path))
    assert done.exit_code == 0, done.output
    assert done.output.count(str(tmp_path)) == len(FILES) + 1
    monkeypatch.syspath_prepend(str(tmp_path / name))
    game: AnyGame[Any] = importlib.import_module(f"two_{kind}s").GAME
    (option,) = game.options
    small = {option.name: option.least}
    check_game(game, seed=2, games=1, steps=60, ends=True, options=small)
    assert game.help().startswith(f"# Two {kind}s")
    entry = (tmp_path / name / "pyproject.toml").read_text("utf-8")
    assert f'"{name}" = "two_{kind}s:GAME"' in entry


def test_it_writes_over_nothing(tmp_path: Path) -> None:
    (tmp_path / "two-banks").mkdir()
    done = run("two-banks", "--in", str(tmp_path))
    assert done.exit_code == 1
    assert f"{tmp_path / 'two-banks'} is there already" in done.output
    assert not list((tmp_path / "two-banks").iterdir())


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("hexalma", "There is a game called “hexalma” already"),
        ("Two Banks", "cannot be the name of a game"),
        ("../up", "cannot be the name of a game"),
        ("2", "cannot be the name of a game"),
        ("class", "cannot be the name of a game"),
        ("json", "which another Python module or hexboard itself has"),
        ("table", "which another Python module or hexboard itself has"),
    ],
)
def test_a_name_that_cannot_be_is_refused_in_words(name: str, why: str, tmp_path: Path) -> None:
    done = run(name, "--in", str(tmp_path))
    assert done.exit_code == 1
    assert f"“{name}”" in done.output
    assert why in done.output
    assert not list(tmp_path.iterdir())

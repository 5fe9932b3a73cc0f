"""`hexboard new game`: what it writes is a game that keeps every promise, and speaks."""

import importlib
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from hexboard.commands.new import FILES, KINDS
from hexboard.game.game import AnyGame
from hexboard.testing import check_game
from hexboard.words import _flat, languages, look_in, sentences
from tests.cli import invoke


def run(*words: str) -> Any:
    return invoke("new", "game", *words)


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


def test_a_language_to_begin_with_has_every_sentence_with_its_english(tmp_path: Path) -> None:
    line = ["--home", str(tmp_path), "new", "language", "fr"]
    done = invoke(*line)
    file = tmp_path / "locale" / "fr.toml"
    assert done.output == f"{file}\n"
    text = file.read_text("utf-8")
    assert tomllib.loads(text).keys() >= {
        "table",
        "hexalma",
        "page",
    }  # sections; every line a comment
    spoken = re.sub(r"^# (?=.+ = \")", "", text, flags=re.MULTILINE)
    found = _flat(tomllib.loads(spoken))
    english = {
        key: said for part in ("table", "hexalma", "hexel") for key, said in sentences(part).items()
    }
    assert {
        key for key in english if ".value." not in key and found.get(key) != english[key]
    } == set()
    for key in ("words.value.no answer in time", "cli.value.Show this message and exit."):
        assert found[key] == key.partition(".value.")[2]
    again = invoke(*line)
    assert again.exit_code == 1
    assert "is there already" in again.output
    file.write_text(spoken, "utf-8")
    told = invoke("check", file, home=tmp_path)
    assert told.exit_code == 0, told.output
    assert f"{len(found)} of {len(found)} sentences" in told.output


@pytest.mark.parametrize("name", ["fr-CA", "FR", "../x", "", "f"])
def test_a_language_is_its_letters_alone(name: str, tmp_path: Path) -> None:
    done = invoke("new", "language", name, home=tmp_path)
    assert done.exit_code == 1
    assert "would never be spoken" in done.output
    assert not list(tmp_path.rglob("*.toml"))


def test_a_table_says_how_much_of_all_it_has_and_what_nothing_says(tmp_path: Path) -> None:
    (tmp_path / "locale").mkdir()
    table = '[table]\nyes = "Oui"\n[words.value]\nRed = "Rouge"\n"no such text" = "x"\n'
    for name in ("fr", "fr-CA"):
        (tmp_path / "locale" / f"{name}.toml").write_text(table, "utf-8")
    line = ["--home", str(tmp_path), "check"]
    told = invoke(*line, tmp_path / "locale" / "fr.toml")
    assert told.exit_code == 0
    assert re.search(
        r"^2 of \d{4} sentences and words; the rest is said in English\.$", told.output, re.M
    )
    assert "words.value.no such text: nothing says that text.\n" in told.output
    look_in(tmp_path / "locale")
    assert "fr" in languages()
    assert "fr-CA" not in languages()
    told = invoke(*line, tmp_path / "locale" / "fr-CA.toml")
    assert told.exit_code == 1
    assert "“fr-CA” would never be spoken" in told.output

"""`hexboard cards` in the shell."""

import tomllib
from pathlib import Path

from hexboard.games import knee_deep
from hexboard.words import sentences
from tests.cli import invoke

CARDS = Path(knee_deep.__file__).parent / "cards"


def run(*words: str) -> tuple[int, str]:
    result = invoke("cards", *words)
    return result.exit_code, result.output


def test_a_new_box_is_right_and_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    assert run("new", str(path))[0] == 0
    code, said = run("check", str(path))
    assert (code, "nothing is wrong" in said) == (0, True)
    path.write_text(path.read_text("utf-8").replace("combat = 2", 'combat = "?"', 1), "utf-8")
    before = path.read_text("utf-8")
    assert run("new", str(path))[0] == 1
    assert path.read_text("utf-8") == before
    code, said = run("check", str(path))
    assert code == 1
    line = before.split("\n").index('combat = "?"') + 1
    assert f"{path}:{line}:" in said
    assert run("show", str(path))[0] == 0  # what is still unknown can be looked at


def test_every_mistake_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    run("new", str(path))
    text = path.read_text("utf-8").replace('do = "walk"', 'do = "fly"').replace("copies", "c")
    path.write_text(text.replace('"line3"', '"line9"'), "utf-8")
    code, said = run("check", str(path))
    assert code == 1
    assert said.count("is none of") == 4  # three walks and a formation


def test_numbers_are_shown_with_how_sure_they_are() -> None:
    code, said = run("show")
    assert code == 0
    lines = {line.split()[0]: line for line in said.splitlines() if line}
    assert lines["turret.cost"].split() == ["turret.cost", "2", "proposed"]
    assert lines["tank.combat"].split() == ["tank.combat", "2", "derived"]
    assert lines["war_bots.combat"].split() == ["war_bots.combat", "2", "stated"]


def test_formations_of_ones_own_are_drawn(tmp_path: Path) -> None:
    """A row of the board a line, each half a field further than the one above."""
    path = tmp_path / "mine.toml"
    run("new", str(path))
    own = "[formations]\nwedge = [[0, 0], [1, 0], [0, 1], [3, -1]]\n\n[[companions]]"
    path.write_text(path.read_text("utf-8").replace("[[companions]]", own, 1), "utf-8")
    code, said = run("show", str(path))
    assert code == 0
    assert "\nwedge\n       o\n  o o\n   o\n" in said


def test_no_such_box_is_said_in_a_sentence() -> None:
    code, said = run("show", "hosue")
    assert code == 1
    assert "house" in said


def test_each_card_of_ours_has_a_german_name() -> None:
    """Those of the rule book keep what is printed on them; of two the name is not known."""
    german = sentences("knee_deep", "de")
    cards = tomllib.loads((CARDS / "house.toml").read_text("utf-8"))["cards"]
    ours = {it["title"] for it in cards if it["source"] == "house" or "lost" in it["title"]}
    assert len(ours) == 16
    assert {it for it in ours if f"knee_deep.value.{it}" not in german} == set()

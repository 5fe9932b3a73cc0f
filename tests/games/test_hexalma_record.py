"""The written record of HexAlma (2.7): "1. b2-c3 i3-h4" under a few headers, and back."""

import json
from pathlib import Path
from random import Random

import pytest

from hexboard.games import hexalma
from hexboard.games.hexalma import Hexalma, record
from hexboard.words import Value
from hexboard.words.errors import BadText
from tests.cli import invoke

START = "WWWWW/WWWWWW/7/8/9/8/7/BBBBBB/BBBBB b"
GAME = f"Game: HexAlma\nOptions: repetition=off\nStart: {START}\n\n"
MOVES = "1. b1-c1 h1-g1\n2. c1-d1 g1-f1\n"


def line(*names: str, first: Hexalma | None = None) -> list[Hexalma]:
    found = [first or hexalma.start(None, {"repetition": "off"})]
    for name in names:
        found.append(found[-1].play(found[-1].action(name)))
    return found


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("", "Result: *\n"),
        ("b1-c1", "1. b1-c1\nResult: *\n"),
        ("b1-c1 h1-g1 c1-d1 g1-f1", f"{MOVES}Result: *\n"),
        ("b1-c1 resign", "1. b1-c1 resign white\nResult: Black wins\n"),
        ("draw b1-c1 draw draw", "1. draw black b1-c1 draw white draw black\nResult: draw\n"),
    ],
)
def test_a_game_as_its_rules_write_it(names: str, said: str) -> None:
    positions = line(*names.split())
    assert record.write(positions, (), "") == GAME + said
    assert dict(record.read(GAME + said).options) == {"repetition": "off"}
    assert record.read(GAME + said).start == START


def test_it_begins_with_what_a_host_has_set_also_with_white() -> None:
    ruled = hexalma.parse(START[:-1] + "w", None, {"repetition": "off"})
    positions = [*line("b1-c1"), *line("h1-g1", "b1-c1", first=ruled)]
    said = record.write(positions, (), "")
    assert said == GAME.replace(" b\n", " w\n") + "1. ... h1-g1\n2. b1-c1\nResult: *\n"
    assert record.read(said).moves == ("h1-g1", "b1-c1")


def test_remarks_heights_and_other_headers_may_stand_there() -> None:
    said = GAME.replace("Start", "White: Ann\nStart") + "1. b1-c1=1 {a quiet\nmove} h1-g1\n2. pass"
    assert record.read(said).moves == ("b1-c1=1", "h1-g1", "pass")


@pytest.mark.parametrize("text", ["", "1. b1-c1", "Game: Chess\nStart: x", "Game: HexAlma\n1. a"])
def test_what_is_no_record_is_said_to_be_none(text: str) -> None:
    with pytest.raises(BadText, match="no record of HexAlma"):
        record.read(text)


@pytest.mark.parametrize("seed", range(6))
def test_a_game_is_read_back(seed: int) -> None:
    options: dict[str, Value] = {"repetition": "off", "max_plies": 30} if seed % 2 else {}
    random = Random(seed)
    positions = [hexalma.start(None, options)]
    for _ in range(60):
        here = positions[-1]
        acts = [act for act in here.acts if here.refusal(act) is None and random.random() < 0.03]
        if moves := acts or list(here.legal):
            positions.append(here.play(random.choice(moves)))
    written = record.read(record.write(positions, (), ""))
    assert dict(written.options) == options
    assert line(*written.moves, first=positions[0])[-1] == positions[-1]


def run(*words: str | Path) -> tuple[int, str]:
    result = invoke(*words)
    return result.exit_code, result.output


def test_a_position_that_was_set_as_it_is_is_no_resignation() -> None:
    start, moved = line("b1-c1")
    written = record.write([start, start, moved], (), "")
    assert "resign" not in written


def test_what_is_read_is_a_game_that_goes_on(tmp_path: Path) -> None:
    text, kept = tmp_path / "game.txt", tmp_path / "game.json"
    text.write_text(GAME + MOVES, "utf-8")
    code, said = run("read", "hexalma", text, "-o", kept)
    assert (code, "4 moves are in" in said) == (0, True)
    assert json.loads(kept.read_text())["options"] == {"repetition": "off"}
    assert run("export", kept) == (0, f"{GAME}{MOVES}Result: *\n")
    before = kept.read_bytes()
    assert run("read", "hexalma", text, "-o", kept)[0] == 1  # what is there already stays
    assert kept.read_bytes() == before


@pytest.mark.parametrize(
    ("moves", "result", "comes_to"),
    [
        ("1. b1-c1 resign white", "White wins", "Black 1, White 0"),
        ("1. b1-c1 resign white", "draw", "Black 1, White 0"),
        ("1. b1-c1 resign white", "*", "Black 1, White 0"),
        ("1. b1-c1", "Black wins", "*"),
        ("1. b1-c1 resign white", "Black wins", ""),
        ("1. b1-c1", "*", ""),
        ("1. draw black b1-c1 draw white draw black", "draw", ""),
    ],
)
def test_a_result_that_the_moves_do_not_come_to_is_refused(
    moves: str, result: str, comes_to: str, tmp_path: Path
) -> None:
    text = tmp_path / "game.txt"
    text.write_text(f"{GAME}{moves}\nResult: {result}\n", "utf-8")
    code, said = run("read", "hexalma", text, "-o", tmp_path / "game.json")
    assert (code == 1, f"come to “{comes_to}”" in said) == (bool(comes_to), bool(comes_to))
    assert (tmp_path / "game.json").exists() == (not comes_to)


def test_a_move_that_is_not_allowed_is_named(tmp_path: Path) -> None:
    text = tmp_path / "game.txt"
    text.write_text(GAME + MOVES.replace("c1-d1", "a1-i1"), "utf-8")
    code, said = run("read", "hexalma", text, "-o", tmp_path / "game.json")
    assert (code, "Move 3, a1-i1, cannot be played" in said) == (1, True)
    assert not (tmp_path / "game.json").exists()
    assert "is read" in run("read", "hexel", text, "-o", tmp_path / "game.json")[1]


def test_who_played_stands_in_the_record_and_is_read_back() -> None:
    """A brace would be the beginning of a remark."""
    text = record.write(line("b1-c1"), ("Ann {A}", "Jürgen, B"), "2026-11-30")
    heads = "Game: HexAlma\nBlack: Ann (A)\nWhite: Jürgen, B\nDate: 2026-11-30\n"
    moves = "1. b1-c1\nResult: *\n"
    assert text == GAME.replace("Game: HexAlma\n", heads) + moves
    assert record.read(text).names == ("Ann (A)", "Jürgen, B")
    assert record.read(text).start == START
    assert record.write(line("b1-c1"), ("", ""), "") == GAME + moves
    assert record.read(GAME).names == ()

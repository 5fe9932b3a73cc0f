"""Puzzles: records with something to find, ours and anybody's; what solves them is tried out."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hexboard.board import plain
from hexboard.files import shipped
from hexboard.game import record, registry
from hexboard.game.match import Ruled
from hexboard.game.position import Piece
from hexboard.game.puzzle import Puzzle, Search, TooMuch, keys, puzzle
from hexboard.words.errors import BadText
from tests.cli import invoke
from tests.games import hexalma_slow as slow
from tests.games.bad_santa_slow import Slow
from tests.strangers import keep, one_file

OURS = sorted(shipped("puzzles").glob("*.txt"))
CHAIN = """\
Game: span
Title: One is missing
Find: Black wins at once.
Start: WWWWW...........BBBBBB...........W...

1. d1
Result: Black 1, White 0
"""
"""By hand: d2 to d7 hang together, d7 is on a side; c1, d1 and e1 touch d2 and are on the other."""


@pytest.fixture(autouse=True)
def stranger(tmp_path: Path) -> Iterator[None]:
    """Span, a game of somebody else, is there as well."""
    keep(tmp_path, "span", one_file("span"))
    registry.look_in(tmp_path / "games")
    yield
    registry.look_in(tmp_path / "nothing")


def read(text: str) -> Puzzle:
    return puzzle(record.read(text, "game.txt"))


def run(home: Path, *words: str | Path, input: str = "") -> tuple[int, str]:
    typed = ["--home", str(home), *map(str, words)]
    result = invoke(*typed, input=input)
    return result.exit_code, result.output


def stacks(text: str) -> tuple[slow.Stacks, str]:
    """A position of HexAlma, read for the slow engine: rows from i to a, digits for empty cells."""
    rows, side = text.split(" ")[:2]
    found: slow.Stacks = {}
    for letter, row in zip(reversed(slow.LETTERS), rows.split("/"), strict=True):
        number, inside = 1, ""
        for sign in row:
            if sign.isdigit():
                number += int(sign)
            elif sign == "(":
                inside = "("
            elif sign == ")":
                found[f"{letter}{number}"], inside = inside[1:], ""
                number += 1
            elif inside:
                inside += sign
            else:
                found[f"{letter}{number}"] = sign
                number += 1
    return found, side.upper()


def forced(here: slow.Stacks, side: str) -> set[tuple[str, str]]:
    """The moves after which a side wins at the beginning of its next turn, by the slow engine."""
    other = slow.OTHER[side]
    found = set()
    for move in slow.moves(here, side):
        after = slow.play(here, move)
        answers = [slow.play(after, reply) for reply in slow.moves(after, other)]
        if not slow.won(after, other) and answers and all(slow.won(it, side) for it in answers):
            found.add(move)
    return found


@pytest.mark.parametrize("file", OURS, ids=lambda it: it.stem)
def test_ours_are_solved_and_are_written_as_records_are(file: Path) -> None:
    text = file.read_text("utf-8")
    found = puzzle(record.read(text, file.name))
    assert record.write(found.record) == text
    assert found.wins
    assert found.solution[0] in keys(found)


@pytest.mark.parametrize(
    "file", [it for it in OURS if it.stem.startswith("hexalma")], ids=lambda it: it.stem
)
def test_the_slow_engine_finds_the_same_and_nothing_else(file: Path) -> None:
    found = puzzle(record.read(file.read_text("utf-8"), file.name))
    left, target = found.solution[0].replace(":", "-").split("-")
    assert forced(*stacks(str(found.first))) == {(left, target)}


def test_the_puzzle_of_the_documentation_is_one_of_ours() -> None:
    page = (Path(__file__).parents[2] / "docs/records.md").read_text("utf-8")
    shown = page.partition("## Puzzles")[2].split("```")[1].removeprefix("\n")
    assert shown in [file.read_text("utf-8") for file in OURS]


def test_ours_are_told_in_german_too(tmp_path: Path) -> None:
    for file in OURS:
        told = run(
            tmp_path, "--language", "de", "play", "--problem", file.stem, input="solution\n"
        )[1]
        found = read(file.read_text("utf-8"))
        assert "Finde den Zug." in told
        assert found.find not in told
        assert found.record.headers["Title"] not in told


def test_every_move_solves_it_that_forces_the_win_as_soon(tmp_path: Path) -> None:
    assert keys(read(CHAIN)) == ["c1", "d1", "e1"]
    file = tmp_path / "chain.txt"
    file.write_text(CHAIN, "utf-8")
    code, said = run(tmp_path, "check", file)
    assert (code, "a good puzzle file" in said) == (0, True)
    assert "3 first moves solve it: c1, d1, e1." in said
    code, said = run(tmp_path, "play", "--problem", file, input="b1\nf1\ne1\n")
    assert code == 0
    assert "Not f1. It does not win in time." in said
    assert said.endswith("Solved: Black 1, White 0.\n")


def test_who_tries_another_move_hears_the_answer_to_it(tmp_path: Path) -> None:
    code, said = run(tmp_path, "play", "--problem", "hexalma-1", input="c5:a5\nsolution\nc5:a3\n")
    assert code == 0
    answer = said.partition("Not c5:a5. It does not win any more after ")[2].split(".")[0]
    first = next(it for it in OURS if it.stem == "hexalma-1")
    here, side = stacks(str(read(first.read_text("utf-8")).first))
    after = slow.play(here, ("c5", "a5"))
    left, target = answer.replace(":", "-").split("-")
    assert (left, target) in slow.moves(after, slow.OTHER[side])
    assert not slow.won(slow.play(after, (left, target)), side)
    assert "The solution: c5:a3, " in said
    assert said.endswith("Solved: Black 0, White 1.\n")


def test_it_has_to_win_whatever_the_die_shows() -> None:
    """What solves it, by the slow engine: every three counters of which any one may go."""
    file = next(it for it in OURS if it.stem == "bad-santa-hex-1")
    found = puzzle(record.read(file.read_text("utf-8"), file.name))
    board = Slow("hex", {cell.id: (cell.q, cell.r) for cell in found.record.board.cells})
    lying = {piece.place: ("black", "white")[piece.seat] for piece in pieces(found.first)}
    solving: set[str] = set()
    board.stones = lying
    for three in board.turn("black", False, "max_reroll"):
        ends = []
        for given in three:
            board.stones = lying | dict.fromkeys(three, "black") | {given: "white"}
            ends.append(board.winner("black"))
        board.stones = lying
        solving |= three if set(ends) == {"black"} else set()
    assert {"a3", "e3"} < solving
    assert set(keys(found)) == solving


def pieces(position: Any) -> tuple[Piece, ...]:
    found: tuple[Piece, ...] = position.pieces()
    return found


def test_more_than_can_be_tried_is_no_answer() -> None:
    position = record.again("hexalma", plain("hexhex-5"), {}).match.position
    with pytest.raises(TooMuch):
        Search(0, most=1000).forces(position, 4)


@pytest.mark.long
def test_a_whole_game_is_too_long_to_be_tried(tmp_path: Path) -> None:
    match, random = record.again("hexalma", plain("hexhex-5"), {}).match, Random(5)
    while moves := list(match.position.legal):
        match.play(random.choice(moves))
    assert (len(match.line) > 300, match.position.scores) == (True, (1, 0))
    played = record.GameRecord(match, plain("hexhex-5"), {}, (), {"Find": "the win"})
    file = tmp_path / "long.txt"
    file.write_text(record.write(played), "utf-8")
    code, said = run(tmp_path, "check", file)
    assert (code, "is too much to try" in said) == (0, True)
    other = next(name for name in ("b1-c1", "b1-c2") if name != puzzle(played).solution[0])
    code, said = run(tmp_path, "play", "--problem", file, input=f"{other}\n")
    assert (code, f"Not {other}. The solution has another move; whether" in said) == (0, True)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Find: Black wins at once.\n", "", "asks for nothing"),
        ("1. d1\nResult: Black 1, White 0", "Result: *", "has no solution"),
        ("1. d1", "1. a1", "cannot be played"),
    ],
)
def test_what_is_no_puzzle_is_said(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in CHAIN
    file = tmp_path / "chain.txt"
    file.write_text(CHAIN.replace(old, new), "utf-8")
    code, told = run(tmp_path, "play", "--problem", file)
    assert (code, said in told) == (1, True)


def test_a_solution_that_does_not_force_its_win_is_refused(tmp_path: Path) -> None:
    text = next(it for it in OURS if it.stem == "hexalma-1").read_text("utf-8")
    found = read(text)
    match = record.again("hexalma", plain("hexhex-5"), {}, [Ruled(str(found.first), "", "")]).match
    for name in ("c5:a5", "a1-b2"):
        match.play(match.position.action(name))
    wrong = record.GameRecord(match, found.record.board, {}, (), found.record.headers)
    file = tmp_path / "wrong.txt"
    file.write_text(record.write(wrong), "utf-8")
    code, said = run(tmp_path, "check", file)
    assert (code, "c5:a5 does not win whatever others do" in said) == (1, True)


def test_a_puzzle_that_is_not_there_is_said_with_those_that_are(tmp_path: Path) -> None:
    code, said = run(tmp_path, "play", "--problem", "hexalma-9")
    assert (code, "hexalma-1, hexalma-2" in said) == (1, True)
    assert "goes alone" in run(tmp_path, "play", "hexalma", "--problem", "hexalma-1")[1]
    assert "Name a GAME" in run(tmp_path, "play")[1]


def test_a_puzzle_asks_for_a_seat_to_begin() -> None:
    with pytest.raises(BadText, match="chance begins"):
        read(
            "Game: bad-santa-hex\nOption: size=5\nFind: the die\n"
            "Start: ...../.1.../...2./...../..... B 1\n\n1. die 1\nResult: *\n"
        )

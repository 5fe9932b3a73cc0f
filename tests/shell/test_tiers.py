"""A board that is built in part: a board file of its own that is played, and what people say."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hexboard.board import Board, find, load
from hexboard.commands.cli import main
from hexboard.facts import Declare, Fact
from hexboard.games.hextraction.simulator.evening import Evening
from tests.running import Running

NAME = "hextraction-22"
TURNS = 12


def hexboard(home: Path, *words: object) -> Result:
    return CliRunner().invoke(main, ["--home", str(home), *map(str, words)])


def board_of(folder: Path, tier: str) -> Board:
    """The board file that is written of a tier of ours, read again."""
    result = hexboard(folder, "build", NAME, "--tier", tier, "-o", folder / tier)
    assert result.exit_code == 0, result.output
    (path,) = (folder / tier).glob("*.toml")
    assert hexboard(folder, "check", path).output == f"{path}: a good board file\n"
    return load(path)


def test_a_tier_is_a_board_whose_sensors_move_up_the_chain(tmp_path: Path) -> None:
    """Of load, gate, throat, floor, seat and rail there are 6, 6, 6, 2, 22 and 1: six registers."""
    board = board_of(tmp_path, "ends")
    assert (board.name, len(board.pixels)) == ("hextraction-22-ends", 132)
    assert [sensor.input for sensor in board.sensors] == [*range(6 + 6 + 6 + 2 + 22 + 1)]
    assert board.sensors[-1].id == "rail:main"
    with (tmp_path / "ends" / "chain.csv").open(encoding="utf-8") as file:
        chain = [*csv.DictReader(file)]
    assert [it["register"] for it in chain] == [*"012345"]
    assert (chain[5]["C"], chain[5]["D"], chain[5]["next"]) == (
        "rail:main",
        "3.3 V",
        "SER to ground",
    )


def test_the_whole_of_a_board_is_the_board_itself(tmp_path: Path) -> None:
    assert board_of(tmp_path, "everything").hash == load(find(NAME)).hash


@pytest.mark.parametrize(
    ("tier", "says"),
    [
        ("lights", "when a ball sets off, and from which lane (load 0 of 6, gate 0 of 6)"),
        ("lights", "(edge 0 of 49, exit 0 of 22, fall 0 of 22, throat 0 of 6, floor 0 of 2)"),
        ("lights", "that a tile lies as it was played (seat 0 of 22)"),
        ("ends", "where each ball ends that no sensor sees (edge 0 of 49, exit 0 of 22, fall 0"),
        ("everything", "all that happens on it is felt"),
    ],
)
def test_a_tier_says_what_people_say_in_it(tmp_path: Path, tier: str, says: str) -> None:
    board_of(tmp_path, tier)
    (path,) = (tmp_path / tier).glob("*.toml")
    built = hexboard(tmp_path, "build", NAME, "--tier", tier, "-o", tmp_path / tier)
    seen = hexboard(tmp_path, "doctor", "--simulate", "--state", tmp_path / "state", path)
    for told in (built.output, seen.output):
        (line,) = [line for line in told.splitlines() if f"Tier {tier}: " in line]
        assert says in line
        assert ("a ball sets off" in line) == (tier == "lights")


def test_a_board_of_plain_cells_says_how_moves_are_told(tmp_path: Path) -> None:
    told = hexboard(tmp_path, "build", "hexhex-5", "-o", tmp_path / "out").output
    assert "Tier lights: people say each move on the page, or a camera sees" in told
    felt = find("hexhex-5").read_text("utf-8").replace("[build]", SEATS, 1)
    (tmp_path / "felt.toml").write_text(felt, "utf-8")
    told = hexboard(tmp_path, "build", tmp_path / "felt.toml", "-o", tmp_path / "out").output
    assert "people touch the cells that they move from and to." in told


SEATS = '[[sensors]]\nkind = "seat"\n\n[build]'


def test_a_tier_that_is_none_is_told_with_those_that_are(tmp_path: Path) -> None:
    told = hexboard(tmp_path, "build", NAME, "--tier", "end", "-o", tmp_path / "out")
    says = "no tier “end”. Did you mean “ends”? Known: lights, ends, everything."
    assert (told.exit_code, says in told.output) == (1, True)
    assert not (tmp_path / "out").exists()


def test_a_tier_draws_what_its_own_beams_draw(tmp_path: Path) -> None:
    """2 A of lights and 10 mA for each of 20 beams, or of none."""
    for tier, most in (("lights", 2000), ("ends", 2200), ("everything", 3130)):
        told = hexboard(tmp_path, "build", NAME, "--power", "--tier", tier).output
        assert f"5 V: {most} mA at most" in told


@pytest.mark.parametrize(("tier", "declared"), [("lights", True), ("ends", False)])
def test_each_tier_is_played_and_people_say_what_it_does_not_feel(
    tmp_path: Path, tier: str, declared: bool
) -> None:
    said: list[str] = []

    def keep(fact: Fact, told: object) -> None:
        if isinstance(fact.body, Declare):
            said.append(fact.body.action.partition(" ")[0])

    played = Evening(board_of(tmp_path, tier), 1, 1400, keep)
    played.play(TURNS)
    assert played.questions > 0
    assert ("roll" in said) == declared
    assert (played.edges > 0) != declared


def test_run_says_which_tier_it_plays(start: Callable[..., Running], tmp_path: Path) -> None:
    board_of(tmp_path, "ends")
    running = start(tmp_path / "ends" / "hextraction-22-ends.toml")
    says = "Tier ends: people say where each ball ends that no sensor sees"
    assert [says in line for line in running.began.splitlines()].count(True) == 1

"""A board that is built in part: a board file of its own that is played, and what people say."""

import csv
import re
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from hexboard.board import Board, find, load
from hexboard.facts import Declare, Fact
from hexboard.files import shipped
from hexboard.games.hextraction.simulator.evening import Evening
from tests.cli import invoke
from tests.running import Running

NAME = "hextraction-22"
TURNS = 12


def board_of(folder: Path, tier: str) -> Board:
    """The board file that is written of a tier of ours, read again."""
    result = invoke("build", NAME, "--tier", tier, "-o", folder / tier, home=folder)
    assert result.exit_code == 0, result.output
    (path,) = (folder / tier).glob("*.toml")
    assert invoke("check", path, home=folder).output == f"{path}: a good board file\n"
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


@pytest.mark.parametrize(("tier", "sensors"), [("lights", 1), ("ends", 43), ("everything", 136)])
def test_a_button_that_somebody_adds_is_in_each_tier(
    tmp_path: Path, tier: str, sensors: int
) -> None:
    """The button of docs/lights.md, and what that page says a board of 17 full registers needs."""
    page = (Path(__file__).parents[2] / "docs" / "lights.md").read_text("utf-8")
    (button,) = re.findall(r"(?<=\n)    \[\[sensors\]\]\n(?:    .+\n)+", page)
    (registers,) = re.findall(r"`(registers = \d+)` under `\[build\]`", page)
    whole = find(NAME).read_text("utf-8").replace("registers = 17", registers)
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / f"{NAME}.toml").write_text(
        whole.replace("[pixels]", f"{dedent(button)}\n[pixels]"), "utf-8"
    )
    out = tmp_path / tier
    built = invoke("build", NAME, "--tier", tier, "-o", out, home=tmp_path)
    assert built.exit_code == 0, built.output
    (path,) = [*out.glob("*.toml"), tmp_path / "boards" / f"{NAME}.toml"][:1]
    assert invoke("check", path, home=tmp_path).output == f"{path}: a good board file\n"
    board = load(path)
    assert board.sensor["button:lights"].input == sensors
    assert len(board.sensors) == sensors + 1


@pytest.mark.long
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
    built = invoke("build", NAME, "--tier", tier, "-o", tmp_path / tier, home=tmp_path)
    seen = invoke("doctor", "--simulate", "--state", tmp_path / "state", path, home=tmp_path)
    for told in (built.output, seen.output):
        (line,) = [line for line in told.splitlines() if f"Tier {tier}: " in line]
        assert says in line
        assert ("a ball sets off" in line) == (tier == "lights")


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "cells"), [("hexhex-5", 61), ("rhombus-11", 121), ("table", 61), ("flowers-31", 217)]
)
def test_a_tier_adds_a_touch_to_each_cell(tmp_path: Path, name: str, cells: int) -> None:
    result = invoke("build", name, "--tier", "touch", "-o", tmp_path / "touch", home=tmp_path)
    assert result.exit_code == 0, result.output
    assert "Tier touch: people touch the cells that they move from and to." in result.output
    (path,) = (tmp_path / "touch").glob("*.toml")
    assert invoke("check", path, home=tmp_path).output == f"{path}: a good board file\n"
    board = load(path)
    assert board.name == f"{name}-touch"
    assert [sensor.input for sensor in board.sensors] == [*range(cells)]
    assert {sensor.id for sensor in board.sensors} == {f"seat:{cell.id}" for cell in board.cells}
    with (tmp_path / "touch" / "chain.csv").open(encoding="utf-8") as file:
        assert len([*csv.DictReader(file)]) == -(-cells // 8)
    again = invoke("build", path, "--tier", "touch", "-o", tmp_path / "again", home=tmp_path)
    assert again.exit_code == 0, again.output


@pytest.mark.parametrize(
    ("name", "adds", "says"),
    [
        ("rhombus-17", '["seat"]', "289 inputs; the firmware reads 256"),
        ("hexhex-5", '["gate"]', "a tier adds sensors that each cell can have, which gate is not"),
    ],
)
def test_what_no_tier_can_add_is_refused(tmp_path: Path, name: str, adds: str, says: str) -> None:
    shipped = find("rhombus-11" if name == "rhombus-17" else name).read_text("utf-8")
    text = shipped.replace("rhombus-11", name).replace("tiers = [{", "#", 1)
    path = tmp_path / "it.toml"
    path.write_text(f'{text}\n[[build.tiers]]\nid = "more"\nadds = {adds}\n', "utf-8")
    told = invoke("check", path, home=tmp_path)
    assert told.exit_code == 1
    assert says in told.output


@pytest.mark.long
def test_a_disc_is_moved_by_touching_the_cells_of_that_tier(
    start: Callable[..., Running], tmp_path: Path
) -> None:
    invoke("build", "hexhex-5", "--tier", "touch", "-o", tmp_path / "touch", home=tmp_path)
    running = start(tmp_path / "touch" / "hexhex-5-touch.toml", "--game", "hexalma", speed=1)
    with running.page() as page:
        page.until(lambda s: any(x["source"] == "pico" and x["up"] for x in s["links"]))
        page.send("ruling", do="right")
        page.hand("tap", "b1")
        page.until(lambda s: ["b1", "picked", 0] in s["marks"])
        page.hand("tap", "c1")
        page.until(lambda s: any(piece[0] == "c1" for piece in s["pieces"]))


def test_a_board_of_plain_cells_says_how_moves_are_told(tmp_path: Path) -> None:
    told = invoke("build", "hexhex-5", "-o", tmp_path / "out", home=tmp_path).output
    assert "Tier lights: people say each move on the page, or a camera sees" in told
    felt = find("hexhex-5").read_text("utf-8").replace("[build]", SEATS, 1)
    (tmp_path / "felt.toml").write_text(felt, "utf-8")
    told = invoke("build", tmp_path / "felt.toml", "-o", tmp_path / "out", home=tmp_path).output
    assert "people touch the cells that they move from and to." in told


SEATS = '[[sensors]]\nkind = "seat"\n\n[build]'


def test_a_tier_that_is_none_is_told_with_those_that_are(tmp_path: Path) -> None:
    told = invoke("build", NAME, "--tier", "end", "-o", tmp_path / "out", home=tmp_path)
    says = "no tier “end”. Did you mean “ends”? Known: lights, ends, everything."
    assert (told.exit_code, says in told.output) == (1, True)
    assert not (tmp_path / "out").exists()


def test_a_tier_draws_what_its_own_beams_draw(tmp_path: Path) -> None:
    """2 A of lights and 10 mA for each of 20 beams and 22 seats, of 135 of both, or of none."""
    for tier, most in (("lights", 2000), ("ends", 2420), ("everything", 3350)):
        told = invoke("build", NAME, "--power", "--tier", tier, home=tmp_path).output
        assert f"5 V: {most} mA at most" in told


@pytest.mark.long
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


@pytest.mark.long
def test_run_says_which_tier_it_plays(start: Callable[..., Running], tmp_path: Path) -> None:
    board_of(tmp_path, "ends")
    running = start(tmp_path / "ends" / "hextraction-22-ends.toml")
    says = "Tier ends: people say where each ball ends that no sensor sees"
    assert [says in line for line in running.began.splitlines()].count(True) == 1


@pytest.mark.long
def test_people_are_asked_as_often_as_the_bill_says(tmp_path: Path) -> None:
    """hardware/bill.md, *Three tiers*."""
    page = " ".join(shipped("bill.md").read_text("utf-8").split())
    for tier in ("lights", "ends", "everything"):
        board_of(tmp_path, tier)
        (path,) = (tmp_path / tier).glob("*.toml")
        state = tmp_path / f"played-{tier}"
        result = invoke("run", path, "--simulate", "--fast", "--state", state, home=tmp_path)
        asked = re.search(r"^100 turns, .* (\d+) questions\.", result.output, re.MULTILINE)
        assert asked, result.output
        assert f"{asked[1]} times with `{tier}`" in page

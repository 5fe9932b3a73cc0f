"""hardware/guide.md: commands can be given, both languages say the same, pictures are today's."""

import csv
import re
import shlex
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hexboard.board import find
from hexboard.commands.build.sheets import sheets
from hexboard.commands.build.tiers import tiered
from tests.cli import invoke

HARDWARE = Path(__file__).parents[1] / "hardware"
GUIDES = (HARDWARE / "guide.md", HARDWARE / "guide.de.md")
PICTURES = HARDWARE / "pictures"


def commands(guide: Path) -> list[list[str]]:
    """The words of each command, without what is said of it."""
    lines = re.findall(r"^    hexboard (.*)$", guide.read_text("utf-8"), re.MULTILINE)
    return [shlex.split(line, comments=True) for line in lines]


def test_both_languages_give_the_same_commands_and_link_to_the_same_pages() -> None:
    one, other = (guide.read_text("utf-8") for guide in GUIDES)
    assert commands(GUIDES[0]) == commands(GUIDES[1])
    links = [set(re.findall(r"\]\(([^)]+)\)", text)) for text in (one, other)]
    assert links[0] - {"guide.de.md"} == links[1] - {"guide.md"}
    assert [text.count("\n## ") for text in (one, other)] == [5, 5]
    assert [text.count("\n### ") for text in (one, other)] == [12, 12]
    assert [text.count("\n| ") for text in (one, other)] == [one.count("\n| ")] * 2


@pytest.mark.parametrize("words", commands(GUIDES[0]), ids=" ".join)
def test_every_command_can_be_given(words: list[str], tmp_path: Path) -> None:
    """Each option that it names is one; the board files are those that `build` writes: of a tier,
    or beside the circuit boards (tests/shell/test_module.py)."""
    told = invoke(*words, "--help")
    assert told.exit_code == 0, told.output
    assert all(option in told.output for option in words if option.startswith("-"))
    for board in (word for word in words if word.endswith(".toml")):
        if board.endswith("-boards.toml"):
            assert ["build", "hextraction-22", "--module", "-o", "boards"] in commands(GUIDES[0])
            continue
        tier = board.partition("/")[0]
        out = tmp_path / tier
        invoke("build", "hextraction-22", "--tier", tier, "-o", out)
        assert find(str(tmp_path / board)).is_file()


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_what_the_printed_parts_hold_comes_first(guide: Path) -> None:
    """Circuit boards: they are ordered, tested alone and in a chain before printed parts are put
    together, and nothing is played before."""
    _, _, main, *tiers = guide.read_text("utf-8").split("\n## ")
    orders = ["--module", "firmware install", "firmware test", "lights test", "(printing.md#put-"]
    found = [main.index(it) for it in (*orders, "firmware test\n\n### f", "hexboard run")]
    assert found == sorted(found)
    assert all("--module" not in it for it in tiers)
    page = (HARDWARE / "printing.md").read_text("utf-8").partition("\n## Put together")[2]
    first, last = page.index("steps a to d"), page.index("step f of [the guide]")
    assert first < page.index("\n1. Frame") < page.index("\n3. Light rings") < last


def test_where_the_lights_are_goes_into_the_file_that_is_played_on() -> None:
    """The wizard asks for each sensor of a board: there is one then, the rail."""
    given = commands(GUIDES[0])
    (wiring,) = [words for words in given if words[:2] == ["calibrate", "wiring"]]
    played = next(words for words in given if words[0] == "run" and "lights/" in words[1])
    assert wiring[2] == played[1]
    assert given.index(["firmware", "install", "--board", played[1]]) < given.index(wiring)


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_each_tier_says_how_its_board_is_there_at_every_start(guide: Path) -> None:
    """The settings name the very board that the tier's last command plays on."""
    for tier in guide.read_text("utf-8").split("\n## ")[2:]:
        (played,) = re.findall(r"^    hexboard run (\S+) --lan$", tier, re.MULTILINE)
        (kept,) = re.findall(r'^    board = "(.*)"$', tier, re.MULTILINE)
        assert kept in (played, f"/home/pi/{played}")


def test_it_says_which_wires_move_from_tier_to_tier() -> None:
    lights, ends, whole = (
        tiered(find("hextraction-22"), tier).board for tier in ("lights", "ends", "everything")
    )
    moved = [
        [sensor for sensor in old.sensors if new.sensor[sensor.id].input != sensor.input]
        for old, new in ((lights, ends), (ends, whole))
    ]
    (rail,), many = moved
    register = ends.sensor[rail.id].input // 8
    kinds = list(dict.fromkeys(sensor.kind for sensor in many))
    for guide, joined in zip(GUIDES, ("and", "und"), strict=True):
        text = guide.read_text("utf-8")
        assert re.search(rf"`{rail.kind}`, \w+ \w+ 0 \w+ \w+ {register}\.", text)
        *most, last = (f"`{kind}`" for kind in kinds)
        assert f"{', '.join(most)} {joined} {last}, {len(many)} " in text


def test_it_says_what_comes_off_its_tie_from_tier_to_tier() -> None:
    """By the chain.csv of each: free inputs at 3.3 V that get a sensor, SER that was at ground."""
    found = []
    for tier in ("lights", "ends", "everything"):
        it = tiered(find("hextraction-22"), tier)
        rows = csv.DictReader(sheets(it.board, it.plan)["chain.csv"].splitlines())
        found.append({row["register"]: row for row in rows})
    for old, new in pairwise(found):
        (register,) = [k for k, row in old.items() if row["next"] != new[k]["next"]]
        freed = [
            (k, name)
            for k, row in old.items()
            for name in "ABCDEFGH"
            if row[name] == "3.3 V" != new[k][name]
        ]
        assert {k for k, _ in freed} == {register}
        first, last = freed[0][1], freed[-1][1]
        for guide, to in zip(GUIDES, ("to", "bis"), strict=True):
            text = guide.read_text("utf-8")
            pattern = rf"^.*\bregister {register}\b.*\b{first} {to} {last}\b.*\bSER\b.*$"
            (said,) = re.findall(pattern, text, re.MULTILINE | re.IGNORECASE)
            assert f" {len(freed)} " in said


def test_its_pictures_are_what_is_built_today() -> None:
    lights = tiered(find("hextraction-22"), "lights")
    files = sheets(lights.board, lights.plan)
    assert (PICTURES / "slot.svg").read_text("utf-8") == files["slots/C3.svg"]
    drawn = {it.text for it in ElementTree.parse(PICTURES / "cables-lights.svg").iter() if it.text}
    for word in re.findall(r'"(?:type|notes)": "([^"]+)"', files["cables.yml"]):
        assert word in drawn, "draw it anew: wireviz -f s cables.yml"
    assert {"Pico", "Register 0", "Level shifter", "Fuse main", "Lights main"} <= drawn

"""`hexboard tiles` checks, shows and draws tiles, ours and one's own."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import Result

from hexboard.files import shipped
from hexboard.games.hextraction.tiles.catalogue import everything
from hexboard.games.hextraction.tiles.conditions import told
from hexboard.games.hextraction.tiles.effects import (
    CAUSES,
    EXTRAS,
    MODIFIED,
    OPERATIONS,
    WORDS,
    Operation,
)
from hexboard.games.hextraction.tiles.lint import COUNTS_AS, SURE
from hexboard.games.hextraction.tiles.tile import Described
from hexboard.words import say, sentences
from tests.cli import invoke
from tests.games.test_tiles import CARD

SPACE = "{http://www.w3.org/2000/svg}"


def tiles(home: Path, *words: str | Path) -> Result:
    return invoke("tiles", *words, home=home)


def test_check_passes_the_folder_of_tiles_that_comes_with_tiles(tmp_path: Path) -> None:
    result = tiles(tmp_path, "check", shipped("tiles"))
    assert result.exit_code == 0
    assert result.output.count("a good tile\n") == len(list(shipped("tiles").rglob("*.toml"))) > 40


def test_check_tells_every_mistake_of_every_file_and_fails(tmp_path: Path) -> None:
    (tmp_path / "A.toml").write_text(CARD.replace('"roller"', '"mum"'), "utf-8")
    (tmp_path / "B.toml").write_text(CARD.replace("star = true", "star = false"), "utf-8")
    result = tiles(tmp_path, "check", tmp_path / "B.toml", tmp_path / "A.toml")
    assert result.exit_code == 1
    first, second = result.output.splitlines()
    assert first.startswith(f"{tmp_path}/B.toml:9: star: ")
    assert second.startswith(f"{tmp_path}/A.toml:23: ")


def test_check_without_a_place_takes_ones_own_tiles(tmp_path: Path) -> None:
    assert "no tile files" in tiles(tmp_path, "check").output
    (tmp_path / "tiles").mkdir()
    (tmp_path / "tiles" / "Mine.toml").write_text(CARD, "utf-8")
    assert "Mine, a good tile" in tiles(tmp_path, "check").output


def test_show_tells_a_tile_in_words(tmp_path: Path) -> None:
    told = tiles(tmp_path, "show", "CartoonBomb").output.splitlines()
    assert told[0] == "Cartoon Bomb (CartoonBomb, published)"
    assert "A dead end behind edge 1" in told
    done = "destroy (tiles self); destroy (tiles adjacent)"
    assert f"Trigger (chamber) if at least 3 balls touch it: {done}" in told


def test_show_lists_ours_and_ones_own(tmp_path: Path) -> None:
    (tmp_path / "tiles").mkdir()
    (tmp_path / "tiles" / "Mine.toml").write_text(CARD, "utf-8")
    listed = [line.split()[:2] for line in tiles(tmp_path, "show").output.splitlines()]
    assert ["Asterisk", "basic"] in listed
    assert ["BlueFlag", "demo"] in listed
    assert ["Mine", "own"] in listed


def test_a_tile_that_is_not_there_is_told_with_the_nearest(tmp_path: Path) -> None:
    result = tiles(tmp_path, "show", "Clne")
    assert result.exit_code == 1
    assert "Did you mean “Clone”?" in result.output


def test_draw_marks_channels_sockets_triggers_and_a_ramp(tmp_path: Path) -> None:
    path = tmp_path / "Clone.svg"
    assert tiles(tmp_path, "draw", "Clone", "-o", path).exit_code == 0
    kinds = [shape.get("class") for shape in ET.parse(path).getroot() if shape.get("class")]
    assert kinds == ["tile", "channel", "socket", "socket", "trigger", "ramp", "name"]


def test_every_tile_is_drawn_well_formed_and_within_the_picture(tmp_path: Path) -> None:
    from hexboard.games.hextraction.tiles.catalogue import everything
    from hexboard.games.hextraction.tiles.drawing import svg

    for tile in everything().values():
        for shape in ET.fromstring(svg(tile)):
            for pair in (shape.get("points") or "").split():
                x, y = map(float, pair.split(","))
                assert abs(x) < 40
                assert abs(y) < 36


def test_a_name_with_signs_of_its_own_is_still_well_formed(tmp_path: Path) -> None:
    path = tmp_path / "Mine.toml"
    path.write_text(CARD.replace('name = "Mine"', 'name = "<A & B>"'), "utf-8")
    out = tmp_path / "x.svg"
    assert tiles(tmp_path, "draw", path, "-o", out).exit_code == 0
    title = ET.parse(out).getroot().find(f"{SPACE}title")
    assert title is not None
    assert title.text == "<A & B>"


@pytest.mark.parametrize("into", ["Mine.toml", "x.svg", "x.png"])
def test_a_tile_is_not_drawn_over_its_file_nor_into_another_kind(tmp_path: Path, into: str) -> None:
    path = tmp_path / "Mine.toml"
    path.write_text(CARD, "utf-8")
    (tmp_path / "x.svg").symlink_to(path)
    assert tiles(tmp_path, "draw", path, "-o", tmp_path / into).exit_code == 2
    assert path.read_text("utf-8") == CARD
    assert not (tmp_path / "x.png").exists()


@pytest.mark.long
def test_run_refuses_a_bad_tile_of_ones_own_before_it_opens_anything(tmp_path: Path) -> None:
    (tmp_path / "tiles").mkdir()
    (tmp_path / "tiles" / "Mine.toml").write_text(CARD.replace("star = true", "star = false"))
    words = ("run", "--simulate", "--port", "0", "--state", str(tmp_path / "state"))
    result = invoke(*words, home=tmp_path)
    assert result.exit_code == 1
    assert result.output.startswith(f"{tmp_path}/tiles/Mine.toml:9: star: ")
    assert not (tmp_path / "state").exists()


# ------------------------------------------------------------------------------------- the page

PAGE = (Path(__file__).parents[2] / "docs" / "tiles.md").read_text("utf-8")


def test_the_tile_on_the_page_is_good_with_and_without_its_effect(tmp_path: Path) -> None:
    tile, effect = (part.split("```")[0] for part in PAGE.split("```toml\n")[1:])
    path = tmp_path / "Mine.toml"
    path.write_text(tile, "utf-8")
    assert tiles(tmp_path, "check", path).exit_code == 0
    lane = '\n[[triggers]]\nid = "lane"\nedges = [1, 4]\n\n'
    sure = 'sockets = "stated"\neffects = "stated"\n'
    path.write_text(tile.replace('sockets = "stated"\n', sure) + lane + effect, "utf-8")
    assert tiles(tmp_path, "check", path).output.endswith("a good tile\n")


def test_a_tile_and_a_board_are_told_in_german(tmp_path: Path) -> None:
    def told(*words: str) -> list[str]:
        command = ["--home", str(tmp_path), "--language", "de", *words]
        return invoke(*command).output.splitlines()

    assert told("tiles", "show", "tally") == told("tiles", "show", "Tally")
    assert told("tiles", "show", "Tally") == [
        "Tally (Tally, demo, gehört hexboard)",
        "Woher: von uns",
        "Verbindet die Kanten 2 - 4 - 6",
        "Aussparungen an den Kanten 2, 4, 6",
        "Auslöser fork auf dem Weg 2 - 4 - 6",
        "Auslöser (fork): zählen (Name passes, um 1)",
        "Dauernd, wenn gilt: sein Zähler „passes“ steht auf 3 oder mehr: wer dran ist zieht "
        "(Anzahl 1); zerstören (Plättchen dieses)",
        "Wie sicher: Wege angenommen, Aussparungen angenommen, Effekte belegt",
    ]
    assert told("show", "hextraction-22")[:2] == [
        "hextraction-22: Hextraction, 22 Felder, 50 mm zwischen Feldern",
        "22 Felder, 49 Kanten, 6 Bahnen",
    ]


ENGLISH = {word for words in WORDS.values() for word in words} | {*EXTRAS, *MODIFIED, *SURE}
KEYS = {name for name in Operation.__struct_fields__ if name not in ("op", "name")}
SPOKEN = {word for it in ENGLISH | KEYS | {*COUNTS_AS} for word in it.split("_")} | {
    *("not", "rolled", "full", "power", "on", "through", "row", "installed", "below", "count")
}
"""Words of tile files; German has none of them in common, but `hand`, which it writes otherwise."""


def test_no_shipped_tile_shows_english_in_german(tmp_path: Path) -> None:
    found = {}
    for tile in everything().values():
        line = ["--home", str(tmp_path), "--language", "de", "tiles", "show", tile.id]
        _, *rest = invoke(*line).output.splitlines()
        places = ("triggers", "holes", "pockets", "ramps", "parts")
        named = [it for kind in places for it in getattr(tile, kind, ())]
        names = {it.id for it in named} | {s for it in named for s in getattr(it, "states", ())}
        words = set(re.findall(r"\w+", "\n".join(rest)))
        found[tile.id] = (words & SPOKEN) - names - {"was", "in", "um"}
    assert {tile: words for tile, words in found.items() if words} == {}


def test_every_text_of_a_shipped_tile_has_its_german() -> None:
    german = sentences("hextraction", "de")
    described = [it for it in everything().values() if isinstance(it, Described)]
    effects = [effect for it in described for effect in it.effects]
    texts = {it.text for it in described} | {text for it in effects for text in (it.text, it.ask)}
    texts |= {do.text for it in effects for do in it.do} | {
        x.name for t in described for x in t.items
    }
    assert {it for it in texts - {""} if f"hextraction.value.{it}" not in german} == set()
    assert len(texts) > 5


@pytest.mark.parametrize(
    ("conditions", "en", "de"),
    [
        (("part switch = off",), "switch stands at off", "switch steht auf off"),
        (("not top_row",), "its slot is not in the top row", "sein Feld ist nicht in der obersten"),
        (("balls_on_self = 0",), "no ball touches it", "keine Kugel berührt es"),
        (("balls_on_self >= 1",), "at least 1 ball touches it", "mindestens 1 Kugel berührt es"),
        (("not count passes >= 3",), "its count “passes” is less than 3", "auf weniger als 3"),
        (("installed X", "power_on"), "X is on the board and the tiles have power", " und die Pl"),
    ],
)
def test_a_condition_is_said_in_words(conditions: tuple[str, ...], en: str, de: str) -> None:
    assert say(told(conditions)) == en
    assert de in say(told(conditions), "de")


def test_every_word_of_a_cause_and_an_operation_has_its_german() -> None:
    german = sentences("hextraction", "de")
    words = {*CAUSES.values(), *(form.words for form in OPERATIONS.values())}
    words |= {it.source for it in everything().values()} - {"rulebook"}
    lacking = {it for it in words if f"hextraction.value.{it}" not in german}
    assert lacking == {"by hand"}  # `manual` says what


def test_the_page_lists_every_operation_with_what_it_needs() -> None:
    rows = {
        cells[1].strip("` "): {word.strip("` ") for word in (cells[2] + "," + cells[3]).split(",")}
        for line in PAGE.splitlines()
        if len(cells := line.split("|")) == 5
    }
    for op, form in OPERATIONS.items():
        assert rows[op] - {""} == {*form.needs, *form.may}


def test_the_referee_on_a_pipe_knows_ones_own_tiles(tmp_path: Path) -> None:
    (tmp_path / "tiles").mkdir()
    file = tmp_path / "tiles" / "Mine.toml"
    file.write_text(CARD, "utf-8")
    words = ["--home", str(tmp_path), "referee", "hextraction"]
    asked = '{"do":"act","action":"play Mine C3 0"}'
    done = invoke(*words, input=asked)
    assert json.loads(done.output)["events"][0]["tile"] == "Mine"
    without = invoke(*words, "--option", "tiles=", input=asked)
    assert not json.loads(without.output)["ok"]
    file.write_text(CARD.replace('"roller"', '"mum"'), "utf-8")
    bad = invoke(*words)
    assert bad.exit_code == 1
    assert "Mine.toml:23: " in bad.output

"""Files people write: every mistake is told at once, in words, where it stands."""

import json
import os
import re
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hexboard.board import find, load, plain
from hexboard.board.file import _loaded
from hexboard.files import chosen_file, contents, shipped
from hexboard.games import knee_deep
from hexboard.games.hextraction.tiles.catalogue import load_tile
from hexboard.games.knee_deep.ground import ground, written
from hexboard.settings import EXAMPLE, Settings
from hexboard.settings import load as load_settings
from hexboard.words import say
from hexboard.words.errors import BadFile
from tests.cli import invoke

BOARD = shipped("boards", "hextraction-22.toml").read_text("utf-8")
TILE = shipped("tiles", "basic", "X.toml").read_text("utf-8")
SMALL = """\
schema = "hexboard/board-1"
name = "mine"
title = "My board"
flat_top = true

[[cells]]
id = "A"
q = 0
r = 0

[[cells]]
id = "B"
q = 0
r = 1

[[ramps]]
cell = "A"
edges = [1]

[[zones]]
id = "Z"
cell = "B"
edges = [4]

[[sensors]]
kind = "edge"
first_input = 0

[[sensors]]
kind = "fall"
first_input = 1

[pixels]
edges = [0]

[[rails]]
id = "main"
limit_ma = 100
"""


def mistakes(tmp_path: Path, text: str | bytes, read: Callable[[Path], object] = load) -> list[str]:
    """What a file is told, a sentence each, with its name shortened."""
    path = tmp_path / "it.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BadFile) as caught:
        read(path)
    return str(caught.value).replace(str(path), "it.toml").splitlines()


def line_of(text: str, part: str, nth: int = 1) -> int:
    """The line (from 1) of the nth occurrence of `part`."""
    return [n for n, row in enumerate(text.splitlines(), 1) if part in row][nth - 1]


def changed(old: str, new: str, nth: int = 1, text: str = SMALL) -> str:
    """`text` with the nth occurrence of `old` replaced."""
    parts = text.split(old)
    return old.join(parts[:nth]) + new + old.join(parts[nth:])


def test_the_small_board_is_good(tmp_path: Path) -> None:
    path = tmp_path / "it.toml"
    path.write_text(SMALL, "utf-8")
    board = load(path)
    assert [sensor.id for sensor in board.sensors] == ["edge:A-B", "fall:A", "fall:B"]
    assert board.neighbour("A", 4) == "B"


# ------------------------------------------------------------------------- one mistake at a time

ONE = [
    # (what is written, what the mistake says, on the line of)
    (changed("first_input", "frist_input", 2), "Did you mean “first_input”?", "frist_input"),
    (changed("title =", "titel ="), "the key “title” is missing", 'schema = "'),
    (changed("title =", "qwxyz ="), "Known here: schema, name, title", "qwxyz"),
    (changed("q = 0", 'q = "0"'), "Expected `int`, got `str`", 'q = "0"'),
    (changed("edges = [1]", "edges = [1.5]"), "Expected `int`, got `float`", "edges = [1.5]"),
    (changed("edges = [1]", "edges = 1"), "got `int`", "edges = 1"),
    (changed("[pixels]", "[[pixels]]"), "Expected a table", "[[pixels]]"),
    (changed("[[ramps]]", "[ramps]"), "Expected a list of tables", "[ramps]"),
    (changed("edges = [1]", "edges = [4]"), "edge 4 of A is not on the rim: B lies", "edges = [4]"),
    (changed("edges = [1]", "edges = [7]"), "7 is not an edge", "edges = [7]"),
    (changed("edges = [1]", "edges = [1, 1]"), "edge 1 of A already has", "edges = [1, 1]"),
    (changed("edges = [4]", "edges = []"), "name at least one edge", "[[zones]]"),
    (changed('cell = "B"', 'cell = "BB"'), "no cell “BB”. Did you mean “B”?", 'cell = "BB"'),
    (changed('kind = "edge"', 'kind = "egde"'), "Did you mean “edge”?", 'kind = "egde"'),
    (changed("first_input = 0", "first_input = -1"), "cannot be negative", "[[sensors]]"),
    (changed("first_input = 0", "first_input = 256"), "a Pico has no input 256", "[[sensors]]"),
    (changed("limit_ma = 100", "limit_ma = -1"), "currents cannot be negative", "[[rails]]"),
    (changed("board-1", "board-7"), "hexboard/board-7", "board-7"),
    (changed("flat_top = true", "pitch_mm = 0"), "between 5 and 500", "pitch_mm"),
    (changed("flat_top = true", "pitch_mm = nan"), "between 5 and 500", "pitch_mm"),
    (changed("flat_top = true", "key_edge = 0"), "0 is not an edge", "key_edge"),
    (changed("q = 0", f"q = {10**400}"), "no cell may lie more than", "[[cells]]"),
    (changed("edges = [0]", "inset_mm = inf"), "not inf", "inset_mm"),
    (changed("edges = [0]", "edges = [8]"), "8 is not an edge", "edges = [8]"),
    (changed('id = "A"', 'id = "A 1"'), "letters and digits; “A 1”", 'id = "A 1"'),
    (changed('name = "mine"', 'name = "../mine"'), "“../mine”", "../mine"),
    (changed("limit_ma", 'at = ["x"]\nlimit_ma'), "unknown key", 'at = ["x"]'),
]


@pytest.mark.parametrize(("text", "says", "at"), ONE, ids=[says for _, says, _ in ONE])
def test_a_mistake_is_told_on_its_line(tmp_path: Path, text: str, says: str, at: str) -> None:
    told = [sentence for sentence in mistakes(tmp_path, text) if says in sentence]
    assert len(told) == 1
    assert told[0].startswith(f"it.toml:{line_of(text, at)}: ")
    assert "“”" not in told[0]  # never "did you mean nothing"


def test_the_second_of_two_tables_is_named_by_its_own_line_and_number(tmp_path: Path) -> None:
    text = changed("first_input", "first_inputs", 2)
    (told,) = mistakes(tmp_path, text)
    assert told.startswith(f"it.toml:{line_of(text, 'first_inputs')}: sensors[2].first_inputs:")


def test_a_sensor_given_twice_names_both_lines(tmp_path: Path) -> None:
    text = SMALL + '\n[[sensors]]\nkind = "fall"\nat = ["B"]\nfirst_input = 9\n'
    (told,) = mistakes(tmp_path, text)
    assert f"it.toml:{line_of(text, '[[sensors]]', 3)}:" in told
    assert f"fall:B stands here and on line {line_of(text, '[[sensors]]', 2)}" in told


def test_an_input_given_twice_names_both_sensors_and_lines(tmp_path: Path) -> None:
    text = changed("first_input = 1", "first_input = 0")
    (told,) = mistakes(tmp_path, text)
    assert f"it.toml:{line_of(text, 'first_input = 0', 2)}:" in told
    assert "input 0 of pico is given to fall:A" in told
    assert f"line {line_of(text, '[[sensors]]')} gives it to edge:A-B" in told


def test_one_input_number_on_two_devices_is_fine(tmp_path: Path) -> None:
    path = tmp_path / "it.toml"
    path.write_text(changed("first_input = 1", 'first_input = 0\nsource = "gpio"'), "utf-8")
    assert [(s.source, s.input) for s in load(path).sensors] == [
        ("pico", 0),
        ("gpio", 0),
        ("gpio", 1),
    ]


@pytest.mark.parametrize(
    ("table", "what"), [("cells", 'id = "A"\nq = 5\nr = 5'), ("rails", 'id = "main"\nlimit_ma = 1')]
)
def test_an_id_given_twice_names_both_lines(tmp_path: Path, table: str, what: str) -> None:
    text = f"{SMALL}\n[[{table}]]\n{what}\n"
    (told,) = mistakes(tmp_path, text)
    first = line_of(text, f"[[{table}]]")
    assert told.startswith(f"it.toml:{len(text.splitlines()) - what.count(chr(10))}: ")
    assert told.endswith(f"already taken on line {first}.")


def test_two_cells_in_one_place_name_both_lines(tmp_path: Path) -> None:
    text = changed("r = 1", "r = 0")
    told = next(s for s in mistakes(tmp_path, text) if "lies at" in s)
    assert told.startswith(f"it.toml:{line_of(text, '[[cells]]', 2)}: ")
    assert f"the cell on line {line_of(text, '[[cells]]')} lies at (0, 0)" in told


def test_an_unknown_shape_is_one_mistake_not_one_for_each_ramp(tmp_path: Path) -> None:
    text = changed('shape = "hextraction-22"', 'shape = "hextration-22"', text=BOARD)
    (told,) = mistakes(tmp_path, text)
    assert "Did you mean “hextraction-22”?" in told
    assert told.startswith(f"it.toml:{line_of(text, 'hextration-22')}: ")


def test_several_mistakes_are_told_at_once_in_one_reading(tmp_path: Path) -> None:
    text = changed("limit_ma", "limit", text=changed("titel", "", text=changed("q = 0", 'q = "0"')))
    text = text.replace("title =", "titel =")
    lines = sorted(int(sentence.split(":")[1]) for sentence in mistakes(tmp_path, text))
    expected = ['schema = "', "titel", 'q = "0"', "[[rails]]", "limit ="]
    assert lines == sorted(line_of(text, part) for part in expected)


def test_several_mistakes_of_meaning_are_told_at_once(tmp_path: Path) -> None:
    text = changed("edges = [4]", "edges = [1]", text=changed('cell = "A"', 'cell = "C"'))
    text = text.replace("key_edge", "").replace("flat_top = true", "flat_top = true\nkey_edge = 9")
    told = "\n".join(mistakes(tmp_path, text))
    assert "no cell “C”" in told
    assert "edge 1 of B is not on the rim" in told
    assert "9 is not an edge" in told


def test_a_list_over_several_lines_does_not_shift_the_lines_of_what_follows(
    tmp_path: Path,
) -> None:
    text = TILE.replace("nets = [[1, 2, 4, 5]]", "nets = [\n  [1, 2, 4, 5],\n  [6]\n]")
    text = text.replace("sockets = [1, 2, 3, 4, 5, 6]", "sockets = [7]")
    (told,) = mistakes(tmp_path, text, load_tile)
    assert told.startswith(f"it.toml:{line_of(text, 'sockets = [7]')}: sockets:")


def test_a_separator_that_is_no_line_break_to_an_editor_is_none_to_us(tmp_path: Path) -> None:
    text = "# one line \u2028 still the same\n" + changed("limit_ma", "limit")
    assert any(s.startswith(f"it.toml:{text.count(chr(10))}: ") for s in mistakes(tmp_path, text))


def test_a_file_that_begins_with_notepads_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "it.toml"
    path.write_bytes(b"\xef\xbb\xbf" + SMALL.encode())
    assert load(path).name == "mine"


# --------------------------------------------------------------------- files that are none at all


@pytest.mark.parametrize("read", [load, load_tile])
def test_a_missing_file_a_folder_and_a_picture_are_told_apart(
    tmp_path: Path, read: Callable[[Path], object]
) -> None:
    with pytest.raises(BadFile, match="there is no such file"):
        read(tmp_path / "none.toml")
    with pytest.raises(BadFile, match="this is a folder"):
        read(tmp_path)
    (told,) = mistakes(tmp_path, b"\x89PNG\xff\xfe\x00", read)
    assert "this is not a text file" in told


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such file")
def test_a_path_through_a_file_is_told_not_raised(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFile, match="cannot be read"):
        load(tmp_path / "file" / "board.toml")


def test_a_syntax_error_is_told_with_its_line(tmp_path: Path) -> None:
    (told,) = mistakes(tmp_path, changed('name = "mine"', 'name = "mine'))
    assert "not valid TOML" in told
    assert "line 2" in told


@pytest.mark.parametrize(
    "text", ["x = " + "[" * 100_000, f"x = {'9' * 5000}", "x = 1\nx = 2"], ids=lambda t: t[:8]
)
def test_text_beyond_all_measure_is_a_syntax_error(tmp_path: Path, text: str) -> None:
    (told,) = mistakes(tmp_path, text)
    assert "not valid TOML" in told


# --------------------------------------------------------------------------------- random mutation


@st.composite
def mutations(draw: st.DrawFn, text: str) -> str:
    """The text with lines dropped, doubled, swapped or garbled."""
    lines = text.splitlines()
    for _ in range(draw(st.integers(1, 4))):
        i = draw(st.integers(0, len(lines) - 1))
        line = lines[i]
        how = draw(st.sampled_from(("drop", "double", "swap", "value", "cut", "insert")))
        if how == "drop" and len(lines) > 1:
            del lines[i]
        elif how == "double":
            lines.insert(i, line)
        elif how == "swap":
            j = draw(st.integers(0, len(lines) - 1))
            lines[i], lines[j] = lines[j], line
        elif how == "value":
            value = draw(st.sampled_from(VALUES))
            lines[i] = f"{line.split('=')[0]}= {value}" if "=" in line else f"[[{value}]]"
        elif how == "cut":
            lines[i] = line[: draw(st.integers(0, len(line)))]
        else:
            at = draw(st.integers(0, len(line)))
            lines[i] = (
                line[:at] + draw(st.text("[]{}\"'=.#,x0-\\\t\u2028é", max_size=3)) + line[at:]
            )
    return "\n".join(lines)


VALUES = (
    *("0", "-1", "7", "1e300", "nan", "inf", "true", "[]", "{}", "[[]]", "[1, 7]", '""', '"B1"'),
    *('["B1-C1"]', '"list"', '"table"', '"rail"', "1979-05-27", f"{2**70}", "[1, 2, 3]", '"fall"'),
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
@pytest.mark.parametrize(("text", "read"), [(BOARD, load), (SMALL, load), (TILE, load_tile)])
def test_a_garbled_file_is_read_or_told_and_nothing_else(
    tmp_path: Path, text: str, read: Callable[[Path], object], data: st.DataObject
) -> None:
    path = tmp_path / "it.toml"
    path.write_text(data.draw(mutations(text)), "utf-8")
    _loaded.cache_clear()  # written within one tick of the clock
    bad = None
    try:
        read(path)
    except BadFile as error:
        bad = error
    if bad:
        assert bad.mistakes
        assert str(path) in str(bad)


# -------------------------------------------------------------------------------------- settings


def test_the_example_settings_are_the_defaults_and_name_every_one(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(EXAMPLE, "utf-8")
    assert load_settings(path) == Settings()

    def keys(tree: dict[str, object]) -> set[str]:
        return {
            f"{key}.{inner}" if inner else key
            for key, value in tree.items()
            for inner in (keys(value) if isinstance(value, dict) else {""})
        }

    assert keys(tomllib.loads(EXAMPLE)) == keys(msgspec.to_builtins(Settings()))


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("settle_ms = 99", 1, "99 must lie between 100 and 60000"),
        ("\n[lights]\nbrightness = 101", 3, "101 must lie between 0 and 100"),
        ("[lights]\nwhite = [0, 0, 256]", 2, "256 must lie between 0 and 255"),
        ("[lights]\nwhite = [0, 0]", 2, "lights.white"),
        ("[lights]\ngamma = nan", 2, "nan must lie between 1 and 4"),
        ('[lights]\nnight = ["22:00"]', 2, "two times such as"),
        ('[lights]\nnight = ["22:00", "25:00"]', 2, "two times such as"),
        ('[lights]\nnight = ["late", "early"]', 2, "two times such as"),
        ("[lights]\nnight_brightness = -1", 2, "-1 must lie between 0 and 100"),
        ("[light]\ngamma = 2", 1, "Did you mean “lights”?"),
        ('[web]\norigins = ["x; script-src *"]', 2, "is not where a browser finds a page"),
        ("[web]\nport = 65536", 2, "65536 must lie between 0 and 65535"),
    ],
)
def test_a_setting_out_of_range_is_told_on_its_line(
    tmp_path: Path, text: str, line: int, says: str
) -> None:
    (told,) = mistakes(tmp_path, text, load_settings)
    assert told.startswith(f"it.toml:{line}: ")
    assert says in told


# ---------------------------------------------------------------------------------- command line


def test_check_passes_everything_that_is_shipped(tmp_path: Path) -> None:
    files = [*shipped("boards").glob("*.toml"), *shipped("tiles").glob("*/*.toml")]
    assert len(files) == 59
    result = invoke("check", *files, home=tmp_path)
    assert result.exit_code == 0
    assert result.output.count("a good board file") == 5
    assert result.output.count("a good tile file") == 54


def test_check_reads_boxes_maps_and_terrains(tmp_path: Path) -> None:
    ours = Path(knee_deep.__path__[0])
    files = [*(ours / "cards").glob("*.toml"), *(ours / "maps").glob("*.toml")]
    names = ("good.toml", "triads.toml", "bad.toml", "lost.toml")
    good, triads, bad, lost = (tmp_path / name for name in names)
    good.write_text('mountain = ["1.0"]\n', "utf-8")
    triads.write_text(written(ground("triads-31", plain("hexhex-8"))), "utf-8")
    bad.write_text('energy = []\nmountain = ["1.9"]\n', "utf-8")
    text = (ours / "maps" / "triads-31.toml").read_text("utf-8")
    lost.write_text(text.replace('board = "', 'board = "x'), "utf-8")
    result = invoke("check", *files, good, triads, bad, lost, home=tmp_path)
    assert result.exit_code == 1
    kinds = ("box", "map", "terrain")
    assert [result.output.count(f"a good {kind} file") for kind in kinds] == [1, 2, 2]
    assert f"{bad}:2: mountain: 1.9 is in no sector." in result.output
    assert re.search(rf"{lost}:\d+: board: There is no board “x", result.output)


def test_the_wiring_of_the_page_on_the_pi_is_that_of_a_good_board(tmp_path: Path) -> None:
    shown = (shipped("boards").parent / "pi.md").read_text("utf-8").split("```toml\n")[1]
    path, text = tmp_path / "mine.toml", find("hextraction-22").read_text("utf-8")
    before, rails = text.index("[[sensors]]"), text.index("[[rails]]")
    rest = text[rails : text.index("[build]")]  # its tiers have sensors that this board lacks
    path.write_text(text[:before] + shown.split("```")[0] + rest, "utf-8")
    result = invoke("check", path, home=tmp_path)
    assert result.output == f"{path}: a good board file\n"
    board = load(path)
    assert {sensor.id: sensor.input for sensor in board.sensors if sensor.source == "gpio"} == {
        "button:end": 17,
        "button:undo": 27,
        "button:right": 22,
        "button:lights": 23,
        "rail:main": 5,
    }
    assert board.strip.source == "spi"


def test_check_fails_if_one_of_several_files_is_bad_and_tells_every_mistake(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(SMALL, "utf-8")
    bad.write_text(SMALL.replace("edges = [1]", "edges = [4, 8]"), "utf-8")
    result = invoke("check", bad, good, tmp_path / "none.toml", home=tmp_path)
    assert result.exit_code == 1
    assert f"{good}: a good board file" in result.output
    assert "edge 4 of A is not on the rim" in result.output
    assert "8 is not an edge" in result.output
    assert "there is no such file" in result.output


def test_check_as_json_is_one_object_a_file(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(SMALL, "utf-8")
    bad.write_text(SMALL.replace("edges = [1]", "edges = [8]"), "utf-8")
    result = invoke("check", "--json", good, bad, home=tmp_path)
    assert result.exit_code == 1
    one, two = map(json.loads, result.output.splitlines())
    assert one == {"file": str(good), "ok": True, "kind": "board"}
    assert two["ok"] is False
    assert len(two["mistakes"]) == 1


def test_check_says_which_lights_a_board_keeps_dark(tmp_path: Path) -> None:
    path = tmp_path / "dim.toml"
    text = find("hextraction-22").read_text("utf-8")
    path.write_text(text.replace("limit_ma = 2000", "limit_ma = 0"), "utf-8")
    result = invoke("check", path, home=tmp_path)
    assert result.exit_code == 0
    good, remark = result.output.splitlines()
    assert good == f"{path}: a good board file"
    assert remark.startswith("The lights on rail “main” stay dark: it may give 0 mA")
    (one,) = map(json.loads, invoke("check", "--json", path, home=tmp_path).output.splitlines())
    assert one == {"file": str(path), "ok": True, "kind": "board", "remarks": [remark]}


def test_init_writes_settings_that_check_accepts_and_does_not_write_over_them(
    tmp_path: Path,
) -> None:
    home = tmp_path / "new" / "home"
    assert invoke("init", home=home).exit_code == 0
    path = home / "settings.toml"
    assert invoke("check", path, home=home).exit_code == 0
    assert load_settings(path) == Settings()
    path.write_text("settle_ms = 2000\n", "utf-8")
    assert invoke("init", home=home).exit_code == 1
    assert path.read_text("utf-8") == "settle_ms = 2000\n"
    assert invoke("init", "--force", home=home).exit_code == 0
    assert load_settings(path) == Settings()


def test_show_draws_well_formed_svg_with_a_polygon_for_each_slot(tmp_path: Path) -> None:
    path = tmp_path / "x.svg"
    assert invoke("show", "hextraction-22", "-o", path, home=tmp_path).exit_code == 0
    svg = ET.parse(path).getroot()
    space = "{http://www.w3.org/2000/svg}"
    assert len(svg.findall(f"{space}polygon")) == 22
    names = [e.text for e in svg.findall(f"{space}text") if e.get("class") == "name"]
    assert names[:5] == ["A1", "A2", "A3", "A4", "B1"]
    left, top, width, height = map(float, svg.attrib["viewBox"].split())
    for polygon in svg.findall(f"{space}polygon"):
        for point in polygon.attrib["points"].split():
            x, y = map(float, point.split(","))
            assert left < x < left + width
            assert top < y < top + height
    b1, b5 = (e for e in svg.findall(f"{space}text") if e.text in ("B1", "B5"))
    assert float(b1.attrib["y"]) < float(b5.attrib["y"])  # the ramps are at the top


def test_a_title_with_signs_of_its_own_is_still_well_formed_svg(tmp_path: Path) -> None:
    board, path = tmp_path / "it.toml", tmp_path / "x.svg"
    board.write_text(SMALL.replace("My board", "<Tom & 'Jerry'>"), "utf-8")
    assert invoke("show", board, "-o", path, home=tmp_path).exit_code == 0
    title = ET.parse(path).getroot().find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert title.text == "<Tom & 'Jerry'>"


@pytest.mark.parametrize("name", ["x.png", "x", "it.toml"])
def test_a_drawing_has_its_own_ending_and_takes_no_other_files_place(
    tmp_path: Path, name: str
) -> None:
    board = tmp_path / "it.toml"
    board.write_text(SMALL, "utf-8")
    drawn = invoke("show", board, "-o", tmp_path / name, home=tmp_path)
    assert drawn.exit_code == 2
    assert f"{tmp_path / name} must end in .svg" in drawn.stderr
    assert list(tmp_path.iterdir()) == [board]
    assert board.read_text("utf-8") == SMALL


def test_a_link_to_the_board_that_is_drawn_is_not_drawn_over(tmp_path: Path) -> None:
    board, link = tmp_path / "it.toml", tmp_path / "x.svg"
    board.write_text(SMALL, "utf-8")
    link.symlink_to(board)
    drawn = invoke("show", board, "-o", link, home=tmp_path)
    assert drawn.exit_code == 2
    assert f"{link} is what is read" in drawn.stderr
    assert board.read_text("utf-8") == SMALL


def test_show_lists_the_boards_and_tells_a_board_in_words(tmp_path: Path) -> None:
    listed = invoke("show", home=tmp_path)
    assert listed.exit_code == 0
    assert len(listed.output.splitlines()) == 5
    told = invoke("show", "hextraction-22", home=tmp_path).output
    assert "22 cells, 49 edges, 6 lanes" in told
    assert "136 sensors, 132 pixels" in told


def test_a_board_that_is_not_there_is_told_with_the_nearest_name(tmp_path: Path) -> None:
    result = invoke("show", "hextraction-23", home=tmp_path)
    assert result.exit_code == 1
    assert "Did you mean “hextraction-22”?" in result.output


def test_a_board_in_the_home_folder_is_found_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "mine.toml").write_text(SMALL, "utf-8")
    assert "2 cells, 1 edge, 1 lane" in invoke("show", "mine", home=tmp_path).output


def test_what_stands_in_a_file_can_take_the_place_of_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbfname = 1")  # as Notepad writes
    assert chosen_file(str(path)) == (path, "name = 1")
    assert contents(str(path)) == "name = 1\n" == contents("name = 1\n")
    kept = chosen_file("name = 1\n")
    assert kept is not None
    assert kept[1] == "name = 1\n"
    assert contents("house") == "house"
    assert chosen_file("house") is None


@pytest.mark.parametrize("path", ["/dev/zero", "/dev", "no/such"])
def test_what_a_recording_names_is_read_only_if_it_is_a_file(path: str) -> None:
    with pytest.raises(BadFile):
        contents(path)


def test_a_device_in_place_of_a_file_is_told_in_the_language_that_is_spoken() -> None:
    with pytest.raises(BadFile) as refused:
        contents("/dev/zero")
    (wrong,) = refused.value.mistakes
    assert say(wrong) == "/dev/zero: cannot be read (a device)."
    assert say(wrong, "de") == "/dev/zero: nicht lesbar (ein Gerät)."


def test_a_file_of_nothing_but_mistakes_is_told_at_once_and_in_short(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("\n".join(f"key{k} = {k}" for k in range(5_000)), "utf-8")
    lines = invoke("check", bad, home=tmp_path).output.splitlines()
    assert len(lines) == 51
    assert lines[49].startswith(f"{bad}:50: key49: unknown key.")
    assert lines[50] == f"{bad}: these are the first 50 mistakes; nothing after them was looked at."


def test_numbers_that_are_hardly_ever_meant_are_remarked_upon(tmp_path: Path) -> None:
    """Strips are fused at 3 A (hardware/wiring.md), and a ball of 38 mm fills a cell of 50."""
    path, text = tmp_path / "mine.toml", find("hexhex-5").read_text("utf-8")
    text = text[: text.index("[build]")].replace("limit_ma = 2000", "limit_ma = 20000")
    path.write_text(text.replace("pitch_mm = 40.0", "pitch_mm = 500.0"), "utf-8")
    good, apart, strong = invoke("check", path, home=tmp_path).output.splitlines()
    assert good == f"{path}: a good board file"
    assert apart.startswith("500 mm between cells: ")
    assert strong.startswith("The rail main may draw 20000 mA: ")


def test_the_board_that_the_page_begins_with_is_a_good_one(tmp_path: Path) -> None:
    """docs/files.md: its lights as the comment there says."""
    page = (Path(__file__).parent.parent / "docs/files.md").read_text("utf-8")
    block = re.search(r'(?:^    schema = "hexboard/board-1"\n)(?:^    .*\n|^\n)*', page, re.M)
    assert block is not None
    path = tmp_path / "my-board.toml"
    path.write_text(re.sub(r"^    ", "", block.group(), flags=re.M), "utf-8")
    board = load(path)
    assert [(it.index, it.cell, it.edge) for it in board.pixels] == [
        *((0, "b", 2), (1, "a", 0), (3, "b", 5))
    ]

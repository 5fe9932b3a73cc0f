"""`hexboard maps`: a new map, every mistake in one round, and pictures of it."""

import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pypdfium2
import pytest

from hexboard.games import knee_deep
from tests.cli import invoke

FLOWERS = Path(knee_deep.__file__).parent / "maps" / "flowers-31.toml"
SVG = "{http://www.w3.org/2000/svg}"
SMALL = """
name = "small"
title = "Small"
board = "hexhex-2"
sector_count = 3
material = []
[hq]
gondwana = ["c1"]
bukseon = ["a2"]
[sectors]
1 = ["c1", "c2"]
2 = ["b1", "a1"]
3 = ["b2", "b3", "a2"]
"""
"""Seven fields, b1 to b3 in the middle row."""


def run(*words: str, language: str = "en") -> tuple[int, str]:
    result = invoke("--language", language, "maps", *words)
    return result.exit_code, result.output


def planted(folder: Path, *changes: tuple[str, str]) -> Path:
    text = FLOWERS.read_text("utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = folder / "map.toml"
    path.write_text(text, "utf-8")
    return path


def line_of(path: Path, part: str) -> int:
    """The line on which it stands; of a list over several lines, where that begins."""
    part = {'"4.9", "6.6"': "material = ["}.get(part, part.split("\n")[0])
    lines = path.read_text("utf-8").split("\n")
    return next(k for k, line in enumerate(lines, 1) if part in line)


def test_a_new_map_is_good_and_is_not_overwritten(tmp_path: Path) -> None:
    """31 sectors of 7 fields; 42 intersections (digest 2.2)."""
    path = tmp_path / "mine.toml"
    assert run("new", str(path))[0] == 0
    assert 'name = "mine"' in path.read_text("utf-8")
    code, said = run("check", str(path))
    assert code == 0
    assert "31 sectors, 217 fields on the board flowers-31, 42 intersections" in said
    keys = re.findall(r"^(?:\[?)(\w+)", path.read_text("utf-8"), re.MULTILINE)
    assert {"name", "title", "board", "status", "half_turn", "material", "hq", "sectors"} <= {*keys}
    before = path.read_bytes()
    assert run("new", str(path))[0] == 1
    assert path.read_bytes() == before


PLANTED = [
    ('name = "flowers-31"', 'name = ""', "the name is one line of 1 to 60 letters"),
    ('title = "31 flowers, proposed"', 'colour = "red"', "colour"),
    ('status = "X"', 'status = "Z"', "“Z” is none of T, D, P, X"),
    ("sector_count = 31", "sector_count = 30", "there are 31 sectors, and sector_count says 30"),
    ("half_turn = true", 'half_turn = "yes"', "Expected `bool`"),
    ('"4.3", "6.6"', '"4.9", "6.6"', "4.9 is in no sector. Add it to one. Did you mean"),
    ('energy = [\n    "6.5"', 'energy = [ "6.6",\n    "6.5"', "6.6 has another terrain already"),
    ("mountain = [", "mountain = [ 5,", "Expected `str`"),
    ('gondwana = ["2.0", "2.3", "2.4"]', "gondwana = []", "an HQ needs a field at least"),
    ('1 = ["1.0", ', '1 = ["1.10", ', "the board flowers-31 has no field “1.10”"),
    ('3 = ["3.0", ', '3 = ["2.1", "3.0", ', "2.1 is in sector 2 already"),
    ('5 = ["5.0", "5.1", "5.2", "5.3", "5.4", "5.5", "5.6"]', '5 = ["5.0"]', "5 has 1 field; a"),
    ('7 = ["7.0", ', '7 = ["31.9", "7.0", ', "the board flowers-31 has no field “31.9”"),
    ('8 = ["8.0", "8.1", "8.2", "8.3"', '8 = ["8.2"', "the fields of sector 8 are not connected"),
    ('20 = ["20.0", "20.1", "20.2", "20.3"', '20 = ["20.2"', "the fields of sector 20 are not"),
    ('9 = ["9.0"', '"9,a" = ["9.0"', "a sector is called by 1 to 6 letters and digits"),
    ('10 = ["10.0"', '10 = ["10.0", 7', "Expected `str`"),
]
"""What is changed, what then is said of that line."""


@pytest.mark.parametrize(("old", "new", "said"), PLANTED)
def test_a_planted_mistake_is_named_with_its_line(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    path = planted(tmp_path, (old, new))
    code, told = run("check", str(path))
    assert code == 1
    line = line_of(path, new)
    assert [it for it in told.splitlines() if it.startswith(f"{path}:{line}:") and said in it], told


def test_mistakes_of_form_and_meaning_come_in_one_round(tmp_path: Path) -> None:
    """All of the above but those that hide others: what stands in no sector is known only where
    each sector can be read, and how many there are."""
    hidden = ("10 = [", '"4.3", "6.6"', "sector_count")
    chosen = [it for it in PLANTED if not it[0].startswith(hidden)]
    path = planted(tmp_path, *((old, new) for old, new, _ in chosen))
    code, told = run("check", str(path))
    assert code == 1
    for _, new, said in chosen:
        line = line_of(path, new)
        assert any(it.startswith(f"{path}:{line}:") and said in it for it in told.splitlines()), (
            said
        )
    assert "title" in told  # which is missing
    code, german = run("check", str(path), language="de")
    assert (code, german.count("\n")) == (1, told.count("\n"))
    assert "die Felder von Sektor 8 hängen nicht zusammen" in german


def test_what_cannot_be_read_makes_no_mistakes_of_its_own(tmp_path: Path) -> None:
    """Mountains lie in sector 10, whose fields are not known."""
    code, told = run("check", str(planted(tmp_path, PLANTED[-1][:2])))
    assert (code, told.count("\n")) == (1, 1)


def test_a_board_that_is_not_there_hides_no_other_mistake(tmp_path: Path) -> None:
    path = planted(tmp_path, ('board = "flowers-31"', 'board = "flower-31"'), PLANTED[10][:2])
    code, told = run("check", str(path))
    assert code == 1
    assert f"{path}:{line_of(path, 'board =')}:" in told
    assert "flowers-31" in told
    assert PLANTED[10][2] in told


@pytest.mark.parametrize("text", ["", "name = 3", "sectors = 1", "hq = []", "board = 4", "x = {}"])
def test_hardly_a_map_is_refused_in_sentences(text: str, tmp_path: Path) -> None:
    path = tmp_path / "map.toml"
    path.write_text(text)
    for words in (("check",), ("show",)):
        code, said = run(*words, str(path))
        assert code == 1
        assert f"{path}:" in said


def test_what_is_unusual_is_told_and_can_be_played(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    code, said = run("check", str(path))
    assert code == 0
    assert f"{path}:6: material: no field gives material." in said
    assert "no field gives energy" in said
    assert "3 sectors, 7 fields on the board hexhex-2, 1 intersection" in said
    path.write_text(SMALL.replace('bukseon = ["a2"]', 'bukseon = ["a2", "b3"]'))
    assert "the HQ of Gondwana has 1 field, that of Bukseon 2" in run("check", str(path))[1]


def test_the_terminal_shows_borders_between_sectors_alone(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    code, said = run("show", str(path))
    assert code == 0
    assert said.split("\n")[:7] == [
        r"   / \ / \ ".rstrip(),
        r"  |1G  1· |",
        r" / \ / \ / \ ".rstrip(),
        r"|2· |3·  3· |",
        r" \   \     /",
        r"  |2· |3B |",
        r"   \ / \ /",
    ]


def test_a_board_with_a_flat_side_up_is_shown_in_columns(tmp_path: Path) -> None:
    """Fields a, b in the left column, c, d, e in the next one, f beside c."""
    places = {"a": (0, 0), "b": (0, 1), "c": (1, -1), "d": (1, 0), "e": (1, 1), "f": (2, -1)}
    cells = "".join(f'[[cells]]\nid = "{n}"\nq = {q}\nr = {r}\n' for n, (q, r) in places.items())
    head = 'schema = "hexboard/board-1"\nname = "flat"\ntitle = "Flat"\nflat_top = true\n'
    board, path = tmp_path / "flat.toml", tmp_path / "map.toml"
    board.write_text(head + cells)
    path.write_text(
        f'name = "flat"\ntitle = "Flat"\nboard = "{board}"\nsector_count = 3\n'
        '[hq]\ngondwana = ["b"]\nbukseon = ["f"]\n'
        '[sectors]\n1 = ["a", "b"]\n2 = ["c", "f"]\n3 = ["d", "e"]\n'
    )
    code, said = run("show", str(path))
    assert code == 0, said
    assert said.split("\n")[:7] == [
        r"     ___",
        r" ___/2· \___",
        r"/1· \___ 2B \ ".rstrip(),
        r"\   /3· \___/",
        r"/1G \   /",
        r"\___/3· \ ".rstrip(),
        r"    \___/",
    ]


def test_ours_is_shown_with_each_field_and_its_sector() -> None:
    code, said = run("show")
    assert code == 0
    found = re.findall(r"(\d+)([·^meGB])", said)
    assert Counter(sector for sector, _ in found) == {str(k): 7 for k in range(1, 32)}
    signs = Counter(sign for _, sign in found)
    assert {sign: signs[sign] for sign in "meGB^"} == {"m": 8, "e": 8, "G": 3, "B": 3, "^": 28}


def test_a_picture_has_borders_numbers_and_intersections(tmp_path: Path) -> None:
    """72 pairs of flowers share three edges each, and 31 * 18 - 2 * 216 edges are at the rim."""
    out = tmp_path / "map.svg"
    assert run("show", "-o", str(out))[0] == 0
    root = ElementTree.parse(out).getroot()
    corners = Counter(len(it.get("points", "").split()) for it in root.iter(f"{SVG}polygon"))
    assert corners == {6: 217, 2: 216 + 126, 12: 42}
    bold = [it.text for it in root.iter(f"{SVG}text") if it.get("font-weight") == "bold"]
    assert sorted(map(int, map(str, bold))) == [*range(1, 32)]


def test_a_border_lies_between_two_sectors(tmp_path: Path) -> None:
    """Upright ones of three rows, in halves of a field: c -2 2, b -3 -1 3, a -2 0 2."""
    (tmp_path / "small.toml").write_text(SMALL)
    assert run("show", str(tmp_path / "small.toml"), "-o", str(tmp_path / "small.svg"))[0] == 0
    root = ElementTree.parse(tmp_path / "small.svg").getroot()
    names = {str(it.text): float(it.get("x", "")) for it in root.iter(f"{SVG}text")}
    half = (names["b2"] - names["b1"]) / 2
    lines = [it.get("points", "").split() for it in root.iter(f"{SVG}polygon")]
    ends = [[float(at.split(",")[0]) for at in line] for line in lines if len(line) == 2]
    upright = sorted((x - names["b2"]) / half for x, other in ends if abs(x - other) < 0.01)
    assert upright == pytest.approx([-3, -2, -2, -1, 0, 2, 2, 3], abs=0.01)


def test_a_map_is_printed_at_the_size_of_its_board(tmp_path: Path) -> None:
    out = tmp_path / "map.pdf"
    assert run("show", "triads-31", "-o", str(out), "--paper", "a3")[0] == 0
    document = pypdfium2.PdfDocument(out)
    assert len(document) > 1
    document.close()
    code, said = run("show", "-o", str(tmp_path / "map.png"))
    assert code == 2
    assert "must end in .pdf or .svg" in said

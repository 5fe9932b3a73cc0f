"""The `[build]` section of a board file: what cannot be built is refused, with numbers."""

import math
from pathlib import Path

import pytest

from hexboard.board import BoardFile, find, load, load_plan
from hexboard.board.building import chord, fastest
from hexboard.calibration.boardfile import text as as_text
from hexboard.files import Source, read
from hexboard.words.errors import BadFile
from tests.cli import invoke

OURS = find("hextraction-22").read_text("utf-8")
NAMES = ("hextraction-22", "hexhex-5", "rhombus-11", "flowers-31", "table")


def changed(old: str, new: str) -> str:
    """Our board's file with one thing written otherwise."""
    assert OURS.count(old) == 1, old
    return OURS.replace(old, new)


def written(folder: Path, text: str) -> Path:
    path = folder / "it.toml"
    path.write_text(text, "utf-8")
    return path


BAD = [
    # (what is written, what it is told, on the line of)
    (changed("pocket_mm", "pockte_mm"), "Did you mean “pocket_mm”?", "pockte_mm"),
    (changed("registers = 17", 'registers = "17"'), "Expected `int", 'registers = "17"'),
    (
        changed("bed_mm = [220, 220]", "bed_mm = [220, 40]"),
        "one cell is 57.74 × 50 mm, the printer's bed 220 × 40 mm",
        "bed_mm",
    ),
    (
        changed("pitch_mm = 50.0", "pitch_mm = 49.0"),
        "a tile is 50 mm across, the slots are only 49 mm apart",
        "tile_mm",
    ),
    (
        changed("opening_mm = 46.5", "opening_mm = 46.2"),
        "an opening of 46.2 mm; the tile's base needs 46.3 mm at least",
        "opening_mm",
    ),
    (
        changed("opening_mm = 46.5", "opening_mm = 49.0"),
        "leaves a rib of 1 mm; it needs 1.2 mm at least",
        "opening_mm",
    ),
    (changed("ledge_mm = 3.0", "ledge_mm = nan"), "nan is no measure", "ledge_mm"),
    (
        changed("bed_mm = [220, 220]", "bed_mm = [nan, nan]"),
        "build.bed_mm: nan, nan is no measure",
        "bed_mm",
    ),
    (changed("key_mm = [11.7, 4.75]", "key_mm = [nan, 1]"), "nan, 1.0 is no measure", "key_mm"),
    (changed("pocket_mm = 2.0", "pocket_mm = -2"), "-2.0 is no measure", "pocket_mm"),
    (changed("fall = -20.0", "fall = nan"), "build.beams.fall: nan is no measure", "fall"),
    (changed("ball_low_mm = 0.6", "ball_low_mm = inf"), "inf is no measure", "ball_low_mm"),
    (
        changed("depth_mm = 4.5", "depth_mm = 7.5"),
        "7.5 mm deep in a board 7.5 mm thick",
        "depth_mm",
    ),
    (
        changed("pocket_mm = 2.0", "pocket_mm = 2.4"),  # 3.5 less twice 0.6
        "a pocket of 2.4 mm goes through the rib, which is 3.5 mm wide; 2.3 mm at most",
        "pocket_mm",
    ),
    (changed("\nedge = 5.0", "\negde = 5.0"), "Did you mean “edge”?", "egde = 5.0"),
    (
        changed("\nedge = 5.0", "\nedge = 10.2"),  # 0.6 and 9.525
        "a ball passes from 0.6 to 10.12 mm; a beam “edge” at 10.2 mm meets none",
        "edge = 10.2",
    ),
    (
        changed("registers = 17", "registers = 16"),
        "16 registers have 128 inputs, from 0; rail:main is on input 135",
        "registers = 16",
    ),
    (
        changed("registers = 17", "registers = 33"),  # hardware/wiring.md: 256 inputs at most
        "33 registers would be 264 inputs; the firmware reads 32 of them, 256 inputs",
        "registers = 33",
    ),
    (
        changed("limit_ma = 2000", "limit_ma = 2300"),  # three quarters of 3 A
        "may draw 2300 mA (limit_ma); a fuse of 3000 mA carries 2250 mA",
        "main = 3000",
    ),
    (changed("main = 3000", "mian = 3000"), "Did you mean “main”?", "mian"),
    (
        changed("wire_mm2 = 0.75", "wire_mm2 = 0.25"),
        "wire of 0.25 mm² bears 0 mA",
        "main = 3000",
    ),
    (
        changed("strip_mm2 = 0.25", "strip_mm2 = 0.14"),  # Lapp and Helukabel: 2 A or more
        "a fuse of 3000 mA for the rail main, but wire of 0.14 mm² along the strip bears 2000 mA",
        "strip_mm2",
    ),
    (
        changed("beams_fuse_ma = 2000", "beams_fuse_ma = 1500"),
        "beams and seats draw 1350 mA; a fuse of 1500 mA carries 1125 mA for hours",
        "beams_fuse_ma",
    ),
    (
        changed("beams_fuse_ma = 2000", "beams_fuse_ma = 7000"),
        "a fuse of 7000 mA for the beams, but wire of 0.75 mm² (wire_mm2) bears 6000 mA",
        "beams_fuse_ma",
    ),
    (
        changed("beams_fuse_ma = 2000", 'beams_on = "main"'),  # 3350 through 2250
        "2000 mA (limit_ma) and beams and seats behind the same fuse 1350 mA; a fuse of 3000 mA",
        "main = 3000",
    ),
    (
        changed("beams_fuse_ma = 2000", 'beams_fuse_ma = 2000\nbeams_on = "main"'),
        "cannot have a fuse of their own and hang behind that of the rail main",
        "beams_fuse_ma",
    ),
    (
        changed("beams_fuse_ma = 2000", 'beams_on = "mian"'),
        "Did you mean “main”?",
        "beams_on",
    ),
    (
        changed("supply_ma = 4000", "supply_ma = 3000"),
        "2000 mA for lights and 1350 mA for beams and seats are 3350 mA; the supply gives 3000 mA",
        "supply_ma",
    ),
    (changed("tilt_deg = 15.0", "tilt_deg = 0"), "0 is no measure", "tilt_deg"),
    (changed('id = "ends"', 'id = "lights"'), "“lights” stands here twice", 'id = "lights"'),
    (
        changed('sensors = ["rail"]', 'sensors = ["rail", "button"]'),
        "the tier “lights” has button sensors; this board has none",
        'sensors = ["rail", "button"]',
    ),
    (
        changed('sensors = ["rail"]', 'sensors = ["rail", "edge", "gate"]'),
        "“lights” has 49 edge sensors, which follow a ball, but none of the 6 load sensors",
        'sensors = ["rail", "edge", "gate"]',
    ),
    (
        changed('sensors = ["rail"]', "sensors = []"),
        "has none of the 1 sensor of the rail, though this board is powered",
        "sensors = []",
    ),
]


@pytest.mark.parametrize(("text", "says", "at"), BAD, ids=[says for _, says, _ in BAD])
def test_what_cannot_be_built_is_refused_with_numbers(
    tmp_path: Path, text: str, says: str, at: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadFile) as caught:
        load_plan(path)
    told = [line for line in str(caught.value).splitlines() if says in line]
    assert told, str(caught.value)
    number = int(told[0].removeprefix(f"{path}:").split(":")[0])
    assert at in text.splitlines()[number - 1]


@pytest.mark.parametrize("name", NAMES)
def test_the_shipped_boards_can_be_built_and_are_the_boards_they_were(
    tmp_path: Path, name: str
) -> None:
    text = find(name).read_text("utf-8")
    bare = written(tmp_path, text[: text.index("[build]")])
    assert load_plan(find(name))[0].hash == load(bare).hash
    with pytest.raises(BadFile, match=r"Give it a \[build\] section"):
        load_plan(bare)


@pytest.mark.parametrize("name", NAMES)
def test_a_board_file_that_is_written_anew_keeps_how_it_is_built(name: str) -> None:
    entry, _ = read(Source(find(name)), BoardFile)
    assert entry is not None
    again = Source(Path("again.toml"), as_text(entry))
    assert read(again, BoardFile) == (entry, [])


def test_what_cannot_be_built_can_be_played_and_check_says_why(tmp_path: Path) -> None:
    path = written(tmp_path, changed("main = 3000", "main = 2000"))
    assert load(path).hash == load(find("hextraction-22")).hash
    checked = invoke("check", path, home=tmp_path)
    assert (checked.exit_code, "1500 mA for hours" in checked.output) == (1, True)


def test_a_file_that_does_not_say_its_fuse_or_wire_is_good_and_check_says_so(
    tmp_path: Path,
) -> None:
    """As files of before were written; 0.25 mm², which is then taken, bears 4 A."""
    before = "\n".join(it for it in OURS.splitlines() if not it.startswith("beams_fuse_ma"))
    told = invoke("check", written(tmp_path, before), home=tmp_path)
    assert told.exit_code == 0
    assert "which draw 1350 mA: one of their own of 2000 mA would do (beams_fuse_ma)" in told.output
    thick = before.replace("main = 3000", "main = 5000").replace("strip_mm2 = 0.25", "")
    (tmp_path / "other.toml").write_text(thick, "utf-8")
    told = invoke("check", tmp_path / "other.toml", home=tmp_path)
    assert told.exit_code == 0
    assert "wire of 0.25 mm² along the strip bears 4000 mA. Say how thick yours is" in told.output
    bare = before.replace("main = 3000", "")  # 2 A are three quarters of 2.667
    told = invoke("check", written(tmp_path, bare), home=tmp_path)
    assert told.exit_code == 0
    assert "rail main has, which may draw 2000 mA: one of at least 2667 mA" in told.output
    for name in NAMES:
        assert invoke("check", find(name), home=tmp_path).output.endswith("a good board file\n")


def test_a_ball_is_as_fast_and_a_beam_as_dark_as_by_hand() -> None:
    board, plan = load_plan(find("hextraction-22"))
    # 250 mm of slots and 50 of ramp, 15 degrees, 5/7 of g, as for a ball that does not slip
    by_hand = math.sqrt(2 * 5 / 7 * 9.81 * 0.258819 * 0.300) * 1000
    assert fastest(board, plan) == pytest.approx(by_hand, rel=1e-4)
    # The middle of a ball of 9.525 mm is 0.6 + 4.7625 mm high; 3 mm off it: 2 sqrt(4.7625² - 3²)
    assert chord(plan, 5.3625) == pytest.approx(9.525)
    assert chord(plan, 8.3625) == pytest.approx(7.398, abs=1e-3)

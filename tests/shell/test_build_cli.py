"""`hexboard build`: what is written of a board follows its file."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

from hexboard.board import find, load
from hexboard.commands.build.power import ladder
from hexboard.files import shipped
from hexboard.web.bench import bench_sheet
from tests.cli import invoke

OURS = find("hextraction-22").read_text("utf-8")


def built(folder: Path, text: str = OURS) -> dict[str, str]:
    """What is written of a board file, by file name."""
    folder.mkdir()
    path = folder / "it.toml"
    path.write_text(text, "utf-8")
    result = invoke("build", path, "-o", folder / "out", home=folder)
    assert result.exit_code == 0, result.output
    files = (it for it in (folder / "out").rglob("*") if it.is_file())
    return {it.relative_to(folder / "out").as_posix(): it.read_text("utf-8") for it in files}


def rows(text: str, key: str) -> dict[str, dict[str, str]]:
    return {row[key]: row for row in csv.DictReader(text.splitlines())}


def millimetres(drawing: str) -> tuple[float, float]:
    """How large a drawing is on paper; one unit in it is a millimetre."""
    root = ElementTree.fromstring(drawing)
    wide, high = (float(root.attrib[it].removesuffix("mm")) for it in ("width", "height"))
    assert [*map(float, root.attrib["viewBox"].split()[2:])] == [wide, high]
    return wide, high


def test_what_is_written_is_what_the_wiring_page_says(tmp_path: Path) -> None:
    """hardware/wiring.md: pins of the Pico, eight inputs a register from pin 11, SER to ground."""
    files = built(tmp_path / "a")
    assert len(files) == 8 + 22
    wire = rows(files["wiring.csv"], "sensor")
    assert len(wire) == 136
    assert (wire["edge:A1-B1"]["register"], wire["edge:A1-B1"]["pin"]) == ("1", "3")  # input 12
    assert (wire["rail:main"]["register"], wire["rail:main"]["name"]) == ("16", "H")  # 135
    chain = rows(files["chain.csv"], "register")
    assert len(chain) == 17
    assert (chain["1"]["E"], chain["15"]["next"]) == ("edge:A1-B1", "SER to QH of 16")
    assert chain["16"]["next"] == "SER to ground"
    pins = rows(files["pins.csv"], "name")
    header = {name: (pin["gp"], pin["pin"]) for name, pin in pins.items()}
    assert header["DATA"] == ("GP16", "21")
    assert (header["LATCH"], header["CLOCK"]) == (("GP17", "22"), ("GP18", "24"))
    assert (header["UNUSED"], header["STRIP"]) == (("GP19", "25"), ("GP22", "29"))
    lights = rows(files["lights.csv"], "light")
    assert [k for k, light in lights.items() if light["feed"]] == ["0", "50", "100"]


def joined(plan: str) -> set[tuple[str, int, str, int]]:
    """Each wire of a plan of cables: from which pin of which part to which."""
    found = set[tuple[str, int, str, int]]()
    for one, _, other in json.loads(plan)["connections"]:
        ((part, pins),), ((end, ends),) = one.items(), other.items()
        found |= {(part, pin, end, to) for pin, to in zip(pins, ends, strict=True)}
    return found


def test_the_plan_of_cables_is_what_the_wiring_page_says(tmp_path: Path) -> None:
    """hardware/wiring.md: pins of Pico, registers and level shifter; fed again every 50 lights."""
    wires = joined(built(tmp_path / "a")["cables.yml"])
    to_first = {(21, 9), (36, 16), (38, 8), (24, 2), (22, 1)}
    assert {(a, b) for one, a, other, b in wires if (one, other) == ("Pico", "Register 0")} == (
        to_first
    )
    chained = {(10, 9), (16, 16), (8, 8), (2, 2), (1, 1)}
    driven = {2, 10}  # 0.8 and 1.5 m from the Pico, of 2.1
    for k in range(16):
        here, there = f"Register {k}", f"Register {k + 1}"
        direct = {(a, b) for one, a, other, b in wires if (one, other) == (here, there)}
        assert direct == ({(10, 9)} if k + 1 in driven else chained)
    for k in driven:  # pins of a 74AHC125: 1A, 2A; 1Y, 2Y; power
        name = f"Buffer {k}"
        come = {(one, a, b) for one, a, other, b in wires if other == name}
        go = {(a, other, b) for one, a, other, b in wires if one == name}
        here, there = f"Register {k - 1}", f"Register {k}"
        assert come == {(here, 2, 2), (here, 1, 5), (here, 16, 14), (here, 8, 7)}
        assert go == {(3, there, 2), (6, there, 1), (14, there, 16), (7, there, 8)}
    assert not any("Register 17" in wire for wire in wires)
    assert ("Pico", 29, "Level shifter", 2) in wires
    assert ("Level shifter", 3, "Lights main", 1) in wires
    assert {("Fuse main", 1, "Level shifter", 14), ("Supply", 2, "Level shifter", 7)} <= wires
    assert len([wire for wire in wires if (wire[0], wire[2]) == ("Fuse main", "Lights main")]) == 3
    assert ("Supply", 1, "Pico", 36) not in wires  # the Pico has its 5 V from USB


@pytest.mark.parametrize(
    ("tier", "beams"), [("lights", 0), ("ends", 20 + 22), ("everything", 113 + 22)]
)
def test_whatever_has_five_volts_has_them_behind_a_fuse(
    tmp_path: Path, tier: str, beams: int
) -> None:
    """Nothing else is on the supply's 5 V; what feels the lights' power is behind their fuse."""
    out = tmp_path / tier
    assert (
        invoke("build", "hextraction-22", "--tier", tier, "-o", out, home=tmp_path).exit_code == 0
    )
    text = (out / "cables.yml").read_text("utf-8")
    wires, parts = joined(text), json.loads(text)["connectors"]
    own = {"Fuse of the beams"} if beams else set()
    fed = {other for one, pin, other, _ in wires if (one, pin) == ("Supply", 1)}
    assert fed == {"Fuse main"} | own
    assert ("Fuse main", 1, "Sense of main", 1) in wires
    groups = [name for name in parts if name.startswith("Beams ")]
    assert sum(int(parts[name]["type"].split()[0]) for name in groups) == beams
    for before, name in zip([*own, *groups], groups, strict=False):
        assert (before, 1, name, 1) in wires
        assert "390 ohm" in parts[name]["notes"]
    if beams:
        assert parts["Fuse of the beams"]["type"] == "2 A"  # carries 1.5: 1.35 are drawn


@pytest.mark.long
def test_wireviz_draws_the_cables(tmp_path: Path) -> None:
    """A ribbon to each register, and two more where a buffer is before it; four cables at the level
    shifter; one to the fuse, and two to each of the three places where the strip is fed, and to the
    rail's sense. To the beams' fuse one and two to the first of them, then one to those of each
    register."""
    for tier, registers, lit in (("lights", 1, 0), ("ends", 6 + 2, 6), ("everything", 17 + 4, 17)):
        cables = registers + 4 + 1 + 2 * 3 + 2 + (1 + 2 + lit - 1 if lit else 0)
        out = tmp_path / tier
        done = invoke("build", "hextraction-22", "--tier", tier, "-o", out, home=tmp_path)
        assert done.exit_code == 0
        wireviz = [sys.executable, "-m", "wireviz.wv_cli", "-f", "st", str(out / "cables.yml")]
        subprocess.run(wireviz, check=True, capture_output=True)
        drawn = (out / "cables.svg").read_text("utf-8")
        assert "3V3(OUT)" in drawn
        assert f"W{cables}<" in drawn
        assert f"W{cables + 1}<" not in drawn
        assert "132 lights" in (out / "cables.bom.tsv").read_text("utf-8")


def test_each_part_of_a_strip_that_a_rail_feeds_has_five_volts_of_its_own(tmp_path: Path) -> None:
    """C3 is the twelfth slot: lights 66 to 71. Behind it the first rail's 5 V had no way on."""
    second = '[[rails]]\nid = "second"\nlimit_ma = 500\ncells = ["C3"]\n\n'
    more = OURS.replace("[build]", second + "[build]", 1)
    files = built(tmp_path / "a", more.replace("registers = 17", "registers = 18"))
    lights = rows(files["lights.csv"], "light")
    fed: dict[str, list[bool]] = {rail: [] for rail in ("main", "second")}
    for light in lights.values():
        fed[light["rail"]].append(bool(light["feed"]))
    assert fed["second"] == [True] + 5 * [False]
    assert [k for k, light in lights.items() if light["feed"]] == ["0", "50", "66", "72", "122"]
    parts = json.loads(files["cables.yml"])["connectors"]
    first, other = parts["Lights main"], parts["Lights second"]
    five = [[at for at in it["pinlabels"] if at.startswith("5 V")] for it in (first, other)]
    assert five[0] == [f"5 V, light {light}" for light in (0, 50, 72, 122)]
    assert five[1] == ["5 V, light 66"]
    assert ("DIN" in first["pinlabels"], "DIN" in other["pinlabels"]) == (True, False)
    assert "lights 0 to 65, 72 to 131; from rail to rail data and GND go on" in first["notes"]


UNEVEN = """\
schema = "hexboard/board-1"
name = "uneven"
title = "Three cells of five"
[[cells]]
id = "a"
q = 0
r = 0
[[cells]]
id = "b"
q = 1
r = 0
[[cells]]
id = "c"
q = 0
r = 2
[[sensors]]
kind = "seat"
at = ["a", "c"]
inputs = [3, 21]
[[sensors]]
kind = "button"
at = ["undo"]
first_input = 9
[pixels]
at = ["-", "a/1", "a/4", "-", "c"]
[[rails]]
id = "main"
limit_ma = 500
[build]
fuses = { main = 1000 }
"""


def test_a_button_is_drawn_in_no_cell(tmp_path: Path) -> None:
    """It lay on the board's middle, on top of whatever is there."""
    (tmp_path / "it.toml").write_text(UNEVEN, "utf-8")
    assert invoke("show", tmp_path / "it.toml", "-o", tmp_path / "it.svg").exit_code == 0
    drawn = (tmp_path / "it.svg").read_text("utf-8")
    assert re.findall(r"<title>(\w+:\w+)</title>", drawn) == ["seat:a", "seat:c"]
    assert [it["id"] for it in _sensors(tmp_path / "it.toml")] == ["seat:a", "seat:c"]


def _sensors(path: Path) -> list[dict[str, Any]]:
    return msgspec.convert(bench_sheet(load(path))["sensors"], list[dict[str, Any]])


def test_lights_of_no_cell_and_registers_are_as_many_as_the_strip_and_the_firmware_have(
    tmp_path: Path,
) -> None:
    """Input 21 is on the third register, and so many the firmware reads; 19 were drawn."""
    files = built(tmp_path / "a", UNEVEN)
    lights = rows(files["lights.csv"], "light")
    assert [light["cell"] for light in lights.values()] == ["-", "a", "a", "-", "c"]
    assert [light["feed"] for light in lights.values()] == ["", "5 V", "", "", ""]
    chain = rows(files["chain.csv"], "register")
    assert [it["next"] for it in chain.values()] == [
        *("SER to QH of 1", "SER to QH of 2", "SER to ground")
    ]
    drawn = json.loads(files["cables.yml"])["connectors"]
    assert [name for name in drawn if name.startswith("Register")] == [
        *("Register 0", "Register 1", "Register 2")
    ]
    assert rows(files["wiring.csv"], "sensor")["button:undo"]["x_mm"] == ""
    parts = {row["part"]: row for row in csv.DictReader(files["parts.csv"].splitlines())}
    assert (parts["register"]["count"], parts["light-2020"]["count"]) == ("3", "5")


@pytest.mark.long
def test_each_file_follows_when_slots_move_apart(tmp_path: Path) -> None:
    before = built(tmp_path / "a")
    after = built(tmp_path / "b", OURS.replace("pitch_mm = 50.0", "pitch_mm = 51.5"))
    moved = {name for name in before if before[name] != after[name]}
    assert moved == before.keys() - {"chain.csv", "pins.csv", "cables.yml"}  # no length in these
    near, far = (json.loads(it["geometry.json"]) for it in (before, after))
    # Five slots of 50 mm in a column; four steps of 43.301 mm and two half corners of 28.868
    assert near["size"] == pytest.approx([230.94, 250.0], abs=0.01)
    assert far["size"] == pytest.approx([230.94 * 1.03, 257.5], abs=0.01)
    for found, files in ((near, before), (far, after)):
        # Balls wait 3 pitches above the middle, and lie 2.8 below it; 6 mm of paper all round
        tall = found["pitch"] * (3 + 2.8) + 12
        paper = pytest.approx((found["size"][0] + 12, tall), abs=0.01)
        assert millimetres(files["board.svg"]) == paper
        slot_wide, slot_high = millimetres(files["slots/C3.svg"])
        assert slot_high == pytest.approx(found["pitch"] + 12)
        assert slot_wide == pytest.approx(found["pitch"] * 1.1547 + 12, abs=0.01)
        c3 = next(slot for slot in found["slots"] if slot["id"] == "C3")
        wire, light = rows(files["wiring.csv"], "sensor"), rows(files["lights.csv"], "light")
        assert float(wire["fall:C3"]["y_mm"]) == c3["y"] == pytest.approx(-found["pitch"] / 2)
        # Along edge 1 of A1, 7 mm in from its middle
        a1 = next(slot for slot in found["slots"] if slot["id"] == "A1")
        assert float(light["0"]["y_mm"]) == pytest.approx(a1["y"] + found["pitch"] / 2 - 7)


@pytest.mark.long
def test_each_file_follows_when_a_sensor_has_another_input(tmp_path: Path) -> None:
    moved = OURS.replace("first_input = 135", "first_input = 140").replace(
        "registers = 17", "registers = 18"
    )
    before, after = built(tmp_path / "a"), built(tmp_path / "b", moved)
    assert {name for name in before if before[name] != after[name]} == {
        *("geometry.json", "wiring.csv", "chain.csv", "parts.csv", "cables.yml")
    }
    assert rows(after["chain.csv"], "register")["17"]["E"] == "rail:main"
    assert rows(after["wiring.csv"], "sensor")["rail:main"]["register"] == "17"


def test_a_slot_is_drawn_at_the_sizes_of_its_file(tmp_path: Path) -> None:
    drawn = built(tmp_path / "a")["slots/C3.svg"]
    across: dict[str, float] = {}
    for kind, points in re.findall(r'class="(\w+)" points="([^"]+)"', drawn):
        ys = [float(point.split(",")[1]) for point in points.split()]
        across[kind] = max(ys) - min(ys)
    expected = {"outline": 50.0, "opening": 46.5, "tile": 46.0, "hole": 40.5}  # 3 mm of ledge
    assert across == pytest.approx(expected, abs=0.01)
    key = re.search(r'class="key" x="([-\d.]+)" y="([-\d.]+)"', drawn)
    assert key is not None  # at the lower side, whose middle is 25 mm below the slot's
    assert float(key[2]) + 4.75 == pytest.approx(25 + 46.5 / 2, abs=0.01)


@pytest.mark.parametrize("bed", [220, 120, 60])
def test_parts_fit_the_printer_s_bed(tmp_path: Path, bed: int) -> None:
    text = OURS.replace("bed_mm = [220, 220]", f"bed_mm = [{bed}, {bed}]")
    found: dict[str, Any] = json.loads(built(tmp_path / "a", text)["geometry.json"])
    assert sorted({slot["part"] for slot in found["slots"]}) == found["parts"]
    for part in found["parts"]:
        corners = [at for slot in found["slots"] if slot["part"] == part for at in slot["corners"]]
        for axis in (0, 1):
            side = [corner[axis] for corner in corners]
            assert max(side) - min(side) <= bed + 0.01


@pytest.mark.parametrize("name", ["hexhex-5", "table"])
def test_a_board_of_plain_cells_is_built_too(tmp_path: Path, name: str) -> None:
    assert invoke("build", name, "-o", tmp_path / "out", home=tmp_path).exit_code == 0
    assert len([*(tmp_path / "out" / "slots").iterdir()]) == 61


def test_what_cannot_be_built_is_not_written(tmp_path: Path) -> None:
    text = OURS.replace("pitch_mm = 50.0", "pitch_mm = 49.0")
    (tmp_path / "it.toml").write_text(text, "utf-8")
    result = invoke("build", tmp_path / "it.toml", "-o", tmp_path / "out", home=tmp_path)
    assert (result.exit_code, "only 49 mm apart" in result.output) == (1, True)
    assert not (tmp_path / "out").exists()
    bare = invoke("build", "rhombus-7", "-o", tmp_path / "out", home=tmp_path)
    assert (bare.exit_code, "Traceback" in bare.output) == (1, False)


def test_the_parts_of_a_whole_board_are_those_of_the_wiring_page(tmp_path: Path) -> None:
    """hardware/wiring.md, *Bill of materials*; the fewer sensors a tier has, the fewer parts."""
    text = built(tmp_path / "a")["parts.csv"]
    every = [*csv.DictReader(text.splitlines())]
    whole = {
        it["part"]: float(it["count"])
        for it in every
        if it["tier"] == "everything" and not it["unit"]
    }
    assert whole == {
        "pico": 1,
        "socket": 2,
        "ball": 6,
        "plug": 1,
        "register": 17,
        "buffer": 2,
        "shifter": 1,
        "led": 113,
        "phototransistor": 113,
        "mosfet": 1,
        "seat": 22,
        "light-2020": 132,
        "r390": 113 + 22,
        "r4k7": 64,
        "r10k": 2,
        "r22k": 50,
        "r33k": 22,
        "r330": 1,
        "r100": 6,
        "c100n": 20,
        "c1000u": 1,
        "fuse": 2,
        "holder": 2,
        "supply-4a": 1,
    }
    hand = [it for it in every if "+" not in it["tier"]]  # without circuit boards
    leds = {it["tier"]: int(it["count"]) for it in hand if it["part"] == "led"}
    assert leds == {"ends": 6 + 6 + 6 + 2, "everything": 113}  # load, gate, throat, floor
    joints = {it["part"]: int(it["joints"]) for it in every if it["tier"] == "lights"}
    assert (joints["light-2020"], joints["register"]) == (132 * 4, 16)  # the rail alone


# ---------------------------------------------------------------------------------- what it draws


def test_the_budget_is_that_of_a_hand_with_a_pencil(tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = invoke("build", "hextraction-22", "--power", "--json", "-o", out, home=tmp_path)
    found = json.loads(result.stdout)
    # 132 lights: 1 mA idle and three channels of 12 mA each. 113 beams and 22 seats of 10 mA
    (rail,) = found["rails"]
    assert (rail["worst_ma"], rail["limit_ma"], found["beams_ma"]) == (132 * 37, 2000, 1350)
    scenes = {it["scene"]: (it["wanted_ma"], it["given_ma"]) for it in rail["scenes"]}
    assert scenes["full white"] == (4884, 2000)
    assert found["most_ma"] == 2000 + 1350
    # OPEN is (0, 17, 65): at 30 % and gamma 2.2, 4 of 255 in blue and 1 in green: 5 a light
    assert scenes["open"][0] == round(132 * (1 + 12 * 5 / 255))
    # 20 Ah at 3.7 V are 14.8 Ah at 5 V, of which 85 % come out: 12.58 Ah
    assert found["hours_most"] == round(12_580 / 3350, 1) == 3.8
    assert rail["light_watts"] + rail["wire_watts"] == pytest.approx(5 * 2.0, abs=0.02)
    assert 4.5 < rail["last_volts"] < 5
    assert rail["unlimited_volts"] < rail["last_volts"]
    drawn = ElementTree.fromstring((out / "power.svg").read_text("utf-8"))
    bars = [it for it in drawn if it.attrib.get("class") == "given"]
    assert len(bars) == len(scenes)


def test_a_plot_that_cannot_be_written_is_all_that_is_told(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("", "utf-8")
    result = invoke(
        "build", "table", "--power", "--json", "-o", tmp_path / "out" / "in", home=tmp_path
    )
    assert result.exit_code == 1
    assert json.loads(result.stdout).keys() == {"error"}


def test_a_budget_follows_the_file_and_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "it.toml").write_text(OURS.replace("limit_ma = 2000", "limit_ma = 1000"), "utf-8")
    told = invoke("build", tmp_path / "it.toml", "--power", home=tmp_path).output
    assert "5 V: 2350 mA at most" in told
    assert "4884 mA wanted, 1000 mA given: All lights fully white." in told
    assert "fuse 3000 mA; wire 0.75 mm², which bears 6000 mA" in told
    assert "Beams and seats: 1350 mA, behind a fuse of their own of 2000 mA." in told
    assert invoke("build", "hexhex-5", "--json", home=tmp_path).exit_code == 2


def test_drops_along_a_strip_are_those_of_ohm_and_kirchhoff() -> None:
    # Fed at one end over 0.1 ohm, 0.2 between: 3 A, then 2 A, then 1 A flow
    assert ladder([0.2, 0.2], [0.1, None, None], 1.0) == pytest.approx([0.3, 0.7, 0.9])
    # Fed at both ends: the middle's ampere comes half from either side
    assert ladder([0.2, 0.2], [0.1, None, 0.1], 1.0) == pytest.approx([0.15, 0.25, 0.15])
    assert ladder([], [0.5], 2.0) == pytest.approx([1.0])


@pytest.mark.long
@pytest.mark.parametrize(
    ("board", "line", "now", "words", "todo"),
    [
        ("hexhex-5", "pitch_mm", "20.0", "--module --tier touch", "Set pitch_mm to that"),
        ("hextraction-22", "inset_mm", "18.0", "--module", "([pixels], inset_mm)"),
        ("hextraction-22", "inset_mm", "18.0", "--cad", "([pixels], inset_mm)"),
    ],
)
def test_a_board_for_which_no_part_can_be_made_is_told_what_to_change(
    tmp_path: Path, board: str, line: str, now: str, words: str, todo: str
) -> None:
    text = shipped("boards", f"{board}.toml").read_text("utf-8")
    text, changed = re.subn(rf"^{line} = [0-9.]+", f"{line} = {now}", text, flags=re.MULTILINE)
    assert changed == 1
    (tmp_path / "mine.toml").write_text(text, "utf-8")
    done = invoke("build", tmp_path / "mine.toml", *words.split(), "-o", tmp_path / "out")
    assert (done.exit_code, todo in done.stderr) == (1, True), done.output

"""`hexboard build --bill`: parts, prices and joints follow the board file and the file of parts."""

import csv
import io
import json
import math
import re
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hexboard.board import find, load_plan
from hexboard.commands.build.cad.filament import calculated
from hexboard.commands.build.measures import buffers, chain_mm, measures, pico_pins
from hexboard.commands.build.sheets import sheets
from hexboard.commands.build.tiers import tiers
from hexboard.files import shipped
from hexboard.words import languages, sentences
from tests import price_table, printed_parts
from tests.cli import invoke
from tests.solids import mesh

OURS = find("hextraction-22").read_text("utf-8")
PARTS = shipped("parts.toml").read_text("utf-8")
PAGE = shipped("bill.md")
WIRING = shipped("wiring.md").read_text("utf-8")
BOARDS = ("hextraction-22", "hexhex-5", "rhombus-11", "flowers-31", "table")
LIGHT = '[[parts]]\nid = "light-2020"'


def bills(folder: Path, *changes: tuple[str, str]) -> dict[str, dict[str, Any]]:
    """The bill of each tier of our board, with its file changed."""
    text = OURS
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / f"{len([*folder.iterdir()])}.toml"  # a file is read once
    path.write_text(text, "utf-8")
    result = invoke("build", path, "--bill", "--json", home=folder)
    assert result.exit_code == 0, result.output
    return {tier["tier"]: tier for tier in json.loads(result.stdout)["tiers"]}


def counts(bill: dict[str, Any]) -> dict[str, float]:
    return {item["part"]: item["count"] for item in bill["items"]}


# ------------------------------------------------------------------------------------ quantities


def test_joints_by_hand_are_those_that_one_counts(tmp_path: Path) -> None:
    """Pins of each part, by hand. Everything: 11 of the Pico (the next test), 17 × 16, 14,
    113 × (2 + 2 + 2 + 2), 22 × (4 + 2 + 2), 132 × 4, the rail's 3 + 2 × 2 + 2, 330 ohm, 2 × 100
    ohm, 18 × 100 nF, 1000 uF, two fuses, two each. Two buffers of 14, each with 100 nF and twice
    100 ohm."""
    found, buffer = bills(tmp_path), 14 + 2 + 2 * 2  # with 100 nF and twice 100 ohm
    few = 11 + 14 + (3 + 2 * 2 + 2) + 2 + 2 * 2 + 2 + 2  # what every tier has, without registers
    lights, register = 132 * 4, 16 + 2  # and the 100 nF of each; one more is the level shifter's
    assert found["lights"]["joints"] == few + 2 + lights + register == 592
    ends = few + 2 + lights + 6 * register + 20 * 8 + 22 * 8 + 2 + buffer
    assert found["ends"]["joints"] == ends == 1040
    every = (
        few + 2 + lights + 17 * register + 113 * 8 + 22 * 8 + 2 + 2 * buffer
    )  # and the beams' fuse
    assert found["everything"]["joints"] == every == 2002


def test_of_the_pico_only_what_is_wired_is_soldered_and_what_holds_its_sockets(
    tmp_path: Path,
) -> None:
    """Data, latch, clock, lights, 3.3 V and three grounds, as hardware/wiring.md has them; of the
    corners 1, 20, 21 and 40 of its two sockets 21 is data. Seven lights without a sensor want
    four, and all corners."""
    rows = re.findall(r"^\| (?:GP|3V3|GND)\S* \| ([\d, ]+) \| (.*) \|$", WIRING, re.MULTILINE)
    pins = {int(pin) for on, to in rows for pin in on.split(", ") if not to.startswith("nothing")}
    assert pins == {21, 22, 24, 29, 36, 23, 28, 38}
    assert len(pins | {1, 20, 21, 40}) == 11
    board, plan = load_plan(find("hextraction-22"))
    assert pico_pins(board) == pins
    written = csv.DictReader(io.StringIO(sheets(board, plan)["pins.csv"]))
    data = {int(it["pin"]) for it in written if it["name"] != "UNUSED"}
    assert pins - data == {36, 23, 28, 38}
    for tier in bills(tmp_path).values():
        socket = next(it for it in tier["items"] if it["part"] == "socket")
        assert socket["detail"] == "11 of 40 pins soldered (8 wired, and the strips' corners)"
        assert (socket["count"], socket["joints"]) == (2, 11)
        for built in tier["boards"]:
            assert {**socket, "sources": []} in [{**it, "sources": []} for it in built["items"]]
    (tmp_path / "lit.toml").write_text(SEVEN.replace('[[sensors]]\nkind = "seat"\n', ""), "utf-8")
    lit = measures(*load_plan(tmp_path / "lit.toml"))
    assert (lit["pico_wired"], lit["pico_pin"]) == (1 + 3, 4 + 4)


def test_joints_with_modules_are_those_of_what_is_on_none(tmp_path: Path) -> None:
    """Pico, level shifter with capacitor, 330 ohm, twice 100 ohm, 1000 uF and fuse stay. Two wires
    bring 5 V to each of three slots. Each board has one register. Two plugs of seven pins are 14
    joints a board. Of beams at the rim 11 exits,
    four gates and two throats are at edges 1, 5 and 6, where four legs want more length."""
    tiers = bills(tmp_path)
    found = tiers["everything"]["modules"]
    few, fed = 11 + 14 + 2 + 2 + 2 * 2 + 2 + 2, 3 * 2
    stay = few + 17 * 4 + fed
    assert stay == 111 < 250
    assert (found["slots"], found["ramps"], found["zones"]) == (22, 2, 2)
    assert (found["left"], found["taken"]) == (stay, 2002 - stay)
    assert (found["far"], found["lengthened"]) == (17, 68)
    assert tiers["ends"]["modules"]["left"] == few + 6 * 4 + fed
    assert found["plugs"] == (22 + 2 + 2) * 14
    assert (found["registers"], found["most_registers"]) == (22 + 2 + 2, 32)
    lights = tiers["lights"]  # nobody drew a circuit board without a seat
    assert (lights["modules"], lights["boards"]) == (None, [])
    assert "has no such circuit board" in lights["boards_why"]


@pytest.mark.parametrize("name", ["hexhex-5", "table"])
def test_joints_with_modules_of_seven_cells_are_those_of_pico_and_supply(
    tmp_path: Path, name: str
) -> None:
    """Pico, level shifter with capacitor, 330 ohm, twice 100 ohm, 1000 uF and fuse are soldered; 13
    circuit boards have two plugs of seven pins each. 5 V come to each seventh of them, lights of
    seven, where they are fed after 50: to two, by two wires each."""
    result = invoke("build", name, "--bill", "--json", home=tmp_path)
    assert result.exit_code == 0, result.output
    found = {it["tier"]: it["modules"] for it in json.loads(result.output)["tiers"]}
    assert found["lights"] is None
    touch = found["touch"]
    assert (touch["sevens"], touch["slots"], touch["registers"]) == (13, 0, 13)
    assert touch["left"] == 11 + 14 + 2 + 2 + 2 * 2 + 2 + 2 + 2 * 2 == 41
    assert touch["plugs"] == 13 * 14


def test_joints_with_slot_modules_alone_keep_ramps_and_zones(tmp_path: Path) -> None:
    """Their beams over lanes and floors stay, eight, behind the lights' fuse; and with the rail
    need two registers."""
    text = PARTS[: PARTS.index('[[modules]]\nat = "ramp"')]
    (tmp_path / "parts.toml").write_text(text, "utf-8")
    found = bills(tmp_path)["everything"]["modules"]
    assert found["left"] == 111 + (3 + 2 * 2 + 2) + 2 * (16 + 2) + 8 * 8 == 220
    assert found["registers"] == 2 + 22


def test_sensors_that_no_circuit_board_carries_have_registers_of_their_own(tmp_path: Path) -> None:
    """Of 22 below slots three hang beside the chain of 26."""
    assert PARTS.count('"throat", "fall", "seat"]') == 1
    text = PARTS.replace('"throat", "fall", "seat"]', '"throat", "seat"]')
    (tmp_path / "parts.toml").write_text(text, "utf-8")
    assert bills(tmp_path)["everything"]["modules"]["registers"] == 26 + 3


def test_who_wires_by_hand_buys_no_sockets_and_stays_under_250_euros(tmp_path: Path) -> None:
    """They stand on circuit boards alone, and a board house brings them."""
    whole = bills(tmp_path)["everything"]
    assert not any("socket of 2" in it["name"] for it in whole["items"])
    assert whole["high_eur"] < 250


def test_lengths_and_weights_are_those_of_a_hand_with_a_pencil(tmp_path: Path) -> None:
    """Two wires of half a metre to each of three feeds, and a fifth more. A disc of `hexhex-5` is
    13.6 mm in radius and 7.6 high, with a ring of 0.6 mm over it and a groove of 0.8 mm under that;
    three walls of 0.4 mm all round it, a fifth of the rest: 28 of them."""
    lit = bills(tmp_path)["lights"]
    assert counts(lit)["power-wire"] == 4  # 3.6 m
    told = invoke("build", "hexhex-5", "--bill", "--tier", "lights", "--json", home=tmp_path)
    (discs,) = json.loads(told.stdout)["tiers"]
    radius, high = 13.6, 7.6
    near, far = 0.8 * radius, 0.92 * radius
    disc = math.pi * (radius**2 * high + 0.6 * (far**2 - near**2))
    groove = (far + 0.2) ** 2 - (near - 0.2) ** 2
    volume = disc - 0.8 * math.pi * groove
    sides = radius * high + (far + near) * 0.6 + (far + near) * 0.8
    area = 2 * math.pi * (radius**2 + sides)
    shell = 1.2 * area
    grams = 28 * 0.00124 * (shell + 0.2 * (volume - shell))
    assert discs["print_g"] == pytest.approx(grams, rel=0.01)
    assert discs["print_hours"] == [math.ceil(grams / 30), math.ceil(grams / 10)]
    assert counts(discs)["filament"] == math.ceil(0.11 * grams) / 100


SEVEN = """
schema = "hexboard/board-1"
name = "seven"
title = "Seven cells"
shape = "hexhex-2"
pitch_mm = 40.0

[[sensors]]
kind = "seat"

[pixels]
edges = [0]

[[rails]]
id = "main"
limit_ma = 500

[build]
"""


def test_wire_is_as_long_as_its_ways_and_a_fifth_more(tmp_path: Path) -> None:
    """Seven pads, one register in their middle: six 40 mm away, three leads each; five leads
    of half a metre to the Pico. Lights in rows of 2, 3 and 2: four steps of 40 mm, and two of 60
    aside and 34.64 up; three leads. One feed: half a metre there and back."""
    (tmp_path / "it.toml").write_text(SEVEN, "utf-8")
    found = measures(*load_plan(tmp_path / "it.toml"))
    assert found["signal_m"] == pytest.approx(1.2 * (3 * 6 * 40 + 5 * 500) / 1000, abs=1e-4)
    rows = 4 * 40 + 2 * math.hypot(60, 34.641)
    assert found["strip_m"] == pytest.approx(1.2 * 3 * rows / 1000, abs=1e-4)
    assert found["power_m"] == pytest.approx(1.2 * 2 * 0.5)


@pytest.mark.parametrize("name", BOARDS)
def test_no_part_of_a_chain_is_driven_over_more_than_a_metre(tmp_path: Path, name: str) -> None:
    """hardware/wiring.md. The longest are 2.1 and 3.3 m."""
    has = {}
    for tier in tiers(find(name)):
        far = {k: 1.2 * it for k, it in chain_mm(tier.board, tier.plan).items()}
        starts = [0.0, *(far[k] for k in buffers(tier.board, tier.plan))]
        parts = pairwise([*starts, max(far.values(), default=0.0)])
        assert all(end - start <= 1000 for start, end in parts)
        has[tier.id] = len(starts) - 1
    told = invoke("build", name, "--bill", "--json", home=tmp_path).stdout
    bought = {it["tier"]: counts(it).get("buffer", 0) for it in json.loads(told)["tiers"]}
    assert bought == has
    most = {"hextraction-22": 2, "flowers-31": 3, "hexhex-5": 0, "rhombus-11": 1, "table": 1}
    assert max(has.values()) == most[name]


def test_beams_have_a_fuse_and_wire_of_their_own(tmp_path: Path) -> None:
    """Seven beams on one register: half a metre there and back, as to the lights. With the first
    row of two on one and three and two on another, their middles are 34.64 and 2 / 5 of it apart
    (a row is 34.64 from the next)."""
    (tmp_path / "one.toml").write_text(SEVEN.replace('"seat"', '"fall"'), "utf-8")
    found = measures(*load_plan(tmp_path / "one.toml"))
    assert found["power_m"] == pytest.approx(1.2 * 2 * (0.5 + 0.5))
    assert found["fuse"] == 2
    split = SEVEN.replace('"seat"', '"fall"\ninputs = [0, 1, 8, 9, 10, 11, 12]')
    (tmp_path / "two.toml").write_text(split, "utf-8")
    found = measures(*load_plan(tmp_path / "two.toml"))
    assert found["power_m"] == pytest.approx(1.2 * 2 * (0.5 + 0.5 + 1.4 * 0.034641), abs=1e-5)


@pytest.mark.long
def test_quantities_follow_the_board_file(tmp_path: Path) -> None:
    before = counts(bills(tmp_path)["everything"])
    rings = counts(bills(tmp_path, ("inset_mm = 7.0", "inset_mm = 7.0\nedges = [1, 3, 5]"))["ends"])
    assert (before["light-2020"], rings["light-2020"]) == (132, 66)
    shy = ("first_input = 61", 'first_input = 61\nat = ["A1-5"]')
    fewer = counts(bills(tmp_path, shy)["everything"])
    assert (before["led"], fewer["led"], fewer["r390"]) == (113, 92, 92 + 22)
    other = bills(tmp_path, ('source = "pico"\n', 'source = "pico"\ntype = "sk6812"\n'))
    assert counts(other["lights"])["light-sk6812"] == 132
    assert "light-2020" not in counts(other["lights"])
    fed = counts(bills(tmp_path, ("feed_every = 50", "feed_every = 22"))["lights"])
    assert fed["power-wire"] == 8  # six feeds: 7.2 m
    wide = counts(bills(tmp_path, ("pitch_mm = 50.0", "pitch_mm = 55.0"))["everything"])
    assert wide["strip-wire"] > before["strip-wire"]
    assert wide["signal-wire"] > before["signal-wire"]
    assert wide["filament"] > before["filament"]


@pytest.mark.long
def test_the_supply_is_the_one_of_the_board_file_and_of_its_cables(tmp_path: Path) -> None:
    """2000 mA of lights, and 10 mA for each of 0, 20 and 113 beams and 22 seats; `supply_ma` is
    4000."""
    found = bills(tmp_path)
    has = {
        name: (tier["draws_ma"], [it for it in counts(tier) if it.startswith("supply")])
        for name, tier in found.items()
    }
    assert has == {
        "lights": (2000, ["supply-4a"]),
        "ends": (2420, ["supply-4a"]),
        "everything": (3350, ["supply-4a"]),
    }
    less = ("supply_ma = 4000", "supply_ma = 3000"), ("limit_ma = 2000", "limit_ma = 1600")
    assert "supply-3a" in counts(bills(tmp_path, *less)["everything"])  # 2950 of 3000
    out = tmp_path / "out"
    invoke("build", "hextraction-22", "--tier", "lights", "-o", out, home=tmp_path)
    assert '"5 V, 4000 mA"' in (out / "cables.yml").read_text("utf-8")


GUIDES = ("guide.md", "printing.md")
NAMED = {
    "Pi": "Pi",
    "a cable that only charges": "USB cable",
    "spirit level": "spirit level",
    "screws": "screws",
    "inserts": "inserts",
    "tied": "cable ties",
    "glue": "glue",
    "light guides": "light guides",
    "Pico's socket": "for the Pico",
    "Balls": "steel ball",
    "ribbon": "ribbon cable",
    "level shifter": "level shifter",
    "fuse": "fuse",
    "supply": "supply",
}
"""What the guides' steps name, and how the bill does."""


def test_what_the_guides_name_is_on_the_bill_or_told_as_not_in_it(tmp_path: Path) -> None:
    guides = "".join(shipped(it).read_text("utf-8") for it in GUIDES)
    told = invoke("build", "hextraction-22", "--bill", "--tier", "everything", home=tmp_path).output
    for word, name in NAMED.items():
        assert (word in guides, name in told) == (True, True), word


def test_a_match_of_two_has_three_balls_each(tmp_path: Path) -> None:
    """Rule 1.0.3. Games without balls have none."""
    assert {counts(it)["ball"] for it in bills(tmp_path).values()} == {6}
    discs = invoke("build", "hexhex-5", "--bill", "--json", home=tmp_path)
    assert not any("ball" in counts(it) for it in json.loads(discs.stdout)["tiers"])


def test_a_button_and_a_rail_on_the_pi_have_their_own_circuits(tmp_path: Path) -> None:
    """hardware/pi.md: a rail on a pin goes through an optocoupler."""
    text = OURS[: OURS.index("[[build.tiers]]")].replace(
        'kind = "rail"\nfirst_input = 135', 'kind = "rail"\nsource = "gpio"\ninputs = [5]'
    )
    button = (
        '[[sensors]]\nkind = "button"\nsource = "gpio"\nat = ["end"]\ninputs = [17]\n\n[pixels]'
    )
    (tmp_path / "it.toml").write_text(text.replace("[pixels]", button, 1), "utf-8")
    told = invoke("build", tmp_path / "it.toml", "--bill", "--json", home=tmp_path)
    (whole,) = json.loads(told.stdout)["tiers"]
    has = counts(whole)
    assert (has["optocoupler"], has["r1k"], has["button"]) == (1, 1, 1)
    assert "mosfet" not in has
    assert has["r10k"] == 1  # the button's


def test_a_tile_is_seen_from_below(tmp_path: Path) -> None:
    """One a slot, with 390 ohm and 33 kohm; no magnets, and nothing that has to be pressed: a tile
    weighs 0.15 N."""
    found = bills(tmp_path)
    for tier, beams in (("ends", 20), ("everything", 113)):
        has = counts(found[tier])
        assert (has["seat"], has["r33k"], has["r390"]) == (22, 22, beams + 22)
        assert "magnet" not in has
    seat = next(it for it in found["ends"]["items"] if it["part"] == "seat")
    assert seat["numbers"][0] == "TCRT5000"
    assert "D2F" not in PARTS


def test_who_feels_tiles_by_magnets_has_them_counted(tmp_path: Path) -> None:
    """Notches of the basic tiles: Asterisk, J, S, X and Z have six, DC and Peace four, DIC two. Of
    28 tiles there are three of each, of the first four one more: 6 + 4 + 2 + 6."""
    more = '[[parts]]\nid = "disc"\nname = "disc"\ncount = { magnet = 1 }\neur = [0.1, 0.3]\n\n'
    text = PARTS.replace('[[parts]]\nid = "ball"', more + '[[parts]]\nid = "ball"')
    (tmp_path / "parts.toml").write_text(text, "utf-8")
    found = bills(tmp_path)
    kinds = [tomllib.loads(it.read_text("utf-8")) for it in shipped("tiles", "basic").iterdir()]
    assert sum(len(it["sockets"]) for it in kinds) == 40
    assert counts(found["everything"])["disc"] == 3 * 40 + 6 + 4 + 2 + 6 == 138
    assert "disc" not in counts(found["lights"])


def test_a_finger_is_felt_by_a_touch_pad(tmp_path: Path) -> None:
    """61 cells, a module each, with three pins; it drives its input both ways, without a resistor.
    61 inputs are eight registers."""
    result = invoke("build", "hexhex-5", "--bill", "--tier", "touch", "--json", home=tmp_path)
    (touch,) = json.loads(result.stdout)["tiers"]
    assert counts(touch)["pad"] == 61
    assert not {"r10k", "seat", "magnet"} & {*counts(touch)}
    few = 11 + 14 + 2 + 2 + 2 * 2 + 2 + 2  # Pico, shifter, 330 ohm, 100 nF, 100 ohm, 1000 uF, fuse
    assert touch["joints"] == few + 61 * 3 + 61 * 4 + 8 * (16 + 2)


@pytest.mark.parametrize("name", BOARDS)
def test_every_printed_part_of_our_boards_is_calculated(tmp_path: Path, name: str) -> None:
    """hardware/printed.csv has each tier's parts as they are today: `python -m
    tests.printed_parts` writes it anew."""
    told = invoke("build", name, "--bill", "--json", home=tmp_path)
    for tier in json.loads(told.stdout)["tiers"]:
        assert (tier["estimated"], tier["why_none"]) == ([], "")
        assert (tier["printed"] > 0) == (name != "table")


@pytest.mark.long
def test_parts_of_a_changed_board_are_estimated_by_those_of_ours(tmp_path: Path) -> None:
    """Camera's head, box and tiles do not follow the pitch. 2 % more of it, 4 % more of the frame:
    the grams grow by less than that, for most parts do not."""
    wide = ("pitch_mm = 50.0", "pitch_mm = 51.0")
    before, after = bills(tmp_path)["everything"], bills(tmp_path, wide)["everything"]
    assert {"frame-1-1", "light-ring", "ramp-B1"} <= {*after["estimated"]}
    assert not {"box", "tile-X", "camera-head"} & {*after["estimated"]}
    assert 1.0 < after["print_g"] / before["print_g"] < 1.06
    (tmp_path / "wide.toml").write_text(OURS.replace(*wide), "utf-8")
    told = invoke("build", tmp_path / "wide.toml", "--bill", "--tier", "ends", home=tmp_path).output
    assert "`hexboard build BOARD --cad` calculates them." in told


def test_a_board_that_cannot_be_printed_has_a_bill_that_says_why(tmp_path: Path) -> None:
    found = bills(tmp_path, ("bed_mm = [220, 220]", "bed_mm = [60, 55]"))["everything"]
    assert "the printer's bed 60 × 55 mm (bed_mm)" in found["why_none"]
    assert (found["printed"], "filament" in counts(found)) == (0, False)


@pytest.mark.long
def test_the_figures_of_printed_parts_are_those_of_today() -> None:
    """Of a part of each kind, as another program measures its triangles: trimesh."""
    known = {it.recipe: it for it in calculated().values()}
    assert {*known} == {*printed_parts.recipes()}
    kinds = {part.name.split("-")[0]: (it, part) for it, part in printed_parts.recipes().items()}
    assert len(kinds) >= 13
    for recipe, part in kinds.values():
        solid, found = mesh(part.shape), known[recipe]
        assert solid.volume / 1000 == pytest.approx(found.volume_cm3, rel=0.01, abs=0.002)
        assert solid.area / 100 == pytest.approx(found.area_cm2, rel=0.01)


# ------------------------------------------------------------------------------- what it comes to


def test_prices_are_sums_of_lines_and_the_whole_board_stays_below_250_eur(tmp_path: Path) -> None:
    for tier in bills(tmp_path).values():
        for end in ("low_eur", "high_eur"):
            assert tier[end] == pytest.approx(sum(it[end] for it in tier["items"]), abs=0.005)
    assert tier["high_eur"] < 250
    assert re.fullmatch(r"20\d\d-\d\d", tier["prices"])


def cost(bill: dict[str, Any], part: str) -> tuple[float, float]:
    item = next(it for it in bill["items"] if it["part"] == part)
    return item["low_eur"], item["high_eur"]


@pytest.mark.long
def test_a_price_follows_from_its_sources_and_the_number_that_is_bought(tmp_path: Path) -> None:
    """One euro is 1.1172 USD, 0.8338 GBP, 1491.76 KRW. A fifth of tax is added where it
    is not said to be in: 17 registers cost 0.6072 USD each, 6 and 1 0.7655. A light of a strip is a
    60th of 13 EUR, a seat costs what the cheaper of two kinds does, or the dearer; 3 m of ribbon
    are 30 m of its ten leads. Tax is in wire's price."""
    found = bills(tmp_path)
    one, many = 0.7655 / 1.1172, 0.6072 / 1.1172
    for name, number, each in (("lights", 1, one), ("ends", 6, one), ("everything", 17, many)):
        costs = number * each, number * each * 1.2
        assert cost(found[name], "register") == pytest.approx(costs, abs=0.006)
    whole = found["everything"]
    led = 113 * 0.0556 / 1.1172
    assert cost(whole, "led") == pytest.approx((led, led * 1.2), abs=0.006)
    pico = 4.0 / 1.1172, 3.22 / 0.8338 * 1.2  # a list price in the press; DigiKey's
    assert cost(whole, "pico") == pytest.approx(pico, abs=0.006)
    assert cost(whole, "supply-4a") == (6.57, 22.8)  # 9800 KRW; 19 EUR and a fifth
    holders = 2 * 5.19 / 5 / 0.8338, 2 * 3.5349 / 1.1172 * 1.2
    assert cost(whole, "holder") == pytest.approx(holders, abs=0.006)
    assert cost(whole, "guide") == (2.0, 6.0)  # estimated, 2 m at 1 and 3 EUR
    seats = 22 * 1.3952 / 1.1172, 22 * 1.518 / 1.1172 * 1.2
    assert cost(whole, "seat") == pytest.approx(seats, abs=0.006)
    leads = 51 * 3.02 / 30
    assert cost(whole, "signal-wire") == pytest.approx((leads, leads * 1.2), abs=0.006)
    assert cost(whole, "power-wire") == (3.6, 3.6)  # 8 m, 10 of which cost 4.50 EUR
    spools = 1.6 * 13.99 / 1.1172, 1.6 * 29.99 / 1.1172 * 1.2
    assert cost(whole, "filament") == pytest.approx(spools, abs=0.006)
    strips = bills(tmp_path, ('source = "pico"\n', 'source = "pico"\ntype = "ws2812b"\n'))
    lights = 132 * 0.078 / 1.1172, 132 * 13 / 60 * 1.2
    assert cost(strips["lights"], "light") == pytest.approx(lights, abs=0.01)


def test_a_board_without_anything_costs_nothing(tmp_path: Path) -> None:
    text = SEVEN.replace("[pixels]\nedges = [0]\n", "").replace('[[sensors]]\nkind = "seat"\n', "")
    (tmp_path / "it.toml").write_text(text, "utf-8")
    told = invoke("build", tmp_path / "it.toml", "--bill", "--json", home=tmp_path)
    (whole,) = json.loads(told.stdout)["tiers"]
    assert (whole["items"], whole["high_eur"], whole["sourced_percent"]) == ([], 0, 0)


def test_each_price_says_where_it_is_from(tmp_path: Path) -> None:
    whole = bills(tmp_path)["everything"]
    led = next(it for it in whole["items"] if it["part"] == "led")
    (source,) = led["sources"]
    assert (source["price"], source["currency"], source["at"]) == (0.0556, "USD", 100)
    assert (source["date"], source["tax"]) == ("2026-05-21", "out")
    assert "yaqwsx/jlcparts" in source["where"]
    sourced = [it["low_eur"] + it["high_eur"] for it in whole["items"] if it["sources"]]
    share = 100 * sum(sourced) / (whole["low_eur"] + whole["high_eur"])
    assert whole["sourced_percent"] == pytest.approx(share, abs=1.01)
    told = invoke("build", "hextraction-22", "--bill", "--tier", "everything", home=tmp_path).output
    assert f"{whole['sourced_percent']} % of the price has sources" in told
    for it in whole["items"]:
        (line,) = [line for line in told.splitlines() if f" {it['name']}" in line]
        assert line.endswith("no source: estimate") == (not it["sources"])


def test_the_page_has_every_source_and_names_what_has_none() -> None:
    """`python -m tests.price_table` writes it anew."""
    assert price_table.table() in PAGE.read_text("utf-8")


def test_every_source_is_newer_than_2022_and_of_a_part_that_is_named(tmp_path: Path) -> None:
    for part in tomllib.loads(PARTS)["parts"]:
        assert all("2022" <= it["date"] < "2027" for it in part.get("sources", ()))


def test_people_read_what_they_need_and_what_they_will_say(tmp_path: Path) -> None:
    told = invoke("build", "hextraction-22", "--bill", "--tier", "ends", home=tmp_path).output
    assert "Tier ends (hextraction-22-ends): " in told
    assert "1040 joints by hand. " in told
    assert "6 × shift register 74HC165: 4.11 to 4.93 EUR, 96 joints; SN74HC165N" in told
    assert "2 × blade fuse, MINI, 3 A, 2 A: " in told
    assert "where each ball ends that no sensor sees" in told
    assert "Tools, if you have none: soldering iron" in told
    assert "Tier lights" not in told


@pytest.mark.long
def test_scripts_read_the_same_as_csv(tmp_path: Path) -> None:
    table = invoke("build", "hextraction-22", "--bill", "--csv", home=tmp_path).stdout
    rows = [*csv.DictReader(table.splitlines())]
    named = {row["tier"] for row in rows}
    assert {it for it in named if "+" not in it} == {"lights", "ends", "everything"}
    assert {"everything+economic", "everything+standard"} <= named
    every = {row["part"]: float(row["count"]) for row in rows if row["tier"] == "everything"}
    assert every == counts(bills(tmp_path)["everything"])
    (led,) = {row["sources"] for row in rows if (row["tier"], row["part"]) == ("everything", "led")}
    assert led.startswith("IR204C-A-L, jlcpcb.com C98863, 0.0556 USD, 100+, out, 2026-05-21, ")
    written = invoke("build", "hextraction-22", "-o", tmp_path / "out", home=tmp_path)
    assert written.exit_code == 0
    assert (tmp_path / "out" / "parts.csv").read_text("utf-8") == table


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("language", languages())
def test_every_board_has_a_bill_in_every_language(tmp_path: Path, name: str, language: str) -> None:
    told = invoke("--language", language, "build", name, "--bill", home=tmp_path)
    keys = "bill." in told.output.replace("hardware/bill.md", "")
    assert (told.exit_code, keys) == (0, False)
    assert told.output.count("EUR") > 5


def test_every_name_of_a_part_is_said_in_german(tmp_path: Path) -> None:
    data = tomllib.loads(PARTS)
    names = {it["name"] for it in (*data["parts"], *data["tools"])}
    names |= {note for it in data["parts"] for note in it.get("instead", ())}
    begin = "bill.value."
    known = {key.removeprefix(begin) for key in sentences("bill", "de") if key.startswith(begin)}
    alike = {name for name in names if " " not in name or not re.search("[a-z]{3}", name)}
    assert names - known - alike <= {"Raspberry Pi Pico", "Pico 2 (SC1631)"}
    assert known <= names


@pytest.mark.long
def test_the_page_shows_what_the_command_says(tmp_path: Path) -> None:
    """hardware/bill.md: below each command stands all that it tells."""
    page = PAGE.read_text("utf-8")
    shown = re.findall(r"\n    (hexboard build [^\n]*)\n\n```\n(.*?)\n```\n", page, re.DOTALL)
    assert len(shown) == 3
    for command, output in shown:
        assert invoke(*command.split()[1:], home=tmp_path).output.rstrip("\n") == output
    told = dict(re.findall(r"^\| `(\w+)` \|.*\| (\d+) \|$", page, re.MULTILINE))
    assert told == {name: str(tier["joints"]) for name, tier in bills(tmp_path).items()}


# ---------------------------------------------------------------------------------- what is wrong


def parts(home: Path, old: str = "", new: str = "") -> Path:
    assert not old or PARTS.count(old) == 1, old
    path = home / "parts.toml"
    path.write_text(PARTS.replace(old, new) if old else PARTS, "utf-8")
    return path


def test_a_person_s_own_prices_count(tmp_path: Path) -> None:
    parts(tmp_path, "eur = [1.0, 3.0]", "eur = [7.0, 7.0]")
    whole = bills(tmp_path)["everything"]
    assert cost(whole, "guide") == (14.0, 14.0)
    assert invoke("check", tmp_path / "parts.toml", home=tmp_path).output.endswith(
        "a good parts file\n"
    )


BAD = [
    ("count = { button = 1 }", "count = { buton = 1 }", "“buton”. Did you mean “button”?"),
    ("eur = [1.0, 3.0]", "eur = [3.0, 1.0]", "3, 1 is no range; write low and high"),
    ("eur = [1.0, 3.0]", "eur = [-1, 0.12]", "-1, 0.12 is no range"),
    ("eur = [1.0, 3.0]", 'eur = "cheap"', "Expected"),
    (
        '[[1, 3.22]], currency = "GBP"',
        '[[1, 3.22]], currency = "CHF"',
        "no rate for “CHF” under [rates]. Known: EUR, USD, GBP, KRW",
    ),
    ('date = "2024-06-06"', 'date = "6.6.2024"', "“6.6.2024” is no day"),
    ('date = "2024-06-06"', 'date = "2024-06-31"', "“2024-06-31” is no day"),
    ("[[1, 3.22]]", "[[10, 3.22], [1, 4.0]]", "the least number first"),
    ("[[1, 3.22]]", "[[1, -3.22]]", "the least number first"),
    ("prices = [[1, 3.22]]", "prices = []", "the least number first"),
    ("[[1, 3.22]]", "[[1, nan]]", "the least number first"),
    ('what = "SC0915, DigiKey UK"', 'what = " "', "say what was priced"),
    ('what = "SC0915, DigiKey UK"', 'waht = "SC0915"', "Did you mean “what”?"),
    ("pack = 60 }", "pack = 0 }", "more than 0"),
    ("USD = 1.1172", "USD = 0", "say how much USD one euro is"),
    ('date = "2026-10-30"', 'date = "October"', "“October” is no day"),
    ("joints = 16", "joints = -16", "joints are 0 to 1000"),
    ("joints = 16", "jionts = 16", "Did you mean “joints”?"),
    ("soldered = { pico_pin = 1 }", "soldered = { pico_pins = 1 }", "Did you mean “pico_pin”?"),
    ("soldered = { pico_pin = 1 }", "soldered = { pico_pin = 0 }", "joints are 0 to 1000"),
    ('id = "led"', 'id = "pico"', "a part “pico” stands here already"),
    ('unit = "kg"', 'unit = "lb"', "“lb” is no unit; write m, kg"),
    ("gives_ma = 3000\n", "gives_ma = 0\n", "say how many mA the supply “supply-3a” gives"),
    ("count = { chain = 2, buffer = 2 }", "count = {}", "as in count = { beam = 1 }"),
    ("count = { chain = 2, buffer = 2 }", "count = { chain = nan }", "as in count = { beam = 1 }"),
    ("count = { chain = 2, buffer = 2 }", "count = { chain = 1e9 }", "as in count = { beam = 1 }"),
    ("parts-1", "parts-9", "written for “hexboard/parts-9”"),
    ("grams_an_hour = [10.0, 30.0]", "grams_an_hour = [0, 30.0]", "0, 30 is no range"),
    ("pins = 7 ", "pins = 7000 ", "joints are 0 to 1000"),
    ('at = "ramp"', 'at = "rmap"', "“rmap”"),
    ('needs = "printed_kg"', 'needs = "printed"', "Did you mean “printed_kg”?"),
]


@pytest.mark.parametrize(("old", "new", "says"), BAD, ids=[says for *_, says in BAD])
def test_a_wrong_file_of_parts_is_told_with_its_line(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    path = parts(tmp_path, old, new)
    lines = path.read_text("utf-8").splitlines()
    number = max(k for k, line in enumerate(lines, 1) if new.strip() in line)
    for words in (("check", path), ("build", "table", "--bill")):
        told = invoke(*words, home=tmp_path)
        assert told.exit_code == 1
        (line,) = [it for it in told.output.splitlines() if says in it]
        assert line.startswith(f"{path}:{number}: ")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("eur = [1.0, 3.0]\n", ""),
        ('numbers = ["SC0915"]', 'numbers = ["SC0915"]\neur = [4.0, 6.0]'),
    ],
)
def test_a_part_has_sources_or_an_estimate(tmp_path: Path, old: str, new: str) -> None:
    told = invoke("check", parts(tmp_path, old, new), home=tmp_path)
    says = "costs: either sources, or eur for an estimate."
    assert (told.exit_code, says in told.output) == (1, True)


def test_a_file_of_parts_without_its_schema_is_told_so(tmp_path: Path) -> None:
    path = parts(tmp_path, 'schema = "hexboard/parts-1"\n', "")
    told = invoke("check", path, home=tmp_path)
    assert (told.exit_code, told.output.splitlines()) == (
        1,
        [f"{path}:1: (top): the key “schema” is missing."],
    )


def test_a_board_of_contacts_alone_needs_no_supply(tmp_path: Path) -> None:
    text = SEVEN.replace("[pixels]\nedges = [0]\n", "")
    (tmp_path / "it.toml").write_text(text, "utf-8")
    told = invoke("build", tmp_path / "it.toml", "--bill", home=tmp_path).output
    assert "7 × touch pad TTP223" in told
    assert "supply 5 V" not in told


def test_a_board_too_big_for_every_supply_is_refused_with_numbers(tmp_path: Path) -> None:
    text = OURS.replace("supply_ma = 4000", "supply_ma = 20000").replace("idle_ua = 1000", "")
    text = text.replace("limit_ma = 2000", "limit_ma = 11000").replace("= 12000", "= 40000")
    text = text.replace("main = 3000", "").replace("wire_mm2 = 0.75", "wire_mm2 = 1.5")
    (tmp_path / "it.toml").write_text(text, "utf-8")
    told = invoke("build", tmp_path / "it.toml", "--bill", home=tmp_path)
    says = f"20000 mA at 5 V (supply_ma); the largest in {shipped('parts.toml')} gives 10000 mA."
    assert (told.exit_code, says in told.output) == (1, True)


def test_what_no_part_is_counted_by_is_told(tmp_path: Path) -> None:
    parts(tmp_path, LIGHT, LIGHT.replace("light-2020", "x") + '\n# fits nothing\nfits = "own"')
    text = parts(tmp_path).read_text("utf-8").replace('fits = "ws2812b-2020"', 'fits = "own"')
    (tmp_path / "parts.toml").write_text(text, "utf-8")
    told = invoke("build", "hextraction-22", "--bill", home=tmp_path)
    says = "This board has 132 of “light” (lights: ws2812b-2020); no part in"
    assert (told.exit_code, says in told.output) == (1, True)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--csv",), "--csv goes with --bill."),
        (("--bill", "--csv", "--json"), "--csv and --json exclude each other."),
        (("--bill", "--power"), "--power, --bill, --module and --cad exclude one another."),
        (("--bill", "-o", "out"), "-o does not go with --bill"),
        (("--json",), "--json goes with --power, --bill, --module or --cad."),
    ],
)
def test_options_that_do_not_go_together_are_told(
    tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    told = invoke("build", "table", *words, home=tmp_path)
    assert (told.exit_code, says in told.output) == (2, True)


@pytest.mark.long
def test_a_fuse_that_the_file_does_not_say_is_not_given_the_rating_of_another(
    tmp_path: Path,
) -> None:
    """Beams and seats have one of their own, of 2 A; of the lights' nothing is said."""
    unsaid = ("[build.fuses]\nmain = 3000\n", "")
    found = bills(tmp_path, unsaid)["everything"]["items"]
    fuse = next(item for item in found if item["part"] == "fuse")
    assert (fuse["count"], fuse["detail"]) == (2, "? A for rail main ([build.fuses]), 2 A")

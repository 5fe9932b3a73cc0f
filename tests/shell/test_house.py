"""What circuit boards cost at a board house: `hexboard build --bill`, *With circuit boards*.

Rates are those that the house publishes (hardware/parts.toml says where); what they come to is
calculated by hand here.
"""

import csv
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from hexboard.board import find
from hexboard.commands.build.module.beside import (
    beside,
    ramp_circuit,
    ramp_placed,
    zone_circuit,
    zone_placed,
)
from hexboard.commands.build.module.circuit import circuit
from hexboard.commands.build.module.placing import BODIES, placed
from hexboard.commands.build.orders import BoardKind, board_kinds
from hexboard.commands.build.tiers import tiered
from hexboard.files import shipped
from hexboard.words import languages
from tests.cli import invoke

PARTS = shipped("parts.toml").read_text("utf-8")
PAGE = shipped("bill.md")
USD = 1.1172
TAX = 1.2


def bill(home: Path, board: str = "hextraction-22", tier: str = "everything") -> dict[str, Any]:
    told = invoke("build", board, "--bill", "--tier", tier, "--json", home=home)
    assert told.exit_code == 0, told.output
    found: dict[str, Any]
    (found,) = json.loads(told.stdout)["tiers"]
    return found


def built(home: Path, **where: str) -> dict[str, dict[str, Any]]:
    """Each way with circuit boards, by its service."""
    return {it["service"]: it for it in bill(home, **where)["boards"]}


def lines(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {it["part"]: it for it in found["items"]}


def changed(home: Path, *changes: tuple[str, str]) -> Path:
    text = PARTS
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = home / "parts.toml"
    path.write_text(text, "utf-8")
    return path


def kinds() -> dict[str, BoardKind]:
    found = board_kinds(
        tiered(find("hextraction-22"), "everything"), {"slot": 22, "ramp": 2, "zone": 2}
    )
    return {it.id: it for it in found}


# ---------------------------------------------------------------------------------------- counts


def test_joints_on_circuit_boards_are_those_that_one_counts() -> None:
    """A slot: 25 chips of two ends, six lights of four, 16 and 5 pins; twelve sockets of two, what
    sees the tile with four legs; two plugs of seven and a beam's four legs from below. A ramp: nine
    chips, six sockets. An end zone: eight, a transistor's three, two sockets."""
    found = {k: (it.smd, it.holes, it.below) for k, it in kinds().items()}
    assert found == {
        "slot": (25 * 2 + 6 * 4 + 16 + 5, 12 * 2 + 4, 2 * 7 + 2 * 2),
        "ramp": (9 * 2 + 16 + 5, 6 * 2, 2 * 7),
        "zone": (8 * 2 + 16 + 5 + 3, 2 * 2, 2 * 7),
    }


def test_a_machine_places_parts_on_one_side_alone() -> None:
    """Else one that assembles one side would leave more than plugs and beams."""
    tier = tiered(find("hextraction-22"), "everything")
    board, ball = tier.board, tier.plan.ball_mm
    near = {it.kind: it for it in beside(board)}
    lanes = len(near["ramp"].sensors)
    for layout in (
        placed(board, circuit(), ball),
        ramp_placed(near["ramp"], ramp_circuit(lanes)),
        zone_placed(board, ball, zone_circuit()),
    ):
        for it in layout.parts:
            flat = not any(land.drill for land in BODIES[it.part.body])
            assert not (it.below and flat and it.part.fitted), it.part.ref


def test_wires_that_bring_5_v_are_no_part_that_a_board_house_fits() -> None:
    (feed,) = (it for it in circuit() if it.ref == "J3")
    assert not feed.fitted
    assert "5 V, where it is fed" not in kinds()["slot"].soldered


# ------------------------------------------------------------------------------------------ fees


def test_the_fees_of_one_side_on_panels_are_those_of_a_hand_with_a_pencil(tmp_path: Path) -> None:
    """Two panels are assembled of the five that are made, with 11 slots, a ramp and an end zone
    each: 55, 5 and 5 are made where 22, 2 and 2 are needed. Three rows, of four slots, of four and
    of three with the end zone, and the ramp by itself; 2 mm between any two, rails of 5 mm. Feeders
    of the register, the clock's driver and the light; all else is in the machine."""
    found = built(tmp_path)["economic"]
    assert found["panels"] == 2
    assert found["panel_mm"] == pytest.approx([4 * 57.16 + 3 * 2, 3 * 49.5 + 15.2 + 3 * 2 + 10])
    assert found["made"] == {"slot": 55, "ramp": 5, "zone": 5}
    assert found["assembled"] == {"slot": 22, "ramp": 2, "zone": 2}
    fees = {
        "order": 4.0,
        "design": 2 * 8.0,
        "panel": 8.21,
        "setup": 8.18,
        "stencil": 1.53,
        "feeder": 3 * 3.07,
        "smt": (22 * 95 + 2 * 39 + 2 * 40) * 0.0016,
        "labour": 3.58,
        "manual": (22 * 28 + 2 * 12 + 2 * 4) * 0.0164,
        "edge": (5 + 5) * 0.02,  # 15.2 and 25.4 mm
    }
    has = lines(found)
    for name, usd in fees.items():
        line = has[f"house-{name}"]
        costs = usd / USD, usd / USD * TAX
        assert (line["low_eur"], line["high_eur"]) == pytest.approx(costs, abs=0.012), name
        assert line["sources"]
    area = 5 * 0.23464 * 0.1797  # at what five larger ones cost for a square metre
    low, high = area * 7.1 / 0.0736, area * 5.2 / 0.0532
    bare = has["house-m2"]
    assert (bare["low_eur"], bare["high_eur"]) == pytest.approx(
        (low / USD, high / USD * TAX), abs=0.01
    )
    assert {it for it in has if it in {"house-fixture", "house-depanel", "house-packing"}} == set()


def test_both_sides_cost_setup_stencil_and_fixtures_more(tmp_path: Path) -> None:
    """Two panels are assembled of the five that are made: 11 slots, a ramp and an end zone on each,
    three more of each lie bare. Every kind of part has a feeder here: 100 n, 390, 22 k, 33 k, 10 k,
    4.7 k and 68 ohm, register, driver, light, 2N7002. Whether the other side's setup is charged for
    plugs alone is not known: low is without, high with it."""
    found = built(tmp_path)["standard"]
    assert (found["panels"], found["made"]) == (2, {"slot": 55, "ramp": 5, "zone": 5})
    assert found["assembled"] == {"slot": 22, "ramp": 2, "zone": 2}
    has = lines(found)
    for name, low, high in (
        ("setup", 25.56, 51.12),
        ("stencil", 8.21, 16.42),
        ("fixture", 16.42, 16.42),
        ("feeder", 11 * 1.53, 11 * 1.53),
        ("smt", (22 * 95 + 2 * 39 + 2 * 40) * 0.0016, (22 * 95 + 2 * 39 + 2 * 40) * 0.0016),
        ("manual", (22 * 46 + 2 * 26 + 2 * 18) * 0.0164, (22 * 46 + 2 * 26 + 2 * 18) * 0.0164),
    ):
        line = has[f"house-{name}"]
        costs = low / USD, high / USD * TAX
        assert (line["low_eur"], line["high_eur"]) == pytest.approx(costs, abs=0.012), name


def test_ordered_by_themselves_more_are_paid_than_are_needed(tmp_path: Path) -> None:
    """No panel fits: 22 slots are 25, made and assembled; of ramps and end zones five are made and
    two assembled; an offer holds for these. Three setups, and who wants larger ones takes none."""
    changed(tmp_path, ("panel_mm = 250.0", "panel_mm = 0.0"))
    found = built(tmp_path)
    assert {*found} == {"economic"}
    apart = found["economic"]
    assert apart["panels"] == 0
    assert apart["made"] == {"slot": 25, "ramp": 5, "zone": 5}
    assert apart["assembled"] == {"slot": 25, "ramp": 2, "zone": 2}
    has = lines(apart)
    assert has["house-setup"]["low_eur"] == pytest.approx(3 * 8.18 / USD, abs=0.006)
    offer = has["house-offer"]
    assert offer["count"] == 2
    assert (offer["low_eur"], offer["high_eur"]) == pytest.approx(
        (2 * 4 / USD, 2 * 10 / USD * TAX), abs=0.006
    )
    slots = 25 * 0.05716 * 0.0495
    assert has["house-m2"]["count"] == pytest.approx(slots, abs=1e-4)
    joints = 25 * 95 + 2 * 39 + 2 * 40
    assert has["house-smt"]["count"] == joints
    assert has["house-feeder"]["count"] == 3 + 2 + 2


def test_parts_on_circuit_boards_are_bought_there_and_not_again(tmp_path: Path) -> None:
    """135 lights at the price of 50: six on each of 22 slots, three to spare. Of 113 beams 22 are
    soldered below; legs of the others go into sockets, 182 of them, and two slots have some at the
    rim that nothing is pushed into."""
    everything = bill(tmp_path)
    two = next(it for it in everything["boards"] if it["service"] == "standard")
    has = lines(two)
    assert has["led"]["count"] == has["phototransistor"]["count"] == 113 - 22
    assert has["led"]["joints"] == 0
    assert has["guide"]["count"] == lines(everything)["guide"]["count"]
    gone = {
        "seat",
        "r33k",
        "light-2020",
        "register",
        "buffer",
        "r390",
        "r22k",
        "r4k7",
        "r10k",
    }
    assert not gone & {*has}
    lights = has["house-WS2812B-2020"]
    assert lights["count"] == 22 * 6 + 3
    assert lights["low_eur"] == pytest.approx(135 * 0.0742 / USD, abs=0.006)
    assert has["house-MF254V-11-02-0743"]["count"] == 22 * 12 + 2 * 6 + 2 * 2 + 1
    assert has["house-TCRT5000"]["count"] == 22 + 1
    assert {"filament", "supply-4a", "pico"} <= {*has}


def test_joints_that_stay_are_the_rest_and_what_is_below(tmp_path: Path) -> None:
    """111 stay with all soldered there (`test_joints_with_modules_…`); 18 below each slot, 14 below
    each ramp and end zone else, and their parts are bought loose."""
    found = built(tmp_path)
    below = 22 * 18 + 2 * 14 + 2 * 14
    assert found["standard"]["joints"] == 111
    assert (found["economic"]["below"], found["economic"]["joints"]) == (below, 111 + below)
    has = lines(found["economic"])
    assert has["loose-B7B-PH-K"]["count"] == 2 * 26
    assert has["loose-TEFT4300"]["count"] == has["loose-IR204C-A-L"]["count"] == 22
    for way in found.values():
        assert sum(it["joints"] for it in way["items"]) + 68 + 6 == way["joints"]


def slots_alone(home: Path) -> None:
    start, end = (PARTS.index(f'[[modules]]\nat = "{it}"') for it in ("ramp", "seven"))
    (home / "parts.toml").write_text(PARTS[:start] + PARTS[end:], "utf-8")


def test_with_circuit_boards_for_slots_alone_the_rest_is_wired_by_hand(tmp_path: Path) -> None:
    """Beams of six lanes and two trays, the rail and two registers: their LEDs have two joints
    each, and no sockets at a board house; those of 83 other beams lie in the print all the same.
    They have 5 V from the last plug, so there is one fuse, and a plug more than between 22."""
    slots_alone(tmp_path)
    found = built(tmp_path)["standard"]
    has = lines(found)
    for part in ("led", "phototransistor"):
        assert (has[part]["count"], has[part]["joints"]) == (8 + 83, 2 * 8)
    assert (has["r390"]["count"], has["r4k7"]["count"], has["mosfet"]["count"]) == (8, 8, 1)
    assert has["guide"]["count"] == 2
    assert (has["fuse"]["count"], has["housing"]["count"]) == (1, 2 * 22 - 1 + 1)
    assert has["house-MF254V-11-02-0743"]["count"] == 25 * 12 + 1
    assert sum(it["joints"] for it in found["items"]) + 68 + 6 == found["joints"] == 220


def test_slots_alone_are_told_without_a_file_of_parts_for_it(tmp_path: Path) -> None:
    """As who takes ramps and end zones out of one has it; where nothing else is, there is no second
    way."""
    ours = bill(tmp_path)["slots_alone"]
    assert [it["service"] for it in ours] == ["economic", "standard"]
    slots_alone(tmp_path)
    own = bill(tmp_path)
    assert (own["boards"], own["slots_alone"]) == (ours, [])
    (tmp_path / "parts.toml").unlink()
    assert bill(tmp_path, board="hexhex-5", tier="touch")["slots_alone"] == []


def test_a_house_that_makes_fewer_than_are_wanted_says_so(tmp_path: Path) -> None:
    """Nothing is reckoned with a number that it does not sell."""
    changed(
        tmp_path,
        ("made = [5, 10, 15, 20, 25, 30, 50, 75, 100]", "made = [5, 10]"),
        ("panel_mm = 250.0", "panel_mm = 0.0"),
    )
    found = bill(tmp_path)
    assert found["boards"] == []
    assert "JLCPCB makes and assembles 10 of one kind at most; 22 are wanted" in found["boards_why"]


def test_cables_between_circuit_boards_are_counted(tmp_path: Path) -> None:
    """26 cables with a plug at each end, but at the Pico; contacts of seven. Five leads of the
    chain, and two of 5 V and ground."""
    has = lines(built(tmp_path)["standard"])
    assert (has["housing"]["count"], has["contact"]["count"]) == (2 * 26 - 1, 7 * (2 * 26 - 1))
    assert has["strip-wire"]["count"] / has["signal-wire"]["count"] == pytest.approx(
        2 / 5, abs=0.05
    )
    assert has["power-wire"]["count"] == 4  # to three slots, half a metre there and back


def test_who_needs_plugs_is_told_of_pliers(tmp_path: Path) -> None:
    pliers = "crimping pliers for PH contacts, with circuit boards"
    told = {tier: bill(tmp_path, tier=tier)["tools"] for tier in ("lights", "everything")}
    assert [pliers in {it["name"] for it in tools} for tools in told.values()] == [False, True]


def test_a_board_on_whose_circuit_boards_nothing_would_be_has_none(tmp_path: Path) -> None:
    """Slots without lights, of which the tier feels nothing."""
    text = find("hextraction-22").read_text("utf-8")
    text = re.sub(r"^\[pixels\].*?(?=^\[)", "", text, flags=re.MULTILINE | re.DOTALL)
    text += '\n[[build.tiers]]\nid = "bare"\nsensors = ["rail"]\n'
    (tmp_path / "bare.toml").write_text(text, "utf-8")
    found = bill(tmp_path, str(tmp_path / "bare.toml"), "bare")
    assert (found["modules"], found["boards"]) == (None, [])


def test_sums_are_those_of_the_lines(tmp_path: Path) -> None:
    for way in built(tmp_path).values():
        for end in ("low_eur", "high_eur"):
            whole = sum(it[end] for it in way["items"])
            there = sum(it[end] for it in way["items"] if it["part"].startswith("house-"))
            assert way[end] == pytest.approx(whole, abs=0.005)
            assert way[f"house_{end}"] == pytest.approx(there, abs=0.005)


# --------------------------------------------------------------------------------------- figures


def test_the_page_tells_which_build_has_which_figures_and_which_has_both(tmp_path: Path) -> None:
    """hardware/bill.md, *With circuit boards*: of those with all sensors one, as far as its lower
    price goes; none at its upper one."""
    page = PAGE.read_text("utf-8")
    rows = re.findall(
        r"^\| (by hand|one side|both sides|slots alone) \|.* (\d+) to (\d+) \| (\d+) \|$",
        page,
        re.M,
    )
    whole, ends = bill(tmp_path), bill(tmp_path, tier="ends")
    ways = {it["service"]: it for it in whole["boards"]}
    (alone,) = (it for it in whole["slots_alone"] if it["service"] == "standard")
    has = {
        "by hand": whole,
        "one side": ways["economic"],
        "both sides": ways["standard"],
        "slots alone": alone,
    }
    assert [
        (name, round(float(it["low_eur"])), round(float(it["high_eur"])), it["joints"])
        for name, it in has.items()
    ] == [(name, int(low), int(high), int(joints)) for name, low, high, joints in rows]
    few = {name: it for name, it in has.items() if it["joints"] < 250}
    assert [name for name, it in few.items() if it["low_eur"] < 250] == ["slots alone"]
    assert not any(it["high_eur"] < 250 for it in few.values())
    over = round(alone["high_eur"] - 250)
    least, most = (round(ways["standard"][end] - 250) for end in ("low_eur", "high_eur"))
    assert f"{over} EUR too much there" in page
    assert f"it is {least} to {most} EUR" in page
    (small,) = (it for it in ends["slots_alone"] if it["service"] == "standard")
    for it in (alone, small, ends["boards"][1]):
        low, high = round(it["low_eur"]), round(it["high_eur"])
        assert f"{low} to {high} EUR, {it['joints']} joints" in page
        assert it["low_eur"] < 250 < it["high_eur"]
        assert it["joints"] < 250


def test_the_page_tells_the_lower_price_without_what_is_sold_in_korea(tmp_path: Path) -> None:
    """The cheapest supply and socket are Adafruit's then, 14.95 and 2 USD, tax not in."""
    page = PAGE.read_text("utf-8")
    (alone,) = (it for it in bill(tmp_path)["slots_alone"] if it["service"] == "standard")
    korean = (9800 + 700) / 1491.76
    without = alone["low_eur"] - korean + (14.95 + 2.0) / USD
    assert f"that lower price is {without:.2f} EUR" in page
    assert without < 250


# ------------------------------------------------------------------------------- in files and words


def test_a_file_of_parts_without_a_board_house_says_that_it_knows_no_price(tmp_path: Path) -> None:
    """Such files were written before there was one."""
    path = tmp_path / "parts.toml"
    path.write_text(PARTS[: PARTS.index("[house]")], "utf-8")
    assert invoke("check", path, home=tmp_path).output.endswith("a good parts file\n")
    found = bill(tmp_path)
    assert (found["boards"], found["modules"]["left"]) == ([], 111)
    assert found["boards_why"] == "The file of parts has no [house]: no prices of a board house."
    told = invoke("build", "hextraction-22", "--bill", "--tier", "everything", home=tmp_path).output
    assert "What that costs is not known. The file of parts has no [house]" in told


def test_a_part_that_the_house_has_no_price_for_is_named(tmp_path: Path) -> None:
    changed(tmp_path, ('value = "TEFT4300"', 'value = "TEFT4301"'))
    assert bill(tmp_path)["boards_why"] == "JLCPCB has no part “TEFT4300” there: no price for it."


def test_a_board_that_cannot_be_drawn_has_a_bill_that_says_why(tmp_path: Path) -> None:
    ours, few = find("hextraction-22").read_text("utf-8"), "inset_mm = 7.0\nedges = [1, 3, 5]"
    (tmp_path / "it.toml").write_text(ours.replace("inset_mm = 7.0", few), "utf-8")
    found = bill(tmp_path, board=str(tmp_path / "it.toml"))
    assert found["boards"] == []
    assert "circuit board" in found["boards_why"]


def test_seven_cells_with_pads_have_prices_too(tmp_path: Path) -> None:
    """13 circuit boards: 15 are made and assembled, or panels of them."""
    ways = built(tmp_path, board="hexhex-5", tier="touch")
    assert {*ways} == {"economic", "standard"}
    assert all(it["assembled"]["seven"] >= 13 for it in ways.values())
    assert lines(ways["standard"])["house-TTP223-BA6"]["count"] >= 13 * 7
    assert bill(tmp_path, board="hexhex-5", tier="lights")["boards"] == []


def test_each_build_is_a_tier_of_its_own_in_the_csv(tmp_path: Path) -> None:
    told = invoke("build", "hextraction-22", "--bill", "--csv", home=tmp_path).stdout
    rows = [*csv.DictReader(told.splitlines())]
    ways = built(tmp_path)
    ways |= {f"slots+{it['service']}": it for it in bill(tmp_path)["slots_alone"]}
    for name, way in ways.items():
        own = [row for row in rows if row["tier"] == f"everything+{name}"]
        assert sum(float(row["high_eur"]) for row in own) == pytest.approx(
            way["high_eur"], abs=0.01
        )


@pytest.mark.parametrize("language", languages())
def test_what_is_told_has_both_figures_of_a_build(tmp_path: Path, language: str) -> None:
    words = ("--language", language, "build", "hextraction-22", "--bill", "--tier", "everything")
    told = invoke(*words, home=tmp_path).output
    found = bill(tmp_path)
    sign = "," if language == "de" else "."
    for way in (*found["boards"], *found["slots_alone"]):
        low, high = (f"{way[it]:.2f}".replace(".", sign) for it in ("low_eur", "high_eur"))
        (line,) = [it for it in told.splitlines() if f"{high} EUR" in it]
        assert str(way["joints"]) in line
        assert low in line


BAD = [
    ("made = [5, 10,", "made = [10, 5,", "the least first"),
    ("assembled = [2, 5,", "assembled = [0, 5,", "the least first"),
    ("gap_mm = 2.0 ", "gap_mm = -2.0 ", "a length is 0 to 10000 mm"),
    ("panel_mm = 250.0", "panel_mm = nan", "a length is 0 to 10000 mm"),
    ("alone_mm = 70.0", "alone_mm = 1e9", "a length is 0 to 10000 mm"),
    ("sides = 2", "sides = 3", "“standard” solders 1 side or 2"),
    ('id = "offer"', 'id = "ofer"', "Did you mean “offer”?"),
    ('id = "labour"', 'id = "panel"', "a part “panel” stands here already"),
    ('id = "economic"', 'id = "standard"', "“standard”"),
    ("rail_mm = 5.0 ", "rial_mm = 5.0 ", "Did you mean “rail_mm”?"),
    ('value = "TTP223-BA6"', 'value = "68"', "a part “68” stands here already"),
    ("[[1, 0.0164]]", "[[1, -0.0164]]", "the least number first"),
    ("pack = 0.0736", "pack = 0", "more than 0"),
    ('id = "depanel"\nservice = "standard"', 'id = "depanel"\nservice = "std"', "service “std”"),
]


@pytest.mark.parametrize(("old", "new", "says"), BAD, ids=[new for _, new, _ in BAD])
def test_a_wrong_board_house_is_told_with_its_line(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    path = changed(tmp_path, (old, new))
    for words in (("check", path), ("build", "table", "--bill")):
        told = invoke(*words, home=tmp_path)
        assert told.exit_code == 1
        found = [it for it in told.output.splitlines() if says in it]
        assert found, told.output
        assert all(re.match(rf"{re.escape(str(path))}:\d+: ", it) for it in found)


def test_a_house_without_a_fee_that_it_needs_is_told_so(tmp_path: Path) -> None:
    start = PARTS.index('[[house.fees]]\nid = "labour"')
    text = PARTS[:start] + PARTS[PARTS.index("[[house.fees]]", start + 1) :]
    (tmp_path / "parts.toml").write_text(text, "utf-8")
    told = invoke("check", tmp_path / "parts.toml", home=tmp_path)
    assert told.exit_code == 1
    assert "for “economic” there is no fee “labour”; add one, 0 if it takes none." in told.output
    assert "for “standard” there is no fee “labour”" in told.output


def test_every_price_of_the_house_has_a_source_of_these_years() -> None:
    house = tomllib.loads(PARTS)["house"]
    for it in (*house["fees"], *house["parts"]):
        assert all("2026" <= source["date"] < "2027" for source in it["sources"])

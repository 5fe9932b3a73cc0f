"""A slot's circuit board: its circuit is sound, it follows the board file, KiCad agrees."""

import contextlib
import csv
import json
import math
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from hexboard.board import Board, find, load_plan
from hexboard.board.building import has_led, wrong
from hexboard.calibration.boardfile import text as as_text
from hexboard.commands.build.module.chain import (
    ChainVolts,
    clock_hz,
    feeds,
    slot_chain,
    times,
    volts,
)
from hexboard.commands.build.module.circuit import CircuitPart, circuit, mistakes, netlist
from hexboard.commands.build.module.fuse import one_fuse
from hexboard.commands.build.module.kinds import laid_out
from hexboard.commands.build.module.placing import ModulePlan, placed
from hexboard.commands.build.module.wires import (
    chain_row,
    chained_inputs,
    hops_mm,
    module_inputs,
    registers,
)
from hexboard.commands.build.module.written import DrawnBoard, ModuleFound, sound
from hexboard.commands.build.tiers import tiered
from hexboard.files import Source
from hexboard.words.errors import BadText
from tests.cli import invoke

OURS = find("hextraction-22").read_text("utf-8")
BOARD, PLAN = load_plan(find("hextraction-22"))


def layout(folder: Path, text: str = OURS) -> tuple[Board, ModulePlan]:
    """A board file, and where its circuit board's parts lie."""
    path = folder / f"{len([*folder.iterdir()])}.toml"
    path.write_text(text, "utf-8")
    board, plan = load_plan(path)
    return board, placed(board, circuit(), plan.ball_mm)


def changed(old: str, new: str) -> str:
    assert OURS.count(old) == 1, old
    return OURS.replace(old, new)


def at(plan: ModulePlan, ref: str) -> tuple[float, float]:
    it = next(it for it in plan.parts if it.part.ref == ref)
    return it.x, it.y


def test_its_circuit_is_that_of_the_wiring_page() -> None:
    """hardware/wiring.md: 390 ohm from 5 V to the LED, 22 k to ground at an edge, QH 9, SER 10."""
    parts = {it.ref: it for it in circuit()}
    assert mistakes(circuit()) == []
    nets = {ref: {pin.name: pin.net for pin in it.pins} for ref, it in parts.items()}
    assert parts["R1"].value == "390"
    assert nets["R1"] == {"1": "5V", "2": nets["E1"]["2"]}
    assert parts["R8"].value == "22k"
    assert [parts[ref].value for ref in ("R16", "R17", "U2")] == ["390", "33k", "TCRT5000"]
    assert nets["R16"] == {"1": "5V", "2": nets["U2"]["1"]}
    assert nets["R17"] == {"1": "3V3", "2": nets["U2"]["3"]}
    assert nets["U2"]["3"] == nets["U1"]["6"]
    assert nets["U2"]["2"] == nets["U2"]["4"] == "GND"
    assert nets["R8"] == {"1": nets["Q1"]["1"], "2": "GND"}
    assert nets["Q1"]["2"] == nets["U1"]["16"] == "3V3"
    assert nets["U1"]["9"] == nets["J1"]["6"]
    assert nets["U1"]["10"] == nets["J2"]["6"]
    assert nets["U1"]["15"] == nets["U1"]["8"] == "GND"
    assert [nets["U1"][pin] for pin in ("11", "12", "13", "14", "3", "4")] == [
        nets[f"Q{edge}"]["1"] for edge in range(1, 7)
    ]
    lights = [nets[f"D{edge}"] for edge in range(1, 7)]
    assert [it["1"] for it in lights[:5]] == [it["3"] for it in lights[1:]]
    assert (lights[0]["3"], lights[5]["1"]) == (nets["J1"]["7"], nets["J2"]["7"])


def pinned(ref: str, pin: str, **changes: str) -> tuple[CircuitPart, ...]:
    """The circuit with one pin that is otherwise."""
    found = []
    for part in circuit():
        pins = tuple(
            replace(it, **changes) if (part.ref, it.name) == (ref, pin) else it for it in part.pins
        )
        found.append(replace(part, pins=pins))
    return tuple(found)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (pinned("U1", "9", net="LATCH"), "LATCH: 2 pins drive it"),
        (pinned("J1", "5", net="ELSEWHERE"), "CLOCK: nothing drives its input"),
        (pinned("J1", "3", net="ELSEWHERE"), "3V3: nothing feeds it"),
        (pinned("E3", "2", net="ELSEWHERE"), "BEAM_3: only R3 is on it"),
        (pinned("U1", "7", net="GND"), "U1 pin 7: GND, unused"),
        (pinned("U1", "11", net=""), "U1 pin 11: on no net, input"),
        ((*circuit(), circuit()[0]), "J1 stands here twice"),
    ],
)
def test_each_planted_mistake_is_found(parts: tuple[CircuitPart, ...], said: str) -> None:
    assert said in mistakes(parts)


def test_the_netlist_names_every_part_and_pin_once() -> None:
    text = netlist(circuit(), "slot")
    assert re.findall(r'\(comp \(ref "(\w+)"\)', text) == [it.ref for it in circuit()]
    nodes = re.findall(r'\(node \(ref "(\w+)"\) \(pin "(\w+)"\)\)', text)
    assert (
        len(nodes) == len({*nodes}) == sum(len(it.pins) for it in circuit()) - 2
    )  # QH inverted, and no pin
    assert text.count("(") == text.count(")")


def test_the_circuit_board_follows_pitch_and_lights(tmp_path: Path) -> None:
    """Flat to flat it is half a millimetre less than the pitch; a light lies its inset inside."""
    for pitch, inset in ((50.0, 7.0), (52.5, 7.0), (52.5, 8.5)):
        text = changed("pitch_mm = 50.0", f"pitch_mm = {pitch}")
        text = text.replace("inset_mm = 7.0", f"inset_mm = {inset}")
        board, plan = layout(tmp_path, text)
        ys = [y for _, y in plan.outline]
        assert max(ys) - min(ys) == pytest.approx(pitch - 0.5, abs=0.001)
        xs = [x for x, _ in plan.outline]
        assert max(xs) - min(xs) == pytest.approx((pitch - 0.5) * 2 / math.sqrt(3), abs=0.001)
        for edge in range(1, 7):
            out = math.hypot(*at(plan, f"D{edge}"))
            assert out == pytest.approx(pitch / 2 - inset, abs=0.002)
        # the beams in the three ribs that are the slot's own lie over those ribs
        for edge in (2, 3, 4):
            angle = math.radians(90 - 60 * (edge - 1))
            (ex, ey), (qx, qy) = at(plan, f"E{edge}"), at(plan, f"Q{edge}")
            rib = (ex + qx) / 2 * math.cos(angle) + (ey + qy) / 2 * math.sin(angle)
            assert rib == pytest.approx(pitch / 2)
        seat = next(it for it in board.sensors if it.id == "seat:A1")
        middle = board.cell["A1"]
        assert math.dist(at(plan, "U2"), (seat.x - middle.x, seat.y - middle.y)) < 0.001


def test_equal_boards_lie_side_by_side(tmp_path: Path) -> None:
    """Moved alike, two hexagons less than a pitch wide never meet: half a millimetre is between."""
    _, plan = layout(tmp_path)
    ys = sorted({round(y, 3) for _, y in plan.outline})
    assert ys[-1] - (ys[0] + 50.0) == pytest.approx(-0.5)


ROW = "A1 A2 A3 A4 ZB B5 B4 B3 B2 B1 B1 D1 C1 C2 C3 C4 ZD D5 D4 D3 D2 D1 E1 E2 E3 E4"
"""Down column A, past the left end zone, up column B, past both ramps, and so on."""


def test_circuit_boards_hang_in_a_snake() -> None:
    row = chain_row(BOARD)
    assert [getattr(it, "id", "") or getattr(it, "place", "") for it in row] == ROW.split()
    # the longest: from a ramp, a pitch above its slot, to the next column's upper slot
    assert max(hops_mm(BOARD)) == pytest.approx(math.hypot(43.301, 75.0), abs=0.001)


def test_sensors_are_on_their_slots_inputs() -> None:
    """By hand: edges 1 to 6 of a slot are A to F, under it G, seat H; of a ramp left to right."""
    found, at = chained_inputs(BOARD), ROW.split().index
    assert len(found) == len({*found.values()}) == 136
    assert found["exit:A1-1"] == 0
    assert found["edge:A1-B1"] == 1
    assert found["edge:A1-B2"] == 2
    assert found["edge:A1-A2"] == 3
    assert found["fall:A1"] == 6
    assert found["seat:A1"] == 7
    assert found["gate:B1-6"] == 8 * at("B1") + 5 == 8 * 9 + 5
    assert found["throat:B5-3"] == 8 * at("B5") + 2 == 8 * 5 + 2
    assert (found["floor:ZB"], found["rail:main"]) == (8 * 4, 8 * 4 + 1)
    assert found["floor:ZD"] == 8 * 16
    assert [found[f"load:B1-{edge}"] for edge in (6, 1, 2)] == [80, 81, 82]
    assert found["load:D1-6"] == 8 * 11
    assert registers(BOARD) == 26
    assert len(module_inputs(BOARD)) == 136 - 6 - 2 - 1


def test_5_volts_come_as_often_as_lights_are_fed() -> None:
    """`feed_every` is 50 lights: eight slots of six. The ninth is B1, the seventeenth D2."""
    assert feeds(slot_chain(BOARD), PLAN) == (0, 9, 20)


def test_the_clock_is_the_firmwares() -> None:
    """hardware/wiring.md: 2 MHz."""
    pins = Path(__file__).parents[2] / "firmware" / "pins.py"
    assert clock_hz(pins.read_text("utf-8")) == 2_000_000


NGSPICE = """
sent                =  1.050000e-07
first               =  1.100000e-07
first_high          =  1.120000e-07
last                =  2.300000e-07
last_low            =  2.290000e-07
last_high           =  2.310000e-07
last_up             =  4.800000e-07
last_down           =  4.820000e-07
again_low           =  7.290000e-07
again_high          =  7.310000e-07
latch               =  1.550000e-07
hop                 =  1.150000e-07
back                =  1.250000e-07
"""


def test_margins_are_those_that_one_reckons() -> None:
    """At 2 MHz. Skew 120 ns over 23 joins; of the 500 ns of a period the clock is high for 249; at
    3.3 V a 74HC165 wants 58.4 ns set up and a pulse as long, and answers after 119.7 at most."""
    found = TIMES
    assert (found.skew_ns, found.rise_ns, found.fall_ns, found.hop_ns) == (120, 2, 2, 10)
    assert found.clean
    assert found.setup == round((500 - 120 / 23 - 119.72 - 10) / 58.4, 1)
    assert found.pulse == round((500 - 249 - 4) / 58.4, 1)
    assert found.latch == round(1000 / (50 + 73), 1)


@pytest.mark.parametrize("said", ["", NGSPICE.replace("4.800000e-07", "failed"), "\x00" * 99])
def test_what_ngspice_did_not_measure_is_said(said: str) -> None:
    with pytest.raises(BadText, match=r"ngspice failed: .*last_up"):
        times(said, 22, 24, 2_000_000)
    with pytest.raises(BadText, match="ngspice failed: supply"):
        volts(said, slot_chain(BOARD), BOARD, PLAN)


TIMES = times(NGSPICE, 22, 24, 2_000_000)
DRAWN = DrawnBoard(
    name="slot",
    count=22,
    whole=22,
    size_mm=(57.0, 49.0),
    hole_mm=22.0,
    parts=50,
    nets=31,
    electrical=(),
    open=(),
    kicad=None,
)
FOUND = ModuleFound(
    board="it",
    drawn=(DRAWN,),
    times=TIMES,
    volts=ChainVolts((0,), full_white=4.4, limited=4.5),
    registers=24,
    most_registers=32,
    by_hand=(),
    limit_ma=None,
)


@pytest.mark.parametrize(
    "figures",
    [
        {"times": replace(TIMES, hold=1.9)},
        {"times": replace(TIMES, clean=False)},
        {"volts": ChainVolts((0,), full_white=4.4, limited=4.49)},
    ],
    ids=["a margin under 2", "two clocks", "too few volts"],
)
def test_a_chain_that_is_near_to_failing_is_refused(figures: dict[str, Any]) -> None:
    sound(FOUND)
    with pytest.raises(BadText, match="nobody should build it"):
        sound(replace(FOUND, **figures))


def test_lights_and_beams_of_circuit_boards_are_within_what_their_one_fuse_carries() -> None:
    """Three quarters of 3 A, less 113 × 10 mA of beams and 22 × 10 mA of seats; the file says so of
    itself, and is a good one. With 2 A of lights it is refused."""
    tier = one_fuse(tiered(find("hextraction-22"), ""))
    assert (tier.board.rails[0].limit_ma, tier.plan.beams_on) == (2250 - 1130 - 220, "main")
    assert tier.board.rails[0].limit_ma == tier.entry.rails[0].limit_ma
    text = as_text(tier.entry)
    assert [*wrong(Source(Path("it.toml"), text), tier.plan, tier.board)] == []
    bright = replace(tier.board, rails=(replace(tier.board.rails[0], limit_ma=901),))
    (told,) = wrong(Source(Path("it.toml"), text), tier.plan, bright)
    assert told.key == "build.fuse_both"
    touch = tiered(find("hexhex-5"), "touch")
    assert one_fuse(touch) == touch  # no beams


@pytest.mark.parametrize(("tier", "count"), [("ends", 42), ("everything", 135)])
def test_a_tier_has_no_led_that_its_fuse_is_not_counted_for(tier: str, count: int) -> None:
    """Seats and the beam below are soldered on each slot's circuit board and always lit. Where the
    tier does not feel balls that fall, no beam is fitted there: three quarters of 3 A, less 10 mA
    for each of 20 beams and 22 seats, are 1830 mA."""
    found = one_fuse(tiered(find("hextraction-22"), tier))
    parts, _ = laid_out("slot", found.board, found.plan.ball_mm)
    fitted = Counter(it.value for it in parts if it.fitted)
    lit = {it.id: it.kind for it in found.board.sensors if has_led(found.board, it)}
    kinds = Counter(lit.values())
    assert 22 * fitted["TCRT5000"] == kinds["seat"]
    assert 22 * fitted["IR204C-A-L"] == 22 * fitted["TEFT4300"] == kinds["fall"]
    assert mistakes(parts) == []
    assert (len(lit), sum(slot_chain(found.board).leds)) == (count, count)
    assert found.board.rails[0].limit_ma == min(2000, 2250 - 10 * count)


def test_a_board_with_anything_wrong_is_refused() -> None:
    bad = replace(DRAWN, open=("LATCH",), electrical=("LATCH: nothing drives its input",))
    with pytest.raises(BadText, match="2 errors"):
        sound(replace(FOUND, drawn=(DRAWN, bad)))


def test_a_board_that_it_does_not_fit_is_refused(tmp_path: Path) -> None:
    table, plan = load_plan(find("table"))
    with pytest.raises(BadText) as found:
        placed(table, circuit(), plan.ball_mm)
    assert found.value.message.key == "module.none"
    result = invoke("build", "table", "--module", "-o", tmp_path / "out", home=tmp_path)
    assert result.exit_code
    assert "no such circuit board" in result.output
    assert not (tmp_path / "out").exists()
    with pytest.raises(BadText) as found:
        layout(tmp_path, changed("inset_mm = 7.0", "inset_mm = 18.0"))
    assert found.value.message.key == "module.hole"


@pytest.mark.parametrize("type_", ["sk6812-rgbw", "ws2812b", "sk6812"])
def test_a_board_of_other_lights_has_no_such_circuit_boards(tmp_path: Path, type_: str) -> None:
    """They have WS2812B-2020: a board file of RGBW would send each light a byte too many."""
    text = changed('[pixels]\nsource = "pico"', f'[pixels]\nsource = "pico"\ntype = "{type_}"')
    with pytest.raises(BadText) as found:
        layout(tmp_path, text)
    assert found.value.message.key == "module.lights"
    assert f"lights {type_}: on its circuit boards there are ws2812b-2020" in str(found.value)


@pytest.mark.parametrize("inset", ["0", "2.0", "3.0"])
def test_lights_beyond_the_rim_of_the_circuit_board_are_refused(tmp_path: Path, inset: str) -> None:
    """At edge 1 it ends 24.75 - 1.6 mm from the middle, where a light 3 mm inside the rib ends 22.4
    mm out, its capacitor behind it further."""
    path = tmp_path / "it.toml"
    path.write_text(changed("inset_mm = 7.0", f"inset_mm = {inset}"), "utf-8")
    told = invoke("build", path, "--module", "-o", tmp_path / "out", home=tmp_path)
    assert told.exit_code == 1, told.output
    assert "would stick out of the circuit board (slot)" in told.output
    board, plan = load_plan(path)
    with pytest.raises(BadText) as found:
        laid_out("slot", board, plan.ball_mm)
    assert found.value.message.key == "module.outside"


# ---------------------------------------------------------------------- with KiCad and ngspice


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """As people say it: where to is not told, so it goes below the folder that they are in."""
    home = tmp_path_factory.mktemp("module")
    with contextlib.chdir(home):
        result = invoke("build", "hextraction-22", "--module", "--json", home=home)
    assert result.exit_code == 0, result.output
    return home / "hextraction-22-build" / "module", json.loads(result.output)


@pytest.mark.long
def test_kicad_finds_no_error_and_ngspice_margins(written: tuple[Path, dict[str, Any]]) -> None:
    _, found = written
    counts = {drawn["name"]: drawn["count"] for drawn in found["drawn"]}
    assert counts == {"slot": 22, "zone": 2, "ramp": 2}
    for number, drawn in enumerate(found["drawn"], 1):
        assert drawn["electrical"] == drawn["open"] == []
        checked = drawn["kicad"]
        assert (checked["errors"], checked["unconnected"]) == (0, 0), checked["report"]
        # layers, drills, positions; and how the beam under a slot is bent
        assert len(checked["files"]) == number * (8 + 2 + 1) + 1
    times, volts = found["times"], found["volts"]
    assert times["clean"]
    assert min(times[it] for it in ("setup", "hold", "edge", "pulse", "read", "latch")) >= 2, times
    assert volts["limited"] > 4.5


@pytest.mark.long
def test_plots_are_where_the_board_file_says(written: tuple[Path, dict[str, Any]]) -> None:
    """Read as RS-274X and Excellon, without KiCad and without us: outline, pads, holes."""
    folder, _ = written
    plots = folder / "plots"
    edges = (plots / "slot-Edge_Cuts.gbr").read_text("utf-8")
    assert "%FSLAX46Y46*%" in edges
    assert "%MOMM*%" in edges
    points = [
        (int(x) / 1e6, int(y) / 1e6) for x, y in re.findall(r"^X(-?\d+)Y(-?\d+)", edges, re.M)
    ]
    ys = [y for _, y in points]
    assert max(ys) - min(ys) == pytest.approx(49.5, abs=0.01)
    mask = (plots / "slot-F_Mask.gbr").read_text("utf-8")
    flashes = re.findall(r"X(-?\d+)Y(-?\d+)D03", mask)
    placed_at = {(round(int(x) / 1e6, 2), round(int(y) / 1e6, 2)) for x, y in flashes}
    # light 1 lies 18 mm above the middle, which is at 100, -100; pads 0.915 and 0.55 off
    for dx, dy in ((0.915, 0.55), (0.915, -0.55), (-0.915, 0.55), (-0.915, -0.55)):
        near = min(math.dist((100 + dx, -82 + dy), it) for it in placed_at)
        assert near < 0.02, (dx, dy)
    drill = (plots / "slot-PTH.drl").read_text("utf-8")
    holes = [tuple(map(float, it)) for it in re.findall(r"^X(-?[\d.]+)Y(-?[\d.]+)", drill, re.M)]
    rib = [(x, y) for x, y in holes if abs(y - -125) < 0.01]  # the rib of edge 4, 25 mm below
    assert sorted(round(x - 100, 2) for x, _ in rib) == [-8.27, -5.73, 5.73, 8.27]
    for side, refs in (("F", ("U2", "E2", "J3", "5V")), ("B", ("J1", "J2", "E7", "Q7"))):
        printed = (plots / f"slot-{side}_SilkS.gbr").read_text("utf-8")
        dark, *_ = printed.split("%LPC*%")  # then what is left free of it
        assert "D03*" not in dark  # KiCad's marks at every drill
        assert dark.count("D01*") > 8 * len(refs)
    assert "E7" in (plots / "slot-beam-below.svg").read_text("utf-8")
    rows = csv.DictReader((plots / "slot-positions.csv").read_text("utf-8").splitlines())
    by_hand = {"J3"}  # wires of 5 V
    assert {it["Ref"] for it in rows} == {it.ref for it in circuit()} - by_hand


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_a_foreign_program_opens_what_a_board_house_takes(
    tmp_path: Path, written: tuple[Path, dict[str, Any]]
) -> None:
    """gerbonara finds each layer, the size that is told, the outline's line of 0.1 mm on it, and
    copper on both sides of every plated hole."""
    from gerbonara import LayerStack
    from gerbonara.graphic_objects import Flash

    folder, found = written
    layers = {(side, what) for side in ("top", "bottom") for what in ("copper", "mask")}
    for drawn in found["drawn"]:
        name, own = drawn["name"], tmp_path / drawn["name"]
        own.mkdir()
        for path in (folder / "plots").glob(f"{name}-*.[gd]*"):
            shutil.copy(path, own)
        opened = LayerStack.open(own)
        assert {*opened.graphic_layers} >= {*layers, ("mechanical", "outline"), ("top", "paste")}
        (left, low), (right, high) = opened.board_bounds()
        assert (right - left - 0.1, high - low - 0.1) == pytest.approx(drawn["size_mm"], abs=0.02)
        holes = [(it.x, it.y) for it in opened.drill_pth.objects]
        assert len(holes) > 10
        for side in ("top", "bottom"):
            copper = opened.graphic_layers[side, "copper"].objects
            pads = [(it.x, it.y) for it in copper if isinstance(it, Flash)]
            bare = [it for it in holes if min(math.dist(it, pad) for pad in pads) > 0.01]
            assert bare == [], (name, side)

"""Circuit boards for slots alone: what is wired by hand hangs behind them, and all is written."""

import csv
import io
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from hexboard.board import Board, find, load, load_plan
from hexboard.commands.build.module.chain import feeds, slot_chain
from hexboard.commands.build.module.circuit import circuit, netlist
from hexboard.commands.build.module.fuse import one_fuse
from hexboard.commands.build.module.wires import chain_row, far_beams
from hexboard.commands.build.module.written import slot_texts
from hexboard.commands.build.sheets import sheets
from hexboard.commands.build.tiers import Tiered, tiered
from hexboard.files import shipped
from tests.cli import invoke

SLOTS = "A1 A2 A3 A4 B5 B4 B3 B2 B1 C1 C2 C3 C4 D5 D4 D3 D2 D1 E1 E2 E3 E4"
"""Down column A, up column B, and so on: nothing hangs between them."""
HAND = "load:B1-6 load:B1-1 load:B1-2 load:D1-6 load:D1-1 load:D1-2 floor:ZB floor:ZD rail:main"
PIN_OF = dict(zip("ABCDEFGH", ("11", "12", "13", "14", "3", "4", "5", "6"), strict=True))
"""hardware/wiring.md: the pins of a 74HC165's inputs."""


def tier(name: str = "everything") -> Tiered:
    return one_fuse(tiered(find("hextraction-22"), name))


def written(name: str = "everything") -> dict[str, str]:
    """What is written beside the circuit board itself, which takes a minute to draw."""
    found = tier(name)
    return slot_texts(found, (), slot_chain(found.board, ()))


def sheet(text: str) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(text))]


def played(folder: Path, texts: dict[str, str], name: str) -> Board:
    path = folder / f"{name}.toml"
    path.write_text(texts[path.name], "utf-8")
    return load(path)


def test_the_board_file_has_the_inputs_of_netlist_and_wires(tmp_path: Path) -> None:
    """Slots first, eight inputs each, on the pins that their netlist has for them; then, on
    registers 22 and 23, what no slot has: three lanes of two ramps, two trays, and the rail."""
    texts = written()
    board = played(tmp_path, texts, "hextraction-22-slots")
    has = {it.id: it.input for it in board.sensors}
    assert len(has) == len({*has.values()}) == 136
    assert has == {it["sensor"]: int(it["input"]) for it in sheet(texts["inputs.csv"])}
    joined = re.findall(r'\(net \(code "\d+"\) \(name "(\w+)"\) (.*)\)', netlist(circuit(), "slot"))
    felt: dict[str, str] = {}
    for net, nodes in joined:
        on = dict(re.findall(r'\(ref "(\w+)"\) \(pin "(\w+)"\)', nodes))
        felt |= {ref: on["U1"] for ref in on if net.startswith("IN_")}
    for it in board.sensors:
        slot, name = divmod(it.input, 8)
        if slot < 22:
            part = {"fall": "Q7", "seat": "U2"}.get(it.kind) or f"Q{name + 1}"
            assert felt[part] == PIN_OF["ABCDEFGH"[name]], it.id
            assert SLOTS.split()[slot] in it.place, it.id
    by_hand = {it: has[it] for it in HAND.split()}
    assert [*by_hand.values()] == [*range(176, 185)]
    wires = {it["sensor"]: it for it in sheet(texts["wiring.csv"])}
    assert {it: int(row["input"]) for it, row in wires.items()} == by_hand
    assert all(it["pin"] == PIN_OF[it["name"]] for it in wires.values())
    assert (wires["rail:main"]["register"], wires["rail:main"]["name"]) == ("23", "A")
    lights = [(pixel.cell, pixel.edge) for pixel in board.pixels]
    assert lights == [(slot, edge) for slot in SLOTS.split() for edge in range(1, 7)]


def test_the_last_register_s_ser_goes_to_ground() -> None:
    texts = written()
    chain = {it["register"]: it for it in sheet(texts["chain.csv"])}
    assert [*chain] == ["22", "23"]
    assert (chain["22"]["next"], chain["23"]["next"]) == ("SER to QH of 23", "SER to ground")
    assert [chain["23"][name] for name in "ABH"] == ["rail:main", "3.3 V", "3.3 V"]


def joins(plan: dict[str, Any]) -> set[tuple[str, int, str, int]]:
    """Which pin of a part goes to which of another."""
    found = set()
    for one, _, other in plan["connections"]:
        ((a, starts),), ((b, ends),) = one.items(), other.items()
        found |= {(a, start, b, end) for start, end in zip(starts, ends, strict=True)}
    return found


def test_cables_join_pico_chain_and_what_is_wired_by_hand() -> None:
    """By the tables of hardware/guide.md (J1) and hardware/wiring.md: 3.3 V is pin 36, latch 22,
    clock 24, data 21 of the Pico. 5 V come to A1, B1 and D2."""
    plan = json.loads(written()["cables.yml"])
    found = joins(plan)
    first = {(a, b) for _, a, name, b in found if name == "A1, J1"}
    assert first == {(36, 3), (38, 2), (24, 5), (22, 4), (21, 6), (3, 7), (1, 1), (2, 2)}
    fed = {name for name in plan["connectors"] if name.endswith("J3")}
    assert fed == {"A1, J3", "B1, J3", "D2, J3"}
    last = {(a, name, b) for name_, a, name, b in found if name_ == "E4, J2"}
    register = {(6, 9), (3, 16), (2, 8), (5, 2), (4, 1)}
    assert last == {(a, "Register 22", b) for a, b in register} | {
        (1, "Beams of register 22", 1),
        (2, "Beams of register 22", 2),
    }
    assert ("Register 22", 10, "Register 23", 9) in found
    assert plan["connectors"]["Register 23"]["notes"] == "SER to ground"
    assert plan["connectors"]["Beams of register 22"]["type"] == "8 LEDs"
    assert ("Fuse main", 1, "Sense of main", 1) in found
    wires = {
        (one, other): plan["cables"][wire].get("gauge")
        for (one,), (wire,), (other,) in plan["connections"]
    }
    assert wires["Fuse main", "A1, J1"] == "0.25 mm2"  # its contacts take no thicker one
    assert wires["Fuse main", "A1, J3"] == wires["Supply", "D2, J3"] == "0.75 mm2"


def test_with_all_circuit_boards_data_are_at_ground_behind_the_last() -> None:
    found = tier()
    texts = slot_texts(found, ("ramp", "zone"), slot_chain(found.board))
    plan = json.loads(texts["cables.yml"])
    assert plan["connectors"]["E4, J2"]["notes"] == "pin 6 joined to pin 2"
    assert "wiring.csv" not in texts
    assert not any(name.startswith("Register") for name in plan["connectors"])


@pytest.mark.parametrize("name", ["everything", "ends"])
def test_joints_of_the_bill_are_those_of_what_is_written(tmp_path: Path, name: str) -> None:
    """Of the Pico's sockets 11, of the level shifter 14 and its 100 nF, 330 ohm, twice 100 ohm,
    1000 uF, one fuse; of each register 16 and its 100 nF, of each beam eight, of the rail's sense
    nine; two wires at each J3; four at each beam at the rim whose legs are too short."""
    texts = written(name)
    plan = json.loads(texts["cables.yml"])
    kinds = Counter(it["kind"] for it in sheet(texts["wiring.csv"]))
    assert kinds == {"load": 6, "floor": 2, "rail": 1}
    by_hand = 8 * 8 + (3 + 2 * 2 + 2) + len(sheet(texts["chain.csv"])) * (16 + 2)
    fuses = sum(it.startswith("Fuse") for it in plan["connectors"])
    wires = 2 * sum(it.endswith("J3") for it in plan["connectors"])
    few = 11 + 14 + 2 + 2 + 2 * 2 + 2 + 2 * fuses
    legs = 4 * far_beams(tier(name).board)
    told = invoke("build", "hextraction-22", "--bill", "--tier", name, "--json", home=tmp_path)
    (bill,) = json.loads(told.stdout)["tiers"]
    assert bill["modules_alone"]["left"] == few + by_hand + wires + legs
    assert [it["joints"] - it["below"] for it in bill["slots_alone"]] == 2 * [
        bill["modules_alone"]["left"]
    ]
    assert (fuses, wires) == (1, 6)
    assert bill["modules_alone"]["registers"] == 24


def test_currents_are_those_of_all_leds_behind_one_fuse(tmp_path: Path) -> None:
    """113 beams, eight of them wired by hand, and 22 seats: 1350 of the 2250 mA that 3 A carry."""
    chain = slot_chain(tier().board, ())
    assert sum(chain.leds) == 113 + 22
    assert chain.leds[-2:] == (8, 0)
    assert (len(chain.lights), chain.lights[-2:]) == (24, (0, 0))
    assert feeds(chain, load_plan(find("hextraction-22"))[1]) == (0, 8, 16)
    board = played(tmp_path, written(), "hextraction-22-slots")
    assert board.rails[0].limit_ma == 2250 - 1350
    told = invoke("check", tmp_path / "hextraction-22-slots.toml", home=tmp_path)
    assert (told.exit_code, "a good board" in told.output) == (0, True), told.output


def test_the_chain_of_slots_alone_goes_down_and_up() -> None:
    assert [getattr(it, "id", "") for it in chain_row(tier().board, ())] == SLOTS.split()


def test_slots_goes_with_module(tmp_path: Path) -> None:
    told = invoke("build", "hextraction-22", "--slots", home=tmp_path)
    assert (told.exit_code, "--slots goes with --module." in told.output) == (2, True)


def test_a_board_without_slots_refuses_circuit_boards_for_slots(tmp_path: Path) -> None:
    told = invoke("build", "hexhex-5", "--tier", "touch", "--module", "--slots", home=tmp_path)
    assert (told.exit_code, "this board has no slots" in told.output) == (2, True)


@pytest.mark.long
def test_the_command_writes_the_slot_alone_and_tells_its_joints(tmp_path: Path) -> None:
    words = ("--module", "--slots", "--json", "-o", tmp_path / "out")
    told = invoke("build", "hextraction-22", *words, home=tmp_path)
    assert told.exit_code == 0, told.output
    found = json.loads(told.output)
    assert [(it["name"], it["count"]) for it in found["drawn"]] == [("slot", 22)]
    assert (found["registers"], found["limit_ma"], found["joints"]["left"]) == (24, 900, 220)
    assert found["by_hand"] == HAND.split()
    names = {it.name for it in (tmp_path / "out").iterdir()}
    assert names >= {*written(), "slot.kicad_pcb", "slot.net", "slot-parts.csv"}
    assert not any(it.startswith(("ramp", "zone")) for it in names)


@pytest.mark.parametrize("slots", [True, False], ids=["circuit boards", "by hand"])
def test_no_input_of_the_level_shifter_is_left_open(slots: bool) -> None:
    """Of a 74AHCT125 (pins by its data sheet) one gate is used; 1OE is drawn, of the others both OE
    and A go to ground, and 100 nF stand at it: that of the bill that no register or buffer has."""
    board, plan = load_plan(find("hextraction-22"))
    text = written()["cables.yml"] if slots else sheets(board, plan)["cables.yml"]
    shifter = json.loads(text)["connectors"]["Level shifter"]
    assert shifter["type"] == "74AHCT125, 100 nF"
    assert shifter["notes"] == "1OE to 4OE (1, 4, 10, 13), 2A to 4A (5, 9, 12) to GND"
    lights = shipped("wiring.md").read_text("utf-8").partition("\n## Lights")[2]
    assert "1OE to 4OE (1, 4, 10, 13)" in lights
    assert "2A to 4A (5, 9, 12)" in lights

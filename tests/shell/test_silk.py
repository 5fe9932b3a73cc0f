"""What is printed on circuit boards, and what the board house is told of the beam below."""

import math
import re
from itertools import pairwise

import pytest

from hexboard.board import find, load_plan
from hexboard.commands.build.cad.lengths import beam_under
from hexboard.commands.build.module.flower import flower_circuit, flower_placed
from hexboard.commands.build.module.kicad import board_text
from hexboard.commands.build.module.kinds import laid_out
from hexboard.commands.build.module.note import beam_note
from hexboard.commands.build.module.placing import ModulePlan, SetPad, SetPart
from hexboard.commands.build.module.routing import Copper
from hexboard.commands.build.module.silk import SilkText, silk
from hexboard.commands.build.tiers import tiered

BOARD, PLAN = load_plan(find("hextraction-22"))
KINDS = ("slot", "ramp", "zone", "seven")


@pytest.fixture(scope="module")
def drawn() -> dict[str, tuple[ModulePlan, tuple[SilkText, ...]]]:
    plans = {kind: laid_out(kind, BOARD, PLAN.ball_mm)[1] for kind in KINDS[:3]}
    plans["seven"] = flower_placed(tiered(find("hexhex-5"), "touch").board, flower_circuit())
    return {kind: (plan, silk(plan)) for kind, plan in plans.items()}


def named(plan: ModulePlan, ref: str) -> SetPart:
    return next(it for it in plan.parts if it.part.ref == ref)


def nearest(plan: ModulePlan, it: SilkText, part: SetPart) -> SetPad:
    return min(plan.pads(part), key=lambda pad: math.dist((pad.x, pad.y), (it.x, it.y)))


@pytest.mark.parametrize("kind", KINDS)
def test_every_part_that_the_guide_names_has_its_name_beside_it_on_its_side(
    kind: str, drawn: dict[str, tuple[ModulePlan, tuple[SilkText, ...]]]
) -> None:
    """Plugs on both, for their pins are soldered and joined above; none is farther away than from
    half a plug's length."""
    plan, texts = drawn[kind]
    for it in plan.parts:
        if it.part.ref[0] in "JUEQTD":
            sides = {t.below for t in texts if t.text == it.part.ref}
            assert sides == ({True, False} if it.part.body == "plug" else {it.below}), it.part.ref
            for text in (t for t in texts if t.text == it.part.ref):
                assert math.dist((text.x, text.y), (it.x, it.y)) < 12, it.part.ref


@pytest.mark.parametrize("kind", KINDS)
def test_which_pad_is_which_is_printed_beside_it(
    kind: str, drawn: dict[str, tuple[ModulePlan, tuple[SilkText, ...]]]
) -> None:
    """5 V and ground where wires come in; the long leg: an LED's anode (pin 2), a phototransistor's
    emitter (pin 1); a dot at pin 1 of plugs, chips and lights; pins 2 and 6 of a plug."""
    plan, texts = drawn[kind]

    def beside(text: str, part: SetPart, pin: str, below: bool) -> bool:
        pad = next(pad for pad in plan.pads(part) if pad.name == pin)
        close = [t for t in texts if (t.text, t.below) == (text, below)]
        mine = (t for t in close if nearest(plan, t, part) == pad)
        return any(math.dist((t.x, t.y), (pad.x, pad.y)) < 4 for t in mine)

    for it in plan.parts:
        match it.part.ref[0], it.part.body:
            case "J", "feed":
                assert beside("5V", it, "1", False)
                assert beside("GND", it, "2", False)
            case "J", _:
                assert beside("", it, "1", True)
                assert all(beside(pin, it, pin, False) for pin in ("1", "2", "6"))
            case ("E" | "Q") as letter, _:
                assert beside("L", it, "2" if letter == "E" else "1", it.below), it.part.ref
            case (("U" | "D" | "T"), _):
                assert beside("", it, "1", it.below), it.part.ref
            case _:
                pass


def test_kicad_is_told_what_no_other_part_may_cover() -> None:
    """A plug below reaches 2.8 mm to one side of its pins, 1.7 to the other; KiCad's y is down."""
    plan = laid_out("zone", BOARD, PLAN.ball_mm)[1]
    text = board_text(plan, Copper((), (), ()), "it")
    assert text.count('(start -7.95 -2.8) (end 7.95 1.7) (layer "B.CrtYd")') == 2
    assert text.count('.CrtYd") (width') == sum(it.part.fitted for it in plan.parts)
    assert text.count('"B.SilkS") (width') == 8 + 2  # both plugs' outlines, and a dot at pin 1
    assert text.count("(justify mirror)") == 2  # their names, read from below


def test_the_board_house_is_told_how_the_beam_below_lies() -> None:
    """20 mm under the datum (board file); the board's underside is 17.2 mm under it (printing.md's
    stack), so 2.8 mm are between. Both heads are drawn there, bent towards the middle."""
    plan = laid_out("slot", BOARD, PLAN.ball_mm)[1]
    assert beam_under(BOARD, PLAN) == pytest.approx(20.0 - 17.213, abs=0.001)
    svg = beam_note(plan, 20.0 - 17.213)
    assert "Their axis is 2.8 mm under the board" in svg
    assert "E7 and Q7" in svg
    assert "across the hole" in svg
    legs = re.findall(r'<path d="M(-?[\d.]+),-2.6 V([\d.]+) H(-?[\d.]+)"', svg)
    assert len(legs) == 2
    for (x, down, back), side in zip(legs, (-1, 1), strict=True):
        assert float(x) == pytest.approx(side * 21.4, abs=0.01)
        assert float(down) == pytest.approx(2.787)
        assert side * (float(x) - float(back)) > 0  # bent towards the middle
    rows = [float(y) for y in re.findall(r'<text x="-\S+" y="([\d.]+)"', svg)]
    assert all(b - a > 3 for a, b in pairwise(rows))

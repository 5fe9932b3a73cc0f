"""The strip's PIO program, assembled by another's assembler and run by another's emulator.

The program is the function `bits` of firmware/strip.py itself: a stand-in for MicroPython's
`rp2.asm_pio` writes down what it calls, as the text that RP2040 assemblers read.
"""

import sys
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.firmware import firmware

pioasm = pytest.importorskip("adafruit_pioasm")
pioemu = pytest.importorskip("pioemu")

HIGHS = {"WS2812B": ((250, 550), (650, 950)), "WS2812B-2020": ((220, 380), (580, 1000))}
HIGHS["SK6812"] = ((150, 450), (450, 750))
"""Data sheets: how long a 0 and a 1 may be high, ns."""
RESET = 280
"""The longest that any of them needs the line low to take over, µs."""


class Line:
    """One instruction, to which `.side(n)` and `[delay]` add."""

    def __init__(self, text: str) -> None:
        self.text = text

    def side(self, value: int) -> "Line":
        self.text += f" side {value}"
        return self

    def __getitem__(self, delay: int) -> "Line":
        self.text += f" [{delay}]"
        return self


def asm_pio(**how: Any) -> Callable[[Callable[[], None]], SimpleNamespace]:
    """As `rp2.asm_pio`: run the function with the assembler's words for names."""

    def assemble(function: Callable[[], None]) -> SimpleNamespace:
        lines: list[Line] = []

        def say(form: str) -> Callable[..., Line]:
            def word(*operands: Any) -> Line:
                lines.append(Line(form.format(", ".join(map(str, operands)))))
                return lines[-1]

            return word

        words = {name: say(f"{name} {{}}") for name in ("out", "jmp", "nop")}
        words |= {"wrap_target": say(".wrap_target"), "wrap": say(".wrap"), "label": say("{}:")}
        names = function.__globals__
        before = dict(names)
        names.clear()
        names.update(words, x="x", not_x="!x")
        try:
            function()
        finally:
            names.clear()
            names.update(before)
        text = "\n".join(line.text.replace("!x, ", "!x ") for line in lines)
        return SimpleNamespace(text=".program bits\n.side_set 1\n" + text, how=how)

    return assemble


@pytest.fixture(scope="module")
def strip() -> Iterator[Any]:
    """firmware/strip.py, where `rp2` is the stand-in."""
    rp2, machine = ModuleType("rp2"), ModuleType("machine")
    rp2.asm_pio = asm_pio  # type: ignore[attr-defined]
    rp2.PIO = SimpleNamespace(OUT_LOW=2, SHIFT_LEFT=0, JOIN_TX=1)  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "rp2", rp2)
        patch.setitem(sys.modules, "machine", machine)
        yield firmware("strip")
        sys.modules.pop("strip")


def wave(strip: Any, data: bytes) -> list[tuple[int, int]]:
    """(level, cycles) of the pin, while the DMA hands over `data`, and long after."""
    program = pioasm.Program(strip.bits.text)
    how = strip.bits.how
    begin = pioemu.State(pin_directions=1, output_shift_register=pioemu.ShiftRegister(0, 32))
    # A byte that is written to the FIFO stands in all four places of the word.
    begin.transmit_fifo.extend(byte * 0x01010101 for byte in data)
    steps = pioemu.emulate(
        program.assembled,
        stop_when=lambda _, state: state.clock >= 160 * len(data) + 1000,
        initial_state=begin,
        auto_pull=how["autopull"],
        pull_threshold=how["pull_thresh"],
        shift_osr_right=how["out_shiftdir"] != 0,
        side_set_count=1,
        wrap_target=program.pio_kwargs["wrap_target"],
        wrap_top=program.pio_kwargs["wrap"],
    )
    out: list[tuple[int, int]] = []
    for before, after in steps:
        level, cycles = after.pin_values & 1, after.clock - before.clock
        if out and out[-1][0] == level:
            cycles += out.pop()[1]
        out.append((level, cycles))
    return out


@settings(derandomize=True, max_examples=15, deadline=None)
@given(data=st.binary(min_size=1, max_size=12))
def test_every_byte_leaves_highest_bit_first(strip: Any, data: bytes) -> None:
    pulses = [cycles for level, cycles in wave(strip, data) if level]
    assert len(pulses) == 8 * len(data)
    bits = "".join("1" if cycles > 6 else "0" for cycles in pulses)
    assert int(bits, 2).to_bytes(len(data), "big") == data


def test_the_times_are_those_of_the_data_sheets(strip: Any) -> None:
    ns = 1e9 / strip.FREQUENCY
    idle, *middle, last = wave(strip, b"\x0f\xa5\0\xff")
    assert idle[0] == last[0] == 0
    highs = sorted({cycles * ns for level, cycles in middle if level})
    assert len(highs) == 2
    for zero, one in HIGHS.values():
        assert zero[0] <= highs[0] <= zero[1]
        assert one[0] <= highs[1] <= one[1]
    pairs = zip(middle[::2], middle[1::2], strict=False)
    assert {(high[1] + low[1]) * ns for high, low in pairs} == {1250}


def test_a_frame_is_given_the_time_that_it_takes_and_the_lights_to_take_it_over(strip: Any) -> None:
    pulses = wave(strip, bytes(20))[1:-1]
    took = sum(cycles for _, cycles in pulses) / strip.FREQUENCY * 1e6
    assert 0 <= 20 * strip.BYTE - took < 1.25  # the low half of the last bit is not among them
    assert strip.LATCH > RESET

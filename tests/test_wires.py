"""What a board file says is connected is opened, and nothing else.

gpiozero over its mock pins; Adafruit's library with a list in the place of the Pi's driver.
"""

import contextlib
from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from msgspec.structs import replace

from hexboard.board import Board, find, load
from hexboard.devices.open import Wires, chain, simulated, waits
from hexboard.facts import Edge, Presence, Report, Snapshot
from tests.running import eventually

HERE = """
[[sensors]]
kind = "button"
source = "gpio"
at = ["end", "undo"]
inputs = [17, 27]

[pixels]
source = "pwm"
order = "RGB"
edges = [0]
inset_mm = 0.0

[[rails]]
id = "main"
limit_ma = 2000
"""


def board(folder: Path, more: str = "") -> Board:
    """Cells with a light each and two buttons, all on the Pi's header."""
    head = 'schema = "hexboard/board-1"\nname = "mine"\ntitle = "Mine"\npitch_mm = 90.0\n'
    path = folder / "mine.toml"
    path.write_text(head + 'shape = "hexhex-2"\n' + HERE + more, "utf-8")
    return load(path)


def test_a_board_on_the_header_alone_wants_no_pico(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import board as blinka
    import neopixel

    strip: list[bytes] = []
    pins = MockFactory(revision="c03114")
    monkeypatch.setattr(Device, "pin_factory", pins)
    monkeypatch.setattr(blinka, "D18", blinka.Dx_OUTPUT, raising=False)
    monkeypatch.setattr(neopixel, "neopixel_write", lambda _, data: strip.append(bytes(data)))
    posted: list[Report] = []
    with contextlib.closing(Wires(board(tmp_path), "nowhere", posted.append)) as wires:
        eventually(lambda: {r.source for r in posted} == {"gpio", "pixels"})
        eventually(lambda: any(isinstance(r.body, Snapshot) for r in posted))
        pins.pin(27).drive_low()
        wires.light(bytes((1, 2, 3, 0, 0, 0, 0, 0)) * 7)
        eventually(lambda: strip[-1:] == [bytes((1, 2, 3)) * 7])
    assert strip[-1] == bytes(21)
    assert [r.body for r in posted if isinstance(r.body, Edge)] == [Edge("button:undo", True)]
    assert {r.source for r in posted if r.body == Presence(True)} == {"gpio", "pixels"}
    pins.reset()


def test_inputs_of_the_pico_are_counted_without_those_of_the_pi(tmp_path: Path) -> None:
    mixed = board(tmp_path, '[[sensors]]\nkind = "fall"\nat = ["a1", "b1"]\ninputs = [2, 0]\n')
    assert chain(mixed) == ["fall:b1", "", "fall:a1"]


def test_a_simulation_has_every_wire_on_the_pico(tmp_path: Path) -> None:
    mine = simulated(board(tmp_path))
    assert mine.strip.source == "pico"
    assert chain(mine) == ["button:end", "button:undo"]
    shipped = load(find("hextraction-22"))
    assert simulated(shipped) is shipped


def test_a_pico_is_told_what_most_rises_and_all_that_is_short_wait_for() -> None:
    """Beams 0.8 ms, of lanes 3, of tiles and buttons 20 and more; 1 % more, in steps of 20 µs."""
    hextraction = load(find("hextraction-22"))
    assert [20 * it for it in waits(hextraction)] == [820, 3040]
    slow = [replace(s, min_high=1_200_000) for s in hextraction.sensors if s.kind == "edge"]
    assert [20 * it for it in waits(replace(hextraction, sensors=tuple(slow)))] == [1220, 1520]


def test_a_pico_with_nothing_but_buttons_is_told_nothing(tmp_path: Path) -> None:
    buttons = simulated(board(tmp_path))
    assert {sensor.kind for sensor in buttons.sensors} == {"button"}
    assert waits(buttons) == b""

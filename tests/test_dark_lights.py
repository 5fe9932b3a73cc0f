"""Lights of a strip that belong to no cell: they are counted, and stay dark."""

import struct
from pathlib import Path
from queue import Queue

import pytest
from msgspec.structs import replace

from hexboard.board import Board, BuildEntry, load
from hexboard.calibration.boardfile import rewired, text
from hexboard.commands.build.power import budget
from hexboard.commands.calibrate.simulated import bench
from hexboard.commands.lights import lit
from hexboard.devices.installer import wiring
from hexboard.devices.open import limits, spread
from hexboard.lights.frame import LightRenderer, LightSettings, Style
from hexboard.simulator.rig import Rig
from hexboard.simulator.twin import Twin
from hexboard.words.errors import BadFile
from tests.calibration.boards import board
from tests.calibration.test_boardfile import entry_of

SEVEN = """
schema = "hexboard/board-1"
name = "seven"
title = "Seven cells"
shape = "hexhex-2"

[pixels]
at = ["a1", "-", "-", "b2", "-"]

[[rails]]
id = "main"
limit_ma = 10
channel_ua = 1000
"""
DARK, RED = bytes(8), bytes((60, *[0] * 7))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "seven.toml"
    found.write_text(SEVEN, "utf-8")
    return found


@pytest.fixture
def seven(path: Path) -> Board:
    return load(path)


def test_pixels_are_the_lights_of_cells_and_keep_their_number_along_the_strip(seven: Board) -> None:
    """After the last of a cell none needs data."""
    assert [(it.index, it.cell) for it in seven.pixels] == [(0, "a1"), (3, "b2")]
    assert seven.along == (0, -1, -1, 1)
    assert "PIXELS = 4\n" in wiring(seven)


def test_a_place_that_is_none_is_still_told(path: Path) -> None:
    path.write_text(SEVEN.replace('"-", "b2"', '"-/1", "b2"'), "utf-8")
    with pytest.raises(BadFile, match="“-/1”"):
        load(path)


def test_a_frame_of_the_pixels_goes_to_their_places_along_the_strip(seven: Board) -> None:
    shown: list[bytes] = []
    show = spread(seven, shown.append)
    show(RED + RED)
    show(RED)  # what it does not reach is dark
    show(b"")
    assert shown == [RED + DARK + DARK + RED, RED + 3 * DARK, 4 * DARK]


def test_a_rail_gives_light_less_what_all_of_them_idle_at(seven: Board) -> None:
    """10 mA less four times 1 mA: 6 mA of 1 mA a channel are 1530 levels. Two white pixels want
    6 mA then, and have them; all four at full would draw 16."""
    assert struct.unpack("<HBxI", limits(seven)) == (4, 0, 1530)
    full = LightSettings(brightness=100, white=(255, 255, 255))
    (rail,) = budget(seven, BuildEntry(), full).rails
    white = rail.scenes[-1]
    assert (white.wanted_ma, white.given_ma, rail.worst_ma) == (10, 10, 4 * 4)
    frame = LightRenderer(seven, full).plain([Style((255, 255, 255))] * 2)
    assert (len(frame.data), frame.power.milliamps) == (2 * 8, 10)
    less = replace(seven, rails=(replace(seven.rails[0], limit_ma=9),))
    dim = LightRenderer(less, full).plain([Style((255, 255, 255))] * 2)
    assert max(dim.data) == 255 * 5 // 6


def test_what_is_wired_anew_keeps_them_where_they_are(path: Path, seven: Board) -> None:
    after = board(text(rewired(entry_of(path), seven, {}, [("b2", 0), ("a1", 0)])))
    assert [(it.index, it.cell) for it in after.pixels] == [(0, "b2"), (3, "a1")]


def test_the_firmware_lights_the_pixels_and_none_between(seven: Board) -> None:
    """Its strip has four lights; whoever looks at the simulated board sees the two of cells."""
    strip, told = Queue[bytes](), Queue[bytes]()
    with Twin(0, 4, on_pixels=strip.put) as twin, lit(seven, twin.port, "") as light:
        light(2 * RED)
        while strip.get(timeout=10) != bytes((60, 0, 0, *[0] * 6, 60, 0, 0)):
            pass
    rig = Rig(seven, bench(seven), told.put, lambda balls: None, lambda reason: None)
    try:
        with lit(seven, rig.twin.port, "") as light:
            light(DARK + RED)
            while told.get(timeout=10) != bytes((0, 0, 0, 60, 0, 0)):
                pass
    finally:
        rig.close()

"""A board file written by the wizard says the same as the one it came from, but for its wires."""

from pathlib import Path
from random import Random

import pytest

from hexboard.board import Board, BoardFile, find, load
from hexboard.calibration.boardfile import differences, rewired, text
from hexboard.files import Source, read
from tests.calibration.boards import FLOWER, board

SHIPPED = ("hextraction-22", "hexhex-5", "rhombus-11", "flowers-31", "table")


def entry_of(path: Path) -> BoardFile:
    entry, mistakes = read(Source(path), BoardFile)
    assert entry is not None, mistakes
    return entry


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_written_reads_as_the_same_board(name: str) -> None:
    assert board(text(entry_of(find(name)))) == load(find(name))


def test_shuffled_inputs_and_lights_are_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "flower.toml"
    path.write_text(FLOWER, "utf-8")
    plain = load(path)
    inputs = list(range(30))
    Random(1).shuffle(inputs)
    found = dict(zip(plain.sensor, inputs, strict=False))
    spots = [(p.cell, p.edge) for p in plain.pixels]
    Random(2).shuffle(spots)
    after = board(text(rewired(entry_of(path), plain, found, spots, "RGBW")))
    assert {s.id: s.input for s in after.sensors} == found
    assert [(p.cell, p.edge) for p in after.pixels] == spots
    assert (after.strip.order, after.strip.type) == ("RGBW", "sk6812-rgbw")


def test_a_sensor_that_nothing_answers_for_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "flower.toml"
    path.write_text(FLOWER, "utf-8")
    plain = load(path)
    found = {s.id: s.input for s in plain.sensors if s.id != "fall:b2"}
    after = board(text(rewired(entry_of(path), plain, found)))
    assert set(plain.sensor) - set(after.sensor) == {"fall:b2"}
    assert after.sensor["fall:c2"].input == plain.sensor["fall:c2"].input
    told = [(m.key, dict(m.values)) for m in differences(plain, after)]
    assert told == [("calibration.sensor_gone", {"sensor": "fall:b2"})]


def moved() -> tuple[Board, Board]:
    return board(), board(
        FLOWER.replace("first_input = 12", "inputs = [13, 12, 14, 15, 16, 17, 18]").replace(
            "[pixels]", '[pixels]\norder = "RGB"\nedges = [2, 1, 3, 4, 5, 6]'
        )
    )


def test_differences_are_told_one_by_one() -> None:
    told = [(m.key, dict(m.values)) for m in differences(*moved())]
    assert told == [
        ("calibration.input_moved", {"sensor": "fall:a1", "old": 12, "new": 13}),
        ("calibration.input_moved", {"sensor": "fall:a2", "old": 13, "new": 12}),
        ("calibration.lights_moved", {"moved": 14, "all": 42}),
        ("calibration.order", {"old": "GRB", "new": "RGB"}),
    ]
    assert not list(differences(board(), board()))


def test_a_seat_where_no_ball_rolls_is_a_pad_for_fingers() -> None:
    felt = find("hexhex-5").read_text("utf-8") + '\n[[sensors]]\nkind = "seat"\n'
    entry, mistakes = read(Source(Path("felt.toml"), felt), BoardFile)
    assert entry is not None, mistakes
    assert "# a finger touches the cell" in text(entry)
    assert "# a tile or piece lies in the cell" in text(entry_of(find("hextraction-22")))

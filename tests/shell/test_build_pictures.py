"""Pictures of how parts are put together: what is near hides what is far; nothing is left out."""

import base64
import re
from collections import Counter
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hexboard.board import find, load_plan
from hexboard.commands.build.cad.all_parts import all_parts
from hexboard.commands.build.cad.assembly import BOARD, assembly
from hexboard.commands.build.cad.recipe import extent
from hexboard.commands.build.cad.shaded import DrawnMesh, shaded

SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))


def pixels(svg: str) -> NDArray[Any]:
    """The picture in an SVG as OpenCV reads it: rows of red, green, blue."""
    coded = re.findall('base64,([^"]+)"', svg)[0]
    read = cv2.imdecode(np.frombuffer(base64.b64decode(coded), np.uint8), cv2.IMREAD_COLOR)
    assert read is not None
    return np.asarray(read[:, :, ::-1])


def square(name: str, left: float, at: float, new: bool = True, off: float = 0.0) -> DrawnMesh:
    """One of 10 mm that lies in the board's plane at a height, seen from above."""
    corners = np.array([(x + left, y, at) for x, y in SQUARE])
    return DrawnMesh(
        name, name, corners, np.array([(0, 1, 2), (0, 2, 3)]), np.array([0, 0, off]), new
    )


def grey(pixel: NDArray[Any]) -> bool:
    """What was there before is of no colour."""
    return int(pixel.max()) - int(pixel.min()) < 20


@pytest.mark.parametrize("turns", [1, -1], ids=["the near one last", "the near one first"])
def test_what_is_near_hides_what_is_far(turns: int) -> None:
    """The far one lies at 0 to 10 mm, the near one over its right half and beyond, to 15."""
    meshes = [square("old", 0.0, 0.0, new=False), square("high", 5.0, 20.0)][::turns]
    drawn = pixels(shaded("it", meshes, (0.0, -0.001, 1.0)))
    row = drawn[drawn.shape[0] // 2]
    (there,) = np.nonzero((row < 250).any(axis=1))
    left, right = int(there[0]), int(there[-1])
    assert len(there) == right - left + 1 < len(row)
    old, over, beyond = (row[left + round((right - left) * x / 15)] for x in (2.5, 7.5, 12.5))
    assert grey(old)
    assert not grey(over)
    assert (over == beyond).all()


def test_a_name_stands_on_what_is_seen_of_its_part_and_a_line_shows_where_it_goes() -> None:
    under = square("low", 0.0, 0.0, off=-5.0)
    svg = shaded(
        "a & b", [under, square("high", 2.0, 20.0), square("high", -30.0, 20.0)], (0, -1, 1)
    )
    assert "<title>a &amp; b</title>" in svg
    names = dict(re.findall(r'<text x="(\d+)" y="\d+">(.*?)</text>', svg))
    assert sorted(names.values()) == ["high × 2", "low"]
    [(x, y)] = re.findall(r'<text x="(\d+)" y="(\d+)">low', svg)
    around = pixels(svg)[int(y) - 12 : int(y) - 5, int(x) - 3 : int(x) + 4].reshape(-1, 3)
    assert any(not grey(it) for it in around)  # it is not on the paper beside it
    assert len(re.findall(r"M\d+ \d+L\d+ \d+", svg)) == 1  # of what is there once


def test_every_printed_part_is_in_a_step_as_often_as_it_is_needed_there() -> None:
    board, plan = load_plan(find("hextraction-22"))
    parts = all_parts(board, plan)
    steps = assembly(board, plan, parts)
    new = Counter(it.name for step in steps for it in step.parts if it.new)
    assert new.pop(BOARD) == 1
    once = {"light-ring": 1, "collar": 1}  # of one slot
    assert new == {it.name: once.get(it.name, it.count) for it in parts}


def test_what_is_there_already_is_where_it_was_put() -> None:
    board, plan = load_plan(find("hextraction-22"))
    steps = {it.name: it for it in assembly(board, plan, all_parts(board, plan))}
    put = [(it.name, it.shape) for it in steps["around"].parts]
    there = [(it.name, it.shape) for it in steps["edge"].parts if not it.new]
    assert there == put
    assert not any(any(it.off) for it in steps["edge"].parts if not it.new)


def test_bow_ties_are_drawn_over_the_seams_that_they_join() -> None:
    """Between two parts of the frame, seen from above: in the box of both."""
    board, plan = load_plan(find("hextraction-22"))
    [frame] = [it for it in assembly(board, plan, all_parts(board, plan)) if it.name == "frame"]
    boxes = [extent(it.shape) for it in frame.parts if it.name != "bow-tie"]
    for it in (it for it in frame.parts if it.name == "bow-tie"):
        (left, low, _), (right, high, _) = extent(it.shape)
        x, y = (left + right) / 2, (low + high) / 2
        near = [b for b in boxes if b[0][0] - 1 < x < b[1][0] + 1 and b[0][1] - 1 < y < b[1][1] + 1]
        assert len(near) >= 2


def test_a_board_of_pieces_alone_has_no_steps() -> None:
    board, plan = load_plan(find("hexhex-5"))
    assert assembly(board, plan, ()) == ()

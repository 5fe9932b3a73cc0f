"""Printed labels, read back by an independent PDF reader."""

from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from hexboard.appearance import KIT
from hexboard.board import paper
from hexboard.vision.marks import codes
from hexboard.vision.marks.labels import GAP_MM, tile_labels, unit_labels
from tests.running import hexboard

SHARP = 8.0
"""Pixels a millimetre."""
PITCH = 50.0


def page(data: bytes) -> "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]":
    document = pypdfium2.PdfDocument(data)
    try:
        picture = document[0].render(scale=SHARP * 25.4 / 72, grayscale=True).to_numpy()
        return np.ascontiguousarray(picture.squeeze())
    finally:
        document.close()


def test_a_tiles_marker_is_printed_as_it_is_read() -> None:
    items, box = tile_labels([("Z", 7)], KIT, PITCH)
    picture = page(paper.pdf(items, box, "a4", "tiles"))
    step = KIT.mark_size * PITCH / codes.FIELDS
    left, top = (16 + GAP_MM) / 2 - 2 * step, (4 * step + 2 * GAP_MM) / 2 - 2 * step
    fields = [
        picture[
            round((paper.MARGIN_MM + top + (row + 0.5) * step) * SHARP),
            round((paper.MARGIN_MM + left + (column + 0.5) * step) * SHARP),
        ]
        > 128
        for row in range(codes.FIELDS)
        for column in range(codes.FIELDS)
    ]
    assert tuple(fields) == codes.word(7)


def test_a_units_ring_is_printed_as_it_is_read() -> None:
    pitch = 26.0
    items, box = unit_labels([(2, "tank", 1)], KIT, pitch)
    picture = page(paper.pdf(items, box, "a4", "units"))
    radius = KIT.base * pitch
    at = radius * (KIT.base_rings[1] + 1) / 2
    bits = ""
    for k in range(codes.SECTORS):
        angle = (k + 0.5) * 2 * np.pi / codes.SECTORS
        x = paper.MARGIN_MM + radius + GAP_MM / 2 + at * np.cos(angle)
        y = paper.MARGIN_MM + radius + GAP_MM - at * np.sin(angle)
        bits += str(int(picture[round(y * SHARP), round(x * SHARP)] > 128))
    assert bits == codes.RINGS[1]


@pytest.mark.long
def test_one_prints_them_from_the_shell(tmp_path: Path) -> None:
    for what in ("tiles", "units"):
        done = hexboard("sheet", what, "-o", tmp_path / f"{what}.pdf")
        assert done.returncode == 0, done.stderr
        assert "1 page" in done.stdout

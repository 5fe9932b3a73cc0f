"""Printed labels, read back by an independent PDF reader."""

import tomllib
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from hexboard.appearance import KIT
from hexboard.board import paper
from hexboard.files import shipped
from hexboard.games.hextraction.tiles.numbers import SHIPPED
from hexboard.vision.marks import codes
from hexboard.vision.marks.labels import GAP_MM, tile_labels, unit_labels
from tests.cli import invoke
from tests.games.test_tiles import CARD
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


def darkest(
    picture: "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]", x: float, y: float, near: float = 0
) -> int:
    """The darkest grey within `near` mm of a point of a page."""
    row, column = (round((at - near) * SHARP) for at in (y, x))
    far = round(2 * near * SHARP) + 1
    return int(picture[row : row + far, column : column + far].min())


def test_blanks_of_tiles_have_the_channels_and_notches_of_their_files(tmp_path: Path) -> None:
    """On A4 three beside another, 57.7 + 2 mm wide, and four below, 269 / 4 mm high: eight tiles of
    50 mm. Where an edge is in a net there is grey 17 mm from the middle; where it is a socket, the
    line of a notch at 20 mm."""
    path = tmp_path / "b.pdf"
    done = invoke("sheet", "blanks", "-o", path, home=tmp_path)
    assert (done.exit_code, "1 page" in done.output) == (0, True)
    picture = page(path.read_bytes())
    files = sorted(shipped("tiles", "basic").glob("*.toml"))
    assert len(files) == 8
    for k, file in enumerate(files):
        tile = tomllib.loads(file.read_text("utf-8"))
        x = paper.MARGIN_MM + (k % 3 + 0.5) * (50 * 2 / 3**0.5 + 2)
        y = paper.MARGIN_MM + (k // 3 + 0.5) * 269 / 4
        open_edges = {edge for net in tile["nets"] for edge in net}
        for edge in range(1, 7):
            right, up = np.sin((edge - 1) * np.pi / 3), np.cos((edge - 1) * np.pi / 3)
            passage = darkest(picture, x + 17 * right, y - 17 * up)
            assert (passage < 240) == (edge in open_edges), (file.stem, edge)
            notch = darkest(picture, x + 20 * right, y - 20 * up, 0.3)
            assert (notch < 160) == (edge in tile["sockets"]), (file.stem, edge)
            assert darkest(picture, x + 25 * right, y - 25 * up, 0.3) < 100  # the outline
        step = KIT.mark_size * PITCH / codes.FIELDS
        right, down = x + 0.444 * 50 / 2, y - 0.444 * 50 * 3**0.5 / 2  # the corner after edge 1
        fields = [
            darkest(picture, right + (column - 1.5) * step, down + (row - 1.5) * step) > 128
            for row in range(codes.FIELDS)
            for column in range(codes.FIELDS)
        ]
        assert tuple(fields) == codes.word(SHIPPED.index(tile["id"]))


def test_a_tile_of_ones_own_is_printed_too(tmp_path: Path) -> None:
    (tmp_path / "tiles").mkdir()
    (tmp_path / "tiles" / "Mine.toml").write_text(CARD, "utf-8")
    path = tmp_path / "b.svg"
    done = invoke("sheet", "blanks", "-o", path, home=tmp_path)
    assert done.exit_code == 0
    assert ">Mine<" in path.read_text("utf-8")


@pytest.mark.long
def test_one_prints_them_from_the_shell(tmp_path: Path) -> None:
    for what in ("tiles", "units"):
        done = hexboard("sheet", what, "-o", tmp_path / f"{what}.pdf")
        assert done.returncode == 0, done.stderr
        assert "1 page" in done.stdout

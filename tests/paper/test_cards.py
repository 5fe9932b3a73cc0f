"""Hex'el's cards as `hexboard sheet cards` prints them, cut out and laid on the printed mat."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import cv2
import numpy as np
import pytest

from hexboard.board import find, load
from tests.paper.world import PER_MM, Floats, World, printed
from tests.running import hexboard

BOARD = load(find("table"))
FLAT_MM = 56.4
"""Across a card's flat sides."""
INKS = {(0, 0, 1): "R", (1, 0, 0): "B", (0, 1, 1): "Y"}
"""What sends back blue, green and red."""
LAID = 30


class Card(NamedTuple):
    """A card that was cut out: a square of the sheet with it in the middle."""

    picture: Floats
    face: str
    """Its symbols from the right on, counterclockwise, as the inks at 19.5 mm have it."""


def cut_out() -> list[Card]:
    """Every card that lies whole on the sheet."""
    sheet = printed("cards").texture
    ink = np.asarray(sheet.min(2) < 0.98 * sheet.max(), np.uint8)
    _, _, boxes, middles = cv2.connectedComponentsWithStats(ink)
    whole = [k for k, box in enumerate(boxes) if k and box[2] > 0.95 * FLAT_MM * PER_MM]
    side = round(2 * FLAT_MM / math.sqrt(3) * PER_MM) + 4
    pieces = (cv2.getRectSubPix(sheet, (side, side), tuple(middles[k])) for k in whole)
    return [Card(np.asarray(it), "".join(_symbols(np.asarray(it)))) for it in pieces]


def _symbols(picture: Floats) -> Iterator[str]:
    middle = (len(picture) - 1) / 2
    for edge in range(6):
        x, y = (19.5 * PER_MM * f(math.radians(60 * edge)) for f in (math.cos, math.sin))
        blue, green, red = picture[round(middle - y), round(middle + x)] > 0.3
        yield INKS[int(blue), int(green), int(red)]


def lay(mat: Floats, card: Card, x: float, y: float, degrees: float) -> None:
    """Lay a card on the mat's texture with its middle there, px, turned counterclockwise."""
    size, middle = len(card.picture), (len(card.picture) - 1) / 2
    turn = cv2.getRotationMatrix2D((middle, middle), degrees, 1.0)
    turn[:, 2] += (x - middle, y - middle)
    around = np.radians(30 + 60 * np.arange(6))
    reach = FLAT_MM / math.sqrt(3) * PER_MM
    outline = middle + reach * np.stack([np.cos(around), np.sin(around)], 1)
    mask = np.zeros((size, size), np.uint8)
    cv2.fillPoly(mask, [outline.round().astype(np.int32)], 1)
    high, wide = mat.shape[:2]
    covered = cv2.warpAffine(mask, turn, (wide, high), flags=cv2.INTER_NEAREST) > 0
    mat[covered] = cv2.warpAffine(card.picture, turn, (wide, high))[covered]


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_printed_cards_on_the_printed_mat_are_read_with_every_symbol(
    seed: int, tmp_path: Path
) -> None:
    random, mat, deck = Random(seed), printed("table"), cut_out()
    assert len(deck) == 36
    texture, laid = mat.texture.copy(), dict[str, str]()
    cells = random.sample(BOARD.cells, LAID)
    for cell, card in zip(cells, random.sample(deck, LAID), strict=True):
        edges = random.randrange(6)
        x, y = cell.x + random.gauss(0, 0.7), cell.y + random.gauss(0, 0.7)
        spot = (x - mat.left) * PER_MM - 0.5, (mat.high - y) * PER_MM - 0.5
        lay(texture, card, *spot, 60 * edges + random.gauss(0, 1.5))
        laid[cell.id] = card.face[-edges:] + card.face[:-edges] if edges else card.face
    tilt, turn = random.uniform(0, 25), random.uniform(-180, 180)
    world = World(mat._replace(texture=texture), size=(1920, 1440), tilt=tilt, turn=turn)
    cv2.imwrite(str(tmp_path / "cards.png"), world.picture(seed=seed))
    done = hexboard("see", tmp_path / "cards.png", "--game", "hexel", "--json")
    told = json.loads(done.stdout)
    assert (told["pieces"], told["unknown"], told["doubtful"]) == (laid, [], {})

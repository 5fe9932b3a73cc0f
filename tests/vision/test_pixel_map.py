"""The pixel map: Gray code, decoded from brightness with other light on it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.board import Board, Pixel, plain
from controller.vision.pixel_map import bits, check, decode, gray, patterns


def lit(order: list[int], light: float, spill: float, seed: int) -> np.ndarray:
    """What is seen at each place when light order[k] lies at place k: each lamp also lights its
    neighbours a little, there is other light, and noise."""
    rng = np.random.default_rng(seed)
    frames = []
    for on in patterns(len(order)):
        own = np.array([float(pixel in on) for pixel in order])
        near = np.array([own[max(0, k - 1) : k + 2].sum() - own[k] for k in range(len(order))])
        frames.append(light + own + spill * near + rng.normal(0, 0.02, len(order)))
    return np.array(frames)


def test_sixty_one_lights_take_two_times_six_pictures_and_121_take_two_times_seven() -> None:
    assert [bits(count) for count in (1, 61, 63, 64, 121, 127)] == [1, 6, 6, 7, 7, 7]
    assert len(patterns(121)) == 14


def test_neighbouring_numbers_differ_in_one_bit() -> None:
    assert all((gray(k) ^ gray(k + 1)).bit_count() == 1 for k in range(500))
    assert len({gray(k) for k in range(512)}) == 512


@given(
    st.integers(1, 130).flatmap(lambda n: st.permutations(range(n))),
    st.floats(0, 3),
    st.floats(0, 0.12),
    st.integers(0, 1000),
)
def test_every_order_is_read_back(order: list[int], light: float, spill: float, seed: int) -> None:
    found = decode(lit(order, light, spill, seed), len(order))
    assert [f.pixel for f in found] == order


def test_a_dead_light_and_a_lamp_are_nobodys() -> None:
    order = list(range(20))
    seen = lit(order, 0.2, 0.0, 1)
    seen[:, 4] = 0.2 + np.random.default_rng(0).normal(0, 0.02, len(seen))  # dark throughout
    seen[:, 9] = 5.0  # a lamp's mirror image
    found = decode(seen, 20)
    assert found[9].pixel is None
    assert found[4].pixel is None or found[4].contrast < 1
    assert [f.pixel for k, f in enumerate(found) if k not in (4, 9)] == [
        k for k in order if k not in (4, 9)
    ]


def _strip(count: int) -> Board:
    board = plain("hexhex-5")
    cells = board.cells[:count]
    pixels = tuple(Pixel(k, cell.id, 0, cell.x, cell.y) for k, cell in enumerate(cells))
    return replace(board, pixels=pixels)


def test_a_strip_wired_the_other_way_round_is_told() -> None:
    board = _strip(9)
    found = decode(lit(list(range(9))[::-1], 0.1, 0.05, 2), 9)
    told = check(board, found)
    assert told.moved == tuple((k, 8 - k) for k in range(9) if k != 4)
    assert told.unseen == ()
    assert told.twice == ()


def test_one_light_at_two_places_is_told() -> None:
    told = check(_strip(4), decode(lit([0, 1, 1, 3], 0.1, 0.0, 3), 4))
    assert told.twice == (1, 2)
    assert told.moved == ()

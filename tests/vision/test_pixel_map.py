"""The pixel map: Gray code, decoded from pictures with other light in them."""

import time
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hexboard.board import Board, load
from hexboard.board import find as file
from hexboard.calibration.blinking import Blinking
from hexboard.calibration.pixels import apply, mapped, spot
from hexboard.commands.calibrate.pixels import scaled
from hexboard.devices.mailbox import Mailbox
from hexboard.simulator.camera.blinking import Stand
from hexboard.simulator.camera.render import view
from hexboard.vision.frame import Frame, Picture
from hexboard.vision.geometry import Pose, project
from hexboard.vision.pose import beacons
from hexboard.vision.pose.pixel_map import (
    Lamp,
    bits,
    check,
    find,
    gray,
    on_board,
    patterns,
    placed,
    read,
    spread,
)
from hexboard.words import say
from hexboard.words.errors import BadText

BOARD = load(file("hexhex-5"))
COUNT = len(BOARD.pixels)


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


@pytest.mark.long
@given(
    st.integers(1, 130).flatmap(lambda n: st.permutations(range(n))),
    st.floats(0, 3),
    st.floats(0, 0.12),
    st.integers(0, 1000),
)
def test_every_order_is_read_back(order: list[int], light: float, spill: float, seed: int) -> None:
    seen = lit(order, light, spill, seed)
    numbers, contrast = read(seen[0::2] - seen[1::2])
    assert (numbers - 1).tolist() == order
    assert contrast.min() > 0.4


# ------------------------------------------------------------------------------- in pictures


def film(board: Board, dead: frozenset[int] = frozenset(), seed: int = 1) -> list[Picture]:
    """The pictures of a strip wired as `board` has it, some of its lights dead."""
    stand = Stand(board, seed=seed)
    pictures = []
    for on in patterns(len(board.pixels)):
        levels = ((60,) * 3 if k in on - dead else (0,) * 3 for k in range(len(board.pixels)))
        stand.light(bytes(level for light in levels for level in light))
        pictures.append(stand.picture())
    return pictures


def rewired(order: list[int]) -> Board:
    """The board as it is when light k lies where the file has light order[k]."""
    pixels = (replace(BOARD.pixels[place], index=k) for k, place in enumerate(order))
    return replace(BOARD, pixels=tuple(pixels))


@pytest.fixture(scope="module")
def shuffled() -> tuple[list[int], list[Picture]]:
    """A strip with 20 lights the other way round and one dead one."""
    order = [*range(20)[::-1], *range(20, COUNT)]
    return order, film(rewired(order), frozenset({33}))


@pytest.mark.long
def test_a_strip_wired_otherwise_is_found_in_the_picture_and_lit_right(
    shuffled: tuple[list[int], list[Picture]],
) -> None:
    order, pictures = shuffled
    stand = Stand(BOARD)
    lamps = find(pictures, COUNT)
    assert lamps.keys() == set(range(COUNT)) - {33}
    spots = on_board(stand.camera, stand.pose, lamps)
    for light, (x, y) in spots.items():
        there = BOARD.pixels[order[light]]
        assert np.hypot(x - there.x, y - there.y) < 0.5  # mm
    found = placed(BOARD, spots)
    told = check(BOARD, found)
    assert told.unseen == (33,)
    assert set(told.moved) == {(place, 19 - place) for place in range(20)}
    off = dict.fromkeys(lamps, 0.1)
    seen = mapped(BOARD, found, off, off, (1, "", "markers"))
    mended = apply(BOARD, seen)
    assert [spot(p) for p in mended.pixels] == [spot(BOARD.pixels[place]) for place in order]
    assert [p.index for p in mended.pixels] == list(range(COUNT))
    for other in (replace(BOARD, name="other"), replace(BOARD, pixels=BOARD.pixels[:-1])):
        with pytest.raises(BadText, match="calibrate pixels"):
            apply(other, seen)


@pytest.mark.long
def test_lights_are_found_through_a_camera_that_is_eight_tenths_of_a_second_late() -> None:
    board = replace(BOARD, pixels=BOARD.pixels[:7])
    stand = Stand(board)
    sent: list[tuple[float, bytes]] = []

    def frames() -> Iterator[Frame]:
        while True:
            time.sleep(0.05)
            late = [rgb for at, rgb in sent if at <= time.monotonic() - 0.8]
            stand.light(late[-1] if late else b"")
            yield Frame(time.monotonic_ns(), stand.picture())

    def light(eights: bytes) -> None:
        rgb = b"".join(eights[k : k + 3] for k in range(0, len(eights), 8))
        sent.append((time.monotonic(), rgb))

    lamps = Blinking(board, Mailbox(), light, frames()).lamps()
    assert lamps.keys() == set(range(7))
    for k, (x, y) in enumerate(stand.spots()):
        assert np.hypot(lamps[k].x - x, lamps[k].y - y) < 2  # px


@pytest.mark.long
def test_most_lights_say_where_the_camera_stands_though_some_are_wired_wrong(
    shuffled: tuple[list[int], list[Picture]],
) -> None:
    _, pictures = shuffled
    stand = Stand(BOARD)
    lamps = find(pictures, COUNT)
    stands = beacons.placed(stand.camera, BOARD, lamps)
    assert stands is not None
    assert np.linalg.norm(stands.pose.eye - stand.pose.eye) < 1  # mm, of some 700
    assert stands.error < 0.3
    assert set(stands.agree) == set(range(20, COUNT)) - {33}
    assert beacons.placed(stand.camera, BOARD, {k: lamps[k] for k in range(20)}) is None
    assert beacons.placed(stand.camera, BOARD, {k: lamps[k] for k in range(20, 25)}) is None


@pytest.mark.parametrize("name", ["hextraction-22", "hexhex-5", "flowers-31"])
def test_lights_tell_markers_that_were_printed_at_97_per_cent(name: str) -> None:
    """By markers of 97 % that are taken for whole ones everything lies 1 / 0.97 as far away."""
    board = load(file(name))
    camera, pose = view(board)
    places = np.array([(pixel.x, pixel.y) for pixel in board.pixels])
    lamps = {k: Lamp(x, y, 1) for k, (x, y) in enumerate(project(camera, pose, places).tolist())}
    for printed, said in ((0.97, "printed at about 97 %"), (0.99, ""), (1.0, "")):
        spots = on_board(camera, Pose(pose.rvec, pose.tvec / printed), lamps)
        found = placed(board, spots)
        far = spread(board, found, spots)
        assert far == pytest.approx(1 / printed, abs=0.002)
        off = dict.fromkeys(lamps, 0.1)
        doubts = scaled(mapped(board, found, off, off, (1, "", "markers"), far))
        assert said in " ".join(map(say, doubts))
        assert bool(doubts) == bool(said)
    assert spread(board, [None] * len(places), {}) == 1


@pytest.mark.long
def test_two_pictures_find_a_bumped_camera_though_a_third_of_the_lights_is_covered() -> None:
    stand, rng = Stand(BOARD), np.random.default_rng(3)
    dark = stand.picture()
    stand.light(bytes((60,) * 3 * COUNT))
    seen = beacons.spots(stand.picture(), dark)
    assert len(seen) == COUNT
    for _ in range(3):
        before = Pose(
            stand.pose.rvec + rng.normal(0, 0.02, 3), stand.pose.tvec + rng.normal(0, 12, 3)
        )
        found = beacons.matched(stand.camera, BOARD, before, seen[rng.random(COUNT) > 0.35])
        assert found is not None
        assert np.linalg.norm(found.pose.eye - stand.pose.eye) < 0.5
    row = [k for k, pixel in enumerate(BOARD.pixels) if pixel.cell[0] in "de"]
    assert beacons.matched(stand.camera, BOARD, stand.pose, seen[:5]) is None
    nearest = [int(np.linalg.norm(seen - s, axis=1).argmin()) for s in stand.spots()[row]]
    assert beacons.matched(stand.camera, BOARD, stand.pose, seen[nearest][1:-1]) is None


@pytest.mark.long
@pytest.mark.parametrize("name", ["hextraction-22", "hexhex-5", "flowers-31"])
def test_a_camera_bumped_by_most_of_a_cell_is_found_again(name: str) -> None:
    """Rings of six lights, single ones, flowers of seven: a tenth covered, and reflections."""
    board, rng = load(file(name)), np.random.default_rng(7)
    camera, pose = view(board)
    places = np.array([(pixel.x, pixel.y) for pixel in board.pixels])
    for _ in range(8):
        truth = Pose(pose.rvec + rng.normal(0, 0.02, 3), pose.tvec + rng.normal(0, 12, 3))
        seen = project(camera, truth, places)[rng.random(len(places)) > 0.1]
        seen += rng.normal(0, 0.3, seen.shape)
        seen = np.vstack([seen, rng.uniform((0, 0), camera.size, (3, 2))])
        found = beacons.matched(camera, board, pose, seen)
        assert found is not None
        assert np.linalg.norm(found.pose.eye - truth.eye) < 2  # mm, of some 700


@pytest.mark.long
def test_a_room_without_lights_shows_none() -> None:
    assert find(film(BOARD, frozenset(range(COUNT))), COUNT) == {}

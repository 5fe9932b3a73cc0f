"""From a scene to bytes, judged from the bytes: power, meanings, calm, brightness."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.board import Board, Rail, find, load
from controller.lights.frame import (
    BLINK,
    COUNT,
    LOOKS,
    PULSE,
    STEADY,
    Look,
    Settings,
    limit,
    render,
)
from controller.scene import Mark, Meaning, Scene
from tests.desk import BOARD, SLOTS

PLACES = st.sampled_from(
    [*SLOTS, *(f"{slot}/{edge}" for slot in SLOTS for edge in range(1, 7)), "*"]
)
SCENES = st.lists(st.builds(Mark, PLACES, st.sampled_from(Meaning), st.integers(0, 9)), max_size=30)
CHANNEL = st.integers(0, 255)
SETTINGS = st.builds(
    Settings,
    brightness=st.integers(0, 100),
    calm=st.booleans(),
    gamma=st.floats(1, 4),
    white=st.tuples(CHANNEL, CHANNEL, CHANNEL),
)
RAILS = st.builds(
    Rail, st.just("main"), st.integers(0, 6000), st.integers(0, 5000), st.integers(1, 20_000)
)
STRONG = replace(BOARD, rails=(Rail("main", 100_000),))
"""The board with a supply that never has to be limited."""
FULL = Settings(brightness=100, gamma=1.0, white=(255, 255, 255))


def pixels(board: Board, scene: Scene, settings: Settings = FULL) -> list[bytes]:
    data = render(board, scene, settings).data
    return [data[i : i + 8] for i in range(0, len(data), 8)]


def at(place: str, scene: Scene, settings: Settings = FULL) -> bytes:
    """The eight bytes of the first pixel of a cell, or of one at its edge."""
    cell, _, edge = place.partition("/")
    index = SLOTS.index(cell) * 6 + (int(edge) - 1 if edge else 0)
    return pixels(STRONG, scene, settings)[index]


def lit(meaning: Meaning) -> bytes:
    look = LOOKS[meaning]
    return bytes((*look.a, *look.b, look.pattern | look.flashes << 4, 0))


@given(SCENES, SETTINGS, RAILS)
def test_no_frame_ever_draws_more_than_its_rail_gives(
    scene: list[Mark], settings: Settings, rail: Rail
) -> None:
    board = replace(BOARD, rails=(rail,))
    shown = pixels(board, tuple(scene), settings)
    idle = len(shown) * rail.idle_ua
    worst = sum(max(sum(p[0:3]), sum(p[3:6])) for p in shown)
    drawn = idle + Fraction(worst * rail.channel_ua, 255)
    assert drawn <= max(idle, rail.limit_ma * 1000)


@given(SCENES, SETTINGS, RAILS)
def test_what_it_says_it_draws_is_what_it_draws_to_a_hundredth(
    scene: list[Mark], settings: Settings, rail: Rail
) -> None:
    board = replace(BOARD, rails=(rail,))
    frame = render(board, tuple(scene), settings)
    shown = pixels(board, tuple(scene), settings)
    worst = sum(max(sum(p[0:3]), sum(p[3:6])) for p in shown)
    drawn = len(shown) * rail.idle_ua / 1000 + worst * rail.channel_ua / 255 / 1000
    rounding = len(shown) * 3 * rail.channel_ua / 255 / 1000  # each channel by less than one step
    assert drawn - 1 <= frame.power.milliamps <= drawn + rounding + 1
    assert frame.power.limit == rail.limit_ma


def test_where_the_limit_bites_every_pixel_gets_its_share() -> None:
    # 132 pixels, all white at full: 132 + 132 x 36 = 4884 mA wanted, of which 2000 are allowed, so
    # (2000 - 132) / 4752 = 0.3931 of the light: 255 x 0.3931 = 100.2.
    frame = render(BOARD, (Mark("*", Meaning.TODO),), FULL)
    assert frame.data[:3] == bytes((100, 100, 100))
    assert frame.power.percent == 39
    assert frame.power.milliamps == 2000


def test_a_pattern_draws_what_its_brighter_colour_draws() -> None:
    # One white pixel of a blinking pair: 1 + 36 mA whichever of the two comes first.
    for look in (Look((255, 255, 255), pattern=BLINK), Look((0, 0, 0), (255, 255, 255), BLINK)):
        assert limit([look], Rail("main", 100))[1].milliamps == 37


def test_where_there_is_no_room_but_for_idling_nothing_is_lit() -> None:
    board = replace(BOARD, rails=(Rail("main", 100),))
    frame = render(board, (Mark("*", Meaning.TODO),), FULL)
    assert set(frame.data) <= {0, BLINK}
    assert frame.power.percent == 0


@given(SCENES, SETTINGS)
def test_a_frame_has_eight_bytes_for_each_pixel(scene: list[Mark], settings: Settings) -> None:
    assert len(render(BOARD, tuple(scene), settings).data) == 8 * 22 * 6


def test_a_board_without_pixels_gets_an_empty_frame() -> None:
    frame = render(replace(BOARD, pixels=(), rails=()), (Mark("*", Meaning.WIN),), FULL)
    assert frame.data == b""


@pytest.mark.parametrize("name", ["hexhex-5", "rhombus-11", "flowers-31", "table"])
def test_every_shipped_board_can_be_lit(name: str) -> None:
    board = load(find(name))
    shown = render(board, (Mark("*", Meaning.TILE),), Settings())
    assert len(shown.data) == 8 * len(board.pixels)


@given(SCENES, SETTINGS)
def test_calm_lights_are_steady(scene: list[Mark], settings: Settings) -> None:
    for pixel in pixels(BOARD, tuple(scene), replace(settings, calm=True)):
        assert pixel[3:] == bytes((0, 0, 0, STEADY, 0))


def test_there_are_only_patterns_that_the_firmware_animates() -> None:
    """How fast they go, never faster than 3 Hz, is the firmware's: tests/firmware."""
    assert {look.pattern for look in LOOKS.values()} <= {STEADY, BLINK, PULSE, COUNT}
    assert all(look.flashes <= 15 for look in LOOKS.values())
    assert set(LOOKS) == set(Meaning)


@given(SCENES, SETTINGS)
def test_brightness_nought_is_dark(scene: list[Mark], settings: Settings) -> None:
    for pixel in pixels(BOARD, tuple(scene), replace(settings, brightness=0)):
        assert not any(pixel[:6])


@given(SCENES, st.integers(0, 99), st.floats(1, 4))
def test_more_brightness_never_makes_a_pixel_darker(
    scene: list[Mark], brightness: int, gamma: float
) -> None:
    dim, bright = (
        pixels(STRONG, tuple(scene), Settings(brightness=percent, gamma=gamma))
        for percent in (brightness, brightness + 1)
    )
    for darker, lighter in zip(dim, bright, strict=True):
        assert all(a <= b for a, b in zip(darker[:6], lighter[:6], strict=True))


@given(st.floats(1, 4), st.floats(0, 3))
def test_gamma_darkens_what_is_dim_and_keeps_black_and_white(gamma: float, more: float) -> None:
    scene = (Mark("A1", Meaning.TODO), Mark("A2", Meaning.TILE))  # white, and a dim blue
    plain, bent = (pixels(STRONG, scene, replace(FULL, gamma=g)) for g in (gamma, gamma + more))
    assert plain[0][:3] == bent[0][:3] == bytes((255, 255, 255))
    assert all(a >= b for a, b in zip(plain[6][:3], bent[6][:3], strict=True))
    assert bent[12][:3] == bytes(3)  # A3 means nothing


def test_gamma_keeps_the_order_of_what_is_dim_and_what_is_bright() -> None:
    order = (Meaning.OPEN, Meaning.TILE, Meaning.BALL, Meaning.TODO)  # darker than the next in red
    for gamma in (1.0, 1.8, 2.2, 3.0):
        reds = [at("A1", (Mark("A1", m),), replace(FULL, gamma=gamma))[0] for m in order]
        assert all(a <= b for a, b in pairwise(reds))


def test_white_balance_scales_each_channel() -> None:
    white = at("A1", (Mark("A1", Meaning.TODO),), replace(FULL, white=(255, 128, 0)))
    assert white[:3] == bytes((255, 128, 0))


ORDER = list(Meaning)
MOODS = (Meaning.OVERDRIVE, Meaning.OFFLINE)
PLAIN = [m for m in ORDER if m not in (*MOODS, Meaning.TOUCHED)]


@given(st.lists(st.sampled_from(PLAIN), min_size=1, max_size=6), st.data())
def test_where_two_meanings_speak_of_one_place_the_stronger_is_seen(
    meanings: list[Meaning], data: st.DataObject
) -> None:
    places = ("C3/1", "C3", "*")
    scene = tuple(Mark(data.draw(st.sampled_from(places)), meaning) for meaning in meanings)
    strongest = max(meanings, key=ORDER.index)
    assert pixels(STRONG, scene)[SLOTS.index("C3") * 6] == lit(strongest)


def test_a_mark_at_an_edge_lights_that_edge_only() -> None:
    scene = (Mark("C3/2", Meaning.LEGAL),)
    assert at("C3/2", scene) == lit(Meaning.LEGAL)
    assert not any(at("C3/1", scene))
    assert not any(at("C4/2", scene))


def test_a_mood_tints_open_slots_and_tiles_and_nothing_stronger() -> None:
    scene = (
        Mark("*", Meaning.OVERDRIVE),
        Mark("A1", Meaning.TILE),
        Mark("A2", Meaning.OPEN),
        Mark("A3", Meaning.BALL),
    )
    assert at("A1", scene) == at("A2", scene) == at("E4", scene) == lit(Meaning.OVERDRIVE)
    assert at("A3", scene) == lit(Meaning.BALL)


def test_touches_fill_the_ring() -> None:
    touched, tile = LOOKS[Meaning.TOUCHED].a, LOOKS[Meaning.TILE].a
    for count, lit_edges in ((1, 3), (2, 6)):
        scene = (Mark("C3", Meaning.TOUCHED, count),)
        reds = [at(f"C3/{edge}", scene)[:3] for edge in range(1, 7)]
        assert reds == [bytes(touched)] * lit_edges + [bytes(tile)] * (6 - lit_edges)

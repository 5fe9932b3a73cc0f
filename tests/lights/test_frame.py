"""From a scene to bytes, judged from the bytes: power, meanings, calm, brightness."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hexboard.board import Board, Rail, find, load
from hexboard.lights.frame import (
    BLACK,
    BLINK,
    COUNT,
    LOOKS,
    PULSE,
    RESERVED,
    SEATS,
    STEADY,
    LightRenderer,
    LightSettings,
    Power,
    kept_dark,
    limit,
    on_strip,
)
from hexboard.lights.patterns import PATTERNS
from hexboard.scene import Mark, Meaning, Scene
from hexboard.words import say
from tests.desk import BOARD, SLOTS
from tests.firmware import firmware

PLACES = st.sampled_from(
    [*SLOTS, *(f"{slot}/{edge}" for slot in SLOTS for edge in range(1, 7)), "*"]
)
SCENES = st.lists(st.builds(Mark, PLACES, st.sampled_from(Meaning), st.integers(0, 9)), max_size=30)
CHANNEL = st.integers(0, 255)
WORTH = (Meaning.LEGAL, Meaning.ONTO)
SETTINGS = st.builds(
    LightSettings,
    brightness=st.integers(0, 100),
    calm=st.booleans(),
    gamma=st.floats(1, 4),
    white=st.tuples(CHANNEL, CHANNEL, CHANNEL),
)
RAILS = st.builds(
    Rail, st.just("main"), st.integers(0, 6000), st.integers(0, 5000), st.integers(1, 20_000)
)


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """The board with one to three rails, each slot's lights on any of them."""
    rails = tuple(draw(st.lists(RAILS, min_size=1, max_size=3)))
    named = tuple(replace(rail, id=f"rail {i}") for i, rail in enumerate(rails))
    feeds = [draw(st.integers(0, len(rails) - 1)) for _ in SLOTS]
    pixels = tuple(replace(p, rail=feeds[SLOTS.index(p.cell)]) for p in BOARD.pixels)
    return replace(BOARD, rails=named, pixels=pixels)


STRONG = replace(BOARD, rails=(Rail("main", 100_000),))
"""The board with a supply that never has to be limited."""
FULL = LightSettings(brightness=100, gamma=1.0, white=(255, 255, 255))


def pixels(board: Board, scene: Scene, settings: LightSettings = FULL) -> list[bytes]:
    data = LightRenderer(board, settings).render(scene).data
    return [data[i : i + 8] for i in range(0, len(data), 8)]


def at(place: str, scene: Scene, settings: LightSettings = FULL) -> bytes:
    """The eight bytes of the first pixel of a cell, or of one at its edge."""
    cell, _, edge = place.partition("/")
    index = SLOTS.index(cell) * 6 + (int(edge) - 1 if edge else 0)
    return pixels(STRONG, scene, settings)[index]


def lit(meaning: Meaning) -> bytes:
    look = LOOKS[meaning]
    return bytes((*look.a, *look.b, look.pattern | look.flashes << 4, 0))


def fed(board: Board, shown: list[bytes], rail: int) -> list[bytes]:
    """What the pixels on one rail show."""
    return [p for p, pixel in zip(shown, board.pixels, strict=True) if pixel.rail == rail]


def worst(shown: list[bytes]) -> int:
    """The sum of the levels of all channels when every pixel shows its brighter colour."""
    return sum(max(sum(p[0:3]), sum(p[3:6])) for p in shown)


@pytest.mark.long
@given(SCENES, SETTINGS, boards())
def test_no_frame_ever_draws_more_than_each_rail_gives(
    scene: list[Mark], settings: LightSettings, board: Board
) -> None:
    shown = pixels(board, tuple(scene), settings)
    for i, rail in enumerate(board.rails):
        mine = fed(board, shown, i)
        idle = len(mine) * rail.idle_ua
        drawn = idle + Fraction(worst(mine) * rail.channel_ua, 255)
        assert drawn <= max(idle, rail.limit_ma * 1000)


@pytest.mark.long
@given(SCENES, SETTINGS, boards())
def test_what_it_says_a_rail_draws_is_what_it_draws_to_a_hundredth(
    scene: list[Mark], settings: LightSettings, board: Board
) -> None:
    power = LightRenderer(board, settings).render(tuple(scene)).power
    (number,) = (i for i, rail in enumerate(board.rails) if rail.id == power.rail)
    rail, shown = board.rails[number], fed(board, pixels(board, tuple(scene), settings), number)
    drawn = len(shown) * rail.idle_ua / 1000 + worst(shown) * rail.channel_ua / 255 / 1000
    rounding = len(shown) * 3 * rail.channel_ua / 255 / 1000  # each channel by less than one step
    assert drawn - 1 <= power.milliamps <= drawn + rounding + 1
    assert power.limit == rail.limit_ma


@pytest.mark.long
@given(SCENES, SETTINGS, boards())
def test_a_rail_that_is_not_limited_gives_all_that_is_wanted(
    scene: list[Mark], settings: LightSettings, board: Board
) -> None:
    free = pixels(
        replace(board, rails=tuple(replace(r, limit_ma=100_000) for r in board.rails)),
        tuple(scene),
        settings,
    )
    shown = pixels(board, tuple(scene), settings)
    for i, rail in enumerate(board.rails):
        mine = fed(board, free, i)
        wanted = len(mine) * rail.idle_ua + Fraction(worst(mine) * rail.channel_ua, 255)
        if wanted <= rail.limit_ma * 1000 - 1:  # that is rounded up to a whole microampere
            assert fed(board, shown, i) == mine


@pytest.mark.long
@given(st.lists(SCENES, min_size=2, max_size=5), SETTINGS, boards())
def test_a_frame_does_not_depend_on_those_before(
    scenes: list[list[Mark]], settings: LightSettings, board: Board
) -> None:
    used = LightRenderer(board, settings)
    for scene in scenes:
        assert used.render(tuple(scene)) == LightRenderer(board, settings).render(tuple(scene))


HALVES = replace(
    BOARD,
    rails=(Rail("left", 3000), Rail("right", 1000)),
    pixels=tuple(replace(p, rail=int(p.cell[0] in "DE")) for p in BOARD.pixels),
)
"""78 lights on the left (A, B, C), 54 on the right."""


def test_each_rail_is_limited_alone_and_the_worse_is_told() -> None:
    # White at full wants 37 mA a light: left 78 x 37 = 2886, which it has; right 54 x 37 = 1998, of
    # which it has 1000: (1000 - 54) / (54 x 36) = 0.4866 of the light, 255 x 0.4866 = 124.08.
    frame = LightRenderer(HALVES, FULL).render((Mark("*", Meaning.TODO),))
    assert frame.data[:3] == bytes((255, 255, 255))
    assert frame.data[78 * 8 : 78 * 8 + 3] == bytes((124, 124, 124))
    assert frame.power == Power(1000, 1000, 48, "right")


def test_a_rail_that_may_give_nothing_keeps_its_lights_dark_and_says_so() -> None:
    board = replace(HALVES, rails=(Rail("left", 0), Rail("right", 5000)))
    renderer = LightRenderer(board, FULL)
    frame = renderer.render((Mark("*", Meaning.WIN),))
    assert not any(any(frame.data[i : i + 6]) for i in range(0, 78 * 8, 8))
    assert any(frame.data[78 * 8 :])
    assert frame.power == Power(78, 0, 0, "left")
    again = renderer.render((Mark("*", Meaning.WIN), Mark("A1", Meaning.BALL)))
    assert again.power == frame.power  # nothing new to say
    (said,) = map(say, kept_dark(board))
    assert "“left” stay dark: it may give 0 mA, and they draw 78 mA when dark." in said


def test_where_the_limit_bites_every_pixel_gets_its_share() -> None:
    # 132 pixels, all white at full: 132 + 132 x 36 = 4884 mA wanted, of which 2000 are allowed, so
    # (2000 - 132) / 4752 = 0.3931 of the light: 255 x 0.3931 = 100.2.
    frame = LightRenderer(BOARD, FULL).render((Mark("*", Meaning.TODO),))
    assert frame.data[:3] == bytes((100, 100, 100))
    assert frame.power.percent == 39
    assert frame.power.milliamps == 2000


def test_a_pattern_draws_what_its_brighter_colour_draws() -> None:
    # REFUSED blinks (228, 68, 83) and something darker: 379 levels of 12 mA / 255 each, 17.84 mA;
    # six lights of it and 126 dark ones that idle: 132 + 107.0 mA.
    assert LOOKS[Meaning.REFUSED].pattern == BLINK
    frame = LightRenderer(STRONG, FULL).render((Mark("A1", Meaning.REFUSED),))
    assert frame.power.milliamps == 239


def test_power_is_counted_in_whole_microamperes_rounded_up() -> None:
    # One level of one channel is 12,000 / 255 = 47.06 uA, so 48; with 1000 of idling 1048.
    wanted, room, power = limit([1], Rail("main", 1))
    assert (wanted, room, power.milliamps, power.percent) == (48, 0, 1, 0)


def test_where_there_is_no_room_but_for_idling_nothing_is_lit() -> None:
    board = replace(BOARD, rails=(Rail("main", 100),))
    frame = LightRenderer(board, FULL).render((Mark("*", Meaning.TODO),))
    assert set(frame.data) <= {0, BLINK}
    assert frame.power.percent == 0
    assert len(list(kept_dark(board))) == 1


@given(SCENES, SETTINGS, boards())
def test_lights_that_are_said_to_stay_dark_do(
    scene: list[Mark], settings: LightSettings, board: Board
) -> None:
    said = {dict(remark.values)["rail"] for remark in kept_dark(board)}
    shown = pixels(board, tuple(scene), settings)
    for i, rail in enumerate(board.rails):
        if rail.id in said:
            assert not any(any(pixel[:6]) for pixel in fed(board, shown, i))


@given(SCENES, SETTINGS)
def test_a_frame_has_eight_bytes_for_each_pixel(scene: list[Mark], settings: LightSettings) -> None:
    assert len(LightRenderer(BOARD, settings).render(tuple(scene)).data) == 8 * 22 * 6


def test_a_board_without_pixels_gets_an_empty_frame() -> None:
    bare = LightRenderer(replace(BOARD, pixels=(), rails=()), FULL)
    frame = bare.render((Mark("*", Meaning.WIN),))
    assert frame.data == b""


@pytest.mark.parametrize("name", ["hexhex-5", "rhombus-11", "flowers-31", "table"])
def test_every_shipped_board_can_be_lit(name: str) -> None:
    board = load(find(name))
    shown = LightRenderer(board, LightSettings()).render((Mark("*", Meaning.TILE),))
    assert len(shown.data) == 8 * len(board.pixels)


@given(SCENES, SETTINGS)
def test_calm_lights_are_steady(scene: list[Mark], settings: LightSettings) -> None:
    for pixel in pixels(BOARD, tuple(scene), replace(settings, calm=True)):
        assert pixel[3:] == bytes((0, 0, 0, STEADY, 0))


def test_a_cell_of_one_answer_alone_flashes_as_often_as_its_number() -> None:
    def pattern(count: int) -> int:
        return at("C3", (Mark("C3", Meaning.ASK, count),))[6]

    assert [pattern(count) for count in range(3)] == [PULSE, COUNT | 1 << 4, COUNT | 2 << 4]


def test_what_would_blink_or_flash_is_a_steady_shape_when_calm() -> None:
    def ring(meaning: Meaning, count: int = 0) -> list[bool]:
        scene = (Mark("C3", meaning, count),)
        shown = [at(f"C3/{edge}", scene, replace(FULL, calm=True))[:3] for edge in range(1, 7)]
        return [colour == shown[0] for colour in shown]

    assert ring(Meaning.TODO) == [True, False, True, False, True, False]
    for count in (1, 2, 3):
        assert ring(Meaning.RESERVED, count) == [edge <= count for edge in range(1, 7)]
    assert ring(Meaning.LEGAL) == [True] * 6


def test_lights_count_what_a_place_is_worth() -> None:
    for count in range(1, 7):
        (pattern,) = {at("C3", (Mark("C3", meaning, count),))[6] for meaning in WORTH}
        assert (pattern & 15, pattern >> 4) == (COUNT, count)


def test_a_winning_path_runs() -> None:
    """Each place of it is an eighth of the pattern behind the one before."""
    phases = [at("C3", (Mark("C3", Meaning.WIN, count),))[7] for count in (1, 2, 3, 9)]
    assert phases == [0, 224, 192, 0]


def test_what_belongs_to_a_seat_pulses_in_its_colour() -> None:
    for count in (1, 2):
        seat = at("C3", (Mark("C3", Meaning.SEAT, count),))[:3]
        for meaning in (Meaning.LAST, Meaning.COUNTS):
            shown = at("C3", (Mark("C3", meaning, count),))
            assert (shown[:3], shown[6]) == (seat, PULSE)


def test_nothing_flashes_faster_than_3_hz() -> None:
    """Whatever is lit, as the firmware shows it: a flash is a change and one back."""
    marks = [Mark("C3", meaning, count) for meaning in Meaning for count in range(20)]
    patterns = {at("C3", (mark,))[6:] for mark in marks}
    assert len(patterns) > 15  # each way to count is one
    for pattern in patterns:
        times = turning_points(pattern)
        assert all(sum(t <= u < t + 1000 for u in times) <= 2 * 3 for t in times)


def turning_points(pattern: bytes) -> list[int]:
    """When (ms) the light of a pattern between black and white begins to rise or to fall."""
    one = firmware("pixels").Pixels(1, "GRB")
    one.take(bytes((255, 255, 255, 0, 0, 0)) + pattern, 0, 8, 1)
    times, rising, level = [], None, 255
    for ms in range(0, 10_000, 10):
        one.turn(ms * 1000, True, True)
        new = one.wire[0]
        if new != level and (new > level) != rising:
            rising = new > level
            times.append(ms)
        level = new
    return times


def test_every_meaning_has_a_look_and_no_look_a_pattern_that_nobody_animates() -> None:
    assert {look.pattern for look in LOOKS.values()} <= {STEADY, BLINK, PULSE, COUNT}
    assert all(look.flashes <= 15 for look in LOOKS.values())
    assert set(LOOKS) == set(Meaning)


@given(SCENES, SETTINGS)
def test_brightness_nought_is_dark(scene: list[Mark], settings: LightSettings) -> None:
    for pixel in pixels(BOARD, tuple(scene), replace(settings, brightness=0)):
        assert not any(pixel[:6])


@given(SCENES, st.integers(0, 99), st.floats(1, 4))
def test_more_brightness_never_makes_a_pixel_darker(
    scene: list[Mark], brightness: int, gamma: float
) -> None:
    dim, bright = (
        pixels(STRONG, tuple(scene), LightSettings(brightness=percent, gamma=gamma))
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
        Mark("A4/1", Meaning.TILE),
        Mark("B1", Meaning.SEAT, 1),
    )
    for slot in ("A1", "A2", "A4", "E4"):
        assert at(slot, scene) == lit(Meaning.OVERDRIVE)
    assert at("A3", scene) == lit(Meaning.BALL)
    assert at("B1", scene) == lit(Meaning.SEAT)


def test_of_equal_meanings_the_nearest_is_seen_and_of_equally_near_the_last() -> None:
    for seen, places in (
        (0, ("C3/1", "C3", "*")),
        (0, ("C3", "*", "C3/2")),
        (1, ("*", "C3")),
        (1, ("C3", "C3")),
        (2, ("*", "C3", "C3/1")),
    ):
        scene = tuple(Mark(place, Meaning.SEAT, seat) for seat, place in enumerate(places, 1))
        assert at("C3/1", scene)[:3] == bytes(SEATS[seen])


def test_touches_fill_the_ring() -> None:
    touched, tile = LOOKS[Meaning.TOUCHED].a, LOOKS[Meaning.TILE].a
    for count, lit_edges in ((1, 3), (2, 6)):
        scene = (Mark("C3", Meaning.TOUCHED, count),)
        reds = [at(f"C3/{edge}", scene)[:3] for edge in range(1, 7)]
        assert reds == [bytes(touched)] * lit_edges + [bytes(tile)] * (6 - lit_edges)


LIT = st.tuples(CHANNEL, CHANNEL, CHANNEL).filter(any)


@given(LIT, st.integers(1, 100), st.floats(1, 4))
def test_however_dim_what_is_lit_stays_lit_in_its_own_hue(
    colour: tuple[int, int, int], brightness: int, gamma: float
) -> None:
    settings = replace(FULL, brightness=brightness, gamma=gamma)
    shown = on_strip(colour, settings)
    assert max(shown) >= 4
    assert [level > 0 for level in shown] == [level > 0 for level in colour]
    top = max(colour)
    for level, seen in zip(colour, shown, strict=True):
        share = (level / top) ** gamma  # of the brightest channel, as gamma has it
        assert abs(seen - share * max(shown)) <= max(1, share)  # by what rounding does, or a 1


def test_at_the_default_brightness_open_is_no_darkness_and_amber_no_red() -> None:
    settings = LightSettings()
    open_slot, amber = (on_strip(LOOKS[m].a, settings) for m in (Meaning.OPEN, Meaning.UNSURE))
    assert open_slot[2] == max(open_slot) >= 4
    red, green, blue = amber
    assert (green >= 0.3 * red, blue) == (True, 0)


def test_a_calm_light_of_one_pixel_shows_what_lies_between_its_colours() -> None:
    board = load(find("hexhex-5"))
    scene = (Mark("a1", Meaning.COUNTS, 1), Mark("b1", Meaning.RESERVED, 2))
    data = LightRenderer(board, replace(FULL, calm=True)).render(scene).data
    seat = SEATS[0]
    between = bytes((level + level // 4) // 2 for level in seat)
    place = {pixel.cell: k for k, pixel in enumerate(board.pixels)}
    assert data[8 * place["a1"] :][:8] == between + bytes(5)
    assert data[8 * place["b1"] :][:3] == bytes(RESERVED[1])


def test_patterns_show_each_light_and_stay_within_the_limit() -> None:
    for name, pattern in PATTERNS.items():
        steps, ever = list(pattern(HALVES)), set()
        for step in steps:
            frame = LightRenderer(HALVES, FULL).plain(step.styles)
            assert frame.power.milliamps <= frame.power.limit
            ever |= {k for k in range(132) if any(frame.data[8 * k : 8 * k + 3])}
        assert ever == set(range(132)), name
        assert len(steps) == {"order": 22, "rails": 2, "colours": 4, "walk": 132}[name]
    right = list(PATTERNS["rails"](HALVES))[1]
    assert [style.a != BLACK for style in right.styles] == [k >= 78 for k in range(132)]

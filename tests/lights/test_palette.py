"""What lights mean can be told apart, by everybody: colours, rhythms, shapes, and their legend.

Two meanings of one game differ by CIEDE2000, 10 for normal sight and 8 for each kind of colour
blindness, as the strip shows them at full and at the default brightness; or by their rhythm; or, in
calm mode on a ring of lights, by their shape.
"""

import random
from collections.abc import Iterator
from itertools import combinations

import pytest

from hexboard.board import find, load
from hexboard.calibration.in_play import QUIET
from hexboard.game import registry
from hexboard.lights.frame import BLACK, PULSE, Colour, LightSettings, Style, look, on_strip, still
from hexboard.lights.legend import LightMeaning, colour_name, legend
from hexboard.scene import Mark, Meaning
from tests.lights.colour_vision import PAIRS, SIGHTS, Lab, ciede2000, lab

LEAST = {"normal": 10.0, "protanopia": 8.0, "deuteranopia": 8.0, "tritanopia": 8.0}
BRIGHTNESS = (100, LightSettings().brightness)
DARK = LightMeaning(Meaning.OPEN, -1, "nothing", Style(BLACK))
GAMES = [name for name in registry.names() if not name.startswith("bad-santa-")] + ["bad-santa-hex"]
NUMBERED = {Meaning.LEGAL, Meaning.ONTO, Meaning.ASK, Meaning.WIN, Meaning.RESERVED}
"""Whose count is a number that is flashed or runs."""

Picture = tuple[Style, ...]
"""What the lights of a cell do: one light, or a ring of six."""


def test_the_measure_is_ciede2000() -> None:
    for line in PAIRS.split("\n")[1:-1]:
        l1, a1, b1, l2, a2, b2, published = map(float, line.split())
        for found in (ciede2000((l1, a1, b1), (l2, a2, b2)), ciede2000((l2, a2, b2), (l1, a1, b1))):
            assert found == pytest.approx(published, abs=5e-5), line


def test_the_sights_leave_grey_alone_and_lose_what_they_should() -> None:
    for sight in SIGHTS:  # the rows of the published matrices add up to 1
        assert ciede2000(lab((0.3, 0.3, 0.3)), lab((0.3, 0.3, 0.3), sight)) < 0.1
    red, green = (0.6, 0.1, 0.02), (0.2, 0.3, 0.02)
    plain = ciede2000(lab(red), lab(green))
    assert ciede2000(lab(red, "deuteranopia"), lab(green, "deuteranopia")) < plain / 4
    assert ciede2000(lab(red, "tritanopia"), lab(green, "tritanopia")) > plain / 2


def pictures(light: LightMeaning, ring: bool, calm: bool) -> Picture:
    mark = Mark("*", light.meaning, light.count)
    edges = range(1, 7) if ring else range(1)
    styles = tuple(light.style if light.count < 0 else look(mark, edge) for edge in edges)
    if calm:
        return tuple(still(style, edge) for style, edge in zip(styles, edges, strict=True))
    return styles


def alike(one: Picture, other: Picture) -> bool:
    """Whether neither rhythm nor shape tells them apart."""

    def form(picture: Picture) -> list[tuple[int, int, bool]]:
        return [(it.pattern, it.flashes, it == picture[0]) for it in picture]

    return form(one) == form(other)


def differ(one: Picture, other: Picture, brightness: int, sight: str) -> float:
    """The most by which some light of theirs differs at some time."""
    pairs = {(x.a, y.a) for x, y in zip(one, other, strict=True)}
    pairs |= {(x.b, y.b) for x, y in zip(one, other, strict=True) if x.pattern}
    settings = LightSettings(brightness=brightness)
    white = on_strip((255, 255, 255), settings)

    def seen(colour: Colour) -> Lab:
        red, green, blue = (
            level / most for level, most in zip(on_strip(colour, settings), white, strict=True)
        )
        return lab((red, green, blue), sight)

    return max(ciede2000(seen(a), seen(b)) for a, b in pairs)


def differences(
    lights: tuple[LightMeaning, ...], ring: bool, calm: bool
) -> Iterator[tuple[str, str, float]]:
    """For each two that neither rhythm nor shape tells apart, and each sight: which two, the sight,
    and by how much they differ."""
    shown = [(light, pictures(light, ring, calm)) for light in (DARK, *lights)]
    for (one, left), (other, right) in combinations(shown, 2):
        same = one.meaning is other.meaning and one.meaning in NUMBERED
        if not alike(left, right) or (calm and same):
            continue
        for brightness in BRIGHTNESS:
            for sight in LEAST:
                pair = f"{one.text} / {other.text} at {brightness} %"
                yield pair, sight, differ(left, right, brightness, sight)


def too_close(lights: tuple[LightMeaning, ...], ring: bool, calm: bool) -> Iterator[str]:
    for pair, sight, found in differences(lights, ring, calm):
        if found < LEAST[sight]:
            yield f"{pair}: {found:.1f}, {sight}"


@pytest.mark.parametrize("calm", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_what_a_game_lights_is_told_apart_by_everybody(name: str, calm: bool) -> None:
    game = registry.find(name)
    ring = any(pixel.edge for pixel in load(find(game.board({}))).pixels)
    assert list(too_close(legend(game.prefix), ring, calm)) == []


@pytest.mark.parametrize("calm", [False, True])
def test_what_the_sensor_wizard_lights_is_told_apart_by_everybody(calm: bool) -> None:
    shown = [(Meaning.OPEN, 0), (Meaning.SEAT, 3), (Meaning.UNSURE, 0), (Meaning.PICKED, 0)]
    shown.append((Meaning.ASK, 0))
    lights = tuple(LightMeaning(m, n, f"{m}", look(Mark("*", m, n))) for m, n in shown)
    assert list(too_close(lights, ring=True, calm=calm)) == []


@pytest.mark.parametrize("name", GAMES)
def test_the_legend_has_every_light_that_a_game_shows(name: str) -> None:
    """By games of random moves: no mark is lit that the legend does not know."""
    game = registry.find(name)
    board = load(find(game.board({})))
    known = {(it.meaning, it.count) for it in legend(game.prefix)}
    meanings = {meaning for meaning, _ in known}
    for seed in range(4):
        chance, position = random.Random(seed), game.begin(board, {})
        for _ in range(60):
            for mark in position.scene():
                assert mark.meaning in meanings, mark
                if mark.meaning not in NUMBERED | set(QUIET[:2]):
                    assert (mark.meaning, mark.count) in known or mark.count > 2, mark
            if not position.legal:
                break
            position = position.play(chance.choice(tuple(position.legal)))


def test_a_game_that_lists_no_lights_may_light_whatever_there_is() -> None:
    assert {light.meaning for light in legend("unheard_of")} == set(Meaning)


def test_colours_have_names_and_looks_are_sentences() -> None:
    named = {(255, 0, 0): "red", (90, 62, 0): "dim amber", (0, 0, 0): "dark", (0, 255, 0): "green"}
    named |= {(255, 255, 255): "white", (60, 60, 70): "grey", (255, 128, 0): "orange"}
    assert {colour: colour_name(colour) for colour in named} == named
    looks = {light.meaning: light for light in legend("unheard_of")}
    same = LightMeaning(Meaning.ASK, 0, "", Style((255, 0, 0), (200, 0, 0), PULSE))
    assert same.look() == "red, fading"
    stuck, todo = looks[Meaning.STUCK], looks[Meaning.TODO]
    assert stuck.look().endswith("and dark by turns")
    assert (todo.look(), todo.calm(ring=True)) == (
        "white and dim blue by turns",
        "every other light white, those between dim blue",
    )

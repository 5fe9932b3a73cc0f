"""No light flashes more than three times a second: seen on the strip, through the real firmware."""

import random

import pytest

from hexboard.lights.flashes import Flashes
from hexboard.lights.frame import LightRenderer, LightSettings, PixelLight
from hexboard.scene import Mark, Meaning
from tests.desk import BOARD
from tests.firmware import firmware

MS = 1_000_000
RENDERER = LightRenderer(BOARD, LightSettings(brightness=100, gamma=1.0, white=(255, 255, 255)))
FAST = (Meaning.BALL, Meaning.TILE, Meaning.TOUCHED, Meaning.PASSING, Meaning.OPEN)


def light(meaning: Meaning, count: int = 0) -> PixelLight:
    return RENDERER.lights((Mark("*", meaning, count),))[0]


def flashes(
    wanted: dict[int, PixelLight], lasts_ms: int, keeper: Flashes | None = None
) -> tuple[int, bytes]:
    """The most flashes in any second of what is wanted from some ms on, and the last light shown:
    turning points of a tenth or more of full light, two of them a flash."""
    keeper, device = keeper or Flashes(), firmware("pixels").Pixels(1, "GRB")
    now, number, shown = light(Meaning.TILE), 0, b""
    turns, level, rising = list[int](), 0, False
    for ms in range(0, lasts_ms, 5):
        fresh = ms in wanted
        now = wanted.get(ms, now)
        if fresh or (keeper.due is not None and keeper.due <= ms * MS):
            (allowed,) = keeper.allow([now], ms * MS)
            if allowed.data != shown:
                number, shown = number + 1, allowed.data
                device.take(shown, 0, 8, number)
        device.turn(ms * 1000, True, True)
        new = sum(device.wire)
        if abs(new - level) >= 76:
            if (new > level) != rising:
                turns.append(ms)
            rising = new > level
            level = new
        elif (new > level) == rising:
            level = new
    most = max((sum(t <= u < t + 1000 for u in turns) for t in turns), default=0)
    return most // 2 + most % 2, shown


def trembling(seed: int) -> dict[int, PixelLight]:
    """What is wanted of a light that is to change 50 times a second, by the ms from which on."""
    chance = random.Random(seed)
    marks = FAST if seed % 2 else tuple(Meaning)
    steps = sorted(chance.sample(range(0, 8000, 5), 400))
    return {ms: light(chance.choice(marks), chance.randrange(7)) for ms in steps}


@pytest.mark.parametrize("seed", range(12))
def test_a_light_that_is_to_change_all_the_time_flashes_thrice_a_second_at_most(seed: int) -> None:
    wanted = trembling(seed)
    most, last = flashes(wanted, 10_000)
    assert most <= 3
    assert last == wanted[max(wanted)].data  # in the end what was wanted last is shown


def test_without_it_such_a_light_would_flash() -> None:
    """Else the test above could not fail."""
    wanted = {ms: light(FAST[ms // 50 % 2]) for ms in range(0, 4000, 50)}

    class Everything(Flashes):
        def allow(self, wanted: list[PixelLight], now: int) -> list[PixelLight]:
            return wanted

    assert flashes(wanted, 4000, Everything())[0] == 10
    assert flashes(wanted, 4000)[0] == 3


def test_a_first_change_never_waits_and_pixels_do_not_wait_for_each_other() -> None:
    keeper, tile, ball = Flashes(), light(Meaning.TILE), light(Meaning.BALL)
    keeper.allow([tile, tile], 0)
    for n in range(1, 21):
        keeper.allow([(tile, ball)[n % 2], tile], n * 20 * MS)
    assert keeper.due == 1050 * MS
    assert keeper.allow([tile, ball], 420 * MS)[1] is ball

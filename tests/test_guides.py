"""What `tests.benchmarks.guides` follows light by, where a hand knows what must come out."""

import numpy as np
import pytest

from tests.benchmarks.guides import CUT, LOW, SIDE, GuidePair, Rays, crossed, entered, left

ROD = GuidePair(radius=1.0, cut=10.6, apart=14.0, groove=(1.25, 11.85), floor=6.2)
HEAD_ON = (0.48 / 2.48) ** 2
"""What PMMA (1.48) throws back of light that meets it head on: 3.7 %."""


def pencil(count: int, way: tuple[float, float, float] = (0, 0, 1)) -> Rays:
    """So many rays side by side in one place."""
    return Rays(np.zeros((count, 3)), np.tile(way, (count, 1)).astype(float))


def test_a_ray_along_the_axis_goes_up_across_and_down() -> None:
    """Its way is whole at both cut ends, 45 degrees being more than 42.5; four surfaces head on."""
    dice, count = np.random.default_rng(7), 20_000
    rays = entered(pencil(count), np.tile((0.0, 0.0, -1.0), (count, 1)), dice)
    over = left(rays, ROD, SIDE, dice)
    ahead = over.kept(over.way[:, 0] > 0)
    assert ahead.at == pytest.approx(np.tile((1.0, 0.0, 10.6), (len(ahead.at), 1)), abs=1e-5)
    assert ahead.way == pytest.approx(np.tile((1.0, 0.0, 0.0), (len(ahead.at), 1)), abs=1e-5)
    there = crossed(ahead, ROD)
    assert len(there.at) == len(ahead.at)
    low = left(entered(there, there.at * (1, 1, 0), dice), ROD, LOW, dice)
    straight = (abs(low.at[:, 0]) < 1e-4).sum() / count
    assert straight == pytest.approx((1 - HEAD_ON) ** 4, rel=0.02)


def test_light_goes_somewhere_or_is_lost_at_the_wall() -> None:
    """No ray is made; without roughness (one touch of the wall loses 1 %) none would be lost."""
    dice, count = np.random.default_rng(7), 20_000
    steep = pencil(count, way=(0.5, 0.0, 0.75**0.5))
    out = sum(len(left(steep, ROD, face, np.random.default_rng(7)).at) for face in (SIDE, LOW, CUT))
    assert 0.8 * count < out < count
    assert len(left(pencil(count), ROD, CUT, dice).at) == 0


@pytest.mark.parametrize(
    ("way", "comes"),
    [
        ((1.0, 0.0, 0.0), True),
        ((1.0, 0.2, 0.0), False),  # 2.8 mm aside after 14
        ((1.0, 0.0, 0.2), False),  # under the roof of the far groove, it is too high
        ((1.0, 0.0, -0.6), False),  # into the channel's floor
    ],
)
def test_what_crosses_the_channel_stays_within_the_grooves(
    way: tuple[float, float, float], comes: bool
) -> None:
    from_here = Rays(np.array([(1.0, 0.0, 10.6)]), np.array([way]) / np.linalg.norm(way))
    assert len(crossed(from_here, ROD).at) == comes

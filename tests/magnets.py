"""What a disc magnet does: its field along its axis, and how it pulls at a steel ball. Lengths in
mm, fields in mT, forces in mN."""

import math

import numpy as np
import numpy.typing as npt

MU_0 = 4e-7 * math.pi
N35_T = 1.17
"""The least remanence of NdFeB of grade N35, T: N42 has 1.28, and pulls and is felt more."""
RINGS = 8
"""Into so many rings a pole's face is cut, and each into points."""

Floats = npt.NDArray[np.float64]


def field(across: float, high: float, away: float, remanence: float = N35_T) -> float:
    """On the axis, so far from the nearer face: B = Br/2 · ((h+z)/√(r²+(h+z)²) - z/√(r²+z²))."""
    radius = across / 2
    far, near = (it / math.hypot(radius, it) for it in (high + away, away))
    return 1e3 * remanence / 2 * (far - near)


def pull(
    magnet: tuple[float, float, float],
    ball: tuple[float, float, float],
    radius: float,
    remanence: float = N35_T,
) -> tuple[float, float, float]:
    """The force on a ball at a place, of a magnet that is so wide, so high, and whose upper face is
    at that height over the origin.

    Its poles are charged faces, the ball is iron that nothing saturates: each charge has its image
    in the ball, and the opposite of that in the ball's middle, as at a sphere that conducts. Real
    steel is pulled less."""
    across, high, top = magnet
    face, share = _face(across / 2)
    low, lifted = face - np.array([0.0, 0.0, high]), np.array([0.0, 0.0, top])
    charges = 1e-6 * remanence / MU_0 * np.concatenate([share, -share])
    places = 1e-3 * (np.concatenate([face, low]) + lifted)
    middle, size = 1e-3 * np.array(ball), 1e-3 * radius
    ways = places - middle
    far = np.linalg.norm(ways, axis=1)
    images = middle + ways * (size / far)[:, None] ** 2
    mirrored = -charges * size / far
    images = np.concatenate([images, middle[None]])
    mirrored = np.append(mirrored, -mirrored.sum())
    apart = images[:, None] - places[None]
    cubes = np.linalg.norm(apart, axis=2) ** 3
    each = (mirrored[:, None] * charges[None] / cubes)[:, :, None] * apart
    x, y, z = 1e3 * MU_0 / (4 * math.pi) * each.sum(axis=(0, 1))
    return float(x), float(y), float(z)


def _face(radius: float) -> tuple[Floats, Floats]:
    """Points of a disc, and the area of each."""
    spots, areas = list[tuple[float, float, float]](), list[float]()
    for k in range(RINGS):
        near, far = radius * k / RINGS, radius * (k + 1) / RINGS
        middle, count = 2 / 3 * (far**3 - near**3) / (far**2 - near**2), 6 * k + 6
        for turn in range(count):
            angle = 2 * math.pi * turn / count
            spots.append((middle * math.cos(angle), middle * math.sin(angle), 0.0))
            areas.append(math.pi * (far**2 - near**2) / count)
    return np.array(spots), np.array(areas)

"""How different two lights look: CIEDE2000, for normal sight and for three kinds of dichromacy.

A light is linear RGB of sRGB's primaries, 1 for the white of the strip at that brightness, to which
the eye is taken to have adapted. Sources: Sharma, Wu, Dalal 2005 (the formula, `PAIRS` from their
table 1); IEC 61966-2-1 (primaries); Machado, Oliveira, Fernandes 2009, severity 1.0 (`SIGHTS`).
"""

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

Lab = tuple[float, float, float]
Linear = tuple[float, float, float]
Matrix = tuple[tuple[float, float, float], ...]

SIGHTS: dict[str, Matrix] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
PAIRS = """
50.0 2.6772 -79.7751 50.0 0.0 -82.7485 2.0425
50.0 3.1571 -77.2803 50.0 0.0 -82.7485 2.8615
50.0 2.8361 -74.0200 50.0 0.0 -82.7485 3.4412
50.0 -1.3802 -84.2814 50.0 0.0 -82.7485 1.0000
50.0 -1.1848 -84.8006 50.0 0.0 -82.7485 1.0000
50.0 -0.9009 -85.5211 50.0 0.0 -82.7485 1.0000
50.0 0.0 0.0 50.0 -1.0 2.0 2.3669
50.0 -1.0 2.0 50.0 0.0 0.0 2.3669
50.0 2.49 -0.001 50.0 -2.49 0.0009 7.1792
50.0 2.49 -0.001 50.0 -2.49 0.0010 7.1792
50.0 2.49 -0.001 50.0 -2.49 0.0011 7.2195
50.0 2.49 -0.001 50.0 -2.49 0.0012 7.2195
50.0 -0.001 2.49 50.0 0.0009 -2.49 4.8045
50.0 -0.001 2.49 50.0 0.0010 -2.49 4.8045
50.0 -0.001 2.49 50.0 0.0011 -2.49 4.7461
50.0 2.5 0.0 50.0 0.0 -2.5 4.3065
50.0 2.5 0.0 73.0 25.0 -18.0 27.1492
50.0 2.5 0.0 61.0 -5.0 29.0 22.8977
50.0 2.5 0.0 56.0 -27.0 -3.0 31.9030
50.0 2.5 0.0 58.0 24.0 15.0 19.4535
50.0 2.5 0.0 50.0 3.1736 0.5854 1.0000
50.0 2.5 0.0 50.0 3.2972 0.0 1.0000
50.0 2.5 0.0 50.0 1.8634 0.5757 1.0000
50.0 2.5 0.0 50.0 3.2592 0.3350 1.0000
60.2574 -34.0099 36.2677 60.4626 -34.1751 39.4387 1.2644
63.0109 -31.0961 -5.8663 62.8187 -29.7946 -4.0864 1.2630
61.2901 3.7196 -5.3901 61.4292 2.2480 -4.9620 1.8731
35.0831 -44.1164 3.7933 35.0232 -40.0716 1.5901 1.8645
22.7233 20.0904 -46.6940 23.0331 14.9730 -42.5619 2.0373
36.4612 47.8580 18.3852 36.2715 50.5065 21.2231 1.4146
90.8027 -2.0831 1.4410 91.1528 -1.6435 0.0447 1.4441
90.9257 -0.5406 -0.9208 88.6381 -0.8985 -0.7239 1.5381
6.7747 -0.2908 -2.4247 5.8714 -0.0985 -2.2286 0.6377
2.0776 0.0795 -1.1350 0.9033 -0.0636 -0.5514 0.9082
"""
"""L, a, b of two colours, and how they differ."""


def lab(light: Linear, sight: str = "normal") -> Lab:
    """A light as somebody with this sight sees it, in CIELAB."""
    seen = [min(1.0, max(0.0, level)) for level in _times(SIGHTS[sight], light)]
    x, y, z = (
        _root(level / sum(row))
        for level, row in zip(_times(XYZ, (seen[0], seen[1], seen[2])), XYZ, strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _times(matrix: Matrix, light: Linear) -> list[float]:
    return [sum(a * b for a, b in zip(row, light, strict=True)) for row in matrix]


def _root(share: float) -> float:
    return float(share ** (1 / 3)) if share > 216 / 24389 else (24389 / 27 * share + 16) / 116


def ciede2000(one: Lab, other: Lab) -> float:
    """The colour difference of two CIELAB colours, all weights 1."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * sqrt(mean**7 / (mean**7 + 25.0**7))
    c1, c2 = hypot(stretch * a1, b1), hypot(stretch * a2, b2)
    h1 = degrees(atan2(b1, stretch * a1)) % 360
    h2 = degrees(atan2(b2, stretch * a2)) % 360
    turn, grey = h2 - h1, not c1 * c2
    turn = 0.0 if grey else turn - 360 * (turn > 180) + 360 * (turn < -180)
    hue = h1 + h2
    if not grey:
        hue = hue / 2 if abs(h1 - h2) <= 180 else (hue + (360 if hue < 360 else -360)) / 2
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    t = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.20 * cos(radians(4 * hue - 63))
    )
    turned = 2 * sqrt(chroma**7 / (chroma**7 + 25.0**7))
    turned *= -sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    away = (light - 50) ** 2
    dl = (l2 - l1) / (1 + 0.015 * away / sqrt(20 + away))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * sqrt(c1 * c2) * sin(radians(turn) / 2) / (1 + 0.015 * chroma * t)
    return sqrt(max(0.0, dl * dl + dc * dc + dh * dh + turned * dc * dh))

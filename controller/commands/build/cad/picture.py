"""A part as a small picture: what is seen of its edges, as SVG."""

from collections.abc import Iterable
from html import escape

from hexboard.commands.build.cad.recipe import Point

FREE_MM = 2.0
"""Round the drawing."""
SHORT_MM = 0.3
"""Shorter edges are left out: they are no more than dots."""


def picture(title: str, lines: Iterable[tuple[Point, ...]]) -> str:
    """One path of all lines."""
    ways = [way for way in lines if _long(way)]
    xs, ys = [x for way in ways for x, _ in way], [y for way in ways for _, y in way]
    left, top = min(xs) - FREE_MM, -max(ys) - FREE_MM
    wide, high = max(xs) + FREE_MM - left, FREE_MM - min(ys) - top
    path = "".join("M" + " ".join(f"{x:.1f},{-y:.1f}" for x, y in way) for way in ways)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}mm" height="{high:.0f}mm" '
        f'viewBox="{left:.1f} {top:.1f} {wide:.1f} {high:.1f}">\n<title>{escape(title)}</title>\n'
        f'<path fill="none" stroke="#222" stroke-width=".25" d="{path}"/>\n</svg>\n'
    )


def _long(way: tuple[Point, ...]) -> bool:
    xs, ys = [x for x, _ in way], [y for _, y in way]
    return max(max(xs) - min(xs), max(ys) - min(ys)) > SHORT_MM

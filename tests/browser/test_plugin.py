"""A game from another package on the page: drawn, played by tapping, lit, with its own widget."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser.test_page import Open, chromium, expect, visit
from tests.running import Running, eventually
from tests.test_plugin import installed

pytestmark = pytest.mark.browser

__all__ = ["chromium", "installed", "visit"]  # fixtures

BOARD = """\
schema = "hexboard/board-1"
name = "lit"
title = "Hexagon of 37 cells, a light in each"
game = "span"
shape = "hexhex-4"

[pixels]
source = "pico"
edges = [0]

[[rails]]
id = "main"
limit_ma = 2000
"""
LIT = """() => [...document.querySelectorAll("[data-pixel]")]
    .filter(p => +p.getAttribute("opacity") > 0).map(p => +p.dataset.pixel)"""


def test_it_is_drawn_played_by_tapping_lit_and_told(
    installed: Path, visit: Open, tmp_path: Path, home: Path
) -> None:
    (home / "boards").mkdir()
    (home / "boards" / "lit.toml").write_text(BOARD, "utf-8")
    running = Running(
        tmp_path / "state",
        *("lit", "--simulate", "--port", 0),
        home=home,
        command=(str(installed / "hexboard"),),
    )
    try:
        page = visit(running, viewport={"width": 390, "height": 844}, has_touch=True)
        played(page)
    finally:
        running.end()


def played(page: Any) -> None:
    """A few moves of Span, with what is seen of them."""
    cells = [cell.get_attribute("data-cell") for cell in page.locator("[data-cell]").all()]
    expect(page.locator(".hex.open")).to_have_count(37)
    expect(page.locator(".prompt")).to_have_text("Black, place a disc: touch an empty cell.")
    assert page.evaluate(LIT) == []
    links = page.locator(".chains line")
    for cell, seat, told in (
        ("d4", 0, "Black places a disc on d4."),
        ("e4", 1, "White places a disc on e4."),
        ("d5", 0, "Black places a disc on d5."),
    ):
        expect(links).to_have_count(0)
        page.locator(f'[data-cell="{cell}"]').tap()
        expect(page.locator(f'[data-piece="{cell}"]')).to_have_class(re.compile(f"of-{seat}"))
        expect(page.locator(".entries li").first).to_contain_text(told)
        expect(page.locator(".entries li").first.locator("code")).to_have_text("S1")
        last = cells.index(cell)
        eventually(lambda last=last: page.evaluate(LIT) == [last])  # type: ignore[misc]
    expect(links).to_have_count(1)  # its own widget, in its own style
    expect(page.locator(".chains ~ .things [data-piece]")).to_have_count(3)  # under the discs
    stroke = "line => getComputedStyle(line).stroke"
    assert links.evaluate(stroke) == "rgb(87, 80, 106)"
    page.locator('[data-cell="d4"]').tap()
    expect(page.locator("p.refused")).to_contain_text("There is a disc on d4 already.")

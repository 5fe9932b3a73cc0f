"""A game of a stranger that goes wrong while people play it: what its page says."""

from pathlib import Path

import pytest

from tests.browser.test_page import Open, Start, chromium, expect, visit
from tests.shell.test_strangers import WRONG, grim
from tests.strangers import keep

pytestmark = pytest.mark.browser

__all__ = ["chromium", "visit"]  # fixtures


def test_a_mistake_is_told_once(start: Start, visit: Open, home: Path) -> None:
    """Who made the move is answered what the notice says to everybody; put away, it is gone."""
    keep(home, "grim", grim(WRONG["play raises"][0]))
    page = visit(start("--game", "grim"), pico=False)
    page.locator('[data-cell="d4"]').click()
    told = page.get_by_text("made a mistake: ZeroDivisionError")
    expect(page.locator(".banner.notice").filter(has=told)).to_have_count(1)
    seen = [it for it in told.all() if not it.evaluate("it => !!it.closest('[data-heard]')")]
    assert len(seen) == 1  # now: a refusal goes away by itself
    page.get_by_role("button", name="Put this notice away").click()
    expect(page.locator(".banner.notice")).to_have_count(0)

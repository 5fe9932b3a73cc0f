"""The page behind a proxy, under a path and an origin that are not its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.proxy import PREFIX, Proxy
from tests.browser.test_curtain import say
from tests.browser.test_page import Start, chromium, expect

pytestmark = pytest.mark.browser

__all__ = ["chromium"]  # a fixture


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    proxy = Proxy()
    yield proxy
    proxy.close()


@pytest.mark.parametrize("game", ["hexalma", "hextraction"])  # scripts of ours alone, and a game's
def test_all_of_the_page_is_found_under_the_path_that_a_proxy_gives_it(
    start: Start, chromium: Any, home: Path, proxy: Proxy, game: str
) -> None:
    with (home / "settings.toml").open("a", encoding="utf-8") as settings:
        settings.write(f'[web]\norigins = ["{proxy.origin}"]\n')
    running = start("--game", game)
    proxy.to = running.port
    context = chromium.new_context()
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda told: wrong.append(told.text) if told.type == "error" else None)
    page.goto(f"{proxy.origin}{PREFIX}/?token={running.token}")
    assert page.url == f"{proxy.origin}{PREFIX}/"
    expect(page.locator("svg.board")).to_be_visible()
    expect(page.locator(".banner")).to_have_count(0)
    if game == "hexalma":
        say(page, "b3-c3")
        expect(page.locator(".ruling .seat.active")).to_contain_text("White")
        page.get_by_role("button", name="Seats").click()
        page.locator('[data-invite="0"]').click()
        shown = page.locator(".invitation b").first
        expect(shown).to_have_text(f"{proxy.origin}{PREFIX}/join")
    page.goto(f"{proxy.origin}{PREFIX}/board")
    expect(page.locator(".screen .prompt")).to_be_visible()
    page.goto(f"{proxy.origin}{PREFIX}/join")
    expect(page.get_by_role("button", name="Sit down")).to_be_visible()
    context.close()
    assert wrong == []

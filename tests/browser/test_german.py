"""The page in German: no English is left, nothing is wider than a small phone."""

import re
from typing import Any

import pytest

from tests.browser.test_page import Open, Start, chromium, expect, visit

pytestmark = pytest.mark.browser

__all__ = ["chromium", "visit"]  # fixtures

ENGLISH = re.compile(
    r"\b(the|and|your|of|with|is|are|this|that|move|board|card|turn|seat|page|place|wrong|touch)\b",
    re.I,
)
"""Words that German has not, and that hardly a sentence of ours does without."""
SEEN = """() => {
  const texts = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    if (!parentElement.closest("script, noscript, kbd, code, a, b")) texts.add(textContent.trim());
  }
  for (const name of ["aria-label", "title", "placeholder", "alt"]) {
    for (const it of document.querySelectorAll(`[${name}]`)) texts.add(it.getAttribute(name));
  }
  return [...texts];
}"""
WIDE = """() => [...document.querySelectorAll("body, main, section, header, dialog, p, h1, h2, li")]
  .filter((it) => it.getBoundingClientRect().right > innerWidth + 1)
  .map((it) => `${it.tagName} ${it.textContent.slice(0, 60)}`)"""


def read(page: Any) -> list[str]:
    """The English on a page, after looking that nothing is too wide."""
    assert page.evaluate(WIDE) == []
    return [text for text in page.evaluate(SEEN) if ENGLISH.search(text)]


@pytest.mark.parametrize("game", ["hextraction", "hexalma"])
def test_a_small_phone_with_a_german_browser(start: Start, visit: Open, game: str) -> None:
    page = visit(start("--game", game), locale="de-AT", viewport={"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.lang") == "de"
    expect(page.locator(".prompt")).to_contain_text("Rot" if game == "hextraction" else "Schwarz")
    assert read(page) == []
    for opens in ("Plätze", "Hilfe"):
        page.get_by_role("button", name=opens, exact=True).click()
        expect(page.locator("dialog[open]")).to_be_visible()
        assert read(page) == []
        page.locator("dialog[open]").get_by_role("button", name="Schließen").click()
    page.get_by_role("button", name="Das Brett stimmt nicht …").click()
    expect(page.get_by_role("button", name="Das Brett stimmt")).to_be_visible()
    assert read(page) == []


def test_two_phones_each_speak_their_own_language(start: Start, visit: Open) -> None:
    running = start("--game", "hexalma")
    german, english = visit(running, locale="de"), visit(running, locale="en-GB")
    english.locator('[data-cell="b3"]').click()
    english.locator('[data-cell="c3"]').click()
    expect(german.locator(".newest")).to_contain_text("Schwarz zieht b3 nach c3.")
    expect(english.locator(".newest")).to_contain_text("Black moves b3 to c3.")
    english.get_by_role("button", name="Seats").click()
    english.get_by_label("Language").select_option("Deutsch")
    expect(english.locator(".newest")).to_contain_text("Schwarz zieht b3 nach c3.")
    english.reload()  # kept on this phone
    expect(english.locator(".prompt")).to_contain_text("Weiß: ziehe")
    assert english.evaluate("document.documentElement.lang") == "de"

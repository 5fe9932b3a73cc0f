"""Words that a game's rules explain are opened where they stand."""

import importlib

import pytest

from tests.browser.test_page import Open, Start, chromium, expect, visit

pytestmark = pytest.mark.browser

__all__ = ["chromium", "visit"]  # fixtures


@pytest.mark.parametrize(
    ("language", "button", "rules", "word", "meaning"),
    [
        ("en", "Help", "The rules", "stack", "one to three discs on one cell"),
        ("de", "Hilfe", "Die Regeln", "Stapel", "ein bis drei Steine auf einem Feld"),
    ],
)
def test_a_word_of_the_rules_opens_its_explanation_by_touch_and_by_key(
    start: Start, visit: Open, language: str, button: str, rules: str, word: str, meaning: str
) -> None:
    size = {"width": 360, "height": 740}
    page = visit(start("--game", "hexalma"), locale=language, viewport=size, color_scheme="light")
    expect(page.locator(".top")).not_to_contain_text("61")  # cells of the board
    page.get_by_role("button", name=button, exact=True).click()
    page.get_by_role("button", name=rules, exact=True).click()
    term = page.locator(".rulebook").get_by_role("button", name=word, exact=True).first
    term.click()
    expect(page.locator(".rulebook .meaning")).to_contain_text(meaning)
    expect(term).to_have_attribute("aria-expanded", "true")
    axe = importlib.import_module("axe_playwright_python.sync_playwright").Axe()
    assert axe.run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    term.press("Enter")
    expect(page.locator(".rulebook .meaning")).to_have_count(0)
    own = page.locator(".rulebook p", has_text=meaning)
    expect(own).to_have_count(1)  # where it is explained nothing is to be opened
    expect(own.get_by_role("button")).to_have_count(0)

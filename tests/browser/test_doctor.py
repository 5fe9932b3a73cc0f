"""The doctor on a host's page: what is seen and what mends it, while the game goes on."""

import importlib
from pathlib import Path

import pytest

from tests.browser.test_page import Open, Start, chromium, expect, visit

pytestmark = pytest.mark.browser

__all__ = ["chromium", "visit"]  # fixtures


@pytest.mark.parametrize(("locale", "theme"), [("en", "light"), ("de", "dark")])
def test_a_host_has_the_doctor_look_and_the_game_goes_on(
    start: Start, visit: Open, home: Path, locale: str, theme: str
) -> None:
    (home / "boards").mkdir()
    (home / "boards" / "torn.toml").write_text("name = ")
    running = start("--game", "hexalma")
    page = visit(running, locale=locale, viewport={"width": 360, "height": 740}, color_scheme=theme)
    page.get_by_role("button", name={"en": "Help", "de": "Hilfe"}[locale]).click()
    words = {"en": "Have the doctor look", "de": "Den Doktor nach dem Brett"}
    with page.expect_popup() as opened:
        page.get_by_role("link", name=words[locale]).click()
    doctor = opened.value
    expect(doctor.locator("html")).to_have_attribute("lang", locale)
    scheme = "getComputedStyle(document.documentElement).colorScheme"
    assert doctor.evaluate(scheme) == page.evaluate(scheme) == theme
    first = doctor.locator(".plain li").first
    expect(first).to_have_class("mend")
    expect(first).to_contain_text("torn.toml")
    expect(first.locator(".todo")).to_contain_text("hexboard check")
    said = {"en": "hexboard run has the board", "de": "hexboard run hat das Brett"}
    expect(doctor.locator(".plain li.good", has_text=said[locale])).to_have_count(1)
    axe = importlib.import_module("axe_playwright_python.sync_playwright").Axe()
    assert axe.run(doctor).response["violations"] == []
    assert doctor.evaluate("document.documentElement.scrollWidth") == 360
    again = {"en": "Look again", "de": "Noch einmal nachsehen"}[locale]
    (home / "boards" / "torn.toml").unlink()
    doctor.get_by_role("link", name=again).click()
    expect(doctor.locator(".plain li", has_text="torn.toml")).to_have_count(0)
    page.keyboard.press("Escape")
    for cell in ("b3", "c3"):
        page.locator(f'[data-cell="{cell}"]').click()
    expect(page.locator(".newest")).to_contain_text("b3")

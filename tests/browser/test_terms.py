"""Words that a game's rules explain are opened where they stand."""

import importlib
import re
import sys
from pathlib import Path

import pytest

from hexboard.game import registry
from hexboard.web.rulebook import chapters
from hexboard.words import speaking
from tests.browser.test_page import Open, Start, chromium, expect, visit
from tests.web.test_rulebook import RULE

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


def shown_ids(name: str, language: str) -> dict[str, object]:
    """What a page has of a game's rules, and every id that docs, help, options or Python name."""
    game = registry.find(name)
    package = Path(sys.modules[game.start.__module__].__file__ or "").parent
    said = "".join(path.read_text("utf-8") for path in package.rglob("*.py"))
    with speaking(language):
        text, rules = game.help(), chapters(game.help())
        agreed = [
            {"rule": it.rule, "name": it.name, "value": "", "text": game.about(it)}
            for it in game.options
        ]
    ids = set(re.findall(f'"({RULE})"', said))
    ids |= set(re.findall(rf"(?<![\w.-])({RULE})(?![\w-])", text)) | set(ruled(name))
    return {"rules": rules, "agreed": {"options": agreed}, "ids": sorted(ids)}


def ruled(name: str) -> list[str]:
    """The rulings that are numbered in a page of their own."""
    path = Path(__file__).parents[2] / "docs" / f"rulings-{name}.md"
    return re.findall(r"^\| (K\d+) \|", path.read_text("utf-8"), re.M) if path.exists() else []


def test_every_rule_that_is_named_anywhere_opens_a_paragraph_that_names_it(
    start: Start, visit: Open
) -> None:
    page = visit(start("--game", "hexalma"))
    books = [shown_ids(name, speech) for name in registry.names() for speech in ("en", "de")]
    assert len(ruled("hextraction")) == 44
    unopened = page.evaluate(
        """async (books) => {
          const { opened } = await import("/static/rules.js");
          return books.flatMap((book) => book.ids.filter((id) => !opened(book, id).length));
        }""",
        books,
    )
    assert unopened == []

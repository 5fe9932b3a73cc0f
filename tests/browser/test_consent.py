"""Take-backs by consent: those whom it concerns are asked, each on their own page."""

from typing import Any

import pytest

from tests.browser.test_curtain import drawn_back, say
from tests.browser.test_page import Open, Start, chromium, expect, visit
from tests.browser.test_seats import Evening, evening, phone

pytestmark = pytest.mark.browser

__all__ = ["chromium", "evening", "phone", "visit"]  # fixtures

ANN, BEN = ("Ann", "Black"), ("Ben", "White")
LATE_MS = 45_000
"""More than the 30 s that people have to answer for themselves."""


def called(before: str, name: str) -> str:
    """What stands before somebody's name, whose letters turn nothing around them."""
    return f"{before} \u2068{name}\u2069"


def undo(page: Any) -> None:
    page.get_by_role("button", name="The board is wrong…").click()
    page.locator('[data-ruling="undo"]').click()


def test_everybody_concerned_is_asked_on_their_own_page_and_the_log_says_who_said_what(
    evening: Evening,
) -> None:
    _, host, (ann, ben) = evening({0: ANN, 1: BEN}, "--game", "hexalma", "--takeback", "agreed")
    say(ann, "b3-c3")
    expect(ann.locator(".ruling .seat.active")).to_contain_text("White")
    undo(ann)
    question, answers = ".card.question", ".card.question button"
    expect(ben.locator(question)).to_contain_text(called("Take back “b3-c3”? Asked by", "Ann"))
    for page in (ann, host):  # it is her own wish, and the host speaks for nobody here
        expect(page.locator(question)).to_contain_text(called("Asked of", "Ben"))
        expect(page.locator(answers)).to_have_count(0)
    ben.locator('[data-choice="no"]').click()
    expect(ann.locator(question)).to_have_count(0)
    expect(ann.locator(".newest")).to_contain_text(called("Not agreed, so it stands:", "Ben"))
    undo(host)
    for page, left in ((ann, "Ben"), (ben, "")):
        page.locator('[data-choice="yes"]').click()
        if left:
            expect(host.locator(question)).to_contain_text(called("Asked of", left))
            expect(page.locator(answers)).to_have_count(0)
    expect(ann.locator(".ruling .seat.active")).to_contain_text("Black")
    log = host.locator(".log .what")
    for line in ("Taken back: the host.", called("Agreed:", "Ann"), called("Agreed:", "Ben")):
        expect(log.get_by_text(line)).to_be_visible()


def test_who_does_not_answer_for_half_a_minute_is_answered_for_by_the_host(
    evening: Evening,
) -> None:
    _, host, _ = evening({1: BEN}, "--game", "hexalma", "--takeback", "agreed")
    say(host, "b3-c3")
    undo(host)
    question = host.locator(".card.question")
    question.get_by_role("button", name="Yes · Black").click()
    expect(question).to_contain_text(called("Asked of", "Ben"))
    expect(question.locator("button")).to_have_count(0)
    expect(question).to_contain_text("did not answer for 30 seconds", timeout=LATE_MS)
    question.get_by_role("button", name=called("No ·", "Ben")).click()
    expect(host.locator(".log")).to_contain_text(
        f"{called('so it stands:', 'Ben')}, spoken by the host."
    )


def test_one_device_that_goes_round_is_asked_before_a_card_goes_back(
    start: Start, visit: Open
) -> None:
    page = visit(start("--game", "knee-deep", "--option", "starter=gondwana"))
    for side in (0, 1):
        drawn_back(page, side)
        say(page, "companions general tech")
    drawn_back(page, 0)
    expect(page.locator(".card.held li")).to_have_count(3)
    undo(page)
    page.locator('[data-look="-1"]').first.click()
    asked = page.locator(".curtain .card.question")  # behind no curtain: it tells of no card
    expect(asked).to_contain_text("though somebody has seen a card")
    asked.get_by_role("button", name="Yes · Gondwana, Bukseon").click()
    expect(page.locator(".curtain .newest")).to_contain_text("Taken back, though somebody has seen")

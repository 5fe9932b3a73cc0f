"""A short evening of most games by two to four phones: moves, a take-back, the next game."""

import random
import re
from typing import Any

import pytest

from tests.browser.test_curtain import CARDS, say
from tests.browser.test_page import Open, Start, chromium, expect, visit
from tests.browser.test_seats import Phone, invited, phone
from tests.running import eventually

pytestmark = pytest.mark.browser

__all__ = ["chromium", "phone", "visit"]  # fixtures

MOVES = 10
NAMES = ("Ann", "Ben", "Cat", "Dan")


def active(page: Any) -> int:
    """The seat whose turn it is, as a page shows it; -1 while the dealer deals."""
    shown = page.locator(".ruling .seats > .seat").evaluate_all(
        "seats => seats.findIndex(seat => seat.getAttribute('aria-current') === 'true')"
    )
    return int(shown)


def moves(page: Any) -> list[str]:
    """What a page says may be done now, but to give up."""
    named = page.locator("#move-names option").evaluate_all("all => all.map(it => it.value)")
    return [name for name in named if not name.startswith(("resign", "concede", "fold"))]


def move(pages: list[Any], chance: random.Random) -> int:
    """Whoever's turn it is makes some move by typing its name; whose it was."""
    eventually(lambda: active(pages[0]) >= 0 and moves(pages[active(pages[0])]))
    seat = active(pages[0])
    page = pages[seat]
    before = active(page), moves(page)
    say(page, chance.choice(before[1]))
    eventually(lambda: (active(page), moves(page)) != before)
    expect(page.locator(".refused")).to_have_count(0)
    return seat


@pytest.mark.parametrize(
    ("game", "options", "seats", "hidden"),
    [
        ("hexalma", (), 2, False),
        ("bad-santa-hex", (), 2, False),
        ("hexel", ("seats=4", "chips=off"), 4, True),
        ("knee-deep", ("starter=gondwana",), 2, True),
    ],
)
def test_an_evening_on_phones(
    start: Start,
    visit: Open,
    phone: Phone,
    game: str,
    options: tuple[str, ...],
    seats: int,
    hidden: bool,
) -> None:
    chosen = [it for option in options for it in ("--option", option)]
    running = start("--game", game, "--lan", "--takeback", "agreed", *chosen)
    host = visit(running)
    pages = []
    for seat in range(seats):
        pages.append(phone(running, figures=invited(host, seat), name=NAMES[seat]))
        expect(pages[seat].locator(".chip", has_text="You are")).to_be_visible()
    host.keyboard.press("Escape")
    chance = random.Random(18)
    played = {move(pages, chance) for _ in range(MOVES)}
    assert played == set(range(seats))
    if hidden:  # the host's page is closed, and each phone has its own hand alone
        expect(host.locator(".curtain")).to_be_visible()
        assert not CARDS.search(host.content())
        hands = [page.locator(".card.held").inner_text() for page in pages]
        assert len(set(hands)) == seats
    asks, others = pages[0], pages[1:]
    asks.get_by_role("button", name="The board is wrong…").click()
    asks.locator('[data-ruling="undo"]').click()
    for page in others:
        page.locator('[data-choice="yes"]').click()
    expect(asks.locator(".log")).to_contain_text(re.compile(r"Taken back.*: Ann\."))
    if game == "hexalma":
        host.get_by_role("button", name="The board is wrong…").click()
        host.get_by_role("button", name="New game").click()
        host.get_by_role("button", name="Really start anew?").click()
        for page in pages:
            expect(page.locator(".log")).not_to_contain_text("Taken back")
        move(pages, chance)  # from the same seats

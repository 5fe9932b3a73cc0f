"""The curtain: one page for both sides of a game with hidden cards, and nothing behind it."""

import json
import re
from functools import partial
from typing import Any

import pytest

from tests.browser.test_page import Open, Start, chromium, expect, visit

pytestmark = pytest.mark.browser

__all__ = ["chromium", "visit"]  # fixtures

CARDS = re.compile(r"war card|action card")


def drawn_back(page: Any, side: int) -> None:
    """Open the curtain for a side."""
    page.locator(f'[data-look="{side}"]').first.click()
    expect(page.locator(".card.held")).to_be_visible()


def say(page: Any, move: str) -> None:
    if not page.get_by_label("A move by its name").is_visible():
        page.locator("summary", has_text="type a move").click()
    page.get_by_label("A move by its name").fill(move)
    page.get_by_role("button", name="Make this move").click()


def newer(rev: int, state: dict[str, Any]) -> bool:
    return bool(state["rev"] > rev)


def test_the_device_goes_round_and_nothing_of_a_hand_stays_behind_the_curtain(
    start: Start, visit: Open
) -> None:
    page = visit(start("--game", "knee-deep", "--option", "starter=gondwana"))
    curtain = page.locator(".curtain")
    expect(curtain).to_contain_text("Gondwana")
    expect(page.locator("svg.board")).to_have_count(0)
    drawn_back(page, 0)
    say(page, "companions general tech")
    expect(curtain).to_contain_text("Bukseon")  # the turn went on, so the curtain closed
    drawn_back(page, 1)
    say(page, "companions commander trickster")
    expect(curtain.get_by_role("button", name="I am Gondwana")).to_be_visible()
    assert not CARDS.search(page.content())
    drawn_back(page, 0)
    hand = page.locator(".card.held li")
    expect(hand).to_have_count(3)
    mine = hand.all_inner_texts()
    say(page, "lay sling")
    expect(page.locator(".refused")).to_be_visible()
    say(page, "keep")
    expect(curtain).to_contain_text("Bukseon")
    for text in (page.content(), json.dumps(page.evaluate("() => document.body.innerText"))):
        assert not CARDS.search(text)
        assert not [card for card in mine if card.split(" (")[0] in text]
    drawn_back(page, 1)
    expect(hand).to_have_count(3)
    page.get_by_role("button", name="Close the curtain").click()
    expect(curtain).to_be_visible()
    assert not CARDS.search(page.content())


def test_who_has_a_page_alone_keeps_it_open(start: Start, visit: Open) -> None:
    running = start("--game", "knee-deep", "--option", "starter=gondwana")
    mine, other = visit(running), visit(running)
    drawn_back(mine, 0)
    mine.get_by_role("switch", name="Only I use this page").click()
    say(mine, "companions general tech")
    drawn_back(other, 1)
    say(other, "companions general tech")
    expect(mine.locator(".card.held li")).to_have_count(3)
    expect(mine.locator('[data-action="keep"]')).to_be_visible()
    say(mine, "keep")
    expect(mine.locator(".card.held li")).to_have_count(3)  # not its turn, still its cards
    expect(mine.locator('[data-action="keep"]')).to_have_count(0)


def test_who_draws_tiles_says_which_and_may_play_no_others(start: Start, visit: Open) -> None:
    page = visit(start("--option", "hands=scan"))
    expect(page.locator(".curtain")).to_contain_text("show my tiles")
    drawn_back(page, 0)
    held = page.locator(".card.held")
    held.get_by_text("Say what you drew").click()
    for left, tile in enumerate(("J", "X", "J")):
        held.locator(f'[data-drew="{tile}"]').click()
        expect(held.locator(".standing li").first).to_have_text("J")
        expect(held.get_by_text(f"{2 - left} not read yet")).to_have_count(int(left < 2))
    expect(page.locator(".tray .tile-button:not(.idle)")).to_have_text(["J", "X"])


def test_hexel_rings_only_what_the_open_hand_can_do(start: Start, visit: Open) -> None:
    asked = ("--game", "hexel", "--option", "hands=dealt", "--option", "chips=off")
    running = start(*asked)
    page = visit(running)
    with running.page() as wire:
        wire.send("curtain", side=0)
        while not wire.state["hand"]:  # the opening line, where the cards drawn allow one
            wire.until(lambda s: s["side"] == 0 and (s["moves"] or s["hand"]))
            if not wire.state["hand"]:
                rev = wire.state["rev"]
                wire.send("declare", seat=-1, action=wire.state["moves"][0][0])
                wire.until(partial(newer, rev))
    drawn_back(page, 0)
    expect(page.locator(".card.held .faces svg")).to_have_count(3)
    hand = page.locator(".card.held .faces svg").evaluate_all("s => s.map(e => e.ariaLabel)")
    with running.page() as wire:
        wire.send("curtain", side=0)
        wire.until(lambda s: s["side"] == 0 and s["moves"])
        cells = {cells[0] for _, cells in wire.state["moves"] if cells}  # none fits: none
        expect(page.locator(".hex.open")).to_have_count(len(cells))
        rings = {ring.get_attribute("data-cell") for ring in page.locator(".hex.open").all()}
        assert rings == cells
        assert wire.state["hand"] == hand
        wire.send("curtain", side=-1)
        wire.until(lambda s: s["side"] == -1)
        assert not wire.state["moves"]
        assert not [card for card in hand if card in json.dumps(wire.state["moves"])]

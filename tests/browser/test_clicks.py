"""Hextraction by clicks alone: loops, effects, votes on them, tiles that do not sit, who goes."""

from pathlib import Path
from typing import Any

import pytest

from tests.browser.test_page import Open, Start, again, chromium, expect, visit

pytestmark = pytest.mark.browser

__all__ = ["chromium", "visit"]  # fixtures


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def play(page: Any, tile: str, slot: str) -> None:
    """Play a tile as it is taken from the tray, and put it in by hand."""
    page.locator(f'[data-tile="{tile}"]').click()
    page.locator(f'[data-cell="{slot}"]').click()
    press(page, "Let the simulated hand do it")
    expect(page.locator(".card.todo")).to_have_count(0)


def ruled(page: Any, text: str, rule: str) -> None:
    """One ruling in the log, with its rule."""
    expect(page.locator(".entries li", has_text=text).locator("code").first).to_have_text(rule)


def test_a_tile_that_does_not_sit_flat_is_turned_and_then_sits_in_no_way(
    start: Start, visit: Open
) -> None:
    page = visit(start("--empty"))
    page.locator('[data-tile="J"]').click()
    page.locator('[data-cell="C3"]').click()
    page.get_by_text("It does not sit flat").click()
    expect(page.locator(".misfit .choices button")).to_have_count(6)  # five turns, and none
    press(page, "Turn it to 2 sixths")
    ruled(page, "The J in C3 is turned 2 sixths now", "2.2.4.2")
    expect(page.locator(".prompt")).to_contain_text("Put J into C3, turned 2 sixths")
    press(page, "Let the simulated hand do it")
    expect(page.locator(".card.todo")).to_have_count(0)
    page.locator('[data-cell="C3"]').click()
    page.locator(".inspector").get_by_text("It does not sit flat").click()
    press(page, "It sits in no way: destroy it")
    again(page.get_by_role("button", name="Really destroy it?"))
    ruled(page, "The J in C3 seats in no way", "2.2.4.3")
    press(page, "Let the simulated hand do it")
    expect(page.locator(".prompt")).to_contain_text("Red: roll a ball and play a tile")


def test_the_loop_is_broken_while_balls_still_roll(start: Start, visit: Open, home: Path) -> None:
    """Balls of one roll together touch B1 three times (K13); one that is held up in its lane keeps
    the roll open meanwhile."""
    (home / "settings.toml").write_text("settle_ms = 5000\n", "utf-8")
    running = start("--empty", speed=4)
    page = visit(running)
    with running.page() as wire:
        wire.ready()
        for slot, tile in (("D1", "X"), ("B1", "Peace")):  # X is closed at its edge 6
            wire.hand("seat", slot, thing=tile, turn=0)
            wire.rule(f"tile {slot} {tile} 0")
        wire.until(lambda s: {"B1", "D1"} <= s["own"]["slots"].keys() and not s["todo"])
    for lane in ("D1-6", "B1-6", "B1-1", "B1-2"):
        page.locator(f'[data-ramp="{lane}"]').click()
    press(page, "Break the loop")
    ruled(page, "Break the Loop: the Peace in B1 is destroyed", "2.1.4.3")
    expect(page.locator(".todo .list")).to_contain_text("Take the Peace out of B1")


def test_an_effect_is_activated_for_its_price(start: Start, visit: Open) -> None:
    page = visit(start("--empty", "--option", "sets=basic,demo"))
    play(page, "BlueFlag", "C3")
    page.locator('[data-cell="C3"]').click()
    page.locator(".inspector").get_by_role("button", name="Activate the Blue Flag").click()
    expect(page.locator(".prompt")).to_contain_text("which tile of the hand is discarded")
    press(page, "Discard a tile")
    ruled(page, "Red discards 1", "T.Discard")
    ruled(page, "Red draws 1", "1.2.5")
    expect(page.locator("[data-action^=activate]")).to_have_count(0)  # once a turn


def test_one_nay_disables_a_forbidden_effect(start: Start, visit: Open) -> None:
    page = visit(start("--empty", "--option", "sets=basic,demo"))
    play(page, "LastWord", "C3")
    press(page, "It counts")
    expect(page.locator(".prompt")).to_contain_text("Blue: may the Forbidden effect")
    press(page, "Disable it")
    ruled(page, "The Forbidden effect of the Last Word in C3 is disabled", "0.4.2")


def test_a_virtual_tile_is_fetched_created_and_takes_effect(start: Start, visit: Open) -> None:
    page = visit(start("--empty", "--option", "sets=basic,demo"))
    play(page, "Tinder", "B1")
    page.locator('[data-ramp="B1-1"]').click()  # through its bend, from edge 1 to 3
    page.locator('[data-action="fetch Spark"]').click()
    ruled(page, "Red finds Spark in the bag", "T.Create")
    page.locator('[data-tile="Spark"]').click()
    page.locator('[data-cell="B2"]').click()
    press(page, "Let the simulated hand do it")
    ruled(page, "Red plays Spark into B2", "2.2.4")
    ruled(page, "The Tinder in B1 goes back into the pool", "T.Discard.1")


def test_both_parts_of_a_combo_are_placed(start: Start, visit: Open) -> None:
    page = visit(start("--empty", "--option", "sets=basic,DCXLA,DCXLB"))
    play(page, "DCXLA", "C2")
    expect(page.locator(".prompt")).to_contain_text("Red: place the other part, DCXL, half b")
    play(page, "DCXLB", "C3")
    expect(page.locator(".prompt")).to_contain_text("Red: roll a ball.")


def test_nobody_can_show_the_rules_of_a_tile_on_the_board_or_in_a_hand(
    start: Start, visit: Open
) -> None:
    page = visit(start("--empty", "--option", "sets=basic,demo"))
    play(page, "BlueFlag", "C3")
    page.locator('[data-cell="C3"]').click()
    press(page, "Nobody can show its rules: destroy it")
    again(page.get_by_role("button", name="Really destroy it?"))
    ruled(page, "Nobody can show the rules of the Blue Flag in C3", "2.5.3")
    press(page, "Let the simulated hand do it")
    press(page, "Concede, leave and more…")
    page.get_by_label("Who says it").select_option("Blue")
    page.get_by_label("Nobody can show the rules").select_option("Crane")
    press(page, "Destroy it")
    ruled(page, "Nobody can show the rules of a tile in Blue's hand", "2.5.3")


def test_who_has_left_takes_tiles_back_and_then_the_board(start: Start, visit: Open) -> None:
    page = visit(start("--empty", "--option", "seats=3", "--option", "board_owner=1"))
    press(page, "Concede, leave and more…")
    page.get_by_label("Who says it").select_option("Blue")
    press(page, "Leave the game")
    again(page.get_by_role("button", name="Really leave?"))
    expect(page.locator(".seat.out")).to_contain_text("Blue")
    press(page, "Concede, leave and more…")
    expect(page.get_by_label("Who says it")).to_have_value("0")
    page.get_by_label("Give back a tile").select_option("J, which is Blue's")
    press(page, "Give it back")
    ruled(page, "Red gives J back to Blue and draws another tile", "2.8.3.2")
    press(page, "Concede, leave and more…")
    page.get_by_label("Who says it").select_option("Blue")
    page.get_by_label("How many of them were in the bag").fill("4")
    press(page, "Take them back")
    ruled(page, "Blue takes back 4 tiles from the board and the bag", "2.8.3.2")
    press(page, "Concede, leave and more…")
    page.get_by_label("Who says it").select_option("Blue")
    press(page, "The board goes too: a draw")
    again(page.get_by_role("button", name="Really end the game?"))
    ruled(page, "Blue, who owns the board, declares the game a draw", "2.8.3.1")
    expect(page.get_by_role("button", name="Concede, leave")).to_have_count(0)


def test_a_tile_with_an_owner_is_played_as_that_owners(start: Start, visit: Open) -> None:
    page = visit(start("--empty", "--option", "bag=J~1*14,J~0*14"))
    expect(page.locator('[data-tile="J~1"]')).to_contain_text("J (Blue's)")
    play(page, "J~1", "C3")
    ruled(page, "Red plays J into C3", "2.2.4")


def test_a_refusal_has_the_names_of_tiles(start: Start, visit: Open) -> None:
    running = start("--empty", "--option", "sets=basic,demo")
    page = visit(running)
    page.locator('[data-tile="BlueFlag"]').click()
    with running.page() as wire:
        wire.send("declare", seat=-1, action="play BlueFlag C3 1")
        assert wire.refusal().startswith("Blue Flag does not seat when turned 1 sixth:")

"""The order of effects, as people say it once: dragged by a finger, or by buttons alone."""

import importlib
import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser.test_page import Open, Start, again, chromium, expect, visit
from tests.running import Running, hexboard

pytestmark = pytest.mark.browser

__all__ = ["chromium", "visit"]  # fixtures

RAM, TAX_2, TAX_3, TAX_4 = "Ram in B1", "Tax in B2", "Tax in B3", "Tax in B4"


OWN = """schema = "hexboard/tile-2"
id = "{0}"
name = "{0}"
owner = "hexboard"
set = "own"
source = "our own"
nets = [[1, 4]]
sockets = [1, 4]
star = true

[confidence]
routes = "stated"
sockets = "stated"
effects = "stated"

[[triggers]]
id = "lane"
edges = [1, 4]

[[effects]]
cause = "trigger"
area = "lane"
do = [{1}]
"""
DOES = {
    "Ram": '{ op = "destroy", tiles = "one adjacent" }',
    "Tax": '{ op = "bar", who = "opponent", what = "play", turns = 1 }',
}


def rolled(home: Path, start: Start, visit: Open, **preferences: Any) -> tuple[Running, Any]:
    """A ball has rolled down column B: over a Ram, which destroys a tile beside it, and three
    Taxes, which cost Blue a play each."""
    (home / "tiles").mkdir()
    for name, does in DOES.items():
        (home / "tiles" / f"{name}.toml").write_text(OWN.format(name, does), "utf-8")
    running = start("--empty")
    with running.page() as wire:
        wire.ready()
        tiles = {"B1": "Ram", "A1": "Peace", "B2": "Tax", "B3": "Tax", "B4": "Tax"}
        for slot, tile in tiles.items():
            wire.hand("seat", slot, thing=tile, turn=0)
            wire.rule(f"tile {slot} {tile} 0")
        wire.until(lambda s: tiles.keys() == s["own"]["slots"].keys() and not s["todo"])
        page = visit(running, viewport={"width": 390, "height": 844}, **preferences)
        wire.hand("drop", "B1-1")
    expect(rows(page)).to_have_count(4)
    return running, page


def rows(page: Any) -> Any:
    return page.locator(".in-order li .grip")


def listed(page: Any, *texts: str) -> None:
    """The list has these rows, in this order."""
    expect(rows(page)).to_have_text([f"⠿ {n} {text}" for n, text in enumerate(texts, 1)])


def drag(page: Any, what: str, onto: str) -> None:
    """A finger drags a row to where another one is."""
    finger = page.context.new_cdp_session(page)
    boxes = [rows(page).filter(has_text=text).bounding_box() for text in (what, onto)]
    (x, y), (_, to) = [(box["x"] + 30, box["y"] + box["height"] / 2) for box in boxes]
    finger.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    )
    for part in (0.3, 0.6, 1):
        there = [{"x": x, "y": y + part * (to - y)}]
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": there})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def decided(running: Running) -> list[str]:
    """What was answered, one question after another, as the recording has it, which replays."""
    running.end()
    last = running.recordings()[-1]
    assert "the same rulings" in hexboard("replay", last).stdout
    return re.findall(r"choice=(\w+ \w+)", hexboard("log", last).stdout)


def test_an_order_that_a_finger_drags_is_kept_through_a_question_between(
    start: Start, visit: Open, home: Path
) -> None:
    running, page = rolled(home, start, visit, has_touch=True)
    listed(page, RAM, TAX_2, TAX_3, TAX_4)
    drag(page, TAX_4, RAM)
    listed(page, TAX_4, RAM, TAX_2, TAX_3)
    drag(page, TAX_2, TAX_3)
    listed(page, TAX_4, RAM, TAX_3, TAX_2)
    axe = importlib.import_module("axe_playwright_python.sync_playwright").Axe()
    assert axe.run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.get_by_role("button", name="In this order").tap()
    expect(page.locator(".card.question")).to_contain_text(f"in your order: {TAX_3}, {TAX_2}.")
    again(page.locator('[data-choice="choose A1"]'))
    expect(page.locator(".card.question")).to_have_count(0)
    assert decided(running) == ["resolve 4", "resolve 1", "choose A1", "resolve 3"]  # 2 comes last


def test_what_falls_away_meanwhile_stops_the_order_which_buttons_make_as_well(
    start: Start, visit: Open, home: Path
) -> None:
    running, page = rolled(home, start, visit, locale="de-DE")
    down = page.get_by_role("button", name=f"Später: {TAX_2}")
    down.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    listed(page, RAM, TAX_3, TAX_4, TAX_2)
    expect(page.get_by_role("button", name=f"Früher: {TAX_2}")).to_be_focused()
    page.get_by_role("button", name="In dieser Reihenfolge").click()
    again(page.locator('[data-choice="choose B2"]'))  # its Tax goes with it
    expect(page.locator(".card.question")).to_contain_text("darum wird wieder gefragt")
    again(page.locator('[data-choice="resolve 4"]'))
    expect(page.locator(".card.question")).to_have_count(0)
    assert decided(running) == ["resolve 1", "choose B2", "resolve 4"]

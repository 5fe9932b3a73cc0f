"""Knee Deep in Hexes from its first choice to the fall of an HQ, by somebody who knows only the
rules: words that stand on the page are pressed, the board is touched, nobody types."""

import re
import time
from typing import Any

import pytest

from tests.browser.test_page import Open, Start, chromium, expect, visit
from tests.running import PATIENCE

pytestmark = pytest.mark.browser

__all__ = ["chromium", "visit"]  # fixtures

ARMY = 2
"""Tanks that beat an HQ which nobody defends: each has two of combat, the HQ four of health."""
TANK = 3
"""Material that it costs."""
NEAR_PX = 130.0
"""From the HQ's middle: in its sector or one beside it."""
PLACES = """() => {
  const middle = (it) => {
    const { left, top, width, height } = it.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const every = (which) => [...document.querySelectorAll(which)].map(middle);
  return {
    ringed: every(".hex.open polygon"), corners: every(".corner"),
    tanks: every('[data-cell][aria-label*="Gondwana Tank"] polygon'),
    there: every('[data-cell][aria-label*="Bukseon HQ"] polygon'),
  };
}"""
"""What is seen on the board: rings, where a marker can stand, one's own tanks, the other HQ."""
LOOK = """async () => {
  const look = () => [".curtain", ".ruling", ".card.moves", ".entries li"].map((which) =>
    document.querySelector(which)?.innerText ?? "").join("|")
    + document.querySelectorAll(".picked").length;
  const drawn = (done) => requestAnimationFrame(() => setTimeout(done));
  for (let before = ""; before !== look();) {
    before = look();
    for (let n = 0; n < 3; n += 1) await new Promise(drawn);
  }
  return look();
}"""
"""What a person sees, once it stays so for three frames."""

Point = tuple[float, float]
ANSWERS = "Commander and general|Keep the hand|Lay none|no war card"


class Player:
    """Whoever has the page in hand: Gondwana marches on the HQ, Bukseon lets it happen."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.told = self.sure = ""
        """What a touch does, as it was told before the last one; what was asked before it was."""

    @property
    def over(self) -> bool:
        return bool(self.page.locator(".ruling.over").count())

    def press(self, words: str) -> None:
        """A button that says so."""
        buttons = self.page.locator(".card.moves button:visible, .curtain button:visible")
        buttons.filter(has_text=re.compile(words, re.IGNORECASE)).first.click()

    def touch(self, points: list[Point], goal: Point) -> None:
        """The place nearest to there."""
        self.page.mouse.click(*min(points, key=lambda point: away(point, goal)))

    def moved(self, act: Any) -> None:
        """Does something, and waits until it is seen."""
        before = self.page.evaluate(LOOK)
        act()
        end = time.monotonic() + PATIENCE
        while self.page.evaluate(LOOK) == before:
            assert time.monotonic() < end, before
            time.sleep(0.01)

    def next(self) -> None:
        """What comes next, by the words that stand there."""
        if self.page.locator(".curtain").count():
            self.press("show my cards")
            return
        if self.page.locator(".card.moves .sure").count():
            self.sure = self.page.locator(".card.moves .sure").inner_text()
            self.press("Yes, do it")
            return
        asked = self.page.locator(".ruling .prompt").inner_text()
        seen = self.page.evaluate(PLACES)
        goal = mean(seen["there"])
        if "place your war zone marker" in asked:
            close = [tank for tank in seen["tanks"] if away(tank, goal) < NEAR_PX]
            if asked.startswith("Gondwana") and len(close) == ARMY:
                self.touch(seen["corners"], mean([*close, goal]))
            else:
                self.press("Place no marker")
        elif "destroy enemy units" in asked:
            self.told = self.page.locator(".card.moves .does").inner_text()
            self.touch(seen["ringed"], goal)
        elif "discard down" in asked:
            self.press("")  # whatever card
        elif "deploy, move" not in asked:
            self.press(ANSWERS)
        elif asked.startswith("Bukseon") or not self.attacked(asked, seen, goal):
            self.press("End the actions")

    def attacked(self, asked: str, seen: dict[str, list[Point]], goal: Point) -> bool:
        """A tank was deployed or moved; False where nothing can be done."""
        tanks = seen["tanks"]
        material = re.search(r"(\d+) material", asked)
        if len(tanks) < ARMY and material and int(material[1]) >= TANK:
            free = [place for place in seen["ringed"] if place not in tanks]
            self.moved(lambda: self.touch(free, goal))
            self.press("Tank")
            return True
        able = [it for it in tanks if it in seen["ringed"] and away(it, goal) >= NEAR_PX]
        if not able:
            return False
        last = max(able, key=lambda tank: away(tank, goal))
        self.moved(lambda: self.page.mouse.click(*last))
        expect(self.page.locator(".hex.open")).not_to_have_count(0)
        self.touch(self.page.evaluate(PLACES)["ringed"], goal)
        return True


def away(one: Point, other: Point) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)


def mean(points: list[Point]) -> Point:
    xs, ys = zip(*points, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def test_knee_deep_from_the_first_choice_to_the_fall_of_an_hq(start: Start, visit: Open) -> None:
    chosen = ("--game", "knee-deep", "--option", "starter=gondwana", "--seed", "19")
    page = visit(start(*chosen), viewport={"width": 1280, "height": 1000}, reduced_motion="reduce")
    player = Player(page)
    for _ in range(300):
        if player.over:
            break
        player.moved(player.next)
    expect(page.locator(".ruling.over .prompt")).to_contain_text("Gondwana wins")
    expect(page.locator(".refused")).to_have_count(0)
    falls = "Destroy the HQ of Bukseon: the game ends, Gondwana wins"
    assert falls in player.told  # before it was touched
    assert falls in player.sure  # and once more before it was done

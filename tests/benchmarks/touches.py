"""Touches of an ordinary turn: `python -m tests.benchmarks.touches [--game GAME] [--turns N]
[--first hand]`.

A random game of Hextraction on the page, in a real Chromium as wide as a phone (390 px). Balls are
rolled and tiles seated by hands, which the page does not see; what has to be said is touched, and
every `pointerdown` that reaches the page counts. An ordinary turn is one roll and one play.
`--first`: a tile lies in its slot before anybody says which it is (`hand`), or is chosen on the
page before it is put in (`page`). Pictures of what people meet go into the folder that
`--pictures` names.

Of another game it plays random moves of what its `ORDINARY` turn consists of, by touches alone; the
one that shows a side's cards on a page that goes round is not counted.
"""

import argparse
import importlib
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from hexboard.games.hextraction.tiles.catalogue import UNREGISTERED
from tests.browser.test_page import chromium_here
from tests.running import Page as Wire
from tests.running import Running, eventually

PHONE = {"width": 390, "height": 844}
COUNT = """window.touches = 0;
addEventListener('pointerdown', () => { window.touches += 1; }, true);"""

ORDINARY = {
    "hexalma": (("-", ":"), 1, ()),
    "bad-santa-hex": (("",), 3, ()),
    "hexel": (("",), 1, ("chips=off", "seats=2")),
    "knee-deep": (("deploy",), 1, ("starter=gondwana",)),
}
"""Of a game what is in the names of the moves of an ordinary turn, how many it has, and options."""

QUIET_S = 0.5


class Toucher:
    """Somebody who plays a game of pieces on a phone at a simulated board."""

    def __init__(self, page: Any, wire: Wire, chance: Random, game: str) -> None:
        self.page, self.wire, self.chance = page, wire, chance
        self.kinds, self.moves, _ = ORDINARY[game]

    @property
    def touches(self) -> int:
        return int(self.page.evaluate("window.touches"))

    def ready(self) -> None:
        """Whoever is asked sees their cards, here and on the wire."""
        end = time.monotonic() + QUIET_S  # the dealer throws and draws
        while time.monotonic() < end:
            with suppress(TimeoutError):
                if self.wire.listen(0.1)["type"] == "state":
                    end = time.monotonic() + QUIET_S
        self.wire.until(lambda s: s["active"] >= 0 or s["phase"] == "over")
        active = self.wire.state["active"]
        eventually(lambda: self.page.locator(".curtain, .card.moves, .ruling.over").count())
        while self.page.locator(".curtain").count():
            self.page.locator(".curtain [data-look]").first.tap()
            self.page.wait_for_timeout(200)
        if self.wire.state["private"] and self.wire.state["side"] != active:
            self.wire.send("curtain", side=active)
            self.wire.until(lambda s: s["side"] == active and s["moves"])

    def turn(self) -> int | None:
        """Play one turn; how many touches it took, None if it was no ordinary one."""
        took, ordinary = 0, True
        for _ in range(self.moves):
            self.ready()
            if not self.wire.state["moves"]:
                return None
            wanted = [it for it in self.wire.state["moves"] if self.meant(it)]
            ordinary = ordinary and bool(wanted)
            before = self.touches
            self.make(*self.chance.choice(wanted or self.wire.state["moves"]))
            took += self.touches - before
        return took if ordinary else None

    def meant(self, move: Any) -> bool:
        return bool(move[1]) and any(kind in move[0] for kind in self.kinds)

    def make(self, name: str, places: list[str]) -> None:
        """A move by touches: its places, then its button where more than one is meant."""
        line = self.wire.state["line"]["n"]
        for place in places:
            self.page.locator(f'[data-cell="{place}"]').tap()
        buttons = self.page.locator(f'[data-action="{name}"]:visible')
        card = self.page.locator(f'[data-action="card {card_of(name[-6:])}"]:visible')
        eventually(lambda: buttons.count() or card.count() or self.made(line))
        if not self.made(line) and not buttons.count():
            card.tap()
            eventually(lambda: buttons.count() or self.made(line))
        if not self.made(line):
            buttons.first.tap()
            eventually(lambda: self.made(line))

    def made(self, line: int) -> bool:
        """Whether it counts, as the wire last heard."""
        with suppress(TimeoutError):
            self.wire.listen(0.02)
        return bool(self.wire.state["line"]["n"] > line)


def card_of(face: str) -> str:
    """The card of a face, as a page calls it: the first of its turns."""
    return min(face[k:] + face[:k] for k in range(len(face)))


class Person:
    """Somebody with a phone at a simulated board."""

    def __init__(self, page: Any, wire: Wire, chance: Random, first: str) -> None:
        self.page, self.wire, self.chance, self.first = page, wire, chance, first
        self.pictures: Path | None = None

    @property
    def touches(self) -> int:
        return int(self.page.evaluate("window.touches"))

    def picture(self, name: str) -> None:
        """Keep what the page shows, once."""
        if self.pictures and not (path := self.pictures / f"{name}.png").exists():
            self.page.screenshot(path=path)

    def touch(self, selector: str) -> None:
        """Touch what is there as a finger does."""
        self.page.locator(selector).first.tap()

    def touch_slot(self, slot: str) -> None:
        """Touch a slot where no ball lies over it."""
        found = self.page.locator(f'[data-cell="{slot}"]')
        found.scroll_into_view_if_needed()
        box = found.bounding_box()
        self.page.touchscreen.tap(box["x"] + box["width"] * 0.28, box["y"] + box["height"] * 0.3)

    def own(self) -> Any:
        return self.wire.state["own"]

    def begin(self) -> None:
        """Another game."""
        match = self.wire.state["match"]
        self.wire.send("new")
        self.wire.until(lambda s: s["match"] != match)
        self.wire.ready()

    # -------------------------------------------------------------------------------- a turn

    def turn(self) -> int | None:
        """Play one turn; how many touches it took, None if it was no ordinary one."""
        self.wire.settled()
        if self.wire.state["phase"] == "over" or not self.lanes:
            self.begin()
        before, number = self.touches, self.own()["turn"]
        does = [self.roll, self.play]
        self.chance.shuffle(does)
        ordinary = all([does[0](), does[1]()])
        if self.wire.state["phase"] == "over":
            return None
        self.wire.until(lambda s: not s["todo"] and s["phase"] == "idle")
        if self.still(number):
            self.picture("end")
            self.touch('[data-action="end"]')
            self.wire.until(lambda s: s["own"]["turn"] > number)
        return self.touches - before if ordinary else None

    def still(self, number: int) -> bool:
        """Whether it is still the same turn once the page has heard all that was done."""
        self.wire.until(lambda s: s["todo"] == [] and s["question"] is None)
        can_end = any(move["name"] == "end" for move in self.own()["legal"]["other"])
        return self.own()["turn"] == number and can_end

    @property
    def lanes(self) -> list[str]:
        """The lanes in which a ball may be rolled and none lies."""
        held = {ball["at"] for ball in self.own()["balls"]}
        return [lane for lane in self.own()["legal"]["ramps"] if f"ramp:{lane}" not in held]

    def roll(self) -> bool:
        """Let a ball go in a lane that is free."""
        if not (lanes := self.lanes):
            return False
        said = self.wire.state["log"][0]["n"] if self.wire.state["log"] else 0
        self.wire.hand("drop", self.chance.choice(lanes))
        ordinary = True
        while True:
            self.wire.until(
                lambda s: (
                    s["question"]
                    or (
                        s["log"]
                        and s["log"][0]["n"] > said
                        and s["phase"] != "rolling"
                        and all(line["final"] for line in s["log"])
                    )
                )
            )
            if not (question := self.wire.state["question"]):
                break
            ordinary = ordinary and all(
                choice["name"].split(" ")[0]
                in ("rest", "gone", "fell", "off", "goal", "reading", "void")
                for choice in question["choices"]
            )
            self.picture("question")
            self.touch(f'[data-choice="{self.truth(question)}"]')
            self.answered(question["id"])
        self.tidy()
        if self.wire.state["phase"] == "resolving":  # a ball is stuck in its lane (2.1.3.1)
            return self.roll() and ordinary
        return ordinary and self.wire.state["phase"] != "over"

    def truth(self, question: Any) -> str:
        """The first answer that no sensor speaks against: a ball lies where one feels it."""
        names = [str(choice["name"]) for choice in question["choices"]]
        felt = {sensor.partition(":")[2] for sensor in self.wire.state["active_sensors"]}
        good = (name for name in names if name[:5] != "rest " or name.split(" ")[2] in felt)
        return next(good, names[0])

    def answered(self, question: int) -> None:
        """Wait until that is no question any more."""
        self.wire.until(lambda s: (s["question"] or {}).get("id") != question)

    def tidy(self) -> None:
        """Take out what was destroyed."""
        for todo in self.wire.state["todo"]:
            self.wire.hand("unseat", todo["cell"])
        self.wire.until(lambda s: not s["todo"])

    def play(self) -> bool:
        """Seat a tile of the hand in some way."""
        legal = self.own()["legal"]["play"]
        under = {at for ball in self.own()["balls"] for at in ball["at"].split("-")}
        ways = [
            (tile, slot, turn)
            for tile in legal.keys() - {UNREGISTERED.id}
            for slot in legal[tile].keys() - under
            for turn in legal[tile][slot]
        ]
        if self.wire.state["phase"] == "over":
            return False
        ordinary = bool(ways)
        if not ways:
            clear = [m["name"] for m in self.own()["legal"]["other"] if m["name"][:5] == "clear"]
            if not clear:
                return False
            slot = self.chance.choice(clear).split(" ")[1]
            self.wire.send("declare", seat=-1, action=f"clear {slot}")
            self.wire.until(lambda s: s["todo"])
            self.tidy()
            return self.play() and ordinary
        tile, slot, turn = self.chance.choice(sorted(ways))
        if self.first == "page":
            self.choose(tile, slot, turn)
            self.wire.hand("seat", slot, thing=tile, turn=turn)
        else:
            self.wire.hand("seat", slot, thing=tile, turn=turn)
            self.say(tile, slot, turn)
        self.wire.until(lambda s: slot in s["own"]["slots"] and not s["todo"])
        return ordinary

    def choose(self, tile: str, slot: str, turn: int) -> None:
        """Take a tile of the tray, turn it the shorter way, tap its slot."""
        self.picture("tray")
        self.touch(f'[data-tile="{tile}"]')
        hint = self.page.locator(".tray .hint")
        way = self.shorter(tile, turn)
        eventually(lambda: " in hand" in hint.inner_text())
        for _ in range(abs(way)):
            self.touch(f".rotate >> nth={int(way > 0)}")
        eventually(lambda: (f"turned {turn} sixth" if turn else "not turned") in hint.inner_text())
        self.picture("turned")
        self.touch_slot(slot)

    def shorter(self, tile: str, turn: int) -> int:
        """How often it has to be turned clockwise, or, below 0, anticlockwise."""
        legal = self.own()["legal"]["play"][tile]
        ways = next(iter(legal.values()))
        on = int(ways.index(turn))
        return on if on <= len(ways) - on else on - len(ways)

    def say(self, tile: str, slot: str, turn: int) -> None:
        """Say which tile lies there, and how."""
        self.page.locator(f'[data-lies="{tile}"]').wait_for()
        self.picture("which")
        self.touch(f'[data-lies="{tile}"]')
        how = self.page.locator("[data-way]")
        eventually(lambda: how.count() or self.known(slot))
        if how.count():
            self.picture("how")
            ways = [str(each.get_attribute("data-way")) for each in how.all()]
            alike = [way for way in ways if str(turn) in way.split(" ")]
            self.touch(f'[data-way="{alike[0]}"]')

    def known(self, slot: str) -> bool:
        """Whether the referee knows what lies there, as the wire last heard."""
        with suppress(TimeoutError):
            self.wire.listen(0.02)
        return slot in self.own()["slots"]


def main() -> None:
    say = argparse.ArgumentParser(description=__doc__)
    say.add_argument("--game", choices=("hextraction", *ORDINARY), default="hextraction")
    say.add_argument("--turns", type=int, default=40)
    say.add_argument("--seed", type=int, default=1)
    say.add_argument("--first", choices=("hand", "page"), default="hand")
    say.add_argument("--pictures", type=Path)
    given = say.parse_args()
    if given.pictures:
        given.pictures.mkdir(parents=True, exist_ok=True)
    here = chromium_here()
    if here is None:
        raise SystemExit("This needs Chromium: install the package `chromium-headless-shell`.")
    balls = given.game == "hextraction"
    options = ("pool=9999",) if balls else ORDINARY[given.game][2]
    arguments = ("--empty", "--speed", 20) if balls else ("--game", given.game)
    chosen = (word for option in options for word in ("--option", option))
    took: list[int] = []
    api = importlib.import_module("playwright.sync_api")
    with tempfile.TemporaryDirectory() as folder, api.sync_playwright() as driver:
        home = Path(folder) / "home"
        home.mkdir()
        (home / "settings.toml").write_text("settle_ms = 1000\n", "utf-8")
        running = Running(
            Path(folder) / "state",
            *("--simulate", "--port", 0, *arguments, *chosen),
            home=home,
        )
        browser = driver.chromium.launch(
            executable_path=here, args=["--no-sandbox", "--disable-gpu"]
        )
        try:
            page = browser.new_page(viewport=PHONE, has_touch=True, is_mobile=True)
            page.add_init_script(COUNT)
            page.goto(running.url)
            page.locator("svg.board, .curtain").wait_for()
            with running.page() as wire:
                turn = _turns(page, wire, given) if balls else _touched(page, wire, given)
                for _ in range(given.turns):
                    if (touches := turn()) is not None:
                        took.append(touches)
        finally:
            browser.close()
            running.end()
    rows = ", ".join(f"{n} in {count}" for n, count in sorted(Counter(took).items()))
    how = f" ({given.first} first)" if balls else ""
    print(f"{given.game}: {len(took)} ordinary turns of {given.turns}{how}: touches {rows}")
    print(f"median {statistics.median(took):g}, most {max(took)}")


def _turns(page: Any, wire: Wire, given: argparse.Namespace) -> Callable[[], int | None]:
    wire.ready()
    person = Person(page, wire, Random(given.seed), given.first)
    person.pictures = given.pictures
    return person.turn


def _touched(page: Any, wire: Wire, given: argparse.Namespace) -> Callable[[], int | None]:
    return Toucher(page, wire, Random(given.seed), given.game).turn


if __name__ == "__main__":
    main()

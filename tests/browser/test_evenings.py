"""Evenings of every game by two to four phones: moves, a take-back, whole games, the next one."""

import contextlib
import importlib
import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.pictures import EVENINGS
from tests.browser.test_curtain import CARDS, say
from tests.browser.test_page import Open, Start, again, chromium, expect, visit
from tests.browser.test_seats import Evening, evening, phone
from tests.running import PATIENCE, eventually

pytestmark = pytest.mark.browser

__all__ = ["chromium", "evening", "phone", "visit"]  # fixtures

MOVES = 10
Chosen = Callable[[list[str], int], list[str]]
NAMES = ("Ann", "Ben", "Cat", "Dan")


def pictured(game: str, host: Any, pages: list[Any]) -> None:
    """What everybody's page looks like now: `tests.benchmarks.pictures` shows it beside what was
    kept."""
    EVENINGS.mkdir(parents=True, exist_ok=True)
    for name, page in zip(("host", *NAMES), (host, *pages), strict=False):
        page.screenshot(path=EVENINGS / f"{game}-{name.lower()}.png")


def active(page: Any) -> int:
    """The seat whose turn it is, as a page shows it; -1 while the dealer deals."""
    shown = page.locator(".ruling .seats > .seat").evaluate_all(
        "seats => seats.findIndex(seat => seat.getAttribute('aria-current') === 'true')"
    )
    return int(shown)


NAMED = """async () => {
  const drawn = (done) => requestAnimationFrame(() => setTimeout(done));
  for (let n = 0; n < 2; n += 1) await new Promise(drawn);  // what can be done follows the board
  const list = document.getElementById('move-names');
  list?.closest('details').setAttribute('open', '');  // a page lists names for who is to type one
  const redraw = list?.closest('details').querySelector('[data-action="redraw"]') ? ['redraw'] : [];
  return [...redraw, ...[...list?.children ?? []].map(it => it.value)];
}"""


def moves(page: Any) -> list[str]:
    """What a page says may be done now, but to give up; nothing while it is still listing it."""
    named = page.evaluate(NAMED)
    return [name for name in named if not name.startswith(("resign", "concede", "fold"))]


def turn(pages: list[Any]) -> int:
    """Whose turn it is, once that is settled; -1 when the game is over."""
    over = pages[0].locator(".ruling.over")
    eventually(lambda: over.count() or (active(pages[0]) >= 0 and moves(pages[active(pages[0])])))
    return -1 if over.count() else active(pages[0])


def every(named: list[str], seat: int) -> list[str]:
    return named


def move(page: Any, chance: random.Random, among: Chosen = every) -> None:
    """Whoever's turn it is makes one `among` their moves by typing its name, on their page."""
    seat, named, newest = active(page), moves(page), page.locator(".entries .number")
    before = newest.all_inner_texts()[:1]
    say(page, chance.choice(among(named, seat)))

    def moved() -> bool:
        told = newest.all_inner_texts()[:1] != before  # the same may be done once more
        there = moves(page)
        return (there and told) or active(page) != seat or there not in ([], named)

    eventually(moved)
    expect(page.locator(".refused")).to_have_count(0)


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
    evening: Evening, game: str, options: tuple[str, ...], seats: int, hidden: bool
) -> None:
    chosen = [it for option in options for it in ("--option", option)]
    people = {seat: (name, "") for seat, name in enumerate(NAMES[:seats])}
    _, host, pages = evening(people, "--game", game, "--takeback", "agreed", *chosen)
    chance = random.Random(18)
    played: list[int] = []
    while (seat := turn(pages)) < 0 or len(played) < MOVES or set(played) != set(range(seats)):
        if seat < 0:  # cards are dealt by chance, and some games are short
            host.locator('[data-action="new"]').click()
            expect(pages[0].locator(".ruling.over")).to_have_count(0)
            played = []
        else:
            move(pages[seat], chance)
            played.append(seat)
    if hidden:  # the host's page is closed, and each phone has its own hand alone
        expect(host.locator(".curtain")).to_be_visible()
        assert not CARDS.search(host.content())
        hands = [page.locator(".card.held").inner_text() for page in pages]
        assert len(set(hands)) == seats
    pictured(game, host, pages)
    asks, others = pages[0], pages[1:]
    asks.get_by_role("button", name="The board is wrong…").click()
    asks.locator('[data-ruling="undo"]').click()
    for page in others:
        page.locator('[data-choice="yes"]').click()
    expect(asks.locator(".log")).to_contain_text(re.compile("Taken back.*: \u2068Ann\u2069[.]"))
    if game == "hexalma":
        host.get_by_role("button", name="The board is wrong…").click()
        host.get_by_role("button", name="New game").click()
        again(host.get_by_role("button", name="Really start anew?"))
        for page in pages:
            expect(page.locator(".log")).not_to_contain_text("Taken back")
        move(pages[turn(pages)], chance)  # from the same seats


def onward(named: list[str], seat: int) -> list[str]:
    """Of moves of HexAlma those that come furthest towards the other side; all where none does."""

    def far(name: str) -> tuple[int, int]:
        rows = [ord(row) * (-1 if seat else 1) for row in re.findall("[a-i](?=[0-9])", name)]
        return rows[-1] - rows[0], rows[0]

    best = max(map(far, named))
    return [name for name in named if best[0] <= 0 or far(name) == best]


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("hexel", ("seats=2", "chips=off")),
        ("hexalma", ()),
        ("bad-santa-cross", ()),
        ("bad-santa-hex", ("size=4", "die=dealt")),
        ("bad-santa-y", ("size=5",)),
    ],
)
def test_a_whole_game_on_two_phones(evening: Evening, game: str, options: tuple[str, ...]) -> None:
    chosen = [it for option in options for it in ("--option", option)]
    people, small = {0: ("Ann", ""), 1: ("Ben", "")}, any("size" in it for it in options)
    _, host, pages = evening(people, "--game", game, *chosen, pico=not small)
    chance = random.Random(18)
    while (seat := turn(pages)) >= 0:
        move(pages[seat], chance, onward if game == "hexalma" else every)
    for page in (host, *pages):
        expect(page.locator(".ruling.over .prompt")).to_contain_text(re.compile("wins|won|draw"))
        expect(page.locator(".ruling")).not_to_contain_text("salt")  # but why
    pictured(f"{game}-over", host, pages)
    again = re.compile("^(New|Next) game$")  # Hex'el goes on with its dealer and chips
    host.get_by_role("button", name=again).click()
    for page in pages:  # the next game from the same seats
        expect(page.locator(".ruling.over")).to_have_count(0)
        expect(page.locator(".chip", has_text="You are")).to_be_visible()
    move(pages[turn(pages)], chance)


ARMY = "25.3:T;25.4:T;26.4:T;26.5:P;29.2:P"
"""Beside Bukseon's HQ, which has 4 health points: 12 of combat, and nobody there to fight them."""
WAR = ("companions general tech", "keep", "mark 25,26,30", "lay none", "destroy 30.0")


def test_knee_deep_to_its_end_on_two_phones_after_a_position_that_both_agreed_on(
    evening: Evening,
) -> None:
    """By random moves nobody comes to a war in an hour."""
    seats = {0: ("Ann", "Gondwana"), 1: ("Ben", "Bukseon")}
    _, host, pages = evening(seats, "--game", "knee-deep", "--option", "starter=gondwana")
    ann, ben = pages
    chance = random.Random(18)

    def war(named: list[str], seat: int) -> list[str]:
        return [next((it for it in WAR if it in named), "end")]

    while "keep" in moves(pages[turn(pages)]) or not ann.locator(".card.held li").count():
        move(pages[turn(pages)], chance, war)
    hands = [page.locator(".card.held").inner_text() for page in pages]
    ann.get_by_role("button", name="The board is wrong…").click()
    ann.locator("summary", has_text="Set the position").click()
    position = ann.get_by_label("The position as text")
    text = position.input_value()
    assert text.count(" units= ") == 1
    position.fill(text.replace(" units= ", f" units={ARMY} "))
    ann.locator("details button", has_text="Set it").click()
    ben.locator('[data-choice="yes"]').click()
    expect(ann.locator(".log")).to_contain_text("Agreed: \u2068Ben\u2069.")
    assert [page.locator(".card.held").inner_text() for page in pages] == hands
    while (seat := turn(pages)) >= 0:
        move(pages[seat], chance, war)
    for page in (host, *pages):
        expect(page.locator(".ruling.over .prompt")).to_contain_text(re.compile("Ann.? wins"))
        expect(page.locator(".ruling")).not_to_contain_text("salt")  # but why
    pictured("knee-deep-over", host, pages)


POOL = 22
"""Tiles in the bag, the fewest: the game ends when it is empty (2.10.1), if nobody wins before."""
LOOK_AGAIN = 6000.0
"""Milliseconds after which somebody who finds nothing to touch looks at the board again."""


PUT_DOWN = "() => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))"


def touches(
    host: Any, page: Any, state: dict[str, Any], chance: random.Random
) -> list[Callable[..., None]]:
    """What somebody touches next, one after the other, as the board stands."""
    legal = state["own"]["legal"]
    if state["todo"]:
        return [host.get_by_role("button", name="Let the simulated hand do it").click]
    if state["question"]:
        return [page.locator(".card.question [data-choice]").first.tap]
    if legal["ramps"]:  # whoever is at the board lets it go
        return [host.locator(f'[data-ramp="{chance.choice(legal["ramps"])}"]').click]
    if not legal["play"]:  # the board is full: a tile is destroyed first
        cleared = [it["name"] for it in legal["other"] if it["name"].startswith("clear ")]
        if not cleared:
            return []  # what is shown next tells more
        name = chance.choice(cleared)
        cell = page.locator(f'[data-cell="{name.split()[-1]}"]')
        return [cell.tap, page.locator(f'[data-action="{name}"]').tap]
    tile = chance.choice(list(legal["play"]))
    cell = page.locator(f'[data-cell="{chance.choice(list(legal["play"][tile]))}"]')
    return [page.locator(f'[data-tile="{tile}"]').tap, cell.tap]


def rests(state: dict[str, Any]) -> bool:
    """Whether nothing happens until somebody does something."""
    final = all(line["final"] for line in state["log"])
    return bool(state["question"]) or (state["phase"] != "rolling" and final)


def told(state: dict[str, Any]) -> Any:
    """What is another after all that people do."""
    return [line["text"] for line in state["log"]], state["question"], state["todo"]


def test_whole_games_of_hextraction_on_two_phones_with_a_board_that_rolls(
    evening: Evening,
) -> None:
    """Until both have played: a first roll may win."""
    seats = {0: ("Ann", "Red"), 1: ("Ben", "Blue")}
    running, host, pages = evening(seats, "--option", f"pool={POOL}")
    late = importlib.import_module("playwright.sync_api").TimeoutError
    chance, played, latest = random.Random(18), set[str](), time.monotonic() + 2 * PATIENCE
    with running.page() as wire:
        wire.ready()
        while wire.state["phase"] != "over" or played != {"Ann", "Ben"}:
            assert time.monotonic() < latest, wire
            wire.until(rests)
            state = wire.state
            before = told(state)
            mover = pages[max(0, state["active"])]
            with contextlib.suppress(late):
                if state["phase"] == "over":
                    host.get_by_role("button", name="New game", exact=True).click(
                        timeout=LOOK_AGAIN
                    )
                else:
                    for touch in touches(host, mover, state, chance):
                        touch(timeout=LOOK_AGAIN)
            end = time.monotonic() + LOOK_AGAIN / 1000
            with contextlib.suppress(TimeoutError):
                while told(wire.state) == before and time.monotonic() < end:
                    wire.listen(LOOK_AGAIN / 1000)
            if told(wire.state) == before:  # the page was slow, or ahead of what the wire has told
                mover.evaluate(PUT_DOWN)  # and a hand may hold a tile
            texts = (line["text"] for line in wire.state["log"])
            played |= {text.split()[0].strip("\u2068\u2069") for text in texts if " plays " in text}
        outcome = wire.state["outcome"]
    for page in (host, *pages):
        expect(page.locator(".ruling.over .prompt")).to_contain_text(outcome)
        expect(page.locator(".refused")).to_have_count(0)
    pictured("hextraction-over", host, pages)


FEW_KINDS = """schema = "hexboard/deck-1"
name = "Red and blue"
size = 30
[cards]
RRRRRB = 20
BBBBBB = 10
"""
"""A deck of whose cards one kind soon fits nowhere."""
SHOWN = """cards => cards.map((it) => [
  it.querySelectorAll(".symbol-R").length > 0,
  getComputedStyle(it.querySelector("svg")).filter !== "none"])"""
"""Of each card of a hand whether it has red, and whether it is drawn grey."""


def test_a_held_card_that_fits_nowhere_is_grey_with_its_reason(
    evening: Evening, tmp_path: Path
) -> None:
    """HEXEL-5.2, in the first game of chance in which it comes to that."""
    deck = tmp_path / "deck.toml"
    deck.write_text(FEW_KINDS, "utf-8")
    chosen = ("--option", "seats=2", "--option", "chips=off", "--option", f"deck={deck}")
    _, host, pages = evening({0: ("Ann", ""), 1: ("Ben", "")}, "--game", "hexel", *chosen)
    chance, hand = random.Random(18), ".card.held .faces.row > span"
    while True:
        seat = turn(pages)
        shown = pages[seat].locator(hand).evaluate_all(SHOWN)
        fits = [name for name in moves(pages[seat]) if name.startswith("place ")]
        if seat < 0:
            host.locator('[data-action="new"]').click()
            expect(pages[0].locator(".ruling.over")).to_have_count(0)
        elif fits and any(not red for red, _ in shown) and "BBBBBB" not in " ".join(fits):
            break
        else:
            move(pages[seat], chance)
    expect(pages[seat].locator(".card.held")).to_contain_text("A grey card fits nowhere")
    shown = pages[seat].locator(hand).evaluate_all(SHOWN)
    assert len(shown) == 3
    assert all(grey != red for red, grey in shown)
    expect(pages[1 - seat].locator(".cannot")).to_have_count(0)  # it is not their turn
    pictured("hexel-grey", host, pages)


NEXT = (
    ".curtain [data-look] >> nth=0",
    '[data-action="redraw"]:visible',
    ".choices.faces .face",
    ".hex.open",
)
"""What somebody touches who has read the rules, the most pressing first."""


def lies(page: Any) -> list[Any]:
    """What is another after a touch."""
    counts = [page.locator(it).count() for it in (*NEXT, ".picked", ".ruling.over")]
    return [*counts, *page.locator(".entries .number").all_inner_texts()[:1]]


@pytest.mark.parametrize(
    ("game", "options"), [("bad-santa-hex", "size=4"), ("bad-santa-y", "size=5"), ("hexel", "")]
)
def test_a_whole_game_by_touches_alone(start: Start, visit: Open, game: str, options: str) -> None:
    """Nobody types, and the die is thrown and cards are dealt for them."""
    chosen = options or "chips=off"
    running = start("--game", game, "--option", chosen)
    page = visit(running, pico=not options)
    late = importlib.import_module("playwright.sync_api").TimeoutError
    chance, latest = random.Random(18), time.monotonic() + 2 * PATIENCE
    while not page.locator(".ruling.over").count():
        assert time.monotonic() < latest
        before = lies(page)
        for there in map(page.locator, NEXT):
            if count := there.count():
                with contextlib.suppress(late):  # it was drawn anew
                    which = there.nth(chance.randrange(count))
                    which.dispatch_event("click", timeout=LOOK_AGAIN)
                break
        end = time.monotonic() + LOOK_AGAIN / 1000
        while lies(page) == before and time.monotonic() < end:
            time.sleep(0.02)
    expect(page.locator(".ruling.over .prompt")).to_contain_text(re.compile("wins|won|draw"))

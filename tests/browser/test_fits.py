"""Nothing that is said is wider than its place on a small phone, and no word is torn, in each
language."""

import re
from pathlib import Path
from typing import Any

import pytest

from hexboard.game import registry
from hexboard.words import languages, sentences
from tests.browser.test_page import FLAGS, Open, Start, chromium, chromium_here, expect, visit
from tests.running import eventually
from tests.shell.test_phones import seated

pytestmark = pytest.mark.browser

__all__ = ["chromium", "visit"]  # fixtures

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
SAID = "button, summary, label, h1, h2, h3, dt, dd, th, td, p, li, .chip, .prompt, .banner"
UNFIT = """(said) => {
  const pushed = ".dock .tiles";  // sideways, by a finger
  const seen = (it) => it.checkVisibility({ visibilityProperty: true }) && !it.closest(pushed);
  const words = /(?<![\\p{L}\\d])\\p{L}+(?![\\p{L}\\d])/gu;
  const unfit = new Set();
  for (const it of [...document.querySelectorAll(said)].filter(seen)) {
    const { left, right } = it.getBoundingClientRect();
    if (left < -1 || right > innerWidth + 1) unfit.add(`beside the screen: ${it.textContent}`);
    const texts = document.createTreeWalker(it, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (!seen(text.parentElement)) continue;
      for (const { 0: word, index } of text.data.matchAll(words)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const rows = [...range.getClientRects()].filter((row) => row.width);
        const over = rows.some((row) => row.left < left - 1 || row.right > right + 1);
        if (over) unfit.add(`over the edge: ${word} in ${it.textContent}`);
        if (new Set(rows.map((row) => Math.round(row.top))).size > 1) {
          unfit.add(`torn: ${word} in ${it.textContent}`);
        }
      }
    }
  }
  return [...unfit];
}"""
"""What is beside the screen, over the edge of its button or line, or a word in two
rows; hashes may be."""


def unfit(page: Any) -> list[str]:
    """Once everything that unfolds is unfolded."""
    page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
    found: list[str] = page.evaluate(UNFIT, SAID)
    return found


def test_five_tiles_of_a_hand_are_in_sight_on_a_phone_each_with_its_name_in_one_row(
    start: Start, visit: Open
) -> None:
    page = visit(start(), **PHONE)
    tiles = page.locator(".dock .tile-button")
    for tile in (tiles.nth(n) for n in range(5)):
        expect(tile).to_be_in_viewport(ratio=1)
    high = {tile.bounding_box()["height"] for tile in tiles.all()}
    assert max(high) < 100


def test_every_slot_for_the_tile_in_hand_is_in_sight_above_the_dock(
    start: Start, visit: Open
) -> None:
    page = visit(start("--option", "seats=6"), **PHONE)
    expect(page.locator(".dock .rare")).to_be_visible()
    page.locator(".dock .tile-button:not(.idle)").first.tap()
    slots = page.locator(".slot.open")
    expect(slots).to_have_count(3)  # the slots that are empty to begin with

    def seen() -> bool:
        dock = page.locator(".dock").bounding_box()["y"]
        boxes = [slot.bounding_box() for slot in slots.all()]
        return all(box["y"] >= 0 and box["y"] + box["height"] <= dock + 1 for box in boxes)

    eventually(seen)


def test_the_board_of_a_phone_stays_under_the_finger(start: Start, visit: Open) -> None:
    running = start("--game", "hexalma")
    page = visit(running, **PHONE)
    board = page.locator("svg.board")
    top = board.bounding_box()["y"]
    page.locator('[data-cell="e5"]').tap()
    expect(page.locator(".refused")).to_be_in_viewport(ratio=1)
    assert board.bounding_box()["y"] == top
    page.locator('[data-cell="b3"]').tap()
    page.locator('[data-cell="c3"]').tap()
    expect(page.locator(".newest")).to_contain_text("c3")
    assert board.bounding_box()["y"] == top
    running.end()
    expect(page.locator(".banner")).to_be_visible()
    assert board.bounding_box()["y"] == top


@pytest.mark.parametrize("wide", [667, 844])
def test_on_a_phone_on_its_side_the_whole_board_stays_beside_what_is_read(
    start: Start, visit: Open, wide: int
) -> None:
    page = visit(start(), **PHONE | {"viewport": {"width": wide, "height": 375}})
    page.locator(".tile-button").last.evaluate("(tile) => tile.scrollIntoView({ block: 'end' })")
    board = page.locator("svg.board")
    expect(board).to_be_in_viewport(ratio=1)
    right = board.bounding_box()["x"] + board.bounding_box()["width"]
    assert page.locator(".log").bounding_box()["x"] >= right


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    "game", ["hextraction", "hexalma", "bad-santa-hex", "bad-santa-y", "knee-deep", "hexel"]
)
def test_everything_said_fits_on_a_small_phone(
    start: Start, visit: Open, game: str, language: str
) -> None:
    page = visit(start("--game", game), locale=language, **PHONE)
    assert unfit(page) == []
    if page.locator(".curtain").count():
        page.locator("[data-look]").first.tap()
        expect(page.locator("svg.board")).to_be_visible()
        assert unfit(page) == []
    for key in "w?":
        page.keyboard.press(key)
        expect(page.locator("dialog[open]" if key == "?" else ".card.wrong")).to_be_visible()
        assert unfit(page) == []
    page.keyboard.press("Escape")
    page.locator(".which").tap()
    expect(page.locator("dialog .game")).to_have_count(7)
    for it in page.locator("dialog .game .choose").all():
        it.tap()
        expect(page.locator('dialog [data-action="begin"]')).to_be_visible()
        assert unfit(page) == []


NAME = "Wolfeschlegelsteinhausenbergerdorffabcd"


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_name_that_is_wider_than_a_small_phone_is_torn_and_pushes_nothing_beside_it(
    start: Start, visit: Open, language: str
) -> None:
    running = start("--game", "hexalma", "--lan")
    with running.page() as wire:
        seated(running, wire, 0, NAME)
        wire.until(lambda state: NAME in state["prompt"])
    page = visit(running, locale=language, **PHONE)
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 740})
        found = [it for it in unfit(page) if not it.startswith(f"torn: {NAME}")]
        assert [it for it in found if NAME in it] == []


LAID_OUT = """(texts) => {
  const card = Object.assign(document.createElement("div"), { className: "card" });
  const dialog = Object.assign(document.createElement("dialog"), { className: "help" });
  for (const text of texts) {
    for (const kind of ["p", "button"]) {
      card.append(Object.assign(document.createElement(kind), { textContent: text }));
    }
  }
  dialog.append(card);
  document.body.append(dialog);
  dialog.showModal();
}"""
"""Each text as a line and as a button, as a dialog has them."""


@pytest.mark.parametrize("language", languages())
def test_every_sentence_of_every_table_has_room_on_a_small_phone(
    start: Start, visit: Open, language: str
) -> None:
    """Also those that no other test comes by, with a name of the longest that are usual."""
    page = visit(start("--game", "hexalma"), locale=language, **PHONE)
    parts = ("words", *(registry.find(name).prefix for name in registry.names()))
    texts = [said for part in parts for said in sentences(part, language).values()]
    said = sorted({re.sub(r"\{[^{}]*\}", "Bartholomäus", text) for text in texts})
    assert len(said) > 2000
    page.evaluate(LAID_OUT, said)
    assert page.evaluate(UNFIT, "dialog.help p, dialog.help button") == []


SMALL = """() => {
  const box = (it) => (it.nodeType ? it : document.querySelector(it)).getBoundingClientRect();
  const name = document.createRange();
  name.selectNodeContents(document.querySelector("h1 button"));
  const [board, dock] = [box("svg.board"), box(".dock")];
  const [left, right] = [Math.max(board.left, dock.left), Math.min(board.right, dock.right)];
  const over = Math.min(board.bottom, innerHeight) - Math.max(board.top, dock.top);
  const free = left < right && over > 0 ? board.height - over : board.height;
  return {
    wide: document.documentElement.scrollWidth,
    name: Math.max(...[...name.getClientRects()].map((it) => it.right)) - box("h1").right,
    bar: box(".switches").right, free: free / board.height,
  };
}"""
"""How wide all is, how far the game's name and the switches go, which part of the board is free."""


@pytest.mark.parametrize(("wide", "high"), [(320, 568), (360, 640), (640, 360), (568, 320)])
@pytest.mark.parametrize("game", ["hextraction", "bad-santa-hex"])
def test_the_smallest_phones_upright_and_on_their_side_show_board_and_name(
    start: Start, visit: Open, game: str, wide: int, high: int
) -> None:
    phone = PHONE | {"viewport": {"width": wide, "height": high}, "locale": "de"}
    page = visit(start("--game", game, "--lan"), **phone)
    if game == "bad-santa-hex":
        page.locator('.larger[aria-pressed="true"]').tap()  # its cells are small: the whole board
        expect(page.locator(".pane.near")).to_have_count(0)
    seen = page.evaluate(SMALL)
    assert seen["wide"] == wide
    assert seen["name"] <= 0
    assert seen["bar"] <= wide
    assert seen["free"] >= {320: 0.45, 360: 0.5}.get(wide, 1)
    page.goto(page.url + "join")
    card = page.locator("form.card").bounding_box()
    last = page.locator(".colours input").last.bounding_box()
    assert last["x"] + last["width"] <= card["x"] + card["width"]
    assert last["width"] == pytest.approx(last["height"], abs=1)


def test_a_list_that_is_touched_has_letters_that_no_phone_enlarges(
    start: Start, visit: Open
) -> None:
    page = visit(start("--game", "hexalma"), **PHONE)
    page.locator(".which").tap()
    page.locator('dialog [data-game="hexalma"] .choose').tap()
    lists = page.locator("dialog select")
    sizes = lists.evaluate_all("(all) => all.map((it) => getComputedStyle(it).fontSize)")
    assert {*sizes} == {"16px"}


CARD = """schema = "hexboard/tile-2"
id = "Long"
name = "A tile whose name goes on and on for ever"
set = "own"
source = "ours"
nets = [[1, 4]]
sockets = [1, 4]
confidence = { routes = "assumed", sockets = "assumed", effects = "assumed" }
[[effects]]
cause = "on_play"
do = [{ op = "manual", text = "%s" }]
"""


@pytest.mark.parametrize("size", [(360, 740), (1280, 800)])
def test_a_card_of_500_words_is_read_by_scrolling_beside_its_answers(
    start: Start, visit: Open, home: Path, size: tuple[int, int]
) -> None:
    (home / "tiles").mkdir()
    words = "Everybody hums until the tiles have their power back. Donaudampfschifffahrtsgesell."
    (home / "tiles" / "Long.toml").write_text(CARD % " ".join([words] * 50), "utf-8")
    running = start("--empty")
    page = visit(running, viewport={"width": size[0], "height": size[1]})
    with running.page() as wire:
        wire.ready()
        wire.send("declare", seat=-1, action="play Long C3 0")
        wire.until(lambda state: state["todo"])
        page.get_by_role("button", name="Let the simulated hand do it").click()
        wire.until(lambda state: state["question"])
    expect(page.locator(".card.question h2")).to_contain_text("hums")
    expect(page.locator(".card.question [data-choice]").first).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    for text in (".ruling .prompt", ".card.question h2"):
        box = page.locator(text).bounding_box()
        assert box["height"] < 0.3 * size[1]
        assert page.locator(text).evaluate("it => it.scrollHeight > 3 * it.clientHeight")


def test_letters_are_as_large_as_a_person_has_set_in_the_browser(
    chromium: Any, start: Start, visit: Open
) -> None:
    running = start("--game", "hexalma")
    page = visit(running, **PHONE)
    sizes = """() => ["body", ".prompt", ".hint", ".wrong-button"].map((it) =>
      parseFloat(getComputedStyle(document.querySelector(it)).fontSize))"""
    before = page.evaluate(sizes)
    larger_letters = [*FLAGS, "--blink-settings=defaultFontSize=24"]
    larger = chromium.browser_type.launch(executable_path=chromium_here(), args=larger_letters)
    page = larger.new_page(viewport=PHONE["viewport"])
    page.goto(running.url)
    expect(page.locator("svg.board")).to_be_visible()
    assert page.evaluate(sizes) == [1.5 * size for size in before]
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    larger.close()


IN_SIGHT = """() => [...document.querySelectorAll(".hex.open")].filter((cell) => {
  const { x, y, width, height } = cell.getBoundingClientRect();
  return cell.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}).length"""


def test_what_is_to_be_touched_is_in_sight_on_the_smallest_phone(start: Start, visit: Open) -> None:
    small = PHONE | {"viewport": {"width": 320, "height": 568}}
    page = visit(start("--game", "hexalma"), locale="de", **small)
    expect(page.locator(".hex.open")).to_have_count(11)
    assert page.evaluate(IN_SIGHT) == 11
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    rows = "it => new Set([...it.children].map((each) => each.offsetTop)).size"
    assert page.locator(".dock .rare").evaluate(rows) == 1
    for button in page.locator(".under button, .dock .rare button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44

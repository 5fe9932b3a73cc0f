"""Every game's page as people see it: `python -m tests.benchmarks.pages [--only GAME] [--shots DIR]
[--keep] [--pictures]`.

In Chromium, against a real daemon with a simulated board: each game in both themes and languages,
360, 768 and 1280 px wide. What axe finds on the page and in each of its dialogs; what is wider than
the screen; how pieces stand out from their cells (wanted: 3) and the names of cells can be read
(4.5), as WCAG 2 counts contrast; what its scripts and styles weigh, compressed (100 kB); when a
browser that was never here paints first on a processor six times slower (1 s, the middle of five),
and when the board is there; how many touches an ordinary turn takes. Each picture is held against
what is kept of it (tests/pages): what looks otherwise is named, and DIR/report.html shows both side
by side. Look at them; `--keep` keeps them as they are now, `--pictures` does nothing else. It fails
(status 1) where a figure is missed.
"""

import argparse
import importlib
import json
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin

from tests.benchmarks import percentile, reference
from tests.benchmarks.browsers import SLOWER, running
from tests.benchmarks.pictures import compared, keep
from tests.browser.test_page import FLAGS, chromium_here
from tests.running import Running, hexboard
from tests.shell.test_phones import invited

GAMES: dict[str, tuple[str, ...]] = {
    "hextraction": (),
    "hexalma": (),
    "bad-santa-hex": (),
    "bad-santa-y": (),
    "bad-santa-cross": (),
    "hexel": ("--option", "opening_order=drawn", "--option", "chips=off"),
    "knee-deep": ("--option", "starter=gondwana"),
}
WIDTHS = {360: 740, 768: 1024, 1280: 800}
GOLDEN = Path(__file__).parents[2] / "docs" / "golden" / "evening.mcap"
DIALOGS = ("help", "seats", "agreed", "lights", "rules", "wrong", "games")


class Turn(NamedTuple):
    """What is touched in an ordinary turn, and how often at most; how a game comes to that."""

    most: int
    touched: tuple[str, ...]
    before: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


PIECE, TEXT, WEIGHT_KB, PAINT_MS = 3.0, 4.5, 100.0, 1000.0
"""What is wanted."""
TURNS: dict[str, Turn] = {
    "hextraction": Turn(2, ("[data-tile]", ".slot.open")),
    "hexalma": Turn(2, ('[data-cell="b3"]', '[data-cell="c3"]')),
    "bad-santa-hex": Turn(
        *(4, ('[data-cell="a1"]', '[data-cell="e5"]', '[data-cell="k9"]')),
        before=('[data-cell="c3"]', '[data-cell="h8"]'),
    ),
    "hexel": Turn(3, (".hex.open", ".choices.faces .face", ".choices.faces .face")),
    "knee-deep": Turn(
        *(2, ('[data-cell="2.1"]', '[data-action="deploy acv 2.1"]')),
        before=(*('[data-action="companions general tech"]',) * 2, *('[data-action="keep"]',) * 2),
        options=("--option", "hands=held", "--option", "starter=gondwana"),
    ),
}
SETTLED_MS = 500
PAINTED = 5
THERE = """() => new Promise((done) => {
  const look = () => (document.querySelector('svg.board, .curtain')
    ? requestAnimationFrame(() => setTimeout(() => done(performance.now())))
    : setTimeout(look, 5));
  look();
})"""
FIRST = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
NEWEST = "() => document.querySelector('.entries .number')?.innerText ?? ''"
"""The number of the last ruling."""
CONTRAST = """() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  const seen = (colours) => {
    pen.clearRect(0, 0, 1, 1);
    for (const [colour, share] of colours) {
      pen.globalAlpha = share;
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
    }
    return [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((part) => part / 255);
  };
  const light = (rgb) => rgb
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, k) => sum + part * [0.2126, 0.7152, 0.0722][k], 0);
  const ratio = (one, other) => {
    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const style = (it) => getComputedStyle(it);
  const cells = Object.fromEntries([...document.querySelectorAll('[data-cell]')].map(
    (it) => [it.dataset.cell, it.querySelector('polygon') ?? it]));
  const pieces = [...document.querySelectorAll('.things [data-piece]')].map((piece) => {
    const cell = style(cells[piece.dataset.piece]).fill;
    const shapes = [...piece.querySelectorAll('circle, path, polygon')].map(style);
    const both = shapes.flatMap(({ fill, stroke }) => [fill, stroke]);
    const told = both.filter((colour) => colour !== 'none');
    const under = [['#000', 1], [cell, 1]];
    const beside = (colour) => ratio(seen([...under, [colour, 1]]), seen(under));
    return Math.max(1, ...told.map(beside));
  });
  const names = [...document.querySelectorAll('.hex .cell-name')].map((name) => {
    const under = [['#000', 1], [style(name.parentElement.querySelector('polygon')).fill, 1]];
    return ratio(seen([...under, [style(name).fill, Number(style(name).opacity)]]), seen(under));
  });
  return { pieces: Math.min(99, ...pieces), names: Math.min(99, ...names) };
}"""
"""The least contrast of a piece to its cell, by its fill or its rim, and of a cell's name."""


@contextmanager
def opened(browser: Any, url: str, width: int, theme: str, language: str) -> Iterator[Any]:
    """The page, with the curtain open."""
    size = {"width": width, "height": WIDTHS[width]}
    context = browser.new_context(
        viewport=size, color_scheme=theme, locale=language, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.goto(url)
    page.locator("svg.board, .curtain").first.wait_for()
    if page.locator(".curtain [data-look]").count():
        page.locator(".curtain [data-look]").first.click()
    page.locator("svg.board").wait_for()
    page.locator(".entries").wait_for()
    yield page
    context.close()


def found(page: Any, axe: Any) -> list[str]:
    """What axe finds, and whether the page is wider than the screen."""
    violations = json.loads(json.dumps(axe.run(page).response["violations"]))
    wrong = [f"{it['id']}: {it['nodes'][0]['html'][:120]}" for it in violations]
    if page.evaluate("() => document.documentElement.scrollWidth > innerWidth"):
        wrong.append("wider than the screen")
    return wrong


def dialogs(page: Any, axe: Any) -> dict[str, list[str]]:
    """The same in each dialog."""
    wrong = {}
    for name in DIALOGS:
        page.keyboard.press("Escape")
        page.locator("dialog").wait_for(state="detached")  # until then keys go to it
        if name == "wrong":
            page.keyboard.press("w")
        elif name == "games":
            page.locator("button.which").click()
            page.locator(".games .game").first.wait_for()
        elif name == "seats":
            page.locator(".switches button").nth(3).click()
        else:
            page.keyboard.press("?")
            page.locator("dialog[open] button").first.wait_for()
            buttons = {"rules": 1, "agreed": 2, "lights": 3}
            if name in buttons:
                page.locator("dialog[open] button").nth(buttons[name]).click()
        wrong[name] = found(page, axe)
        if name == "wrong":
            page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    return wrong


def weight(browser: Any, url: str) -> float:
    """Kilobytes of scripts and styles, each compressed, that a page asks for."""
    sizes: list[int] = []

    def note(answer: Any) -> None:
        if answer.request.resource_type in ("script", "stylesheet"):
            sizes.append(len(zlib.compress(answer.body(), 6)))

    page = browser.new_page()
    page.on("response", note)
    page.goto(url)
    page.locator("svg.board, .curtain").first.wait_for()
    page.close()
    return sum(sizes) / 1000


def painted(browser: Any, url: str) -> tuple[float, float]:
    """When a browser that was never here paints something first, by its own entries, and when the
    board is there: ms, on a processor slowed down, the middle of some."""
    firsts, boards = [], []
    for _ in range(PAINTED):
        context = browser.new_context(viewport={"width": 360, "height": 740})
        page = context.new_page()
        line = context.new_cdp_session(page)
        line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(url, wait_until="commit")
        boards.append(page.evaluate(THERE))
        firsts.append(page.evaluate(FIRST))
        context.close()
    return percentile(sorted(firsts), 0.5), percentile(sorted(boards), 0.5)


def touches(browser: Any, game: str) -> int:
    """How many touches an ordinary turn takes, until something is ruled."""
    turn = TURNS[game]
    with (
        running("--game", game, *(turn.options or GAMES[game])) as board,
        opened(browser, board.url, 1280, "dark", "en") as page,
    ):
        for place in turn.before:
            page.locator(place).first.click()
        while game == "hexel" and not page.locator(".hex.open").count():
            for place in ('[data-action="redraw"]:visible', ".curtain [data-look]"):
                if page.locator(place).count():  # by chance: no line is possible with these cards
                    page.locator(place).first.click()
            page.wait_for_timeout(200)
        newest = page.evaluate(NEWEST)
        for count, place in enumerate(turn.touched):
            page.wait_for_timeout(SETTLED_MS)
            if page.evaluate(NEWEST) != newest and game == "hexel":
                return count  # the card can lie in one way only
            page.locator(place).first.click()
        page.wait_for_function(f"was => ({NEWEST})() !== was", arg=newest)
        return len(turn.touched)


def shown(browser: Any, axe: Any, game: str, board: Running, shots: Path) -> bool:
    """Pictures of a game's pages and, with axe, their figures; whether they are as wanted."""
    good = True
    for language, theme, width in product(("en", "de"), ("dark", "light"), WIDTHS):
        with opened(browser, board.url, width, theme, language) as page:
            page.screenshot(path=shots / f"{game}-{language}-{theme}-{width}.png")
            wrong = figures(page, axe, width) if axe else {}
        for where, what in wrong.items():
            for line in what:
                print(f"{game} {language} {theme} {width} {where}: {line}")
                good = False
    return good


def figures(page: Any, axe: Any, width: int) -> dict[str, list[str]]:
    """What is wrong with a page, by where."""
    wrong = {"page": found(page, axe)}
    if width == min(WIDTHS):
        wrong |= dialogs(page, axe)
    contrast = page.evaluate(CONTRAST)
    low = [
        f"{what} {contrast[what]:.1f}"
        for what, least in (("pieces", PIECE), ("names", TEXT))
        if contrast[what] < least
    ]
    return wrong | {"contrast": low}


def laid(browser: Any, game: str, url: str) -> bool:
    """Lays counters of both and one of the turn; whether their contrast is as wanted."""
    ratios: list[float] = []
    for theme in ("dark", "light"):
        with opened(browser, url, 1280, theme, "en") as page:
            while (pieces := page.locator(".things [data-piece]").count()) < 3:
                page.locator(".hex.open").nth(-(pieces % 2)).click()
                page.locator(".things [data-piece]").nth(pieces).wait_for()
                page.locator(".hex.open").first.wait_for()
            ratios.append(page.evaluate(CONTRAST)["pieces"])
    print(f"{game}: pieces and cells differ by {min(ratios):.1f} (at least {PIECE})")
    return min(ratios) >= PIECE


@contextmanager
def doors() -> Iterator[dict[str, str]]:
    """The pages that are no game's, by their addresses, and what is in each once it is whole."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running() as door,
        running("--game", "hexalma", "--lan") as board,
    ):
        with board.page() as host:
            secret = invited(host, 1)["link"].partition("#")[2]
        evening = Path(folder) / "evening.html"
        hexboard("export", "--page", GOLDEN, "-o", evening)
        yield {
            door.url: ".game",
            f"{board.origin}/join#{secret}": "button",
            f"{board.url}&board": "svg.board",
            f"{evening.as_uri()}#n=89": ".why",
        }


def others(browser: Any, axe: Any) -> bool:
    """What is wrong with pages that are no game's; whether it is nothing."""
    good = True
    with doors() as pages:
        for (url, whole), theme, language, width in product(
            pages.items(), ("dark", "light"), ("en", "de"), (360, 1280)
        ):
            size = {"width": width, "height": WIDTHS[width]}
            context = browser.new_context(viewport=size, color_scheme=theme, locale=language)
            page = context.new_page()
            page.goto(url.removesuffix("&board"))
            if url.endswith("&board"):  # with the key of that link
                page.goto(urljoin(url, "/board"))
            page.locator(whole).first.wait_for()
            for what in found(page, axe):
                print(f"{url.partition('?')[0]} {language} {theme} {width}: {what}")
                good = False
            context.close()
        print(f"{len(pages)} other pages: {'as wanted' if good else 'MISSED'}")
    return good


def game_shown(browser: Any, axe: Any, game: str, shots: Path) -> bool:
    """All of a game; whether it is as wanted."""
    with running("--game", game, "--seed", "19", *GAMES[game]) as board:
        fine = shown(browser, axe, game, board, shots)
        if axe is None:
            return fine
        kilobytes = weight(browser, board.url)
        first, there = painted(browser, board.url)
        fine &= kilobytes < WEIGHT_KB and first < PAINT_MS
        if game.startswith("bad-santa"):  # it begins without a piece
            fine &= laid(browser, game, board.url)
        said = f"{kilobytes:.0f} kB, first paint {first:.0f} ms, board {there:.0f} ms"
        print(f"{game}: {'as wanted' if fine else 'MISSED'}, {said}")
    if game not in TURNS:
        return fine
    count = touches(browser, game)
    print(f"{game}: {count} touches a turn (at most {TURNS[game].most})")
    return fine and count <= TURNS[game].most


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", choices=GAMES)
    parser.add_argument("--shots", type=Path)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--pictures", action="store_true")
    asked = parser.parse_args()
    axe = None
    if not asked.pictures:
        axe = importlib.import_module("axe_playwright_python.sync_playwright").Axe()
    driver = importlib.import_module("playwright.sync_api").sync_playwright
    good = True
    with tempfile.TemporaryDirectory() as folder, driver() as playing:
        shots = asked.shots or Path(folder)
        shots.mkdir(exist_ok=True)
        browser = playing.chromium.launch(executable_path=chromium_here(), args=FLAGS)
        for game in asked.only or GAMES:
            good &= game_shown(browser, axe, game, shots)
        if axe and not asked.only:
            good &= others(browser, axe)
        shot = [it for game in asked.only or GAMES for it in shots.glob(f"{game}-??-*.png")]
        for name, share in compared(shot, shots / "report.html"):
            print(f"{name}: {share:.1%} of it look otherwise than was kept")
        if asked.keep:
            print(f"kept {sum(keep(it).stat().st_size for it in shot) / 1000:.0f} kB")
        browser.close()
    print(f"reference loop {reference():.0f} ms")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

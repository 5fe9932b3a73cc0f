"""What a page takes of a processor while nobody touches it: `python -m tests.benchmarks.rest`.

In Chromium, against a real daemon with a simulated board of Hextraction: while a ball is to be
rolled, while a tile is to be chosen, and while one is to be put in, with lights that blink and
with none (the switch *No blinking*). Each is looked at for ten seconds, six seconds after it came:
the time of all of the browser's processes, as it counts them itself, in hundredths of one
processor; and what an empty page takes. A phone lies on the table like this all evening.
"""

import importlib
import time
from typing import Any

from tests.benchmarks import reference
from tests.benchmarks.browsers import running
from tests.browser.test_page import FLAGS, chromium_here, declared
from tests.browser.test_seats import PHONE

AFTER_S, LOOKED_S = 6, 10


def share(browser: Any, page: Any) -> float:
    """Hundredths of a processor that all of the browser takes while nothing is done to `page`."""
    page.wait_for_timeout(1000 * AFTER_S)
    session = browser.new_browser_cdp_session()

    def spent_s() -> float:
        told = session.send("SystemInfo.getProcessInfo")["processInfo"]
        return float(sum(process["cpuTime"] for process in told))

    before, begun = spent_s(), time.monotonic()
    page.wait_for_timeout(1000 * LOOKED_S)
    return 100 * (spent_s() - before) / (time.monotonic() - begun)


def main() -> None:
    api = importlib.import_module("playwright.sync_api")
    with api.sync_playwright() as driver, running("--game", "hextraction", "--speed", 6) as board:
        browser = driver.chromium.launch(executable_path=chromium_here(), args=FLAGS)
        page = browser.new_context(viewport=PHONE, reduced_motion="no-preference").new_page()

        def tell(what: str) -> None:
            print(f"{what:40} {share(browser, page):6.1f} % of a processor", flush=True)

        tell("an empty page")
        page.goto(board.url)
        page.locator("svg.board").wait_for()
        with board.page() as wire:
            wire.ready()
            tell("a ball is to be rolled")
            wire.roll()
            tell("a tile is to be chosen")
            declared(wire)
            page.locator(".slot.todo").wait_for()
            tell("it is to be put in")
            page.get_by_role("button", name="No blinking").click()
            tell("the same, and nothing blinks")
        browser.close()
    print(f"reference loop {reference():.1f} ms")


if __name__ == "__main__":
    main()

"""A phone's browser at a page: `python -m tests.benchmarks.browsers [TIMES]`.

In Chromium, against a real daemon. From a code that was scanned to a seat: until the link's page is
there, a press on *Sit down*, and until the seat's own page shows whose it is. A phone asleep and
back: its line is dead, others move, it wakes up, and shows what is so. A state of Knee Deep's 217
cells on a processor slowed down six times: from the message to the page laid out anew, and each of
the three frames after it, in which what can be done, the log and the list of moves follow; what the
graphics card does after that is left out. It fails (status 1) where a figure of docs/phones.md is
missed.
"""

import importlib
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from tests.benchmarks import percentile, reference
from tests.browser.dozing import Line
from tests.browser.test_away import asleep, awake
from tests.browser.test_page import FLAGS, chromium_here
from tests.browser.test_seats import PHONE
from tests.running import Running
from tests.shell.test_phones import invited, phone, seated

SEAT_S, BACK_S, STATE_MS = 3.0, 2.0, 16.0
"""What is wanted of each."""
PHONES = ("--speed", 20, "--lan")
"""How a board runs here: quick, and open to phones."""
SLOWER = 6
MOVES, TIMES = 60, 6
FRAMES = ("board and ruling", "what can be done", "log and health", "list of moves")
"""What a page draws of a state, a frame each."""
TIMED = """() => {
  window.took = [];
  window.heard = [];
  const [Plain, soon] = [WebSocket, setTimeout];
  const timed = async (task, note) => {
    document.body.offsetHeight; // what lights left to do is not the state's
    const begun = performance.now();
    task();
    await null;
    await null;
    document.body.offsetHeight; // style and layout
    note(performance.now() - begun);
  };
  window.setTimeout = (task, ms, ...rest) =>
    ms ? soon(task, ms, ...rest) : soon(() => timed(task, (it) => window.took.at(-1)?.push(it)));
  window.WebSocket = class extends Plain {
    constructor(url) {
      super(String(url).replace("differences", "")); // whole states, to be shown again
    }
    set onmessage(hear) {
      window.hear = hear;
      super.onmessage = (event) => {
        if (!event.data.includes('"type":"state"')) return hear(event);
        timed(() => hear(event), (it) => {
          window.heard.push(event.data);
          window.took.push([it]);
        });
      };
      window.showing = (event) => timed(() => hear(event), (it) => window.took.push([it]));
    }
  };
}"""
"""Notes how long each frame of a state took: from when it is heard, or the frame begins, until the
page has done all it does."""
AGAIN = """async (times) => {
  const heard = [...window.heard]; // more may come meanwhile
  const best = heard.map(() => [Infinity, Infinity, Infinity, Infinity]);
  const painted = (done) => requestAnimationFrame(() => requestAnimationFrame(done));
  let rev = 1e9;
  for (let n = 0; n < times; n += 1) for (const [i, text] of heard.entries()) {
    window.took = [];
    window.showing({ data: text.replace(/"rev":\\d+/, `"rev":${rev += 1}`) });
    while ((window.took[0]?.length ?? 0) < best[i].length) await new Promise(painted);
    best[i] = best[i].map((it, frame) => Math.min(it, window.took[0][frame]));
  }
  return best;
}"""
"""Shows all those states again, some times; the least that each frame took."""


@contextmanager
def running(*arguments: object) -> Iterator[Running]:
    """A simulated board of its own, and nothing of it afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        board = Running(Path(folder) / "state", "--simulate", "--port", 0, *arguments, home=home)
        yield board
        board.end()


def scans(browser: Any, times: int) -> list[float]:
    """Seconds from a scanned link to a seat, each by another phone."""
    took = []
    with running(*PHONES, "--game", "hexalma") as board, board.page() as host:
        for _ in range(times):
            secret = invited(host, 1)["link"].partition("#")[2]
            context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
            page = context.new_page()
            begun = time.perf_counter()
            page.goto(f"{board.origin}/join#{secret}")
            page.get_by_role("button", name="Sit down").tap()
            page.locator(".chip", has_text="You are White").wait_for()
            took.append(time.perf_counter() - begun)
            context.close()
    return sorted(took)


def wakes(browser: Any, times: int) -> list[float]:
    """Seconds from a phone's waking up to what others did meanwhile."""
    took = []
    with running(*PHONES, "--game", "hexalma") as board, board.page() as host:
        secret = invited(host, 1)["link"].partition("#")[2]
        line = Line(board.port)
        page = browser.new_context(viewport=PHONE, has_touch=True).new_page()
        page.goto(f"http://127.0.0.1:{line.port}/join#{secret}")
        page.get_by_role("button", name="Sit down").click()
        page.locator(".chip", has_text="You are White").wait_for()
        for _ in range(times):
            asleep(page, line)
            before = host.state["log"][0]["n"]
            host.send("declare", seat=-1, action=sorted(it[0] for it in host.state["moves"])[0])
            host.until(lambda s, n=before: s["log"][0]["n"] > n)  # type: ignore[misc]
            text = host.state["log"][0]["text"]
            begun = awake(page)
            page.locator(".newest", has_text=text).wait_for()
            took.append(time.monotonic() - begun)
        page.context.close()
        line.close()
    return sorted(took)


def states(browser: Any) -> tuple[list[list[float]], list[list[float]]]:
    """Milliseconds that a slow phone takes for each frame (`FRAMES`) of each state of a game with
    217 cells; and so many times what this computer takes at its best."""
    chance = Random(18)
    with (
        running(*PHONES, "--game", "knee-deep", "--option", "starter=gondwana") as board,
        board.page() as host,
    ):
        cookies = [seated(board, host, seat, "") for seat in (0, 1)]
        context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
        name, _, secret = cookies[0].partition("=")
        context.add_cookies([{"name": name, "value": secret, "url": board.origin}])
        page = context.new_page()
        page.add_init_script(f"({TIMED})()")
        throttle = context.new_cdp_session(page)
        throttle.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(board.origin)
        page.locator("svg.board").wait_for()
        with phone(board, cookies[0]) as ann, phone(board, cookies[1]) as ben:
            page.evaluate("() => { window.took = []; window.heard = []; }")
            for _ in range(MOVES):
                ann.until(lambda s: s["active"] >= 0)
                mover = (ann, ben)[ann.state["active"]]
                mover.until(lambda s: s["moves"] and s["active"] == s["side"])
                names = [it[0] for it in mover.state["moves"]]
                rev = mover.state["rev"]
                mover.send("declare", seat=-1, action=chance.choice(names))
                for it in (ann, ben):
                    it.until(lambda s, rev=rev: s["rev"] > rev)  # type: ignore[misc]
                page.wait_for_timeout(150)  # each state has its own time
        took: list[list[float]] = page.evaluate("() => window.took")
        throttle.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        best: list[list[float]] = page.evaluate(AGAIN, TIMES)
        context.close()
    whole = [it for it in took if len(it) == len(FRAMES)]  # the next state may come before the last
    return frames(whole), [[SLOWER * it for it in part] for part in frames(best)]


def frames(took: list[list[float]]) -> list[list[float]]:
    """The times of each frame, sorted, of those of each state."""
    return [sorted(part) for part in zip(*took, strict=True)]


def main() -> None:
    api = importlib.import_module("playwright.sync_api")
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium_here(), args=FLAGS)
        seat, back = scans(browser, times), wakes(browser, times)
        slow, best = states(browser)
        browser.close()
    good = True
    for name, took, unit, wanted in (
        ("scan to seat", seat, "s", SEAT_S),
        ("asleep and back", back, "s", BACK_S),
        *(
            (f"{name}, {SLOWER} times slower", it, "ms", STATE_MS)
            for name, it in zip(FRAMES, slow, strict=True)
        ),
        *(
            (f"{name}, best times {SLOWER}", it, "ms", STATE_MS)
            for name, it in zip(FRAMES, best, strict=True)
        ),
    ):
        middle, late = percentile(took, 0.5), percentile(took, 0.99)
        print(f"{name:34} p50 {middle:6.2f} {unit}  p99 {late:6.2f} {unit}  of {len(took)}")
        good &= late < wanted
    print(f"reference loop {reference():.1f} ms")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()

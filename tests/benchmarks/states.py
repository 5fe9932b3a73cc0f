"""What pages are sent while a game is played: `python -m tests.benchmarks.states [SECONDS]`.

A simulated board plays by itself at ten times the speed, each of the five games; two pages look,
one that is sent whole states and one that is sent what differs. Prints states a second and the
bytes of one, in the middle and on average, of both. It fails (status 1) where differences are not
a quarter of whole states.
"""

import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from threading import Thread

from websockets.sync.client import connect

from tests.benchmarks import reference
from tests.running import Running

GAMES = ("hextraction", "hexalma", "bad-santa-hex", "hexel", "knee-deep")
WANTED = 0.25
"""Of whole states, on average."""


def main(seconds: float = 20) -> int:
    print(f"reference loop {reference():.1f} ms")
    print("game           a second   whole: middle, mean   what differs: middle, mean   share")
    missed = [game for game in GAMES if not _measured(game, seconds)]
    return min(len(missed), 1)


def _measured(game: str, seconds: float) -> bool:
    whole, differs = _sent(game, seconds)
    mean, lean = sum(whole) / len(whole), sum(differs) / len(differs)
    share = lean / mean
    print(
        f"{game:13}  {len(whole) / seconds:8.1f}  {median(whole):12.0f} {mean:6.0f}  "
        f"{median(differs):20.0f} {lean:6.0f}  {share:6.2f}",
        flush=True,
    )
    return share <= WANTED


def _sent(game: str, seconds: float) -> tuple[list[float], list[float]]:
    """The bytes of each state that a page was sent after its first, whole and as what differs."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        options = ("--game", game, "--simulate", "--watch", "--speed", "10", "--port", "0")
        running = Running(home / "state", *options, home=home)
        whole, differs = list[float](), list[float]()
        heard = [
            Thread(target=_heard, args=(running, query, seconds, into))
            for query, into in (("", whole), ("?differences", differs))
        ]
        try:
            for thread in heard:
                thread.start()
            for thread in heard:
                thread.join()
        finally:
            running.end()
    return whole[1:], differs[1:]


def _heard(running: Running, query: str, seconds: float, into: list[float]) -> None:
    headers = {"Cookie": running.cookie, "Origin": running.origin}
    address, end = f"ws://127.0.0.1:{running.port}/live{query}", time.monotonic() + seconds
    with connect(address, additional_headers=headers, max_size=None) as page:
        while (left := end - time.monotonic()) > 0:
            try:
                text = str(page.recv(timeout=left))
            except TimeoutError:
                break
            if '"type":"state"' in text or '"type":"changed"' in text:
                into.append(len(text.encode()))


if __name__ == "__main__":
    sys.exit(main(*map(float, sys.argv[1:])))

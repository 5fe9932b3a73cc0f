"""What goes wrong on an evening: `python -m tests.benchmarks.faults [--times N] [--only FAULT]`.

Runs `hexboard run --simulate` as people do, plays games at random over the page, and lets one
thing go wrong in the middle of a move, at a random moment. Each fault has its declared outcome
(`FAULTS`). After it its journal is read with SQLite, by nothing of hexboard's:

    lost      what a page was shown as final is not in the journal
    invented  there is more in it than the move that was under way, and what chance did

Ends with status 1 where anything was lost or invented, or an outcome was another than declared.
"""

import argparse
import json
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

from websockets.exceptions import WebSocketException

from hexboard.board import find
from hexboard.game import registry
from tests.benchmarks.cable import Cable
from tests.benchmarks.heap import TAPPED
from tests.benchmarks.network_camera import NetworkCamera
from tests.running import Page, Running, eventually

GAMES = {
    "hextraction": (),
    "hexalma": (),
    "bad-santa-hex": (),
    "hexel": ("--option", "hands=dealt"),
    "knee-deep": (),
}
MOVES = 3
"""Moves that are played before a fault, and after it."""
FEW = 6
"""With fewer tiles on its board a game of Hextraction is begun anew."""
TRIES, UNSEEN_S = 5, 60.0
"""So many things are tried, each after nothing came of the one before for so long, seconds."""
HASTE_S = 0.08
"""A fault comes at most so long after the move that it is to hit, seconds."""
DAY_S = 86400
FLOOD_S = 3.0
CHANCE = ("draw", "roll", "turn", "deal", "die")


class Evening:
    """A game that goes on over restarts, and what its page was shown as final."""

    def __init__(self, folder: Path, game: str, dice: random.Random) -> None:
        self.folder, self.game, self.dice = folder, game, dice
        self.home, self.state = folder / "home", folder / "state"
        self.slow = folder / "slow"
        """How many seconds its disk takes, while it is there."""
        self.read_only = folder / "readonly"
        """While it is there, its disk takes nothing."""
        self.clock = folder / "clock"
        """How many seconds its computer's clock is ahead, while it is there."""
        self.home.mkdir()
        (self.home / "settings.toml").write_text("settle_ms = 200\n", "utf-8")
        self.cable: Cable | None = None
        """To a Pico of its own, where it is not a simulated board."""
        self.camera: NetworkCamera | None = None
        """Over a board with a Pico of its own."""
        self.pid = 0
        self.match = ""
        self.final: list[str] = []
        """The entries of that match, when the page was last shown that all is final."""

    def wired(self) -> None:
        """From now on on a board whose Pico is at the end of a cable, that feels who taps a cell;
        under a camera that is far away."""
        board = registry.board(self.game)
        (self.home / "boards").mkdir()
        ours = find(board.name).read_text("utf-8")
        file = ours.replace(f'name = "{board.name}"', 'name = "tapped"') + TAPPED
        (self.home / "boards" / "tapped.toml").write_text(file, "utf-8")
        self.cable = Cable(self.folder / "pico", len(board.cells), len(board.pixels))
        self.camera = NetworkCamera(self.home)
        text = f'board = "tapped"\n[link]\nport = "{self.cable.port}"\n'
        text += f'[camera]\nsource = "{self.camera.url}"\n'
        (self.home / "settings.toml").write_text(text, "utf-8")

    def close(self) -> None:
        """Pico and camera are no more, where it has its own."""
        for it in (self.cable, self.camera):
            if it is not None:
                it.close()

    @contextmanager
    def begun(self) -> Iterator[tuple[Running, Page]]:
        """hexboard runs, and its page is open; the board is as people say it is."""
        arguments: tuple[str, ...] = ("--port", "0", "--game", self.game)
        if self.cable is None:
            arguments = ("--simulate", "--speed", "20", *arguments)
        slowed = (sys.executable, "-m", "tests.slow_disk", str(self.slow))
        more = GAMES[self.game]
        running = Running(self.state, *arguments, *more, home=self.home, command=slowed)
        self.pid = running.pid
        try:
            with running.page() as page:
                if page.state["resume"]:
                    page.rule("right")
                    page.until(lambda s: not s["resume"])
                page.until(lambda s: connected(s) and not s["todo"])
                yield running, page
        finally:
            if running.process.poll() is None:
                running.process.send_signal(signal.SIGCONT)
            running.end(signal.SIGKILL)
            self.pid = 0

    def begin_move(self, page: Page) -> str:
        """Say or do one thing; how it stood before."""
        state = self.shown(page)
        before = stands(state)
        if self.game == "hextraction":
            self._hextraction(page, state)
        else:
            others = f"hedge {1 - state['active']} "  # both hedge at once; each says their own
            named = [it[0] for it in state["moves"] if not it[0].startswith(others)]
            page.send("declare", seat=-1, action=self.dice.choice(named))
        return before

    def shown(self, page: Page) -> dict[str, Any]:
        """The first state in which somebody may do something; a new game where the last is over."""
        if self.game == "hextraction":
            if len(self._settled(page)["own"]["slots"]) < FEW:
                page.send("new")
                self._changed(page, "match")
            return page.ready() and self._settled(page)
        while True:
            page.until(
                lambda s: s["phase"] == "over" or s["moves"] or (s["private"] and s["active"] >= 0)
            )
            state = page.state
            if state["phase"] != "over" and state["moves"]:
                return state
            if state["phase"] == "over":
                page.send("new")
                self._changed(page, "match")
            elif state["side"] != state["active"]:
                page.send("curtain", side=state["active"])
                self._changed(page, "side")
            else:
                page.listen(1)

    def _changed(self, page: Page, what: str) -> None:
        before = page.state[what]
        page.until(lambda s: s[what] != before)

    def _hextraction(self, page: Page, state: dict[str, Any]) -> None:
        """A tile is taken out or put in, as people say; or a ball is let go."""
        slots, legal = state["own"]["slots"], state["own"]["legal"]
        if legal["ramps"] and self.dice.random() < 0.5:
            page.hand("drop", self.dice.choice(legal["ramps"]))
        else:
            page.rule(f"tile {self.dice.choice(sorted(slots))} -")

    def move(self, page: Page) -> None:
        """One thing, until it is final. A busy computer may let a quick ball pass all sensors: then
        it is another thing."""
        for _ in range(TRIES):
            before = self.begin_move(page)
            if comes(page, before):
                self.acknowledged(page)
                return
        raise AssertionError(f"moves came to nothing: {page.refused} {page}")

    def acknowledged(self, page: Page) -> None:
        """Wait until all that the page tells is final; what the journal has then is to stay. A card
        that asks for a place is played to its end: before that nothing of it is final."""
        while half(page.state):
            self.changes(page, self.begin_move(page))
        self.match = self._settled(page)["match"]
        self.final = self.journal(self.match)
        self._take_out(page)

    def _settled(self, page: Page) -> dict[str, Any]:
        """The first state of a board at rest whose rulings are final; what is asked is answered."""
        page.until(lambda s: s["question"] or at_rest(s))
        while (asked := page.state["question"]) is not None:
            answer = self.dice.choice(asked["choices"])["name"]
            page.send("decide", question=asked["id"], choice=answer)
            page.until(partial(answered, asked["id"]))
            page.until(lambda s: s["question"] or at_rest(s))
        return page.state

    def _take_out(self, page: Page) -> None:
        """The tile that somebody said is out: a Pico that is asked again would find it there."""
        for slot in still_there(page.state):
            page.hand("unseat", slot)
            time.sleep(0.1)  # who says more than 20 things a second is refused
        page.until(lambda s: not still_there(s))

    def changes(self, page: Page, before: str) -> None:
        page.until(lambda s: stands(s) != before)

    def journal(self, match: str) -> list[str]:
        """The entries of a match, read from a copy as a power cut would leave it."""
        with tempfile.TemporaryDirectory() as folder:
            if self.pid:  # files that are copied one after the other are of one moment
                os.kill(self.pid, signal.SIGSTOP)
            for end in ("", "-wal"):
                with suppress(FileNotFoundError):
                    shutil.copy(self.state / f"{self.game}.db{end}", folder)
            if self.pid:
                os.kill(self.pid, signal.SIGCONT)
            with closing(sqlite3.connect(Path(folder) / f"{self.game}.db")) as db:
                rows = db.execute(
                    "SELECT text FROM entry WHERE match = (SELECT id FROM match WHERE name = ?) "
                    "ORDER BY n",
                    (match,),
                )
                return [text for (text,) in rows]


def stands(state: dict[str, Any]) -> str:
    """How the game stands, and the last that was told: another string after each move."""
    told = state["log"][0]["n"] if state["log"] else 0
    return f"{told} {state.get('position')} {state['active']} {state['side']}"


def at_rest(state: dict[str, Any]) -> bool:
    """Nothing rolls, and all rulings are final."""
    return state["phase"] != "rolling" and all(line["final"] for line in state["log"])


def answered(question: int, state: dict[str, Any]) -> bool:
    return state["question"] is None or state["question"]["id"] != question


def comes(page: Page, before: str) -> bool:
    """Whether it comes to stand otherwise, before somebody would try something else."""
    end = time.monotonic() + UNSEEN_S
    while stands(page.state) == before:
        with suppress(TimeoutError):
            page.listen(max(0.0, end - time.monotonic()))
        if time.monotonic() > end:
            return False
    return True


def still_there(state: dict[str, Any]) -> list[str]:
    """The slots where a sensor feels a tile that was said to be out."""
    felt = (it.partition(":") for it in state["active_sensors"])
    slots = state["own"].get("slots")  # none where fingers are felt, not tiles
    return [it for kind, _, it in felt if kind == "seat" and slots is not None and it not in slots]


def half(state: dict[str, Any]) -> bool:
    """Whether a card of Knee Deep is half played."""
    return re.search(r" queue=\S", str(state.get("position"))) is not None


def watched(state: dict[str, Any]) -> bool:
    """Whether the camera gives pictures."""
    return any(link["source"] == "camera" and link["up"] for link in state["links"])


def unwatched(state: dict[str, Any], words: str) -> bool:
    """Whether it gives none, as these words tell."""
    ends = (link["why"] for link in state["links"] if link["source"] == "camera" and not link["up"])
    return any(words in why for why in ends)


def connected(state: dict[str, Any]) -> bool:
    return any(link["source"] == "pico" and link["up"] for link in state["links"])


def told(page: Page, words: str) -> None:
    page.until(lambda s: any(words in notice for notice in s["notices"]))


# --------------------------------------------------------------------------------------- faults

Fault = Callable[[Evening, Running, Page], None]


def killed(at: Evening, running: Running, page: Page) -> None:
    """kill -9 in the middle of a move: started again, all that was final stands."""
    at.begin_move(page)
    time.sleep(at.dice.uniform(0, HASTE_S))
    running.process.kill()
    running.process.wait()
    at.pid = 0


def stopped(at: Evening, running: Running, page: Page) -> None:
    """The process is stopped for two seconds: the move counts, once."""
    before = at.begin_move(page)
    time.sleep(at.dice.uniform(0, HASTE_S))
    os.kill(running.pid, signal.SIGSTOP)
    time.sleep(2)
    os.kill(running.pid, signal.SIGCONT)
    page.until(lambda s: stands(s) != before)
    at.acknowledged(page)


def firmware_killed(at: Evening, running: Running, page: Page) -> None:
    """The Pico dies: it is told, and play goes on when it is back."""
    os.kill(running.children()[0], signal.SIGKILL)
    page.until(lambda s: not connected(s))
    page.until(lambda s: connected(s) and not s["todo"])


def firmware_hung(at: Evening, running: Running, page: Page) -> None:
    """The Pico hangs: it is told, and play goes on when it speaks again."""
    (pico,) = running.children()
    os.kill(pico, signal.SIGSTOP)
    try:
        page.until(lambda s: not connected(s))
    finally:
        os.kill(pico, signal.SIGCONT)
    page.until(lambda s: connected(s) and not s["todo"])


def cable_pulled(at: Evening, running: Running, page: Page) -> None:
    """The Pico's cable is pulled, and it keeps its power: it is told, the move counts, and it goes
    on when the cable is back."""
    assert at.cable is not None
    before = at.begin_move(page)
    at.cable.pull()
    page.until(lambda s: not connected(s))
    at.changes(page, before)
    at.cable.plug()
    page.until(connected)
    at.acknowledged(page)


def cable_noisy(at: Evening, running: Running, page: Page) -> None:
    """A megabyte of rubbish comes out of the cable: the move counts, and the Pico is heard again
    after it."""
    assert at.cable is not None
    before = at.begin_move(page)
    at.cable.rubbish(1_000_000, at.dice)
    at.changes(page, before)
    page.until(connected)
    at.acknowledged(page)


def edges_flooded(at: Evening, running: Running, page: Page) -> None:
    """All inputs of the Pico chatter for three seconds, as loose wires do: nothing is played by
    that, the page goes on, and the move counts."""
    assert at.cable is not None
    before = stands(page.state)
    at.cable.flood(FLOOD_S, at.dice)
    page.until(connected)
    assert stands(page.state) == before, "the flood has played"
    at.move(page)


def camera_frozen(at: Evening, running: Running, page: Page) -> None:
    """The camera gives the same picture for ever: that is told, the move counts, and it is looked
    at again once it moves."""
    camera_fails(at, page, "frozen", "same picture")


def camera_drips(at: Evening, running: Running, page: Page) -> None:
    """The camera sends a byte a second: as above."""
    camera_fails(at, page, "drips", "network camera")


def camera_fails(at: Evening, page: Page, how: str, words: str) -> None:
    """So it fails for a while, of which people are told in these words."""
    assert at.camera is not None
    page.until(watched)
    setattr(at.camera, how, True)
    page.until(partial(unwatched, words=words))
    at.move(page)
    setattr(at.camera, how, False)
    page.until(watched)


def disk_full(at: Evening, running: Running, page: Page) -> None:
    """No file may grow: nothing more is final, and it is told; with room again all of it is."""
    _, hard = resource.prlimit(running.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (1, hard))
    at.begin_move(page)
    told(page, "journal")
    assert at.journal(at.match) == at.final, "final on a full disk"
    resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (hard, hard))
    page.until(lambda s: not any("journal" in notice for notice in s["notices"]))
    at.acknowledged(page)


def disk_read_only(at: Evening, running: Running, page: Page) -> None:
    """The kernel mounts the disk read-only: nothing more is final, and it is told; when it takes
    something again all of it is. The recording has stopped, which is told too."""
    at.read_only.touch()
    at.begin_move(page)
    told(page, "journal")
    assert at.journal(at.match) == at.final, "final on a disk that takes nothing"
    told(page, "Recording has stopped")
    at.read_only.unlink()
    page.until(lambda s: not any("journal" in notice for notice in s["notices"]))
    at.acknowledged(page)


def disk_slow(at: Evening, running: Running, page: Page) -> None:
    """All that waits for the disk takes two seconds: the page shows a move before it is saved, the
    next can be made, it is told that the disk is slow, and all of it comes to be final."""
    at.slow.write_text("2", "ascii")
    before = at.begin_move(page)
    page.until(lambda s: stands(s) != before)
    assert at.journal(at.match) == at.final, "the page waited for the disk"
    told(page, "disk is slow")
    at.slow.unlink()
    at.acknowledged(page)
    at.move(page)
    page.until(lambda s: not any("disk is slow" in notice for notice in s["notices"]))


def clock_stepped(at: Evening, running: Running, page: Page) -> None:
    """The clock is set a day on in mid-move, and two days back in the next: both moves count; what
    is started on another day goes on with them."""
    for days in (1, -1):
        before = at.begin_move(page)
        at.clock.write_text(str(days * DAY_S), "ascii")
        at.changes(page, before)
        at.acknowledged(page)


def folder_away(at: Evening, running: Running, page: Page) -> None:
    """The state folder is gone (a stick pulled out), and back: as on a full disk."""
    away = at.state.with_name("away")
    at.state.rename(away)
    at.begin_move(page)
    told(page, "is not where it was")
    away.rename(at.state)
    page.until(lambda s: not any("is not where it was" in notice for notice in s["notices"]))
    at.acknowledged(page)


def descriptors_gone(at: Evening, running: Running, page: Page) -> None:
    """No file can be opened: the page that is open plays on; another opens when there is room."""
    soft, hard = resource.prlimit(running.pid, resource.RLIMIT_NOFILE)
    most = max(int(name) for name in os.listdir(f"/proc/{running.pid}/fd")) + 1
    resource.prlimit(running.pid, resource.RLIMIT_NOFILE, (most, hard))
    at.move(page)
    resource.prlimit(running.pid, resource.RLIMIT_NOFILE, (soft, hard))

    def opens() -> bool:
        try:
            with running.page():
                return True
        except (OSError, WebSocketException):
            return False

    eventually(opens, every=0.2)


def memory_short(at: Evening, running: Running, page: Page) -> None:
    """Next to no memory: it plays on or ends; started again, all that was final stands."""
    pages = int(Path(f"/proc/{running.pid}/statm").read_text().split()[0])
    most = pages * os.sysconf("SC_PAGE_SIZE") + 300_000
    resource.prlimit(running.pid, resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
    try:
        for _ in range(5):
            at.begin_move(page)
            for _ in range(3):
                page.listen(0.5)
    except (OSError, WebSocketException):  # it closed the page, says nothing for a while, or ended
        pass


def flooded(at: Evening, running: Running, page: Page) -> None:
    """Another page says 5,000 things as fast as it can: this one's move counts all the same."""
    with running.page() as mad:
        try:
            for number in range(5_000):
                mad.socket.send(json.dumps({"type": "declare", "seat": number, "action": "x" * 99}))
        except WebSocketException:  # it is shown the door
            pass
        at.move(page)


FAULTS: dict[str, tuple[Fault, int]] = {
    "killed": (killed, 40),
    "stopped": (stopped, 4),
    "firmware-killed": (firmware_killed, 4),
    "firmware-hung": (firmware_hung, 4),
    "cable-pulled": (cable_pulled, 4),
    "cable-noisy": (cable_noisy, 4),
    "edges-flooded": (edges_flooded, 4),
    "camera-frozen": (camera_frozen, 4),
    "camera-drips": (camera_drips, 4),
    "disk-full": (disk_full, 4),
    "disk-read-only": (disk_read_only, 4),
    "disk-slow": (disk_slow, 4),
    "clock-stepped": (clock_stepped, 4),
    "folder-away": (folder_away, 4),
    "descriptors-gone": (descriptors_gone, 4),
    "memory-short": (memory_short, 4),
    "flooded": (flooded, 4),
}
"""What goes wrong, and how often in each game."""
WIRED = {
    "cable-pulled": "hexalma",
    "cable-noisy": "hexalma",
    "edges-flooded": "hexalma",
    "camera-frozen": "hexalma",
    "camera-drips": "hexalma",
}
"""What goes wrong at a Pico of its own and its camera, and in which game."""


def suffer(at: Evening, fault: Fault) -> str:
    """One fault in an evening that goes on: what became of it."""
    with at.begun() as (running, page):
        for _ in range(MOVES):
            at.move(page)
        at.shown(page)  # chance has done what was its
        at.acknowledged(page)
        try:
            fault(at, running, page)
        except AssertionError as error:
            return f"other: {error} {page.refused}"
    match, found = at.match, at.journal(at.match)
    if lost := missing(at.final, found):
        return lost
    more = [text for text in found[len(at.final) :] if not by_chance(text)]
    if at.game != "hextraction" and len(more) > (5 if fault is memory_short else 1):
        return f"invented: {more}"
    with at.begun() as (_, page):  # it goes on from there
        at.move(page)
        later = at.journal(match)
    return missing(found, later) or "as declared"


def missing(final: list[str], found: list[str]) -> str:
    """From where on entries that stood for ever are others, or none; "" where all are there."""
    pairs = zip(final, found, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return f"lost: {same} stand, then {found[same:]} for {final[same:]}" if final[same:] else ""


def by_chance(text: str) -> bool:
    return str(json.loads(text).get("action", "")).startswith(CHANCE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=float, default=1.0, help="so many times as many")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--only", choices=FAULTS)
    parser.add_argument("--game", choices=GAMES)
    asked = parser.parse_args()
    dice, bad = random.Random(asked.seed), 0
    for name, (fault, often) in FAULTS.items():
        if asked.only not in (None, name):
            continue
        became: Counter[str] = Counter()
        for game in [asked.game] if asked.game else [WIRED[name]] if name in WIRED else GAMES:
            with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
                evening = Evening(Path(folder), game, dice)
                if name in WIRED:
                    evening.wired()
                    stack.callback(evening.close)
                for time_ in range(max(1, round(asked.times * often))):
                    outcome = suffer(evening, fault)
                    became[outcome.partition(":")[0]] += 1
                    if outcome != "as declared":
                        print(f"{name} {game} {time_}: {outcome[:2000]}", flush=True)
        bad += became.total() - became["as declared"]
        print(f"{name:17}", dict(became), flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()

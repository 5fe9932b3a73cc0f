"""Memory of a long evening: `python -m tests.benchmarks.heap [--hours 12] [--rate 50]`.

Feeds so many facts a second of a simulated clock (12 hours are some minutes) into what the daemon
feeds them into: the match with its table, its recording and its journal. Fingers touch cells that
bounce, a move is made every ten seconds, a new match begins when one is over or three hours old.
Every five minutes something goes wrong for half a minute, one of `FAULTS`, whose half minute counts
in the rate; afterwards somebody says that the board is right. It is set up as the service is, with
its environment. Prints what the process has in memory after each hour; of devices and pages it
knows nothing (`tests.benchmarks.soak` does).

Ends with status 1 where that grew by more than 5 % after the first hour, or where there is another
file than the matches and the journal should have.
"""

import argparse
import contextlib
import gc
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from hexboard.board import Board, find, load
from hexboard.commands.run import set_aside
from hexboard.daemon.match import Match
from hexboard.daemon.notices import Notices
from hexboard.daemon.opening import Opening
from hexboard.daemon.run import Run
from hexboard.facts import (
    HUNG_US,
    Body,
    Declare,
    Edge,
    Lost,
    Presence,
    Report,
    Ruling,
    Scanned,
    Snapshot,
    Start,
    Tick,
    Watermark,
)
from hexboard.record.journal import Journal
from hexboard.settings import Settings
from hexboard.table.effects import Commit

TAPPED = '\n[[sensors]]\nkind = "seat"\nsource = "pico"\nfirst_input = 0\nmin_high_us = 20000\n'
SECOND = 1_000_000_000
MORE = 1.05
"""So many times the first hour's memory may be in use later."""
LONGEST_H = 3
"""A match is over after so many hours."""
EACH = 4
"""Files of a match at most: recording, what it is about, secrets."""
OWN = 6
"""Files beside: the board, the journal, its WAL and backup."""
FAULTS = ("away", "lost", "hung", "flood", "flicker", "journal away", "slow disk", "nonsense")
"""The Pico's cable is out; facts are dropped; the Pico stands still; twenty times as many facts
come; one sensor flickers; the journal cannot be written; it takes half a minute to; a page says
what nobody can do."""
EVERY_S, LASTS_S = 300, 30
FLOOD = 20


class Evening:
    """Matches that follow each other on one board."""

    def __init__(self, state: Path, board: Board, seed: int) -> None:
        self.state, self.board = state, board
        self._dice = random.Random(seed)
        self._opening = Opening(
            Run(board, state, Settings(), "hexalma"), board, Notices([], lambda: None)
        )
        self._journal: Journal = self._opening.journal()
        self._sensors = [sensor.id for sensor in board.sensors]
        self.match: Match | None = None
        self.matches = self.facts = self.moves = 0
        self.faults: Counter[str] = Counter()
        self._fault = ""
        self.now = SECOND

    def close(self) -> None:
        if self.match is not None:
            self.match.close()
        self._journal.close()

    def hour(self, rate: int) -> None:
        """An hour of facts."""
        for second in range(3600):
            if self.match is None or self._over(self.match):
                self._begin()
            until = self.now + SECOND
            if second % EVERY_S == EVERY_S - LASTS_S:
                self._goes_wrong(self._dice.choice(FAULTS))
            bodies = list(self._second(rate))
            for source, body in bodies:
                self.now += SECOND // len(bodies)
                self._feed(source, body)
            if second % EVERY_S == EVERY_S - 1:
                self._mended()
            self.now = until

    def _second(self, rate: int) -> Iterator[tuple[str, Body]]:
        """What comes in a second: a finger that bounces, and now and then a move."""
        if self._dice.random() < 0.1 and (move := self._move()):
            yield "page 1", Declare(-1, move)
        if self._fault == "away":
            return
        if self._fault == "nonsense":
            said = self._dice.choice(("", "A1", "undo", "tile Z9 Q 7", "position " + "x" * 999))
            yield "page 2", Declare(self._dice.choice((-1, 0, 7)), said)
            yield "page 2", Ruling(said, "a page")
        cell = self._sensors[0] if self._fault == "flicker" else self._dice.choice(self._sensors)
        for number in range(rate * (FLOOD if self._fault == "flood" else 1) - 3):
            if self._fault == "flood":
                cell = self._dice.choice(self._sensors)
            yield "pico", Edge(cell, number % 2 == 0)
        yield "pico", Edge(cell, False)
        yield "pico", Watermark(self.now)

    def _goes_wrong(self, fault: str) -> None:
        self._fault = fault
        self.faults[fault] += 1
        if fault == "away":
            self._feed("pico", Presence(False, "the cable is out"))
        elif fault == "lost":
            self._feed("pico", Lost(40))
        elif fault == "hung":
            self._feed("pico", Scanned(HUNG_US, 1000))
        elif fault == "journal away":
            self._feed("journal", Presence(False, "no space left"))

    def _mended(self) -> None:
        fault, self._fault = self._fault, ""
        assert self.match is not None
        if fault == "away":
            self._feed("pico", Presence(True))
            self._feed("pico", Snapshot(()))
        elif fault == "journal away":
            self._feed("journal", Presence(True))
        self._save(self.match)
        self._feed("page 1", Ruling("right"))

    def _move(self) -> str:
        assert self.match is not None
        position = self.match.view.position
        names = [position.name(action) for action in position.legal]
        return self._dice.choice(names) if names else ""

    def _over(self, match: Match) -> bool:
        return match.view.position.scores is not None or self.now - self._since > self._longest

    def _begin(self) -> None:
        start: Start = self._opening.new(self._journal, after=self.match.name if self.match else "")
        old, folder = self.match, self.state / "recordings"
        witnessed = old.witnessed if old is not None else None
        self.match = Match(self.board, start, self._journal, folder, print, self.board.hash)
        if old is not None:
            old.close()
            del old
            gc.collect()  # as the daemon does
        self.matches += 1
        self._since, self._longest = self.now, LONGEST_H * 3600 * SECOND
        self._feed("table", start)
        for source in ("journal", "pico"):
            self._feed(source, Presence(True))
        self._feed("pico", Snapshot(()))
        if witnessed is not None:
            self._feed("table", witnessed)

    def _feed(self, source: str, body: Body) -> None:
        assert self.match is not None
        self.facts += 1
        for report in (Report(source, self.now, body), *self._due()):
            for effect in self.match.step(report):
                if isinstance(effect, Commit):
                    self.moves += 1
                    self.match.commit(effect)
                    if self._fault not in ("journal away", "slow disk"):
                        self._save(self.match)

    def _save(self, match: Match) -> None:
        match.writing()()
        match.saved()

    def _due(self) -> Iterator[Report]:
        assert self.match is not None
        if self.match.deadline is not None and self.match.deadline + SECOND // 10 <= self.now:
            yield Report("table", self.now, Tick())


def resident() -> float:
    """MB of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def as_the_service_is() -> None:
    """Begin again with the environment of the service, unless it is there already."""
    unit = Path(__file__).parents[2] / "hardware" / "hexboard.service"
    lines = unit.read_text("utf-8").splitlines()
    given = [line.removeprefix("Environment=") for line in lines if line.startswith("Environment=")]
    wanted = dict(pair.split("=", 1) for pair in given)
    if not wanted.items() <= os.environ.items():
        again = [sys.executable, "-m", "tests.benchmarks.heap", *sys.argv[1:]]
        os.execve(sys.executable, again, os.environ | wanted)


def main() -> None:
    as_the_service_is()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=int, default=12)
    parser.add_argument("--rate", type=int, default=50, help="facts a second")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    found: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "tapped.toml")
        file.write_text(find("hexhex-5").read_text("utf-8") + TAPPED, "utf-8")
        evening = Evening(Path(folder), load(file), asked.seed)
        set_aside()
        with contextlib.closing(evening), patch.object(time, "monotonic_ns", lambda: evening.now):
            print("hour     facts  moves  matches   memory")
            for hour in range(asked.hours):
                evening.hour(asked.rate)
                found.append(resident())
                print(
                    f"{hour + 1:4} {evening.facts:9} {evening.moves:6} {evening.matches:8}"
                    f" {found[-1]:6.1f} MB",
                    flush=True,
                )
        files = sum(path.is_file() for path in Path(folder).rglob("*"))
    grown = max(found) / found[0]
    print("went wrong: " + ", ".join(f"{fault} {n}" for fault, n in evening.faults.items()))
    print(f"memory at most {grown:.3f} of the first hour's; {files} files")
    sys.exit(grown > MORE or files > EACH * evening.matches + OWN)


if __name__ == "__main__":
    main()

"""The tracker against the simulator: `python -m tests.benchmarks.rolls [--rolls N] [--seed N]`.

Rolls on random full and half-full boards with one to three balls, through the whole table; each
pulse is missed with a given probability, a quarter as many false ones come at any sensor, and
levels are reread each second. A roll counts as wrong when its outcome (a win, tiles that go,
areas set off, lanes held, three balls on a tile) is ruled otherwise than it truly was and nobody
was asked; as misplaced when only a ball lies elsewhere. What the rules let a player choose is no
question. Beside it the CPU of an edge (until nothing is due) and of judging a roll.
With `--keep FOLDER` each roll is written there, and those of the same setting and seed are not
rolled again: empty it when the tracker has changed.
"""

import argparse
import math
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, json
from msgspec.structs import replace

from hexboard.board import Board, find, load
from hexboard.facts import (
    MS,
    Body,
    Decide,
    Edge,
    Fact,
    Ruling,
    Snapshot,
    Start,
    Watermark,
)
from hexboard.game.match import Played
from hexboard.games import hextraction
from hexboard.games.hextraction.rules.actions import Fire
from hexboard.games.hextraction.rules.position import Hextraction
from hexboard.games.hextraction.rules.state import LOOP, Placed
from hexboard.games.hextraction.table.balls import Balls
from hexboard.games.hextraction.tiles.catalogue import everything, written
from hexboard.games.hextraction.tiles.tile import Described, Tile
from hexboard.table.core import Table
from tests.benchmarks import percentile, reference
from tests.simulator.roll import Faults
from tests.simulator.trials import Ruled, Trial, Trials

SETTLE = 1500
RATES = (0.0, 0.01, 0.02, 0.05)
TRIGGERS = ("CartoonBomb", "Clone", "LastWord", "Tinder", "Toll", "TeleportIn")
"""Tiles whose trigger areas and ways are known."""

T = TypeVar("T")


class Heard(Struct):
    """What the table made of a trial."""

    ruled: Ruled
    questions: list[str]
    times: list[float]
    """Milliseconds of CPU that each rising edge took, until nothing was due."""
    judging: float
    """Milliseconds of CPU that the end of the roll took."""


class Listener:
    """A table that hears a trial, and is answered truthfully."""

    def __init__(self, board: Board, trial: Trial, kind: type[Balls] = Balls) -> None:
        options: dict[str, int | str | bool] = {"settle_ms": SETTLE, "tiles": written(trial.more)}
        start = Start("m", board.name, board.hash, "hextraction", hextraction.rules(), options, "b")
        self.table = Table(hextraction.GAME, board, start, kind)
        assert isinstance(self.table.sensing, Balls)
        self.balls = self.table.sensing
        self.board, self.trial = board, trial
        self.now = 0
        self._n = 0
        position = self.position
        for slot, placed in trial.tiles.items():
            position = position.with_tile(slot, placed)
        for number, place in enumerate(trial.lying, 1):
            position = position.with_ball(number, place)
        self.feed(Ruling(f"position {position}", "host"))
        high = [f"seat:{slot}" for slot in trial.tiles] + ["rail:main"]
        for place in trial.lying:
            high += [s for kind in ("gate", "edge") if (s := f"{kind}:{place}") in board.sensor]
        self.feed(Snapshot(tuple(sorted(high))))

    @property
    def position(self) -> Hextraction:
        return self.balls.believed.position

    def feed(self, body: Body) -> None:
        self._n += 1
        self._step(Fact(self._n, self.now, self.now, "pico", body))

    def _step(self, fact: Fact) -> None:
        self.table.step(fact)

    def hear(self) -> Heard:
        before = dict(self.position.tiles)
        times: list[float] = []
        questions: list[str] = []
        offset = self.now = 1000 * MS
        for at, sensor, level in self.trial.said:
            self.now = max(self.now, offset + at)
            self._until(self.now)
            self.feed(Edge(sensor, level))
            start = time.process_time()
            self.now += MS
            self.feed(Watermark(self.now))  # the rise is believed here
            if level:
                times.append((time.process_time() - start) * 1000)
        judging = 0.0
        for _ in range(12):
            self.now += 2 * SETTLE * MS
            start = time.process_time()
            self.feed(Watermark(self.now))
            judging += (time.process_time() - start) * 1000
            asking = self.table.asking
            if asking is None:
                if self.table.deadline is None or self.position.stable:
                    break
                continue
            if asking.message.key.startswith("table."):  # else the rules give a choice
                questions.append(asking.message.key)
            self.feed(Decide(asking.id, self.truth()))
        return Heard(self.ruled(before), questions, times, judging)

    def _until(self, now: int) -> None:
        """Let the table conclude what falls due before `now`."""
        while (due := self.table.deadline) is not None and due < now:
            self._n += 1
            self._step(Fact(self._n, due, due, "pico", Watermark(due)))

    def truth(self) -> str:
        """The choice that is so. Balls are alike: any end that nobody has taken will do."""
        assert self.table.asking is not None
        ends = self.trial.ends
        asked = dict(self.table.asking.message.values).get("ball")
        for ball in self.position.balls:
            track = self.balls.believed.tracker.balls.get(ball.id)
            if ball.id != asked and (track is None or not track.moving):
                ends[ball.place] -= 1
        names = [choice.name for choice in self.table.asking.choices]
        for choice in self.table.asking.choices:
            values = dict(choice.message.values)
            lost = ", ".join(cell for cell in self.board.cell if cell in self._lost()) or "-"
            rests = ", ".join(self.trial.ruled.rests) or "-"
            fired = ", ".join(" ".join(area) for area in self.trial.ruled.fired) or "-"
            if values.get("fired", fired) != fired:
                continue
            if (values.get("lost"), values.get("rests")) == (lost, rests):
                return choice.name
            if choice.message.key.endswith("_win") and self.trial.ruled.win:
                return choice.name
        for name in names:
            kind, *words = name.split(" ")
            place = {"rest": ":".join(words[1:]), "off": "off:" + "-".join(words[1:])}.get(
                kind, {"goal": "zone", "fell": "fell"}.get(kind, "") + ":" + "-".join(words[1:])
            )
            if any(n > 0 and _same(place, end) for end, n in ends.items()):
                return name
        return next((n for n in names if n.startswith("gone")), names[0])

    def _lost(self) -> set[str]:
        """The tiles that go by 2.1.5, those below blocked lanes apart."""
        counted = {cell for cell, n in self.trial.outcome.touches.items() if n >= 3}
        off = {how[4:].split("-")[0] for _, how in self.trial.outcome.left if how[:4] == "off:"}
        return counted | off

    def ruled(self, before: dict[str, Placed]) -> Ruled:
        """What the table ruled, before the effects that were set off are resolved."""
        position = self.position
        lying = [b.place for b in position.balls if not b.place.startswith(("fell", "off"))]
        fired = tuple(sorted(self._fired().elements()))
        if position.winner is not None or any(place.startswith("zone:") for place in lying):
            return Ruled(True, fired=fired)
        gone = before.keys() - position.tiles.keys()
        if position.phase == "resolving":
            gone |= {b.last for b in position.balls if b.place.startswith("off:")}
            gone |= {slot for slot, count in position.touches.items() if count >= LOOP}
        return Ruled(False, frozenset(gone & before.keys()), tuple(sorted(lying)), fired)

    def _fired(self) -> Counter[tuple[str, str]]:
        """The areas that the table says were set off."""
        actions = (
            self.position.action(entry.action)
            for entry in self.table.ledger.match.entries
            if isinstance(entry, Played)
        )
        return Counter((a.slot, a.area) for a in actions if isinstance(a, Fire))


def _same(answer: str, end: str) -> bool:
    """Whether a ball ended as people say: over which side of a tile it left, nobody minds."""
    if answer.startswith("off:"):
        return answer.rpartition("-")[0] == end.rpartition("-")[0]
    return answer == end


class Result(Struct, array_like=True):
    """What became of one roll. Times are ms of CPU."""

    right: bool
    """The outcome is; `placed`: where each ball lies, too."""
    placed: bool
    questions: int
    pulses: int
    times: list[float]
    judging: float

    @property
    def wrong(self) -> bool:
        return not self.right and not self.questions

    @property
    def misplaced(self) -> bool:
        return self.right and not self.placed and not self.questions


def result(board: Board, trial: Trial) -> Result:
    """Let the table hear a trial and compare."""
    heard = Listener(board, trial).hear()
    return Result(
        heard.ruled.outcome == trial.ruled.outcome,
        heard.ruled == trial.ruled,
        len(heard.questions),
        len(trial.outcome.pulses),
        [round(time, 4) for time in heard.times],
        round(heard.judging, 3),
    )


def kept(
    file: Path | None, kind: type[T], rolls: int, trials: Trials, make: Callable[[Trial], T]
) -> list[T]:
    """What `make` says of so many trials; what is known of the first of them is in a file."""
    found: list[T] = []
    if file and file.exists():
        found = [json.decode(line, type=kind) for line in file.read_bytes().splitlines()]
    for n in range(rolls):
        trial = trials.one()
        if n < len(found):
            continue
        found.append(make(trial))
        if file:
            with file.open("ab") as lines:
                lines.write(json.encode(found[-1]) + b"\n")
    return found[:rolls]


def results(
    board: Board,
    rolls: int,
    seed: int,
    faults: Faults,
    balls: tuple[int, ...],
    more: tuple[Tile, ...] = (),
    keep: Path | None = None,
) -> list[Result]:
    """What became of `rolls` rolls, as many with each number of balls."""
    found: list[Result] = []
    for count in balls:
        trials = Trials(board, seed * 10 + count, faults, count, more=more)
        name = f"{'areas' if more else 'basic'}-{faults.miss:g}-{count}-{seed}.jsonl"
        file = keep and keep / name
        found += kept(file, Result, rolls // len(balls), trials, lambda one: result(board, one))
    return found


def most(events: int, rolls: int) -> float:
    """The largest rate at which so few events are seen in one of twenty such runs or more often
    (Poisson)."""
    low, high = 0.0, events + 20.0
    for _ in range(60):
        middle = (low + high) / 2
        terms = (middle**k / math.factorial(k) for k in range(events + 1))
        low, high = (low, middle) if math.exp(-middle) * sum(terms) < 0.05 else (middle, high)
    return low / rolls


def with_areas() -> tuple[Tile, ...]:
    """Tiles with trigger areas whose effects do nothing: what is set off is seen, nothing else."""
    tiles = (everything()[id] for id in TRIGGERS)
    return tuple(
        replace(tile, effects=tuple(replace(effect, do=()) for effect in tile.effects))
        for tile in tiles
        if isinstance(tile, Described)
    )


def line(miss: float, false: float, rolls: list[Result]) -> str:
    """A line of the first table."""
    times = sorted(time for roll in rolls for time in roll.times)
    judging = sorted(roll.judging for roll in rolls)
    wrong, misplaced = sum(r.wrong for r in rolls), sum(r.misplaced for r in rolls)
    asked = sum(r.questions > 0 for r in rolls)
    return (
        f"{miss:6.1%} {false:6.2%} {len(rolls):6} {sum(r.pulses for r in rolls):6}"
        f"  {wrong:4} ({wrong / len(rolls):6.2%}, at most {most(wrong, len(rolls)):6.2%})"
        f"  {misplaced:4} ({misplaced / len(rolls):5.2%})"
        f"  {asked:4} ({asked / len(rolls):4.1%})"
        f" {sum(not r.right and r.questions > 0 for r in rolls):12}"
        f" {percentile(times, 0.5):16.3f} {percentile(times, 0.99):6.2f}"
        f" {percentile(judging, 0.5):12.2f} {percentile(judging, 0.99):5.1f}"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rolls", type=int, default=3000)
    options.add_argument("--balls", type=int, nargs="+", default=[1, 2, 3])
    options.add_argument("--miss", type=float, nargs="+", default=list(RATES))
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--keep", type=Path)
    chosen = options.parse_args()
    if chosen.keep:
        chosen.keep.mkdir(parents=True, exist_ok=True)
    board = load(find("hextraction-22"))
    print(f"fixed loop {reference():.0f} ms; {chosen.rolls} rolls a line, balls {chosen.balls}")
    for name, tiles in (("the Basic pack", ()), ("and tiles with trigger areas", with_areas())):
        print(f"\n{name}\nmissed  false  rolls pulses  wrong unasked, 95 %", end="")
        print("           misplaced    rolls asked  wrong asked", end="")
        print("   ms an edge p50    p99   a roll p50   p99")
        for miss in chosen.miss:
            faults = Faults(miss=miss, false=miss / 4)
            balls = tuple(chosen.balls)
            rolls = results(board, chosen.rolls, chosen.seed, faults, balls, tiles, chosen.keep)
            print(line(miss, faults.false, rolls), flush=True)


if __name__ == "__main__":
    main()

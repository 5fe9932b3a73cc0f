"""The tracker against the simulator: `python -m tests.benchmarks.rolls [--rolls N] [--seed N]`.

Rolls on random full and half-full boards with one to three balls, through the whole table; each
pulse is missed with a given probability, a quarter as many false ones come at any sensor, and
levels are reread each second. A roll counts as wrong when what is ruled is not what truly happened
and nobody was asked. Then the CPU that one edge costs, beside a fixed loop.
"""

import argparse
import time
from collections.abc import Iterator

from msgspec import Struct

from controller.board import Board, find, load
from controller.facts import MS, Body, Decide, Edge, Fact, Ruling, Snapshot, Start, Watermark
from controller.games import hextraction
from controller.games.hextraction.position import Placed
from controller.simulator.roll import Faults
from controller.table import Balls
from tests.benchmarks import percentile, reference
from tests.simulator.trials import Ruled, Trial, Trials

SETTLE = 1500
RATES = (0.0, 0.01, 0.02, 0.05)


class Heard(Struct):
    """What the table made of a trial."""

    ruled: Ruled
    questions: list[str]
    times: list[float]
    """Milliseconds that each fact which carried a rising edge took, until nothing was due."""


class Listener:
    """A table that hears a trial, and is answered truthfully."""

    def __init__(self, board: Board, trial: Trial) -> None:
        options: dict[str, int | str | bool] = {"settle_ms": SETTLE}
        start = Start("m", board.name, board.hash, "hextraction", hextraction.rules(), options, "b")
        self.table = Balls(board, start)
        self.trial = trial
        self.now = 0
        self._n = 0
        position = self.table.position
        for slot, placed in trial.tiles.items():
            position = position.with_tile(slot, placed)
        for number, place in enumerate(trial.lying, 1):
            position = position.with_ball(number, place)
        self.feed(Ruling(f"position {position}", "host"))
        high = [f"seat:{slot}" for slot in trial.tiles] + ["rail:main"]
        for place in trial.lying:
            high += [s for kind in ("gate", "edge") if (s := f"{kind}:{place}") in board.sensor]
        self.feed(Snapshot(tuple(sorted(high))))

    def feed(self, body: Body) -> None:
        self._n += 1
        self.table.step(Fact(self._n, self.now, self.now, "pico", body))

    def hear(self) -> Heard:
        before = dict(self.table.position.tiles)
        times: list[float] = []
        questions: list[str] = []
        offset = self.now = 1000 * MS
        for at, sensor, level in self.trial.said:
            self.now = max(self.now, offset + at)
            self._until(self.now)
            self.feed(Edge(sensor, level))
            start = time.perf_counter()
            self.now += MS
            self.feed(Watermark(self.now))  # the rise is believed here
            if level:
                times.append((time.perf_counter() - start) * 1000)
        for _ in range(12):
            self.now += 2 * SETTLE * MS
            self.feed(Watermark(self.now))
            asking = self.table.asking
            if asking is None:
                if self.table.deadline is None or self.table.position.stable:
                    break
                continue
            questions.append(asking.message.key)
            self.feed(Decide(asking.id, self.truth()))
        return Heard(self.ruled(before), questions, times)

    def _until(self, now: int) -> None:
        """Let the table conclude what falls due before `now`."""
        while (due := self.table.deadline) is not None and due < now:
            self._n += 1
            self.table.step(Fact(self._n, due, due, "pico", Watermark(due)))

    def truth(self) -> str:
        """The choice that is so. Balls are alike: any end that nobody has taken will do."""
        assert self.table.asking is not None
        ends = self.trial.ends
        for ball in self.table.position.balls:
            track = self.table.tracker.balls.get(ball.id)
            if track is None or not track.moving:
                ends[ball.place] -= 1
        names = [choice.name for choice in self.table.asking.choices]
        for name in names:
            kind, *words = name.split(" ")
            place = {"rest": ":".join(words[1:]), "off": "off:" + "-".join(words[1:])}.get(
                kind, {"goal": "zone", "fell": "fell"}.get(kind, "") + ":" + "-".join(words[1:])
            )
            if ends[place] > 0:
                return name
        return next((n for n in names if n.startswith("gone")), names[0])

    def ruled(self, before: dict[str, Placed]) -> Ruled:
        position = self.table.position
        if position.winner is not None:
            return Ruled(True)
        lying = [b.place for b in position.balls if not b.place.startswith(("fell", "off"))]
        gone = frozenset(before.keys() - position.tiles.keys())
        return Ruled(False, gone, tuple(sorted(lying)))


class Score(Struct):
    rolls: int = 0
    pulses: int = 0
    wrong: int = 0
    asked: int = 0
    questions: int = 0
    wrong_asked: int = 0
    times: list[float] = []


def play(
    board: Board, rolls: int, seed: int, faults: Faults, balls: tuple[int, ...]
) -> Iterator[tuple[Trial, Heard]]:
    for count in balls:
        trials = Trials(board, seed * 10 + count, faults, count)
        for _ in range(rolls // len(balls)):
            trial = trials.one()
            yield trial, Listener(board, trial).hear()


def score(board: Board, rolls: int, seed: int, faults: Faults, balls: tuple[int, ...]) -> Score:
    total = Score(times=[])
    for trial, heard in play(board, rolls, seed, faults, balls):
        wrong = heard.ruled != trial.ruled
        total.rolls += 1
        total.pulses += len(trial.outcome.pulses)
        total.wrong += wrong and not heard.questions
        total.wrong_asked += wrong and bool(heard.questions)
        total.asked += bool(heard.questions)
        total.questions += len(heard.questions)
        total.times += heard.times
    return total


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rolls", type=int, default=3000)
    options.add_argument("--balls", type=int, nargs="+", default=[1, 2, 3])
    options.add_argument("--miss", type=float, nargs="+", default=list(RATES))
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    board = load(find("hextraction-22"))
    print(f"fixed loop {reference():.0f} ms; {chosen.rolls} rolls a line, balls {chosen.balls}")
    print(
        "missed  false  rolls  pulses  wrong unasked   rolls asked  questions  wrong asked"
        "   ms an edge p50  p99"
    )
    for miss in chosen.miss:
        faults = Faults(miss=miss, false=miss / 4)
        total = score(board, chosen.rolls, chosen.seed, faults, tuple(chosen.balls))
        times = sorted(total.times)
        print(
            f"{miss:6.1%} {faults.false:6.2%} {total.rolls:6} {total.pulses:7}"
            f"  {total.wrong:5} ({total.wrong / total.rolls:6.2%})"
            f"  {total.asked:5} ({total.asked / total.rolls:5.1%}) {total.questions:9}"
            f" {total.wrong_asked:12} {percentile(times, 0.5):16.3f} {percentile(times, 0.99):5.2f}"
        )


if __name__ == "__main__":
    main()

"""The tracker against the simulator: `python -m tests.benchmarks.rolls [--rolls N] [--seed N]`.

1. Rolls on random full and half-full boards with one to three balls, through the whole table; each
   pulse is missed with a given probability, a quarter as many false ones come at any sensor, and
   levels are reread each second. A roll counts as wrong when its outcome (a win, tiles that go,
   areas set off, lanes held, three balls on a tile) is ruled otherwise than it truly was and nobody
   was asked; as misplaced when only a ball lies elsewhere. Beside it the CPU of an edge (until
   nothing is due) and of judging a roll, and a fixed loop.
2. Questions on a board of seven slots against those of the exact posterior (tests/simulator/exact):
   asking in the order of its doubt until it is wrong as seldom as the tracker.
3. Taps a turn when the demo player plays whole evenings with all sensors and registered tiles.
"""

import argparse
import time
from collections import Counter

from msgspec import Struct
from msgspec.structs import replace

from controller.board import Board, find, load
from controller.demo.evening import Evening
from controller.facts import (
    MS,
    Body,
    Decide,
    Declare,
    Edge,
    Fact,
    Ruling,
    Snapshot,
    Start,
    Watermark,
)
from controller.games import hextraction
from controller.games.hextraction.actions import Fire
from controller.games.hextraction.state import LOOP, Placed
from controller.games.hextraction.tiles import Described, Tile, everything, written
from controller.games.position import Played
from controller.record.account import Told
from controller.simulator.roll import Faults
from controller.table import Balls
from controller.table.balls import DOUBT
from tests.benchmarks import percentile, reference
from tests.simulator.exact import posterior, small_board
from tests.simulator.trials import Ruled, Trial, Trials

SETTLE = 1500
RATES = (0.0, 0.01, 0.02, 0.05)
TRIGGERS = ("CartoonBomb", "Clone", "LastWord", "Tinder", "Toll", "TeleportIn")
"""Tiles whose trigger areas and ways are known."""
EXACT = 500
"""Rolls on the small board at most, for each rate and number of balls."""


class Heard(Struct):
    """What the table made of a trial."""

    ruled: Ruled
    questions: list[str]
    times: list[float]
    """Milliseconds that each rising edge took, until nothing was due."""
    judging: float
    """Milliseconds that the end of the roll took."""


class Listener:
    """A table that hears a trial, and is answered truthfully."""

    def __init__(self, board: Board, trial: Trial, make: type[Balls] = Balls) -> None:
        options: dict[str, int | str | bool] = {"settle_ms": SETTLE, "tiles": written(trial.more)}
        start = Start("m", board.name, board.hash, "hextraction", hextraction.rules(), options, "b")
        self.table = make(board, start)
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
        judging = 0.0
        for _ in range(12):
            self.now += 2 * SETTLE * MS
            start = time.perf_counter()
            self.feed(Watermark(self.now))
            judging += (time.perf_counter() - start) * 1000
            asking = self.table.asking
            if asking is None:
                if self.table.deadline is None or self.table.position.stable:
                    break
                continue
            questions.append(asking.message.key)
            self.feed(Decide(asking.id, self.truth()))
        return Heard(self.ruled(before), questions, times, judging)

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
        for choice in self.table.asking.choices:
            values = dict(choice.message.values)
            lost = ", ".join(c.id for c in self.table.board.cells if c.id in self._lost()) or "-"
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
            if ends[place] > 0:
                return name
        return next((n for n in names if n.startswith("gone")), names[0])

    def _lost(self) -> set[str]:
        """The tiles that go by 2.1.5, those below blocked lanes apart."""
        counted = {cell for cell, n in self.trial.outcome.touches.items() if n >= 3}
        off = {how[4:].split("-")[0] for _, how in self.trial.outcome.left if how[:4] == "off:"}
        return counted | off

    def ruled(self, before: dict[str, Placed]) -> Ruled:
        """What the table ruled, before the effects that were set off are resolved."""
        position = self.table.position
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
            self.table.position.action(entry.action)
            for entry in self.table.match.entries
            if isinstance(entry, Played)
        )
        return Counter((a.slot, a.area) for a in actions if isinstance(a, Fire))


class Score(Struct):
    rolls: int = 0
    pulses: int = 0
    wrong: int = 0
    misplaced: int = 0
    """Rolls with the right outcome, nobody asked, and a ball not where it is believed."""
    asked: int = 0
    questions: int = 0
    wrong_asked: int = 0
    times: list[float] = []
    judging: list[float] = []


def score(
    board: Board,
    rolls: int,
    seed: int,
    faults: Faults,
    balls: tuple[int, ...],
    more: tuple[Tile, ...] = (),
) -> Score:
    """What became of `rolls` rolls, as many with each number of balls."""
    total = Score(times=[], judging=[])
    for count in balls:
        trials = Trials(board, seed * 10 + count, faults, count, more=more)
        for _ in range(rolls // len(balls)):
            trial = trials.one()
            heard = Listener(board, trial).hear()
            wrong = heard.ruled.outcome != trial.ruled.outcome
            total.rolls += 1
            total.misplaced += heard.ruled != trial.ruled and not wrong and not heard.questions
            total.pulses += len(trial.outcome.pulses)
            total.wrong += wrong and not heard.questions
            total.wrong_asked += wrong and bool(heard.questions)
            total.asked += bool(heard.questions)
            total.questions += len(heard.questions)
            total.times += heard.times
            total.judging.append(heard.judging)
    return total


def against_exact(rolls: int, seed: int, faults: Faults, balls: int) -> tuple[int, ...]:
    """On the small board: how often the tracker was wrong unasked and of how many rolls it asked;
    the same of the exact posterior, asking until it is wrong no oftener; and when it asks at the
    doubt at which the tracker does."""
    board = small_board()
    trials = Trials(board, seed * 10 + balls, faults, balls, lying=0.0)
    wrong = asked = 0
    exact: list[tuple[float, bool]] = []
    for _ in range(rolls):
        trial = trials.one()
        heard = Listener(board, trial).hear()
        asked += bool(heard.questions)
        wrong += heard.ruled.outcome != trial.ruled.outcome and not heard.questions
        sensors = len(trials.ground.pulsed)
        rulings = posterior(board, trial, faults.miss, faults.false, sensors)
        outcomes: dict[tuple[object, ...], float] = {}
        for ruling, share in rulings.items():
            outcomes[ruling.outcome] = outcomes.get(ruling.outcome, 0.0) + share
        best, share = max(outcomes.items(), key=lambda one: one[1], default=(None, 0.0))
        exact.append((1 - share, best == trial.ruled.outcome))
    exact.sort(reverse=True)
    at_once = sum(doubt > DOUBT / 1e6 for doubt, _ in exact)
    unasked = sum(not right for doubt, right in exact if doubt <= DOUBT / 1e6)
    missed, needed = sum(not right for _, right in exact), 0
    while missed > wrong:
        missed -= not exact[needed][1]
        needed += 1
    return wrong, asked, missed, needed, unasked, at_once


def taps(board: Board, seed: int, turns: int) -> tuple[list[int], list[int]]:
    """What people said in each turn of an evening; and in each ordinary one, in which no host
    spoke, no full board had to be cleared, and the rules gave no choice (2.1.5.5, 2.6.4)."""
    said: dict[int, list[Body]] = {}
    turn = 1

    def keep(fact: Fact, told: list[Told]) -> None:
        nonlocal turn
        if fact.source == "player" and isinstance(fact.body, Declare | Decide | Ruling):
            said.setdefault(turn, []).append(fact.body)
        if fact.n > 5:
            turn = evening.table.position.turn

    evening = Evening(board, seed, SETTLE, keep)
    said.clear()
    evening.play(turns)
    ordinary = [
        len(bodies)
        for bodies in said.values()
        if not any(
            isinstance(body, Ruling)
            or (isinstance(body, Declare) and body.action.startswith("clear"))
            or (isinstance(body, Decide) and body.choice.startswith(("choose", "resolve")))
            for body in bodies
        )
    ]
    return [len(bodies) for bodies in said.values()], ordinary


def print_taps(board: Board, seed: int, evenings: int = 5, turns: int = 40) -> None:
    """Median and maximum of what people have to say in a turn of random games."""
    every: list[int] = []
    plain: list[int] = []
    for k in range(evenings):
        more, ordinary = taps(board, seed * 10 + k, turns)
        every += more
        plain += ordinary
    for name, counts in (("all", sorted(every)), ("ordinary", sorted(plain))):
        middle, most = percentile([float(n) for n in counts], 0.5), counts[-1]
        print(f"taps in {len(counts)} {name} turns: median {middle:.0f}, most {most}", flush=True)


def with_areas() -> tuple[Tile, ...]:
    """Tiles with trigger areas whose effects do nothing: what is set off is seen, nothing else."""
    tiles = (everything()[id] for id in TRIGGERS)
    return tuple(
        replace(tile, effects=tuple(replace(effect, do=()) for effect in tile.effects))
        for tile in tiles
        if isinstance(tile, Described)
    )


def line(miss: float, false: float, total: Score) -> str:
    """A line of the first table."""
    times, judging = sorted(total.times), sorted(total.judging)
    return (
        f"{miss:6.1%} {false:6.2%} {total.rolls:6} {total.pulses:6}"
        f"  {total.wrong:4} ({total.wrong / total.rolls:6.2%})"
        f"  {total.misplaced:4} ({total.misplaced / total.rolls:6.2%})"
        f"  {total.asked:4} ({total.asked / total.rolls:4.1%})"
        f" {total.questions:10} {total.wrong_asked:12}"
        f" {percentile(times, 0.5):16.3f} {percentile(times, 0.99):6.2f}"
        f" {percentile(judging, 0.5):12.2f} {percentile(judging, 0.99):5.1f}"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rolls", type=int, default=3000)
    options.add_argument("--balls", type=int, nargs="+", default=[1, 2, 3])
    options.add_argument("--miss", type=float, nargs="+", default=list(RATES))
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    board = load(find("hextraction-22"))
    print(f"fixed loop {reference():.0f} ms; {chosen.rolls} rolls a line, balls {chosen.balls}")
    triggers = with_areas()
    for name, tiles in (("the Basic pack", ()), ("and tiles with trigger areas", triggers)):
        print(
            f"\n{name}\nmissed  false  rolls pulses  wrong unasked    misplaced  rolls asked",
            end="",
        )
        print("  questions  wrong asked   ms an edge p50    p99   a roll p50   p99")
        for miss in chosen.miss:
            faults = Faults(miss=miss, false=miss / 4)
            total = score(board, chosen.rolls, chosen.seed, faults, tuple(chosen.balls), tiles)
            print(line(miss, faults.false, total), flush=True)
    rolls = min(chosen.rolls // 3, EXACT)
    print(f"\nseven slots, {rolls} rolls a line: wrong unasked and rolls asked of")
    print("missed balls    the tracker    exact, as seldom wrong    exact, at the same doubt")
    for miss in chosen.miss:
        for balls in (1, 2):
            faults = Faults(miss=miss, false=miss / 4)
            against = against_exact(rolls, chosen.seed, faults, balls)
            print(
                "{:6.1%} {:5} {:7} {:6} {:15} {:9} {:16} {:9}".format(miss, balls, *against),
                flush=True,
            )
    print_taps(board, chosen.seed)


if __name__ == "__main__":
    main()

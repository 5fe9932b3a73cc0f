"""The referee in the second world: `python -m tests.benchmarks.worlds [--rolls N] [--seed N]`.

Whole evenings of `tests/worlds` are fed to a whole table, as the daemon feeds it; people in it wait
for the referee, answer what they are asked by what is true, and do what is to be done. Of each roll
is counted whether it was ruled rightly, asked of, or ruled wrongly without a word; of the time
between rolls, what was ruled or asked though nobody rolled. Nothing in the world is fitted to the
referee.

Right: the tiles that go and the winner are those of the truth. Asked: a question was open at the
roll that the rules themselves do not ask. Unnoticed: nothing ruled, and a roll is still awaited.
Wrong: none of these. Misplaced: right, but a ball lies elsewhere than believed. Stuck: the roll was
still open a minute later. Open: the rules leave it open (a second ball let go). Reopened: a ball
went on after its roll was taken to be over, which was told anew. After each wrong
ruling people put the board right, and after each ball that they moved themselves, or were asked of.
Where the daemon is killed another one goes on from what was journalled, and people are asked to
look the board over: asked, unless the new table ruled what the truth contradicts, or did not ask.
"""

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count
from typing import TextIO

from msgspec.structs import replace

from hexboard.board import Board, find, load
from hexboard.facts import MS, Edge, Presence, Report, Snapshot, Watermark
from hexboard.games.hextraction.tiles.catalogue import everything
from hexboard.table.view import Asking, Choice
from hexboard.words import Said
from tests.benchmarks.referee import GAME, Referee
from tests.worlds import CLEAN, Evening, Knobs, Part, Roll, evening, turned
from tests.worlds.evening import BOARD
from tests.worlds.truth import Layout

LANES = ("B1-1", "B1-2", "B1-6", "D1-1", "D1-2", "D1-6")
ROWS = {
    "hands, no faults": Knobs(),
    "2 % missed, 0.5 % false": Knobs(missed=0.02, false=0.005),
    "the same, one slow way a roll": Knobs(missed=0.02, false=0.005, slow_rolls=1.0),
    "5 % missed, 1.25 % false": Knobs(missed=0.05, false=0.0125),
    "unplugged in each roll": Knobs(unplugs=1.0),
    "rebooted in each roll": Knobs(reboots=1.0),
    "facts lost in each roll": Knobs(losses=1.0),
    "daemon killed in each roll": Knobs(kills=1.0),
    "two slow kinds of tile": Knobs(
        missed=0.02, false=0.005, rolls=60, slow_tiles=("S", "J"), slow_s=3.0
    ),
    "a tile put back turned, after every fifth move": Knobs(turns=0.2),
    "loading places that speak for nobody, and slow ways": Knobs(
        slow_rolls=1.0, loud=tuple((f"load:{lane}", 2.0) for lane in LANES)
    ),
}
PULSE = "one false pulse between rolls"
THINKING_NS = 3000 * MS
"""So long people take to answer."""
PATIENT_NS = 60_000 * MS
"""So long they wait for the referee to make up its mind."""
HANDLED = ("dropped", "knocked", "taken", "picked up", "laid and taken")
"""Deeds after which people look whether the page shows the balls as they lie."""
LENGTHS_MS = (1, 3, 8, 20, 50, 100)
COUNTED = (
    *("right", "asked", "wrong", "unnoticed", "misplaced", "ruled between", "asked between"),
    *("stuck", "open", "reopened"),
)


class Play:
    """One evening at one referee after the other (a match each), and what came of it."""

    def __init__(self, board: Board, night: Evening, promises: bool = True) -> None:
        self._board, self.night, self._promises = board, night, promises
        self.counts: Counter[str] = Counter()
        self.asked_of: Counter[str] = Counter()
        """Which questions, by key."""
        self.notes: list[str] = []
        """What was wrong, a line each."""
        self._shift = 0
        self._elsewhere: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self.referee = Referee(board, night.parts[0].begin, promises)
        self._stood = ""
        """The position with which a daemon that was killed began again."""
        self._high: set[str] = set()

    def played(self) -> "Play":
        for part in self.night.parts:
            self.part(part)
        return self

    def part(self, part: Part) -> None:
        """Hear it, wait for the referee, say what people say, and look at what it made of it."""
        if part.kind == "begin":
            self._again(part.begin + self._shift)
        self._heard(part)
        if part.kind == "begin":
            self._lay(part)
        asked = self._waited(part)
        if part.roll is not None:
            self._judged(part, part.roll, asked)
        else:
            self._between(part, asked)
        self._looked(part, bool(asked))
        for action in part.declares:
            if not self.referee.declare(action):
                said = self.referee.refused[-1].key
                self._note(part, "ruled between", f"{action} refused: {said}")
                self._put_right(part)
                self.referee.declare(action)

    # ------------------------------------------------------------------------------- facts

    def _again(self, now: int) -> None:
        """Another table, that of the next match, which recalls what the one before knew."""
        before = self.referee.witnesses.fact
        self.referee = Referee(self._board, now, self._promises)
        self.referee.say(before, "table")
        self._hear_of_the_board()

    def _hear_of_the_board(self) -> None:
        """A new table hears from the daemon who is there and what is high."""
        now = self.referee.now
        self.referee.hear(Report("pico", now, Presence(True)), now)
        self.referee.hear(Report("pico", now, Snapshot(tuple(sorted(self._high)))), now)

    def _heard(self, part: Part) -> None:
        coming = self._coming(part)
        silent = part.roll.silence if part.roll else (0, 0)
        self.referee.silence = (silent[0] + self._shift, silent[1] + self._shift)
        for report, arrival, stamp in zip(part.reports, part.arrivals, coming, strict=True):
            body = report.body
            if isinstance(body, Edge):
                (self._high.add if body.level else self._high.discard)(body.sensor)
            elif isinstance(body, Snapshot):
                self._high = set(body.high)
            elif isinstance(body, Watermark):
                body = Watermark(body.until + self._shift)
            if body == Presence(True) and part.roll and part.roll.outage == "kill":
                self.referee = self.referee.killed(self.referee.silence[0], arrival + self._shift)
                self._stood = str(self.referee.view.position)
            at = report.at + self._shift
            self.referee.hear(
                Report(report.source, at, body, at // 1000), arrival + self._shift, stamp
            )

    def _coming(self, part: Part) -> Iterator[tuple[int, ...]]:
        """For each report the stamp of the first edge that is still to come, as () or (ns,)."""
        found: list[tuple[int, ...]] = []
        first: tuple[int, ...] = ()
        for report in reversed(part.reports):
            if isinstance(report.body, Edge):
                first = (report.at + self._shift,)
            found.append(first)
        return reversed(found)

    def _waited(self, part: Part) -> list[str]:
        """Until the referee has nothing more to conclude; the keys of what was asked meanwhile."""
        referee, asked = self.referee, []
        referee.wait(part.end + self._shift)
        until = referee.now + PATIENT_NS
        while referee.now < until:
            if (asking := referee.asking) is not None:
                asked.append(asking.message.key)
                referee.wait(referee.now + THINKING_NS)
                if (still := referee.asking) is not None:
                    asked += [still.message.key] if still.id != asking.id else []
                    if not self._answer(part, still):
                        break
            elif referee.deadline is not None:
                referee.wait(min(until, max(referee.deadline + 200 * MS, referee.now + MS)))
            else:
                break
        self._shift = max(self._shift, referee.now - part.end)
        self.asked_of.update(asked)
        return asked

    # ------------------------------------------------------------------------------- people

    def _answer(self, part: Part, asking: Asking) -> bool:
        """What is true, as far as the answers offer it; whether it was taken."""
        best = max(asking.choices, key=lambda choice: self._truth_of(part, asking, choice))
        if self.referee.decide(asking, best.name):
            return True
        return self.referee.rule("void")

    def _truth_of(self, part: Part, asking: Asking, choice: Choice) -> tuple[int, ...]:
        """How true an answer is; the higher the truer."""
        roll, values = part.roll, dict(choice.message.values)
        match choice.message.key:
            case "table.answer_reading" if roll is not None:
                return self._reading_of(part, roll, values)
            case "table.answer_void":
                return (2 if roll is None else -1,)
            case "table.answer_as_shown" | "table.answer_lies":
                return (int(self._is_so(part, choice)),)
            case "table.answer_stays":
                return (1,)  # hands lift tiles in this world, and put them back
            case "hextraction.do_choose_placed" if roll is not None:
                return (_chosen(roll, values.get("slot"), asking),)
            case (
                "table.answer_rest" | "table.answer_fell" | "table.answer_off" | "table.answer_gone"
            ):
                return (self._place_of(part, choice),)
            case "table.answer_odd_more":
                return (2 * (choice.name.split()[2] in self._places(part.balls)),)
            case "table.answer_felt_none":
                return (1,)
        return (0,)

    def _is_so(self, part: Part, choice: Choice) -> bool:
        """Does the tile lie so, as far as balls meet it alike?"""
        _, slot, tile, turn = choice.name.split()
        if tile == "?":
            return False
        lies = next(((t, at) for s, t, at in part.layout if s == slot), None)
        return lies is not None and met(tile, int(turn)) == met(*lies)

    def _reading_of(self, part: Part, roll: Roll, values: dict[str, Said]) -> tuple[int, ...]:
        """Does it come to the same? and how many balls lie elsewhere in it?"""
        chosen = {gone for _, gone in roll.crowds}
        lost = set(_listed(values.get("lost"))) == set(roll.destroyed) - chosen
        rests, true = Counter(_listed(values.get("rests"))), Counter(self._places(part.balls))
        zones = {zone.id for zone in self._board.zones}
        won = any(place.removeprefix("zone:") in zones for place in rests) == roll.won
        return (1, lost and won, -(rests - true).total() - (true - rests).total())

    def _place_of(self, part: Part, choice: Choice) -> int:
        """Where is ball N? It is the one that the referee's other balls do not account for."""
        kind, number, *place = choice.name.split()
        others = {id: at for id, at in self.referee.shown.balls.items() if id != int(number)}
        left = Counter(self._places(part.balls)) - Counter(others.values())
        if kind == "rest":
            return 3 if left[place[0]] else 0
        if left:
            return 0
        roll = part.roll
        slots = {slot for _, slot in (*roll.fell, *roll.off)} if roll else set[str]()
        return 3 if place and place[0] in slots else int(kind == "gone")

    def _looked(self, part: Part, asked: bool) -> None:
        """Who has just moved a ball by hand, was asked, or was told to look for a ball, looks at
        the page and puts right what it shows."""
        told = any(message.key == "table.unfelt" for message in self.referee.told)
        handled = any(deed.kind in HANDLED for deed in part.deeds)
        self.referee.told.clear()
        self.counts["reopened"] += self.referee.reopened
        self.referee.reopened = 0
        if (told or handled or asked) and self.referee.shown.phase == "idle":
            believed = self.referee.shown.places
            if believed != self._places(part.balls):
                self.counts["balls put right"] += 1
                self._put_right(part)

    def _seen(self, part: Part) -> Layout:
        """The tiles as people say that they lie."""
        return part.layout

    def _lay(self, part: Part) -> None:
        tiles = ",".join(f"{slot}:{tile}:{turn}" for slot, tile, turn in self._seen(part))
        if not self.referee.rule(f"position {self.referee.shown.changed(tiles=tiles, balls='')}"):
            raise RuntimeError(self.referee.refused[-1])

    def _put_right(self, part: Part) -> None:
        """People say what lies where, by a ruling; where that is refused a new table opens."""
        gone = set(part.roll.destroyed) if part.roll else set()
        tiles = ",".join(f"{s}:{t}:{turn}" for s, t, turn in self._seen(part) if s not in gone)
        balls = (f"{i}@{p}.{last}" for i, (p, last) in enumerate(self._lying(part), 1))
        played = self._done(part)
        values = {"tiles": tiles, "balls": ",".join(balls), "done": played}
        values["seat"] = f"{part.seat}/2"
        if not self.referee.rule(f"position {self.referee.shown.changed(**values)}"):
            self._again(self.referee.now)
            if not self.referee.rule(f"position {self.referee.shown.changed(**values)}"):
                raise RuntimeError(self.referee.refused[-1])
        self._elsewhere = (Counter(), Counter())

    def _done(self, part: Part) -> str:
        """How many rolls and plays of the turn are done once the part is over, as `R,P`."""
        rolls = plays = 0
        for other in self.night.parts:
            if other.kind in ("begin", "end") and other is not part:
                rolls = plays = 0
            rolls += other.roll is not None
            plays += other.kind == "play" and other is not part
            if other is part:
                break
        return f"{rolls},{plays}"

    # ------------------------------------------------------------------------------- judging

    def _judged(self, part: Part, roll: Roll, asked: list[str]) -> None:
        if roll.open_rule:  # the rules do not say what it comes to
            self.counts.update(("rolls", "open"))
            self._put_right(part)
            return
        shown = self.referee.shown
        lay = {slot for slot, _, _ in part.layout}
        winner = roll.seat if roll.won else -1
        same = shown.tiles.keys() == lay - set(roll.destroyed) and shown.winner == winner
        right = same and self._rolled(shown.phase, roll)
        heard = shown.phase != "idle" or shown.rolls > 0 or shown.tiles.keys() != lay
        doubts = [key for key in asked if not key.startswith(f"{GAME}.")]
        kind = "asked" if doubts else "right" if right else "wrong" if heard else "unnoticed"
        if roll.outage == "kill":
            kind = self._after_the_kill(part, right, bool(doubts))
        self.counts.update(("rolls", kind))
        if kind == "wrong":
            lost = sorted({s for s, _, _ in part.layout} - shown.tiles.keys())
            said = f"{shown.phase}, lost {lost}, winner {shown.winner}"
            self._note(part, "", f"roll {roll.number}: {said}; true: {roll.destroyed} {roll.won}")
        if right:
            self._misplaced(part)
        if not right and self._waiting(shown.phase):
            self.counts["stuck"] += 1
        if not right:
            self._put_right(part)

    def _after_the_kill(self, part: Part, right: bool, doubts: bool) -> str:
        """What the table made of it that began again; people look the board over, and say of each
        ball that is felt where none is known whether it lies there."""
        view = self.referee.view
        ruled = str(view.position) != self._stood and not doubts
        kind = "wrong" if ruled and not right else "asked" if view.confirm else "unnoticed"
        self.referee.rule("right")
        while (asking := self.referee.asking) is not None and self._answer(part, asking):
            pass
        return kind

    def _rolled(self, phase: str, roll: Roll) -> bool:
        return phase == ("over" if roll.won else "idle") and (
            roll.won or self.referee.shown.rolls == 1
        )

    def _waiting(self, phase: str) -> bool:
        return phase in ("rolling", "resolving") or self.referee.asking is not None

    def _misplaced(self, part: Part) -> None:
        true, believed = Counter(self._places(part.balls)), Counter(self.referee.shown.places)
        elsewhere = (true - believed, believed - true)
        if elsewhere != self._elsewhere and elsewhere[0]:
            self.counts["misplaced"] += 1
        self._elsewhere = elsewhere

    def _between(self, part: Part, asked: list[str]) -> None:
        """Nobody rolled: nothing is to be ruled."""
        if asked:
            self.counts["asked between"] += 1
        shown = self.referee.shown
        tiles = {slot for slot, _, _ in part.layout}
        quiet = part.kind in ("gap", "end")
        done = self._done(part) if quiet else ""
        if shown.winner >= 0 and not self._won_before(part):
            self._note(part, "ruled between", f"{shown.winner} has won")
        elif (
            quiet
            and shown.winner < 0
            and (shown.tiles.keys() != tiles or shown.values["done"] != done)
        ):
            self._note(part, "ruled between", f"done {shown.values['done']}, true {done}")
        else:
            return
        self._put_right(part)

    def _won_before(self, part: Part) -> bool:
        """The evening's parts after a win are of the next match."""
        won = False
        for other in self.night.parts:
            won = (won and other.kind != "begin") or bool(other.roll and other.roll.won)
            if other is part:
                return won
        return won

    def _note(self, part: Part, kind: str, what: str) -> None:
        if kind:
            self.counts[kind] += 1
        deeds = ", ".join(deed.kind for deed in part.deeds)
        self.notes.append(f"seed {self.night.seed}, {part.kind} [{deeds}]: {what}")

    # ------------------------------------------------------------------------------- places

    def _places(self, balls: dict[int, str]) -> list[str]:
        """As the referee names them."""
        return sorted(self._place(place) for place in balls.values())

    def _place(self, place: str) -> str:
        slot, _, edge = place.partition("/")
        if edge:
            return self._board.seam(slot, int(edge))
        return f"zone:{place}" if place in {zone.id for zone in self._board.zones} else place

    def _lying(self, part: Part) -> Iterable[tuple[str, str]]:
        """Place and last tile of each ball."""
        for place in part.balls.values():
            slot = place.partition("/")[0]
            yield self._place(place), slot if slot in self._board.cell else ""


def met(tile: str, turn: int) -> set[frozenset[int]]:
    """What balls meet of a tile: which edges its spaces join."""
    return {frozenset((edge - 1 + turn) % 6 for edge in net) for net in everything()[tile].nets}


def rows(
    seed: int, rolls: int, settings: dict[str, Knobs]
) -> Iterator[tuple[str, Play, Counter[str]]]:
    """For each row its counts and the last play that came of it, with notes."""
    board = load(find(BOARD))
    for name, knobs in settings.items():
        total: Counter[str] = Counter()
        asked: Counter[str] = Counter()
        notes: list[str] = []
        for k in count():
            in_time = not (knobs.late_ms or knobs.steps)
            play = Play(board, evening(seed * 100_000 + k, knobs), in_time).played()
            total += play.counts
            asked += play.asked_of
            notes += play.notes
            progress(name, total["rolls"], rolls)
            if total["rolls"] >= rolls:
                break
        play.notes, play.asked_of = notes, asked
        yield name, play, total


def pulses(seed: int, boards: int) -> Counter[str]:
    """One false pulse at each sensor while balls lie and nobody rolls; what was ruled or asked."""
    board, total = load(find(BOARD)), Counter[str]()
    sensors = [sensor.id for sensor in board.sensors if sensor.kind not in ("rail", "button")]
    for k in range(boards):
        night = evening(seed * 100_000 + k, replace(CLEAN, rolls=6, filled=0.9))
        play = _unwon(board, night)
        for i, sensor in enumerate(sensors):
            length = LENGTHS_MS[(i + k) % len(LENGTHS_MS)]
            total.update(("pulses", _apart(partial(_pulsed, play, sensor, length))))
            progress(PULSE, k * len(sensors) + i + 1, boards * len(sensors))
    return total


def pulse(board: Board, night: Evening, sensor: str, length_ms: int) -> str:
    """What one pulse does after an evening, or before its win: nothing, asked, ruled or moved."""
    return _pulsed(_unwon(board, night), sensor, length_ms)


def _unwon(board: Board, night: Evening) -> Play:
    """An evening up to its end, or its win."""
    play = Play(board, night)
    for part in night.parts:
        if part.roll and part.roll.won:
            break
        play.part(part)
    return play


def _apart(what: Callable[[], str]) -> str:
    """What it says in a process of its own, so that all here stays as it is."""
    reads, writes = os.pipe()
    if not (child := os.fork()):
        os.write(writes, what().encode())
        os._exit(0)
    os.close(writes)
    os.waitpid(child, 0)
    with os.fdopen(reads) as told:
        return told.read()


def _pulsed(play: Play, sensor: str, length_ms: int) -> str:
    referee = play.referee
    before, at = referee.shown, referee.now + 2000 * MS
    high = sensor in referee.view.high
    for level, when in ((not high, at), (high, at + length_ms * MS)):
        referee.hear(Report("pico", when, Edge(sensor, level), when // 1000), when + 3 * MS)
    referee.wait(at + 8000 * MS)
    after = referee.shown
    if referee.asking is not None:
        return "asked"
    if (after.phase, after.tiles, after.rolls, after.winner) != (
        before.phase,
        before.tiles,
        before.rolls,
        before.winner,
    ):
        return "ruled"
    return "nothing" if after.places == before.places else "moved"


def _chosen(roll: Roll, slot: object, asking: Asking) -> int:
    """How well a tile fits what the roller chose, of tiles that three balls touch (2.1.5.5)."""
    crowds = dict(roll.crowds)
    if asking.message.key == "hextraction.ask_crowds":  # which is dealt with first
        return next((len(crowds) - n for n, crowd in enumerate(crowds) if crowd == slot), 0)
    chosen = crowds.get(str(dict(asking.message.values).get("slot")))
    return 4 * (slot == chosen) + 2 * (slot in crowds.values()) + (slot in crowds)


def _listed(said: Said | None) -> list[str]:
    """A list in a message: "C3, D4", or "-" for none."""
    return [item for item in str(said or "-").split(", ") if item != "-"]


def progress(name: str, done: int, of: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{name}: {min(done, of)} of {of}   ", end="", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rolls", type=int, default=60, help="rolls a row, at least")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--boards", type=int, default=1, help="boards of the row of pulses")
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    parser.add_argument("knobs", nargs="*", metavar="KNOB=VALUE", help="one row with these instead")
    parser.add_argument("--notes", action="store_true", help="what was wrong, a line each")
    said = parser.parse_args()
    chosen = {name: knobs for name, knobs in ROWS.items() if said.only in name}
    if said.knobs:
        chosen = {" ".join(said.knobs): turned(said.knobs)}
    begun, figures = time.monotonic(), {}
    print(f"| world 2, seed {said.seed} | rolls | {' | '.join(COUNTED)} |", file=_told(said.json))
    print("|---" * (2 + len(COUNTED)) + "|", file=_told(said.json))
    for name, play, total in rows(said.seed, said.rolls, chosen):
        figures[name] = dict(total) | {"questions": dict(play.asked_of), "notes": play.notes}
        cells = " | ".join(str(total[kind]) for kind in COUNTED)
        print(f"| {name} | {total['rolls']} | {cells} |", file=_told(said.json), flush=True)
        if said.notes:
            print("\n".join(play.notes), file=_told(said.json))
    if said.only in PULSE and not said.knobs:
        total = pulses(said.seed, said.boards)
        figures[PULSE] = dict(total)
        text = ", ".join(f"{kind} {number}" for kind, number in sorted(total.items()))
        print(f"{PULSE} ({said.boards} boards): {text}", file=_told(said.json))
    print(f"{time.monotonic() - begun:.0f} s", file=_told(said.json))
    if said.json:
        print(json.dumps(figures))


def _told(as_json: bool) -> TextIO:
    return sys.stderr if as_json else sys.stdout


if __name__ == "__main__":
    main()

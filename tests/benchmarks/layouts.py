"""Tiles that lie otherwise than people say: `python -m tests.benchmarks.layouts [--rolls N]`.

Evenings of the second world (`tests/worlds`) at a whole table. In each match people say of one tile
that it lies otherwise than it does: turned, or another tile; or of none. They notice only when they
are asked how that tile lies. Found: so many rolls that touched the tile it took until they were.
Told: of those a ball did in its first rolls what it could not have done as people said. Likelier:
of those, and of those where its ways through the tile were together `TELLS` times likelier by the
odds in the files of the tile that lies there. Untold: of the rest each ball went as it could have;
hinted: of these it was together `HINTS` times likelier. Missed: told or likelier, and not found
within three rolls. A false alarm is such a question about a tile that lies as shown, or that balls
meet alike.
"""

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterator
from itertools import count, takewhile
from random import Random

from hexboard.board import EDGES, Board, find, load
from hexboard.games.hextraction.tiles.catalogue import everything
from hexboard.games.hextraction.tiles.tile import Tile
from hexboard.table.view import Asking
from tests.benchmarks.worlds import Play, met, progress
from tests.worlds import Evening, Knobs, Part, Roll, evening
from tests.worlds.evening import BOARD
from tests.worlds.truth import Layout

KNOBS = Knobs(missed=0.02, false=0.005)
ROWS = ("turned", "wrong", "none")
WITHIN = 3
"""So many rolls over a tile should be enough."""
TELLS = 1000
"""So many times likelier as the tile lies than as people say: that tells, though it could be."""
HINTS = 10
"""So much is a hint, and far from one in 5000, as which another tile is."""
RARE = 0.001
"""A way of which a tile's file does not speak."""


class Mistaken(Play):
    """An evening at a referee who was told wrongly of one tile of each match."""

    def __init__(self, board: Board, night: Evening, kind: str) -> None:
        super().__init__(board, night)
        self._kind, self._pick = kind, Random(f"mistaken {night.seed}")
        self._said: tuple[str, str, int] | None = None
        """The slot, and what people say that lies there, until it is found."""
        self._over = 0
        self._times = 1.0
        """How much likelier what balls did in its first rolls is as it lies than as people say."""
        self.found: list[tuple[int, float]] = []
        """After how many rolls over it, those not found: minus that; and how much likelier."""
        self.alarms = self.unnamed = 0

    def played(self) -> "Mistaken":
        super().played()
        self._ends()
        return self

    def part(self, part: Part) -> None:
        if part.kind == "begin":
            self._ends()
            self._mistake(part)
        gone = part.kind != "roll" and self._said not in self._seen(part)
        if gone:
            self._ends()
        if part.roll and self._said and self._said[0] in {t.slot for t in part.roll.touches}:
            self._over += 1
            if self._over <= WITHIN:
                self._times *= self._tells(part, part.roll)
        super().part(part)

    def _tells(self, part: Part, roll: Roll) -> float:
        """How much likelier what balls did is as the tile lies than had it lain as people say."""
        assert self._said is not None
        slot, *_ = self._said
        lies = next((tile, turn) for at, tile, turn in part.layout if at == slot)
        said = self._said[1], self._said[2]
        edges = {self._board.seam(slot, edge): edge for edge in EDGES}
        came, times = dict[int, int](), 1.0
        for sign in roll.signs:
            edge = edges.get(sign.sensor.partition(":")[2], 0) if sign.way != "load" else 0
            before, came[sign.ball] = came.get(sign.ball, 0), edge
            if edge:
                times *= likelier(lies, said, before, edge)
        return times

    def _ends(self) -> None:
        """Nobody can find it any more."""
        if self._said and self._over:
            self.found.append((-self._over, self._times))
        self._said, self._over, self._times = None, 0, 1.0

    def _match(self, begin: Part) -> Iterator[Roll]:
        """The rolls of the match that begins."""
        parts = self.night.parts[self.night.parts.index(begin) + 1 :]
        for part in takewhile(lambda part: part.kind != "begin", parts):
            if part.roll:
                yield part.roll

    def _mistake(self, part: Part) -> None:
        kinds = everything()
        said = [
            (slot, id, turn)
            for slot, tile, lies in part.layout
            for id in KNOBS.sets
            for turn in kinds[id].rotations(self._board.key_edge)
            if (id == tile) == (self._kind == "turned") and met(id, turn) != met(tile, lies)
        ]
        over = Counter(
            slot for roll in self._match(part) for slot in {t.slot for t in roll.touches}
        )
        slots = sorted({slot for slot, *_ in said if over[slot] >= WITHIN})
        if self._kind != "none" and slots:
            slot = self._pick.choice(slots)
            self._said = self._pick.choice([one for one in said if one[0] == slot])

    def _seen(self, part: Part) -> Layout:
        slot = self._said and self._said[0]
        return tuple(self._said if self._said and one[0] == slot else one for one in part.layout)

    def _answer(self, part: Part, asking: Asking) -> bool:
        if asking.message.key == "table.turned":
            slot = dict(asking.message.values)["slot"]
            if self._said is None or slot != self._said[0]:
                self.alarms += 1
                self._note(part, "", f"a false alarm: {[c.name for c in asking.choices]}")
            else:
                self.found.append((self._over, self._times))
                self._said, self._over, self._times = None, 0, 1.0
                if not any(self._is_so(part, choice) for choice in asking.choices[:-2]):
                    self.unnamed += 1
                    tile, turn = next((t, n) for s, t, n in part.layout if s == slot)
                    return self.referee.rule(f"tile {slot} {tile} {turn}")
        return super()._answer(part, asking)


def likelier(lies: tuple[str, int], said: tuple[str, int], entry: int, out: int) -> float:
    """How much likelier it is of a tile than of another one, each with its turn, that a ball which
    came in at an edge, or 0, is felt at another; `math.inf` where the other has no such way."""
    (true, turn), (other, at) = ((everything()[id], turn) for id, turn in (lies, said))
    doors = other.doors(at)
    if (out in doors) != (out in true.doors(turn)):
        return math.inf
    if entry in (0, out):
        return 1.0
    if out not in doors.get(entry, ()):
        return math.inf
    return _share(true, turn, entry, out) / _share(other, at, entry, out)


def _share(tile: Tile, turn: int, entry: int, out: int) -> float:
    odds = tile.odds(turn, entry)
    return max(odds.get(out, 0.0) / (sum(odds.values()) or 1.0), RARE)


def row(kind: str, seed: int, rolls: int) -> dict[str, int]:
    """What came of so many rolls."""
    board, total, found, alarms = load(find(BOARD)), Counter[str](), list[tuple[int, float]](), 0
    for k in count():
        play = Mistaken(board, evening(seed * 100_000 + k, KNOBS), kind).played()
        total += play.counts
        found += play.found
        alarms += play.alarms
        progress(kind, total["rolls"], rolls)
        if total["rolls"] >= rolls:
            break
    enough = [(n, times) for n, times in found if n > 0 or n <= -WITHIN]
    within = {f"within {n}": sum(0 < each <= n for each, _ in enough) for n in range(1, WITHIN + 1)}
    told = dict[str, int]()
    for name, least in (("told", math.inf), ("likelier", TELLS)):
        tell = [n for n, times in enough if times >= least]
        told |= {name: len(tell), f"{name}, within 3": sum(0 < n <= WITHIN for n in tell)}
    told["missed"] = told["likelier"] - told["likelier, within 3"]
    untold = [times for _, times in enough if times < TELLS]
    told |= {"untold": len(untold), "hinted": sum(times >= HINTS for times in untold)}
    kept = {name: total[name] for name in ("rolls", "right", "wrong", "asked")}
    return {**kept, "mistakes": len(enough), **within, **told, "false alarms": alarms}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rolls", type=int, default=120, help="rolls a row, at least")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    parser.add_argument("--json", action="store_true")
    said = parser.parse_args()
    figures = {}
    for kind in ROWS:
        if said.only in kind:
            figures[kind] = row(kind, said.seed, said.rolls)
            if not said.json:
                told = ", ".join(f"{name} {number}" for name, number in figures[kind].items())
                print(f"{kind}: {told}", flush=True)
    if said.json:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()

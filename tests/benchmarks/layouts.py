"""Tiles that lie otherwise than people say: `python -m tests.benchmarks.layouts [--rolls N]`.

Evenings of the second world (`tests/worlds`) at a whole table. In each match people say of one tile
that it lies otherwise than it does: turned, or another tile; or of none. They notice only when they
are asked how that tile lies. Found: so many rolls that touched the tile it took until they were.
Told: of those a ball did in its first rolls what it could not have done as people said. A false
alarm is such a question about a tile that lies as shown, or that balls meet alike.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from itertools import count, takewhile
from random import Random

from hexboard.board import EDGES, Board, find, load
from hexboard.games.hextraction.tiles.catalogue import everything
from hexboard.table.view import Asking
from tests.benchmarks.worlds import Play, met, progress
from tests.worlds import Evening, Knobs, Part, Roll, evening
from tests.worlds.evening import BOARD
from tests.worlds.truth import Layout

KNOBS = Knobs(missed=0.02, false=0.005)
ROWS = ("turned", "wrong", "none")
WITHIN = 3
"""So many rolls over a tile should be enough."""


class Mistaken(Play):
    """An evening at a referee who was told wrongly of one tile of each match."""

    def __init__(self, board: Board, night: Evening, kind: str) -> None:
        super().__init__(board, night)
        self._kind, self._pick = kind, Random(f"mistaken {night.seed}")
        self._said: tuple[str, str, int] | None = None
        """The slot, and what people say that lies there, until it is found."""
        self._over = 0
        self._told = False
        """Whether a ball went otherwise than it could have, in its first rolls."""
        self.found: list[tuple[int, bool]] = []
        """After how many rolls over it, those not found: minus that; and whether told."""
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
            self._told |= self._over <= WITHIN and self._tells(part, part.roll)
        super().part(part)

    def _tells(self, part: Part, roll: Roll) -> bool:
        """Whether a ball went as it could not have, had the tile lain as people say."""
        assert self._said is not None
        slot, *_ = self._said
        lies = next(one for one in part.layout if one[0] == slot)
        doors, true = (everything()[tile].doors(turn) for _, tile, turn in (self._said, lies))
        edges = {self._board.seam(slot, edge): edge for edge in EDGES}
        came = dict[int, int]()
        for sign in roll.signs:
            edge = edges.get(sign.sensor.partition(":")[2], 0) if sign.way != "load" else 0
            before, came[sign.ball] = came.get(sign.ball, 0), edge
            shut = edge and (edge in doors) != (edge in true)
            if shut or (before and edge and edge not in (before, *doors.get(before, ()))):
                return True
        return False

    def _ends(self) -> None:
        """Nobody can find it any more."""
        if self._said and self._over:
            self.found.append((-self._over, self._told))
        self._said, self._over, self._told = None, 0, False

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
                self.found.append((self._over, self._told))
                self._said, self._over, self._told = None, 0, False
                if not any(self._is_so(part, choice) for choice in asking.choices[:-2]):
                    self.unnamed += 1
                    tile, turn = next((t, n) for s, t, n in part.layout if s == slot)
                    return self.referee.rule(f"tile {slot} {tile} {turn}")
        return super()._answer(part, asking)


def row(kind: str, seed: int, rolls: int) -> dict[str, int]:
    """What came of so many rolls."""
    board, total, found, alarms = load(find(BOARD)), Counter[str](), list[tuple[int, bool]](), 0
    for k in count():
        play = Mistaken(board, evening(seed * 100_000 + k, KNOBS), kind).played()
        total += play.counts
        found += play.found
        alarms += play.alarms
        progress(kind, total["rolls"], rolls)
        if total["rolls"] >= rolls:
            break
    enough = [(n, told) for n, told in found if n > 0 or n <= -WITHIN]
    within = {f"within {n}": sum(0 < each <= n for each, _ in enough) for n in range(1, WITHIN + 1)}
    told = {"told": sum(told for _, told in enough)}
    told["told, within 3"] = sum(told and 0 < n <= WITHIN for n, told in enough)
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

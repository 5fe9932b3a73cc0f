"""The room: one board, the balls on it, the time, and everything that any sensor has felt."""

import math
from dataclasses import dataclass, field
from random import Random

from hexboard.board import EDGES, Board, CellId
from hexboard.games.hextraction.tiles.tile import Tile
from tests.worlds import rules
from tests.worlds.electrics import poisson
from tests.worlds.ground import Ground
from tests.worlds.knobs import Knobs
from tests.worlds.physics import Contact, Rest, Run
from tests.worlds.truth import Deed

EPOCH_S = 1000.0
"""What the board's clock shows when an evening begins."""


def ns(seconds: float) -> int:
    return round((EPOCH_S + seconds) * 1e9)


@dataclass
class Room:
    """Changes as the evening goes on; `now` is in s from its beginning."""

    board: Board
    kinds: tuple[Tile, ...]
    knobs: Knobs
    random: Random
    now: float = 0.0
    contacts: list[Contact] = field(default_factory=list)
    resting: dict[int, Rest] = field(default_factory=dict)
    deeds: list[Deed] = field(default_factory=list)
    balls: int = 0
    """So many have been taken out of the box."""
    seats: dict[CellId, Contact] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ground = Ground(self.board, self.knobs.tilt_deg, self.knobs.side_deg)

    def wait(self, median_s: float) -> None:
        self.now += self.random.lognormvariate(math.log(median_s), 0.5)

    def often(self, mean: float) -> int:
        """A Poisson number."""
        return poisson(mean, self.random)

    def felt(self, sensor: str, on: float, long_s: float, ball: int = 0, way: str = "hand") -> None:
        self.contacts.append(Contact(sensor, on, on + long_s, ball, way))

    def did(self, kind: str, since: float, place: str = "", ball: int = 0) -> None:
        self.deeds.append(Deed(ns(since), ns(max(self.now, since)), kind, place, ball))

    def taken_deeds(self) -> tuple[Deed, ...]:
        """Those since it was last asked."""
        deeds, self.deeds = tuple(self.deeds), []
        return deeds

    # ------------------------------------------------------------------------------- balls

    def new_ball(self) -> int:
        self.balls += 1
        return self.balls

    def run(self) -> Run:
        return Run(self.ground, self.resting, self.knobs, self.random)

    def ran(self, run: Run) -> None:
        """All came to rest: what was felt is kept, and it is later."""
        self.contacts += run.contacts
        self.now = max(self.now, run.end)

    def take(self, ball: int) -> None:
        """A hand takes a ball from where it lies."""
        rest = self.resting.pop(ball)
        if rest.contact is not None:
            rest.contact.off = self.now

    # ------------------------------------------------------------------------------- tiles

    def lay(self, slot: CellId, tile: Tile, rotation: int) -> None:
        self.ground.tiles[slot] = (tile, rotation)
        contact = Contact(f"seat:{slot}", self.now, None, 0, "seat")
        self.seats[slot] = contact
        self.contacts.append(contact)

    def lift(self, slot: CellId) -> tuple[Tile, int]:
        self.seats.pop(slot).off = self.now
        return self.ground.tiles.pop(slot)

    def remove(self, slot: CellId) -> None:
        """A tile goes for good; balls in it fall or go with it, those that leaned on it roll on."""
        self.lift(slot)
        inside = [ball for ball, rest in self.resting.items() if rest.slot == slot]
        walls = set(self.ground.walls(slot))
        leaned = [b for b, r in self.resting.items() if (r.slot, r.edge) in walls]
        run = self.run()
        for ball in inside:
            if self.random.random() < 0.2:
                self.take(ball)
                self.did("taken", self.now, slot, ball)
            else:
                run.loosen(ball, self.now + self.random.uniform(0.05, 0.3))
        for ball in leaned:
            run.loosen(ball, self.now + self.random.uniform(0.05, 0.3), 80.0)
        run.finish()
        self.ran(run)
        for ball in run.moved:
            self.did("freed", self.now, slot, ball)

    def fitting(self, slot: CellId) -> tuple[Tile, int]:
        """A tile and a turn that seats; those of a slot with ramps let a lane in."""
        lanes = [edge for edge in EDGES if (slot, edge) in self.board.entry]
        while True:
            tile = self.random.choice(self.kinds)
            rotation = self.random.choice(tile.rotations(self.board.key_edge))
            open_edges = {(e - 1 + rotation) % 6 + 1 for net in tile.nets for e in net}
            if not lanes or open_edges & set(lanes):
                return tile, rotation

    def lonely(self) -> list[CellId]:
        """Slots with a tile that no ball touches."""
        return [
            slot for slot in self.ground.tiles if not rules.on_tile(slot, self.resting, self.ground)
        ]

    def lanes(self) -> list[str]:
        """Lanes whose foot is no wall and that hold no ball."""
        held = {rest.slot for rest in self.resting.values()}
        return [
            ramp.id
            for ramp in self.board.ramps
            if f"lane {ramp.id}" not in held
            and (ramp.cell not in self.ground.tiles or self.ground.net(ramp.cell, ramp.edge))
        ]

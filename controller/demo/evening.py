"""A whole evening without a clock: the world feeds facts straight to the table, at any speed."""

from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct

from controller import __version__
from controller.board import Board
from controller.demo.player import Player, demo_tiles
from controller.demo.recorded import Keep, recorded
from controller.facts import (
    MS,
    Edge,
    Report,
    Ruling,
    Sequencer,
    Snapshot,
    Start,
    Watermark,
)
from controller.games import hextraction
from controller.games.hextraction.tiles import basic
from controller.record.account import Account
from controller.simulator.world import World
from controller.table import Balls


class Told(Struct, frozen=True):
    """What came of an evening."""

    turns: int
    edges: int
    questions: int
    seconds: float
    digest: str


class Evening:
    """A seeded evening on a simulated board; every fact also goes to `keep`."""

    def __init__(
        self,
        board: Board,
        seed: int,
        settle_ms: int,
        keep: Keep = lambda fact, told: None,
    ) -> None:
        self.world = World(board, basic(), seed)
        self.player = Player(self.world, seed)
        options: dict[str, int | str | bool] = {"settle_ms": settle_ms, "pool": 9999}
        start = Start(
            f"evening-{seed}",
            board.name,
            board.hash,
            hextraction.NAME,
            hextraction.rules(),
            options,
            __version__,
        )
        self.account = Account(board, start)
        assert isinstance(self.account.table, Balls)
        self.table = self.account.table
        self.edges = self.questions = 0
        self._keep = keep
        self._sequencer = Sequencer()
        self._feed([Report("table", 0, start)])
        position = self.table.position
        for slot, placed in demo_tiles(board, basic(), seed).items():
            self.world.seat(slot, placed.tile, placed.rotation)
            position = position.with_tile(slot, placed)
        list(self.world.run(0))
        self._feed([Report("player", 0, Ruling(f"position {position}", "player", "set up"))])
        self._feed([Report("pico", 0, Snapshot(tuple(sorted(self.world.levels))))])

    def play(self, turns: int, progress: Callable[[int], None] = lambda turn: None) -> None:
        """Play until `turns` turns are over; a game that ends is begun again by a ruling."""
        while self.table.position.turn <= turns:
            progress(self.table.position.turn)
            if self.table.position.phase == "over":
                self._say("undo")
            elif self.table.quiet and self._still():
                self._act()
            self._pass()

    def _act(self) -> None:
        self.questions += self.table.asking is not None
        bodies = self.player.turn(self.table)
        self._feed(Report("player", self.world.now, body) for body in bodies)

    def _say(self, ruling: str) -> None:
        self._feed([Report("player", self.world.now, Ruling(ruling, "player", "again"))])
        for ball in list(self.world.balls):
            self.world.lift(ball)

    def _still(self) -> bool:
        return not self.world.moving and self.world.deadline is None

    def _pass(self) -> None:
        """On to the next thing that happens: a sensor sees something, or the table concludes."""
        times = [t for t in (self.world.deadline, self.table.deadline) if t is not None]
        until = min(times, default=self.world.now + 100 * MS)
        for seen in self.world.run(until):
            self.edges += 1
            self._feed([Report("pico", seen.at, Edge(seen.sensor, seen.level), seen.at // 1000)])
        due = self.table.deadline
        if due is not None and due <= until:
            self._feed([Report("pico", until, Watermark(until))])

    def _feed(self, reports: Iterable[Report]) -> None:
        for report in reports:
            fact = self._sequencer.number(report, self.world.now)
            _, told = self.account.step(fact)
            self._keep(fact, told)


def evening(
    board: Board,
    folder: Path,
    seed: int,
    turns: int,
    settle_ms: int,
    progress: Callable[[int], None],
) -> tuple[Path, Told]:
    """Play and record an evening; returns the recording's path and what came of it."""
    with recorded(board, folder, f"evening-{seed}") as (path, keep):
        played = Evening(board, seed, settle_ms, keep)
        played.play(turns, progress)
    return path, Told(
        turns, played.edges, played.questions, played.world.now / 1e9, played.account.digest
    )

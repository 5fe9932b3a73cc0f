"""A whole evening without a clock: the world feeds facts straight to the table, at any speed."""

from collections.abc import Callable, Iterable
from pathlib import Path

from hexboard import __version__
from hexboard.board import Board
from hexboard.demo.recorded import Keep, Summary, recorded
from hexboard.facts import MS, Edge, Report, Ruling, Sequencer, Snapshot, Start, Watermark
from hexboard.games import hextraction
from hexboard.games.hextraction.simulator.player import BallPlayer, demo_tiles, position_of
from hexboard.games.hextraction.simulator.world import TileWorld
from hexboard.games.hextraction.tiles.catalogue import basic
from hexboard.record.transcript import Transcript


class Evening:
    """A seeded evening on a simulated board; every fact also goes to `keep`."""

    def __init__(
        self, board: Board, seed: int, settle_ms: int, keep: Keep = lambda fact, told: None
    ) -> None:
        self.world = TileWorld(board, basic(), seed)
        self.player = BallPlayer(self.world, seed)
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
        self.transcript = Transcript(board, start)
        self.edges = self.questions = 0
        self._keep = keep
        self._sequencer = Sequencer()
        self._feed([Report("table", 0, start)])
        position = position_of(self.transcript.view)
        for slot, placed in demo_tiles(board, basic(), seed).items():
            self.world.seat(slot, placed.tile, placed.rotation)
            position = position.with_tile(slot, placed)
        list(self.world.run(0))
        self._feed([Report("player", 0, Ruling(f"position {position}", "player", "set up"))])
        self._feed([Report("pico", 0, Snapshot(tuple(sorted(self.world.levels))))])

    def play(self, turns: int, progress: Callable[[int], None] = lambda turn: None) -> None:
        """Play until `turns` turns are over; a game that ends is begun again by a ruling."""
        while (position := position_of(view := self.transcript.view)).turn <= turns:
            progress(position.turn)
            if position.phase == "over":
                self._say("undo")
            elif view.quiet and self._still():
                self._act()
            self._pass()

    def _act(self) -> None:
        view = self.transcript.view
        self.questions += view.asking is not None
        bodies = self.player.turn(view)
        self._feed(Report("player", self.world.now, body) for body in bodies)

    def _say(self, ruling: str) -> None:
        self._feed([Report("player", self.world.now, Ruling(ruling, "player", "again"))])
        for ball in list(self.world.balls):
            self.world.lift(ball)

    def _still(self) -> bool:
        return not self.world.moving and self.world.deadline is None

    def _pass(self) -> None:
        """On to the next thing that happens: a sensor sees something, or the table concludes."""
        times = [t for t in (self.world.deadline, self.transcript.deadline) if t is not None]
        until = min(times, default=self.world.now + 100 * MS)
        for seen in self.world.run(until):
            self.edges += 1
            self._feed([Report("pico", seen.at, Edge(seen.sensor, seen.level), seen.at // 1000)])
        due = self.transcript.deadline
        if due is not None and due <= until:
            self._feed([Report("pico", until, Watermark(until))])

    def _feed(self, reports: Iterable[Report]) -> None:
        for report in reports:
            fact = self._sequencer.number(report, self.world.now)
            _, told = self.transcript.step(fact)
            self._keep(fact, told)


def evening(
    board: Board,
    folder: Path,
    seed: int,
    turns: int,
    settle_ms: int,
    progress: Callable[[int], None],
) -> Summary:
    """Play and record an evening."""
    with recorded(board, folder, f"evening-{seed}") as (path, keep):
        played = Evening(board, seed, settle_ms, keep)
        played.play(turns, progress)
    return Summary(
        path,
        turns,
        played.edges,
        played.questions,
        played.world.now / 1e9,
        played.transcript.digest,
    )

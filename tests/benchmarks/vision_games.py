"""Games played through from pictures alone: hands move rendered pieces, a camera reads them.

    python -m tests.benchmarks.vision_games [--moves N] [--seed S] [--light moderate|hard]

The player only moves pieces, as a person would, and says what no camera can see: a pass, a bet, or
which of two moves it was when it is asked.
"""

import argparse
import math
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from hexboard import __version__
from hexboard.board import Board, plain
from hexboard.devices.dealer import Dealer
from hexboard.facts import (
    MS,
    Body,
    Decide,
    Declare,
    Fact,
    Reading,
    Report,
    Ruling,
    Sequencer,
    Start,
    Tick,
)
from hexboard.game import registry
from hexboard.game.position import Action, Visible
from hexboard.record.transcript import Told as Record
from hexboard.record.transcript import Transcript
from hexboard.simulator.camera.render import Hand, view
from hexboard.simulator.camera.tabletop import MODERATE, Mood, Tabletop
from hexboard.table import LATENESS_NS, TableView
from hexboard.table.view import NOTHING
from hexboard.vision.cells.reading import Reader
from hexboard.vision.settling import QUIET_FRAMES, Lookout
from tests.looking import HARD

Keep = Callable[[Fact, list[Record]], None]
"""Takes each fact, and what is told of its step."""
GAMES = ("hexalma", "bad-santa-hex", "hexel")
FRAME_NS = 66 * MS
"""From one frame to the next."""
PATIENCE_FRAMES = 60
"""Frames until somebody who moved says what it was."""


class Told(Struct):
    """What came of it."""

    moves: int = 0
    read: int = 0
    """Moves that the camera knew by itself."""
    wrong: int = 0
    """Moves that were taken for others."""
    asked: int = 0
    said: int = 0
    """Moves that the player had to say, because no camera can see them or this one did not."""
    scolded: int = 0
    """Times the board was called wrong though it was not."""
    frames: int = 0
    digest: str = ""
    over: bool = False


class Frames:
    """A seeded game on a rendered board; every fact also goes to `keep`."""

    def __init__(
        self,
        board: Board,
        game: str,
        options: dict[str, Any],
        seed: int,
        mood: Mood,
        keep: Keep = lambda fact, told: None,
    ) -> None:
        module = registry.find(game)
        self.board, self.told = board, Told()
        self.random = Random(seed)
        camera, pose = view(board)
        self.top = Tabletop(board, camera, pose, seed, mood)
        start = Start(
            f"frames-{game}-{seed}",
            board.name,
            board.hash,
            game,
            module.rules(),
            options,
            __version__,
        )
        self._keep, self._sequencer, self._now = keep, Sequencer(), 0
        self._dealer = Dealer(seed)
        self.transcript = Transcript(board, start)
        self._feed(start)
        seen = registry.appearance(game)
        self.lookout = Lookout(Reader(board, seen.looks(self.position), camera, pose))
        self.lying = partial(seen.things, board=board)
        self.top.put(self.lying(self.position))
        self.rest(2 * QUIET_FRAMES)

    @property
    def view(self) -> TableView[Action]:
        """What the table shows now."""
        return self.transcript.view

    @property
    def position(self) -> Visible[Action]:
        """Where the game stands."""
        return self.view.game.visibly(self.view.position)

    def play(self, moves: int) -> Told:
        """Play until the game is over or so many moves are made."""
        while self.told.moves < moves and self.position.legal:
            if self.view.chance:
                self._deal()
                continue
            self._move()
        self.told.digest = self.transcript.digest
        self.told.over = not self.position.legal
        return self.told

    # ------------------------------------------------------------------------------- the player

    def _deal(self) -> None:
        """The dealer draws; what that changes on the board is done by hand."""
        before, waits = self.position, self.view.game.waits(self.position)
        assert waits is not None, "only asked while the table waits for a chance"
        self._feed(self._dealer.deal(waits), "dealer")
        if self.view.todo:
            self._by_hand(before, self.position)
            self.rest(2 * QUIET_FRAMES)

    def _move(self) -> None:
        """Make one legal move by hand, and wait until the table knows it."""
        before = self.position
        action = self.random.choice(list(before.legal))
        after = before.play(action)
        self.told.moves += 1
        if after.seen() == before.seen():
            self.told.said += 1
            self._feed(Declare(-1, before.name(action)))
            return
        self._by_hand(before, after)
        entries = self.view.entries
        for _ in range(PATIENCE_FRAMES):
            if self.view.entries > entries:
                break
            self.frame()
            if self.view.asking:
                self._answer(after)
        else:
            self.told.said += 1
            self._feed(Declare(-1, before.name(action)))
            return
        right = self.position == after
        self.told.wrong += not right
        self.told.read += right
        if not right:  # people notice, take it back and say what it was
            for _ in range(self.view.entries - entries):
                self._feed(Ruling("undo", "player", "the camera was wrong"))
            self._feed(Declare(-1, before.name(action)))

    def _by_hand(self, before: Any, after: Any) -> None:
        """A hand reaches in, changes what lies there and leaves."""
        pairs = zip(self.board.cells, before.seen(), after.seen(), strict=True)
        cell = next(cell for cell, a, b in pairs if a != b)
        self.reach(cell.id, lambda: self.top.put(self.lying(after)))

    def reach(self, cell: str, act: Callable[[], None], stay: int = 1) -> None:
        """A hand reaches over a cell, does something there, stays so many frames and leaves."""
        here, side = self.board.cell[cell], self.random.uniform(0, 2 * math.pi)
        out = math.cos(side), math.sin(side)
        near = Hand(here.x, here.y, side)
        far = Hand(here.x + 60 * out[0], here.y + 60 * out[1], side)
        self.frame(far)
        self.frame(near)
        act()
        for _ in range(stay):
            self.frame(near)
        self.frame(far)

    def _answer(self, after: Any) -> None:
        """Which of those offered it was; if none of them, nothing that was offered."""
        asking = self.view.asking
        assert asking is not None
        self.told.asked += 1
        right = [choice.name for choice in asking.choices if self._leads(choice.name, after)]
        self._feed(Decide(asking.id, right[0] if right else NOTHING))

    def _leads(self, choice: str, after: Any) -> bool:
        position = self.position
        if choice == NOTHING or choice.startswith("undo"):
            return False
        for name in choice.split("; "):
            position = position.play(position.action(name))
        return bool(position == after)

    # ------------------------------------------------------------------------------- the camera

    def rest(self, frames: int) -> None:
        for _ in range(frames):
            self.frame()

    def frame(self, hand: Hand | None = None) -> None:
        """One frame goes by: it is looked at, and read where that is worth it."""
        self.told.frames += 1
        self._now += FRAME_NS
        told = self.lookout.look(self.top.picture(hand))
        if told is not None:
            self._feed(Reading(told))
        due = self.transcript.deadline
        if due is not None and due + LATENESS_NS <= self._now:
            self._feed(Tick())
            self.told.scolded += bool(self.view.wrong)

    def _feed(self, body: Body, source: str = "camera") -> None:
        fact = self._sequencer.number(Report(source, self._now, body), self._now)
        _, told = self.transcript.step(fact)
        self._keep(fact, told)


OPTIONS: dict[str, dict[str, int | str | bool]] = {"hexel": {"chips": "off"}}
"""Games are played without what nobody could see, such as bets."""


MOODS = {"moderate": MODERATE, "hard": HARD}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--light", choices=MOODS, default="moderate")
    chosen = parser.parse_args()
    for game in GAMES:
        options = OPTIONS.get(game, {})
        board = plain(registry.find(game).board(options))
        frames = Frames(board, game, options, chosen.seed, MOODS[chosen.light])
        told = frames.play(chosen.moves)
        print(game, msgspec.json.encode(told).decode(), flush=True)


if __name__ == "__main__":
    main()

"""A game played through from pictures alone: hands move rendered pieces, a camera reads them.

The player only moves pieces, as a person would, and says what no camera can see: a pass, a bet, or
which of two moves it was when it is asked. Everything is recorded, and replays from the recording.
"""

import math
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

from controller import __version__, games
from controller.board import Board, plain
from controller.demo.recorded import Keep, recorded
from controller.devices.dealer import Dealer
from controller.facts import (
    MS,
    Body,
    Decide,
    Declare,
    Reading,
    Report,
    Ruling,
    Sequencer,
    Start,
    Tick,
)
from controller.record.account import Account
from controller.table import LATENESS, Pieces
from controller.table.pieces import NOTHING
from controller.vision.appearance import looks, lying
from controller.vision.reading import Reader
from controller.vision.render import Hand, view
from controller.vision.tabletop import HARD, MODERATE, Mood, Tabletop
from controller.vision.watch import QUIET, Lookout

FRAME = 66 * MS
"""From one frame to the next."""
PATIENCE = 60
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
        module = games.find(game)
        self.board, self.told = board, Told()
        self.random = Random(seed)
        camera, pose = view(board)
        self.lookout = Lookout(Reader(board, looks(game), camera, pose))
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
        self.account = Account(board, start)
        assert isinstance(self.account.table, Pieces)
        self.table = self.account.table
        self._feed(start)
        self.top.put(lying(self.table.position, board))
        self.rest(2 * QUIET)

    def play(self, moves: int, progress: Callable[..., None] = lambda completed: None) -> Told:
        """Play until the game is over or so many moves are made."""
        while self.told.moves < moves and self.table.position.legal:
            if self.table.chance:
                self._deal()
                continue
            self._move()
            progress(completed=self.told.moves)
        self.told.digest = self.account.digest
        self.told.over = not self.table.position.legal
        return self.told

    # ------------------------------------------------------------------------------- the player

    def _deal(self) -> None:
        """The dealer draws; what that changes on the board is done by hand."""
        before = self.table.position
        self._feed(self._dealer.deal(before))
        if self.table.todo:
            self._by_hand(before, self.table.position)
            self.rest(2 * QUIET)

    def _move(self) -> None:
        """Make one legal move by hand, and wait until the table knows it."""
        before = self.table.position
        action = self.random.choice(list(before.legal))
        after = before.play(action)
        self.told.moves += 1
        if after.seen() == before.seen():
            self.told.said += 1
            self._feed(Declare(-1, before.name(action)))
            return
        self._by_hand(before, after)
        entries = len(self.table.match.entries)
        for _ in range(PATIENCE):
            if len(self.table.match.entries) > entries:
                break
            self.frame()
            if self.table.asking:
                self._answer(after)
        else:
            self.told.said += 1
            self._feed(Declare(-1, before.name(action)))
            return
        right = self.table.position == after
        self.told.wrong += not right
        self.told.read += right
        if not right:  # people notice, take it back and say what it was
            for _ in range(len(self.table.match.entries) - entries):
                self._feed(Ruling("undo", "player", "the camera was wrong"))
            self._feed(Declare(-1, before.name(action)))

    def _by_hand(self, before: Any, after: Any) -> None:
        """A hand reaches in, changes what lies there and leaves."""
        pairs = zip(self.board.cells, before.seen(), after.seen(), strict=True)
        cell = next(cell for cell, a, b in pairs if a != b)
        self.reach(cell.id, lambda: self.top.put(lying(after, self.board)))

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
        asking = self.table.asking
        assert asking is not None
        self.told.asked += 1
        right = [choice.name for choice in asking.choices if self._leads(choice.name, after)]
        self._feed(Decide(asking.id, right[0] if right else NOTHING))

    def _leads(self, choice: str, after: Any) -> bool:
        position = self.table.position
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
        self._now += FRAME
        told = self.lookout.look(self.top.picture(hand))
        if told is not None:
            self._feed(Reading(told))
        due = self.table.deadline
        if due is not None and due + LATENESS <= self._now:
            self._feed(Tick())
            self.told.scolded += bool(self.table.wrong)

    def _feed(self, body: Body) -> None:
        fact = self._sequencer.number(Report("camera", self._now, body), self._now)
        _, told = self.account.step(fact)
        self._keep(fact, told)


OPTIONS: dict[str, dict[str, int | str | bool]] = {"hexel": {"chips": "off"}}
"""Games are played without what nobody could see, such as bets."""


def played(
    game: str,
    folder: Path,
    seed: int,
    light: str,
    moves: int,
    progress: Callable[..., None],
) -> tuple[Path, Told]:
    """Play and record a game; returns the recording's path and what came of it."""
    options = OPTIONS.get(game, {})
    board = plain(games.find(game).board(options))
    mood = {"moderate": MODERATE, "hard": HARD}[light]
    with recorded(board, folder, f"frames-{game}-{seed}") as (path, keep):
        told = Frames(board, game, options, seed, mood, keep).play(moves, progress)
    return path, told

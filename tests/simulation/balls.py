"""Balls: a board of tiles on the simulated clock, hands that roll and lay there, and what is true.

The world of `hexboard.games.hextraction.simulator` moves the balls; the Pico's inputs feel them.
Each roll is held against where the balls lie in the end: what the truth contradicts was not ruled
without a question where the board was away meanwhile.
"""

from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from hexboard.facts import Body, Decide, Declare, Ruling
from hexboard.game.match import Entry, Played
from hexboard.games.hextraction.rules.position import Hextraction, Placed
from hexboard.games.hextraction.simulator.player import BallPlayer, demo_tiles, position_of
from hexboard.games.hextraction.simulator.world import TileWorld
from hexboard.games.hextraction.tiles.catalogue import basic
from tests.simulation.broken import hold
from tests.simulation.faults import SECOND
from tests.simulation.wire import Felt

if TYPE_CHECKING:
    from tests.simulation.evening import Evening
    from tests.simulation.network import Phone

STILL_NS = 4 * SECOND
"""So long after all lies still a roll is ruled, where it is."""


class Balls:
    """Those of one evening, whose tiles are of a `seed`."""

    def __init__(self, evening: "Evening", dice: Random) -> None:
        self._evening, self._dice = evening, dice
        board = evening.board
        self._world = TileWorld(board, basic(), dice.randrange(1 << 30))
        self._from = evening.scheduler.now
        self._player = BallPlayer(self._world, dice.randrange(1 << 30))
        for slot, placed in demo_tiles(board, basic(), dice.randrange(1 << 30)).items():
            self._world.seat(slot, placed.tile, placed.rotation)
        self._due = -1
        self._rolls = 0  # under way since, ns; 0 for none
        self._still = 0
        self._away = self._asked = False
        self._recording = Path()
        self._entries = 0
        self.counts: Counter[str] = Counter()
        for sensor in self._world.levels:
            evening.line.feel(board.sensor[sensor].input, level=True)
        self._pass()

    def begin(self) -> None:
        """A life begins: what rolled when the one before ended was not ruled."""
        self._rolls, self._due = 0, -1
        self._pass()

    def act(self, phone: "Phone") -> None:
        """Do the next thing that people would do at the board, with what this page says."""
        it = self._evening
        daemon = it.sitting.daemon
        if daemon is None or not daemon.begun:
            return
        view, world = daemon.view, self._world
        self._happens()
        self._asked |= view.asking is not None or bool(view.todo) or view.confirm
        if world.moving or world.deadline is not None or not view.quiet:
            self._still = 0
            return
        now = it.scheduler.now
        self._still = self._still or now
        if self._rolls and not view.asking and not view.todo:
            if now - self._still < STILL_NS or not it.linked:
                return
            position = position_of(view)
            self._away |= daemon.match.recording != self._recording  # it was left, and gone on with
            if not self._judge(position, len(daemon.match._transcript.match.entries)):
                self._put_right(phone, position)
                return
        if not view.confirm and not view.asking and not position_of(view).tiles:
            self._lay_open(phone, position_of(view))
            return
        asked = view.asking is not None or bool(view.todo)
        if not asked and self._true != _told(position_of(view)):  # people look the board over
            self._put_right(phone, position_of(view))
            if not view.confirm:
                return
        before = len(world.balls)
        for body in self._player.turn(view):
            self._say(phone, body)
        if len(world.balls) > before:
            self._rolls, self._entries = now, len(daemon.match._transcript.match.entries)
            self.counts["rolls"] += 1
            self._away, self._asked, self._still = not it.line.works_now, False, 0
            self._recording = daemon.match.recording
        self._pass()

    def away(self) -> None:
        """The board is away, or was: before the roll was ruled, if one was."""
        self._away |= not any(isinstance(it, Played) and it.action == "settle" for it in self._made)

    @property
    def _made(self) -> tuple[Entry, ...]:
        """What was entered in the match that is played now since the roll began."""
        daemon = self._evening.sitting.daemon
        if daemon is None or not daemon.begun:
            return ()
        return tuple(daemon.match._transcript.match.entries[self._entries :])

    def _lay_open(self, phone: "Phone", position: Hextraction) -> None:
        """People say which tiles lie there, as the match begins."""
        for slot, (tile, turn) in self._world.slots.items():
            position = position.with_tile(slot, Placed(tile, turn))
        phone.say("ruling", do=f"problem position {position}")

    def _say(self, phone: "Phone", body: Body) -> None:
        match body:
            case Decide(question, choice):
                phone.say("decide", question=question, choice=choice)
            case Declare(_, action):
                self._evening.judge.said[action] += 1
                phone.say("declare", seat=-1, action=action)
            case Ruling(do):
                phone.say("ruling", do=do)

    # ------------------------------------------------------------------------------ the world

    def _pass(self) -> None:
        """Let the world go on when something happens in it next."""
        world, scheduler = self._world, self._evening.scheduler
        if world.deadline is not None and world.deadline != self._due:
            self._due = world.deadline
            scheduler.at(max(self._from + self._due, scheduler.now), self._happens)

    def _happens(self) -> None:
        it = self._evening
        for seen in self._world.run(it.scheduler.now - self._from):
            if it.line.feel(it.board.sensor[seen.sensor].input, seen.level):
                felt = Felt(seen.sensor, seen.level, it.scheduler.now, it.line.device.met)
                it.judge.felt.append(felt)
        self._pass()

    def _put_right(self, phone: "Phone", position: Hextraction) -> None:
        """No ball lies there any more, and none is believed to."""
        for ball in list(self._world.balls):
            self._world.lift(ball)
        for rolled in position.balls:
            phone.say("ruling", do=f"ball {rolled.id} -")
        self._pass()

    @property
    def _true(self) -> list[str]:
        """Where balls lie."""
        balls = self._world.balls.values()
        return sorted(ball.holds.partition(":")[2] or ball.cell for ball in balls)

    def _judge(self, position: Hextraction, entries: int) -> bool:
        """A roll is over: what was made of it; whether that is so."""
        self._rolls = 0
        true, told = self._true, _told(position)
        right, ruled = true == told, entries > self._entries
        what = "right" if right else "asked" if self._asked else "wrong" if ruled else "unnoticed"
        self.counts[f"rolls {what}{', away' * self._away}"] += 1
        silent = what == "wrong" and self._away and position.phase != "over"
        hold(not silent, f"the board was away, and it ruled {told} without a word: {true}")
        return right


def _told(position: Hextraction) -> list[str]:
    """Where they are believed to lie."""
    return sorted(ball.place.removeprefix("zone:") for ball in position.balls)


def summary(position: Hextraction) -> str:
    """What pages show of a position, in one line."""
    slots = sorted(
        (slot, it.tile, it.rotation, position.touches.get(slot, 0))
        for slot, it in position.tiles.items()
    )
    lanes = {ramp.id for ramp in position.board.ramps}
    balls = [(b.id, f"ramp:{b.place}" if b.place in lanes else b.place) for b in position.balls]
    return f"{position.turn} {slots} {balls} {position.pool} {list(position.hands)}"


def shown(own: dict[str, Any]) -> str:
    """The same of what a page was told."""
    slots = sorted(
        (slot, it["tile"], it["rotation"], it["touches"]) for slot, it in own["slots"].items()
    )
    balls = [(it["id"], it["at"]) for it in own["balls"]]
    return f"{own['turn']} {slots} {balls} {own['pool']} {own['hands']}"

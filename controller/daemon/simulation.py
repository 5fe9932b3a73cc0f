"""The simulated board, people's hands over it, and players who go on by themselves.

The board is a twin behind the real firmware, on a serial port like any other; a simulated camera
may look at it. Nothing of it is there on a real board.
"""

import math
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from hexboard.appearance import Lying
from hexboard.board import Board
from hexboard.daemon.run import Run
from hexboard.facts import WHOEVER, Body, Decide, Declare
from hexboard.game import registry
from hexboard.game.position import Action, Visible
from hexboard.simulator.world import Spot
from hexboard.table import TableView
from hexboard.web.requests import Hand
from hexboard.words.errors import HexboardError

if TYPE_CHECKING:
    from hexboard.simulator.camera.overhead import Overhead, SimulatedEye

PACE_S = 0.7
"""Seconds between two things a watched player does."""
UNREAD_S = 20.0
"""Seconds until a simulated player says what the camera did not notice."""

Post = Callable[[str, Body], None]


class Simulation:
    """A simulated board that lies as a table has it. `post` gets what its players say, `pixels`,
    `balls` and `show` what there is to see, `died` why the firmware ended: from its threads.
    Raises `HexboardError` where a camera cannot look at this game."""

    def __init__(
        self,
        run: Run,
        board: Board,
        view: TableView[Action],
        post: Post,
        pixels: Callable[[bytes], None],
        balls: Callable[[list[Spot]], None],
        show: Callable[[bytes], None],
        died: Callable[[str], None],
    ) -> None:
        from hexboard.demo.stage import stage
        from hexboard.simulator.rig import Rig

        self._stage = stage(view.game)
        world = self._stage.world(board, view, run.seed, run.speed)
        list(world.run(0))
        self.rig = Rig(board, world, pixels, balls, died)
        self.watching = run.watch
        """Its players go on by themselves."""
        self._board, self._post, self._speed = board, post, run.speed
        self._player = self._stage.player(run.seed)
        self._next_act = 0.0
        self._eye: SimulatedEye[Visible[Action]] | None = None
        """A camera over pieces, and the hand that moves them."""
        self._over: Overhead | None = None
        """A camera over tiles and balls."""
        self._things: object = None
        """What it looks for."""
        self._look = partial(self._look_on, run, show)
        self._unread: tuple[Body, float] = Declare(WHOEVER, ""), math.inf
        """What the hand under the camera did last, and until when it may be read (monotonic s)."""
        if run.camera:
            try:
                self._look(view)
            except (HexboardError, ImportError):  # no such game for a camera, or no OpenCV
                self.close()
                raise

    def _look_on(self, run: Run, show: Callable[[bytes], None], view: TableView[Action]) -> None:
        """A camera looks at the simulated board."""
        from hexboard.simulator.camera.overhead import Overhead, SimulatedEye

        self._things = self._stage.things(view)
        seen = registry.appearance(run.game)
        position = view.game.visibly(view.position)
        kinds = seen.looks(position)
        post = partial(self._post, "camera")
        if seen.balls is not None:
            self._over = Overhead(self._board, kinds, run.seed, post, show, world=self._laid)
            self.knows(view)
            self._over.watch()
        else:
            lying = partial(seen.things, board=self._board)
            self._eye = SimulatedEye(self._board, kinds, run.seed, post, show, lying)
            self._eye.start(position)

    def _laid(self) -> tuple[dict[str, Lying], list[tuple[float, float]]]:
        """What lies in the cells, and where balls are, mm."""
        return self.rig.lying(lambda world: self._stage.laid())

    def knows(self, view: TableView[Action]) -> None:
        """Tell a camera where balls lie, which it counts, and what light it reads in."""
        if self._over is not None:
            self._over.known = view.at_rest
        if self._eye is not None and view.pieces is not None:
            self._eye.tint = view.pieces.tint

    @property
    def port(self) -> str:
        """The serial port that the board is on."""
        return self.rig.twin.port

    def close(self) -> None:
        for eye in (self._eye, self._over):
            if eye is not None:
                eye.close()
        self.rig.close()

    def begin(self, view: TableView[Action]) -> bool:
        """Another match begins: the board is laid out anew, with what it is played with.
        Whether a camera had to begin anew, to look for those."""
        self.rig.hand(lambda world: self._stage.furnish(view))
        if self._eye is not None:
            self._eye.move(view.game.visibly(view.position))
        if self._over is None or self._stage.things(view) == self._things:
            return False
        self._over.close()
        self._look(view)
        return True

    # ------------------------------------------------------------------------------ hands

    def hand(self, hand: Hand, view: TableView[Action]) -> None:
        """Do what somebody does with a hand. Raises `HexboardError` for what no hand can do."""
        match hand.what:
            case "tap":
                self.rig.hand(lambda world: world.tap(hand.at))
            case "carry" if self._eye is not None:
                self._eye.carry(hand.at, hand.to)
            case "mend" if self._eye is not None:
                self._eye.move(view.game.visibly(view.position))
            case _:
                self.rig.hand(lambda world: self._stage.hand(hand))

    def mend(self, view: TableView[Action]) -> None:
        """Let the hand under the camera do what is to be done; a board that is wrong is left to
        people, where they play."""
        if self._eye is None or not (view.todo and self._eye.still):
            return
        if self.watching or not view.wrong:
            self._eye.move(view.game.visibly(view.position))

    def declare(self, body: Body, view: TableView[Action]) -> bool:
        """Let a hand do, under the camera, what somebody declares. False where there is no camera,
        or nothing for it to see: then it has to be said. Raises `HexboardError` for what is no
        move, and while the last one is not done."""
        if self._eye is None or not isinstance(body, Declare):
            return False
        position = view.game.visibly(view.position)
        if not self._eye.shows(position):
            raise HexboardError("vision.wait")
        action = position.action(body.action)
        if body.seat not in (WHOEVER, position.actor(action)):  # the table says so
            return False
        if position.refusal(action) or (after := position.play(action)).seen() == position.seen():
            return False
        self._eye.move(after)
        self._unread = body, time.monotonic() + UNREAD_S
        return True

    # ------------------------------------------------------------------------------ players

    def play(self, view: TableView[Action]) -> None:
        """The players do the next thing, at a pace people can follow, until the game is over."""
        if time.monotonic() < self._next_act or not (self.rig.still and view.quiet):
            return
        if self._eye is not None and not self._eye.shows(view.game.visibly(view.position)):
            self._say(self._eye, view)
            return
        if self._over is not None:
            if not self._over.read and time.monotonic() < self._next_act + UNREAD_S:
                return
            self._over.read = False
        self._next_act = time.monotonic() + PACE_S / self._speed
        if view.position.scores is not None:
            self.watching = False
            return
        bodies: list[Body] = []
        self.rig.hand(lambda world: bodies.extend(self._player.turn(view)))
        for body in bodies:
            if not self.declare(body, view):
                self._post("player", body)

    def _say(self, eye: "SimulatedEye[Visible[Action]]", view: TableView[Action]) -> None:
        """A player under the camera says what it did: asked, or when nobody noticed."""
        asking, (body, until) = view.asking, self._unread
        if asking:
            names = [choice.name for choice in asking.choices]
            self._post(
                "player",
                Decide(asking.id, eye.truth(view.game.visibly(view.position), names, _played)),
            )
        elif eye.still and time.monotonic() > until:
            self._unread = body, math.inf
            self._post("player", body)


def _played(position: Visible[Action], name: str) -> Visible[Action]:
    return position.play(position.action(name))

"""Playing: what happens to tiles and balls is played, and balls are laid where effects say so."""

from typing import get_args

from hexboard.games.hextraction.rules import resolving
from hexboard.games.hextraction.rules.actions import (
    Accident,
    Action,
    Drop,
    Goal,
    OfBall,
    Play,
    Rail,
    Roll,
    Settle,
)
from hexboard.games.hextraction.rules.position import Hextraction
from hexboard.games.hextraction.rules.state import Placed
from hexboard.games.hextraction.rules.zones import owner_of, tile_of
from hexboard.games.hextraction.table import questions, unsettled
from hexboard.games.hextraction.table.believed import Believed
from hexboard.table.parts import Parts

SEEN = (Accident, Drop, Rail, Settle, *get_args(OfBall))
"""Physics: what comes from sensors or answers, and nobody declares."""


class Playing:
    """Plays actions at one table, and follows where balls are after them."""

    def __init__(self, parts: Parts[Action], believed: Believed) -> None:
        self._parts, self._believed = parts, believed

    def play(self, action: Action) -> None:
        """Play an action that the rules allow or that simply happened."""
        before = self._believed.position
        self._parts.ledger.play(action)
        if isinstance(action, Play):
            played = Placed(tile_of(action.tile), action.rotation, owner_of(action.tile))
            now = self._believed.position.tiles  # an effect may have taken it off again
            self._believed.slots.name(action.slot, now.get(action.slot, played))
            self._believed.layouts.forget(action.slot)
        self._parts.senses.health.moved(self._parts.now)
        if self._believed.rolling and before.phase != "rolling":
            self._parts.question.close()  # what was asked before is weighed with what rolls now
        self._follow(before, action)

    def _follow(self, before: Hextraction, action: Action) -> None:
        """Where balls are, and from where on all is beyond doubt, after an action."""
        believed, rolling = self._believed, self._believed.rolling
        if before.phase == "resolving" and isinstance(action, Roll):
            believed.unsettled.retaken = resolving.taken(before)
            believed.tracker.balls.pop(believed.unsettled.retaken, None)
        elif not rolling and before.phase in ("rolling", "resolving"):
            believed.rest()
            self._await(self._laid(before, action))
        elif laid := self._laid(before, action):
            believed.rest()
            self._await(laid)
        elif rolling and believed.position.freed and self._stops(before, action):
            believed.rest()  # what is to be taken out holds balls up (K18)

    @staticmethod
    def _stops(before: Hextraction, action: Action) -> bool:
        """Whether a roll begins or ends with an action."""
        return before.phase != "rolling" or action == Settle()

    def answer(self, action: Action) -> None:
        """Play what a person (or the likeliest guess) says."""
        believed = self._believed
        position, doors = believed.position, believed.slots.doors
        unsettled.told(believed.tracker, action, position.next_ball, doors)
        if isinstance(action, Goal):
            known = position.ball(action.ball)
            if known is not None and known.place == f"zone:{action.zone}":
                return
        self.play(action)

    # ------------------------------------------------------------------------------ laid by hand

    def let_go(self) -> None:
        """The effects of the tile just played come once it lies, and nobody's hand is on it
        (2.2.5)."""
        believed, parts = self._believed, self._parts
        while believed.position.held and not (believed.placing or believed.position.vote):
            if parts.ledger.confirm or parts.question.asking:
                return
            self.play(Settle())

    def let_roll_on(self) -> None:
        """Balls that tiles held up roll on once those are out (K18)."""
        believed = self._believed
        if not believed.rolling or believed.clock.runs or not believed.position.freed:
            return
        if believed.slots.todo or self._parts.question.asking:
            return
        for id in believed.position.freed:
            if id in believed.tracker.balls:
                believed.tracker.balls[id].moving = True
        believed.clock.start(self._parts.now)
        believed.stand_here()

    @property
    def laying(self) -> bool:
        """A ball is to be laid somewhere."""
        return self._parts.question.about("table.lay")

    def _laid(self, before: Hextraction, action: Action) -> dict[int, str]:
        """The balls that an effect has people lay elsewhere, from where they may roll on."""
        if isinstance(action, (*SEEN, Roll)) and not isinstance(action, Settle):
            return {}
        position, places = self._believed.position, dict(before.places())
        held = {id for id, place in position.places() if places.get(id) == f"fell:{place}"}
        after = dict(position.places())
        return {id: at for id, at in after.items() if id not in held and places.get(id) != at}

    def _await(self, laid: dict[int, str]) -> None:
        """Wait until balls lie where an effect has them laid; outside a roll, at most until one is
        rolled: that a ball lies still there nobody has to say."""
        believed = self._believed
        for id, place in laid.items():
            believed.tracker.balls[id].moving = believed.rolling
            self._parts.ask(*questions.laid(id, place))
        believed.stand_here()

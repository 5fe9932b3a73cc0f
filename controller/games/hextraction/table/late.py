"""Late: what sensors say of balls when a roll is long over, and only what it was is still asked.

A ball that goes on by itself has spoken by then. What speaks later is a hand, or a ball that
somebody rolls without waiting for the answer: that answers nothing, and is none of the roll. Times
are board ns.
"""

from hexboard.facts import MS
from hexboard.games.hextraction.rules.actions import Action
from hexboard.games.hextraction.table import questions
from hexboard.games.hextraction.table.believed import Believed
from hexboard.games.hextraction.table.unsettled import SLOWEST_NS
from hexboard.perception.debounce import Change
from hexboard.perception.health import PULSED
from hexboard.table.parts import Parts
from hexboard.table.view import Asking
from hexboard.words import Message, message

WHERE = "table.where"
OVER = (WHERE, "table.which", "table.turned", "table.dropped")
"""What is asked of a roll that is over."""
MOVED = (*PULSED, "floor")
"""The sensors by which balls move."""
ENDS = ("throat", "floor")
"""Those at its end."""
NAMED = 6
"""So many places are told at most."""


class Late:
    """What came too late for the roll that is asked about at one table."""

    def __init__(self, parts: Parts[Action], believed: Believed) -> None:
        self._parts, self._believed = parts, believed
        self._heard: list[str] = []  # the sensors that spoke, the first one first
        self._minded = 0  # the question that people were told to answer first

    @property
    def asked(self) -> bool:
        """A roll is over, and people are asked what it was."""
        return self._believed.rolling and self._parts.question.about(*OVER)

    def hears(self, change: Change) -> bool:
        """Whether this is none of the roll that is asked about."""
        kind, place = change.sensor.split(":", 1)
        asking = self._parts.question.asking
        if asking is None or not self.asked or kind not in (*MOVED, "load"):
            return False
        if kind == "load" and change.level and asking.id != self._minded:
            self._minded = asking.id
            self._parts.outbox.tell(_first(asking))
        if change.at - self._spoke(asking) <= SLOWEST_NS:
            return False
        if change.level and change.sensor not in self._heard:
            self._heard.append(change.sensor)
        if change.level and kind == "floor" and asking.message.key == WHERE:
            self._offer(asking, place)
        return True

    def _offer(self, asking: Asking, zone: str) -> None:
        """A ball may be slow on its way to an end zone that nothing else feels: people may say that
        it is there, unless another one was laid."""
        text, choices = asking.message, asking.choices
        cup = questions.cup(self._believed.position, _ball(asking), zone)
        if cup not in choices and all(sensor.startswith(ENDS) for sensor in self._heard):
            self._parts.ask(text, (*choices[:-2], cup, *choices[-2:]))

    def _spoke(self, asking: Asking) -> int:
        """When a ball of the roll was heard last; where none was, when it was asked about."""
        items = reversed(self._believed.unsettled.items)
        heard = (it.at for it in items if isinstance(it, Change) and _moved(it))
        return next(heard, asking.id * MS)

    def ends(self) -> bool:
        """Nothing of the roll is asked any more: say where something spoke meanwhile, and know
        where balls are laid by now. Whether there was anything."""
        heard, self._heard = self._heard, []
        if not heard or self._answered(heard):
            return False
        places = ", ".join([*dict.fromkeys(sensor.split(":", 1)[1] for sensor in heard)][:NAMED])
        self._parts.outbox.tell(message("table.late", places=places))
        believed, now = self._believed, self._parts.now
        lanes = [ramp.id for ramp in self._parts.board.ramps]
        laid = [lane for lane in lanes if self._parts.senses.high(f"load:{lane}")]
        known = {lane: load for lane, load in believed.tracker.loads.items() if load[0]}
        believed.tracker.loads = {lane: known.get(lane, (True, now)) for lane in laid}
        believed.stand_here()
        return True

    def _answered(self, heard: list[str]) -> bool:
        """Whether the ball that was asked about did it: it lies at the end of its way."""
        lie = {f"floor:{at.removeprefix('zone:')}" for _, at in self._believed.position.places()}
        return not lie.isdisjoint(heard) and all(sensor.startswith(ENDS) for sensor in heard)


def _moved(change: Change) -> bool:
    return change.sensor.startswith(MOVED)


def _first(asking: Asking) -> Message:
    """What people are to answer before another ball is rolled."""
    if asking.message.key == WHERE:
        return message("table.where_first", ball=_ball(asking))
    return message("table.question_open")


def _ball(asking: Asking) -> int:
    """The ball of which it is asked where it is."""
    ball = dict(asking.message.values)["ball"]
    assert isinstance(ball, int)
    return ball

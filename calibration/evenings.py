"""Evenings: what the rolls of a recorded evening show of a board goes into its calibration.

    shown = RecordedEvening("20261124-200000-1f2e", date, made, run.witnesses, before)
new = recalled(calibration, board, shown)       # None: it knows that evening
"""

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import Board
from hexboard.calibration.result import Calibration, Measured
from hexboard.calibration.trends import Rate, later_than, noted, one_evening
from hexboard.facts import Witnessed
from hexboard.perception.leaning import joined as joined_courses
from hexboard.perception.paces import joined as joined_ways
from hexboard.perception.witness import Witnesses


class RecordedEvening(Struct, frozen=True):
    """A recording, and what its rolls have shown beyond what was known `before` it."""

    name: str
    date: str
    """When it was played, ISO 8601."""
    board: Board
    """As it was played on."""
    witnesses: Witnesses
    before: Witnessed

    @property
    def balls(self) -> dict[str, tuple[int, int]]:
        """For each sensor how many balls it saw, of how many that passed it."""
        own = Witnesses()
        own.add(self.witnesses, self.before)
        return {sensor: (it.seen, it.passed) for sensor, it in own.known.items() if it.passed}


def recalled(known: Calibration, board: Board, shown: RecordedEvening) -> Calibration | None:
    """The calibration of a board, taught what a recording shows; None where that evening, or this
    recording, has taught it already. What was played before what it knows stands behind that.

    Rates are those of a wire: a sensor that hung on another input then is passed over.
    """
    evening = Rate(shown.date, "balls", 0, 0)
    rates = [it for one in known.sensors.values() for it in one.rates if it.by == "balls"]
    afterwards = [Rate(date, "balls", 0, 0) for _, date in known.recordings]
    in_play = any(one_evening(it, evening) for it in rates)
    if shown.name in dict(known.recordings) or (
        in_play and not any(one_evening(it, evening) for it in afterwards)
    ):
        return None
    wires = {(it.source, it.input): it.id for it in board.sensors}
    sensors = dict(known.sensors)
    for sensor, (seen, passed) in shown.balls.items():
        given = shown.board.sensor[sensor]
        if wire := wires.get((given.source, given.input)):
            one = sensors.get(wire) or Measured(given.source, given.input, "open")
            rate = Rate(shown.date, "balls", seen, passed)
            sensors[wire] = replace(one, rates=noted(one.rates, rate, recalled=True))
    paces, leaning = shown.witnesses.shown
    older = any(later_than(it, evening) for it in rates)
    ways, courses = (known.paces, paces.known), (known.leant, leaning.known)
    return replace(
        known,
        sensors=sensors,
        paces=joined_ways(*(reversed(ways) if older else ways)),
        leant=joined_courses(*(reversed(courses) if older else courses)),
        recordings=(*known.recordings, (shown.name, shown.date)),
    )

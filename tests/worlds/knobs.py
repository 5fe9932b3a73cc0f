"""What can be turned on the second world: one frozen value, in units that its names say."""

from collections.abc import Iterable

import msgspec
from msgspec import Struct


class Knobs(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How rough an evening is. Rates are probabilities, or means of a Poisson number, as said."""

    # ------------------------------------------------------------------------------- the evening
    rolls: int = 12
    """Rolls of the evening, over as many matches as that takes."""
    match_rolls: int = 12
    """A match ends with a win or after so many rolls."""
    filled: float = 0.8
    """Probability that a slot has a tile when a match begins."""
    sets: tuple[str, ...] = ("Asterisk", "DC", "DIC", "J", "Peace", "S", "X", "Z")
    """Tiles that are laid, by id."""
    think_s: float = 8.0
    """Median of the time that people take before they do something (log-normal, sigma 0.5)."""

    # ------------------------------------------------------------------------------- physics
    tilt_deg: float = 10.0
    side_deg: float = 0.3
    """How far the board leans to the right."""
    friction: float = 0.02
    """Coefficient of rolling friction in a printed channel."""
    seam_loss: float = 0.12
    """Share of the energy that the rib between two slots takes."""
    rough: float = 0.25
    """Sigma of the log-normal factor on the time of each way through half a tile."""
    slow_rolls: float = 0.0
    """Share of rolls in which one way through a tile takes `slow_s` longer."""
    slow_s: float = 1.0
    """Median of a slow way (log-normal, sigma 0.8, at most 10 s)."""
    slow_tiles: tuple[str, ...] = ()
    """Tiles, by id, in which every ball takes `slow_s` longer (sigma 0.4)."""
    bowls: float = 0.01
    """Probability that a ball circles in a tile (`slow_s` longer) at any way through one."""
    sticks: float = 0.003
    """Probability that a ball sticks on a rib; half of those come loose by themselves."""

    # ------------------------------------------------------------------------------- hands, a gap
    sleeves: float = 0.05
    brushes: float = 0.05
    """A finger at a gate, between rolls; as often again while a ball is laid."""
    second_thoughts: float = 0.05
    """A ball is laid in a lane and taken out again."""
    fingers: float = 0.03
    """A finger through an open slot, or under the board."""
    arms: float = 0.03
    """An arm over the rim."""
    lifts: float = 0.03
    """A tile is lifted and put back as it was."""
    picks: float = 0.02
    """A resting ball is picked up and put back."""
    knocks: float = 0.01
    """A resting ball is knocked loose (2.11)."""
    drops: float = 0.01
    """A ball drops onto the board (2.11)."""
    takes: float = 0.0
    """A resting ball is taken away for good."""
    turns: float = 0.0
    """A tile is lifted and put back turned."""
    minutes: float = 0.0
    """A hand is in the board for a minute."""
    in_rolls: float = 0.01
    """A sleeve, an arm, a finger or a lifted tile while balls roll."""
    swaps: float = 0.0
    """A tile that no ball comes near is replaced by another in mid-roll."""
    doubles: float = 0.0
    """A second ball is let go in another lane while the first one rolls."""

    # ------------------------------------------------------------------------------- electrics
    missed: float = 0.0
    """Probability that a passing ball gives no pulse. Of one that stays: a tenth of that."""
    false: float = 0.0
    """False pulses of 1 to 100 ms (log-uniform) in a roll, for each sign that balls gave in it."""
    false_between: float = 0.0
    """The same in each gap between rolls: their mean number."""
    chatter: float = 0.3
    """Probability that a change of level chatters."""
    echoes: float = 0.01
    """Probability that a pulse comes twice, 5 to 60 ms apart."""
    bursts: float = 0.0
    """Electric bursts a gap: a dozen sensors, 0.05 to 2 ms each, within 200 ms."""
    dead: int = 0
    """Sensors that are dead all evening."""
    weak: tuple[tuple[str, float], ...] = ()
    """Sensors that work so often only: ("edge:C1-D1", 0.5)."""
    loud: tuple[tuple[str, float], ...] = ()
    """Sensors with so many false pulses a minute of the evening, 1 to 100 ms each."""
    stuck: int = 0
    """Sensors that are high from somewhere in the evening on."""
    late_ms: float = 0.0
    """Mean (exponential) of what reports are later than they need be."""
    steps: float = 0.0
    """Steps of the clock in a gap, up to 200 ms either way."""

    # ------------------------------------------------------------------------------- a roll
    unplugs: float = 0.0
    """The cable is pulled for `outage_s`; the Pico keeps its power, and tells it afterwards."""
    reboots: float = 0.0
    """The Pico loses its power for `outage_s`: what happened meanwhile nobody knows."""
    losses: float = 0.0
    """The edges of up to a second are lost, and it is said how many."""
    kills: float = 0.0
    """The daemon is killed, and is there again after `outage_s`; the board forgets meanwhile."""
    outage_s: float = 3.0
    """Median of an outage (log-normal, sigma 0.6)."""


CLEAN = Knobs(
    sleeves=0.0,
    brushes=0.0,
    second_thoughts=0.0,
    fingers=0.0,
    arms=0.0,
    lifts=0.0,
    picks=0.0,
    knocks=0.0,
    drops=0.0,
    in_rolls=0.0,
    chatter=0.0,
    echoes=0.0,
)
"""Nothing but balls: no hand errs and no contact chatters."""


def turned(said: Iterable[str], **others: int) -> Knobs:
    """Knobs as people say them: `missed=0.02`. Raises `msgspec.ValidationError`."""
    given = dict(knob.split("=", 1) for knob in said)
    return msgspec.convert({**others, **given}, Knobs, strict=False)

"""What is true of an evening: balls, ways, touches, hands; and what the daemon would hear of it.

Times are ns of the board's clock. A place of a ball is a slot ("C3": inside it), a slot's edge
("C3/4": it leans there, or lies on the rib), an end zone ("ZB"), a lane ("lane B1-6") or "out".
"""

from collections.abc import Iterator

from msgspec import Struct, field

from hexboard.facts import Fact, Report, Sequencer

OUT = "out"
Layout = tuple[tuple[str, str, int], ...]
"""(slot, tile, rotation) of every tile that lies, in the board's order."""


class Sign(Struct, frozen=True):
    """A ball over a sensor, as it was. `off` is None while it still lies there at the end."""

    sensor: str
    ball: int
    on: int
    off: int | None
    way: str
    """`load`, `gate`, `cross`, `bounce`, `lean`, `stick`, `exit`, `fall`, `throat` or `floor`."""
    speed: float = 0.0
    """mm/s."""


class Touch(Struct, frozen=True):
    """A ball came into contact with a tile anew (T.Touch, K13, K37)."""

    at: int
    ball: int
    slot: str


class Roll(Struct, frozen=True):
    """One roll, from the release to where the last ball came to rest."""

    number: int
    seat: int
    lane: str
    begin: int
    end: int
    balls: tuple[int, ...]
    """All that moved."""
    signs: tuple[Sign, ...]
    touches: tuple[Touch, ...]
    rests: dict[int, str]
    """Where every ball on the board lies when it is over."""
    won: bool
    destroyed: tuple[str, ...]
    """The slots whose tiles go, sorted (2.1.5.3 to 2.1.5.5)."""
    off: tuple[tuple[int, str], ...]
    """(ball, last tile) of those that left over the side."""
    fell: tuple[tuple[int, str], ...]
    """(ball, slot)."""
    crowds: tuple[tuple[str, str], ...] = ()
    """(tile with three balls, tile that the roller destroys for it) (2.1.5.5)."""
    slow_s: float = 0.0
    """The longest stay inside one tile, s."""
    open_rule: str = ""
    """Why the rules leave open what this roll comes to; "" where they do not."""
    outage: str = ""
    """unplug, reboot, loss or kill, where there was one."""
    silence: tuple[int, int] = (0, 0)
    """From when to when the board said nothing at all, or nobody heard it."""


class Deed(Struct, frozen=True):
    """What a hand did that is no move: from `at` to `until`, at which place, with which ball."""

    at: int
    until: int
    kind: str
    place: str = ""
    ball: int = 0


class Part(Struct, frozen=True):
    """A stretch of the evening. At its end people wait for the referee before they go on."""

    kind: str
    """begin, roll, tidy, play, clear, end or gap."""
    begin: int
    end: int
    seat: int
    layout: Layout
    """At its end."""
    balls: dict[int, str]
    """Where each ball on the board is at its end."""
    declares: tuple[str, ...] = ()
    """What the seat says at its end."""
    roll: Roll | None = None
    deeds: tuple[Deed, ...] = ()
    reports: tuple[Report, ...] = ()
    """What the mailbox gets, in that order."""
    arrivals: tuple[int, ...] = ()
    """When, for each of the reports."""


class Evening(Struct, frozen=True):
    """All of it, in order."""

    seed: int
    parts: tuple[Part, ...] = field(default=())

    def facts(self) -> Iterator[Fact]:
        """Every report as the sequencer numbers it."""
        sequencer = Sequencer()
        for part in self.parts:
            for report, arrival in zip(part.reports, part.arrivals, strict=True):
                yield sequencer.number(report, arrival)

    @property
    def rolls(self) -> tuple[Roll, ...]:
        return tuple(part.roll for part in self.parts if part.roll is not None)

"""Facts: what goes in. One stamped report from the world each; never refused, maybe wrong or late.

A device makes a `Report`; the sequencer gives it a number and a time and so makes it a `Fact`; the
recorder writes it; the table steps on it. Times are whole nanoseconds of the board's clock (the
daemon's monotonic clock). See docs/contracts.md, "Fact".
"""

import msgspec
from msgspec import Struct

MS = 1_000_000
"""One millisecond in nanoseconds."""
HUNG_US = 500_000
"""Who does not look at its sensors for so long hung; none is so slow."""
DEALER = "dealer"
"""The source of what hexboard draws."""
WHOEVER = -1
"""In place of a seat: whoever's turn it is."""


def clock(seconds: float) -> str:
    """A time since the first fact: `12:34.567`, after an hour `1:12:34.567`."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(int(minutes), 60)
    return f"{hours}:{minutes:02}:{rest:06.3f}" if hours else f"{minutes:02}:{rest:06.3f}"


class Start(Struct, frozen=True, tag="start", omit_defaults=True):
    """The first fact of a recording: which board, game, options and code it belongs to."""

    match: str
    board: str
    board_hash: str
    game: str
    rules: str
    options: dict[str, int | str | bool]
    code: str
    names: tuple[str, ...] = ()
    """What the players are called, by seat, as far as they said so; "" for none."""
    colours: tuple[int, ...] = ()
    """The colours they chose, by seat; -1 for none."""


class Seal(Struct, frozen=True, tag="seal", omit_defaults=True):
    """The dealer has shuffled: the hash that commits to it (`shuffle`), and the cards. Seed and
    salt are secret until the game is over."""

    commitment: str
    deck: str
    seed: str = ""
    salt: str = ""
    piles: bool = False
    """A draw is the n-th from its pile. Without, it hung on the entries before it."""
    again: bool = False
    """The hash is told again after a restart, and beside what it was made of."""


class Unseal(Struct, frozen=True, tag="unseal"):
    """The game is over: what the commitment was made of."""

    seed: str
    salt: str


class Resume(Struct, frozen=True, tag="resume", omit_defaults=True):
    """The first fact after a restart: the match as the journal has it, then live facts again."""

    start: Start
    entries: tuple[str, ...]
    """The match's entries in canonical JSON, oldest first (`controller/game/match.py`)."""
    seal: Seal | None = None
    """The shuffle that its hidden cards come from."""
    paused: bool = False
    """It was left in a pause, which goes on."""


def started(begin: Start | Resume) -> Start:
    """How a match began, be it that it goes on."""
    return begin.start if isinstance(begin, Resume) else begin


class Edge(Struct, frozen=True, tag="edge"):
    """A sensor changed its level. True is active: a ball over it, a tile seated, power present."""

    sensor: str
    level: bool


class Snapshot(Struct, frozen=True, tag="snapshot"):
    """The ids of all sensors of one source that are active at `at`; the others are not."""

    high: tuple[str, ...]


class Watermark(Struct, frozen=True, tag="watermark"):
    """The source promises that nothing earlier than `until` (board ns) is still to come."""

    until: int


class Tick(Struct, frozen=True, tag="tick"):
    """A deadline that the table published has passed without a fact."""


class Lost(Struct, frozen=True, tag="lost"):
    """The source, or the mailbox for it, had to drop `count` facts."""

    count: int


class Scanned(Struct, frozen=True, tag="scanned"):
    """How well a source looked at its sensors, in its worst second so far: the longest that it did
    not, and how far apart its looks were; see controller/perception/scans.py. Of a second in which
    it `hung`, that alone: it ended by then."""

    longest_us: int
    every_us: int

    @property
    def hung(self) -> bool:
        """It stood still, which says nothing of how it looks otherwise."""
        return self.longest_us >= HUNG_US


class Presence(Struct, frozen=True, tag="presence", omit_defaults=True):
    """A source came or went; `why` is for people."""

    up: bool
    why: str = ""
    kept: bool = False
    """It felt and kept all that happened while it was away, and tells it now, up to a snapshot."""


Paced = tuple[tuple[str, tuple[int, ...]], ...]
"""How long balls took lately on each way, ms; see controller/perception/paces.py."""


Leant = tuple[tuple[str, int, int, int], ...]
"""How long balls took on each course: count, sum, sum of squares of 100 ln(ms); see
controller/perception/leaning.py."""


class Witnessed(Struct, frozen=True, tag="witnessed", omit_defaults=True):
    """What was known of the sensors at the end of the match before: of so many `turns`, for each
    sensor (id, balls seen, balls missed, turns in which it spoke for no ball, scores of weak and
    noisy, balls seen and missed lately); see controller/perception/witness.py. `instead`: a sensor
    that missed a ball, another that spoke for none in that turn, and how often that was so.
    `paces`: how long balls took on their ways; `leant`: on their courses."""

    turns: int
    sensors: tuple[tuple[str, int, int, int, int, int, int, int], ...]
    instead: tuple[tuple[str, str, int], ...] = ()
    paces: Paced = ()
    leant: Leant = ()


Off = tuple[int, int, int]
"""How far a colour lies from the one that was calibrated (blue, green, red): thousandths of the
root of the light."""


class Sample(Struct, frozen=True, array_like=True):
    """How the cells look in one picture that were read as one code."""

    code: int
    part: int
    """Whose colour it is: `BARE`, or the number of a piece's."""
    off: Off


BARE = -1
"""The part of a sample of empty cells."""


class Tint(Struct, frozen=True):
    """How far the parts' colours lie, in this evening's light, from those that were calibrated."""

    version: int = 0
    """Never the same for two tints of one match; 0 for the calibrated colours."""
    offs: tuple[tuple[int, Off], ...] = ()
    """By part; those that are left out look as calibrated."""


CellCosts = tuple[tuple[int, int], ...]
"""(code, cost) of every code of the game's `seen` that may lie in a cell; costs in 1/100 nat below
the likeliest. () says nothing."""


class Reading(Struct, frozen=True, tag="reading", omit_defaults=True):
    """What a camera sees on a board at rest: for each cell, in the board's order, (code, cost) of
    every code of the game's `seen` that may lie there; costs in 1/100 nat below the likeliest. ()
    says nothing of a cell; no cells at all, that a hand is over the board. `balls` are the places
    (slots, seams, end zones) where balls lie, one each; None says nothing of them."""

    cells: tuple[CellCosts, ...] = ()
    balls: tuple[str, ...] | None = None
    samples: tuple[Sample, ...] = ()
    """One for each code that was read, of pieces whose colours are learned."""
    tint: int = 0
    """The version of the tint by which it was read."""


class Touch(Struct, frozen=True, tag="touch"):
    """The cells that a person has touched so far to make a move, in order; () puts it down."""

    cells: tuple[str, ...] = ()


class Named(Struct, frozen=True, tag="named", omit_defaults=True):
    """Somebody took a seat with a phone of their own: what its player is called from now on."""

    player: int
    """The seat that they began in: a rule may have had two of them change seats."""
    name: str
    """"" where they gave none."""
    colour: int = -1
    """The one that they chose, by its place in the style sheet; -1 for as it was."""


class Declare(Struct, frozen=True, tag="declare", omit_defaults=True):
    """A seat says, unasked, what it does: an action by its name."""

    seat: int
    """Who does it; `WHOEVER` for whoever's turn it is."""
    action: str
    far: bool = False
    """Who says so is not at the board: a hand there has still to do it."""
    after: int | None = None
    """The newest entry of the match that the page showed, -1 for none yet; None where nobody says.
    Of two people who do the same on pages that speak for every seat, one does it."""


class Decide(Struct, frozen=True, tag="decide"):
    """An answer to question `question`: one of its choices, by name."""

    question: int
    choice: str
    seats: tuple[int, ...] = ()
    """Whom it speaks for, where only some are asked; () for everybody."""
    who: str = ""


class Ruling(Struct, frozen=True, tag="ruling"):
    """The people are right: `do` is one line of those that docs/contracts.md, *Fact*, lists, `undo`
    or `tile C3 J 2` say."""

    do: str
    who: str = "host"
    why: str = ""
    seats: tuple[int, ...] = ()
    """The seats of who says so; () for the host, or whoever is at the board."""


Body = (
    Start
    | Resume
    | Edge
    | Snapshot
    | Watermark
    | Tick
    | Lost
    | Scanned
    | Presence
    | Witnessed
    | Reading
    | Touch
    | Named
    | Declare
    | Decide
    | Ruling
    | Seal
    | Unseal
)


class Report(Struct, frozen=True):
    """What a device says, before the sequencer numbers it."""

    source: str
    at: int
    """When it happened, board ns."""
    body: Body
    raw: int | None = None
    """The device's own stamp, widened, in its own unit (µs for the Pico)."""


class Fact(Struct, frozen=True, omit_defaults=True):
    """A numbered report. `n` counts from 1 in a recording; `t` (board ns) never decreases."""

    n: int
    t: int
    at: int
    source: str
    body: Body
    raw: int | None = None


class Sequencer:
    """Gives each report the next number and a time that never runs backwards."""

    def __init__(self, n: int = 0, t: int = 0) -> None:
        self.n = n
        self.t = t

    def number(self, report: Report, now: int) -> Fact:
        """The report as a fact; `now` is the daemon's monotonic clock, ns."""
        self.n += 1
        self.t = max(self.t, now)
        return Fact(self.n, self.t, report.at, report.source, report.body, report.raw)


encode_fact = msgspec.json.Encoder(order="deterministic").encode
decode_fact = msgspec.json.Decoder(Fact).decode

"""Sources: who is there, and which of their reports the table is to hear."""

from collections.abc import Callable, Iterator

from hexboard import facts
from hexboard.board import Board
from hexboard.daemon.notices import Notices
from hexboard.daemon.saving import SOURCE as JOURNAL
from hexboard.daemon.throttle import Knows, Throttle
from hexboard.devices.link import unlit
from hexboard.words import message, say

LIT_BY = ("pico", "pixels")
"""The sources that drive lights."""
SAID = facts.Declare | facts.Decide | facts.Ruling | facts.Touch | facts.Named
"""What people say."""


class Sources:
    """The devices of a `board`, `simulated` or real: their presence and watermarks. What comes and
    goes is told the terminal (`echo`)."""

    def __init__(
        self, board: Board, simulated: bool, notices: Notices, echo: Callable[[str], None]
    ) -> None:
        self._board, self._simulated = board, simulated
        self._notices, self._echo = notices, echo
        self.presence: dict[str, facts.Presence] = {}
        """The last word on each source."""
        self.watched = False
        """A camera looks at the board."""
        self.looks_since = 0
        """A camera's reading of before then is of another match (board ns)."""
        self._scanned: dict[str, facts.Scanned] = {}  # how well each looks at its sensors
        self._watermarks: dict[str, int] = {}
        self._throttle = Throttle()
        self._hinted = False

    @property
    def lit(self) -> bool:
        """Whether there are lights that do as they are told."""
        there = (self.presence[name] for name in LIT_BY if name in self.presence)
        return any(it.up and not unlit(it.why) for it in there)

    def heard(self, report: facts.Report, knows: Knows, resting: bool) -> Iterator[facts.Report]:
        """What the table is to hear now that a report has come; see `hears`. Each is to be taken
        before the next is asked for. Of sensors that chatter it is not all."""
        for it in self._throttle.passes(report, knows):
            if self.hears(it, knows, resting):
                yield it

    def hears(self, report: facts.Report, knows: Knows, resting: bool) -> bool:
        """Whether the table is to hear a report; `resting`: of what is no presence only people's.
        Watermarks are kept aside until one passes a deadline; the snapshots of each second that say
        nothing new are left out."""
        match report.body:
            case facts.Watermark(until):
                self._watermarks[report.source] = until
                return False
            case facts.Snapshot():
                return not (resting or knows(report))
            case facts.Scanned():
                return self._looks(report.source, report.body) and not resting
            case facts.Presence():
                return self._comes(report.source, report.body)
            case facts.Reading():
                return not resting and report.at >= self.looks_since
        return not resting or isinstance(report.body, SAID)

    @property
    def known(self) -> Iterator[tuple[str, facts.Presence | facts.Scanned]]:
        """What a table that begins has to know of each source."""
        yield from self.presence.items()
        yield from self._scanned.items()

    def passed(self, due: int) -> facts.Report | None:
        """A watermark that passes a deadline (board ns), once."""
        for source, until in self._watermarks.items():
            if until >= due:
                del self._watermarks[source]
                return facts.Report(source, until, facts.Watermark(until))
        return None

    def _looks(self, source: str, scanned: facts.Scanned) -> bool:
        """A source says how well it looks at its sensors; whether that is of any interest: a
        simulated one waits for this computer, and is shown each level however long that takes."""
        if self._simulated:
            return False
        if not scanned.hung:
            self._scanned[source] = scanned
        return True

    def _comes(self, source: str, presence: facts.Presence) -> bool:
        """A source came or went; whether that is of any interest."""
        if not presence.up and self._needless(source):
            self._hint(say(message("daemon.unlit", why=presence.why)))
            return False
        self.presence[source] = presence
        if presence.up and source != JOURNAL:  # of that one `Saving` knows sooner
            self._notices.drop(source)
        if presence.up and unlit(presence.why):
            told = message("table.source_up_note", source=source, why=presence.why)
            self._notices.tell(source, told)
        self._announce(source, presence)
        return True

    def _needless(self, source: str) -> bool:
        """Whether nobody misses this source: it would only light what a camera looks at, and has
        never been there."""
        seen = self.watched and not self._board.sensors
        return seen and source in LIT_BY and source not in self.presence

    def _announce(self, source: str, presence: facts.Presence) -> None:
        """Tell the terminal what came or went; where there is no board at all, what to do."""
        up = "table.source_up_note" if presence.why else "table.source_up"
        key = up if presence.up else "table.source_down"
        self._echo(say(message(key, source=source, why=presence.why)))
        if not presence.up and not self._simulated and source == "pico":
            self._hint(say(message("daemon.no_board")))

    def _hint(self, sentence: str) -> None:
        """Say what to do, once an evening."""
        if not self._hinted:
            self._hinted = True
            self._echo(sentence)

"""Planted bugs: each a small change of the shell, put in by a command, for evenings to find."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hexboard import files
from hexboard.daemon.match import Match
from hexboard.daemon.opening import Opening
from hexboard.daemon.pages import Pages
from hexboard.daemon.saving import Saving
from hexboard.daemon.sources import Sources
from hexboard.devices.link import Link
from hexboard.devices.mailbox import Mailbox
from hexboard.devices.session import LIGHTS, Session
from hexboard.facts import Edge, Fact, Presence, Report, Resume
from hexboard.games.hextraction.table.hearing import Hearing
from hexboard.record.journal import Journal, JournalError, Saved
from hexboard.record.recording import Recorder
from hexboard.record.transcript import Transcript
from hexboard.table.effects import Commit
from hexboard.web import keys
from hexboard.web.keys import Key, Keys
from hexboard.web.page import OpenPage, Texts
from hexboard.web.requests import NOBODY


class Bug(Struct, frozen=True):
    """In place of a method of a class, or a function of a module, stands what `make` makes of
    it."""

    kind: type | ModuleType
    method: str
    make: Callable[[Any], Any]

    @contextlib.contextmanager
    def planted(self) -> Iterator[None]:
        """While it lasts the bug is there."""
        right = self.kind.__dict__[self.method]
        setattr(self.kind, self.method, self.make(right))
        try:
            yield
        finally:
            setattr(self.kind, self.method, right)


def _told_before_written(right: Any) -> Any:
    """What is being written is final as soon as the disk is asked."""

    def begin(self: Saving, match: Match) -> None:
        right(self, match)
        match.journalled += match._given[0]
        match._given = (0, *match._given[1:])
        match._unsaved.clear()

    return begin


def _never_synced(right: Any) -> Any:
    """The journal does not wait for the disk."""

    def opened(self: Journal) -> None:
        right(self)
        self._pragma("synchronous = OFF")

    return opened


def _last_left_out(right: Any) -> Any:
    """Of several entries that are written at once the last is forgotten."""

    def commit(
        self: Journal, match: str, first: int, entries: Sequence[str], position: str
    ) -> None:
        right(self, match, first, entries[:1] or entries, position)

    return commit


def _fact_dropped(right: Any) -> Any:
    """The mailbox drops an edge that comes right behind another."""

    def post(self: Mailbox[Any], report: Report) -> None:
        last = self._waiting[-1][1] if self._waiting else None
        if isinstance(report.body, Edge) and isinstance(last, Report):
            return
        right(self, report)

    return post


def _failure_swallowed(right: Any) -> Any:
    """A write that failed counts as done."""

    def writing(self: Match) -> Any:
        job = right(self)

        def write() -> None:
            with contextlib.suppress(JournalError):
                job()

        return write

    return writing


def _edges_acked_early(right: Any) -> Any:
    """The link acknowledges what is behind a gap."""

    def edges(self: Session, number: int, payload: bytes) -> Any:
        if (number - self._wanted) & 0xFFFF < 0x8000:
            self._wanted = number
        return right(self, number, payload)

    return edges


def _lights_not_resent(right: Any) -> Any:
    """Lights that the wire spoilt are not sent again."""

    def frame(self: Session, kind: int, number: int, payload: bytes = b"") -> bytes:
        self._waiting = self._waiting and kind != LIGHTS
        return bytes(right(self, kind, number, payload))

    return frame


def _one_too_early(right: Any) -> Any:
    """What is committed takes the place of the entry before it."""

    def commit(
        self: Journal, match: str, first: int, entries: Sequence[str], position: str
    ) -> None:
        right(self, match, max(0, first - bool(entries)), entries, position)

    return commit


def _page_forgets(right: Any) -> Any:
    """What comes soon after the last state is never shown."""

    def refresh(self: Pages, *given: Any) -> None:
        right(self, *given)
        self.stale = False

    return refresh


def _recording_ahead(right: Any) -> Any:
    """The recording says that the journal has what it is only about to get."""

    def writing(self: Match) -> Any:
        job = right(self)
        count, before = self._given[0], self.journalled
        self.journalled += count
        self._vouch()
        self.journalled = before
        return job

    return writing


def _page_keeps_old(right: Any) -> Any:
    """A page that has something to send keeps that, in place of what is newer."""

    def put(self: OpenPage, kind: str, side: int, text: str) -> None:
        if kind not in self.latest:
            right(self, kind, side, text)

    return put


def _watermarks_lost(right: Any) -> Any:
    """No watermark ever passes a deadline."""

    def passed(self: Sources, due: int) -> Report | None:
        return None

    return passed


def _presence_untold(right: Any) -> Any:
    """A board that is gone is not told of."""

    def down(self: Link, why: str) -> None:
        self._up = False

    return down


def _close_hurries(right: Any) -> Any:
    """A recording is closed without what waits."""

    def close(self: Recorder) -> None:
        self._queue.clear()
        right(self)

    return close


def _hand_astray(right: Any) -> Any:
    """A page that shows nobody's cards is sent those of a side that another one shows."""

    def take(self: OpenPage, kind: str, texts: Texts) -> None:
        sides = sorted(side for side, language in texts if language == self.language)
        if kind == "state" and self.side == NOBODY and sides:
            self.put(kind, NOBODY, texts[sides[-1], self.language])
        else:
            right(self, kind, texts)

    return take


def _shuffled_anew(right: Any) -> Any:
    """A match that goes on is dealt from another shuffle than before."""

    def resume(self: Opening, saved: Saved) -> Resume:
        going_on: Resume = right(self, saved)
        return replace(going_on, seal=None)

    return resume


def _thrown_off_stays(right: Any) -> Any:
    """A phone that is thrown off keeps its line."""

    def now(self: Keys, key: Key) -> Key | None:
        return right(self, key) or key

    return now


def _seats_forgotten(right: Any) -> Any:
    """Who sits where is not kept."""

    def keep(self: Keys) -> None:
        self.changed = False

    return keep


def _seats_not_synced(right: Any) -> Any:
    """Who sits where is written, and nobody waits for the disk."""

    def keep(self: Keys) -> None:
        synced = files._fsync
        files._fsync = lambda _: None
        try:
            right(self)
        finally:
            files._fsync = synced

    return keep


def _recorded_openly(right: Any) -> Any:
    """A recording has what only one seat may know."""

    def heard(self: Transcript, fact: Fact) -> Fact:
        return fact

    return heard


def _invited_for_ever(right: Any) -> Any:
    """An invitation can be taken again."""

    def accept(self: Keys, *given: Any) -> str:
        before = self._known.open
        secret = str(right(self, *given))
        self._known = replace(self._known, open=before)
        return secret

    return accept


def _seat_of_others(right: Any) -> Any:
    """Who takes a seat gets the other one."""

    def given(known: Any, key: Key, seat: int, words: Any) -> Any:
        return right(known, key, (seat + 1) % 2 if seat in (0, 1) else seat, words)

    return given


def _outage_unheard(right: Any) -> Any:
    """The table does not hear that the board was away."""

    def hears(self: Sources, report: Report, knows: Any, resting: bool) -> bool:
        heard = bool(right(self, report, knows, resting))
        return heard and not isinstance(report.body, Presence)

    return hears


def _outage_forgotten(right: Any) -> Any:
    """What balls did while the board was away is not doubted."""

    def source_left(self: Hearing, source: str) -> None:
        pass

    return source_left


def _edges_lost_at_reconnect(right: Any) -> Any:
    """What the board felt first after it came back is not heard."""

    def hears(self: Sources, report: Report, knows: Any, resting: bool) -> bool:
        heard = bool(right(self, report, knows, resting))
        if isinstance(report.body, Presence):
            self.__dict__["deaf"] = 2
        elif isinstance(report.body, Edge) and self.__dict__.get("deaf", 0):
            self.__dict__["deaf"] -= 1
            return False
        return heard

    return hears


def _roll_cut_short(right: Any) -> Any:
    """Of what a roll came to the last is not kept."""

    def commit(self: Match, effect: Commit) -> None:
        right(self, effect)
        if len(self._unsaved) > 1:
            self._unsaved.pop()

    return commit


BUGS = {
    "told-before-written": Bug(Saving, "_begin", _told_before_written),
    "never-synced": Bug(Journal, "_open", _never_synced),
    "last-left-out": Bug(Journal, "commit", _last_left_out),
    "fact-dropped": Bug(Mailbox, "post", _fact_dropped),
    "edges-acked-early": Bug(Session, "_edges", _edges_acked_early),
    "lights-not-resent": Bug(Session, "_frame", _lights_not_resent),
    "failure-swallowed": Bug(Match, "writing", _failure_swallowed),
    "one-too-early": Bug(Journal, "commit", _one_too_early),
    "page-forgets": Bug(Pages, "refresh", _page_forgets),
    "recording-ahead": Bug(Match, "writing", _recording_ahead),
    "page-keeps-old": Bug(OpenPage, "put", _page_keeps_old),
    "watermarks-lost": Bug(Sources, "passed", _watermarks_lost),
    "presence-untold": Bug(Link, "_down", _presence_untold),
    "close-hurries": Bug(Recorder, "close", _close_hurries),
    "hand-astray": Bug(OpenPage, "take", _hand_astray),
    "shuffled-anew": Bug(Opening, "_resume", _shuffled_anew),
    "thrown-off-stays": Bug(Keys, "now", _thrown_off_stays),
    "seats-forgotten": Bug(Keys, "keep", _seats_forgotten),
    "seats-not-synced": Bug(Keys, "keep", _seats_not_synced),
    "recorded-openly": Bug(Transcript, "heard", _recorded_openly),
    "invited-for-ever": Bug(Keys, "accept", _invited_for_ever),
    "outage-unheard": Bug(Sources, "hears", _outage_unheard),
    "outage-forgotten": Bug(Hearing, "source_left", _outage_forgotten),
    "edges-lost-at-reconnect": Bug(Sources, "hears", _edges_lost_at_reconnect),
    "roll-cut-short": Bug(Match, "commit", _roll_cut_short),
    "seat-of-others": Bug(keys, "_given", _seat_of_others),
}

"""Trace: what sensors said, what was believed of it and what was ruled, moment by moment.

A recording is replayed, and of a window of it everything is told that led to a ruling: raw edges,
changes of level that were believed, where balls were taken to be, the readings that were weighed
with their odds, and the rulings. `waves` writes the same for a logic analyser.

    replay = Replay(path)
    for line in trace(replay, window(replay.recording, "12:34", 10), sensors=None):
        print(line.at, line.kind, line.who, line.value)
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from hexboard.facts import Edge, Fact, Snapshot, clock, decode_fact
from hexboard.game.position import Action
from hexboard.record.recording import Recording
from hexboard.record.replay import Replay, ReplayStep, lacking, messages, sentences
from hexboard.table import TableView
from hexboard.words import say
from hexboard.words.errors import NO_JSON, BadRecording, BadText, Mistyped

SECOND = 1_000_000_000
ROUNDED_NS = 500_000
"""A time that `log` shows may be so much earlier or later, ns."""
KINDS = ("raw", "believed", "ball", "ruling", "weighed")


class Window(Struct, frozen=True):
    """A part of a recording, board ns: from its first fact (`zero`) on times are told."""

    zero: int
    begin: int
    end: int
    last_before: int = -1
    """The number of the last fact before it."""
    fact: int = 1
    """The number of the fact that it is around."""

    def seconds(self, at: int) -> float:
        return (at - self.zero) / SECOND


class TraceLine(Struct, frozen=True):
    """One thing that happened. `at` is board ns; `n` the fact that brought it."""

    at: int
    n: int
    kind: str
    """`raw` and `believed` levels, a `ball` and its place, a `ruling` in words, a reading that was
    `weighed` before it."""
    who: str
    """The sensor, the ball, the rule; of a reading `ruled`, `lost` or, while people are asked,
    `asked`."""
    value: str
    """`1` or `0`, a place, or a sentence."""
    odds_ppm: int | None = None
    """How likely a reading was, in millionths."""
    before: bool = False
    """So it was when the window began."""


def window(recording: Recording, around: str, span_s: float) -> Window:
    """The window of so many seconds around a fact's number or a time (`12:34.5`, `1:02:03`); all of
    it for "". Raises `BadText` for what is neither, or lies outside."""
    times = {fact.n: fact.t for fact in facts(recording)}
    if not times:
        raise lacking(recording)
    first, last = min(times.values()), max(times.values())
    if not around:
        return Window(first, first, last)
    at = times.get(int(around), first - SECOND) if around.isdecimal() else first + _time(around)
    if not first - ROUNDED_NS <= at <= last + ROUNDED_NS:
        raise BadText(
            "trace.outside", around=around, last=clock((last - first) / SECOND), n=max(times)
        )
    half = round(span_s * SECOND / 2)
    begin, end = max(first, at - half), min(last, at + half)
    before = max((n for n, t in times.items() if t < begin), default=-1)
    fact = int(around) if around.isdecimal() else _meant(recording, times, at)
    return Window(first, begin, end, before, fact)


def _meant(recording: Recording, times: Mapping[int, int], at: int) -> int:
    """The number of the fact that is meant by a time, which is told to the millisecond: the last
    one in it with a ruling, or without; else the last one before."""
    there = {n for n, t in times.items() if abs(t - at) <= ROUNDED_NS}
    return max(there & {*_ruled(recording)} or there or {n for n, t in times.items() if t <= at})


def _ruled(recording: Recording) -> Iterator[int]:
    """The numbers of the facts that brought a ruling, or were refused."""
    for record in recording:
        if record.topic == "event":
            try:
                event = msgspec.json.decode(record.payload, type=dict[str, Any])
            except NO_JSON:
                raise BadRecording("recording.no_json", topic="event") from None
            if any(messages(event)):
                yield int(event["n"])


def _time(text: str) -> int:
    """The inverse of `clock`, ns. Raises `BadText`."""
    *whole, seconds = text.split(":")
    try:
        if not whole or len(whole) > 2:
            raise ValueError
        minutes: int = sum(int(part) * 60**k for k, part in enumerate(reversed(whole)))
        return round((60 * minutes + float(seconds)) * SECOND)
    except (ValueError, OverflowError):
        raise Mistyped("trace.no_time", around=text[:40]) from None


def trace(
    replay: Replay, window: Window, sensors: Collection[str] | None = None
) -> Iterator[TraceLine]:
    """What happened in a window, in the order in which it was known; first how things stood when it
    began. Of sensors only the given ones, where any are."""
    follower = _Follower(replay, sensors)
    for step in replay.salvaged():
        if step.fact.t > window.end:
            return
        if step.fact.n > window.last_before:
            yield from follower.step(step)
            continue
        follower.levels(step.fact)
        if step.fact.n == window.last_before:
            yield from follower.begun(window.begin, step.fact.n)


class _Follower:
    """What was so after the step before."""

    def __init__(self, replay: Replay, sensors: Collection[str] | None) -> None:
        self._replay, self._sensors = replay, sensors
        self._raw: dict[str, tuple[bool, int]] = {}  # level, and since when
        self._view: TableView[Action] | None = None

    def levels(self, fact: Fact) -> list[tuple[str, bool]]:
        """The raw levels that a fact changes."""
        match fact.body:
            case Edge(sensor, level):
                changed = [(sensor, level)]
            case Snapshot(high):
                known = {s.id for s in self._replay.board.sensors if s.source == fact.source}
                there = {s for s, (level, _) in self._raw.items() if level and s in known}
                changed = [(s, s in high) for s in sorted(there ^ (known & {*high}))]
            case _:
                return []
        self._raw |= {sensor: (level, fact.at) for sensor, level in changed}
        return changed

    def step(self, step: ReplayStep) -> Iterator[TraceLine]:
        """What one fact brought."""
        fact, n = step.fact, step.fact.n
        for sensor, level in self.levels(fact):
            if self._wanted(sensor):
                yield TraceLine(fact.at, n, "raw", sensor, str(int(level)))
        before, self._view = self._view, self._replay.view
        if before is not None:
            yield from self._changed(before, self._view, fact)
        for told in step.told:
            if told.topic == "event":
                for text, rule in sentences(msgspec.json.decode(told.payload)):
                    yield TraceLine(fact.t, n, "ruling", rule, text)

    def begun(self, begin: int, n: int) -> Iterator[TraceLine]:
        """How things stood when the window began."""
        for sensor, (level, _) in sorted(self._raw.items()):
            if self._wanted(sensor):
                yield TraceLine(begin, n, "raw", sensor, str(int(level)), before=True)
        self._view = self._replay.view
        for sensor in sorted(self._view.high):
            if self._wanted(sensor):
                yield TraceLine(begin, n, "believed", sensor, "1", before=True)
        for track in self._view.tracks:
            yield TraceLine(begin, n, "ball", str(track.ball), track.place, before=True)

    def _changed(
        self, was: TableView[Action], now: TableView[Action], fact: Fact
    ) -> Iterator[TraceLine]:
        for sensor in sorted(was.high ^ now.high):
            if self._wanted(sensor):
                level = sensor in now.high
                raw, since = self._raw.get(sensor, (level, fact.t))
                at = since if raw == level else fact.t
                yield TraceLine(at, fact.n, "believed", sensor, str(int(level)))
        places = {track.ball: track.place for track in was.tracks}
        for track in now.tracks:
            if places.get(track.ball) != track.place:
                yield TraceLine(fact.t, fact.n, "ball", str(track.ball), track.place)
        for ball in sorted(places.keys() - {track.ball for track in now.tracks}):
            yield TraceLine(fact.t, fact.n, "ball", str(ball), "")
        if was.weighings != now.weighings:
            ruled = any(one.ruled for one in now.weighed)
            for one in now.weighed:
                who = "ruled" if one.ruled else "lost" if ruled else "asked"
                text = say(one.message)
                yield TraceLine(fact.t, fact.n, "weighed", who, text, one.odds_ppm)

    def _wanted(self, sensor: str) -> bool:
        return self._sensors is None or sensor in self._sensors


def facts(recording: Recording) -> Iterator[Fact]:
    """The facts of a recording, as everybody heard them. Raises `BadRecording` at one that this
    hexboard cannot read."""
    for record in recording:
        if record.topic == "fact":
            try:
                yield decode_fact(record.payload)
            except NO_JSON:
                raise BadRecording("recording.no_fact") from None

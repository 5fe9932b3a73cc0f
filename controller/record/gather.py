"""Gather: a recording is replayed once, and what comes of it is told as rows of an archive.

    run = Replay(path)
    row = gathered(run, run, named, lying, put, played)     # put("facts", FactRow(…)), …

What a recording says is read as everybody heard it; nothing of a secret segment gets into a row.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from itertools import islice

import msgspec
from msgspec import Struct

from hexboard.facts import BARE, Decide, Edge, Fact, Reading, Resume, Start, Witnessed
from hexboard.game.match import Match, Played, Ruled
from hexboard.game.options import Options
from hexboard.game.position import CHANCE, Action, Position
from hexboard.perception.witness import Witness, Witnesses
from hexboard.record.compare import common
from hexboard.record.glances import certain
from hexboard.record.recording import read
from hexboard.record.replay import Replay, ReplayStep
from hexboard.record.rows import (
    FactRow,
    QuestionRow,
    ReadingRow,
    RecordingRow,
    RollRow,
    RulingRow,
    SensorRow,
)
from hexboard.record.trace import facts
from hexboard.table import TableView
from hexboard.table.view import Asking
from hexboard.words import TABLE, say
from hexboard.words.names import name_of, one_line

Put = Callable[[str, Struct], None]
"""Takes a row, and the table that it is of."""
Lying = Callable[[], Mapping[str, str]]
"""What lies in each cell after the last fact, in short."""
SECOND = 1e9
MS = 1e6
OFTEN = 500
"""Facts after which it is said how far the replay is."""


class ArchivedAs(Struct, frozen=True):
    """What a row says of a recording that the recording itself does not."""

    recording: str
    content: str
    bytes: int
    replayed_by: str


def gathered(
    run: Replay,
    steps: Iterable[ReplayStep],
    named: ArchivedAs,
    lying: Lying,
    put: Put,
    played: Callable[[int], None],
) -> RecordingRow:
    """Put every row of a recording, its own last, by the `steps` of its replay; `played` is told
    now and then of how many facts more. Raises `BadRecording`, and whatever `put` and `steps`
    raise."""
    id, path = named.recording, run.recording.path
    told, line, questions = _Facts(id, put), _Line(id, run), _Questions(id, put)
    rolls, sensors = _Rolls(id, run, lying), _Sensors(id, run)
    heard_so = zip(steps, facts(read(path)), strict=False)
    for count, (step, heard) in enumerate(heard_so, 1):
        at_s = told.step(heard)
        line.step(step, at_s)
        questions.step(run.asking, heard, at_s)
        rolls.step(step, heard, at_s, questions.came(heard.n))
        sensors.step(step, heard)
        if count % OFTEN == 0:
            played(OFTEN)
    questions.end()
    rulings = line.put(put)
    rolls.put(put)
    sensors.put(put)
    return _recording(named, run, told, (rulings, questions.count), put)


class _Facts:
    """The facts as everybody heard them, and a camera's looks among them."""

    def __init__(self, id: str, put: Put) -> None:
        self._id, self._put = id, put
        self.first: Fact | None = None

    def step(self, fact: Fact) -> float:
        """Its time, seconds since the first fact."""
        self.first = self.first or fact
        at_s, happened_s = ((t - self.first.t) / SECOND for t in (fact.t, fact.at))
        body = fact.body
        sensor, level = (body.sensor, body.level) if isinstance(body, Edge) else (None, None)
        kind, text = str(type(body).__struct_config__.tag), msgspec.json.encode(body).decode()
        row = FactRow(self._id, fact.n, at_s, happened_s, fact.source, kind, sensor, level, text)
        self._put("facts", row)
        if isinstance(body, Reading):
            self._put("readings", self._look(fact.n, at_s, body))
        return at_s

    def _look(self, n: int, at_s: float, look: Reading) -> ReadingRow:
        bare = next((sample.off for sample in look.samples if sample.part == BARE), None)
        blue, green, red = bare or (None, None, None)
        sure = sum(map(certain, look.cells))
        hand = not look.cells
        return ReadingRow(
            self._id, n, at_s, hand, len(look.cells), sure, look.tint, blue, green, red
        )


class _Line:
    """What was ruled and stands, and when it was."""

    def __init__(self, id: str, run: Replay) -> None:
        self._id, self._run = id, run
        self._line: list[Position[Action]] = []
        self._came: list[tuple[int, float]] = []
        self._last = 0, 0.0

    def step(self, step: ReplayStep, at_s: float) -> None:
        self._last = step.fact.n, at_s
        if not self._line or any(told.topic == "event" for told in step.told):
            self._follow()
        if isinstance(step.fact.body, Resume):  # they are in an earlier recording
            self._came = [(0, 0.0)] * len(self._came)

    def _follow(self) -> None:
        """What is new in the line came with the last fact."""
        now = self._run.match.line
        same = common(self._line, now)
        self._line[same:] = now[same:]
        self._came[same:] = [self._last] * (len(now) - same)

    def put(self, put: Put) -> int:
        """Put them all; how many they are."""
        self._follow()
        match, count = self._run.match, 0
        for entry, (position, came) in enumerate(zip(self._line, self._came, strict=True)):
            kind, seat, action = _entry(match, entry)
            if not came[0] or (entry == 0 and not position.events):
                continue
            events = [(e.rule, e.key, say(e)) for e in match.game.public(position).events]
            for rule, key, text in events or [("", "", "")]:
                count += 1
                row = RulingRow(self._id, count, *came, entry, kind, seat, action, rule, key, text)
                put("rulings", row)
        return count


def _entry(match: Match[Action], step: int) -> tuple[str, int | None, str]:
    """What led to a step of a match's line: its kind, who did it, and what, as it was heard."""
    if step == 0:
        return "start", None, ""
    before, at = match.line[step - 1], match.counting[step - 1]
    entry, heard = match.entries[at], match.heard[at]
    if isinstance(entry, Played) and isinstance(heard, Played):
        seat = before.actor(before.action(entry.action))
        return "played", seat if seat >= 0 else None, heard.action
    return "ruled", None, heard.position if isinstance(heard, Ruled) else ""


class _Open(Struct):
    """A question that is open."""

    asking: Asking
    n: int
    at_s: float

    @property
    def key(self) -> str:
        return self.asking.message.key

    @property
    def doubt(self) -> bool:
        """The table asks what happened; not what the rules let people choose, nor who agrees."""
        return self.key.startswith(f"{TABLE}.") and not self.asking.of


class _Questions:
    def __init__(self, id: str, put: Put) -> None:
        self._id, self._put = id, put
        self._open: _Open | None = None
        self.count = 0

    def came(self, n: int) -> _Open | None:
        """The question that came with this fact and is open."""
        return self._open if self._open is not None and self._open.n == n else None

    def step(self, asking: Asking | None, heard: Fact, at_s: float) -> None:
        """What is asked after a fact, as everybody heard it."""
        if self._open is not None:
            id, body = self._open.asking.id, heard.body
            if asking is not None and asking.id == id:
                return  # open still: an answer that came was refused, or others have to agree
            taken = body.choice if isinstance(body, Decide) and body.question == id else None
            self._close(at_s - self._open.at_s, taken)
        if asking is not None:
            self.count += 1
            self._open = _Open(asking, heard.n, at_s)

    def end(self) -> None:
        """The recording ends."""
        if self._open is not None:
            self._close()

    def _close(self, waited_s: float | None = None, answer: str | None = None) -> None:
        assert self._open is not None
        it, self._open = self._open, None
        asked = it.asking
        said = {choice.name: say(choice.message) for choice in asked.choices}
        row = QuestionRow(
            recording=self._id,
            question=self.count,
            n=it.n,
            at_s=it.at_s,
            rule=asked.message.rule,
            key=asked.message.key,
            text=say(asked.message),
            choices=tuple(said.values()),
            answer=answer,
            answer_text=said.get(answer or ""),
            waited_s=waited_s,
        )
        self._put("questions", row)


class _Rolls:
    """What was weighed each time that balls came to rest."""

    def __init__(self, id: str, run: Replay, lying: Lying) -> None:
        self._id, self._run, self._lying = id, run, lying
        self._rows: list[RollRow] = []
        self._weighings = 0
        self._again = False
        """Nothing has begun to move since the last one was judged."""
        self._moving: frozenset[int] = frozenset()
        self._doubt = 0, ""
        """The fact at which the table last asked what this roll was, and the question's key."""
        self._clear()

    def _clear(self) -> None:
        self._began_s: float | None = None
        self._balls: set[int] = set()
        self._places: dict[str, None] = {}
        self._edges = 0
        self._lay: Mapping[str, str] = {}

    def step(self, step: ReplayStep, heard: Fact, at_s: float, asked: _Open | None) -> None:
        self._edges += isinstance(heard.body, Edge)
        if asked is not None and asked.doubt:
            self._doubt = heard.n, asked.key
        if not step.shown:
            return
        view = self._run.view
        if view.weighings > self._weighings:
            self._judged(view, heard.n, at_s, asked)
        elif self._rows and view.weighed:
            self._rows[-1] = _ruled(self._rows[-1], view)
        self._follow(view, heard.n, at_s)

    def _follow(self, view: TableView[Action], n: int, at_s: float) -> None:
        """Where balls are while they move."""
        moving = [track for track in view.tracks if track.moving]
        if moving and not self._moving:
            self._clear()
            self._began_s, self._lay, self._again = at_s, self._lying(), False
            if self._doubt[0] < n:  # of what was before
                self._doubt = 0, ""
        self._moving = frozenset(track.ball for track in moving)
        self._balls |= self._moving
        self._places |= dict.fromkeys(track.place for track in moving if track.place)

    def _judged(self, view: TableView[Action], n: int, at_s: float, question: _Open | None) -> None:
        self._weighings = view.weighings
        before = self._rows.pop() if self._again and self._rows else None
        self._again = True
        came = question.key if question else before.asked if before else None
        asked = self._doubt[1] or came
        began_s = at_s if self._began_s is None else self._began_s
        cells = dict.fromkeys(cell for place in self._places for cell in place.split("-"))
        pieces = tuple(self._lay[cell] for cell in cells if cell in self._lay)
        row = RollRow(
            self._id,
            len(self._rows) + 1,
            n,
            at_s,
            at_s - began_s,
            len(self._balls),
            self._edges,
            tuple(self._places),
            pieces,
            len(view.weighed),
            None,
            None,
            asked,
        )
        self._rows.append(_ruled(row, view))

    def put(self, put: Put) -> None:
        for row in self._rows:
            put("rolls", row)


def _ruled(row: RollRow, view: TableView[Action]) -> RollRow:
    """A roll with what was ruled of it, once that is known."""
    for one in view.weighed:
        if one.ruled:
            return msgspec.structs.replace(row, odds_ppm=one.odds_ppm, ruled=say(one.message))
    return row


class _Sensors:
    """What each sensor did."""

    def __init__(self, id: str, run: Replay) -> None:
        self._id, self._run = id, run
        self._edges: Counter[str] = Counter()
        self._before = Witnesses().fact
        self._out: dict[str, str] = {}

    def step(self, step: ReplayStep, heard: Fact) -> None:
        if isinstance(heard.body, Edge):
            self._edges[heard.body.sensor] += 1
        elif isinstance(heard.body, Witnessed):
            self._before = heard.body
        if step.shown:
            self._out |= self._run.view.out

    def put(self, put: Put) -> None:
        shown = Witnesses()
        shown.add(self._run.witnesses, self._before)
        for it in self._run.board.sensors:
            known = shown.known.get(it.id, Witness())
            row = SensorRow(
                self._id,
                it.id,
                it.kind,
                it.place,
                self._edges[it.id],
                known.seen,
                known.missed,
                known.restless,
                shown.turns,
                shown.named.get(it.id, ""),
                self._out.get(it.id),
                it.min_high / MS,
                it.min_low / MS,
                it.dead / MS,
            )
            put("sensors", row)


def _recording(
    named: ArchivedAs,
    run: Replay,
    told: _Facts,
    counts: tuple[int, int],
    put: Put,
) -> RecordingRow:
    first, outcome, match = told.first, run.outcome, run.match
    seats = tuple(say(seat) for seat in match.position.seats)
    assert first is not None
    body = first.body
    start = body.start if isinstance(body, Resume) else body
    assert isinstance(start, Start)
    scores = match.position.scores
    row = RecordingRow(
        recording=named.recording,
        file=name_of(run.recording.path),
        content=named.content,
        bytes=named.bytes,
        replayed_by=named.replayed_by,
        code=start.code,
        match=start.match,
        resumed=isinstance(body, Resume),
        session=run.recording.session,
        begun=_utc(first.t + run.recording.offset),
        seconds=outcome.seconds,
        board=start.board,
        board_hash=start.board_hash,
        pico=run.recording.metadata.get("pico"),
        game=start.game,
        rules=start.rules,
        options=_agreed(match, run.view.options),
        seats=seats,
        players=tuple(one_line(run.view.names.get(seat, "")) for seat in seats),
        facts=outcome.facts,
        rulings=counts[0],
        questions=counts[1],
        first=_began(match),
        over=scores is not None,
        scores=scores,
        winner=_winner(scores),
        position=outcome.position,
        differs=run.different or None,
        damage=outcome.damage.key.partition(".")[2] if outcome.damage else None,
    )
    put("recordings", row)
    return row


def _agreed(match: Match[Action], options: Options) -> str:
    """The options that are other than the game's defaults, as JSON: a page says all of them."""
    defaults = {it.name: it.default for it in match.game.options}
    other = {name: it for name, it in options.items() if it != defaults.get(name)}
    return msgspec.json.encode(other, order="sorted").decode()


def _began(match: Match[Action]) -> int | None:
    """The seat of who began, as they sit in the end."""
    game, position = match.game, match.position
    began = _opener(match) if game.first_seat is None else game.first_seat(position)
    if began < 0:
        return None
    return 1 - began if game.exchanged(position) else began


def _opener(match: Match[Action]) -> int:
    """The seat that made the first move, as it was called then; where nobody has made one, the seat
    whose move it was, or `CHANCE`. To resign or to offer a draw is none."""
    for before, entry in match.plays:
        if isinstance(entry, Played):
            action = before.action(entry.action)
            if before.actor(action) != CHANCE and action not in match.game.table_acts(before):
                return before.actor(action)
    waited = (it.actor(move) for it in match.line for move in islice(it.legal, 1))
    return next((seat for seat in waited if seat != CHANCE), CHANCE)


def _winner(scores: tuple[int, ...] | None) -> int | None:
    """The seat that has more points than every other; nobody where all have 0."""
    if not scores or not any(scores) or scores.count(max(scores)) > 1:
        return None
    return scores.index(max(scores))


def _utc(wall_ns: int) -> datetime:
    """A time of the wall's clock, without its zone: DuckDB has such times as they stand."""
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    return (epoch + timedelta(microseconds=wall_ns // 1000)).replace(tzinfo=None)

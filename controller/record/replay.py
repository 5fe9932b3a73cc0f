"""Replay: feed a recording's facts to a fresh table and compare, ruling by ruling.

Replay needs nothing but the file: the board travels inside it. Of a game with hidden cards it needs
the secret segment as well (`sealed`), and shows none of it. It refuses a recording made by other
rules, naming both; `as_recorded` reads it all the same, with no engine, in any later version.
"""

import contextlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hexboard import __version__
from hexboard.board import Board, digest
from hexboard.facts import Edge, Fact, Resume, Seal, Snapshot, Start, decode_fact, started
from hexboard.game import registry
from hexboard.game.match import Match
from hexboard.game.options import Options
from hexboard.game.position import Action
from hexboard.perception.witness import Witnesses
from hexboard.record.recording import Record, Recording, read
from hexboard.record.sealed import secret_facts
from hexboard.record.transcript import Told, Transcript
from hexboard.table import TableView
from hexboard.table.effects import Refresh
from hexboard.table.view import Asking
from hexboard.words import Message, message, say
from hexboard.words.errors import NO_JSON, BadRecording, BadText, HexboardError

COMPARED = ("event", "scene", "digest", "state")


class Difference(Struct, frozen=True):
    """Where replay and recording part: the fact, and what each of them says."""

    n: int
    topic: str
    recorded: str
    replayed: str


class Outcome(Struct, frozen=True):
    """How a replay ended."""

    facts: int
    seconds: float
    """Board time from the first fact to the last."""
    position: str
    digest: str
    differences: tuple[Difference, ...]
    damage: Message | None
    crashed: bool = False
    """Our table crashed, or the game's rules did: that is the damage."""
    relit: int = 0
    """From which fact on the lights of earlier rules were others than now; 0 for none."""


class ReplayStep(Struct, frozen=True):
    """One fact of a replay: what it told, and what differs, if anything."""

    fact: Fact
    told: tuple[Told, ...]
    differences: tuple[Difference, ...]
    shown: bool = False
    """What pages show has changed."""


class Replay:
    """A recording being replayed. Iterate over it, then ask for the `outcome`.

    `options` are what people might have agreed on instead, and `without` sensors that say nothing.
    With another `board` than it was played on, `names` says what each of its sensors is called
    there. Raises `BadText` for a sensor that the board does not have."""

    def __init__(
        self,
        path: Path,
        until: int | None = None,
        options: Options | None = None,
        board: Board | None = None,
        names: Mapping[str, str] | None = None,
        without: Collection[str] = (),
    ) -> None:
        self._options = options or {}
        self.recording = read(path)
        self.board = _deaf(board or board_of(self.recording), without)
        self._without = frozenset(without)
        self._names = names or {}
        self._changed = bool(options or board or names or without)
        self._secret = secret_facts(path, opened_only=False)
        self._until = until
        self._transcript: Transcript | None = None
        self._first = self._last = 0
        self._facts = 0
        self._differences: list[Difference] = []
        self._lacking: Message | None = None
        self.crashed: Message | None = None
        """After which fact our table crashed (`salvaged`), and why."""
        self._shown = False
        self._earlier = False
        """It is of an earlier version of the rules: it says itself when what was played stood."""
        self._relit = 0

    def __iter__(self) -> Iterator[ReplayStep]:
        """Step by step; goes on after differences, the caller may stop."""
        for record, recorded, torn in _by_fact(self.recording):
            heard = _fact(record)
            if self._until is not None and heard.n > self._until:
                return
            fact = self._whole(heard)
            if fact is None:
                return
            if self._earlier:
                self._begun.hold(not any(map(_commits, recorded)))
            told = self._step(fact)
            found = tuple(self._rulings(_differences(fact.n, recorded, told, torn)))
            self._differences += found
            yield ReplayStep(fact, told, found, self._shown)

    def _rulings(self, found: Iterable[Difference]) -> Iterator[Difference]:
        """What was ruled otherwise. Lights of an evening of earlier rules are no ruling, nor is the
        digest, once it is made of others."""
        for one in found:
            if self._earlier and one.topic == "scene":
                self._relit = self._relit or one.n
            elif one.topic != "digest" or not self._relit:
                yield one

    def salvaged(self) -> Iterator[ReplayStep]:
        """Step by step, as far as it goes. If our table crashes, as it may have done that evening,
        this ends as a damaged file does: the match has nothing of the fact that it crashed on.
        Raises `BadRecording` if it crashes before the first step."""
        n = stood = 0
        try:
            for step in self:
                n, stood = step.fact.n, len(self.match.entries)
                yield step
        except (HexboardError, OSError):
            raise
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            game = game_of(self.recording.path)
            if not n:
                bad = registry.mistake(game, error) or BadRecording("recording.match", why=why)
                raise bad from error
            self.match.forget(stood)
            self.crashed = message("recording.replay_crashed", n=n, why=why)
            if by := registry.brought_by(game):
                self.crashed = message("recording.game_crashed", game=game, by=by, n=n, why=why)

    def _whole(self, heard: Fact) -> Fact | None:
        """A fact with what was hidden of it; None where a torn secret segment has that no more.
        Raises `BadRecording` where there is no segment, or one of something else."""
        fact, file = heard, str(self.recording.path)
        if heard.n in self._secret:
            fact = _fact_of(self._secret[heard.n])
            if (
                self._agrees
                and self._transcript is not None
                and not self._transcript.was_heard(fact, heard)
            ):
                raise BadRecording("recording.not_its_secret", file=file)
        elif self._hides(heard):
            if not self._secret:
                raise BadRecording("recording.sealed", file=file)
            self._lacking = message("recording.secret_torn", file=file, n=heard.n)
            return None
        return fact

    def _hides(self, heard: Fact) -> bool:
        """Whether something was hidden of a fact: nobody could have said it like that."""
        seal = heard.body.seal if isinstance(heard.body, Resume) else heard.body
        if isinstance(seal, Seal):
            return not seal.seed
        if self._secret and not self._agrees:
            return False
        return self._transcript is not None and not self._transcript.is_whole(heard)

    @property
    def _agrees(self) -> bool:
        """Whether nothing was changed, and nothing differed so far: only then has our table the
        hands of the recording, and can tell what was hidden of them."""
        return not (self._changed or self._differences)

    def _step(self, fact: Fact) -> tuple[Told, ...]:
        if self._transcript is None:
            if not isinstance(fact.body, Start | Resume):
                raise lacking(self.recording)
            start = started(fact.body)
            check(start, self.recording)
            self._earlier = start.rules != registry.find(start.game).rules()
            begin = self._agreed(fact.body, start)
            fact = replace(fact, body=begin)
            try:
                self._transcript = Transcript(self.board, begin)
            except HexboardError as error:
                raise BadRecording("recording.match", why=str(error)) from None
            self._first = fact.t
        heard = self._renamed(fact)
        effects, told = self._transcript.step(heard) if heard else ([], [])
        self._facts += 1
        self._last = fact.t
        self._shown = any(isinstance(effect, Refresh) for effect in effects)
        return tuple(told)

    def _renamed(self, fact: Fact) -> Fact | None:
        """A fact as the board that is replayed on would have said it; None where that says
        nothing."""
        names, silent = self._names, self._without
        match fact.body:
            case Edge(sensor) if sensor in silent:
                return None
            case Snapshot(high) if silent:
                return replace(fact, body=Snapshot(tuple(s for s in high if s not in silent)))
            case Edge(sensor) as edge if sensor in names:
                return replace(fact, body=replace(edge, sensor=names[sensor]))
            case Snapshot(high) if names:
                return replace(fact, body=Snapshot(tuple(names.get(s, s) for s in high)))
        return fact

    def _agreed(self, begin: Start | Resume, start: Start) -> Start | Resume:
        """How the match begins, with the options that were asked for."""
        asked = replace(start, options={**start.options, **self._options})
        return replace(begin, start=asked) if isinstance(begin, Resume) else asked

    @property
    def view(self) -> TableView[Action]:
        """The table as the last fact left it. Raises `BadRecording` where none began a match."""
        return self._begun.view

    @property
    def different(self) -> int:
        """The number of the first fact of which a ruling differed so far; 0 for none."""
        return self._differences[0].n if self._differences else 0

    @property
    def asking(self) -> Asking | None:
        """What people are asked as the last fact left it. Raises `BadRecording`."""
        return self._begun.asking

    @property
    def match(self) -> Match[Action]:
        """The game as the last fact left it. Raises `BadRecording` where none began a match."""
        return self._begun.match

    @property
    def witnesses(self) -> Witnesses:
        """What its rolls have shown of each sensor. Raises `BadRecording` as `view` does."""
        return self._begun.witnesses

    @property
    def _begun(self) -> Transcript:
        if self._transcript is None:
            raise lacking(self.recording)
        return self._transcript

    @property
    def outcome(self) -> Outcome:
        transcript = self._begun
        return Outcome(
            self._facts,
            (self._last - self._first) / 1e9,
            str(transcript.view.public),
            transcript.digest,
            tuple(self._differences),
            self.crashed or self._lacking or self.recording.damage,
            self.crashed is not None,
            self._relit,
        )


def game_of(path: Path) -> str:
    """The game that was recorded. Raises `BadRecording`."""
    recording = read(path)
    for record in recording:
        if record.topic == "fact" and isinstance(body := _fact(record).body, Start | Resume):
            return started(body).game
    raise lacking(recording)


def lacking(recording: Recording, key: str = "recording.no_start") -> BadRecording:
    """What is said of a recording that lacks this; of one without any record, that."""
    if next(iter(recording), None) is None:
        return BadRecording("recording.empty", file=str(recording.path))
    return BadRecording(key)


def _deaf(board: Board, without: Collection[str]) -> Board:
    """A board whose sensors are left out that are named. Raises `BadText` for one it has not."""
    for sensor in without:
        if sensor not in board.sensor:
            raise BadText("replay.no_sensor", sensor=sensor, board=board.name)
    if not without:
        return board
    return replace(board, sensors=tuple(s for s in board.sensors if s.id not in without))


def board_of(recording: Recording) -> Board:
    """The board inside a recording. Raises `BadRecording`."""
    try:
        return msgspec.json.decode(recording.attachments["board.json"], type=Board)
    except (KeyError, *NO_JSON):
        raise lacking(recording, "recording.no_board") from None


def check(start: Start, recording: Recording) -> None:
    """Refuse a recording of another board or of rules that ours do not replay, naming both, or of a
    game that is not here. Raises `BadRecording`, `BadText`."""
    game = registry.find(start.game)
    if not game.reads(start.rules):
        raise BadRecording(
            "recording.other_rules",
            theirs=start.rules,
            ours=game.rules(),
            code=start.code,
            ours_code=__version__,
        )
    if start.board_hash != (own := digest(recording.attachments["board.json"])):
        raise BadRecording("recording.other_board", theirs=start.board_hash, ours=own)


def lines(recording: Recording) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Every record as (t in ns, topic, values), with no engine. What was hidden is shown once the
    match is over. Raises `BadRecording`, also where there is no record."""
    secret, none = secret_facts(recording.path, opened_only=True), True
    for record in recording:
        none = False
        try:
            values = msgspec.json.decode(record.payload, type=dict[str, Any])
            if record.topic == "fact" and (n := values.get("n")) in secret:
                values = msgspec.json.decode(secret[n], type=dict[str, Any])
            if record.topic == "fact":
                msgspec.convert(values, _Fact)
                _hear(values)
            yield record.t, record.topic, values
        except NO_JSON:
            raise BadRecording("recording.no_json", topic=record.topic) from None
    if none:
        raise lacking(recording)


def _hear(fact: dict[str, Any]) -> None:
    """Learn the words of the game that a match begins, where it is installed."""
    match fact:
        case {"body": {"start": {"game": str(game)}} | {"game": str(game)}}:
            with contextlib.suppress(BadText):
                registry.find(game)


class _Body(Struct, frozen=True):
    type: str


class _Fact(Struct, frozen=True):
    """What every fact has, also one that this hexboard does not know."""

    n: int
    source: str
    body: _Body


class _Effect(Struct, frozen=True):
    """What an effect may tell, also one that this hexboard does not know."""

    type: str
    message: Message | None = None
    messages: tuple[Message, ...] = ()
    why: Any = None


class _Effects(Struct, frozen=True):
    effects: list[dict[str, Any]]


class _Event(Struct, frozen=True):
    n: int
    effects: tuple[_Effect, ...]


def sentences(event: object) -> Iterator[tuple[str, str]]:
    """An event record as (sentence, rule id) pairs; what has no sentence here shows its key.
    Raises `BadRecording`."""
    return ((say(text), text.rule) for _, text in messages(event))


def messages(event: object) -> Iterator[tuple[str, Message]]:
    """What an event record, as JSON has it, tells, and the type of the effect that tells it.
    Raises `BadRecording` for what is none."""
    try:
        for effect in msgspec.convert(event, _Event).effects:
            if effect.type == "corrected":
                yield effect.type, msgspec.convert(effect.why, Message)
            elif effect.message is not None:
                yield effect.type, effect.message
            else:
                yield from ((effect.type, text) for text in effect.messages)
    except msgspec.ValidationError:
        raise BadRecording("recording.no_json", topic="event") from None


def _fact(record: Record) -> Fact:
    return _fact_of(record.payload)


def _fact_of(payload: bytes) -> Fact:
    try:
        return decode_fact(payload)
    except NO_JSON:
        raise BadRecording("recording.no_fact") from None


def _by_fact(recording: Recording) -> Iterator[tuple[Record, list[Record], bool]]:
    """The record of each fact, what was recorded of its rulings, and whether it is the last, of
    which a torn file may lack some."""
    fact: Record | None = None
    told: list[Record] = []
    for record in recording:
        if record.topic == "fact":
            if fact is not None:
                yield fact, told, False
            fact, told = record, []
        elif record.topic in COMPARED:
            told.append(record)
    if fact is not None:
        yield fact, told, True


def _commits(record: Record) -> bool:
    """Whether something stood by what was recorded."""
    kinds = [it.get("type") for it in _effects(record.payload)] if record.topic == "event" else []
    return "commit" in kinds


def _effects(event: bytes) -> list[dict[str, Any]]:
    """The effects of an event as JSON has them; none where it is damaged."""
    with contextlib.suppress(*NO_JSON):
        return msgspec.json.decode(event, type=_Effects).effects
    return []


def _differences(
    n: int, recorded: Sequence[Record], told: Sequence[Told], torn: bool
) -> Iterator[Difference]:
    """Where what was recorded of a fact and what we tell part; a torn file may lack the end."""
    for topic in COMPARED:
        theirs = [it.payload for it in recorded if it.topic == topic]
        ours = [it.payload for it in told if it.topic == topic]
        for one, other in zip_longest(theirs, ours[: len(theirs)] if torn else ours, fillvalue=b""):
            if one != other:
                yield _difference(n, topic, one, other)


def _difference(n: int, topic: str, one: bytes, other: bytes) -> Difference:
    recorded, replayed = _text(one), _text(other)
    if recorded == replayed:  # they tell the same: what they do beside differs
        theirs, ours = _effects(one), _effects(other)
        recorded, replayed = _only(theirs, ours), _only(ours, theirs)
    return Difference(n, topic, recorded, replayed)


def _only(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> str:
    """What one of two events does that the other does not; all where only their order differs."""
    alone = [it for it in one if it not in other]
    if not alone and all(it in one for it in other):
        alone = one
    return " / ".join(msgspec.json.encode(it).decode() for it in alone) or "(nothing)"


def _text(payload: bytes) -> str:
    """A record in words where it has any, else its JSON."""
    if not payload:
        return "(nothing)"
    try:
        told = [f"{text} {rule}".strip() for text, rule in sentences(msgspec.json.decode(payload))]
    except (BadRecording, *NO_JSON):
        told = []  # it has no words, or is damaged
    return " / ".join(told) or payload.decode("utf-8", "replace")

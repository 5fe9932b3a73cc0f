"""Compare: what two replays of one recording ruled differently.

Rulings are compared as they stood in the end, one after the other and not fact by fact: with other
debounce times the same is believed a little earlier or later.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher

from msgspec import Struct

from hexboard.game.position import Action, Position
from hexboard.record.replay import Replay
from hexboard.words import Message, say

SECOND = 1e9


class StandingRuling(Struct, frozen=True):
    """A ruling that stood at the end: when (s since the first fact), the sentence, its rule."""

    seconds: float
    text: str
    rule: str


class ReplayedEvening(Struct, frozen=True):
    """What a recording came to: every ruling that stood at its end, as everybody may hear it, and
    how many questions people were asked."""

    rulings: tuple[StandingRuling, ...]
    questions: int
    damage: Message | None = None
    """What of it is lost."""
    crashed: bool = False
    """Our table crashed, or the game's rules did: that is the damage."""


class RulingChange(Struct, frozen=True):
    """Where two replays part: what the one ruled, and what the other did instead."""

    one: tuple[StandingRuling, ...]
    other: tuple[StandingRuling, ...]

    @property
    def seconds(self) -> float:
        """When, in the replay that ruled first."""
        return min(ruling.seconds for ruling in (*self.one, *self.other))


def evening(replay: Replay) -> ReplayedEvening:
    """What a replay comes to."""
    line: list[Position[Action]] = []
    times: list[float] = []
    asked: set[int] = set()
    first = None
    for step in replay.salvaged():
        first = step.fact.t if first is None else first
        if replay.asking is not None:
            asked.add(replay.asking.id)
        if not any(told.topic == "event" for told in step.told):
            continue
        now = replay.match.line
        same = common(line, now)
        line[same:] = now[same:]
        times[same:] = [(step.fact.t - first) / SECOND] * (len(now) - same)
    game = replay.match.game
    rulings = tuple(
        StandingRuling(seconds, say(event), event.rule)
        for seconds, position in zip(times, line, strict=True)
        for event in game.public(position).events
    )
    ended = replay.outcome
    return ReplayedEvening(rulings, len(asked), ended.damage, ended.crashed)


def common(one: Sequence[object], other: Sequence[object]) -> int:
    """How many positions two lines have in common at their beginning."""
    least = min(len(one), len(other))
    while least and one[least - 1] is not other[least - 1]:
        least -= 1
    return least


def changes(one: Sequence[StandingRuling], other: Sequence[StandingRuling]) -> list[RulingChange]:
    """Every place at which two replays ruled differently, in order."""

    def plain(found: Sequence[StandingRuling]) -> list[tuple[str, str]]:
        return [(ruling.text, ruling.rule) for ruling in found]

    matcher = SequenceMatcher(None, plain(one), plain(other), autojunk=False)
    return [
        RulingChange(tuple(one[a:b]), tuple(other[c:d]))
        for what, a, b, c, d in matcher.get_opcodes()
        if what != "equal"
    ]

"""Effects that are done more than once: so often, or once for each own unit.

How often is settled when its turn comes; then its parts wait in the queue, one round after the
other.
"""

from typing import Annotated

from msgspec import Meta, field

from hexboard.games.knee_deep.cards import joined
from hexboard.games.knee_deep.choices import AnyChosen
from hexboard.games.knee_deep.conditions import EVER, Group
from hexboard.games.knee_deep.effects import AnyAtOnce, Effect, counted
from hexboard.games.knee_deep.peeks import AnyPeek
from hexboard.games.knee_deep.state import PendingStep, State
from hexboard.words import Message, message

PART = 100
"""More than a card has effects: the place of a part in a step is that of its loop, and so many
times its own, from 1."""


class Loop(Effect, frozen=True, kw_only=True):
    """Its `parts`, which a file calls `then`, several times."""

    parts: tuple[AnyAtOnce | AnyChosen | AnyPeek, ...] = field(name="then")

    def rounds(self, state: State, seat: int) -> int:
        """How often, as things stand."""
        raise NotImplementedError

    def opened(self, state: State, step: PendingStep) -> tuple[PendingStep, ...]:
        """What is to be done instead of the loop's own step."""
        once = tuple(
            PendingStep(step.seat, step.card, step.index + PART * j, part.left)
            for j, part in enumerate(self.parts, 1)
        )
        return once * self.rounds(state, step.seat)

    def of_parts(self, war: bool) -> Message:
        """What they say."""
        return joined(*(part.sentence(war) for part in self.parts))


class Repeat(Loop, frozen=True, kw_only=True, tag="repeat"):
    """So many times."""

    times: Annotated[int, Meta(ge=2, le=20)]

    def rounds(self, state: State, seat: int) -> int:
        return self.times

    def sentence(self, war: bool) -> Message:
        return message("knee_deep.does_repeat", times=self.times, what=self.of_parts(war))


class ForEach(Loop, frozen=True, kw_only=True, tag="for_each"):
    """Once for each own unit of a group, in a war for each that fights; at most so often."""

    unit: Group
    most: Annotated[int, Meta(ge=1, le=EVER)] = EVER

    def rounds(self, state: State, seat: int) -> int:
        return min(counted(state, seat, self.unit), self.most)

    def sentence(self, war: bool) -> Message:
        key = "knee_deep.does_for_each_in_war" if war else "knee_deep.does_for_each"
        unit, what = message(f"knee_deep.unit_{self.unit}", count=1), self.of_parts(war)
        if self.most >= EVER:
            return message(key, unit=unit, what=what)
        return message(f"{key}_at_most", unit=unit, most=self.most, what=what)


AnyLoop = Repeat | ForEach

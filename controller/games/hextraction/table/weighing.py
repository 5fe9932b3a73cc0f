"""Weighing: what came since all was beyond doubt, weighed by readings.

While balls roll it is weighed on as it comes, so much at once; in the end only what is left, and
all anew where what it began from turned out to be otherwise. Either way the readings are the same.
"""

from collections.abc import Mapping
from types import MappingProxyType

from hexboard.board import Board, CellId
from hexboard.games.hextraction.rules.actions import Action, Roll
from hexboard.games.hextraction.rules.position import Hextraction
from hexboard.games.hextraction.rules.state import Placed
from hexboard.games.hextraction.table import slots
from hexboard.games.hextraction.table.hearing import Hearing
from hexboard.games.hextraction.table.intake import (
    SETTLED_NS,
    SLOT,
    Came,
    Intake,
    TakenIn,
    as_of,
    unheard,
)
from hexboard.games.hextraction.table.retelling import Places, Stand
from hexboard.games.hextraction.tracking.automaton import MISS_CNAT, Automaton
from hexboard.games.hextraction.tracking.channels import Channels
from hexboard.games.hextraction.tracking.hypothesis import RESTS, Ball, Counting
from hexboard.games.hextraction.tracking.readings import NEVER_CNAT, Readings
from hexboard.perception.debounce import Change
from hexboard.table.senses import Senses

MANY_SIGNS = 300
"""Signs in one roll from which it is no longer read anew: a ball makes some thirty. Then people are
asked whether the roll counts."""
AT_ONCE = 1_000
"""So many readings of what came are weighed at once while balls roll; what is left, soon after."""


class Weighing:
    """What came since a `stand`, and the readings of it."""

    def __init__(self, board: Board, senses: Senses, stand: Stand) -> None:
        self.board, self._senses = board, senses
        self.hearing = Hearing(board, senses.away)
        self._automata: dict[frozenset[str], Automaton] = {}
        self._known: dict[tuple[str, int], Channels] = {}
        # where balls may lie as well, as long as the position has them where they are believed
        self._believed: Places = ()
        self._elsewhere: list[tuple[int, Places]] = []
        self.begin(stand)

    def begin(self, stand: Stand) -> None:
        """All that led here is beyond doubt."""
        self.stand = stand
        self.hearing = self.hearing.anew(self._senses.away)
        self.retaken = 0
        """The ball that an effect has rolled anew since; 0 for none."""
        self.rewind()

    def rewind(self) -> None:
        """All that came is told anew, from the stand on."""
        self.items: list[Change | Action] = []
        """What led from there to here, in order."""
        self.pauses: list[int] = []
        """Before which of them everything was taken to be at rest."""
        self._came = Came(self.items)
        self._weighed: TakenIn | None = None
        self.behind: int | None = None
        """When more of what came is to be weighed; None where nothing is left over."""

    def believe(self, position: Hextraction, elsewhere: list[tuple[int, Places]]) -> None:
        """Balls are believed to lie as the position has it, and may lie elsewhere."""
        self._believed, self._elsewhere = position.places(), elsewhere

    @property
    def too_many(self) -> bool:
        """Too much came to tell a ball from noise."""
        return len(self.items) > MANY_SIGNS

    def spoke(self) -> list[str]:
        """The sensors whose word led here, the last one first."""
        changes = (item.sensor for item in reversed(self.items) if isinstance(item, Change))
        return list(dict.fromkeys(changes))

    def weigh_on(self, lying: Mapping[CellId, Placed], at: int) -> None:
        """Weigh ahead what came by `at`, so that less is left to weigh in the end. What came in the
        last `SETTLED_NS` waits, for what follows may change how it is taken. No more than `AT_ONCE`
        is weighed now; `behind` says when to go on."""
        self.behind = None
        if not (self.hearing.gaps or self.too_many):
            taken = as_of(self._intake(lying), at - SETTLED_NS)
            if self._weigh(taken, at, AT_ONCE).taken != taken:
                self.behind = at + SETTLED_NS

    def readings(
        self,
        lying: Mapping[CellId, Placed],
        now: int,
        otherwise: Mapping[CellId, Placed] = MappingProxyType({}),
        most: int | None = None,
    ) -> Readings:
        """All readings of what came; `lying`: the tiles that are believed to lie there by now;
        `otherwise`: what lies otherwise than is believed. With `most` only the best are wanted, and
        none that cost more."""
        taken, gaps = self._intake(lying, otherwise), self.hearing.gaps
        if most is None and not gaps:
            self.behind = None
            return self._weigh(taken, now).readings.apart()
        readings = self._begun(now, otherwise)
        if gaps:
            readings.lay(*self._layouts({**self.stand.physical, **otherwise}))
        readings.narrow = most is not None
        for it in taken:
            self._take(readings, it)
            if most is not None and readings.least > most:
                return readings
        left = gaps[sum(len(it.gaps) for it in taken) :]
        if left and len(self.items) in self.pauses:
            readings.pause()
        for gap in left:
            unheard(readings, gap, len(self.items))
        return readings

    def _weigh(self, taken: list[Intake], now: int, most: int = NEVER_CNAT) -> TakenIn:
        """The readings of `taken`; who judges them takes them `apart`. Continues the last weighing
        if it began in the same state and `taken` begins with what that took. Stops once `most` more
        work is done: the answer's own `taken` says how far it came."""
        known, begun, steady = self._weighed, self._begin_from(now), self._steady(now)
        if (
            known is None
            or known.begun != begun
            or known.taken != taken[: len(known.taken)]
            or not known.readings.steadied(steady)
        ):
            self._weighed = known = TakenIn(begun, [], self._begun(now))
        most += known.readings.weighed
        for it in taken[len(known.taken) :]:
            if known.readings.weighed >= most:
                break
            self._take(known.readings, it)
            known.taken.append(it)
        return known

    def _begin_from(self, now: int) -> tuple[object, ...]:
        """What readings begin from, beside the stand."""
        senses, loaded = self._senses, self._loaded(now)
        elsewhere = self.retaken, self._believed, list(self._elsewhere)
        made_up, misses = dict(senses.witnesses.made_up), dict(senses.misses(MISS_CNAT))
        return loaded, elsewhere, dict(senses.health.out), made_up, misses

    def _intake(
        self,
        lying: Mapping[CellId, Placed],
        otherwise: Mapping[CellId, Placed] = MappingProxyType({}),
    ) -> list[Intake]:
        tiles = {**self.stand.position.tiles, **otherwise}
        physical = {**self.stand.physical, **otherwise}
        if self._came.items is not self.items:
            self._came = Came(self.items)
        return self._came.taken_in(self.pauses, self.hearing.gaps, lying, tiles, physical)

    def _take(self, readings: Readings, it: Intake) -> None:
        """Let readings take in one thing more."""
        for gap in it.gaps:
            unheard(readings, gap, it.number)
        if it.paused:
            readings.pause()
        if not isinstance(it.item, Change):
            readings.heard(it.item, it.number)
        elif not it.item.sensor.startswith(SLOT):
            readings.see(it.item, it.number, it.quick)
        elif it.lies is not None:
            readings.lay(*self._layouts(it.lies))

    def _since(self, now: int) -> int:
        """When the first of what came came."""
        return next((item.at for item in self.items if isinstance(item, Change)), now)

    def _loaded(self, now: int) -> list[tuple[str, bool]]:
        """The lanes in which a ball may lie as it begins, and whether it does."""
        tracker = self.stand.tracker
        long = self.hearing.gaps or self.pauses[:1] == [0]  # it was waited for by then
        known = tracker.loaded(0 if long else self._since(now))
        return [(lane, tracker.loads[lane][0]) for lane in known]

    def _begun(
        self, now: int, otherwise: Mapping[CellId, Placed] = MappingProxyType({})
    ) -> Readings:
        """Readings of which nothing came yet."""
        setting, before = self.stand.position.setting, self.stand.position
        layout = self._layout({**self.stand.physical, **otherwise})
        each = setting.touches == "of one ball"
        return Readings(
            layout,
            self._starts(layout),
            self._loaded(now),
            before.next_ball,
            before.touched if each else {(slot, 0): n for slot, n in before.touches.items()},
            Counting(
                setting.walls == "touch",
                each,
                setting.triggers == "once a roll",
                {ball.id: ball.weight for ball in before.balls if ball.weight > 1},
            ),
            before.own_ramps,
            all(before.refusal(Roll(ramp.id)) for ramp in self.board.ramps),
            self._senses.witnesses.made_up,
            self._steady(now),
        )

    def _steady(self, now: int) -> set[str]:
        """The sensors that have been active all the while, of those that said nothing. A floor that
        became so since need not be among what came: between rolls nobody minds it."""
        quiet, since = self._senses.health.quiet_since, self._since(now)
        felt = self._senses.felt.difference(self.spoke())
        return {it for it in felt if not it.startswith("floor:") or quiet(it) <= since}

    def supposing(
        self, lying: dict[CellId, Placed], now: int, otherwise: Mapping[CellId, Placed], most: int
    ) -> Readings:
        """The same, with tiles that lie otherwise than is believed, as far as one of them costs no
        more than `most`."""
        believed = dict(self._automata)
        readings = self.readings(lying, now, otherwise, most)
        self._automata = believed
        return readings

    def _layouts(self, physical: Mapping[CellId, Placed]) -> list[Automaton]:
        """What balls meet where these tiles lie; and what they may have done while not all was
        heard, if there was such a time."""
        unheard = self.hearing.unheard
        return [self._layout(physical), *([self._layout(physical, unheard)] if unheard else [])]

    def _layout(
        self, physical: Mapping[CellId, Placed], unheard: frozenset[str] = frozenset()
    ) -> Automaton:
        """What balls meet where these tiles lie; looked up while readings are made."""
        known = self._automata.get(unheard) or self._automata.get(frozenset())
        self._automata[unheard] = layout = Automaton(
            self.board,
            lambda slot: self._channels(physical.get(slot)),
            self._senses.heeded_all,
            known,
            unheard,
            self._senses.misses(MISS_CNAT),
        )
        return layout

    def _channels(self, placed: Placed | None) -> Channels | None:
        """What balls meet where that lies, looked up once for each way in which a tile lies."""
        if placed is None:
            return None
        way = placed.tile, placed.rotation
        if way not in self._known:
            self._known[way] = slots.channels_of(self.stand.position.setting, placed)
        return self._known[way]

    def _starts(self, layout: Automaton) -> list[tuple[int, list[Ball]]]:
        """Where balls lay when all was beyond doubt, and what it costs to believe so."""
        tracker, before = self.stand.tracker, self.stand.position
        lying = [
            (ball, tracker.spot(ball, place, layout), int(tracker.rolls(ball)))
            for ball, place in before.places()
            if not place.startswith(("fell:", "off:")) and ball != self.retaken
        ]
        starts = [(0, lying)]
        if before.places() == self._believed and before.phase != "rolling":
            starts += [
                (cost, [(ball, tracker.spot(ball, at, layout), RESTS) for ball, at in places])
                for cost, places in self._elsewhere
            ]
        return starts

"""The end of a roll: when all is still it is weighed what it was, and ruled or asked about."""

from collections import Counter
from collections.abc import Iterable, Iterator

from hexboard.board import CellId
from hexboard.facts import MS
from hexboard.games.hextraction.rules.actions import (
    Action,
    Fell,
    Goal,
    Gone,
    Roll,
    Settle,
)
from hexboard.games.hextraction.rules.position import Hextraction
from hexboard.games.hextraction.rules.state import Placed
from hexboard.games.hextraction.table import questions, retelling
from hexboard.games.hextraction.table.believed import Believed
from hexboard.games.hextraction.table.doubting import Doubting
from hexboard.games.hextraction.table.following import Following
from hexboard.games.hextraction.table.playing import Playing
from hexboard.games.hextraction.table.unsettled import WORTH_CNAT, Unsettled, still, timed, took
from hexboard.games.hextraction.tracking.outcome import (
    Judged,
    RollOutcome,
    agreed,
    doubt,
    likeliest,
    odds,
)
from hexboard.games.hextraction.tracking.passes import LANE
from hexboard.games.hextraction.tracking.readings import Readings
from hexboard.perception.debounce import Change
from hexboard.table.effects import Corrected
from hexboard.table.parts import Parts
from hexboard.table.view import Weighed
from hexboard.words import message

DOUBT_PPM = 20_000
"""How unlikely, in millionths, the best ruling may be wrong without people being asked."""

DARK_PPM = 500
"""The same of a roll during which nobody listened for a while: then nothing has a weight."""

REOPENED_PPM = 8_000
"""The same of a roll that may have gone on after it was ruled: that is weighed as less likely than
it is, lest one false sign move a ball."""
PUT_BACK_NS = 5_000 * MS
"""So long after it was lifted a tile is waited for at the end of a roll: most are put back."""
HAND_NS = 300 * MS
"""So long at least after a ball's last sign a hand begins something else."""
NEXT_NS = 700 * MS
"""So long at least after the last ball has left the next player lays another, for a turn has one
roll (2.0.2); sooner it is a second ball of the same roll."""
UNKNOWN_PPM = 100_000
"""How likely, in millionths, a ball may lie where none is believed after not all was heard: the
next roll is read from every place where a known ball may lie, but knows of no other."""


class Ending:
    """Rules on the rolls of one table when they are over."""

    def __init__(
        self, parts: Parts[Action], believed: Believed, playing: Playing, following: Following
    ) -> None:
        self._parts, self._believed, self._playing = parts, believed, playing
        self._doubting = Doubting(parts, believed, following)
        self.judged: list[Judged] = []
        """The readings that were weighed last, the likeliest first."""
        self.likely: list[Judged] = []
        """Those of the open question."""
        self.weighings = 0
        """How often readings were weighed."""
        self._ruled: RollOutcome | None = None

    @property
    def weighed(self) -> tuple[Weighed, ...]:
        """The readings that were weighed last, as people read them."""
        judged = self.judged[: questions.MOST]
        fired = len({one.ruling.fired for one in judged}) > 1
        return tuple(
            Weighed(questions.reading(one.ruling, fired), ppm, one.ruling == self._ruled)
            for one, ppm in zip(judged, odds(self.judged), strict=False)
        )

    def settle(self) -> None:
        """No edge for the settle time: conclude the roll, or ask where a ball is."""
        believed, silent = self._believed, self._parts.senses.silent(self._parts.now)
        deaf = not silent.isdisjoint(believed.unsettled.hearing.sources)
        if believed.clock.waits(deaf, believed.slow):
            return
        believed.clock.stop()
        if self._parts.question.about("table.stormed"):
            return  # first of all it is asked what stands
        if believed.rolling:
            self._roll()
        else:
            self._between()

    def begins(self, change: Change) -> None:
        """Before something else begins it is concluded what the roll was, and how the last one went
        on; not from signs that come all at once."""
        believed = self._believed
        if change.level and change.sensor.startswith("load:") and self._all_left(change.at):
            believed.clock.stop()
            self._roll()
        last = believed.last
        went_on = last is not None and last.went_on and still(last, change.at) > HAND_NS
        if last and went_on and not believed.rolling and believed.begins(change):
            believed.clock.stop()
            self._reconsider(last, change.sensor)

    def _all_left(self, now: int) -> bool:
        """Whether no ball of the roll moves any more, and nothing of it is asked: who lays a ball
        now lays it for the next one."""
        believed, heard = self._believed, self._believed.unsettled
        still_open = self._parts.question.asking or heard.hearing.away or heard.too_many
        waits = believed.slots.out or believed.position.freed or believed.tracker.loads
        if not believed.rolling or still_open or waits or any(believed.moving):
            return False
        return still(heard, now) > NEXT_NS

    def _roll(self) -> None:
        """Conclude a roll; or ask what has to be known before."""
        believed = self._believed
        if believed.position.freed and believed.slots.todo:
            return  # balls lie on a tile that is to be taken out first (K18)
        if away := believed.unsettled.hearing.away:
            self._wait(away[0])
        elif believed.unsettled.too_many:
            if not self._parts.question.about("table.storm"):
                self._parts.ask(*questions.too_many(len(believed.unsettled.items)))
        elif out := believed.slots.out:
            if self._parts.now < self._lifted(out[0]) + PUT_BACK_NS:
                believed.clock.start(self._parts.now)
            else:
                self._parts.ask(*questions.dropped(out[0]))
        else:
            self.judge()

    def _lifted(self, slot: CellId) -> int:
        """When the tile that is missing in a slot was lifted in this roll."""
        items, sensor = self._believed.unsettled.items, f"seat:{slot}"
        found = [it.at for it in items if isinstance(it, Change) and it.sensor == sensor]
        return found[-1] if found else -PUT_BACK_NS

    def hears(self, source: str) -> None:
        """A source is there again, or says that it lost something: a roll waits for what it has to
        tell, and one that was taken to be over may have gone on meanwhile."""
        believed = self._believed
        went_on = believed.last is not None and believed.last.hearing.fresh
        waits = believed.rolling or believed.slipped or went_on
        if waits and source in believed.unsettled.hearing.sources:
            if self._parts.question.about(*questions.WAITS):
                self._parts.close()
            believed.clock.start(self._parts.now)

    def _wait(self, source: str) -> None:
        """Ask what to do with a roll while a source is not heard."""
        self._parts.ask(*questions.waits(source, self._parts.senses.storms.on))

    def _between(self) -> None:
        """Conclude what moved between rolls."""
        believed, tracker = self._believed, self._believed.tracker
        if believed.last and believed.last.went_on:
            self._reconsider(believed.last)
            return
        if believed.last and believed.last.released:
            believed.last = None
        rests, missing = tracker.settle(self._parts.senses.high)
        if believed.unheard or (believed.slipped and not missing):
            if away := believed.unsettled.hearing.away:
                self._wait(away[0])
            else:
                self.judge()
            return
        for rest in rests:
            self._playing.play(rest)
        for track in missing:  # an accident's ball: it changes nothing, the likeliest will do
            guesses = [] if track.let_go else tracker.guesses(track, believed.slots.doors)
            self._playing.answer(guesses[0] if guesses else Gone(track.id))
        for ball, slot in believed.fallen:
            self._playing.answer(Fell(ball, slot))

    # ------------------------------------------------------------------------------ what it was

    def judge(self) -> None:
        """Weigh all that the roll may have been, and rule; or ask, where it matters what it was."""
        believed = self._believed
        if believed.in_doubt:
            self._parts.close()
        readings = believed.unsettled.readings(believed.slots.there, self._parts.now)
        judged = self._weigh(readings)
        believed.last = None
        if self._doubting.asks(judged, readings):
            return
        best = likeliest(judged)
        dark = believed.unsettled.hearing.dark
        unsure = doubt(judged) > (DARK_PPM if dark else DOUBT_PPM) or readings.cut
        if unsure or best.blind or self._unsaid(judged):
            self._ask_which(judged)
        else:
            known = believed.unsettled.rests
            roll = believed.unsettled.copy() if believed.rolling or believed.slipped else None
            after = self._adopt(best, judged)
            self._tell_unfelt(known)
            self._keep(roll, after)

    def _unsaid(self, judged: list[Judged]) -> bool:
        """Whether nobody could have said what the likeliest is: a roll whose gate should have
        spoken; or, where not all was heard, that no other ball lies somewhere."""
        unsettled, best = self._believed.unsettled, likeliest(judged)
        hearing = unsettled.hearing
        if hearing.gaps:
            lie = len(best.ruling.rests)
            each = zip(judged, odds(judged), strict=True)
            more = sum(ppm for one, ppm in each if len(one.ruling.rests) > lie)
            unheard = self._lies_unheard(unsettled, best)
            return bool(hearing.away) or more > UNKNOWN_PPM or unheard
        return not self._believed.rolling and any(isinstance(act, Roll) for *_, act in best.story)

    def _lies_unheard(self, roll: Unsettled, best: Judged) -> bool:
        """Whether a ball moved while nobody listened, and lies where nothing feels it, or lay
        there: another one may have done what it is taken to have done."""
        if not roll.hearing.dark:
            return False
        after = roll.retelling.ending(best)
        lie, lay = (Counter(at for _, at in balls) for balls in (after.places(), roll.rests))
        moved = (lie - lay) + (lay - lie)
        return any(place in self._believed.position.tiles for place in moved)

    def _weigh(self, readings: Readings, begins: str = "") -> list[Judged]:
        """What the roll may have been, the likeliest first; what a sensor feels by which something
        else `begins` is none of it."""
        self.judged = readings.judge(self._parts.senses.felt - {begins})
        self.weighings += 1
        self._ruled = None
        return self.judged

    def _reconsider(self, last: Unsettled, begins: str = "") -> None:
        """Weigh the last roll again, with what came after it was taken to be over, before something
        else `begins` at a sensor."""
        if self._believed.in_doubt:
            self._parts.close()
        readings = last.readings(self._believed.slots.there, self._parts.now)
        judged = self._weigh(readings, begins)
        best = likeliest(judged)
        spoke = last.since()
        last.pause()
        beyond = REOPENED_PPM if last.closed else DOUBT_PPM
        unheard = self._lies_unheard(last, best)
        doubted = doubt(judged) > beyond or readings.cut
        unsure = last.closed and (doubted or unheard)
        if last.comes_to_same(best) and not unsure:
            self._believed.place()
            self._parts.senses.witnesses.between(spoke & best.false)
            return
        more = len(last.retelling.ending(best).balls) > len(self._believed.position.balls)
        if doubted or best.blind or more or unheard:
            self.likely = likely(judged)
            self._parts.ask(*questions.which(self.likely))
        else:
            self._reopen(last, best, judged)

    def _reopen(self, last: Unsettled, judged: Judged, others: list[Judged]) -> None:
        """The last roll went on: tell it anew as judged."""
        believed = self._believed
        self._ruled = judged.ruling
        self._parts.senses.witnesses.timed(*timed(took(last, judged)))
        told, after = last.retelling.told(judged)
        elsewhere = last.elsewhere(judged, after, others)
        self._parts.ledger.reopen(last.stand.entries, message("table.reopened"))
        self._tell(told)
        believed.unsettled.believe(believed.position, elsewhere)
        self._keep(last, after)

    def _keep(self, roll: Unsettled | None, after: Hextraction) -> None:
        """A roll was closed on belief, with everything `after` it at rest: it may turn out to go
        on, until something else begins."""
        believed = self._believed
        believed.last = None
        if roll and believed.position.phase in ("idle", "resolving"):
            roll.close(after)
            believed.last = roll

    @property
    def doubted(self) -> CellId:
        """The slot of which it is asked how its tile lies; "" for none."""
        return self._doubting.asked

    def lies(self, slot: CellId, placed: Placed) -> None:
        """The tile of a slot lies so, people say: the roll is judged with that."""
        self._doubting.lies(slot, placed)
        self.settle()

    def rule(self, number: int) -> None:
        """Reading `number` of the open question is true, people say: they have looked, and balls
        lie nowhere else."""
        judged, last = self.likely[number - 1], self._believed.last
        if last is None or self._believed.rolling:
            self._adopt(judged, [])
        elif not last.comes_to_same(judged):
            self._reopen(last, judged, [])
        self._believed.last = None
        self._believed.between.fade(self._parts.now)

    def _adopt(self, judged: Judged, others: list[Judged]) -> Hextraction:
        """End the roll as judged: as it was told so far if that comes to the same, else anew. Where
        `others` only have balls lie elsewhere, that is kept in mind. What the reading leads to,
        before it is settled."""
        believed, unsettled = self._believed, self._believed.unsettled
        self._ruled = judged.ruling
        heard = unsettled.testimony(judged)
        self._tell_flicked(heard.took)
        self._parts.learn(heard)
        self._doubting.learn()
        told, after = unsettled.retelling.told(judged)
        elsewhere = unsettled.elsewhere(judged, after, others)
        moving = {track.id for track in believed.moving}
        said = list(believed.told())
        so_far, set_off = retelling.set_off(said), retelling.set_off(told)
        rest = retelling.completed(believed.position, so_far, moving, after, set_off)
        if rest is None or retelling.left(said) - retelling.left(told):  # no ball left there
            self._parts.outbox.put(Corrected(message("table.reread")))
            believed.forget()
            rest = told
        self._tell(rest)
        unsettled.believe(believed.position, elsewhere)
        if not believed.rolling:
            believed.stand_here()
        return after

    def _tell(self, actions: Iterable[Action]) -> None:
        """Play what happened until all was at rest."""
        believed = self._believed
        for action in actions:
            self._playing.play(action)
        if believed.rolling:
            self._playing.play(Settle())
        if not self._parts.question.asking:  # else a ball is to be laid somewhere
            believed.place()
        believed.tracker.settled()

    def _tell_flicked(self, took: Iterable[tuple[str, int]]) -> None:
        """Say which balls were so quick from the loading place to the gate that they can hardly
        just have been let go (2.1.1.1); what follows from that is between people."""
        for way, ms in took:
            usual = self._parts.senses.witnesses.paces.hasty(way, ms)
            if usual and way.startswith(LANE):
                lane = way.removeprefix(LANE)
                text = message("table.flicked", "2.1.1.1", lane=lane, ms=ms, usual=usual)
                self._parts.outbox.tell(text)

    def _tell_unfelt(self, known: set[tuple[int, str]]) -> None:
        """Say which balls are only believed to lie where they lie, beside those that are known."""
        position = self._believed.position
        for ball, place in position.places():
            if place in position.tiles and (ball, place) not in known:
                self._believed.suppose(ball, place)
                self._parts.outbox.tell(message("table.unfelt", "2.3.1", ball=ball, place=place))

    # ------------------------------------------------------------------------------ what is asked

    def _ask_which(self, judged: list[Judged]) -> None:
        """Ask which reading is true: where a ball is if they differ in that alone, and nobody has
        said so in this roll; else whole."""
        unsettled = self._believed.unsettled
        self.likely = likely(agreed(judged, DOUBT_PPM))
        alike = len({one.ruling.rolled for one in self.likely}) == 1
        found = None
        if alike and len(self.likely) <= unsettled.retelling.most:
            wants = [(unsettled.retelling.ending(one), one.ruling.fired) for one in self.likely]
            found = retelling.where_alone(self._believed.position, wants)
        if not found or found[0] in unsettled.placed:  # that one ball lies there may answer nothing
            self._parts.ask(*questions.which(self.likely))
        else:
            self._ask_where(*found)

    def _ask_where(self, ball: int, ends: list[str]) -> None:
        """Ask where a ball is that may have ended there."""
        believed, tracker = self._believed, self._believed.tracker
        track = tracker.balls.get(ball)
        guesses = tracker.guesses(track, believed.slots.doors) if track else []
        actions = (*(retelling.ended(ball, end) for end in ends), *guesses, *self._cups(ball))
        place = dict(believed.position.places()).get(ball, "-")  # where it left the board
        last = (track.slot or track.seam or track.zone) if track else place.split(":")[-1]
        self._parts.ask(*questions.where(believed.position, ball, last, actions))

    def _cups(self, ball: int) -> Iterator[Action]:
        """The end zones whose floor feels a ball, and where none is known."""
        known = {place for _, place in self._believed.position.places()}
        for zone in self._parts.board.zones:
            if self._parts.senses.high(f"floor:{zone.id}") and f"zone:{zone.id}" not in known:
                yield Goal(ball, zone.id)


def likely(judged: list[Judged]) -> list[Judged]:
    """Those that are worth a question."""
    return [one for one in judged if one.cost <= judged[0].cost + WORTH_CNAT]

"""Answers: what people say at a table of rolling balls, and what is done about it."""

from itertools import takewhile
from typing import get_args

from hexboard.board import CellId
from hexboard.game.match import Entry, Played
from hexboard.game.position import Position
from hexboard.games.hextraction.rules.actions import (
    Accident,
    Action,
    CallVote,
    Choose,
    End,
    OfBall,
    OfTurn,
    Rail,
    Resolve,
    Roll,
    Settle,
)
from hexboard.games.hextraction.rules.actions import name as name_of
from hexboard.games.hextraction.rules.position import Hextraction, ours
from hexboard.games.hextraction.rules.state import SEATS, Placed
from hexboard.games.hextraction.table import questions, sight
from hexboard.games.hextraction.table.believed import Believed
from hexboard.games.hextraction.table.camera import Camera
from hexboard.games.hextraction.table.ending import Ending
from hexboard.games.hextraction.table.late import Late
from hexboard.games.hextraction.table.playing import SEEN, Playing
from hexboard.games.hextraction.tracking.outcome import Judged
from hexboard.table.acting import Acting
from hexboard.table.ledger import UNDONE
from hexboard.table.parts import Parts
from hexboard.words import Message, message
from hexboard.words.errors import BadText

END = name_of(End())
FELT = "table.felt_more"
LYING = ("edge", "gate", "floor")
"""The sensors that feel a ball which lies still."""
UNMINDED = (Accident, Rail, *get_args(OfBall))
"""What happens beside what people do."""
ROTATIONS = ("0", "1", "2", "3", "4", "5")


class Answers(Acting[Action]):
    """What people say at one table, and a camera for them."""

    def __init__(
        self, parts: Parts[Action], believed: Believed, playing: Playing, ending: Ending
    ) -> None:
        super().__init__(parts)
        self._believed, self._playing, self._ending = believed, playing, ending
        self.late = Late(parts, believed)
        self._lost = False  # a ball may lie where none is known: that is being asked
        self.camera = Camera(parts, believed, self)
        self._looked = set[str]()  # where people were asked whether a ball lies
        parts.on_asked = self.camera.look_up

    @property
    def likely(self) -> list[Judged]:
        """The readings of the open question."""
        return self._ending.likely

    def play(self, action: Action) -> None:
        self._playing.play(action)

    # ------------------------------------------------------------------------------ declared

    def declare(self, seat: int, name: str) -> None:
        believed = self._believed
        if isinstance(believed.position.action(name), SEEN):
            raise BadText("table.not_declared", action=name)
        if believed.in_doubt:
            raise BadText("table.question_first")
        refusal = believed.position.refusal(believed.position.action(name))
        if refusal and refusal.key == "hextraction.unstable" and self.late.asked:
            raise BadText("table.question_open")  # nothing moves: that is waited for
        turn = isinstance(believed.position.action(name), OfTurn | Resolve | Choose)
        if turn and self._parts.ledger.confirm:
            raise BadText("table.look_first")
        if turn and believed.position.held and believed.placing:
            raise BadText("table.todo_first")
        self._go_on(name)
        action = self._parts.ledger.declared(seat, name)
        chosen = isinstance(action, Resolve | Choose) and believed.placing
        if chosen or (isinstance(action, Roll) and believed.slots.todo):
            raise BadText("table.todo_first")
        self._said(action)
        if isinstance(action, Roll):
            believed.clock.start(self._parts.now)

    def made(self, name: str) -> None:
        """Play an action that people have made with their hands."""
        self.declare(-1, name)

    def _go_on(self, name: str) -> None:
        """A turn that ended by itself goes on where a vote is called on the tile that was played in
        it: that is voted off while it is being played (0.5.7)."""
        match self._believed.position.action(name), self._ended:
            case CallVote(_, slot), (end, before) if slot in _playing(before):
                why = message("hextraction.goes_on", "0.5.7", seat=SEATS[before.active])
                self._parts.ledger.back(end, why)

    @property
    def _ended(self) -> tuple[int, Hextraction] | None:
        """The entry by which the last turn ended by itself, and the position before it; None once
        anything came after that."""
        match = self._parts.ledger.match
        newest = next(match.backwards, None)
        if newest is None or match.entries[newest[0]] != Played(END):
            return None
        before = ours(newest[1])
        return (newest[0], before) if before.done else None

    @property
    def last_choice(self) -> int | None:
        """A turn that ended by itself is no choice, nor what happens beside what people do."""
        match, position = self._parts.ledger.match, self._believed.position
        minded = (
            at for at, before in match.choices if is_minded(match.entries[at], before, position)
        )
        return next(minded, match.first)

    def _said(self, action: Action) -> None:
        """Play what people say; the roll is told anew with it."""
        self._believed.last = None
        self._believed.unsettled.items.append(action)
        self._playing.answer(action)

    # ------------------------------------------------------------------------------ answered

    def answer(self, name: str) -> None:
        """Answer the open question."""
        asking = self._parts.question.asking
        assert asking is not None
        self.decide(asking.id, name)

    def decide(self, question: int, name: str) -> None:
        in_doubt = self._believed.in_doubt
        felt = self._parts.question.about(FELT)
        self._parts.answer(question, name)
        match name.split(" "):
            case ["as", "known"] | ["lifted", _]:  # what is lifted is on the to-do
                pass
            case ["ball", *_]:
                self.rule(name, "sensors" if felt else "camera", "")
            case ["void"] if in_doubt:
                self._no_roll()
            case ["void"]:
                if not self.rule("void", "host", ""):
                    self.take_back(self.last_choice)
            case ["laid"] | ["stays", "so"]:
                self._ending.settle()
            case ["stays", slot]:
                self._believed.slots.seat(slot)  # unless it was taken off meanwhile
                self._ending.settle()
            case ["reading", number]:
                self._ending.rule(int(number))
            case ["back", first]:
                self.take_back(int(first), message("table.stormed_back"))
            case ["lies", slot, tile, rotation]:
                self._ending.lies(slot, Placed(tile, int(rotation)))
            case ["as", "seen"]:
                self._ending.judge()
            case _:
                self._chosen(self._believed.position.action(name))
        if felt and self._parts.ledger.confirm:
            self.right()  # as was said before it was asked

    def _chosen(self, action: Action) -> None:
        """An action is the answer: where a ball is, or what the rules let somebody choose."""
        self._said(action)
        if not isinstance(action, Resolve | Choose):
            self._ending.settle()

    # ------------------------------------------------------------------------------ ruled

    def rule(self, do: str, who: str, why: str) -> bool:
        """A host's word (see `facts.Ruling`). The board is believed to be as it says."""
        asking, there = self._parts.question.asking, self._believed.slots.there
        position = lying(self._believed.position, do)
        match do.split(" "):
            case ["tile", slot, *_] if position is not None:
                self.replace(position, who, why)
                there.pop(slot, None)
                if (placed := position.tiles.get(slot)) is not None:
                    there[slot] = placed
            case ["ball", ball, _] if position is not None:
                self._believed.tracker.balls.pop(int(ball), None)  # it moves no more
                self.replace(position, who, why)
            case ["void"] if not self.is_undo(do):
                self._void(who, why)
            case ["play", "on"] if asking and not asking.of:
                self.decide(asking.id, asking.choices[0].name)
                self._parts.outbox.tell(message("table.play_on", who=who))
            case ["play", "on"] if self._believed.rolling:
                self._play_on(who)
            case _:
                return False
        return True

    def position_in(self, do: str) -> Hextraction | None:
        """That a tile or a ball lies otherwise. In a roll it is heard at once, for no question
        outlasts it; but a tile is no answer. Where a ball lies is one, asked about balls."""
        ball, question = do.startswith("ball "), self._parts.question
        rolls = not self._believed.position.stable and (ball or question.asking is None)
        answers = ball and question.about(*questions.OF_BALLS)
        return None if rolls or answers else lying(self._believed.position, do)

    def is_undo(self, do: str) -> bool:
        """A roll that was ruled on is taken back where it does not count."""
        if do != "void":
            return super().is_undo(do)
        if self._believed.in_doubt or not self._believed.position.stable:
            return False
        to, entries = self.last_choice, self._parts.ledger.match.entries
        if to is not None and not is_played(entries[to], Roll, self._believed.position):
            raise BadText("table.no_roll_to_void")
        return True

    def _void(self, who: str, why: str) -> None:
        """The roll does not count: the one that is asked about, or this one."""
        if self._believed.in_doubt:
            self._no_roll()
            return
        self._believed.unsettled.void()
        self.replace(self._believed.position.void(), who, why)

    def _play_on(self, who: str) -> None:
        """The roll is over, and all is as it seems."""
        self.right()
        self._parts.outbox.tell(message("table.play_on", who=who))
        self._believed.clock.stop()
        self._believed.place()
        self._playing.play(Settle())

    def _no_roll(self) -> None:
        """The ball that left its loading place between rolls does not count."""
        self._believed.unsettled.void()
        self._parts.outbox.tell(message("hextraction.voided", "0.5.8"))
        self._accounted()

    # ------------------------------------------------------------------------------ what follows

    def take_back(self, to: int | None, why: Message = UNDONE) -> None:
        before, strays = self._believed.position, self._strays(to)
        self._parts.ledger.back(to, why)
        self._believed.slots.unname(before)
        self.restart()
        self._lay_back(before)
        for ball, place in strays:
            self._parts.outbox.tell(questions.stray(ball, place))
        self._power()

    def _strays(self, to: int | None) -> list[tuple[int, str]]:
        """The balls that nobody was to roll from entry `to` on, and where they lie on the board."""
        match, found = self._parts.ledger.match, set[int]()
        first = len(match.entries) if to is None else to
        for number, before in takewhile(lambda step: step[0] >= first, match.backwards):
            if is_played(match.entries[number], Accident, ours(before)):
                found.add(ours(before).next_ball)
        places = self._believed.position.places()
        return [it for it in places if it[0] in found and not it[1].startswith(("fell:", "off:"))]

    def _power(self) -> None:
        """No take-back switches the power: it is as its sensors felt it last."""
        senses = self._parts.senses
        for sensor in self._parts.board.sensors:
            heard = senses.heeded(sensor.id) and senses.health.quiet_since(sensor.id) > 0
            level = senses.debouncer.level(sensor.id)
            if sensor.kind == "rail" and heard and level != self._believed.position.rail:
                self._playing.play(Rail(level))

    def _lay_back(self, before: Hextraction) -> None:
        """Say which balls lie elsewhere now than a position before had them, where no sensor feels
        that they do: people lay them back."""
        places, high = dict(before.places()), self._parts.senses.high
        for ball, place in self._believed.position.places():
            felt = any(high(f"{kind}:{place.removeprefix(sight.ZONE)}") for kind in LYING)
            if places.get(ball) != place and not felt:
                self._believed.suppose(ball, place)
                self._parts.outbox.tell(message("table.unfelt", "2.3.1", ball=ball, place=place))

    def right(self) -> None:
        """People say that the tiles lie as they should. Between rolls the balls then do too; but
        after a restart people are asked about each ball first that is felt and not known. In a roll
        that was asked about, the question is closed and the roll judged anew."""
        if self._parts.ledger.confirm and (place := self._felt):
            self._looked.add(place)
            self._parts.ask(*questions.felt(self._believed.position, place))
            return
        self._believed.right()
        super().right()
        if not self._believed.rolling:
            self._accounted()
        elif self._parts.question.asking:
            self._parts.close()
            self._ending.settle()

    @property
    def _felt(self) -> str:
        """Where a ball is felt and none is known, and people were not asked yet; "" for nowhere."""
        believed, senses = self._believed, self._parts.senses
        known = {*self._looked, *(place for _, place in believed.position.places())}
        for sensor in self._parts.board.sensors:
            place = f"{sight.ZONE}{sensor.place}" if sensor.kind == "floor" else sensor.place
            lies = place in known or believed.tracker.explains(sensor.id)
            if sensor.kind in LYING and senses.high(sensor.id) and not lies:
                return place
        return ""

    def _accounted(self) -> None:
        """Between rolls: all balls that count are where the position has them."""
        self._believed.tracker.settled()
        self._believed.rest()

    def restart(self) -> None:
        """After the people's word: perception begins again from the position."""
        super().restart()
        self.camera.anew()
        self._believed.restart(self._parts.now)

    def conclude(self) -> None:
        self._playing.let_roll_on()
        self._playing.let_go()
        self._end()
        self._look_for_late()
        if self._believed.settled:
            self._believed.stand_here()
        if self._believed.position.phase == "resolving":
            self._resolve()
        else:
            self._believed.clock.reopen()

    def _look_for_late(self) -> None:
        """What was rolled while a roll was asked about is known afterwards where it is felt."""
        if self._believed.rolling or self._parts.question.asking or self._parts.ledger.confirm:
            return
        if self.late.ends():
            self._looked.clear()
            self._lost = True
        place = self._felt if self._lost and self._believed.position.phase != "over" else ""
        self._lost = bool(place)
        if place:
            self._looked.add(place)
            self._parts.ask(*questions.felt(self._believed.position, place))

    def _end(self) -> None:
        """The turn ends by itself where nothing else is left in it (2.0.1), once all lies as it
        should."""
        ledger, believed = self._parts.ledger, self._believed
        if believed.rolling or believed.slots.todo or ledger.confirm or self._parts.question.asking:
            return
        if believed.position.done:
            self._playing.play(End())
            ledger.commit()
            believed.stand_here()  # what is final is not told anew, whatever a ball in a lane does

    def _resolve(self) -> None:
        """Ask what is to be chosen. A roll or a play is awaited; when an effect has decided the
        game, a vote may still be called."""
        position, clock = self._believed.position, self._believed.clock
        if position.vote:  # all else waits
            clock.reopen()
            if not self._believed.in_doubt:
                self._parts.question.past()
            return
        legal, ledger = position.legal, self._parts.ledger
        decided = legal == (Settle(),) and not position.held
        if decided and not self._parts.clocks.paused:
            clock.decide(self._parts.now)
        else:
            clock.reopen()
        chosen = [act for act in legal if isinstance(act, Resolve | Choose)]
        question = position.question(position.awaited)
        secret = ledger.private and ledger.public.legal != legal  # its own page asks that seat
        waits = self._parts.question.asking or self._believed.placing or secret
        if chosen and question and not waits:
            waiting = all(isinstance(act, Resolve) for act in chosen)
            choices = questions.choices(position, chosen)
            self._parts.ask(question.message, choices, ordered=waiting)


def _playing(position: Hextraction) -> tuple[CellId, ...]:
    """The slots of the tile that was played as long as nothing else is done (K43)."""
    return position.playing if position.setting.playing == "as said" else ()


def lying(position: Hextraction, do: str) -> Hextraction | None:
    """The position with one tile or ball, or none, where a host's word has it; None for another
    word. A ball that nobody knows is the next one. Raises `BadText`."""
    match do.split(" "):
        case ["tile", slot, "-"]:
            return position.with_tile(slot, None)
        case ["tile", slot, tile, rotation] if rotation in ROTATIONS:
            return position.with_tile(slot, Placed(tile, int(rotation)))
        case ["ball", number, place] if number.isdecimal() and len(number) < 10:
            ball, next = int(number), position.next_ball
            if position.ball(ball) is None and ball != next:
                raise BadText("table.no_ball", ball=ball, next=next)
            return position.with_ball(ball, None if place == "-" else place)
    return None


def is_played(entry: Entry, kind: type[Action], position: Hextraction) -> bool:
    """Whether such an action was played, in a match of this `position`."""
    return isinstance(entry, Played) and isinstance(position.action(entry.action), kind)


def is_minded(entry: Entry, before: Position[Action], position: Hextraction) -> bool:
    """Whether people did what led on from `before`, in a match of this `position`: not a turn that
    ended by itself, nor what happens beside what they do."""
    if not isinstance(entry, Played):
        return True
    ended = entry == Played(END) and ours(before).done
    return not (ended or isinstance(position.action(entry.action), UNMINDED))

"""The parts of Hextraction's table, each by itself: what lies, rolls, is asked and said."""

import sys
from types import FrameType

import pytest

from hexboard.facts import MS
from hexboard.games import hextraction
from hexboard.games.hextraction.rules.actions import (
    Accident,
    Action,
    Fell,
    Goal,
    Play,
    Rail,
    Roll,
    Settle,
)
from hexboard.games.hextraction.rules.state import Placed
from hexboard.games.hextraction.table.answers import Answers
from hexboard.games.hextraction.table.believed import Believed
from hexboard.games.hextraction.table.clock import GRACE_NS, RollClock
from hexboard.games.hextraction.table.ending import Ending
from hexboard.games.hextraction.table.following import Following
from hexboard.games.hextraction.table.playing import Playing
from hexboard.games.hextraction.table.slots import UNKNOWN
from hexboard.games.hextraction.tiles.catalogue import everything, written
from hexboard.games.hextraction.tiles.tile import Tile
from hexboard.perception.debounce import Change
from hexboard.perception.health import SensorVerdict
from hexboard.table.effects import Corrected, Effect, Tell
from hexboard.table.parts import Parts
from hexboard.words.errors import BadText, IllegalAction
from tests.desk import BOARD, OPEN, SETTLE, start

J = Placed("J", 1)


class Bench:
    """The parts of a table on which these slots hold open tiles, and the effects so far."""

    def __init__(self, *slots: str, more: tuple[Tile, ...] = ()) -> None:
        begin = start(tiles=written(more)) if more else start()
        self.parts: Parts[Action] = Parts(hextraction.GAME, BOARD, begin)
        self.believed = Believed(self.parts)
        self.playing = Playing(self.parts, self.believed)
        self.following = Following(self.parts, self.believed, self.playing)
        self.ending = Ending(self.parts, self.believed, self.playing, self.following)
        self.answers = Answers(self.parts, self.believed, self.playing, self.ending)
        position = self.believed.position
        for slot in slots:
            position = position.with_tile(slot, OPEN)
        self.answers.replace(position, "host", "")
        self.answers.right()
        self.effects: list[Effect] = self.parts.outbox.begin()

    @property
    def told(self) -> list[str]:
        tells = (effect for effect in self.effects if isinstance(effect, Tell))
        return [text.key for tell in tells for text in tell.messages]

    @property
    def asked(self) -> str:
        asking = self.parts.question.asking
        return asking.message.key if asking else ""

    def see(self, *sensors: str, at_ms: int = 1000) -> None:
        """Balls pass these sensors, one every 200 ms from then on."""
        for n, sensor in enumerate(sensors):
            for level in (True, False):
                at = (at_ms + 200 * n + 8 * (not level)) * MS
                self.following.believe(Change(sensor, level, at))


# ------------------------------------------------------------------------------ what lies in slots


def test_a_tile_that_comes_out_is_to_do_and_back_in_is_taken_for_the_same() -> None:
    slots = Bench("B1", "B2").believed.slots
    del slots.there["B2"]
    assert ([todo.cell for todo in slots.todo], slots.out) == (["B2"], ["B2"])
    assert slots.doors("B2") is None
    slots.seat("B2")
    assert (slots.todo, slots.there["B2"]) == ((), OPEN)


def test_a_tile_that_nobody_named_lets_balls_through_everywhere_until_it_is_named() -> None:
    bench = Bench("B1")
    slots = bench.believed.slots
    slots.seat("C3")
    assert slots.there["C3"] == UNKNOWN
    assert slots.doors("C3") == dict.fromkeys(range(1, 7), tuple(range(1, 7)))
    assert [todo.message.key for todo in slots.todo] == ["table.todo_what"]
    bench.playing.play(Play("J", "C3", 1))
    assert (slots.there["C3"], slots.todo) == (J, ())
    slots.name("B1", J)  # it is known: nothing new
    assert slots.there["B1"] == OPEN


def test_no_ball_may_leave_a_tiles_own_ramp_while_something_is_to_do() -> None:
    bench = Bench("B1", more=(everything()["Clone"],))
    bench.answers.rule("tile B3 Clone 0", "host", "")
    assert bench.believed.slots.ramps() == ("B3",)
    bench.believed.slots.there.pop("B1")
    assert bench.believed.slots.ramps() == ()


# ------------------------------------------------------------------------------ the clock


def test_all_is_still_so_long_after_the_last_sign() -> None:
    clock = RollClock(1500)
    clock.put_off(900)  # nothing moves: no sign of anything
    assert (clock.runs, clock.timers) == (False, [])
    clock.start(1000)
    clock.put_off(1200)
    clock.put_off(1100)  # it is the last sign that counts
    assert (clock.runs, clock.timers) == (True, [(2700, "settle")])
    clock.stop()
    assert clock.timers == []


def test_a_vote_may_be_called_from_when_the_game_is_decided_first() -> None:
    clock = RollClock(1500)
    clock.decide(100)
    clock.decide(300)
    assert clock.timers == [(100 + GRACE_NS, "grace")]
    clock.reopen()
    assert clock.timers == []


# ------------------------------------------------------------------------------ what is played


def test_after_a_roll_balls_lie_where_the_position_has_them_beyond_doubt() -> None:
    bench = Bench("B1")
    before = bench.believed.unsettled.stand
    bench.playing.play(Roll("B1-1"))
    rolling = bench.believed.rolling
    assert bench.believed.unsettled.stand is before
    bench.playing.answer(Fell(1, "B1"))
    bench.playing.play(Settle())
    assert (rolling, bench.believed.rolling) == (True, False)
    assert bench.believed.unsettled.stand.entries == len(bench.parts.ledger.match.entries)
    assert list(bench.believed.moving) == []


def test_a_goal_that_is_known_is_not_played_again() -> None:
    bench = Bench("B5")
    bench.playing.play(Roll("B1-1"))
    bench.playing.play(Goal(1, "ZB"))
    entries = len(bench.parts.ledger.match.entries)
    bench.playing.answer(Goal(1, "ZB"))
    assert len(bench.parts.ledger.match.entries) == entries


# ------------------------------------------------------------------------------ while balls move


def test_a_ball_is_followed_and_the_clock_starts_with_its_last_sign() -> None:
    bench = Bench("B1", "B2")
    bench.see("load:B1-1", "gate:B1-1", "edge:B1-B2")
    assert bench.believed.position.touches == {"B1": 1, "B2": 1}
    assert bench.believed.clock.timers == [((1408 + SETTLE) * MS, "settle")]  # it left the seam


def test_a_ball_that_is_released_while_something_is_to_do_is_an_accident() -> None:
    bench = Bench("B1", "B2")
    bench.believed.slots.there.pop("B2")
    bench.see("load:B1-1", "gate:B1-1")
    position = bench.believed.position
    name = position.name(Accident("B1-1"))
    assert str(bench.parts.ledger.match.entries[1]) == f"Played(action={name!r})"
    assert position.rolls == 0


def test_power_and_seats_are_levels_and_are_told_once() -> None:
    bench = Bench("B1")
    rail = bench.believed.position.rail
    for level in (not rail, not rail, rail):
        bench.following.first_level("rail:main", level)
    played = [str(entry) for entry in bench.parts.ledger.match.entries[1:]]
    names = [bench.believed.position.name(Rail(level)) for level in (not rail, rail)]
    assert played == [f"Played(action={name!r})" for name in names]


def test_without_a_sensor_that_misbehaves_the_roll_is_told_anew() -> None:
    bench = Bench("B1", "B2", "C2")
    bench.see("load:B1-1", "gate:B1-1", "edge:B1-B2", "edge:B2-C2")
    assert bench.believed.position.touches == {"B1": 1, "B2": 1, "C2": 1}
    bench.parts.senses.health.out["edge:B2-C2"] = "chattering"
    bench.following.judge(SensorVerdict("edge:B2-C2", "chattering"))
    assert bench.believed.position.touches == {"B1": 1, "B2": 1}
    assert [type(effect) for effect in bench.effects].count(Corrected) == 1
    assert "sensor.chattering" in bench.told


# ------------------------------------------------------------------------------ when all is still


def test_a_roll_that_is_plain_is_ruled_without_a_word() -> None:
    bench = Bench("B1")
    bench.see("load:B1-1", "gate:B1-1", "edge:B1-B2", "fall:B2")
    bench.parts.now = 9_000 * MS
    bench.ending.settle()
    assert (bench.believed.position.phase, bench.asked) == ("idle", "")
    assert bench.ending.judged[0].ruling.lost == ()
    assert not bench.believed.clock.runs


def test_where_a_tile_came_out_in_a_roll_people_are_asked_and_may_say_that_it_stays() -> None:
    bench = Bench("B1", "B2")
    bench.see("load:B1-1", "gate:B1-1", "edge:B1-B2", "edge:B2-B3", "fall:B3")
    bench.following.believe(Change("seat:B2", True, 0))
    bench.following.believe(Change("seat:B2", False, 0))
    bench.ending.settle()
    assert bench.asked == "", "a hand may put it back"
    bench.parts.now = 6000 * MS
    bench.ending.settle()
    assert bench.asked == "table.dropped"
    bench.answers.answer("stays B2")
    assert (bench.believed.position.phase, bench.asked) == ("idle", "")
    assert set(bench.believed.position.tiles) == {"B1", "B2"}


def test_a_ball_that_stopped_where_no_sensor_is_is_told_until_people_look() -> None:
    bench = Bench("B1", "B2")
    bench.see("load:B1-1", "gate:B1-1", "edge:B1-B2")
    bench.ending.settle()
    if bench.asked:
        bench.answers.answer("rest 1 B2")
    bench.believed.suppose(1, "B2")
    assert bench.believed.unfelt == {1}
    bench.believed.suppose(1, "B1")  # it is not said to lie there any more
    assert bench.believed.unfelt == set()
    bench.believed.suppose(1, "B2")
    bench.answers.right()
    assert bench.believed.unfelt == set()


# ------------------------------------------------------------------------------ the people's word


@pytest.mark.parametrize("name", ["settle", "fell 1 B1", "goal 1 ZB", "accident B1-1"])
def test_physics_is_declared_by_nobody(name: str) -> None:
    with pytest.raises(BadText, match="declared"):
        Bench("B1").answers.declare(-1, name)


def test_nobody_rolls_while_something_is_to_do() -> None:
    bench = Bench("B1")
    bench.believed.slots.there.clear()
    with pytest.raises(BadText):
        bench.answers.declare(-1, "roll B1-1")
    with pytest.raises(IllegalAction):
        bench.answers.declare(-1, "play J B1 0")
    bench.answers.right()
    bench.answers.declare(-1, "roll B1-1")
    assert bench.believed.rolling
    assert bench.believed.clock.runs


def test_a_host_rules_on_tiles_and_balls_and_the_board_is_believed_to_be_so() -> None:
    bench = Bench("B1", "B2")
    assert bench.answers.rule("tile C3 J 1", "host", "")
    assert bench.answers.rule("tile B2 -", "host", "")
    assert bench.answers.rule("ball 1 B1", "host", "")
    assert bench.believed.slots.there == {"B1": OPEN, "C3": J}
    assert bench.believed.position.places() == ((1, "B1"),)
    assert bench.believed.slots.todo == ()
    with pytest.raises(BadText, match="ball"):
        bench.answers.rule("ball 7 B1", "host", "")
    assert not bench.answers.rule("tile C3 J 6", "host", "")
    assert not bench.answers.rule("undo", "host", "")


def test_what_people_did_last_is_found_as_fast_late_in_the_evening() -> None:
    """Counts the functions of ours that are called: as many after 400 entries as after 4."""
    bench, calls = Bench("B1"), list[int]()
    for entries in (4, 400):
        while len(bench.parts.ledger.match.entries) < entries:
            bench.answers.rule("tile C3 J 1", "host", "")
        count = 0

        def called(frame: FrameType, event: str, it: object) -> None:
            nonlocal count
            count += event == "call"

        sys.setprofile(called)
        try:
            assert bench.answers.last_choice == entries - 1
        finally:
            sys.setprofile(None)
        calls.append(count)
    assert calls[0] == calls[1]


def test_a_roll_is_void_while_it_rolls_and_after_it_and_nothing_else_is() -> None:
    bench = Bench("B1")
    before = str(bench.believed.position)
    bench.answers.declare(-1, "roll B1-1")
    assert bench.answers.rule("void", "host", "")
    assert not bench.believed.rolling
    again = Bench("B1")
    again.answers.declare(-1, "roll B1-1")
    again.playing.answer(Fell(1, "B1"))
    again.playing.play(Settle())
    assert again.answers.is_undo("void")  # those concerned are asked first
    again.answers.take_back(again.answers.last_choice)
    assert str(again.believed.position) == before
    again.answers.declare(-1, "play J C3 1")
    with pytest.raises(BadText, match="roll"):
        again.answers.rule("void", "host", "")

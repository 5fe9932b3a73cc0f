"""A moment of a game of Hextraction, and what the rules make of all that can happen in it."""

from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.board import Board, CellId, Edge, Ramp, find, load
from controller.errors import BadText, IllegalAction
from controller.games.hextraction import actions, votes
from controller.games.hextraction.actions import (
    Accident,
    Action,
    Break,
    CallVote,
    Clear,
    Concede,
    Drop,
    End,
    Fell,
    Fire,
    Goal,
    Gone,
    Nay,
    OfBall,
    Off,
    Play,
    Rail,
    Rest,
    Roll,
    Settle,
    Touch,
    Wall,
    Yea,
)
from controller.games.hextraction.tiles import UNREGISTERED, Tile, basic, in_play
from controller.games.hextraction.votes import Vote
from controller.games.position import (
    CHANCE,
    Event,
    Option,
    Options,
    Question,
    Refusal,
    choose,
)
from controller.scene import Mark, Meaning, Scene
from controller.words import Message, Value, message

NAME = "hextraction"
HAND = 3
"""Tiles in a hand (1.2.2); rolls and plays a turn are one each (2.0.2, 2.0.3)."""
LOOP = 3
"""Touches in one roll from which a tile can break the loop (2.1.4.3)."""
SEATS = ("Red", "Blue", "Green", "Yellow", "Violet", "White")


class Setting(Struct, frozen=True):
    """What does not change during a game: board, tiles and options."""

    board: Board
    tiles: dict[str, Tile]
    seats: int = 2
    pool: int = 54


class Placed(Struct, frozen=True):
    """A tile in a slot, turned `rotation` sixths clockwise."""

    tile: str
    rotation: int


class Ball(Struct, frozen=True):
    """A ball on the board. `rolling` as the rules mean it (2.1.4.1), not whether it moves.

    `place` is a slot ("C3"), a seam or lane ("C3-C4", "B1-6"), "fell:C3", "off:A3-5" or "zone:ZB";
    `last` is the last slot whose tile it touched, "" for none.
    """

    id: int
    place: str
    rolling: bool = True
    last: CellId = ""


class Hextraction(Struct, frozen=True, eq=False):
    """A position. `phase` is idle, rolling, resolving or over.

    Rolling lasts until `Settle`. Then, if effects wait or a choice is due, the phase is resolving:
    `legal` lists one choice after the other, and a `Roll` or `Play` where an effect asks for one.
    """

    setting: Setting
    phase: str = "idle"
    active: int = 0
    turn: int = 1
    rolls: int = 0
    plays: int = 0
    tiles: dict[CellId, Placed] = {}
    balls: tuple[Ball, ...] = ()
    touches: dict[CellId, int] = {}
    broken: bool = False
    """The loop was broken in this roll: nothing may introduce a ball (T.BreakLoop.2)."""
    voided: bool = False
    """A tile was voted off in this roll: the roll counts for nothing and is owed again (0.5.8)."""
    fresh: CellId = ""
    """The slot of the tile that was just played, until something else is done (0.5.7)."""
    vote: Vote | None = None
    pool: int = 0
    hands: tuple[int, ...] = ()
    conceded: tuple[int, ...] = ()
    rail: bool = True
    """The power rail as it is now; `offline` follows only when the game stabilises."""
    offline: bool = False
    overdrive: bool = False
    winner: int | None = None
    events: tuple[Event, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hextraction) and str(self) == str(other)

    def __ne__(self, other: object) -> bool:  # what `Struct` has of its own does not ask `__eq__`
        return not self == other

    def __hash__(self) -> int:
        return hash(str(self))

    # ------------------------------------------------------------------------------ what is so

    @property
    def board(self) -> Board:
        return self.setting.board

    @property
    def stable(self) -> bool:
        return self.phase in ("idle", "over")

    @property
    def scores(self) -> tuple[int, ...] | None:
        """1 for the winner, 0 for the others; all 0 in a draw (2.10.1)."""
        if self.phase != "over":
            return None
        return tuple(int(seat == self.winner) for seat in range(self.setting.seats))

    @property
    def seats(self) -> tuple[Message, ...]:
        """The players' names."""
        names = SEATS[: self.setting.seats]
        return tuple(message("hextraction.seat", name=name) for name in names)

    @property
    def full(self) -> bool:
        return len(self.tiles) == len(self.board.cells)

    @property
    def next_ball(self) -> int:
        return max((ball.id for ball in self.balls), default=0) + 1

    def ball(self, id: int) -> Ball | None:
        return next((ball for ball in self.balls if ball.id == id), None)

    def places(self) -> tuple[tuple[int, str], ...]:
        """Each ball and where it is, for the tracker."""
        return tuple((ball.id, ball.place) for ball in self.balls)

    def doors(self, slot: CellId) -> dict[Edge, tuple[Edge, ...]] | None:
        """Open edges of a slot's tile and where each leads; None for an empty slot."""
        placed = self.tiles.get(slot)
        if placed is None:
            return None
        return self.setting.tiles[placed.tile].doors(placed.rotation)

    @property
    def legal(self) -> tuple[Action, ...]:
        return tuple(self._legal())

    def _legal(self) -> Iterator[Action]:
        if self.vote:
            voter = self._voter()
            assert voter is not None  # with the last ballot the vote is over
            yield from (Yea(voter), Nay(voter))
            if self.phase == "rolling":
                yield Settle()
            return
        if self.phase == "rolling":
            if self._looped():
                yield Break()
            yield Settle()
        if self.phase != "idle":
            return
        if self.rolls < 1:
            yield from (Roll(ramp.id) for ramp in self.board.ramps)
        if self._may_play():
            for cell in self.board.cells:
                if self.full:
                    yield Clear(cell.id)
                elif cell.id not in self.tiles:
                    for tile in self.setting.tiles.values():
                        for rotation in tile.rotations(self.board.key_edge):
                            yield Play(tile.id, cell.id, rotation)
        if self.rolls and not self._may_play():
            yield End()

    def _may_play(self) -> bool:
        return self.plays < 1 and self.hands[self.active] > 0

    def _looped(self) -> set[CellId]:
        """Slots whose tiles were touched three times or more in this roll and still lie there."""
        return {s for s, count in self.touches.items() if count >= LOOP and s in self.tiles}

    # --------------------------------------------------------------------------- what may be done

    def actor(self, action: Action) -> int:
        if isinstance(action, Concede | CallVote | Yea | Nay):
            return action.seat
        return self.active if isinstance(action, Roll | Play | Clear | Break | End) else CHANCE

    def refusal(self, action: Action) -> Refusal | None:
        """Moves and concessions are judged by the rules. A happening only has to be possible on
        this board: the rules say what it means, even when it means nothing."""
        over = self.phase == "over"
        match action:
            case Roll(ramp) | Accident(ramp) if ramp not in {r.id for r in self.board.ramps}:
                return message("hextraction.no_ramp", "2.1.1.2", ramp=ramp)
            case Play(tile) if tile not in self.setting.tiles:
                return message("hextraction.no_tile", "2.2.1", tile=tile)
            case Play(_, slot) | Clear(slot) if slot not in self.board.cell:
                return message("hextraction.no_slot", "2.2.1", slot=slot)
            case Touch(_, slot) | Wall(_, slot) | Fire(_, slot) | Fell(_, slot) | Drop(slot) if (
                slot not in self.board.cell
            ):
                return message("hextraction.no_slot", "2.2.1", slot=slot)
            case Off(_, slot, edge) if (slot, edge) not in self.board.exits:
                return message("hextraction.no_exit", "2.1.5.3", slot=slot, edge=edge)
            case Goal(_, zone) if zone not in {z.id for z in self.board.zones}:
                return message("hextraction.no_zone", "2.1.5.2", zone=zone)
            case Rest(_, place) if not self.is_place(place):
                return message("hextraction.no_place", "2.3.1", place=place[:40])
            case Concede(seat) if (
                over or seat in self.conceded or seat not in range(self.setting.seats)
            ):
                return message("hextraction.cannot_concede", "2.8.1.2")
            case CallVote(_, slot) if slot not in self.board.cell:
                return message("hextraction.no_slot", "0.5.1", slot=slot)
            case Roll() | Play() | Clear() | Break() | End() | CallVote() | Yea() | Nay() if over:
                return message("hextraction.over", "2.9.1")
            case CallVote(_, slot, seat):
                return self._vote_refusal(slot, seat)
            case Yea(seat) | Nay(seat) if not self.vote:
                return message("hextraction.no_vote", "0.5.1")
            case Yea(seat) | Nay(seat) if seat != (voter := self._voter()):
                assert voter is not None
                return message("hextraction.not_your_vote", "0.5.2", seat=SEATS[voter])
            case Roll() | Play() | Clear() | Break() | End() if self.vote:
                return message("hextraction.voting", "0.5.1", slot=self.vote.slot)
            case Settle() | Break() if self.phase != "rolling":
                return message("hextraction.not_rolling", "2.1.4")
            case Break() if not self._looped():
                return message("hextraction.no_loop", "2.1.4.3")
            case Roll() | Play() | Clear() | End() if self.phase == "rolling":
                return message("hextraction.unstable", "2.3.2")
            case Roll() if self.rolls:
                return message("hextraction.one_roll", "2.0.2")
            case Play() | Clear() if self.plays:
                return message("hextraction.one_play", "2.0.3")
            case Play() | Clear() if not self.hands[self.active]:
                return message("hextraction.no_hand", "2.2.1")
            case Clear(slot) if not self.full:
                return message("hextraction.not_full", "2.2.2.1")
            case Play(_, slot) if slot in self.tiles:
                return message("hextraction.taken", "2.2.1", slot=slot)
            case Play(tile, slot, rotation) if rotation not in self.setting.tiles[tile].rotations(
                self.board.key_edge
            ):
                return message("hextraction.wont_seat", "2.2.4.1", tile=tile, rotation=rotation)
            case End() if not self.rolls:
                return message("hextraction.must_roll", "2.0.1.1")
            case End() if self._may_play():
                return message("hextraction.must_play", "2.0.1.1")
        return None

    def _vote_refusal(self, slot: CellId, seat: int) -> Refusal | None:
        """Why this seat cannot call a vote on this slot now."""
        if self.vote:
            return message("hextraction.voting", "0.5.1", slot=self.vote.slot)
        if seat in self.conceded or seat not in range(self.setting.seats):
            return message("hextraction.no_voter", "0.5.3")
        if slot not in self.tiles:
            return message("hextraction.no_tile_there", "0.5.1", slot=slot)
        return None

    def _voter(self) -> int | None:
        """Whose ballot an open vote waits for."""
        return self.vote.voter(self.setting.seats, self.conceded) if self.vote else None

    @property
    def awaited(self) -> int:
        """The seat that the game waits for: the voter's, else the active one's."""
        voter = self._voter()
        return self.active if voter is None else voter

    def question(self, seat: int) -> Question | None:
        """What the rules wait for from this seat; None for the others and after the end."""
        if self.vote and seat == self.awaited:
            tile = self.tiles[self.vote.slot].tile
            return Question(
                seat,
                message(
                    "hextraction.ask_vote",
                    "0.5.4",
                    seat=SEATS[seat],
                    slot=self.vote.slot,
                    tile=tile,
                ),
            )
        if self.vote:
            return None
        if seat != self.active or self.phase == "over":
            return None
        if self.phase == "rolling":
            key = "ask_break" if self._looped() else "ask_wait"
        else:
            key = (
                "ask_"
                + ("" if self.rolls else "roll_")
                + (("clear_" if self.full else "play_") if self._may_play() else "")
            )
            key = key.rstrip("_") if key != "ask_" else "ask_end"
        return Question(seat, message(f"hextraction.{key}", "2.0.1", seat=SEATS[seat]))

    # ------------------------------------------------------------------------------- what follows

    def play(self, action: Action) -> "Hextraction":
        """The position after a move or a happening. Raises `IllegalAction` for a refused one."""
        if refusal := self.refusal(action):
            raise IllegalAction(refusal)
        before = replace(self, events=())
        if isinstance(action, OfBall) and self.ball(action.ball) is None:
            return before  # nobody knows this ball: it was taken off the board, or never was on it
        return _PLAY[type(action)](before, action)

    def _told(self, key: str, rule: str, /, **values: Value) -> "Hextraction":
        return replace(self, events=(*self.events, message(f"hextraction.{key}", rule, **values)))

    def _roll(self, action: Roll) -> "Hextraction":
        ball = Ball(self.next_ball, action.ramp)
        after = replace(self, phase="rolling", touches={}, broken=False, rolls=1, fresh="")
        return replace(after, balls=(*self.balls, ball))._told(
            "rolls", "2.1.1", seat=SEATS[self.active], ramp=action.ramp, ball=ball.id
        )

    def _accident(self, action: Accident) -> "Hextraction":
        ball = Ball(self.next_ball, action.ramp, rolling=False)
        after = replace(self, balls=(*self.balls, ball))
        return after._told("accident", "2.11.1", ramp=action.ramp, ball=ball.id)

    def _touch(self, action: Touch) -> "Hextraction":
        ball, slot = action.ball, action.slot
        returned = self._place_of(ball).startswith("zone:")
        after = self._told("back", "2.9.1.1", ball=ball, slot=slot) if returned else self
        return after._moved(ball, slot)._contact(slot)

    def _wall(self, action: Wall) -> "Hextraction":
        return self._moved(action.ball, self._place_of(action.ball))._contact(action.slot)

    def _fire(self, action: Fire) -> "Hextraction":
        return self  # effects are not refereed yet

    def _contact(self, slot: CellId) -> "Hextraction":
        """Count a touch of the tile in `slot`, if there is one and a roll is open that counts."""
        if self.phase != "rolling" or self.voided or slot not in self.tiles:
            return self
        count = self.touches.get(slot, 0) + 1
        after = replace(self, touches={**self.touches, slot: count})
        return after._told("loop_offer", "2.1.4.3", slot=slot) if count == LOOP else after

    def _fell(self, action: Fell) -> "Hextraction":
        after = self._moved(action.ball, f"fell:{action.slot}")
        return after._told("fell", "2.1.5.1", ball=action.ball, slot=action.slot)

    def _off(self, action: Off) -> "Hextraction":
        after = self._moved(action.ball, f"off:{action.slot}-{action.edge}")
        return after._told("off", "2.1.5.3", ball=action.ball, slot=action.slot, edge=action.edge)

    def _goal(self, action: Goal) -> "Hextraction":
        if self._place_of(action.ball).startswith("fell:"):
            return self  # it bounced into the tray from below: ignored (2.1.5.1)
        after = self._moved(action.ball, f"zone:{action.zone}")
        return after._told("enters", "2.1.5.2", ball=action.ball, zone=action.zone)

    def _rest(self, action: Rest) -> "Hextraction":
        after = self._moved(action.ball, action.place)
        after = after._told("rests", "2.3.1", ball=action.ball, place=action.place)
        ramp = next((r for r in self.board.ramps if r.id == action.place), None)
        return after._stuck(ramp) if ramp and self.phase == "rolling" and not self.voided else after

    def _stuck(self, ramp: Ramp) -> "Hextraction":
        """A ball fails to leave its lane: another is rolled, in the same roll (2.1.3.1, K10). When
        no lane to that slot is free the tile there goes instead (2.1.3.2)."""
        held = {ball.place for ball in self.balls}
        free = any(r.cell == ramp.cell and r.id not in held for r in self.board.ramps)
        if not free and ramp.cell in self.tiles:
            return self._destroy({ramp.cell}, "blocked", "2.1.3.2")
        after, seat = replace(self, rolls=0), SEATS[self.active]
        if free:
            return after._told("stuck", "2.1.3.1", seat=seat, ramp=ramp.id)
        return after._told("clear_lanes", "2.1.3.2", seat=seat, ramp=ramp.id)

    def _gone(self, action: Gone) -> "Hextraction":
        return self._without(action.ball)._told("gone", "2.11.2", ball=action.ball)

    def _place_of(self, id: int) -> str:
        return next(ball.place for ball in self.balls if ball.id == id)

    def _without(self, id: int) -> "Hextraction":
        return replace(self, balls=tuple(ball for ball in self.balls if ball.id != id))

    def _moved(self, id: int, place: str) -> "Hextraction":
        """A ball is elsewhere, touching the tile there. While a roll is open whatever moves counts
        as rolled, knocked balls too (2.1.4.1); else a ball that leaves is simply gone (2.11)."""
        rolling = self.phase == "rolling"
        if not rolling and place.startswith(("fell:", "off:")):
            return self._without(id)

        def moved(ball: Ball) -> Ball:
            last = place if place in self.tiles else ball.last
            return replace(ball, place=place, last=last, rolling=ball.rolling or rolling)

        return replace(self, balls=tuple(moved(b) if b.id == id else b for b in self.balls))

    def _drop(self, action: Drop) -> "Hextraction":
        if self.phase != "rolling" or action.slot not in self.tiles:
            return self
        return self._destroy({action.slot}, "dropped", "2.4.3")._moot()

    def _rail(self, action: Rail) -> "Hextraction":
        return replace(self, rail=action.on)._told(f"rail_{('off', 'on')[action.on]}", "T.Offline")

    def _play(self, action: Play) -> "Hextraction":
        hands = _with_item(self.hands, self.active, self.hands[self.active] - 1)
        tiles = {**self.tiles, action.slot: Placed(action.tile, action.rotation)}
        after = replace(self, plays=1, hands=hands, tiles=tiles, fresh=action.slot)
        seat, tile, slot, rotation = SEATS[self.active], action.tile, action.slot, action.rotation
        after = after._told("plays", "2.2.4", seat=seat, tile=tile, slot=slot, rotation=rotation)
        if tile == UNREGISTERED.id:
            after = after._told("unregistered", "0.3.1", slot=slot)
        return after._latch()

    def _clear(self, action: Clear) -> "Hextraction":
        return self._destroy({action.slot}, "cleared", "2.2.2.1")._latch()

    def _break(self, action: Break) -> "Hextraction":
        return replace(self._destroy(self._looped(), "loop", "2.1.4.3"), broken=True)

    def _destroy(self, slots: set[CellId], why: str, rule: str) -> "Hextraction":
        """Take tiles off the board for good, all at once (2.4.1)."""
        after = self
        for slot in (cell.id for cell in self.board.cells if cell.id in slots):
            after = after._told(why, rule, slot=slot, tile=self.tiles[slot].tile)
        return replace(after, tiles={s: t for s, t in self.tiles.items() if s not in slots})

    def _end(self, _: End) -> "Hextraction":
        """Bring the hand to three: draw blindly (1.2.2), or discard into the pool (1.2.3). With
        the pool empty when a tile must be drawn the game is over at once (2.10.1)."""
        hand = self.hands[self.active]
        need = HAND - hand
        hands = _with_item(self.hands, self.active, hand + min(need, self.pool))
        after = replace(self, hands=hands, pool=self.pool - min(need, self.pool))
        if need > self.pool:
            return replace(after, phase="over")._told("pool_empty", "2.10.1")
        after, seat = after._next_turn(), SEATS[self.active]
        if need < 0:
            return after._told(
                "discards", "1.2.3", seat=seat, count=-need, next=SEATS[after.active]
            )
        return after._told("ends", "1.2.2", seat=seat, drawn=need, next=SEATS[after.active])

    def _next_turn(self) -> "Hextraction":
        seats = self.setting.seats
        order = ((self.active + k) % seats for k in range(1, seats + 1))
        after = next(seat for seat in order if seat not in self.conceded)
        return replace(self, active=after, turn=self.turn + 1, rolls=0, plays=0, fresh="")

    def _concede(self, action: Concede) -> "Hextraction":
        """Losing happens when the game stabilises (2.8.1)."""
        after = replace(self, conceded=(*self.conceded, action.seat))
        after = after._told("concedes", "2.8.1.2", seat=SEATS[action.seat])
        if after.vote:  # nothing prevents leaving; the ballot goes too (2.8.4)
            after = replace(after, vote=after.vote.without(action.seat))
        after = after._losses() if after.stable else after
        return replace(after, vote=None) if after.phase == "over" else after._tallied()

    # --------------------------------------------------------------------------------- votes

    def _call_vote(self, action: CallVote) -> "Hextraction":
        after = replace(self, vote=Vote(action.slot, action.seat))
        tile = self.tiles[action.slot].tile
        seat = SEATS[action.seat]
        return after._told("calls_vote", "0.5.1", seat=seat, slot=action.slot, tile=tile)

    def _ballot(self, action: Yea | Nay) -> "Hextraction":
        assert self.vote
        yea = isinstance(action, Yea)
        after = replace(self, vote=self.vote.cast(action.seat, yea))
        after = after._told("yea" if yea else "nay", "0.5.3", seat=SEATS[action.seat])
        return after._tallied()

    def _tallied(self) -> "Hextraction":
        """Once everybody has voted the tile stays or goes (0.5.4)."""
        if self.vote is None or self._voter() is not None:
            return self
        slot, (yeas, nays) = self.vote.slot, self.vote.tally
        if not self.vote.keeps:
            return self._voted_off(slot)
        tile = self.tiles[slot].tile
        after = self._told("kept", "0.5.4", slot=slot, tile=tile, yeas=yeas, nays=nays)
        return after._closed()

    def _voted_off(self, slot: CellId) -> "Hextraction":
        after = self._destroy({slot}, "voted_off", "0.5.4")
        if self.phase == "rolling":
            after = replace(after, voided=True, touches={})
            return after._told("roll_void", "0.5.8", seat=SEATS[self.active])._closed()
        after = after._replaced() if slot == self.fresh else after
        return after._closed()._latch()

    def _replaced(self) -> "Hextraction":
        """The tile just played is gone: its player draws another and may play again (0.5.7)."""
        if not self.pool:
            return replace(self, phase="over", fresh="")._told("pool_empty", "2.10.1")
        hands = _with_item(self.hands, self.active, self.hands[self.active] + 1)
        after = replace(self, pool=self.pool - 1, hands=hands, plays=0, fresh="")
        return after._told("plays_again", "0.5.7", seat=SEATS[self.active])

    def _closed(self) -> "Hextraction":
        """The vote is over; if all came to rest meanwhile the roll is concluded now (K4)."""
        after = replace(self, vote=None)
        return after._settle(Settle()) if self.vote and self.vote.settled else after

    def _moot(self) -> "Hextraction":
        """The tile that was voted on has gone by itself."""
        return self._closed() if self.vote and self.vote.slot not in self.tiles else self

    # ----------------------------------------------------------------------------- stabilisation

    def _settle(self, _: Settle) -> "Hextraction":
        """The game stabilises after a roll: the digest's fixed order (2.1.5, 2.8, 2.9, T.Offline).

        Step 6 (three balls on one tile) and step 7 (effects) are not refereed yet. An open vote
        comes first (K4).
        """
        if self.vote:
            return replace(self, vote=replace(self.vote, settled=True))
        if self.voided:
            return self._voided()
        scored = [b for b in self.balls if b.rolling and b.place.startswith("zone:")]
        if scored and self.active not in self.conceded:  # steps 2 and 3, losses first (K23)
            ball, zone = scored[0].id, scored[0].place.removeprefix("zone:")
            after = replace(self, phase="over", winner=self.active)
            return after._told("wins", "2.1.5.2", seat=SEATS[self.active], ball=ball, zone=zone)
        after = self._losses()
        if after.phase == "over":
            return after
        left = {b.last for b in self.balls if b.rolling and b.place.startswith("off:")}
        after = after._destroy(left & after.tiles.keys(), "lost_tile", "2.1.5.3")  # step 4
        after = after._destroy(after._looped(), "loop", "2.1.5.4")  # step 5
        after = after._at_rest()._latch()
        return after if after.events else after._told("settled", "2.1.4", seat=SEATS[self.active])

    def _voided(self) -> "Hextraction":
        """The roll ends, and it scores and destroys nothing: another is owed (0.5.8)."""
        after = replace(self._at_rest(), rolls=0)
        return after._told("reroll", "0.5.8", seat=SEATS[self.active])._losses()._latch()

    def _at_rest(self) -> "Hextraction":
        """No roll is open: balls that left are gone, the others lie where they lie."""
        lying = tuple(
            replace(b, rolling=False)
            for b in self.balls
            if not b.place.startswith(("fell:", "off:"))
        )
        return replace(self, phase="idle", balls=lying, touches={}, broken=False, voided=False)

    def _losses(self) -> "Hextraction":
        """Who is left alone wins (2.9.1.3); with nobody left it is a draw (K23). When the loser's
        turn it was, it goes on to the next."""
        seats = [s for s in range(self.setting.seats) if s not in self.conceded]
        if not seats:
            return replace(self, phase="over")._told("nobody", "2.9.1.3")
        if len(seats) == 1:
            after = replace(self, phase="over", winner=seats[0])
            return after._told("last_one", "2.9.1.3", seat=SEATS[seats[0]])
        if self.active in seats:
            return self
        after = self._next_turn()
        return after._told("passes", "2.8.1", next=SEATS[after.active])

    def _latch(self) -> "Hextraction":
        """Offline and Overdrive change only here, when the game stabilises (T.Offline.1)."""
        offline = not self.board.powered or not self.rail
        after = replace(self, offline=offline, overdrive=self.full)
        if after.offline != self.offline:
            after = after._told(f"offline_{('off', 'on')[offline]}", "T.Offline.1")
        if after.overdrive != self.overdrive:
            after = after._told(f"overdrive_{('off', 'on')[after.overdrive]}", "T.Overdrive.1")
        return after

    # --------------------------------------------------------------------------- what the host says

    def void(self) -> "Hextraction":
        """The roll never happened: rolling balls are lifted, the roll is owed again (0.5.8)."""
        balls = tuple(b for b in self.balls if not b.rolling)
        vote = self.vote and replace(self.vote, settled=False)
        after = replace(self._at_rest(), balls=balls, rolls=0, vote=vote)
        after = replace(after, events=())._told("voided", "0.5.8")._losses()._latch()
        return replace(after, vote=None) if after.phase == "over" else after

    def with_tile(self, slot: CellId, placed: Placed | None) -> "Hextraction":
        """The same position with another tile, or none, in a slot. Raises `BadText`."""
        if slot not in self.board.cell:
            raise BadText("hextraction.no_slot", slot=slot)
        tiles = {s: t for s, t in self.tiles.items() if s != slot}
        if placed is not None:
            if placed.tile not in self.setting.tiles:
                raise BadText("hextraction.no_tile", tile=placed.tile)
            if placed.rotation not in self.setting.tiles[placed.tile].rotations(
                self.board.key_edge
            ):
                raise BadText("hextraction.wont_seat", tile=placed.tile, rotation=placed.rotation)
            tiles[slot] = placed
        fresh = "" if slot == self.fresh else self.fresh
        after = replace(self, tiles=tiles, fresh=fresh, events=())._moot()
        return after._latch() if after.stable else after

    def with_ball(self, id: int, place: str | None) -> "Hextraction":
        """The same position with a ball at rest elsewhere, or off the board. Raises `BadText`."""
        if place is None:
            return replace(self._without(id), events=())
        if not self.is_place(place) or id < 1:
            raise BadText("hextraction.no_place", place=place[:40])
        ball = self.ball(id) or Ball(id, place, rolling=self.phase == "rolling")
        last = place if place in self.tiles else ball.last
        lies = replace(ball, place=place, last=last)
        return replace(self, balls=(*self._without(id).balls, lies), events=())

    def is_place(self, place: str) -> bool:
        """Whether a ball can lie there: a slot, a seam, a lane or an end zone."""
        board = self.board
        seams = {board.seam(cell, edge) for cell, edge, _ in board.shared_edges}
        zones = {f"zone:{zone.id}" for zone in board.zones}
        return place in board.cell.keys() | seams | {r.id for r in board.ramps} | zones

    # ------------------------------------------------------------------------------ how it is shown

    def seen(self) -> bytes:
        """One code a slot in the board's order: 0 open, else 1 + 6 x tile + rotation."""
        order = {name: i for i, name in enumerate(self.setting.tiles)}
        return bytes(
            1 + 6 * order[t.tile] + t.rotation if (t := self.tiles.get(cell.id)) else 0
            for cell in self.board.cells
        )

    def scene(self) -> Scene:
        marks: list[Mark] = []
        if self.vote:
            marks.append(Mark(self.vote.slot, Meaning.ASK))
        if self.offline and self.board.powered:
            marks.append(Mark("*", Meaning.OFFLINE))
        elif self.overdrive:
            marks.append(Mark("*", Meaning.OVERDRIVE))
        for cell in self.board.cells:
            if cell.id in self.tiles:
                marks.append(Mark(cell.id, Meaning.TILE))
            elif self.phase == "idle" and self._may_play():
                marks.append(Mark(cell.id, Meaning.OPEN))
        if self.phase == "idle" and not self.rolls:
            marks += [Mark(f"{r.cell}/{r.edge}", Meaning.LEGAL) for r in self.board.ramps]
        for slot, count in sorted(self.touches.items()):
            if slot in self.tiles:
                which = Meaning.DOOMED if count >= LOOP else Meaning.TOUCHED
                marks.append(Mark(slot, which, count))
        marks += [Mark(s, Meaning.BALL) for b in self.balls for s in self.contacts(b)]
        if self.phase == "over":
            zones = {f"zone:{z.id}": z for z in self.board.zones}
            wins = [zones[b.place] for b in self.balls if b.rolling and b.place in zones]
            marks += [Mark(z.cell, Meaning.WIN) for z in wins] or [Mark("*", Meaning.WIN)]
        return tuple(marks)

    def contacts(self, ball: Ball) -> tuple[CellId, ...]:
        """The slots whose tiles a resting ball touches: both sides of a seam (K37)."""
        return tuple(part for part in ball.place.split("-") if part in self.board.cell)

    def name(self, action: Action) -> str:
        return actions.name(action)

    def action(self, name: str) -> Action:
        return actions.read(name)

    def __str__(self) -> str:
        def flag(on: bool, word: str) -> str:
            return word if on else "-"

        order = {cell.id: i for i, cell in enumerate(self.board.cells)}
        tiles = sorted(self.tiles.items(), key=lambda item: order[item[0]])
        touches = sorted(self.touches.items(), key=lambda item: order[item[0]])
        now = {
            "voided": "yes" if self.voided else "",
            "fresh": self.fresh,
            "vote": str(self.vote) if self.vote else "",
        }
        balls = (f"{b.id}@{b.place}{'!' if b.rolling else '.'}{b.last}" for b in self.balls)
        return " ".join(
            (
                self.phase,
                f"seat={self.active}/{self.setting.seats}",
                f"turn={self.turn}",
                f"done={self.rolls},{self.plays}",
                "tiles=" + ",".join(f"{s}:{t.tile}:{t.rotation}" for s, t in tiles),
                "balls=" + ",".join(balls),
                "touches=" + ",".join(f"{s}:{count}" for s, count in touches),
                f"broken={flag(self.broken, 'yes')}",
                f"pool={self.pool}",
                "hands=" + ",".join(map(str, self.hands)),
                "conceded=" + ",".join(map(str, self.conceded)),
                f"rail={flag(self.rail, 'on')}",
                f"offline={flag(self.offline, 'on')}",
                f"overdrive={flag(self.overdrive, 'on')}",
                f"winner={'-' if self.winner is None else self.winner}",
                *(f"{key}={value}" for key, value in now.items() if value),
            )
        )


_PLAY: dict[type, Callable[[Hextraction, Any], Hextraction]] = {
    Roll: Hextraction._roll,
    Play: Hextraction._play,
    Clear: Hextraction._clear,
    Break: Hextraction._break,
    End: Hextraction._end,
    Settle: Hextraction._settle,
    Accident: Hextraction._accident,
    Touch: Hextraction._touch,
    Wall: Hextraction._wall,
    Fire: Hextraction._fire,
    Fell: Hextraction._fell,
    Off: Hextraction._off,
    Goal: Hextraction._goal,
    Rest: Hextraction._rest,
    Gone: Hextraction._gone,
    Drop: Hextraction._drop,
    Rail: Hextraction._rail,
    Concede: Hextraction._concede,
    CallVote: Hextraction._call_vote,
    Yea: Hextraction._ballot,
    Nay: Hextraction._ballot,
}


def _with_item(items: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*items[:index], value, *items[index + 1 :])


# ------------------------------------------------------------------------------- start and parse


def rules() -> str:
    """What a recording is tied to: the rules text, our stage of it, and a digest of the tiles."""
    tiles = blake2b(msgspec.json.encode(basic()), digest_size=4).hexdigest()
    return f"RU1-2025-03-08 votes, tiles {tiles}"


OPTIONS = (
    Option("seats", 2, least=2, most=len(SEATS), rule="1.2"),
    Option("pool", 54, least=0, most=9999, rule="1.2"),
    Option("sets", "basic", rule="1.0.4"),
    Option("tiles", "", rule="0.3.2"),
)


def start(board: Board | None = None, options: Options | None = None) -> Hextraction:
    """An empty board, everybody with three tiles in hand, red to begin. Raises `BadText`."""
    board = board or load(find("hextraction-22"))
    if not board.ramps or not board.zones:
        raise BadText("hextraction.board", board=board.name)
    chosen: dict[str, Any] = choose(NAME, OPTIONS, options or {})
    setting = Setting(board, in_play(chosen.pop("tiles"), chosen.pop("sets")), **chosen)
    return Hextraction(
        setting,
        pool=setting.pool,
        hands=(HAND,) * setting.seats,
        offline=not board.powered,
    )


def parse(text: str, board: Board | None = None, options: Options | None = None) -> Hextraction:
    """The position that `str` wrote. Raises `BadText` for anything else."""
    base = start(board, options)
    try:
        position = _parse(text, base)
    except (ValueError, KeyError, IndexError):
        raise BadText("hextraction.position", text=text[:120]) from None
    if str(position) != text:
        raise BadText("hextraction.position", text=text[:120])
    return position


def _parse(text: str, base: Hextraction) -> Hextraction:
    phase, *parts = text.split(" ")
    values = dict(part.split("=", 1) for part in parts)

    def items(key: str) -> list[str]:
        return values[key].split(",") if values[key] else []

    def numbers(key: str) -> tuple[int, ...]:
        return tuple(map(int, items(key)))

    position = replace(
        base,
        phase={"idle": "idle", "rolling": "rolling", "over": "over"}[phase],
        active=int(values["seat"].split("/")[0]),
        turn=int(values["turn"]),
        rolls=numbers("done")[0],
        plays=numbers("done")[1],
        balls=tuple(_ball(item, base) for item in items("balls")),
        touches={item.split(":")[0]: int(item.split(":")[1]) for item in items("touches")},
        broken=values["broken"] == "yes",
        pool=int(values["pool"]),
        hands=numbers("hands"),
        conceded=numbers("conceded"),
        rail=values["rail"] == "on",
        winner=None if values["winner"] == "-" else int(values["winner"]),
    )
    seats = range(base.setting.seats)
    counts = (position.pool, *position.hands, *position.touches.values())
    if (
        position.active not in seats
        or len(position.hands) != len(seats)
        or not set(position.conceded) <= set(seats)
        or position.winner not in (None, *(seats if position.phase == "over" else ()))
        or position.rolls not in (0, 1)
        or position.plays not in (0, 1)
        or min(counts) < 0
        or len({ball.id for ball in position.balls} - {0}) != len(position.balls)
    ):
        raise ValueError(text)
    for item in items("tiles"):
        slot, tile, rotation = item.split(":")
        position = position.with_tile(slot, Placed(tile, int(rotation)))
    position = replace(
        position,
        voided=values.get("voided") == "yes",
        fresh=values.get("fresh", ""),
        vote=votes.parse(values["vote"]) if "vote" in values else None,
    )
    if not _possible(position):
        raise ValueError(text)
    if set(position.touches) - set(base.board.cell):
        raise ValueError(text)
    offline, overdrive = values["offline"] == "on", values["overdrive"] == "on"
    return replace(position, offline=offline, overdrive=overdrive, events=())


def _possible(position: Hextraction) -> bool:
    """Whether what is open in a position can be: a vote, a tile just played, a roll for nothing."""
    vote, seats = position.vote, range(position.setting.seats)
    if position.fresh and (position.fresh not in position.tiles or position.phase == "rolling"):
        return False
    if position.voided and position.phase != "rolling":
        return False
    if vote is None:
        return True
    voted = [seat for seat, _ in vote.ballots]
    return (
        position.phase != "over"
        and vote.slot in position.tiles
        and vote.proposer in seats
        and set(voted) <= set(seats) - set(position.conceded)
        and len(set(voted)) == len(voted)
        and position.awaited not in voted
        and position._voter() is not None
        and not (vote.settled and position.stable)
    )


def _ball(item: str, base: Hextraction) -> Ball:
    id, rest = item.split("@", 1)
    mark = max(rest.rfind("!"), rest.rfind("."))
    place, last = rest[:mark], rest[mark + 1 :]
    kind, _, where = place.rpartition(":")
    known = base.is_place(place) or (
        (kind == "fell" and where in base.board.cell)
        or (
            kind == "off"
            and tuple(where.rsplit("-", 1)) in {(c, str(e)) for c, e in base.board.exits}
        )
    )
    if not known or (last and last not in base.board.cell):
        raise ValueError(item)
    return Ball(int(id), place, rest[mark] == "!", last)

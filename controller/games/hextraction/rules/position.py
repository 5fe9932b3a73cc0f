"""A position of Hextraction as the rest of hexboard sees it.

Why long: half of it is the contract, the other half who is asked what, one case a question.
"""

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec.structs import replace

from hexboard.board import Board, CellId, Edge, find, load
from hexboard.game.agreed import options_of
from hexboard.game.options import Option, Options, choose
from hexboard.game.position import CHANCE, Phrase, Question, Refusal
from hexboard.game.value import ByValue
from hexboard.games.hextraction.rules import actions as act
from hexboard.games.hextraction.rules import (
    acts,
    causes,
    hands,
    leaving,
    legality,
    moves,
    resolving,
    rolling,
    secrets,
    selecting,
    setup,
    stabilising,
    text,
    turn,
    voting,
)
from hexboard.games.hextraction.rules.destroying import remove
from hexboard.games.hextraction.rules.state import (
    LOOP,
    REFEREE,
    SEATS,
    Ball,
    Placed,
    Setting,
    State,
    told,
    unrolled,
    without_ball,
)
from hexboard.games.hextraction.rules.zones import ANY, tile_of
from hexboard.games.hextraction.tiles import conditions
from hexboard.games.hextraction.tiles.catalogue import basic, codes, in_play
from hexboard.games.hextraction.tiles.effects import OPERATIONS
from hexboard.games.hextraction.tiles.tile import Tile
from hexboard.scene import Mark, Meaning, Scene
from hexboard.words import Message, message
from hexboard.words.errors import BadText, IllegalAction

__all__ = [
    "NAME",
    "OPTIONS",
    "Ball",
    "Hextraction",
    "Placed",
    "ours",
    "parse",
    "rules",
    "start",
]

NAME = "hextraction"
TOLD = (
    "discard",
    "give",
    "search",
    "destroy",
    "bounce",
    "discard_tile",
    "put_on_bag",
    "move_ball",
    "place_ball",
    "move_tile",
    "swap",
)
"""The operations that are asked about in a sentence of their own (`ask_to_...`)."""


class Hextraction(ByValue, State, frozen=True, eq=False):
    """A moment of a game; `State` has its values."""

    def value(self) -> str:
        return str(self)

    # ------------------------------------------------------------------------------ what is so

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
        return tuple(message("hextraction.seat", seat=name) for name in names)

    @property
    def awaited(self) -> int:
        """The seat that the game waits for."""
        return moves.awaited(self)

    @property
    def done(self) -> bool:
        """Whether nothing is left in this turn but to end it, and that goes without saying: for all
        that everybody knows, lest the end tells of a hand (1.2.1)."""
        if self.setting.turn_end == "said" or not moves.is_done(self):
            return False
        return not self.private or moves.is_done(self.view(self.setting.seats))

    @property
    def own_ramps(self) -> tuple[CellId, ...]:
        """The tiles from whose own ramp a ball may be rolled now."""
        return moves.own_ramps(self)

    def places(self) -> tuple[tuple[int, str], ...]:
        """Each ball and where it is, for the tracker."""
        return tuple((ball.id, ball.place) for ball in self.balls)

    def doors(self, slot: CellId) -> dict[Edge, tuple[Edge, ...]] | None:
        """Open edges of a slot's tile and where each leads; None for an empty slot."""
        placed = self.tiles.get(slot)
        if placed is None:
            return None
        return self.setting.tiles[placed.tile].doors(placed.rotation)

    # --------------------------------------------------------------------------- what may be done

    @property
    def legal(self) -> tuple[act.Action, ...]:
        return moves.legal(self)

    @property
    def acts(self) -> tuple[act.Action, ...]:
        """What may be said beside the moves."""
        return tuple(acts.acts(self))

    def refusal(self, action: act.Action) -> Refusal | None:
        return moves.refusal(self, action)

    def actor(self, action: act.Action) -> int:
        if isinstance(action, act.OfSeat):
            return action.seat
        if isinstance(action, act.Awaited):
            return self.awaited
        match action:
            case act.Turn() | act.Unfit():
                return self.player
        return CHANCE

    def question(self, seat: int) -> Question | None:
        """What the rules wait for from this seat; None for the others and after the end."""
        if self.phase == "over" or seat != self.awaited:
            return None
        if self.vote:
            return Question(seat, _vote_question(self, seat))
        if self.ending:
            return Question(seat, message("hextraction.ask_discard", "1.2.3", seat=SEATS[seat]))
        if self.phase == "resolving":
            return Question(seat, _choice(self, seat))
        if self.phase == "rolling":
            key = "ask_break" if self.looped else "ask_wait"
        else:
            may_roll, may_play = turn.may_roll(self), turn.may_play(self)
            play = (("play", "clear")[legality.may_clear(self, seat)],) if may_play else ()
            key = "_".join(("ask", *(("roll",) if may_roll else ()), *play))
            key = key if key != "ask" else "ask_activate" if turn.must_activate(self) else "ask_end"
        return Question(seat, message(f"hextraction.{key}", "2.0.1", seat=SEATS[seat]))

    # ------------------------------------------------------------------------------- what follows

    def play(self, action: act.Action) -> "Hextraction":
        """The position after a move or a happening. Raises `IllegalAction` for a refused one."""
        if refusal := self.refusal(action):
            raise IllegalAction(refusal)
        before = replace(self, events=()) if self.events else self
        do = _DONE[type(action)]
        if not isinstance(action, act.ByBall):
            done = do(before, action)
        elif self.ball(action.ball) is None:
            return before  # nobody knows this ball: it was taken off the board, or never was on it
        elif before.is_accident(action.ball):
            done = rolling.by_accident(before, action, do)
        else:
            done = do(before, action)
        after = ours(stabilising.carry_on(done))
        return after if self.eyes == REFEREE else after.view(self.eyes)

    # --------------------------------------------------------------------------- what the host says

    def void(self) -> "Hextraction":
        """The roll never happened: rolling balls are lifted, the roll is owed again (0.5.8)."""
        balls = tuple(b for b in self.balls if not b.rolling)
        vote = self.vote and replace(self.vote, settled=False)
        own = self.roller >= 0 and not self.forced
        rolls = max(self.rolls - own, 0)
        after = stabilising.at_rest(unrolled(replace(self, balls=balls, events=())))
        after = told(replace(after, rolls=rolls, vote=vote), "voided", "0.5.8")
        return ours(stabilising.carry_on(replace(after, phase="resolving")))

    def with_tile(self, slot: CellId, placed: Placed | None) -> "Hextraction":
        """The same position with another tile, or none, in a slot. Raises `BadText`."""
        if slot not in self.board.cell:
            raise BadText("hextraction.no_slot", slot=slot)
        if placed is not None and placed.tile not in self.setting.tiles:
            raise BadText("hextraction.no_tile", tile=placed.tile)
        known = self.setting.tiles[placed.tile].rotations(self.board.key_edge) if placed else ()
        if placed is not None and placed.rotation not in known:
            raise BadText("hextraction.wont_seat", tile=placed.tile, rotation=placed.rotation)
        there = self.tiles.get(slot)
        if placed and there and there.tile == placed.tile and there.rotation != placed.rotation:
            turned = replace(there, rotation=placed.rotation)  # the same one lies otherwise
            return ours(_ruled(replace(self, events=(), tiles={**self.tiles, slot: turned})))
        after = voting.counted(remove(replace(self, events=()), {slot}))  # no vote is left on it
        if placed is not None:
            after = replace(after, tiles={**after.tiles, slot: placed})
        return ours(_ruled(after))

    def with_ball(self, id: int, place: str | None) -> "Hextraction":
        """The same position with a ball at rest elsewhere, or off the board. Raises `BadText`."""
        before = replace(self, events=())
        if place is None:
            return ours(_ruled(without_ball(before, id)))
        if not self.is_place(place) or id < 1:
            raise BadText("hextraction.no_place", place=place[:40])
        ball = self.ball(id) or Ball(id, place, rolling=self.phase == "rolling")
        last = place if place in self.tiles else ball.last
        lies = replace(ball, place=place, last=last)
        after = without_ball(before, id)
        return ours(_ruled(replace(after, balls=(*after.balls, lies))))

    # --------------------------------------------------------------------------- what one may know

    @property
    def private(self) -> bool:
        """Whether hands are read, so that the referee knows what not everybody may (K24)."""
        return self.setting.hands == "scan" and self.phase != "over"

    @property
    def deck(self) -> str:
        """Nothing: people draw from a bag, and no shuffle is committed to."""
        return ""

    def hand(self, seat: int) -> tuple[Message, ...]:
        """The tiles that a seat holds, and how many of them were not read."""
        hand = self.zones.hands[seat]
        known = (message("hextraction.holds", tile=tile_of(copy)) for copy in hand.known)
        unread = (message("hextraction.holds_unread", count=hand.unknown),) if hand.unknown else ()
        return (*known, *unread)

    def view(self, seat: int) -> "Hextraction":
        """What a seat may know: its own hand, and of the others' only how many tiles. Where hands
        are not read, nobody has told the referee anything that others may not know (K24)."""
        return ours(secrets.view(self, seat))

    def told(self, action: act.Action, seat: int) -> str:
        """An action as a seat may hear it: a tile that only another seat has seen is "?"."""
        return act.name(secrets.told(self, action, seat))

    # ------------------------------------------------------------------------------ how it is shown

    def seen(self) -> bytes:
        """One code a slot in the board's order: 0 open, else that of `tiles.codes`."""
        code = codes(tuple(self.setting.tiles))
        return bytes(
            code[placed.way] if (placed := self.tiles.get(cell.id)) else 0
            for cell in self.board.cells
        )

    def scene(self) -> Scene:
        marks: list[Mark] = []
        if self.offline and self.board.powered:
            marks.append(Mark("*", Meaning.OFFLINE))
        elif self.overdrive:
            marks.append(Mark("*", Meaning.OVERDRIVE))
        idle = self.phase == "idle" and not self.vote
        may_roll, may_play = idle and turn.may_roll(self), idle and turn.may_play(self)
        tiles, board = self.tiles, self.board
        for cell in board.cells:
            if cell.id in tiles:
                marks.append(Mark(cell.id, Meaning.TILE))
            elif may_play:
                marks.append(Mark(cell.id, Meaning.OPEN))
        lit = {*causes.open_ramps(self)} if may_roll else {*selecting.retried(self)}
        marks += _lanes(board, lit, Meaning.LEGAL)
        if may_roll:
            marks += [Mark(slot, Meaning.LEGAL) for slot in self.own_ramps]
        for slot, count in sorted(self.touches.items()):
            if slot in tiles:
                which = Meaning.DOOMED if count >= LOOP else Meaning.TOUCHED
                marks.append(Mark(slot, which, count))
        marks += [Mark(s, Meaning.BALL) for b in self.balls for s in self.contacts(b)]
        held = {ball.place for ball in self.balls if self.retry or not ball.rolling}
        marks += _lanes(board, held, Meaning.STUCK)
        return (*marks, *_effects_shown(self), *_won_shown(self))

    def label(self, move: act.Action) -> Message:
        """What a button for a move of few words, or for what is said beside moves, says."""
        if isinstance(move, acts.Act):
            return acts.label(self, move)
        slot, tile, answer, what = "", "", "", type(move).__name__.lower()
        match move:
            case act.Activate(slot, k) if sum(e.cause == "activated" for e in self.card(slot)) > 1:
                tile, answer, what = self.tiles[slot].tile, str(k + 1), "activate_one"
            case act.Clear(slot) | act.Activate(slot) | act.Roll(slot) if slot in self.tiles:
                tile = self.tiles[slot].tile
            case act.Resolve(number):
                waits = next(p for p in self.waiting if p.number == number)
                slot, tile = waits.slot, waits.tile
                own = [p for p in self.waiting if p.slot == slot]
                if len({p.effect for p in own}) > 1:
                    answer, what = str(waits.effect + 1), "resolve_one"
                elif len(own) > 1:
                    answer, what = str(waits.ball), "resolve_ball"
            case act.Reveal(copy) | act.Discard(copy) | act.Fetch(copy):
                tile, what = tile_of(copy), f"{what}_hidden" if copy == ANY else what
            case act.Yea() | act.Nay() if self.vote and self.vote.effect is not None:
                what = f"{what}_forbidden"
            case act.Choose(answer) if answer in ("yes", "no", "done", "none"):
                what = f"choose_{answer}"
            case act.Choose(answer) if answer == ANY:
                what = "discard_hidden"
            case act.Choose(answer) if (asked := resolving.asked(self)) and asked.kind == "turn":
                what = "choose_turn"
            case act.Choose(slot) if slot in self.tiles:
                tile, what = self.tiles[slot].tile, "choose_placed"
            case act.Choose(answer) if tile_of(answer) in self.setting.tiles:
                tile, what = tile_of(answer), "choose_tile"
        return message(f"hextraction.do_{what}", slot=slot, tile=tile, answer=answer)

    def phrase(self, action: act.Action) -> Phrase | None:
        """What is said beside the moves, in words; the moves are pictures, places, and buttons of
        the page's own (`label`)."""
        return acts.phrase(self, action) if isinstance(action, acts.Act) else None

    def name(self, action: act.Action) -> str:
        return act.name(action)

    def action(self, name: str) -> act.Action:
        return act.read(name)

    def __str__(self) -> str:
        return text.write(self)


def _vote_question(position: Hextraction, seat: int) -> Message:
    vote = position.vote
    assert vote
    tile, slot = position.tiles[vote.slot].tile, vote.slot
    if vote.effect is None:
        return message("hextraction.ask_vote", "0.5.4", seat=SEATS[seat], slot=slot, tile=tile)
    return message("hextraction.ask_forbidden", "0.4.1", seat=SEATS[seat], slot=slot, tile=tile)


def _choice(position: Hextraction, seat: int) -> Message:
    """What is asked in the phase resolving."""
    asked, who = resolving.asked(position), SEATS[seat]
    if position.torn:
        torn = position.torn[0].tile
        return message("hextraction.ask_torn", "2.4.6", seat=who, tile=torn)
    if selecting.retried(position):
        return message("hextraction.ask_retry", "2.1.3.1", seat=who, slot=position.retry)
    if position.parts:
        part = tile_of(position.parts[0])
        return message("hextraction.ask_part", "2.2.1.1", seat=who, tile=part)
    if position.held:
        slot = position.fresh
        tile = position.tiles[slot].tile
        return message("hextraction.ask_release", "2.2.5", seat=who, slot=slot, tile=tile)
    if position.choosing:
        if legality.may_clear(position, seat):
            return message("hextraction.ask_clear", "2.2.2.1", seat=who)
        return message("hextraction.ask_play", "2.2.1", seat=who)
    if asked is None or position.doing is None:
        if position.waiting:
            return message("hextraction.ask_order", "2.6.4", seat=who)
        if position.crowds and not position.crowd:
            return message("hextraction.ask_crowds", "2.1.5.5", seat=who)
        if position.crowd:
            return message("hextraction.ask_three", "2.1.5.5", seat=who, slot=position.crowd)
        return message("hextraction.ask_grace", "2.9.2")
    slot, tile, op = position.doing.slot, position.doing.tile, resolving.operation(position)
    if op is None:
        asks = conditions.told(causes.effect_of(position, position.doing).conditions)
        return message("hextraction.ask_holds", "2.6.5", seat=who, slot=slot, tile=tile, what=asks)
    if asked.kind in ("owner", "turn"):
        owner = asked.kind == "owner"
        key = "hextraction.ask_owner" if owner else "hextraction.ask_turn"
        return message(key, "2.6.3", seat=who, slot=slot, tile=tile)
    if asked.kind in ("roll", "play", "create"):
        key = f"hextraction.ask_{asked.kind}_now"
        return message(key, "2.3.2", seat=who, slot=slot, tile=tile)
    what, key = op.text or OPERATIONS[op.op].words, "choose"
    if asked.options == ("done",):
        key = "hand"
    elif asked.options == ("yes", "no"):
        key, what = "may", op.text or causes.effect_of(position, position.doing).text or what
    elif set(asked.options) <= set(SEATS):
        key = "whom"
    elif op.op in TOLD and not op.text:
        key = f"to_{op.op}"
    return message(f"hextraction.ask_{key}", "2.6.3", seat=who, slot=slot, tile=tile, what=what)


def _effects_shown(position: Hextraction) -> list[Mark]:
    """Tiles whose effects wait, the one that is asked about, and what may be chosen."""
    if position.vote:
        return [Mark(position.vote.slot, Meaning.ASK)]
    waiting = dict.fromkeys(pending.slot for pending in position.waiting)
    marks = [Mark(slot, Meaning.PASSING) for slot in waiting]
    if position.phase != "resolving":
        return marks
    asked = resolving.asked(position)
    choices = asked.options if asked else moves.chosen(position)
    lanes = {ramp.id: f"{ramp.cell}/{ramp.edge}" for ramp in position.board.ramps}
    places = (lanes.get(choice, choice) for choice in choices)
    cells = position.board.cell.keys() | lanes.values()
    return marks + [Mark(place, Meaning.ASK) for place in places if place in cells]


def _lanes(board: Board, lanes: set[str], meaning: Meaning) -> list[Mark]:
    """One meaning on those lanes, in the board's order."""
    if not lanes:
        return []
    return [Mark(f"{r.cell}/{r.edge}", meaning) for r in board.ramps if r.id in lanes]


def _won_shown(position: Hextraction) -> list[Mark]:
    """The end zone that decided the game, or all of the board."""
    if position.phase != "over":
        return []
    zones = {f"zone:{z.id}": z for z in position.board.zones}
    wins = [zones[b.place] for b in position.balls if b.rolling and b.place in zones]
    return [Mark(z.cell, Meaning.WIN) for z in wins] or [Mark("*", Meaning.WIN)]


def ours(position: object) -> Hextraction:
    """A position, where no closer type is told: whatever is done to one gives one, and the common
    table's match (`hexboard.game.game.AnyGame`) holds what came from this game."""
    assert isinstance(position, Hextraction)
    return position


def _ruled(s: State) -> State:
    """A position after people said how it is: what follows from that, and from nothing else."""
    after = stabilising.carry_on(s)
    return stabilising.latched(after) if after.stable else after


_DONE: dict[type, Callable[[State, Any], State]] = {
    act.Roll: rolling.roll,
    act.Play: turn.play,
    act.Clear: turn.clear,
    act.Turn: turn.turned,
    act.Unfit: turn.unfit,
    act.Reveal: turn.reveal,
    act.Ignore: turn.ignore,
    act.Fetch: turn.fetch,
    act.Lack: turn.lack,
    act.Discard: turn.discard,
    act.Drew: hands.drew,
    act.Leave: leaving.leave,
    act.Return: leaving.give_back,
    act.Reclaim: leaving.reclaim,
    act.CallDraw: leaving.call_draw,
    act.NoCard: leaving.no_card,
    act.Activate: turn.activate,
    act.End: turn.end,
    act.Concede: turn.concede,
    act.Break: rolling.break_loop,
    act.Endless: rolling.endless,
    act.Resolve: resolving.resolve,
    act.Choose: stabilising.choose,
    act.Settle: stabilising.settle,
    act.Accident: rolling.accident,
    act.BallTouch: rolling.touch,
    act.Wall: rolling.wall,
    act.Fire: rolling.fire,
    act.Fell: rolling.fell,
    act.Off: rolling.off,
    act.Goal: rolling.goal,
    act.Rest: rolling.rest,
    act.Gone: rolling.gone,
    act.Drop: rolling.drop,
    act.Rail: rolling.rail,
    act.Part: rolling.part,
    act.CallVote: voting.call_vote,
    act.Yea: voting.ballot,
    act.Nay: voting.ballot,
}


# ------------------------------------------------------------------------------- start and parse


def rules() -> str:
    """What a recording is tied to: the rules text, our stage of it, and a digest of the tiles."""
    return _version(5)


def earlier_rules() -> dict[str, Options]:
    """In stage 4 an effect came as soon as its tile was said to be played, and what made room for a
    tile was no part of its play (K43). In stage 3 every end of a turn was said, a tile that came
    into the slot of another was taken for that one, and a ball could stay in a slot whose tile was
    taken out. Stage 2 also ruled otherwise where somebody concedes in a vote or while effects wait,
    a ball is stuck in its lane, a tile has two Forbidden effects, or several have three balls.

    Their matches are read as they were played: with no reroll for what an effect began (K44), and
    before stage 4 with turns that somebody ends."""
    fourth: Options = {"playing": "as said", "rerolls": "own rolls"}
    third: Options = {**fourth, "turn_end": "said"}
    return {_version(4): fourth, _version(3): third, _version(2): third}


def _version(stage: int) -> str:
    tiles = blake2b(msgspec.json.encode(_told(basic())), digest_size=4).hexdigest()
    return f"RU1-2025-03-08 rulings {stage}, tiles {tiles}"


def _told(tiles: Mapping[str, Tile]) -> dict[str, dict[str, object]]:
    """What is said of tiles: a field that came later counts only where it says something, so that
    recordings of before are of the same tiles."""
    said = {name: msgspec.to_builtins(tile) for name, tile in tiles.items()}
    for it in said.values():
        if not it["takes_ms"]:
            del it["takes_ms"]
    return said


TILES = (
    Option("sets", "basic", rule="1.0.4"),
    Option("tiles", "", rule="0.3.2"),
    Option("pool", 54, least=0, most=9999, rule="1.0.4"),
    Option("bag", "", rule="1.0.4"),
    Option("virtual", "", rule="1.0.5"),
)
AGREED = options_of(Setting)
OPTIONS = (
    *(option for option in AGREED if option.group == "the match"),
    *(replace(option, group="the tiles") for option in TILES),
    *(option for option in AGREED if option.group == "rulings"),
)


def start(board: Board | None = None, options: Options | None = None) -> Hextraction:
    """An empty board (1.0.1), everybody with three tiles in hand, red to begin: whoever goes first
    sits there (1.0.9). Raises `BadText`."""
    board = board or load(find("hextraction-22"))
    if not board.ramps or not board.zones:
        raise BadText("hextraction.board", board=board.name)
    chosen: dict[str, Any] = choose(NAME, OPTIONS, options or {})
    setting = Setting(board, in_play(chosen.pop("tiles"), chosen.pop("sets")), **chosen)
    zones, picked = setup.zones(setting), setup.picking(setting)
    return Hextraction(setting, zones=zones, picked=picked, offline=not board.powered)


def parse(line: str, board: Board | None = None, options: Options | None = None) -> Hextraction:
    """The position that `str` wrote. Raises `BadText` for anything else."""
    base = start(board, options)
    try:
        position = ours(text.read(line, base))
    except (ValueError, KeyError, IndexError):
        raise BadText("hextraction.position", text=line[:120]) from None
    if str(position) != line or bool(position.legal) != (position.scores is None):
        raise BadText("hextraction.position", text=line[:120])
    return position

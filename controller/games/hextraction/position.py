"""A position of Hextraction as the rest of hexboard sees it."""

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.board import Board, CellId, Edge, find, load
from controller.errors import BadText, IllegalAction
from controller.games.hextraction import (
    actions,
    acts,
    causes,
    hands,
    leaving,
    legality,
    moves,
    resolving,
    rolling,
    secrets,
    setup,
    stabilising,
    text,
    turn,
    voting,
)
from controller.games.hextraction.actions import (
    Accident,
    Action,
    Activate,
    Break,
    CallDraw,
    CallVote,
    Choose,
    Clear,
    Concede,
    Discard,
    Drew,
    Drop,
    End,
    Endless,
    Fell,
    Fetch,
    Fire,
    Goal,
    Gone,
    Ignore,
    Lack,
    Leave,
    Nay,
    NoCard,
    OfBall,
    Off,
    OfTurn,
    Part,
    Play,
    Rail,
    Reclaim,
    Resolve,
    Rest,
    Return,
    Reveal,
    Roll,
    Settle,
    Touch,
    Turn,
    Unfit,
    Wall,
    Yea,
)
from controller.games.hextraction.destroying import remove
from controller.games.hextraction.effects import OPERATIONS
from controller.games.hextraction.state import (
    LOOP,
    REFEREE,
    SEATS,
    Ball,
    Placed,
    Setting,
    State,
    told,
    without_ball,
)
from controller.games.hextraction.tiles import basic, codes, in_play
from controller.games.hextraction.zones import ANY, tile_of
from controller.games.position import (
    CHANCE,
    Option,
    Options,
    Question,
    Refusal,
    choose,
)
from controller.scene import Mark, Meaning, Scene
from controller.words import Message, message

__all__ = ["NAME", "OPTIONS", "Ball", "Hextraction", "Placed", "parse", "rules", "start"]

NAME = "hextraction"
TOLD = (
    "discard",
    "search",
    "destroy",
    "discard_tile",
    "move_ball",
    "place_ball",
    "move_tile",
    "swap",
)
"""The operations that are asked about in a sentence of their own (`ask_to_...`)."""


class Hextraction(State, frozen=True, eq=False):
    """A moment of a game; `State` has its values."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hextraction) and str(self) == str(other)

    def __ne__(self, other: object) -> bool:  # what `Struct` has of its own does not ask `__eq__`
        return not self == other

    def __hash__(self) -> int:
        return hash(str(self))

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
        return tuple(message("hextraction.seat", name=name) for name in names)

    @property
    def awaited(self) -> int:
        """The seat that the game waits for."""
        return moves.awaited(self)

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
    def legal(self) -> tuple[Action, ...]:
        return tuple(moves.legal(self))

    @property
    def acts(self) -> tuple[Action, ...]:
        """What may be said beside the moves."""
        return tuple(acts.acts(self))

    def refusal(self, action: Action) -> Refusal | None:
        return moves.refusal(self, action)

    def actor(self, action: Action) -> int:
        by_seat = Concede | Leave | Return | Reclaim | CallDraw | NoCard | CallVote | Endless
        if isinstance(action, by_seat | Yea | Nay):
            return action.seat
        if isinstance(action, Turn | Unfit):
            return self.player
        return self.awaited if isinstance(action, OfTurn | Resolve | Choose) else CHANCE

    def question(self, seat: int) -> Question | None:
        """What the rules wait for from this seat; None for the others and after the end."""
        if self.phase == "over" or seat != self.awaited:
            return None
        if self.vote:
            return Question(seat, self._vote_question(seat))
        if self.ending:
            return Question(seat, message("hextraction.ask_discard", "1.2.3", seat=SEATS[seat]))
        if self.phase == "resolving":
            return Question(seat, self._choice(seat))
        if self.phase == "rolling":
            key = "ask_break" if self.looped else "ask_wait"
        else:
            may_roll, may_play = turn.may_roll(self), turn.may_play(self)
            play = (("play", "clear")[legality.may_clear(self, seat)],) if may_play else ()
            key = "_".join(("ask", *(("roll",) if may_roll else ()), *play))
            key = key if key != "ask" else "ask_activate" if turn.must_activate(self) else "ask_end"
        return Question(seat, message(f"hextraction.{key}", "2.0.1", seat=SEATS[seat]))

    def _vote_question(self, seat: int) -> Message:
        vote = self.vote
        assert vote
        tile, slot = self.tiles[vote.slot].tile, vote.slot
        if vote.effect is None:
            return message("hextraction.ask_vote", "0.5.4", seat=SEATS[seat], slot=slot, tile=tile)
        return message("hextraction.ask_forbidden", "0.4.1", seat=SEATS[seat], slot=slot, tile=tile)

    def _choice(self, seat: int) -> Message:
        """What is asked in the phase resolving."""
        asked, who = resolving.asked(self), SEATS[seat]
        if self.torn:
            torn = self.torn[0].tile
            return message("hextraction.ask_torn", "2.4.6", seat=who, tile=torn)
        if self.parts:
            part = tile_of(self.parts[0])
            return message("hextraction.ask_part", "2.2.1.1", seat=who, tile=part)
        if asked is None or self.doing is None:
            if self.waiting:
                return message("hextraction.ask_order", "2.6.4", seat=who)
            if self.crowd:
                return message("hextraction.ask_three", "2.1.5.5", seat=who, slot=self.crowd)
            return message("hextraction.ask_grace", "2.9.2")
        slot, tile, op = self.doing.slot, self.doing.tile, resolving.operation(self)
        if op is None:
            what = ", ".join(causes.effect_of(self, self.doing).conditions)
            key = "hextraction.ask_holds"
            return message(key, "2.6.5", seat=who, slot=slot, tile=tile, what=what)
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
            key, what = "may", op.text or causes.effect_of(self, self.doing).text or what
        elif set(asked.options) <= set(SEATS):
            key = "whom"
        elif op.op in TOLD and not op.text:
            key = f"to_{op.op}"
        return message(f"hextraction.ask_{key}", "2.6.3", seat=who, slot=slot, tile=tile, what=what)

    # ------------------------------------------------------------------------------- what follows

    def play(self, action: Action) -> "Hextraction":
        """The position after a move or a happening. Raises `IllegalAction` for a refused one."""
        if refusal := self.refusal(action):
            raise IllegalAction(refusal)
        before = replace(self, events=())
        if isinstance(action, OfBall) and self.ball(action.ball) is None:
            return before  # nobody knows this ball: it was taken off the board, or never was on it
        do = _DONE[type(action)]
        if before.held_up and isinstance(action, OfBall):
            done = rolling.by_accident(before, action, do)
        else:
            done = do(before, action)
        after = _position(stabilising.carry_on(done))
        return after if self.eyes == REFEREE else after.view(self.eyes)

    # --------------------------------------------------------------------------- what the host says

    def void(self) -> "Hextraction":
        """The roll never happened: rolling balls are lifted, the roll is owed again (0.5.8)."""
        balls = tuple(b for b in self.balls if not b.rolling)
        vote = self.vote and replace(self.vote, settled=False)
        own = self.roller >= 0 and not self.forced
        rolls = max(self.rolls - own, 0)
        after = stabilising.at_rest(replace(self, balls=balls, outcomes=(), crowd="", events=()))
        after = told(replace(after, rolls=rolls, vote=vote), "voided", "0.5.8")
        return _position(stabilising.carry_on(replace(after, phase="resolving")))

    def with_tile(self, slot: CellId, placed: Placed | None) -> "Hextraction":
        """The same position with another tile, or none, in a slot. Raises `BadText`."""
        if slot not in self.board.cell:
            raise BadText("hextraction.no_slot", slot=slot)
        if placed is not None and placed.tile not in self.setting.tiles:
            raise BadText("hextraction.no_tile", tile=placed.tile)
        known = self.setting.tiles[placed.tile].rotations(self.board.key_edge) if placed else ()
        if placed is not None and placed.rotation not in known:
            raise BadText("hextraction.wont_seat", tile=placed.tile, rotation=placed.rotation)
        after = voting.counted(remove(replace(self, events=()), {slot}))  # no vote is left on it
        if placed is not None:
            after = replace(after, tiles={**after.tiles, slot: placed})
        return _position(_ruled(after))

    def with_ball(self, id: int, place: str | None) -> "Hextraction":
        """The same position with a ball at rest elsewhere, or off the board. Raises `BadText`."""
        before = replace(self, events=())
        if place is None:
            return _position(_ruled(without_ball(before, id)))
        if not self.is_place(place) or id < 1:
            raise BadText("hextraction.no_place", place=place[:40])
        ball = self.ball(id) or Ball(id, place, rolling=self.phase == "rolling")
        last = place if place in self.tiles else ball.last
        lies = replace(ball, place=place, last=last)
        after = without_ball(before, id)
        return _position(_ruled(replace(after, balls=(*after.balls, lies))))

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
        return _position(secrets.view(self, seat))

    def told(self, action: Action, seat: int) -> str:
        """An action as a seat may hear it: a tile that only another seat has seen is "?"."""
        return actions.name(secrets.told(self, action, seat))

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
        for cell in self.board.cells:
            if cell.id in self.tiles:
                marks.append(Mark(cell.id, Meaning.TILE))
            elif may_play:
                marks.append(Mark(cell.id, Meaning.OPEN))
        if may_roll:
            marks += [Mark(f"{r.cell}/{r.edge}", Meaning.LEGAL) for r in self.board.ramps]
            marks += [Mark(slot, Meaning.LEGAL) for slot in self.own_ramps]
        for slot, count in sorted(self.touches.items()):
            if slot in self.tiles:
                which = Meaning.DOOMED if count >= LOOP else Meaning.TOUCHED
                marks.append(Mark(slot, which, count))
        marks += [Mark(s, Meaning.BALL) for b in self.balls for s in self.contacts(b)]
        held = {ball.place for ball in self.balls if not ball.rolling}
        lanes = [ramp for ramp in self.board.ramps if ramp.id in held]
        marks += [Mark(f"{r.cell}/{r.edge}", Meaning.STUCK) for r in lanes]
        return (*marks, *self._effects_shown(), *self._won_shown())

    def _effects_shown(self) -> list[Mark]:
        """Tiles whose effects wait, the one that is asked about, and what may be chosen."""
        if self.vote:
            return [Mark(self.vote.slot, Meaning.ASK)]
        waiting = dict.fromkeys(pending.slot for pending in self.waiting)
        marks = [Mark(slot, Meaning.PASSING) for slot in waiting]
        if self.phase != "resolving":
            return marks
        asked = resolving.asked(self)
        choices = asked.options if asked else stabilising.crowded(self) if self.crowd else ()
        lanes = {ramp.id: f"{ramp.cell}/{ramp.edge}" for ramp in self.board.ramps}
        places = (lanes.get(choice, choice) for choice in choices)
        cells = self.board.cell.keys() | lanes.values()
        return marks + [Mark(place, Meaning.ASK) for place in places if place in cells]

    def _won_shown(self) -> list[Mark]:
        """The end zone that decided the game, or all of the board."""
        if self.phase != "over":
            return []
        zones = {f"zone:{z.id}": z for z in self.board.zones}
        wins = [zones[b.place] for b in self.balls if b.rolling and b.place in zones]
        return [Mark(z.cell, Meaning.WIN) for z in wins] or [Mark("*", Meaning.WIN)]

    def label(self, move: Action) -> Message:
        """What a button for a move of few words, or for what is said beside moves, says."""
        if isinstance(move, acts.Act):
            return acts.label(self, move)
        slot, tile, answer, what = "", "", "", type(move).__name__.lower()
        match move:
            case Activate(slot, k) if sum(e.cause == "activated" for e in self.card(slot)) > 1:
                tile, answer, what = self.tiles[slot].tile, str(k + 1), "activate_one"
            case Clear(slot) | Activate(slot) | Roll(slot) if slot in self.tiles:
                tile = self.tiles[slot].tile
            case Resolve(number):
                waits = next(p for p in self.waiting if p.number == number)
                slot, tile = waits.slot, waits.tile
            case Reveal(copy) | Discard(copy) | Fetch(copy):
                tile, what = tile_of(copy), what + "_hidden" * (copy == ANY)
            case Yea() | Nay() if self.vote and self.vote.effect is not None:
                what = f"{what}_forbidden"
            case Choose(answer) if answer in ("yes", "no", "done", "none"):
                what = f"choose_{answer}"
            case Choose(answer) if answer == ANY:
                what = "discard_hidden"
            case Choose(answer) if (asked := resolving.asked(self)) and asked.kind == "turn":
                what = "choose_turn"
            case Choose(slot) if slot in self.tiles:
                tile, what = self.tiles[slot].tile, "choose_placed"
            case Choose(answer) if tile_of(answer) in self.setting.tiles:
                tile, what = tile_of(answer), "choose_tile"
        return message(f"hextraction.do_{what}", slot=slot, tile=tile, answer=answer)

    def name(self, action: Action) -> str:
        return actions.name(action)

    def action(self, name: str) -> Action:
        return actions.read(name)

    def __str__(self) -> str:
        return text.write(self)


def _position(s: State) -> Hextraction:
    assert isinstance(s, Hextraction)  # whatever is done to a position gives a position
    return s


def _ruled(s: State) -> State:
    """A position after people said how it is: what follows from that, and from nothing else."""
    after = stabilising.carry_on(s)
    return stabilising.latched(after) if after.stable else after


_DONE: dict[type, Callable[[State, Any], State]] = {
    Roll: rolling.roll,
    Play: turn.play,
    Clear: turn.clear,
    Turn: turn.turned,
    Unfit: turn.unfit,
    Reveal: turn.reveal,
    Ignore: turn.ignore,
    Fetch: turn.fetch,
    Lack: turn.lack,
    Discard: turn.discard,
    Drew: hands.drew,
    Leave: leaving.leave,
    Return: leaving.give_back,
    Reclaim: leaving.reclaim,
    CallDraw: leaving.call_draw,
    NoCard: leaving.no_card,
    Activate: turn.activate,
    End: turn.end,
    Concede: turn.concede,
    Break: rolling.break_loop,
    Endless: rolling.endless,
    Resolve: resolving.resolve,
    Choose: stabilising.choose,
    Settle: stabilising.settle,
    Accident: rolling.accident,
    Touch: rolling.touch,
    Wall: rolling.wall,
    Fire: rolling.fire,
    Fell: rolling.fell,
    Off: rolling.off,
    Goal: rolling.goal,
    Rest: rolling.rest,
    Gone: rolling.gone,
    Drop: rolling.drop,
    Rail: rolling.rail,
    Part: rolling.part,
    CallVote: voting.call_vote,
    Yea: voting.ballot,
    Nay: voting.ballot,
}


# ------------------------------------------------------------------------------- start and parse


def rules() -> str:
    """What a recording is tied to: the rules text, our stage of it, and a digest of the tiles."""
    tiles = blake2b(msgspec.json.encode(basic()), digest_size=4).hexdigest()
    return f"RU1-2025-03-08 rulings 2, tiles {tiles}"


MATCH = (
    Option("seats", 2, least=2, most=len(SEATS), rule="1.2"),
    Option("hands", "blind", ("blind", "scan"), rule="K24"),
    Option("balls", 3, least=0, most=99, rule="1.0.3"),
    Option("board_owner", 0, least=0, most=len(SEATS) - 1, rule="1.0.1"),
)
TILES = (
    Option("sets", "basic", rule="1.0.4"),
    Option("tiles", "", rule="0.3.2"),
    Option("pool", 54, least=0, most=9999, rule="1.0.4"),
    Option("bag", "", rule="1.0.4"),
    Option("virtual", "", rule="1.0.5"),
)
RULINGS = (
    Option("ties", "destroy", ("destroy", "keep"), rule="K3"),
    Option("vote_balls", "count", ("count", "ignored"), rule="K4"),
    Option("void_crowds", "wait", ("wait", "count"), rule="K5"),
    Option("replacement", "player", ("player", "active"), rule="K6"),
    Option("bars", "once", ("once", "never"), rule="K8"),
    Option("opening", "extra", ("extra", "bag"), rule="K19"),
    Option("revealed", "limited", ("limited", "free"), rule="K20"),
    Option("empty_bag", "now", ("now", "stable"), rule="K22"),
    Option("keywords", "work", ("work", "sleep"), rule="K27"),
    Option("left_roll", "void", ("void", "counts"), rule="K28"),
    Option("unique", "elsewhere", ("elsewhere", "nowhere"), rule="K29"),
    Option("combo_part", "remover", ("remover", "owner"), rule="K30"),
    Option("cards", "physical", ("physical", "screen"), rule="K31"),
    Option("roll_end", "win", ("win", "destroy"), rule="K33"),
    Option("mandatory", "once", ("once", "while able"), rule="K34"),
    Option("nested_rolls", "count", ("count", "reset"), rule="K12"),
    Option("retries", "free", ("free", "count"), rule="K10"),
    Option("roller", "who rolls", ("who rolls", "whose turn"), rule="K11"),
    Option("touches", "of all balls", ("of all balls", "of one ball"), rule="K13"),
    Option("teleports", "stop", ("stop", "go on"), rule="K14"),
    Option("holes", "slot", ("slot", "side"), rule="K15"),
    Option("three_balls", "one", ("one", "all"), rule="K17"),
    Option("crowds", "after a roll", ("after a roll", "always"), rule="K35"),
    Option("freed_balls", "lie", ("lie", "roll on"), rule="K18"),
    Option("triggers", "each time", ("each time", "once a roll"), rule="K21"),
    Option("power", "rail", ("rail", "board"), rule="K25"),
    Option("fallen_tiles", "in a roll", ("in a roll", "always"), rule="K32"),
    Option("self_destruction", "finish", ("finish", "stop"), rule="K16"),
    Option("losses", "first", ("first", "last"), rule="K23"),
    Option("extras", "must", ("must", "may"), rule="K9"),
    Option("walls", "touch", ("touch", "do not touch"), rule="K37"),
)
"""Where the rules can be read in more than one way (docs/rulings-hextraction.md)."""

OPTIONS = (
    *(replace(option, group="the match") for option in MATCH),
    *(replace(option, group="the tiles") for option in TILES),
    *(replace(o, group="rulings") for o in sorted(RULINGS, key=lambda o: int(o.rule[1:]))),
)


def start(board: Board | None = None, options: Options | None = None) -> Hextraction:
    """An empty board (1.0.1), everybody with three tiles in hand, red to begin: whoever goes first
    sits there (1.0.9). Raises `BadText`."""
    board = board or load(find("hextraction-22"))
    if not board.ramps or not board.zones:
        raise BadText("hextraction.board", board=board.name)
    chosen: dict[str, Any] = choose(NAME, OPTIONS, options or {})
    setting = Setting(board, in_play(chosen.pop("tiles"), chosen.pop("sets")), **chosen)
    return Hextraction(setting, zones=setup.zones(setting), offline=not board.powered)


def parse(line: str, board: Board | None = None, options: Options | None = None) -> Hextraction:
    """The position that `str` wrote. Raises `BadText` for anything else."""
    base = start(board, options)
    try:
        position = _position(text.read(line, base))
    except (ValueError, KeyError, IndexError):
        raise BadText("hextraction.position", text=line[:120]) from None
    if str(position) != line or bool(position.legal) != (position.scores is None):
        raise BadText("hextraction.position", text=line[:120])
    return position

"""What a moment of Hextraction consists of: the board with its tiles and balls, and whose turn it
is. What the rules make of it stands in the modules named after what happens: `rolling`, `turn`,
`voting`, `resolving`, `stabilising`."""

from collections.abc import Iterable
from functools import cached_property
from typing import Annotated, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import Board, CellId
from hexboard.game.agreed import Agreed
from hexboard.game.position import Event
from hexboard.games.hextraction.rules import keywords
from hexboard.games.hextraction.rules.pending import Pending
from hexboard.games.hextraction.rules.votes import Vote
from hexboard.games.hextraction.rules.zones import NOBODY, Copy, Zones, copy_of
from hexboard.games.hextraction.tiles.catalogue import UNREGISTERED
from hexboard.games.hextraction.tiles.effects import TileEffect
from hexboard.games.hextraction.tiles.tile import Described, Tile, effects_of
from hexboard.words import Value, message

HAND = 3
"""Tiles in a hand (1.2.2); rolls and plays a turn are one each (2.0.2, 2.0.3)."""
BALLS = 3
"""That each player brings, if nothing else is agreed (1.0.3)."""
LOOP = 3
"""Touches in one roll from which a tile can break the loop (2.1.4.3)."""
SEATS = ("Red", "Blue", "Green", "Yellow", "Violet", "White")


class Setting(Struct, frozen=True, dict=True):
    """What does not change during a game: board, tiles and options."""

    board: Board
    tiles: dict[str, Tile]
    pool: int = 54
    bag: str = ""
    virtual: str = ""
    seats: Annotated[int, Agreed("1.2", "the match", least=2, most=len(SEATS))] = 2
    hands: Annotated[Literal["blind", "scan"], Agreed("K24", "the match")] = "blind"
    balls: Annotated[int, Agreed("1.0.3", "the match", least=0, most=99)] = BALLS
    board_owner: Annotated[int, Agreed("1.0.1", "the match", least=0, most=len(SEATS) - 1)] = 0
    turn_end: Annotated[Literal["implied", "said"], Agreed("2.0.1", "the match")] = "implied"
    # Where the rules can be read in more than one way (docs/rulings-hextraction.md)
    ties: Annotated[Literal["destroy", "keep"], Agreed("K3")] = "destroy"
    vote_balls: Annotated[Literal["count", "ignored"], Agreed("K4")] = "count"
    void_crowds: Annotated[Literal["wait", "count"], Agreed("K5")] = "wait"
    replacement: Annotated[Literal["player", "active"], Agreed("K6")] = "player"
    bars: Annotated[Literal["once", "never"], Agreed("K8")] = "once"
    extras: Annotated[Literal["must", "may"], Agreed("K9")] = "must"
    retries: Annotated[Literal["free", "count"], Agreed("K10")] = "free"
    roller: Annotated[Literal["who rolls", "whose turn"], Agreed("K11")] = "who rolls"
    nested_rolls: Annotated[Literal["count", "reset"], Agreed("K12")] = "count"
    touches: Annotated[Literal["of all balls", "of one ball"], Agreed("K13")] = "of all balls"
    teleports: Annotated[Literal["stop", "go on"], Agreed("K14")] = "stop"
    holes: Annotated[Literal["slot", "side"], Agreed("K15")] = "slot"
    self_destruction: Annotated[Literal["finish", "stop"], Agreed("K16")] = "finish"
    three_balls: Annotated[Literal["one", "all"], Agreed("K17")] = "one"
    freed_balls: Annotated[Literal["lie", "roll on"], Agreed("K18")] = "lie"
    opening: Annotated[Literal["extra", "bag"], Agreed("K19")] = "extra"
    revealed: Annotated[Literal["limited", "free"], Agreed("K20")] = "limited"
    triggers: Annotated[Literal["each time", "once a roll"], Agreed("K21")] = "each time"
    empty_bag: Annotated[Literal["now", "stable"], Agreed("K22")] = "now"
    losses: Annotated[Literal["first", "last"], Agreed("K23")] = "first"
    power: Annotated[Literal["rail", "board"], Agreed("K25")] = "rail"
    keywords: Annotated[Literal["work", "sleep"], Agreed("K27")] = "work"
    left_roll: Annotated[Literal["void", "counts"], Agreed("K28")] = "void"
    unique: Annotated[Literal["elsewhere", "nowhere"], Agreed("K29")] = "elsewhere"
    combo_part: Annotated[Literal["remover", "owner"], Agreed("K30")] = "remover"
    cards: Annotated[Literal["physical", "screen"], Agreed("K31")] = "physical"
    fallen_tiles: Annotated[Literal["in a roll", "always"], Agreed("K32")] = "in a roll"
    roll_end: Annotated[Literal["win", "destroy"], Agreed("K33")] = "win"
    mandatory: Annotated[Literal["once", "while able"], Agreed("K34")] = "once"
    crowds: Annotated[Literal["after a roll", "always"], Agreed("K35")] = "after a roll"
    walls: Annotated[Literal["touch", "do not touch"], Agreed("K37")] = "touch"
    several_crowds: Annotated[Literal["anew", "at once"], Agreed("K38")] = "anew"
    second_balls: Annotated[Literal["roll", "lie"], Agreed("K39")] = "roll"
    two_winners: Annotated[Literal["first", "draw"], Agreed("K40")] = "first"
    laid_balls: Annotated[Literal["do not touch", "touch"], Agreed("K41")] = "do not touch"
    disablers: Annotated[Literal["both work", "neither works"], Agreed("K42")] = "both work"
    playing: Annotated[Literal["until stable", "as said"], Agreed("K43")] = "until stable"
    rerolls: Annotated[Literal["always", "own rolls"], Agreed("K44")] = "always"

    @cached_property
    def everybody(self) -> tuple[int, ...]:
        """The seats with which the game begins."""
        return tuple(range(self.seats))

    @cached_property
    def sides(self) -> dict[str, tuple[CellId, ...]]:
        """The slots beside each place between two, or in one."""
        cell, seams = self.board.cell, self.board.seams.values()
        halves = {seam: tuple(part for part in seam.split("-") if part in cell) for seam in seams}
        return {**halves, **{slot: (slot,) for slot in cell}, **dict.fromkeys(self.board.lanes, ())}

    @cached_property
    def effective(self) -> dict[str, frozenset[str]]:
        """The tiles that have effects, by what causes them."""
        causes = {effect.cause for tile in self.tiles.values() for effect in effects_of(tile)}
        return {
            cause: frozenset(
                id
                for id, tile in self.tiles.items()
                if any(effect.cause == cause and effect.do for effect in effects_of(tile))
            )
            for cause in causes
        }

    @cached_property
    def wholes(self) -> tuple[str, ...]:
        """The tiles as they lie in hands and pools: a Combo in one piece."""
        return tuple(id for id in self.tiles if keywords.whole(self.tiles, id) == id)

    @cached_property
    def pieces(self) -> dict[str, int]:
        """Of how many parts a tile is one: 1 for most."""
        return {id: len(keywords.parts(self.tiles, id)) for id in self.tiles}

    @cached_property
    def combined(self) -> bool:
        """Whether there are Combos among the tiles."""
        return max(self.pieces.values(), default=1) > 1

    @cached_property
    def plain(self) -> frozenset[str]:
        """The tiles that have neither effects nor keywords."""
        return frozenset(
            id
            for id, tile in self.tiles.items()
            if not (isinstance(tile, Described) and (tile.effects or tile.keywords))
        )

    @cached_property
    def single(self) -> frozenset[str]:
        """The tiles that are Unique (T.Unique)."""
        return frozenset(id for id in self.tiles if keywords.has(self.tiles, id, "unique"))

    @cached_property
    def ramped(self) -> frozenset[str]:
        """The tiles that have a ramp of their own."""
        known = self.tiles.items()
        return frozenset(id for id, tile in known if isinstance(tile, Described) and tile.ramps)


class Placed(Struct, frozen=True):
    """A tile in a slot, turned `rotation` sixths clockwise."""

    tile: str
    rotation: int
    owner: int = NOBODY

    @property
    def copy(self) -> Copy:
        return copy_of(self.tile, self.owner)

    @property
    def way(self) -> tuple[str, int]:
        """What can be seen of it: not whose it is, nor how the unregistered tile is turned."""
        return self.tile, 0 if self.tile == UNREGISTERED.id else self.rotation


class Ball(Struct, frozen=True):
    """A ball on the board. `rolling` as the rules mean it (2.1.4.1), not whether it moves.

    `place` is a slot ("C3"), a seam or lane ("C3-C4", "B1-6"), "fell:C3", "off:A3-5" or "zone:ZB";
    `last` is the last slot whose tile it touched, `before` the one before that, "" for none.
    """

    id: int
    place: str
    rolling: bool = True
    last: CellId = ""
    before: CellId = ""
    weight: int = 1
    """How many balls it counts as where balls on a tile are counted."""


class EffectOutcome(Struct, frozen=True):
    """A seat wins or loses by an effect of the tile in `slot`, "" for one that is gone."""

    seat: int
    wins: bool
    slot: CellId


Note = tuple[CellId, str, str]
"""What is known of a tile on the board beside where it lies, by slot, kind and name: "vote" on a
Forbidden effect ("yes", "no"), the state of a "part", a "count", how often an effect was "used"."""
Claim = tuple[int, str]
"""A seat, and roll, play or turn."""


CLEARING, IGNORING = "full", "none"
"""With the board full tiles are destroyed (2.2.2.1); effects are ignored (2.2.2.3)."""
REFEREE = -1
"""The eyes that see everything."""


class Torn(Struct, frozen=True):
    """One tile `tile` of `owner` follows another off the board: `how` is destroy or discard."""

    tile: str
    owner: int
    how: str


class State(Struct, frozen=True, eq=False):
    """A position's values. `phase` is idle, rolling, resolving or over.

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
    """How often each slot's tile was touched in this roll, as far as that breaks loops (K13)."""
    touched: dict[tuple[CellId, int], int] = {}
    """How often by each ball, where only that counts."""
    roller: int = -1
    """Who rolls, from the release until the game stabilises (K11); -1 while no roll is open."""
    lane: str = ""
    """The lane, or the slot of a tile's own ramp, that was used last in this roll."""
    forced: bool = False
    """An effect began this roll: it is not one of the turn's own."""
    broken: bool = False
    """The loop was broken in this roll: nothing may introduce a ball (T.BreakLoop.2)."""
    voided: bool = False
    """A tile was voted off in this roll: the roll counts for nothing and is owed again (0.5.8)."""
    unowed: bool = False
    """The roll counts for nothing because its roller left: it is not owed again (K28)."""
    fresh: CellId = ""
    """The slot of the tile that was just played, until its play is over for certain (2.2.5.2), or
    something else is done."""
    earlier: tuple[CellId, ...] = ()
    """The slots of the parts of the same Combo that were placed before it."""
    player: int = -1
    """Who played it."""
    release: str = ""
    """What its play set off waits until the hand is off it (2.2.5): "awaited", then "done"; "" for
    a play that sets nothing off."""
    doing: Pending | None = None
    """The effect that is being resolved."""
    waiting: tuple[Pending, ...] = ()
    """Effects that were set off and wait, oldest first."""
    strays: tuple[int, ...] = ()
    """Balls let go in this roll that count for nothing in it (K39)."""
    retry: CellId = ""
    """The slot to which another ball is to be rolled, in place of one stuck in its lane
    (2.1.3.1)."""
    crowd: CellId = ""
    """The slot of the tile that three balls touch: one that they touch is to go (2.1.5.5)."""
    crowds: tuple[CellId, ...] = ()
    """The slots of several such tiles: which is the next one is to be chosen (2.1.5.5)."""
    outcomes: tuple[EffectOutcome, ...] = ()
    """What effects decided; it comes true when the game stabilises (2.8.1, 2.9.1)."""
    happened: tuple[str, ...] = ()
    """What happens once a roll and has: a tile with three balls ("C3") and an effect ("C3/2") were
    dealt with, an area was set off ("C3:a", K21)."""
    freed: tuple[int, ...] = ()
    """Balls that lay on a tile which went in this roll: they roll on (K18)."""
    notes: dict[Note, str] = {}
    granted: dict[Claim, int] = {}
    """Extra rolls, plays and turns that a seat has (2.0.2, 2.0.3)."""
    penalties: dict[Claim, int] = {}
    """What a seat shall not do in its next turn: roll, play, or have it at all (0.1.11)."""
    suffered: tuple[Claim, ...] = ()
    """What a seat could not do in its last turn, or cannot in this one."""
    vote: Vote | None = None
    zones: Zones = Zones()
    """Tiles that lie on no slot."""
    parts: tuple[Copy, ...] = ()
    """Sub-tiles of a Combo that are still to be placed (2.2.1.1)."""
    relief: str = ""
    """What helps the active player who has no legal tile (2.2.2): the Limit tile revealed, or
    `CLEARING` or `IGNORING`."""
    torn: tuple[Torn, ...] = ()
    """Sub-tiles that have to follow others off the board (2.4.6, 2.4.7)."""
    stalemate: bool = False
    """A tile could not be drawn: once the game is stable it is a draw (2.10.1, K22)."""
    ending: bool = False
    """The turn is over but for a hand of more than three (1.2.3)."""
    eyes: int = REFEREE
    """Whose view this is: a seat's, or, with no such seat, everybody's."""
    conceded: tuple[int, ...] = ()
    """Who is out of the game."""
    resigned: tuple[int, ...] = ()
    """Who has given up, and loses once the game stabilises (2.8.1.2)."""
    picked: tuple[int, ...] = ()
    """Who still holds the hand that they picked: three different tiles (1.0.6)."""
    rail: bool = True
    """The power rail as it is now; `offline` follows only when the game stabilises."""
    offline: bool = False
    overdrive: bool = False
    winner: int | None = None
    events: tuple[Event, ...] = ()

    @property
    def board(self) -> Board:
        return self.setting.board

    @property
    def pool(self) -> int:
        """How many tiles are left in the bag."""
        return self.zones.pool

    @property
    def hands(self) -> tuple[int, ...]:
        """How many tiles each seat holds; that everybody may see (1.2.4)."""
        return tuple(map(len, self.zones.hands))

    def hand_size(self, seat: int) -> int:
        """How many tiles a seat holds (1.2.4)."""
        return len(self.zones.hands[seat])

    @property
    def powered(self) -> bool:
        """Whether the board is powered, as the tiles mean it: their rail, or the board (K25)."""
        return self.board.powered and (self.rail or self.setting.power == "board")

    @property
    def stable(self) -> bool:
        """No ball or tile moves, and no effect waits or is resolved (2.3.1, T.Stabilize)."""
        return self.phase in ("idle", "over")

    @property
    def full(self) -> bool:
        return len(self.tiles) == len(self.board.cells)

    @property
    def next_ball(self) -> int:
        return max([ball.id for ball in self.balls], default=0) + 1

    def ball(self, id: int) -> Ball | None:
        return next((ball for ball in self.balls if ball.id == id), None)

    def place_of(self, id: int) -> str:
        return next(ball.place for ball in self.balls if ball.id == id)

    @property
    def present(self) -> tuple[int, ...]:
        """The seats that are in the game."""
        everybody = self.setting.everybody
        return tuple(s for s in everybody if s not in self.conceded) if self.conceded else everybody

    @property
    def conductor(self) -> int:
        """Who decides the order of effects: who rolls, else who plays, else the active seat
        (2.2.5.1, 2.6.4, K11)."""
        present = self.present
        seats = (self.roller, self.player if self.fresh else -1, self.active, *present)
        return next((seat for seat in seats if seat in present), self.active)

    def card(self, slot: CellId) -> tuple[TileEffect, ...]:
        """The effects of the tile in a slot."""
        return effects_of(self.setting.tiles[self.tiles[slot].tile]) if slot in self.tiles else ()

    @property
    def playing(self) -> tuple[CellId, ...]:
        """The slots of the tile that is being played, or was just now: one a part of a Combo."""
        return (self.fresh, *self.earlier) if self.fresh else ()

    @property
    def held(self) -> bool:
        """Whether a hand may still be on the tile just played: all effects wait (2.2.5)."""
        return self.release == "awaited" and bool(self.fresh)

    @property
    def choosing(self) -> bool:
        """Whether the active player, having no legal tile, has begun to play (2.2.2): until a tile
        lies nobody does anything else (2.2.1.3)."""
        begun = bool(self.relief) and self.setting.playing == "until stable"
        own = self.roller < 0 and self.doing is None and self.active in self.present
        return begun and own and self.phase == "resolving" and not (self.vote or self.parts)

    @property
    def looped(self) -> set[CellId]:
        """Slots whose tiles were touched three times or more in this roll and still lie there."""
        return {s for s, count in self.touches.items() if count >= LOOP and s in self.tiles}

    def is_accident(self, ball: int) -> bool:
        """Whether what a ball does is an accident: while a vote is open that holds up the roll
        (K4), or because it was let go when none was to be (K39)."""
        return ball in self.strays or self.held_up

    @property
    def held_up(self) -> bool:
        """Whether a vote is open that makes an accident of whatever balls do (K4)."""
        return self.vote is not None and self.setting.vote_balls == "ignored"

    @property
    def voter(self) -> int | None:
        """Whose ballot an open vote waits for."""
        return self.vote.voter(self.setting.seats, self.conceded) if self.vote else None

    def contacts(self, ball: Ball) -> tuple[CellId, ...]:
        """The slots that a resting ball touches."""
        return next((slots for _, slots in self.touching((ball,))), ())

    def touching(self, balls: Iterable[Ball]) -> list[tuple[Ball, tuple[CellId, ...]]]:
        """Those of some resting balls that touch slots, and which: both sides of a seam, or only
        the one that it is in (K37); none in a lane."""
        sides = self.setting.sides
        both = [(ball, beside) for ball in balls if (beside := sides.get(ball.place))]
        if self.setting.walls == "touch":
            return both
        return [(ball, (ball.last,) if ball.last in beside else beside) for ball, beside in both]

    def is_place(self, place: str) -> bool:
        """Whether a ball can lie there: a slot, a seam, a lane or an end zone."""
        board = self.board
        if place in board.cell or place in board.between:
            return True
        return place in {*(r.id for r in board.ramps), *(f"zone:{z.id}" for z in board.zones)}


def told(s: State, key: str, rule: str, /, **values: Value) -> State:
    """With one event more."""
    return replace(s, events=(*s.events, message(f"hextraction.{key}", rule, **values)))


def ended(s: State, winner: int | None = None) -> State:
    """The game is over; whatever was still to happen is not."""
    after = unrolled(replace(s, phase="over", winner=winner, vote=None))
    after = replace(after, happened=(), freed=(), fresh="", release="", voided=False)
    after = replace(after, torn=(), ending=False, relief="", resigned=(), unowed=False)
    return replace(after, roller=-1, lane="", forced=False, stalemate=False)


UNROLLED: dict[str, Any] = {
    "doing": None,
    "waiting": (),
    "outcomes": (),
    "retry": "",
    "crowd": "",
    "crowds": (),
    "voided": True,
}
"""The values of a position in which a roll has nothing left to do."""


def unrolled(s: State) -> State:
    """What a roll has set off, decided or left to be chosen is no more."""
    return replace(s, **UNROLLED)


def without_ball(s: State, id: int) -> State:
    """A ball is off the board."""
    balls = tuple(ball for ball in s.balls if ball.id != id)
    touched = {key: count for key, count in s.touched.items() if key[1] != id}
    strays, freed = (tuple(b for b in ids if b != id) for ids in (s.strays, s.freed))
    return replace(s, balls=balls, touched=touched, freed=freed, strays=strays)

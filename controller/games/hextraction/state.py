"""What a moment of Hextraction consists of: the board with its tiles and balls, and whose turn it
is. What the rules make of it stands in the modules named after what happens: `rolling`, `turn`,
`voting`, `resolving`, `stabilising`."""

from msgspec import Struct
from msgspec.structs import replace

from controller.board import Board, CellId
from controller.games.hextraction.effects import Effect
from controller.games.hextraction.pending import Pending
from controller.games.hextraction.tile import Tile, effects_of
from controller.games.hextraction.votes import Vote
from controller.games.hextraction.zones import NOBODY, Copy, Zones, copy_of
from controller.games.position import Event
from controller.words import Value, message

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
    hands: str = "blind"
    bag: str = ""
    virtual: str = ""
    balls: int = 3
    board_owner: int = 0
    ties: str = "destroy"
    vote_balls: str = "count"
    void_crowds: str = "wait"
    replacement: str = "player"
    bars: str = "once"
    opening: str = "extra"
    revealed: str = "limited"
    empty_bag: str = "now"
    keywords: str = "work"
    left_roll: str = "void"
    unique: str = "elsewhere"
    combo_part: str = "remover"
    cards: str = "physical"
    roll_end: str = "win"
    mandatory: str = "once"
    nested_rolls: str = "count"
    retries: str = "free"
    roller: str = "who rolls"
    touches: str = "of all balls"
    teleports: str = "stop"
    holes: str = "slot"
    three_balls: str = "one"
    crowds: str = "after a roll"
    freed_balls: str = "lie"
    triggers: str = "each time"
    power: str = "rail"
    fallen_tiles: str = "in a roll"
    self_destruction: str = "finish"
    losses: str = "first"
    extras: str = "must"
    walls: str = "touch"


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
        """What can be seen of it."""
        return self.tile, self.rotation


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


class Outcome(Struct, frozen=True):
    """A seat wins or loses by an effect of the tile in `slot`."""

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
    fresh: CellId = ""
    """The slot of the tile that was just played, until something else is done (0.5.7)."""
    player: int = -1
    """Who played it."""
    doing: Pending | None = None
    """The effect that is being resolved."""
    waiting: tuple[Pending, ...] = ()
    """Effects that were set off and wait, oldest first."""
    crowd: CellId = ""
    """The slot of the tile that three balls touch: one that they touch is to go (2.1.5.5)."""
    outcomes: tuple[Outcome, ...] = ()
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

    @property
    def powered(self) -> bool:
        """Whether the board is powered, as the tiles mean it: their rail, or the board (K25)."""
        return self.board.powered and (self.rail or self.setting.power == "board")

    @property
    def stable(self) -> bool:
        """No ball or tile moves, and no effect waits or is resolved (T.Stabilize)."""
        return self.phase in ("idle", "over")

    @property
    def full(self) -> bool:
        return len(self.tiles) == len(self.board.cells)

    @property
    def next_ball(self) -> int:
        return max((ball.id for ball in self.balls), default=0) + 1

    def ball(self, id: int) -> Ball | None:
        return next((ball for ball in self.balls if ball.id == id), None)

    def place_of(self, id: int) -> str:
        return next(ball.place for ball in self.balls if ball.id == id)

    @property
    def present(self) -> tuple[int, ...]:
        """The seats that are in the game."""
        return tuple(s for s in range(self.setting.seats) if s not in self.conceded)

    @property
    def conductor(self) -> int:
        """Who decides the order of effects: who rolls, else who plays, else the active seat
        (2.2.5.1, 2.6.4, K11)."""
        seats = (self.roller, self.player if self.fresh else -1, self.active, *self.present)
        return next((seat for seat in seats if seat in self.present), self.active)

    def card(self, slot: CellId) -> tuple[Effect, ...]:
        """The effects of the tile in a slot."""
        return effects_of(self.setting.tiles[self.tiles[slot].tile]) if slot in self.tiles else ()

    @property
    def looped(self) -> set[CellId]:
        """Slots whose tiles were touched three times or more in this roll and still lie there."""
        return {s for s, count in self.touches.items() if count >= LOOP and s in self.tiles}

    @property
    def held_up(self) -> bool:
        """Whether a vote is open that makes an accident of whatever balls do (K4)."""
        return self.vote is not None and self.setting.vote_balls == "ignored"

    @property
    def voter(self) -> int | None:
        """Whose ballot an open vote waits for."""
        return self.vote.voter(self.setting.seats, self.conceded) if self.vote else None

    def contacts(self, ball: Ball) -> tuple[CellId, ...]:
        """The slots that a resting ball touches: both sides of a seam, or only the one that it is
        in (K37); none in a lane."""
        if ball.place in {ramp.id for ramp in self.board.ramps}:
            return ()
        if self.setting.walls != "touch" and ball.last in ball.place.split("-"):
            return (ball.last,)
        return tuple(part for part in ball.place.split("-") if part in self.board.cell)

    def is_place(self, place: str) -> bool:
        """Whether a ball can lie there: a slot, a seam, a lane or an end zone."""
        board = self.board
        seams = {board.seam(cell, edge) for cell, edge, _ in board.shared_edges}
        zones = {f"zone:{zone.id}" for zone in board.zones}
        return place in board.cell.keys() | seams | {r.id for r in board.ramps} | zones


def told(s: State, key: str, rule: str, /, **values: Value) -> State:
    """With one event more."""
    return replace(s, events=(*s.events, message(f"hextraction.{key}", rule, **values)))


def ended(s: State, winner: int | None = None) -> State:
    """The game is over; whatever was still to happen is not."""
    after = replace(s, phase="over", winner=winner, vote=None, doing=None, waiting=(), crowd="")
    after = replace(after, outcomes=(), happened=(), freed=(), fresh="", voided=False)
    after = replace(after, torn=(), ending=False, relief="")
    return replace(after, roller=-1, lane="", forced=False, stalemate=False)


def without_ball(s: State, id: int) -> State:
    """A ball is off the board."""
    balls = tuple(ball for ball in s.balls if ball.id != id)
    touched = {key: count for key, count in s.touched.items() if key[1] != id}
    return replace(s, balls=balls, touched=touched, freed=tuple(b for b in s.freed if b != id))

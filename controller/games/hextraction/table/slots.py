"""Slots: what is believed to lie in them, what balls meet there, and what people have to change."""

from collections.abc import Iterator, Mapping

from hexboard.board import EDGES, Board, CellId, Edge
from hexboard.game.match import Match
from hexboard.games.hextraction.rules.actions import Action
from hexboard.games.hextraction.rules.position import Hextraction, ours
from hexboard.games.hextraction.rules.state import Placed, Setting
from hexboard.games.hextraction.tiles.areas import Area, areas
from hexboard.games.hextraction.tracking.channels import Channels, channels
from hexboard.table.view import Todo
from hexboard.words import message

UNKNOWN = Placed("", 0)
"""A tile that lies in a slot, and nobody has said which; "?" is one that was played, unread."""

Tiles = Mapping[CellId, Placed]


class Slots:
    """The tiles that are believed to lie in the slots of a board, beside those of the position."""

    def __init__(self, board: Board, match: Match[Action]) -> None:
        self._board, self._match = board, match
        self.there: dict[CellId, Placed] = {}
        """Where this differs from the position is the to-do."""
        self._unplayed: dict[CellId, Placed] = {}  # taken back, and not yet seen to be lifted
        self._todo: tuple[Tiles, Tiles, tuple[Todo, ...]] = {}, {}, ()  # of what, and what it was
        self._setting = self._position.setting  # the same all match
        self.right()

    @property
    def _position(self) -> Hextraction:
        return ours(self._match.position)

    def right(self) -> None:
        """The tiles lie as they should."""
        self.there = dict(self._position.tiles)

    def seat(self, slot: CellId) -> None:
        """A tile bottomed out in a slot: the one that should lie there, if there is one."""
        if slot not in self.there:
            self._unplayed.pop(slot, None)
            self.there[slot] = self._position.tiles.get(slot, UNKNOWN)

    def name(self, slot: CellId, placed: Placed) -> None:
        """Which tile lies there has been said."""
        if self.there.get(slot) == UNKNOWN:
            self.there[slot] = placed

    def unname(self, before: Hextraction) -> None:
        """What was played came to `before` and is taken back: which tiles lie there is to be said
        anew."""
        for slot, placed in before.tiles.items():
            if slot not in self._position.tiles and self.there.get(slot) == placed:
                self.there[slot] = UNKNOWN
                self._unplayed[slot] = placed

    def see(self, slot: CellId, placed: Placed | None) -> bool:
        """This is seen to lie there, or nothing; whether somebody can have put it there: not what
        was just taken back, until it was lifted."""
        if placed is None:
            self.there.pop(slot, None)
            self._unplayed.pop(slot, None)
            return False
        self.there[slot] = placed
        if self._unplayed.get(slot) == placed:
            return False
        self._unplayed.pop(slot, None)
        return slot not in self._position.tiles

    @property
    def out(self) -> list[CellId]:
        """The slots from which a tile is gone that should lie there."""
        return [slot for slot in self._position.tiles if slot not in self.there]

    @property
    def todo(self) -> tuple[Todo, ...]:
        """What people must still change by hand, in the board's order; nothing once the game is
        over, for then they clear the board."""
        if self._position.phase == "over":
            return ()
        there, want = self.there, self._position.tiles
        if there == want:
            return ()
        if self._todo[:2] != (there, want):
            self._todo = dict(there), want, tuple(todo(self._board, want, there))
        return self._todo[2]

    # ------------------------------------------------------------------------ what balls meet

    def doors(self, slot: CellId) -> dict[Edge, tuple[Edge, ...]] | None:
        """What a ball meets in a slot as it physically is (the tracker's `Doors`)."""
        return doors(self._setting, self.there.get(slot))

    def areas(self, slot: CellId) -> tuple[Area, ...]:
        """Where balls set something off in a slot as it physically is."""
        return areas_in(self._setting, self.there.get(slot))

    def ramps(self) -> tuple[CellId, ...]:
        """Tiles from whose own ramp a ball may be rolled now."""
        return () if self.todo else self._position.own_ramps


def doors(setting: Setting, placed: Placed | None) -> dict[Edge, tuple[Edge, ...]] | None:
    """Through which edges a ball that enters by each leaves, as `tracker.Doors` tells; None for no
    tile."""
    if placed is None:
        return None
    if placed == UNKNOWN:
        return dict.fromkeys(EDGES, EDGES)
    return setting.tiles[placed.tile].doors(placed.rotation)


def areas_in(setting: Setting, placed: Placed | None) -> tuple[Area, ...]:
    """Where balls set something off there."""
    if placed is None or placed == UNKNOWN:
        return ()
    return areas(setting.tiles[placed.tile], placed.rotation, setting.holes)


def channels_of(setting: Setting, placed: Placed) -> Channels:
    """What balls meet of a tile as it lies; of one that nobody named, any way out."""
    if placed == UNKNOWN:
        return channels(dict.fromkeys(EDGES, EDGES), lambda entry: {})
    tile = setting.tiles[placed.tile]
    found = areas_in(setting, placed)
    return channels(tile.doors(placed.rotation), lambda it: tile.odds(placed.rotation, it), found)


def todo(board: Board, wanted: Tiles, there: Tiles) -> Iterator[Todo]:
    """What people must change by hand so that what is `there` is what is `wanted`, in the board's
    order."""
    for cell in board.cells:
        want, lies = wanted.get(cell.id), there.get(cell.id)
        if (want and want.way) == (lies and lies.way):
            continue
        if want is None:
            assert lies is not None
            key = "table.todo_what" if lies == UNKNOWN else "table.todo_out"
            yield Todo(cell.id, None, message(key, cell=cell.id, tile=lies.tile))
        else:
            key = "table.todo_in" if lies is None else "table.todo_swap"
            text = message(key, cell=cell.id, tile=want.tile, rotation=want.rotation)
            yield Todo(cell.id, want, text)

"""Trials: a random layout, a roll on it, what faulty sensors said, and what was truly to be ruled.

The truth is worked out here from what the simulator did, by the rules' text and not by the game's
code.
"""

from collections import Counter
from random import Random

from msgspec import Struct

from hexboard.board import Board, CellId
from hexboard.facts import MS
from hexboard.games.hextraction.rules.position import Placed
from hexboard.games.hextraction.tiles.catalogue import basic
from hexboard.games.hextraction.tiles.tile import Described, Tile
from tests.simulator.roll import (
    Course,
    Faults,
    RollGround,
    RollTile,
    RollTruth,
    hear,
    piece,
)


class Ruled(Struct, frozen=True):
    """What a roll comes to: a win; or the slots whose tiles go, and where balls lie; and what was
    set off."""

    win: bool
    destroyed: frozenset[CellId] = frozenset()
    rests: tuple[str, ...] = ()
    fired: tuple[tuple[CellId, str], ...] = ()
    """Areas that balls came into, each as often as they did, in order."""

    @property
    def outcome(self) -> tuple[object, ...]:
        """What the rules make something of: where balls lie only as far as lanes are held and tiles
        touch three."""
        if self.win:
            return True, self.fired
        lanes = tuple(rest for rest in self.rests if rest.split("-")[-1].isdigit())
        lying = (rest.split("-") for rest in self.rests if rest not in lanes)
        sides = Counter(cell for rest in lying for cell in rest)
        crowded = frozenset(cell for cell, count in sides.items() if count > 2)
        return False, self.destroyed, self.fired, lanes, crowded


class Trial(Struct):
    tiles: dict[CellId, Placed]
    lying: list[str]
    outcome: RollTruth
    said: list[tuple[int, str, bool]]
    ruled: Ruled
    more: tuple[Tile, ...] = ()

    @property
    def ends(self) -> Counter[str]:
        """How balls ended: their places, and "fell:C3", "off:A3-5", "zone:ZB"."""
        return Counter(how for _, how in (*self.outcome.rests, *self.outcome.left))


class Trials:
    """Seeded trials on one board."""

    def __init__(
        self,
        board: Board,
        seed: int,
        faults: Faults,
        balls: int,
        lying: float = 0.5,
        more: tuple[Tile, ...] = (),
    ) -> None:
        """`lying`: how often a ball but the first lies on the board already. `more` are tiles that
        are played beside those of the Basic pack."""
        self.board = board
        self.ground = RollGround(board)
        self.random = Random(seed)
        self.faults = faults
        self.balls = balls
        self.lying = lying
        self.tiles = {
            Placed(tile.id, rotation): piece(tile, rotation)
            for tile in (*basic().values(), *more)
            for rotation in tile.rotations(board.key_edge)
        }
        self.more = more
        self._kinds = list(self.tiles)

    def one(self) -> Trial:
        """A roll on a board that is full half of the time and half full otherwise; each ball but
        the first lies somewhere already, or is dropped into another lane meanwhile."""
        random = self.random
        share = random.choice((0.5, 1.0))
        tiles = {
            cell.id: random.choice(self._kinds)
            for cell in self.board.cells
            if random.random() < share
        }
        pieces = {cell: self.tiles[placed] for cell, placed in tiles.items()}
        lanes = self._lanes(pieces)
        lying: list[str] = []
        later: list[str] = []
        for lane in lanes[1 : self.balls]:
            if random.random() >= self.lying:
                later.append(lane)
            else:
                before = self._course(pieces, lying)
                before.drop(lane, 0)
                lying = [place for _, place in before.run().rests]
        course = self._course(pieces, lying)
        free = [lane for lane in lanes if lane not in lying]
        course.drop(free[0], 0)
        for lane in later:
            if lane in free[1:]:
                course.drop(lane, 100 * MS + int(random.random() * 1000) * MS)
        outcome = course.run()
        said = hear(outcome.pulses, self.faults, random, self.ground.pulsed)
        return Trial(tiles, lying, outcome, said, self._ruled(tiles, outcome), self.more)

    def _lanes(self, pieces: dict[CellId, RollTile]) -> list[str]:
        """The lanes in the order in which people take them: those that lead somewhere first."""
        lanes = list(self.ground.lanes)
        self.random.shuffle(lanes)

        def shut(lane: str) -> bool:
            cell, edge = self.ground.lanes[lane]
            return cell in pieces and not pieces[cell].open(edge)

        return sorted(lanes, key=shut)

    def _course(self, pieces: dict[CellId, RollTile], lying: list[str]) -> Course:
        course = Course(self.ground, pieces, self.random)
        for place in lying:
            course.lay(place)
        return course

    def _ruled(self, tiles: dict[CellId, Placed], outcome: RollTruth) -> Ruled:
        """By 2.1.5: a ball in an end zone wins; else the last tile of each ball that left over the
        side goes, and each tile that was touched three times; and the tile below a ramp all of
        whose lanes are held (2.1.3.2)."""
        left = [how.partition(":") for _, how in outcome.left]
        fired = tuple(sorted(outcome.fired))
        if any(how == "zone" for how, _, _ in left):
            return Ruled(True, fired=fired)
        rests = sorted(place for _, place in outcome.rests)
        gone = {place.split("-")[0] for how, _, place in left if how == "off"}
        gone |= {place for how, _, place in left if how == "fell" and self._drains(tiles, place)}
        gone |= {cell for cell, count in outcome.touches.items() if count >= 3}
        for cell in {ramp.cell for ramp in self.board.ramps}:
            if all(r.id in rests for r in self.board.ramps if r.cell == cell):
                gone.add(cell)
        gone &= tiles.keys()
        gone |= _crowded(tiles.keys() - gone, rests)
        return Ruled(False, frozenset(gone), tuple(rests), fired)

    def _drains(self, tiles: dict[CellId, Placed], cell: CellId) -> bool:
        """Whether a ball that falls through a slot's tile left over the side (K15)."""
        names = {tile.id: tile for tile in self.more if isinstance(tile, Described)}
        tile = names.get(tiles[cell].tile) if cell in tiles else None
        return tile is not None and any(hole.counts_as == "off" for hole in tile.holes)


def _crowded(tiles: set[CellId], rests: list[str]) -> set[CellId]:
    """What goes where three balls touch one tile: a tile that they touch, the first one if the
    roller has the choice (2.1.5.5)."""
    balls = [set(rest.split("-")) for rest in rests if not rest.split("-")[-1].isdigit()]
    for cell in sorted(tiles):
        touching = [sides for sides in balls if cell in sides]
        if len(touching) > 2:
            return {min(set.union(*touching) & tiles)}
    return set()

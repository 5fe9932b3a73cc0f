"""Doubting: whether the tiles lie as is believed, by what balls do there.

Where the best reading of a roll is dear at some sign, the roll is weighed again with a tile near by
otherwise: turned, or another one. What that saves is summed over rolls (`tracking.layouts`).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import reduce
from itertools import pairwise

from hexboard.board import EDGES, CellId, Edge
from hexboard.games.hextraction.rules.actions import Action
from hexboard.games.hextraction.rules.state import Placed
from hexboard.games.hextraction.table import questions
from hexboard.games.hextraction.table.believed import Believed
from hexboard.games.hextraction.table.following import Following
from hexboard.games.hextraction.tiles.catalogue import UNREGISTERED
from hexboard.games.hextraction.tiles.tile import Tile
from hexboard.games.hextraction.tracking.layouts import Otherwise
from hexboard.games.hextraction.tracking.outcome import Judged
from hexboard.games.hextraction.tracking.readings import MOST_WEIGHED, NEVER_CNAT, Readings
from hexboard.games.hextraction.tracking.weights import either
from hexboard.table.effects import Corrected
from hexboard.table.parts import Parts
from hexboard.words import message

DEAR_CNAT = 650
"""A sign that costs the best reading so much more may be the doing of a tile near by."""
LOOSE_CNAT = 450
"""The same, of a tile that was lifted and put back."""
SPEAK = ("edge", "gate", "exit", "fall", "throat")
"""The sensors whose signs a tile can be the cause of."""
SAVES_CNAT = 300
"""What another tile saves less than is not worth knowing."""
BEFORE = 3
"""So many signs before a dear one are looked at as well: a ball may have come that way."""
LAID_WEIGHED = 200
"""To look up what balls meet with a tile otherwise takes as long as to weigh so much."""
MOST_SIGNS = 100
"""A roll of more is not gone through again: hands were in it."""


class Doubting:
    """Doubts the layout of one table."""

    def __init__(self, parts: Parts[Action], believed: Believed, following: Following) -> None:
        self._parts, self._believed, self._following = parts, believed, following
        self._gains: dict[Otherwise, int] = {}  # what the roll says that is judged
        self._left = 0  # so much may still be weighed before people wait too long

    def asks(self, judged: list[Judged], readings: Readings) -> bool:
        """Whether people are asked how a tile lies, before the roll is ruled."""
        believed, layouts = self._believed, self._believed.layouts
        self._gains, self._left = {}, MOST_WEIGHED - readings.weighed
        if (
            not believed.rolling
            or believed.unsettled.hearing.gaps
            or readings.cut
            or len(readings.strain) > MOST_SIGNS
        ):
            return False
        layouts.keep(believed.position.tiles)
        cost = _cost(judged)
        spoke, near = self._spoke(readings), _near(readings, cost)
        self._weigh(self._suspected(near), near, spoke, cost, cost)
        suspects = layouts.suspects(self._gains)
        if not suspects:
            near = _near(readings, cost, 1)
            self._weigh(list(self._others(near)), near, spoke, cost, cost - SAVES_CNAT)
            suspects = layouts.suspects(self._gains)
        if suspects:
            slot = suspects[0][0]
            ways = dict.fromkeys(way for _, placed in suspects for way in self._alike(placed))
            lies = believed.position.tiles[slot]
            self._parts.ask(*questions.turned(slot, (lies, *ways)))
        return bool(suspects)

    def _weigh(
        self,
        otherwise: list[Otherwise],
        near: Mapping[CellId, int],
        spoke: Collection[str],
        cost: int,
        most: int,
    ) -> None:
        """Note what the roll, which costs `cost`, would save if one tile lay `otherwise`. What was
        suspected before comes first, then the slots where the roll is dearest (`near`). Once there
        is no time left (`_left`) the rest waits for another roll. A new suspicion is weighed no
        further than a cost of `most`. Two that balls at the edges that `spoke` cannot tell apart
        are weighed once."""
        known: dict[tuple[object, ...], int] = {}
        gains: dict[Otherwise, int] = {}
        before = set(self._believed.layouts.known)
        for key in sorted(otherwise, key=lambda key: (key not in before, -near.get(key[0], 0))):
            slot, placed = key
            edges = frozenset(e for e in EDGES if self._parts.board.seam(slot, e) in spoke)
            alike = slot, _met(self._tiles[placed.tile], placed.rotation, edges)
            if alike not in known and self._left > 0:
                known[alike] = cost - self._otherwise(key, most)
            if alike in known:
                gains[key] = known[alike]
        self._gains |= {key: gains[key] for key in otherwise if key in gains}

    def _spoke(self, readings: Readings) -> set[str]:
        """The places at tiles' edges where a sensor spoke, or is high."""
        spoke = {sensor for sensor, _ in readings.strain} | self._parts.senses.felt
        split = (sensor.split(":") for sensor in spoke)
        return {place for kind, place in split if kind in SPEAK}

    @property
    def asked(self) -> CellId:
        """The slot of which people are asked how its tile lies; "" for none."""
        asking = self._parts.question.asking
        if asking is None or asking.message.key != "table.turned":
            return ""
        return str(dict(asking.message.values)["slot"])

    def learn(self) -> None:
        """The roll is ruled as it was judged."""
        self._believed.layouts.learn(self._gains)
        self._gains = {}

    def lies(self, slot: CellId, placed: Placed) -> None:
        """The tile lies so, people say: what came since all was beyond doubt is told anew."""
        believed, parts = self._believed, self._parts
        position = believed.unsettled.stand.position
        self._gains = {}
        if position.tiles[slot].way != placed.way:
            parts.outbox.put(Corrected(message("table.reread")))
            believed.forget()
            items, heard = believed.again(), believed.unsettled.hearing
            parts.ledger.replace(position.with_tile(slot, placed), "page", "")
            believed.slots.there[slot] = believed.position.tiles[slot]
            believed.stand_here()
            believed.unsettled.hearing = heard
            self._following.tell_anew(items)
        believed.layouts.keep(believed.position.tiles)
        believed.layouts.looked(slot)

    # ------------------------------------------------------------------------------ what may be

    def _suspected(self, near: Mapping[CellId, int]) -> list[Otherwise]:
        """What may lie otherwise: where the best reading is dear, and what was suspected before."""
        layouts = self._believed.layouts
        tiles = {s: t for s, t in self._believed.position.tiles.items() if self._lies(s, t)}
        found = [key for key in layouts.known if key[0] in tiles]
        for slot, dear in near.items():
            if slot in tiles and dear >= (LOOSE_CNAT if layouts.loose(slot) else DEAR_CNAT):
                found += self._ways(slot, tiles[slot])
        return list(dict.fromkeys(found))

    def _others(self, near: Mapping[CellId, int]) -> Iterator[Otherwise]:
        """The other tiles that may lie just where the best reading is dear, one of those each that
        balls meet alike."""
        tiles = self._believed.position.tiles
        for slot, dear in near.items():
            if slot in tiles and dear >= DEAR_CNAT and self._lies(slot, tiles[slot]):
                found = {_met(self._tiles[p.tile], p.rotation): p for p in self._kinds}
                for way in (p for p in found.values() if p.tile != tiles[slot].tile):
                    yield slot, way

    @property
    def _tiles(self) -> dict[str, Tile]:
        return self._believed.position.setting.tiles

    @property
    def _kinds(self) -> list[Placed]:
        """Every way in which a tile of this game can lie, as far as balls meet it otherwise."""
        key, known = self._parts.board.key_edge, self._tiles.items()
        each = ((id, tile) for id, tile in known if id != UNREGISTERED.id)
        return [Placed(id, ways[0]) for id, tile in each for ways in tile.ways(key)]

    def _alike(self, placed: Placed) -> list[Placed]:
        """What balls meet as they meet this."""
        tiles, met = self._tiles, _met(self._tiles[placed.tile], placed.rotation)
        alike = [p for p in self._kinds if _met(tiles[p.tile], p.rotation) == met]
        return [placed, *(p for p in alike if p.tile != placed.tile)]

    def _lies(self, slot: CellId, placed: Placed) -> bool:
        """Whether a known tile has lain there since all was beyond doubt."""
        return (
            placed.tile != UNREGISTERED.id
            and self._believed.unsettled.stand.physical.get(slot) == placed
        )

    def _ways(self, slot: CellId, placed: Placed) -> Iterator[Otherwise]:
        """The other ways in which a slot's tile can lie, as far as balls meet them otherwise."""
        setting = self._believed.position.setting
        for ways in setting.tiles[placed.tile].ways(setting.board.key_edge):
            if placed.rotation not in ways:
                yield slot, Placed(placed.tile, ways[0], placed.owner)

    def _otherwise(self, key: Otherwise, most: int) -> int:
        """What the roll costs with one tile otherwise, as far as that is not more than `most`."""
        slot, placed = key
        believed, parts = self._believed, self._parts
        known = key in believed.layouts.known
        limit = NEVER_CNAT if known else most
        lying = {**believed.slots.there, slot: placed}
        readings = believed.unsettled.supposing(lying, parts.now, {slot: placed}, limit)
        self._left -= LAID_WEIGHED + len(believed.unsettled.items) + readings.weighed
        return readings.least if readings.least > limit else readings.cost(parts.senses.felt)


def _met(
    tile: Tile, rotation: int, edges: frozenset[Edge] = frozenset(EDGES)
) -> frozenset[tuple[Edge, frozenset[Edge], bool]]:
    """What balls meet of a tile that come in by these edges: by which of them they can leave it,
    and whether by others."""
    doors = ((edge, frozenset(ways)) for edge, ways in tile.doors(rotation).items())
    return frozenset((e, ways & edges, ways <= edges) for e, ways in doors if e in edges)


def _cost(judged: Iterable[Judged]) -> int:
    """How unlikely a roll is, whatever it was."""
    return reduce(either, (one.cost for one in judged), NEVER_CNAT)


def _near(readings: Readings, cost: int, before: int = BEFORE) -> dict[CellId, int]:
    """The slots near a sign that cost the best reading much, and how much; with so many signs
    `before` it."""
    near: dict[CellId, int] = {}
    strain = [(sensor.split(":"), cost) for sensor, cost in readings.strain]
    costs = [0, *(cost for _, cost in strain), cost]
    signs = [(n, place.split("-"), kind in SPEAK) for n, ((kind, place), _) in enumerate(strain)]
    for n, (was, dear) in enumerate(pairwise(costs)):
        for k, cells, speaks in signs:
            if n - before <= k <= n and speaks and (n == len(signs) or signs[n][2]):
                for cell in cells:
                    near[cell] = max(near.get(cell, 0), dear - was)
    return near

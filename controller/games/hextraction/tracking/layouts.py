"""Layouts: how much speaks for each other way in which the tile of a slot may lie.

A pure sum over rolls, in whole hundredths of a nat: what a roll costs as the tiles are believed to
lie, less what it costs with one of them otherwise. A sequential test: never below zero, so that a
tile which is turned late is found as soon as one that never lay right. What speaks for a slot is
forgotten once another tile lies there, it was lifted, or somebody has looked how it lies; not by a
restart (`noted`).

    layouts = Layouts()
    layouts.keep({"C2": lies})
    layouts.learn({("C2", turned): 500})        # balls went as if it lay otherwise
    layouts.suspects({("C2", turned): 400})     # with the roll that is judged: [("C2", turned)]
"""

from collections.abc import Mapping
from functools import reduce

import msgspec
from msgspec import Struct

from hexboard.board import CellId
from hexboard.games.hextraction.rules.state import Placed
from hexboard.games.hextraction.tracking.weights import either

TURNED_CNAT = 570
"""A tile lies in one of the other ways in which it seats: one in 300 each."""
OTHER_CNAT = 850
"""It is another tile: one in 5000 each, of some twenty; one false sign alone says too little."""
LIFTED_CNAT = 400
"""It lies otherwise than before it was lifted: one in 50 each."""
LOOKED_CNAT = 800
"""So much more has to speak for it once somebody has looked how it lies."""
SURE_CNAT = 200
"""How much likelier than what is believed it must be before people are asked: seven to one."""
ROLL_CNAT = 1200
"""One roll says no more than that: what its signs say again, they say of one thing."""
LEAST_CNAT = 150
"""What less speaks for is not kept in mind."""
WORTH_CNAT = 300
"""How much less likely than the best a way may be and still be offered."""

_Way = tuple[str, int, int]
"""Tile, rotation and owner."""
Otherwise = tuple[CellId, Placed]
"""A slot, and what may lie there instead."""


class _Known(Struct, frozen=True, array_like=True):
    """What is known of a slot, as it is noted."""

    slot: CellId
    lies: _Way
    lifted: bool
    looked: bool
    scores: tuple[tuple[_Way, int], ...]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(tuple[_Known, ...]).decode


class Layouts:
    """What speaks against the layout of one board; `noted` is what was known before a restart."""

    def __init__(self, noted: str = "") -> None:
        known = _decode(noted) if noted else ()
        self._lies = {it.slot: Placed(*it.lies) for it in known}
        self._score = {(it.slot, Placed(*way)): score for it in known for way, score in it.scores}
        self._lifted = {it.slot for it in known if it.lifted}
        self._looked = {it.slot for it in known if it.looked}

    @property
    def noted(self) -> str:
        """What rolls and people have said so far of the tiles that lie; "" for nothing."""
        slots = {slot for slot, _ in self._score} | (self._looked & self._lies.keys())
        return _encode([self._known(slot) for slot in sorted(slots)]).decode() if slots else ""

    def _known(self, slot: CellId) -> _Known:
        scores = ((_way(key[1]), n) for key, n in self._score.items() if key[0] == slot)
        lifted, looked = slot in self._lifted, slot in self._looked
        return _Known(slot, _way(self._lies[slot]), lifted, looked, tuple(scores))

    def keep(self, lies: Mapping[CellId, Placed]) -> None:
        """The tiles lie so: for slots where another one lay nothing speaks any more."""
        for slot in [slot for slot, was in self._lies.items() if lies.get(slot) != was]:
            self.forget(slot)
        self._lies = dict(lies)

    def forget(self, slot: CellId) -> None:
        """Another tile lies there."""
        self._lifted.discard(slot)
        self._looked.discard(slot)
        self._score = {key: score for key, score in self._score.items() if key[0] != slot}

    def lifted(self, slot: CellId) -> None:
        """The tile was taken out and put back, turned perhaps."""
        self.forget(slot)
        self._lifted.add(slot)

    def looked(self, slot: CellId) -> None:
        """Somebody has seen how it lies, and that is believed."""
        self.forget(slot)
        self._looked.add(slot)

    def loose(self, slot: CellId) -> bool:
        """Whether the tile was lifted since it was played."""
        return slot in self._lifted

    @property
    def known(self) -> list[Otherwise]:
        """What something speaks for so far."""
        return list(self._score)

    def learn(self, gains: Mapping[Otherwise, int]) -> None:
        """A roll was judged: so much less it would cost with one tile otherwise."""
        for key, gain in gains.items():
            score = self._score.get(key, 0) + min(gain, ROLL_CNAT)
            self._score[key] = score
            if score < LEAST_CNAT:
                del self._score[key]

    def suspects(self, gains: Mapping[Otherwise, int]) -> list[Otherwise]:
        """What may lie otherwise in one slot, the likeliest first, where so much speaks for it with
        the roll that is judged that people are to be asked; else nothing."""
        worse = {key: self._worse(key, gain) for key, gain in gains.items()}
        slots = {slot: [n for key, n in worse.items() if key[0] == slot] for slot, _ in worse}
        cost, slot = min(
            ((reduce(either, all), slot) for slot, all in slots.items()), default=(0, "")
        )
        if cost > -SURE_CNAT:
            return []
        ways = sorted((n, key[1].way, key) for key, n in worse.items() if key[0] == slot)
        return [key for n, _, key in ways if n <= ways[0][0] + WORTH_CNAT]

    def _worse(self, key: Otherwise, gain: int) -> int:
        """How much less likely it is than what is believed."""
        slot, other = key
        lies = self._lies.get(slot)
        cost = OTHER_CNAT
        if lies is not None and lies.tile == other.tile:
            cost = LIFTED_CNAT if slot in self._lifted else TURNED_CNAT
        looked = LOOKED_CNAT if slot in self._looked else 0
        return cost + looked - self._score.get(key, 0) - min(gain, ROLL_CNAT)


def _way(placed: Placed) -> _Way:
    return placed.tile, placed.rotation, placed.owner

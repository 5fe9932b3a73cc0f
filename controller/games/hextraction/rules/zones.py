"""Where the tiles of a game are that lie on no slot: the bag, hands, the Virtual Pool, and what is
out of the game for good or taken back by its owner (0.1.7, 0.1.8).

A *copy* is a tile by its id and, where that was said, the seat that owns it (0.3.2): "J", "J~1". A
copy whose tile nobody has named is "?", or "?~1".
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

NOBODY = -1
"""No seat in particular: whose tile it is was never said."""
ANY = "?"
"""A tile that nobody has named."""

Copy = str


def copy_of(tile: str, owner: int = NOBODY) -> Copy:
    """A copy of a tile as it is written."""
    return tile if owner == NOBODY else f"{tile}~{owner}"


def tile_of(copy: Copy) -> str:
    """The id of a copy's tile."""
    return copy.partition("~")[0]


def owner_of(copy: Copy) -> int:
    """The seat that owns a copy, or `NOBODY`. Raises `ValueError` for what no copy is."""
    owner = copy.partition("~")[2]
    return int(owner) if owner else NOBODY


class Bag(Struct, frozen=True):
    """Copies that lie together: how many of each, in the order of their names."""

    counts: dict[Copy, int] = {}

    def __len__(self) -> int:
        return sum(self.counts.values())

    def __contains__(self, copy: object) -> bool:
        return copy in self.counts

    def __iter__(self) -> Iterator[Copy]:
        """Each copy once, however many there are."""
        return iter(self.counts)

    def count(self, copy: Copy) -> int:
        """How many of a copy there are."""
        return self.counts.get(copy, 0)

    def plus(self, copy: Copy, n: int = 1) -> "Bag":
        """With `n` more of a copy; fewer where `n` is negative. Raises `ValueError` for fewer than
        none."""
        left = self.count(copy) + n
        if left < 0:
            raise ValueError(copy)
        counts = {**self.counts, copy: left}
        if left and copy in self.counts:  # they are in order, as they were
            return Bag(counts)
        return Bag({name: counts[name] for name in sorted(counts) if counts[name]})

    def minus(self, copy: Copy) -> "Bag":
        """With one fewer. Raises `ValueError` where there is none."""
        return self.plus(copy, -1)

    def __str__(self) -> str:
        """ "J*4,X~1"."""
        return ",".join(c if n == 1 else f"{c}*{n}" for c, n in self.counts.items())


def bag(text: str) -> Bag:
    """The inverse of `str`. Raises `ValueError`, also for text that `str` does not write."""
    read = Bag()
    for item in text.split(",") if text else ():
        copy, _, number = item.partition("*")
        owner_of(copy)
        read = read.plus(copy, int(number or "1"))
    if str(read) != text:
        raise ValueError(text)
    return read


MOST_TILES = 100_000
"""More than any bag and all hands hold."""


class TileHand(Struct, frozen=True):
    """A seat's tiles: copies that are known (sorted), and how many are not."""

    known: tuple[Copy, ...] = ()
    unknown: int = 0

    def __len__(self) -> int:
        return len(self.known) + self.unknown

    def without(self, copy: Copy) -> "TileHand":
        """With one fewer: that copy if it is known to be there, else an unknown one."""
        if copy not in self.known:
            return replace(self, unknown=self.unknown - 1)
        at = self.known.index(copy)
        return replace(self, known=self.known[:at] + self.known[at + 1 :])

    def naming(self, copy: Copy) -> "TileHand":
        """With a known copy more."""
        return replace(self, known=tuple(sorted((*self.known, copy))))

    def __str__(self) -> str:
        """ "3", or "3:J+X~1" where two of them are known."""
        return f"{len(self)}" + (":" + "+".join(self.known) if self.known else "")


def hand(text: str) -> TileHand:
    """The inverse of `str`. Raises `ValueError`."""
    size, _, names = text.partition(":")
    known = tuple(names.split("+")) if names else ()
    read = TileHand(known, int(size) - len(known))
    if not 0 <= read.unknown <= MOST_TILES or str(read) != text or known != tuple(sorted(known)):
        raise ValueError(text)
    return read


class Zones(Struct, frozen=True):
    """All tiles that are not on the board.

    `unseen` holds what nobody sees: the bag, and the tiles of all hands. It lists what was said to
    be in the game, and "?" for the rest; it changes only by what everybody sees. What a hand is
    known to hold is known beside that (`TileHand.known`), by whoever owns these zones.
    """

    unseen: Bag = Bag()
    hands: tuple[TileHand, ...] = ()
    virtual: Bag = Bag()
    """The Virtual Pool; everybody may look (T.VirtualPool)."""
    destroyed: Bag = Bag()
    """Out of the game for good (2.4.4)."""
    loose: Bag = Bag()
    """Discarded parts of a Combo that wait for the others (2.4.7)."""
    reclaimed: Bag = Bag()
    """Taken back by owners who have lost (2.8.3.2)."""
    top: tuple[Copy, ...] = ()
    """What an effect put on the bag, the uppermost first: everybody has seen it, and it is drawn
    before the rest. `unseen` counts it, too."""

    @property
    def pool(self) -> int:
        """How many tiles are left in the bag, the Main Pool."""
        return len(self.unseen) - sum(map(len, self.hands))

    @property
    def unnamed(self) -> Bag:
        """The unseen but for those that are known to be in a hand or to lie on the bag. Raises
        `ValueError` where these are more than there is."""
        left = self.unseen
        for copies in (self.top, *[own.known for own in self.hands]):
            for copy in copies:
                left = _taken(left, copy)
        return left

    # --------------------------------------------------------------------------------- hands

    def held(self, seat: int) -> tuple[Copy, ...]:
        """The copies that a hand may hold, for all that is known; "?" for any tile at all."""
        own = self.hands[seat]
        return tuple(dict.fromkeys((*own.known, *(self.unnamed.counts if own.unknown else ()))))

    def may_hold(self, seat: int, copy: Copy) -> bool:
        """Whether a hand can hold this copy."""
        own = self.hands[seat]
        return copy in own.known or (
            own.unknown > 0 and not self.unnamed.counts.keys().isdisjoint((copy, ANY))
        )

    def draws(self, seat: int, n: int = 1) -> "Zones":
        """`n` tiles go blindly from the bag to a hand (1.2.5), those that lie on it first; there
        must be so many."""
        own, seen = self.hands[seat], self.top[:n]
        for copy in seen:
            own = own.naming(copy)
        own = replace(own, unknown=own.unknown + n - len(seen))
        return replace(self._with(seat, own), top=self.top[n:])

    def named(self, seat: int, copy: Copy) -> "Zones":
        """A tile of a hand that was not known is this copy."""
        own = self.hands[seat]
        return self._with(seat, replace(own, unknown=own.unknown - 1).naming(copy))

    def leaves(self, seat: int, copy: Copy) -> "Zones":
        """A copy is taken out of a hand, and everybody sees it."""
        return self._with(seat, self.hands[seat].without(copy)).found(copy)

    def puts_back(self, seat: int, copy: Copy) -> "Zones":
        """A tile of a hand goes back into the bag, and nobody else sees it (1.2.3). Where `copy` is
        "?" nobody read it: if all of the hand was known, now nothing of it is."""
        own = self.hands[seat]
        if copy == ANY and not own.unknown:
            own = TileHand((), len(own))
        return self._with(seat, own.without(copy))

    def given(self, seat: int, to: int, copy: Copy) -> "Zones":
        """A tile goes from hand to hand; it is known there if it was known here."""
        after, known = (
            self._with(seat, self.hands[seat].without(copy)),
            copy in self.hands[seat].known,
        )
        own = after.hands[to]
        return after._with(to, own.naming(copy) if known else replace(own, unknown=own.unknown + 1))

    def empties(self, seat: int) -> "Zones":
        """A whole hand goes back into the bag."""
        return self._with(seat, TileHand())

    def fetched(self, seat: int, copy: Copy) -> "Zones":
        """A copy is looked for in the bag, shown, and goes to a hand."""
        return self._with(seat, self.hands[seat].naming(copy))

    def found(self, copy: Copy) -> "Zones":
        """One of the unseen is this copy, and is unseen no more. Raises `ValueError` where none of
        them can be."""
        return replace(self, unseen=_taken(self.unseen, copy))

    def _with(self, seat: int, own: TileHand) -> "Zones":
        return replace(self, hands=(*self.hands[:seat], own, *self.hands[seat + 1 :]))

    # --------------------------------------------------------------------------------- pools

    def pooled(self, copy: Copy) -> "Zones":
        """A copy goes into the Main Pool (T.Discard)."""
        return replace(self, unseen=self.unseen.plus(copy))

    def put_on(self, copy: Copy) -> "Zones":
        """A copy that has just gone into the Main Pool lies on the bag."""
        return replace(self, top=(copy, *self.top))

    def looked_through(self, copy: Copy) -> "Zones":
        """A copy is found in the bag: on top of it, if it lies there."""
        at = self.top.index(copy) if copy in self.top else len(self.top)
        return replace(self, top=self.top[:at] + self.top[at + 1 :])

    def to_virtual(self, copy: Copy) -> "Zones":
        """A Virtual copy goes into the Virtual Pool (2.4.2, T.Virtual.3)."""
        return replace(self, virtual=self.virtual.plus(copy))

    def created(self, copy: Copy) -> "Zones":
        """A copy leaves the Virtual Pool: only by being created (T.Virtual.4, T.VirtualPool.2)."""
        return replace(self, virtual=self.virtual.minus(copy))

    def set_aside(self, copy: Copy) -> "Zones":
        """A copy is destroyed (2.4.4)."""
        return replace(self, destroyed=self.destroyed.plus(copy))

    def returned(self, copy: Copy) -> "Zones":
        """A destroyed copy is not, which only a Forbidden effect may bring about (0.1.8)."""
        return replace(self, destroyed=self.destroyed.minus(copy))

    def loosened(self, copy: Copy) -> "Zones":
        """A part of a Combo lies beside the board until the others do."""
        return replace(self, loose=self.loose.plus(copy))

    def taken_back(self, copy: Copy) -> "Zones":
        """An owner has a copy back (2.8.3.2)."""
        return replace(self, reclaimed=self.reclaimed.plus(copy))

    # --------------------------------------------------------------------------- what is known

    def view(self, seat: int) -> "Zones":
        """What a seat may know: its own hand; of the others' only how many (1.2.1, 1.2.4)."""
        hands = (h if other == seat else TileHand((), len(h)) for other, h in enumerate(self.hands))
        return replace(self, hands=tuple(hands))

    @property
    def census(self) -> Bag:
        """Every copy that is not on the board, once."""
        found = self.unseen
        for zone in (self.virtual, self.destroyed, self.loose, self.reclaimed):
            for copy, n in zone.counts.items():
                found = found.plus(copy, n)
        return found


def _taken(some: Bag, copy: Copy) -> Bag:
    """With one fewer: listed as this copy, else as any tile."""
    return some.minus(copy if copy in some else ANY)

"""Where the reservation counters of one turn may go."""

from hexboard.games.bad_santa.groups import Groups, cells_of


class Selection:
    """The cells of one turn.

    Two cells *clash* when their counters would be in one group: when they are neighbours, or touch
    the same group (BSH-2.2, BSH-2.3). What was found is kept for the length of the turn.
    """

    __slots__ = (
        "_clashes",
        "_far",
        "_first",
        "_near",
        "_need",
        "_touched",
        "_waived",
        "free",
        "full",
        "groups",
        "shortage",
    )

    def __init__(
        self, near: tuple[int, ...], groups: Groups, free: int, full: int, shortage: str
    ) -> None:
        """A turn of `full` counters on the cells `free` by a mover who has these `groups`."""
        self.groups, self.free, self.full, self.shortage = groups, free, full, shortage
        self._near = near
        self._clashes: dict[int, int] = {}
        self._need = -1  # not asked for yet

    @property
    def need(self) -> int:
        """How many counters the turn has."""
        if self._need < 0:
            self._solve()
        return self._need

    @property
    def first(self) -> int:
        """The cells for the first of them."""
        if self._need < 0:
            self._solve()
        return self._first

    def _solve(self) -> None:
        """Three counters (BSH-2.1), two in the opening (BSH-4.1); fewer where so many cannot stand
        apart, as the ruling C1 wants it."""
        touched = 0
        for group in self.groups:
            touched |= group
        self._touched = touched
        self._far = self.free & ~touched  # touches no group: clashes with its neighbours only
        self._waived = False
        self._need, self._first = self.full, self.sets(self.free, self.full)
        if self._first:
            return
        if self.shortage == "pass":
            self._need = 0
        elif self.shortage == "waive_group_rule":
            self._waived = True
            self._need, self._first = min(self.full, self.free.bit_count()), self.free
        else:
            while not self._first and self._need:
                self._need -= 1
                self._first = self.sets(self.free, self._need)

    def clash(self, cell: int) -> int:
        """All cells that clash with one (sides may be among them)."""
        if self._waived:
            return 0
        bit = 1 << cell
        if not bit & self._touched:
            return self._near[cell]
        known = self._clashes.get(cell)
        if known is None:
            known = self._near[cell]
            for group in self.groups:
                if group & bit:
                    known |= group
            self._clashes[cell] = known
        return known

    def sets(self, cells: int, count: int) -> int:
        """Those of `cells` that are in some set of `count` of them that do not clash: from each of
        them the turn can be completed (C5)."""
        if self._waived:
            return cells if count else 0
        if count == 3:
            return self._triples(cells)
        if count == 2:
            return self._pairs(cells)
        return cells if count == 1 else 0

    def _pairs(self, cells: int) -> int:
        if (cells & self._far).bit_count() > 7:
            return cells  # a cell clashes with six far cells at most, so another is left for it
        found = 0
        for cell in cells_of(cells):
            bit = 1 << cell
            if not found & bit:
                others = cells & ~(self.clash(cell) | bit)
                if others:
                    found |= others | bit
        return found

    def _triples(self, cells: int) -> int:
        if (cells & self._far).bit_count() > 10:
            return cells  # four far cells are left for any cell, and no four are all neighbours
        found = self._vouched(cells)
        for cell in cells_of(cells & ~found):
            bit = 1 << cell
            if found & bit:
                continue
            others = cells & ~(self.clash(cell) | bit)
            for second in cells_of(others):
                thirds = others & ~(self.clash(second) | 1 << second)
                if thirds:
                    found |= thirds | bit | 1 << second
                    break
        return found

    def _vouched(self, cells: int) -> int:
        """Most of the answer for little: witnesses are taken that do not clash with one another,
        and a cell that clashes with neither of two of them makes three with those."""
        once = twice = 0
        left = cells
        for _ in range(6):
            if not left:
                break
            spare = left & self._far or left
            witness = spare & -spare
            others = cells & ~(self.clash(witness.bit_length() - 1) | witness)
            twice |= once & others
            once |= others
            left &= others
            if twice == cells:
                break
        return twice

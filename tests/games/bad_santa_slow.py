"""Bad Santa the slow and obvious way, from the digest: names of cells, floods and brute force.

Nothing is shared with the game under test but the names of cells and where they lie.
"""

from itertools import combinations

Place = tuple[int, int]
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


class Slow:
    """A board with counters on it. `form` is hex, y or cross; colours are "black" and "white"."""

    def __init__(self, form: str, cells: dict[str, Place]) -> None:
        self.form = form
        self.size = max(int(name[1:]) for name in cells)
        if form == "y":
            cells = {name: p for name, p in cells.items() if p[0] + p[1] < self.size}
        self.cells = cells
        self.stones: dict[str, str] = {}

    def of(self, colour: str) -> set[str]:
        return {cell for cell, owner in self.stones.items() if owner == colour}

    def free(self) -> set[str]:
        return self.cells.keys() - self.stones.keys()

    def touch(self, one: str, other: str) -> bool:
        (q, r), (to_q, to_r) = self.cells[one], self.cells[other]
        return (to_q - q, to_r - r) in STEPS

    def group(self, cell: str, stones: set[str]) -> frozenset[str]:
        """Everything that hangs together with `cell`."""
        found, todo = {cell}, [cell]
        while todo:
            here = todo.pop()
            more = {other for other in stones - found if self.touch(here, other)}
            found |= more
            todo += more
        return frozenset(found)

    def apart(self, chosen: frozenset[str], mover: str) -> bool:
        """BSH-2.2 on the final configuration (BSH-2.3): no two of them in the same group."""
        stones = self.of(mover) | chosen
        return len({self.group(cell, stones) for cell in chosen}) == len(chosen)

    def sets(self, mover: str, count: int) -> list[frozenset[str]]:
        """Every legal set of this many reservation counters."""
        every = (frozenset(some) for some in combinations(sorted(self.free()), count))
        return [some for some in every if self.apart(some, mover)]

    def turn(self, mover: str, opening: bool, shortage: str) -> list[frozenset[str]]:
        """Every legal set of this turn, with fewer counters where C1 says so; none to pass."""
        full = 2 if opening else 3
        if sets := self.sets(mover, full):
            return sets
        if shortage == "pass":
            return []
        if shortage == "waive_group_rule":
            count = min(full, len(self.free()))
            return [frozenset(some) for some in combinations(sorted(self.free()), count)]
        return next((s for k in range(full - 1, 0, -1) if (s := self.sets(mover, k))), [])

    def sides(self) -> list[set[str]]:
        """Hex: top, bottom, left, right. Y: its three. Cross: six, clockwise from the bottom."""
        n, names = self.size, self.cells
        if self.form == "hex":
            return [
                {name for name in names if name[1:] == "1"},
                {name for name in names if name[1:] == str(n)},
                {name for name in names if name[0] == "a"},
                {name for name in names if ord(name[0]) - 96 == n},
            ]
        if self.form == "y":
            column = {name: ord(name[0]) - 96 for name in names}
            return [
                {name for name in names if name[1:] == "1"},
                {name for name in names if column[name] == 1},
                {name for name in names if column[name] + int(name[1:]) == n + 1},
            ]
        rows = sorted({name[0] for name in names})
        middle = len(rows) // 2
        long = {row: max(int(name[1:]) for name in names if name[0] == row) for row in rows}
        return [
            {f"{rows[0]}{k + 1}" for k in range(long[rows[0]])},
            {f"{row}1" for row in rows[: middle + 1]},
            {f"{row}1" for row in rows[middle:]},
            {f"{rows[-1]}{k + 1}" for k in range(long[rows[-1]])},
            {f"{row}{long[row]}" for row in rows[middle:]},
            {f"{row}{long[row]}" for row in rows[: middle + 1]},
        ]

    def result(self, colour: str) -> str:
        """ "wins", "loses" or nothing."""
        goals = {
            "hex": [{0, 1}] if colour == "black" else [{2, 3}],
            "y": [{0, 1, 2}],
            "cross": [{0, 2, 4}, {1, 3, 5}],
        }[self.form]
        traps = [{0, 3}, {1, 4}, {2, 5}] if self.form == "cross" else []
        sides, stones = self.sides(), self.of(colour)
        met = [
            {s for s, cells in enumerate(sides) if cells & group}
            for group in {self.group(cell, stones) for cell in stones}
        ]
        if any(goal <= reached for goal in goals for reached in met):
            return "wins"
        return "loses" if any(trap <= reached for trap in traps for reached in met) else ""

    def winner(self, mover: str, both_lose: str = "mover") -> str:
        """The colour that has won at the end of `mover`'s turn, or nothing (C2, BSC-3)."""
        other = {"black": "white", "white": "black"}[mover]
        mine, theirs = self.result(mover), self.result(other)
        if mine == theirs == "loses":
            return other if both_lose == "mover" else mover
        if "wins" in (mine, theirs):
            return mover if mine == "wins" else other
        if "loses" in (mine, theirs):
            return other if mine == "loses" else mover
        return ""

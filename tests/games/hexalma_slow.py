"""HexAlma once more, slowly and plainly, from the rules: what the fast one is compared with.

A board is a dict of cell name to its discs from the bottom up ("BW"), only cells that have any.
"""

from collections import Counter

LETTERS = "abcdefghi"
LENGTHS = dict(zip(LETTERS, (5, 6, 7, 8, 9, 8, 7, 6, 5), strict=True))
CELLS = [f"{letter}{k}" for letter in LETTERS for k in range(1, LENGTHS[letter] + 1)]
OTHER = {"B": "W", "W": "B"}
ENEMY_ROW = {"B": "i", "W": "a"}
DIRECTIONS = ("E", "W", "NE", "NW", "SE", "SW")
Stacks = dict[str, str]


def neighbour(cell: str, direction: str) -> str | None:
    """The next cell; below the middle row e going up and right adds one to the number, above it
    going up and left takes one away."""
    row, k = LETTERS.index(cell[0]), int(cell[1:])
    if direction in ("E", "W"):
        k += 1 if direction == "E" else -1
    else:
        up = direction[0] == "N"
        new = row + (1 if up else -1)
        if not 0 <= new <= 8:
            return None
        longer = LENGTHS[LETTERS[new]] > LENGTHS[LETTERS[row]]
        right = direction[1] == "E"
        k += (1 if right else 0) if longer else (0 if right else -1)
        row = new
    letter = LETTERS[row]
    return f"{letter}{k}" if 1 <= k <= LENGTHS[letter] else None


def away(cell: str, direction: str, distance: int) -> str | None:
    """The cell so many steps away; None off the board."""
    here: str | None = cell
    for _ in range(distance):
        here = neighbour(here, direction) if here else None
    return here


def start() -> Stacks:
    white = {cell: "W" for cell in CELLS if cell[0] in "hi"}
    return {cell: "B" for cell in CELLS if cell[0] in "ab"} | white


def moves(stacks: Stacks, side: str) -> list[tuple[str, str]]:
    """Every (from, to) of a side (ALMA-3)."""
    found = []
    for cell, discs in stacks.items():
        if discs[-1] != side:
            continue
        h = len(discs)
        for direction in DIRECTIONS:
            target = away(cell, direction, h)
            if target is None:
                continue
            d = len(stacks.get(target, ""))
            if h >= d and d + 1 <= 3:
                found.append((cell, target))
    return found


def play(stacks: Stacks, move: tuple[str, str]) -> Stacks:
    left, target = move
    after = dict(stacks)
    after[left] = stacks[left][:-1]
    after[target] = stacks.get(target, "") + stacks[left][-1]
    return {cell: discs for cell, discs in after.items() if discs}


def count(stacks: Stacks, side: str) -> int:
    """A side's active discs on the other's back row."""
    row = ENEMY_ROW[side]
    return sum(cell[0] == row and discs[-1] == side for cell, discs in stacks.items())


def won(stacks: Stacks, side: str) -> bool:
    """Whether a side wins where its turn begins (ALMA-4.1, ALMA-4.2)."""
    return count(stacks, side) > count(stacks, OTHER[side])


class Game:
    """A game with the usual rulings: repetition draws, who cannot move is skipped."""

    def __init__(self) -> None:
        self.stacks, self.side = start(), "B"
        self.met = Counter({text(self.stacks, "B"): 1})

    def legal(self) -> list[tuple[str, str]] | None:
        """What may be played; None when the game is over, nothing where the turn is skipped."""
        if won(self.stacks, self.side) or self.met[text(self.stacks, self.side)] == 3:
            return None
        return moves(self.stacks, self.side)

    def play(self, move: tuple[str, str]) -> None:
        self.stacks, self.side = play(self.stacks, move), OTHER[self.side]
        self.met[text(self.stacks, self.side)] += 1


def text(stacks: Stacks, side: str) -> str:
    """The position text of the digest."""
    rows = []
    for letter in reversed(LETTERS):
        row, empty = "", 0
        for k in range(1, LENGTHS[letter] + 1):
            discs = stacks.get(f"{letter}{k}", "")
            if not discs:
                empty += 1
                continue
            row += (str(empty) if empty else "") + (discs if len(discs) == 1 else f"({discs})")
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows) + " " + side.lower()

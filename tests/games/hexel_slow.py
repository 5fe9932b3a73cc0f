"""Hex'el once more, slow and obvious: symbols are looked up cell by cell, nothing is a table.

Written from the rules digest, sharing nothing with `hexboard.games.hexel`. A face is six letters
at E, NE, NW, W, SW, SE; a card is the set of its turns, named by the first in the order R, B, Y.
"""

from dataclasses import dataclass, field
from itertools import product

STEPS = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
Cell = tuple[int, int]
Table = dict[Cell, str]


def order(face: str) -> list[int]:
    return ["RBY".index(sign) for sign in face]


def turned(face: str) -> set[str]:
    return {face[k:] + face[:k] for k in range(6)}


def card(face: str) -> str:
    return min(turned(face), key=order)


def necklaces() -> list[str]:
    """Every card of one or two kinds of symbols, mirror images apart."""
    faces = {"".join(letters) for letters in product("RBY", repeat=6) if len(set(letters)) < 3}
    return sorted({card(face) for face in faces}, key=order)


def bracelets() -> list[str]:
    """The same, one of each mirror pair: the first."""
    return [c for c in necklaces() if order(c) <= order(card(c[::-1]))]


def beside(cell: Cell) -> list[Cell]:
    return [(cell[0] + dq, cell[1] + dr) for dq, dr in STEPS]


def toward(table: Table, cell: Cell, other: Cell) -> str:
    """The symbol of the card in `cell` at the edge to `other`."""
    return table[cell][beside(cell).index(other)]


def edges(table: Table, cell: Cell) -> int | None:
    """How many cards the one in `cell` touches; None where an edge does not match."""
    others = [other for other in beside(cell) if other in table]
    if any(toward(table, cell, other) != toward(table, other, cell) for other in others):
        return None
    return len(others)


def hoxla(table: Table, cell: Cell) -> bool:
    """Whether three cards meet in six equal symbols, one of the cards being the one in `cell`."""
    near = [other for other in beside(cell) if other in table]
    for one in near:
        for other in near:
            if other in beside(one):
                three = (cell, one, other)
                if len({toward(table, a, b) for a in three for b in three if a != b}) == 1:
                    return True
    return False


def free(table: Table) -> set[Cell]:
    return {other for cell in table for other in beside(cell)} - set(table)


def chance(table: Table) -> bool:
    """Whether some card, if there were any of every kind, could make a Hoxla at once."""
    faces = ["".join(letters) for letters in product("RBY", repeat=6)]
    for cell in free(table):
        for face in faces:
            after = {**table, cell: face}
            if edges(after, cell) and hoxla(after, cell):
                return True
    return False


def on_table(cell: Cell) -> bool:
    q, r = cell
    return max(abs(q), abs(r), abs(q + r)) <= 4


@dataclass
class Game:
    """The play after the opening line, with hands that everybody can see and default rulings;
    `stuck`, `carry_over` and `least` (the smallest Hedge in Stakes) as in the options."""

    deck: list[str]
    table: Table
    seats: int
    dealer: int
    stock: int
    stuck: str = "pay_as_zero"
    carry_over: bool = False
    least: int = 0
    phase: str = "deal"
    stake: int = 0
    hands: list[list[str]] = field(default_factory=list)
    purses: list[dict[str, int]] = field(default_factory=list)
    matched: list[int | None] = field(default_factory=list)
    hedged: set[int] = field(default_factory=set)
    out: set[int] = field(default_factory=set)
    turn: int = 0
    placer: int | None = None
    winner: int | None = None

    def __post_init__(self) -> None:
        for face in self.table.values():
            self.deck.remove(card(face))
        self.hands = [[] for _ in range(self.seats)]
        self.purses = [{"stock": self.stock, "hedge": 0, "pot": 0} for _ in range(self.seats)]
        self.matched = [None] * self.seats
        self.begin()

    def still_in(self, first: int) -> list[int]:
        around = [(first + k) % self.seats for k in range(self.seats)]
        return [seat for seat in around if seat not in self.out]

    def begin(self) -> None:
        players = self.still_in(self.dealer)
        if not self.carry_over:
            self.matched = [None] * self.seats
        self.hedged, self.turn, self.phase = set(), players[0], "deal"
        if len(self.deck) < 3 * len(players):
            assert self.placer is not None
            self.win(self.still_in((self.placer + 1) % self.seats)[-1])

    def win(self, seat: int) -> None:
        self.phase, self.winner = "over", seat
        for purse in self.purses:
            self.purses[seat]["stock"] += purse["hedge"]
            purse["hedge"] = 0

    def may(self) -> set[str]:
        """The names of everything that may be done."""
        if self.phase == "deal":
            return {f"draw {c}" for c in self.deck}
        if self.phase == "stake":
            return {f"stake {chips}" for chips in range(1, self.stock + 1)}
        if self.phase == "hedge":
            return {
                f"hedge {seat} {chips}"
                for seat in self.still_in(0)
                if seat not in self.hedged
                for chips in range(self.purses[seat]["stock"] + 1)
                if chips % self.stake == 0
                and chips >= self.stake * min(self.least, self.purses[seat]["stock"] // self.stake)
            }
        if self.phase == "over":
            return set()
        hand = self.hands[self.turn]
        places = {
            f"place {q},{r} {face}"
            for q, r in free(self.table)
            if on_table((q, r))
            for one in hand
            for face in turned(one)
            if edges({**self.table, (q, r): face}, (q, r))
        }
        return places or {f"no_placement {one}" for one in hand}

    def do(self, name: str) -> None:
        word, *rest = name.split(" ")
        if word == "draw":
            self.deck.remove(rest[0])
            players = self.still_in((self.dealer_in() + 1) % self.seats)
            fewest = min(len(self.hands[seat]) for seat in players)
            next(self.hands[s] for s in players if len(self.hands[s]) == fewest).append(rest[0])
            if all(len(self.hands[seat]) == 3 for seat in players):
                self.phase = "hedge" if self.stake else "stake"
        elif word == "stake":
            self.stake, self.phase = int(rest[0]), "hedge"
        elif word == "hedge":
            seat, chips = int(rest[0]), int(rest[1])
            self.purses[seat]["stock"] -= chips
            self.purses[seat]["hedge"] += chips
            self.hedged.add(seat)
            if self.hedged >= set(self.still_in(0)):
                self.phase = "place"
        elif word == "place":
            self.place(rest[0], rest[1])
        else:
            self.hands[self.turn].remove(rest[0])
            if self.stuck == "eliminated":
                self.leave()
            elif self.stuck == "pay_as_zero":
                self.insure(0)
            self.matched[self.turn] = 0
            self.pass_on()

    def dealer_in(self) -> int:
        return self.still_in(self.dealer)[0]

    def place(self, at: str, face: str) -> None:
        q, r = map(int, at.split(","))
        self.hands[self.turn].remove(card(face))
        self.table[q, r] = face
        self.placer = self.turn
        count = edges(self.table, (q, r))
        assert count
        if hoxla(self.table, (q, r)):
            self.win(self.turn)
            return
        self.insure(count)
        self.matched[self.turn] = count
        self.pass_on()

    def insure(self, count: int) -> None:
        others = [s for s in self.still_in((self.turn + 1) % self.seats) if s != self.turn]
        before = self.matched[others[-1]] if others else None
        if before is None or before <= count:
            return
        due, purse = self.stake * (before - count), self.purses[self.turn]
        paid = min(due, purse["hedge"])
        purse["hedge"] -= paid
        self.purses[others[-1]]["pot"] += paid
        if paid < due:
            self.leave()

    def leave(self) -> None:
        self.out.add(self.turn)
        self.hands[self.turn] = []

    def pass_on(self) -> None:
        left = self.still_in((self.turn + 1) % self.seats)
        if len(left) == 1:
            self.win(left[0])
        elif holding := [seat for seat in left if self.hands[seat]]:
            self.turn = holding[0]
        else:
            self.begin()

"""Inference: which legal moves a look at the board shows, where that is certain.

A look says for each cell what each code of the game's `seen` would cost: whole hundredths of a nat
below the likeliest. The position that was certain last is compared with what every legal move would
make of it, in the cells that look different. What the look before already had wrong about a cell
counts for nothing. Certain is what no other way of play comes near, what every cell that it changes
speaks for, and no cell against.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from hexboard.facts import CellCosts
from hexboard.game.position import Touched

NAT = 100
"""One nat."""
CLIP_CNAT = 30 * NAT
"""The most that one cell can say; what a code that is not listed costs."""
GAP_CNAT = 10 * NAT
"""How far the second best must lie behind for the best to be certain."""
AGAINST_CNAT = 8 * NAT
"""What one cell may cost at most in what is believed."""
SAYS_CNAT = 3 * NAT
"""How much each cell that a move changes must speak for it: one that glare hides is no witness.
Of several moves at once, what the others cost is to be paid as well."""
SHIFT_CNAT, SHIFT_SHARE = 2 * NAT, 4
"""A cell that speaks for a change, and spoke for what lay there before, has shifted: what lies
untouched does not. A fourth of what it said then counts too, at most so much."""
EXTRA_CNAT = 4 * NAT
"""What each move after the first costs: people seldom make two at once."""
BACK_CNAT = 6 * NAT
"""What it costs to believe in a take-back."""
BEAM = 8
"""So many ways of play are followed further where one move does not explain a look."""
DEPTH = 4
"""Moves at once."""

A = TypeVar("A")
Marches = Callable[[Touched[A], Collection[str]], Iterable[tuple[A, ...]]]
"""Moves of one piece that a hand makes as one (`hexboard.game.position.Marching`)."""
Look = tuple[CellCosts, ...]
"""One a cell, in the board's order."""


class Explanation(Struct, Generic[A], frozen=True):
    """What would explain a look: the actions, by name, that were played from the certain position;
    or that people went back to an earlier one."""

    actions: tuple[str, ...]
    back: int
    """So many positions back; 0 for none."""
    score: int
    """How much better than that nothing was done, 1/100 nat."""
    position: Touched[A]
    against: tuple[int, ...] = ()
    """The cells that speak against it, by number."""


class LookVerdict(Struct, Generic[A], frozen=True):
    """What a look shows.

    `same`: nothing was done. `accept`: the first line was played, certainly. `ask`: the first, or
    one that comes next (more than one where they look the same). `partly`: a move that is not
    finished. `unclear`: the look says too little.
    `strange`: no way of play explains `lines[0].against`.
    """

    kind: str
    lines: tuple[Explanation[A], ...]
    gap: int
    """From the first line to the second."""


def no_marches(position: Touched[A], cells: Collection[str]) -> Iterable[tuple[A, ...]]:
    """Each move is made by itself."""
    return ()


def infer(
    cells: Sequence[str],
    certain: Sequence[Touched[A]],
    before: Look | None,
    now: Look,
    marches: Marches[A] = no_marches,
) -> LookVerdict[A]:
    """What `now` shows on a board of `cells`, where `certain` are the last positions that were
    certain, the newest first, and `before` was the look at the newest."""
    return _Inference(cells, certain, before, now, marches).verdict()


def mean(looks: Sequence[Look]) -> Look:
    """Several looks at the same thing as one. They err together, so that all say no more than one
    sure look would."""
    if len(looks) == 1:
        return looks[0]
    return tuple(_mean(cells) for cells in zip(*looks, strict=True))


def _mean(cells: Sequence[CellCosts]) -> CellCosts:
    """Looks that say nothing about a cell do not count."""
    tables = [dict(cell) for cell in cells if cell]
    codes = sorted({code for table in tables for code in table})
    sums = [sum(table.get(code, CLIP_CNAT) for table in tables) // len(tables) for code in codes]
    least = min(sums, default=0)
    return tuple((c, s - least) for c, s in zip(codes, sums, strict=True) if s - least < CLIP_CNAT)


def later(before: Look | None, now: Look) -> Look:
    """The later of two looks at the same position; the one before where it says nothing. What was
    straightened may look different since, and a disc higher than it is."""
    return tuple(new or old for old, new in zip(before or now, now, strict=True))


def lying(want: bytes, base: bytes, before: Look | None, now: Look, there: bytes) -> bytes:
    """What a look shows to lie in the cells: what should (`want`), unless the look speaks against
    it; `there` where it says nothing. What the look `before`, at `base`, had wrong counts for
    nothing."""
    codes = bytearray(there)
    for k, (code, cell) in enumerate(zip(want, now, strict=True)):
        if cell:
            known = dict(before[k]).get(code, CLIP_CNAT) if before and before[k] else 0
            against = dict(cell).get(code, CLIP_CNAT) - (known if code == base[k] else 0)
            codes[k] = code if against <= AGAINST_CNAT else min(cell, key=lambda entry: entry[1])[0]
    return bytes(codes)


class _Inference(Generic[A]):
    def __init__(
        self,
        cells: Sequence[str],
        certain: Sequence[Touched[A]],
        before: Look | None,
        now: Look,
        marches: Marches[A],
    ) -> None:
        self.certain, self.marches = certain, marches
        self.base: bytes = certain[0].seen()
        self.now = [dict(cell) for cell in now]
        self.before = [dict(cell) for cell in before] if before else [{}] * len(now)
        self.doubt = {
            cell for k, cell in enumerate(cells) if self.now[k] and self.cost(k, self.base[k]) > 0
        }

    def cost(self, cell: int, code: int) -> int:
        table = self.now[cell]
        return table.get(code, CLIP_CNAT) if table else 0

    def _known(self, cell: int, code: int) -> int:
        table = self.before[cell]
        return table.get(code, CLIP_CNAT) if table else 0

    def gain(self, cell: int, code: int) -> int:
        """How much better a code explains a cell than the old one does, less what it did before."""
        gain = self.cost(cell, self.base[cell]) - self.cost(cell, code)
        return max(-CLIP_CNAT, min(CLIP_CNAT, gain + min(0, self._stood(cell, code))))

    def _stood(self, cell: int, code: int) -> int:
        """How much better the old code explained a cell in the look before than this one did."""
        return self._known(cell, code) - self._known(cell, self.base[cell])

    def says(self, cell: int, code: int) -> int:
        """How much a cell speaks for its change to a code: by how it looks, and that it shifted."""
        shift = max(0, self._stood(cell, code)) // SHIFT_SHARE
        return self.gain(cell, code) + min(SHIFT_CNAT, shift)

    def changed(self, seen: bytes) -> list[int]:
        """The cells that look different from the certain position."""
        return [k for k, (a, b) in enumerate(zip(seen, self.base, strict=True)) if a != b]

    def against(self, seen: bytes) -> tuple[int, ...]:
        """The cells that speak against a board that looks so."""
        return tuple(
            k for k, (code, old) in enumerate(zip(seen, self.base, strict=True))
            if self.cost(k, code) - (self._known(k, code) if code == old else 0) > AGAINST_CNAT
        )  # fmt: skip

    def line(self, position: Touched[A], actions: tuple[str, ...], back: int = 0) -> Explanation[A]:
        seen = position.seen()
        price = _extra(actions) + (BACK_CNAT if back else 0)
        score = sum(self.gain(k, seen[k]) for k in self.changed(seen)) - price
        return Explanation(actions, back, score, position)

    # ---------------------------------------------------------------------------------- lines

    def after(self, line: Explanation[A]) -> Iterable[Explanation[A]]:
        """Every legal move that changes what is seen. Where all that it touches looks exactly as it
        did, it cannot be better than nothing. A move that only undoes one of this line is none:
        with it, one seat's two moves on end would seem legal."""
        position = line.position
        here = position.seen()
        for action in position.legal:
            places = position.places(action)
            if places and self.doubt.isdisjoint(places):
                continue
            after = position.play(action)
            if not self._idle(here, after.seen()):
                yield self.line(after, (*line.actions, position.name(action)))
        for march in self.marches(position, self.doubt):
            yield self._marched(line, march)

    def _idle(self, here: bytes, then: bytes) -> bool:
        """Whether what changes from here to then, if anything, only becomes as it certainly was."""
        return all(a == b or b == base for a, b, base in zip(here, then, self.base, strict=True))

    def _marched(self, line: Explanation[A], march: Iterable[A]) -> Explanation[A]:
        """After several moves that a hand makes as one."""
        position, names = line.position, line.actions
        for action in march:
            names = (*names, position.name(action))
            position = position.play(action)
        return self.line(position, names)

    def lines(self) -> list[Explanation[A]]:
        """All that was thought of, the best first."""
        found: list[Explanation[A]] = []
        looks = [position.seen() for position in self.certain]
        for k, position in enumerate(self.certain):  # of those that look the same, the newest
            if looks[k] not in looks[:k]:
                found.append(self.line(position, (), k))
        edge = found[:1]
        for _ in range(DEPTH):
            edge = [after for line in edge for after in self.after(line)]
            edge = sorted(edge, key=_rank)[:BEAM]
            found += edge
            best = min(found, key=_rank)
            if not edge or not self.against(best.position.seen()):
                break
        return sorted(found, key=_rank)

    # -------------------------------------------------------------------------------- verdict

    def verdict(self) -> LookVerdict[A]:
        if not self.doubt:
            return LookVerdict("same", (self.line(self.certain[0], ()),), CLIP_CNAT)
        lines = self.lines()
        best = lines[0]
        # not `!=`: what a Struct has of its own does not ask a game's `__eq__`
        others = [line for line in lines if line.position not in (best.position,)]
        gap = best.score - others[0].score if others else CLIP_CNAT
        against = self.against(best.position.seen())
        best = Explanation(best.actions, best.back, best.score, best.position, against)
        top = (best, *_tied(others))
        return LookVerdict(self._kind(best, lines, gap), top, gap)

    def _kind(self, best: Explanation[A], lines: list[Explanation[A]], gap: int) -> str:
        if best.against:
            if self._partly(lines):
                return "partly"
            own = set(best.against) <= set(self.changed(best.position.seen()))
            return "ask" if own and best.score >= SAYS_CNAT else "strange"
        if best.back:
            return "ask"
        if not best.actions:
            return "same" if gap >= EXTRA_CNAT else "unclear"
        return "accept" if gap >= GAP_CNAT and self._witnessed(best) else "ask"

    def _witnessed(self, line: Explanation[A]) -> bool:
        """Whether every cell that a line changes speaks for it, and for more than fewer moves at
        once and a piece still in a hand."""
        seen, extra = line.position.seen(), _extra(line.actions)
        says = self.gain if extra else self.says
        return all(says(k, seen[k]) >= SAYS_CNAT + extra for k in self.changed(seen))

    def _partly(self, lines: list[Explanation[A]]) -> bool:
        """Whether the look lies between the certain position and some line: each cell that speaks
        against the first shows the line's code already, or is empty because its piece is in a
        hand."""
        off = self.against(self.base)
        for line in lines:
            seen = line.position.seen()
            if all(
                seen[k] != self.base[k]
                and min(self.cost(k, seen[k]), self.cost(k, 0)) <= AGAINST_CNAT
                for k in off
            ):
                return True
        return False


def _extra(actions: Sequence[str]) -> int:
    """What it costs that so many moves were made at once."""
    return EXTRA_CNAT * max(0, len(actions) - 1)


def _tied(lines: Sequence[Explanation[A]]) -> list[Explanation[A]]:
    """The best of these, and those that are as good and lead elsewhere."""
    tied: list[Explanation[A]] = []
    for line in lines:
        if line.score == lines[0].score and line.position not in [each.position for each in tied]:
            tied.append(line)
    return tied


def _rank(line: Explanation[A]) -> tuple[int, int]:
    return -line.score, len(line.actions)

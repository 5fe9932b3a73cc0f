"""The restore plan: the fewest movements of a hand that make what lies in the cells what should.

What lies in a cell is a pile of things by name, from the bottom; a hand takes some off the top and
puts them down as they are, beside the board or where they then stay. What nobody can see, because
it is covered, has no name and is taken for whatever it should be.
"""

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from itertools import count

from msgspec import Struct

from hexboard.board import CellId
from hexboard.words import Message, message

Pile = tuple[str, ...]
"""The names of things in one cell, from the bottom; "" for one that is covered."""
FEW = 6
"""Where more cells are wrong, not all ways are tried."""
TRIES = 200
"""So many boards on the way are tried; two or three wrong cells need some ten."""


class Step(Struct, frozen=True):
    """One movement: things, from the bottom, from a cell to another; "" is beside the board."""

    things: Pile
    left: CellId
    onto: CellId

    @property
    def cells(self) -> tuple[CellId, ...]:
        """The cells of the board that a hand goes to, in order."""
        return tuple(cell for cell in (self.left, self.onto) if cell)

    @property
    def message(self) -> Message:
        """The step as people read it."""
        thing, count, left, onto = self.things[-1], len(self.things), self.left, self.onto
        if count == 1:
            if not left:
                return message("table.way_on", thing=thing, onto=onto)
            if not onto:
                return message("table.way_off", thing=thing, left=left)
            return message("table.way_from", thing=thing, left=left, onto=onto)
        if not left:
            return message("table.way_ons", thing=thing, count=count, onto=onto)
        if not onto:
            return message("table.way_offs", thing=thing, count=count, left=left)
        return message("table.way_froms", thing=thing, count=count, left=left, onto=onto)


def restore_plan(lies: Mapping[CellId, Pile], wanted: Mapping[CellId, Pile]) -> tuple[Step, ...]:
    """The steps from what lies in some cells to what should, each possible after those before.
    Where there is too much to do for all ways to be tried, the fewest are not sure to be found."""
    every = (_Wrong(cell, lies[cell], want) for cell, want in wanted.items())
    state = tuple(wrong for wrong in every if wrong.over or wrong.lack)
    if len(state) > FEW:
        return tuple(_hasty(state))
    order, tried = count(), set[_State]()
    open_: list[tuple[int, int, _State, tuple[Step, ...]]] = [(0, next(order), state, ())]
    while True:
        _, _, state, steps = heappop(open_)
        if not state or len(tried) == TRIES:
            return (*steps, *_hasty(state))
        if state in tried:
            continue
        tried.add(state)
        for step in _steps(state):
            after, taken = _after(state, step), (*steps, step)
            heappush(open_, (len(taken) + _least(after), next(order), after, taken))


class WayBack:
    """Fingers along a restore plan: each step is tapped from where a hand takes to where it puts,
    the steps in any order."""

    def __init__(self) -> None:
        self._plan: tuple[Step, ...] = ()
        self._left: list[Step] = []
        self._cells: tuple[CellId, ...] = ()  # tapped of a step that is not done

    @property
    def ended(self) -> bool:
        """All steps are done."""
        return not self._left

    def past(self, plan: tuple[Step, ...]) -> frozenset[CellId]:
        """The cells of a plan that are tapped, and need no finger any more."""
        if plan != self._plan:
            return frozenset()
        left = [cell for step in self._left for cell in step.cells]
        for cell in self._cells:
            left.remove(cell)
        return frozenset(cell for step in plan for cell in step.cells if cell not in left)

    def goes(self, plan: tuple[Step, ...], cell: CellId) -> bool:
        """Whether one tap more goes along the plan; of another plan than before all is to do."""
        if plan != self._plan:
            self._plan, self._left, self._cells = plan, list(plan), ()
        for cells in ((*self._cells, cell), (cell,)):
            for step in self._left:
                if step.cells == cells:
                    self._left.remove(step)
                    self._cells = ()
                    return True
                if step.cells[: len(cells)] == cells:
                    self._cells = cells
                    return True
        return False


class _Wrong(Struct, frozen=True):
    """A cell that is not as it should be."""

    cell: CellId
    lies: Pile
    want: Pile

    @property
    def right(self) -> int:
        """How many things at the bottom are as they should be."""
        pairs = enumerate(zip(self.lies, self.want, strict=False))
        fewer = min(len(self.lies), len(self.want))
        return next((k for k, (a, b) in pairs if not _same(a, b)), fewer)

    @property
    def over(self) -> Pile:
        """What lies on that and must go."""
        return self.lies[self.right :]

    @property
    def lack(self) -> Pile:
        """What is missing on it."""
        return self.want[self.right :]

    def takes(self, things: Pile) -> bool:
        """Whether things put down here would be right."""
        return (
            not self.over
            and 0 < len(things) <= len(self.lack)
            and all(map(_same, things, self.lack))
        )


_State = tuple[_Wrong, ...]
"""All cells that are wrong."""


def _same(lies: str, want: str) -> bool:
    return lies == want or not (lies and want)


def _least(state: _State) -> int:
    """So many steps are needed at least: one empties or fills no more than one cell."""
    return max(sum(bool(cell.over) for cell in state), sum(bool(cell.lack) for cell in state))


def _hasty(state: _State) -> Iterator[Step]:
    """A way that is found at once: always the first thing that can be done."""
    while state:
        step = next(_steps(state, False))
        yield step
        state = _after(state, step)


def _after(state: _State, step: Step) -> _State:
    cells = []
    for cell in state:
        lies = cell.lies
        if cell.cell == step.left:
            lies = lies[: -len(step.things)]
        elif cell.cell == step.onto:
            lies += step.things
        after = _Wrong(cell.cell, lies, cell.want)
        if after.over or after.lack:
            cells.append(after)
    return tuple(cells)


def _steps(state: _State, whole: bool = True) -> Iterator[Step]:
    """What can be done, the most at once first: across the board, off it, onto it. Of a pile a hand
    takes what must go, or where it may be `whole` what is right there too."""
    loose = [(cell, cell.lies if whole else cell.over) for cell in state]
    taken = [(cell, lies[-high:]) for cell, lies in loose for high in range(len(lies), 0, -1)]
    for left, things in taken:
        for onto in state:
            if onto is not left and onto.takes(things):
                yield Step(things, left.cell, onto.cell)
    waiting = {cell.lack[0] for cell in state if cell.lack}
    for left, things in sorted(taken, key=lambda each: not waiting.isdisjoint(each[1])):
        yield Step(things, left.cell, "")
    for onto in state:
        for high in range(len(onto.lack), 0, -1):
            if not onto.over and onto.lack[high - 1]:
                yield Step(onto.lack[:high], "", onto.cell)

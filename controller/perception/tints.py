"""Tints: what looks teach of the light of the evening, each once it is known what lay there.

    tints = Tints()
    tints.learn(look, samples, shown, line)     # a look that is explained: a move, or the position
    tints.now                                   # what the camera is to read by
    tints.back(line)                            # what was learned of moves that are taken back goes

A lamp that is lit, or a sun that sets, changes how pieces look beside white paper. Every explained
look is a sample with its label: the position. A code counts only where each cell that was read as
that code holds it. What a look teaches is bounded, and so is all that they teach together: a move
that was accepted wrongly cannot lead far, and the next looks lead back. All is whole numbers.
"""

from collections import deque
from collections.abc import Iterable, Sequence

from hexboard.facts import Off, Sample, Tint
from hexboard.perception.inference import Look

EASE = 2
"""A look moves a tint by one part in so many of what is left to where it shows it."""
STEP = 20
"""By so much at most, thousandths of the root of the light: a third of what colours spread."""
MOST = 200
"""So far at most from what was calibrated."""
STILL = 4
"""A tint that would move by less stays: cameras are told of no noise."""
KEPT = 100
"""Tints that are kept for take-backs."""
PLAIN: Off = (0, 0, 0)


class Tints:
    """The tint of one match, and those that it had at earlier positions. A `line` is how many
    positions led to one."""

    def __init__(self) -> None:
        self.now = Tint()
        self._kept: deque[tuple[int, Tint]] = deque(maxlen=KEPT)

    def learn(self, look: Look, samples: Sequence[Sample], shown: bytes, line: int) -> bool:
        """Take in a look at a board that shows these codes; whether the tint is another since."""
        offs = _moved(dict(self.now.offs), list(_right(look, samples, shown)))
        if offs == self.now.offs:
            return False
        self._turn(offs)
        self._kept.append((line, self.now))
        return True

    def back(self, line: int) -> bool:
        """Forget what was learned at positions beyond this line; whether that was anything."""
        last = self._kept[-1][0] if self._kept else 0
        if last <= line:
            return False
        while self._kept and self._kept[-1][0] > line:
            self._kept.pop()
        self._turn(self._kept[-1][1].offs if self._kept else ())
        return True

    def _turn(self, offs: tuple[tuple[int, Off], ...]) -> None:
        self.now = Tint(self.now.version + 1, offs)


def _right(look: Look, samples: Iterable[Sample], shown: bytes) -> Iterable[Sample]:
    """The samples of codes that lie wherever they were read."""
    read = [min(cell, key=lambda entry: entry[1])[0] if cell else None for cell in look]
    wrong = {code for code, there in zip(read, shown, strict=True) if code != there}
    return (sample for sample in samples if sample.code not in wrong)


def _moved(offs: dict[int, Off], samples: list[Sample]) -> tuple[tuple[int, Off], ...]:
    """Tints that were moved towards what samples show."""
    for part in {sample.part for sample in samples}:
        shown = [sample.off for sample in samples if sample.part == part]
        before = offs.get(part, PLAIN)
        aims = [_middle([off[k] for off in shown]) for k in range(3)]
        after = [_eased(old, aim) for old, aim in zip(before, aims, strict=True)]
        if max(abs(new - old) for new, old in zip(after, before, strict=True)) >= STILL:
            offs[part] = (after[0], after[1], after[2])
    return tuple(sorted(offs.items()))


def _middle(values: list[int]) -> int:
    """The lower of the middle ones."""
    return sorted(values)[(len(values) - 1) // 2]


def _eased(old: int, aim: int) -> int:
    step = max(-STEP, min(STEP, (aim - old) // EASE))
    return max(-MOST, min(MOST, old + step))

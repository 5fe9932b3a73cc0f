"""What explained looks teach of the light is right, bounded, and goes with moves that are taken
back."""

from random import Random

import pytest

from hexboard.facts import Off, Sample, Tint
from hexboard.perception.tints import EASE, KEPT, MOST, STEP, Tints

SHOWN = bytes((0, 1, 2, 0))
LOOK = tuple(((code, 0),) for code in SHOWN)
AWAY: Off = (900, -900, 900)


def taught(*offs: Off, part: int = 0) -> tuple[Sample, ...]:
    return tuple(Sample(1, part, off) for off in offs)


def test_a_tint_eases_towards_what_looks_show_and_rests_there() -> None:
    tints, said = Tints(), [(0, 0, 0)]
    for _ in range(12):
        tints.learn(LOOK, taught((30, -30, 8)), SHOWN, 1)
        said.append(dict(tints.now.offs)[0])
    assert said[:3] == [(0, 0, 0), (15, -15, 4), (22, -23, 6)]  # half of what is left, each time
    last = said[-1]
    assert all(abs(a - b) <= 8 for a, b in zip(last, (30, -30, 8), strict=True))
    assert said[-1] == said[-2]  # noise tells cameras nothing
    assert EASE == 2


def test_a_code_that_is_read_wrong_anywhere_teaches_nothing() -> None:
    tints = Tints()
    one_too_many = (LOOK[1], *LOOK[1:])
    assert not tints.learn(one_too_many, taught((50, 50, 50)), SHOWN, 1)
    another = (LOOK[0], ((2, 0),), *LOOK[2:])
    assert not tints.learn(another, (Sample(2, 1, (50, 50, 50)),), SHOWN, 1)
    assert tints.now == Tint()
    assert tints.learn(LOOK, taught((50, 50, 50)), SHOWN, 1)


def test_one_look_moves_a_tint_by_a_step_at_most_and_all_together_by_a_bound() -> None:
    tints = Tints()
    tints.learn(LOOK, taught(AWAY), SHOWN, 1)
    assert dict(tints.now.offs)[0] == (STEP, -STEP, STEP)
    for line in range(100):
        tints.learn(LOOK, taught(AWAY), SHOWN, line)
    assert dict(tints.now.offs)[0] == (MOST, -MOST, MOST)


def test_the_next_looks_lead_back_from_a_wrong_one() -> None:
    tints = Tints()
    tints.learn(LOOK, taught(AWAY), SHOWN, 1)
    for _ in range(6):
        tints.learn(LOOK, taught((0, 0, 0)), SHOWN, 2)
    assert max(map(abs, dict(tints.now.offs)[0])) <= 8


def test_what_was_learned_of_moves_that_are_taken_back_goes_with_them() -> None:
    tints = Tints()
    tints.learn(LOOK, taught((40, 40, 40)), SHOWN, 5)
    stands = tints.now
    tints.learn(LOOK, taught(AWAY), SHOWN, 6)
    tints.learn(LOOK, taught(AWAY), SHOWN, 7)
    assert tints.back(5)
    assert tints.now.offs == stands.offs
    assert tints.now.version > 3  # no two tints of a match have one number
    assert not tints.back(5)
    assert tints.back(0)
    assert tints.now.offs == ()


def test_of_many_samples_of_one_colour_the_middle_one_counts() -> None:
    tints, codes = Tints(), bytes((1, 3, 5))
    look = tuple(((code, 0),) for code in codes)
    shown: tuple[Off, ...] = (AWAY, (8, 8, 8), (8, 8, 8))
    samples = tuple(Sample(code, 0, off) for code, off in zip(codes, shown, strict=True))
    tints.learn(look, samples, codes, 1)
    assert tints.now.offs == ((0, (4, 4, 4)),)


@pytest.mark.parametrize("seed", range(5))
def test_whatever_comes_a_tint_stays_within_its_bounds_and_its_memory_too(seed: int) -> None:
    random, tints, line, versions = Random(seed), Tints(), 1, set[int]()
    for _ in range(3 * KEPT):
        line = max(1, line + random.choice((-2, 0, 1, 1)))
        before = tints.now
        if random.random() < 0.2:
            tints.back(line)
        else:
            off = (random.randint(-999, 999), random.randint(-9, 9), random.randint(-99, 99))
            tints.learn(LOOK, taught(off, part=random.randint(-1, 2)), SHOWN, line)
        assert all(abs(value) <= MOST for _, off in tints.now.offs for value in off)
        assert tints.now is before or tints.now.version not in versions
        versions.add(tints.now.version)
    assert len(tints._kept) <= KEPT

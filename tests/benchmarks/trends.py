"""Trends of sensors over evenings: `python -m tests.benchmarks.trends [--boards N] [--seed N]`.

Boards of 105 sensors, each passed by 3 to 60 balls an evening, that stay as they are: all sound, or
ten of them weak all along. Counted is on how many of them a sensor is said to get worse after any
evening. Then sensors that do get worse, 40 balls an evening: how many are named, and after which.
"""

import argparse
import random

from hexboard.calibration.trends import Rate, noted, worse

SENSORS, EVENINGS = 105, 6
STAY = {"all sound": (0.997,), "ten see 90 %": (0.9,), "ten see 60 %": (0.6,)}
FALL = {
    "97 → 88 → 61 %": (0.97, 0.88, 0.61),
    "99 → 90 → 80 %": (0.99, 0.9, 0.8),
    "98 → 95 → 92 → 89 → 86 → 83 %": (0.98, 0.95, 0.92, 0.89, 0.86, 0.83),
    "99 → 98 → 97 → 96 → 95 → 94 %": (0.99, 0.98, 0.97, 0.96, 0.95, 0.94),
}


def evening(k: int, seen: float, balls: int, chance: random.Random) -> Rate:
    felt = sum(chance.random() < seen for _ in range(balls))
    return Rate(f"2026-01-{k + 1:02}T20:00:00", "balls", felt, balls)


def named(seen: tuple[float, ...], balls: tuple[int, ...], chance: random.Random) -> int:
    """After which evening a sensor is first named; 0 for never."""
    rates: tuple[Rate, ...] = ()
    for k, rate in enumerate(seen):
        rates = noted(rates, evening(k, rate, chance.choice(balls), chance))
        if worse(rates):
            return k + 1
    return 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    said = parser.parse_args()
    chance, balls = random.Random(said.seed), (3, 8, 15, 30, 60)
    print(f"boards that stay as they are, {EVENINGS} evenings | of | with a sensor named")
    for name, (weak,) in STAY.items():
        rates = [weak] * 10 + [0.997] * (SENSORS - 10)
        found = sum(
            any(named((rate,) * EVENINGS, balls, chance) for rate in rates)
            for _ in range(said.boards)
        )
        print(f"{name} | {said.boards} | {found}")
    print("sensors that get worse, 40 balls an evening | of | named after each evening")
    for name, course in FALL.items():
        when = [named(course, (40,), chance) for _ in range(1000)]
        after = [sum(0 < at <= k for at in when) for k in range(2, len(course) + 1)]
        print(f"{name} | 1000 | {', '.join(map(str, after))}")


if __name__ == "__main__":
    main()

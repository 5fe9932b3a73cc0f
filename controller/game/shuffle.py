"""A committed shuffle: what will be drawn is fixed, and can be proved, before the first card.

The dealer draws a seed and a salt and publishes the `commitment`: BLAKE2b-256 of `SEED SALT DECK`,
`DECK` being the lists of cards. The n-th draw then follows from the seed alone (`pick`), each card
of a pile as likely as any other. After the game seed and salt are told, and anybody can check both.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

from hexboard.game.position import Chance

A = TypeVar("A")
BYTES = 16
"""Of a seed, and of a salt."""


def commitment(seed: str, salt: str, deck: str) -> str:
    """The hash that is published before the first card; `seed` and `salt` in hexadecimal."""
    return blake2b(f"{seed} {salt} {deck}".encode(), digest_size=32).hexdigest()


def pick(seed: str, n: int, odds: Sequence[int]) -> int:
    """Which of the chances with these weights draw `n` is. 256 bits against some dozens of cards:
    no chance is favoured by as much as 2^-240."""
    number = int.from_bytes(blake2b(f"{seed} {n}".encode(), digest_size=32).digest(), "big")
    number %= sum(odds)
    for at, weight in enumerate(odds):
        if number < weight:
            return at
        number -= weight
    raise ValueError("no chance has a weight")


def drawn(position: Chance[A], seed: str, n: int) -> str:
    """The name of the chance that a position waits for, as draw `n` of this seed."""
    chances = list(position.legal)
    return position.name(chances[pick(seed, n, [position.odds(c) for c in chances])])

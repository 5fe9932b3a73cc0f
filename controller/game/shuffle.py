"""A committed shuffle: what will be drawn is fixed, and can be proved, before the first card.

The dealer draws a seed and a salt and publishes the `commitment`: BLAKE2b-256 of `SEED SALT DECK`,
`DECK` being the lists of cards. The n-th draw from a pile then follows from the seed alone
(`pick`), each card as likely as any other, whatever is played between and however often it is taken
back: each pile that cards only leave is one permutation. After the game seed and salt are told, and
anybody can check both (docs/contracts.md, "Secrets").
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import TypeVar

from hexboard.game.position import Chance

A = TypeVar("A")
BYTES = 16
"""Of a seed, and of a salt."""


def commitment(seed: str, salt: str, deck: str) -> str:
    """The hash that is published before the first card; `seed` and `salt` in hexadecimal."""
    return blake2b(f"{seed} {salt} {deck}".encode(), digest_size=32).hexdigest()


def pick(seed: str, place: str, odds: Sequence[int]) -> int:
    """Which of the chances with these weights is drawn at a `place` in the shuffle. 256 bits
    against some dozens of cards: no chance is favoured by as much as 2^-240."""
    number = int.from_bytes(blake2b(f"{seed} {place}".encode(), digest_size=32).digest(), "big")
    number %= sum(odds)
    for at, weight in enumerate(odds):
        if number < weight:
            return at
        number -= weight
    raise ValueError("no chance has a weight")


def drawn(position: Chance[A], seed: str, place: str) -> str:
    """The name of the chance that a position waits for, at that place in this seed's shuffle."""
    chances = list(position.legal)
    return position.name(chances[pick(seed, place, [position.odds(c) for c in chances])])


def places(waits: Iterable[Chance[A] | None]) -> Iterator[str]:
    """The place in the shuffle of whatever is drawn at each of these positions of a game: the pile
    and how many were drawn from it before, "cards 2"; "" where nothing is."""
    before: Counter[str] = Counter()
    for position in waits:
        if position is None:
            yield ""
        else:
            yield f"{position.drawn_from} {before[position.drawn_from]}"
            before[position.drawn_from] += 1

"""Bytes that are almost right: what parsers stumble over."""

import re
from collections.abc import Callable, Sequence
from random import Random

MOST_BYTES = 100_000
"""Longer ones say nothing new, and take long."""
NUMBER = re.compile(rb"-?\d+")
NUMBERS = (
    *(b"0", b"-1", b"1", b"255", b"256", b"65536", b"2147483648", b"-2147483649"),
    *(b"9223372036854775807", b"18446744073709551616", b"1" + b"0" * 400, b"1e999", b"0.1", b"nan"),
)
PIECES = (
    *(b"\0", b"\n", b"\r\n", b"\xff\xfe", b"\x80", b'"', b"'", b"\\", b"\\ud800", b",", b"=", b"."),
    *(b"{", b"}", b"[" * 2000, b"]", b'{"a":' * 2000, b"null", b"true", b"[]", b"{}", b"#"),
    *("\u202e".encode(), "e\u0301".encode(), "\U0001f600".encode(), b" " * 1000, b"x" * 10_000),
)
"""What ends a word, begins another, nests deep, or is written from right to left."""


class Mutations:
    """Mutations of `seeds` and of what is added to them. The same `random`, the same bytes."""

    def __init__(self, seeds: Sequence[bytes], random: Random) -> None:
        self.pool = list(seeds)
        self._random = random
        self._ways: tuple[Callable[[bytearray], None], ...] = (
            *(self._flip, self._set, self._cut, self._twice, self._insert, self._splice),
            *(self._number, self._swap, self._crop),
        )

    def one(self) -> bytes:
        """One of the pool, changed at one to eight places."""
        data = bytearray(self._random.choice(self.pool))
        for _ in range(self._random.choice((1, 1, 1, 2, 3, 8))):
            self._random.choice(self._ways)(data)
        return bytes(data[:MOST_BYTES])

    def _at(self, data: bytearray) -> int:
        return self._random.randrange(len(data) + 1)

    def _part(self, data: bytearray) -> slice:
        begin = self._at(data)
        return slice(begin, begin + self._random.choice((1, 2, 4, 16, 64, 512)))

    def _flip(self, data: bytearray) -> None:
        if data:
            data[self._random.randrange(len(data))] ^= 1 << self._random.randrange(8)

    def _set(self, data: bytearray) -> None:
        if data:
            data[self._random.randrange(len(data))] = self._random.randrange(256)

    def _cut(self, data: bytearray) -> None:
        del data[self._part(data)]

    def _twice(self, data: bytearray) -> None:
        part, at = data[self._part(data)], self._at(data)
        data[at:at] = part * self._random.choice((1, 1, 2, 50))

    def _insert(self, data: bytearray) -> None:
        at = self._at(data)
        data[at:at] = self._random.choice(PIECES)

    def _splice(self, data: bytearray) -> None:
        other = self._random.choice(self.pool)
        begin, at = self._random.randrange(len(other) + 1), self._at(data)
        data[at:] = other[begin:]

    def _number(self, data: bytearray) -> None:
        if found := list(NUMBER.finditer(data[:MOST_BYTES])):
            one = self._random.choice(found)
            data[one.start() : one.end()] = self._random.choice(NUMBERS)

    def _swap(self, data: bytearray) -> None:
        one, at = self._part(data), self._at(data)
        part = data[one]
        del data[one]
        data[at:at] = part

    def _crop(self, data: bytearray) -> None:
        del data[self._at(data) :]

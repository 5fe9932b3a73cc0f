"""Positions are compared by what they stand for: what else they keep only spares time."""

from collections.abc import Hashable


class ByValue:
    """Equal to another of its class with the same `value` and the same setting. A position names it
    before its `Struct`, whose own `!=` does not ask `==`."""

    __slots__ = ()

    setting: object
    """What does not change during a game. It is compared, and never hashed: it may be large."""

    def value(self) -> Hashable:
        """What the position stands for."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.value() == other.value() and self.setting == other.setting

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.value())

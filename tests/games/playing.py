"""A position played on by the names of actions, whatever the game."""

from typing import Any, TypeVar

from hexboard.game.position import Position

P = TypeVar("P", bound=Position[Any])


def played(position: P, *names: str) -> P:
    """The position after these actions."""
    for name in names:
        position = position.play(position.action(name))
    return position

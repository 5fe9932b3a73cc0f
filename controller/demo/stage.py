"""The stage: what a simulated board of a game is, how a table is laid out on it, who plays there.

A game with a table of its own declares its own stage; every other game has `Plain`: a board that
feels taps, where a camera sees what hands lay.
"""

from random import Random
from typing import Protocol, TypeVar, runtime_checkable

from hexboard.appearance import Lying
from hexboard.board import Board
from hexboard.facts import WHOEVER, Body, Declare, Ruling
from hexboard.game.game import AnyGame
from hexboard.game.position import Action
from hexboard.simulator.world import World
from hexboard.table import TableView
from hexboard.web.requests import Hand
from hexboard.words.errors import HexboardError

A = TypeVar("A")


class Player(Protocol):
    """Plays every seat of a table."""

    def turn(self, table: TableView[Action]) -> list[Body]:
        """Do the next thing a person would do: move a hand in the world, or say something."""


@runtime_checkable
class Stage(Protocol):
    """What a game brings to a simulated board: one world, which it makes and knows."""

    def world(self, board: Board, view: TableView[Action], seed: int, pace: float) -> World:
        """A new board that lies as a table has it."""

    def furnish(self, view: TableView[Action]) -> None:
        """Lay its board out anew for another table."""

    def player(self, seed: int) -> Player:
        """Who plays by itself."""

    def set_up(self, board: Board, view: TableView[Action], seed: int) -> Ruling | None:
        """What lies on the board of a demo before the first move, where anything does."""

    def hand(self, hand: Hand) -> None:
        """Do what somebody does with a hand. Raises `HexboardError` for what no hand can do."""

    def things(self, view: TableView[Action]) -> object:
        """What is played with, equal where a camera has to look for the same."""

    def laid(self) -> dict[str, Lying]:
        """What lies in the cells, for the simulated camera."""


class Mover:
    """Plays every seat of a game with pieces: says legal moves at random."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def turn(self, table: TableView[Action]) -> list[Body]:
        """The next thing a person would say."""
        if table.todo or table.confirm:
            return [Ruling("right")]
        position = table.position
        return [Declare(WHOEVER, position.name(self.random.choice(list(position.legal))))]


class Plain:
    """The stage of a game with pieces that people move."""

    def world(self, board: Board, view: TableView[Action], seed: int, pace: float) -> World:
        return World(board, seed, pace)

    def furnish(self, view: TableView[Action]) -> None:
        """Nothing lies there that the board could feel."""

    def player(self, seed: int) -> Player:
        return Mover(seed)

    def set_up(self, board: Board, view: TableView[Action], seed: int) -> Ruling | None:
        return None

    def hand(self, hand: Hand) -> None:
        raise HexboardError("daemon.no_hands")

    def things(self, view: TableView[Action]) -> object:
        return ()

    def laid(self) -> dict[str, Lying]:
        return {}


def stage(game: AnyGame[A]) -> Stage:
    """The stage of a game. Raises `BadText` for one that is not what it was declared to be."""
    if game.stage is None:
        return Plain()
    found = game.stage()
    if not isinstance(found, Stage):
        raise game.other(found, Stage)
    return found

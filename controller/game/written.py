"""A position that somebody wrote: it looks *reachable*, or is a *problem* that can be played on but
could not come about, or is impossible, and `Game.read` refuses it."""

from typing import TypeVar

from hexboard.board import Board
from hexboard.game.game import AnyGame
from hexboard.game.options import Options
from hexboard.game.position import Position
from hexboard.words import Message
from hexboard.words.errors import BadText

A = TypeVar("A")
REACHABLE, PROBLEM, IMPOSSIBLE = "reachable", "problem", "impossible"


def load(game: AnyGame[A], text: str, board: Board, options: Options, problem: bool) -> Position[A]:
    """`Game.read` for what somebody wrote: raises `BadText`, with the reason, for an impossible
    position, and for a problem where nobody asked for one."""
    try:
        position = game.read(text, board, options)
    except BadText as error:
        raise BadText("game.impossible", why=error.message) from None
    meant(game, position, problem)
    return position


def meant(game: AnyGame[A], position: Position[A], problem: bool) -> Message | None:
    """`doubt`; raises `BadText` for a problem where nobody asked for one."""
    why = doubt(game, position)
    if why and not problem:
        raise BadText("game.problem", why=why)
    return why


def doubt(game: AnyGame[A], position: Position[A]) -> Message | None:
    """Why a position is a problem; None for one that looks reachable."""
    return None if game.problem is None else game.problem(position)


def completed(game: AnyGame[A], position: Position[A], ruled: Position[A]) -> str:
    """The whole position's text where people set one as a seat, or everybody, sees it: what they do
    not see stays as it is in `position`. Raises `BadText` where they would change that."""
    hides, eyes = game.hides(position), game.eyes(ruled)
    if hides is None or eyes > len(hides.seats):
        raise BadText("table.ruled_view")
    said, seen, whole = (str(it).split(" ") for it in (ruled, hides.view(eyes), hides))
    if not len(said) == len(seen) == len(whole):
        raise BadText("table.ruled_view")
    words = list(zip(said, seen, whole, strict=True))
    if any(new != old != own for new, old, own in words):
        raise BadText("table.ruled_view")
    return " ".join(own if new == old else new for new, old, own in words)

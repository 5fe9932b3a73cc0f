"""Files: what a game brings to the page, from the folder `page/` of its package."""

from collections.abc import Callable, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from hexboard.game.game import AnyGame
from hexboard.web.guard import HEADERS
from hexboard.web.spoken import spoken_by
from hexboard.words import message, say

A = TypeVar("A")
KINDS = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
"""The files that a game may bring."""


def files(game: AnyGame[A]) -> dict[str, Traversable]:
    """What a game brings to the page, by path: scripts and style sheets in the folder `page/` of
    its package. They are read when they are asked for."""
    try:
        folder = resources.files(game.package) / "page"
    except (ModuleNotFoundError, TypeError):  # one file outside every package
        return {}
    if game.page is None or not folder.is_dir():
        return {}
    inside = (file for file in folder.iterdir() if Path(file.name).suffix in KINDS)
    return {f"{game.name}/{file.name}": file for file in inside if file.is_file()}


def missing(game: AnyGame[A]) -> list[str]:
    """The files that a game declares, and that are not there."""
    part = game.page
    declared = (part.script, part.style) if part is not None else ()
    there = files(game)
    return [name for name in declared if name and f"{game.name}/{name}" not in there]


def brought(known: Callable[[], Mapping[str, Traversable]], language: str) -> Route:
    """Where pages ask for a file of the game that is played: one that is `known`, and nothing else
    that lies there."""

    async def answer(request: Request) -> Response:
        file = known().get(request.path_params["path"])
        if file is None:
            told = say(message("web.no_file"), spoken_by(request, language))
            return PlainTextResponse(told + "\n", 404, HEADERS)
        return Response(file.read_bytes(), 200, HEADERS, KINDS[Path(file.name).suffix])

    return Route("/games/{path:path}", answer)

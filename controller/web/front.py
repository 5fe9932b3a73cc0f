"""The front door: what hosts are told of the games that there are."""

import contextlib
import html
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TypeVar

from msgspec import Struct
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from hexboard.board import Board
from hexboard.facts import Named, Start
from hexboard.game.game import AnyGame
from hexboard.game.options import Option
from hexboard.game.position import Action
from hexboard.web.guard import HEADERS
from hexboard.web.keys import Key
from hexboard.web.sheet import called
from hexboard.web.spoken import mostly, spoken_by
from hexboard.words import Message, Value, language, message, say, speaking
from hexboard.words.errors import BadText, HexboardError
from hexboard.words.names import one_line

Sheet = dict[str, object]
V = TypeVar("V")
ALONE = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' data:; "
    "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'"
)
"""What a page may that plays a recording: run, and ask nobody for anything."""
NO_PHONES: Mapping[int, Named] = {}
POLICY = {"Content-Security-Policy": ALONE}


class GameOffer(Struct, frozen=True):
    """A game as it can be played here."""

    name: str
    game: AnyGame[Action] | None = None
    """None for one that is broken."""
    board: Board | None = None
    """The one it is drawn on."""
    why: str = ""
    """Why it cannot be played here."""
    left: int = 0
    """How many moves of it were made in the match that can go on."""
    house: Mapping[str, Value] = {}
    """The options with which it was played here last."""
    dealt: Mapping[str, Value] = {}
    """What is otherwise than by the book where no hand throws dice or draws cards."""
    first: bool = False
    """Whether a first game has options of its own."""


def front_sheet(
    offers: Iterable[GameOffer],
    now: Start,
    again: Iterable[Sheet] = (),
    phones: Mapping[int, Named] = NO_PHONES,
) -> Sheet:
    """All that the page is told: the games that can be played here first, which one is `now` and
    by whom, as `phones` have said since it began, and what can be watched `again`."""
    told = sorted(map(_offered, offers), key=lambda it: (bool(it["why"]), it["name"] != now.game))
    names = dict(enumerate(map(one_line, now.names))) | {n: it.name for n, it in phones.items()}
    colours = dict(enumerate(now.colours))
    colours |= {n: it.colour for n, it in phones.items() if it.colour >= 0}
    people = {"names": _listed(names, ""), "colours": _listed(colours, -1)}
    clock = {"clock": now.options.get("clock", ""), "timed": say(message("table.clock"))}
    about = {"game": now.game, "match": now.match, **people, **clock}
    return {**about, "games": told, "again": [*again]}


def _listed(known: Mapping[int, V], nothing: V) -> list[V]:
    """What is known by seat, as a list."""
    return [known.get(seat, nothing) for seat in range(max(known, default=-1) + 1)]


def _offered(offer: GameOffer) -> Sheet:
    """What is told of a game; a mistake in one hides no other."""
    try:
        return _shown(offer)
    except HexboardError as error:
        why = str(error)
    except Exception as error:  # whatever a foreign game does
        why = f"{type(error).__name__}: {error}"[:200]
    return _shown(GameOffer(offer.name, why=why))


def _shown(offer: GameOffer) -> Sheet:
    about: Sheet = {"name": offer.name, "title": offer.name, "aim": "", "why": offer.why}
    left = say(message("front.moves", count=offer.left)) if offer.left else ""
    about |= {"left": left, "presets": {}, "options": [], "picture": None}
    game, board = offer.game, offer.board
    if game is None or board is None:
        return about
    book = {option.name: option.default for option in game.options} | dict(offer.dealt)
    presets: Sheet = {"book": book}
    if offer.first:
        presets["first"] = book | dict(game.beginners)
    if (house := book | dict(offer.house)) != book:
        presets["house"] = house
    return about | {
        "title": game.title(),
        "aim": game.aim(),
        "presets": presets,
        "options": [
            _option(game, option) for option in game.options if not (option.file or option.carried)
        ],
        "picture": _picture(game, board),
        "seats": [say(seat) for seat in _seats(game, board)],
    }


def _option(game: AnyGame[Action], option: Option) -> Sheet:
    return {
        "name": option.name,
        "text": game.about(option) or option.name,
        "rule": option.rule,
        "group": option.group,
        "choices": option.choices,
        "called": [called(game, option, choice) for choice in option.choices],
        "least": option.least,
        "most": option.most,
    }


@cache
def _picture(game: AnyGame[Action], board: Board) -> Sheet:
    """The position that a game shows of itself, or its first one."""
    from hexboard.game.picture import picture  # not at each start

    position = game.begin(board, {})
    if game.sample:
        position = game.read(game.sample, board, {})
    return picture(game, board, position)


@cache
def _seats(game: AnyGame[Action], board: Board) -> tuple[Message, ...]:
    """As many as can play; an option `seats` is how many do."""
    for option in game.options:
        if option.name == "seats" and option.most:
            with contextlib.suppress(BadText):
                return game.begin(board, {option.name: option.most}).seats
    return game.begin(board, {}).seats


def routes(
    key: Callable[[HTTPConnection], Key | None],
    language: str,
    front: Callable[[], bytes],
    again: Callable[[str], bytes],
) -> tuple[Route, ...]:
    """Where hosts ask which games there are, and for the page that plays a recording."""
    theirs = for_hosts(key, language, lambda _: front())
    page = for_hosts(key, language, again, "text/html")
    return Route("/front", theirs), Route("/again/{name}", page)


def for_hosts(
    key: Callable[[HTTPConnection], Key | None],
    language: str,
    told: Callable[[str], bytes],
    kind: str = "application/json",
) -> Callable[[Request], Response]:
    """Serves hosts what `told` gives for the name in the path, in their browser's language, else in
    this `language`; made beside the web's own thread. A page that says nothing yet is asked for
    again by the browser itself."""

    def answer(request: Request) -> Response:
        asks = key(request)
        with speaking(spoken_by(request, language)):
            try:
                if asks is None or not asks.host:
                    raise HexboardError("web.host_only")
                body = told(request.path_params.get("name", ""))
            except HexboardError as error:
                status = 403 if error.message.key == "web.host_only" else 404
                if kind == "text/html":
                    return Response(_said(error.message), status, HEADERS | POLICY, kind)
                return PlainTextResponse(f"{say(error.message)}\n", status, HEADERS)
            if not body and kind == "text/html":
                again = HEADERS | POLICY | {"Refresh": "2"}
                return Response(_said(message("front.being_made")), 202, again, kind)
        policy = POLICY if kind == "text/html" else {}
        return Response(body, 200, HEADERS | policy, kind)

    return answer


def _said(why: Message) -> str:
    """A page that says why there is no other, to be read on a phone too."""
    return (
        f'<!doctype html><html lang="{mostly(language())}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="dark light"><title>hexboard</title>'
        "<style>main { max-width: 34em; margin: 12vh auto; padding: 0 20px; font: 18px/1.5 "
        "system-ui, sans-serif; overflow-wrap: anywhere }</style>"
        f"<main>{html.escape(say(why))}</main>"
    )

"""A start from the hub: it asks a board to begin a game, and the board answers in a sentence.

A request of NATS on `hexboard.start.BOARD`, a `HallStart` in JSON; the answer is a `HallAnswer`. A
board listens only where its settings say `starts = true` under `[hub]`.
"""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from hexboard.daemon.hall.wire import ANSWER_S, connected, reason, run
from hexboard.game import registry
from hexboard.settings import HubSettings
from hexboard.web.keys import Key
from hexboard.web.public import PublicState
from hexboard.web.requests import New
from hexboard.words import Message, Value, message
from hexboard.words.errors import NO_JSON, HexboardError

START = "hexboard.start"
"""What requests are made on, with the board's name after it."""
HUB = "hub"
KEY = Key(HUB, name="Hub", host=True)


class HallStart(Struct, frozen=True, forbid_unknown_fields=True):
    """What to begin: a game, its options where they are not those of the book, and who sits where,
    by seat."""

    game: str
    options: dict[str, bool | int | str] = {}
    names: tuple[str, ...] = ()


class HallAnswer(Struct, frozen=True):
    """Why a board does not begin; "" where it does."""

    why: str = ""


def start_wanted(data: bytes, state: PublicState) -> New | Message:
    """What a request asks for, where a board is in this state; or why that cannot be."""
    if state.begun and state.scores is None:
        return message("hub.match_goes_on")
    try:
        asked = msgspec.json.decode(data, type=HallStart)
        if not asked.game:
            return message("hub.no_start")
        registry.find(asked.game)
        new = {"type": "new", "game": asked.game, "options": asked.options, "names": asked.names}
        return msgspec.convert(new, New)  # it says how long a name may be, and how many there are
    except NO_JSON:
        return message("hub.no_start")
    except HexboardError as error:
        return error.message


def start_on(
    of: HubSettings, board: str, game: str, options: Mapping[str, Value], names: tuple[str, ...]
) -> str:
    """Ask a board to begin; why it does not, "" where it does. Raises `HexboardError` where it does
    not answer, or the hall is not there."""
    asked = msgspec.json.encode(HallStart(game, dict(options), names))
    try:
        answer = run(_answered(of, board, asked))
        return msgspec.json.decode(answer, type=HallAnswer).why
    except HexboardError:
        raise
    except Exception as error:  # whatever a server or the library says
        raise HexboardError("tournament.no_hall", at=of.url, why=reason(error)) from None


async def _answered(of: HubSettings, board: str, asked: bytes) -> bytes:
    async with connected(of) as client:
        from nats.errors import NoRespondersError, TimeoutError

        try:
            return bytes((await client.request(f"{START}.{board}", asked, timeout=ANSWER_S)).data)
        except (NoRespondersError, TimeoutError):
            raise HexboardError("tournament.no_starts", board=board) from None

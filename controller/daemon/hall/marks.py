"""How far boards have told: what a pairing's match comes after."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection
from typing import TYPE_CHECKING, TypeVar

import msgspec

from hexboard.daemon.hall.tournament import BoardMark
from hexboard.daemon.hall.wire import (
    BEAT_S,
    NOW,
    SUBJECTS,
    TOLD,
    BoardNow,
    connected,
    reason,
    run,
    streams,
)
from hexboard.record.hall_journal import decode_told
from hexboard.settings import HubSettings
from hexboard.words.errors import NO_JSON, HexboardError

if TYPE_CHECKING:
    from nats.js import JetStreamContext

T = TypeVar("T")
SAYS_S = 2 * BEAT_S
"""A board that says nothing for so long is off, or cut off."""
ASKED_S = 0.25
"""So often it is looked whether a board has said something."""


def marks(of: HubSettings, boards: Collection[str]) -> dict[str, BoardMark]:
    """The mark of each of these boards that says something now: one that is cut off may have told
    itself more than the hall knows. Raises `HexboardError` where the hall cannot be asked."""

    async def asked(js: "JetStreamContext") -> dict[str, BoardMark]:
        last = (await js.stream_info(TOLD)).state.last_seq
        said = await _saying(js, boards)
        return {it: BoardMark(await _count(js, it, said[it]), last) for it in boards if it in said}

    return _answered(of, asked)


def heard(of: HubSettings) -> list[str]:
    """The boards that the hall has ever heard of, in order. Raises as `marks` does."""

    async def asked(js: "JetStreamContext") -> list[str]:
        info = await js.stream_info(NOW, subjects_filter=f"{SUBJECTS[NOW]}.>")
        return sorted(subject.rpartition(".")[2] for subject in info.state.subjects or ())

    return _answered(of, asked)


def _answered(of: HubSettings, ask: Callable[["JetStreamContext"], Awaitable[T]]) -> T:
    """What the hall answers. Raises `HexboardError` where it cannot be asked."""

    async def asked() -> T:
        async with connected(of) as client:
            return await ask(await streams(client))

    try:
        return run(asked())
    except HexboardError:
        raise
    except Exception as error:  # whatever a server or the library says
        raise HexboardError("tournament.no_hall", at=of.url, why=reason(error)) from None


async def _saying(js: "JetStreamContext", boards: Collection[str]) -> dict[str, bytes]:
    """How boards say that they stand, those that say so while we wait."""
    before = {board: await _newest(js, NOW, board) for board in boards}
    said: dict[str, bytes] = {}
    end = time.monotonic() + SAYS_S
    while before.keys() > said.keys() and time.monotonic() < end:
        await asyncio.sleep(ASKED_S)
        for board in before.keys() - said.keys():
            seq, stands = await _newest(js, NOW, board)
            if stands and seq != before[board][0]:
                said[board] = stands
    return said


async def _count(js: "JetStreamContext", board: str, stands: bytes) -> int:
    """So much a board that stands like this has told, or has still to tell; but for a match that
    stands there, and in which nobody has made a move: that is the pairing's."""
    _, told = await _newest(js, TOLD, board)
    count = 0
    try:
        count = decode_told(told).n if told else 0
        now = msgspec.json.decode(stands, type=BoardNow)
    except NO_JSON:
        return count
    if now.told < count:  # it has told more since
        return count
    return now.told if now.fresh is None else now.fresh


async def _newest(js: "JetStreamContext", stream: str, board: str) -> tuple[int, bytes]:
    """The number and the text of what a board told last."""
    from nats.js.errors import NotFoundError

    try:
        last = await js.get_last_msg(stream, f"{SUBJECTS[stream]}.{board}")
    except NotFoundError:
        return 0, b""
    return last.seq or 0, last.data or b""

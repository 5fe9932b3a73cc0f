"""How far boards have told: what a pairing's match comes after."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

import msgspec

from hexboard.daemon.hall.tournament import BoardMark
from hexboard.daemon.hall.wire import NOW, SUBJECTS, TOLD, BoardNow, connected, reason, streams
from hexboard.record.hall_journal import decode_told
from hexboard.settings import HubSettings
from hexboard.words.errors import NO_JSON, HexboardError

if TYPE_CHECKING:
    from nats.js import JetStreamContext

T = TypeVar("T")


def marks(of: HubSettings, boards: Iterable[str]) -> dict[str, BoardMark]:
    """The mark of each of these boards, as the hall has it now. Raises `HexboardError` where the
    hall cannot be asked."""

    async def asked(js: "JetStreamContext") -> dict[str, BoardMark]:
        last = (await js.stream_info(TOLD)).state.last_seq
        return {board: BoardMark(await _count(js, board), last) for board in boards}

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
        return asyncio.run(asked())
    except HexboardError:
        raise
    except Exception as error:  # whatever a server or the library says
        raise HexboardError("tournament.no_hall", at=of.url, why=reason(error)) from None


async def _count(js: "JetStreamContext", board: str) -> int:
    """So much a board has told, or has still to tell; but for a match that stands there, and in
    which nobody has made a move: that is the pairing's."""
    told, stands = await _newest(js, TOLD, board), await _newest(js, NOW, board)
    count = 0
    try:
        count = decode_told(told).n if told else 0
        now = msgspec.json.decode(stands, type=BoardNow) if stands else None
    except NO_JSON:
        return count
    if now is None or now.told < count:  # it has told more since
        return count
    return now.told if now.fresh is None else now.fresh


async def _newest(js: "JetStreamContext", stream: str, board: str) -> bytes:
    from nats.js.errors import NotFoundError

    try:
        return (await js.get_last_msg(stream, f"{SUBJECTS[stream]}.{board}")).data or b""
    except NotFoundError:
        return b""

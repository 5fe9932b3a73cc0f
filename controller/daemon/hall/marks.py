"""How far boards have told: what a pairing's match comes after."""

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from hexboard.daemon.hall.tournament import BoardMark
from hexboard.daemon.hall.wire import NOW, SUBJECTS, TOLD, BoardNow, connected, reason, streams
from hexboard.record.hall_journal import decode_told
from hexboard.settings import HubSettings
from hexboard.words.errors import NO_JSON, HexboardError

if TYPE_CHECKING:
    from nats.js import JetStreamContext


def marks(of: HubSettings, boards: Iterable[str]) -> dict[str, BoardMark]:
    """The mark of each of these boards, as the hall has it now. Raises `HexboardError` where the
    hall cannot be asked."""
    try:
        return asyncio.run(_asked(of, boards))
    except HexboardError:
        raise
    except Exception as error:  # whatever a server or the library says
        raise HexboardError("tournament.no_hall", at=of.url, why=reason(error)) from None


async def _asked(of: HubSettings, boards: Iterable[str]) -> dict[str, BoardMark]:
    async with connected(of) as client:
        js = await streams(client)
        last = (await js.stream_info(TOLD)).state.last_seq
        return {board: BoardMark(await _count(js, board), last) for board in boards}


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

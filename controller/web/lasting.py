"""Keys that last: they are written by another thread, for a slow disk is to hold no page up, and
pages are told of them once a power cut would not undo them."""

import asyncio
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool

from hexboard.web.keys import Keys


class Lasting:
    """Has `keys` written, one time after another; `told` tells pages of them."""

    def __init__(self, keys: Keys, told: Callable[[], None]) -> None:
        self._keys, self._told = keys, told
        self._turn = asyncio.Lock()
        self._telling: asyncio.Task[None] | None = None

    async def kept(self) -> None:
        """Wait until the file has them as they are then."""
        async with self._turn:
            while self._keys.changed:
                await run_in_threadpool(self._keys.keep)

    def tell(self, loop: asyncio.AbstractEventLoop) -> None:
        """Have pages told soon, once for all that changes meanwhile: with each phone all the others
        hear of it."""
        if self._telling is None or self._telling.done():
            self._telling = loop.create_task(self._tell())

    async def _tell(self) -> None:
        await self.kept()
        self._told()

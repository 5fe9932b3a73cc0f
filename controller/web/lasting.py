"""Keys that last: they are written by another thread, for a slow disk is to hold no page up, and
pages are told of them once a power cut would not undo them."""

import asyncio
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool

from hexboard.web.keys import Keys

AGAIN_S = 5.0
"""Seconds until a file that could not be written is tried again."""


class Lasting:
    """Has `keys` written, one time after another; `told` tells pages of them."""

    def __init__(self, keys: Keys, told: Callable[[], None]) -> None:
        self._keys, self._told = keys, told
        self._turn = asyncio.Lock()
        self._telling: asyncio.Task[None] | None = None
        self._again: asyncio.TimerHandle | None = None
        self._after = set[asyncio.Task[None]]()  # a loop keeps no task itself

    async def kept(self) -> None:
        """Wait until the file has them as they are then, or cannot: then it is tried again."""
        if self._again is not None:
            self._again.cancel()
        async with self._turn:
            while self._keys.changed:
                await run_in_threadpool(self._keys.keep)
                if self._keys.unkept:
                    loop = asyncio.get_running_loop()
                    self._again = loop.call_later(AGAIN_S, self.then, lambda: None)
                    return

    def tell(self) -> None:
        """Have pages told soon, once for all that changes meanwhile: with each phone all the others
        hear of it."""
        if self._telling is None or self._telling.done():
            # the loop first: a page that leaves once it is closed leaves no coroutine behind
            self._telling = asyncio.get_running_loop().create_task(self._tell())

    def then(self, act: Callable[[], None]) -> None:
        """Have this done once the file has them as they are now."""
        task = asyncio.get_running_loop().create_task(self._then(act))
        self._after.add(task)
        task.add_done_callback(self._after.discard)

    async def _tell(self) -> None:
        await self._then(self._told)

    async def _then(self, act: Callable[[], None]) -> None:
        await self.kept()
        act()

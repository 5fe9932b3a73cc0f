"""A hall for tests: a real NATS server that can be killed and come back, and who asks it."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import nats

from tests.nats import NatsServer

if TYPE_CHECKING:
    from nats.js import JetStreamContext

T = TypeVar("T")


class Nats(NatsServer):
    """A nats-server whose store lies in `folder`, and what is in it."""

    def __init__(self, folder: Path, configuration: Path | None = None) -> None:
        super().__init__(folder / "store" if configuration is None else None, configuration)

    def ask(self, act: "Callable[[JetStreamContext], Awaitable[T]]", **how: Any) -> T:
        """What somebody finds out who comes to it."""

        async def asking() -> T:
            client = await nats.connect(self.url, connect_timeout=30, **how)
            try:
                return await act(client.jetstream(timeout=30))
            finally:
                await client.close()

        with ThreadPoolExecutor(1) as apart:  # Playwright has a loop in ours
            return apart.submit(lambda: asyncio.run(asking())).result()

    def told(self, stream: str = "HEXBOARD", **how: Any) -> list[tuple[str, str, str]]:
        """All messages of a stream: subject, link, text."""

        async def reading(js: "JetStreamContext") -> list[tuple[str, str, str]]:
            found = []
            with contextlib.suppress(nats.js.errors.NotFoundError):
                state = (await js.stream_info(stream)).state
                for seq in range(max(1, state.first_seq), state.last_seq + 1):
                    with contextlib.suppress(nats.js.errors.NotFoundError):  # a newer one is there
                        it = await js.get_msg(stream, seq)
                        link = (it.headers or {}).get("Nats-Msg-Id", "").partition(".")[0]
                        found.append((it.subject or "", link, (it.data or b"").decode()))
            return found

        return self.ask(reading, **how)

"""A hall for tests: a real NATS server that can be killed and come back, and who asks it."""

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import nats
import pytest

from tests.running import eventually, free_port

if TYPE_CHECKING:
    from nats.js import JetStreamContext

T = TypeVar("T")


class Nats:
    """A nats-server (Debian's package) whose store lies in `folder`; `more` is configuration."""

    def __init__(self, folder: Path, more: str = "") -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        store = f'jetstream {{ store_dir: "{folder}/store", max_file: 1G }}\n'
        (folder / "nats.conf").write_text(f"listen: 127.0.0.1:{self.port}\n{store}{more}", "utf-8")

    def start(self) -> "Nats":
        program = shutil.which("nats-server", path=f"{os.environ['PATH']}:/usr/sbin")
        if program is None:
            pytest.skip("no nats-server on this machine")
        command = (program, "-c", self.folder / "nats.conf", "-l", self.folder / "nats.log")
        self.process = subprocess.Popen(command)
        eventually(self._listens)
        return self

    def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait()
            self.process = None

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

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
                        link = (it.headers or {}).get("Nats-Msg-Id", "")
                        found.append((it.subject or "", link, (it.data or b"").decode()))
            return found

        return self.ask(reading, **how)

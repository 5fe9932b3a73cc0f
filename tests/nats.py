"""A real nats-server: `with NatsServer(folder) as server: server.url`."""

import shutil
import socket
import subprocess
from pathlib import Path
from typing import Self

import pytest

from tests.running import eventually, free_port


class NatsServer:
    """With JetStream in `folder`, which it goes on with after a kill; with no folder it keeps
    nothing. `configuration` is what its file says besides."""

    def __init__(self, folder: Path | None, configuration: Path | None = None) -> None:
        self.port, self._folder, self._configuration = free_port(), folder, configuration
        self.url = f"nats://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        program = shutil.which("nats-server", path="/usr/sbin:/usr/bin:/usr/local/bin")
        if program is None:
            pytest.skip("no nats-server on this machine")
        words = [program, "-a", "127.0.0.1", "-p", str(self.port)]
        if self._folder is not None:
            words += ["-js", "-sd", str(self._folder)]
        if self._configuration is not None:
            words += ["-c", str(self._configuration)]
        self._process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        eventually(self._listens)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

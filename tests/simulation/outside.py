"""The outside: what the shell asks of Python's library and of the system, given by a simulation.

No class of hexboard's is replaced. In the modules of the shell the names `time`, `threading`,
`sqlite3` and so on stand for the simulated ones while `simulated` lasts.
"""

import contextlib
import os
import secrets
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from random import Random
from types import SimpleNamespace
from typing import Any

from tests.simulation.disk import Disk
from tests.simulation.network import Network, call_in_thread
from tests.simulation.scheduler import Scheduler
from tests.simulation.threads import Threads
from tests.simulation.wire import Line, Port

SHELL = (
    "hexboard.daemon.sitting",
    "hexboard.devices.installer",
    "hexboard.devices.link",
    "hexboard.record.replay",
    "hexboard.record.journal",
    "hexboard.web.server",
)
"""What has to be there before anything is replaced in it."""
BEGAN = 1_767_290_400  # 2026-01-01 18:00 UTC
"""When an evening begins, s since 1970."""


class Clock:
    """Stands for the module `time`. `step_ns` is how far the clock on the wall was set."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._from = BEGAN * 10**9 - scheduler.now
        self.step_ns = 0

    def monotonic_ns(self) -> int:
        self._scheduler.breathe()
        return self._scheduler.now

    def monotonic(self) -> float:
        return self.monotonic_ns() / 1e9

    def time_ns(self) -> int:
        return self._scheduler.now + self._from + self.step_ns

    def localtime(self, seconds: float | None = None) -> time.struct_time:
        return time.gmtime(self.time_ns() / 1e9 if seconds is None else seconds)

    def strftime(self, form: str, when: time.struct_time | None = None) -> str:
        return time.strftime(form, self.localtime() if when is None else when)

    def time(self) -> float:  # the last: what is above means the module by this name
        return self.time_ns() / 1e9

    def sleep(self, seconds: float) -> None:
        self._scheduler.park(seconds)

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)


def chance(dice: Random) -> SimpleNamespace:
    """Stands for the module `secrets`."""
    ours = {
        "token_hex": lambda size=32: dice.randbytes(size).hex(),
        "token_urlsafe": lambda size=32: dice.randbytes(size).hex(),
        "randbelow": dice.randrange,
    }
    return SimpleNamespace(**{**vars(secrets), **ours})


@contextlib.contextmanager
def simulated(
    scheduler: Scheduler, clock: Clock, disk: Disk, network: Network, line: Line, dice: Random
) -> Iterator[None]:
    """While it lasts the shell's modules have these."""
    modules = {name: import_module(name) for name in SHELL}
    threads, drawn = Threads(scheduler, disk.wait), chance(dice)
    in_a_thread = partial(call_in_thread, scheduler)
    server, link = modules["hexboard.web.server"], modules["hexboard.devices.link"]
    tape = import_module("hexboard.record.tape")
    dealer = import_module("hexboard.devices.dealer")
    every: list[tuple[Any, str, object]] = [
        (import_module("hexboard.daemon.saving"), "ThreadPoolExecutor", threads.ThreadPoolExecutor),
        (modules["hexboard.record.journal"], "sqlite3", disk.sqlite()),
        (modules["hexboard.record.journal"], "_fsync", disk.fsync),
        (tape, "open", disk.open),
        (tape, "_fdatasync", disk.fsync),
        (import_module("hexboard.files"), "_fsync", disk.fsync),
        (import_module("hexboard.daemon.clock"), "INSTALLED_S", 0.0),
        (import_module("hexboard.daemon.room"), "shutil", disk.shutil()),
        (server, "asyncio", network.asyncio()),
        (server, "uvicorn", network.uvicorn()),
        (server, "Quiet", network.quiet()),
        (server, "sockets", network.sockets()),
        (server, "run_in_threadpool", in_a_thread),
        (import_module("hexboard.web.lasting"), "run_in_threadpool", in_a_thread),
        (link, "os", SimpleNamespace(**{**vars(os), "write": line.write})),
        (link, "come", Port.came),
        (import_module("hexboard.devices.ports"), "serial", lambda _: "the only Pico"),
        (dealer, "SystemRandom", lambda: dice),
        (dealer, "token_hex", drawn.token_hex),
    ]
    stand = {id(time): clock, id(threading): threads, id(secrets): drawn}
    for name, module in sorted(sys.modules.items()):
        if name.startswith("hexboard."):
            for attribute, value in vars(module).items():
                if id(value) in stand:
                    every.append((module, attribute, stand[id(value)]))
    with contextlib.ExitStack() as stack:
        for module, attribute, value in every:
            stack.callback(_put, module, attribute, vars(module).get(attribute, _NONE))
            _put(module, attribute, value)
        stack.callback(_put_module, sys.modules.get("serial"))
        _put_module(line.serial())
        yield


_NONE = object()


def _put(module: Any, name: str, value: object) -> None:
    if value is _NONE:
        delattr(module, name)
    else:
        setattr(module, name, value)


def _put_module(module: Any) -> None:
    if module is None:
        sys.modules.pop("serial", None)
    else:
        sys.modules["serial"] = module

"""The network: the real server's application, its loop on the simulated clock, and phones.

A phone speaks to the application as uvicorn would (ASGI); what crosses the network takes its time.
"""

import asyncio
import base64
import contextlib
import json
from collections.abc import Callable, Coroutine
from functools import partial
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any

from hexboard.web.keys import cookie_name
from tests.simulation.scheduler import Died, Scheduler, Task

PORT = 8765
HOST = f"127.0.0.1:{PORT}"
TICK_S = 0.1
"""uvicorn looks so often whether it is to end."""
CLOSING_S = 2.0
OK = 200
Answered = Callable[[int, str], None]
"""Hears the status of an answer and the cookie that came with it, or ""."""
UNDER_WAY_NS = 6_000_000_000
"""So long something that was asked for may take."""
CROWDED_MS = 1000
"""A network that takes so long takes nothing more in the meantime."""


class _Selector:
    """Waits for no file: only for its time, or to be woken."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._woken = False
        self._task: Task | None = None

    def select(self, timeout: float | None = None) -> list[object]:
        if self._woken or (timeout is not None and timeout <= 0):
            self._scheduler.breathe()
        else:
            self._task = self._scheduler.current
            try:
                self._scheduler.park(timeout)
            finally:
                self._task = None
        self._woken = False
        return []

    def wake(self) -> None:
        self._woken = True
        if self._task is not None:
            self._scheduler.wake(self._task)

    def get_map(self) -> dict[int, object]:
        return {}

    def close(self) -> None:
        pass


class Loop(asyncio.SelectorEventLoop):
    """An event loop on the simulated clock."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._ours = _Selector(scheduler)
        super().__init__(self._ours)  # type: ignore[arg-type]

    def time(self) -> float:
        return self._scheduler.now / 1e9

    def _check_closed(self) -> None:
        """Of a process that was killed things are still put away."""

    def _make_self_pipe(self) -> None:
        pass

    def _close_self_pipe(self) -> None:
        pass

    def _write_to_self(self) -> None:
        self._ours.wake()


class Network:
    """Between phones and the server that serves now, if one does."""

    def __init__(self, scheduler: Scheduler, dice: Random) -> None:
        self.scheduler, self.dice = scheduler, dice
        self.slowest_ms = 20
        self._loop: Loop | None = None
        self._app: Any = None
        self._lines: set[asyncio.Task[None]] = set()
        self._flying: dict[int, Callable[[], None]] = {}
        self._number = 0
        self.sends: Callable[[Phone, str], None] = lambda phone, text: None
        """Called with each text that the server sends to a phone, as it does."""

    def down(self) -> None:
        """The server is no more."""
        loop = self._loop
        gone: set[asyncio.Task[Any]] = set()
        while loop is not None and (tasks := asyncio.all_tasks(loop) - gone):  # they begin others
            for task in tasks:
                task._log_destroy_pending = False  # type: ignore[attr-defined]
                with contextlib.suppress(RuntimeError):
                    task.get_coro().close()
            gone |= tasks
        if loop is not None and not loop.is_closed():
            loop.close()
        self._app = self._loop = None
        self._lines.clear()

    def delay_ns(self) -> int:
        return self.dice.randrange(200_000, self.slowest_ms * 1_000_000)

    @property
    def crowded(self) -> bool:
        return self.slowest_ms > CROWDED_MS

    def connect(self, phone: "Phone") -> bool:
        """Open a page of a phone's; whether anybody serves it."""
        if self._app is None or self._loop is None:
            return False
        self._loop.call_soon_threadsafe(self._take, phone, phone.line)
        return True

    def post(self, phone: "Phone", path: str, body: str, answered: Answered) -> None:
        """A phone posts this; where somebody serves, and lives on, it is answered."""

        def take() -> None:
            if self._app is not None:
                task = asyncio.ensure_future(self._answer(phone, path, body, answered))
                self._lines.add(task)
                task.add_done_callback(self._lines.discard)

        self.scheduler.after(self.delay_ns(), lambda: self.soon(take))

    async def _answer(self, phone: "Phone", path: str, body: str, answered: Answered) -> None:
        status, cookie = 0, ""

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body.encode(), "more_body": False}

        async def send(event: dict[str, Any]) -> None:
            nonlocal status, cookie
            if event["type"] == "http.response.start":
                status = event["status"]
                given = dict(event["headers"]).get(b"set-cookie", b"").decode()
                cookie = given.partition(";")[0]

        await self._app(phone.scope("http", path), receive, send)
        when = self.scheduler.now + self.delay_ns()
        self._carry(when, lambda: answered(status, cookie))

    def soon(self, call: Callable[[], None]) -> None:
        """Let the server's loop call this."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call)

    def _take(self, phone: "Phone", line: int) -> None:
        if self._app is None:
            phone.lost(line)
            return
        task = asyncio.ensure_future(self._speak(phone, line))
        self._lines.add(task)
        task.add_done_callback(self._lines.discard)

    async def _speak(self, phone: "Phone", line: int) -> None:
        inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        inbox.put_nowait({"type": "websocket.connect"})
        phone.inbox = inbox
        arrives = self.scheduler.now

        async def send(event: dict[str, Any]) -> None:
            nonlocal arrives
            if event["type"] == "websocket.send" and phone.line == line:
                self.sends(phone, event["text"])
            self.scheduler.breathe()
            if self.crowded:  # as uvicorn waits for room
                await asyncio.sleep(self.delay_ns() / 1e9)
            arrives = max(arrives, self.scheduler.now + self.delay_ns())
            if event["type"] == "websocket.send":
                self._carry(arrives, partial(phone.hear, line, event["text"]))
            elif event["type"] == "websocket.close":
                self.scheduler.at(arrives, partial(phone.lost, line))

        try:
            await self._app(phone.scope(), inbox.get, send)
        finally:
            self.scheduler.at(arrives, partial(phone.lost, line))

    def _carry(self, when_ns: int, hear: Callable[[], None]) -> None:
        """Bring something to a phone: it comes, whatever becomes of who sent it."""
        self._number += 1
        number = self._number
        self._flying[number] = hear

        def arrive() -> None:
            if (it := self._flying.pop(number, None)) is not None:
                it()

        self.scheduler.at(when_ns, arrive)

    def deliver(self) -> None:
        """What is under way arrives."""
        flying, self._flying = self._flying, {}
        for hear in flying.values():
            hear()

    async def serve(self, app: Any, ended: Callable[[], bool]) -> None:
        """As uvicorn's server does."""
        self._app = app
        while not ended():
            await asyncio.sleep(TICK_S)
        self._app = None
        for task in list(self._lines):
            task.cancel()
        if self._lines:
            await asyncio.wait(self._lines, timeout=CLOSING_S)

    # ---------------------------------------------------- what the server's module is given

    def asyncio(self) -> SimpleNamespace:
        def new_event_loop() -> Loop:
            self._loop = Loop(self.scheduler)
            self._loop.set_exception_handler(self._died)
            return self._loop

        return SimpleNamespace(**{**vars(asyncio), "new_event_loop": new_event_loop})

    def _died(self, _: object, told: dict[str, Any]) -> None:
        """A task of the loop ended by what nobody caught."""
        if not isinstance(told.get("exception"), Died):
            self.scheduler.failures.append(f"web: {told}")

    def uvicorn(self) -> SimpleNamespace:
        def config(app: Any, **_: Any) -> SimpleNamespace:
            return SimpleNamespace(app=app, load=lambda: None)

        return SimpleNamespace(Config=config)

    def quiet(self) -> Callable[..., Any]:
        """Stands for uvicorn's server."""

        class Serves:
            def __init__(self, config: Any) -> None:
                self._app, self.should_exit = config.app, False

            def end(self) -> None:
                self.should_exit = True

            def serve(ours, _: object) -> Coroutine[Any, Any, None]:  # noqa: N805
                return self.serve(ours._app, lambda: ours.should_exit)

        return Serves

    def sockets(self) -> SimpleNamespace:
        listener = SimpleNamespace(
            setsockopt=lambda *_: None,
            bind=lambda _: None,
            listen=lambda _: None,
            getsockname=lambda: ("127.0.0.1", PORT),
            close=lambda: None,
        )
        names = ("AF_INET", "SOCK_STREAM", "SOL_SOCKET", "SO_REUSEADDR", "IPPROTO_TCP")
        return SimpleNamespace(socket=lambda *_: listener, **dict.fromkeys(names, 0))


async def call_in_thread(scheduler: Scheduler, call: Callable[[], Any]) -> Any:
    """Stands for `run_in_threadpool`."""
    loop = asyncio.get_running_loop()
    done = loop.create_future()

    def work() -> None:
        result = call()
        loop.call_soon_threadsafe(done.set_result, result)

    scheduler.start("pool", work)
    return await done


class Phone:
    """A page: of the host's, or of a guest's phone. `seen` hears each state that it is sent."""

    def __init__(
        self, name: str, network: Network, seen: Callable[["Phone"], None], host: bool = True
    ) -> None:
        self.name, self.host = name, host
        self._network, self._seen = network, seen
        self.cookie = ""
        """What opens the board for it."""
        self.line = 0
        """The number of its connection."""
        self.connected = False
        self.state: dict[str, Any] = {}
        self.people: list[dict[str, Any]] = []
        """Who is here, as it was told."""
        self.invitations: list[dict[str, Any]] = []
        """Those that it shows, to be taken."""
        self._asked: list[tuple[int, int]] = []
        self.since = self.unsaved = 0
        """Since when it is shown something, and since when what is not final; 0 where it is."""
        self.lights = b""
        """What it shows of the board's lights."""
        self.refused: list[str] = []
        self.inbox: asyncio.Queue[dict[str, Any]] | None = None

    def scope(self, kind: str = "websocket", path: str = "/live") -> dict[str, Any]:
        headers = (("host", HOST), ("origin", f"http://{HOST}"), ("cookie", self.cookie))
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "ws" if kind == "websocket" else "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers],
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", PORT),
            "subprotocols": [],
        }

    def dial(self, token: str = "") -> None:
        """Open the page, if it is not open: with the host's token, or with what was given."""
        if not self.connected:
            if token:
                self.cookie = f"{cookie_name(PORT, token)}={token}"
            self.line += 1
            self._asked.clear()
            self.connected = self._network.connect(self)

    def join(self, code: str, joined: Callable[[bool], None]) -> None:
        """Take an invitation; it is told whether that went well, if it is told."""

        def answered(status: int, cookie: str) -> None:
            self.cookie = cookie or self.cookie
            if cookie and self.connected:
                self.hang_up()
            joined(status == OK)

        body = json.dumps({"code": code, "name": self.name})
        self._network.post(self, "/join", body, answered)

    def look(self, side: int) -> None:
        """Ask for a side's cards."""
        self._asked.append((self._network.scheduler.now, side))
        self.say("curtain", side=side)

    @property
    def looks(self) -> set[int]:
        """The sides whose cards it may be sent, by what it asked for: the last one, and one before
        until what it asked for next can have come."""
        since = self._network.scheduler.now - UNDER_WAY_NS
        latest = {side for _, side in self._asked[-1:]}
        return {-1, *latest, *(side for (_, side), (at, _) in pairwise(self._asked) if at > since)}

    def hear(self, line: int, text: str) -> None:
        if line != self.line:
            return
        told = json.loads(text)
        if told["type"] == "state":
            self._shows(told)
            self._seen(self)
        elif told["type"] == "pixels":
            self.lights = base64.b64decode(told["rgb"])
        elif told["type"] == "you":
            self.people = told["people"]
        elif told["type"] == "invitation":
            self.invitations.append(told)
        elif told["type"] == "renewed":
            self.hang_up()
        elif told["type"] == "refused":
            self.refused.append(told["reason"])

    def _shows(self, state: dict[str, Any]) -> None:
        now = self._network.scheduler.now
        if not self.state:
            self.since, self.unsaved = now, 0
        self.state = state
        if all(line["final"] for line in state["log"]):
            self.unsaved = 0
        else:
            self.unsaved = self.unsaved or now

    def lost(self, line: int) -> None:
        """The connection is no more."""
        if line == self.line:
            self.connected, self.inbox, self.state = False, None, {}

    def hang_up(self) -> None:
        """It is closed, or out of reach."""
        self._put({"type": "websocket.disconnect", "code": 1001})
        self.line += 1
        self.lost(self.line)

    def say(self, kind: str, **fields: object) -> None:
        text = json.dumps({"type": kind, **fields})
        self._put({"type": "websocket.receive", "text": text})

    def _put(self, event: dict[str, Any]) -> None:
        inbox, network = self.inbox, self._network
        if inbox is not None:
            call = partial(inbox.put_nowait, event)
            network.scheduler.after(network.delay_ns(), lambda: network.soon(call))

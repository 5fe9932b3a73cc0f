"""The wire to a hall's NATS: two streams, who may use them, and what is said where it fails.

| stream | subject | keeps |
|---|---|---|
| `HEXBOARD` | `hexboard.told.BOARD` | a board's hall journal, in order, each with its link |
| `HEXBOARD_NOW` | `hexboard.now.BOARD` | how a board stands now: the newest alone |
"""

import asyncio
import contextlib
import logging
import re
import socket
import ssl
import threading
from collections import deque
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from msgspec import Meta, Raw, Struct

from hexboard.daemon.away import away
from hexboard.record.hall_journal import Count, ShortName
from hexboard.settings import HubSettings
from hexboard.words import Message
from hexboard.words.errors import HexboardError

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.js import JetStreamContext

T = TypeVar("T")
logging.getLogger("asyncio").setLevel(logging.ERROR)  # it warns of how the library uses TLS
VERSION = 1
"""Of what is told; what is only added does not change it."""
TOLD, NOW = "HEXBOARD", "HEXBOARD_NOW"
SUBJECTS = {TOLD: "hexboard.told", NOW: "hexboard.now"}
LINK, BEFORE, AT = "Nats-Msg-Id", "Nats-Expected-Last-Subject-Sequence", "Hexboard-At"
"""Headers: its link, with the board's name; the sequence after which it comes, else the stream
refuses it; when it stood, Unix ns by the board's clock."""
ANSWER_S = 5.0
"""So long an answer is waited for."""
AGAIN_S = 0.1
"""A server that did not answer is asked once more after so long, for one that listens may not yet
have begun to."""
PING_S = 5
"""So often it is asked whether the other end is there; twice without an answer, and it is not."""
BEAT_S = 5.0
"""So often at least a board says how it stands."""


class BoardNow(Struct, frozen=True, kw_only=True):
    """How a board stands: what `/api/state` tells, and what of the board a wall shows."""

    version: Count = VERSION
    title: ShortName
    at: float
    """By the board's clock, Unix s."""
    told: Count
    """So much it has told, or has still to tell."""
    fresh: Count | None = None
    """So much of that comes before the match that stands there, if nobody has made a move in it."""
    state: Raw
    """`PublicState`, with the newest lines alone."""
    link: Annotated[str, Meta(max_length=2000)] = ""
    """Where spectators see it; "" where nobody else can."""


class HallLoop(asyncio.SelectorEventLoop):
    """A loop that waits for no server of names once it ends: asyncio asks those in threads that a
    program waits for as it ends, a resolver for 20 s and more."""

    async def getaddrinfo(self, *what: Any, **about: Any) -> Any:
        """As asyncio does it, in a thread that ends with the program."""
        found: asyncio.Future[Any] = self.create_future()

        def settle(answer: Any, error: Exception | None) -> None:
            if found.done():  # nobody waits any more
                return
            if error is None:
                found.set_result(answer)
            else:
                found.set_exception(error)

        def asks() -> None:
            answer, error = None, None
            try:
                answer = socket.getaddrinfo(*what, **about)
            except Exception as why:  # a name too long for one is a `UnicodeError`
                error = why
            with contextlib.suppress(RuntimeError):  # the loop has ended
                self.call_soon_threadsafe(settle, answer, error)

        threading.Thread(target=asks, name="names", daemon=True).start()
        return await found


def run(what: Coroutine[Any, Any, T]) -> T:
    """As `asyncio.run`, in such a loop."""
    with asyncio.Runner(loop_factory=HallLoop) as runner:
        return runner.run(what)


def library() -> None:
    """Raise `HexboardError` where the library is not there: it is an extra."""
    if find_spec("nats") is None:
        raise HexboardError("hub.not_installed")


def linked(link: str, name: str) -> str:
    """The id of a message: the stream takes each once in two minutes, and a board that was renamed,
    or copied, tells again what another one told."""
    return f"{link}.{name}"


def link_of(headers: Mapping[str, str] | None) -> str:
    """The link of what was told; "" where it has none."""
    return (headers or {}).get(LINK, "").partition(".")[0]


def node(name: str) -> str:
    """A board's name as a part of a subject."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", name)


@contextlib.asynccontextmanager
async def connected(settings: HubSettings) -> "AsyncIterator[Client]":
    """A connection, which does not come back by itself: who uses it looks then where things stand.
    Raises whatever the library does."""
    library()
    from nats.aio.client import Client
    from nats.errors import NoServersError

    client, errors = Client(), deque[Exception](maxlen=1)

    async def failed(error: Exception) -> None:
        errors.append(error)

    try:
        await asyncio.wait_for(
            client.connect(
                settings.url,
                name="hexboard",
                allow_reconnect=False,
                max_reconnect_attempts=1,
                reconnect_time_wait=AGAIN_S,  # type: ignore[arg-type]  # it only sleeps so long
                connect_timeout=int(ANSWER_S),
                ping_interval=PING_S,
                error_cb=failed,
                **authority(settings),
            ),
            2 * ANSWER_S,
        )
        yield client
    except (NoServersError, TimeoutError) as error:  # what was said before says more
        raise errors[-1] if errors else error from None
    finally:
        with contextlib.suppress(Exception):  # it is gone already
            await asyncio.wait_for(client.close(), ANSWER_S)


def authority(settings: HubSettings) -> dict[str, Any]:
    """Who we are, and whom we believe, as the library wants it. Raises `HexboardError` for a file
    of `[hub]` that cannot be used; its value `key` says which."""
    given: dict[str, Any] = {}
    if settings.key:
        key = Path(settings.key)
        credentials = key.suffix == ".creds"
        with _usable("key", settings.key):
            seed = key.read_bytes()
            if not credentials and find_spec("nkeys"):
                _seed(seed)
        given["user_credentials" if credentials else "nkeys_seed"] = str(key)
    if settings.ca:
        with _usable("ca", settings.ca):
            given["tls"] = ssl.create_default_context(cafile=settings.ca)
    return given


def _seed(text: bytes) -> None:
    """Raise `ValueError` for what is no NKey's seed."""
    import nkeys  # an extra

    try:
        nkeys.from_seed(bytearray(text.strip())).wipe()
    except Exception as error:  # whatever the library says of a file that is none
        raise ValueError(str(error)) from None


@contextlib.contextmanager
def _usable(key: str, file: str) -> Iterator[None]:
    """In here the file is read that `key` names."""
    try:
        yield
    except (OSError, ValueError) as error:  # ssl's errors are such
        why = getattr(error, "strerror", None) or str(error)
        raise HexboardError("hub.file", key=key, file=file, why=why) from None


async def streams(client: "Client") -> "JetStreamContext":
    """Both streams, made where they are not. Raises whatever the library does."""
    from nats.js.errors import NotFoundError

    js = client.jetstream(timeout=ANSWER_S)
    for name, subject in SUBJECTS.items():
        try:
            await js.stream_info(name)
        except NotFoundError:
            await _make(js, name, subject)
    return js


async def _make(js: "JetStreamContext", name: str, subject: str) -> None:
    """A stream, unless another board makes it at this moment."""
    from nats.js.api import DiscardPolicy, StreamConfig
    from nats.js.errors import BadRequestError, NotFoundError

    # a full stream refuses what is new, and the board keeps it; nothing old is forgotten
    new = StreamConfig(
        name=name,
        subjects=[f"{subject}.*"],
        discard=DiscardPolicy.NEW if name == TOLD else DiscardPolicy.OLD,
        max_msgs_per_subject=1 if name == NOW else -1,
    )
    try:
        await js.add_stream(new)
    except BadRequestError as error:  # "subjects overlap": with those of the one being made
        try:
            await js.stream_info(name)
        except NotFoundError:
            raise error from None


def denied(error: Exception) -> bool:
    """Whether a server is there, and lets us not do this."""
    return any(it in str(error).lower() for it in ("permissions violation", "authorization"))


def reason(error: BaseException) -> str | Message:
    """What an error of the library says, in short."""
    told = getattr(error, "description", None) or away(error) or type(error).__name__
    return told if isinstance(told, Message) else str(told)[:200]

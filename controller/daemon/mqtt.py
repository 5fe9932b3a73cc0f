"""MQTT: what everybody may know, told to a broker, so that Home Assistant and others have it.

Each value has a topic of its own, is retained there, and is told when it changes, one message after
another. A broker that is slow or gone costs the table nothing: a thread of its own waits for it,
and tells it the newest once it is there. docs/open.md, "MQTT".
"""

import contextlib
import re
import socket as sockets
import ssl
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from hexboard.daemon.away import away, once
from hexboard.daemon.claim import NameClaim
from hexboard.daemon.homeassistant import discovery
from hexboard.facts import Decide, Ruling
from hexboard.game import registry
from hexboard.settings import MqttSettings
from hexboard.web import reach
from hexboard.web.keys import Key
from hexboard.web.public import Listener, PublicState, waiting, wrong
from hexboard.web.requests import NOBODY, FromPage, Said
from hexboard.web.server import Server
from hexboard.words import Message, message, say, speaking
from hexboard.words.errors import HexboardError

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage

KEEPALIVE_S = 30
"""So often the broker hears something; after half as long again it says that we are gone."""
SENT_S = 5.0
"""So long a message may take to leave before it is told anew."""
GOODBYE_S = 1.0
"""So long a broker is waited for that is told that we go."""
AGAIN_S, LONGEST_S = 1, 30
"""So long until what did not leave is told anew; and at most until a broker is looked for again."""
LONGEST = 200
"""Letters of a command that are read."""
NAME = "mqtt"
KEY = Key(NAME, name="MQTT", host=True)
"""What commands are said with, where the settings allow them."""


class _Tls(ssl.SSLContext):
    """The library would leave a socket open whose other end it does not trust: Python closes it
    where it shakes hands itself."""

    def wrap_socket(self, sock: sockets.socket, **how: Any) -> ssl.SSLSocket:  # type: ignore[override]
        return super().wrap_socket(sock, **how | {"do_handshake_on_connect": True})


class Mqtt:
    """Tells a broker of the board of this `name` and `title`, from what `server` publishes; what
    people have `called` it goes before both. Raises `HexboardError` where the library is not there.
    `close` it at the end."""

    def __init__(
        self,
        settings: MqttSettings,
        name: str,
        title: str,
        server: Server,
        echo: Callable[[str], None],
        called: str = "",
    ) -> None:
        self._settings, self._server, self._echo = settings, server, echo
        self._title, self._called, self._language = title, called, server.language
        self.node = _part(called or f"{reach.name()}-{name}")
        self.base = f"{settings.topic}/{self.node}"
        self._claim = NameClaim()
        self._announced = ""
        """What Home Assistant was told that the board is called."""
        self._state: PublicState | None = None
        self._refusals = deque[str](maxlen=8)
        self._sent: dict[str, str] = {}
        self._up = self._new = False
        """The broker is there; and has not heard of us yet."""
        self._ended = threading.Event()
        self._why = ""
        self._news = threading.Event()
        self._listener = Listener(NAME, self._language, self._hear, self._refused)
        self._client: Client | None = self._connecting()
        """It closes its own sockets once nobody holds it, so after the end nobody does."""
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)
        self._thread.start()
        self._client.loop_start()
        server.listen(self._listener)

    def _connecting(self) -> "Client":
        try:
            from paho.mqtt.client import Client  # an extra
            from paho.mqtt.enums import CallbackAPIVersion
        except ImportError:
            raise HexboardError("broker.not_installed") from None
        it = self._settings
        client = Client(CallbackAPIVersion.VERSION2, f"hexboard-{self.node}-{self._claim.id}")
        if it.user:
            client.username_pw_set(it.user, it.password)
        if it.tls:
            trusted = _Tls(ssl.PROTOCOL_TLS_CLIENT)
            trusted.load_default_certs()
            client.tls_set_context(trusted)
        client.will_set(f"{self.base}/available", "offline", qos=1, retain=True)
        client.on_connect, client.on_message = self._met, self._told
        client.on_disconnect = self._lost
        client.on_connect_fail = lambda *_: self._away(away(sys.exception() or TimeoutError()))
        client.reconnect_delay_set(AGAIN_S, LONGEST_S)
        client.connect_async(it.host, it.port, KEEPALIVE_S)
        return client

    @property
    def _at(self) -> str:
        return f"{self._settings.host}:{self._settings.port}"

    @property
    def _device(self) -> str:
        """What Home Assistant tells this board by: boards below topics of their own are others."""
        topic = self._settings.topic
        return self.node if topic == MqttSettings().topic else _part(f"{topic}-{self.node}")

    def close(self) -> None:
        """Say that the board is away, where the broker is there to hear it."""
        self._ended.set()
        self._news.set()
        self._thread.join(GOODBYE_S)
        client, self._client = self._client, None
        if client is None:
            return
        wire: Any = client.socket() if self._thread.is_alive() else None
        client.disconnect()
        if wire is not None:  # it reads nothing: what is still to be said, is not
            with contextlib.suppress(OSError):
                wire.shutdown(sockets.SHUT_RDWR)
        if self._up:  # else it looks for a broker, for as long as that takes, and dies with us
            client.loop_stop()
        client.on_connect = client.on_message = client.on_disconnect = client.on_connect_fail = None

    # ---------------------------------------------------------------------- in the web's thread

    def _hear(self, state: bytes) -> None:
        self._state = waiting(self._state, msgspec.json.decode(state, type=PublicState))
        self._news.set()

    def _refused(self, why: str) -> None:
        self._refusals.append(why)
        self._news.set()

    # --------------------------------------------------------------------- in the library's thread

    def _met(self, client: "Client", _: Any, __: Any, why: Any, *___: Any) -> None:
        """The broker has answered."""
        if why.is_failure:
            self._away(str(why))
            return
        topics = ["claim", "available", *(["set/+"] if self._settings.commands else [])]
        client.subscribe([(f"{self.base}/{topic}", 1) for topic in topics])
        self._ask(client)
        self._new, self._up = True, True
        self._news.set()

    def _ask(self, client: "Client") -> None:
        """Ask whether another board has our name."""
        client.publish(f"{self.base}/claim", self._claim.ask(time.monotonic()), qos=1)

    def _lost(self, _: Any, __: Any, ___: Any, why: Any, *____: Any) -> None:
        there, self._up = self._up, False
        if there and not self._ended.is_set():  # else it is said why it let us not in
            self._away(str(why))

    def _away(self, why: str | Message) -> None:
        """Say once why the broker is not there."""
        self._said(message("broker.away", at=self._at, why=why), once(why))

    def _said(self, told: Message, reason: str) -> None:
        """Say once why nothing is told."""
        if reason != self._why:
            self._why = reason
            self._echo(say(told, self._language))

    def _told(self, client: "Client", _: Any, heard: "MQTTMessage") -> None:
        """Somebody says something; what is retained was said before, to whoever was there."""
        if heard.retain:
            return
        text = heard.payload[: 4 * LONGEST].decode("utf-8", "replace").strip()[:LONGEST]
        name = heard.topic.removeprefix(f"{self.base}/")
        if name == "claim":
            if answer := self._claim.heard(text, time.monotonic()):
                client.publish(heard.topic, answer, qos=1)
            self._news.set()
        elif not self._claim.held:
            return  # it is said to the other board
        elif name != "available":
            self._commanded(name.removeprefix("set/"), text)
        elif text == "offline" and not self._ended.is_set():
            client.publish(heard.topic, "online", retain=True)  # the broker means another one

    def _commanded(self, name: str, text: str) -> None:
        """Somebody commands something."""
        said = command(name, text, self._state)
        if not isinstance(said, Message):
            asked = FromPage(NAME, NOBODY, said, KEY)
            if not self._listener.pace.too_fast() and self._server.pages.take(asked):
                return
            said = message("web.too_fast")
        self._refused(say(said, self._language))

    # ------------------------------------------------------------------------ in our own thread

    def _run(self) -> None:
        with speaking(self._language):
            while not self._ended.is_set():
                left = self._claim.until - time.monotonic()
                self._news.wait(max(left, 0) if self._up and not self._claim.held else None)
                self._news.clear()
                self._try()
            with contextlib.suppress(RuntimeError):
                if self._up and self._claim.held:
                    self._publish(f"{self.base}/available", "offline")
                    if self._state is not None and self._sent:
                        self._tell_of(nameless(self._state))

    def _try(self) -> None:
        """Tell what is new; all of it anew where something did not leave."""
        try:
            if self._up and not self._ended.is_set() and self._ours():
                self._tell()
        except RuntimeError:  # it went, or reads nothing: it hears all once it does
            self._new = True
            self._ended.wait(AGAIN_S)
            if self._up:
                self._news.set()

    def _ours(self) -> bool:
        """Whether the name is ours; where another board has it that is said, and asked again."""
        if self._claim.turn(time.monotonic()) and self._client is not None:
            self._ask(self._client)
        if self._claim.other:
            self._new = True
            self._said(message("broker.other", at=self._at, name=self.node), "other")
        elif self._claim.held:
            self._why = ""
        return self._claim.held

    def _tell(self) -> None:
        if self._new:
            self._new, self._announced = False, ""
            self._sent.clear()
            self._publish(f"{self.base}/available", "online")
        title = self._called or (self._state and self._state.board) or self._title
        if title != self._announced:
            configs = discovery(
                prefix=self._settings.discovery,
                base=self.base,
                node=self._device,
                title=title,
                commands=self._settings.commands,
            )
            for topic, text in configs:
                self._publish(topic, text)
            self._announced = title
        while self._refusals:
            self._publish(f"{self.base}/refused", self._refusals.popleft(), retain=False)
        if self._state is not None:
            self._tell_of(self._state)

    def _tell_of(self, state: PublicState) -> None:
        """Publish what has changed of it."""
        for name, value in values(state).items():
            text = msgspec.json.encode(value).decode()
            if self._sent.get(name) != text:
                dated = msgspec.json.encode({**value, "at": state.at}).decode()
                self._publish(f"{self.base}/{name}", dated)
                self._sent[name] = text

    def _publish(self, topic: str, text: str, retain: bool = True) -> None:
        """Raises `RuntimeError` where it did not leave in time."""
        if self._client is None:
            raise RuntimeError
        sent = self._client.publish(topic, text, qos=0, retain=retain)
        sent.wait_for_publish(SENT_S)
        if not sent.is_published():
            raise RuntimeError


def _part(name: str) -> str:
    """A name as a part of a topic."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", name)


def nameless(state: PublicState) -> PublicState:
    """A state without what may name somebody, for a broker keeps for ever what it is told last."""
    still = replace(state, seats=(), active=-1, prompt="", question=None, scores=None, outcome=None)
    return replace(still, log=(), notices=())


def values(state: PublicState) -> dict[str, Mapping[str, object]]:
    """What is told of a state, by the last part of its topic; `text` is what people read."""
    names = state.seats
    points = state.scores or ()
    newest = next((line for line in state.log if not line.aside), None)
    asked = state.question
    ill = wrong(state)
    acts = 0 <= state.active < len(names)
    return {
        "game": {"text": registry.title(state.game), "game": state.game, "match": state.match},
        "phase": {"text": state.phase, "prompt": state.prompt},
        "turn": {
            "text": names[state.active] if acts else "",
            "seat": state.active if acts else -1,
        },
        "scores": {
            "text": ", ".join(f"{it} {n}" for it, n in zip(names, points, strict=False)),
            "scores": points,
            "outcome": state.outcome or "",
        },
        "question": {
            "text": asked.text if asked else "",
            "choices": [it.text for it in asked.choices] if asked else [],
        },
        "ruling": {
            "text": newest.text if newest else "",
            "rule": newest.rule if newest else "",
            "final": newest is not None and newest.final,
        },
        "health": {"text": "ON" if ill else "OFF", "why": ill},
        "paused": {"text": "ON" if state.paused else "OFF"},
    }


def command(name: str, text: str, state: PublicState | None) -> Said | Message:
    """What a command means, by the last part of its topic; or why it means nothing."""
    if name == "paused" and text in ("ON", "OFF"):
        return Ruling("pause" if text == "ON" else "go on")
    if name != "answer":
        return message("broker.no_command", name=name[:LONGEST], text=text)
    question = state.question if state else None
    if question is None:
        return message("broker.not_asked")
    for choice in question.choices:
        if text in (choice.name, choice.text):
            return Decide(question.id, choice.name)
    known = ", ".join(it.text for it in question.choices)
    return message("broker.no_choice", said=text, known=known)

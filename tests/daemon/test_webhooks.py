"""Webhooks: what happens is posted, and no address holds the table or another one up."""

import json
import socket
import subprocess
import threading
from collections.abc import Callable
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from hexboard.daemon import webhooks
from hexboard.daemon.webhooks import Receiver, WebhookEvent, Webhooks, happened, ruled
from hexboard.settings import Settings, WebhookSettings, load
from hexboard.words import say
from hexboard.words.errors import BadFile
from tests.daemon.test_mqtt import ASKED, LINE, shown, state
from tests.running import eventually
from tests.web.test_server import Site, heard

FINAL = {**LINE, "n": 4, "final": True}
EVERY = tuple(WebhookSettings().events)


@pytest.mark.parametrize(
    ("now", "events"),
    [
        ({}, []),
        ({"rev": 2, "prompt": "another"}, []),
        ({"match": "m2", "active": 0}, ["match"]),
        ({"active": 0}, ["turn"]),
        ({"log": [FINAL], "active": 0}, ["ruling", "turn"]),
        ({"log": [{**FINAL, "aside": True}]}, []),
        ({"log": [{**FINAL, "final": False}]}, []),
        ({"question": ASKED}, ["question"]),
        ({"scores": [1, 0], "active": 0}, ["over"]),
        ({"paused": True}, ["paused"]),
        ({"links": [{"source": "pico", "up": False, "why": ""}]}, ["health"]),
        ({"notices": ["The disk is full."]}, ["health"]),
    ],
)
def test_what_happened_between_two_states(now: dict[str, Any], events: list[str]) -> None:
    assert list(happened(state(), state(**now))) == events


def test_of_the_first_state_only_the_match_is_told_and_what_ends_is_told_once() -> None:
    assert list(happened(None, state(question=ASKED))) == ["match"]
    over = state(scores=[1, 0])
    assert list(happened(over, over)) == []
    assert list(happened(state(question=ASKED), state())) == []
    assert list(happened(state(log=[FINAL]), state(log=[FINAL, LINE]))) == []


def test_every_ruling_is_in_one_event_whatever_became_final_first() -> None:
    """Of lines 2, 3, 5 and 6 a word of the host's, 5, is final at once; the others only later."""
    lines = [{**LINE, "n": n, "final": n == 5, "aside": n == 6} for n in (6, 5, 3, 2)]
    first, second = state(), state(log=lines)
    third = state(log=[{**it, "final": True} for it in lines])
    assert [it.n for it in ruled(first, second)] == [5]
    assert [it.n for it in ruled(second, third)] == [2, 3]
    assert list(happened(second, third)) == ["ruling"]
    assert ruled(third, third) == ()


class Address:
    """Somebody's server: what was posted there, and what it answers, one status after another."""

    def __init__(self, stack: ExitStack, *answers: int) -> None:
        self.heard: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.bodies: list[bytes] = []
        self.signed: list[str] = []
        self.open = threading.Event()
        """While it is not set nobody gets an answer."""
        self.open.set()
        left = list(answers)
        ours = self

        class Answering(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                ours.open.wait()
                assert self.headers["Content-Type"] == "application/json"
                ours.heard.append(json.loads(body))
                ours.bodies.append(body)
                ours.signed.append(self.headers.get("Hexboard-Signature", ""))
                ours.paths.append(self.path)
                self.send_response(left.pop(0) if left else 204)
                self.end_headers()

            def log_message(self, *_: object) -> None: ...

        server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        stack.callback(server.server_close)
        stack.callback(server.shutdown)
        stack.callback(self.open.set)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        self.host = f"127.0.0.1:{server.server_port}"
        self.url = f"http://{self.host}/hook?key=1"

    @property
    def events(self) -> list[str]:
        return [it["event"] for it in self.heard]


Begin = Callable[..., Webhooks]


@pytest.fixture
def begin(site: Site, stack: ExitStack) -> Begin:
    def beginning(*urls: str, said: list[str] | None = None, events: Any = EVERY) -> Webhooks:
        echo: list[str] = [] if said is None else said
        hooks = Webhooks(
            WebhookSettings(urls, events), "My board", site.server, echo.append, "board-2"
        )
        stack.callback(hooks.close)
        return hooks

    return beginning


def test_what_happens_is_posted_with_the_state_and_no_hand(
    site: Site, stack: ExitStack, begin: Begin
) -> None:
    address = Address(stack)
    begin(address.url)
    shown(site)
    shown(site, rev=2, active=0)
    shown(site, rev=3, active=0, prompt="nothing new")
    shown(site, rev=4, active=0, question=ASKED)
    eventually(lambda: address.events == ["match", "turn", "question"])
    last = address.heard[-1]
    assert set(last) == {"version", "id", "event", "name", "board", "missed", "rulings", "state"}
    assert last["name"] == "board-2"
    assert (last["version"], last["board"], last["missed"]) == (1, "My board", 0)
    assert (last["state"]["rev"], last["state"]["question"]) == (4, ASKED)
    assert len({it["id"] for it in address.heard}) == 3
    assert address.paths[0] == "/hook?key=1"
    assert "the ace" not in str(address.heard)


def test_with_a_secret_each_post_is_signed(site: Site, stack: ExitStack, tmp_path: Path) -> None:
    """Held against openssl."""
    address = Address(stack)
    settings = WebhookSettings((address.url,), EVERY, "Straße")
    stack.callback(Webhooks(settings, "My board", site.server, print).close)
    shown(site)
    eventually(lambda: address.events == ["match"])
    asked = ["openssl", "dgst", "-sha256", "-hmac", "Straße"]
    said = subprocess.run(asked, input=address.bodies[0], capture_output=True, check=True).stdout
    assert address.signed == [f"sha256={said.split()[-1].decode()}"]


def test_without_a_secret_nothing_is_signed(site: Site, stack: ExitStack, begin: Begin) -> None:
    address = Address(stack)
    begin(address.url)
    shown(site)
    eventually(lambda: address.signed == [""])


def test_a_ruling_is_posted_with_its_lines(site: Site, stack: ExitStack, begin: Begin) -> None:
    address = Address(stack)
    begin(address.url)
    shown(site)
    shown(site, rev=2, active=0, log=[{**FINAL, "n": 9}, FINAL])
    eventually(lambda: address.events == ["match", "ruling", "turn"])
    assert [[it["n"] for it in one["rulings"]] for one in address.heard] == [[], [4, 9], []]


def test_the_board_that_is_played_on_is_told_not_the_one_that_was_begun_with(
    site: Site, stack: ExitStack, begin: Begin
) -> None:
    address = Address(stack)
    begin(address.url)
    shown(site, board="Five hexes a side")
    [told] = eventually(lambda: address.heard)
    assert (told["board"], told["state"]["board"]) == ("Five hexes a side",) * 2


def test_while_a_card_is_dealt_the_turn_is_no_other_one(
    site: Site, stack: ExitStack, begin: Begin
) -> None:
    address = Address(stack)
    begin(address.url, events=("turn", "over"))
    for rev, active in enumerate((1, -1, 1, -1, 0, -1)):
        shown(site, rev=rev, active=active)
    shown(site, active=-1, scores=[1, 0])
    eventually(lambda: address.events[-1:] == ["over"])
    assert address.events == ["turn", "over"]
    assert [it["state"]["active"] for it in address.heard] == [0, -1]


def test_only_what_was_chosen_is_posted(site: Site, stack: ExitStack, begin: Begin) -> None:
    address = Address(stack)
    begin(address.url, events=("over",))
    shown(site)
    shown(site, active=0)
    shown(site, scores=[0, 1], outcome="White wins.")
    eventually(lambda: address.events == ["over"])


def test_what_was_not_taken_is_posted_again_and_people_are_told_once(
    site: Site, stack: ExitStack, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "AGAIN_S", 0.001)
    said: list[str] = []
    address = Address(stack, 503, 429)
    begin(address.url, said=said)
    shown(site)
    shown(site, active=0)
    eventually(lambda: address.events == ["match", "match", "match", "turn"])
    assert len({it["id"] for it in address.heard}) == 2
    told = (
        f"{address.host} does not take what happens here (HTTP 503). "
        "It is tried again a few times; the game goes on."
    )
    assert said[0] == told
    assert len(said) == 2, "and of the other reason"


def test_what_is_refused_for_good_is_not_posted_again_and_counts_as_missed(
    site: Site, stack: ExitStack, begin: Begin
) -> None:
    address = Address(stack, 404, 302)
    told: list[str] = []
    begin(address.url, said=told)
    shown(site)
    shown(site, active=0)
    shown(site, active=1)
    eventually(lambda: address.events == ["match", "turn", "turn"])
    assert [it.partition(", and ")[0] for it in told] == [
        f"{address.host} does not take what happens here (HTTP {it})" for it in (404, 302)
    ]
    assert not any("tried again" in it for it in told)
    assert [it["missed"] for it in address.heard] == [0, 1, 2]


def test_a_dead_and_a_silent_address_hold_up_neither_pages_nor_others(
    site: Site, stack: ExitStack, begin: Begin
) -> None:
    silent = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    with socket.socket() as dead:
        dead.bind(("127.0.0.1", 0))
        gone = dead.getsockname()[1]
    address = Address(stack)
    begin(f"http://127.0.0.1:{silent.getsockname()[1]}", f"http://127.0.0.1:{gone}", address.url)
    with site.page() as page:
        for rev in range(10):
            shown(site, rev=rev, active=rev % 2)
        site.server.publish("last", b'{"type":"last"}')
        while heard(page).get("type") != "last":
            pass
    eventually(lambda: len(address.heard) == 10)


def test_no_more_waits_than_the_queue_holds_and_who_reads_again_is_told_what_it_missed(
    stack: ExitStack,
) -> None:
    address = Address(stack)
    address.open.clear()
    receiver = Receiver(address.url, lambda told: None)
    stack.callback(receiver.end)

    def event(n: int) -> WebhookEvent:
        return WebhookEvent(id=str(n), event="turn", board="b", state=state())

    receiver.post(event(0))
    eventually(lambda: not receiver._waiting)  # it is on its way
    for n in range(1, 1001):
        receiver.post(event(n))
    assert len(receiver._waiting) == webhooks.QUEUE
    address.open.set()
    eventually(lambda: len(address.heard) == webhooks.QUEUE + 1)
    first, second = address.heard[:2]
    assert (first["id"], second["id"], address.heard[-1]["id"]) == ("0", "937", "1000")
    assert (first["missed"], second["missed"]) == (0, 936)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("example.org/hook", "example.org/…"),
        ("ftp://example.org", "ftp://example.org"),
        ("https://me:secret@example.org/", "https://…@example.org/…"),
        ("https://me:sec/ret@example.org/", "https://…"),
        ("https://example.org:99999/", "https://example.org:99999/…"),
        ("https://example.org/a secret", "https://example.org/…"),
        ("https://me@example.org?secret", "https://…@example.org/…"),
        ("https:///hook", "https:///…"),
    ],
)
def test_what_is_no_address_is_refused_with_its_line_and_without_what_may_be_secret(
    tmp_path: Path, url: str, said: str
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f'[webhooks]\nurls = ["{url}"]\n', "utf-8")
    with pytest.raises(BadFile) as refused:
        load(file)
    [mistake] = refused.value.mistakes
    assert f"settings.toml:2: webhooks.urls: {said} is no address" in say(mistake)


@pytest.mark.parametrize(
    "url", ["http://[::1]:8080/x?y=z", "https://example.org", "http://pi.local:1880/hook"]
)
def test_addresses_that_people_have_are_taken(tmp_path: Path, url: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f'[webhooks]\nurls = ["{url}"]\nevents = ["over"]\n', "utf-8")
    assert load(file).webhooks == WebhookSettings((url,), ("over",))
    assert Settings().webhooks.urls == ()


def test_after_the_last_try_nothing_is_waited_for(
    site: Site, stack: ExitStack, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six tries are five pauses (docs/open.md)."""
    monkeypatch.setattr(webhooks, "AGAIN_S", 0.001)
    pauses: list[float] = []
    waited = webhooks.Receiver._waited

    def pauses_noted(it: webhooks.Receiver, seconds: float) -> bool:
        pauses.append(seconds)
        return waited(it, seconds)

    monkeypatch.setattr(webhooks.Receiver, "_waited", pauses_noted)
    address = Address(stack, *[503] * 6)
    begin(address.url)
    shown(site)
    shown(site, active=0)
    eventually(lambda: "turn" in address.events)
    assert pauses == [0.001, 0.002, 0.004, 0.008, 0.016]

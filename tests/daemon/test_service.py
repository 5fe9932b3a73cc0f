"""What pages asked for as one game ended and another began (`hexboard.daemon.service`)."""

import json
from pathlib import Path

from websockets.sync.client import connect

from hexboard.board import find, load
from hexboard.daemon import Run
from hexboard.daemon.service import Service
from hexboard.devices.mailbox import Mailbox
from hexboard.settings import Settings
from hexboard.web.requests import Curtain, FromPage, Watch
from tests.running import PATIENCE, Served, eventually


def test_who_named_a_request_is_answered_though_its_game_has_ended(tmp_path: Path) -> None:
    """A closed curtain is closed all the same; what was meant for that game came to nothing."""
    run = Run(load(find("hexhex-5")), tmp_path, Settings(), "hexalma", simulate=True, port=0)
    service, before = Service(run, lambda _: None), Mailbox[FromPage]()
    service.open(before)
    try:
        server, token = service.server, (tmp_path / "token").read_text("ascii").strip()
        server.publish("state", b'{"type":"state"}')
        with Served(f"http://127.0.0.1:{server.port}/?token={token}").page() as page:
            (source,) = [it.source for it in server.pages]
            service.hear(before)
            before.ask(FromPage(source, -1, Curtain(-1), id=5))
            before.ask(FromPage(source, -1, Watch(True), id=6))
            service.hear(Mailbox[FromPage]())
            heard: dict[int, bool] = {}

            def answered() -> bool:
                told = page.listen(20)
                if told["type"] in ("taken", "refused"):
                    heard[told["id"]] = told["ok"]
                return len(heard) == 2

            assert eventually(answered)
            assert heard == {5: True, 6: False}
    finally:
        service.close()


def test_a_line_that_was_said_to_a_game_which_has_ended_is_refused(tmp_path: Path) -> None:
    run = Run(load(find("hexhex-5")), tmp_path, Settings(), "hexalma", simulate=True, port=0)
    service, before = Service(run, lambda _: None), Mailbox[FromPage]()
    service.open(before)
    try:
        server, token = service.server, (tmp_path / "token").read_text("ascii").strip()
        there = Served(f"http://127.0.0.1:{server.port}/?token={token}")
        headers = {"Cookie": there.cookie, "Origin": there.origin}
        to = f"ws://127.0.0.1:{there.port}/referee"
        with connect(to, additional_headers=headers, close_timeout=0.2) as wire:
            service.hear(before)
            wire.send('{"do":"state","id":7}')
            eventually(lambda: before._asked.total())
            service.hear(Mailbox[FromPage]())
            told = json.loads(wire.recv(PATIENCE))
            assert (told["id"], told["ok"], told["key"]) == (7, False, "front.changing")
    finally:
        service.close()

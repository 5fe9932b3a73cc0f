"""What pages asked for as one game ended and another began (`hexboard.daemon.service`)."""

from pathlib import Path

from hexboard.board import find, load
from hexboard.daemon import Run
from hexboard.daemon.service import Service
from hexboard.devices.mailbox import Mailbox
from hexboard.settings import Settings
from hexboard.web.requests import Curtain, FromPage, Watch
from tests.running import Served, eventually


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

"""What leaves a board that runs with hidden cards: to a broker, an address, and who asks."""

import http.client
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from tests.daemon.test_mqtt import Broker
from tests.daemon.test_webhooks import Address
from tests.running import PATIENCE, Page, Running, eventually

EVENTS = '["match", "ruling", "turn", "question", "over", "paused", "health"]'

DEPLOYS = "Gondwana: deploy"
"""What is said once both have kept the cards that they drew."""


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def chooses(seat: int, state: dict[str, Any]) -> bool:
    """Whether a seat is shown, and is to act."""
    return bool(state["side"] == seat == state["active"])


def drawn(page: Page, seat: int) -> list[str]:
    """The hand of a seat, once its curtain is open, its three cards are drawn, and it is to act."""

    def there(state: dict[str, Any]) -> Any:
        return chooses(seat, state) and len(state["hand"]) == 3 and state["hand"]

    page.send("curtain", side=seat)
    found: list[str] = page.until(there)
    return found


@pytest.mark.long
def test_nothing_that_leaves_names_a_card_of_a_hand(
    start: Callable[..., Running], home: Path, tmp_path: Path, stack: ExitStack
) -> None:
    broker, address = Broker(tmp_path, stack), Address(stack)
    broker.start()
    settings = home / "settings.toml"
    settings.write_text(
        f'{settings.read_text("utf-8")}\n[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\n'
        f'[webhooks]\nurls = ["{address.url}"]\nevents = {EVENTS}\n',
        "utf-8",
    )
    running = start("--game", "knee-deep", "--option", "starter=gondwana")
    stream = stack.enter_context(
        connect(f"ws://127.0.0.1:{running.port}/api/events?token={running.token}")
    )
    hands: list[str] = []
    with running.page() as page:
        for seat in (0, 1):
            page.send("curtain", side=seat)
            page.until(partial(chooses, seat))
            page.send("declare", seat=seat, action="companions general tech")
        for seat in (0, 1):
            hands += [card.partition(":")[0] for card in drawn(page, seat)]
            page.send("declare", seat=seat, action="keep")
    assert len(hands) == 6
    eventually(lambda: DEPLOYS in str(broker.told("phase")[-1:]))
    heard: list[str] = []
    while DEPLOYS not in (heard or [""])[-1]:
        heard.append(str(stream.recv(timeout=PATIENCE)))
    eventually(lambda: address.events.count("ruling") > 1)
    with closing(http.client.HTTPConnection("127.0.0.1", running.port, timeout=PATIENCE)) as asking:
        asking.request("GET", f"/api/state?token={running.token}")
        heard.append(asking.getresponse().read().decode())
    left = f"{heard}{broker.heard}{address.heard}"
    assert "Bukseon" in left
    assert [card for card in hands if card in left] == []

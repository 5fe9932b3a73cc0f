"""Requests of a page that have a name are answered by it, as docs/contracts.md says ("Page")."""

import json
import time
from collections.abc import Callable
from typing import Any

from tests.running import PATIENCE, Page, Running


def answers(page: Page, count: int) -> list[dict[str, Any]]:
    """The next answers to requests."""
    found: list[dict[str, Any]] = []
    end = time.monotonic() + PATIENCE  # beats come for ever
    while len(found) < count:
        assert time.monotonic() < end, f"answers are missing: {found}"
        told = page.listen(PATIENCE)
        if told["type"] in ("refused", "taken"):
            found.append(told)
    return found


def test_a_named_request_is_answered_once_with_key_rule_and_values(
    start: Callable[..., Running],
) -> None:
    running = start("--game", "hexalma")
    with running.page() as page, running.page() as other:
        page.until(lambda s: s["moves"])
        page.send("declare", seat=-1, action="b1-c1", id="it")
        page.send("declare", seat=-1, action="b1-c1", id=7)
        page.send("declare", seat=-1, action="b1-c1", id=8)
        page.send("invite", seat=1, id=9)
        page.send("dance", id=10)
        page.send("watch", on=False, id=["no name"])
        page.send("watch", on=False)  # nobody wants to know
        page.send("watch", on=False, id=-1)
        told = answers(page, 7)  # what the table does not hear may be answered before it has
        known = {it["id"]: it for it in told if "id" in it}
        assert {id for id, it in known.items() if it["ok"]} == {"it", 9, -1}
        assert {id for id, it in known.items() if not it["ok"]} == {7, 8, 10}
        assert all(it["type"] == ("taken" if it["ok"] else "refused") for it in told)
        reason = known[7].pop("reason")
        assert known[7] == {
            "type": "refused",
            "id": 7,
            "ok": False,
            "key": "hexalma.empty",
            "rule": "ALMA-3.1",
            "values": {"cell": "b1"},
        }
        assert "b1" in reason
        nameless = next(it for it in told if "id" not in it)
        assert known[10]["key"] == nameless["key"] == "web.no_command"
        other.until(lambda s: s["line"]["n"] == 1)
        assert not other.heard["refused"] + other.heard["taken"]


def test_a_named_request_in_a_stream_that_is_too_fast_is_refused_by_its_name(
    start: Callable[..., Running],
) -> None:
    running = start("--game", "hexalma")
    with running.page() as page:
        for number in range(30):
            page.socket.send(json.dumps({"type": "curtain", "side": -1, "id": number}))
        told = answers(page, 30)
        assert sorted(it["id"] for it in told) == list(range(30))
        assert {it["key"] for it in told if not it["ok"]} == {"web.too_fast"}

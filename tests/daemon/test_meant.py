"""What people say counts in the match that they meant, for the seats that are theirs by then."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from hexboard.board import plain
from hexboard.facts import Declare
from hexboard.web.requests import FromPage
from tests.evening import Evening, begin
from tests.running import Page, eventually

BEFORE = "Another match has begun meanwhile: that was meant for the one before, and does not count."


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def sat_down(at: Evening) -> list[Page]:
    """The pages of Ann's phone and Ben's, who sit down in this order."""
    keys = at.daemon.pages.server.keys
    pages = []
    for seat, name in enumerate(("Ann", "Ben")):
        pages.append(at.look(keys.accept(keys.invite(seat).secret, name, "", 0.0)))
    for page in (at.page, *pages):
        page.until(lambda s: s["seats"] == ["\u2068Ann\u2069", "\u2068Ben\u2069"])
    return pages


def anew(at: Evening, **fields: object) -> None:
    """A host begins a new match, and sees it."""
    match = at.page.state["match"]
    at.page.send("new", match=match, **fields)
    at.page.until(lambda s: s["match"] != match and s["moves"])


@pytest.mark.parametrize(
    ("type", "fields"),
    [
        ("declare", {"seat": -1, "action": "resign black"}),
        ("declare", {"seat": -1, "action": "b3-c3", "after": -1}),
        ("touch", {"cells": ["b3"]}),
        ("decide", {"question": 1, "choice": "yes"}),
        ("ruling", {"do": "pause"}),
    ],
)
def test_what_was_said_in_the_match_before_does_not_count_in_the_next(
    stack: ExitStack, tmp_path: Path, type: str, fields: dict[str, object]
) -> None:
    """Ann gives up just as a host begins anew: the new match was over."""
    at = begin(stack, tmp_path, plain("hexhex-5"), "hexalma")
    ann, _ = sat_down(at)
    match = ann.state["match"]
    anew(at)
    ann.send(type, **fields, match=match)
    assert ann.refusal() == BEFORE
    assert at.entries == 0
    assert not at.daemon.view.paused
    ann.send("declare", seat=-1, action="b3-c3")  # a page that does not say where
    eventually(lambda: at.entries == 1)


def sent(at: Evening, who: str, *actions: str) -> Callable[[], None]:
    """Has the daemon hear what somebody's page sent, all in one go, with the key of now."""
    pages = at.daemon.pages.server.pages
    page = next(page for page in pages if page.key.name == who)
    asked = [FromPage(page.source, page.side, Declare(-1, it), page.key) for it in actions]

    def send() -> None:
        for request in asked:
            at.daemon.mailbox.ask(request)

    return send


def test_a_phone_that_a_new_match_seats_otherwise_makes_no_move_for_the_other(
    stack: ExitStack, tmp_path: Path
) -> None:
    """Ann's, who has the second seat in it, made Ben's first move."""
    at = begin(stack, tmp_path, plain("hexhex-5"), "hexalma")
    _, ben = sat_down(at)
    send = sent(at, "Ann", "b3-c3")
    anew(at, game="hexalma", names=["Ben", "Ann"])
    send()
    ben.until(lambda s: s["seats"][0] == "\u2068Ben\u2069")
    ben.send("declare", seat=-1, action="b4-c4")
    assert at.page.until(lambda s: s["line"]["last"]) == [[0, 0, "b4-c4"]]


def test_who_swaps_and_moves_in_one_go_does_not_move_for_the_other(
    stack: ExitStack, tmp_path: Path
) -> None:
    """The page heard of the swap, and with it the key, only after both."""
    at = begin(stack, tmp_path, plain("rhombus-11"), "bad-santa-hex", swap=True)
    ann, _ = sat_down(at)
    for action in ("a1", "a10", "die 1"):
        at.act(action)
    sent(at, "Ben", "swap", "e5")()
    ann.until(lambda s: s["active"] == 1 and s["line"]["n"] == 4)
    ann.send("declare", seat=-1, action="e6")
    line = at.page.until(lambda s: s["line"]["n"] == 5 and s["line"]["last"])
    assert line[-1][1] == 1
    assert line[-1][2].endswith("e6")


def test_who_was_thrown_off_is_not_heard_any_more(stack: ExitStack, tmp_path: Path) -> None:
    at = begin(stack, tmp_path, plain("hexhex-5"), "hexalma")
    sat_down(at)
    send = sent(at, "Ann", "b3-c3")
    keys = at.daemon.pages.server.keys
    (ann,) = (key.id for key in keys.people if key.name == "Ann")
    at.daemon.pages.server.rekey(lambda keys: keys.drop(ann))
    eventually(lambda: len(keys.people) == 1)
    send()
    at.act("b4-c4")
    assert at.entries == 1

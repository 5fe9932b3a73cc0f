"""What is published reaches every page as its own, the latest alone, whatever others do."""

import asyncio
import contextlib
import json
import socket
import struct
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hexboard.web.differences import put_back
from hexboard.web.page import OpenPage
from tests.running import eventually
from tests.web.test_server import Site, heard

SIDES = st.integers(-1, 2)
PUT = st.tuples(st.just("put"), st.sampled_from(["state", "pixels", "balls"]), SIDES)
WORDS = st.text("ab", max_size=40)
LOOK = st.tuples(st.just("look"), st.just(""), SIDES)


async def sent(page: OpenPage) -> list[str]:
    """What a page is sent now."""
    told: list[str] = []

    async def send(text: str) -> None:
        told.append(text)

    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(0):
            await page.send(send)
    return told


async def sent_twice(page: OpenPage) -> tuple[list[str], list[str]]:
    return await sent(page), await sent(page)


@given(st.lists(PUT | LOOK, max_size=30))
def test_a_slow_page_has_the_latest_of_each_kind_waiting_and_nothing_of_another_side(
    steps: list[tuple[str, str, int]],
) -> None:
    """Beside it a list that forgets nothing until it is asked."""
    page, side, told = OpenPage("page 1"), -1, list[tuple[str, int, int]]()
    for at, (step, kind, whose) in enumerate(steps):
        if step == "look":
            page.look(whose)
            if whose != side:  # else what waits is still for it
                told = [(kind, of, n) if of < 0 else (kind, of, -1) for kind, of, n in told]
            side = whose
        else:
            page.put(kind, whose, str(at))
            told.append((kind, whose, at))
    last = {kind: (of, n) for kind, of, n in told}
    assert len(page.latest) <= 3
    expected = {str(n) for of, n in last.values() if n >= 0 and of in (-1, side)}
    shown, again = asyncio.run(sent_twice(page))
    assert (set(shown), len(shown), again) == (expected, len(expected), [])


STATES = st.lists(
    st.fixed_dictionaries({"log": st.lists(st.integers(0, 9), max_size=6), "own": WORDS}),
    min_size=1,
    max_size=8,
)


@given(STATES, st.data())
def test_a_page_that_puts_states_together_has_each_that_it_is_sent(
    states: list[dict[str, Any]], data: st.DataObject
) -> None:
    """Some are never sent to it, as it is slow; what comes is made of the last that was."""
    page = OpenPage("page 1")
    page.differing = True

    async def evening() -> None:
        has, newest = dict[str, Any](), 0
        for rev, state in enumerate(states, start=1):
            page.put("state", -1, json.dumps({"type": "state", "rev": rev} | state))
            if data.draw(st.booleans()):
                (text,) = await sent(page)
                told = json.loads(text)
                if told["type"] == "changed":
                    assert told["of"] == newest
                    told = put_back(has, told["state"])
                assert told == {"type": "state", "rev": rev} | state
                has, newest = told, rev

    asyncio.run(evening())


def test_a_page_that_asks_for_differences_is_sent_them_and_others_whole_states(site: Site) -> None:
    texts = [json.dumps({"type": "state", "rev": k, "own": "x" * 999}) for k in (1, 2)]
    told = [json.loads(texts[0]), {"type": "changed", "of": 1, "state": {"rev": 2}}]
    with site.page() as plain, site.page(query="?differences") as page:
        for text, lean in zip(texts, told, strict=True):
            site.server.publish("state", text.encode())
            assert heard(plain) == json.loads(text)
            assert heard(page) == lean
        with site.page(query="?differences") as later:
            assert heard(later) == json.loads(texts[1])


def test_a_page_whose_key_ended_while_it_came_is_shown_nothing() -> None:
    """Its line may be accepted before somebody throws it off, and be here after."""
    page = OpenPage("page 1")
    page.put("state", -1, "the game")
    page.barred.set()
    assert asyncio.run(sent(page)) == []


def test_a_phone_that_breaks_off_and_one_without_a_view_harm_nobody(site: Site) -> None:
    with site.page() as ann, site.page() as ben, site.page() as broken:
        for page, side in ((ann, 0), (ben, 1)):
            page.send(json.dumps({"type": "curtain", "side": side}))
        eventually(lambda: {it[0] for it in site.server.looking} - {-1} == {0, 1})
        for n in range(30):
            if n == 10:  # a phone whose battery is out: the line is reset in mid-stream
                linger = struct.pack("ii", 1, 0)
                broken.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                broken.socket.close()
            views = {(0, "en"): f'{{"of":0,"n":{n}}}'.encode()}  # Ben's view could not be made
            site.server.publish("state", f'{{"of":-1,"n":{n}}}'.encode(), views)
        for page, side in ((ann, 0), (ben, -1)):
            told = heard(page)
            while told["n"] < 29:
                assert told["of"] == side
                told = heard(page)
            assert told == {"of": side, "n": 29}
        eventually(lambda: len(site.server.pages) == 2)

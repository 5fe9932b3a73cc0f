"""What is published reaches every page as its own, the latest alone, whatever others do."""

import asyncio
import contextlib
import json
import socket
import struct
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexboard.web.page import OpenPage
from tests.running import eventually
from tests.web.test_server import Site, heard

SIDES = st.integers(-1, 2)
PUT = st.tuples(st.just("put"), st.sampled_from(["state", "pixels", "balls"]), SIDES)
LOOK = st.tuples(st.just("look"), st.just(""), SIDES)


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.server.close()


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
            side = whose
            told = [(kind, of, n) if of < 0 else (kind, of, -1) for kind, of, n in told]
        else:
            page.put(kind, whose, str(at))
            told.append((kind, whose, at))
    last = {kind: (of, n) for kind, of, n in told}
    assert len(page.latest) <= 3
    expected = {str(n) for of, n in last.values() if n >= 0 and of in (-1, side)}
    shown, again = asyncio.run(sent_twice(page))
    assert (set(shown), len(shown), again) == (expected, len(expected), [])


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
        eventually(lambda: len(site.server._pages) == 2)

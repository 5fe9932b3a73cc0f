"""Whether somebody answers for this computer's name: by answers as RFC 6762 and 1035 have them."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from hexboard.daemon.greeting import named
from hexboard.web import mdns
from hexboard.words import say
from tests.running import PATIENCE

ASKED = b"\0\0\0\0\0\1\0\0\0\0\0\0\2pi\5local\0\0\1\0\1"
"""What is asked for pi.local: one question, type A, class IN."""
HEAD = b"\0\0\x84\0\0\1\0\2\0\0\0\0\2pi\5local\0\0\1\0\1"
SIX = b"\xc0\x0c\0\x1c\0\1\0\0\0\x0a\0\x10" + bytes(16)
FOUR = b"\xc0\x0c\0\1\0\1\0\0\0\x0a\0\4\xc0\xa8\1\x14"

Answering = Callable[[bytes], tuple[str, int]]


@pytest.fixture
def answering() -> Iterator[Answering]:
    """Somebody who answers the next question so, and checks it; where they are."""
    with ExitStack() as stack:

        def begin(answer: bytes) -> tuple[str, int]:
            here = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            here.bind(("127.0.0.1", 0))
            here.settimeout(PATIENCE)

            def serve() -> None:
                question, asking = here.recvfrom(9000)
                here.sendto(answer if question == ASKED else b"", asking)

            thread = threading.Thread(target=serve)
            thread.start()
            stack.callback(thread.join)
            where: tuple[str, int] = here.getsockname()
            return where

        yield begin


def test_the_addresses_of_a_name_are_those_that_are_answered(answering: Answering) -> None:
    assert mdns.addresses("pi.local", answering(HEAD + SIX + FOUR)) == {"192.168.1.20"}


@pytest.mark.parametrize(
    "answer",
    [b"", b"\xff" * 9, HEAD[:-5], HEAD + SIX, HEAD + FOUR[:-2], HEAD + b"\x3f", bytes(900)],
)
def test_what_is_no_answer_has_no_address(answering: Answering, answer: bytes) -> None:
    assert mdns.addresses("pi.local", answering(answer)) == set()


def test_where_nobody_answers_that_is_known_soon() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as deaf:
        deaf.bind(("127.0.0.1", 0))
        assert mdns.addresses("pi.local", deaf.getsockname()) == set()


def test_nobody_answers_for_a_name_that_is_too_long() -> None:
    """Linux has computers of 64 letters; hexboard ended in a crash."""
    assert mdns.addresses(f"{64 * 'a'}.local") == set()


@pytest.mark.parametrize(
    ("addresses", "told"),
    [
        ({"10.0.0.3", "10.0.0.4"}, "when that address changes: http://pi.local:8765/?token=x"),
        ({"10.0.0.9"}, "Another computer answers for pi.local"),
        (set(), "sudo apt install avahi-daemon"),
    ],
)
def test_whether_the_name_leads_here_is_said_with_what_to_do(
    addresses: set[str], told: str
) -> None:
    assert told in say(named("http://10.0.0.3:8765/?token=x", "pi.local", addresses))

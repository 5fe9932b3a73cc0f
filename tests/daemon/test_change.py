"""A change of game, in this process: what waits, goes or comes just then."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from hexboard.board import find, load
from hexboard.web.keys import HOST
from hexboard.web.requests import FromPage, New
from tests.evening import Evening, begin


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Callable[..., Evening]]:
    with ExitStack() as stack:
        yield lambda board, game, **options: begin(
            stack, tmp_path, load(find(board)), game, **options
        )


def test_of_two_hosts_who_choose_at_once_one_begins_and_the_other_is_told(
    evening: Callable[..., Evening],
) -> None:
    at = evening("hexhex-5", "hexalma")
    ann, ben = at.page, at.look()
    mailbox = at.daemon.mailbox
    with mailbox._ready:  # neither is heard before the other
        for page, game in (("page 1", "hexel"), ("page 2", "bad-santa-cross")):
            match = at.daemon.match.name
            mailbox.ask(FromPage(page, -1, New(game=game, match=match), HOST))
    assert "somebody else has begun a game: Hex'el" in ben.refusal()
    for host in (ann, ben):
        host.until(lambda s: s["game"] == "hexel")
    assert not ann.refused

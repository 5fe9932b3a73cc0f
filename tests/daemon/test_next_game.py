"""The next game of an evening begins with what the last one left, or afresh."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hexboard.board import find, load
from hexboard.daemon import Run
from hexboard.record.recording import recordings_in
from hexboard.record.replay import Replay
from hexboard.settings import Settings
from tests.evening import Evening, go

HEXEL = (
    *("place e4 RBRBRB", "place e5 YYRRYR", "place e6 BBBYYY"),
    *("stake 3", "hedge 0 6", "hedge 1 9", "concede 0"),
)
"""Seat 1 takes 6 + 9 chips of Hedges into a Stock of 31; 34 are left in that of seat 0."""


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Callable[..., Evening]]:
    with ExitStack() as stack:
        yield lambda game="hexel", **more: go(
            stack, Run(load(find("hexhex-5")), tmp_path, Settings(), game, port=0, **more)
        )


def carried(at: Evening) -> object:
    return at.daemon.view.options.get("carried", "")


def stocks(at: Evening) -> list[str]:
    return [line.partition("Stock ")[2].partition(",")[0] for line in at.page.state["standing"]]


def offers(action: str, state: dict[str, Any]) -> bool:
    """Whether it can be played now: the cards are dealt first."""
    return any(name == action for name, *_ in state["moves"] + state["acts"])


def over(at: Evening) -> str:
    """Play a game of Hex'el to its end; the match's name."""
    for action in HEXEL:
        at.page.until(partial(offers, action))
        at.act(action)
    at.page.until(lambda s: s["phase"] == "over")
    return str(at.page.state["match"])


def again(at: Evening, how: str = "book") -> None:
    """Ask for the next match on the page, until it has begun."""
    match = at.page.state["match"]
    at.page.send("new", how=how)
    at.page.until(lambda s: s["match"] != match)


def test_the_next_game_begins_with_what_is_left_and_a_restart_and_a_replay_know_it(
    evening: Callable[..., Evening], tmp_path: Path
) -> None:
    at = evening()
    assert at.page.state["next"] == []
    over(at)
    assert at.page.state["next"] == [
        "Player 1 has 34 chips.",
        "Player 2 has 46 chips.",
        "Player 2 deals.",
    ]
    again(at, "next")
    assert (carried(at), stocks(at)) == ("dealer=1 stock=34;46", ["34", "46"])
    assert at.page.state["prompt"].startswith("Player 2: lay a card of the opening line")
    at.act("place e4 RBRBRB")
    at.end()
    cold = evening()  # a start that knows nothing of chips
    assert (carried(cold), stocks(cold)) == ("dealer=1 stock=34;46", ["34", "46"])
    cold.end()
    second = [it for it in map(Replay, recordings_in(tmp_path / "recordings")) if _next(it)]
    assert len(second) == 2
    for replay in second:
        assert not [step.differences for step in replay if step.differences]


def _next(replay: Replay) -> bool:
    """Whether a recording is of a match that begins with what another one left."""
    first = next(record for record in replay.recording if record.topic == "fact")
    return b"stock=34;46" in first.payload


def test_people_may_begin_afresh_instead(evening: Callable[..., Evening]) -> None:
    at = evening()
    over(at)
    again(at, "next")
    at.act("concede 0")
    at.page.until(lambda s: s["phase"] == "over")
    assert at.page.state["next"][-1] == "Player 1 deals."
    again(at)
    assert (carried(at), stocks(at)) == ("", ["40", "40"])
    assert at.page.state["prompt"].startswith("Player 1: lay a card")


@pytest.mark.long
def test_a_game_that_is_broken_off_begins_again_as_it_began(
    evening: Callable[..., Evening],
) -> None:
    at = evening()
    over(at)
    again(at, "next")
    at.act("place e4 RBRBRB")
    at.page.send("new", how="next")
    assert at.page.refusal() == ("Hex'el leaves nothing to a next game yet: this one is not over.")
    at.end()
    cold = evening()
    cold.page.rule("right")
    again(cold)
    assert (carried(cold), stocks(cold)) == ("dealer=1 stock=34;46", ["34", "46"])


@pytest.mark.long
def test_as_last_time_is_without_what_was_carried(evening: Callable[..., Evening]) -> None:
    begun = evening(options={"stock": 50})
    begun.act("concede 0")
    begun.page.until(lambda s: s["phase"] == "over")
    begun.end()
    at = evening()  # the next game has the options of the last one, whatever this start says
    again(at, "next")
    assert carried(at) == "dealer=1 stock=50;50"
    match = at.page.state["match"]
    at.page.send("new", game="hexel", how="house", match=match)
    at.page.until(lambda s: s["match"] != match)
    assert (carried(at), stocks(at)) == ("", ["50", "50"])


def test_a_game_that_carries_nothing_has_no_next_one(evening: Callable[..., Evening]) -> None:
    at = evening("hexalma")
    assert at.page.state["next"] == []
    at.page.send("new", how="next")
    assert "leaves nothing to a next game" in at.page.refusal()

"""Positions that somebody wrote: reachable, impossible, or a problem that could not come about."""

import json
from contextlib import nullcontext
from typing import Any

import pytest
from msgspec.structs import replace

from hexboard.board import plain
from hexboard.game import registry
from hexboard.game.referee import Referee
from hexboard.game.written import doubt, load
from hexboard.games import hexel, knee_deep
from hexboard.words.errors import BadText
from tests.cli import invoke
from tests.games.test_hexel import OPENING, TABLE, laid
from tests.games.test_knee_deep import BOARD, B, O, begun

RED = "RRRRRR"
CROSSING = 0


def loaded(game: Any, position: Any, board: Any, options: Any) -> str:
    """What is said of a position where nobody asked for a problem; it is read all the same."""
    text = str(position)
    assert str(load(game, text, board, options, problem=True)) == text
    try:
        assert str(load(game, text, board, options, problem=False)) == text
    except BadText as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("table", "changes", "said"),
    [
        (OPENING, {}, ""),
        (f"-1,0:RBRBRB 0,0:{RED} 1,0:BBBYYY", {}, "does not match"),
        (
            f"{OPENING} 3,0:{RED}",
            {"spot": "3,0", "placer": 1},
            "3,0 does not hang together",
        ),
        (OPENING, {"phase": "over", "hands": (b"", b"")}, "nothing has ended it"),
        (OPENING, {"phase": "over", "hands": (b"", b""), "out": (1,), "winner": 0}, ""),
        (
            OPENING,
            {"phase": "over", "hands": (b"", b""), "out": (1,), "winner": 1},
            "The rules have Player 1 win",
        ),
        (
            OPENING,
            {"phase": "over", "hands": (b"", b""), "out": (0, 1), "winner": 0},
            "Nobody wins",
        ),
        (OPENING, {"phase": "over", "hands": (b"", b""), "out": (0, 1)}, ""),
        (OPENING, {"placer": 1}, "placed last"),
    ],
)
def test_hexel(table: str, changes: dict[str, Any], said: str) -> None:
    options: dict[str, Any] = {"chips": "off", "seats": 2}
    first = laid(table, ("? ? ?", "? ? ?"), options)
    if "spot" in changes:
        changes = changes | {"spot": first.setting.grid.cell[changes["spot"]]}
    found = loaded(hexel.GAME, replace(first, **changes), TABLE, options)
    assert said in found
    assert bool(said) == ("could not come about" in found)


DEALT = (
    "deck=96b26487 phase=hedge turn=0 round=1 table=-1,0:YRRRRY;0,0:BBBYBY;1,0:BYYBBB spot=- "
    "placer=- drawn= hands=RRRRRR+RRRRRB+RRRRRY;RRRRBB+RRYRRY+YYYYYY discards=; out= hedged=1 "
    "edges=-;- latest=- winner=- eyes=- stake=28 stock=40;40 hedge=0;0 pot=0;0"
)
"""Both hold three (HEXEL-4.1), and the first one has still to hedge."""


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ""),
        ({"hands=RRRRRR+RRRRRB+RRRRRY;RRRRBB+RRYRRY+YYYYYY": "hands=;"}, "“hands” cannot be"),
        ({"+RRYRRY+YYYYYY": ""}, "equal deal"),
        ({"turn=0": "turn=1"}, "“turn” cannot be"),
        ({"=hedge": "=deal", "+YYYYYY": ""}, "“hedged” cannot be"),
        ({"=hedge": "=deal", "+YYYYYY": "", "hedged=1": "hedged="}, ""),
        ({"=hedge": "=deal", "+RRYRRY+YYYYYY": "", "hedged=1": "hedged="}, "equal deal"),
        ({"=hedge": "=place", "hedged=1": "hedged=0;1"}, ""),
        ({"=hedge": "=place", "hedged=1": "hedged=0;1", "+RRRRRY": ""}, "equal deal"),
    ],
)
def test_hands_of_hexel_go_with_what_is_next(changes: dict[str, str], said: str) -> None:
    text, options = DEALT, {"hands": "dealt"}
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new, 1)
    with pytest.raises(BadText, match=said) if said else nullcontext():
        load(hexel.GAME, text, TABLE, options, problem=False)


def test_hexel_does_not_go_on_after_a_hoxla() -> None:
    table = " ".join(f"{cell}:{RED}" for cell in ("-1,0", "0,0", "1,0", "0,-1"))
    position = laid(table, options={"chips": "off"})
    why = doubt(hexel.GAME, replace(position, spot=position.setting.grid.cell["0,-1"], placer=1))
    assert why is not None
    assert (why.key, why.rule) == ("hexel.past_end", "HEXEL-5.4")


@pytest.mark.parametrize(("winner", "key"), [(1, None), (0, "hexel.other_winner")])
def test_who_makes_a_hoxla_has_won_hexel(winner: int, key: str | None) -> None:
    table = " ".join(f"{cell}:{RED}" for cell in ("-1,0", "0,0", "1,0", "0,-1"))
    position = laid(table, options={"chips": "off"}, phase="over", placer=1, winner=winner)
    why = doubt(hexel.GAME, replace(position, spot=position.setting.grid.cell["0,-1"]))
    assert (why.key if why else None) == key


@pytest.mark.parametrize(
    ("changes", "options", "said"),
    [
        ({}, {}, ""),
        ({"marker": CROSSING, "marker_of": B}, {}, "Nobody could have placed the marker"),
        ({"marker": CROSSING, "marker_of": B, "round": 2}, {}, ""),
        ({"marker": CROSSING, "marker_of": O, "round": 2}, {}, "No position has this value"),
        ({"bonus": (1, 0)}, {}, "There is no war, and “bonus” belongs to one"),
        ({"quiet": 3}, {}, "So many turns (3)"),
        ({"quiet": 2}, {}, ""),
        ({"hurt": (1, 0)}, {}, "by the ruling hq_damage"),
        ({"hurt": (1, 0)}, {"hq_damage": "accumulates"}, ""),
        ({"hurt": (4, 0)}, {"hq_damage": "accumulates"}, "The HQ of Gondwana has no health"),
        ({"used": (0,)}, {}, "a companion that was not chosen"),
    ],
)
def test_knee_deep(changes: dict[str, Any], options: dict[str, Any], said: str) -> None:
    """Gondwana begins, in its first action phase, with general and tech: 2 health each."""
    position = replace(begun(**options), **changes)
    options = {"starter": "gondwana", "hands": "held"} | options
    if "No position" in said:
        with pytest.raises(BadText, match=said):
            load(knee_deep.GAME, str(position), BOARD, options, problem=True)
        return
    found = loaded(knee_deep.GAME, position, BOARD, options)
    assert said in found
    assert bool(said) == ("could not come about" in found)


def test_knee_deep_before_the_first_turn() -> None:
    position = replace(knee_deep.start(BOARD, {}), material=3)
    assert "nothing in “material” yet" in loaded(knee_deep.GAME, position, BOARD, {})


COMPOSED = "BBB../...../..W../...../..... W 2"


def test_hexalma_keeps_its_discs() -> None:
    game, board = registry.find("hexalma"), plain("hexhex-5")
    whole = "WWWWW/WWWWWW/7/8/9/8/7/BBBBBB/BBBBB b"
    assert loaded(game, whole, board, {}) == ""
    assert "10 black and 11 white, of 11" in loaded(game, whole[:-3] + "1 b", board, {})


def test_a_referee_loads_a_problem_where_it_is_asked_for() -> None:
    referee = Referee(registry.find("bad-santa-hex"), plain("rhombus-5"), {"size": 5})

    def ask(text: str, **how: Any) -> dict[str, Any]:
        asked = {"do": "load", "position": text, **how}
        answer: dict[str, Any] = json.loads(referee.line(json.dumps(asked).encode()))
        return answer

    refused = ask(COMPOSED)
    assert (refused["ok"], refused["key"], refused["is"]) == (False, "game.problem", "problem")
    assert "Black has 3 counters, but at turn 2 there are 1 to 1" in refused["reason"]
    taken = ask(COMPOSED, problem=True)
    assert (taken["ok"], taken["position"], taken["is"]) == (True, COMPOSED, "problem")
    assert taken["problem"].startswith("Black has 3 counters")
    begin = "...../...../...../...../..... B 1"
    assert ask(begin) == {"ok": True, "position": begin, "problem": "", "is": "reachable"}
    never = ask("B 1", problem=True)
    assert (never["ok"], never["is"]) == (False, "impossible")
    assert json.loads(referee.line(b'{"do": "position"}'))["position"] == begin


@pytest.mark.parametrize(("words", "code"), [((), 1), (("--problem",), 0)])
def test_so_does_the_command(words: tuple[str, ...], code: int) -> None:
    of = ("referee", "bad-santa-hex", "--option", "size=5", "--position", COMPOSED)
    result = invoke(*of, *words, input='{"do": "position"}\n')
    assert result.exit_code == code
    assert ("could not come about" in result.output) == (code == 1)

"""Positions of Hextraction that somebody wrote: what could not come about is a problem."""

from random import Random

import pytest

from hexboard.game import registry
from hexboard.game.written import load
from hexboard.games.hextraction import Hextraction
from hexboard.games.hextraction.rules.position import start
from hexboard.games.hextraction.rules.problems import problem
from hexboard.words import say
from hexboard.words.errors import BadText, IllegalAction

FIRST = str(start())
LATER = (
    "idle seat=0/2 turn=3 done=0,0 tiles=B1:J:0,B2:S:1 balls=1@B2.B2 touches= broken=- pool=52 "
    "hands=3,3 conceded= rail=on offline=- overdrive=- winner=-"
)
"""Each has had a turn, with a tile and a roll; 54 tiles in the bag and six in hands to begin."""


def judged(text: str) -> str:
    """Why it is a problem; "" for one that looks reachable. It is read all the same."""
    game = registry.find("hextraction")
    board = start().board
    assert str(load(game, text, board, {}, problem=True)) == text
    try:
        load(game, text, board, {}, problem=False)
    except BadText as error:
        return str(error)
    return ""


def test_what_the_rules_lead_to_is_no_problem() -> None:
    assert judged(FIRST) == judged(LATER) == ""


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("pool=52", "pool=53", "61 tiles are in the game, and it began with 60"),  # 0.1.7
        ("pool=52", "pool=51", "59 tiles"),
        ("turn=3", "turn=4", "Turn 4 is not Red's"),  # 1.0.9
        ("seat=0/2", "seat=1/2", "Turn 3 is not Blue's"),
        ("turn=3", "turn=1", "2 tiles lie on the board, and 0 can have been played"),  # 2.0.3
        ("done=0,0", "done=2,0", "2 rolls in one turn"),  # 2.0.2
        ("done=0,0", "done=0,2", "2 tiles were played in one turn"),  # 2.0.3
        ("pool=52 hands=3,3", "pool=51 hands=3,4", "Blue holds 4 tiles"),  # 1.2.2
        ("pool=52 hands=3,3", "pool=53 hands=3,2", "Blue holds 2 tiles"),
        ("overdrive=-", "overdrive=on", "Overdrive"),  # T.Overdrive.1
        ("touches=", "touches=B2:2", "something of a roll"),  # 2.1.4
        ("1@B2.B2", "1@B2!B2", "Ball 1 moves"),  # 2.3.1
    ],
)
def test_what_they_leave_no_way_to_is_one(old: str, new: str, why: str) -> None:
    assert old in LATER
    said = judged(LATER.replace(old, new))
    assert why in said
    assert "could not come about" in said


def happens(position: Hextraction, random: Random) -> str:
    """Something that balls, tiles or people do, well formed; a ball rolls and rests on tiles."""
    board, ball = position.board, random.randint(0, position.next_ball)
    slot = random.choice(board.cells).id
    cell, edge = random.choice(board.exits)
    own = list(map(position.name, position.acts))
    rolls = [f"{what} {ball} {tile}" for tile in position.tiles for what in ("touch", "rest")]
    return random.choice(
        [
            *(f"fell {ball} {slot}", f"off {ball} {cell} {edge}"),
            *(f"goal {ball} ZB", f"gone {ball}", f"drop {slot}", "accident D1-2", "rail off"),
            *(rolls or ["rail on"]),
            *random.sample(own, min(3, len(own))),
        ]
    )


@pytest.mark.long
def test_no_game_that_is_played_comes_to_one() -> None:
    """Random games of two to four with accidents, votes, seats that leave, tiles that fall out."""
    judged_ones = 0
    for seed in range(60):
        random = Random(seed)
        position = start(options={"seats": random.randint(2, 4), "pool": random.choice((25, 54))})
        for _ in range(120):
            moves = [position.name(it) for it in position.legal]
            if not moves:
                break
            name = random.choice(moves) if random.random() < 0.7 else happens(position, random)
            try:
                position = position.play(position.action(name))
            except IllegalAction:
                continue
            why = problem(position)
            assert why is None, (seed, name, say(why), str(position))
            judged_ones += position.stable
    assert judged_ones > 1_000

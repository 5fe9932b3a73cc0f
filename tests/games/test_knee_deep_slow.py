"""Knee Deep in Hexes: the engine agrees with a second one that was written from the digest."""

from random import Random

import pytest

from hexboard.board import plain
from hexboard.games import knee_deep
from hexboard.games.knee_deep import KneeDeep
from hexboard.games.knee_deep.values import KINDS
from tests.games import knee_deep_slow as slow

BOARD = plain("flowers-31")


def on_the_table(position: KneeDeep) -> tuple[object, ...]:
    """What lies there, in the words of the slow one."""
    ids = position.setting.ground.ids
    units = {
        slow.PLACE[ids[k]]: ((unit - 1) // 6, KINDS[(unit - 1) % 6])
        for k, unit in enumerate(position.units)
        if unit
    }
    scrap = [((unit - 1) // 6, KINDS[(unit - 1) % 6]) for unit in position.scrap]
    cards = [
        sorted(position.setting.box.card(card).id for card in pile)
        for pair in (position.hands, position.discards, position.unseen)
        for pile in pair
    ]
    return units, scrap, cards, position.material, position.energy


def in_the_slow_one(table: slow.Table) -> tuple[object, ...]:
    cards = [
        sorted(pile.elements()) for pair in (table.hand, table.dropped, table.pile) for pile in pair
    ]
    return table.units, table.scrap, cards, table.material, table.energy


def totals(position: KneeDeep) -> list[tuple[object, ...]]:
    """What was told of the sums of a war by the last play."""
    said = [dict(event.values) for event in position.events if event.key == "knee_deep.totals"]
    return [(values["gondwana"], values["bukseon"]) for values in said]


def agree(seed: int) -> tuple[int, int]:
    """Play one game in both; how many actions and wars it had."""
    random, position, table = Random(seed), knee_deep.start(BOARD), slow.Table()
    referee = slow.game(table)
    names, count, wars = next(referee), 0, 0
    while True:
        legal = {position.name(action) for action in position.legal}
        assert legal == names, f"seed {seed}, action {count}: {legal ^ names}"
        name = random.choice(sorted(names - {"end"} if random.random() < 0.7 else names) or ["end"])
        position = position.play(position.action(name))
        count += 1
        try:
            names = referee.send(name)
        except slow.Over as end:
            winner = end.args[0]
            assert position.scores == ((0, 0) if winner is None else (1 - winner, winner))
            assert position.legal == ()
            return count, wars
        assert on_the_table(position) == in_the_slow_one(table), f"seed {seed}, action {count}"
        for said in totals(position):
            assert said == table.totals
            wars += 1


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
def test_both_engines_agree_on_every_position_of_a_random_game(seed: int) -> None:
    actions, wars = agree(seed)
    assert actions > 200
    assert wars > 0


def test_the_slow_one_counts_the_intersections_of_the_digest() -> None:
    assert len(slow.CROSSINGS) == 42
    assert {len(slow.zone(crossing)) for crossing in slow.CROSSINGS} == {21}

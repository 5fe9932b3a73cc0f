"""Cards of Knee Deep in Hexes that do something several times, or bring units back."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from hexboard.files import Source
from hexboard.games import knee_deep
from hexboard.games.knee_deep import KneeDeep
from hexboard.games.knee_deep.lint import looked_over
from hexboard.games.knee_deep.values import KINDS
from hexboard.words import say
from tests.games.playing import played
from tests.games.test_knee_deep import (
    BOARD,
    SHIPPED,
    O,
    broken,
    with_units,
)
from tests.games.test_knee_deep_language import GAIN, with_batteries
from tests.games.test_knee_deep_rulings import at_war, dealt, holding, keys

ENERGY = '{ do = "gain", resource = "energy" }'
TURRET = '{ do = "place", unit = "turret" }'
BACK = '{ do = "place", unit = "tank", from = "scrapyard" }'


def doing(tmp_path: Path, effects: str) -> str:
    """The house box, where Batteries does this."""
    return broken(tmp_path / "box.toml", "cards", GAIN, f"do = [{effects}]")


def said_of(position: KneeDeep, language: str = "en") -> list[str]:
    """What Batteries does, in words."""
    card = position.card(position.setting.box.number["batteries"])
    return [say(effect.sentence(False), language) for effect in card.effects]


def refused(position: KneeDeep) -> str:
    """Why Batteries cannot be played; "" where it can."""
    action = position.action("play batteries")
    refusal = position.refusal(action)
    assert (refusal is None) == (action in position.legal)
    return "" if refusal is None else say(refusal)


def supply(position: KneeDeep, kind: str) -> int:
    return position.supply(O, KINDS.index(kind))


# ------------------------------------------------------------------------------------------ loops


def test_a_loop_is_done_so_often_one_round_after_the_other(bare: str, tmp_path: Path) -> None:
    box = doing(tmp_path, f'{{ do = "repeat", times = 3, then = [{TURRET}, {ENERGY}] }}')
    position = with_batteries(bare, box)
    assert said_of(position) == [
        "3 times: (Place 1 turret from your supply on an empty field. 1 energy more.)"
    ]
    assert said_of(position, "de") == [
        "3 Mal: (Setze 1 Geschütz aus deinem Vorrat auf ein leeres Feld. 1 Energie mehr.)"
    ]
    position = played(position, "play batteries")
    for count in range(3):
        assert (position.energy, 3 - supply(position, "turret")) == (count, count)
        line = str(position)
        again = knee_deep.parse(line, BOARD, {"starter": "gondwana", "map": bare, "box": box})
        assert str(again) == line
        position = position.play(next(act for act in position.legal if act.verb == "pick"))
    assert (position.energy, supply(position, "turret"), position.queue) == (3, 0, ())


def test_a_loop_that_cannot_be_done_to_its_end_is_refused(bare: str, tmp_path: Path) -> None:
    """Two turrets of three are left, and three are to be placed (KDH-3.11)."""
    position = with_batteries(
        bare, doing(tmp_path, f'{{ do = "repeat", times = 3, then = [{TURRET}] }}')
    )
    assert not refused(position)
    short = with_units(position, {(0, 8): "O turret"})
    assert refused(short) == (
        "Batteries must do what cannot be done now: "
        "3 times: (Place 1 turret from your supply on an empty field.)"
    )


@pytest.mark.parametrize(("most", "gained"), [("", 4), (", most = 1", 2)])
def test_for_each_own_unit(most: str, gained: int, bare: str, tmp_path: Path) -> None:
    """Two factories of one's own, and one of the enemy's."""
    loop = f'{{ do = "for_each", unit = "factory"{most}, then = [{ENERGY}, {ENERGY}] }}'
    position = with_batteries(bare, doing(tmp_path, loop))
    there = {(0, 7): "O factory", (0, 8): "O factory", (0, 9): "B factory"}
    limit = ", at most once" if most else ""
    assert said_of(position) == [
        f"For each factory of yours{limit}: (1 energy more. 1 energy more.)"
    ]
    assert played(with_units(position, there), "play batteries").energy == gained
    assert played(position, "play batteries").energy == 0


def test_what_a_loop_places_counts_for_a_later_one(bare: str, tmp_path: Path) -> None:
    """How often is settled when its turn comes."""
    tank = '{ do = "place", unit = "tank" }'
    loops = f'{tank}, {{ do = "for_each", unit = "tank", then = [{ENERGY}] }}'
    position = with_batteries(bare, doing(tmp_path, loops))
    position = played(position, "play batteries")
    assert position.play(position.legal[0]).energy == 1


def test_in_a_war_units_that_fight_are_counted(bare: str, tmp_path: Path) -> None:
    bonus = '{ do = "for_each", unit = "tank", then = [{ do = "bonus", amount = 2 }] }'
    text = (SHIPPED / "cards" / "house.toml").read_text("utf-8")
    head, card = text.split('id = "war_bots"', 1)
    path = tmp_path / "box.toml"
    path.write_text(f'{head}id = "war_bots"\ndo = [{bonus}]{card}', "utf-8")
    fresh = at_war(with_units(dealt(map=bare, box=str(path)), {(0, 7): "O tank", (1, 7): "O tank"}))
    fresh = with_units(fresh, {(0, 9): "B tank", (-7, 14): "O tank"})
    fighting = len([f for f in fresh.fighters(O) if fresh.units[f] == 2])
    shown = played(
        holding(fresh, O, "war_bots"), "end", "lay none", "lay war_bots", "reveal war_bots"
    )
    gets = [dict(event.values)["amount"] for event in shown.events if event.key == "knee_deep.gets"]
    assert gets == [2] * fighting == [2, 2]


def test_cards_that_are_not_there_are_missed_whichever_are_chosen(
    bare: str, tmp_path: Path
) -> None:
    """Five rounds take a card each from the discards, where three lie: seen from either side."""
    rounds = '{ do = "repeat", times = 5, then = [{ do = "search" }, { do = "retrieve" }] }'
    position = with_batteries(bare, doing(tmp_path, rounds))
    cards = list(position.unseen[O])
    rest, three = bytes(cards[3:]), bytes(cards[:3])
    few = replace(position, discards=(three, b""), unseen=(rest, position.unseen[1]))
    for seen in (few, few.view(O)):
        refusal = seen.refusal(seen.action("play batteries"))
        assert refusal is not None
        assert say(refusal).startswith("Batteries must do what cannot be done now: 5 times: (")


# -------------------------------------------------------------------------------- the scrapyard


def lost(position: KneeDeep, *codes: int) -> KneeDeep:
    """With these on the scrapyard: 2 is a tank of Gondwana, 8 one of Bukseon; 18 was its own."""
    return replace(position, scrap=bytes(codes))


def test_a_unit_comes_back_from_the_scrapyard(bare: str, tmp_path: Path) -> None:
    """The one that was lost last, and the supply stays what it is."""
    position = with_batteries(bare, doing(tmp_path, BACK))
    assert said_of(position) == ["Place 1 tank of yours from the scrapyard on an empty field."]
    assert said_of(position, "de") == [
        "Setze 1 Panzer von dir vom Schrottplatz auf ein leeres Feld."
    ]
    full = lost(position, 2, 18, 2, 8, 1)
    asked = played(full, "play batteries")
    after = asked.play(asked.legal[0])
    assert after.scrap == bytes((2, 18, 8, 1))
    assert after.units.count(2) == 1
    assert supply(after, "tank") == supply(full, "tank")
    assert keys(after)[-1] == "revives"


def test_what_is_not_on_the_scrapyard_does_not_come_back(bare: str, tmp_path: Path) -> None:
    twice = f'{{ do = "repeat", times = 2, then = [{BACK}] }}'
    position = with_batteries(bare, doing(tmp_path, twice))
    assert "what cannot be done now" in refused(lost(position, 8, 1, 2))
    assert not refused(lost(position, 2, 18))


# ------------------------------------------------------------------------------------- cards check


@pytest.mark.parametrize(
    ("effect", "said"),
    [
        ('{ do = "repeat", times = 2, then = [] }', "].then: this says what is done several times"),
        (f'{{ do = "repeat", times = 1, then = [{ENERGY}] }}', "].times: Expected `int` >= 2"),
        (f'{{ do = "repeat", then = [{ENERGY}] }}', "“times” is missing"),
        (f'{{ do = "for_each", unit = "tonk", then = [{ENERGY}] }}', "“tonk” is none of"),
        (
            '{ do = "repeat", times = 2, then = [{ do = "bonus" }] }',
            "then[1]: this belongs to war cards",
        ),
        ('{ do = "repeat", times = 2, then = [{ do = "gian" }] }', "then[1].do: “gian” is none of"),
        (f'{{ do = "repeat", times = 2, then = [{ENERGY[:-1]}, much = 1 }}] }}', "then[1].much"),
        ('{ do = "place", unit = "tank", from = "hand" }', "].from: “hand” is none of"),
    ],
)
def test_a_mistake_in_a_loop_is_told_with_its_place(effect: str, said: str, tmp_path: Path) -> None:
    path = Path(doing(tmp_path, f"\n{effect}\n"))
    line = path.read_text("utf-8").split("\n").index(effect) + 1
    found = [say(it) for it in looked_over(Source(path)).mistakes]
    assert any(f"box.toml:{line}: " in it and said in it for it in found), found


@pytest.mark.parametrize(
    ("effect", "said"),
    [
        (f'{{ do = "repeat", times = 4, then = [{TURRET}] }}', "4 times"),
        ('{ do = "repeat", times = 2, then = [{ do = "set_rule", rule = "builders" }] }', "ACV"),
        ('{ do = "repeat", times = 2, then = [{ do = "draw", most = 2 }] }', "most"),
    ],
)
def test_a_loop_that_is_unusual_is_told(effect: str, said: str, tmp_path: Path) -> None:
    """Three turrets are all there are; a rule is set once; `most` without `per` means nothing."""
    found = looked_over(Source(Path(doing(tmp_path, effect))))
    assert not found.mistakes
    assert any(said in say(it) for it in found.unusual), found.unusual

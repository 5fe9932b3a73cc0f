"""Knee Deep in Hexes: each ruling where the rulebook is silent, played both ways (A1 to A28)."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from hexboard.games import knee_deep
from hexboard.games.knee_deep import KneeDeep
from hexboard.games.knee_deep.setting import OPTIONS
from tests.games.playing import played
from tests.games.test_knee_deep import (
    BOARD,
    SHIPPED,
    B,
    O,
    begun,
    broken,
    field,
    refused,
    with_units,
)


def at_war(position: KneeDeep, crossing: str = "12,16,17") -> KneeDeep:
    """Bukseon's marker stands there, in Gondwana's turn."""
    number = position.setting.ground.crossing[crossing]
    return replace(position, marker=number, marker_of=B)


def holding(position: KneeDeep, seat: int, *names: str) -> KneeDeep:
    """A seat that holds these cards and no others; the rest of its deck is its pile."""
    number = position.setting.box.number
    hand = bytes(sorted(number[name] for name in names))
    known = [*position.unseen[seat], *(card for card in position.hands[seat] if card)]
    for card in hand:
        known.remove(card)
    unseen = bytes(sorted(known))
    hands, piles = list(position.hands), list(position.unseen)
    hands[seat], piles[seat] = hand, unseen
    return replace(position, hands=(hands[0], hands[1]), unseen=(piles[0], piles[1]))


def dealt(**options: Any) -> KneeDeep:
    """As `begun`, but the referee knows the cards: both hold their first ones in the pile."""
    position = knee_deep.start(BOARD, {"starter": "gondwana"} | options)
    position = played(position, "companions general tech", "companions general tech")
    while position.phase != "act":
        drawing = position.dealt
        position = played(position, position.name(position.legal[0]) if drawing else "keep")
    return position


def names(position: KneeDeep) -> set[str]:
    return {position.name(act) for act in position.legal}


def keys(position: KneeDeep) -> list[str]:
    return [event.key.removeprefix("knee_deep.") for event in position.events]


def both(name: str) -> pytest.MarkDecorator:
    """Once for each value that an option may have."""
    TRIED.add(name)
    return pytest.mark.parametrize("value", RULINGS[name].choices)


RULINGS = {option.name: option for option in OPTIONS if option.rule.startswith("KDH-A")}
TRIED = {"quiet_rounds"}

# ------------------------------------------------------------------------------------- the rulings


@both("first_penalty")
def test_a1_what_the_starting_player_lacks(value: str, bare: str) -> None:
    first = begun(map=bare, first_penalty=value)
    expected = {"material": (3, 2), "energy": (4, 1)}
    assert (first.material, first.energy) == expected[value]


@both("mulligan")
def test_a2_where_a_mulligan_goes(value: str, bare: str) -> None:
    start = knee_deep.start(BOARD, {"starter": "gondwana", "hands": "held", "mulligan": value})
    pairs = ("companions general tech", "companions general tech")
    after = played(start, *pairs, "mulligan")
    expected = {"discard": (3, 19), "return": (0, 22)}
    assert (len(after.discards[O]), after.pile(O)) == expected[value]


@both("hq_damage")
def test_a3_damage_to_an_hq_over_two_wars(value: str, bare: str) -> None:
    """3 on an HQ of 4, and 3 once more (T25)."""
    units = {(-6, 16): "O palooza"}
    position = at_war(with_units(begun(map=bare, hq_damage=value), units), "26,30,31")
    fought = played(position, "end", "lay none", "lay none")
    hit = f"destroy {fought.setting.ground.ids[fought.setting.ground.hq[B][0]]}"
    if value == "whole":
        assert fought.phase == "mark"  # nothing can be hit, so the war is over
        return
    hurt = played(fought, hit)
    assert (hurt.hurt, hurt.winner, hurt.phase) == ((0, 3), -1, "mark")
    again = at_war(replace(hurt, phase="act", active=O), "26,30,31")
    again = played(again, "end", "lay none", "lay none", hit)
    assert again.scores == (1, 0)


@both("presence")
def test_a4_who_is_in_a_zone_by_the_hq_alone(value: str, bare: str) -> None:
    units = {(-6, 16): "O palooza"}
    position = at_war(with_units(begun(map=bare, presence=value), units), "26,30,31")
    assert played(position, "end").phase == {"each_unit_or_hq": "lay", "each_unit": "mark"}[value]


@both("war_cards")
def test_a5_a_formation_card_without_its_formation(value: str, bare: str) -> None:
    units = {(0, 7): "O tank", (0, 9): "B tank"}
    position = at_war(with_units(dealt(map=bare, war_cards=value), units))
    position = played(holding(position, B, "sling"), "end")
    if value == "checked":
        assert refused(position, "lay sling") == "KDH-3.11"
        return
    after = played(position, "lay sling", "lay none", "reveal sling")
    assert "no_bonus" in keys(after)
    assert "tie" in keys(after)


@both("recheck")
def test_a6_a_formation_that_breaks_before_its_card(value: str, bare: str, tmp_path: Path) -> None:
    """T33: the defender moves an ACV, and with it the attacker's Sling is no longer one."""
    old = 'combat = 2\nstatus = { combat = "T" }\nsource = "rulebook"'
    effect = 'do = [{ do = "relocate", unit = "vehicle", of = "enemy", where = "zone", most = 1 }]'
    new = f'combat = 0\nsource = "test"\n{effect}'
    box = broken(tmp_path / "box.toml", "cards", old, new)
    position = dealt(map=bare, recheck=value, box=box)
    position = with_units(position, {(0, 7): "B palooza", (0, 9): "B acv", (-3, 9): "O tank"})
    position = holding(holding(at_war(position), O, "war_bots"), B, "sling")
    position = played(position, "end", "lay sling", "lay war_bots")
    position = played(position, "reveal war_bots", "reveal sling")
    position = played(position, f"pick {field(0, 9)}", f"pick {field(0, 10)}")
    said = [dict(event.values) for event in position.events if event.key == "knee_deep.totals"]
    assert said == [{"gondwana": 2, "bukseon": {"yes": 4, "no": 7}[value]}]


@both("damage")
def test_a7_damage_that_can_be_dealt(value: str, bare: str) -> None:
    units = {(0, 7): "O palooza", (0, 9): "B acv"}
    position = at_war(with_units(begun(map=bare, damage=value), units))
    position = played(position, "end", "lay none", "lay none")
    assert (position.phase, position.surplus) == ("damage", 2)
    if value == "may":
        assert played(position, "stop").phase == "mark"
    else:
        assert refused(position, "stop") == "KDH-A7"
        assert names(position) == {f"destroy {field(0, 9)}"}


@both("overflow")
def test_a8_more_kills_than_free_fields_on_the_scrapyard(value: str, bare: str) -> None:
    """T37: 11 of 12, lost 12 health to 10; a tank, an ACV and a palooza can be destroyed."""
    lost = [3, 3, 3, 2, 1, *(unit + 6 for unit in (2, 2, 2, 5, 1, 1))]
    units = {(0, 7): "B acv", (0, 9): "B tank", (-4, 9): "O palooza", (-4, 10): "O palooza"}
    position = begun(map=bare, overflow=value)
    position = at_war(with_units(position, units, scrap=bytes(lost)))
    position = played(position, "end", "lay none", "lay none", f"destroy {field(0, 7)}")
    if value == "stop":
        assert position.scores == (0, 1)  # 12 to 11
        return
    assert position.phase == "damage"
    after = played(position, f"destroy {field(0, 9)}")
    assert len(after.scrap) == 13
    assert after.scores == (1, 0)  # 12 to 13


@both("full_tie")
def test_a9_a_tie_on_the_scrapyard(value: str, bare: str) -> None:
    """T39, with Gondwana as the starting player."""
    position = begun(map=bare, full_tie=value)
    values = replace(position.setting.box.values, scrapyard=4)
    setting = replace(position.setting, box=replace(position.setting.box, values=values))
    full = replace(position, setting=setting, scrap=bytes((1, 2, 7, 8)))
    expected = {"draw": (0, 0), "starter": (1, 0), "second": (0, 1)}
    assert played(full, "end").scores == expected[value]


@both("empty_pile")
def test_a10_drawing_from_an_empty_pile(value: str, bare: str) -> None:
    position = begun(map=bare, empty_pile=value)
    sling = position.setting.box.number["sling"]
    position = replace(
        position, hands=(bytes(1), position.hands[B]), unseen=(bytes((sling,)), position.unseen[B])
    )
    if value == "forbidden":
        assert refused(position, "draw") == "KDH-A10"
        assert refused(position, "recycle sling") == "KDH-A10"
        return
    drawn = played(position, "draw")
    assert (drawn.material, len(drawn.hands[O])) == (position.material - 1, 1)
    recycled = played(position, "recycle sling")
    assert (recycled.energy, len(recycled.hands[O])) == (position.energy - 1, 0)


@both("hand_limit")
def test_a11_the_hand_limit_after_a_drawing_card(value: str, bare: str) -> None:
    """Bukseon, whose turn it is not, draws a seventh card by its war card."""
    units = {(0, 7): "O tank", (0, 9): "B tank"}
    position = at_war(with_units(begun(map=bare, hand_limit=value), units))
    position = replace(position, hands=(position.hands[O], bytes(7)))
    position = played(position, "end", "lay ?", "lay none", "reveal scouts")
    if value == "own_turn":
        assert len(position.hands[B]) == 7
        return
    assert position.question(B) is not None
    assert len(played(position, "discard sling").hands[B]) == 6


def test_a11_a_hand_over_its_limit_is_read_back(bare: str) -> None:
    options = {"starter": "gondwana", "hands": "held", "map": bare, "hand_limit": "effects"}
    units = {(0, 7): "O tank", (0, 9): "B tank"}
    position = at_war(with_units(begun(**options), units))
    position = replace(position, hands=(position.hands[O], bytes(7)))
    over = played(position, "end", "lay ?", "lay none", "reveal scouts")
    assert ":?:-2:" in str(over)
    assert str(knee_deep.parse(str(over), BOARD, options)) == str(over)


@both("deploy_at")
def test_a12_deploying_beside_what_is_not_ones_own(value: str, bare: str) -> None:
    position = with_units(begun(map=bare, deploy_at=value), {(5, 6): "B factory"})
    theirs = f"deploy acv {field(5, 5)}", f"deploy acv {field(-9, 17)}"
    assert [name in names(position) for name in theirs] == [value == "any"] * 2
    if value == "own":
        assert refused(position, theirs[0]) == "KDH-7.1"


@both("sling_over_hq")
def test_a13_a_sling_over_an_hq(value: str, bare: str) -> None:
    units = {(-9, 17): "O tank", (-7, 17): "O tank"}
    position = at_war(with_units(begun(map=bare, sling_over_hq=value), units), "26,30,31")
    assert position.formed(O, "gap2") == (value == "yes")


@both("skirmish")
def test_a14_the_formation_of_skirmish(value: str, bare: str) -> None:
    triangle = [(0, 8), (0, 9), (-1, 9)]
    chevron = [(0, 8), (-1, 9), (0, 7)]
    found = []
    for places in (triangle, chevron):
        units = dict.fromkeys(places, "O tank")
        position = at_war(with_units(begun(map=bare, skirmish=value), units))
        found.append(position.formed(O, "skirmish"))
    expected = {"triangle": [True, False], "chevron": [False, True], "either": [True, True]}
    assert found == expected[value]


@both("lays_first")
def test_a15_who_lays_first(value: str, bare: str) -> None:
    units = {(0, 7): "O tank", (0, 9): "B tank"}
    position = at_war(with_units(begun(map=bare, lays_first=value), units))
    fought = played(position, "end")
    order = [fought.actor(fought.legal[0])]
    fought = played(fought, "lay none")
    order.append(fought.actor(fought.legal[0]))
    assert order == {"attacker": [B, O], "defender": [O, B]}[value]


@both("marker")
def test_a16_the_marker(value: str, bare: str) -> None:
    position = played(begun(map=bare, marker=value), "end")
    if value == "may":
        assert played(position, "mark none").marker == -1
    else:
        assert refused(position, "mark none") == "KDH-A16"
        assert len(position.legal) == 42


@both("place_cost")
def test_a18_what_a_placed_unit_costs(value: str, bare: str) -> None:
    """Improvised Turret costs 2 and a turret 2."""
    position = with_units(begun(map=bare, place_cost=value), {(-3, 10): "O tank"}, material=4)
    after = played(position, "play improvised_turret", f"pick {field(-3, 11)}")
    assert after.material == {"card": 2, "both": 0}[value]
    short = replace(position, material=3)
    if value == "card":
        assert played(short, "play improvised_turret").material == 1
    else:
        assert refused(short, "play improvised_turret") == "KDH-3.11"


@both("extractor")
def test_a19_where_an_extractor_stands(value: str, bare: str) -> None:
    """(-2, 8) touches the one material field, (1, 4) touches nothing (T47)."""
    units = {(2, 3): "O acv", (1, 3): "O acv", (-3, 9): "O acv", (-2, 9): "O acv"}
    position = with_units(begun(map=bare, extractor=value), units, material=9)
    assert f"build extractor {field(-2, 8)}" in names(position)
    assert (f"build extractor {field(1, 4)}" in names(position)) == (value == "anywhere")
    assert f"build turret {field(1, 4)}" in names(position)
    if value == "resource":
        assert refused(position, f"build extractor {field(1, 4)}") == "KDH-A19"


@pytest.mark.parametrize("value", [0, 1, 20])
def test_a21_a_draw_after_quiet_rounds(value: int, bare: str) -> None:
    position = begun(map=bare, quiet_rounds=value)
    for turns in (0, 1, 2, 39, 40):
        quiet = replace(position, quiet=turns)
        if value and turns >= 2 * value:
            offered = played(quiet, "offer gondwana")
            assert played(offered, "offer bukseon").scores == (0, 0)
            assert played(offered, "end").offered == -1  # whoever plays on declines
        else:
            assert refused(quiet, "offer gondwana") == "KDH-A21"


@both("start_income")
def test_a22_income_at_the_start(value: str, bare: str) -> None:
    first = begun(map=bare, start_income=value)
    assert (first.material, first.energy) == {"no": (3, 2), "yes": (7, 4)}[value]
    second = played(first, "end", "mark none")
    assert (second.material, second.energy) == {"no": (4, 2), "yes": (8, 4)}[value]
    third = played(second, "end", "mark none")
    assert (third.material, third.energy) == (4, 2)


@both("hq_in_zone")
def test_a23_an_hq_over_two_sectors(value: str, tmp_path: Path) -> None:
    """Bukseon's HQ on (-8,17) and, in sector 26, (-6,15): the zone 21,25,26 holds the latter."""
    text = (SHIPPED / "maps" / "flowers-31.toml").read_text("utf-8")
    new = f'bukseon = ["{field(-8, 17)}", "{field(-6, 15)}"]'
    text = text.replace('bukseon = ["30.0", "30.1", "30.6"]', new)
    path = tmp_path / "split.toml"
    path.write_text(text.replace("half_turn = true", ""), "utf-8")
    units = {(-4, 15): "O tank"}
    position = with_units(begun(map=str(path), hq_in_zone=value), units)
    position = at_war(position, "21,25,26")
    assert position.hq_in_zone(B) == (value == "any_part")
    assert played(position, "end").phase == {"any_part": "lay", "whole": "mark"}[value]


@both("own_losses")
def test_a26_units_destroyed_by_their_own_side(value: str, tmp_path: Path) -> None:
    """Both lost three health points, Gondwana a tank and an ACV by its own card, Bukseon a palooza:
    who destroyed fewer wins."""
    old = 'do = [{ do = "destroy", of = "enemy", unit = "acv", near = "vehicle" }]'
    new = 'do = [{ do = "destroy", of = "self", unit = "acv" }]'
    path = broken(tmp_path / "box.toml", "cards", old, new)
    start = knee_deep.start(
        BOARD, {"starter": "gondwana", "hands": "held", "box": path, "own_losses": value}
    )
    pairs = ("companions tech trickster", "companions tech trickster")
    position = played(start, *pairs, "keep", "keep")
    values = replace(position.setting.box.values, scrapyard=3)
    setting = replace(position.setting, box=replace(position.setting.box, values=values))
    position = with_units(position, {(0, 9): "O acv"}, setting=setting, scrap=bytes((2, 9)))
    after = played(position, "play sabotage", f"pick {field(0, 9)}")
    # counted: Bukseon destroyed two and Gondwana one; health only: each destroyed one
    assert after.scores == {"count": (1, 0), "hp_only": (0, 0)}[value]


@both("discards")
def test_a27_the_discard_piles(value: str, bare: str) -> None:
    """What Bukseon is told of a card that Gondwana discards."""
    position = holding(dealt(map=bare, discards=value), O, "sling", "barrier")
    after = played(position, "recycle sling")
    told = position.told(position.action("recycle sling"), B)
    assert told == {"open": "recycle sling", "closed": "recycle ?"}[value]
    sling = position.setting.box.number["sling"]
    expected = bytes((sling,)) if value == "open" else bytes(1)
    assert after.view(B).discards[O] == expected
    assert after.view(O).discards[O] == bytes((sling,))


def test_a17_a20_a24_a25_a28_leave_nothing_to_choose() -> None:
    """And every other ruling is an option, tried above with each of its values."""
    numbers = {int(option.rule.removeprefix("KDH-A")) for option in RULINGS.values()}
    assert numbers == set(range(1, 29)) - {17, 20, 24, 25, 28}
    assert set(RULINGS) == TRIED


def test_a17_nobody_else_ends_the_actions(bare: str) -> None:
    position = begun(map=bare)
    assert position.actor(position.action("end")) == O
    assert refused(played(position, "end"), "end") == "KDH-5.1"  # and there are none after the war


def test_a28_a_move_to_where_it_stands_is_refused_and_costs_nothing(bare: str) -> None:
    position = with_units(begun(map=bare), {(0, 9): "O tank"})
    assert refused(position, f"move {field(0, 9)}-{field(0, 9)}") == "KDH-A28"
    assert field(0, 9) not in names(position)


def test_the_defaults_are_those_of_the_digest() -> None:
    expected = "material discard whole each_unit_or_hq checked yes may stop draw forbidden "
    expected += "own_turn own yes triangle attacker may card anywhere 20 no any_part count open"
    assert [str(option.default) for option in RULINGS.values()] == expected.split()

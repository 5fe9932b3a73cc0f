"""Knee Deep in Hexes: the hard cases of the digest by their numbers, and what every game is."""

from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hexboard.board import plain
from hexboard.games import knee_deep
from hexboard.games.knee_deep import KneeDeep, boxes, ground
from hexboard.games.knee_deep.conditions import Count
from hexboard.games.knee_deep.values import CODES, KINDS
from hexboard.words import say
from hexboard.words.errors import BadFile, BadText, IllegalAction
from tests.games.knee_deep_checks import check_step
from tests.games.playing import played
from tests.games.properties import check_parse_refuses, check_play

BOARD = plain("flowers-31")
AT = {(cell.q, cell.r): cell.id for cell in BOARD.cells}
SHIPPED = Path(knee_deep.__file__).parent
O, B = 0, 1  # noqa: E741  the digest's letters for Gondwana and Bukseon


def mapped(tmp: pytest.TempPathFactory, material: Any, energy: Any, mountain: Any) -> str:
    text = (SHIPPED / "maps" / "flowers-31.toml").read_text("utf-8")
    head, rest = text.split("material = [")[0], "[hq]" + text.split("[hq]")[1]
    terrain = {"material": material, "energy": energy, "mountain": mountain}
    lines = [f"{key} = {[AT[p] for p in places]}" for key, places in terrain.items()]
    path = tmp.mktemp("map") / "bare.toml"
    path.write_text("\n".join([head.replace("half_turn = true", ""), *lines, rest]))
    return str(path)


def begun(**options: Any) -> KneeDeep:
    """General and tech on both sides, Gondwana to begin, in its first action phase, no card
    known to anybody (people hold them)."""
    options = {"starter": "gondwana", "hands": "held"} | options
    return played(
        knee_deep.start(BOARD, options),
        *("companions general tech", "companions general tech", "keep", "keep"),
    )


def with_units(position: KneeDeep, units: dict[tuple[int, int], str], **values: Any) -> KneeDeep:
    """The position with units by axial place: "B palooza"."""
    codes = bytearray(position.units)
    for place, unit in units.items():
        seat, kind = unit.split()
        number = position.setting.ground.number[AT[place]]
        codes[number] = CODES["OB".index(seat) * 6 + KINDS.index(kind)]
    return replace(position, units=bytes(codes), **values)


def field(*place: int) -> str:
    return AT[place[0], place[1]]


def refused(position: KneeDeep, name: str) -> str:
    with pytest.raises(IllegalAction) as caught:
        position.play(position.action(name))
    return caught.value.message.rule


def told(position: KneeDeep) -> dict[str, tuple[str, str]]:
    """What is withheld, in words, with the heading and the reason."""
    found = knee_deep.GAME.withheld(position)
    return {say(it.said): (say(it.group) if it.group else "", say(why)) for it, why in found}


def test_what_cannot_be_had_now_is_named_with_the_reason() -> None:
    """Three material to begin with: a tank costs two, a palooza three, a drawn card one."""
    position = begun()
    assert "tank: 2 material" not in told(position)
    one = played(position, "deploy tank 2.1")
    assert told(one)["tank: 2 material"] == ("Deploy", "That costs 2 material, and there is 1.")
    assert told(one)["palooza: 3 material"][1] == "That costs 3 material, and there is 1."
    assert not {"acv: 1 material", "Draw a card: 1 material"} & told(one).keys()
    none = played(one, "deploy acv 2.2")
    assert told(none)["Draw a card: 1 material"][1] == "That costs 1 material, and there are 0."
    assert not told(played(none, "end"))


def test_a_finger_says_where_and_hears_what_forbids_it_there() -> None:
    position = played(begun(), "deploy tank 2.1")
    assert position.tried("", "2.1", "") == ()  # it is one's own, and marches
    assert refused(position, *position.tried("", "25.3", "")[1:2]) == "KDH-7.1"
    assert refused(position, *position.tried("", "3.0", "")[1:2]) == "KDH-1.6"


def destinations(position: KneeDeep, *place: int) -> set[str]:
    number = position.setting.ground.number[field(*place)]
    return {position.setting.ground.ids[end] for end in position.reach(number)}


def totals(position: KneeDeep) -> tuple[int, int]:
    """Bukseon's and Gondwana's combat, as the rulebook tells its war."""
    return position.total(B), position.total(O)


WAR = {
    (0, 7): "B palooza",
    (0, 9): "B acv",
    (-3, 9): "O extractor",
    (-2, 10): "O extractor",
    (-6, 9): "O tank",
    (6, 3): "O tank",
}


def war(bare: str, **options: Any) -> KneeDeep:
    """Gondwana's turn in the rulebook's war; Bukseon's marker stands on 12,16,17."""
    position = begun(map=bare, **options)
    crossing = position.setting.ground.crossing["12,16,17"]
    return with_units(position, WAR, marker=crossing, marker_of=B, material=3, energy=1)


def reinforced(bare: str, **options: Any) -> KneeDeep:
    """After the tank, Carry All and the improvised turret."""
    return played(
        war(bare, **options),
        f"move {field(-6, 9)}-{field(-4, 9)}",
        *("play carry_all", f"pick {field(6, 3)}", f"pick {field(-4, 10)}"),
        *("play improvised_turret", f"pick {field(-3, 10)}"),
    )


# ------------------------------------------------------------------------------------ geometry


def test_the_map_has_the_intersections_zones_and_deploy_fields_that_were_computed() -> None:
    ground = begun().setting.ground
    assert len(ground.crossings) == 42
    assert {(len(c.zone), len(c.rim)) for c in ground.crossings} == {(21, 15)}
    assert [len(gates) for gates in ground.gates] == [9, 9]
    assert ground.terrain.count(0) == 167
    assert ground.crossings[0].name == "1,2,6"
    assert ground.crossings[-1].name == "26,30,31"


def test_t1_a_side_has_23_units_43_health_points_and_a_deck_of_25() -> None:
    position = begun()
    units = position.setting.box.values.units
    assert sum(unit.supply for unit in units) == 23
    assert sum(unit.supply * unit.hp for unit in units) == 43
    assert sum(unit.supply * unit.combat for unit in units) == 31
    for seat in (O, B):
        deck = position.unseen[seat]
        assert len(deck) == 25
        assert len(position.hands[seat]) == 3 + (seat == B) * 0


# ------------------------------------------------------------------------------------ the turn


def test_t2_income_of_the_first_rounds() -> None:
    first = begun()
    assert (first.material, first.energy, len(first.hands[O])) == (3, 2, 3)
    second = played(first, "end", "mark none")
    assert (second.active, second.material, second.energy, len(second.hands[B])) == (B, 4, 2, 4)
    third = played(second, "end", "mark none")
    assert (third.material, third.energy, len(third.hands[O])) == (4, 2, 4)


def test_t3_a_mulligan_takes_the_whole_hand_once() -> None:
    begin = knee_deep.start(BOARD, {"starter": "gondwana", "hands": "held"})
    asked = played(begin, "companions general tech", "companions general tech")
    after = played(asked, "mulligan")
    assert (len(after.hands[O]), len(after.discards[O]), after.pile(O)) == (3, 3, 19)
    assert after.active == B
    back = replace(asked, setting=replace(asked.setting, mulligan="return"))
    after = played(back, "mulligan")
    assert (len(after.hands[O]), len(after.discards[O]), after.pile(O)) == (3, 0, 22)


def test_t5_draws_may_exceed_the_limit_until_exhaust() -> None:
    position = replace(begun(), hands=(bytes(6), bytes(3)), material=2)
    position = played(position, "draw", "draw")
    assert len(position.hands[O]) == 8
    position = played(position, "end", "mark none")
    assert (position.material, position.energy, position.active) == (0, 0, O)
    position = played(position, "discard sling", "discard barrier")
    assert (position.active, len(position.hands[O])) == (B, 6)


def test_t6_recycling_needs_a_card_in_the_hand_and_one_in_the_pile() -> None:
    position = replace(begun(), hands=(b"", bytes(3)))
    assert refused(position, "recycle sling") == "KDH-3.4"
    one, sling = replace(begun(), hands=(bytes(1), bytes(3))), begun().setting.box.number["sling"]
    last = replace(one, unseen=(bytes((sling, sling)), one.unseen[B]))
    after = played(last, "recycle sling")
    assert (len(after.hands[O]), after.pile(O), len(after.discards[O])) == (1, 0, 1)
    empty = replace(one, unseen=(bytes((sling,)), one.unseen[B]))
    assert refused(empty, "recycle sling") == "KDH-A10"


def test_t9_a_resource_field_yields_once(bare: str, tmp_path_factory: Any) -> None:
    terrain = mapped(tmp_path_factory, [(-3, 8)], [(-2, 8)], [])
    position = with_units(
        begun(map=terrain), {(-3, 9): "O extractor", (-2, 7): "O extractor"}, active=B
    )
    after = played(position, "end", "mark none")
    assert (after.material, after.energy) == (4 + 1, 2 + 1)


def test_t10_vehicles_are_deployed_beside_the_own_hq_and_factories(tmp_path_factory: Any) -> None:
    terrain = mapped(tmp_path_factory, [], [], [(3, 0)])
    units = {(-3, 9): "O factory", (-2, 9): "O tank", (5, 6): "B factory"}
    position = with_units(begun(map=terrain), units)
    ids = position.setting.ground.ids
    expected = {(0, 2), (0, 3), (1, 1), (1, 3), (2, 0), (2, 3), (3, 1), (3, 2)}
    expected |= {(-4, 9), (-4, 10), (-3, 8), (-3, 10), (-2, 8)}
    assert {ids[k] for k in position.deploys(O)} == {AT[place] for place in expected}


def test_t11_a_vehicle_costs_its_material_and_comes_from_the_supply(bare: str) -> None:
    position = begun(map=bare)
    name = f"deploy palooza {field(2, 3)}"
    assert played(position, name).material == 0
    assert refused(replace(position, material=2), name) == "KDH-7.1"
    gone = replace(position, scrap=bytes([CODES[KINDS.index("palooza")]]) * 3)
    assert refused(gone, name) == "KDH-0.9"


CORRIDOR = [(-4, 8), (-3, 8), (-2, 8), (-1, 8), (0, 8)]
CORRIDOR += [(-4, 10), (-3, 10), (-2, 10), (-1, 10), (-4, 9)]


@pytest.mark.parametrize(
    ("units", "ends"),
    [
        ({(-3, 9): "O tank", (-2, 9): "O tank"}, {(-1, 9)}),
        ({(-3, 9): "O tank", (-2, 9): "O tank", (-1, 9): "O tank"}, set()),
        ({(-3, 9): "O acv", (-2, 9): "O tank", (-1, 9): "O tank"}, {(0, 9)}),
        ({(-3, 9): "O acv", (-2, 9): "B tank"}, set()),
    ],
)
def test_t14_a_path_crosses_friends_and_not_enemies(
    units: dict[tuple[int, int], str], ends: set[tuple[int, int]], tmp_path_factory: Any
) -> None:
    position = with_units(begun(map=mapped(tmp_path_factory, [], [], CORRIDOR)), units)
    assert destinations(position, -3, 9) == {AT[place] for place in ends}


def test_t15_no_vehicle_crosses_an_hq(bare: str) -> None:
    position = with_units(begun(map=bare), {(2, 0): "O acv"})
    assert field(2, 3) not in destinations(position, 2, 0)
    assert refused(position, f"move {field(2, 0)}-{field(2, 1)}") == "KDH-1.6"


def test_t17_two_acvs_build_at_once(bare: str) -> None:
    position = replace(begun(map=bare), material=4)
    position = played(position, f"deploy acv {field(2, 3)}", f"deploy acv {field(1, 3)}")
    builds = [position.name(act) for act in position.legal if act.verb == "build"]
    assert {name.split()[2] for name in builds} == {field(1, 4)}
    after = played(position, f"build extractor {field(1, 4)}")
    assert (after.material, after.units.count(1), after.units.count(4)) == (0, 2, 1)


def test_t18_an_improvised_turret_needs_one_vehicle_and_a_turret(bare: str) -> None:
    position = with_units(begun(map=bare), {(-3, 10): "O tank"}, material=2)
    after = played(position, "play improvised_turret")
    assert after.material == 0
    assert {after.setting.ground.distance(act.a, after.of(O)[0]) for act in after.legal} == {1}
    turret = CODES[KINDS.index("turret")]
    gone = replace(position, scrap=bytes((turret, turret, turret)))
    assert refused(gone, "play improvised_turret") == "KDH-3.11"


# ------------------------------------------------------------------------------------- the war


def test_t19_the_war_of_the_rulebook_step_by_step(bare: str) -> None:
    position = war(bare)
    assert totals(position) == (4, 0)
    position = played(position, f"move {field(-6, 9)}-{field(-4, 9)}")
    assert (totals(position), position.energy) == ((4, 2), 0)
    position = played(position, "play carry_all", f"pick {field(6, 3)}", f"pick {field(-4, 10)}")
    assert (totals(position), position.material) == ((4, 4), 2)
    position = played(position, "play improvised_turret", f"pick {field(-3, 10)}")
    assert (totals(position), position.material) == ((4, 6), 0)
    position = played(position, "end", "lay ?", "lay ?")
    position = played(position, "reveal war_bots")  # the defender's, and resolved first
    position = played(position, "reveal sling")
    said = [dict(event.values) for event in position.events if event.key == "knee_deep.totals"]
    assert said == [{"bukseon": 7, "gondwana": 8}]
    legal = {position.name(act) for act in position.legal}
    assert legal == {f"destroy {field(0, 9)}", "stop"}
    assert refused(position, f"destroy {field(0, 7)}") == "KDH-8.8"
    assert words(position) == {
        f"destroy {field(0, 9)}": ("Destroy Bukseon's ACV: 1 of 1 damage", False),
        "stop": ("Destroy no more: what is left of the damage, 1, is lost", True),
    }
    after = played(position, f"destroy {field(0, 9)}")
    assert (len(after.scrap), after.marker, after.phase) == (1, -1, "mark")
    assert [len(pile) for pile in after.discards] == [3, 1]
    assert after.units[after.setting.ground.number[field(0, 7)]]


def test_t21_a_won_war_without_a_fitting_target_changes_nothing(bare: str) -> None:
    position = played(reinforced(bare), "end", "lay ?", "lay none", "reveal sling")
    assert any(dict(e.values).get("surplus") == 1 for e in position.events)
    assert (position.phase, position.scrap, position.marker) == ("mark", b"", -1)


def test_t22_a_tie_changes_nothing(bare: str) -> None:
    position = played(
        war(bare),
        f"move {field(-6, 9)}-{field(-4, 9)}",
        *("play carry_all", f"pick {field(6, 3)}", f"pick {field(-4, 10)}"),
        *("end", "lay none", "lay none"),
    )
    assert (position.phase, position.scrap) == ("mark", b"")
    assert "knee_deep.tie" in [event.key for event in position.events]


def words(position: KneeDeep) -> dict[str, tuple[str, bool]]:
    """What each move that has words says, and whether people are asked once more."""
    said = {position.name(act): position.phrase(act) for act in position.legal}
    return {name: (say(it.said), it.sure) for name, it in said.items() if it}


def asked(position: KneeDeep) -> tuple[int, str]:
    """Who is asked, and what."""
    (question,) = (it for it in map(position.question, (O, B)) if it)
    return question.seat, question.message.key.removeprefix("knee_deep.ask_")


def test_the_headline_of_a_war_ends_with_it(bare: str) -> None:
    """Gondwana is active, Bukseon has more in the zone: it lays second and does the damage."""
    begun = played(war(bare), "end")
    assert asked(begun)[1] == "lay"
    assert "knee_deep.in_zone" in {line.key for line in begun.standing}
    fought = played(begun, "lay none", "lay none")
    assert asked(fought) == (B, "damage")
    after = played(fought, "stop")
    assert asked(after) == (O, "mark")
    assert "knee_deep.in_zone" not in {line.key for line in after.standing}
    assert asked(played(after, "mark none")) == (B, "act")


def test_t26_an_hq_can_fall_in_its_owners_own_war_zone(bare: str) -> None:
    position = begun(map=bare)
    crossing = position.setting.ground.crossing["26,30,31"]
    units = {(-6, 16): "O palooza", (-6, 18): "O palooza"}
    position = with_units(position, units, marker=crossing, marker_of=B)
    position = played(position, "end", "lay none", "lay none")
    assert position.surplus == 6
    assert ("Destroy the HQ of Bukseon: the game ends, Gondwana wins", True) in words(
        position
    ).values()
    after = played(position, f"destroy {position.setting.ground.ids[position.targets(O, 6)[0]]}")
    assert after.scores == (1, 0)
    weak = replace(position, surplus=3)
    assert refused(weak, f"destroy {field(-8, 17)}") == "KDH-8.8"  # T25: never in part


def test_t27_no_war_where_only_one_side_is(bare: str) -> None:
    position = begun(map=bare)
    crossing = position.setting.ground.crossing["12,16,17"]
    units = {(0, 9): "O tank", (1, 9): "B tank"}  # T29: the second stands in sector 13
    position = with_units(position, units, marker=crossing, marker_of=B)
    after = played(position, "end")
    assert (after.phase, after.marker) == ("mark", -1)


@pytest.mark.parametrize(
    ("places", "patterns"),
    [
        ([(0, 7), (0, 8), (0, 9)], {"line3", "gap2"}),
        ([(0, 7), (0, 9)], {"gap2"}),
        ([(0, 7), (1, 8)], set()),
        ([(0, 8), (0, 9), (-1, 9)], {"skirmish"}),
    ],
)
def test_t30_t31_formations(bare: str, places: list[tuple[int, int]], patterns: set[str]) -> None:
    crossing = begun(map=bare).setting.ground.crossing["12,16,17"]
    position = with_units(
        begun(map=bare), dict.fromkeys(places, "O tank"), marker=crossing, marker_of=B
    )
    assert {p for p in ("line3", "gap2", "skirmish") if position.formed(O, p)} == patterns


def test_t35_cards_of_the_other_kind_are_refused(bare: str) -> None:
    position = reinforced(bare)
    assert refused(position, "play sling") == "KDH-3.8"
    assert refused(position, "lay sling") == "KDH-3.8"
    fighting = played(position, "end")
    assert refused(fighting, "play sling") == "KDH-3.8"


def test_t37_t38_t39_the_scrapyard_decides(bare: str) -> None:
    def ends(mine: str, theirs: str) -> tuple[int, int] | None:
        codes = {"A": 1, "T": 2, "P": 3, "U": 5}
        scrap = bytes([codes[c] for c in mine] + [codes[c] + 6 for c in theirs])
        full = begun(map=bare)
        values = replace(full.setting.box.values, scrapyard=len(scrap))
        box = replace(full.setting.box, values=values)
        full = replace(full, setting=replace(full.setting, box=box), scrap=scrap)
        return played(full, "end").scores

    assert ends("PPPTA", "TTTUAAP") == (1, 0)
    assert ends("PPPTA", "TTTUAAA") == (0, 1)
    assert ends("PPPTA", "TTTUAAT") == (0, 1)
    assert ends("P", "AAA") == (0, 1)
    assert ends("TA", "TA") == (0, 0)


def test_t13_t45_reach_with_one_two_and_three_energies(bare: str, tmp_path_factory: Any) -> None:
    def rings(position: KneeDeep, *place: int) -> dict[str, int]:
        return {mark.place: mark.count for mark in position.rings(field(*place))}

    units = {(-3, 9): "O palooza", (-2, 9): "O tank"}
    position = with_units(begun(map=bare), units, energy=5)
    assert rings(position, -3, 9)[field(-1, 9)] == 3
    walled = begun(map=mapped(tmp_path_factory, [], [], [(-2, 8), (-3, 10)]))
    position = with_units(walled, units, energy=5)
    assert field(-1, 9) not in rings(position, -3, 9)  # five
    acv = with_units(begun(map=bare), {(-3, 9): "O acv"}, energy=2)
    assert rings(acv, -3, 9)[field(2, 9)] == 2
    assert field(2, 9) not in rings(replace(acv, energy=1), -3, 9)


@pytest.mark.parametrize(
    ("surplus", "maximal"),
    [
        (1, {"A"}),
        (2, {"A", "T"}),
        (3, {"P", "AT"}),
        (4, {"AT", "AP"}),
        (5, {"AT", "AP", "PT"}),
        (6, {"APT"}),
    ],
)
def test_t23_what_a_surplus_can_destroy(bare: str, surplus: int, maximal: set[str]) -> None:
    position = begun(map=bare)
    crossing = position.setting.ground.crossing["12,16,17"]
    units = {(0, 7): "B palooza", (0, 9): "B acv", (-3, 9): "B tank", (-4, 9): "O palooza"}
    position = with_units(position, units, marker=crossing, marker_of=B)
    position = replace(position, phase="damage", victor=O, surplus=surplus, laid=(-1, -1))
    found = set[str]()

    def destroy(before: KneeDeep) -> None:
        if before.phase != "damage":
            found.add("".join(sorted("ATP"[(unit - 1) % 6] for unit in before.scrap)))
            return
        assert "stop" in {before.name(act) for act in before.legal}
        for act in before.legal:
            if act.verb == "destroy":
                destroy(before.play(act))

    destroy(position)
    assert found == maximal


def test_t33_the_defenders_effect_can_break_the_attackers_formation(
    bare: str, tmp_path: Path
) -> None:
    old = 'combat = 2\nstatus = { combat = "T" }\nsource = "rulebook"'
    effect = 'do = [{ do = "relocate", unit = "vehicle", of = "enemy", where = "zone", most = 1 }]'
    new = f'combat = 0\nsource = "test"\n{effect}'
    path = broken(tmp_path / "box.toml", "cards", old, new)
    position = played(reinforced(bare, box=path), "end", "lay ?", "lay ?")
    position = played(position, "reveal war_bots", "reveal sling")
    position = played(position, f"pick {field(0, 9)}", f"pick {field(0, 10)}")
    assert (totals(position), position.surplus) == ((4, 6), 2)
    assert f"destroy {field(0, 10)}" in {position.name(act) for act in position.legal}


def test_t41_t42_conditions_and_targets_of_cards(bare: str) -> None:
    crossing = begun(map=bare).setting.ground.crossing["12,16,17"]
    card = begun().setting.box.cards[begun().setting.box.number["three_tanks"] - 1]
    (three,) = card.conditions
    assert isinstance(three, Count)
    for third, holds in (("O tank", True), ("O palooza", False)):
        units = {(0, 7): "O tank", (0, 8): "O tank", (0, 9): third}
        position = with_units(begun(map=bare), units, marker=crossing, marker_of=B)
        assert three.met(position, O) == holds
    outside = {(0, 7): "O tank", (0, 8): "O tank", (1, 9): "O tank"}
    position = with_units(begun(map=bare), outside, marker=crossing, marker_of=B)
    assert not three.met(position, O)
    units = {(0, 7): "O extractor", (0, 8): "B tank", (0, 9): "O tank"}
    carrying = played(with_units(begun(map=bare), units), "play carry_all")
    assert [carrying.name(act) for act in carrying.legal] == [f"pick {field(0, 9)}"]
    assert refused(carrying, f"pick {field(0, 8)}") == "KDH-3.5"
    going = played(carrying, f"pick {field(0, 9)}")
    assert refused(going, f"pick {field(-3, 8)}") == "KDH-3.5"  # a material field
    assert played(going, f"pick {field(-6, 18)}").energy == carrying.energy


def tricks(bare: str, **options: Any) -> KneeDeep:
    """The rulebook's war with tech and trickster on both sides."""
    start = knee_deep.start(BOARD, {"starter": "gondwana", "hands": "held", "map": bare} | options)
    pairs = ("companions tech trickster", "companions tech trickster")
    position = played(start, *pairs, "keep", "keep")
    crossing = position.setting.ground.crossing["12,16,17"]
    return with_units(position, WAR, marker=crossing, marker_of=B, material=3, energy=1)


def test_the_house_cards_do_what_they_say(bare: str) -> None:
    position = tricks(bare)
    assert played(position, "play batteries").energy == 3
    assert played(position, "play one_builder").builders(O) == 1
    asked = played(position, "play theft")
    assert {asked.actor(act) for act in asked.legal} == {B}
    robbed = played(asked, "discard sling")
    assert (len(robbed.hands[B]), len(robbed.discards[B]), robbed.active) == (2, 1, O)
    assert refused(position, "play sabotage") == "KDH-3.11"  # no vehicle beside the ACV
    near = with_units(position, {(-1, 9): "O tank"})
    assert played(near, "play sabotage", f"pick {field(0, 9)}").scrap == bytes((7,))
    end = played(position, "end", "lay ?", "lay ?")
    jammed = played(end, "reveal bunker", "reveal jamming")
    # 4 to 0, Gondwana's bunker spares 2, Bukseon's jamming takes 2 from Gondwana, which has none
    assert (jammed.total(B), jammed.total(O), jammed.surplus) == (4, 0, 2)
    reserve = played(end, "reveal bunker", "reveal reserve")
    assert reserve.phase == "damage"  # no vehicle of Bukseon's stands near the zone


def test_a_card_can_be_carried_out_by_hand(bare: str, tmp_path: Path) -> None:
    manual = 'do = [{ do = "manual", text = "Swap two vehicles." }]'
    path = broken(
        tmp_path / "box.toml", "cards", 'do = [{ do = "relocate", unit = "vehicle" }]', manual
    )
    position = played(war(bare, box=path), "play carry_all")
    assert [position.name(act) for act in position.legal] == ["pick none"]
    after = played(position, f"carry {field(6, 3)}-{field(-4, 9)}", f"lift {field(-6, 9)}")
    after = played(after, f"put bukseon.acv {field(-6, 9)}", "pick none")
    assert (totals(after), after.supply(B, 0), after.phase) == ((4, 2), 4, "act")
    assert refused(after, f"lift {field(-6, 9)}") == "KDH-5.1"


def test_a_discard_can_be_left_out(bare: str, tmp_path: Path) -> None:
    theft = 'do = "discard", of = "enemy", amount = 1'
    path = broken(tmp_path / "box.toml", "cards", theft, f"{theft}, optional = true")
    asked = played(tricks(bare, box=path), "play theft")
    assert "pick none" in {asked.name(act) for act in asked.legal}
    spared = played(asked, "pick none")
    assert (len(spared.hands[B]), len(spared.discards[B]), spared.queue) == (3, 0, ())


# ------------------------------------------------------------------------------------ secrets


def dealt(seed: int, steps: int) -> list[KneeDeep]:
    """Positions of a random game in which the referee deals."""
    random, position = Random(seed), knee_deep.start(BOARD)
    seen = [position]
    while position.legal and len(seen) < steps:
        position = position.play(random.choice(position.legal))
        seen.append(position)
    return seen


@pytest.mark.long
def test_t46_a_view_shows_no_card_of_the_other() -> None:
    for position in dealt(1, 250):
        for seat in (O, B):
            view, other = position.view(seat), 1 - seat
            assert view.view(other) == view
            assert set(view.hands[other]) <= {0}
            assert view.laid[other] <= 0 or view.shown[other]
            assert len(view.hands[other]) == len(position.hands[other])
            assert view.pile(other) == position.pile(other)
            assert knee_deep.parse(str(view), BOARD) == view
            names = {position.told(act, seat) for act in position.legal}
            assert names <= {view.name(act) for act in view.legal} | {"end"}


def test_what_a_seat_may_not_know_does_not_change_its_view() -> None:
    tried = 0
    for position in dealt(3, 300):
        hand, pile = position.hands[B], position.unseen[B]
        if hand and pile and hand[0] != pile[-1]:
            swapped = replace(
                position,
                hands=(position.hands[O], bytes(sorted((*hand[1:], pile[-1])))),
                unseen=(position.unseen[O], bytes(sorted((*pile[:-1], hand[0])))),
            )
            assert swapped.view(O) == position.view(O)
            assert swapped.view(B) != position.view(B)
            tried += 1
    assert tried > 50


def test_nothing_in_the_lights_depends_on_a_hand() -> None:
    for position in dealt(4, 200):
        if not position.queue:
            assert position.scene() == position.view(O).scene() == position.view(B).scene()


# ------------------------------------------------------------------------------------ any game


@pytest.mark.parametrize("seed", range(3))
def test_invariants_over_a_random_game(seed: int) -> None:
    positions = dealt(10 + seed, 700)
    for before, after in pairwise(positions):
        check_step(before, after)


@settings(max_examples=6, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2), held=st.booleans())
def test_it_is_a_game(data: st.DataObject, seed: int, held: bool) -> None:
    options = {"hands": "held"} if held else {}

    def parse(text: str) -> KneeDeep:
        return knee_deep.parse(text, BOARD, options)

    random, position = Random(seed), knee_deep.start(BOARD, options)
    for _ in range(data.draw(st.sampled_from((0, 60, 300)))):
        if position.legal:
            position = position.play(random.choice(position.legal))
    check_play(data, knee_deep.GAME, replace(position, events=()), parse)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_garbled_position_is_refused(data: st.DataObject) -> None:
    texts = [str(position) for position in TEXTS]
    check_parse_refuses(data, texts, lambda text: knee_deep.parse(text, BOARD))


TEXTS = dealt(7, 240)[::40]


# --------------------------------------------------------------------------------- bad input


def broken(path: Path, folder: str, old: str, new: str) -> str:
    name = {"cards": "house", "maps": "flowers-31"}[folder]
    text = (SHIPPED / folder / f"{name}.toml").read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("neutral = 2\ncombat = 3", "neutral = 1\ncombat = 3", "would have 24 cards"),
        ("material = 1\nstatus", "material = -1\nstatus", "cannot be -1"),
    ],
)
def test_a_bad_box_is_refused_with_file_and_line(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    path = broken(tmp_path / "box.toml", "cards", old, new)
    with pytest.raises(BadFile) as caught:
        boxes.box(path)
    assert said in str(caught.value)
    assert f"{path}:" in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('1 = ["1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6"]', '1 = ["1.0"]', "at least 2"),
        ('"3.0", "4.6"', '"3.0", "99.6"', "is in no sector"),
        ('"3.0", "4.6"', '"4.6"', "half a turn"),
        ('"1.6"]', '"1.6", "2.6"]', "already"),
        ("sector_count = 31", "sector_count = 30", "there are 31 sectors"),
        ('gondwana = ["2.0", "2.3", "2.4"]', "gondwana = []", "an HQ needs"),
    ],
)
def test_a_bad_map_is_refused_with_file_and_line(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    path = broken(tmp_path / "map.toml", "maps", old, new)
    with pytest.raises(BadFile) as caught:
        ground.ground(path, BOARD)
    assert said in str(caught.value)
    assert f"{path}:" in str(caught.value)


def test_a_map_without_an_intersection_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text(
        'name = "two"\ntitle = "Two"\nboard = "flowers-31"\nsector_count = 2\n'
        '[hq]\ngondwana = ["1.0"]\nbukseon = ["2.0"]\n[sectors]\n'
        'a = ["1.0", "1.1", "1.2"]\nb = ["2.0", "2.1", "2.2"]\n'
    )
    with pytest.raises(BadFile, match="three sectors meet"):
        ground.ground(str(path), BOARD)


@pytest.mark.parametrize("name", ["mark 1,2,5", "mark 1", "mark x", "deploy tnak 2.1", "dance"])
def test_a_bad_action_is_refused_in_words(name: str) -> None:
    with pytest.raises(BadText):
        begun().action(name)

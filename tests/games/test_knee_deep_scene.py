"""Knee Deep in Hexes: what the lights and the page are told to show."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from hexboard.board import find, load
from hexboard.games.knee_deep import KneeDeep
from hexboard.games.knee_deep.tints import tinted
from hexboard.lights.frame import BLACK, SIDES, TERRAIN, LightRenderer, LightSettings
from hexboard.scene import Mark, Meaning
from tests.games.playing import played
from tests.games.test_knee_deep import (
    AT,
    BOARD,
    B,
    O,
    begun,
    broken,
    field,
    war,
    with_units,
)


def lit(position: KneeDeep, meaning: Meaning) -> dict[str, int]:
    return {mark.place: mark.count for mark in position.scene() if mark.meaning is meaning}


def places(*axial: tuple[int, int]) -> set[str]:
    return {AT[place] for place in axial}


def test_terrain_and_hqs_are_told_by_their_kind(bare: str) -> None:
    hqs = {(2, 1): 4, (1, 2): 4, (2, 2): 4, (-8, 17): 5, (-7, 16): 5, (-8, 16): 5}
    kinds = {(-3, 8): 2, (-2, 11): 3} | hqs
    assert lit(begun(map=bare), Meaning.TERRAIN) == {AT[p]: kind for p, kind in kinds.items()}


def test_a_marker_shows_its_zone_its_corner_and_who_fights(bare: str) -> None:
    """The rulebook's war: 15 fields of rim, one of them the material field, another the energy."""
    position = war(bare)
    zone = lit(position, Meaning.ZONE)
    assert set(zone.values()) == {B + 1}
    rim = {position.setting.ground.ids[k] for k in position.crossing.rim}
    assert len(rim) == 15
    assert set(zone) == rim - places((-3, 8), (-2, 11))
    assert lit(position, Meaning.MARKER) == dict.fromkeys(places((-1, 8), (-2, 9), (-1, 9)), B + 1)
    sides = lit(position, Meaning.SIDE)
    assert {cell for cell, side in sides.items() if side == O + 1} == places((-3, 9), (-2, 10))
    assert {cell for cell, side in sides.items() if side == B + 1} == places((0, 7), (0, 9))


def test_what_the_stronger_side_could_destroy_is_threatened(bare: str) -> None:
    """4:0 threatens both extractors (2 each); 4:6 the ACV (1) and not the palooza (3); a tie
    nobody."""
    position = war(bare)
    assert lit(position, Meaning.THREAT) == dict.fromkeys(places((-3, 9), (-2, 10)), O + 1)
    position = played(position, f"move {field(-6, 9)}-{field(-4, 9)}")
    position = played(position, "play carry_all", f"pick {field(6, 3)}", f"pick {field(-4, 10)}")
    assert lit(position, Meaning.THREAT) == {}
    position = played(position, "play improvised_turret", f"pick {field(-3, 10)}")
    assert lit(position, Meaning.THREAT) == {field(0, 9): B + 1}
    damage = played(position, "end", "lay none", "lay none")
    assert lit(damage, Meaning.THREAT) == {}
    assert set(lit(damage, Meaning.DOOMED)) == places((0, 9))


def test_supplies_losses_and_the_war_are_told_to_everybody(bare: str) -> None:
    position = replace(war(bare), scrap=bytes((1, 2, 9)))  # an ACV, a tank, Bukseon's palooza
    told = [dict(line.values) for line in position.standing]
    gondwana, bukseon, scrapyard, zone = told[2:]  # after both hands
    assert (gondwana["hq"], gondwana["units"], gondwana["health"]) == (4, 2, 3)
    supply = ("acv", "tank", "palooza", "extractor", "turret", "factory")
    assert [gondwana[kind] for kind in supply] == [5, 2, 3, 2, 3, 2]
    assert [bukseon[kind] for kind in supply] == [5, 5, 1, 4, 3, 2]
    assert (bukseon["units"], bukseon["health"]) == (1, 3)
    assert (scrapyard["count"], scrapyard["full"]) == (3, 12)
    assert (zone["gondwana"], zone["bukseon"]) == (0, 4)
    assert position.view(O).standing == position.view(B).standing == position.standing


def test_fields_to_deploy_and_build_are_lit_where_something_can_be_paid(bare: str) -> None:
    position = with_units(begun(map=bare), {(2, 3): "O acv", (1, 3): "O acv"}, material=2)
    gates = places((0, 2), (0, 3), (1, 1), (2, 0), (3, 0), (3, 1), (3, 2))
    assert set(lit(position, Meaning.ONTO)) == gates | places((1, 4))
    assert set(lit(replace(position, material=1), Meaning.ONTO)) == gates  # an ACV, no structure
    assert lit(replace(position, material=0), Meaning.ONTO) == {}
    assert set(lit(position, Meaning.LEGAL)) == places((2, 3), (1, 3))
    assert lit(replace(position, energy=0), Meaning.LEGAL) == {}


def test_totals_are_never_below_nothing(bare: str) -> None:
    """Jamming takes two from a side that has one: it has none then, and not one less."""
    units = {(0, 7): "O acv", (0, 9): "B tank"}
    position = with_units(begun(map=bare), units)
    position = replace(
        position, marker=position.setting.ground.crossing["12,16,17"], marker_of=B, bonus=(-2, 0)
    )
    assert (position.total(O), position.total(B)) == (0, 2)


@pytest.mark.parametrize("calm", [False, True])
def test_each_kind_and_side_has_a_light_of_its_own(calm: bool) -> None:
    board = load(find("flowers-31"))
    renderer = LightRenderer(board, LightSettings(brightness=100, calm=calm))

    def light(meaning: Meaning, count: int) -> bytes:
        return renderer.render((Mark("1.0", meaning, count),)).data[:8]

    dark = renderer.render(()).data[:8]
    terrain = {light(Meaning.TERRAIN, kind) for kind in range(1, len(TERRAIN) + 1)}
    assert len(terrain | {dark}) == 1 + len(TERRAIN) == 6
    reach = [sum(light(Meaning.REACH, energies)[:3]) for energies in (1, 2, 3)]
    assert reach == sorted(reach, reverse=True)
    assert len(set(reach)) == 3
    blinking = [] if calm else [Meaning.MARKER, Meaning.THREAT]  # their steady colour is no side's
    for meaning in (Meaning.ZONE, Meaning.SIDE, *blinking):
        assert len({light(meaning, side) for side in (1, 2)} | {dark}) == 3, meaning
    assert BLACK not in (*SIDES, *TERRAIN)


def test_the_board_in_the_page_has_every_piece_with_its_word(bare: str) -> None:
    position: Any = war(bare)
    pieces = {piece.place: (piece.kind, piece.seat, piece.text) for piece in position.pieces()}
    assert pieces[field(0, 7)] == ("unit", B, "Pal")
    assert pieces[field(-3, 8)] == ("ground", -1, "Mat")
    assert pieces[field(2, 1)] == ("ground", O, "HQ")
    assert len(pieces) == 6 + 6 + 2
    assert len(BOARD.cells) == 217


def sector(cell: str) -> str:
    """Field 3.4 is of sector 3."""
    return cell.split(".")[0]


def test_sectors_are_lit_apart_while_a_marker_is_placed(bare: str) -> None:
    """Each is lit whole, those side by side not alike, so that three lights meet where a marker can
    stand; HQs stay what they are, and at no other time is anything of it lit."""
    position = begun(map=bare)
    assert lit(position, Meaning.AREA) == {}
    marking = played(position, "end")
    tint = {cell.id: 0 for cell in BOARD.cells} | lit(marking, Meaning.AREA)
    hqs = set(lit(marking, Meaning.TERRAIN)) - places((-3, 8), (-2, 11))
    assert len(hqs) == 6
    assert not hqs & set(lit(marking, Meaning.AREA))
    shown = {name: set[int]() for name in map(sector, tint)}
    for cell in tint.keys() - hqs:
        shown[sector(cell)].add(tint[cell])
    whole = {name: one for name, (one,) in shown.items()}
    assert set(whole.values()) == {0, 1, 2}
    for cell, _, other in BOARD.shared_edges:
        assert sector(cell) == sector(other) or whole[sector(cell)] != whole[sector(other)]
    assert lit(played(marking, "mark none"), Meaning.AREA) == {}


def test_where_a_card_may_move_the_marker_is_lit(bare: str, tmp_path: Path) -> None:
    """12,16,17 shares two sectors with the intersections at the other ends of its three borders."""
    old = 'do = "relocate", unit = "vehicle"'
    path = broken(tmp_path / "box.toml", "cards", old, 'do = "move_marker"')
    position = played(war(bare, box=path), "play carry_all")
    assert lit(position, Meaning.AREA)
    near = {"11,12,16", "12,13,17", "16,17,21"}
    names = {position.name(act).removeprefix("shift ") for act in position.legal}
    assert names >= near
    corners = {position.places(position.action(f"shift {name}")) for name in near}
    assert {cell for three in corners for cell in three} <= set(lit(position, Meaning.LEGAL))
    assert len(lit(position, Meaning.LEGAL)) == 3 * len(names - {"none"})


def test_four_tints_are_enough_for_any_map() -> None:
    """A sector within a ring of five needs a fourth; maps that grow at random never a fifth."""
    ring = {str(n): {str((n + 1) % 5), str((n - 1) % 5), "hub"} for n in range(5)}
    wheel = ring | {"hub": set(ring)}
    assert apart(wheel)
    assert len(set(tinted(wheel).values())) == 4
    for seed in range(60):
        assert apart(grown(Random(seed))), seed


def apart(beside: dict[str, set[str]]) -> bool:
    found = tinted(beside)
    assert found.keys() == beside.keys()
    assert set(found.values()) <= set(range(4))
    return all(found[a] != found[b] for a, others in beside.items() for b in others)


def grown(random: Random) -> dict[str, set[str]]:
    """Sectors that grew from seeds, field by field, over the whole board: which are neighbours."""
    of = {cell.id: str(n) for n, cell in enumerate(random.sample(BOARD.cells, 50))}
    edges = list(BOARD.shared_edges)
    while len(of) < len(BOARD.cells):
        cell, _, other = random.choice(edges)
        if (cell in of) != (other in of):
            of[cell] = of[other] = of.get(cell) or of[other]
    beside: dict[str, set[str]] = {name: set() for name in of.values()}
    for cell, _, other in edges:
        if of[cell] != of[other]:
            beside[of[cell]].add(of[other])
            beside[of[other]].add(of[cell])
    return beside

"""What companions of Knee Deep in Hexes give all game: units, wars, builders, income."""

from pathlib import Path

import pytest

from hexboard.games.knee_deep.boxes import box
from hexboard.games.knee_deep.triggers import faces
from hexboard.words import say
from tests.games.playing import played
from tests.games.test_knee_deep import B, O, broken, with_units
from tests.games.test_knee_deep_rulings import at_war
from tests.games.test_knee_deep_triggers import begun, gates

DEFENDS = 'if = [{ is = "role", role = "defender" }]'
LATER = 'if = [{ is = "round", least = 2 }]'
ATTACKS = 'if = [{ is = "role", role = "attacker" }]'


def giving(tmp_path: Path, *lines: str, companion: str = "gondwana_tech") -> str:
    """The house box, where a companion gives these."""
    listed = ", ".join(f'{{ title = "P{k}", {line} }}' for k, line in enumerate(lines, 1))
    id = f'id = "{companion}"\n'
    path = tmp_path / "box.toml"
    return broken(path, "cards", id, f"{id}passives = [{listed}]\n")


def test_they_say_what_they_give_and_when(tmp_path: Path) -> None:
    path = giving(
        tmp_path,
        f'gives = "combat", unit = "turret", amount = 2, {DEFENDS}',
        'gives = "move", unit = "tank", of = "enemy", amount = -1',
        'gives = "bonus", of = "any"',
        'gives = "prevent", amount = 2',
        'gives = "builders"',
        'gives = "income", resource = "energy"',
    )
    said = [*faces(box(path).companions[2])]
    assert [
        say(it).removeprefix(f"P{k}: gondwana_tech, all game. ") for k, it in enumerate(said, 1)
    ] == [
        "Needs you as the defender. +2 combat for turrets of yours.",
        "-1 move for enemy tanks.",
        "For both sides: +1 combat in each war.",
        "2 damage less in each war.",
        "1 ACV is enough to build.",
        "+1 energy each turn.",
    ]
    assert say(said[0], "de") == (
        "P1: gondwana_tech, das ganze Spiel. Verlangt: du bist der Verteidiger. "
        "+2 Kampf für Geschütze von dir."
    )


ZONE = {(0, 7): "O tank", (1, 7): "O turret", (0, 9): "B tank", (0, 10): "B turret"}


@pytest.mark.parametrize(
    ("line", "totals"),
    [
        ('gives = "combat", unit = "turret"', (5, 4)),
        ('gives = "combat", unit = "structure", of = "any", amount = 3', (7, 7)),
        ('gives = "combat", unit = "any", of = "enemy", amount = -1', (4, 2)),
        ('gives = "combat", unit = "tank", of = "enemy", amount = -9', (4, 2)),  # never below 0
        (f'gives = "combat", amount = 2, {DEFENDS}', (8, 4)),
        (f'gives = "combat", amount = 2, {ATTACKS}', (4, 4)),
        (f'gives = "bonus", amount = 2, {DEFENDS}', (6, 4)),
        ('gives = "bonus", of = "enemy", amount = -3', (4, 1)),
        ('gives = "bonus", of = "enemy", amount = -9', (4, 0)),
        ('gives = "bonus", of = "any"', (5, 5)),
        ('gives = "bonus", if = [{ is = "formation", pattern = "line3" }]', (4, 4)),
        ('gives = "bonus", if = [{ is = "count", unit = "turret", least = 1 }]', (5, 4)),
    ],
)
def test_combat_in_a_war(line: str, totals: tuple[int, int], bare: str, tmp_path: Path) -> None:
    """A tank and a turret, two combat each, on both sides; Gondwana defends."""
    position = at_war(with_units(begun(bare, giving(tmp_path, line)), ZONE))
    assert (position.total(O), position.total(B)) == totals
    fought = played(position, "end", "lay none", "lay none")
    said = [dict(event.values) for event in fought.events if event.key == "knee_deep.totals"]
    assert [(it["gondwana"], it["bukseon"]) for it in said] == [totals]


def test_two_of_both_sides_add_up(bare: str, tmp_path: Path) -> None:
    """Three more for Gondwana's tanks; Bukseon takes one of that, and has one more itself."""
    giving(tmp_path, 'gives = "combat", unit = "tank", amount = 3')
    text = (tmp_path / "box.toml").read_text("utf-8")
    id = 'id = "bukseon_general"\n'
    less = '{ title = "L", gives = "combat", unit = "tank", of = "enemy", amount = -1 }'
    more = '{ title = "M", gives = "bonus", amount = 1 }'
    (tmp_path / "box.toml").write_text(
        text.replace(id, f"{id}passives = [{less}, {more}]\n"), "utf-8"
    )
    position = at_war(with_units(begun(bare, str(tmp_path / "box.toml")), ZONE))
    assert (position.total(O), position.total(B)) == (2 + 3 - 1 + 2, 4 + 1)


def test_a_companion_that_is_not_chosen_gives_nothing(bare: str, tmp_path: Path) -> None:
    path = giving(tmp_path, 'gives = "bonus"', companion="gondwana_commander")
    position = at_war(with_units(begun(bare, path), ZONE))
    assert (position.total(O), position.total(B)) == (4, 4)


@pytest.mark.parametrize(("amount", "surplus"), [(1, 3), (3, 1), (9, 0)])
def test_damage_less(amount: int, surplus: int, bare: str, tmp_path: Path) -> None:
    """Gondwana wins by four; Bukseon's damage is less."""
    path = giving(tmp_path, f'gives = "prevent", amount = {amount}', companion="bukseon_tech")
    units = {(0, 7): "O palooza", (1, 7): "O turret", (0, 9): "B acv"}
    fought = played(at_war(with_units(begun(bare, path), units)), "end", "lay none", "lay none")
    (won,) = (dict(event.values) for event in fought.events if event.key == "knee_deep.wins_war")
    assert won["surplus"] == surplus


@pytest.mark.parametrize(("amount", "steps"), [(1, 3), (-1, 1), (-9, 0)])
def test_how_far_a_vehicle_moves(amount: int, steps: int, bare: str, tmp_path: Path) -> None:
    """A tank moves two fields for an energy."""
    path = giving(tmp_path, f'gives = "move", unit = "tank", amount = {amount}')
    position = with_units(begun(bare, path), {(0, 8): "O tank", (0, 12): "B tank"})
    here, there = position.of(O)[0], position.of(B)[0]
    assert [*position.reach(here)] == position.reach(here, steps)
    assert position.reach(there) == position.reach(there, 2)


def test_one_builder_is_enough_until_a_card_says_more(bare: str, tmp_path: Path) -> None:
    """Two ACVs are needed without it; the card One builder may be anybody's."""
    position = with_units(begun(bare, giving(tmp_path, 'gives = "builders"')), {(0, 8): "O acv"})
    assert len(position.builds(O)) == 6
    assert not with_units(begun(bare, "house"), {(0, 8): "O acv"}).builds(O)
    assert position.builders(B) == 2


@pytest.mark.parametrize(
    ("line", "own", "enemy"),
    [
        ('gives = "income", resource = "energy", amount = 2', (3, 4), (4, 2)),
        ('gives = "income", resource = "material", of = "enemy", amount = -3', (3, 2), (1, 2)),
        ('gives = "income", resource = "material", of = "enemy", amount = -9', (3, 2), (0, 2)),
        (
            'gives = "income", resource = "energy", if = [{ is = "round", least = 2 }]',
            (3, 2),
            (4, 2),
        ),
    ],
)
def test_income_of_each_turn(
    line: str, own: tuple[int, int], enemy: tuple[int, int], bare: str, tmp_path: Path
) -> None:
    """Four material and two energy, one material less for who begins in the first round."""
    first = begun(bare, giving(tmp_path, line))
    assert (first.material, first.energy) == own
    second = played(first, "end", "mark none")
    assert (second.material, second.energy) == enemy
    third = played(second, "end", "mark none")
    assert (third.material, third.energy) == (4, own[1] + ("round" in line))


def test_they_change_as_what_they_need_changes(bare: str, tmp_path: Path) -> None:
    """With two ACVs on the board tanks move a field more."""
    needs = 'if = [{ is = "count", unit = "acv", least = 2 }]'
    path = giving(tmp_path, f'gives = "move", unit = "tank", amount = 1, {needs}')
    position = with_units(begun(bare, path), {(0, 8): "O tank"})
    tank = position.of(O)[0]
    one = played(position, f"deploy acv {gates(position)[0]}")
    two = played(one, f"deploy acv {gates(one)[0]}")
    assert one.reach(tank) == one.reach(tank, 2)
    assert two.reach(tank) == two.reach(tank, 3)
    assert "uses" not in str(two)

"""What companions of Knee Deep in Hexes do by themselves: when, in which order, how often."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from hexboard.games import knee_deep
from hexboard.games.knee_deep import KneeDeep
from hexboard.games.knee_deep.boxes import box
from hexboard.games.knee_deep.triggers import faces
from hexboard.words import say
from hexboard.words.errors import BadText
from tests.games.playing import played
from tests.games.test_knee_deep import (
    BOARD,
    SHIPPED,
    B,
    O,
    with_units,
)
from tests.games.test_knee_deep_rulings import at_war, keys

GAIN = 'do = [{ do = "gain", resource = "energy" }]'
MATERIAL = 'do = [{ do = "gain", resource = "material" }]'
DRAW = 'do = [{ do = "draw" }]'
BONUS = 'do = [{ do = "bonus", amount = 2 }]'


def boxed(tmp_path: Path, **triggers: str) -> str:
    """The house box with triggers for companions: `gondwana_tech='on = "placed"…'`."""
    text = (SHIPPED / "cards" / "house.toml").read_text("utf-8")
    for companion, lines in triggers.items():
        listed = "".join(
            f'    {{ title = "{companion[:1].upper()}{k}", {line} }},\n'
            for k, line in enumerate(lines.splitlines(), 1)
        )
        id = f'id = "{companion}"\n'
        assert id in text
        text = text.replace(id, f"{id}triggers = [\n{listed}]\n", 1)
    path = tmp_path / "box.toml"
    path.write_text(text, "utf-8")
    return str(path)


def chosen(bare: str, path: str) -> dict[str, Any]:
    """The options of these matches; people hold the cards."""
    return {"starter": "gondwana", "hands": "held", "map": bare, "box": path}


def begun(bare: str, path: str, companions: str = "general tech") -> KneeDeep:
    """Gondwana's first action phase, with these companions; Bukseon has general and tech."""
    return played(
        knee_deep.start(BOARD, chosen(bare, path)),
        *(f"companions {companions}", "companions general tech", "keep", "keep"),
    )


def gates(position: KneeDeep) -> list[str]:
    """Where whose turn it is can deploy."""
    return [position.setting.ground.ids[field] for field in position.deploys(position.active)]


def set_off(position: KneeDeep) -> list[str]:
    """What did something by itself in the last action, in order."""
    said = (dict(event.values) for event in position.events if event.key == "knee_deep.sets_off")
    return [str(values["card"]) for values in said]


# ------------------------------------------------------------------------------------------ when


def test_it_says_when_what_and_how_often(bare: str, tmp_path: Path) -> None:
    lines = f'on = "destroyed", unit = "tank", {GAIN}\non = "turn_begins", of = "enemy", {DRAW}'
    companion = box(boxed(tmp_path, gondwana_tech=lines)).companions[2]
    one, other = faces(companion)
    assert say(one) == (
        "G1: gondwana_tech, by itself when 1 tank of yours is destroyed. 1 energy more. "
        "At most once a turn."
    )
    assert say(other, "de") == (
        "G2: gondwana_tech, von selbst wenn der Zug des Feindes beginnt. "
        "1 Karte vom Zugstapel. Höchstens einmal im Zug."
    )


def test_a_turn_begins_and_ends(bare: str, tmp_path: Path) -> None:
    """Gondwana draws a card as Bukseon's turn ends, and gets an energy as its own begins."""
    lines = f'on = "turn_begins", {GAIN}\non = "turn_ends", of = "enemy", {DRAW}'
    position = begun(bare, boxed(tmp_path, gondwana_tech=lines))
    assert position.energy == 2 + 1
    cards = len(position.hands[O])
    enemy = played(position, "end", "mark none")
    assert (enemy.active, enemy.energy, len(enemy.hands[O])) == (B, 2, cards)
    own = played(enemy, "end", "mark none")
    assert set_off(own) == ["G2", "G1"]
    assert (own.active, own.energy, len(own.hands[O])) == (O, 3, cards + 2)


@pytest.mark.parametrize(("limit", "energy"), [("", 1), (", limit = { turn = 2 }", 2)])
def test_a_unit_comes_onto_the_board_so_often(
    limit: str, energy: int, bare: str, tmp_path: Path
) -> None:
    path = boxed(tmp_path, gondwana_tech=f'on = "placed", unit = "acv", {GAIN}{limit}')
    position = begun(bare, path)
    three = played(position, *(f"deploy acv {field}" for field in gates(position)[:3]))
    assert three.energy == 2 + energy
    other = played(position, f"deploy tank {gates(position)[0]}")
    assert other.energy == 2  # another kind of unit


def test_whose_unit_it_is(bare: str, tmp_path: Path) -> None:
    path = boxed(tmp_path, bukseon_tech=f'on = "placed", of = "enemy", {DRAW}')
    position = begun(bare, path)
    after = played(position, "deploy acv 2.1")
    assert len(after.hands[B]) == len(position.hands[B]) + 1
    later = played(after, "end", "mark none")
    assert len(played(later, f"deploy acv {gates(later)[0]}").hands[B]) == len(later.hands[B])


def test_a_card_is_played_and_a_marker_placed(bare: str, tmp_path: Path) -> None:
    lines = f'on = "card_played", {GAIN}\non = "marked", {DRAW}'
    position = begun(bare, boxed(tmp_path, gondwana_tech=lines))
    position = replace(position, hands=(bytes(3), bytes(3)))
    after = played(position, "play batteries")
    assert (set_off(after), after.energy) == (["G1"], 2 + 2 + 1)
    marked = played(after, "end", "mark 12,16,17")
    assert (set_off(marked), len(marked.hands[O])) == (["G2"], 3)
    assert len(played(after, "end", "mark none").hands[O]) == 2


ZONE = {(0, 7): "O tank", (0, 9): "B tank"}


@pytest.mark.parametrize(
    ("on", "role", "totals"),
    [
        ("war_begins", "defender", (4, 2)),
        ("war_begins", "attacker", (2, 2)),
        ("war_counts", "defender", (4, 2)),
    ],
)
def test_a_bonus_for_who_defends(
    on: str, role: str, totals: tuple[int, int], bare: str, tmp_path: Path
) -> None:
    """A tank each, and two more for Gondwana, whose turn it is: it defends."""
    line = f'on = "{on}", if = [{{ is = "role", role = "{role}" }}], {BONUS}'
    position = at_war(with_units(begun(bare, boxed(tmp_path, gondwana_tech=line)), ZONE))
    asked = played(position, "end")
    assert asked.bonus[O] == (2 if on == "war_begins" and role == "defender" else 0)
    fought = played(asked, "lay none", "lay none")
    said = [dict(event.values) for event in fought.events if event.key == "knee_deep.totals"]
    assert [(it["gondwana"], it["bukseon"]) for it in said] == [totals]


def test_a_war_is_won_and_over(bare: str, tmp_path: Path) -> None:
    """Gondwana's tank and ACV against an ACV: it wins by 2, destroys it, and the war is over."""
    lines = (
        f'on = "war_won", {GAIN}\non = "war_ends", {MATERIAL}\non = "war_won", of = "enemy", {DRAW}'
    )
    units = {(0, 7): "O tank", (1, 7): "O acv", (0, 9): "B acv"}
    position = at_war(with_units(begun(bare, boxed(tmp_path, gondwana_tech=lines)), units))
    won = played(position, "end", "lay none", "lay none")
    assert (set_off(won), won.energy, won.phase) == (["G1"], 3, "damage")
    over = played(won, "stop")
    assert (set_off(over), over.material, over.phase) == (["G2"], 3 + 1, "mark")


def test_no_war_sets_nothing_off(bare: str, tmp_path: Path) -> None:
    lines = f'on = "war_ends", {MATERIAL}\non = "war_begins", {BONUS}'
    position = at_war(begun(bare, boxed(tmp_path, gondwana_tech=lines)))
    over = played(position, "end")
    assert ("no_war" in keys(over), set_off(over)) == (True, [])


# -------------------------------------------------------------------------------- order and end


def test_whose_turn_it_is_comes_first_then_as_it_is_written(bare: str, tmp_path: Path) -> None:
    placed = f'on = "placed", of = "any", {DRAW}'
    path = boxed(
        tmp_path,
        gondwana_general=placed,
        gondwana_tech=f"{placed}\n{placed}",
        bukseon_general=placed.replace("any", "enemy"),
    )
    text = Path(path).read_text("utf-8").replace('title = "G1"', 'title = "General"', 1)
    Path(path).write_text(text, "utf-8")
    after = played(begun(bare, path), "deploy acv 2.1")
    assert set_off(after) == ["General", "G1", "G2", "B1"]


NEAR = 'unit = "{}", near = "vehicle"'


@pytest.mark.parametrize(("turn", "acvs"), [(1, 2), (3, 4), (20, 6)])
def test_what_sets_itself_off_comes_to_an_end(
    turn: int, acvs: int, bare: str, tmp_path: Path
) -> None:
    """Each ACV that comes brings another one: as often as the limit says, or till the supply of 6
    is empty. Where each goes is chosen."""
    does = f'do = [{{ do = "place", {NEAR.format("acv")} }}], limit = {{ turn = {turn} }}'
    path = boxed(tmp_path, gondwana_tech=f'on = "placed", unit = "acv", {does}')
    position = played(begun(bare, path), "deploy acv 2.1")
    for _ in range(20):
        if not position.queue:
            break
        text = str(position)
        assert " queue=0:@tech.1:0:1:- " in text
        assert knee_deep.parse(text, BOARD, chosen(bare, path)) == position
        position = position.play(position.legal[0])
    assert len(position.of(O, "acv")) == acvs
    assert position.phase == "act"


def test_two_that_feed_each_other_come_to_an_end_in_their_order(bare: str, tmp_path: Path) -> None:
    """An ACV brings a tank, a tank an ACV, each twice a turn: ACV, tank, ACV, tank, ACV."""
    twice = "limit = { turn = 2 }"
    lines = (
        f'on = "placed", unit = "acv", do = [{{ do = "place", {NEAR.format("tank")} }}], {twice}\n'
        f'on = "placed", unit = "tank", do = [{{ do = "place", {NEAR.format("acv")} }}], {twice}'
    )
    position = played(begun(bare, boxed(tmp_path, gondwana_tech=lines)), "deploy acv 2.1")
    order = set_off(position)
    while position.queue:
        position = position.play(position.legal[0])
        order += set_off(position)
    assert order == ["G1", "G2", "G1", "G2"]
    assert (len(position.of(O, "acv")), len(position.of(O, "tank"))) == (3, 2)
    more = replace(position, material=1)
    assert set_off(played(more, f"deploy acv {gates(more)[0]}")) == []


def test_it_waits_until_the_card_that_caused_it_is_done(bare: str, tmp_path: Path) -> None:
    """Two steps: the first one sets a choice off, which comes after the second."""
    lines = 'on = "moved", do = [{ do = "discard" }]'
    position = begun(bare, boxed(tmp_path, gondwana_tech=lines), "commander tech")
    position = with_units(position, {(0, 8): "O acv"})
    ids, (start,) = position.setting.ground.ids, position.of(O)
    one = position.reach(start, 1)[0]
    asked = played(position, "play two_steps", f"pick {ids[start]}", f"pick {ids[one]}")
    assert (asked.queue[0].card > 0, set_off(asked)) == (True, [])
    two = asked.reach(one, 1)[0]
    after = played(asked, f"pick {ids[one]}", f"pick {ids[two]}")
    assert set_off(after) == ["G1"]
    assert {act.verb for act in after.legal} == {"discard"}
    done = played(after, "discard sling")
    assert (done.queue, len(done.hands[O])) == ((), 1)


# -------------------------------------------------------------------------- whether, how often


def test_what_it_needs_counts_when_its_turn_comes(bare: str, tmp_path: Path) -> None:
    """It needs two ACVs: the first one does not count, and is not counted."""
    needs = 'if = [{ is = "count", unit = "acv", least = 2 }]'
    path = boxed(tmp_path, gondwana_tech=f'on = "placed", {needs}, {GAIN}')
    one = played(begun(bare, path), "deploy acv 2.1")
    assert (one.energy, one.uses) == (2, ())
    two = played(one, "deploy acv 2.2")
    assert two.energy == 3
    assert str(two).endswith(" uses=0:@tech.1:1:0:1")


def test_what_cannot_be_done_is_not_begun(bare: str, tmp_path: Path) -> None:
    path = boxed(tmp_path, gondwana_tech='on = "placed", do = [{ do = "retrieve" }]')
    position = played(begun(bare, path), "deploy acv 2.1")
    assert (position.queue, position.uses, set_off(position)) == ((), (), [])


def test_a_limit_of_a_war_and_of_a_game(bare: str, tmp_path: Path) -> None:
    lines = f'on = "war_begins", {BONUS}, limit = {{ game = 1 }}\n'
    lines += f'on = "war_begins", {BONUS}, limit = {{ war = 1 }}'
    position = at_war(with_units(begun(bare, boxed(tmp_path, gondwana_tech=lines)), ZONE))
    asked = played(position, "end")
    assert str(asked).endswith(" uses=0:@tech.2:1:1:1;0:@tech.1:1:1:1")
    over = played(asked, "lay none", "lay none", "stop")
    assert [(it.war, it.game) for it in over.uses] == [(0, 1), (0, 1)]
    again = played(at_war(replace(over, phase="act")), "end")
    assert set_off(again) == ["G2"]


@pytest.mark.parametrize("uses", ["0:@tech.2:1:0:1", "0:@commander.1:1:0:1", "0:@tech.0:1:0:1"])
def test_a_position_has_only_what_there_is(uses: str, bare: str, tmp_path: Path) -> None:
    path = boxed(
        tmp_path,
        gondwana_tech=f'on = "placed", {GAIN}',
        gondwana_commander=f'on = "placed", {GAIN}',
    )
    options = {"starter": "gondwana", "hands": "held", "map": bare, "box": path}
    line = str(begun(bare, path))
    assert str(knee_deep.parse(f"{line} uses=0:@tech.1:1:0:1", BOARD, options)).startswith(line)
    with pytest.raises(BadText):
        knee_deep.parse(f"{line} uses={uses}", BOARD, options)


def test_an_ability_stands_in_no_queue_as_if_something_had_set_it_off(
    bare: str, tmp_path: Path
) -> None:
    path = boxed(tmp_path, gondwana_tech=f'on = "marked", {GAIN}')
    text = (
        (tmp_path / "box.toml")
        .read_text("utf-8")
        .replace(
            'id = "gondwana_tech"\n', f'id = "gondwana_tech"\nability = {{ title = "A", {GAIN} }}\n'
        )
    )
    (tmp_path / "box.toml").write_text(text, "utf-8")
    written = str(begun(bare, path))
    assert " queue= " in written
    for step in ("0:@tech:-1:0:-", "0:@general.1:-1:0:-"):
        with pytest.raises(BadText):
            knee_deep.parse(written.replace("queue=", f"queue={step}"), BOARD, chosen(bare, path))

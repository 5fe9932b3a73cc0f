"""What a card of Knee Deep in Hexes leaves to people can change anything, by leave of the other."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from hexboard.facts import Decide, Ruling
from hexboard.games import knee_deep
from tests.games.playing import played
from tests.games.test_knee_deep import (
    BOARD,
    SHIPPED,
    O,
    mapped,
    with_units,
)
from tests.games.test_knee_deep_rulings import at_war, dealt, holding
from tests.test_secrets import KNEE_DEEP, Desk

TECH = 'cards = ["crossfire", "bunker", "one_builder", "batteries"]\n'
MANUAL = '{ do = "manual", text = "As the card says." }'


def fated() -> Desk:
    """Gondwana's tech leaves something to people, then gains an energy; it was just used."""
    house = (SHIPPED / "cards" / "house.toml").read_text("utf-8")
    does = f'[{MANUAL}, {{ do = "gain", resource = "energy" }}]'
    box = house.replace(TECH, f'{TECH}ability = {{ title = "Fate", do = {does} }}\n', 1)
    options = {**KNEE_DEEP.options, "box": box, "takeback": "agreed"}
    desk = Desk(replace(KNEE_DEEP, options=options))
    desk.say("companions general tech", "companions commander trickster")
    desk.say("keep", "keep", "use tech")
    return desk


def set_anew(desk: Desk, answer: str) -> None:
    """Ann, who plays Gondwana, sets another stock and an enemy's tank on the scrapyard."""
    seen = str(desk.position.view(O))
    ruled = seen.replace(f" material={desk.position.material} ", " material=8 ")
    desk.feed(Ruling(f"position {ruled.replace(' scrap= ', ' scrap=t ')}", "Ann", "", (0,)))
    asked = desk.table.asking
    assert (asked.message.key, asked.of) == ("table.set_position", (1,))
    assert dict(asked.message.values)["what"] == "material, scrap"
    desk.feed(Decide(asked.id, answer, (1,), "Ben"))


def test_it_changes_what_no_piece_is_and_the_card_goes_on() -> None:
    desk = fated()
    waiting, energy = desk.position.queue, desk.position.energy
    set_anew(desk, "yes")
    assert (desk.position.material, desk.position.scrap) == (8, b"\x08")
    assert desk.position.queue == waiting
    desk.say("pick none")
    assert (desk.position.material, desk.position.energy) == (8, energy + 1)
    assert desk.position.queue == ()


def test_without_the_others_word_nothing_is_changed() -> None:
    desk = fated()
    before = str(desk.position)
    set_anew(desk, "no")
    assert str(desk.position) == before


def test_it_is_taken_back_with_the_card() -> None:
    desk = fated()
    material = desk.position.material
    set_anew(desk, "yes")
    desk.say("pick none")
    desk.feed(Ruling("undo", "Ann", seats=(0,)))
    desk.feed(Decide(desk.table.asking.id, "yes", (1,), "Ben"))
    assert (desk.position.material, desk.position.scrap) == (material, b"")
    assert "use tech" in {desk.position.name(act) for act in desk.position.legal}


@pytest.mark.parametrize(
    ("bonus", "prevented", "surplus"), [("0;0", "0;0", 0), ("3;0", "0;0", 3), ("0;6", "1;0", 5)]
)
def test_in_a_war_too(
    bonus: str, prevented: str, surplus: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Both have a tank there; what was given so far is set anew, for either side."""
    bare = mapped(tmp_path_factory, [(-3, 8)], [(-2, 11)], [])
    text = (SHIPPED / "cards" / "house.toml").read_text("utf-8")
    head, card = text.split('id = "war_bots"', 1)
    path = Path(bare).parent / "box.toml"
    path.write_text(f'{head}id = "war_bots"\ndo = [{MANUAL}]{card}', "utf-8")
    fresh = dealt(map=bare, box=str(path))
    fresh = at_war(with_units(fresh, {(0, 7): "O tank", (0, 9): "B tank"}))
    shown = ("end", "lay none", "lay war_bots", "reveal war_bots")
    asked = played(holding(fresh, O, "war_bots"), *shown)
    given = f" bonus={asked.bonus[0]};{asked.bonus[1]} prevented=0;0 "
    line = str(asked)
    assert given in line
    ruled = line.replace(given, f" bonus={bonus} prevented={prevented} ")
    options = {"map": bare, "box": str(path), "starter": "gondwana"}
    after = knee_deep.parse(ruled, BOARD, options).play(asked.action("pick none"))
    assert after.surplus == surplus

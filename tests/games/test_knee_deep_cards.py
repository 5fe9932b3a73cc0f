"""Cards of Knee Deep in Hexes: what they say, and that all of it must be possible (KDH-3.11)."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from hexboard.game import registry
from hexboard.game.referee import Referee
from hexboard.games import knee_deep
from hexboard.games.knee_deep import KneeDeep
from hexboard.games.knee_deep.boxes import box
from hexboard.words import say
from tests.games.playing import played
from tests.games.test_knee_deep import (
    BOARD,
    O,
    begun,
    broken,
    war,
    with_units,
)
from tests.games.test_knee_deep_rulings import at_war, dealt, holding, keys


def why(position: KneeDeep, name: str) -> str:
    """Why an action is refused, by KDH-3.11."""
    refusal = position.refusal(position.action(name))
    assert refusal is not None
    assert refusal.rule == "KDH-3.11"
    return say(refusal)


def may(position: KneeDeep, name: str) -> bool:
    action = position.action(name)
    assert (action in position.legal) == (position.refusal(action) is None)
    return action in position.legal


# --------------------------------------------------------------------------------- what they say


def test_a_card_says_what_it_needs_and_does() -> None:
    """By hand, from the lines of the house box."""
    faces = {card.id: card.face for card in box("house").cards}
    assert say(faces["column"]) == (
        "Column: war card, 0 combat. +1 combat for each tank of yours in the war zone, at most 3."
    )
    assert say(faces["place_tank"]).endswith(
        "action card for 3 material and 0 energy. Needs at least 1 tank in your supply. "
        "Place 1 tank from your supply on an empty field at most 2 fields from one of your "
        "vehicles."
    )
    assert say(faces["sabotage"], "de") == (
        "Sabotage: Aktionskarte für 2 Material und 0 Energie. "
        "Zerstöre 1 ACV des Feindes neben einer Einheit von dir (Fahrzeuge)."
    )
    assert say(faces["three_tanks"], "de").startswith(
        "Drei Panzer (der Name ist verloren) (three_tanks): Kriegskarte"
    )
    assert say(faces["reserve"], "de").endswith(
        "Auch in diesem Krieg: 1 Fahrzeug von dir außerhalb der Kriegszone, "
        "höchstens 2 Felder von ihr."
    )


def test_a_refusal_says_which_condition_is_not_met(bare: str) -> None:
    options = {"starter": "gondwana", "map": bare}
    position = played(
        knee_deep.start(BOARD, options), "companions commander tech", "companions general tech"
    )
    tanks = dict.fromkeys([(0, 7), (0, 8), (2, 8)], "O tank")
    position = holding(with_units(position, tanks), O, "three_tanks", "sling", "long_march")
    fought = replace(position, active=O, round=1, due=(0, 0), phase="answer", laid=(-2, -1))
    fought = at_war(replace(fought, starter=O))
    assert why(fought, "lay three_tanks") == (
        "Three tanks (its name is lost) needs at least 3 tanks of yours in the war zone; "
        "there are 2."
    )
    assert why(fought, "lay sling").startswith("Sling needs two vehicles of yours in a line")
    marching = replace(fought, marker=-1, marker_of=-1, phase="act", laid=(-2, -2), material=1)
    marching = replace(marching, units=bytes(len(marching.units)))
    assert why(marching, "play long_march") == (
        "Long march must do what cannot be done now: "
        "Move 1 vehicle of yours up to 3 fields, as a vehicle moves."
    )


def test_a_refusal_says_every_condition_that_is_not_met(bare: str, tmp_path: Path) -> None:
    """Also one that must not be so, and none at all of something."""
    old = 'do = [{ do = "gain", resource = "energy", amount = 2 }]'
    tanks = '{ is = "count", unit = "tank", most = 0 }, { is = "round", least = 3 }'
    new = f'{old}\nif = [{tanks}, {{ is = "round", most = 1, negate = true }}]'
    box = broken(tmp_path / "box.toml", "cards", old, new)
    start = knee_deep.start(BOARD, {"starter": "gondwana", "map": bare, "box": box})
    position = played(start, "companions tech trickster", "companions tech trickster")
    position = replace(position, phase="act", active=O, round=1, due=(0, 0), starter=O)
    position = with_units(holding(position, O, "batteries"), {(0, 8): "O tank"}, material=1)
    assert why(position, "play batteries") == (
        "Batteries needs exactly 0 tanks of yours; there is 1. "
        "Batteries needs at least round 3; there is 1. "
        "Batteries does not go with at most round 1."
    )
    refused = position.refusal(position.action("play batteries"))
    assert refused is not None
    assert say(refused, "de").startswith("Batterien verlangt: genau 0 Panzer von dir; jetzt 1. ")


def test_a_program_is_told_the_condition_in_words(bare: str) -> None:
    """The values of a refusal are plain, also where one is a sentence of its own."""
    options = {"map": bare, "starter": "gondwana", "hands": "held"}
    referee = Referee(registry.find("knee-deep"), BOARD, options, str(begun(map=bare)))
    told = json.loads(referee.line(b'{"do": "act", "action": "play improvised_turret"}'))
    assert told["rule"] == "KDH-3.11"
    assert told["values"] == {
        "card": "Improvised Turret",
        "what": "Place 1 turret from your supply on an empty field beside one of your vehicles.",
    }


# ------------------------------------------------------------------- all of it must be possible


def test_a_card_is_not_its_own_discard(bare: str, tmp_path: Path) -> None:
    theft = 'do = "discard", of = "enemy", amount = 1'
    path = broken(tmp_path / "box.toml", "cards", theft, 'do = "discard", amount = 1')
    start = knee_deep.start(BOARD, {"starter": "gondwana", "map": bare, "box": path})
    position = played(start, "companions tech trickster", "companions tech trickster")
    position = replace(position, phase="act", active=O, round=1, due=(0, 0), starter=O, material=3)
    alone = holding(position, O, "theft")
    assert why(alone, "play theft") == "Theft must do what cannot be done now: Discard 1 card."
    assert may(holding(position, O, "theft", "sling"), "play theft")
    assert may(holding(position, O, "theft", "theft"), "play theft")  # the other one goes


@pytest.mark.parametrize("kind", ["action", "war"])
def test_a_card_does_not_count_itself_as_held(kind: str, bare: str, tmp_path: Path) -> None:
    name, old = {
        "action": ("batteries", 'do = [{ do = "gain", resource = "energy", amount = 2 }]'),
        "war": ("war_bots", WAR_BOTS),
    }[kind]
    new = f'{old}\nif = [{{ is = "hand", most = 0 }}]'
    path = broken(tmp_path / "box.toml", "cards", old, new)
    units = {(0, 7): "O tank", (0, 9): "B tank"}
    position = at_war(with_units(dealt(map=bare, box=path), units))
    move = f"{'play' if kind == 'action' else 'lay'} {name}"
    for more, why_not in ((), ""), (("sling",), "0 cards in hand; there is 1."):
        held = replace(holding(position, O, name, *more), material=2)
        held = held if kind == "action" else played(held, "end", "lay none")
        assert may(held, move) == (not why_not)
        assert not why_not or why_not in why(held, move)


def test_a_card_that_is_drawn_can_be_discarded(bare: str, tmp_path: Path) -> None:
    theft = 'do = "discard", of = "enemy", amount = 1'
    new = 'do = "draw", amount = 1 }, { do = "discard", amount = 1'
    path = broken(tmp_path / "box.toml", "cards", theft, new)
    start = knee_deep.start(BOARD, {"starter": "gondwana", "map": bare, "box": path})
    position = played(start, "companions tech trickster", "companions tech trickster")
    position = replace(position, phase="act", active=O, round=1, due=(0, 0), starter=O, material=3)
    alone = holding(position, O, "theft")
    assert may(alone, "play theft")
    assert not may(replace(alone, unseen=(b"", b"")), "play theft")  # no pile


@pytest.mark.parametrize(("standing", "possible"), [(1, True), (2, False)])
def test_two_are_placed_or_none(standing: int, possible: bool, bare: str, tmp_path: Path) -> None:
    """Of three turrets `standing` are on the board."""
    old = 'do = "place", unit = "turret"'
    path = broken(tmp_path / "box.toml", "cards", old, f"{old}, amount = 2")
    turrets = dict.fromkeys([(0, 7), (0, 9)][:standing], "O turret")
    position = with_units(war(bare, box=path), turrets)
    assert may(position, "play improvised_turret") == possible


@pytest.mark.parametrize(("material", "possible"), [(6, True), (5, False)])
def test_two_are_paid_for(material: int, possible: bool, bare: str, tmp_path: Path) -> None:
    """A18: the card costs 2 and each turret 2 more."""
    old = 'do = "place", unit = "turret"'
    path = broken(tmp_path / "box.toml", "cards", old, f"{old}, amount = 2")
    position = replace(war(bare, box=path, place_cost="both"), material=material)
    assert may(position, "play improvised_turret") == possible


@pytest.mark.parametrize(("walled", "possible"), [(False, True), (True, False)])
def test_the_second_can_stand_beside_the_first(
    walled: bool, possible: bool, bare: str, tmp_path: Path
) -> None:
    """One field beside the only vehicle is empty; `walled`, that field has no other beside it."""
    old = 'do = "place", unit = "tank", near = "vehicle", within = 2'
    new = 'do = "place", unit = "tank", near = "vehicle", amount = 2'
    path = broken(tmp_path / "box.toml", "cards", old, new)
    around = [(1, 9), (0, 10), (-1, 10), (-1, 9), (0, 8)]
    beyond = [(2, 8), (2, 7), (1, 7)]
    walls = dict.fromkeys([*around, *(beyond if walled else [])], "B tank")
    position = with_units(begun(map=bare, box=path), {(0, 9): "O acv", **walls}, material=3)
    assert may(position, "play place_tank") == possible


THEFT = 'do = "discard", of = "enemy", amount = 1'
TURRET = 'do = "place", unit = "turret", near = "vehicle"'
BESIDE = 'do = "destroy", of = "enemy", unit = "any", near = "vehicle"'


def taught(bare: str, path: Path, effects: str, *more: str) -> KneeDeep:
    """The start with a Theft (2 material) that does something else, in a hand with some more."""
    box = broken(path, "cards", THEFT, effects)
    start = knee_deep.start(BOARD, {"starter": "gondwana", "map": bare, "box": box})
    position = played(start, "companions tech trickster", "companions tech trickster")
    position = replace(position, phase="act", active=O, round=1, due=(0, 0), starter=O, material=2)
    return holding(position, O, "theft", *more)


@pytest.mark.parametrize(("standing", "possible"), [(1, True), (2, False)])
def test_two_effects_do_not_share_the_last_of_the_supply(
    standing: int, possible: bool, bare: str, tmp_path: Path
) -> None:
    """Of three turrets `standing` are on the board; the card places one, and another one."""
    position = taught(bare, tmp_path / "box.toml", f"{TURRET} }}, {{ {TURRET}")
    turrets = dict.fromkeys([(0, 7), (0, 9)][:standing], "O turret")
    position = with_units(position, {(0, 8): "O acv", **turrets}, material=2)
    assert may(position, "play theft") == possible
    if not possible:
        assert "Place 1 turret" in why(position, "play theft")


@pytest.mark.parametrize(("more", "possible"), [(("sling", "barrier"), True), (("sling",), False)])
def test_two_effects_do_not_take_the_same_card(
    more: tuple[str, ...], possible: bool, bare: str, tmp_path: Path
) -> None:
    once = 'do = "discard", amount = 1'
    position = taught(bare, tmp_path / "box.toml", f"{once} }}, {{ {once}", *more)
    assert may(position, "play theft") == possible


@pytest.mark.parametrize(("drawn", "possible"), [(2, True), (1, False)])
def test_a_card_that_is_drawn_is_discarded_once(
    drawn: int, possible: bool, bare: str, tmp_path: Path
) -> None:
    once = 'do = "discard", amount = 1'
    effects = f'do = "draw", amount = {drawn} }}, {{ {once} }}, {{ {once}'
    assert may(taught(bare, tmp_path / "box.toml", effects), "play theft") == possible


@pytest.mark.parametrize(("away", "possible"), [((0, 12), True), (None, False)])
def test_what_an_effect_makes_possible_counts_for_the_next(
    away: tuple[int, int] | None, possible: bool, bare: str, tmp_path: Path
) -> None:
    """A vehicle goes anywhere; then an enemy beside it, wherever that is, can be destroyed."""
    effects = f'do = "relocate", unit = "vehicle" }}, {{ {BESIDE}'
    enemy = {away: "B turret"} if away else {}
    position = taught(bare, tmp_path / "box.toml", effects)
    position = with_units(position, {(0, 8): "O acv", **enemy}, material=2)
    assert may(position, "play theft") == possible


@pytest.mark.parametrize(
    ("before", "offered"), [((), []), (("sling",), ["sling"]), (("theft",), ["theft"])]
)
def test_a_card_does_not_bring_itself_back(
    before: tuple[str, ...], offered: list[str], bare: str, tmp_path: Path
) -> None:
    """Only what lay there before it was played; that may be another copy of it."""
    position = taught(bare, tmp_path / "box.toml", 'do = "retrieve", amount = 1')
    number = position.setting.box.number
    pile = bytes(number[it] for it in before)
    position = replace(position, discards=(pile, position.discards[1]))
    assert may(position, "play theft") == bool(offered)
    if offered:
        position = played(position, "play theft")
        assert [position.name(act) for act in position.legal] == [f"retrieve {offered[0]}"]
        position = played(position, f"retrieve {offered[0]}")
        assert position.discards[O] == bytes([number["theft"]])
    two = taught(bare, tmp_path / "two.toml", 'do = "retrieve", amount = 2')
    assert not may(replace(two, discards=(pile, two.discards[1])), "play theft")


WAR_BOTS = 'combat = 2\nstatus = { combat = "T" }\nsource = "rulebook"'


@pytest.mark.parametrize(
    ("effect", "there"),
    [
        ('do = "include", unit = "vehicle", where = "near_zone", within = 2', {(-5, 9): "O acv"}),
        ('do = "destroy", of = "enemy", unit = "turret", where = "zone"', {(-1, 10): "B turret"}),
    ],
)
def test_a_war_card_with_nothing_to_do_cannot_be_laid_and_gives_nothing(
    effect: str, there: dict[tuple[int, int], str], bare: str, tmp_path: Path
) -> None:
    new = f"{WAR_BOTS}\ndo = [{{ {effect} }}]"
    path = broken(tmp_path / "box.toml", "cards", WAR_BOTS, new)
    units = {(0, 7): "O tank", (0, 9): "B tank"}
    for more, possible in (({}, False), (there, True)):
        position = at_war(with_units(dealt(map=bare, box=path), {**units, **more}))
        position = played(holding(position, O, "war_bots"), "end", "lay none")
        assert may(position, "lay war_bots") == possible
        held = at_war(with_units(begun(map=bare, box=path), {**units, **more}))
        shown = played(held, "end", "lay none", "lay ?", "reveal war_bots")
        if possible:
            assert shown.bonus == (2, 0)
        else:
            assert "no_bonus" in keys(shown)
            assert "tie" in keys(shown)  # 2 to 2

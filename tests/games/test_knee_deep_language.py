"""What cards of Knee Deep in Hexes can say: conditions that join others, in random boxes too."""

import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from hexboard.files import Source
from hexboard.games import knee_deep
from hexboard.games.knee_deep import KneeDeep
from hexboard.games.knee_deep.actions import Act
from hexboard.games.knee_deep.boxes import box
from hexboard.games.knee_deep.conditions import AnyCondition
from hexboard.games.knee_deep.effects import Effect
from hexboard.games.knee_deep.entries import AnyEffect, OnSide, OnTurn, OnUnit, OnWar
from hexboard.games.knee_deep.limits import turn_over
from hexboard.games.knee_deep.lint import looked_over
from hexboard.games.knee_deep.passives import AnyPassive
from hexboard.games.knee_deep.state import NOBODY, Uses
from hexboard.games.knee_deep.unusual import idle_keys
from hexboard.games.knee_deep.values import GROUPS, KINDS
from hexboard.words import say
from hexboard.words.errors import BadText
from tests.games.knee_deep_checks import check_step
from tests.games.knee_deep_drawn import box as drawn_box
from tests.games.knee_deep_drawn import drawn
from tests.games.playing import played
from tests.games.test_knee_deep import BOARD, O, broken, with_units
from tests.games.test_knee_deep_rulings import at_war, dealt, holding, keys

GAIN = 'do = [{ do = "gain", resource = "energy", amount = 2 }]'
TANKS = '{ is = "count", unit = "tank", least = 2 }'
LATE = '{ is = "round", least = 3 }'
TURRET = '{ is = "count", unit = "turret", least = 1 }'
GONE = '{ is = "lost", unit = "vehicle", of = "enemy", least = 1 }'


def needing(tmp_path: Path, conditions: str) -> str:
    """The house box, where Batteries has conditions."""
    return broken(tmp_path / "box.toml", "cards", GAIN, f"{GAIN}\nif = [{conditions}]")


def with_batteries(bare: str, path: str) -> KneeDeep:
    """Gondwana's first action phase with Batteries, a Sling and two material."""
    start = knee_deep.start(BOARD, {"starter": "gondwana", "map": bare, "box": path})
    position = played(start, "companions tech trickster", "companions tech trickster")
    position = replace(position, phase="act", active=O, round=1, due=(0, 0), starter=O, material=2)
    return holding(position, O, "batteries", "sling")


def why_not(position: KneeDeep, language: str = "en") -> str:
    """Why Batteries cannot be played; "" where it can."""
    action = position.action("play batteries")
    refusal = position.refusal(action)
    assert (refusal is None) == (action in position.legal)
    return "" if refusal is None else say(refusal, language)


# ------------------------------------------------------------------------------------ any, all, not


def test_any_is_met_by_one_of_its_parts(bare: str, tmp_path: Path) -> None:
    path = needing(tmp_path, f'{{ is = "any", if = [{TANKS}, {LATE}] }}')
    position = with_batteries(bare, path)
    one = with_units(position, {(0, 8): "O tank"})
    assert why_not(one) == (
        "Batteries needs at least 2 tanks of yours (now 1), or at least round 3 (now 1)."
    )
    assert why_not(one, "de") == (
        "Batterien verlangt: mindestens 2 Panzer von dir (jetzt 1), "
        "oder mindestens Runde 3 (jetzt 1)."
    )
    assert not why_not(with_units(one, {(0, 9): "O tank"}))
    assert not why_not(replace(one, round=3))


@pytest.mark.parametrize(
    ("units", "round", "possible"),
    [("tank tank", 1, False), ("turret", 3, True), ("tank tank turret", 1, True), ("", 9, False)],
)
def test_so_many_of_several(
    units: str, round: int, possible: bool, bare: str, tmp_path: Path
) -> None:
    path = needing(tmp_path, f'{{ is = "any", least = 2, if = [{TANKS}, {LATE}, {TURRET}] }}')
    position = replace(with_batteries(bare, path), round=round)
    there = zip([(0, 7), (0, 8), (0, 9)], units.split(), strict=False)
    position = with_units(position, {place: f"O {unit}" for place, unit in there})
    assert (not why_not(position)) == possible
    (condition,) = box(path).card(position.setting.box.number["batteries"]).conditions
    assert say(condition.sentence(False)) == (
        "Needs at least 2 of these: at least 2 tanks of yours, or at least round 3, "
        "or at least 1 turret of yours."
    )


def test_none_of_them(bare: str, tmp_path: Path) -> None:
    path = needing(tmp_path, f'{{ is = "any", negate = true, if = [{TANKS}, {TURRET}] }}')
    position = with_batteries(bare, path)
    assert not why_not(with_units(position, {(0, 8): "O tank"}))
    assert why_not(with_units(position, {(0, 8): "O turret"})) == (
        "Batteries does not go with (at least 2 tanks of yours (now 0), "
        "or at least 1 turret of yours (now 1))."
    )


@pytest.mark.parametrize(
    ("units", "round", "possible"),
    [("tank tank", 3, True), ("tank tank", 2, False), ("turret", 1, True), ("tank", 3, False)],
)
def test_all_within_any(units: str, round: int, possible: bool, bare: str, tmp_path: Path) -> None:
    both = f'{{ is = "all", if = [{TANKS}, {LATE}] }}'
    path = needing(tmp_path, f'{{ is = "any", if = [{both}, {TURRET}] }}')
    position = replace(with_batteries(bare, path), round=round)
    there = zip([(0, 7), (0, 8)], units.split(), strict=False)
    position = with_units(position, {place: f"O {unit}" for place, unit in there})
    assert (not why_not(position)) == possible
    (condition,) = box(path).card(position.setting.box.number["batteries"]).conditions
    assert say(condition.sentence(False), "de") == (
        "Verlangt: (mindestens 2 Panzer von dir, und mindestens Runde 3), "
        "oder mindestens 1 Geschütz von dir."
    )


def test_a_part_that_must_not_be_so(bare: str, tmp_path: Path) -> None:
    no_tanks = TANKS.replace(" }", ", negate = true }")
    path = needing(tmp_path, f'{{ is = "any", if = [{no_tanks}, {LATE}] }}')
    two = with_units(with_batteries(bare, path), {(0, 7): "O tank", (0, 8): "O tank"})
    assert why_not(two) == (
        "Batteries needs not at least 2 tanks of yours (now 2), or at least round 3 (now 1)."
    )
    assert not why_not(with_units(with_batteries(bare, path), {(0, 7): "O tank"}))


# ------------------------------------------------------------------------------------------ counts


def test_what_was_lost_and_discarded_counts(bare: str, tmp_path: Path) -> None:
    """On the scrapyard: a turret and a tank of Bukseon's, which its own side destroyed."""
    cards = '{ is = "discards", of = "any", most = 1 }'
    position = with_batteries(bare, needing(tmp_path, f"{GONE}, {cards}"))
    turret, tank = 6 + 5, 6 + 2
    number = position.setting.box.number["sling"]
    assert why_not(replace(position, scrap=bytes([turret]))) == (
        "Batteries needs at least 1 enemy vehicle on the scrapyard; there are 0."
    )
    lost = replace(position, scrap=bytes([turret, tank + 16]))
    assert not why_not(lost)
    assert why_not(replace(lost, discards=(bytes([number]), bytes([number])))) == (
        "Batteries needs at most 1 card in both discards together; there are 2."
    )


# ------------------------------------------------------------------------------------------ limits


def limited(tmp_path: Path, id: str, limit: str) -> str:
    """The house box with a limit on one of its cards."""
    return broken(
        tmp_path / "box.toml", "cards", f'id = "{id}"\n', f'id = "{id}"\nlimit = {limit}\n'
    )


def test_a_card_is_played_so_often_a_turn(bare: str, tmp_path: Path) -> None:
    path = limited(tmp_path, "batteries", "{ turn = 1, game = 2 }")
    position = holding(with_batteries(bare, path), O, "batteries", "batteries")
    once = played(position, "play batteries")
    assert once.energy == position.energy + 2
    assert why_not(once) == "Batteries was used as often as it may be. At most once a turn."
    assert why_not(once, "de") == (
        "Batterien wurde so oft genutzt, wie es geht. Höchstens einmal im Zug."
    )
    assert str(once).endswith(" uses=0:batteries:1:0:1")
    assert knee_deep.parse(str(once), BOARD, OPTIONS | {"map": bare, "box": path}) == once
    again = played(once, "end", "mark none")
    assert str(again).endswith(" uses=0:batteries:0:0:1")  # the turn is over, the game is not
    mine = holding(replace(again, phase="act", active=O, due=(0, 0), material=2), O, "batteries")
    assert not why_not(mine)
    number = mine.setting.box.number["batteries"]
    twice = replace(mine, uses=(Uses(O, number, 0, 0, 2),))
    assert why_not(twice).endswith("At most 2 times a game.")


OPTIONS = {"starter": "gondwana"}


def test_what_has_no_limit_leaves_no_trace(bare: str) -> None:
    position = played(with_batteries(bare, "house"), "play batteries")
    assert "uses" not in str(position)


@pytest.mark.parametrize(
    ("uses", "can_be"),
    [
        ("0:batteries:1:0:1", True),
        ("0:batteries:2:0:1", False),  # more in a turn than in the game
        ("0:batteries:0:0:0", False),  # never
        ("1:batteries:1:0:1;0:batteries:1:0:1", False),  # not in their order
        ("0:sling:1:0:1", False),  # which has no limit
        ("0:@tech:1:0:1", False),  # which has no ability
        ("0:?:1:0:1", False),
        ("", False),
    ],
)
def test_a_position_has_uses_of_what_is_limited(
    uses: str, can_be: bool, bare: str, tmp_path: Path
) -> None:
    path = limited(tmp_path, "batteries", "{ turn = 1 }")
    line = f"{with_batteries(bare, path)} uses={uses}"
    if can_be:
        assert str(knee_deep.parse(line, BOARD, OPTIONS | {"map": bare, "box": path})) == line
    else:
        with pytest.raises(BadText):
            knee_deep.parse(line, BOARD, OPTIONS | {"map": bare, "box": path})


@pytest.mark.parametrize(
    ("limit", "often"), [("{ game = 1 }", 1), ("{ turn = 2 }", 2), ("{ turn = 3, game = 2 }", 2)]
)
def test_an_ability_is_used_once_a_turn_or_as_its_limit_says(
    limit: str, often: int, bare: str, tmp_path: Path
) -> None:
    """Gondwana's tech may get an energy from nowhere."""
    does = '[{ do = "gain", resource = "energy" }]'
    ability = f'ability = {{ title = "Spark", do = {does}, limit = {limit} }}'
    old = 'type = "tech"\n'
    path = broken(tmp_path / "box.toml", "cards", old, f"{old}{ability}\n")
    position = with_batteries(bare, path)
    for count in range(often):
        assert position.energy == count
        position = played(position, "use tech")
    refusal = position.refusal(position.action("use tech"))
    assert refusal is not None
    assert "used" in say(refusal)
    later = replace(position, phase="act", used=(), uses=turn_over(position))
    assert (later.refusal(later.action("use tech")) is None) == ("game" not in limit)


@pytest.mark.parametrize("free", [False, True])
def test_a_war_card_gives_nothing_beyond_its_limit(free: bool, bare: str, tmp_path: Path) -> None:
    """Where cards are laid freely it is laid, and gives nothing."""
    path = limited(tmp_path, "war_bots", "{ game = 1 }")
    rule = {"war_cards": "free" if free else "checked"}
    fresh = dealt(map=bare, box=path, **rule)
    fresh = at_war(with_units(fresh, {(0, 7): "O tank", (0, 9): "B tank"}))
    war = played(holding(fresh, O, "war_bots"), "end", "lay none", "lay war_bots")
    after = played(war, "reveal war_bots", "stop")
    assert after.uses == (Uses(O, after.setting.box.number["war_bots"], 1, 0, 1),)
    again = at_war(holding(replace(after, phase="act"), O, "war_bots"))
    again = played(again, "end", "lay none")
    if not free:
        refusal = again.refusal(again.action("lay war_bots"))
        assert refusal is not None
        assert say(refusal).endswith("At most once a game.")
        return
    shown = played(again, "lay war_bots", "reveal war_bots")
    assert {"no_bonus", "tie"} <= {*keys(shown)}


# -------------------------------------------------------------------------------- own formations


WEDGE = "[[5, 5], [6, 5], [5, 6], [6, 6]]"
"""A rhomb; where its fields are counted from does not matter."""


@pytest.mark.parametrize(
    ("fields", "formed"),
    [
        ([(-3, 9), (-2, 9), (-3, 10), (-2, 10)], True),
        ([(-1, 8), (-1, 9), (-2, 9), (-2, 10)], True),  # turned by one sixth
        ([(-1, 9), (-2, 10), (-2, 9), (-3, 10)], True),  # turned by another
        ([(-3, 9), (-2, 9), (-3, 10), (-1, 9)], False),
        ([(-3, 9), (-2, 9), (-3, 10)], False),
    ],
)
def test_a_formation_of_ones_own_is_found_in_all_its_turns(
    fields: list[tuple[int, int]], formed: bool, bare: str, tmp_path: Path
) -> None:
    path = broken(tmp_path / "box.toml", "cards", 'pattern = "gap2"', 'pattern = "wedge"')
    text = Path(path).read_text("utf-8")
    Path(path).write_text(text.replace("[[comp", f"[formations]\nwedge = {WEDGE}\n\n[[comp", 1))
    position = dealt(map=bare, box=path)
    position = at_war(with_units(position, dict.fromkeys(fields, "O acv")))
    position = with_units(position, {(1, 7): "B acv"})
    asked = played(holding(position, O, "sling"), "end", "lay none")
    refusal = asked.refusal(asked.action("lay sling"))
    assert (refusal is None) == formed
    if refusal is not None:
        assert say(refusal) == "Sling needs vehicles of yours in the war zone as “wedge”."
        assert say(refusal, "de") == (
            "Sling verlangt: Fahrzeuge von dir in der Kriegszone als „wedge“."
        )


# ------------------------------------------------------------------------------------------- boxes


def test_a_part_has_its_own_line() -> None:
    text = drawn_box(Random(1)) + (
        '\n[[cards]]\nid = "more"\ntitle = "More"\nkind = "action"\n'
        'if = [\n  { is = "any", if = [\n'
        '    { is = "round", least = 2 },\n    { is = "rond", most = 3 },\n  ] },\n]\n'
    )
    line = text.split("\n").index('    { is = "rond", most = 3 },') + 1
    said = [say(it) for it in looked_over(Source(Path("box.toml"), text)).mistakes]
    assert any(f"box.toml:{line}: cards[25].if[1].if[2].is: “rond”" in it for it in said), said


@pytest.mark.parametrize("depth", [4, 60])
def test_conditions_without_a_bottom_are_a_mistake_with_its_line(depth: int) -> None:
    inner = LATE
    for _ in range(depth):
        inner = f'{{ is = "any", if = [{inner}, {TANKS}] }}'
    text = f'[[cards]]\nid = "deep"\ntitle = "Deep"\nkind = "action"\nif = [{inner}]\n'
    said = [say(it) for it in looked_over(Source(Path("box.toml"), text)).mistakes]
    assert any(it.startswith("box.toml:5: ") and "at most 3 deep" in it for it in said), said


# -------------------------------------------------------------------------------------- any box


def holds(condition: dict[str, Any], position: KneeDeep, seat: int) -> bool:
    """Whether a condition of a file is met, by counting what lies on the table."""
    least, most = condition.get("least", 0), condition.get("most", 99)
    sides = {"self": [seat], "enemy": [1 - seat], "any": [0, 1]}[condition.get("of", "self")]
    kinds = [KINDS.index(kind) for kind in GROUPS[condition.get("unit", "any")]]
    codes = [1 + 6 * side + kind for side in sides for kind in kinds]
    match condition["is"]:
        case "any":
            met = sum(holds(part, position, seat) for part in condition["if"]) >= max(1, least)
        case "all":
            met = all(holds(part, position, seat) for part in condition["if"])
        case "formation":
            met = position.formed(seat, condition["pattern"])
        case "role":
            met = (condition["role"] == "defender") == (seat == position.active)
        case "round":
            met = least <= position.round <= most
        case "hand":
            met = least <= len(position.hands[seat]) - 1 <= most  # the card itself has left it
        case "discards":
            met = least <= sum(len(position.discards[side]) for side in sides) <= most
        case "resource":
            stock = getattr(position, condition["resource"]) if seat == position.active else 0
            met = least <= stock <= most
        case "lost":
            met = least <= sum(unit % 16 in codes for unit in position.scrap) <= most
        case "supply":
            gone = [*position.units, *(unit % 16 for unit in position.scrap)]
            all_of_them = sum((6, 5, 3, 4, 3, 2)[kind] for kind in kinds) * len(sides)
            met = least <= all_of_them - sum(unit in codes for unit in gone) <= most
        case "count":
            zone = position.crossing.zone if position.marker != NOBODY else ()
            inside = (*zone, *position.included)
            zoned = condition.get("where", "board") == "zone"
            there = [f for f, u in enumerate(position.units) if u in codes]
            met = least <= sum(not zoned or field in inside for field in there) <= most
    return bool(met != condition.get("negate", False))


OF_CARDS = ("play", "use", "lay", "pick", "mark")
"""What is chosen more often than by chance, so that cards are played and wars fought."""


def moments(seed: int, path: Path, count: int) -> Iterator[tuple[KneeDeep, Act, KneeDeep]]:
    """A random game with a random box: each position, an action, and the next position."""
    random = Random(seed)
    path.write_text(drawn_box(random), "utf-8")
    position = knee_deep.start(BOARD, {"box": str(path)})
    for _ in range(count):
        if not (legal := position.legal):
            return
        if len(legal) > 1 and random.random() < 0.8:
            legal = [act for act in legal if act.verb != "end"]
        cards = [act for act in legal if act.verb in OF_CARDS and act.a >= 0]
        act = random.choice(cards if cards and random.random() < 0.7 else legal)
        after = position.play(act)
        yield position, act, after
        position = after


def check_conditions(position: KneeDeep, written: dict[str, list[dict[str, Any]]]) -> int:
    """A card whose conditions are not met is refused and names each of these, and no other."""
    verb = {"act": "play", "lay": "lay", "answer": "lay"}.get(position.phase)
    if verb is None or position.queue or position.dealt:
        return 0
    seat, looked_at = position.actor(position.legal[0]), 0
    for number in {*position.hands[seat]}:
        card = position.card(number)
        if (card.kind == "action") != (verb == "play"):
            continue
        refusal = position.refusal(position.action(f"{verb} {card.id}"))
        unmet = [it for it in written[card.id] if not holds(it, position, seat)]
        keys = "" if refusal is None else repr(refusal)
        if refusal is None or refusal.rule == "KDH-3.11":
            if unmet:
                assert keys.count("key='knee_deep.needs") == len(unmet), (card.id, keys)
            else:
                assert "key='knee_deep.needs" not in keys, (card.id, keys)
            looked_at += bool(written[card.id])
    return looked_at


def check_limits(taken: Counter[tuple[str, ...]], after: KneeDeep, limits: dict[str, Any]) -> None:
    """Nothing was played or set off more often than its file says: counted from what was told."""
    for event in after.events:
        values = {key: str(value) for key, value in event.values}
        if event.key == "knee_deep.power_up":  # another turn begins
            for old in [key for key in taken if key[0] == "turn"]:
                del taken[old]
        if event.key in TAKEN:
            for span in ("game", "turn"):
                taken[span, values["seat"], values["card"]] += 1
    for (span, _, title), count in taken.items():
        assert count <= limits[title].get(span, count), title


TAKEN = ("knee_deep.plays", "knee_deep.bonus", "knee_deep.sets_off", "knee_deep.uses")
"""What is told when a card is played, an ability used or a trigger set off."""


def check_views(position: KneeDeep, act: Act, after: KneeDeep) -> None:
    """What a seat is told leads to its view of what happened, whatever the cards do."""
    if act.verb in ("mulligan", "retrieve"):  # who saw the cards remembers more than a view shows
        return
    for seat in (0, 1, 2):
        view = position.view(seat)
        assert view.play(view.action(position.told(act, seat))) == after.view(seat), seat


ONCE = {"turn": 1}


def any_box(seed: int, tmp_path: Path, count: int) -> int:
    """Play in a random box; how many cards with conditions were looked at."""
    return sum(looked_at for looked_at, _ in any_steps(seed, tmp_path, count))


def any_game(seed: int, tmp_path: Path, count: int) -> tuple[int, bool]:
    """So many actions at most of a game with a random box: how many, and whether it ended."""
    over = [after.scores is not None for _, after in any_steps(seed, tmp_path, count)]
    return len(over), over[-1]


def any_steps(seed: int, tmp_path: Path, count: int) -> Iterator[tuple[int, KneeDeep]]:
    """Actions of a game with a random box, all that must hold looked at: how many cards with
    conditions were, and the position after."""
    path = tmp_path / f"{seed}.toml"
    played = Counter[tuple[str, ...]]()
    written, limits = dict[str, list[dict[str, Any]]](), dict[str, Any]()
    for position, act, after in moments(seed, path, count):
        if not written:
            text = tomllib.loads(path.read_text("utf-8"))
            written = {card["id"]: card["if"] for card in text["cards"]}
            limits = {card["title"]: card.get("limit", {}) for card in text["cards"]}
            for companion in text["companions"]:
                limits |= {it["title"]: it.get("limit", ONCE) for it in companion["triggers"]}
                if used := companion.get("ability"):
                    limits[used["title"]] = ONCE | used.get("limit", {})
        looked_at = check_conditions(position, written)
        check_limits(played, after, limits)
        check_step(position, after, triggers=True)
        check_views(position, act, after)
        assert knee_deep.parse(str(after), BOARD, {"box": str(path)}) == after
        yield looked_at, after


def test_an_effect_that_takes_away_can_wait_for_a_choice(bare: str, tmp_path: Path) -> None:
    """Its step has -1 to do; such a position could once not be read again."""
    new = 'do = [{ do = "discard" }, { do = "modify", rule = "combat", amount = -1 }]'
    path = broken(tmp_path / "box.toml", "cards", GAIN, new)
    position = played(with_batteries(bare, path), "play batteries")
    assert " queue=0:batteries:0:1:-;0:batteries:1:-1:- " in str(position)
    assert knee_deep.parse(str(position), BOARD, OPTIONS | {"map": bare, "box": path}) == position


def meant(kind: Any, written: dict[str, Any]) -> Any:
    """A clause without the keys that mean nothing in it."""
    clause = msgspec.convert(written, kind)
    idle = {*idle_keys(clause, written)} if isinstance(clause, Effect) else ()
    plain = {key: value for key, value in written.items() if key not in idle}
    if "then" in plain:
        plain["then"] = [msgspec.to_builtins(meant(AnyEffect, part)) for part in plain["then"]]
    return msgspec.convert(plain, kind)


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", [AnyEffect, AnyCondition], ids=["effects", "conditions"])
def test_a_sentence_can_be_read_back(kind: Any, language: str) -> None:
    """No two clauses that do something else read alike, on a war card or on another one."""
    random, read, names = Random(24), dict[tuple[bool, str], Any](), set[str]()
    for _ in range(3_000):
        written = drawn(random, kind)
        try:
            clause = meant(kind, written)
        except msgspec.ValidationError:  # such as a loop of too few rounds
            continue
        names.add(clause.__struct_config__.tag)
        for war in (False, True):
            said = say(clause.sentence(war), language)
            assert read.setdefault((war, said), clause) == clause, said
    assert names == {it.__struct_config__.tag for it in get_args(kind)}


@pytest.mark.long
def test_boxes_at_random_have_all_that_the_language_has() -> None:
    text = "".join(drawn_box(Random(seed)) for seed in range(12))
    for key, kinds in (("do", AnyEffect), ("is", AnyCondition), ("gives", AnyPassive)):
        for kind in get_args(kinds):
            assert f'{key} = "{kind.__struct_config__.tag}"' in text, kind
    for on in get_args(OnTurn) + get_args(OnWar) + get_args(OnUnit) + get_args(OnSide):
        assert f'on = "{on}"' in text, on
    assert "\nability = " in text


def test_cards_of_any_box_need_what_their_file_says(tmp_path: Path) -> None:
    assert sum(any_box(seed, tmp_path, 60) for seed in range(2)) > 10


@pytest.mark.long
def test_cards_of_many_boxes_need_what_their_files_say(tmp_path: Path) -> None:
    assert sum(any_box(seed, tmp_path, 400) for seed in range(100, 140)) > 2_000

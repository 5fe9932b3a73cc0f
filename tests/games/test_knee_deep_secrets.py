"""Who may know which card of Knee Deep in Hexes: views, what is told, and what each seat has."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from hexboard.board import plain
from hexboard.games import knee_deep
from hexboard.games.knee_deep import KneeDeep
from hexboard.games.knee_deep.actions import Act
from hexboard.games.knee_deep.cards import UNKNOWN
from hexboard.words import say
from tests.games.test_knee_deep import broken
from tests.games.test_knee_deep_rulings import holding

BOARD = plain("flowers-31")
SEATS = (0, 1, 2)
"""Gondwana, Bukseon, and nobody."""
VARIANTS: tuple[dict[str, str], ...] = (
    {},
    {"discards": "closed", "hand_limit": "effects"},
    {"mulligan": "return", "discards": "closed", "war_cards": "free"},
    {"hands": "held"},
)


def game(seed: int, options: dict[str, str], steps: int = 400) -> Iterator[tuple[KneeDeep, Act]]:
    """A random game, position by position; cards are played and laid wherever they can be."""
    random, position = Random(seed), knee_deep.start(BOARD, options)
    for _ in range(steps):
        moves = position.legal
        if not moves:
            return
        of_cards = [act for act in moves if act.verb in ("play", "lay", "recycle", "retrieve")]
        near = [act for act in moves if act.verb == "mark" and act.a >= 0]
        act = random.choice((random.random() < 0.6 and (of_cards or near)) or moves)
        yield position, act
        position = position.play(act)


@pytest.mark.long
@pytest.mark.parametrize("options", VARIANTS, ids=["dealt", "closed", "return", "held"])
def test_what_a_seat_is_told_leads_to_its_view_of_what_happened(options: dict[str, str]) -> None:
    verbs: Counter[str] = Counter()
    for seed in range(2):
        for position, act in game(seed, options):
            after = position.play(act)
            turned_up = act.verb == "mulligan" and options == {}  # a hand that everybody sees now
            for seat in SEATS if not turned_up else [position.active]:
                view = position.view(seat)
                heard = view.action(position.told(act, seat))
                went_on, seen = view.play(heard), after.view(seat)
                if options.get("discards") != "closed":
                    assert went_on == seen, (str(position), act, seat)
                else:  # who heard it remembers what was played; a view of a closed pile does not
                    assert (went_on.hands, went_on.laid) == (seen.hands, seen.laid)
                    assert went_on.standing == seen.standing
            verbs[act.verb] += 1
    assert verbs.keys() >= {"drawn", "play", "recycle", "mark"} - {
        "drawn" if options.get("hands") == "held" else ""
    }


@pytest.mark.long
@pytest.mark.parametrize("options", VARIANTS[:3], ids=["dealt", "closed", "return"])
def test_a_view_is_a_position_whose_view_is_itself(options: dict[str, str]) -> None:
    for position, _ in game(11, options, 120):
        for seat in SEATS:
            view = position.view(seat)
            assert [view.view(other) for other in SEATS] == [view] * 3
            again = knee_deep.parse(str(view), BOARD, options)
            assert (again, list(again.legal)) == (view, list(view.legal))
            assert view.standing == position.standing
            assert (view.scene(), view.seen()) == (position.scene(), position.seen())
            assert [view.question(s) for s in (0, 1)] == [position.question(s) for s in (0, 1)]


def test_who_is_asked_sees_in_its_view_all_it_may_do() -> None:
    for position, act in game(5, {}):
        if (seat := position.actor(act)) >= 0:
            assert position.view(seat).legal == position.legal


def test_nobody_sees_a_card_that_is_not_shown() -> None:
    laid = 0
    for position, _ in game(7, {}, 600):
        nobody = position.view(2)
        for seat in (0, 1):
            assert position.view(seat).hands[seat] == position.hands[seat]
            assert set(nobody.hands[seat]) <= {UNKNOWN}
            if position.laid[seat] > 0 and not position.shown[seat]:
                assert nobody.laid[seat] == UNKNOWN
                laid += 1
    assert laid > 2


def test_changing_what_lies_hidden_changes_no_view_but_its_owners() -> None:
    tried = 0
    for position, _ in game(3, {}, 300):
        mine, pile = position.hands[1], position.unseen[1]
        if not (mine and pile and mine[0] != pile[-1]):
            continue
        other = replace(
            position,
            hands=(position.hands[0], bytes(sorted((*mine[1:], pile[-1])))),
            unseen=(position.unseen[0], bytes(sorted((*pile[:-1], mine[0])))),
        )
        for seat in (0, 2):
            assert other.view(seat) == position.view(seat)
            assert str(other.view(seat)) == str(position.view(seat))
            assert other.view(seat).legal == position.view(seat).legal
        assert other.view(1) != position.view(1)
        tried += 1
    assert tried > 50


def test_hexboard_knows_secrets_only_where_it_deals_and_while_the_game_goes_on() -> None:
    position = knee_deep.start(BOARD, {})
    assert position.private
    assert not position.play(position.action("resign gondwana")).private
    assert not knee_deep.start(BOARD, {"hands": "held"}).private


def test_what_each_seat_has_is_said_in_numbers_and_its_own_cards_by_name() -> None:
    position = knee_deep.start(BOARD, {"starter": "gondwana"})
    for name in ("companions general tech", "companions general tech"):
        position = position.play(position.action(name))
    for _ in range(6):
        card = "sling" if position.receiver == 0 and 1 not in position.hands[0] else None
        names = [position.name(act) for act in position.legal]
        position = position.play(position.action(f"drawn {card}" if card else names[0]))
    assert say(position.standing[0]).startswith("Gondwana: 3 cards in hand, 22 to draw, 0 used")
    assert "Sling: " in " ".join(map(say, position.hand(0)))
    assert position.view(1).hand(0) == ()
    assert position.deck.count("+") == 48  # 25 cards each
    assert position.deck.startswith("gondwana=")


SEARCH = 'do = [{ do = "search", amount = 2 }]'


def searching(tmp_path: Path, options: dict[str, str], hand: tuple[str, ...]) -> KneeDeep:
    """Gondwana's first action phase with these cards; Batteries takes two cards from the pile."""
    gain = 'do = [{ do = "gain", resource = "energy", amount = 2 }]'
    path = broken(tmp_path / "box.toml", "cards", gain, SEARCH)
    position = knee_deep.start(BOARD, {"starter": "gondwana", "box": path} | options)
    for _ in range(2):
        position = position.play(position.action("companions tech trickster"))
    position = replace(position, phase="act", active=0, round=1, due=(0, 0), starter=0, material=2)
    return holding(position, 0, *hand)


def test_a_search_takes_what_is_chosen_and_nobody_else_sees_what(tmp_path: Path) -> None:
    position = searching(tmp_path, {}, ("batteries", "sling"))
    options = {"starter": "gondwana", "box": str(tmp_path / "box.toml")}
    asked = position.play(position.action("play batteries"))
    pile = position.pile(0)
    ours = {asked.name(act) for act in asked.legal}
    assert {"search bunker", "search sling"} <= ours  # the other Sling
    assert "search assault" not in ours  # of no deck of these companions
    question = asked.question(0)
    assert question is not None
    assert say(question.message) == "Gondwana: choose a card from your draw pile."
    act = asked.action("search bunker")
    after = asked.play(act)
    names = [after.card(card).id for card in after.hands[0]]
    assert (names, after.pile(0), len(after.queue)) == (["sling", "bunker"], pile - 1, 1)
    for seat in (1, 2):
        assert asked.told(act, seat) == "search ?"
        view = asked.view(seat)
        assert [view.name(it) for it in view.legal] == ["search ?"]
        assert view.play(view.action("search ?")) == after.view(seat)
        assert knee_deep.parse(str(after.view(seat)), BOARD, options) == after.view(seat)
    assert asked.told(act, 0) == "search bunker"
    assert asked.view(0).play(act) == after.view(0)
    assert [say(it) for it in after.events] == ["Gondwana takes a card from the draw pile."]
    bunker = after.setting.box.number["bunker"]
    assert after.unseen[0].count(bunker) == asked.unseen[0].count(bunker) - 1


@pytest.mark.parametrize(("left", "possible"), [(2, True), (1, False), (0, False)])
def test_a_search_needs_as_many_as_it_takes(left: int, possible: bool, tmp_path: Path) -> None:
    """An empty pile, or one of one card, is not searched for two."""
    position = searching(tmp_path, {}, ("batteries", "sling"))
    position = replace(position, unseen=(position.unseen[0][:left], position.unseen[1]))
    refusal = position.refusal(position.action("play batteries"))
    assert (refusal is None) == possible
    if refusal is not None:
        assert say(refusal) == (
            "Batteries must do what cannot be done now: "
            "Take 2 cards of your choice from your draw pile."
        )
        assert say(refusal, "de").endswith("Nimm 2 Karten deiner Wahl aus deinem Zugstapel.")


def test_people_who_hold_their_cards_search_themselves(tmp_path: Path) -> None:
    position = searching(tmp_path, {"hands": "held"}, ("batteries", "sling"))
    asked = position.play(position.action("play batteries"))
    assert [asked.name(act) for act in asked.legal] == ["search ?"]
    after = asked.play(asked.action("search ?"))
    after = after.play(after.action("search ?"))
    assert (len(after.hands[0]), after.pile(0), after.queue) == (3, position.pile(0) - 2, ())


def test_the_hand_limit_holds_after_a_search_too(tmp_path: Path) -> None:
    """A11: six cards are held, two more are taken, so two are discarded."""
    hand = ("batteries", "batteries", "sling", "sling", "barrier", "barrier", "bunker")
    position = searching(tmp_path, {"hand_limit": "effects"}, hand)
    asked = position.play(position.action("play batteries"))
    for _ in range(2):
        asked = asked.play(asked.legal[0])
    assert {act.verb for act in asked.legal} == {"discard"}
    for _ in range(2):
        asked = asked.play(asked.legal[0])
    assert (len(asked.hands[0]), asked.queue) == (6, ())

"""Cards of Knee Deep in Hexes by which somebody looks at cards that others do not see."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from hexboard.board import plain
from hexboard.games import knee_deep
from hexboard.games.knee_deep import KneeDeep
from hexboard.games.knee_deep.cards import UNKNOWN
from hexboard.words import say
from hexboard.words.errors import BadText
from tests.games.playing import played
from tests.games.test_knee_deep import broken
from tests.games.test_knee_deep_rulings import holding

BOARD = plain("flowers-31")
OURS, THEIRS, NOBODY = 0, 1, 2
GAIN = 'do = [{ do = "gain", resource = "energy", amount = 2 }]'
TWO = '{ do = "peek", amount = 2 }'
THEIR_TWO = '{ do = "peek", of = "enemy", amount = 2 }'
ALL = '{ do = "peek_hand" }'


def peeking(
    tmp_path: Path, do: str, hand: tuple[str, ...] = ("batteries", "sling"), **options: str
) -> tuple[KneeDeep, dict[str, str]]:
    """Gondwana's first action phase with these cards, in which Batteries does this; and the
    options. The other side has Barrier, Bunker and Sling."""
    box = broken(tmp_path / "box.toml", "cards", GAIN, f"do = [{do}]")
    chosen = {"starter": "gondwana", "box": box} | options
    position = knee_deep.start(BOARD, chosen)
    for _ in range(2):
        position = position.play(position.action("companions tech trickster"))
    position = replace(position, phase="act", active=0, round=1, due=(0, 0), starter=0, material=2)
    position = holding(position, OURS, *hand)
    return holding(position, THEIRS, "barrier", "bunker", "sling"), chosen


def legal(position: KneeDeep) -> list[str]:
    return [position.name(act) for act in position.legal]


def steps(position: KneeDeep, *names: str) -> Iterator[tuple[KneeDeep, str, KneeDeep]]:
    """Each position, what is done, and the next one."""
    for name in names:
        after = played(position, name)
        yield position, name, after
        position = after


def looks_at(position: KneeDeep, seat: int) -> list[str]:
    """What a seat sees beside its hand."""
    said = [say(it) for it in position.view(seat).hand(seat)]
    return [line for line in said if "pile, card" in line or line.startswith("In ")]


# ------------------------------------------------------------------------------------ draw piles


def test_who_looks_sees_the_top_of_the_pile_and_draws_what_was_seen(tmp_path: Path) -> None:
    start, options = peeking(tmp_path, TWO)
    asked = played(start, "play batteries")
    assert [say(it) for it in asked.events][-1] == (
        "Gondwana looks at the top 2 cards of Gondwana's draw pile."
    )
    looking = played(asked, "seen bunker", "seen sling")
    assert legal(looking) == ["looked"]
    assert looks_at(looking, OURS) == [
        "Gondwana's draw pile, card 1 from the top: Bunker: war card, 0 combat. "
        "2 damage less to your units.",
        next(line for line in looks_at(looking, OURS) if "card 2 from the top: Sling: " in line),
    ]
    assert looks_at(looking, THEIRS) == []
    after = played(looking, "looked")
    assert looks_at(after, OURS) == []  # it lasts until who looks goes on
    assert (after.pile(0), looking.stable, after.stable) == (start.pile(0), False, True)
    for card in ("bunker", "sling"):
        after = played(replace(after, material=2), "draw")
        assert legal(after) == [f"drawn {card}"]
        after = played(after, f"drawn {card}")
    assert len(legal(played(replace(after, material=2), "draw"))) > 5  # nobody looked further
    assert knee_deep.parse(str(after), BOARD, options) == after


@pytest.mark.parametrize("do", [TWO, THEIR_TWO, ALL, '{ do = "peek_hand", amount = 2 }'])
def test_what_is_told_leads_to_what_each_may_know(do: str, tmp_path: Path) -> None:
    """Undo, journal, replay and restart read the same lines: each position is what it is written
    as, in the middle too."""
    start, options = peeking(tmp_path, do)
    names = ["play batteries"]
    position = played(start, *names)
    while legal(position)[0].startswith("seen "):
        names.append(legal(position)[0])
        position = played(position, names[-1])
    for before, name, after in steps(start, *names, "looked", "draw"):
        action = before.action(name)
        assert knee_deep.parse(str(after), BOARD, options) == after
        for seat in (OURS, THEIRS, NOBODY):
            view, told = before.view(seat), before.told(action, seat)
            assert (told == name) == (seat == OURS or not name.startswith("seen "))
            assert played(view, told) == after.view(seat)
            assert knee_deep.parse(str(after.view(seat)), BOARD, options) == after.view(seat)
            question = after.question(OURS)
            assert after.view(seat).question(OURS) == question
            assert after.view(seat).standing == after.standing


def test_the_owner_of_a_pile_does_not_see_what_the_enemy_saw_there(tmp_path: Path) -> None:
    start, _ = peeking(tmp_path, THEIR_TWO)
    after = played(start, "play batteries", "seen bunker", "seen jamming", "looked")
    theirs = after.view(THEIRS)
    assert theirs.top == (b"", bytes(2))
    assert "jamming" not in str(theirs)
    due = replace(after, due=(0, 1))
    assert legal(due) == ["drawn bunker"]
    assert len(legal(due.view(THEIRS))) > 5  # it may be any, for all that they know
    assert played(due, "drawn bunker").view(THEIRS) == played(due.view(THEIRS), "drawn bunker")
    assert played(due, "drawn bunker").top[1] == after.top[1][1:]


def test_changing_what_was_seen_changes_no_view_but_of_who_looks(tmp_path: Path) -> None:
    start, _ = peeking(tmp_path, THEIR_TWO)
    asked = played(start, "play batteries")
    one, other = (
        played(asked, *names)
        for names in (("seen bunker", "seen jamming"), ("seen sling", "seen bunker"))
    )
    for seat in (THEIRS, NOBODY):
        assert (one.view(seat), str(one.view(seat))) == (other.view(seat), str(other.view(seat)))
        assert one.view(seat).scene() == other.view(seat).scene()
    assert one.view(OURS) != other.view(OURS)
    left = [played(position, "looked") for position in (one, other)]
    assert len({str(position.view(seat)) for position in left for seat in (0, 1, 2)}) == 3


def test_a_second_look_is_at_the_same_cards_and_the_next(tmp_path: Path) -> None:
    hand = ("batteries", "batteries", "sling")
    start, _ = peeking(tmp_path, TWO, hand)
    once = played(start, "play batteries", "seen bunker", "seen sling", "looked")
    again = played(replace(once, material=2), "draw", "drawn bunker", "play batteries")
    assert (legal(again), again.drawn_from) == (["seen sling"], "gondwana top")
    again = played(again, "seen sling")
    assert (len(legal(again)) > 5, again.drawn_from) == (True, "gondwana")


def test_a_search_shuffles_what_was_seen_on_top(tmp_path: Path) -> None:
    start, options = peeking(tmp_path, f'{TWO}, {{ do = "search" }}')
    asked = played(start, "play batteries", "seen bunker", "seen barrier", "looked")
    assert {"search bunker", "search barrier"} <= {*legal(asked)}
    after = played(asked, "search barrier")
    assert (after.top, after.pile(0)) == ((b"", b""), start.pile(0) - 1)
    assert knee_deep.parse(str(after), BOARD, options) == after
    assert len(legal(played(after, "draw"))) > 5


@pytest.mark.parametrize(("left", "possible"), [(2, True), (1, False), (0, False)])
def test_an_empty_pile_is_not_looked_at(left: int, possible: bool, tmp_path: Path) -> None:
    """Of one card two are not seen either (KDH-3.11)."""
    start, _ = peeking(tmp_path, TWO)
    position = replace(start, unseen=(start.unseen[0][:left], start.unseen[1]))
    refusal = position.refusal(position.action("play batteries"))
    assert (refusal is None) == possible
    if refusal is not None:
        assert say(refusal) == (
            "Batteries must do what cannot be done now: Look at the top 2 cards of your draw pile."
        )
        assert say(refusal, "de").endswith("Sieh dir die obersten 2 Karten deines Zugstapels an.")


# ------------------------------------------------------------------------------------------ hands


def test_a_hand_is_seen_by_who_looks_and_stays_as_it_is(tmp_path: Path) -> None:
    start, _ = peeking(tmp_path, ALL)
    asked = played(start, "play batteries")
    assert (legal(asked), asked.drawn_from) == (
        ["seen sling", "seen barrier", "seen bunker"],
        "bukseon hand",
    )
    assert [asked.odds(act) for act in asked.legal] == [1, 1, 1]
    looking = played(asked, "seen barrier", "seen sling", "seen bunker")
    assert [line.split(": ")[:2] for line in looks_at(looking, OURS)] == [
        ["In Bukseon's hand", title] for title in ("Barrier", "Sling", "Bunker")
    ]
    assert "Barrier" not in " ".join(map(say, looking.view(THEIRS).events))
    after = played(looking, "looked")
    assert (after.hands, after.unseen) == (asked.hands, asked.unseen)
    assert after.view(OURS).hands[THEIRS] == bytes(3)


@pytest.mark.parametrize(
    ("do", "held", "possible"),
    [
        (ALL, (), False),
        (ALL, ("sling",), True),
        ('{ do = "peek_hand", amount = 2 }', ("sling",), False),
        ('{ do = "peek_hand", amount = 2 }', ("sling", "bunker"), True),
        ('{ do = "discard", of = "enemy" }, { do = "peek_hand" }', ("sling",), False),
        ('{ do = "discard", of = "enemy" }, { do = "peek_hand" }', ("sling", "bunker"), True),
    ],
)
def test_a_hand_is_looked_at_where_there_are_so_many(
    do: str, held: tuple[str, ...], possible: bool, tmp_path: Path
) -> None:
    start, _ = peeking(tmp_path, do)
    position = holding(start, THEIRS, *held)
    assert (position.refusal(position.action("play batteries")) is None) == possible


# ---------------------------------------------------------------------------------- printed cards


@pytest.mark.parametrize("do", [TWO, ALL])
def test_people_who_hold_their_cards_look_themselves(do: str, tmp_path: Path) -> None:
    start, options = peeking(tmp_path, do, hands="held")
    asked = played(start, "play batteries")
    assert (legal(asked), asked.dealt) == (["looked"], False)
    question = asked.question(OURS)
    assert question is not None
    assert say(question.message) == (
        "Gondwana: look at the cards yourself, and lay them back as they lay. Then go on."
    )
    assert knee_deep.parse(str(asked), BOARD, options) == asked
    after = played(asked, "looked")
    assert (after.top, after.look, after.unseen) == ((b"", b""), None, start.unseen)


# ---------------------------------------------------------------------------- written positions


@pytest.mark.parametrize(
    "wrong",
    [
        "top=bunker+sling; look=0:0:pile:0:sling+bunker",  # not as they lie
        "top=bunker; look=0:0:pile:0:bunker+sling",
        "look=0:1:hand:0:bunker+bunker",  # there is one
        "look=0:0:hand:0:sling",  # one's own
        "look=0:1:hand:4:",  # there are three
        "look=0:1:hand:0:",
        "top=?+sling;",
        "top=;bunker+bunker+bunker",  # two in the deck, one of them in the hand
    ],
)
def test_a_written_position_looks_at_what_is_there(wrong: str, tmp_path: Path) -> None:
    start, options = peeking(tmp_path, TWO)
    with pytest.raises(BadText):
        knee_deep.parse(f"{start} {wrong}", BOARD, options)


def test_a_look_that_is_right_is_read(tmp_path: Path) -> None:
    start, options = peeking(tmp_path, TWO)
    for right in ("top=bunker+sling; look=0:0:pile:0:bunker+sling", "look=0:1:hand:1:bunker"):
        line = f"{start} {right}"
        assert str(knee_deep.parse(line, BOARD, options)) == line


def test_an_end_in_the_middle_of_a_look_is_an_end(tmp_path: Path) -> None:
    start, options = peeking(tmp_path, TWO)
    over = played(start, "play batteries", "seen bunker", "resign bukseon")
    assert (over.scores, over.look) == ((1, 0), None)
    assert knee_deep.parse(str(over), BOARD, options) == over
    assert over.card(over.top[0][0]).id == "bunker"
    assert UNKNOWN not in over.top[0]

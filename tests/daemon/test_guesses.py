"""What a player asks for on a page tells nothing of another's hidden hand, whatever they guess."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from hexboard.board import Board, find, load, plain
from hexboard.daemon.notices import Notices
from hexboard.daemon.opening import Opening, _why
from hexboard.daemon.requests import Requests
from hexboard.daemon.run import Run
from hexboard.facts import Declare, Ruling, Start
from hexboard.game import registry
from hexboard.record.journal import Saved
from hexboard.settings import Settings
from hexboard.web.keys import HOST, Key
from hexboard.web.requests import FromPage
from hexboard.words import message, say
from hexboard.words.errors import BadText, IllegalAction
from tests.strangers import example, keep
from tests.test_secrets import FLOWERS, KNEE_DEEP, Desk, begun

ANN = Key("ann", (0,), "Ann")


class Door:
    """Ann's phone in a match, and the rulings that the table hears of it."""

    def __init__(self, desk: Desk, start: Start, board: Board, state: Path) -> None:
        self.desk, self.start, self.heard = desk, start, list[Ruling]()
        agreed = {name: it for name, it in start.options.items() if name != "takeback"}
        run = Run(board, state, Settings(), start.game, agreed)
        notices = Notices([], lambda: None)
        nobody: Any = None

        def tell(source: str, body: Any) -> None:
            self.heard.append(body)
            desk.feed(body, source)

        self.notices = notices
        self.requests = Requests(
            Opening(run, board, notices), nobody, notices, tell, nobody, nobody, nobody, nobody
        )

    def sets(self, text: str, side: int = 0, key: Key = ANN) -> str:
        """Why the position is not set; "" where the others are asked, or the table refuses it."""
        before = len(self.heard)
        asked = FromPage("page 1", side, Ruling(f"problem position {text}"), key)
        try:
            self.requests.obey(asked, self.desk.table.view())
        except BadText as error:
            assert len(self.heard) == before  # nothing of it is recorded
            return error.message.key
        return ""


@pytest.fixture
def knee_deep(tmp_path: Path) -> Door:
    start = replace(KNEE_DEEP, options={**KNEE_DEEP.options, "takeback": "agreed"})
    door = Door(begun(start), start, FLOWERS, tmp_path)
    door.desk.deal()
    return door


@pytest.fixture
def two_hands(tmp_path: Path) -> Iterator[Door]:
    """A stranger's game of dealt cards, in whose text each hand is a word of its own."""
    keep(tmp_path, "two_hands", example("two-hands", "cards", tmp_path))
    registry.look_in(tmp_path / "games")
    board, rules = plain("hexhex-3"), registry.find("two-hands").rules()
    start = Start("m", board.name, board.hash, "two-hands", rules, {"takeback": "agreed"}, "test")
    desk = Desk(start, board)
    desk.deal()
    yield Door(desk, start, board, tmp_path)
    registry.look_in(tmp_path / "nothing")


def test_a_guess_at_anothers_hand_is_refused_whether_it_is_right_or_not(knee_deep: Door) -> None:
    position = knee_deep.desk.position
    text = str(position.view(1))
    assert knee_deep.sets(text) == "table.ruled_view"  # all of the other's hand is right
    wrong = text
    while wrong == text:  # the same hand dealt twice is rare, not impossible
        other = begun(knee_deep.start)
        other.deal()
        wrong = str(other.position.view(1))
    assert knee_deep.sets(wrong) == "table.ruled_view"
    assert knee_deep.sets(str(position.view(0)).replace(" material=0", " material=1")) == ""
    assert knee_deep.desk.table.asking is not None


def test_nobody_sets_their_own_hand_where_a_word_says_each(two_hands: Door) -> None:
    cells, own, other, eyes = str(two_hands.desk.position.view(0)).split(" ")
    others = next(it for it in ("778", "899", "556") if it != own)
    assert two_hands.sets(f"{cells} {others} {other} {eyes}") == "table.ruled_view"
    assert two_hands.sets(f"{cells} {own} {other} {eyes}") == ""


@pytest.mark.parametrize("agreed", ["agreed", "host"])
def test_a_host_who_asks_nobody_tries_no_hand_without_everybody_being_told(
    agreed: str, tmp_path: Path
) -> None:
    """Of a card of which somebody holds one, not all that the deck has can lie in the discard."""
    start = replace(KNEE_DEEP, options={**KNEE_DEEP.options, "takeback": agreed})
    desk = begun(start)
    desk.say("keep", "keep")
    door, position = Door(desk, start, FLOWERS, tmp_path), desk.position
    public, whole = str(position.view(2)), str(position)
    held = whole.partition("hands=")[2].partition(" ")[0].partition(";")[2].split("+")
    deck = Counter(position.deck.partition(";bukseon=")[2].split("+"))
    told = []
    for card in (next(it for it in deck if it not in held), *held[:1] * 2):
        discarded = "+".join([card] * deck[card])
        text = public.replace("discards=;", f"discards=;{discarded}")
        assert text != public
        assert door.sets(text, side=-1, key=HOST) == ""
        told.append([say(it) for it in door.notices])
    if agreed == "agreed":  # the others are asked
        assert told == [[], [], []]
    else:
        assert [len(it) for it in told] == [0, 1, 1]
        assert "page asked 1 time for" in told[1][0]
        assert "page asked 2 times" in told[2][0]


def test_what_is_said_out_of_turn_is_told_to_nobody_else(knee_deep: Door) -> None:
    """The table refuses it for that, be the card in the other's hand or not."""
    knee_deep.desk.say("keep", "keep")
    view = knee_deep.desk.table.view()
    assert view.position.question(1) is None
    for card in ("sling", "barrier", "batteries", "bunker"):
        asked = FromPage("page 2", 1, Declare(1, f"recycle {card}"), Key("ben", (1,), "Ben"))
        knee_deep.requests.obey(asked, view)
    assert not list(knee_deep.notices)


def test_of_a_tile_that_another_has_read_all_hear_that_somebody_named_it(tmp_path: Path) -> None:
    """The bag has one Peace; Blue has read it, and Red says that it is in the own hand."""
    board, rules = load(find("hextraction-22")), registry.find("hextraction").rules()
    options: dict[str, int | str | bool] = {
        "hands": "scan",
        "opening": "bag",
        "bag": "J*16,Peace,S*5,X*10,Z*6",
    }
    start = Start("m", board.name, board.hash, "hextraction", rules, options, "test")
    desk = Desk(start, board)
    desk.feed(Declare(1, "drew 1 Peace"), "page 2/1")
    door = Door(desk, start, board, tmp_path)
    for action, told in (("drew 0 J", 0), ("drew 0 Asterisk", 0), ("drew 0 Peace", 1)):
        asked = FromPage("page 1", 0, Declare(-1, action), ANN)
        door.requests.obey(asked, desk.table.view())
        assert len(list(door.notices)) == told
    assert desk.refused == ["hextraction.not_unseen"]
    assert "others hold" in say(next(iter(door.notices)))


def test_why_a_dealt_match_cannot_go_on_names_no_card() -> None:
    """The rules' own refusal does, as "sling is not in Gondwana's hand."."""
    error = IllegalAction(message("knee_deep.not_in_hand", "", card="sling", seat="Gondwana"))
    told = say(_why(Saved("m", b"{}", (), "", b"{}"), error))
    assert "sling" not in told
    assert "IllegalAction" in told
    assert "sling" in say(_why(Saved("m", b"{}", (), ""), error))

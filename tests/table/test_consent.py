"""Take-backs by consent: who is asked, who answers, and that nothing is taken back silently."""

import re

import pytest

from hexboard.board import find, load, plain
from hexboard.facts import MS, Body, Decide, Declare, Fact, Resume, Ruling, Start
from hexboard.games import hexalma, hexel
from hexboard.games.bad_santa import hex as bad_santa
from hexboard.record.transcript import Transcript
from hexboard.table.effects import Refuse, Tell
from hexboard.table.view import HOST_SEAT
from hexboard.words import say
from hexboard.words.errors import BadText
from tests.desk import OPEN, start
from tests.desk import Desk as Rolling
from tests.test_pieces import Desk as Pieces
from tests.test_secrets import KNEE_DEEP
from tests.test_secrets import Desk as Dealt

BOARD = load(find("hexhex-5"))
ANN, BEN = (0,), (1,)


class Desk:
    """Two people and a host at a board of HexAlma."""

    def __init__(self, **agreed: str) -> None:
        rules = hexalma.rules()
        self.begin = Start("m", BOARD.name, BOARD.hash, "hexalma", rules, {**agreed}, "test")
        self.transcript = Transcript(BOARD, self.begin)
        self.facts: list[Fact] = []
        self.told: list[tuple[str, object]] = []
        self.refused: list[str] = []
        self.feed(self.begin)
        self.feed(Declare(0, "b3-c3"))

    def feed(self, body: Body, source: str = "page") -> None:
        n = len(self.facts) + 1
        self.facts.append(Fact(n, n * MS, n * MS, source, body))
        for effect in self.transcript.step(self.facts[-1])[0]:
            if isinstance(effect, Tell):
                self.told += [(m.key, dict(m.values).get("who")) for m in effect.messages]
            elif isinstance(effect, Refuse):
                self.refused.append(effect.message.key)

    def undo(self, who: str, *seats: int) -> None:
        self.feed(Ruling("undo", who, seats=seats))

    def answer(self, choice: str, who: str, *seats: int) -> None:
        asking = self.transcript.asking
        self.feed(Decide(asking.id if asking else 0, choice, seats, who))

    @property
    def asked(self) -> list[int]:
        return list(self.transcript.asking.of) if self.transcript.asking else []

    @property
    def played(self) -> int:
        return self.transcript.view.positions - 1


def test_a_free_take_back_happens_at_once_and_names_who_did_it() -> None:
    desk = Desk(takeback="free")
    desk.undo("Ben", *BEN)
    assert (desk.played, desk.asked) == (0, [])
    assert desk.told[-1] == ("table.undone_by", "Ben")


def test_an_agreed_one_asks_every_other_seat_and_waits_for_the_last_yes() -> None:
    desk = Desk(takeback="agreed")
    desk.undo("the host")
    assert desk.asked == [0, 1]
    desk.answer("yes", "Ann", *ANN)
    assert (desk.played, desk.asked) == (1, [1])
    desk.answer("yes", "Ann", *ANN)  # once is enough
    assert desk.refused == ["table.not_asked"]
    desk.answer("yes", "Black, spoken by the host", *BEN)
    assert (desk.played, desk.asked) == (0, [])
    assert desk.told[1:] == [
        ("table.take_back", "the host"),
        ("table.agreed", "Ann"),
        ("table.agreed", "Black, spoken by the host"),
        ("table.undone_by", "the host"),
    ]


def test_who_asks_is_not_asked_and_who_holds_every_seat_asks_nobody() -> None:
    desk = Desk(takeback="agreed")
    desk.undo("Ann", *ANN)
    assert desk.asked == [1]
    desk.answer("no", "Ann", *ANN)
    assert desk.refused == ["table.not_asked"]
    alone = Desk(takeback="agreed")
    alone.undo("Ann", *ANN, *BEN)
    assert (alone.played, alone.asked) == (0, [])


def test_one_no_is_enough() -> None:
    desk = Desk(takeback="agreed")
    desk.undo("the host")
    desk.answer("no", "Ben", *BEN)
    assert (desk.played, desk.asked) == (1, [])
    assert desk.told[-1] == ("table.not_agreed", "Ben")
    desk.answer("yes", "Ann", *ANN)
    assert desk.refused == ["table.no_question"]


def test_play_that_goes_on_ends_the_question() -> None:
    desk = Desk(takeback="agreed")
    desk.undo("Ann", *ANN)
    desk.feed(Declare(1, "h1-g2"))
    assert desk.refused == []
    assert (desk.played, desk.asked) == (2, [])
    desk.undo("Ben", *BEN)
    desk.answer("yes", "Ann", *ANN)
    assert desk.played == 1  # the move that was asked about, and no other


def test_the_hosts_word_is_asked_for_and_the_host_needs_nobodys() -> None:
    desk = Desk(takeback="host")
    desk.undo("Ann", *ANN)
    assert desk.asked == [HOST_SEAT]
    desk.answer("yes", "Ben", *BEN)
    assert desk.refused == ["table.not_asked"]
    desk.answer("yes", "the host", HOST_SEAT)
    assert desk.played == 0
    desk.feed(Declare(0, "b3-c3"))
    desk.undo("the host")
    assert desk.played == 0


def test_a_button_on_the_board_is_nobodys_own_word() -> None:
    desk = Dealt(_with("host"))
    consent = desk.table._people
    desk.say("companions general tech")
    consent.press("undo")
    assert desk.table.asking.of == (HOST_SEAT,)


def _with(takeback: str) -> Start:
    start = KNEE_DEEP
    return Start(
        *(start.match, start.board, start.board_hash, start.game, start.rules),
        {**start.options, "takeback": takeback},
        start.code,
    )


@pytest.mark.parametrize(("agreed", "of"), [("free", (1,)), ("agreed", (1,)), ("host", (-1,))])
def test_nothing_is_taken_back_silently_behind_a_card_that_was_seen(
    agreed: str, of: tuple[int, ...]
) -> None:
    desk = Dealt(_with(agreed))
    desk.say("companions general tech", "companions commander trickster")
    dealt = desk.position
    desk.feed(Ruling("undo", "Ann", seats=ANN))  # three cards each were dealt since
    assert (desk.table.asking.message.key, desk.table.asking.of) == ("table.take_back_seen", of)
    assert desk.position == dealt
    desk.feed(Decide(desk.table.asking.id, "yes", of, "Ben"))
    assert desk.position != dealt
    assert "though somebody has seen a card" in desk.told


@pytest.mark.parametrize(("agreed", "of"), [("free", (1,)), ("agreed", (1,)), ("host", (-1,))])
def test_the_position_of_a_dealt_game_is_set_by_leave_and_keeps_what_the_ruler_does_not_see(
    agreed: str, of: tuple[int, ...]
) -> None:
    desk = Dealt(_with(agreed))
    desk.say("companions general tech", "companions commander trickster")
    dealt = str(desk.position)
    seen = str(desk.position.view(0))
    ruled = seen.replace(" material=0", " material=4")
    assert ruled != seen
    desk.feed(Ruling(f"position {ruled}", "Ann", "miscounted", ANN))
    asked = desk.table.asking
    assert (asked.message.key, asked.of) == ("table.set_position", of)
    assert dict(asked.message.values) == {"who": "Ann", "what": "material"}
    assert str(desk.position) == dealt
    desk.feed(Decide(asked.id, "no", of, "Ben"))
    assert str(desk.position) == dealt
    desk.feed(Ruling(f"position {ruled}", "Ann", "miscounted", ANN))
    desk.feed(Decide(desk.table.asking.id, "yes", of, "Ben"))
    assert str(desk.position) == dealt.replace(" material=0", " material=4")
    hand = seen.partition("hands=")[2].partition(";")[0]
    assert hand not in "".join(desk.written)


@pytest.mark.parametrize(
    ("agreed", "seats", "of"),
    [
        *(("free", ANN, [1]), ("agreed", ANN, [1]), ("host", ANN, [HOST_SEAT])),
        *(("free", (), []), ("agreed", (), []), ("host", (), [])),  # the host, who plays no side
        ("", ANN, []),  # from before anybody was asked
    ],
)
def test_who_plays_sets_a_position_by_leave_of_the_others(
    agreed: str, seats: tuple[int, ...], of: list[int]
) -> None:
    desk = Desk(**({"takeback": agreed} if agreed else {}))
    before = str(desk.transcript.view.position)
    first = str(hexalma.GAME.begin(BOARD, {}))
    desk.feed(Ruling(f"position {first}", "Ann", "", seats))
    assert desk.asked == of
    if of:
        assert str(desk.transcript.view.position) == before
        desk.answer("no", "Ben", *of)
        assert str(desk.transcript.view.position) == before
        desk.feed(Ruling(f"position {first}", "Ann", "", seats))
        desk.answer("yes", "Ben", *of)
    assert str(desk.transcript.view.position) == first


@pytest.mark.parametrize("eyes", ["-", "0", "1", "2", "3", "9"])
def test_hidden_cards_are_set_by_nobody(eyes: str) -> None:
    """Neither another's, blanked, nor one's own; nor tells a refusal what somebody holds."""
    desk = Dealt(_with("agreed"))
    desk.say("companions general tech", "companions commander trickster")
    dealt = str(desk.position)
    for hands in ("?+?+?;?+?+?", "?+?+?;", "sling;?+?+?", "?+?+?;sling+barrier+batteries"):
        text = re.sub("hands=[^ ]*", f"hands={hands}", dealt)
        view = desk.position.view(int(eyes)) if eyes in "012" else None
        if view is not None and f"hands={hands} " in str(view):
            continue  # what that side sees
        desk.feed(Ruling(f"position {re.sub('eyes=.*', f'eyes={eyes}', text)}", "Ann", "", ANN))
        assert len(desk.refused) == 1
        assert (desk.table.asking, str(desk.position)) == (None, dealt)
    desk.feed(Ruling(f"position {dealt}", "Ann", "", ANN))  # all of it is nobody's to know
    assert desk.refused == ["table.ruled_view"]


def test_a_roll_that_was_ruled_on_is_voided_by_consent() -> None:
    desk = Rolling({"B1": OPEN, "A1": OPEN}, start(takeback="agreed"))
    before = str(desk.position)
    desk.pulse("gate:B1-6", "edge:A1-B1", "exit:A1-5")
    desk.rule("void")  # as it rolls the people's word is enough
    assert "table.take_back" not in desk.keys
    desk.settle()
    assert desk.position.tiles["A1"] == OPEN
    desk.pulse("gate:B1-6", "edge:A1-B1", "exit:A1-5")
    desk.settle()
    ruled = str(desk.position)
    desk.rule("void")
    asked = desk.table.asking
    assert asked is not None
    assert (asked.message.key, asked.of, str(desk.position)) == ("table.take_back", (0, 1), ruled)
    desk.decide("yes")  # of everybody
    assert str(desk.position) == before


def test_what_is_asked_about_is_said_in_words() -> None:
    """As the log has it, whoever reads it in whatever language; HexAlma's list has notation."""
    rolling = Rolling({"B1": OPEN}, start(takeback="agreed"))
    rolling.declare("play J C3 1")
    rolling.feed(Ruling("undo", "Ann", seats=ANN), source="page")
    dealt = Dealt(_with("agreed"))
    dealt.say("companions general tech", "companions commander trickster")
    dealt.feed(Ruling("undo", "Ann", seats=ANN))
    asked = rolling.table.asking, dealt.table.asking
    texts = [say(it.message) for it in asked if it is not None]
    assert texts[0] == "Take back “Red plays J into C3, turned 1 sixth.”? Asked by Ann."
    assert "“Bukseon chooses commander and trickster.”" in texts[1]
    touched = Desk(takeback="agreed")
    touched.undo("Ann", *ANN)
    assert touched.transcript.asking is not None
    assert "“b3-c3”" in say(touched.transcript.asking.message)


def test_that_a_position_was_set_is_taken_back_by_that_name() -> None:
    desk = Desk(takeback="agreed")
    before = str(desk.transcript.view.position)
    first = str(hexalma.GAME.begin(BOARD, {}))
    desk.feed(Ruling(f"position {first}", "the host"))
    desk.undo("Ann", *ANN)
    asking = desk.transcript.asking
    assert asking is not None
    asked = "Take back that the host set the position? Asked by Ann."
    assert say(asking.message) == asked
    desk.answer("yes", "Ben", *BEN)
    assert str(desk.transcript.view.position) == before


def test_who_has_left_the_game_is_not_asked() -> None:
    desk = Rolling({"B1": OPEN}, start(seats=4, takeback="agreed"))
    desk.declare("leave 3", seat=3)
    desk.declare("play J C3 1")
    desk.feed(Ruling("undo", "Ann", seats=ANN), source="page")
    asking = desk.table.asking
    assert asking is not None
    assert asking.of == (1, 2)
    for seat in asking.of:
        desk.feed(Decide(asking.id, "yes", (seat,)), source="page")
    assert "C3" not in desk.position.tiles
    desk.feed(Ruling("undo", "Ann", seats=ANN), source="page")
    assert desk.table.asking is not None
    assert desk.table.asking.of == (1, 2)  # Yellow is asked no more, even whether to be back


def test_who_conceded_at_hexel_is_not_asked() -> None:
    table = plain("table")
    options: dict[str, int | str | bool] = {"seats": 3, "takeback": "agreed", "chips": "off"}
    desk = Pieces(
        Start("m", table.name, table.hash, "hexel", hexel.rules(), options, "test"), table
    )
    desk.feed(Declare(2, "concede 2"))
    desk.feed(Declare(0, "place -1,0 RBRBRB"))
    desk.feed(Ruling("undo", "Ann", seats=ANN))
    assert desk.table.asking is not None
    assert desk.table.asking.of == BEN


def test_who_gave_up_is_asked_once_the_game_is_over() -> None:
    desk = Rolling({"B1": OPEN}, start(takeback="agreed"))
    desk.declare("concede 1", seat=1)
    assert desk.position.scores is not None
    desk.feed(Ruling("undo", "Ann", seats=ANN), source="page")
    assert desk.table.asking is not None
    assert desk.table.asking.of == (1,)


def test_what_is_done_before_a_throw_that_is_waited_for_was_seen_by_nobody() -> None:
    """A counter lies back in the moment in which hexboard would have thrown: nothing was thrown."""
    desk = Pieces(
        Start(
            *("m", "rhombus-5", plain("rhombus-5").hash, "bad-santa-hex", bad_santa.rules()),
            {"size": 5, "die": "dealt", "takeback": "free"},
            "test",
        ),
        plain("rhombus-5"),
    )
    for name in ("c3", "a1", "back a1"):
        desk.feed(Declare(0, name))
    desk.feed(Ruling("undo", "Ann", seats=ANN))
    assert len(desk.table.ledger.match.counting) == 2
    desk.feed(Declare(-1, "die 1"), "dealer")
    desk.feed(Ruling("undo", "Ann", seats=ANN))
    assert desk.table.asking is not None
    assert desk.table.asking.message.key == "table.take_back_seen"


def test_a_move_that_shows_no_card_is_taken_back_freely() -> None:
    desk = Dealt(_with("free"))
    desk.say("companions general tech")  # both choose before a card is dealt
    desk.feed(Ruling("undo", "Ann", seats=ANN))
    assert desk.table.asking is None
    assert desk.table.view().positions == 1


def test_an_evening_with_take_backs_replays_to_the_same_bytes() -> None:
    desk = Desk(takeback="agreed")
    desk.undo("Ann", *ANN)
    desk.answer("no", "Ben", *BEN)
    desk.undo("Ann", *ANN)
    desk.answer("yes", "Ben", *BEN)
    again = Transcript(BOARD, desk.begin)
    for fact in desk.facts:
        again.step(fact)
    assert again.digest == desk.transcript.digest


def test_a_match_from_before_there_was_a_choice_is_taken_back_as_it_was_then() -> None:
    desk = Desk()
    desk.undo("host")
    assert desk.told[-1] == ("table.undone", None)
    resumed = Transcript(BOARD, Resume(desk.begin, ()))
    assert resumed.view.takeback == ""


def test_a_rule_that_nobody_knows_begins_no_match() -> None:
    with pytest.raises(BadText, match="free, agreed, host"):
        Desk(takeback="sometimes")


def test_of_two_who_take_back_the_same_move_at_once_one_does() -> None:
    """Each names the newest entry that their page shows; a button on the board names none."""
    desk = Desk(takeback="free")
    desk.feed(Declare(1, "h3-g3"))
    desk.feed(Ruling("undo 1", "Ann", seats=ANN))
    desk.feed(Ruling("undo 1", "Ben", seats=BEN))
    assert (desk.played, desk.refused) == (1, ["table.undone_already"])
    desk.feed(Ruling("undo 0", "Ben", seats=BEN))
    assert desk.played == 0
    desk.feed(Declare(0, "b3-c3"))
    for wrong in ("undo 99", "undo -1", "undo 0", "undo x", "undo "):
        desk.feed(Ruling(wrong))
    desk.feed(Ruling("undo"))
    assert (desk.played, desk.refused[1:]) == (0, ["table.undone_already"] * 5)


def test_nobody_takes_back_a_move_that_their_page_did_not_show() -> None:
    desk = Desk(takeback="free")
    desk.feed(Declare(1, "h3-g3"))
    desk.feed(Ruling("undo 0", "Ann", seats=ANN))  # pressed while h3-g3 was on its way to her
    assert (desk.played, desk.refused) == (2, ["table.moved_meanwhile"])
    desk.feed(Ruling("undo 1", "Ann", seats=ANN))
    assert desk.played == 1


def test_who_speaks_for_every_seat_moves_in_the_position_that_their_page_showed() -> None:
    """Two tap on two pages at once: the second one's tap was meant for the position before."""
    desk = Desk(takeback="free")
    desk.feed(Declare(-1, "h3-g3", after=0))
    desk.feed(Declare(-1, "c3-d3", after=0))
    assert (desk.played, desk.refused) == (2, ["table.changed_meanwhile"])
    desk.feed(Declare(-1, "c3-d3", after=1))
    assert desk.played == 3
    desk.feed(Ruling("undo"))
    desk.feed(Declare(-1, "c3-d3", after=2))  # that was taken back meanwhile
    assert (desk.played, len(desk.refused)) == (2, 2)
    desk.feed(Declare(-1, "c3-d3"))  # of a program, or a terminal
    desk.feed(Declare(1, "g3-f3", after=0))  # of a seat, which is asked whatever others do
    assert (desk.played, len(desk.refused)) == (4, 2)
    desk.feed(Declare(-1, "d3-e3", after=-1))
    assert (desk.played, len(desk.refused)) == (4, 3)


@pytest.mark.parametrize("do", ["right", "play on"])
def test_a_word_on_the_board_does_not_void_what_is_asked(do: str) -> None:
    """docs/phones.md, "Taking back": one No, or playing on, ends the question."""
    desk = Desk(takeback="agreed")
    desk.undo("Ann", *ANN)
    for who, seats in (("the host", ()), ("Ben", BEN)):
        desk.feed(Ruling(do, who, seats=seats))
        assert desk.asked == [1]
    assert desk.refused == ["table.question_open"] * 2
    desk.answer("yes", "Ben", *BEN)
    assert desk.played == 0
    first = str(desk.transcript.view.position)
    desk.feed(Declare(0, "b3-c3"))
    desk.feed(Ruling(f"position {first}", "Ann", "", ANN))
    desk.feed(Ruling(do, "the host"))
    assert desk.asked == [1]


def test_no_word_and_no_button_on_a_board_of_balls_voids_it_either() -> None:
    desk = Rolling({"B1": OPEN}, start(takeback="agreed"))
    desk.declare("play J C3 1")
    desk.feed(Ruling("undo", "Ann", seats=ANN), source="page")
    desk.rule("right")
    assert desk.refused == ["table.question_open"]
    desk.table._people.press("right")
    assert desk.table.asking is not None
    assert desk.table.asking.of == BEN


def test_a_pause_does_not_void_what_is_asked() -> None:
    """It keeps the time that is left: an entry that changes nothing."""
    desk = Desk(takeback="agreed", clock="10+5")
    desk.feed(Declare(1, "h1-g2"))
    desk.undo("Ben", *BEN)
    desk.feed(Ruling("pause", "the host"))
    desk.feed(Ruling("go on", "the host"))
    assert desk.asked == [0]
    desk.answer("yes", "Ann", *ANN)
    assert (desk.played, desk.refused) == (1, [])


def _thrown() -> Pieces:
    """Bad Santa, of which hexboard throws the die, which it is about to do."""
    board = plain("rhombus-5")
    options: dict[str, int | str | bool] = {"size": 5, "die": "dealt", "takeback": "agreed"}
    rules = bad_santa.rules()
    desk = Pieces(Start("m", board.name, board.hash, "bad-santa-hex", rules, options, "t"), board)
    for name in ("c3", "a1"):
        desk.feed(Declare(-1, name))
    return desk


def test_the_dealers_throw_has_people_asked_anew_and_is_nobodys_play() -> None:
    desk = _thrown()
    desk.feed(Ruling("undo", "Ann", seats=ANN))
    first = desk.table.asking
    desk.feed(Declare(-1, "die 1"), "dealer")
    asked = desk.table.asking
    assert first is not None
    assert asked is not None
    assert (first.message.key, first.of) == ("table.take_back", BEN)
    assert (asked.message.key, asked.of) == ("table.take_back_seen", BEN)
    assert asked.id != first.id  # a yes on its way was to something else
    desk.feed(Decide(asked.id, "yes", BEN, "Ben"))
    assert desk.table.view().positions == 2  # c3 is left


def test_a_throw_ends_the_question_whether_to_set_an_older_position() -> None:
    desk = _thrown()
    desk.feed(Ruling(f"position {desk.table.position}", "Ann", seats=ANN))
    first = desk.table.asking
    effects = desk.feed(Declare(-1, "die 1"), "dealer")
    assert first is not None
    assert desk.table.asking is None
    told = [said.key for it in effects if isinstance(it, Tell) for said in it.messages]
    assert told[-1] == "table.set_late"


@pytest.mark.parametrize("agreed", ["free", "agreed", "host"])
@pytest.mark.parametrize("do", ["tile B1 -", "tile B1 J 0", "ball 1 B1"])
def test_a_seats_word_on_a_tile_or_a_ball_sets_the_position_too(do: str, agreed: str) -> None:
    """docs/phones.md, "Taking back": whenever somebody does it who plays a seat."""
    desk = Rolling({"B1": OPEN}, start(takeback=agreed))
    before = str(desk.position)
    desk.feed(Ruling(do, "Ben", seats=BEN), source="page")
    asked = desk.table.asking
    assert asked is not None
    assert (asked.message.key, asked.of) == (
        "table.set_position",
        (HOST_SEAT,) if agreed == "host" else ANN,
    )
    assert dict(asked.message.values)["what"] == do
    assert str(desk.position) == before
    desk.feed(Decide(asked.id, "no", asked.of), source="page")
    desk.feed(Ruling(do, "Ben", seats=BEN), source="page")
    assert desk.table.asking is not None
    desk.feed(Decide(desk.table.asking.id, "yes", asked.of), source="page")
    asked_for = str(desk.position)
    host = Rolling({"B1": OPEN}, start(takeback=agreed))
    host.rule(do)
    assert host.table.asking is None
    assert asked_for == str(host.position) != before
    assert desk.todo == host.todo == []


def test_what_cannot_lie_there_is_nothing_to_ask_about() -> None:
    desk = Rolling({"B1": OPEN}, start(takeback="agreed"))
    for do in ("tile Z9 -", "tile B1 Nothing 0", "ball 7 B1", "ball 1 Z9"):
        desk.feed(Ruling(do, "Ben", seats=BEN), source="page")
    assert (len(desk.refused), desk.table.asking) == (4, None)


def test_what_the_table_itself_asks_is_answered_with_nobodys_leave() -> None:
    """A ball that was not felt to leave: who sees where it lies says so."""
    desk = Rolling({"B1": OPEN, "A1": OPEN}, start(takeback="agreed"))
    desk.pulse("gate:B1-6", "edge:A1-B1")
    desk.settle()
    assert "rest 1 A1" in desk.choices
    desk.feed(Ruling("ball 1 B1", "Ben", seats=BEN), source="page")
    assert desk.refused == []
    assert dict(desk.position.places()) == {1: "B1"}

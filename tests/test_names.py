"""Names that players gave at the door: in what is told, shown and kept."""

import sys
from typing import Any

import pytest

from hexboard.board import plain
from hexboard.daemon.requests import _speaking
from hexboard.daemon.seating import Seating
from hexboard.facts import (
    Body,
    Declare,
    Fact,
    Named,
    Presence,
    Ruling,
    Start,
    decode_fact,
    encode_fact,
)
from hexboard.game import registry
from hexboard.lights.frame import LightSettings, Power
from hexboard.table import open_table
from hexboard.table.effects import Refuse, Tell
from hexboard.web.keys import WATCHING, Key, Keys
from hexboard.web.sheet import table_sheet
from hexboard.words import Value, message, say, speaking
from hexboard.words.names import called, naming, one_line, words_of

ANNA, ANN, BO = "\u2068Anna\u2069", "\u2068Ann\u2069", "\u2068Bo\u2069"


class Game:
    """A game of two who gave their names."""

    def __init__(self, board: str, game: str, *names: str, **options: Value) -> None:
        rules = registry.find(game).rules()
        start = Start("m", board, "", game, rules, options, "", names, (1, -1))
        self.table = open_table(plain(board), start)
        self.table.step(Fact(1, 0, 0, "journal", Presence(True)))
        self.n = 1

    def say(self, *moves: str) -> list[str]:
        """Make moves; what is told or refused, in English."""
        return self.hear(*(Declare(-1, move) for move in moves))

    def hear(self, *bodies: Body) -> list[str]:
        """Say anything; what is told or refused, in English."""
        heard = []
        for body in bodies:
            self.n += 1
            for effect in self.table.step(Fact(self.n, 0, 0, "page 1", body)):
                if isinstance(effect, Tell):
                    heard += [say(text) for text in effect.messages]
                elif isinstance(effect, Refuse):
                    heard.append(say(effect.message))
        return heard

    @property
    def sheet(self) -> Any:
        return table_sheet(self.table.view(), -1, 0, Power(), LightSettings())


def test_a_name_is_one_line_of_forty_letters_and_turns_nothing() -> None:
    assert one_line(" Anna\n\tB. ") == "Anna B."
    assert one_line("a\u202eb\u2069c\u200fd\x1be\u2068") == "abcde"
    assert one_line("ש" * 50) == "ש" * 40
    assert one_line("<b>Anna</b>") == "<b>Anna</b>"  # pages write letters, never elements


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("\ufe0f\u034f", ""),
        ("\u3164\u115f\u1160\uffa0\u2800", ""),
        ("\u200d\u200c \u200d", ""),
        ("\u0301\u0308", ""),  # marks without a letter
        ("An\u034fna\u3164", "Anna"),
        (
            "\U0001f468\u200d\U0001f469\u200d\U0001f467",
            "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        ),
        ("\u2764\ufe0f\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525"),
        ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"),
        ("\u200dAnn\u200d\u200d\ufe0f B\u200d", "Ann B"),
        ("x" * 39 + "\u200dy", "x" * 39),
    ],
)
def test_a_name_has_something_to_be_seen_and_a_family_stays_one(given: str, shown: str) -> None:
    assert one_line(given) == shown
    assert one_line(shown) == shown


def test_no_sign_that_unicode_says_to_ignore_is_a_name() -> None:
    """Default_Ignorable_Code_Point, as DerivedCoreProperties.txt of Unicode 15 has it."""
    ignored = (
        "ad 34f 61c 115f-1160 17b4-17b5 180b-180f 200b-200f 202a-202e 2060-206f 3164 fe00-fe0f "
        "feff ffa0 fff0-fff8 1bca0-1bca3 1d173-1d17a e0000-e0fff"
    )
    for ends in ignored.split():
        first, _, last = ends.partition("-")
        for code in range(int(first, 16), int(last or first, 16) + 1):
            assert one_line(chr(code)) == "", hex(code)


def test_a_name_stands_for_its_seat_and_for_nothing_else() -> None:
    seats = registry.find("hexalma").begin(plain("hexhex-5"), {}).seats
    names = called(seats, ["", "Bo\u2069"])
    assert names == {"White": BO}
    told = message("x.y", "1.2", seat="White", who=seats[1], other="Black", cell="White 3", count=2)
    assert dict(naming(told, names).values) == {
        "seat": BO,
        "who": BO,
        "other": "Black",
        "cell": "White 3",
        "count": 2,
    }


def test_a_message_within_a_message_has_the_names_too() -> None:
    seats = registry.find("hexalma").begin(plain("hexhex-5"), {}).seats
    names = called(seats, ["", "Bo"])
    event = message("x.moves", seat=seats[1], by="White", cell="b3")
    told = naming(message("x.asked", who="Ann", what=event), names)
    assert told == message("x.asked", who="Ann", what=message("x.moves", seat=BO, by=BO, cell="b3"))


def test_a_play_that_would_be_taken_back_is_said_with_names_of_people_and_tiles() -> None:
    game = Game("hextraction-22", "hextraction", "Ann", takeback="agreed")
    game.say("play J C3 1")
    (logged,) = (it["text"] for it in game.sheet["log"] if "C3" in it["text"])
    (asked,) = game.hear(Ruling("undo", "Ann", seats=(0,)))
    assert ANN in asked
    assert f"“{logged}”" in game.sheet["question"]["text"]


def test_what_is_told_shown_and_asked_has_the_names_of_the_players() -> None:
    game = Game("hexhex-5", "hexalma", "Anna", "Bo")
    assert game.say("b3-c3") == [f"{ANNA} moves b3 to c3."]
    with speaking("de"):
        sheet = game.sheet
    assert sheet["seats"] == [ANNA, BO]
    assert sheet["people"] == [("Schwarz", 1), ("Weiß", -1)]
    assert sheet["prompt"].startswith(f"{BO}: ")
    assert ANNA in sheet["log"][0]["text"]
    assert [line["aside"] for line in sheet["log"]] == [False, True]  # the journal is there
    assert [words for _, _, words in sheet["acts"] if BO in words]
    game.say("resign")
    assert game.sheet["outcome"] == f"{ANNA} wins."


def test_without_names_nothing_is_said_otherwise_nor_written() -> None:
    game = Game("hexhex-5", "hexalma")
    assert game.say("b3-c3") == ["Black moves b3 to c3."]
    assert (game.sheet["seats"], game.sheet["people"]) == (["Black", "White"], [])
    start = Start("m", "b", "h", "hexalma", "r", {}, "t")
    assert b"names" not in encode_fact(Fact(1, 0, 0, "table", start))


def test_a_recording_from_before_there_were_names_is_read() -> None:
    body = b'{"type":"start","match":"m","board":"b","board_hash":"h","game":"g","rules":"r",'
    fact = b'{"n":1,"t":0,"at":0,"source":"table","body":' + body + b'"options":{},"code":"0"}}'
    assert decode_fact(fact).body == Start("m", "b", "h", "g", "r", {}, "0")


def test_who_is_called_as_another_seat_speaks_in_their_own_name() -> None:
    game = Game("hexhex-5", "hexalma", "Anna")
    seats, who = _speaking(Key("k", (1,), "Black"), game.table.view())
    assert game.hear(Ruling("pause", who, seats=seats)) == ["Pause (\u2068Black\u2069)."]


def test_who_swaps_colours_takes_the_name_along() -> None:
    game = Game("rhombus-5", "bad-santa-hex", "Anna", "Bo", swap=True, size=5)
    assert ANNA in game.say("c3")[0]
    game.say("a1", "die 1")
    game.say("swap")
    assert game.sheet["seats"] == [BO, ANNA]
    assert game.sheet["people"] == [("Black", -1), ("White", 1)]
    lines = [line["text"] for line in game.sheet["log"] if "c3" in line["text"]]
    assert ANNA in lines[-1]  # what she did before stays hers


def test_who_takes_a_seat_with_a_phone_is_called_by_their_own_name() -> None:
    game = Game("hexhex-5", "hexalma", "", "Bo")
    game.hear(Named(0, "Ann", 2))
    assert game.say("b3-c3") == [f"{ANN} moves b3 to c3."]
    assert game.sheet["people"] == [("Black", 2), ("White", -1)]
    game.hear(
        Named(1, ""), Named(7, "Cy")
    )  # another phone, without a name; a seat that is not there
    assert game.sheet["seats"] == [ANN, "White"]


def test_who_sits_down_after_a_swap_is_called_by_their_name_where_they_sit() -> None:
    game = Game("rhombus-5", "bad-santa-hex", swap=True, size=5)
    game.say("c3", "a1", "die 1", "swap")
    keys = Keys("t")
    keys.exchange(True)
    seating = Seating(keys)
    keys.accept(keys.invite(0).secret, "Ann", "", 0.0)
    game.hear(*seating.news())
    assert game.sheet["seats"] == [ANN, "White"]  # Black is who was White before
    assert seating.news() == []
    keys.accept(keys.invite(1).secret, "Ben", "", 0.0)
    assert [word.name for word in seating.news()] == ["Ben"]
    seating.begin()  # another table
    assert {word.name for word in seating.news()} == {"Ann", "Ben"}


def test_a_phone_without_a_name_has_its_seat_s_but_not_that_of_the_phone_before() -> None:
    keys = Keys("t")
    seating = Seating(keys)
    keys.accept(keys.invite(0).secret, "", "", 0.0)
    assert seating.news() == []  # it is called as people said at the door
    keys.accept(keys.invite(1).secret, "Ann", "", 0.0)
    assert seating.news() == [Named(1, "Ann")]
    keys.accept(keys.invite(1).secret, "", "", 0.0)
    assert seating.news() == [Named(1, "")]


@pytest.mark.parametrize("name", ["White", "schwarz", "\uff37hite", "Wh\u200dite", "WEISS"])
def test_a_word_for_a_seat_is_nobodys_name(name: str) -> None:
    words = words_of(registry.find("hexalma").begin(plain("hexhex-5"), {}).seats)
    keys = Keys("t")
    keys.accept(keys.invite(0).secret, name, "", 0.0)
    before = keys.people[0].name
    keys.begin(words)  # whoever sat down in another game
    assert (keys.people[0].name, before) == ("", one_line(name))
    keys.accept(keys.invite(1).secret, name, "", 0.0)
    keys.accept(keys.invite(WATCHING).secret, "Whitney", "", 0.0)
    assert [it.name for it in keys.people] == ["", "", "Whitney"]


def test_a_second_anna_at_the_table_is_told_apart() -> None:
    keys = Keys("t")
    keys.accept(keys.invite(WATCHING).secret, "Anna", "", 0.0)
    for seat, name in enumerate(("Anna", "anna", "Anna", "x" * 40, "x" * 40)):
        keys.accept(keys.invite(seat).secret, name, "", 0.0)
    told = ["Anna", "Anna", "anna 2", "Anna 3", "x" * 40, "x" * 37 + " 2"]
    assert [it.name for it in keys.people] == told
    keys.accept(keys.invite(0).secret, "Anna", "", 0.0)  # on another phone: she is still Anna
    assert keys.holder(0) == keys.people[-1]
    assert keys.people[-1].name == "Anna"
    keys.give(keys.people[0].id, 6)  # and now the other one plays
    assert keys.people[0].name == "Anna 4"


def test_who_has_two_seats_gives_neither_a_name() -> None:
    keys = Keys("t")
    held = keys.accept(keys.invite(0).secret, "Ann", "", 0.0)
    keys.accept(keys.invite(1).secret, "Ann", held, 0.0)
    assert Seating(keys).news() == []


def test_a_seat_that_somebody_takes_beside_their_own_bears_nobodys_name_any_more() -> None:
    keys = Keys("t")
    seating = Seating(keys)
    keys.accept(keys.invite(0).secret, "Ann", "", 0.0)
    keys.accept(keys.invite(1).secret, "Ben", "", 0.0)
    assert seating.news() == [Named(0, "Ann"), Named(1, "Ben")]
    keys.give(keys.people[0].id, 1)  # he goes home
    assert seating.news() == [Named(0, ""), Named(1, "")]
    assert seating.news() == []


def at_seats(*names: str) -> Keys:
    """A phone at each seat; "" where somebody gave no name, "-" for no phone."""
    keys = Keys("t")
    for seat, name in enumerate(names):
        if name != "-":
            keys.accept(keys.invite(seat).secret, name, "", 0.0)
    return keys


@pytest.mark.parametrize(
    ("phones", "door", "then"),
    [
        ("Gus Lotte", "Anna Bert", "Anna Bert"),  # who left, and forgot to say so
        ("Gus Lotte", "_ Bert", "Gus Bert"),
        ("_ Lotte", "Anna", "Anna Lotte"),
        ("Ann Ben", "Ben Ann", "2:Ben 1:Ann"),  # by lot: the phones change places too
        ("Ann Ben Cy", "Cy Ann Ben", "3:Cy 1:Ann 2:Ben"),
        ("Ann -", "Ben Ann", "- 1:Ann"),
        ("Ann Ben", "Ben Cy", "2:Ben 1:Cy"),
        ("Ann Ben Cy", "Dora Ann", "2:Dora 1:Ann Cy"),
        ("Ann Ben Cy", "Dora Eve Ann", "3:Dora Eve 1:Ann"),
    ],
)
def test_what_is_said_at_the_door_is_newer_than_what_a_phone_said(
    phones: str, door: str, then: str
) -> None:
    keys = at_seats(*phones.replace("_", "").split(" "))
    came = [key.id for key in keys.people]
    names = door.replace("_", "").split(" ")
    keys.call(names, names, [])
    there = [keys.holder(seat) for seat in range(len(phones.split(" ")))]
    own = {id: str(n) for n, id in enumerate(came, 1)}
    for key, wanted in zip(there, then.split(" "), strict=True):
        of, _, name = wanted.rpartition(":")
        assert (key.name if key else "-") == name
        assert key is None or not of or own[key.id] == of


@pytest.mark.parametrize(
    ("phones", "said", "names", "then"),
    [
        ("Ann Ben", "Ann Ann", "Ann Ann_2", "1:Ann 2:Ann_2"),
        ("Ben Ann", "Ann Ann", "Ann Ann_2", "1:Ann 2:Ann_2"),  # said twice: nobody moves
        ("- - Ann", "Ann Ann", "Ann Ann_2", "- - 1:Ann_3"),  # who is said nowhere else
        ("Ann Ann_2", "Ann_2 Ann", "Ann_2 Ann", "2:Ann_2 1:Ann"),  # by lot
    ],
)
def test_a_second_ann_at_the_door_is_told_apart_and_moves_no_phone(
    phones: str, said: str, names: str, then: str
) -> None:
    def people(text: str) -> list[str]:
        return [it.replace("_", " ") for it in text.split(" ")]

    keys = at_seats(*people(phones))
    came = [key.id for key in keys.people]
    keys.call(people(said), people(names), [])
    for seat, wanted in enumerate(people(then)):
        key = keys.holder(seat)
        assert (f"{came.index(key.id) + 1}:{key.name}" if key else "-") == wanted


def test_phones_change_seats_all_at_once_for_who_looks_meanwhile() -> None:
    keys = at_seats("Ann", "Ben")
    seen: set[Any] = set()

    def look(*_: Any) -> Any:
        seen.add(tuple((key.name, key.seats) for key in keys.people))
        return look

    before = sys.gettrace()
    sys.settrace(look)  # at each line, as another thread may
    try:
        keys.call(["Ben", "Ann"], ["Ben", "Ann"], [])
        keys.begin(frozenset({"ann", "ben"}))
    finally:
        sys.settrace(before)
    assert seen == {
        (("Ann", (0,)), ("Ben", (1,))),
        (("Ann", (1,)), ("Ben", (0,))),
        (("", (1,)), ("", (0,))),
    }


def test_a_colour_said_at_the_door_is_the_phones_too_and_after_a_swap_the_seats_are_as_begun() -> (
    None
):
    keys = at_seats("Ann", "Ben")
    keys.exchange(True)
    keys.call(["Cy", ""], ["Cy", ""], [3, -1])
    assert [(it.name, it.colour, it.seats) for it in keys.people] == [
        ("Cy", 3, (1,)),
        ("Ben", -1, (0,)),
    ]
    assert {seat: it.name for seat, it in keys.players.items()} == {0: "Cy", 1: "Ben"}


def test_who_has_two_seats_keeps_them_and_their_name_whatever_is_said_at_the_door() -> None:
    keys = at_seats("-", "-", "Ann")
    held = keys.accept(keys.invite(0).secret, "Ben", "", 0.0)
    keys.accept(keys.invite(1).secret, "Ben", held, 0.0)
    keys.call(["Ann", "Ben", "Cy"], ["Ann", "Ben", "Cy"], [])
    assert {it.name: it.seats for it in keys.people} == {"Cy": (2,), "Ben": (0, 1)}


def test_a_state_says_whether_all_that_it_shows_is_saved() -> None:
    game = Game("hexhex-5", "hexalma")
    assert not game.sheet["unsaved"]
    game.say("b3-c3")
    assert game.sheet["unsaved"]  # one entry, and none is in the journal
    one = table_sheet(game.table.view(), -1, 1, Power(), LightSettings())
    assert not one["unsaved"]


def test_what_would_be_taken_back_is_said_in_words() -> None:
    options: dict[str, Value] = {"swap": True, "size": 5, "takeback": "agreed"}
    game = Game("rhombus-5", "bad-santa-hex", "Anna", "Bo", **options)
    game.say("c3", "a1", "die 1", "swap")
    asked = "Take back “Swap colours”? Asked by Bo."
    assert game.hear(Ruling("undo", "Bo", seats=(0,))) == [asked]


@pytest.mark.parametrize("name", [name for name in registry.names() if name != "hextraction"])
def test_only_a_game_with_such_a_rule_says_that_seats_were_swapped(name: str) -> None:
    declared = registry.find(name).seats_swapped is not None
    assert declared == any(option.name == "swap" for option in registry.find(name).options)


def test_a_board_put_right_without_a_reason_is_told_without_one_in_good_german() -> None:
    game = Game("hexhex-5", "hexalma")
    position = str(game.table.view().position)
    host = say(message("web.host"), "de")
    game.hear(Ruling(f"position {position}", host), Ruling(f"position {position}", host, "Stoß"))
    with speaking("de"):
        newest = [line["text"] for line in game.sheet["log"][:2]]
    assert newest == [
        "Das Brett ist berichtigt (der Gastgeber: Stoß).",
        "Das Brett ist berichtigt (der Gastgeber).",
    ]

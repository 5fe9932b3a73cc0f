"""`hexboard help`, `play`, `referee` and `perft` as people and programs meet them."""

import importlib
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hexboard import __version__ as hexboard_version
from hexboard.board import plain
from hexboard.commands.new import write_game
from hexboard.commands.play import TerminalGame
from hexboard.game import registry
from hexboard.game.referee import Referee
from tests.cli import invoke
from tests.running import HEXBOARD, PATIENCE, hexboard
from tests.strangers import keep, one_file

DOCS = Path(__file__).parents[2] / "docs"


def test_help_lists_the_games_and_tells_one_with_its_options() -> None:
    listed = hexboard("help")
    assert listed.returncode == 0
    assert {"hexalma", "hexel", "bad-santa-hex", "hextraction"} <= set(listed.stdout.split())
    assert "Bad Santa Y. Link all three sides in one chain" in listed.stdout
    told = hexboard("help", "hexalma").stdout
    assert "ALMA-4.2" in told
    assert "| repetition | **draw3**, off | " in told
    assert "(B6) |" in told


def test_help_tells_the_rulings_last() -> None:
    told = hexboard("help", "hextraction").stdout
    places = [
        told.index(f"## Options: {group}\n") for group in ("the match", "the tiles", "rulings")
    ]
    assert places == sorted(places)
    assert told.index("| mandatory | **once**, while able |") > places[2]


@pytest.mark.long
def test_an_unknown_game_is_told_the_nearest() -> None:
    for command in (["help", "hexalme"], ["play", "hexalme"], ["perft", "hexalme", "1"]):
        done = hexboard(*command)
        assert done.returncode == 1
        assert "Did you mean “hexalma”?" in done.stderr


def test_an_unknown_command_is_told_the_nearest_if_there_is_one() -> None:
    assert "no command “runn”. Did you mean “run”?" in hexboard("runn").stderr
    assert "Did you mean" not in hexboard("xylophone").stderr


def test_a_game_is_played_taken_back_kept_and_gone_on_with(tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    first = hexboard(
        "play", "hexalma", "--record", record, input="b1-c1\nb1-c1\nundo\nb2-c2\nquit\n"
    )
    assert first.returncode == 0, first.stderr
    assert "Black moves b1 to c1" in first.stdout
    assert "b1" in first.stdout
    entries = json.loads(record.read_text("utf-8"))["entries"]
    assert [entry.get("action") for entry in entries] == ["b1-c1", None, "b2-c2"]
    again = hexboard("play", "hexalma", "--record", record, input="position\n")
    assert "White: move" in again.stdout
    for command in ("log", "replay"):  # what was taken back is not there
        ruled = hexboard(command, record).stdout
        assert ruled == "     1  Black moves b2 to c2.  [ALMA-3.1]\n"
    assert json.loads(hexboard("log", record, "--json").stdout)["rule"] == "ALMA-3.1"
    checked = hexboard("check", record)
    assert (checked.returncode, "hexboard log prints it" in checked.stderr) == (1, True)
    other = hexboard("play", "hexalma", "--option", "no_move=lose", "--record", record)
    assert other.returncode == 1
    assert "other options" in other.stderr
    record.write_text("{", "utf-8")
    torn = hexboard("play", "hexalma", "--record", record)
    assert torn.returncode == 1
    assert "damaged" in torn.stderr


def test_a_move_is_told_before_the_throw_that_follows_it() -> None:
    told = hexboard("play", "bad-santa-hex", "--seed", "3", input="a1\nb2\n").stdout
    assert told.count("Black places reservation counter") == 2
    assert told.index("Black places reservation counter 3-4 on b2") < told.index("The die shows")


@pytest.mark.long
def test_names_of_players_are_said_kept_and_change_seats_with_them(tmp_path: Path) -> None:
    """C9: who swaps colours plays the other's seat."""
    record = tmp_path / "game.json"
    named = ("--name", "Ann", "--name", "Ben", "--record", record)
    first = hexboard("play", "hexalma", *named, input="b1-c1\nquit\n").stdout
    assert "Ann moves b1 to c1" in first
    assert "Ben: move one of your discs." in first
    again = hexboard("--language", "de", "play", "hexalma", "--record", record, input="resign\n")
    assert "Ben: ziehe" in again.stdout
    assert "Das Spiel ist aus: Ann 1, Ben 0" in again.stdout
    assert "Ann moves b1 to c1" in hexboard("log", record).stdout
    swapping = ("play", "bad-santa-hex", "--seed", 1, "--option", "swap=yes", *named[:4])
    before, _, after = hexboard(*swapping, input="c3\nh8\nswap\n").stdout.partition("(C9)")
    assert [re.findall("Ann|Ben", it)[-1] for it in (before, after)] == ["Ben", "Ann"]


@pytest.mark.long
def test_a_kept_game_goes_on_with_files_that_say_the_same(tmp_path: Path) -> None:
    """HEXEL-A2: a deck of one's own."""
    deck, record = tmp_path / "mine.toml", tmp_path / "game.json"
    text = (
        'schema = "hexboard/deck-1"\nname = "Mine"\nsize = 30\n[cards]\nRRRRRR = 20\nBBBBBB = 10\n'
    )
    deck.write_text(text, "utf-8")
    asked = (
        "play",
        "hexel",
        "--option",
        f"deck={deck}",
        "--option",
        "hands=held",
        "--record",
        record,
    )
    assert hexboard(*asked, input="redraw\nquit\n").returncode == 0
    deck.write_text(f"# of our box\n{text}", "utf-8")
    assert hexboard(*asked, input="quit\n").returncode == 0
    deck.write_text(text.replace("20", "19").replace("30", "29"), "utf-8")
    assert "other options" in hexboard(*asked, input="quit\n").stderr


@pytest.mark.long
def test_a_kept_game_goes_on_without_its_options_being_said_again(tmp_path: Path) -> None:
    deck, record = tmp_path / "mine.toml", tmp_path / "game.json"
    head = 'schema = "hexboard/deck-1"\nname = "Mine"\nsize = 30\n[cards]\n'
    begun = (
        ("bad-santa-hex", "c3", ["size=5"]),
        ("hexel", "redraw", [f"deck={deck}", "seats=3", "hands=held"]),
    )
    for game, move, options in begun:
        deck.write_text(f"{head}RRRRRR = 20\nBBBBBB = 10\n", "utf-8")
        given = [word for it in options for word in ("--option", it)]
        kept = ("play", game, "--record", record)
        assert hexboard(*kept, *given, input=f"{move}\nquit\n").returncode == 0
        first = hexboard(*kept, *given, input="position\nquit\n").stdout
        deck.write_text("gone", "utf-8")  # the game has kept what stood in it
        again = hexboard(*kept, input="position\nquit\n")
        assert (again.returncode, again.stderr) == (0, "")
        assert again.stdout == first
        record.unlink()


@pytest.mark.long
def test_in_a_terminal_the_dice_are_thrown_unless_a_kept_game_has_its_own(tmp_path: Path) -> None:
    """Nobody at a keyboard has the other's die in hand."""
    dealt, own = tmp_path / "dealt.json", tmp_path / "own.json"
    first = hexboard(
        "play", "bad-santa-hex", "--seed", 1, "--record", dealt, input="c3\nh8\nquit\n"
    )
    assert "The die shows" in first.stdout
    assert json.loads(dealt.read_text())["options"] == {"die": "dealt"}
    begun = ("play", "bad-santa-hex", "--record", own)
    assert hexboard(*begun, "--option", "die=physical", input="c3\nh8\nquit\n").returncode == 0
    again = hexboard(*begun, input="die 3\nquit\n")  # it asks for the die, as it was begun
    assert (again.returncode, again.stderr) == (0, "")
    assert "“die 3”" not in again.stdout


def test_what_is_typed_wrong_is_refused_with_its_rule_and_the_game_goes_on() -> None:
    done = hexboard("play", "hexalma", input="zzz\nb1-b6\nb1-c1\n")
    assert done.returncode == 0
    assert "ALMA-" in done.stdout
    assert "White: move" in done.stdout


def test_the_referee_on_a_pipe() -> None:
    lines = ['{"do":"act","action":"b1-c1"}', "nonsense", '{"do":"act","action":"b1-c1"}']
    done = hexboard("referee", "hexalma", input="\n".join(lines) + "\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, False]
    assert answers[2]["rule"].startswith("ALMA-")
    assert done.returncode == 0


def test_a_referee_speaks_as_its_contract_says() -> None:
    page = (DOCS / "referee.md").read_text("utf-8").replace("0.1.0", hexboard_version)
    asked, wanted = (re.findall(f"^{sign} (.*)$", page, re.MULTILINE) for sign in "><")
    done = hexboard("referee", "hexalma", "--option", "repetition=off", input="\n".join(asked))
    assert len(asked) > 3
    assert done.stdout.splitlines() == wanted


def test_a_move_in_full_says_whose_it_is_where_it_is_touched_and_its_words() -> None:
    def full(game: str, *options: str) -> dict[str, dict[str, object]]:
        given = [it for option in options for it in ("--option", option)]
        done = hexboard("referee", game, *given, input='{"do":"legal","full":true}')
        return {it["name"]: it for it in json.loads(done.stdout)["legal"]}

    assert full("hexalma")["b1-c1"] == {
        "name": "b1-c1", "seat": 0, "places": ["b1", "c1"], "text": "", "group": "",
    }  # fmt: skip
    companions = full("knee-deep", "starter=gondwana")["companions general tech"]
    assert (companions["seat"], companions["places"]) == (0, [])
    brings = "4 material and 2 energy each turn, 4 health for the HQ"
    assert companions["text"] == f"general and tech: {brings}"
    assert companions["group"] == "Two companions"
    assert full("hextraction")["roll B1-6"]["places"] == []  # balls are rolled, not touched


@pytest.mark.parametrize(
    ("line", "key", "own"),
    [
        (b'{"do": "state", "id": [1]}', "referee.id", None),
        (b'{"do": "state", "id": true}', "referee.id", None),
        (b'{"do": "subscribe", "to": [{"do": "state", "id": [1]}]}', "referee.id", None),
        (b'{"do": "legal", "seat": 5}', "referee.no_such_seat", None),
        (b'{"do": "view", "seat": 2}', "referee.no_such_seat", None),
        (b'{"do": "view", "seat": true}', "referee.no_such_seat", None),
        (b'{"do": "legal", "seat": "1"}', "referee.no_such_seat", None),
        (b'{"do": "view"}', "referee.unknown", None),
        (b'{"do": "state", "id": NaN}', "referee.json", None),
        (b'{"do": "state", "id": 1e999}', "referee.id", None),
        (b'{"do": "state", "id": ' + 5000 * b"9" + b"}", "referee.json", None),
        (b'{"do": "legal", "full": "yes", "id": ""}', "", ""),
        (b"[[]]", "referee.object", None),
        (b"7", "referee.object", None),
        (b'{"do": "subscribe"}', "referee.unknown", None),
        (b'{"do": "subscribe", "to": [{"do": "undo"}]}', "referee.unasked", None),
        (b'{"do": "subscribe", "to": [{"do": "view", "seat": 9}]}', "referee.no_such_seat", None),
        (b'{"do": "subscribe", "to": [' + b"{}," * 16 + b"{}]}", "referee.subscribed", None),
        (b"[" * 50_000, "referee.json", None),
    ],
)
def test_a_request_that_is_none_is_answered_in_words(line: bytes, key: str, own: object) -> None:
    game = registry.find("hexalma")
    answer = json.loads(Referee(game, plain(game.board({})), {}).line(line))
    answer = answer[0] if isinstance(answer, list) else answer
    assert (answer.get("key", ""), answer.get("id")) == (key, own)
    assert answer["ok"] or answer["reason"]


def test_a_request_that_is_nested_so_deep_that_it_is_just_read_is_answered_too() -> None:
    game = registry.find("hexalma")
    referee, keys = Referee(game, plain(game.board({})), {}), set()
    for deep in range(800, 1100):
        nested = b"[" * deep + b"]" * deep
        for line in (
            b'{"do": ' + nested + b"}",
            b'{"do": "view", "seat": ' + nested + b"}",
            b'{"do": "subscribe", "to": [' + nested + b"]}",
        ):
            answer = json.loads(referee.line(line))
            keys.add((answer["ok"], answer["key"]))
    asked = "referee.unknown", "referee.no_such_seat", "referee.unasked", "referee.json"
    assert keys == {(False, key) for key in asked}


HELLO = '{"do": "hello"}\n'


def test_a_switch_is_said_in_a_word_or_as_json_and_hello_says_what_it_may_be() -> None:
    def swap(*words: str) -> Any:
        asked = invoke("referee", "bad-santa-hex", *words, input=HELLO)
        return asked.output if asked.exit_code else json.loads(asked.output)["options"]["swap"]

    on = {"is": True, "default": False, "choices": [False, True]}
    assert swap("--option", "swap=yes") == swap("--options", '{"swap": true}') == on
    assert swap("--options", '{"swap": "yes"}') == on
    for words in (("--option", "swap=maybe"), ("--options", '{"swap": 1}')):
        assert "it may be: no, yes." in swap(*words)
    for text in ("[1]", "NaN"):
        assert "After --options comes one JSON object" in swap("--options", text)


def test_what_was_subscribed_to_follows_each_change_and_nothing_else() -> None:
    position, none = {"do": "position"}, {"do": "subscribe", "to": []}
    asked: list[object] = [
        {"do": "subscribe", "to": [position, {"do": "legal", "seat": 0, "id": "mine"}]},
        {"do": "act", "action": "b1-c1"},
        {"do": "act", "action": "b1-c1"},  # refused
        {"do": "state"},
        [{"do": "undo"}, {"do": "act", "action": "b1-c1"}, position],  # one line for all of it
        {"do": "subscribe", "to": [{"do": "load"}]},  # refused: what was asked for stays
        {"do": "undo"},
        none,
        {"do": "act", "action": "b1-c1"},
    ]
    done = hexboard("referee", "hexalma", input="".join(f"{json.dumps(it)}\n" for it in asked))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    news = [it["change"] for it in answers if "change" in it and "ok" not in it]
    assert news == [1, 3, 4]
    assert len(answers) == len(asked) + len(news)
    assert answers[2]["answers"][0]["position"] == answers[5][2]["position"]
    assert answers[2]["answers"][1]["id"] == "mine"
    assert answers[0]["answers"] == answers[9]["answers"]  # all taken back


def test_news_come_while_the_pipe_is_open_and_as_a_seat_may_know_them() -> None:
    acts = ["companions general tech"] * 2 + ["drawn sling"] * 2 + ["drawn war_bots"]
    words = [*HEXBOARD, "referee", "knee-deep", "--option", "starter=gondwana"]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "bufsize": 0}
    with subprocess.Popen(words, **pipes) as referee:
        into, out = referee.stdin, referee.stdout
        assert into is not None
        assert out is not None

        def ask(**asked: object) -> Any:
            into.write(json.dumps(asked).encode() + b"\n")
            return json.loads(out.readline())

        ask(do="subscribe", to=[{"do": "view", "seat": 1}, {"do": "legal", "seat": 1}])
        for change, act in enumerate([*acts, "drawn barrier", "drawn barrier"], 1):
            assert ask(do="act", action=act)["ok"]
            news = json.loads(out.readline())  # before anything else is asked
            assert news["change"] == change
        referee.kill()
    view, legal = news["answers"]
    assert "hands=?+?+?;barrier+barrier " in view["position"]
    assert "barrier" not in str(legal)  # it holds both


@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "en_GB.ISO-8859-1"])
def test_a_referee_answers_every_line_whatever_bytes_it_is_of(locale: str) -> None:
    """Each was the end of it, and of the answer to the good line before."""
    good = b'{"do":"act","action":"%s"}'
    lines = [
        good % b"b1-c1",
        b'{"do":"act","action":"\\ud800"}',
        b'{"do":"act","action":"\xff\xfe"}',
        b"x" * 1_000_000,
        "{“do”}".encode(),
        b"",
        b" \r",
        b'{"do":"state"}',
    ]
    done = subprocess.run(
        [*HEXBOARD, "referee", "hexalma"],
        input=b"\n".join(lines),
        env={**os.environ, "LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        capture_output=True,
        timeout=PATIENCE,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
    assert [answer["ok"] for answer in answers] == [True, *6 * [False], True]
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (["hexalma", "2"], 2_500),  # digest 2.4
        (["hexalma", "3"], 108_700),
        (["hexalma", "2", "--distinct"], 2_500),
    ],
)
def test_perft_prints_one_number(arguments: list[str], count: int) -> None:
    done = hexboard("perft", *arguments)
    assert done.stdout == f"{count}\n"


@pytest.mark.long
def test_a_game_of_bad_santa_hex_is_exported_as_sgf(tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    typed = "c3\na1\nundo\nh8\ndie 3\n"
    own = ("--option", "die=physical")
    played = hexboard("play", "bad-santa-hex", *own, "--record", record, input=typed)
    assert played.returncode == 0, played.stderr
    told = hexboard("export", record)
    assert told.stdout.splitlines()[1:] == [";B[c3]", ";W[h8]C[1. B 12:c3 34:h8 d3 -> h8=W])"]
    names = ("--name", "Ann", "--name", "Jürgen, B")
    named = ("play", "bad-santa-hex", *own, *names, "--record", tmp_path / "named.json")
    hexboard(*named, input=typed)
    (tmp_path / "named.sgf").write_text(hexboard("export", tmp_path / "named.json").stdout, "utf-8")
    assert "PB[Ann]PW[Jürgen, B]RU[" in (tmp_path / "named.sgf").read_text("utf-8")
    hexboard("read", "bad-santa-hex", tmp_path / "named.sgf", "-o", tmp_path / "again.json")
    assert json.loads((tmp_path / "again.json").read_bytes())["names"] == ["Ann", "Jürgen, B"]
    held = ("--option", "hands=held", "--record", tmp_path / "hexel.json")
    hexboard("play", "hexel", *held, input="place -1,0 RBRBRB\n")
    other = hexboard("export", tmp_path / "hexel.json")
    assert other.returncode == 1
    assert "hexel has no format" in other.stderr
    record.write_text("{", "utf-8")
    assert "damaged" in hexboard("export", record).stderr
    refused = hexboard("export", tmp_path / "none").stderr
    assert refused == f"There is no file {tmp_path / 'none'}.\n"


def test_rolling_balls_are_not_played_in_a_terminal() -> None:
    done = hexboard("play", "hextraction")
    assert done.returncode == 1
    assert "hexboard run --simulate --game hextraction" in done.stderr


@pytest.mark.long
def test_help_of_every_game_is_rules_or_a_sentence() -> None:
    for line in hexboard("help").stdout.split("\n\n")[0].splitlines():
        game = line.split()[0]
        done = hexboard("help", game)
        assert done.stdout.startswith("# ") or "no rules text" in done.stderr


def test_a_deck_of_hexel_is_checked(tmp_path: Path) -> None:
    deck = tmp_path / "mine.toml"
    head = 'schema = "hexboard/deck-1"\nname = "Mine"\nsize = 46\n[cards]\n'
    deck.write_text(head + "RRRRRR = 45\n", "utf-8")
    bad = hexboard("check", deck)
    assert bad.returncode == 1
    assert f"{deck}:3: size: the deck says 46 cards, but 45 are listed" in bad.stderr
    deck.write_text(head + "RRRRRR = 46\n", "utf-8")
    assert "a good deck file" in hexboard("check", deck).stdout


def test_a_hand_is_shown_in_the_terminal_to_who_has_come_for_it_alone(tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    typed = (
        "\ncompanions general tech\n\ncompanions commander trickster\n\nmoves\nkeep\n\nposition\n"
    )
    done = hexboard(
        *("play", "knee-deep", "--seed", "2", "--option", "starter=gondwana", "--record", record),
        input=typed,
    )
    assert done.returncode == 0, done.stderr
    parts = done.stdout.split("Hand the keyboard to ")
    assert [part.split(",")[0] for part in parts[1:]] == ["Gondwana", "Bukseon"] * 2
    entries = json.loads(record.read_text("utf-8"))["entries"]
    ids = [entry["action"].split(" ")[1] for entry in entries if "drawn" in entry["action"]]
    assert len(ids) == 6
    drawn = [f"{card.replace('_', ' ')}: " for card in ids]
    hands = [set(drawn[:3]), set(drawn[3:])]
    for seat, part in enumerate(parts[3:]):
        assert all(title in part.lower() for title in hands[seat])
        assert not [title for title in hands[1 - seat] - hands[seat] if title in part.lower()]
    assert "hands=?+?+?;" in parts[4]
    assert record.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(("name", "before"), [("hexel", 6), ("two-hands", 0)])
def test_who_looks_is_told_the_moves_of_the_own_hand_alone(
    name: str,
    before: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if name == "hexel":
        game, options = registry.find(name), {"hands": "dealt"}
    else:
        write_game(name, "cards", tmp_path)
        monkeypatch.syspath_prepend(str(tmp_path))
        game, options = importlib.import_module("two_hands").GAME, {}
    session = TerminalGame(game, plain(game.board(options)), options, 3, None)
    for _ in range(before):
        session.take(session.match.position.name(next(iter(session.match.position.legal))))
    session.open()
    capsys.readouterr()
    session.take("moves")
    listed, _, _ = capsys.readouterr().out.partition("Beside the moves")
    position = session.match.position
    assert re.split("  |\n", listed.strip()) == [position.name(it) for it in position.legal]


def test_the_referee_on_a_pipe_says_what_a_seat_may_know() -> None:
    acts = ["companions general tech", "companions general tech"]
    acts += ["drawn sling"] * 2 + ["drawn war_bots"] + ["drawn barrier"] * 3
    lines = [{"do": "act", "action": name} for name in acts]
    asked = [{"do": "view", "seat": 1}, {"do": "legal", "seat": 1}, {"do": "legal", "seat": 7}]
    text = "\n".join(json.dumps(line) for line in [*lines[:7], *asked])
    done = hexboard("referee", "knee-deep", "--option", "starter=gondwana", input=text)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True] * 9 + [False]
    view, legal = answers[7:9]
    assert "hands=?+?+?;barrier+barrier " in view["position"]
    assert "drawn sling" in legal["legal"]
    assert "barrier" not in str(legal)  # it holds both


def test_what_seats_may_do_beside_their_moves_is_named_too() -> None:
    acts = ["resign black", "resign white", "draw black", "draw white"]
    done = hexboard("referee", "hexalma", input='{"do":"legal"}\n{"do":"legal","full":true}')
    by_name, in_full = map(json.loads, done.stdout.splitlines())
    assert by_name["acts"] == acts
    assert not {*acts} & {*by_name["legal"]}
    assert {(it["name"], it["seat"]) for it in in_full["acts"]} >= {("resign white", 1)}
    played = hexboard("play", "hexalma", input="moves\nquit\n").stdout
    assert f"Beside the moves: {', '.join(acts)}." in " ".join(played.split())


def test_what_a_game_prints_is_no_answer_of_the_referee(tmp_path: Path) -> None:
    keep(tmp_path, "loud", f"print('I am here')\n{one_file('loud')}")
    done = hexboard("--home", tmp_path, "referee", "loud", input='{"do":"hello"}\n')
    assert [json.loads(line)["game"] for line in done.stdout.splitlines()] == ["loud"], done.stderr
    assert "I am here" in done.stderr

"""The theatre: what a recording is as one page, what it hides, and what is said of a bad one."""

import base64
import json
import re
import zlib
from itertools import accumulate
from pathlib import Path
from socket import create_connection
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hexboard.commands.calibrate.compare import parted
from hexboard.commands.recordings import export
from hexboard.daemon.theatre import PageServer, page_of
from hexboard.demo.recorded import recorded
from hexboard.devices.dealer import Dealer
from hexboard.facts import (
    MS,
    Body,
    Decide,
    Declare,
    Edge,
    Fact,
    Reading,
    Ruling,
    Seal,
    Start,
    encode_fact,
)
from hexboard.game.shuffle import commitment
from hexboard.games import hexalma, hexel
from hexboard.record.compare import evening
from hexboard.record.replay import Replay
from hexboard.record.schemas import schemas
from hexboard.record.sealed import SecretRecorder, open_match
from hexboard.record.trace import KINDS, facts, trace, window
from hexboard.record.transcript import Told, Transcript
from hexboard.table.effects import Effect
from hexboard.web.differences import difference, put_back
from hexboard.words import say
from hexboard.words.errors import BadRecording, BadText
from tests.running import PATIENCE
from tests.test_camera_table import BOARD, sure
from tests.test_camera_table import START as HEXALMA
from tests.test_secrets import FLOWERS, HEXEL, KNEE_DEEP, TABLE, Desk

GOLDEN = Path(__file__).parents[2] / "docs" / "golden"
WORDS = st.text("ab0", max_size=2)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=12,
)


def played(recording: Path) -> str:
    """The page that plays a recording."""
    replay = Replay(recording)
    return page_of(replay, replay)[0]


def data(page: str) -> dict[str, Any]:
    """What a page carries."""
    found = re.search(r'<script type="text/plain" id="evening">([^<]+)<', page)
    assert found
    return in_rows(json.loads(zlib.decompress(base64.b64decode(found[1]))))


def in_rows(carried: dict[str, Any]) -> dict[str, Any]:
    """What is carried in columns, as rows (docs/contracts.md, "Theatre")."""
    ms, facts, changed = carried["moments"]
    times, sensors, levels = carried["signs"]
    moments = zip(accumulate(ms), accumulate(facts), changed, strict=True)
    signs = zip(accumulate(times), sensors, levels, strict=True)
    other = carried.get("other")
    return carried | {
        "moments": [*map(list, moments)],
        "signs": [*map(list, signs)],
        "other": other and in_rows(other),
    }


def states(carried: dict[str, Any]) -> list[dict[str, Any]]:
    """The state of each moment, put together in order."""
    found: list[dict[str, Any]] = [{}]
    for _, _, changed in carried["moments"]:
        found.append(put_back(found[-1], changed))
    return found[1:]


@pytest.fixture(scope="module")
def page() -> str:
    """The golden evening's."""
    return played(GOLDEN / "evening.mcap")


@pytest.fixture(scope="module")
def golden(page: str) -> dict[str, Any]:
    return data(page)


@settings(max_examples=60)
@given(before=JSON, after=JSON)
def test_a_difference_makes_the_next_state_of_the_one_before(before: Any, after: Any) -> None:
    assert put_back(before, json.loads(json.dumps(difference(before, after)))) == after


def test_a_small_change_is_a_small_difference() -> None:
    before = {"slots": {"A1": {"tile": "S"}, "B1": {"tile": "J"}}, "lit": [0] * 100, "at": "A1"}
    after = {**before, "slots": {"A1": {"tile": "S"}}, "lit": [0] * 50 + [7] + [0] * 49}
    assert difference(before, after) == {"slots": {"B1": None}, "lit": {"50": 7}}


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ([30, 20, 10], [50, 40, 30, 20, 10], {"front": [50, 40]}),
        ([4, 3, 2, 1, 0], [5, 4, 3, 2, 1], {"front": [5], "length": 5}),
        (
            ["b?", "a", "x", "y", "z"],
            ["c", "b", "a", "x", "y"],
            {"front": ["c"], "1": "b", "length": 5},
        ),
        ([1, 2, 3, 4, 5, 6], [3, 4, 5, 6, 7], {"gone": 2, "length": 5, "4": 7}),
    ],
    ids=["new in front", "a log that is full", "whose newest changed", "the oldest are gone"],
)
def test_a_list_that_moved_on_is_told_by_what_is_new(
    before: list[Any], after: list[Any], changed: Any
) -> None:
    def long(of: Any) -> Any:
        """Of lines as long as a log's, so that places are less than lines."""
        return [f"{it} and more of it" for it in of]

    told = {key: long([it])[0] if key.isdigit() else it for key, it in changed.items()}
    if "front" in told:
        told["front"] = long(told["front"])
    assert difference(long(before), long(after)) == told


@pytest.mark.long
def test_the_theatre_tells_every_ruling_of_the_evening_and_when(golden: dict[str, Any]) -> None:
    facts = [n for _, n, _ in golden["moments"]]
    ours = [
        f"{facts[moment]:5}  {text}{rule and f'  [{rule}]'}"
        for moment, _, text, rule, _ in golden["told"]
    ]
    assert ours == (GOLDEN / "evening.txt").read_text("utf-8").splitlines()
    assert [kind for _, kind, _, _, _ in golden["told"]].count("question") == 2


@pytest.mark.long
def test_the_last_moment_shows_what_the_table_ended_with(golden: dict[str, Any]) -> None:
    replay = Replay(GOLDEN / "evening.mcap")
    for _ in replay:
        pass
    view: Any = replay.view
    last = states(golden)[-1]
    assert {slot: it["tile"] for slot, it in last["own"]["slots"].items()} == {
        slot: placed.tile for slot, placed in view.position.tiles.items()
    }
    assert set(last["active_sensors"]) == view.high
    assert len(last["pixels"]) == len(replay.board.pixels)
    assert golden["moments"][-1][1] <= 314


def test_a_roll_brings_its_edges_and_the_readings_that_were_weighed(golden: dict[str, Any]) -> None:
    sensors = {sensor["id"] for sensor in golden["board"]["sensors"]}
    assert len(golden["signs"]) > 100
    assert {sensor for _, sensor, _ in golden["signs"]} <= sensors
    weighed = [why for *_, why in golden["told"] if why]
    assert weighed
    assert all(sum(ppm for _, ppm, _ in why) <= 1_000_100 for why in weighed)
    assert any(who == "ruled" for why in weighed for who, _, _ in why)


def test_the_page_has_all_five_that_a_trace_of_the_evening_tells(golden: dict[str, Any]) -> None:
    replay = Replay(GOLDEN / "evening.mcap")
    cut = window(replay.recording, "", 1)
    edges = {fact.n for fact in facts(replay.recording) if isinstance(fact.body, Edge)}
    traced: dict[str, list[Any]] = {kind: [] for kind in KINDS}
    for line in trace(replay, cut):
        if line.kind == "raw" and line.n in edges:  # not what a snapshot told
            at_ms = (line.at - cut.zero) // MS
            traced["raw"].append([at_ms, line.who, int(line.value)])
        elif line.kind == "weighed":
            traced["weighed"].append((line.n, line.who, line.odds_ppm, line.value))
        elif line.kind != "raw":
            traced[line.kind].append((line.n, line.who, line.value))
    assert min(map(len, traced.values())) > 20
    assert golden["signs"] == traced["raw"]
    shown, ns = states(golden), [n for _, n, _ in golden["moments"]]
    active, rolling = list[Any](), list[Any]()
    for n, was, now in zip(ns[1:], shown, shown[1:], strict=False):
        was_high, high = was["active_sensors"], now["active_sensors"]
        active += [(n, s, str(int(s in high))) for s in sorted(was_high.keys() ^ high.keys())]
        for name in sorted(was["tracks"].keys() | now["tracks"].keys()):
            place = now["tracks"].get(name, "")
            if place != was["tracks"].get(name, ""):
                rolling.append((n, name.removeprefix("ball "), place))
    assert active == traced["believed"]
    assert sorted(rolling) == sorted(traced["ball"])
    assert [(ns[k], rule, text) for k, _, text, rule, _ in golden["told"]] == traced["ruling"]
    assert [(ns[k], *one) for k, *_, why in golden["told"] for one in why] == traced["weighed"]


def test_the_page_is_whole_every_import_is_in_it_and_nothing_is_asked_of_a_network(
    page: str,
) -> None:
    found = re.search(r'<script type="importmap">(.*?)</script>', page)
    assert found
    modules = json.loads(found[1])["imports"]
    texts = [base64.b64decode(it.partition(",")[2]).decode() for it in modules.values()]
    wanted = {name for text in texts for name in re.findall(r'from "([^"]+)"', text)}
    assert wanted <= modules.keys()
    assert "hexboard/games/hextraction/widgets.js" in modules
    assert "default-src 'none'" in page
    assert not re.findall(r'(?:src|href)="(?!data:|#)', page)


@pytest.mark.long
def test_an_evening_without_a_sensor_stands_beside_what_was_with_each_place_where_they_part() -> (
    None
):
    """Fact 89 was ruled by that sensor: in the first roll a ball came to rest at it."""
    recording, sensor = GOLDEN / "evening.mcap", "edge:B1-B2"
    replay = Replay(recording)
    other = Replay(recording, without=(sensor,))
    carried = data(page_of(replay, replay, other=("without it", other))[0])
    beside = carried["other"]
    assert beside["label"] == "without it"
    assert {sensor} <= {name for _, name, _ in carried["signs"]}
    first = beside["changes"][0]
    assert first[1][0] == "Ball 1 came to rest at B1-B2."
    assert not any("B1-B2" in text for text in [it[2] for it in beside["told"]])
    told = [text for _, kind, text, *_ in beside["told"] if kind == "ruling"]
    assert [text for _, _, texts in beside["changes"] for text in texts if text not in told] == []
    with pytest.raises(BadText, match="has no sensor"):
        Replay(recording, without=("edge:nowhere",))


class Crashing(Replay):
    """A replay whose table crashes at fact 9."""

    def _step(self, fact: Fact) -> tuple[Told, ...]:
        if fact.n == 9:
            raise ZeroDivisionError("a mistake of ours")
        return super()._step(fact)


def test_of_another_evening_that_crashed_the_page_and_the_comparison_say_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    recording = GOLDEN / "evening.mcap"
    replay, other = (Replay(recording, 20), Crashing(recording, 20))
    page = page_of(replay, replay, other=("with another option", other))
    (notice,) = data(page.text)["notices"]
    assert notice.startswith("with another option: ")
    assert "after fact 8 (ZeroDivisionError: a mistake of ours)" in notice
    evenings = evening(Replay(recording, 8)), evening(Crashing(recording, 20))
    with pytest.raises(SystemExit) as ended:
        parted(*evenings, ("as it was", "with another option"), as_json=False)
    assert ended.value.code == 2
    assert "after fact 8" in capsys.readouterr().err


class SameShuffle(Dealer):
    """A dealer whose shuffle is always the same: one in which no line is shuffled back, whose
    cards everybody saw."""

    def seal(self, deck: str) -> Seal:
        seed, salt = "5eed" * 8, "5a17" * 8
        return Seal(commitment(seed, salt, deck), deck, seed, salt, piles=True)


class Kept(Desk):
    """A table whose cards were dealt, and every fact that it was fed, whole."""

    def feed(self, body: Body, source: str = "page 1/0") -> list[Effect]:
        effects = super().feed(body, source)
        self.facts = [*getattr(self, "facts", []), replace(self.heard[-1], body=body)]
        return effects


def dealt(folder: Path) -> tuple[Path, Kept]:
    """The recording of a game of Hex'el whose cards were dealt, sealed as the daemon keeps it."""
    desk = Kept(HEXEL)
    desk.dealer = SameShuffle()
    desk.deal()
    while not desk.table.view().hand(0):
        desk.say(min(map(desk.position.name, desk.position.legal)))
    return sealed(desk, folder), desk


def sealed(desk: Kept, folder: Path) -> Path:
    """The recording of what a table was fed, sealed as the daemon keeps it."""
    begin = desk.facts[0].body
    assert isinstance(begin, Start)
    board = TABLE if begin.board == TABLE.name else FLOWERS
    transcript = Transcript(board, begin)
    with recorded(board, folder, "m") as (path, keep):
        hidden = SecretRecorder(path, schemas(), {}, lambda why: pytest.fail(str(why)))
        for fact in desk.facts:
            heard = transcript.heard(fact)
            _, told = transcript.step(fact)
            keep(heard, told)
            if heard is not fact:
                hidden.put(fact.t, encode_fact(fact), fact.at)
        hidden.close()
    return path


def test_hidden_cards_are_in_no_page_until_their_seal_is_opened(tmp_path: Path) -> None:
    path, desk = dealt(tmp_path)
    assert desk.position.private
    seal = next(fact.body for fact in desk.facts if isinstance(fact.body, Seal))
    hands = [[say(card) for card in desk.table.view().hand(side)] for side in (0, 1)]
    assert all(hands)
    carried = data(played(path))
    assert states(carried)[-1]["hands"] == {}
    carried["board"].pop("rules")  # which name cards as examples
    secrets = [seal.seed, seal.salt, *(card for hand in hands for card in hand)]
    assert [text for text in secrets if text in json.dumps(carried, ensure_ascii=False)] == []
    open_match(path.parent, "m")
    opened = states(data(played(path)))[-1]
    assert opened["hands"] == {str(side): hand for side, hand in enumerate(hands)}
    path.with_suffix(".secrets").unlink()
    with pytest.raises(BadRecording):
        played(path)


def test_a_move_that_is_taken_back_by_leave_of_who_has_seen_a_card_is_told_as_taken_back(
    tmp_path: Path,
) -> None:
    desk = Kept(replace(KNEE_DEEP, options={**KNEE_DEEP.options, "takeback": "agreed"}))
    desk.say("companions general tech", "companions commander trickster")
    desk.feed(Ruling("undo", "Ann", seats=(0,)))
    desk.feed(Decide(desk.table.asking.id, "yes", (1,), "Ben"))
    told = data(played(sealed(desk, tmp_path)))["told"]
    assert [kind for _, kind, text, *_ in told if "has seen a card" in text][-1] == "back"


PICTURE = b"what is no picture, for nobody looks at it here"


def watched(folder: Path) -> tuple[Path, int]:
    """A recording of two looks of a camera, the second in doubt about c3 and d4; when that was."""
    seen = bytes(hexalma.start(BOARD, {}).seen())
    looks = sure(seen), sure(seen, c3={0: 0, 1: 100}, d4={}), Reading()
    transcript = Transcript(BOARD, HEXALMA)
    bodies: tuple[Body, ...] = (HEXALMA, *looks)
    with recorded(BOARD, folder, "m") as (path, keep):
        for n, body in enumerate(bodies, 1):
            fact = Fact(n, n * 1000 * MS, n * 1000 * MS, "camera", body)
            keep(fact, transcript.step(fact)[1])
    return path, 3000 * MS


def timed(folder: Path, names: tuple[str, ...] = ()) -> Path:
    """A recording of HexAlma with three minutes a seat: Black moves after 10 s, White 20 s later;
    40 s after that a pause of 100 s begins, and 5 s after it Black moves."""
    begin = replace(HEXALMA, options={"clock": "3"}, names=names)
    transcript = Transcript(BOARD, begin)
    said: dict[int, Body] = {
        1: begin,
        10: Declare(0, "b3-c3"),
        30: Declare(1, "i1-h1"),
        70: Ruling("pause", "Ann"),
        170: Ruling("go on", "Ann"),
        175: Declare(0, "b4-c4"),
    }
    with recorded(BOARD, folder, "m") as (path, keep):
        for n, (second, body) in enumerate(said.items(), 1):
            fact = Fact(n, second * 1000 * MS, second * 1000 * MS, "page", body)
            keep(fact, transcript.step(fact)[1])
    return path


def test_a_page_with_names_is_said_to_have_them(tmp_path: Path) -> None:
    """Somebody sends it to a friend."""
    for names in ((), ("Ann", "Ben")):
        path = timed(tmp_path / str(len(names)), names)
        done = CliRunner().invoke(export, ["--page", str(path)])
        assert done.exit_code == 0
        carried = data(path.with_suffix(".html").read_text("utf-8"))  # beside it
        moves = [text for _, kind, text, *_ in carried["told"] if kind == "ruling"]
        for name in ("Ann", "Ben"):
            assert any(name in text for text in moves) == (name in names)
            assert (name in done.stdout.replace(str(path), "")) == (name in names)


def test_clocks_and_pauses_are_as_they_were(tmp_path: Path) -> None:
    """Time runs from the first move on, ms from the recording's begin (1 s) to when it runs out:
    White's at 10 + 180 s, Black's from 30 s on; in the pause Black has used 40 s."""
    carried = data(played(timed(tmp_path)))
    shown = [(it["paused"], it["clock"]["running"], it["clock"]["left"]) for it in states(carried)]
    minutes, black, white = 180_000, 140_000, 160_000
    assert shown == [
        (False, -1, [minutes, minutes]),
        (False, 1, [minutes, 189_000]),
        (False, 0, [209_000, white]),
        (True, -1, [black, white]),
        (False, 0, [309_000, white]),
        (False, 1, [135_000, 334_000]),
    ]
    kinds = [kind for _, kind, *_ in carried["told"]]
    assert [kind for kind in kinds if kind != "ruling"] == ["pause", "on"]


def test_what_a_camera_thought_of_a_cell_is_told_with_its_picture(tmp_path: Path) -> None:
    """Odds of 1 to e: what costs one nat more."""
    path, at = watched(tmp_path)
    replay = Replay(path)
    seen = data(page_of(replay, replay, pictures={at: PICTURE})[0])["seen"]
    doubts = [["c3", [["", 731059], ["B", 268941]]], ["d4", []]]
    told = base64.b64encode(PICTURE).decode()
    assert seen == [[1000, [], 61, ""], [2000, doubts, 61, told], [3000, [], 0, ""]]


def test_pictures_for_which_there_is_no_room_are_left_out(tmp_path: Path) -> None:
    path, at = watched(tmp_path)
    replay, large = Replay(path), bytes(700_000)
    page = page_of(replay, replay, pictures={at - 1000 * MS: large, at: large})
    assert [bool(picture) for *_, picture in data(page.text)["seen"]] == [True, False, False]


def test_a_recording_by_other_rules_is_refused_naming_both(tmp_path: Path) -> None:
    start = replace(HEXEL, rules="hexel-of-1999")
    with recorded(TABLE, tmp_path, "m") as (path, keep):
        keep(Fact(1, 0, 0, "table", start), [])
    with pytest.raises(BadRecording, match="hexel-of-1999") as refused:
        played(path)
    assert hexel.rules() in str(refused.value)


def test_an_empty_file_and_one_without_a_match_are_told(tmp_path: Path) -> None:
    with recorded(TABLE, tmp_path, "m") as (path, _):
        pass
    with pytest.raises(BadRecording) as refused:
        played(path)
    assert refused.value.message.key == "recording.empty"
    empty = tmp_path / "empty.mcap"
    empty.write_bytes(b"")
    with pytest.raises(BadRecording, match="empty"):
        played(empty)


def test_a_torn_recording_plays_up_to_the_tear_and_says_so(tmp_path: Path) -> None:
    torn = tmp_path / "torn.mcap"
    torn.write_bytes((GOLDEN / "evening.mcap").read_bytes()[:44_000])
    out = tmp_path / "evening.html"
    done = CliRunner().invoke(export, [str(torn), "--page", "-o", str(out)])
    assert done.exit_code == 3
    carried = data(out.read_text("utf-8"))
    assert len(carried["moments"]) > 30
    assert [notice for notice in carried["notices"] if "damaged at byte" in notice]


def test_a_page_is_served_to_this_computer_and_to_no_other_name() -> None:
    with PageServer("<p>An evening</p>", 0) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        with create_connection(("127.0.0.1", server.server_port)):  # as a browser does, in advance
            assert urlopen(server.link, timeout=PATIENCE).read() == b"<p>An evening</p>"
        foreign = Request(server.link, headers={"Host": "evil.example"})
        for asked in (foreign, f"{server.link}etc/passwd"):
            with pytest.raises(HTTPError, match="404"):
                urlopen(asked)
        server.shutdown()
        thread.join()

"""A trace against the recording it is of: read from its lines alone, and by a foreign reader."""

import csv
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import vcdvcd

from hexboard.facts import clock
from hexboard.games.hextraction.tracking.outcome import Judged, RollOutcome, odds
from hexboard.record.recording import read
from hexboard.record.replay import Replay, lines, sentences
from hexboard.record.trace import TraceLine, Window, trace, window
from tests.cli import invoke

# It switches SIGPIPE back on as it is imported: whoever serves a page would be killed by a client
# that goes away, in every test of the same process.
signal.signal(signal.SIGPIPE, signal.SIG_IGN)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evening")
    played = invoke("run", "--simulate", "--fast", "--turns", 8, "--state", folder, "--seed", 5)
    assert played.exit_code == 0, played.stderr
    (path,) = (folder / "recordings").glob("*.mcap")
    return path


def facts(path: Path) -> list[dict[str, Any]]:
    return [values for _, topic, values in lines(read(path)) if topic == "fact"]


def edges(path: Path, cut: Window) -> Iterator[tuple[int, str, bool]]:
    """(ns, sensor, level) of the edges whose facts lie in a window."""
    for fact in facts(path):
        if fact["body"]["type"] == "edge" and cut.begin <= fact["t"] <= cut.end:
            yield fact["at"], fact["body"]["sensor"], fact["body"]["level"]


@pytest.fixture(scope="module")
def traced(evening: Path) -> tuple[Window, list[TraceLine]]:
    """Eight seconds around the second time that ball 1 came to rest, fell or left."""
    _, n, *_ = (
        values["n"]
        for _, topic, values in lines(read(evening))
        if topic == "event" and any(text.startswith("Ball 1 ") for text, _ in sentences(values))
    )
    replay = Replay(evening)
    cut = window(replay.recording, str(n), 8)
    return cut, list(trace(replay, cut))


def test_it_has_every_edge_and_every_ruling_of_its_window(
    evening: Path, traced: tuple[Window, list[TraceLine]]
) -> None:
    cut, found = traced
    raw = [(x.at, x.who, x.value == "1") for x in found if x.kind == "raw" and not x.before]
    assert raw == list(edges(evening, cut))
    assert len(raw) > 6
    ruled = [
        (text, rule)
        for t, topic, values in lines(read(evening))
        if topic == "event" and cut.begin <= t <= cut.end
        for text, rule in sentences(values)
    ]
    assert [(x.value, x.who) for x in found if x.kind == "ruling"] == ruled


def test_a_window_knows_the_fact_that_it_is_around(evening: Path) -> None:
    recording, every = read(evening), facts(evening)
    assert window(recording, "17", 4).fact == 17
    zero, at = every[0]["t"], every[40]["t"]
    after = window(recording, clock((at - zero) / 1e9 + 0.001), 4).fact  # told to the millisecond
    assert after in [fact["n"] for fact in every if at <= fact["t"] <= at + 2_000_000]


@pytest.mark.long
def test_a_time_that_log_shows_means_the_fact_that_it_is_shown_of() -> None:
    """Of several in one millisecond the last with a ruling, or the last."""
    path = Path(__file__).parents[2] / "docs" / "golden" / "evening.mcap"
    shown = [line.split("  ")[0] for line in invoke("log", path).stdout.splitlines()]
    told: dict[str, list[tuple[bool, int]]] = {}
    every, recording = facts(path), read(path)
    ruled = {
        values["n"]
        for _, topic, values in lines(recording)
        if topic == "event" and list(sentences(values))
    }
    for fact in every:
        at = clock((fact["t"] - every[0]["t"]) / 1e9)
        told.setdefault(at, []).append((fact["n"] in ruled, fact["n"]))
    assert told.keys() == {*shown}
    assert {at: window(recording, at, 4).fact for at in told} == {
        at: max(there)[1] for at, there in told.items()
    }


def test_how_things_stood_is_what_all_edges_before_led_to(
    evening: Path, traced: tuple[Window, list[TraceLine]]
) -> None:
    cut, found = traced
    levels: dict[str, bool] = {}
    for fact in facts(evening):
        if fact["t"] < cut.begin and fact["body"]["type"] == "edge":
            levels[fact["body"]["sensor"]] = fact["body"]["level"]
    stood = {x.who: x.value == "1" for x in found if x.kind == "raw" and x.before}
    assert stood.items() >= levels.items()


def test_what_was_believed_began_with_an_edge_and_where_a_ball_is_follows_its_lane(
    traced: tuple[Window, list[TraceLine]],
) -> None:
    _, found = traced
    raw = {(x.at, x.who, x.value) for x in found if x.kind == "raw"}
    believed = [x for x in found if x.kind == "believed" and not x.before]
    assert believed
    assert {(x.at, x.who, x.value) for x in believed} <= raw
    rolls = [x for x in found if " rolls ball 1 from lane " in x.value]
    assert rolls
    for roll in rolls:
        (place,) = (x.value for x in found if (x.n, x.kind, x.who) == (roll.n, "ball", "1"))
        assert f" from lane {place}." in roll.value


def test_the_readings_of_a_roll_have_odds_and_one_of_them_was_ruled(
    traced: tuple[Window, list[TraceLine]],
) -> None:
    weighed = [x for x in traced[1] if x.kind == "weighed"]
    last = [x for x in weighed if x.n == weighed[-1].n]
    shares = [x.odds_ppm or 0 for x in last]
    assert shares == sorted(shares, reverse=True)
    assert 990_000 < sum(shares) <= 1_000_000
    assert [x.who for x in last].count("ruled") == 1


def test_odds_are_those_of_the_weights() -> None:
    # 69 hundredths of a nat are odds of 1 to 0.5016: 666 of 1,000 and 334.
    readings = [Judged(cost, RollOutcome(False), 0, [], False) for cost in (100, 169, 9_000)]
    one, other, never = odds(readings)
    assert (round(one, -3), round(other, -3), never) == (666_000, 334_000, 0)
    assert odds([]) == []


def test_a_foreign_reader_finds_each_edge_in_the_waves_at_its_microsecond(
    evening: Path, traced: tuple[Window, list[TraceLine]], tmp_path: Path
) -> None:
    cut, found = traced
    file, middle = tmp_path / "roll.vcd", clock((cut.begin + cut.end) / 2e9 - cut.zero / 1e9)
    done = invoke("trace", evening, "--around", middle, "--span", 8, "--vcd", file)
    assert (done.exit_code, done.stdout) == (0, ""), done.stderr
    waves = vcdvcd.VCDVCD(str(file))
    assert str(waves.timescale["timescale"]) == "0.000001"
    spoke = {sensor for _, sensor, _ in edges(evening, cut)}
    begin = cut.begin // 1_000_000 * 1_000_000  # `clock` tells milliseconds
    for sensor in spoke:
        name = sensor.replace(":", "_").replace("-", "_")
        shown = [(t, value) for t, value in waves[f"raw.{name}"].tv if t > 0]
        for at, who, level in edges(evening, cut):
            if who == sensor and at > cut.begin:
                near = [t for t, value in shown if value == str(int(level))]
                assert min(abs(t - (at - begin) // 1000) for t in near) <= 1000, (sensor, at)
    balls = [name for name in waves.signals if name.startswith("ball.")]
    assert balls
    places = dict(
        line.removeprefix("$comment ball in ").removesuffix(" $end").split(": ")
        for line in file.read_text().splitlines()
        if line.startswith("$comment ball in")
    )
    moves = [x.value for x in found if x.kind == "ball" and x.who == "1" and x.value]
    seen = [
        places[str(int(v, 2))] for _, v in waves["ball.ball_1"].tv if "x" not in v and int(v, 2)
    ]
    assert seen == moves


def test_lines_csv_and_json_say_the_same_and_sensors_can_be_left_out(
    evening: Path, tmp_path: Path
) -> None:
    table = tmp_path / "all.csv"
    assert invoke("trace", evening, "--csv", table).exit_code == 0
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    told = [json.loads(line) for line in invoke("trace", evening, "--json").stdout.splitlines()]
    assert [(r["kind"], r["who"], r["value"]) for r in rows] == [
        (t["kind"], t["who"], t["value"]) for t in told
    ]
    assert [float(r["seconds"]) for r in rows] == [t["seconds"] for t in told]
    only = invoke("trace", evening, "--sensor", "gate:*", "--json").stdout.splitlines()
    spoke = {t["who"] for t in map(json.loads, only) if t["kind"] == "raw"}
    assert spoke == {r["who"] for r in rows if r["kind"] == "raw" and r["who"].startswith("gate:")}
    people = invoke("trace", evening, "--around", "0:01").stdout.splitlines()
    assert people[0].startswith("Before: active ")
    assert any("ruling    Red rolls ball 1" in line for line in people)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--around", "99999999"), "is not in this recording, which goes to fact"),
        (("--around", "9:59:59"), "is not in this recording"),
        (("--around", "soon"), "is no fact's number and no time such as 12:34.5"),
        (("--around", "1:2:3:4"), "is no fact's number"),
        (("--around", "0:inf"), "is no fact's number"),
        (("--sensor", "gate:Q9-1"), "has no sensor “gate:Q9-1”. Did you mean"),
        (("--span", "0"), "is not in the range"),
    ],
)
def test_what_cannot_be_traced_is_said(evening: Path, words: tuple[str, ...], why: str) -> None:
    done = invoke("trace", evening, *words)
    assert done.exit_code != 0
    assert why in done.stderr
    assert "Traceback" not in done.stderr

"""A calibration while people play: used, shown, learned on, and never in the way."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from hexboard.calibration.in_play import InPlay
from hexboard.calibration.result import Calibration, Measured, Other, load, merged, rollback, wiring
from hexboard.calibration.sensors import Finding
from hexboard.calibration.store import save
from hexboard.calibration.times import ENOUGH, Times, rises
from hexboard.facts import MS, Body, Edge, Lost, Presence, Report, Watermark, Witnessed
from hexboard.scene import Mark, Meaning
from hexboard.words import say
from hexboard.words.errors import BadFile
from tests.calibration.boards import board

BOARD = board()
DONE, DOUBTFUL, OTHER = "edge:a1-a2", "edge:b1-b2", "fall:c1"
TIMES = Times(3 * MS, MS // 2, 4 * MS, 30, 6 * MS, 0, True)


def calibration(**states: str) -> Calibration:
    """All places done but those named."""
    sensors = {
        s.id: Measured(s.source, s.input, "done", 1, TIMES if s.id == DONE else None)
        for s in BOARD.sensors
    }
    for sensor, state in states.items():
        sensors[sensor] = replace(sensors[sensor], state=state, times=TIMES)
    return Calibration(4, "flower", wiring(BOARD), "", sensors)


def begun(path: Path, kept: Calibration) -> InPlay:
    save(path, kept)
    return InPlay(BOARD, path, "hexboard calibrate")


def rolls(play: InPlay, sensor: str, width_ms: int, count: int = ENOUGH) -> None:
    """So many balls roll past a sensor, a second apart."""
    reports: list[tuple[int, Body]] = []
    for k in range(1, count + 1):
        at = k * 1000 * MS
        reports += [(at, Edge(sensor, True)), (at + width_ms * MS, Edge(sensor, False))]
    for at, body in [*reports, ((count + 2) * 1000 * MS, Watermark((count + 2) * 1000 * MS))]:
        play.hear(Report("pico", at, body))


def dirty(play: InPlay, sensor: str, count: int = ENOUGH) -> None:
    """So many balls at a contact that lets go for 2 ms under each: the times in use take every one
    for two."""
    for k in range(1, count + 1):
        for ms, level in ((0, True), (4, False), (6, True), (16 + k % 3, False)):
            play.hear(Report("pico", (k * 1000 + ms) * MS, Edge(sensor, level)))
    end = (count + 2) * 1000 * MS
    play.hear(Report("pico", end, Watermark(end)))


def test_a_board_without_a_file_is_played_on_as_it_is(tmp_path: Path) -> None:
    for play in (InPlay(BOARD, None), InPlay(BOARD, tmp_path / "none.json")):
        rolls(play, DONE, 12)
        assert play.board == BOARD
        assert play.notices == ()
        assert play.keep() is None
    assert list(tmp_path.iterdir()) == []


def test_measured_times_are_played_with_and_doubtful_places_keep_the_files(
    tmp_path: Path,
) -> None:
    play = begun(tmp_path / "f.json", calibration(**{DOUBTFUL: "unsure"}))
    assert play.board.sensor[DONE].min_high == 3 * MS
    assert play.board.sensor[DOUBTFUL] == BOARD.sensor[DOUBTFUL]
    assert play.board.sensor[OTHER] == BOARD.sensor[OTHER]


def test_doubtful_places_are_amber_unless_the_game_speaks_of_them(tmp_path: Path) -> None:
    play = begun(tmp_path / "f.json", calibration(**{DOUBTFUL: "unsure"}))
    (notice,) = play.notices
    assert dict(notice.values) == {
        "left": 1,
        "all": 19,
        "names": DOUBTFUL,
        "command": "hexboard calibrate",
    }
    amber = {mark.place for mark in play.scene(()) if mark.meaning is Meaning.UNSURE}
    assert {spot.partition("/")[0] for spot in amber} == {"b1", "b2"}
    assert len(amber) == 2
    tile, legal = Mark("b1", Meaning.TILE), Mark("b1", Meaning.LEGAL)
    assert len(play.scene((tile,))) == 3
    shown = play.scene((tile, legal))
    assert [mark.place.partition("/")[0] for mark in shown[2:]] == ["b2"]
    assert play.scene((Mark("*", Meaning.WIN),)) == (Mark("*", Meaning.WIN),)


def test_how_many_places_more_are_unfinished_is_said_in_each_language(tmp_path: Path) -> None:
    several = {s.id: "unsure" for s in BOARD.sensors[:6]}
    (notice,) = begun(tmp_path / "f.json", calibration(**several)).notices
    assert ", ".join([*several][:4]) + " and 2 more." in say(notice)
    assert ", ".join([*several][:4]) + " und 2 weitere." in say(notice, "de")


def test_a_board_that_only_recordings_taught_is_not_amber(tmp_path: Path) -> None:
    taught = calibration(**dict.fromkeys(BOARD.sensor, "open"))
    untaught = replace(taught.sensors["fall:a1"], times=None)
    taught = replace(taught, sensors=taught.sensors | {"fall:a1": untaught})
    play = begun(tmp_path / "f.json", taught)
    assert play.notices == ()
    assert play.scene(()) == ()
    assert play.board.sensor[OTHER].min_high == 3 * MS  # thirty balls rolled past it: it is proved


@pytest.mark.long
def test_rolls_of_an_evening_move_times_that_count_them_twice(
    tmp_path: Path,
) -> None:
    path = tmp_path / "f.json"
    play = begun(path, calibration())
    dirty(play, DONE)
    rolls(play, OTHER, 10, ENOUGH - 1)
    assert play.keep() is None
    kept = load(path)
    times = kept.sensors[DONE].times
    assert times is not None
    ball = ((0, 4 * MS), (6 * MS, 17 * MS))
    assert rises(ball, TIMES.min_high, TIMES.min_low, TIMES.dead) == 2
    assert rises(ball, times.min_high, times.min_low, times.dead) == 1
    assert times.pulses == ENOUGH
    assert kept.sensors[OTHER].times is None  # one ball too few
    assert replace(kept, sensors={}) == replace(calibration(), sensors={}, version=5, taught=True)


def test_a_rollback_takes_back_all_that_evenings_taught(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    save(path, calibration())
    for width in (12, 14):
        play = InPlay(BOARD, path)
        rolls(play, DONE, width)
        assert play.keep() is None
    taught = load(path).sensors[DONE].times
    assert taught is not None
    assert taught.shortest == 14 * MS
    assert sorted(p.name for p in tmp_path.iterdir()) == ["f.json", "f.json.1"]
    assert rollback(path) == calibration()


def test_play_teaches_a_frozen_calibration_nothing_and_is_played_with_it(tmp_path: Path) -> None:
    path, frozen = tmp_path / "f.json", replace(calibration(), frozen=True)
    play = begun(path, frozen)
    assert play.board.sensor[DONE].min_high == 3 * MS
    dirty(play, DONE)
    assert play.keep(Witnessed(1, ((DONE, 20, 0, 0, 0, 0, 0, 0),)), "2026-11-20") is None
    assert load(path) == frozen


def heard(play: InPlay, seconds: int, since_s: int = 100) -> None:
    """So long nothing happens at the board."""
    for second in (since_s, since_s + seconds):
        play.hear(Report("pico", second * 1000 * MS, Watermark(second * 1000 * MS)))


def test_how_often_a_sensor_rose_alone_is_what_it_did_beyond_the_balls_that_it_saw(
    tmp_path: Path,
) -> None:
    path = tmp_path / "f.json"
    play = begun(path, calibration())
    rolls(play, DONE, 12, 7)
    rolls(play, DOUBTFUL, 12, 7)
    for k in range(3):
        play.hear(Report("pico", (50_000 + k) * MS * 100, Edge(OTHER, k % 2 == 0)))
    heard(play, 600)
    play.hear(Report("pico", 0, Presence(False, "unplugged")))
    heard(play, 60, 10_000)  # what lay between was not heard
    shown = Witnessed(9, ((DONE, 5, 1, 1, 0, 0, 0, 0),))
    assert play.keep(shown, "2026-11-20") is None
    kept = load(path).sensors
    heard_s = kept[DONE].alone[1]
    assert 660 <= heard_s < 800  # and what passed between the rolls and the first mark
    assert kept[DONE].alone == (2, heard_s)
    assert kept[DOUBTFUL].alone == (0, heard_s)  # no roll was ruled to have it restless
    again = InPlay(BOARD, path)
    heard(again, 40)
    assert again.keep(Witnessed(1, ()), "2026-11-20") is None
    assert load(path).sensors[DONE].alone == (2, heard_s + 40)


def test_of_an_evening_in_which_nothing_was_ruled_nobody_knows_who_rose_alone(
    tmp_path: Path,
) -> None:
    path = tmp_path / "f.json"
    play = begun(path, calibration())
    heard(play, 600)
    assert play.keep(Witnessed(0, ()), "2026-11-20") is None
    assert load(path) == calibration()


def test_who_spoke_in_a_sensors_stead_is_kept_under_the_wires(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    play = begun(path, replace(calibration(), swaps=((DONE, DOUBTFUL),)))
    for times in (3, 7):
        assert play.keep(Witnessed(5, (), ((DONE, OTHER, times), (OTHER, DONE, 1)))) is None
        play = InPlay(BOARD, path)
        kept = load(path).sensors
        assert kept[DOUBTFUL].others == (Other(OTHER, "play", 3 if times == 3 else 10),)
    assert kept[OTHER].others == (Other(DOUBTFUL, "play", 2),)


@pytest.mark.parametrize("taught", [False, True])
def test_what_is_kept_after_each_match_is_in_the_end_what_is_kept_once(
    tmp_path: Path, taught: bool
) -> None:
    """One evening is one version, and no ball of it counts twice."""
    paths, shown = (tmp_path / "often.json", tmp_path / "once.json"), (6, 20)
    before = replace(calibration(), taught=taught)
    for path in paths:
        play = begun(path, before)
        play.played("first", "2026-11-20")
        rolls(play, DONE, 12)
        if path == paths[0]:
            apart = play.apart()
            assert (
                apart.keep(Witnessed(3, ((DONE, shown[0], 0, 0, 0, 0, 0, 0),)), "2026-11-20")
                is None
            )
            assert load(path).sensors[DONE].rates[0].of == shown[0]
            play.kept_by(apart)
        play.played("second", "2026-11-20")
        heard(play, 600)
        assert play.keep(Witnessed(9, ((DONE, shown[1], 1, 0, 0, 0, 0, 0),)), "2026-11-20") is None
    often, once = map(load, paths)
    assert often == once
    assert often.version == before.version + (not taught)
    assert often.recordings == (("first", "2026-11-20"), ("second", "2026-11-20"))
    assert [(rate.felt, rate.of) for rate in often.sensors[DONE].rates if rate.by == "balls"] == [
        (shown[1], shown[1] + 1)
    ]


def test_what_somebody_changes_between_two_matches_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    play = begun(path, calibration())
    assert play.keep(Witnessed(3, ((DONE, 6, 0, 0, 0, 0, 0, 0),)), "2026-11-20") is None
    back = rollback(path)
    assert play.keep(Witnessed(9, ((DONE, 20, 1, 0, 0, 0, 0, 0),)), "2026-11-20") is None
    assert load(path) == back


def test_a_healthy_evening_leaves_the_times_in_use(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    play = begun(path, calibration())
    rolls(play, DONE, 12)
    assert play.keep() is None
    times = load(path).sensors[DONE].times
    assert times is not None
    assert (times.min_high, times.min_low, times.dead) == (3 * MS, MS // 2, 4 * MS)
    assert (times.shortest, times.pulses) == (12 * MS, ENOUGH)
    assert load(path).sensors[DONE].delay == (3 * MS, 3 * MS)  # balls that do not bounce


def test_what_a_wire_teaches_is_kept_under_the_wire_even_when_wires_are_exchanged(
    tmp_path: Path,
) -> None:
    path = tmp_path / "f.json"
    told = Finding(DONE, "swapped", DOUBTFUL)
    swapped = replace(calibration(**{DONE: "unsure"}), swaps=((DONE, DOUBTFUL),), findings=(told,))
    play = begun(path, swapped)
    assert play.board.sensor[DOUBTFUL].input == BOARD.sensor[DONE].input
    assert play.board.sensor[DOUBTFUL].min_high == 3 * MS
    rolls(play, DOUBTFUL, 12)
    assert play.keep() is None
    times = load(path).sensors[DONE].times
    assert times is not None
    assert times.shortest == 12 * MS


@pytest.mark.parametrize("gone", [Lost(3), Presence(False, "unplugged")])
def test_what_was_under_way_when_edges_were_lost_teaches_nothing(
    tmp_path: Path, gone: Body
) -> None:
    path = tmp_path / "f.json"
    play = begun(path, calibration())
    for k in range(1, 3 * ENOUGH):
        for at, body in ((0, Edge(DONE, True)), (5, gone), (9, Edge(DONE, False))):
            play.hear(Report("pico", (k * 1000 + at) * MS, body))
    assert play.keep() is None
    assert load(path) == calibration()


def test_a_sensor_that_chattered_learns_nothing(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    play = begun(path, calibration())
    for k in range(100):
        play.hear(Report("pico", k * 2 * MS, Edge(DONE, k % 2 == 0)))
    rolls(play, DONE, 12)
    assert play.keep() is None
    assert load(path) == calibration()


def test_a_torn_file_is_one_sentence_and_the_board_is_played_on(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    save(path, calibration())
    path.write_bytes(path.read_bytes()[:200])
    torn = path.read_bytes()
    play = InPlay(BOARD, path, "hexboard calibrate")
    (notice,) = play.notices
    assert notice.key == "calibration.not_used"
    assert "--rollback" in str(dict(notice.values)["why"])
    assert play.board == BOARD
    rolls(play, DONE, 12)
    assert play.keep() is None
    assert path.read_bytes() == torn


def test_that_another_pico_answers_is_said_and_the_calibration_is_played_with(
    tmp_path: Path,
) -> None:
    """A cloned card has the first board's exchanged wires; a replaced Pico has the same wires."""
    path = tmp_path / "flower.json"
    for made, here, told in (("E6", "E9", True), ("E6", "E6", False), ("", "E9", False)):
        save(path, replace(calibration(), swaps=((DONE, DOUBTFUL),), pico=made))
        play = InPlay(BOARD, path, "hexboard calibrate", here)
        assert [it.key for it in play.notices] == ["calibration.other_pico"] * told
        assert play.board.sensor[DONE].input == BOARD.sensor[DOUBTFUL].input
    save(path, replace(calibration(), pico="E6"))
    assert InPlay(BOARD, path).notices == ()  # none is there: that is said already


def test_another_boards_file_is_not_used(tmp_path: Path) -> None:
    play = begun(tmp_path / "f.json", replace(calibration(), board="rhombus-11"))
    (notice,) = play.notices
    assert "rhombus-11" in str(dict(notice.values)["why"])
    assert play.board == BOARD


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    play = begun(path, calibration())
    rolls(play, DONE, 12)
    newer = replace(calibration(), version=5)
    save(path, newer)
    assert play.keep() is None
    assert load(path) == newer


def test_what_cannot_be_kept_is_told(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    play = begun(path, calibration())
    rolls(play, DONE, 12)
    path.unlink()
    why = play.keep()
    assert why is not None
    assert why.key == "calibration.not_kept"
    with pytest.raises(BadFile):
        load(path)


def test_how_long_balls_took_is_known_on_the_next_evening(tmp_path: Path) -> None:
    path, paces = tmp_path / "f.json", (("Bowl 3", (4000, 3000)),)
    leant = (("1-3 of 2", 2, 1014, 514098),)
    play = begun(path, calibration())
    assert play.known is None
    assert play.keep(Witnessed(3, (), (), paces, leant)) is None
    again = InPlay(BOARD, path, "hexboard calibrate")
    assert again.known == Witnessed(0, (), (), paces, leant)
    assert again.keep(Witnessed(0, ())) is None, "an evening without a roll"
    assert (load(path).paces, load(path).leant) == (paces, leant)
    surveyed = merged(load(path), calibration())
    assert (surveyed.paces, surveyed.leant) == (paces, leant), "a survey knows nothing of it"

"""Evenings of earlier rules that differ only in when something stood are replayed as they were."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hexboard.board import find, load
from hexboard.daemon.match import Match
from hexboard.facts import Declare, Fact, Start
from hexboard.games.knee_deep import GAME
from hexboard.record.journal import Journal
from hexboard.record.replay import Replay
from hexboard.record.transcript import Told, Transcript
from hexboard.scene import Meaning
from hexboard.table.effects import Effect, Show
from tests.benchmarks.flips import step

NOW, BEFORE, _ = (GAME.rules(), *GAME.earlier_rules())
CARD = ("play carry_all", "pick 7.1", "pick 15.4")
"""It carries units from one area to another: a card in whose middle somebody chooses."""
PLAYED = (
    *("companions commander general", "companions general trickster", "keep", "mulligan"),
    *("deploy tank 7.1", *CARD, "end"),
)


class WholeTranscript(Transcript):
    """As hexboards were before Knee Deep's stage 3: a card stands once all of it is done."""

    def step(self, fact: Fact) -> tuple[list[Effect], list[Told]]:
        self.hold(True)
        return super().step(fact)


class DarkTranscript(WholeTranscript):
    """As hexboards were before their lights showed areas."""

    def _tell(self, fact: Fact, effects: list[Effect]) -> Iterator[Told]:
        return super()._tell(fact, [_dark(it) if isinstance(it, Show) else it for it in effects])


def _dark(show: Show) -> Show:
    return Show(tuple(mark for mark in show.scene if mark.meaning is not Meaning.AREA))


Evening = Callable[..., Path]


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evening:
    """The recording of an evening of these rules, by a hexboard of before or not."""
    board = load(find("flowers-31"))

    def played(rules: str, kind: type[Transcript], until: int = len(PLAYED)) -> Path:
        options: dict[str, int | str | bool] = {"hands": "held", "starter": "gondwana"}
        begin = Start("m", board.name, board.hash, "knee-deep", rules, options, "0.1.0")
        monkeypatch.setattr("hexboard.daemon.match.Transcript", kind)
        with closing(Journal(tmp_path / "knee-deep.db")) as journal:
            journal.begin("m", b"{}")
            match = Match(board, begin, journal, tmp_path, print)
            step(match, "table", begin)
            stood = []
            for name in PLAYED[:until]:
                step(match, "page 1", Declare(-1, name))
                stood.append(match.view.committed)
            match.close()
        first = PLAYED.index(CARD[0])
        assert (stood[first] == stood[first - 1]) == (kind is not Transcript), (
            "the card waits for its end"
        )
        return match.recording

    return played


@pytest.mark.parametrize("kind", [WholeTranscript, Transcript])
def test_each_of_both_hexboards_of_one_version_said_when_a_card_stood(
    evening: Evening, kind: type[Transcript]
) -> None:
    """A match of stage 2 that goes on is journalled at each choice, as those of stage 3 are."""
    replay = Replay(evening(BEFORE, kind))
    assert [step.differences for step in replay if step.differences] == []
    assert replay.match.length == len(PLAYED) + 1
    assert replay.outcome.relit == 0


def test_an_evening_that_ended_in_the_middle_of_a_card_is_replayed_as_it_was(
    evening: Evening,
) -> None:
    replay = Replay(evening(BEFORE, WholeTranscript, PLAYED.index("pick 15.4")))
    assert [step.differences for step in replay if step.differences] == []
    assert not replay.view.position.stable


def test_other_lights_of_earlier_rules_are_told_and_are_no_other_ruling(evening: Evening) -> None:
    replay = Replay(evening(BEFORE, DarkTranscript))
    assert [step.differences for step in replay if step.differences] == []
    assert replay.outcome.relit == len(PLAYED) + 1, "the marker looks for its place after the end"


def test_what_differs_is_shown_where_both_tell_the_same(evening: Evening) -> None:
    """Of our own version a choice that did not stand at once is no evening of ours."""
    replay = Replay(evening(NOW, DarkTranscript))
    first, *_ = [found for step in replay for found in step.differences]
    assert (first.topic, first.recorded) == ("event", "(nothing)")
    assert '"type":"commit"' in first.replayed
    assert "play carry_all" in first.replayed
    assert "scene" in {found.topic for found in replay.outcome.differences}

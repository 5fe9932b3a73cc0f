"""Evenings of earlier rules that differ only in when something stood are replayed as they were."""

from collections.abc import Callable
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
from hexboard.table.effects import Effect
from tests.benchmarks.flips import step

NOW, BEFORE, _ = (GAME.rules(), *GAME.earlier())
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


Evening = Callable[[str, bool], Path]


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evening:
    """The recording of an evening of these rules, by a hexboard of before or not."""
    board = load(find("flowers-31"))

    def played(rules: str, before: bool) -> Path:
        options: dict[str, int | str | bool] = {"hands": "held", "starter": "gondwana"}
        begin = Start("m", board.name, board.hash, "knee-deep", rules, options, "0.1.0")
        kind = WholeTranscript if before else Transcript
        monkeypatch.setattr("hexboard.daemon.match.Transcript", kind)
        with closing(Journal(tmp_path / "knee-deep.db")) as journal:
            journal.begin("m", b"{}")
            match = Match(board, begin, journal, tmp_path, print)
            step(match, "table", begin)
            stood = []
            for name in PLAYED:
                step(match, "page 1", Declare(-1, name))
                stood.append(match.view.committed)
            match.close()
        assert match.view.position.stable
        first = PLAYED.index(CARD[0])
        assert (stood[first] == stood[first - 1]) == before, "the card waits for its end"
        return match.recording

    return played


@pytest.mark.parametrize("before", [True, False])
def test_each_of_both_hexboards_of_one_version_said_when_a_card_stood(
    evening: Evening, before: bool
) -> None:
    """A match of stage 2 that goes on is journalled at each choice, as those of stage 3 are."""
    replay = Replay(evening(BEFORE, before))
    assert [step.differences for step in replay if step.differences] == []
    assert replay.match.length == len(PLAYED) + 1


def test_what_differs_is_shown_where_both_tell_the_same(evening: Evening) -> None:
    """Of our own version a choice that did not stand at once is no evening of ours."""
    replay = Replay(evening(NOW, True))
    first = next(found for step in replay for found in step.differences)
    assert (first.topic, first.recorded) == ("event", "(nothing)")
    assert '"type":"commit"' in first.replayed
    assert "play carry_all" in first.replayed

"""The secret segment: there only where something is secret, opened when the match is over."""

from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from hexboard.board import Board, plain
from hexboard.commands.archive.folder import content
from hexboard.devices.dealer import Dealer
from hexboard.facts import MS, Body, Declare, Fact, Ruling, Start, encode_fact
from hexboard.game import registry
from hexboard.record.recording import Recorder, recordings_in
from hexboard.record.replay import Replay
from hexboard.record.schemas import schemas
from hexboard.record.sealed import SecretRecorder, open_match, secret_facts
from hexboard.record.transcript import Transcript
from hexboard.words import Message, say
from hexboard.words.errors import BadRecording
from tests.strangers import example, keep
from tests.test_secrets import FLOWERS, KNEE_DEEP

ABOUT = {"match": "m1"}


def kept(recording: Path, *facts: Fact) -> None:
    recorder = SecretRecorder(recording, schemas(), ABOUT, lambda trouble: None)
    for fact in facts:
        recorder.put(fact.t, encode_fact(fact), fact.at)
    recorder.close()


def test_facts_are_read_by_their_number_and_by_everybody_only_once_the_match_is_over(
    tmp_path: Path,
) -> None:
    path, other = tmp_path / "m1.mcap", tmp_path / "m2.mcap"
    facts = [Fact(n, n, n, "dealer", Declare(-1, f"drawn {n}")) for n in (3, 7)]
    kept(path, *facts)
    kept(other, facts[0])
    kept(tmp_path / "m1+20260101-000000.mcap", facts[0])
    assert path.with_suffix(".sealed").stat().st_mode & 0o777 == 0o600
    whole = {fact.n: encode_fact(fact) for fact in facts}
    assert secret_facts(path, opened_only=False) == whole
    assert secret_facts(path, opened_only=True) == {}
    open_match(tmp_path, "m1")
    assert secret_facts(path, opened_only=True) == whole
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "m1+20260101-000000.secrets",
        "m1.secrets",
        "m2.sealed",
    ]
    assert msgspec.json.decode(whole[7])["body"]["action"] == "drawn 7"


def test_a_recording_whose_files_have_large_names_is_found_with_its_segment(
    tmp_path: Path,
) -> None:
    """As a disk of a camera or an old Windows calls them: `archive` found no recording there."""
    path, fact = tmp_path / "M1.MCAP", Fact(3, 3, 3, "dealer", Declare(-1, "drawn"))
    kept(path, fact)
    path.with_suffix(".sealed").rename(tmp_path / "M1.SECRETS")
    for name in (path.name, "M1.FRAMES.MCAP", "sub.d", "m2.Mcap"):
        (tmp_path / name).touch()
    assert sorted(it.name for it in recordings_in(tmp_path)) == ["M1.MCAP", "m2.Mcap"]
    assert secret_facts(path, opened_only=True) == {3: encode_fact(fact)}
    alone = content(path)
    (tmp_path / "M1.SECRETS").unlink()
    assert content(path) != alone  # what an archive knows of it has both


def test_a_segment_that_is_opened_does_not_miss_its_file(tmp_path: Path) -> None:
    """People were told after every game of dealt cards that recording had stopped."""
    path, told = tmp_path / "m1.mcap", list[Message | None]()
    recorder = SecretRecorder(path, schemas(), ABOUT, told.append)
    recorder.put(3, encode_fact(Fact(3, 3, 3, "dealer", Declare(-1, "drawn 3"))), 3)
    recorder.open("m1")
    recorder.close()
    assert told == []
    assert list(secret_facts(path, opened_only=True)) == [3]


def test_where_nothing_is_secret_there_is_no_file(tmp_path: Path) -> None:
    kept(tmp_path / "m1.mcap")
    assert list(tmp_path.iterdir()) == []
    assert secret_facts(tmp_path / "m1.mcap", opened_only=False) == {}


# ------------------------------------------------------------------------------------ replaying


COMPANIONS = ("companions general tech", "companions commander trickster")


def played(
    recording: Path,
    board: Board = FLOWERS,
    start: Start = KNEE_DEEP,
    acts: tuple[str, ...] = COMPANIONS,
    told: Mapping[int, str] = MappingProxyType({}),
    shown: bool | None = None,
) -> tuple[Path, list[Fact]]:
    """A recording of a game with dealt cards, and the facts of which something was hidden: all
    moves, but where it is `told` what everybody heard of them. Unless `shown` is None somebody sets
    the position as it is, in the end; and it says whether the open part has what all see of it."""
    recorder = Recorder(
        recording,
        schemas=schemas(),
        attachments={"board.json": msgspec.json.encode(board)},
        metadata=ABOUT,
        trouble=print,
    )
    account, dealer, hidden = Transcript(board, start), Dealer(), []
    table: Any = account._table

    def step(n: int, body: Body) -> None:
        fact = Fact(n, n * MS, n * MS, "dealer", body)
        heard = account.heard(fact)
        hidden.extend([fact] * (heard is not fact))
        if isinstance(body, Declare) and n in told:
            heard = replace(fact, body=replace(body, action=told[n]))
        elif isinstance(body, Ruling) and shown:
            heard = replace(fact, body=replace(body, do=f"position {table.ledger.public}"))
        recorder.put("fact", fact.t, encode_fact(heard), fact.at)
        for record in account.step(fact)[1]:
            recorder.put(record.topic, fact.t, record.payload)

    step(1, start)
    for n, act in enumerate(acts, 2):
        step(n, Declare(-1, act))
    step(len(acts) + 2, dealer.seal(table.position.deck))
    for n in count(len(acts) + 3):
        if not table.view().chance:
            break
        view = table.view()
        assert view.seal is not None
        step(n, dealer.deal_sealed(view.position, view.seal, view.positions - 1))
    if shown is not None:
        step(n, Ruling(f"position {table.position}"))
    recorder.close()
    return recording, hidden


def test_a_torn_segment_ends_the_replay_where_it_ends_itself(tmp_path: Path) -> None:
    path, hidden = played(tmp_path / "m1.mcap")
    assert [fact.n for fact in hidden] == [2, 3, 4, 5, 6, 7, 8, 9, 10]
    kept(path, *hidden[:6])
    replay = Replay(path)
    steps = list(replay)
    assert [step.fact.n for step in steps] == [1, 2, 3, 4, 5, 6, 7]
    assert not [step for step in steps if step.differences]
    damage = replay.outcome.damage
    assert damage is not None
    assert "lost from fact 8 on" in say(damage)


def test_a_whole_segment_replays_all_and_none_is_asked_for(tmp_path: Path) -> None:
    path, hidden = played(tmp_path / "m1.mcap")
    with pytest.raises(BadRecording, match="public part"):
        list(Replay(path))
    kept(path, *hidden)
    replay = Replay(path)
    assert not [step for step in replay if step.differences]
    assert replay.outcome.damage is None


def test_a_replay_that_differs_goes_on_with_what_was_hidden(tmp_path: Path) -> None:
    """As where the rules of another version play a draw otherwise: the segment is not at fault."""
    path, hidden = played(tmp_path / "m1.mcap")
    kept(path, *hidden)
    replay = Replay(path)
    steps = []
    for step in replay:
        steps.append(step)
        if step.fact.n == 6:
            replay.match.back(len(replay.match.entries) - 1)
    assert [step.fact.n for step in steps] == list(range(1, 11))
    assert [step.fact for step in steps[1:]] == hidden
    assert steps[6].differences
    assert replay.outcome.damage is None


def test_what_earlier_versions_told_of_a_move_is_read_as_well(tmp_path: Path) -> None:
    """They hid the card alone: what else was said of a move stood in the open part, also where it
    was refused."""
    told = {2: COMPANIONS[0], 3: COMPANIONS[1], 4: "keep", **dict.fromkeys(range(6, 12), "drawn ?")}
    path, hidden = played(tmp_path / "m1.mcap", acts=(*COMPANIONS, "keep"), told=told)
    kept(path, *(fact for fact in hidden if fact.n > 4))
    replay = Replay(path)
    assert [step.fact.n for step in replay if not step.differences] == list(range(1, 12))
    assert replay.outcome.damage is None


@pytest.mark.parametrize("shown", [False, True])
def test_what_earlier_versions_told_of_a_position_is_read_as_well(
    shown: bool, tmp_path: Path
) -> None:
    """They hid its hands alone."""
    path, hidden = played(tmp_path / "m1.mcap", shown=shown)
    kept(path, *hidden)
    replay = Replay(path)
    assert [step.fact.n for step in replay if not step.differences] == list(range(1, 12))
    assert replay.outcome.damage is None


def test_a_position_that_was_set_is_missing_where_its_segment_is_torn(tmp_path: Path) -> None:
    path, hidden = played(tmp_path / "m1.mcap", shown=False)
    kept(path, *hidden[:-1])
    replay = Replay(path)
    assert [step.fact.n for step in replay] == list(range(1, 11))
    assert replay.outcome.damage is not None


@pytest.fixture
def two_hands(tmp_path: Path) -> Iterator[str]:
    """A stranger's game of dealt cards, by its name."""
    keep(tmp_path, "two_hands", example("two-hands", "cards", tmp_path))
    registry.look_in(tmp_path / "games")
    yield "two-hands"
    registry.look_in(tmp_path / "nothing")


def test_with_another_option_the_hands_are_others_and_the_segment_is_not_at_fault(
    two_hands: str, tmp_path: Path
) -> None:
    board, rules = plain("hexhex-3"), registry.find(two_hands).rules()
    start = Start("m", board.name, board.hash, two_hands, rules, {}, "test")
    path, hidden = played(tmp_path / "m1.mcap", board, start, ())
    assert [fact.n for fact in hidden] == [2, 3, 4, 5, 6, 7, 8]
    kept(path, *hidden)
    assert not [step for step in Replay(path) if step.differences]
    fewer = Replay(path, options={"hand": 2})
    assert [step.fact.n for step in fewer] == list(range(1, 9))
    assert fewer.different == 7  # two cards each are drawn; the fifth is refused
    more = Replay(path, options={"hand": 4})
    assert [step.fact.n for step in more] == list(range(1, 9))
    assert more.outcome.damage is None


def test_a_segment_of_something_else_is_refused(tmp_path: Path) -> None:
    path, hidden = played(tmp_path / "m1.mcap", told={10: "drawn ?"})
    kept(path, *hidden[:-1], Fact(10, 10 * MS, 10 * MS, "dealer", Declare(-1, "keep")))
    with pytest.raises(BadRecording, match="is not what was hidden in that recording"):
        list(Replay(path))
    path.with_suffix(".sealed").unlink()
    recorder = SecretRecorder(path, schemas(), ABOUT, print)
    recorder.put(1, b"[]", 1)
    recorder.close()
    with pytest.raises(BadRecording, match="is not what was hidden in that recording"):
        Replay(path)

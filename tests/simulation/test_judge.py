"""What the judge of simulated evenings holds against a recording, and what it does not."""

import contextlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hexboard.devices.dealer import Dealer
from hexboard.facts import MS, Body, Declare, Edge, Fact, Seal, encode_fact
from hexboard.game.match import encode_entry
from hexboard.game.shuffle import commitment
from hexboard.record.recording import Recorder
from hexboard.record.schemas import schemas
from hexboard.record.sealed import SecretRecorder
from hexboard.record.transcript import Transcript
from tests.simulation.broken import BrokenError
from tests.simulation.guests import Rights
from tests.simulation.journal_read import Kept
from tests.simulation.judge import Judge
from tests.simulation.wire import Felt
from tests.test_secrets import FLOWERS, KNEE_DEEP


def laid_aside(path: Path, seed: str, leaks: bool = False) -> tuple[Kept, set[str]]:
    """A recording of two hands of Knee Deep of which the first is laid aside; what the journal
    has of that; and the cards that lie in that hand and the other.

    It `leaks` where a record beside the facts names what the other hand holds."""
    about = {"match": "m"}
    recorder = Recorder(
        path,
        schemas=schemas(),
        attachments={"board.json": msgspec.json.encode(FLOWERS)},
        metadata=about,
        trouble=print,
    )
    secret = SecretRecorder(path, schemas(), about, print)
    account, n = Transcript(FLOWERS, KNEE_DEEP), 0
    table: Any = account._table

    def step(body: Body) -> None:
        nonlocal n
        n += 1
        fact = Fact(n, n * MS, n * MS, "dealer", body)
        heard = account.heard(fact)
        if heard is not fact:
            secret.put(fact.t, encode_fact(fact), fact.at)
        recorder.put("fact", fact.t, encode_fact(heard), fact.at)
        for record in account.step(fact)[1]:
            recorder.put(record.topic, fact.t, record.payload)

    step(KNEE_DEEP)
    step(Declare(-1, "companions tech trickster"))
    step(Declare(-1, "companions tech trickster"))
    deck = table.position.deck
    step(Seal(commitment(seed, "5a17", deck), deck, seed, "5a17", piles=True))
    while (view := table.view()).chance:
        step(Dealer().deal_sealed(view.position, view.seal, view.place))
    step(Declare(-1, "mulligan"))
    position: Any = account.match.position
    first, other = (
        {position.card(it).id for it in cards}
        for cards in (position.discards[0], position.hands[1])
    )
    if leaks:
        recorder.put("chain", n * MS, msgspec.json.encode(sorted(other)))
    secret.close()
    recorder.close()
    entries = tuple(encode_entry(entry).decode() for entry in account.match.entries)
    seal = table.ledger.commitment.seal
    return Kept("m", KNEE_DEEP, entries, str(position), seal), first & other


def test_a_hand_that_is_laid_aside_lies_open_though_the_other_holds_such_a_card(
    tmp_path: Path,
) -> None:
    found = set()
    for seed in range(8):
        path = tmp_path / f"{seed}.mcap"
        it, both = laid_aside(path, f"{seed:032x}")
        found |= both
        Judge(FLOWERS, Rights()).recorded(path, it)
    assert found  # else nothing was shown


def test_a_recording_that_tells_what_one_seat_holds_breaks_an_evening(tmp_path: Path) -> None:
    it, _ = laid_aside(tmp_path / "m.mcap", f"{5:032x}", leaks=True)
    with pytest.raises(BrokenError, match="tells of"):
        Judge(FLOWERS, Rights()).recorded(tmp_path / "m.mcap", it)


KEPT = Felt("a", True, 1, False)
SURE = Felt("a", False, 2, True)
LATE = Felt("b", True, 3, True)


@pytest.mark.parametrize(
    ("recorded", "whole"),
    [
        ((KEPT, SURE, LATE), True),
        ((SURE, LATE), True),  # what a Pico felt before it was met need not be told
        ((SURE,), True),  # the last one came when the recording was being closed
        ((LATE,), False),
        ((KEPT,), False),
        ((KEPT, LATE, SURE), False),
        ((KEPT, SURE, LATE, LATE), False),
    ],
)
def test_what_inputs_did_is_recorded_whole_and_in_order(
    tmp_path: Path, recorded: tuple[Felt, ...], whole: bool
) -> None:
    path, judge = tmp_path / "a.mcap", Judge(FLOWERS, Rights())
    recorder = Recorder(path, schemas=schemas(), attachments={}, metadata={}, trouble=print)
    for n, it in enumerate(recorded, 1):
        recorder.put("fact", n, encode_fact(Fact(n, n, n, "pico", Edge(it.sensor, it.level))), n)
    recorder.close()
    judge.felt += KEPT, SURE, LATE
    with contextlib.nullcontext() if whole else pytest.raises(BrokenError, match="felt until 3"):
        judge.edges(path, 3)

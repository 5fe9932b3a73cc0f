"""The secret segment: there only where something is secret, opened when the match is over."""

from pathlib import Path

import msgspec

from controller.facts import Declare, Fact, encode_fact
from controller.record.schemas import schemas
from controller.record.sealed import SecretRecorder, open_match, secret_facts

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


def test_where_nothing_is_secret_there_is_no_file(tmp_path: Path) -> None:
    kept(tmp_path / "m1.mcap")
    assert list(tmp_path.iterdir()) == []
    assert secret_facts(tmp_path / "m1.mcap", opened_only=False) == {}

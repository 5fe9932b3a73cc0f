"""The golden files: what was written once can be read for ever, to the same meaning."""

import msgspec
import pytest

from hexboard.facts import Body, decode_fact, encode_fact
from hexboard.games import hextraction
from hexboard.record.recording import read
from hexboard.record.replay import Replay, lines
from hexboard.record.schemas import TOPICS
from hexboard.table.effects import Effect
from tests.golden import EFFECTS, FACTS, GOLDEN, told


def test_facts_are_written_and_read_as_in_the_golden_file() -> None:
    kept = (GOLDEN / "facts.jsonl").read_bytes().splitlines()
    assert [decode_fact(line) for line in kept] == list(FACTS)
    assert [encode_fact(fact) for fact in FACTS] == kept


def test_the_golden_facts_have_every_body() -> None:
    assert {type(fact.body) for fact in FACTS} == set(Body.__args__)


def test_effects_are_written_and_read_as_in_the_golden_file() -> None:
    kept = (GOLDEN / "effects.jsonl").read_bytes().splitlines()
    encode = msgspec.json.Encoder(order="deterministic").encode
    assert [msgspec.json.decode(line, type=Effect) for line in kept] == list(EFFECTS)
    assert [encode(effect) for effect in EFFECTS] == kept
    assert {type(effect) for effect in EFFECTS} == set(Effect.__args__)


def test_every_topic_of_a_recording_has_a_golden_schema() -> None:
    kept = {path.stem.removeprefix("schema-") for path in GOLDEN.glob("schema-*.json")}
    assert set(TOPICS) == kept


@pytest.mark.parametrize("topic", TOPICS)
def test_schemas_are_the_golden_ones(topic: str) -> None:
    kept = msgspec.json.decode((GOLDEN / f"schema-{topic}.json").read_bytes())
    assert msgspec.json.decode(msgspec.json.encode(msgspec.json.schema(TOPICS[topic]))) == kept


def test_the_golden_evening_reads_as_it_was_ruled() -> None:
    assert told(GOLDEN / "evening.mcap") == (GOLDEN / "evening.txt").read_text("utf-8")
    assert read(GOLDEN / "evening.mcap").damage is None


def test_the_golden_evening_replays_to_the_same_rulings() -> None:
    path = GOLDEN / "evening.mcap"
    first = next(values for _, topic, values in lines(read(path)) if topic == "fact")
    assert first["body"]["rules"] == hextraction.rules(), "new rules: write a new golden evening"
    assert len({hextraction.rules(), *hextraction.GAME.earlier()}) == 4
    replay = Replay(path)
    assert [step.differences for step in replay if step.differences] == []
    assert replay.outcome.facts > 50

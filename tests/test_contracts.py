"""The golden files: what was written once can be read for ever, to the same meaning; and the page
of all contracts names each field of what it describes."""

import re
from typing import Any

import msgspec
import pytest

from hexboard.board import find, load
from hexboard.facts import Body, decode_fact, encode_fact
from hexboard.game import registry
from hexboard.games import hextraction
from hexboard.record.recording import read
from hexboard.record.replay import Replay, lines
from hexboard.record.schemas import TOPICS
from hexboard.table.effects import Effect
from hexboard.web.sheet import agreed_sheet, board_sheet
from tests.golden import EFFECTS, FACTS, GOLDEN, told

PAGE = (GOLDEN.parent / "contracts.md").read_text("utf-8")


def rows(chapter: str) -> dict[str, str]:
    """The tables of a chapter: by each word in code of the first column the rest of its row."""
    _, _, rest = PAGE.partition(f"\n## {chapter}\n")
    lines = [line for line in rest.partition("\n## ")[0].splitlines() if line.startswith("| `")]
    split = [line.strip("|").partition("|") for line in lines]
    return {key: row for keys, _, row in split for key in re.findall(r"`([^`]+)`", keys)}


def test_the_page_names_each_field_of_a_fact() -> None:
    told = rows("Fact")
    for body in Body.__args__:
        listed = told[body.__struct_config__.tag].partition("|")[0]
        assert tuple(re.findall(r"\w+", listed)) == body.__struct_fields__, body


@pytest.mark.parametrize("name", ["hextraction", "hexalma", "knee-deep"])
def test_the_page_names_each_key_of_what_a_page_asks_for_once(name: str) -> None:
    game = registry.find(name)
    board = load(find(game.board({})))
    sheet: Any = board_sheet(game, board, game.start(board, {}))
    agreed: Any = agreed_sheet(game, board, {}, "host", "10+5")
    told = rows("Page")
    assert {*sheet, "agreed"} <= told.keys()
    (light, *_), parts = sheet["legend"], {"page": sheet["page"], "agreed": agreed}
    for key, part in {**parts, "legend": light}.items():
        assert set(part) <= set(re.findall(r"`(\w+)`", told[key])), key
    for option in agreed["options"]:
        assert set(option) <= set(re.findall(r"`(\w+)`", told["agreed"]))


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
    assert len({hextraction.rules(), *hextraction.GAME.earlier_rules()}) == 4
    replay = Replay(path)
    assert [step.differences for step in replay if step.differences] == []
    assert replay.outcome.facts > 50

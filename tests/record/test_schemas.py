"""The schemas in a recording, as the free viewers read them.

Foxglove's and Lichtblick's parser takes an object at the root, and of each field a type it knows;
arrays only of scalars and objects. It does not follow references. Anything else, and the viewer
shows nothing of the topic.
"""

from typing import Any

import msgspec
import pytest

from hexboard.facts import Fact
from hexboard.record import foxglove
from hexboard.record.recording import read
from hexboard.record.schemas import encoded, schemas
from hexboard.vision.shot import Shot
from tests.golden import GOLDEN

KNOWN = {"boolean": bool, "string": str, "number": float, "integer": int}
EXPORTED = {topic: encoded(kind) for topic, (_, kind) in foxglove.TOPICS.items()}
WRITTEN = {"frame": encoded(Shot), **schemas(), **EXPORTED}


def shown(schema: dict[str, Any], at: str) -> list[str]:
    """The fields that a viewer shows, each with its place. Raises `AssertionError` where it would
    refuse the schema."""
    assert schema["type"] == "object", at
    fields = []
    for name, field in schema["properties"].items():
        place, kind = f"{at}.{name}", field["type"]
        if kind == "array":
            kind, field = field["items"]["type"], field["items"]
        assert kind == "object" or kind in KNOWN, place
        assert kind == "string" or "contentEncoding" not in field, place
        fields += [place, *(shown(field, place) if kind == "object" else ())]
    return fields


@pytest.mark.parametrize("topic", WRITTEN)
def test_a_viewer_reads_the_schema_of_each_topic(topic: str) -> None:
    assert shown(msgspec.json.decode(WRITTEN[topic]), topic)
    assert b"$ref" not in WRITTEN[topic]


def test_what_a_sensor_said_can_be_plotted() -> None:
    fields = shown(msgspec.json.decode(encoded(Fact)), "fact")
    assert {"fact.at", "fact.source", "fact.body.sensor", "fact.body.level"} <= set(fields)


def test_a_picture_is_said_to_be_bytes() -> None:
    fields = msgspec.json.decode(encoded(Shot))["properties"]
    assert fields["data"] == {"type": "string", "contentEncoding": "base64"}


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value is what a schema says."""
    match schema["type"]:
        case "object":
            some = schema["properties"].items()
            return isinstance(value, dict) and all(
                fits(value[k], it) for k, it in some if k in value
            )
        case "array":
            return isinstance(value, list) and all(fits(it, schema["items"]) for it in value)
        case kind:
            return type(value) is KNOWN[kind]


def test_each_record_of_the_golden_evening_is_what_its_schema_says() -> None:
    told = {topic: msgspec.json.decode(schema) for topic, schema in WRITTEN.items()}
    records = list(read(GOLDEN / "evening.mcap"))
    assert len(records) > 500
    for record in records:
        assert fits(msgspec.json.decode(record.payload), told[record.topic]), record

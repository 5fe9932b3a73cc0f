"""The JSON Schemas that a recording carries, made from the types themselves.

They are written as plainly as the free viewers want them (Foxglove, Lichtblick): an object at the
root, nothing behind a reference, one type a field. A field that cannot be said so stands in the
messages and not in the schema; viewers show it all the same.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from hexboard.facts import Fact
from hexboard.scene import Mark
from hexboard.table.effects import Commit, Corrected, NextBrightness, Refuse, Tell


class EventRecord(msgspec.Struct):
    """What fact `n` caused in the game or at the table."""

    n: int
    effects: list[Tell | Refuse | Commit | Corrected | NextBrightness]


class SceneRecord(msgspec.Struct):
    """What the lights meant from fact `n` on."""

    n: int
    scene: list[Mark]


class DigestRecord(msgspec.Struct):
    """The running blake2b of all effects up to fact `n`."""

    n: int
    digest: str


class StateRecord(msgspec.Struct):
    """The table's whole public state after fact `n`."""

    n: int
    state: dict[str, Any]


class ChainRecord(msgspec.Struct):
    """After fact `n` the journal had so many entries; the link of their chain, as heard."""

    n: int
    entries: int
    chain: str


TOPICS: dict[str, type[msgspec.Struct]] = {
    "fact": Fact,
    "event": EventRecord,
    "scene": SceneRecord,
    "digest": DigestRecord,
    "state": StateRecord,
    "chain": ChainRecord,
}


SCALARS = ("boolean", "string", "number", "integer")
Schema = dict[str, Any]


def schemas() -> dict[str, bytes]:
    """For each topic its JSON Schema."""
    return {topic: encoded(kind) for topic, kind in TOPICS.items()}


def encoded(kind: type[msgspec.Struct]) -> bytes:
    """The JSON Schema of a record, as viewers read it."""
    whole = msgspec.json.schema(kind)
    return msgspec.json.encode(_plain(whole, whole["$defs"]))


def _plain(node: Schema, known: Mapping[str, Schema]) -> Schema | None:
    """The same in one type and without references; None where that cannot be."""
    if "$ref" in node:
        return _plain(known[node["$ref"].rpartition("/")[2]], known)
    if "anyOf" in node:
        return _merged([_plain(it, known) for it in node["anyOf"] if it != {"type": "null"}])
    match node:
        case {"enum": [str(), *_]}:
            return {"type": "string"}
        case {"type": "object"}:
            each = {name: _plain(it, known) for name, it in node.get("properties", {}).items()}
            return _object({name: it for name, it in each.items() if it is not None})
        case {"type": "array", "items": dict(items)} if item := _plain(items, known):
            return None if item["type"] == "array" else {"type": "array", "items": item}
        case {"type": str(scalar)} if scalar in SCALARS:
            return {key: node[key] for key in ("type", "contentEncoding") if key in node}
    return None


def _merged(ways: list[Schema | None]) -> Schema | None:
    """What is one of several: an object with the fields of all, or the one type that all are."""
    some = [way for way in ways if way is not None]
    if len(some) < len(ways) or len({way["type"] for way in some}) != 1:
        return None
    if some[0]["type"] != "object":
        return some[0]
    every = [field for way in some for field in way["properties"].items()]
    return _object({name: it for name, it in every if all(it == o for n, o in every if n == name)})


def _object(properties: dict[str, Schema]) -> Schema:
    return {"type": "object", "properties": properties}

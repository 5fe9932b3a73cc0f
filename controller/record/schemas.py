"""The JSON Schemas that a recording carries, made from the types themselves."""

from typing import Any

import msgspec

from hexboard.facts import Fact
from hexboard.scene import Mark
from hexboard.table.effects import Commit, Corrected, Refuse, Tell


class EventRecord(msgspec.Struct):
    """What fact `n` caused in the game or at the table."""

    n: int
    effects: list[Tell | Refuse | Commit | Corrected]


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


def schemas() -> dict[str, bytes]:
    """For each topic its JSON Schema."""
    return {topic: msgspec.json.encode(msgspec.json.schema(kind)) for topic, kind in TOPICS.items()}

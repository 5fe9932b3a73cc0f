"""Writes the golden files of docs/contracts.md anew: `python -m tests.golden`.

Only when a contract is changed on purpose. `link.json` is not written here: an independent
generator made it, and other firmware may rely on it.
"""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from hexboard.board import find, load
from hexboard.daemon.mqtt import values
from hexboard.daemon.webhooks import SIGNATURE, WebhookEvent
from hexboard.facts import (
    Body,
    Decide,
    Declare,
    Edge,
    Fact,
    Lost,
    Named,
    Presence,
    Reading,
    Resume,
    Ruling,
    Sample,
    Scanned,
    Seal,
    Snapshot,
    Start,
    Tick,
    Touch,
    Unseal,
    Watermark,
    Witnessed,
    encode_fact,
)
from hexboard.games.hextraction.simulator.evening import evening
from hexboard.record.recording import read
from hexboard.record.replay import lines, sentences
from hexboard.record.schemas import TOPICS
from hexboard.scene import Mark, Meaning
from hexboard.table.effects import (
    Commit,
    Corrected,
    Effect,
    NextBrightness,
    Refresh,
    Refuse,
    Show,
    Tell,
)
from hexboard.web.public import FIRST_S, VERSION, PublicState
from hexboard.words import message

GOLDEN = Path(__file__).parent.parent / "docs" / "golden"

START = Start(
    "m1",
    "hextraction-22",
    "0123456789abcdef",
    "hextraction",
    "RU1-2025-03-08 first tiles 00000000",
    {"seats": 2, "settle_ms": 1500},
    "0.1.0",
)
BODIES: tuple[Body, ...] = (
    START,
    Resume(START, ('{"type":"played","action":"play J C3 2"}', '{"type":"back","to":0}')),
    Edge("edge:B1-C1", True),
    Snapshot(("rail:main", "seat:C3")),
    Watermark(1_000_000_000),
    Tick(),
    Lost(3),
    Presence(False, "the cable was pulled"),
    Declare(-1, "play J C3 2"),
    Decide(4, "rest 1 C3"),
    Ruling("ball 1 C3", "host", "it was there"),
    Reading((((0, 0),), ((1, 0), (3, 250)), ())),
    Reading((((1, 0),),), None, (Sample(1, 0, (12, 9, 31)),), 2),
    Touch(("b1", "c1")),
    Seal("c0ffee", "gondwana=sling+sling;bukseon=barrier", "5eed", "5a17"),
    Unseal("5eed", "5a17"),
    Resume(START, (), Seal("c0ffee", "gondwana=sling+sling;bukseon=barrier")),
    Witnessed(7, (("edge:B1-C1", 3, 4, 1, 1400, 0, 1, 4),)),
    Named(0, "Ada", 3),
    Witnessed(7, (), (), (("S 3", (151, 160)),), (("1-3 of 1", 2, 1010, 510058),)),
    Scanned(4_200, 310),
)
FACTS = tuple(
    Fact(n, 1_000_000_000 + n, 1_000_000_000, "pico", body, 1_000_000 if n == 3 else None)
    for n, body in enumerate(BODIES, 1)
)
EFFECTS: tuple[Effect, ...] = (
    Show((Mark("C3", Meaning.TOUCHED, 2), Mark("B1/6", Meaning.LEGAL), Mark("*", Meaning.WIN))),
    Tell((message("hextraction.fell", "2.1.5.1", ball=1, slot="C3"),)),
    Refuse(message("hextraction.one_roll", "2.0.2"), "page 1"),
    Corrected(message("sensor.chattering", sensor="edge:B1-C1")),
    Commit(2, ('{"type":"played","action":"end"}',), "idle …"),
    Refresh(),
    NextBrightness(),
)
STILL = PublicState(
    rev=0,
    match="",
    game="",
    phase="",
    active=-1,
    prompt="",
    paused=False,
    question=None,
    scores=None,
    outcome=None,
    seats=(),
    log=(),
    links=(),
)


def told(path: Path) -> str:
    """A recording as it was ruled, a line a sentence."""
    return "".join(
        f"{values['n']:5}  {text}{rule and f'  [{rule}]'}\n"
        for _, topic, values in lines(read(path))
        if topic == "event"
        for text, rule in sentences(values)
    )


PHASES = (
    "asking: people are asked something. wrong: the board has to be put right, or looked over, by "
    "hand; that is so in normal play, too, wherever a hand has to put or take something. over. "
    "Else what the game says: idle, in Hextraction rolling and resolving as well. The first that "
    "is so stands here: a game is over once it has scores."
)


def openapi() -> dict[str, Any]:
    """The description of both requests (OpenAPI 3.1)."""
    (state, happened), parts = msgspec.json.schema_components(
        [PublicState, WebhookEvent], ref_template="#/components/schemas/{name}"
    )
    parts["PublicState"]["properties"]["phase"]["description"] = PHASES
    refused = {"description": "No key, or not one that still counts."}

    def told(kind: str, description: str) -> dict[str, Any]:
        answer = {"description": description, "content": {kind: {"schema": state}}}
        return {"get": {"responses": {"200": answer, "403": refused}}}

    paths = {
        "/api/state": told("application/json", "The state."),
        "/api/events": told("text/event-stream", "Events named `state`; `data` is the state."),
    }
    late = {"description": f"The daemon told nothing for {FIRST_S:g} s."}
    paths["/api/state"]["get"]["responses"]["503"] = late
    return {
        "openapi": "3.1.0",
        "info": {"title": "hexboard, what everybody may know", "version": str(VERSION)},
        "security": [{"token": []}],
        "paths": paths,
        "webhooks": {"event": {"post": _posted(happened)}},
        "components": {
            "schemas": parts,
            "securitySchemes": {
                "token": {"type": "apiKey", "in": "query", "name": "token"},
            },
        },
    }


def _posted(happened: dict[str, Any]) -> dict[str, Any]:
    """What an address of `[webhooks]` is told, and how it answers."""
    body = {"required": True, "content": {"application/json": {"schema": happened}}}
    answers = {
        "2XX": {"description": "It was taken."},
        "408": {"description": "It comes again, as after 425, 429 and 5XX."},
        "default": {"description": "It was not, and is lost."},
    }
    header = {
        "name": SIGNATURE,
        "in": "header",
        "required": False,
        "description": "sha256= and the HMAC-SHA256 of the body in hex, where there is a secret.",
        "schema": {"type": "string"},
    }
    return {"security": [], "parameters": [header], "requestBody": body, "responses": answers}


def asyncapi() -> dict[str, Any]:
    """The description of the stream's WebSocket and of what a broker is told (AsyncAPI 3.0)."""
    (state,), parts = msgspec.json.schema_components(
        [PublicState], ref_template="#/components/schemas/{name}"
    )
    parts["PublicState"]["properties"]["phase"]["description"] = PHASES
    token = {"type": "object", "properties": {"token": {"type": "string"}}}
    node = {"description": "The board's name in its settings, or COMPUTER-BOARD."}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "hexboard, what everybody may know", "version": str(VERSION)},
        "defaultContentType": "application/json",
        "channels": {
            "events": {
                "address": "/api/events",
                "description": "A WebSocket: the state at once, and then each time it changes. "
                "What is said there is not heard. Close code 4403: the key no longer counts.",
                "messages": {"state": {"$ref": "#/components/messages/state"}},
                "bindings": {"ws": {"method": "GET", "query": token}},
            },
            "values": {
                "address": "hexboard/{node}/{value}",
                "description": "MQTT: each value is retained, and told when it changes. Its "
                "message is that of its name.",
                "parameters": {"node": node, "value": {"enum": list(values(STILL))}},
                "messages": {it: {"$ref": f"#/components/messages/{it}"} for it in VALUES},
            },
            **_commands(node),
            "available": {
                "address": "hexboard/{node}/available",
                "description": "MQTT: whether the board is there; the broker says that it is not.",
                "parameters": {"node": node},
                "messages": {"available": {"$ref": "#/components/messages/available"}},
            },
            "claim": {
                "address": "hexboard/{node}/claim",
                "description": "MQTT: a board asks whether another one has its name; one that has "
                "says so, and the one that asked tells nothing.",
                "parameters": {"node": node},
                "messages": {"claim": {"$ref": "#/components/messages/claim"}},
            },
        },
        "operations": {
            name: {"action": "send", "channel": {"$ref": f"#/channels/{name}"}}
            for name in ("events", "values", "available", "claim", "refused")
        }
        | {
            name: {"action": "receive", "channel": {"$ref": f"#/channels/{channel}"}}
            for name, channel in (("heard", "claim"), ("pause", "pause"), ("answer", "answer"))
        },
        "components": {
            "messages": {
                "state": {"payload": state},
                **{name: {"payload": _object(fields)} for name, fields in VALUES.items()},
                "pause": {
                    "contentType": "text/plain",
                    "payload": {"type": "string", "enum": ["ON", "OFF"]},
                },
                "answer": {"contentType": "text/plain", "payload": {"type": "string"}},
                "refused": {"contentType": "text/plain", "payload": {"type": "string"}},
                "available": {
                    "contentType": "text/plain",
                    "payload": {"type": "string", "enum": ["online", "offline"]},
                },
                "claim": {
                    "contentType": "text/plain",
                    "payload": {"type": "string", "pattern": "^(asked|held) [0-9a-f]{8}$"},
                },
            },
            "schemas": parts,
        },
    }


STRING, NUMBER, SENTENCES = (
    {"type": "string"},
    {"type": "integer"},
    {"type": "array", "items": {"type": "string"}},
)
SWITCH = {"type": "string", "enum": ["ON", "OFF"]}
VALUES: dict[str, dict[str, Any]] = {
    "game": {"text": STRING, "game": STRING, "match": STRING},
    "phase": {"text": {"type": "string", "description": PHASES}, "prompt": STRING},
    "turn": {"text": STRING, "seat": NUMBER},
    "scores": {"text": STRING, "scores": {"type": "array", "items": NUMBER}, "outcome": STRING},
    "question": {"text": STRING, "choices": SENTENCES},
    "ruling": {"text": STRING, "rule": STRING, "final": {"type": "boolean"}},
    "health": {"text": SWITCH, "why": SENTENCES},
    "paused": {"text": SWITCH},
}
"""What each value on MQTT has, beside `at`."""


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    had = fields | {"at": NUMBER}
    return {"type": "object", "properties": had, "required": list(had)}


def _commands(node: dict[str, str]) -> dict[str, Any]:
    """Where a board that takes commands (`commands = true`) hears them, and says why not."""
    told = {
        "pause": ("set/paused", "stops the game, or lets it go on. Not to be retained."),
        "answer": ("set/answer", "the name or text of a choice: answers what is asked."),
        "refused": ("refused", "why a command came to nothing, a sentence. It is not retained."),
    }
    return {
        name: {
            "address": f"hexboard/{{node}}/{topic}",
            "description": f"MQTT: {description}",
            "parameters": {"node": node},
            "messages": {name: {"$ref": f"#/components/messages/{name}"}},
        }
        for name, (topic, description) in told.items()
    }


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    (GOLDEN / "facts.jsonl").write_bytes(b"".join(encode_fact(f) + b"\n" for f in FACTS))
    encode = msgspec.json.Encoder(order="deterministic").encode
    (GOLDEN / "effects.jsonl").write_bytes(b"".join(encode(e) + b"\n" for e in EFFECTS))
    for topic, kind in TOPICS.items():
        schema = msgspec.json.encode(msgspec.json.schema(kind))
        text = msgspec.json.format(schema, indent=1) + b"\n"
        (GOLDEN / f"schema-{topic}.json").write_bytes(text)
    describe()
    with tempfile.TemporaryDirectory() as folder:
        board = load(find("hextraction-22"))
        path = evening(board, Path(folder), 5, 12, 1500, lambda turn: None).path
        shutil.copy(path, GOLDEN / "evening.mcap")
    (GOLDEN / "evening.txt").write_text(told(GOLDEN / "evening.mcap"), "utf-8")


def describe() -> None:
    """Write what describes the public stream."""
    for name, made in (("openapi", openapi()), ("asyncapi", asyncapi())):
        text = msgspec.json.format(msgspec.json.encode(made), indent=1)
        (GOLDEN / f"{name}.json").write_bytes(text + b"\n")


if __name__ == "__main__":
    main()

"""MQTT: a real broker hears what everybody may know, and Home Assistant could read it."""

import gc
import json
import re
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from hexboard.daemon import claim
from hexboard.daemon.away import away
from hexboard.daemon.claim import NameClaim
from hexboard.daemon.homeassistant import discovery
from hexboard.daemon.mqtt import Mqtt, command, values
from hexboard.facts import Decide, Ruling
from hexboard.settings import MqttSettings, load
from hexboard.web import reach
from hexboard.web.public import PublicState
from hexboard.words import Message, message, say
from hexboard.words.errors import BadFile
from tests.certificates import certificate
from tests.daemon.home_assistant import HomeAssistant
from tests.golden import GOLDEN
from tests.running import eventually, free_port
from tests.web.test_server import Site, heard

LINE = {"n": 1, "text": "Black moves.", "rule": "HA-2", "final": False}
STATE: dict[str, Any] = {
    "rev": 1,
    "match": "m",
    "game": "hexalma",
    "phase": "playing",
    "seats": ["Black", "White"],
    "active": 1,
    "prompt": "White: move.",
    "question": None,
    "scores": None,
    "outcome": None,
    "paused": False,
    "log": [LINE],
    "links": [{"source": "pico", "up": True, "why": ""}],
}
ASKED = {"id": 7, "text": "Which?", "choices": [{"name": "reading 2", "text": "It rolled."}]}


def state(**otherwise: Any) -> PublicState:
    return msgspec.convert(STATE | otherwise, PublicState)


def shown(site: Site, **otherwise: Any) -> None:
    """The server publishes a state, with a hand that nobody else may see."""
    text = json.dumps(STATE | {"hand": ["the ace"]} | otherwise).encode()
    secret = json.dumps(STATE | {"prompt": "the ace"}).encode()
    site.server.publish("state", b"", {(-1, "en"): text, (0, "en"): secret})


class Broker:
    """A mosquitto, and what somebody hears who asks it for everything."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self._stack = folder, stack
        self.port = free_port()
        self.heard: list[tuple[str, str]] = []

    def start(self) -> None:
        file = self.folder / "mosquitto.conf"
        file.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n", "ascii")
        program = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin")
        if program is None:
            pytest.skip("no mosquitto on this machine")
        self.process = subprocess.Popen([program, "-c", file], stderr=subprocess.DEVNULL)
        self._stack.callback(self.process.wait)
        self._stack.callback(self.process.kill)
        self.client = Client(CallbackAPIVersion.VERSION2)
        said = self.heard.append  # not ourselves: no circle
        self.client.on_message = lambda _, __, it: said((it.topic, it.payload.decode()))
        eventually(self._listens)
        self.client.connect("127.0.0.1", self.port)
        self.client.subscribe("#", qos=1)
        self.client.loop_start()
        self._stack.callback(self.client.loop_stop)
        self._stack.callback(self.client.disconnect)

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def told(self, topic: str) -> list[str]:
        """All that was told below a topic, in that order."""
        return [text for it, text in list(self.heard) if it.endswith(f"/{topic}")]

    def retained(self) -> dict[str, str]:
        """What somebody is told who comes now, by topic: all that comes before their own word,
        which they say once they hear everything."""
        found: dict[str, str] = {}
        client = Client(CallbackAPIVersion.VERSION2)
        client.on_message = lambda _, __, it: found.update({it.topic: it.payload.decode()})

        def hears(*_: Any) -> None:
            client.publish("own", "word")

        client.on_subscribe = hears
        client.connect("127.0.0.1", self.port)
        client.subscribe("#")
        client.loop_start()
        eventually(lambda: found.pop("own", ""))
        client.disconnect()
        client.loop_stop()
        return found


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has the same name answers soon."""
    monkeypatch.setattr(claim, "ASK_S", 0.3)


@pytest.fixture
def broker(tmp_path: Path, stack: ExitStack) -> Broker:
    return Broker(tmp_path, stack)


Begin = Callable[..., Mqtt]


@pytest.fixture
def begin(site: Site, broker: Broker, stack: ExitStack) -> Begin:
    """`begin(commands=True)`: a board tells the broker; `said` has what people are told."""

    def beginning(
        said: list[str] | None = None, called: str = "", at: Site = site, **settings: Any
    ) -> Mqtt:
        here: dict[str, Any] = {"host": "127.0.0.1", "port": broker.port}
        chosen = MqttSettings(**here | settings)
        told: list[str] = [] if said is None else said
        mqtt = Mqtt(chosen, "hexhex-5", "My board", at.server, told.append, called)
        stack.callback(mqtt.close)
        return mqtt

    return beginning


# ------------------------------------------------------------------------------- what is told


def test_each_value_is_told_in_its_own_words() -> None:
    told = values(state())
    assert told["game"] == {"text": "HexAlma", "game": "hexalma", "match": "m"}
    assert told["turn"] == {"text": "White", "seat": 1}
    assert told["phase"] == {"text": "playing", "prompt": "White: move."}
    assert told["scores"] == {"text": "", "scores": (), "outcome": ""}
    assert told["question"] == {"text": "", "choices": []}
    assert told["ruling"] == {"text": "Black moves.", "rule": "HA-2", "final": False}
    assert told["health"] == {"text": "OFF", "why": []}
    assert told["paused"] == {"text": "OFF"}


def test_an_end_a_question_an_aside_and_what_is_wrong_are_told() -> None:
    link = {"source": "pico", "up": False, "why": "unplugged"}
    aside = {**LINE, "n": 2, "text": "The Pico is back.", "aside": True}
    over = {"scores": [1, 0], "outcome": "Black wins.", "question": ASKED, "log": [aside, LINE]}
    ill = {"links": [link], "notices": ["The disk is full."]}
    told = values(state(**over, **ill, active=-1, paused=True))
    assert told["turn"] == {"text": "", "seat": -1}
    assert told["scores"] == {
        "text": "Black 1, White 0",
        "scores": (1, 0),
        "outcome": "Black wins.",
    }
    assert told["question"] == {"text": "Which?", "choices": ["It rolled."]}
    assert told["ruling"]["text"] == "Black moves."
    assert told["health"] == {"text": "ON", "why": ["pico: unplugged", "The disk is full."]}
    assert told["paused"] == {"text": "ON"}


KINDS: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "array": (list, tuple),
}


@pytest.mark.parametrize(
    "now",
    [{}, {"question": ASKED, "scores": [1, 0], "outcome": "Black wins.", "notices": ["full"]}],
    ids=["playing", "over"],
)
def test_each_value_is_what_the_description_says(now: dict[str, Any]) -> None:
    described = json.loads((GOLDEN / "asyncapi.json").read_bytes())
    messages = described["components"]["messages"]
    told = values(state(**now))
    assert set(told) == set(described["channels"]["values"]["messages"])
    for name, value in told.items():
        payload = messages[name]["payload"]
        assert {*value, "at"} == set(payload["properties"]) == set(payload["required"])
        for field, it in value.items():
            wanted = payload["properties"][field]
            assert isinstance(it, KINDS[wanted["type"]]), (name, field)
            assert it in wanted.get("enum", [it])


def test_the_commands_that_are_described_are_those_that_are_known() -> None:
    described = json.loads((GOLDEN / "asyncapi.json").read_bytes())
    pause = described["components"]["messages"]["pause"]["payload"]["enum"]
    name = described["channels"]["pause"]["address"].rpartition("/set/")[2]
    assert [command(name, text, state()) for text in pause] == [Ruling("pause"), Ruling("go on")]
    name = described["channels"]["answer"]["address"].rpartition("/set/")[2]
    assert command(name, "It rolled.", state(question=ASKED)) == Decide(7, "reading 2")


# What Home Assistant takes (its `components/mqtt`: discovery.py, schemas.py, sensor.py,
# binary_sensor.py, switch.py); where more stands in a message, an entity is refused.
TOPIC = re.compile(r"\w+/[a-zA-Z0-9_-]+/[a-zA-Z0-9_-]+/config")
COMMON = {"name", "unique_id", "availability_topic", "device", "origin", "icon"}
COMMON |= {"json_attributes_topic", "state_topic", "value_template"}
OWN = {
    "sensor": set[str](),
    "binary_sensor": {"device_class"},
    "switch": {"command_topic"},
}
DEVICE = {"identifiers", "name", "manufacturer", "model", "sw_version"}


def test_home_assistant_takes_every_entity() -> None:
    made = dict(discovery("ha", "hexboard/n", "n", "My board", commands=True))
    assert made.pop("ha/binary_sensor/n/paused/config") == ""  # it shows the switch
    ids = set()
    for topic, text in made.items():
        prefix, _, rest = topic.partition("/")
        assert prefix == "ha"
        assert TOPIC.fullmatch(rest)
        entity, component = json.loads(text), rest.split("/")[0]
        assert set(entity) <= COMMON | OWN[component]
        assert {"state_topic", "unique_id", "availability_topic"} <= set(entity)
        assert set(entity["device"]) == DEVICE
        assert entity["device"]["identifiers"] == ["hexboard_n"]
        assert entity["origin"]["name"] == "hexboard"
        assert not [it for key, it in entity.items() if key.endswith("topic") and set(it) & {*"+#"}]
        ids.add(entity["unique_id"])
    assert len(ids) == len(made) == 8
    assert {json.loads(text)["state_topic"] for text in made.values()} == {
        f"hexboard/n/{name}" for name in values(state())
    }


def test_without_commands_the_switch_is_taken_away_and_without_a_prefix_nothing_is_told() -> None:
    told = dict(discovery("ha", "hexboard/n", "n", "My board", commands=False))
    assert told["ha/binary_sensor/n/paused/config"]
    assert told["ha/switch/n/paused/config"] == ""
    assert not list(discovery("", "hexboard/n", "n", "My board", commands=True))


@pytest.mark.long
@pytest.mark.foreign
@pytest.mark.skipif(sys.version_info >= (3, 13), reason="Home Assistant 2024.3: Python 3.11, 3.12")
def test_a_real_home_assistant_shows_a_board_and_pauses_its_game(
    site: Site, broker: Broker, begin: Begin, tmp_path: Path, stack: ExitStack
) -> None:
    broker.start()
    home = HomeAssistant(tmp_path / "home", broker.port, stack)
    home.start()
    mqtt = begin(commands=True)
    shown(site)
    sees = {
        "sensor.my_board_game": "HexAlma",
        "sensor.my_board_what_to_do": "White: move.",
        "sensor.my_board_whose_turn": "White",
        "sensor.my_board_points": "–",
        "sensor.my_board_question": "–",
        "sensor.my_board_last_ruling": "Black moves.",
        "binary_sensor.my_board_trouble": "off",
        "switch.my_board_pause": "off",
    }
    eventually(lambda: home.shown() == sees, every=0.5)
    assert home.attributes("sensor.my_board_what_to_do")["text"] == "playing"

    home.call("turn_on", "switch.my_board_pause")
    [pause] = eventually(lambda: site.taken)
    assert pause.asked == Ruling("pause")
    away = [{"source": "pico", "up": False, "why": "unplugged"}]
    told = [LINE | {"text": "It rolls on. " * 30}]
    shown(site, paused=True, question=ASKED, links=away, log=told)
    sees |= {
        "sensor.my_board_question": "Which?",
        "sensor.my_board_last_ruling": ("It rolls on. " * 30)[:255],
        "binary_sensor.my_board_trouble": "on",
        "switch.my_board_pause": "on",
    }
    eventually(lambda: home.shown() == sees, every=0.5)
    assert home.attributes("sensor.my_board_question")["choices"] == ["It rolled."]
    assert home.attributes("binary_sensor.my_board_trouble")["why"] == ["pico: unplugged"]

    home.kill()
    home.start()  # all was retained
    eventually(lambda: home.shown() == sees, every=0.5)
    mqtt.close()
    eventually(lambda: {*home.shown().values()} == {"unavailable"}, every=0.5)
    begin()  # which takes no commands
    del sees["switch.my_board_pause"]
    shown(site)
    sees |= {"sensor.my_board_question": "–", "sensor.my_board_last_ruling": "Black moves."}
    sees |= {"binary_sensor.my_board_trouble": "off", "binary_sensor.my_board_pause": "off"}
    eventually(lambda: home.shown() == sees, every=0.5)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('topic = "a/#"', "a/# is not the first part of an MQTT topic"),
        ('topic = ""', " is not the first part of an MQTT topic"),
        ('discovery = "/ha"', "/ha is not the first part of an MQTT topic"),
        ('host = "mqtt://pi"', "mqtt://pi is no computer's name or address"),
        (f'host = "{"a" * 64}"', "aaaa is no computer's name or address"),
        ("port = 0", "0 must lie between 1 and 65535"),
    ],
)
def test_what_no_broker_takes_is_refused_with_its_line(
    tmp_path: Path, line: str, told: str
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f"[mqtt]\n{line}\n", "utf-8")
    with pytest.raises(BadFile, match=re.escape(told)) as refused:
        load(file)
    assert "settings.toml:2: " in str(refused.value)
    file.write_text('[mqtt]\nhost = "fd00::7"\ntopic = "club/boards"\ndiscovery = ""\n', "utf-8")
    assert load(file).mqtt.topic == "club/boards"


def test_a_name_at_the_top_is_the_halls_too_unless_that_has_one_and_is_one_line(
    tmp_path: Path,
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('name = "Tisch 2"\n', "utf-8")
    assert (load(file).name, load(file).hub.name) == ("Tisch 2", "Tisch 2")
    file.write_text('name = "Tisch 2"\n[hub]\nname = "board-1"\n', "utf-8")
    assert load(file).hub.name == "board-1"
    for wrong in ("a\\nb", " a", "x" * 41):
        file.write_text(f'name = "{wrong}"\n', "utf-8")
        with pytest.raises(BadFile, match=r"settings\.toml:1: name: .* is no name for a board"):
            load(file)


# ------------------------------------------------------------------------------- a real broker


def test_a_broker_hears_each_change_once_and_who_comes_later_hears_what_is_so(
    site: Site, broker: Broker, begin: Begin
) -> None:
    broker.start()
    mqtt = begin()
    shown(site, at=1_800_000_000_000)
    turn = eventually(lambda: broker.told("turn"))
    assert json.loads(turn[0]) == {"text": "White", "seat": 1, "at": 1_800_000_000_000}
    shown(site, rev=2, at=1_800_000_000_500, log=[], active=-1)  # a card is dealt
    eventually(lambda: len(broker.told("ruling")) == 2)
    assert len(broker.told("turn")) == 1
    known = broker.retained()
    assert mqtt.base == f"hexboard/{reach.name()}-hexhex-5"
    assert known[f"{mqtt.base}/available"] == "online"
    assert json.loads(known[f"{mqtt.base}/phase"])["prompt"] == "White: move."
    assert len([topic for topic in known if topic.endswith("/config")]) == 8
    assert "the ace" not in str(broker.heard)
    mqtt.close()
    assert eventually(lambda: broker.told("available")[-1] == "offline")


def test_a_board_that_stops_leaves_no_name_on_the_broker(
    site: Site, broker: Broker, begin: Begin
) -> None:
    """Which keeps for ever what it was told last, also of a board that has another name now."""
    broker.start()
    mqtt = begin()
    log = [LINE | {"text": "Ann moves."}]
    told = {"prompt": "Ben: move.", "outcome": "Ann wins.", "notices": ["Ben looked."]}
    shown(site, seats=["Ann", "Ben"], log=log, question=ASKED, **told)
    eventually(lambda: broker.told("paused"))
    assert "Ann wins" in str(broker.retained())
    assert "Ben looked" in str(broker.retained())
    mqtt.close()
    eventually(lambda: len(broker.told("ruling")) == 2)
    kept = broker.retained()
    assert kept[f"{mqtt.base}/available"] == "offline"
    assert json.loads(kept[f"{mqtt.base}/game"])["text"] == "HexAlma"
    assert json.loads(kept[f"{mqtt.base}/turn"])["seat"] == -1
    assert not [it for it in ("Ann", "Ben", "Which?") if it in str(kept)]


@pytest.mark.long
def test_a_board_that_is_cut_off_is_away_and_then_back_with_all_it_told(
    site: Site, broker: Broker, begin: Begin
) -> None:
    broker.start()
    mqtt = begin()
    shown(site)
    eventually(lambda: broker.told("paused"))
    wire: Any = mqtt._client and mqtt._client.socket()
    wire.shutdown(socket.SHUT_RDWR)  # as a cable does: nothing is said
    eventually(lambda: broker.told("available") == ["online", "offline", "online"])
    eventually(lambda: len(broker.told("turn")) == 2)


@pytest.mark.long
def test_a_broker_that_comes_late_hears_the_newest_and_people_were_told(
    site: Site, broker: Broker, begin: Begin
) -> None:
    said: list[str] = []
    begin(said)
    shown(site)
    shown(site, active=0)
    [told] = eventually(lambda: said)
    assert told == (
        f"The MQTT broker at 127.0.0.1:{broker.port} is not there (no program listens there: see "
        "that it runs, and that the port is right). It is tried again; the game goes on without."
    )
    broker.start()
    assert json.loads(eventually(lambda: broker.told("turn"))[0])["text"] == "Black"


def test_a_broker_whose_certificate_nobody_signed_is_told_as_that(
    tmp_path: Path, stack: ExitStack, begin: Begin
) -> None:
    """Not as one that does not answer."""
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(*certificate(tmp_path, "broker"))
    listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    said: list[str] = []
    begin(said, port=listener.getsockname()[1], tls=True)
    with suppress(OSError), tls.wrap_socket(listener.accept()[0], server_side=True):
        pass
    assert (
        "(this computer trusts nobody who has signed its certificate. "
        in eventually(lambda: said)[0]
    )
    gc.collect()  # a socket that was left open would be told of


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (socket.gaierror(socket.EAI_NONAME, ""), "no computer of that name is known: "),
        (socket.gaierror(socket.EAI_AGAIN, ""), "no server for names answers: "),
        (TimeoutError(), "it does not answer"),
    ],
)
def test_a_broker_that_is_away_is_so_for_a_reason(error: OSError, why: str) -> None:
    told = away(error)
    assert isinstance(told, Message)
    assert say(told).startswith(why)


def test_a_broker_that_never_reads_holds_nobody_up(
    site: Site, stack: ExitStack, begin: Begin
) -> None:
    listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    mqtt = begin(port=listener.getsockname()[1])
    wire = stack.enter_context(listener.accept()[0])
    wire.recv(1024)
    wire.sendall(b"\x20\x02\x00\x00")  # CONNACK, and not a byte more is taken
    eventually(lambda: mqtt._up)
    with site.page() as page:
        for rev in range(50):
            shown(site, rev=rev, prompt="x" * 100_000 + str(rev))
        site.server.publish("last", b'{"type":"last"}')
        while heard(page).get("type") != "last":
            pass


@pytest.mark.long
def test_a_broker_that_lets_nobody_in_is_said_once_however_often_it_is_tried(
    stack: ExitStack, begin: Begin
) -> None:
    listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    said: list[str] = []
    begin(said, port=listener.getsockname()[1], user="me", password="wrong")
    for _ in range(3):
        with listener.accept()[0] as wire:
            wire.recv(1024)
            wire.sendall(b"\x20\x02\x00\x05")  # CONNACK: not authorized
            assert wire.recv(1024) == b""
    assert len(said) == 1
    assert "(Not authorized)" in said[0]


# ------------------------------------------------------------------------------- one name


def said_to(boards: list[NameClaim], now: float, *texts: str) -> None:
    """All that is said, and each answer, is heard by all of them, in one order."""
    heard = list(texts)
    while heard:
        text = heard.pop(0)
        heard += [answer for it in boards if (answer := it.heard(text, now))]


def test_who_has_a_name_keeps_it_and_another_one_has_it_once_nobody_answers() -> None:
    for _ in range(9):  # whatever their ids are
        first, second = boards = [NameClaim(), NameClaim()]
        said_to([first], 0, first.ask(0))
        assert not first.turn(1)
        assert (first.held, first.other) == (True, False)
        said_to(boards, 2, second.ask(2))
        assert not second.turn(10)
        assert (first.held, second.held, second.other) == (True, False, True)
        assert second.turn(32)  # 30 s after it was told
        said_to([second], 40, second.ask(40))
        assert not second.turn(41)
        assert (second.held, second.other) == (True, False)


@pytest.mark.parametrize("late", [False, True], ids=["at once", "the second hears not the first"])
def test_of_two_that_ask_at_once_one_has_the_name(late: bool) -> None:
    for _ in range(9):
        first, second = boards = [NameClaim(), NameClaim()]
        asked = first.ask(0.0)
        if not late:
            second.ask(0.0)
            said_to(boards, 0.1, asked)
        said_to(boards, 0.1, second.ask(0.1))
        for it in boards:
            it.turn(2)
        assert sorted((it.held, it.other) for it in boards) == [(False, True), (True, False)]


def test_two_that_had_the_name_apart_agree_once_they_hear_each_other() -> None:
    boards = [NameClaim(), NameClaim()]
    for it in boards:
        it.ask(0)
        it.turn(1)
    said_to(boards, 5, f"held {boards[0].id}", "held", "else 1", "asked")
    assert sorted((it.held, it.other) for it in boards) == [(False, True), (True, False)]


@pytest.fixture
def others(stack: ExitStack) -> list[Site]:
    """Two boards more."""
    sites = [Site(), Site()]
    for it in sites:
        stack.callback(it.server.close)
    return sites


def test_a_second_board_of_one_name_tells_nothing_says_why_and_neither_is_thrown_out(
    site: Site,
    others: list[Site],
    broker: Broker,
    begin: Begin,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(claim, "AGAIN_S", 0.5)
    broker.start()
    said: list[str] = []
    first = begin(commands=True)
    shown(site)
    eventually(lambda: broker.told("turn"))
    second = begin(said, at=others[0], commands=True)
    shown(others[0])
    [why] = eventually(lambda: said)
    assert why == (
        f"Another board tells the broker at 127.0.0.1:{broker.port} by the name {first.node} "
        "already: this one tells it nothing and takes no commands from it. "
        "Give one of them another `name` in its settings."
    )
    shown(site, active=0)
    eventually(lambda: len(broker.told("turn")) == 2)
    broker.client.publish(f"{first.base}/set/paused", "ON")
    eventually(lambda: site.taken)
    wire: Any = second._client and second._client.socket()
    wire.shutdown(socket.SHUT_RDWR)  # the broker takes it for the end of the board
    eventually(lambda: "offline" in broker.told("available"))
    eventually(lambda: broker.told("available")[-1] == "online")
    first.close()
    eventually(lambda: len(broker.told("turn")) == 4)  # no name, and then the other board's
    assert len(site.taken) == 1
    assert not others[0].taken
    assert len(said) <= 3  # that it was cut off, too


def test_boards_of_other_names_or_topics_are_others_to_a_broker_and_home_assistant(
    site: Site, others: list[Site], broker: Broker, begin: Begin
) -> None:
    broker.start()
    boards = [begin(), begin(called="Table 2", at=others[0])]
    boards.append(begin(topic="club/boards", at=others[1]))
    for it in (site, *others):
        shown(it, board="Five hexes a side")
    eventually(lambda: len(broker.told("turn")) == 3)
    eventually(lambda: len({it for it in broker.retained() if it.endswith("/config")}) == 24)
    known = broker.retained()
    devices = [json.loads(text)["device"] for it, text in known.items() if it.endswith("/config")]
    ids = {it["identifiers"][0]: it["name"] for it in devices}
    node = f"{reach.name()}-hexhex-5"
    assert ids == {
        f"hexboard_{node}": "Five hexes a side",
        "hexboard_Table-2": "Table 2",
        f"hexboard_club-boards-{node}": "Five hexes a side",
    }
    bases = {f"hexboard/{node}", "hexboard/Table-2", f"club/boards/{node}"}
    assert {it.base for it in boards} == bases


# ------------------------------------------------------------------------------- commands


def test_commands_are_what_the_host_says_and_refusals_are_told(
    site: Site, broker: Broker, begin: Begin
) -> None:
    broker.start()
    mqtt = begin(commands=True)
    shown(site, question=ASKED)
    eventually(lambda: broker.told("paused"))
    broker.client.publish(f"{mqtt.base}/set/paused", "ON")
    broker.client.publish(f"{mqtt.base}/set/answer", "It rolled.")
    eventually(lambda: len(site.taken) == 2)
    assert [it.asked for it in site.taken] == [Ruling("pause"), Decide(7, "reading 2")]
    assert all(it.key.host and it.key.name == "MQTT" for it in site.taken)
    broker.client.publish(f"{mqtt.base}/set/answer", "no")
    assert eventually(lambda: broker.told("refused")) == ["no is none of the answers: It rolled.."]
    site.server.answer("mqtt", message("web.too_fast"))
    assert eventually(lambda: broker.told("refused")[1:]) == [say(message("web.too_fast"))]


def test_what_was_retained_is_no_command_and_without_the_setting_nothing_is(
    site: Site, broker: Broker, begin: Begin
) -> None:
    broker.start()
    topic = f"hexboard/{reach.name()}-hexhex-5/set/paused"
    broker.client.publish(topic, "ON", qos=1, retain=True)
    eventually(lambda: broker.told("set/paused"))
    mqtt = begin(commands=True)
    shown(site)
    eventually(lambda: broker.told("paused")[1:])
    broker.client.publish(topic, "OFF")
    eventually(lambda: site.taken)
    mqtt.close()
    assert [it.asked for it in site.taken] == [Ruling("go on")]
    begin()
    eventually(lambda: len(broker.told("turn")) == 3)  # else the next state is all that it tells
    broker.client.publish(topic, "ON", qos=1)
    eventually(lambda: len(broker.told("set/paused")) == 3)
    shown(site, active=0)
    eventually(lambda: len(broker.told("turn")) == 4)
    assert len(site.taken) == 1


@pytest.mark.parametrize(
    ("name", "text", "key"),
    [
        ("paused", "yes", "broker.no_command"),
        ("power", "ON", "broker.no_command"),
        ("answer", "It rolled.", "broker.not_asked"),
    ],
)
def test_what_is_no_command_is_refused_with_a_reason(name: str, text: str, key: str) -> None:
    told = command(name, text, state())
    assert isinstance(told, Message)
    assert told.key == key


@pytest.mark.long
def test_a_board_that_runs_tells_a_broker_and_is_away_once_it_is_killed(
    broker: Broker, home: Path, start: Callable[..., Any]
) -> None:
    broker.start()
    home.mkdir(exist_ok=True)
    (home / "settings.toml").write_text(
        f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\n', "utf-8"
    )
    running = start()
    told = eventually(lambda: broker.told("game"))
    assert json.loads(told[0])["text"] == "Hextraction"
    running.process.kill()
    assert eventually(lambda: broker.told("available")[-1:] == ["offline"])

"""Settings: what a person may set once for a board."""

import re
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from msgspec import Struct, field
from msgspec.structs import replace

from hexboard.files import Source, keep, read, refuse
from hexboard.lights.frame import LightSettings as Lights
from hexboard.lights.frame import is_night

ORIGIN = re.compile(r"https?://[\w.\-\[\]:]+")

ADDRESS = re.compile(r"https?://([\w.\-]+|\[[\da-f:.]+\])(:\d{1,5})?([/?][!-~]*)?", re.I | re.A)
HOST = re.compile(r"[\w.\-]*|[\da-f:]+", re.I)
SCHEME = re.compile(r"[a-z]+://", re.I)
AFTER = re.compile(r"[/?#\\]")
"""What ends a computer's name in an address."""
LONGEST_NAME = 40
"""Letters of what a board is called."""
TOPIC = re.compile(r"[\w\-]+(/[\w\-]+)*")
"""The first parts of a topic: none of MQTT's wildcards in them."""
HUB = re.compile(r"(nats|tls|ws|wss)://([\w.\-]+|\[[\da-f:.]+\])(:\d{1,5})?", re.I | re.A)


class LinkSettings(Struct, frozen=True, forbid_unknown_fields=True):
    port: str = "auto"


class CameraSettings(Struct, frozen=True, forbid_unknown_fields=True):
    source: str = ""


class WebSettings(Struct, frozen=True, forbid_unknown_fields=True):
    port: int = 8765
    lan: bool = False
    names: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    certificate: str = ""
    key: str = ""


class MqttSettings(Struct, frozen=True, forbid_unknown_fields=True):
    host: str = ""
    port: int = 1883
    user: str = ""
    password: str = ""
    tls: bool = False
    topic: str = "hexboard"
    discovery: str = "homeassistant"
    commands: bool = False


Event = Literal["match", "ruling", "turn", "question", "over", "paused", "health"]
"""What an address may be told of (`hexboard.daemon.webhooks.happened`)."""


class WebhookSettings(Struct, frozen=True, forbid_unknown_fields=True):
    urls: tuple[str, ...] = ()
    events: tuple[Event, ...] = ("match", "ruling", "turn", "question", "over", "health")
    secret: str = ""


class HubSettings(Struct, frozen=True, forbid_unknown_fields=True):
    url: str = ""
    name: str = ""
    key: str = ""
    ca: str = ""
    starts: bool = False


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings file, `settings.toml`."""

    board: str = "hextraction-22"
    name: str = ""
    game: str = ""
    language: str = ""
    options: dict[str, int | bool | str] = {}
    settle_ms: int = 1500
    away_ms: int = 1500
    takeback: Literal["free", "agreed", "host"] = "free"
    clock: str = ""
    recordings_gb: int = 8
    recordings_days: int = 0
    link: LinkSettings = field(default_factory=LinkSettings)
    camera: CameraSettings = field(default_factory=CameraSettings)
    web: WebSettings = field(default_factory=WebSettings)
    mqtt: MqttSettings = field(default_factory=MqttSettings)
    webhooks: WebhookSettings = field(default_factory=WebhookSettings)
    hub: HubSettings = field(default_factory=HubSettings)
    lights: Lights = field(default_factory=Lights)


def is_name(name: str) -> bool:
    """Whether a board may be called so; "" for no name of its own."""
    return name == name.strip() and name.isprintable() and len(name) <= LONGEST_NAME


def is_host(host: str) -> bool:
    """Whether a computer may be called so; an address is taken too, and "" for none."""
    try:
        return HOST.fullmatch(host) is not None and bool(host.encode("idna") or not host)
    except UnicodeError:  # a part of it is longer than 63 letters
        return False


def is_address(url: str) -> bool:
    """Whether something can be posted there."""
    try:
        return ADDRESS.fullmatch(url) is not None and urlsplit(url).port != 0
    except ValueError:  # no such port
        return False


def shown(url: str) -> str:
    """An address as it may be printed: its computer. What stands before that is a name and a
    password, what comes after it may be secret; all is, where the two cannot be told apart.

    >>> shown("https://me:secret@example.org/hook"), shown("nats://hall:4222"), shown("a://b/c@d")
    ('https://…@example.org/…', 'nats://hall:4222', 'a://…')
    """
    scheme = SCHEME.match(url)
    begin = scheme[0] if scheme else ""
    before, at, rest = url[len(begin) :].rpartition("@")
    if AFTER.search(before):
        return f"{begin}…"
    host = AFTER.split(rest, 1)[0]
    return f"{begin}{'…@' if at else ''}{host[:80]}{'/…' if host != rest else ''}"


EXAMPLE = """\
# Settings of hexboard. Every line is optional; what stands here are the defaults.

# Which board: a name (`hexboard show` lists them) or the path of a board file.
board = "hextraction-22"

# What others call this board: a hall, a broker, webhooks. Boards of one kind on computers of one
# name need a name each; "" this computer and the board.
name = ""

# Which game: "" takes the one that the board is for (`hexboard help` lists them).
game = ""

# What hexboard speaks: "en", "de", or your own locale/xx.toml beside this file; "" what this
# computer speaks. A phone's page speaks what that phone's browser does.
language = ""

# A roll is over when no sensor has seen a ball for this long, in milliseconds.
settle_ms = 1500

# A board that no move explains is called wrong when no hand was over it for this long, in
# milliseconds (games with pieces and a camera).
away_ms = 1500

# Who has to agree before a move is taken back: "free" nobody, "agreed" every other seat, "host" the
# host. Behind a card or a throw that somebody has seen it is never nobody.
takeback = "free"

# The time of each side: "10" minutes, or "10+5" with seconds that each turn adds; "" for no clock.
clock = ""

# When all recordings take more than so many GB, those of the oldest matches are deleted as a match
# begins. What you put into a folder inside recordings/ stays for ever.
recordings_gb = 8

# Recordings of matches that ended more than so many days ago are deleted then too; 0 keeps them
# however old they are. The ten latest matches, and those that go on, are never too old.
recordings_days = 0

[options]                   # of the game; `hexboard help GAME` lists them
# seats = 2

[link]
# Where the Pico is: "auto" finds it on USB, or name its port ("/dev/ttyACM0",
# "COM3") or its USB serial number.
port = "auto"

[camera]
# The camera over the board: "/dev/video0", "rpicam" (the Pi's own) or the http://… address of
# an MJPEG stream; "" for none.
source = ""

[web]
port = 8765
# true: phones in the same network can reach the page. Nobody gets in without a link or an
# invitation (docs/phones.md).
lan = false
names = []                  # more names of this computer: of a proxy or a tunnel before it
origins = []                # where a proxy shows the page: "https://homeassistant.local:8123"
certificate = ""            # PEM files for https; "" for plain http
key = ""

[mqtt]
# A broker that is told what everybody may know, so that Home Assistant shows it (docs/open.md): its
# name or address; "" for none.
host = ""
port = 1883                 # with tls usually 8883
user = ""
password = ""
tls = false
topic = "hexboard"          # the first part of each topic
discovery = "homeassistant" # Home Assistant's prefix; "" tells it nothing
commands = false            # true: who may publish there answers questions and stops the game

[webhooks]
urls = []                   # where what happens is posted (docs/open.md): "https://example.org/hook"
# Of all there is: "match", "ruling", "turn", "question", "over", "paused", "health".
events = ["match", "ruling", "turn", "question", "over", "health"]
secret = ""                 # what each post is signed with; "": not at all

[hub]
# A hall's NATS, which is told what everybody may know, so that its wall shows this board
# (docs/hall.md): "nats://hall.local:4222", or tls://…; "" for none.
url = ""
name = ""                   # what the hall calls this board; "" as above
key = ""                    # the file of its NKey (or .creds)
ca = ""                     # with tls://: the PEM file of who signed the hall's certificate
starts = false              # true: the hub may begin a game here, where none goes on

[lights]
brightness = 30             # per cent of full
calm = false                # true: nothing blinks or fades
night = []                  # ["22:00", "07:00"]: by this computer's clock; [] for never
night_brightness = 5        # per cent of full, at night
gamma = 2.2
white = [255, 224, 192]     # what the strip needs to look white: red, green, blue
"""


def save(path: Path, text: str) -> None:
    """Write settings, whole or not at all; only their owner may read them, for they may hold
    passwords. A link to them stays one. Raises `OSError`."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    keep(path, text.encode())


def load(path: Path) -> Settings:
    """The settings in a file, or the defaults when there is none. Raises `BadFile`."""
    if not (path.exists() or path.is_symlink()):
        return Settings()
    source = Source(path)
    settings, mistakes = read(source, Settings)
    refuse(source, mistakes)
    assert settings is not None
    ranges = (
        ("settle_ms", settings.settle_ms, 100, 60_000),
        ("away_ms", settings.away_ms, 100, 60_000),
        ("recordings_gb", settings.recordings_gb, 1, 100_000),
        ("recordings_days", settings.recordings_days, 0, 100_000),
        ("web.port", settings.web.port, 0, 65_535),
        ("mqtt.port", settings.mqtt.port, 1, 65_535),
        ("lights.brightness", settings.lights.brightness, 0, 100),
        ("lights.night_brightness", settings.lights.night_brightness, 0, 100),
        ("lights.gamma", settings.lights.gamma, 1, 4),
        ("lights.white", min(settings.lights.white), 0, 255),
        ("lights.white", max(settings.lights.white), 0, 255),
    )
    for key, value, least, most in ranges:
        if not least <= value <= most:
            at = tuple(key.split("."))
            mistakes.append(
                source.mistake("settings.range", at, value=str(value), least=least, most=most)
            )
    if settings.web.key and not settings.web.certificate:
        mistakes.append(source.mistake("settings.key_alone", ("web", "key")))
    for origin in settings.web.origins:
        if not ORIGIN.fullmatch(origin):
            told = source.mistake("settings.origin", ("web", "origins"), value=shown(origin))
            mistakes.append(told)
    for url in settings.webhooks.urls:
        if not is_address(url):
            told = source.mistake("settings.address", ("webhooks", "urls"), value=shown(url))
            mistakes.append(told)
    if settings.hub.url and not HUB.fullmatch(settings.hub.url):
        told = source.mistake("settings.hub", ("hub", "url"), value=shown(settings.hub.url))
        mistakes.append(told)
    if not is_host(settings.mqtt.host):
        told = source.mistake("settings.host", ("mqtt", "host"), value=shown(settings.mqtt.host))
        mistakes.append(told)
    for key, topic in (("topic", settings.mqtt.topic), ("discovery", settings.mqtt.discovery)):
        if not TOPIC.fullmatch(topic) and (topic or key == "topic"):
            told = source.mistake("settings.topic", ("mqtt", key), value=topic[:80])
            mistakes.append(told)
    try:
        is_night(settings.lights.night, 0)
    except ValueError:
        mistakes.append(source.mistake("settings.night", ("lights", "night")))
    if not is_name(settings.name):
        named = "".join(it if it.isprintable() else "\ufffd" for it in settings.name)
        told = source.mistake("settings.name", ("name",), value=named[:80], most=LONGEST_NAME)
        mistakes.append(told)
    refuse(source, mistakes)
    return replace(settings, hub=replace(settings.hub, name=settings.hub.name or settings.name))

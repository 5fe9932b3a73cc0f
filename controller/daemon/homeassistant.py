"""Home Assistant's MQTT discovery: which entities a board has, so that nobody need write them down.

https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery: a retained message at
`PREFIX/COMPONENT/NODE/OBJECT/config` makes an entity, an empty one there takes it away.
"""

from collections.abc import Iterator

import msgspec

from hexboard import __version__
from hexboard.words import Message, message, say

LONGEST = 255
"""Letters of a state that Home Assistant keeps."""
NOTHING = "–"
"""What is shown where there is no text, such as no question."""
SENSORS = (
    ("game", "text", "mdi:hexagon-multiple", message("broker.game")),
    ("phase", "prompt", "mdi:progress-clock", message("broker.prompt")),
    ("turn", "text", "mdi:account-arrow-right", message("broker.turn")),
    ("scores", "text", "mdi:counter", message("broker.scores")),
    ("question", "text", "mdi:help-circle", message("broker.question")),
    ("ruling", "text", "mdi:gavel", message("broker.ruling")),
)
"""The part of a topic, the field of its value that is shown, a picture, the sensor's name."""
HEALTH, PAUSED = message("broker.health"), message("broker.paused")


def discovery(
    prefix: str, base: str, node: str, title: str, commands: bool
) -> Iterator[tuple[str, str]]:
    """Topics and what is retained there, named in the language that is spoken: of the board called
    `title`, whose values are told below the topic `base`. The pause is a switch where it takes
    `commands`, else a sensor, never both. Nothing with an empty prefix."""
    if not prefix:
        return
    device = {
        "identifiers": [f"hexboard_{node}"],
        "name": title,
        "manufacturer": "hexboard",
        "model": node,
        "sw_version": __version__,
    }

    def entity(component: str, name: str, called: Message, **own: str) -> tuple[str, str]:
        about = {
            "name": say(called),
            "unique_id": f"hexboard_{node}_{component}_{name}",
            "state_topic": f"{base}/{name}",
            "availability_topic": f"{base}/available",
            "device": device,
            "origin": {"name": "hexboard", "sw_version": __version__},
        }
        return _topic(prefix, component, node, name), msgspec.json.encode(about | own).decode()

    for name, field, icon, called in SENSORS:
        yield entity(
            *("sensor", name, called),
            icon=icon,
            value_template=f"{{{{ (value_json.{field} or '{NOTHING}')[:{LONGEST}] }}}}",
            json_attributes_topic=f"{base}/{name}",
        )
    plain = "{{ value_json.text }}"
    yield entity(
        *("binary_sensor", "health", HEALTH),
        device_class="problem",
        value_template=plain,
        json_attributes_topic=f"{base}/health",
    )
    sensor = entity("binary_sensor", "paused", PAUSED, value_template=plain)
    to = {"command_topic": f"{base}/set/paused", "value_template": plain}
    switch = entity("switch", "paused", PAUSED, **to)
    shown, other = (switch, sensor) if commands else (sensor, switch)
    yield from (shown, (other[0], ""))


def _topic(prefix: str, component: str, node: str, name: str) -> str:
    return f"{prefix}/{component}/{node}/{name}/config"

"""Where the hall is."""

from pathlib import Path
from typing import TYPE_CHECKING

from hexboard.commands.spoken import wrong

if TYPE_CHECKING:
    from hexboard.settings import HubSettings

NATS_PORT = 4222
NATS = f"nats://127.0.0.1:{NATS_PORT}"


def hall_of(home: Path, nats: str | None) -> "HubSettings":
    """The hall that was named, else the one in the settings, else one on this computer; with the
    settings' key. Raises `UsageError` for what is no address."""
    from hexboard import settings
    from hexboard.settings import HUB, HubSettings

    if nats is not None and not HUB.fullmatch(nats):
        raise wrong("{nats} is no address: nats://COMPUTER:4222", nats=settings.shown(nats))
    chosen = settings.load(home / "settings.toml").hub
    return HubSettings(nats or chosen.url or NATS, "", chosen.key, chosen.ca)

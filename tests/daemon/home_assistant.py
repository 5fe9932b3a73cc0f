"""A Home Assistant of its own for a test: `tests/foreign/homeassistant.txt` in a venv, with an
account, and a broker as its one device."""

import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from tests.running import eventually, free_port

LOCK = Path(__file__).parents[1] / "foreign" / "homeassistant.txt"
ENTRY = {
    "entry_id": "broker",
    "version": 1,
    "minor_version": 1,
    "domain": "mqtt",
    "title": "broker",
    "options": {},
    "pref_disable_new_entities": False,
    "pref_disable_polling": False,
    "source": "user",
    "unique_id": None,
    "disabled_by": None,
}
"""What Home Assistant keeps of a broker that somebody has told it of."""


class HomeAssistant:
    """One in `folder` that knows the broker at port `broker`; `start` it."""

    def __init__(self, folder: Path, broker: int, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self._python = folder / "venv" / "bin" / "python"
        self._token = ""
        uv = Path(sys.executable).with_name("uv")
        self._call(uv, "venv", "--quiet", "--python", sys.executable, folder / "venv")
        self._call(uv, "pip", "install", "--quiet", "--python", self._python, "-r", LOCK)
        self._home = folder / "home"
        (self._home / ".storage").mkdir(parents=True)
        data = {"broker": "127.0.0.1", "port": broker, "discovery": True}
        kept = {"version": 1, "minor_version": 1, "key": "core.config_entries"}
        kept["data"] = {"entries": [ENTRY | {"data": data}]}
        (self._home / ".storage" / "core.config_entries").write_text(json.dumps(kept), "utf-8")
        account = ("--script", "auth", "-c", self._home, "add", "me", "secret")
        self._call(self._python, "-m", "homeassistant", *account)

    def _call(self, *command: str | Path) -> None:
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self) -> None:
        """Wait until it answers to its account."""
        port = free_port()
        self.here = f"http://127.0.0.1:{port}"
        (self._home / "configuration.yaml").write_text(
            f"api:\nhttp:\n  server_host: 127.0.0.1\n  server_port: {port}\n", "utf-8"
        )
        log = self._stack.enter_context((self._folder / "log.txt").open("ab"))
        self._process = subprocess.Popen(
            (self._python, "-m", "homeassistant", "-c", self._home, "--skip-pip"),
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        self._stack.callback(self.kill)
        eventually(self._entered, every=0.5)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def _entered(self) -> bool:
        """Log in, as its own page does (developers.home-assistant.io/docs/auth_api)."""
        assert self._process.poll() is None, (self._folder / "log.txt").read_text("utf-8")
        who = {"client_id": self.here + "/"}
        to = {"handler": ["homeassistant", None], "redirect_uri": self.here + "/"}
        try:
            flow = self._ask("/auth/login_flow", json.dumps(who | to))["flow_id"]
        except OSError:  # it does not listen yet, or that part of it is still to come
            return False
        account = {"username": "me", "password": "secret"}
        code = self._ask(f"/auth/login_flow/{flow}", json.dumps(who | account))["result"]
        form = urlencode(who | {"grant_type": "authorization_code", "code": code})
        self._token = self._ask("/auth/token", form)["access_token"]
        return True

    def _ask(self, path: str, text: str | None = None) -> Any:
        request = Request(self.here + path, text.encode() if text else None)
        if self._token:
            request.add_header("Authorization", f"Bearer {self._token}")
        with urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def shown(self) -> dict[str, str]:
        """The state of each entity of a device that came over the broker, by its id."""
        return {
            it["entity_id"]: it["state"]
            for it in self._ask("/api/states")
            if it["entity_id"] != "zone.home"
        }

    def attributes(self, entity: str) -> dict[str, Any]:
        found: dict[str, Any] = self._ask(f"/api/states/{entity}")["attributes"]
        return found

    def call(self, service: str, entity: str) -> None:
        """Do what a person does with a switch on its page: `call("turn_on", "switch.lamp")`."""
        path = f"/api/services/{entity.partition('.')[0]}/{service}"
        self._ask(path, json.dumps({"entity_id": entity}))

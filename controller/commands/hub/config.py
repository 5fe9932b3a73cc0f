"""A hall's configuration: a key for each board, what each may tell, and TLS.

    FOLDER/nats-server.conf    for `nats-server -c`
    FOLDER/settings.toml       for `hexboard --home FOLDER hub`
    FOLDER/NAME.nk             a board's key, for its computer alone
    FOLDER/hall.pem, hall.key  the certificate, which boards are to know the server by, and its key

What is there stays: more boards can be named later. docs/hall.md, "Who may tell what".
"""

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from hexboard.daemon.hall.hub import known_as
from hexboard.daemon.hall.starting import START
from hexboard.daemon.hall.wire import NOW, SUBJECTS, TOLD, node
from hexboard.files import keep
from hexboard.words.errors import BadText, HexboardError

HUB = "hub"
"""Whose key reads everything and makes the streams."""
DAYS = 3650
"""So long the certificate counts."""
CONFIG = """\
# Written by `hexboard hub --config`; say it again to name more boards.
listen: "0.0.0.0:{port}"
max_payload: 1MB
jetstream {{ store_dir: {store} }}
tls {{ cert_file: {pem}, key_file: {key} }}
authorization {{ users: [
{users}
] }}
"""
BOARD = """\
  # {name}
  {{ nkey: {key}, permissions: {{
    publish: [{told}, {now}, "$JS.API.STREAM.INFO.*", "$JS.API.STREAM.MSG.GET.{stream}"]
    subscribe: ["_INBOX.>", "{start}.{name}"], allow_responses: true }} }}"""
WALL = """\
  # the hub
  {{ nkey: {key}, permissions: {{
    publish: ["$JS.API.>", "$JS.FC.>", "{start}.*"], subscribe: ["_INBOX.>"] }} }}"""
SETTINGS = """\
[hub]
url = "tls://127.0.0.1:{port}"
key = {key}
ca = {pem}
"""


def configure(folder: Path, boards: Iterable[str], port: int) -> tuple[str, list[str]]:
    """Write all that for these boards and those that are named there already; the address that
    boards are to be given, and their names. Raises `BadText` for a name that cannot be one,
    `HexboardError` where a certificate cannot be made."""
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    for name in boards:
        if node(name) != name or not name or name == HUB:
            raise BadText("hub.no_name", name=name)
        _key(folder / f"{name}.nk")
    hub = folder / f"{HUB}.nk"
    names = sorted(path.stem for path in folder.glob("*.nk") if path != hub)
    users = [WALL.format(key=_key(hub), start=START)]
    users += [_board(name, _key(folder / f"{name}.nk")) for name in names]
    pem, key = _certificate(folder)
    text = CONFIG.format(
        port=port,
        store=_quoted(folder / "store"),
        pem=_quoted(pem),
        key=_quoted(key),
        users="\n".join(users),
    )
    keep(folder / "nats-server.conf", text.encode())
    settings = SETTINGS.format(port=port, key=_quoted(hub), pem=_quoted(pem))
    keep(folder / "settings.toml", settings.encode())
    return f"tls://{known_as()[0]}.local:{port}", names


def _board(name: str, key: str) -> str:
    told, now = (f'"{SUBJECTS[stream]}.{name}"' for stream in (TOLD, NOW))
    return BOARD.format(name=name, key=key, told=told, now=now, stream=TOLD, start=START)


def _key(path: Path) -> str:
    """The public half of the key that is kept there; made where there is none."""
    try:
        import nkeys  # an extra
    except ImportError:
        raise HexboardError("hub.not_installed") from None
    if not path.exists():
        keep(path, bytes(nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER)) + b"\n")
    try:
        return str(nkeys.from_seed(bytearray(path.read_bytes().strip())).public_key.decode())
    except Exception as error:  # whatever the library says of a file that is none
        raise BadText("hub.no_key", file=str(path)) from error


def _certificate(folder: Path) -> tuple[Path, Path]:
    """The certificate and its key; made, signed by itself, where there is none."""
    pem, key = folder / "hall.pem", folder / "hall.key"
    if pem.exists() and key.exists():
        return pem, key
    program = shutil.which("openssl")
    if program is None:
        raise HexboardError("hub.no_openssl", file=str(pem))
    name, address = known_as()
    hosts = ["DNS:localhost", f"DNS:{name}", f"DNS:{name}.local", "IP:127.0.0.1"]
    if address[:1].isdecimal():
        hosts.append(f"IP:{address}")
    how = ("-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    who = ("-days", str(DAYS), "-subj", f"/CN={name[:64]}")
    which = ("-addext", f"subjectAltName={','.join(hosts)}", "-keyout", str(key), "-out", str(pem))
    made = subprocess.run(
        [program, "req", *how, *who, *which], capture_output=True, umask=0o077, check=False
    )
    if made.returncode:
        raise HexboardError("hub.no_openssl", file=str(pem))
    return pem, key


def _quoted(path: Path) -> str:
    return f'"{path}"'

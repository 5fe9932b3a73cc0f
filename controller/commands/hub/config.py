"""A hall's configuration: a key for each board, what each may tell, and TLS.

    FOLDER/nats-server.conf      for `nats-server -c`; people edit it
    FOLDER/hall.conf             what that includes: keys, rights, certificate; written each time
    FOLDER/settings.toml         for `hexboard --home FOLDER hub`; people edit it
    FOLDER/NAME.nk               a board's key, for its computer alone
    FOLDER/hall.pem, hall.key    who vouches for the server, which boards are to know, and the key
    FOLDER/server.pem, server.key    the server's certificate, for this computer's names and address

What is there stays: more boards can be named later, and the folder goes to another computer.
docs/hall.md, "Who may tell what".
"""

import contextlib
import ipaddress
import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from hexboard.daemon import clock
from hexboard.daemon.hall.hub import known_as
from hexboard.daemon.hall.starting import START
from hexboard.daemon.hall.wire import NOW, SUBJECTS, TOLD, node
from hexboard.daemon.lapse import untimely
from hexboard.files import keep
from hexboard.settings import load
from hexboard.words import Message, message
from hexboard.words.errors import BadFile, BadText, HexboardError

HUB = "hub"
"""Whose key reads everything and makes the streams."""
CA = """\
[req]
distinguished_name = whoever
[ca]
default_ca = hall
[hall]
database = index
new_certs_dir = .
default_md = sha256
policy = whoever
rand_serial = yes
default_startdate = 20000101000000Z
default_enddate = 99991231235959Z
[whoever]
organizationName = optional
commonName = optional
"""
"""For `openssl`. Certificates count by any clock: a Pi's may be behind by years. That end stands
for none (RFC 5280, 4.1.2.5)."""
VOUCHES = """\
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
"""
SERVES = """\
basicConstraints = critical, CA:FALSE
authorityKeyIdentifier = keyid
extendedKeyUsage = serverAuth
subjectAltName = {names}
"""
SERVER = """\
# For `nats-server -c`. What you write here stays; boards and keys come from hall.conf.
include "hall.conf"
listen: "0.0.0.0:{port}"
max_payload: 1MB
jetstream {{ store_dir: $HALL_STORE }}
"""
CONFIG = """\
# Written by `hexboard hub --config`, anew each time: write into nats-server.conf instead.
HALL_STORE: {store}
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


def configure(
    folder: Path, boards: Iterable[str], port: int
) -> tuple[str, list[str], list[Message]]:
    """Write all that for these boards and those that are named there already; the address that
    boards are to be given, their names, and what people should know. Raises `BadText` for a name
    that cannot be one, `HexboardError` where a certificate cannot be made."""
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
    server, notes = _certified(folder)
    text = CONFIG.format(
        store=_quoted(folder / "store"),
        pem=_quoted(server.with_suffix(".pem")),
        key=_quoted(server.with_suffix(".key")),
        users="\n".join(users),
    )
    keep(folder / "hall.conf", text.encode())
    notes += _server(folder / "nats-server.conf", port)
    _settings(folder / "settings.toml", hub, folder / "hall.pem", port)
    return f"tls://{known_as()[0]}.local:{port}", names, notes


def _server(file: Path, port: int) -> list[Message]:
    """The server's own file, unless there is one that has ours; one that has not, as an older
    hexboard wrote it, is laid aside."""
    notes = []
    if file.exists():
        if "hall.conf" in file.read_text("utf-8", "replace"):
            return []
        aside = file.with_name(f"{file.name}.before-{secrets.token_hex(2)}")
        file.rename(aside)
        notes = [message("hub.laid_aside", file=file.name, aside=str(aside))]
    keep(file, SERVER.format(port=port).encode())
    return notes


def _settings(file: Path, hub: Path, pem: Path, port: int) -> None:
    """The hub's settings, unless there are some: those of a folder that has come from elsewhere
    name its files where they are now."""
    if not file.exists():
        keep(file, SETTINGS.format(port=port, key=_quoted(hub), pem=_quoted(pem)).encode())
        return
    with contextlib.suppress(BadFile):  # who uses them is told what is wrong
        text, of = file.read_text("utf-8"), load(file).hub
        for old, new in ((of.key, hub), (of.ca, pem)):
            if old and Path(old).name == new.name and not Path(old).exists():
                text = text.replace(f'"{old}"', _quoted(new))
        if text != file.read_text("utf-8"):
            keep(file, text.encode())


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


def _certified(folder: Path) -> tuple[Path, list[Message]]:
    """The server's certificate and key, without their endings, for the names that this computer has
    now, and what people should know. Made where there is none, or it fits no more, by who vouches
    for it. Somebody's own `hall.pem` that vouches for nobody is the server's itself."""
    pem, key = folder / "hall.pem", folder / "hall.key"
    name, address = known_as()
    hosts = ["localhost", name, f"{name}.local", "127.0.0.1"]
    hosts += [address] if address[:1].isdecimal() else []
    there = pem.exists() and key.exists()
    program = shutil.which("openssl")
    if program is None:
        if there:
            return folder / "hall", []
        raise HexboardError("hub.no_openssl", file=str(pem))
    notes = []
    dated = there and not clock.behind() and _vouches(program, pem)
    if dated and (when := untimely(pem)):  # by hexboard of before, which had them count from then
        for file in (pem, key):
            file.rename(file.with_name(f"{file.name}.before-{secrets.token_hex(2)}"))
        notes.append(message("hub.untimely", file=str(pem), begins=when[0], ends=when[1]))
        there = False
    if not there:
        _issue(program, pem, f"/CN={name[:64]}", VOUCHES)
    if not _vouches(program, pem):
        words = (program, "x509", "-in", str(pem), "-noout", "-checkhost", hosts[2])
        # newer ones answer by their status too, older ones in words alone
        said = subprocess.run(words, capture_output=True, check=False, text=True).stdout
        notes += [message("hub.unfit", host=hosts[2])] if "NOT" in said else []
        if when := untimely(pem):
            notes.append(message("hub.own_untimely", file=str(pem), begins=when[0], ends=when[1]))
        return folder / "hall", notes
    server = folder / "server.pem"
    before, anew = server.exists(), not there
    if not before or not all(_fits(program, pem, server, host) for host in hosts):
        about = SERVES.format(names=_alternatives(hosts))
        # another subject than the hall's own
        _issue(program, server, f"/O=hexboard hall/CN={name[:64]}", about, pem)
        notes += [message("hub.certified", hosts=", ".join(hosts))] if before and not anew else []
    return folder / "server", notes


def _vouches(program: str, pem: Path) -> bool:
    """Whether it may sign others."""
    return "CA:TRUE" in _openssl(program, pem, "x509", "-in", str(pem), "-noout", "-text")


NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout")
SIGNS_ITSELF = ("-selfsign", "-keyfile", "key")


def _alternatives(hosts: Iterable[str]) -> str:
    return ",".join(f"{'IP' if _is_address(host) else 'DNS'}:{host}" for host in hosts)


def _is_address(host: str) -> bool:
    """A name may begin with a figure too."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _issue(program: str, pem: Path, who: str, about: str, by: Path | None = None) -> None:
    """A new key, and a certificate for it, which the key of `by` signs, else it itself."""
    with tempfile.TemporaryDirectory(dir=pem.parent) as folder:
        there = Path(folder)
        for file, text in (("conf", CA), ("about", about), ("index", "")):
            (there / file).write_text(text, "ascii")
        asks = ("-new", *NEW_KEY, "key", "-subj", who, "-out", "asked")
        _openssl(program, pem, "req", "-config", "conf", *asks, there=there)
        signs = ("-cert", str(by), "-keyfile", str(by.with_suffix(".key"))) if by else SIGNS_ITSELF
        how = ("-config", "conf", "-batch", "-notext", "-extfile", "about")
        _openssl(program, pem, "ca", *how, *signs, "-in", "asked", "-out", "pem", there=there)
        keep(pem.with_suffix(".key"), (there / "key").read_bytes())
        keep(pem, (there / "pem").read_bytes())


def _fits(program: str, pem: Path, server: Path, host: str) -> bool:
    """Whether who trusts the hall takes this certificate for the host's."""
    which = "-verify_ip" if _is_address(host) else "-verify_hostname"
    words = (program, "verify", "-CAfile", str(pem), which, host, str(server))
    return not subprocess.run(words, capture_output=True, check=False).returncode


def _openssl(program: str, file: Path, *words: str, there: Path | None = None) -> str:
    """What it says, in the folder `there`. Raises `HexboardError` where it does not make the file,
    or cannot read it."""
    done = subprocess.run(
        [program, *words], capture_output=True, umask=0o077, check=False, text=True, cwd=there
    )
    if done.returncode:
        said = [it for it in done.stderr.splitlines() if it.strip() and ":error:" not in it]
        why = said[-1].strip()[:120] if said else f"status {done.returncode}"
        raise HexboardError("hub.openssl_fails", file=str(file), why=why)
    return done.stdout


def _quoted(path: Path) -> str:
    return f'"{path}"'

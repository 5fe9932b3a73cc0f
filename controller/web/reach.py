"""Where the page can be reached: addresses, names, and codes to point a camera at."""

import contextlib
import functools
import io
import ipaddress
import re
import socket
import struct
from collections.abc import Collection, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import segno
from msgspec import Struct

from hexboard.web import certificate
from hexboard.words.errors import Busy, HexboardError

NOWHERE = "192.0.2.1"
"""An address for documentation (RFC 5737): nothing is ever sent there."""
HOTSPOT = "10.42.0.2"
"""A phone's address in a Wi-Fi that NetworkManager makes: where it is the only network."""

PREFIX = re.compile(r"/([\w.~%-]+/){0,8}", re.ASCII)
"""A path that a proxy puts before ours."""
LONGEST_PREFIX = 200

IFREQ, NAME_BYTES, FLAGS = struct.Struct("16s240x"), 16, struct.Struct("H")
SIOCGIFFLAGS, SIOCGIFADDR = 0x8913, 0x8915
UP, LOOPBACK, ONE_TO_ONE = 0x41, 0x08, 0x10
"""Of an interface: up, with a cable or a Wi-Fi; none; to one other computer, as a tunnel is."""

COLOURS = "c2410c", "0f766e", "6d28d9", "b91c1c", "1d4ed8", "4d7c0f", "a21caf", "0e7490"
"""Of boards."""


class Reach(Struct, frozen=True):
    """Who can reach the page: this computer, or with `network` whoever is in the same one, under
    an address, this computer's name or one of `names`; with TLS where there is a `certificate`."""

    network: bool = False
    names: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    """Where a proxy shows the page to browsers, such as "https://home.example:8123"."""
    certificate: str = ""
    key: str = ""

    def origin(self, host: str, port: int) -> str:
        """The page's address as `host` is called there."""
        return f"{'https' if self.certificate else 'http'}://{host}:{port}"

    @property
    def certified(self) -> str:
        """The name that the certificate has of this computer; "" without one."""
        known = certificate.names(self.certificate) if self.certificate else ()
        own = *self.names, f"{name()}.local", name()
        return next((it for it in own if certificate.covers(known, it)), "")

    @property
    def host(self) -> str:
        """What others call this computer: a name that the certificate has, else its address."""
        return self.certified or address()

    def own(self, port: int) -> str:
        """The page's address for phones; for this computer where it is for nobody else."""
        return self.origin(self.host if self.network else "127.0.0.1", port)

    def came_by(self, origin: str, prefix: str) -> str:
        """The address by which a page came that leads others there too, such as a proxy's: of its
        `origin`, which the guard has let pass, and the path that it says stands before ours. "" for
        one that says none, in a frame, and where the page's own address leads there better."""
        if not PREFIX.fullmatch(prefix) or len(prefix) > LONGEST_PREFIX:
            return ""
        try:
            host = urlsplit(origin).hostname or ""
        except ValueError:
            return ""
        elsewhere = origin in self.origins or host in {it.lower() for it in self.names}
        return origin + prefix.rstrip("/") if elsewhere or self._leads(host) else ""

    def _leads(self, host: str) -> bool:
        """Whether it is an address by which others reach this computer."""
        try:
            there = ipaddress.ip_address(host)
        except ValueError:
            return False
        if isinstance(there, ipaddress.IPv6Address):
            there = there.ipv4_mapped or there
        known = certificate.names(self.certificate) if self.certificate else {host}
        return not (there.is_loopback or there.is_unspecified) and host in known


HERE = Reach()
"""This computer alone."""


def address() -> str:
    """This computer's address (IPv4) in its network; its name, which leads nowhere, without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for there in (NOWHERE, HOTSPOT):
            with contextlib.suppress(OSError):
                probe.connect((there, 9))  # no packet leaves: the kernel picks the interface
                return str(probe.getsockname()[0])
        return next(_without_router(probe), f"{name()}.local")


def _without_router(asked: socket.socket) -> Iterator[str]:
    """The addresses of this computer's interfaces that are up, by netdevice(7), which Linux has:
    of cables and Wi-Fi first, then of what programs have made."""
    try:
        from fcntl import ioctl

        names = [name for _, name in socket.if_nameindex()]
    except (ImportError, OSError):
        return
    for name in sorted(names, key=lambda it: not Path("/sys/class/net", it, "device").exists()):
        with contextlib.suppress(OSError):  # one without an address
            asks = IFREQ.pack(name.encode())
            (flags,) = FLAGS.unpack_from(ioctl(asked, SIOCGIFFLAGS, asks), NAME_BYTES)
            if flags & (UP | LOOPBACK | ONE_TO_ONE) == UP:
                there = ioctl(asked, SIOCGIFADDR, asks)[NAME_BYTES + 4 :]
                yield socket.inet_ntoa(there[:4])


def networked(host: str) -> bool:
    """Whether what `address` says is one: whether this computer is in a network."""
    return host != f"{name()}.local"


def name() -> str:
    """What this computer is called."""
    return socket.gethostname().lower().partition(".")[0]


def colour(port: int) -> str:
    """The colour of a board's pages, by its port: people see to which board a phone is joined."""
    return "#" + COLOURS[(sum(name().encode()) + port) % len(COLOURS)]


def known(host: str, names: Collection[str] = ()) -> bool:
    """Whether a request's Host is one that this computer goes by: any address, `localhost`, its own
    name with or without `.local` (and the number that avahi puts behind one that is taken), or one
    of `names`. A stranger's page can make a browser ask here under a name of the stranger's own
    (DNS rebinding), never under an address.

    >>> known("192.168.1.20:8765"), known("[::1]:8765"), known("evil.example")
    (True, True, False)
    """
    called, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    if not called or not port.isdecimal():
        called = host
    called = called.lower().rstrip(".")
    own = {"localhost", name(), socket.gethostname().lower(), *(it.lower() for it in names)}
    if called in own or re.fullmatch(rf"{re.escape(name())}(-\d+)?\.local", called):
        return True
    try:
        ipaddress.ip_address(called.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def unbound(port: int, error: OSError) -> HexboardError:
    """Why a port cannot be listened at: another program has it, or it is none of this user's."""
    why = error.strerror or str(error)
    if isinstance(error, PermissionError):
        return HexboardError("web.no_right", port=port, why=why)
    return Busy("web.port", port=port, why=why)


@functools.lru_cache(maxsize=16)  # every television shows the same one
def code(link: str) -> str:
    """A link as a QR code: the address of a picture, black on white in every theme."""
    return segno.make(link, error="m", micro=False).svg_data_uri(border=3, light="#fff")


def code_in_text(link: str) -> str:
    """A link as a QR code of half blocks, for a terminal."""
    out = io.StringIO()
    segno.make(link, error="l", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue()

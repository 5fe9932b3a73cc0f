"""The names that a certificate is for: links are made with one of them."""

import contextlib
import functools
import ipaddress
import re
import ssl
from collections.abc import Collection, Iterator
from pathlib import Path

from hexboard.words.errors import HexboardError

PEM = re.compile("-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)
NAMED = re.compile(rb"\x06\x03\x55\x1d\x11(?:\x01\x01\xff)?\x04", re.DOTALL)
"""What stands before its names in DER: subjectAltName (RFC 5280, 4.2.1.6), critical or not, and the
tag of an OCTET STRING."""
NAME, ADDRESS = 0x82, 0x87
"""dNSName and iPAddress there."""
LONG = 0x80
"""The bit of a length that says in how many bytes it stands."""


@functools.cache
def names(certificate: str) -> tuple[str, ...]:
    """The names and addresses that a certificate in a PEM file is for, as they were when this was
    first asked: it is served as it was read. None for one that cannot be read: others say so."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        first = PEM.search(Path(certificate).read_text("ascii", "replace"))
        der = ssl.PEM_cert_to_DER_cert(first[0]) if first else b""
        if found := NAMED.search(der):
            outer, _ = _length(der, found.end())  # of the string, and in it of the list
            begin, size = _length(der, outer + 1)
            return tuple(_listed(der[begin : begin + size]))
    return ()


def certified(certificate: str, key: str) -> None:
    """Raises `HexboardError` for a certificate, or its key, that TLS cannot use."""

    def locked() -> str:
        raise HexboardError("web.locked", file=key or certificate)

    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key or None, locked)
    except HexboardError:
        raise
    except (OSError, ValueError) as error:  # ssl's errors are such; a name with a zero byte
        why = getattr(error, "strerror", None) or str(error)
        raise HexboardError("web.certificate", file=certificate, why=why) from None


def covers(known: Collection[str], name: str) -> bool:
    """Whether one of a certificate's names is this one; `*` stands for one part (RFC 6125, 6.4.3).

    >>> covers(("board.club", "*.club.example"), "a.club.example"), covers((), "board.club")
    (True, False)
    """
    return not {name.lower(), f"*.{name.lower().partition('.')[2]}"}.isdisjoint(known)


def _listed(names: bytes) -> Iterator[str]:
    at = 0
    while at < len(names):
        begin, size = _length(names, at + 1)
        value = names[begin : begin + size]
        if names[at] == NAME:
            yield value.decode("ascii").lower()
        elif names[at] == ADDRESS:
            yield str(ipaddress.ip_address(value))
        at = begin + size


def _length(der: bytes, at: int) -> tuple[int, int]:
    """Where a value begins whose length stands here, and its length."""
    if der[at] < LONG:
        return at + 1, der[at]
    begin = at + 1 + der[at] - LONG
    return begin, int.from_bytes(der[at + 1 : begin])

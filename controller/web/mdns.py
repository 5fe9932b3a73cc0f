"""The name under which a computer is found in its network, by multicast DNS (RFC 6762).

hexboard answers for no name: avahi does so on Debian and Raspberry Pi OS, for `HOSTNAME.local`.
Here it is asked whether somebody does, and for which computer.
"""

import contextlib
import ipaddress
import socket
import struct

from hexboard.web import reach

GROUP = "224.0.0.251", 5353
PATIENCE_S = 0.5
"""Whoever answers for a name of their own does so at once (RFC 6762, 6)."""
A, IN = 1, 1
"""An IPv4 address, in the Internet."""
HEADER = struct.Struct("!6H")
QUESTION, RECORD = struct.Struct("!2H"), struct.Struct("!2HIH")
POINTER = 0xC0
"""A length with these bits is the end of a name: the rest stands elsewhere."""


def addresses(name: str, group: tuple[str, int] = GROUP) -> set[str]:
    """The IPv4 addresses that are answered for a name; none where nobody answers."""
    try:
        labels = b"".join(bytes((len(it),)) + it for it in name.encode("idna").split(b"."))
    except UnicodeError:  # a computer's name may have 64 letters, and here 63 (RFC 1035, 2.3.4)
        return set()
    question = HEADER.pack(0, 0, 1, 0, 0, 0) + labels + b"\0" + QUESTION.pack(A, IN)
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(PATIENCE_S)
        with contextlib.suppress(OSError):  # without a router no route leads to the group
            here = socket.inet_aton(reach.address())
            asking.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, here)
        asking.sendto(question, group)
        return _answered(asking.recv(9000))
    return set()


def _answered(packet: bytes) -> set[str]:
    found = set()
    with contextlib.suppress(struct.error, IndexError, ValueError):
        _, _, questions, answers, _, _ = HEADER.unpack_from(packet)
        at = HEADER.size
        for _ in range(questions):
            at = _after_name(packet, at) + QUESTION.size
        for _ in range(answers):
            at = _after_name(packet, at)
            kind, _, _, size = RECORD.unpack_from(packet, at)
            at += RECORD.size + size
            if kind == A:
                found.add(str(ipaddress.IPv4Address(packet[at - size : at])))
    return found


def _after_name(packet: bytes, at: int) -> int:
    while length := packet[at]:
        if length & POINTER:
            return at + 2
        at += 1 + length
    return at + 1

"""Stream: the pictures of an MJPEG stream over http, each in the size that it is sent in.

    source = Stream("http://camera.local:8080/video")
    frame = source.read()

It is read here and not by OpenCV, which scales all pictures to the size of the first one, writes
to the terminal by itself, and does not tell a wrong address from a camera that is off.
"""

import contextlib
import http.client
import re
import select
import socket
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import cv2
import numpy as np

from hexboard.vision.camera.controls import FREE, Controls
from hexboard.vision.frame import (
    JPEG,
    MOST_PIXELS,
    BadCamera,
    Frame,
    pixels,
    spoken,
    unpacked,
)

PATIENCE_S = 3.0
"""A server that gives nothing, or no whole picture, for so long is given up."""
LATE = "no answer in time"
LINE_BYTES = 65536
"""Bytes of a stream that are looked at at once."""
LARGEST_BYTES = 32_000_000
"""Bytes of one picture, at most."""
PASSED_PARTS = 10
"""Parts in a row that are no pictures, at most."""
SKIPPED_PARTS = 100
"""Pictures in a row that are let go for a newer one, at most."""
FAILURES = (OSError, EOFError, ValueError, http.client.HTTPException)
"""What reading from the network raises."""
AS_SENT = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
"""A picture as the lens drew it, however its sender thinks it should be turned."""


class Stream:
    """A network camera. Raises `BadCamera` where none answers, or not with an MJPEG stream."""

    def __init__(self, address: str, held: Controls = FREE) -> None:
        self.loose = held.names
        self._name = spoken(address)
        try:
            self._answer = _asked(address)
        except FAILURES as error:
            raise BadCamera("camera.no_answer", camera=self._name, why=_why(error)) from None
        headers = self._answer.headers
        kind = headers.get_content_type()
        if headers.get_content_maintype() != "multipart":
            self.close()
            raise BadCamera("camera.no_stream", camera=self._name, kind=kind)
        self._kept = bytearray()  # that came, and was not looked at yet
        self._mark = b"--" + headers.get_boundary("").strip("-").encode()

    def read(self) -> Frame:
        torn = False
        for _ in range(PASSED_PARTS):
            try:
                data = self._newest()
            except FAILURES as error:
                raise BadCamera("camera.stream_ended", camera=self._name, why=_why(error)) from None
            t = time.monotonic_ns()
            if (count := pixels(data)) > MOST_PIXELS:
                have, most = count // 1_000_000, MOST_PIXELS // 1_000_000
                raise BadCamera("camera.large", file=self._name, have=have, most=most)
            if not count:
                torn = data.startswith(JPEG)
                continue
            image, torn = unpacked(np.frombuffer(data, np.uint8), AS_SENT)
            if image is not None:
                return Frame(t, image)
        if torn:
            raise BadCamera("camera.torn_stream", camera=self._name)
        raise BadCamera("camera.no_stream", camera=self._name, kind="no JPEG")

    def controls(self) -> Controls:
        return FREE

    def close(self) -> None:
        self._answer.close()

    def _newest(self) -> bytes:
        """The last part that has come: the network keeps dozens of those that nobody read in time,
        and a board is to be seen as it is now."""
        data = self._part()
        for _ in range(SKIPPED_PARTS):
            if not self._waits(len(data)):
                break
            data = self._part()
        return data

    def _waits(self, count: int) -> bool:
        """Whether so many bytes have come."""
        while len(self._kept) < count and self._ready():
            if not (data := self._answer.read1(LINE_BYTES)):
                return False
            self._kept += data
        return len(self._kept) >= count

    def _ready(self) -> bool:
        """Whether more can be read without waiting."""
        answer = self._answer
        return not answer.isclosed() and bool(select.select([answer], [], [], 0)[0])

    def _part(self) -> bytes:
        """The next part of the stream, without its head."""
        length, begun = 0, False
        self._until = time.monotonic() + PATIENCE_S
        while (line := self._line().strip()) or not begun:
            begun = begun or b":" in line
            if found := re.fullmatch(rb"content-length:\s*(\d{1,9})", line, re.IGNORECASE):
                length = int(found[1])
        if length > LARGEST_BYTES:
            raise OSError(f"{length} bytes")
        return self._bytes(length) if length else self._until_mark()

    def _bytes(self, length: int) -> bytes:
        while (missing := length - len(self._kept)) > 0:
            self._kept += self._some(self._answer.read1(missing))
        return self._taken(length)

    def _until_mark(self) -> bytes:
        """What stands before the next mark, for servers that do not say how long a part is."""
        data = bytearray()
        while (at := data.find(self._mark, -LINE_BYTES - len(self._mark))) < 0:
            if len(data) > LARGEST_BYTES:
                raise OSError(f"{len(data)} bytes")
            data += self._line()
        return bytes(data[:at])

    def _line(self) -> bytes:
        """The next line, or as much of it as may be looked at at once."""
        while (end := self._kept.find(b"\n") + 1) == 0 and len(self._kept) < LINE_BYTES:
            if not (data := self._answer.read1(LINE_BYTES)):
                break
            self._kept += self._some(data)
        return self._some(self._taken(end or len(self._kept)))

    def _taken(self, count: int) -> bytes:
        data = bytes(self._kept[:count])
        del self._kept[:count]
        return data

    def _some(self, data: bytes) -> bytes:
        """This, if it is something and in time."""
        if not data:
            raise EOFError("it has ended")
        if time.monotonic() > self._until:
            raise TimeoutError("no whole picture in time")
        return data


def _asked(address: str) -> http.client.HTTPResponse:
    """The answer of an address in which a user and a password may stand: they are told to its own
    host only, and in the way that it asks for (RFC 7617, RFC 7616). Raises `FAILURES`."""
    parts = urllib.parse.urlsplit(address)
    who, _, host = parts.netloc.rpartition("@")
    user, _, password = (urllib.parse.unquote(part) for part in who.partition(":"))
    keys = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    if who:
        keys.add_password(None, f"{parts.scheme}://{host}/", user, password)
    ways = urllib.request.HTTPDigestAuthHandler(keys), urllib.request.HTTPBasicAuthHandler(keys)
    opener = urllib.request.build_opener(_Refused, _Http, _Https, *ways)
    answer: http.client.HTTPResponse = opener.open(
        parts._replace(netloc=host).geturl(), timeout=PATIENCE_S
    )
    return answer


class _Timely(http.client.HTTPConnection):
    """The head of an answer comes in time, however slowly its bytes drip; else it is cut off."""

    def getresponse(self) -> http.client.HTTPResponse:
        late = threading.Event()
        watch = threading.Timer(PATIENCE_S, _cut, [self.sock, late])
        watch.start()
        try:
            answer = super().getresponse()
        except FAILURES:
            if late.is_set():  # of a line that we cut while bytes came, it hears of a reset
                raise TimeoutError(LATE) from None
            raise
        finally:
            watch.cancel()
        if late.is_set():
            answer.close()
            raise TimeoutError(LATE)
        return answer


def _cut(line: socket.socket, late: threading.Event) -> None:
    late.set()  # before whoever reads sees the end
    with contextlib.suppress(OSError):  # it has ended by itself
        line.shutdown(socket.SHUT_RDWR)


class _TimelySecure(_Timely, http.client.HTTPSConnection):
    """The same, encrypted."""


class _Http(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Timely, req)


class _Https(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_TimelySecure, req)


class _Refused(urllib.request.BaseHandler):
    """Ends an answer that wants a password before it is asked again: cameras serve but a few."""

    handler_order = 0

    def http_error_401(self, req: object, fp: http.client.HTTPResponse, *_: object) -> None:
        fp.close()


def _why(error: object) -> str:
    """What went wrong, in words without an errno."""
    match error:
        case urllib.error.HTTPError():
            error.close()
            return f"{error.code} {error.reason}"[:200]
        case urllib.error.URLError():
            return _why(error.reason)
        case OSError() if error.strerror:
            return error.strerror
    return str(error)[:200] or type(error).__name__

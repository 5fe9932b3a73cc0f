"""The firmware's codec agrees with the `cobs` package and with docs/golden/link.json."""

import json
import struct
import subprocess
import sys
from binascii import crc_hqx

from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from hexboard.devices.session import unwrap, wrap
from tests.firmware import FOLDER, HERE, firmware, micropython, run_micropython

GOLDEN = FOLDER.parent / "docs" / "golden" / "link.json"

frame = firmware("frame")
bodies = st.binary(min_size=5, max_size=600) | st.binary(min_size=1, max_size=300).map(
    lambda one: one.replace(b"\0", b"\1") * 2 + bytes(5)
)


def decode(decoder, wire: bytes) -> list[bytes]:  # type: ignore[no-untyped-def]
    at, frames = 0, []
    while at < len(wire):
        at = decoder.take(wire, at, len(wire))
        if decoder.length:
            frames.append(bytes(decoder.frame[: decoder.length]))
    return frames


@given(st.binary(max_size=300))
def test_crc_is_ccitt_false(data: bytes) -> None:
    assert frame.crc16(data, len(data)) == crc_hqx(data, 0xFFFF)


@given(bodies)
def test_encoder_writes_what_the_cobs_package_writes(body: bytes) -> None:
    encoder = frame.Encoder(1300)
    encoder.body[: len(body)] = body
    wire = bytes(encoder.wire[: encoder.seal(len(body))])
    assert wire == cobs.encode(body + struct.pack("<H", crc_hqx(body, 0xFFFF))) + b"\0"


@given(st.lists(bodies | st.none(), max_size=5))
def test_decoder_finds_the_frames_between_the_noise(parts: list[bytes | None]) -> None:
    wire = b"".join(
        wrap(part[0], part[1] | part[2] << 8, part[3] | part[4] << 8, part[5:])
        if part
        else b"\0\x07abc\0"
        for part in parts
    )
    assert decode(frame.Decoder(1300), wire) == [part for part in parts if part]


@given(st.binary(max_size=2000))
def test_decoder_and_host_agree_about_any_bytes(noise: bytes) -> None:
    whole = (unwrap(block) for block in (noise + b"\0").split(b"\0"))
    assert decode(frame.Decoder(3000), noise + b"\0") == [one for one in whole if one]


def test_a_frame_longer_than_the_buffer_is_refused_and_the_next_one_read() -> None:
    decoder = frame.Decoder(20)
    assert decode(decoder, wrap(17, 1, 1, bytes(30)) + wrap(18, 0, 9)) == [b"\x12\0\0\x09\0"]
    assert decoder.bad == 1


def test_the_host_writes_and_reads_the_golden_frames() -> None:
    for one in json.loads(GOLDEN.read_text())["frames"]:
        body, wire = bytes.fromhex(one["frame"]), bytes.fromhex(one["wire"])
        assert wrap(one["type"], one["seq"], one["ack"], body[5:-2]) == wire
        assert unwrap(wire[:-1]) == body[:-2]


def test_the_firmware_speaks_the_golden_frames() -> None:
    done = subprocess.run(
        [sys.executable, str(HERE / "golden.py"), str(FOLDER), str(GOLDEN)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "agreed 20\n", done.stderr


@micropython
def test_the_firmware_speaks_the_golden_frames_under_micropython() -> None:
    assert run_micropython("golden.py", str(GOLDEN)) == "agreed 20\n"

"""Runs: the pixels in which a lights frame differs from the one before, as CHANGES says them."""

import struct

_RUN = struct.Struct("<HH")
"""A run of pixels: the first, and how many."""


BLOCK_BYTES = 128
"""Bytes that are compared at once: sixteen pixels."""


def changes(before: bytes, after: bytes) -> bytes:
    """What makes lights frame `after` of `before`, as CHANGES says it (docs/link.md): runs of
    pixels, of which those that lie a pixel apart are one. All of it where the sizes differ."""
    if len(before) != len(after):
        return after
    runs: list[tuple[int, int]] = []
    for block in range(0, len(after), BLOCK_BYTES):  # most of a frame is as it was
        if before[block : block + BLOCK_BYTES] == after[block : block + BLOCK_BYTES]:
            continue
        for at in range(block, min(block + BLOCK_BYTES, len(after)), 8):
            if before[at : at + 8] != after[at : at + 8]:
                begin = runs.pop()[0] if runs and at - runs[-1][1] <= 8 else at
                runs.append((begin, at + 8))
    return b"".join(_RUN.pack(it // 8, (end - it) // 8) + after[it:end] for it, end in runs)

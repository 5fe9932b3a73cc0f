"""Strip: WS2812 lights on one pin, sent by a PIO state machine that DMA feeds.

`show` copies a frame and starts; the scan goes on meanwhile. A bit is 16 cycles of 12.8 MHz,
1.25 µs: high for 4 (0.31 µs) is a 0, for 9 (0.70 µs) a 1. That lies within what the data sheets of
WS2812B, WS2812B-2020 and SK6812 (also RGBW) allow; of the low after it they say different things.
"""

# asm_pio gives `bits` its names:
# ruff: noqa: F821
# mypy: disable-error-code=name-defined
import time

import machine
import rp2

FREQUENCY = 12_800_000
"""Of the state machine, Hz."""
BYTE = 10
"""Microseconds that a byte takes."""
LATCH = 400
"""Microseconds after the last byte: 280 of silence make the lights take over what they got."""
FIRST_TX = 0
"""The DMA's pace: as the first state machine of the first PIO wants data."""


# fmt: off
@rp2.asm_pio(
    sideset_init=rp2.PIO.OUT_LOW,
    out_shiftdir=rp2.PIO.SHIFT_LEFT,
    autopull=True,
    pull_thresh=8,
    fifo_join=rp2.PIO.JOIN_TX,
)
def bits():
    wrap_target()
    label("bit")
    out(x, 1)           .side(0) [6]  # without data it waits here, low
    jmp(not_x, "zero")  .side(1) [3]
    jmp("bit")          .side(1) [4]
    label("zero")
    nop()               .side(0) [4]
    wrap()
# fmt: on


class Strip:
    """Lights on `pin` that want `size` bytes."""

    def __init__(self, pin, size):
        self._sent = bytearray(size)  # what the DMA reads while the next frame is rendered
        self._takes = size * BYTE + LATCH
        self._begun = time.ticks_us()
        self._machine = rp2.StateMachine(0, bits, freq=FREQUENCY, sideset_base=machine.Pin(pin))
        self._machine.active(1)
        self._dma = rp2.DMA()
        # Bytes: the bus repeats one in all four places of a word, and the first is shifted out.
        self._control = self._dma.pack_ctrl(size=0, inc_write=False, treq_sel=FIRST_TX)

    def idle(self):
        """The last frame has left and the lights show it."""
        return not 0 <= time.ticks_diff(time.ticks_us(), self._begun) < self._takes

    def show(self, wire):
        """Begin to send `wire`. Only when `idle`, or the frame before is spoilt."""
        self._sent[:] = wire
        self._begun = time.ticks_us()
        self._dma.config(
            read=self._sent,
            write=self._machine,
            count=len(self._sent),
            ctrl=self._control,
            trigger=True,
        )

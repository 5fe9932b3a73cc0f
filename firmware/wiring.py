"""Wiring: what differs from board to board, and nothing else (hardware/wiring.md).

`hexboard firmware install` writes the first three lines anew from the board file.
"""

INPUTS = 152
PIXELS = 150
ORDER = "GRB"
"""In which order a light wants its colours; a W is a fourth byte, which stays 0."""

# GP numbers. CLOCK, DATA and UNUSED must belong to SPI number SPI.
SPI = 0
LATCH = 17  # SH/LD of all 74HC165s
CLOCK = 18  # CLK of all
DATA = 16  # QH of the first
UNUSED = 19  # the SPI's output; nothing hangs on it
STRIP = 22  # DIN of the first light, through a 74AHCT125

"""The board's firmware without the board: `micropython -X heapsize=192k twin.py`.

The same main.py as on the Pico, over pins_sim.py; controller/simulator/twin.py starts it.
"""

import sys

import pins_sim

sys.modules["pins"] = pins_sim

import main  # noqa: E402

try:  # noqa: SIM105  (MicroPython has no contextlib)
    main.run(pins_sim)
except OSError:  # the other side of a channel went away in the middle
    pass

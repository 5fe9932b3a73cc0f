"""The board's firmware without the board: `micropython -X heapsize=192k twin.py`.

The same main.py as on the Pico, over pins_sim.py; controller/simulator/twin.py starts it.
"""

import sys

import pins_sim

sys.modules["pins"] = pins_sim

import main  # noqa: E402

main.run(pins_sim)

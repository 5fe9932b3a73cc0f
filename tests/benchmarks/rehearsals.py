"""What `hexboard calibrate rehearsal` foretells of HexAlma, and how it goes in the second world.

    python -m tests.benchmarks.rehearsals [--tilts T …] [--moves N] [--seed S]

At each desk a camera stands so far off the vertical, and the pieces are learned as people do it.
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from hexboard.calibration import placement
from hexboard.commands.calibrate.pixels import Setup
from hexboard.commands.calibrate.placement import placed
from hexboard.commands.calibrate.rehearsal import rehearsed
from hexboard.vision.camera.controls import FREE
from hexboard.vision.frame import Frame
from tests.benchmarks.paper_moves import BOARD, Bench


def put_up(bench: Bench) -> placement.Placement:
    """What `hexboard calibrate board` finds at a desk that was cleared."""
    bench.desk.put({})
    frames = (Frame(k, bench.desk.picture()) for k in range(60))
    ready = Setup(bench.camera, frames, None, placement.SIMULATED, FREE)
    with TemporaryDirectory() as folder:
        return placed(BOARD, ready, Path(folder) / "calibration" / "x.json", False)[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tilts", type=int, nargs="+", default=[5, 12, 18, 24, 30, 38])
    parser.add_argument("--moves", type=int, default=40)
    parser.add_argument("--seed", type=int, default=700)
    chosen = parser.parse_args()
    for tilt in chosen.tilts:
        bench = Bench("moderate", chosen.seed + tilt, learn=True, tilts=(tilt, tilt))
        told = rehearsed(BOARD, "hexalma", bench.camera, put_up(bench), bench.kit)
        f = bench.play(chosen.moves)
        print(
            f"{tilt} degrees: told surely {told.sure:.0%}, asked {told.asked} of {told.moves},"
            f" wrong {told.wrong}, fit {told.fit}; in the second world asked or missed"
            f" {f['asked'] + f['missed']} of {f['moves']}, wrong {f['wrong']}",
            flush=True,
        )


if __name__ == "__main__":
    main()

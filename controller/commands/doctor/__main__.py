"""The doctor for a page: `python -m hexboard.commands.doctor LANGUAGE HOME BOARD STATE [simulate]`.

Prints what `hexboard doctor --json` does, which programs are told in English, in that language.
"""

import json
import sys
from pathlib import Path

from msgspec import to_builtins

from hexboard.commands.doctor import looked_over
from hexboard.words import speaking


def main(spoken: str, home: str, board: str, state: str, simulate: str = "") -> None:
    with speaking(spoken):
        found = [*looked_over(Path(home), board, bool(simulate), Path(state))]
    print(json.dumps({"checks": to_builtins(found)}))


if __name__ == "__main__":
    main(*sys.argv[1:])

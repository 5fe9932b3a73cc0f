"""`python -m hexboard` is the command `hexboard`."""

import codecs
import os
import sys

PLAIN = str.maketrans("“”„‘’‚…–→•█✓✗●○⬢▲■", "\"\"\"'''.->*#+xXOCAH")
"""What stands for our signs in a terminal that lacks them."""


def main() -> None:
    """Run the command. Ctrl-C ends it quietly, also while what it needs is still imported."""
    _streams()
    try:
        from hexboard.commands.cli import main as command
    except KeyboardInterrupt:
        sys.exit(130)
    command()


def _streams() -> None:
    """A stream that the shell closed (`hexboard play <&-`) is there, and empty; no letter that a
    terminal lacks ends the command."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, open(nothing, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
    codecs.register_error("plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="plain")  # type: ignore[union-attr]


def _plain(error: UnicodeError) -> tuple[str, int]:
    """What is written in place of letters that a terminal lacks: a sign of ours, or "?"."""
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end].translate(PLAIN)
    return text.encode("ascii", "replace").decode(), error.end


if __name__ == "__main__":
    main()

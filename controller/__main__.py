"""`python -m hexboard` is the command `hexboard`."""

import sys


def main() -> None:
    """Run the command. Ctrl-C ends it quietly, also while what it needs is still imported."""
    try:
        from hexboard.commands.cli import main as command
    except KeyboardInterrupt:
        sys.exit(130)
    command()


if __name__ == "__main__":
    main()

"""`python -m hexboard` is the command `hexboard`."""

from hexboard.commands.cli import main

main()

"""The command `hexboard` in this process: quick, and a mistake of ours is shown where it is."""

from pathlib import Path

from click.testing import CliRunner, Result

from hexboard.commands.cli import main


def invoke(*words: object, home: Path | None = None, input: str = "") -> Result:
    """One run of the command to its end; it never shows a traceback."""
    own = () if home is None else ("--home", home)
    result = CliRunner().invoke(main, [str(word) for word in (*own, *words)], input=input)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "Traceback" not in result.output, result.output
    return result

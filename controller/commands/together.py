"""Together: which options of a command go with each other. One that would do nothing is refused."""

from collections.abc import Mapping

import click
from click.core import ParameterSource

from hexboard.commands.spoken import wrong


def typed(ctx: click.Context) -> dict[str, str]:
    """The options that were typed, by name, each as people write it ("--until")."""
    return {
        it.name: it.opts[-1]
        for it in ctx.command.params
        if isinstance(it, click.Option)
        and it.name
        and ctx.get_parameter_source(it.name) is ParameterSource.COMMANDLINE
    }


def together(ctx: click.Context, goes_with: Mapping[str, tuple[str, ...]]) -> None:
    """Raise `UsageError` for an option that does not go with another one: `goes_with` has the
    names of all that an option goes with."""
    given, known = typed(ctx), {it.name: it.opts[-1] for it in ctx.command.params}
    for name, others in goes_with.items():
        if name in given and given.keys() - {name, *others}:
            said = ", ".join(known[it] for it in others)
            raise wrong("{option} goes with {others} alone.", option=given[name], others=said)


def only_json(ctx: click.Context, file: object) -> None:
    """Raise `UsageError` for options that go with a recording, where a file is none."""
    if odd := [option for name, option in typed(ctx).items() if name != "as_json"]:
        raise wrong(
            "{option} goes with a recording; {file} is a record, a journal or a kept game.",
            option=odd[0],
            file=file,
        )

"""What is agreed on before a game, as the fields of its setting: each is an option.

class Setting(Struct, frozen=True):
    ties: Annotated[Literal["destroy", "keep"], Agreed("K3")] = "destroy"

OPTIONS = options_of(Setting)
"""

from typing import Literal, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import asdict, fields

from hexboard.game.options import Option


class Agreed(Struct, frozen=True):
    """What an option has beside its name, its default and its choices (see `Option`)."""

    rule: str
    group: str = "rulings"
    least: int = 0
    most: int = 0


def options_of(setting: type[Struct]) -> tuple[Option, ...]:
    """An option for each field that says how it is agreed on, in their order."""
    hints = get_type_hints(setting, include_extras=True)
    found = []
    for field in fields(setting):
        kind, *notes = get_args(hints[field.name]) or (None,)
        choices = get_args(kind) if get_origin(kind) is Literal else ()
        for note in notes:
            if isinstance(note, Agreed):
                found.append(Option(field.name, field.default, choices, **asdict(note)))
    return tuple(found)

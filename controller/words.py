"""Messages: a key, a rule and named values inside; sentences only at the rim.

Sentences stand in TOML tables beside what they speak of: `controller/locale/en.toml` for the table
and the shell, `controller/games/<game>/locale/en.toml` for a game. A key is looked up by its first
part: `hextraction.…` in the game's table, everything else in ours.
"""

from functools import cache

from msgspec import Struct

Value = str | int | bool


class Message(Struct, frozen=True, array_like=True):
    """What is said, before it is a sentence: key, rule id ("" where no rule speaks), values."""

    key: str
    rule: str = ""
    values: tuple[tuple[str, Value], ...] = ()


def message(key: str, rule: str = "", /, **values: Value) -> Message:
    """A message with its values in a fixed order, so that equal messages are equal bytes."""
    return Message(key, rule, tuple(sorted(values.items())))


def say(said: Message, language: str = "en") -> str:
    """The sentence of a message. Where the key or a value is missing, as in a recording of another
    version, the message is shown as it is: nothing is hidden by it. The value `near`, the word that
    was meant, makes a question of its own; none where there is no such word."""
    values = dict(said.values)
    if values.get("near"):
        values["near"] = say(message("words.near", word=values["near"]), language)
    try:
        return sentences(said.key.split(".", 1)[0], language)[said.key].format(**values)
    except KeyError:
        return f"{said.key} {values}"


@cache
def sentences(part: str, language: str = "en") -> dict[str, str]:
    """All sentences that serve keys beginning with `part`, by key."""
    import tomllib  # here, for they take longer than a game's own modules
    from importlib import resources

    game = resources.files("controller.games") / part / "locale" / f"{language}.toml"
    ours = resources.files("controller") / "locale" / f"{language}.toml"
    table = game if game.is_file() else ours
    return _flat(tomllib.loads(table.read_text("utf-8")))


def _flat(tree: dict[str, object], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = str(value)
    return flat

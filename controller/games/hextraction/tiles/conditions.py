"""Conditions of effects in words, as people are asked whether they hold and as a tile is told."""

from functools import reduce

from hexboard.words import Message, message


def told(conditions: tuple[str, ...]) -> Message:
    """All of these conditions (`effects.CONDITION`), one at least, as one sentence."""
    return reduce(
        lambda one, other: message("hextraction.both", one=one, other=other), map(_one, conditions)
    )


def _one(condition: str) -> Message:
    says = "unless" if condition.startswith("not ") else "if"
    name, n, tile, part, state = "", 0, "", "", ""
    match condition.removeprefix("not ").split(" "):
        case "balls_on_self" as word, sign, number:
            word, n = _compared(word, sign), int(number)
        case "count" as word, name, sign, number:
            word, n = _compared(word, sign), int(number)
        case "installed" | "below" as word, tile:
            pass
        case "part" as word, part, _, state:
            pass
        case word, *_:
            pass
    return message(f"hextraction.{says}_{word}", name=name, n=n, tile=tile, part=part, state=state)


def _compared(word: str, sign: str) -> str:
    return f"{word}_exactly" if sign == "=" else word

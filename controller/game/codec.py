"""A position as one line, "phase=act active=0 …": how each kind of value is written and read.

A game lists a codec for each value, in the order of its line. `K` is what knows the names in it,
as a setting does.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from msgspec import Struct

from hexboard.words.errors import BadText

K = TypeVar("K")
NOBODY = -1


class Codec(Struct, Generic[K], frozen=True):
    """`read` raises `ValueError`, `LookupError` or a `BadText` of its own for what `write` never
    gives; what `write` would give otherwise, `read_line` refuses by itself."""

    write: Callable[[Any, K], str]
    read: Callable[[str, K], Any]


def plain(read: Callable[[str], Any], write: Callable[[Any], str] = str) -> Codec[Any]:
    """A value that can be read without knowing anything else."""
    return Codec(lambda value, _: write(value), lambda text, _: read(text))


def each(codec: Codec[K], sign: str = ";") -> Codec[K]:
    """Values with a sign between; no text for none of them."""
    return Codec(
        lambda values, about: sign.join([codec.write(value, about) for value in values]),
        lambda text, about: tuple(codec.read(w, about) for w in text.split(sign)) if text else (),
    )


def by_seat(codec: Codec[K]) -> Codec[K]:
    """A value a seat; the text of one may be nothing."""
    return Codec(
        lambda values, about: ";".join([codec.write(value, about) for value in values]),
        lambda text, about: tuple(codec.read(word, about) for word in text.split(";")),
    )


def among(marks: Mapping[str, Any]) -> Codec[Any]:
    """Values that have a word each, and no others."""
    values = {value: mark for mark, value in marks.items()}
    return plain(marks.__getitem__, values.__getitem__)


def marked(codec: Codec[K], marks: Mapping[str, Any]) -> Codec[K]:
    """Values of which a few have a mark of their own: "-" for nobody."""
    values = {value: mark for mark, value in marks.items()}
    return Codec(
        lambda value, about: values[value] if value in values else codec.write(value, about),
        lambda text, about: marks[text] if text in marks else codec.read(text, about),
    )


def natural(text: str) -> int:
    """A number without a sign. Raises `ValueError`."""
    if not text.isdecimal():
        raise ValueError(text)
    return int(text[:9])


def whole(text: str) -> int:
    """A number that may be less than 0. Raises `ValueError`."""
    return -natural(text[1:]) if text[:1] == "-" else natural(text)


WORD = plain(str)
NUMBER = plain(natural)
SEAT = marked(NUMBER, {"-": NOBODY})


def write_line(
    values: Mapping[str, Any],
    codecs: Mapping[str, Codec[K]],
    about: K,
    rare: Mapping[str, Any] = MappingProxyType({}),
) -> str:
    """The line of a position's values; one that is what `rare` says it mostly is, is left out."""
    told = ((key, it) for key, it in codecs.items() if key not in rare or values[key] != rare[key])
    return " ".join(f"{key}={codec.write(values[key], about)}" for key, codec in told)


def read_line(
    text: str,
    codecs: Mapping[str, Codec[K]],
    about: K,
    rare: Mapping[str, Any] = MappingProxyType({}),
) -> dict[str, Any]:
    """The inverse. Raises `BadText`, naming the part that is wrong."""
    words = text.split(" ")
    left_out = {key: value for key, value in rare.items() if f" {key}=" not in text}
    codecs = {key: codec for key, codec in codecs.items() if key not in left_out}
    for word, key in zip(words, codecs, strict=False):
        if not word.startswith(f"{key}="):
            raise BadText("game.expected", part=word[:60], key=key)
    if len(words) != len(codecs):
        raise BadText("game.parts", found=len(words), wanted=len(codecs))
    found = {
        key: _value(word, codec, about)
        for word, (key, codec) in zip(words, codecs.items(), strict=True)
    }
    if needless := [key for key in rare.keys() - left_out.keys() if found[key] == rare[key]]:
        raise BadText("game.bad_part", part=f"{needless[0]}="[:60])
    return left_out | found


def _value(part: str, codec: Codec[K], about: K) -> Any:
    text = part.partition("=")[2]
    try:
        value = codec.read(text, about)
        if codec.write(value, about) == text:
            return value
    except BadText:
        raise
    except (ValueError, LookupError):
        pass
    raise BadText("game.bad_part", part=part[:60])
